"""Goal: nobody chooses the dice of a game that is played over the network, and nobody knows them beforehand. A
later change of the values from which they were drawn is detected.

Method: a client that has only hashlib plays whole games and keeps its evidence: the server's commitment, its own
commitment, the hash of version 1. All answers of the server meanwhile are searched for the secret and the seed in
every encoding. Then the store is changed by hand, carelessly and carefully (with commands decided again, new
hashes and derived rows). Three verifiers check it: `snl audit`, the page's Verify in node, and the client.
"""

import base64
import hashlib
import json
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import ExitStack, closing
from unittest import mock

import served_games
import snl

sys.path.insert(0, str(snl.TESTS / "reader"))
import snl_reader as reader

tally = snl.tally_of_program("a server that lies about its dice", "undetected", "false_alarms")
PAGE = snl.TESTS.parent / "cli" / "page"
PROVE = """
const [header, ...commits] = require("fs").readFileSync(0, "utf8").trimEnd().split("\\n");
provenLog([header, ...commits]).then(() => console.log("proved"), (error) => console.log(error.message));
"""


# ---- The evidence of a client


class Kept:
    """The evidence that a distrustful client keeps of a game, and the faults that it finds in the final log."""

    def __init__(self, table):
        self.commitment = table.commitment
        self.entropy = {player.name: player.entropy for player in table.players}
        self.promises = {player.name: player.to_sit_down().get("entropy_hash") for player in table.players}
        self.first_hash = None

    def see(self, lines):
        """Version 1 as it is shown while the game is on."""
        self.first_hash = json.loads(lines[0])["hash"]

    def faults(self, lines):
        """All contradictions between these lines of commits and the kept evidence, by hashlib."""
        commits = list(map(json.loads, lines))
        start = commits[0]["command"]["start"]
        players, seed, (commitment, secret, entropy) = start[1], start[4], start[6]
        faults = [f"version {version} has another hash" for version in self.broken_hashes(lines)]
        if commits[0]["hash"] != self.first_hash:
            faults.append("version 1 is another")
        if (commitment, hashlib.sha256(bytes.fromhex(secret)).hexdigest()) != (self.commitment, self.commitment):
            faults.append("the secret isn't the one that was promised")
        for name, said in zip(players, entropy):
            if said != (self.entropy[name] and self.entropy[name].hex()):
                faults.append(f"{name} said something else")
        told = [bytes.fromhex(text or "") for text in (secret, *entropy)]
        drawn = hashlib.sha256(b"".join(len(said).to_bytes(4, "big") + said for said in told)).digest()
        if seed != int.from_bytes(drawn[:8], "big"):
            faults.append("the seed isn't what was drawn")
        for commit in commits:
            for turn in (event["played"] for event in commit["events"] if "played" in event):
                if turn[4] and any(value != reader.seeded_die(seed, turn[1], die, 6) for die, value in enumerate(turn[3])):
                    faults.append(f"turn {turn[1]} has other dice")
        return faults

    @staticmethod
    def broken_hashes(lines):
        head = bytes(32)
        for line in lines:
            commit = json.loads(line)
            texts = [reader.canonical(commit[name]).encode() for name in ("command", "events")]
            head = reader.commit_hash(head, commit["game"], commit["time"], *texts)
            if head.hex() != commit["hash"]:
                yield commit["version"]


class Served(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.server = served_games.Server(self)
        self.client = served_games.Client(self.server)
        self.addCleanup(self.client.close)

    def started(self, *players, **options):
        """A table whose game is on, and what its clients keep."""
        table = served_games.Table(self.client, players, **options).sit_down()
        if any(has_a_say for _, has_a_say in players):
            self.assertEqual(table.state()["status"], "drawing")
        table.send_entropy()
        self.assertEqual(table.state()["status"], "in-progress")
        kept = Kept(table)
        stream = served_games.Stream(self.server, table.id)
        self.assertTrue(snl.wait_for(stream.lines))
        stream.close()
        kept.see(stream.lines())
        return table, kept

    def whole_log(self, game):
        stream = served_games.Stream(self.server, game, "?from=1")
        stream.ended()
        return stream.lines()


# ---- Games that are played


class AWholeGame(Served):
    def test_is_proven_by_hashlib_alone(self):
        for players in ((("Ann", True), ("Bob", True)), (("Ann", True), ("Bob", False), ("Cyd", True)),
                        (("Ann", False), ("Bob", False))):
            for dice in (1, 2):
                rules = {"preset": "lld", "dice": dice, "sixes": "plain", "finish": "overshoot"}
                with self.subTest(players=players, dice=dice):
                    table, kept = self.started(*players, rules=rules)
                    state = table.play()
                    self.assertEqual(state["status"], "completed")
                    lines = self.whole_log(table.id)
                    with tally.sound():
                        self.assertEqual(kept.faults(lines), [])
                    start = json.loads(lines[0])["command"]["start"]
                    draw = state["draw"]
                    self.assertEqual((draw["commitment"], draw["secret"], draw["entropy"]), tuple(start[6]))
                    self.assertEqual(draw["seed"], str(start[4]))
                    self.assertTrue(self.json("audit", table.id)["ok"])

    def test_follows_all_the_way_by_stream(self):
        table, kept = self.started(("Ann", True), ("Bob", False))
        stream = served_games.Stream(self.server, table.id)
        table.play()
        messages = stream.ended()
        self.assertEqual([event for event, _, _ in messages[:2]], ["state", "commit"])
        self.assertEqual([event for event, _, _ in messages[-2:]], ["state", "end"])
        redacted, *lines = stream.lines()
        first = json.loads(redacted)
        self.assertIs(first["redacted"], True)
        self.assertEqual(first["hash"], kept.first_hash)
        self.assertEqual((first["command"]["start"][4], first["command"]["start"][6][1]), (None, None))
        whole = self.whole_log(table.id)
        self.assertEqual(lines, whole[1:])
        self.assertEqual(kept.faults(whole), [])
        self.assertEqual(self.snl("export", table.id).splitlines()[1:], whole)


# ---- Secrets


def ways_to_write(data):
    """Every text or bytes in which these bytes would be told."""
    yield "bytes", data
    yield "hex", data.hex().encode()
    yield "upper-case hex", data.hex().upper().encode()
    yield "decimal", str(int.from_bytes(data, "big")).encode()
    for shift in range(3):
        # Of what stands before and after them, all but the first and the last letters are free.
        whole = base64.b64encode(bytes(shift) + data)
        inner = whole[-(-8 * shift // 6) : (8 * (shift + len(data))) // 6]
        yield f"base64 at {shift}", inner
        yield f"base64url at {shift}", inner.replace(b"+", b"-").replace(b"/", b"_")


def found_in(data, heard):
    return [way for way, text in ways_to_write(data) if any(text in said for said in heard)]


class ASecret(Served):
    """The search covers all answers to all clients."""

    def look_around(self, *games):
        """Asks for everything that can be asked for, without tokens, and follows each link of each page."""
        ask = lambda path, **options: self.client.get(path, **options).body
        ask("/api/games")
        for path in ("/api/openapi.json", "/healthz", "/readyz", "/metrics", "/nothing"):
            ask(path)
        pages = ["/"]
        for game in games:
            pages.append(f"/g/{game}")
            ask(f"/api/games/{game}")
            ask(f"/api/games/{game}/export")
            for form in ("jsonl", "text", "csv", "html", "svg", "cast"):
                for at in ("", "&at=0", "&at=1"):
                    ask(f"/api/games/{game}/export?format={form}{at}")
            stream = served_games.Stream(self.server, game, "?from=1")
            # First the state, then each version; of a game that nobody has begun there is none.
            version = self.client.get(f"/api/games/{game}").json["version"]
            said = lambda: [int(id.partition(".")[0]) for _, id, _ in stream.messages if id]
            self.assertTrue(snl.wait_for(lambda: stream.messages and (not version or version in said())))
            stream.close()
            self.heard_elsewhere += [b"".join(stream.heard), *stream.heard]
        seen = set()
        while pages:
            path = pages.pop()
            if path in seen or not path.startswith("/") or path.startswith("//"):
                continue
            seen.add(path)
            body = ask(path).decode(errors="replace")
            pages += [link.partition("#")[0] for link in re.findall(r'(?:href|src|data-[a-z]+)="(/[^"]*)"', body)]

    heard_elsewhere = ()

    def setUp(self):
        super().setUp()
        self.heard_elsewhere = []

    def heard(self):
        return [*self.client.heard, *self.heard_elsewhere, self.server.log.read_bytes()]

    def seed_of(self, game):
        return self.json_lines("log", game)[0]["command"]["start"][4]

    def assert_untold(self, *secrets):
        for data in secrets:
            self.assertEqual(found_in(data, self.heard()), [])

    def test_is_found_however_it_is_written(self):
        """So that finding nothing means something."""
        data = hashlib.sha256(b"any").digest()
        for before in range(3):
            for write in (bytes, bytes.hex, base64.b64encode, base64.urlsafe_b64encode, lambda some: base64.b64encode(b"x" * before + some + b"yy")):
                said = write(data)
                self.assertTrue(found_in(data, [b"a" + (said if isinstance(said, bytes) else said.encode()) + b"b"]))
        self.assertTrue(found_in(data, [str(int.from_bytes(data, "big")).encode()]))

    def test_of_a_game_under_way_is_told_to_nobody(self):
        table, _ = self.started(("Ann", True), ("Bob", False), private=True)
        table.play(3)
        self.look_around(table.id)
        # The server that is stopped and started says no more.
        self.server.stop()
        self.server.start()
        table.play(2)
        asked = self.client.post(f"{table.path}/takebacks", {"to": 4}, table.player("Ann").token)
        self.assertEqual(asked.status, 200)
        agreed = self.client.post(f"{table.path}/takebacks/{asked.json['takeback']['id']}", {"agree": True},
                                  table.player("Bob").token)
        self.assertEqual(agreed.json["takeback"]["outcome"], "done")
        for wrong in ({"dice": [1]}, {"dice": 7}, {"seed": 1}):
            self.client.post(f"{table.path}/turns", wrong, table.players[0].token)
        self.look_around(table.id)
        start = self.json_lines("log", table.id)[0]["command"]["start"]
        secret, seed = bytes.fromhex(start[6][1]), start[4].to_bytes(8, "big")
        self.assert_untold(secret, seed)
        # Once it has ended, both are published.
        ended = table.play()
        self.assertEqual((ended["draw"]["secret"], ended["draw"]["seed"]), (secret.hex(), str(start[4])))
        self.look_around(table.id)
        for data in (secret, seed):
            self.assertNotEqual(found_in(data, self.heard()), [])

    def test_of_an_open_game_is_told_to_nobody_and_entropy_not_before_all_is_in(self):
        players = [("Ann", True), ("Bob", True), ("Cyd", False)]
        table = served_games.Table(self.client, players).sit_down()
        self.look_around(table.id)
        ann, bob, _ = table.players
        wrong = self.client.post(f"{table.path}/entropy", {"entropy": "ab" * 32}, bob.token)
        self.assertEqual(wrong.status, 422)
        given = self.client.post(f"{table.path}/entropy", {"entropy": ann.entropy.hex()}, ann.token)
        self.assertEqual((given.status, given.json["draw"]["entropy"]), (200, [None, None, None]))
        self.look_around(table.id)
        self.assert_untold(ann.entropy)
        self.client.post(f"{table.path}/entropy", {"entropy": bob.entropy.hex()}, bob.token)
        state = table.state()
        self.assertEqual(state["draw"]["entropy"], [ann.entropy.hex(), bob.entropy.hex(), None])
        start = self.json_lines("log", table.id)[0]["command"]["start"]
        self.assert_untold(bytes.fromhex(start[6][1]), start[4].to_bytes(8, "big"))

    def test_of_games_of_the_command_line_and_of_branches_is_kept_as_long(self):
        table, _ = self.started(("Ann", False), ("Bob", False))
        table.play(4)
        self.snl("branch", table.id, "--at", "2", "--id", "branch")
        self.snl("new", "--board", "empty", "Kim", "Lee", "--id", "new")
        self.snl("roll", "new", "-n", "3")
        self.snl("branch", "new", "--at", "1", "--id", "twig")
        games = (table.id, "branch", "new", "twig")
        seeds = {game: self.seed_of(game).to_bytes(8, "big") for game in games}
        self.assertEqual((seeds["branch"], seeds["twig"]), (seeds[table.id], seeds["new"]))
        self.look_around(*games)
        for seed in seeds.values():
            self.assert_untold(seed)
        # A branch that has ended keeps what the game that it left still rolls from.
        for game in ("branch", "twig"):
            self.snl("roll", game, "--all")
        self.look_around(*games)
        for seed in seeds.values():
            self.assert_untold(seed)
        self.snl("roll", "new", "--all")
        self.look_around(*games)
        self.assert_untold(seeds[table.id])
        self.assertNotEqual(found_in(seeds["new"], self.heard()), [])
        table.play()
        self.look_around(*games)
        self.assertNotEqual(found_in(seeds[table.id], self.heard()), [])


# ---- Lies


class Forger:
    """Changes the only game of a store by hand, as well as anybody can."""

    def __init__(self, store):
        self.store = store
        with closing(sqlite3.connect(store)) as database:
            ((self.game,),) = database.execute("SELECT id FROM games").fetchall()
            self.records = database.execute("SELECT time, command, events FROM commits ORDER BY version").fetchall()

    def forge(self, change, roll=None):
        """The start's fields changed; everything decided again, with other dice if any, and hashed anew."""
        game, records = reader.Game(self.game), []
        times = [time for time, _, _ in self.records]
        commands = [json.loads(command) for _, command, _ in self.records]
        change(commands[0]["start"])
        with ExitStack() as closed_eyes:
            closed_eyes.enter_context(mock.patch.object(reader.Setup, "check_draw", lambda *fields: None))
            if roll:
                closed_eyes.enter_context(mock.patch.object(reader, "roll_dice", roll))
            while game.version < len(commands) or game.winner is None:
                version = game.version = game.version + 1
                command = commands[version - 1] if version <= len(commands) else {"roll": [1]}
                kind, content, schema = reader.parse_body(command, reader.COMMANDS)
                if version == 1:
                    game.created = times[0]
                events = reader.canonical(game.decide(kind, content, schema))
                game.last_index, time_ = 0, times[min(version, len(times)) - 1]
                texts = reader.canonical(command), events
                game.head = reader.commit_hash(game.head, self.game, reader.time_text(time_), *map(str.encode, texts))
                records.append((version, time_, *texts, game.head, command.get("id")))
                if game.winner is not None:
                    break
        self.write(records, game.entry())

    def edit(self, column, version, old, new):
        """One text of one row, and nothing else."""
        with closing(sqlite3.connect(self.store)) as database:
            self.unguarded(database, lambda: database.execute(
                f"UPDATE commits SET {column} = replace({column}, ?, ?) WHERE version = ?", (old, new, version)))

    def write(self, records, row):
        with closing(sqlite3.connect(self.store)) as database:
            def write():
                database.execute("DELETE FROM commits")
                database.executemany(
                    "INSERT INTO commits (position, game, version, time, command, events, hash, command_id)"
                    " VALUES (?1, 1, ?1, ?2, ?3, ?4, ?5, ?6)", records)
                database.execute("UPDATE games SET (id, created, status) = (?, ?, ?)", row)

            self.unguarded(database, write)

    @staticmethod
    def unguarded(database, work):
        triggers = database.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            database.execute(f"DROP TRIGGER {name}")
        work()
        for _, sql in triggers:
            database.execute(sql)
        database.commit()


class ALie(Served):
    """Once a game has ended, the operator changes the values from which its seed was drawn."""

    SECRET, ENTROPY, SEED = 1, 2, 4

    def setUp(self):
        super().setUp()
        rules = {"preset": "lld", "finish": "overshoot", "sixes": "plain"}
        self.table, self.kept = self.started(("Ann", True), ("Bob", True), ("Cyd", False), rules=rules)
        self.assertEqual(self.table.play()["status"], "completed")
        self.server.stop()
        self.sound = self.folder / "sound.db"
        shutil.copy(self.store, self.sound)

    def look(self):
        """The findings of the three: problems of an audit, the result of the page's Verify, faults that the client
        sees."""
        result = self.run_snl("audit", self.table.id, "--json")
        problems = [problem["kind"] for problem in json.loads(result.out)["problems"]]
        with closing(sqlite3.connect(self.store)) as database:
            rows = database.execute("SELECT version, time, command, events, lower(hex(hash)) FROM commits ORDER BY version").fetchall()
        lines = [f'{{"game":"{self.table.id}","version":{version},"time":"{reader.time_text(time_)}","command":{command},'
                 f'"events":{events},"hash":"{hash_}"}}' for version, time_, command, events, hash_ in rows]
        header = reader.canonical({"snl": "game", "format": 1, "game": self.table.id, "version": len(rows), "head": rows[-1][4]})
        return problems, self.verified([header, *lines]), self.kept.faults(lines), lines

    def verified(self, lines):
        script = "\n".join((PAGE / name).read_text() for name in ("sha256.js", "seeded_dice.js", "proof.js")) + PROVE
        done = subprocess.run(["node", "-e", script], input="\n".join([*lines, ""]), capture_output=True, text=True,
                              timeout=snl.PATIENCE)
        self.assertEqual(done.stderr, "")
        return done.stdout.strip()

    def lie(self, tell):
        for suffix in ("", "-wal", "-shm"):
            self.store.with_name(self.store.name + suffix).unlink(missing_ok=True)
        shutil.copy(self.sound, self.store)
        forger = Forger(self.store)
        tell(forger)
        return self.look()

    def test_that_is_none_is_not_called_one(self):
        self.kept.faults(self.lie(lambda forger: None)[3])
        problems, page, faults, _ = self.lie(lambda forger: forger.forge(lambda start: None))
        with tally.sound():
            self.assertEqual((problems, page, faults), ([], "proved", []))
            self.assert_sound()

    def test_in_a_row_edited_by_hand_is_found_by_all_three(self):
        start = json.loads(Forger(self.store).records[0][1])["start"]
        commitment, secret, (ann, bob, _) = start[6]
        turn = Forger(self.store).records[1][2]
        die = json.loads(turn)[0]["played"][3][0]
        for what, version, old, new in (
            ("secret", 1, secret, "00" * 32), ("commitment", 1, commitment, "00" * 32), ("entropy", 1, ann, bob),
            ("no entropy", 1, f'"{bob}"', "null"), ("seed", 1, str(start[4]), str(start[4] ^ 1)),
            ("die", 2, f",[{die}],true", f",[{die % 6 + 1}],true"),
        ):
            for column in ("command", "events"):
                with self.subTest(what, column=column), tally.attempt():
                    if (what, column) == ("die", "command"):
                        continue
                    problems, page, faults, _ = self.lie(lambda forger: forger.edit(column, version, old, new))
                    self.assertEqual(problems[:1], ["hash"])
                    self.assertIn(f"Version {version} isn’t what was hashed", page)
                    self.assertIn(f"version {version} has another hash", faults)

    def test_that_is_hashed_anew_is_found_by_all_three(self):
        def other_secret(start):
            start[6][self.SECRET] = "00" * 32

        def other_commitment(start):
            start[6][0] = "00" * 32

        def other_entropy(start):
            start[6][self.ENTROPY][0] = "00" * 32

        def other_seed(start):
            start[self.SEED] ^= 1

        for change, said, fault in (
            (other_secret, "the secret isn’t the one", "the secret isn't the one that was promised"),
            (other_commitment, "the secret isn’t the one", "the secret isn't the one that was promised"),
            (other_entropy, "the secret and what 3 players gave make", "Ann said something else"),
            (other_seed, "the secret and what 3 players gave make", "the seed isn't what was drawn"),
        ):
            with self.subTest(change.__name__), tally.attempt():
                problems, page, faults, _ = self.lie(lambda forger: forger.forge(change))
                self.assertEqual(problems[:1], ["draw"])
                self.assertIn(said, page)
                self.assertIn(fault, faults)
                self.assertIn("version 1 is another", faults)

    def test_in_a_die_is_found_by_all_three(self):
        def roll(setup, turn):
            (die,) = honest(setup, turn)
            return [die % 6 + 1 if turn == 3 else die]

        honest = reader.roll_dice
        with tally.attempt():
            problems, page, faults, _ = self.lie(lambda forger: forger.forge(lambda start: None, roll))
            self.assertEqual(problems[:1], ["decision"])
            self.assertRegex(page, r"turn 3: die 1 is \d, where the seed makes \d")
            self.assertEqual(faults, ["turn 3 has other dice"])

    def test_that_replaces_the_game_whole_is_found_by_what_was_kept(self):
        """A game that is completely made again from another secret is sound by itself: no audit and no page can
        detect it."""
        def another_game(start):
            secret = hashlib.sha256(b"another").digest()
            said = [secret] + [bytes.fromhex(text or "") for text in start[6][self.ENTROPY]]
            start[6][:2] = hashlib.sha256(secret).hexdigest(), secret.hex()
            drawn = hashlib.sha256(b"".join(len(some).to_bytes(4, "big") + some for some in said)).digest()
            start[self.SEED] = int.from_bytes(drawn[:8], "big")

        def other_entropy(start):
            start[6][self.ENTROPY][0] = "00" * 32
            said = [bytes.fromhex(text or "") for text in (start[6][1], *start[6][self.ENTROPY])]
            drawn = hashlib.sha256(b"".join(len(some).to_bytes(4, "big") + some for some in said)).digest()
            start[self.SEED] = int.from_bytes(drawn[:8], "big")

        for change, expected in (
            (another_game, {"version 1 is another", "the secret isn't the one that was promised"}),
            (other_entropy, {"version 1 is another", "Ann said something else"}),
        ):
            with self.subTest(change.__name__), tally.attempt():
                problems, page, faults, _ = self.lie(lambda forger: forger.forge(change))
                self.assertEqual((problems, page), ([], "proved"))
                self.assertEqual(set(faults), expected)
                # Unless the forger forgot the server's own records.
                report = json.loads(self.run_snl("audit", "--all", "--json").out)
                self.assertEqual([problem["kind"] for problem in report["problems"]], ["promise"])

    def test_is_seen_over_the_network_too(self):
        """The client requests the kept data from the server of the changed store."""
        honest = reader.roll_dice
        lies = (lambda start: start[6].__setitem__(self.SECRET, "00" * 32), None), (
            lambda start: None, lambda setup, turn: [honest(setup, turn)[0] % 6 + 1])
        for change, roll in lies:
            self.lie(lambda forger: forger.forge(change, roll))
            self.server.start()
            with tally.attempt():
                self.assertNotEqual(self.kept.faults(self.whole_log(self.table.id)), [])
            self.server.stop()

    def test_about_a_promise_is_seen_by_who_made_it(self):
        promised = self.kept.promises["Ann"]

        def forget(game):
            seat = next(seat for seat in game["seats"] if seat["entropy_hash"] == promised)
            seat["entropy_hash"] = "00" * 32

        self.change_hosted_game(forget)
        (problem,) = json.loads(self.run_snl("audit", "--all", "--json").out)["problems"]
        self.assertEqual((problem["game"], problem["version"], problem["kind"]), (self.table.id, 1, "promise"))
        self.assertIn("seat 0 promised other entropy than it sent", problem["detail"])
        self.server.start()
        shown = {seat["name"]: seat["entropy_hash"] for seat in self.table.state()["seats"]}
        with tally.attempt():
            self.assertNotEqual(shown, self.kept.promises)
            self.assertEqual(shown["Ann"], "00" * 32)

    def test_in_what_the_server_keeps_beside_the_log_is_found_by_an_audit_of_all(self):
        zeros = "00" * 32
        eve = {"name": "Eve", "token": zeros, "tokens": 1, "entropy_hash": None, "entropy": None}
        for change, said in (
            (lambda game: game.update(secret=zeros), "its secret isn't the one in the log"),
            (lambda game: game.update(secret=None), "its secret isn't the one in the log"),
            (lambda game: game["seats"][1].update(entropy=zeros), "seat 1 sent other entropy than the log has"),
            (lambda game: game["seats"][2].update(entropy=zeros), "seat 2 sent other entropy than the log has"),
            (lambda game: game["seats"][1].update(entropy_hash=None), "seat 1 promised other entropy than it sent"),
            (lambda game: game["seats"][2].update(entropy_hash=zeros), "seat 2 promised entropy that isn't in the log"),
            (lambda game: game["seats"].__setitem__(2, None), "a seat of the log isn't taken"),
            (lambda game: game["seats"].__setitem__(slice(3, None), [eve]), "seat 3 isn't in the log"),
        ):
            with self.subTest(said), tally.attempt():
                shutil.copy(self.sound, self.store)
                self.change_hosted_game(change)
                problems = json.loads(self.run_snl("audit", "--all", "--json").out)["problems"]
                promises = [problem for problem in problems if problem["kind"] == "promise"]
                self.assertEqual([problem["detail"] for problem in promises], [f"what its server kept of the draw: {said}"])

    def change_hosted_game(self, change):
        with closing(sqlite3.connect(self.store)) as database:
            ((document,),) = database.execute("SELECT document FROM hosted_games").fetchall()
            game = json.loads(document)
            change(game)
            database.execute("UPDATE hosted_games SET document = ?", (json.dumps(game),))
            database.commit()


if __name__ == "__main__":
    snl.main()
