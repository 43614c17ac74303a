"""Exact odds of races in which pieces meet, against fractions. This test has its own implementation of the game,
independent of the program, and solves by Gaussian elimination."""

import fractions
import itertools
import json
import random

import snl

Fraction = fractions.Fraction


class Game:
    """Positions are (whose turn, cells, shields, turns to miss); None is a game that the mover has won."""

    def __init__(self, board, rules, players):
        self.cells, self.rules, self.players = board["cells"], rules, players
        self.jumps = dict(map(tuple, board.get("snakes", []) + board.get("ladders", [])))
        self.powers = {power["cell"]: (power["power"], power.get("n", 0)) for power in board.get("powers", [])}

    def throws(self):
        """(chance, distance or None for a forfeit, whether it enters, whether it gives another turn)"""
        enter, faces = self.rules.get("enter", []), range(1, self.rules["faces"] + 1)
        enters = lambda dice: not enter or any(die in enter for die in dice)
        if self.rules["sixes"] != "again":
            for dice in itertools.product(faces, repeat=self.rules["dice"]):
                again = self.rules["sixes"] == "each" and dice == (6,)
                yield Fraction(1, self.rules["faces"] ** self.rules["dice"]), sum(dice), enters(dice), again
            return
        for sixes in range(3):
            for die in range(1, 6):
                yield Fraction(1, 6 ** (sixes + 1)), 6 * sixes + die, enters([6] * sixes + [die]), False
        yield Fraction(1, 216), None, enters([6]), False

    def lands(self, cell, distance):
        """Where dice alone carry a piece; None if it stays."""
        to = cell + distance
        if to <= self.cells:
            return to
        if self.rules["finish"] == "exact":
            return None
        if self.rules["finish"] == "overshoot":
            return self.cells
        way = 1
        for _ in range(distance):  # back from the end, and on again from the first cell
            way = -1 if cell == self.cells else 1 if cell == 1 else way
            cell += way
        return cell

    def after(self, position, distance, enters, again):
        mover, cells, shields, misses = position
        cells, shields, misses = list(cells), list(shields), list(misses)
        start = self.rules["start"]
        landed = None if distance is None or (cells[mover] == 0 and not enters) else self.lands(cells[mover], distance)
        if landed is not None:
            rest = self.jumps.get(landed, landed)
            if rest < landed and shields[mover]:
                shields[mover] -= 1
                rest = landed
            if rest == self.cells:
                return None
            if self.rules["meet"] == "capture" and rest > 1 and rest not in self.rules.get("safe", []):
                for other in range(self.players):
                    if other != mover and cells[other] == rest:
                        cells[other] = start
            ahead = [(position[1][seat % self.players], seat - mover, seat % self.players)
                     for seat in range(mover + 1, mover + self.players) if position[1][seat % self.players] > rest]
            cells[mover] = rest
            kind, n = self.powers.get(rest, ("", 0))
            if kind == "skip":
                misses[mover] = n
            elif kind == "shield":
                shields[mover] = max(shields[mover], n)
            elif kind == "restart":
                cells[mover] = start
            elif kind == "swap" and ahead:
                there, _, other = min(ahead)
                cells[mover], cells[other] = there, rest
            again = again or kind == "again"
        if not again:
            mover = (mover + 1) % self.players
        while misses[mover]:
            misses[mover] -= 1
            mover = (mover + 1) % self.players
        return mover, tuple(cells), tuple(shields), tuple(misses)

    def turns(self, position):
        """Where a turn leads, with the chance of each."""
        leads = {}
        for chance, *thrown in self.throws():
            to = self.after(position, *thrown)
            leads[to] = leads.get(to, 0) + chance
        return leads


class Odds:
    """All positions of a race, as equations in fractions. None as soon as there are more than `most`."""

    def __init__(self, game, begin, most):
        self.begin, self.players = begin, game.players
        self.turns = {}
        found = [begin]
        for position in found:
            if position in self.turns:
                continue
            self.turns[position] = game.turns(position)
            found += [to for to in self.turns[position] if to and to not in self.turns]
            if len(self.turns) > most:
                raise OverflowError
        self.ends = self.leading_to(lambda to: to is None)
        self.stuck = self.leading_to(lambda to: to is not None and to not in self.ends)

    def leading_to(self, is_goal):
        found, more = set(), True
        while more:
            more = False
            for position, leads in self.turns.items():
                if position not in found and any(is_goal(to) or to in found for to in leads):
                    found.add(position)
                    more = True
        return found

    def answers(self):
        """Chances to win, by seat; to end never; and if that is 0 the mean of the turns and of their squares."""
        sides = [lambda position, seat=seat: self.turns[position].get(None, 0) if position[0] == seat else 0
                 for seat in range(self.players)]
        win = [self.solve(side) for side in sides]
        chances = [each.get(self.begin, Fraction(0)) for each in win]
        if self.begin in self.stuck or self.begin not in self.ends:
            return chances, 1 - sum(chances), None, None
        turns = self.solve(lambda position: 1)
        squares = self.solve(lambda position: 1 + 2 * sum(
            chance * turns[to] for to, chance in self.turns[position].items() if to))
        return chances, 1 - sum(chances), turns[self.begin], squares[self.begin]

    def solve(self, side):
        """By elimination of one position after the other."""
        rows = {position: ({to: chance for to, chance in self.turns[position].items() if to in self.ends}, side(position))
                for position in self.ends}
        order = list(rows)
        for place, position in enumerate(order):
            leads, constant = rows[position]
            stays = 1 - leads.pop(position, 0)
            leads, constant = {to: chance / stays for to, chance in leads.items()}, constant / Fraction(stays)
            rows[position] = leads, constant
            for other in order[place + 1:]:
                theirs, value = rows[other]
                chance = theirs.pop(position, 0)
                if chance:
                    for to, share in leads.items():
                        theirs[to] = theirs.get(to, 0) + chance * share
                    rows[other] = theirs, value + chance * constant
        values = {}
        for position in reversed(order):
            leads, constant = rows[position]
            values[position] = constant + sum(chance * values[to] for to, chance in leads.items())
        return values

    def quantile(self, share):
        now, over, turn = {self.begin: Fraction(1)}, Fraction(0), 0
        while over < share:
            turn += 1
            after = {}
            for position, chance in now.items():
                for to, part in self.turns[position].items():
                    after[to] = after.get(to, 0) + chance * part
            over += after.pop(None, 0)
            now = after
        return turn


def any_board(dice, cells):
    board = {"cells": cells, "snakes": [], "ladders": [], "powers": []}
    for cell in range(2, cells):
        to = dice.randint(1, cells)
        if dice.randint(1, 4) == 1 and to != cell:
            board["snakes" if to < cell else "ladders"].append([cell, to])
        elif dice.randint(1, 3) == 1:
            kind = dice.choice(["again", "skip", "restart", "shield", "swap", "swap"])
            board["powers"].append({"cell": cell, "power": kind}
                                   | ({"n": dice.randint(1, 2)} if kind in ("skip", "shield") else {}))
    return board


def any_rules(dice, cells):
    rules = {"start": dice.randint(0, 1), "finish": dice.choice(["exact", "overshoot", "bounce"]), "dice": 1,
             "faces": dice.randint(2, 4), "sixes": "plain", "meet": dice.choice(["capture", "capture", "share"])}
    if dice.randint(1, 5) == 1:
        rules |= {"faces": 6, "sixes": dice.choice(["again", "each"])}
    elif dice.randint(1, 5) == 1:
        rules |= {"faces": 2, "dice": 2}
    if rules["start"] == 0 and dice.randint(1, 2) == 1:
        rules["enter"] = [rules["faces"]]
    if rules["meet"] == "capture" and cells > 3 and dice.randint(1, 3) == 1:
        rules["safe"] = [dice.randint(2, cells - 1)]
    return rules


def options(rules):
    words = lambda value: ",".join(map(str, value)) if isinstance(value, list) else value
    return [f"--{name}={words(value)}" for name, value in rules.items()]


class RacesInWhichPiecesMeet(snl.CommandLineTest):
    def analyze(self, board, rules, *race):
        return self.json("board", "analyze", "-", *options(rules), *race, input=json.dumps(board))

    def assert_is(self, value, fraction):
        self.assertAlmostEqual(value, float(fraction), delta=1e-9 * max(1, float(fraction)))

    def test_have_the_odds_that_fractions_have(self):
        dice = random.Random(33)
        told = 0
        while told < 60:
            players = 3 if dice.randint(1, 6) == 1 else 2
            cells = dice.randint(3, 5 if players == 3 else 7)
            board, rules = any_board(dice, cells), any_rules(dice, cells)
            positions = [dice.randint(rules["start"], cells - 1) for _ in range(players)]
            mover = dice.randint(1, players)
            begin = mover - 1, tuple(positions), (0,) * players, (0,) * players
            try:
                odds = Odds(Game(board, rules, players), begin, 250)
            except OverflowError:
                continue
            told += 1
            with self.subTest(board=board, rules=rules, positions=positions, mover=mover):
                answer = self.analyze(board, rules, "--positions", ",".join(map(str, positions)), "--to-move", mover,
                                      "--quantiles", "0.1,0.9")
                win, never, turns, squares = odds.answers()
                for value, fraction in zip(answer["win_probability"], win, strict=True):
                    self.assert_is(value, fraction)
                self.assert_is(answer["never"], never)
                self.assertEqual(answer["never"] == 0, never == 0)
                self.assertEqual(answer["expected_game_turns"] is None, turns is None)
                if turns is not None:
                    self.assert_is(answer["expected_game_turns"], turns)
                    if answer["stddev_game_turns"] is None:  # three pieces that don't meet, in rounds of several turns
                        self.assertEqual(players, 3)
                    else:
                        self.assertAlmostEqual(answer["stddev_game_turns"], float(squares - turns ** 2) ** 0.5,
                                               delta=1e-6 * float(turns))
                    if turns < 50 and players == 2:
                        self.assertEqual(answer["game_quantiles"], {"0.1": odds.quantile(Fraction(1, 10)),
                                                                    "0.9": odds.quantile(Fraction(9, 10))})


if __name__ == "__main__":
    snl.main()
