"""`board analyze --exact`: fractions, next to a published one and to a solver of the test's own."""

import json
import random
from fractions import Fraction

import snl

# Althoen, King and Schilling, "How long is a game of Snakes and Ladders?", The Mathematical Gazette 77, 1993.
PUBLISHED = ("225837582538403273407117496273279920181931269186581786048583/"
             "5757472998140039232950575874628786131130999406013041613400")


def throws(faces, dice, again):
    """Each distance of a turn, with its probability; 0 is a forfeit."""
    chances = {0: Fraction(1)}
    for _ in range(dice):
        chances = {d: sum((chances.get(d - face, Fraction(0)) for face in range(1, faces + 1)), Fraction(0)) / faces
                   for d in range(1, faces * dice + 1)}
    if not again:
        return chances
    die = Fraction(1, 6)
    return {**{d: die for d in range(1, 6)}, **{6 + d: die**2 for d in range(1, 6)}, **{12 + d: die**3 for d in range(1, 6)},
            0: die**3}


def solved(board, start, faces, dice, again, finish):
    """The expected turns (none where a piece may strand) and the chance to finish of a piece, by Gauss with fractions."""
    cells = board["cells"]
    jumps = dict(map(tuple, board["snakes"] + board["ladders"]))

    def to(cell, distance):
        target = cell + distance
        if target > cells:
            target = {"exact": cell, "overshoot": cells, "bounce": 2 * cells - target}[finish]
        return target if distance == 0 or target == cell else jumps.get(target, target)

    moves = {c: [(to(c, d), chance) for d, chance in throws(faces, dice, again).items() if chance] for c in range(cells)}
    reached, open_cells = {start}, [start]
    while open_cells:
        for target, _ in moves.get(open_cells.pop(), []):
            if target not in reached:
                reached.add(target)
                open_cells.append(target)
    finishing = {cells}
    while more := {c for c in moves if c not in finishing and any(target in finishing for target, _ in moves[c])}:
        finishing |= more
    live = sorted(c for c in reached if c in finishing and c != cells)
    may_strand = any(c not in finishing for c in reached)
    if start not in live:
        return None, Fraction(0)
    place = {c: i for i, c in enumerate(live)}
    rows = []
    for c in live:
        row = [Fraction(0)] * (len(live) + 1)
        row[place[c]] += 1
        for target, chance in moves[c]:
            if target in place:
                row[place[target]] -= chance
            elif target == cells and may_strand:
                row[-1] += chance
        if not may_strand:
            row[-1] = Fraction(1)
        rows.append(row)
    answer = by_gauss(rows)[place[start]]
    return (None, answer) if may_strand else (answer, Fraction(1))


def by_gauss(rows):
    """The solution of linear equations, whose rows end with the right-hand side."""
    for i in range(len(rows)):
        pivot = next(k for k in range(i, len(rows)) if rows[k][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for k, other in enumerate(rows):
            if k != i and other[i]:
                rows[k] = [a - other[i] * b for a, b in zip(other, rows[i])]
    return [row[-1] for row in rows]


def solved_race(board, players, faces, sixes, captures):
    """Each player's chance, and the expected turns, of a race from cell 1 that surely ends: by Gauss with fractions
    over all cells of all players, the one to move first."""
    cells = board["cells"]
    jumps = dict(map(tuple, board["snakes"] + board["ladders"]))

    def turns_from(at):
        for face in range(1, faces + 1):
            cell = at[0] + face
            to = at[0] if cell > cells else jumps.get(cell, cell)
            others = tuple(1 if captures and other == to and to != at[0] else other for other in at[1:])
            again = sixes == "each" and face == 6
            yield (to, *others) if again or to == cells else (*others, to), again, to == cells

    begin = (1,) * players
    places, waiting = {begin: 0}, [begin]
    while waiting:
        for after, _, won in turns_from(waiting.pop()):
            if not won and after not in places:
                places[after] = len(places)
                waiting.append(after)
    chances, turns = [], []
    for at, place in places.items():
        rows = [[Fraction(0)] * (len(places) * players + 1) for _ in range(players)]
        turn = [Fraction(0)] * (len(places) + 1)
        turn[place] += 1
        turn[-1] = Fraction(1)
        for player, row in enumerate(rows):
            row[place * players + player] += 1
        for after, again, won in turns_from(at):
            if won:
                rows[0][-1] += Fraction(1, faces)
                continue
            turn[places[after]] -= Fraction(1, faces)
            for player, row in enumerate(rows):
                row[places[after] * players + (player if again else (player - 1) % players)] -= Fraction(1, faces)
        chances += rows
        turns.append(turn)
    return by_gauss(chances)[:players], by_gauss(turns)[0]


class TheFractionsOfABoard(snl.CommandLineTest):
    def exact(self, *args, **options):
        return self.json("board", "analyze", *args, "--exact", **options)["exact"]

    def test_are_the_published_one_for_milton_bradleys(self):
        self.assertEqual(self.exact("milton-bradley"), {"expected_turns": PUBLISHED, "finish_probability": "1",
                                                        "win_probability": None, "expected_game_turns": None})
        self.assertIn(f"expected turns, exactly {PUBLISHED}\n", self.snl("board", "analyze", "milton-bradley", "--exact"))
        self.assertIn(f",{PUBLISHED},1,,,\r\n", self.snl("board", "analyze", "milton-bradley", "--exact", "--csv"))

    def test_are_those_of_a_solver_with_fractions(self):
        choice = random.Random(1)
        for seed in range(12):
            board = self.snl("board", "random", "--size", choice.choice((3, 4)), "--snakes", 2, "--ladders", 2, "--seed", seed)
            for faces, dice, again, finish in ((6, 1, True, "exact"), (4, 1, False, "bounce"), (6, 2, False, "exact"),
                                               (2, 2, False, "overshoot"), (3, 1, False, "exact")):
                for start in (0, 1):
                    rules = ("--start", start, "--faces", faces, "--dice", dice, "--sixes", "again" if again else "plain",
                             "--finish", finish)
                    with self.subTest(board=board, rules=rules):
                        turns, finishes = solved(json.loads(board), start, faces, dice, again, finish)
                        told = self.exact("-", *rules, input=board)
                        self.assertEqual(told["expected_turns"], None if turns is None else str(turns))
                        self.assertEqual(told["finish_probability"], str(finishes))

    def test_are_those_of_the_cell_that_is_asked_for(self):
        board = {"cells": 5, "snakes": [[4, 1]], "ladders": []}
        for cell in range(4):
            told = self.exact("-", "--rules", "lld", "--faces", 2, "--positions", cell, input=json.dumps(board))
            self.assertEqual(told["expected_turns"], str(solved(board, cell, 2, 1, False, "exact")[0]))

    def test_of_a_race_are_those_of_a_solver_with_fractions(self):
        of_two = {"cells": 7, "snakes": [[6, 2]], "ladders": [[3, 5]]}
        of_three = {"cells": 5, "snakes": [[4, 2]], "ladders": []}
        for board, players, faces, sixes, captures in (
                (of_two, 2, 6, "plain", False), (of_two, 2, 3, "plain", True), (of_two, 2, 6, "each", True),
                (of_three, 3, 2, "plain", False), (of_three, 3, 2, "plain", True)):
            rules = ("--players", players, "--faces", faces, "--sixes", sixes, "--meet", "capture" if captures else "share")
            with self.subTest(rules=rules):
                chances, turns = solved_race(board, players, faces, sixes, captures)
                told = self.exact("-", *rules, input=json.dumps(board))
                self.assertEqual(told["win_probability"], [str(chance) for chance in chances])
                self.assertEqual(told["expected_game_turns"], str(turns))
        printed = self.snl("board", "analyze", "-", "--exact", "--sixes", "plain", input=json.dumps(of_two))
        chances, turns = solved_race(of_two, 2, 6, "plain", False)
        self.assertIn(f"player 2 wins, exactly  {chances[1]}\n", printed)
        self.assertIn(f"in all, exactly         {turns}\n", printed)

    def test_of_a_race_begin_where_it_stands(self):
        board = json.dumps({"cells": 3})
        told = self.exact("-", "--faces", 2, "--sixes", "plain", "--positions", "2,1", "--to-move", 2, input=board)
        # A 2 wins at once, a 1 leads beside the other; the first to throw a 1 wins from there.
        self.assertEqual(told["win_probability"], ["1/3", "2/3"])
        self.assertEqual(told["expected_game_turns"], "2")

    def test_agree_with_the_odds_of_a_board_with_powers(self):
        for rules in ((), ("--start", 0, "--enter", "1,6"), ("--sixes", "plain")):
            told = self.json("board", "analyze", "party", *rules, "--exact")
            self.assertAlmostEqual(float(Fraction(told["exact"]["expected_turns"])), told["expected_turns"], delta=1e-9)

    def test_are_none_where_the_end_is_not_reached(self):
        board = json.dumps({"cells": 9, "snakes": [[3, 1], [4, 1], [5, 1], [6, 1], [7, 1], [8, 1]]})
        self.assertEqual(self.exact("-", "--sixes", "plain", input=board),
                         {"expected_turns": None, "finish_probability": "0",
                          "win_probability": ["0", "0"], "expected_game_turns": None})

    def test_are_refused_where_a_board_is_too_large(self):
        large = self.snl("board", "random", "--size", 25, "--seed", 1)
        self.refused(2, r"--exact: board stdin: a piece may stand in 5\d\d ways: fractions are worked out up to 500; leave out --exact",
                     "board", "analyze", "-", "--exact", input=large)
        just = json.dumps({"cells": 499})
        told = self.json("board", "analyze", "-", "--exact", input=just)
        self.assertAlmostEqual(float(Fraction(told["exact"]["expected_turns"])), told["expected_turns"], delta=1e-9)


class BoardsSideBySide(snl.CommandLineTest):
    BOARDS = ("class", "milton-bradley", "geeks30")

    def test_are_a_row_each(self):
        lines = self.snl("board", "analyze", *self.BOARDS, "--quantiles", "0.9").splitlines()
        self.assertEqual(len(lines), 4)
        self.assertEqual([line.split()[0] for line in lines], ["board", *self.BOARDS])
        self.assertEqual(len({len(line) for line in lines}), 1)
        told = self.json_lines("board", "analyze", *self.BOARDS, "--quantiles", "0.9")
        for line, board in zip(lines[1:], told, strict=True):
            self.assertIn(f"{board['expected_turns']:.6g}", line)
            self.assertIn(f"{100 * board['win_probability'][0]:.2f} %", line)
            self.assertIn(f" {board['quantiles']['0.9']} ", line)

    def test_are_a_line_of_json_each_as_alone(self):
        told = self.json_lines("board", "analyze", *self.BOARDS)
        self.assertEqual([board["board"] for board in told], list(self.BOARDS))
        self.assertEqual(told, [self.json("board", "analyze", board) for board in self.BOARDS])

    def test_have_each_their_own_rules(self):
        told = self.json_lines("board", "analyze", *self.BOARDS)
        self.assertEqual([board["positions"] for board in told], [[1, 1], [0, 0], [1, 1]])

    def test_print_nothing_where_one_of_them_is_none(self):
        self.refused(2, "no board is named \"nowhere\"", "board", "analyze", "class", "nowhere")
        self.refused(2, "--svg draws one board, not 2", "board", "analyze", "class", "geeks30", "--svg", "a.svg")
        self.assertFalse((self.folder / "a.svg").exists())


if __name__ == "__main__":
    snl.main()
