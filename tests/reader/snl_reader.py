#!/usr/bin/env python3
"""Verifies a store made by snl, or its exported JSONL, from the specification alone.

    snl_reader.py STORE.db|EXPORT.jsonl|PAGE.html [--expect HEAD] [--proof FILE]

It is written from storage/format.md and shares no code with snl. It chains the hashes, decides every command
again with its own small copy of the rules, and compares events and derived rows to the byte. It prints one
line for each game, `ID version turn status head`, and a store's head. HEAD is an earlier head of a game or
the store, and must be printed again. FILE proves that the head of an export's game is in the log of a store;
this doesn't verify its signature. A page contains the lines of an export, and a proof if its game was in a
log.

Exit status: 0 sound; 1 not sound, and the first bad record is named; 2 usage.
"""

import argparse
import base64
import hashlib
import json
import re
import sqlite3
import struct
import sys
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

COMMANDS = {"start": 5, "play": 2, "roll": 0, "undo": 1, "undo_to": 1, "redo": 1}  # and fields
EVENTS = ("started", "played", "undone", "redone")
TOLD_TWICE = ("start", "started", "played", "undone", "redone", "undo_to", "roll")  # have a schema version 2
ROLLERS = ("pace", "auto", "computer")
NUMBERED = {"again": False, "skip": True, "restart": False, "shield": True, "swap": False}
HASH_FORMAT = "sha256-1"
MIGRATIONS = {  # by schema version
    1: [(1, "log", 32)],
    2: [(1, "log", 32), (2, "accidents_and_lists", 32)],
    3: [(1, "log", 32), (2, "accidents_and_lists", 32), (3, "rooms", 32)],
    4: [(1, "log", 32), (2, "accidents_and_lists", 32), (3, "rooms", 32), (4, "one_of_each", 32)],
    5: [(1, "log", 32), (2, "accidents_and_lists", 32), (3, "rooms", 32), (4, "one_of_each", 32),
        (5, "transparency_log", 32)],
}
LAST_TURN = 2**53


class Bad(Exception):
    """The fault of a record."""


def require(condition, what):
    if not condition:
        raise Bad(what)


def whole(value, low, high, what):
    require(type(value) is int and low <= value <= high, f"{what} {value!r} isn't possible")
    return value


def listed(value, count, what):
    require(type(value) is list and len(value) == count, f"{what}: a list of {count} is expected")
    return value


# ---- JSON and hashes


def canonical(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def parse(data):
    """The value of canonical JSON, given as bytes."""
    try:
        text = data.decode("utf-8")
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Bad(f"it isn't JSON: {error}") from None
    require(canonical(value) == text, "its JSON isn't in the canonical form")
    return value


def parse_body(value, known):
    """The type, the fields and the schema version of {"type":[schema version, field, …], …}."""
    require(type(value) is dict and value, "commands and events are JSON objects")
    kind, content = next(iter(value.items()))
    require(kind in known, f'the type "{kind}" isn\'t known')
    require(type(content) is list and content, f'"{kind}" has no schema version')
    schema = canonical(content[0])
    is_known = schema == "1" or (schema == "2" and kind in TOLD_TWICE)
    require(is_known, f'schema version {content[0]} of "{kind}" isn\'t known')
    return kind, content[1:], content[0]


def check_event(kind, content, _schema):
    """Whether events of this kind can be read; what they say is decided again, and compared."""
    if kind == "started":
        format_ = canonical(content[0] if content else None)
        require(format_ == canonical(HASH_FORMAT), f"the hash format {format_} isn't known")


def time_text(milliseconds):
    time = datetime(1970, 1, 1) + timedelta(milliseconds=milliseconds)
    return time.isoformat(timespec="milliseconds") + "Z"


def parse_time(text):
    try:
        time = datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ") - datetime(1970, 1, 1)
        milliseconds = time // timedelta(milliseconds=1)
        require(time_text(milliseconds) == text, f"time {text} isn't in the canonical form")
        return milliseconds
    except (TypeError, ValueError) as error:
        raise Bad(f"time: {error}") from None


def read_hex(text):
    require(type(text) is str and re.fullmatch("[0-9a-f]{64}", text), f"{text!r} isn't 64 hex digits")
    return bytes.fromhex(text)


def prefixed(data):
    return struct.pack(">I", len(data)) + data


def commit_hash(previous, game, time, command, events):
    """`time` as text, `command` and `events` as the bytes that are stored."""
    parts = (game.encode(), time.encode(), command, events)
    return hashlib.sha256(previous + b"".join(map(prefixed, parts))).digest()


def store_head(heads):
    """Of {ID: head}."""
    by_id = sorted((game.encode(), head) for game, head in heads.items())
    return hashlib.sha256(b"".join(prefixed(game) + head for game, head in by_id)).digest()


# ---- Seeded dice


def philox4x32(counter, key):
    """Philox4x32-10 (Salmon et al., SC'11)."""
    c, k, mask = list(counter), list(key), 2**32 - 1
    for _ in range(10):
        p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(q >> 32) ^ c[1] ^ k[0], q & mask, (p >> 32) ^ c[3] ^ k[1], p & mask]
        k = [(k[0] + 0x9E3779B9) & mask, (k[1] + 0xBB67AE85) & mask]
    return c


def seeded_die(seed, turn, die, faces):
    block, slot = divmod(turn - 1, 16)
    attempt = 0
    while True:
        counter = (block % 2**32, die, attempt, 0)
        fraction = philox4x32(counter, (seed % 2**32, seed >> 32))[slot // 4]
        digits = []
        for _ in range(4):
            digit, fraction = divmod(fraction * faces, 2**32)
            digits.append(digit)
        if fraction >= 2**32 % faces**4:
            return digits[slot % 4] + 1
        attempt += 1


def roll_dice(setup, turn):
    if setup.sixes != "again":
        return [seeded_die(setup.seed, turn, die, setup.faces) for die in range(setup.dice)]
    dice = []
    while len(dice) < 3 and dice.count(6) == len(dice):
        dice.append(seeded_die(setup.seed, turn, len(dice), 6))
    return dice


# ---- The rules


def check_id(game):
    valid = type(game) is str and re.fullmatch("[A-Za-z0-9][A-Za-z0-9._-]{0,63}", game)
    require(valid, f"{game!r} is no game's ID")


def check_name(name):
    plain = type(name) is str and not re.search("[\x00-\x1f\x7f-\x9f]", name)
    require(plain and 1 <= len(name.encode()) <= 256, f"{name!r} is no name")


def counts(trimmed, players):
    """Counts by seat, of a list that ends with one that isn't 0."""
    require(type(trimmed) is list and len(trimmed) <= players, "counts are a list by seat")
    for count in trimmed:
        whole(count, 0, 3, "count")
    require(not trimmed or trimmed[-1] > 0, "counts end with one that isn't 0")
    return trimmed + [0] * (players - len(trimmed))


def trimmed(counts):
    """Without the zeros at the end."""
    counts = list(counts)
    while counts and counts[-1] == 0:
        counts.pop()
    return counts


class Setup:
    """The constants of a game: the fields of its start command, checked."""

    def __init__(self, schema, players, board, rules, seed, origin, *draw):
        require(type(players) is list and 2 <= len(players) <= 10, "2 to 10 players play")
        for name in players:
            check_name(name)
        require(len(set(players)) == len(players), "two players have the same name")
        self.players = players
        require(type(board) is list and schema in (1, 2), "a board is a list")
        more = schema == 2 and len(board) == 5  # than games without effects have
        rules = listed(rules, 8 if more else 5, "rules")
        self.start, self.finish, self.dice, self.faces, self.sixes = rules[:5]
        self.enter, self.meet, self.safe = rules[5:] or ([], "share", [])
        whole(self.start, 0, 1, "start")
        whole(self.dice, 1, 2, "dice")
        whole(self.faces, 2, 100, "faces")
        require(self.finish in ("exact", "overshoot", "bounce"), "the finish isn't known")
        one_die = self.sixes in ("again", "each") and (self.dice, self.faces) == (1, 6)
        require(one_die or self.sixes == "plain", "these sixes can't be played")
        self.seed = whole(seed, 0, 2**64 - 1, "seed")
        self.cells, width, snakes, ladders, *powers = listed(board, 5 if more else 4, "board")
        whole(self.cells, 2, 2**24, "cells")
        whole(width, 1, self.cells, "width")
        self.jumps = {}
        self.add_jumps(snakes, lambda start, end: end < start)
        self.add_jumps(ladders, lambda start, end: end > start)
        self.powers = {}
        self.add_powers(*powers or [[]])
        self.check_rules_of_effects()
        self.has_effects = bool(self.powers or self.enter or self.meet == "capture" or self.sixes == "each")
        require(self.has_effects == more, "games with effects, and no other, have their fields")
        is_more = more or bool(draw)
        require(is_more == (schema == 2), "schema version 2 is that of games with effects or a draw")
        self.origin_game, self.origin_turn, self.first = None, 0, ([self.start] * len(players), 0, None)
        self.first_tallies = [0] * len(players), [0] * len(players)
        if origin is not None:
            origin = listed(origin, 8 if more else 6, "origin")
            self.take_origin(*origin[:6])
            if more:
                self.take_tallies(*origin[6:])
        for commitment, secret, entropy in (listed(fields, 3, "draw") for fields in draw):
            self.check_draw(commitment, secret, entropy)

    def check_draw(self, commitment, secret, entropy):
        require(self.origin_game is None, "a branch has a draw")
        told = [b"" if said is None else read_hex(said) for said in listed(entropy, len(self.players), "entropy")]
        promised = hashlib.sha256(read_hex(secret)).hexdigest()
        require(commitment == promised, "its secret isn't the one that was promised")
        everything = b"".join(map(prefixed, [read_hex(secret), *told]))
        drawn = int.from_bytes(hashlib.sha256(everything).digest()[:8], "big")
        require(self.seed == drawn, f"its seed is {self.seed}, where its draw makes {drawn}")

    def add_powers(self, powers):
        require(type(powers) is list, "powers are a list")
        last = 0
        for power in powers:
            require(type(power) is list and len(power) >= 2, "a power is a list")
            last = whole(power[0], last + 1, self.cells - 1, "power on")  # in ascending order
            require(last not in self.jumps, f"a jump starts on {last}")
            require(power[1] in NUMBERED, f"{power[1]} is no power")
            for n in listed(power, 3 if NUMBERED[power[1]] else 2, "power")[2:]:
                whole(n, 1, 3, "n")
            self.powers[last] = power[1:]

    def check_rules_of_effects(self):
        ascending = lambda numbers: type(numbers) is list and numbers == sorted(set(numbers))
        require(ascending(self.enter) and ascending(self.safe), "lists are kept ascending")
        for face in self.enter:
            whole(face, 1, self.faces, "enter")
        for cell in self.safe:
            whole(cell, 2, self.cells - 1, "safe")
        require(self.start == 0 or not self.enter, "pieces enter from off the board")
        require(self.meet in ("share", "capture"), "the meet isn't known")
        require(self.meet == "capture" or not self.safe, "cells are safe from captures")

    def take_tallies(self, shields, skips):
        players = len(self.players)
        self.first_tallies = counts(shields, players), counts(skips, players)
        require(self.first[2] is not None or not self.first_tallies[1][self.first[1]], "who is next misses a turn")

    def add_jumps(self, jumps, is_right):
        require(type(jumps) is list, "jumps are a list")
        last = 0
        for jump in jumps:
            start, end = listed(jump, 2, "jump")
            last = whole(start, last + 1, self.cells - 1, "jump from")  # in ascending order
            require(is_right(start, whole(end, 1, self.cells, "jump to")), f"{jump} leads astray")
            require(start not in self.jumps, f"two jumps start on {start}")
            self.jumps[start] = end

    def take_origin(self, game, turn, head, cells, following, winner):
        check_id(game)
        require(re.fullmatch("[0-9a-f]{64}", str(head)), "an origin's head has 64 hex digits")
        self.origin_turn = whole(turn, 0, LAST_TURN, "turn")
        for seat, cell in enumerate(listed(cells, len(self.players), "cells")):
            whole(cell, self.start, self.cells, "cell")
            require((cell == self.cells) == (seat == winner), "the winner is who stands at the end")
        whole(following, 0, len(self.players) - 1, "seat")
        if winner is not None:
            require(canonical(following) == canonical(winner), "the winner is next, and a seat")
        if turn == 0:
            require((cells, following) == self.first[:2], "turn 0 is the start")
        self.origin_game = game
        self.first = (list(cells), following, winner)

    def distance(self, dice):
        """How far dice carry a piece; 0 for three sixes, which move nothing."""
        require(type(dice) is list, "dice are a list")
        for die in dice:
            whole(die, 1, self.faces, "die")
        if self.sixes != "again":
            listed(dice, self.dice, "dice")
        else:
            possible = 1 <= len(dice) <= 3 and all(die == 6 for die in dice[:-1])
            require(possible, f"dice {dice} are impossible")
        return 0 if self.sixes == "again" and dice == [6, 6, 6] else sum(dice)

    def move(self, cell, distance):
        """Where a piece lands, where it ends, and the outcome."""
        landed = cell + distance
        if distance == 0:
            return cell, cell, "forfeited"
        if landed > self.cells and self.finish == "exact":
            return cell, cell, "blocked"
        if landed > self.cells and self.finish == "overshoot":
            landed = self.cells
        if landed > self.cells:  # back and forth between the last cell and cell 1
            back = (landed - self.cells) % (2 * (self.cells - 1))
            landed = 1 + abs(self.cells - 1 - back)
        to = self.jumps.get(landed, landed)
        return landed, to, "won" if to == self.cells else "moved"


class Effects:
    """The effects of a turn besides moving a piece to where it landed."""

    def __init__(self, shields, skips):
        self.rest, self.shielded, self.captured, self.captured_to = 0, False, [], 0
        self.power, self.swapped, self.missed = None, None, []
        self.before = list(shields), list(skips)
        self.after = list(shields), list(skips)

    def told(self):
        tallies = map(trimmed, self.before + self.after)
        moved = [self.rest, self.shielded, self.captured, self.captured_to]
        return [*moved, self.power, self.swapped, *tallies, self.missed]


class Game:
    """The commits of one game so far, verified, and what they fold to."""

    def __init__(self, identity):
        check_id(identity)
        self.id, self.version, self.head, self.setup = identity, 0, bytes(32), None
        self.told = None  # its snapshot, as of the version that this names

    def add(self, version, time, command, events, hash_hex):
        """Verifies the next commit; `command` and `events` are the bytes that are stored."""
        require(version == self.version + 1, f"version {self.version + 1} is missing")
        whole(time, 0, 253402300799999, "time")
        self.head = commit_hash(self.head, self.id, time_text(time), command, events)
        require(hash_hex == self.head.hex(), "its hash isn't that of what it holds")
        request, recorded = parse(command), parse(events)
        kind, content, schema = parse_body(request, COMMANDS)
        require(list(request)[1:] in ([], ["id"]), "unknown members follow the command")
        self.command_id = request.get("id")
        if "id" in request:
            check_name(self.command_id)
        require(type(recorded) is list, "the events are no list")
        for event in recorded:
            check_event(*parse_body(event, EVENTS))
        self.version, self.created = version, time if version == 1 else self.created
        require((self.setup is None) == (kind == "start"), "a game is started first, and once")
        more = {"undo_to": 2, "roll": 1, "start": len(content) == 6}.get(kind, 0) if schema == 2 else 0
        decided = self.decide(kind, listed(content, COMMANDS[kind] + more, kind), schema)
        again = canonical(decided)
        require(again.encode() == events, f"its command, decided again, causes {again}")
        self.last_index = len(decided) - 1

    def decide(self, kind, content, schema):
        """The events that a command causes; the game is as they leave it."""
        if kind == "start":
            return [self.begin(content, schema)]
        if kind == "play":
            return [self.play(*content, rolled=False)]
        if kind == "roll":
            require(all(by in ROLLERS for by in content), "who rolls is pace, auto or computer")
            return [self.play(self.next, roll_dice(self.setup, self.turn + 1), rolled=True)]
        if kind == "redo":
            count = whole(content[0], 1, len(self.taken_back), "redo")
            return [self.redo(index) for index in range(count)]
        count = content[0]
        if kind == "undo_to":
            count = self.turn - whole(count, 0, self.turn, "undo_to")
            self.check_takeback(*content[1:])
        whole(count, 1, len(self.in_force), "undo")
        return [self.undo(index) for index in range(count)]

    def check_takeback(self, asked=0, agreed=()):
        for seat in (asked, *agreed):
            whole(seat, 0, len(self.cells) - 1, "seat")
        require(list(agreed) == sorted({*agreed}), "who agreed is listed ascending")

    def begin(self, content, schema):
        self.setup = Setup(schema, *content)
        require(self.setup.origin_game != self.id, "it is a branch of itself")
        self.turn, (self.cells, self.next, self.winner) = self.setup.origin_turn, self.setup.first
        self.shields, self.skips = map(list, self.setup.first_tallies)
        self.in_force = []  # (version that played it, fields of "played", effects), the last turn last
        self.taken_back = []  # these and (version, index) of its "undone", the next to redo last
        return {"started": [schema, HASH_FORMAT, *content]}

    def play(self, seat, dice, rolled):
        require(self.winner is None, "the game is completed")
        require(whole(seat, 0, 9, "seat") == self.next, f"seat {seat} isn't the one to move")
        from_ = self.cells[seat]
        landed, to, outcome = self.setup.move(from_, self.setup.distance(dice))
        following = None if outcome == "won" else (seat + 1) % len(self.cells)
        effects = None
        if self.setup.has_effects:
            landed, to, outcome, following, effects = self.act(seat, dice, landed, to, outcome)
        turn = [self.turn + 1, seat, dice, rolled, from_, landed, to, outcome, following]
        event = {"played": [1, *turn, self.last_turn()]}
        if effects:
            event["played"] = [2, *event["played"][1:], *effects.told()]
        self.taken_back = []
        self.put_in_force(self.version, turn, effects)
        return event

    def act(self, seat, dice, landed, rest, outcome):
        """A turn in a game with effects, given the turn without them."""
        setup, cells, players = self.setup, self.cells, len(self.cells)
        effects = Effects(self.shields, self.skips)
        shields, skips = effects.after
        if outcome != "forfeited" and cells[seat] == 0 and setup.enter and not {*dice} & {*setup.enter}:
            landed, rest, outcome = 0, 0, "waiting"
        others = [(seat + away) % players for away in range(1, players)]
        power = [None]
        if rest < landed and shields[seat] > 0:
            rest, effects.shielded, shields[seat] = landed, True, shields[seat] - 1
        to = effects.rest = rest
        if outcome == "moved":
            if setup.meet == "capture" and rest != 1 and rest not in setup.safe:
                effects.captured = sorted(other for other in others if cells[other] == rest)
                effects.captured_to = setup.start if effects.captured else 0
            effects.power = setup.powers.get(rest)
            power = effects.power or [None]
            if power[0] == "skip":
                skips[seat] = power[1]
            elif power[0] == "shield":
                shields[seat] = max(shields[seat], power[1])
            elif power[0] == "restart":
                to = setup.start
            elif power[0] == "swap":
                ahead = [other for other in others if cells[other] > rest]
                if ahead:
                    effects.swapped = min(ahead, key=lambda other: cells[other])
                    to = cells[effects.swapped]
        following = None
        if outcome != "won":
            moves_again = power[0] == "again" or (setup.sixes == "each" and dice == [6])
            following = seat if moves_again else (seat + 1) % players
            while skips[following]:
                skips[following] -= 1
                effects.missed.append(following)
                following = (following + 1) % players
        return landed, to, outcome, following, effects

    def undo(self, index):
        played_at, played, effects = self.in_force.pop()
        turn, seat, _, _, from_, _, to, _, _ = played
        later = self.next_redo()
        self.taken_back.append((played_at, played, effects, (self.version, index)))
        self.turn, self.next, self.winner, self.cells[seat] = turn - 1, seat, None, from_
        told = [index, turn, seat, to, from_, played_at, self.last_turn(), *later]
        if not effects:
            return {"undone": [1, *told]}
        return {"undone": [2, *told, *self.restore(effects, effects.rest, to, effects.before)]}

    def redo(self, index):
        played_at, played, effects, _ = self.taken_back.pop()
        turn, seat, _, _, from_, _, to, outcome, following = played
        restored = self.put_in_force(played_at, played, effects)
        move = [turn, seat, from_, to, outcome, following]
        told = [index, *move, played_at, *self.next_redo()]
        return {"redone": [2, *told, *restored] if effects else [1, *told]}

    def restore(self, effects, captured_to, swapped_to, tallies):
        """Makes the other moves of a turn, and returns their fields in the event."""
        for seat in effects.captured:
            self.cells[seat] = captured_to
        if effects.swapped is not None:
            self.cells[effects.swapped] = swapped_to
        self.shields, self.skips = map(list, tallies)
        captured = [effects.captured, captured_to if effects.captured else 0]
        swapped = [effects.swapped, 0 if effects.swapped is None else swapped_to]
        return [*captured, *swapped, *map(trimmed, tallies)]

    def put_in_force(self, played_at, played, effects):
        self.turn, seat, _, _, _, _, to, outcome, following = played
        self.in_force.append((played_at, played, effects))
        restored = effects and self.restore(effects, effects.captured_to, effects.rest, effects.after)
        self.cells[seat] = to
        self.next = seat if following is None else following
        self.winner = seat if outcome == "won" else None
        return restored

    def last_turn(self):
        return self.in_force[-1][0] if self.in_force else 0

    def next_redo(self):
        return self.taken_back[-1][3] if self.taken_back else (0, 0)

    def status(self):
        return "in-progress" if self.winner is None else "completed"

    def entry(self):
        """The relevant columns of its row in games, without the key."""
        return self.id, self.created, self.status()

    def snapshot(self):
        """The columns of its row in snapshots after its version, without the key."""
        state = [self.turn, self.cells, self.next, self.winner]
        state += map(trimmed, (self.shields, self.skips)) if self.setup.has_effects else []
        state += [self.last_index, self.last_turn(), *self.next_redo(), len(self.taken_back)]
        text = canonical(state)
        return self.head, text, hashlib.sha256((self.head.hex() + text).encode()).digest()


# ---- Files


def at(place, work, *arguments):
    """Runs `work`; adds the place to its faults."""
    try:
        return work(*arguments)
    except Bad as bad:
        raise Bad(f"{place}: {bad}") from None


def read_store(path):
    """{ID: Game} of a whole store, read in one transaction."""
    uri = path.resolve().as_uri() + "?mode=ro"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as database:
        for setting in ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0"):
            database.execute("PRAGMA " + setting)
        database.execute("BEGIN")
        schema = check_identity(database.execute)
        snapshots = []
        if schema > 3:
            snapshots = list(database.execute("SELECT game, version, head, state, hash FROM snapshots"))
        games = read_commits(database.execute, {key: version for key, version, *_ in snapshots})
        for key, version, *row in snapshots:
            is_told = key in games and games[key].told == tuple(row)
            require(is_told, f"snapshot of game {key}, version {version}: it isn't what its log says")
        check_derived(database.execute, schema, games)
        if schema > 4:
            check_log(database.execute)
    return {game.id: game for game in games.values()}


def check_identity(ask):
    require(ask("PRAGMA application_id").fetchone()[0] == 0x534E4C31, "it isn't a store of snl")
    schema = ask("PRAGMA user_version").fetchone()[0]
    require(schema in MIGRATIONS, f"schema version {schema} isn't known")
    strict = {name for _, name, _, _, _, strict in ask("PRAGMA table_list") if strict}
    tables = {"migrations", "games", "players", "commits", *(["snapshots"] if schema > 3 else [])}
    require(strict >= tables, "a table is missing")
    applied = list(ask("SELECT number, name, length(sha256) FROM migrations"))
    require(applied == MIGRATIONS[schema], f"migrations {applied} aren't those of this version")
    return schema


def read_commits(ask, told):
    """{key: Game}; `told` has the version of each game's snapshot, by key."""
    games = {key: at(f"games {key}", Game, id_) for key, id_ in ask("SELECT game, id FROM games")}
    begun = 0
    rows = ask(
        "SELECT position, game, version, time, CAST(command AS BLOB), CAST(events AS BLOB),"
        " lower(hex(hash)), command_id FROM commits ORDER BY position"
    )
    for expected, (position, key, version, *record, command_id) in enumerate(rows, 1):
        require(position == expected, f"position {expected} is missing")
        require(key in games, f"position {position}: its game isn't there")
        place = f"position {position}, game {games[key].id}, version {version}"
        at(place, games[key].add, version, *record)
        if version == told.get(key):
            games[key].told = games[key].snapshot()
        require(command_id == games[key].command_id, f"{place}: its command_id isn't its command's")
        if version == 1:
            begun += 1
            require(key == begun, f"{place}: the key of its game isn't {begun}")
    return games


def check_derived(ask, schema, games):
    for key, *row in ask("SELECT game, id, created, status FROM games"):
        game = games[key]
        require(game.version > 0, f"game {game.id}: it has no commits")
        require(tuple(row) == game.entry(), f"game {row[0]}: its row isn't what its log says")
    completed = "completed" if schema > 1 else "NULL"
    named = set(ask(f"SELECT game, seat, name, {completed} FROM players"))
    for key, game in games.items():
        completed = game.winner is not None if schema > 1 else None
        seats = {(key, seat, name, completed) for seat, name in enumerate(game.setup.players)}
        require(seats <= named, f"game {game.id}: its players aren't those of its log")
        named -= seats
    require(not named, f"players {named}: nobody plays there")


# ---- The log of a store (RFC 6962, section 2.1)


def leaf_hash(commit):
    return hashlib.sha256(b"\0" + commit).digest()


def node_hash(left, right):
    return hashlib.sha256(b"\1" + left + right).digest()


def tree_hash(leaves):
    if len(leaves) < 2:
        return leaves[0] if leaves else hashlib.sha256().digest()
    left = 1 << (len(leaves) - 1).bit_length() - 1
    return node_hash(tree_hash(leaves[:left]), tree_hash(leaves[left:]))


def root_by_proof(leaf, index, size, proof):
    """The root of a tree of `size` leaves that has this one at `index`, by the siblings on its way up."""
    require(index < size and (size > 1 or not proof), "a proof of no leaf of that tree")
    if size == 1:
        return leaf
    require(proof, "a proof that is too short")
    *below, sibling = proof
    left = 1 << (size - 1).bit_length() - 1
    if index < left:
        return node_hash(root_by_proof(leaf, index, left, below), sibling)
    return node_hash(sibling, root_by_proof(leaf, index - left, size - left, below))


def read_checkpoint(note):
    """Its origin, size and root. Signatures are left to others."""
    origin, size, root = note.split("\n")[:3]
    return origin, int(size), base64.b64decode(root, validate=True)


def check_log(ask):
    leaves = [leaf_hash(hash_) for (hash_,) in ask("SELECT hash FROM commits ORDER BY position")]
    for log, *notes in ask("SELECT origin, signed, published FROM checkpoints"):
        for note in filter(None, notes):
            origin, size, root = read_checkpoint(note)
            require(origin == log, f"log {log}: its checkpoint is of {origin}")
            require(size <= len(leaves), f"log {log}: {size} commits were signed, {len(leaves)} are there")
            require(tree_hash(leaves[:size]) == root, f"log {log}: the first {size} commits have another root")
    for level, number, node in ask("SELECT level, n, hash FROM tree"):
        below = leaves[number * 256**level:(number + 1) * 256**level]
        is_whole = level > 0 and len(below) == 256**level
        require(is_whole and tree_hash(below) == node, f"tree: node {number} of level {level} is wrong")


def check_proof(text, games):
    """That the last version of an export's one game is what a proof says."""
    first, *lines = text.split("\n")
    require(first == "c2sp.org/tlog-proof@v1" and len(games) == 1, "no proof of one game")
    (game,) = games.values()
    if lines[0].startswith("extra "):
        extra = base64.b64decode(lines.pop(0).removeprefix("extra "), validate=True).decode()
        require(extra == f"{game.id} {game.version}", f"the proof is of {extra}")
    index = int(lines.pop(0).removeprefix("index "))
    end = lines.index("")
    proof = [base64.b64decode(line, validate=True) for line in lines[:end]]
    origin, size, root = read_checkpoint("\n".join(lines[end + 1:]))
    require(root_by_proof(leaf_hash(game.head), index, size, proof) == root, f"it isn't in the log {origin}")


def read_page(page):
    """The contents of a page's scripts: the lines of an export, and a proof or None."""
    found = {name: re.findall(f'<script type="application/json" class="{name}">([^<]*)</script>', page)
             for name in ("export", "log-proof")}
    require(len(found["export"]) == 1 and len(found["log-proof"]) <= 1, "a page has one export, and at most one proof")
    lines = [line.encode() for line in json.loads(found["export"][0])]
    proofs = [json.loads(text) for text in found["log-proof"]]
    require(all(type(proof) is dict and "proof" in proof for proof in proofs), "a page with something else for a proof")
    return lines, next((proof["proof"] for proof in proofs), None)


def read_export(path):
    """{ID: Game} of one export, or of several one after another."""
    lines = path.read_bytes().split(b"\n")
    require(lines.pop() == b"", "an export ends with the end of a line")
    return read_lines(lines)


def read_lines(lines):
    games, promised = {}, None
    for number, line in enumerate(lines, 1):
        record = at(f"line {number}", parse, line)
        require(type(record) is dict, f"line {number}: a JSON object is expected")
        if promised is None:
            promised = at(f"line {number}", take_header, record)
            game = games[promised["game"]] = at(f"line {number}", Game, promised["game"])
        else:
            at(f"line {number}", take_commit, record, game)
        if game.version == promised["version"]:
            require(game.head.hex() == promised["head"], f"line {number}: its header differs")
            promised = None
    require(promised is None, "it ends before its last game does")
    return games


def take_header(record):
    names = ["snl", "format", "game", "version", "head"]
    require(list(record) == names and record["snl"] == "game", "no header of an export")
    require(canonical(record["format"]) == "1", f"format {record['format']} isn't known")
    whole(record["version"], 1, 2**63 - 1, "version")
    return record


def take_commit(record, game):
    names = ["game", "version", "time", "command", "events", "hash"]
    require(list(record) == names and record["game"] == game.id, f"no commit of {game.id}")
    time = parse_time(record["time"])
    command, events = (canonical(record[name]).encode() for name in ("command", "events"))
    game.add(record["version"], time, command, events, record["hash"])


def main():
    usage = argparse.ArgumentParser(description="Verifies a store made by snl, or an export.")
    usage.add_argument("file", type=Path, help="STORE.db, EXPORT.jsonl or PAGE.html")
    usage.add_argument("--expect", metavar="HEAD", help="a head that must be printed again")
    usage.add_argument("--proof", type=Path, metavar="FILE", help="that the export's game is in a store's log")
    arguments = usage.parse_args()
    path = arguments.file
    if not path.is_file():
        usage.error(f"{path}: there is no such file")
    try:
        with path.open("rb") as file:
            beginning = file.read(16)
        is_store = beginning == b"SQLite format 3\0"
        proof = arguments.proof.read_text("utf-8") if arguments.proof else None
        if is_store:
            games = read_store(path)
        elif beginning.startswith(b"<!doctype html>"):
            lines, inside = read_page(path.read_text("utf-8"))
            games, proof = read_lines(lines), proof or inside
        else:
            games = read_export(path)
        if proof:
            check_proof(proof, games)
        heads = [game.head.hex() for game in games.values()]
        for game in sorted(games.values(), key=lambda game: game.id):
            print(game.id, game.version, game.turn, game.status(), game.head.hex())
        if is_store:
            heads.append(store_head({game.id: game.head for game in games.values()}).hex())
            print("store", heads[-1])
        require(arguments.expect in (None, *heads), f"no head is {arguments.expect}")
    except (Bad, OSError, ValueError, sqlite3.Error) as bad:
        print(f"{path}: {bad}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
