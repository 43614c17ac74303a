"""Exact odds on the command line: of boards, and of recorded games turn by turn."""

import json
import math
import re

import snl

CASES = json.loads((snl.TESTS / "cases" / "markov.json").read_text(encoding="utf-8"))["cases"]
BOARD_FIELDS = [
    "reachable", "finish_probability", "stranding_cell", "min_turns", "expected_turns", "stddev_turns",
    "median_turns", "distribution", "players", "win_probability", "never", "expected_game_turns",
]


def rounded(text):
    """Ten digits of each number: the last ones are the machine's."""
    return re.sub(r"\d+\.\d+(?:e-?\d+)?", lambda number: f"{float(number[0]):.10g}", text)


class OddsTest(snl.CommandLineTest):
    def assert_near(self, value, expected, message=None):
        if expected is None or value is None:
            self.assertEqual(value, expected, message)
        else:
            self.assertTrue(math.isclose(value, expected, rel_tol=1e-9, abs_tol=1e-15),
                            f"{message}: {value} isn't {expected}")

    def board_file(self, case):
        jumps = [(int(start), end) for start, end in case["jumps"].items()]
        path = self.folder / f"{case['id']}.json"
        path.write_text(json.dumps({
            "cells": case["cells"],
            "snakes": [jump for jump in jumps if jump[1] < jump[0]],
            "ladders": [jump for jump in jumps if jump[1] > jump[0]],
        }))
        return path

    def rules(self, case):
        return [f"--{rule}={case[rule]}" for rule in ("start", "finish", "dice", "faces", "sixes")]


class BoardAnalyze(OddsTest):
    def test_gives_the_exact_answer_of_every_case(self):
        for case in CASES:
            expected = case["expected"]
            board = self.board_file(case)
            with self.subTest(case["id"]):
                for race in expected["races"]:
                    positions = ",".join(map(str, race["positions"]))
                    odds = self.json("board", "analyze", board, *self.rules(case), "--positions", positions,
                                     "--to-move", race["toMove"] + 1)
                    for seat, chance in enumerate(race["win"]):
                        self.assert_near(odds["win_probability"][seat], chance, race["positions"])
                    self.assert_near(odds["never"], race["never"], "never")
                    self.assert_near(odds["expected_game_turns"], race["expected_game_turns"], "game turns")
                odds = self.json("board", "analyze", board, *self.rules(case))
                for ours, theirs in (("finish_probability",) * 2, ("expected_turns",) * 2, ("min_turns",) * 2,
                                     ("median_turns", "median"), ("stddev_turns", "sd_turns")):
                    self.assert_near(odds[ours], expected.get(theirs), ours)
                chances = dict(odds["distribution"])
                for turns, chance in expected["pmf"].items():
                    self.assert_near(chances.get(int(turns), 0), chance, f"turns {turns}")

    def test_has_the_fields_of_the_contract_in_their_order(self):
        odds = self.json("board", "analyze", "milton-bradley")
        self.assertEqual(list(odds)[: len(BOARD_FIELDS)], BOARD_FIELDS)
        self.assertEqual(odds["players"], 2)
        self.assertEqual(len(odds["win_probability"]), 2)
        self.assertAlmostEqual(sum(chance for _, chance in odds["distribution"]), 1, places=12)

    def test_looks_like_the_samples(self):
        story = snl.Transcript(self)
        (self.folder / "b.json").write_text('{"cells":4,"snakes":[[3,1]]}')
        for board in ("milton-bradley", "class"):
            story.run("board", "analyze", board)
        story.run("board", "analyze", "lld", "--start", "0", "--dice", "2", "--players", "3")
        story.run("board", "analyze", "b.json", "--finish", "overshoot", "--faces", "2", "--json")
        story.run("board", "analyze", "b.json", "--dice", "2", "--start", "0", "--json")
        story.run("board", "analyze", "milton-bradley", "--positions", "80,53", "--to-move", "2")
        self.assert_golden("board_analyze.txt", rounded(story.text()))

    def test_says_null_where_a_value_is_infinite(self):
        odds = self.json("board", "analyze", "lld", "--start", "0", "--dice", "2")
        self.assertEqual(odds["stranding_cell"], 99)
        self.assertTrue(odds["reachable"])
        for field in ("expected_turns", "stddev_turns", "median_turns", "expected_game_turns"):
            self.assertIsNone(odds[field], field)
        (self.folder / "wall.json").write_text(
            json.dumps({"cells": 12, "snakes": [[cell, 1] for cell in range(5, 12)]}))
        odds = self.json("board", "analyze", "wall.json", "--sixes", "plain")
        self.assertFalse(odds["reachable"])
        self.assertEqual((odds["finish_probability"], odds["never"], odds["win_probability"]), (0, 1, [0, 0]))
        self.assertIsNone(odds["min_turns"])

    def test_brings_a_named_boards_rules_unless_others_are_given(self):
        brought = self.json("board", "analyze", "milton-bradley")
        self.assertEqual(brought, self.json("board", "analyze", "milton-bradley", "--rules", "milton-bradley"))
        self.assertNotEqual(brought, self.json("board", "analyze", "milton-bradley", "--rules", "standard"))

    def test_reads_a_board_from_stdin(self):
        odds = self.json("board", "analyze", "-", "--sixes", "plain", input='{"cells":2}')
        self.assertAlmostEqual(odds["expected_turns"], 6, places=12)

    def test_looks_at_the_piece_of_the_player_to_move(self):
        second = self.json("board", "analyze", "milton-bradley", "--positions", "0,99", "--to-move", "2")
        self.assertEqual(second["min_turns"], 1)
        self.assertAlmostEqual(second["expected_turns"], 6, places=12)

    def test_takes_one_player_alone(self):
        odds = self.json("board", "analyze", "class", "--players", "1")
        self.assertAlmostEqual(odds["win_probability"][0], 1, places=12)
        self.assertAlmostEqual(odds["expected_game_turns"], odds["expected_turns"], places=9)

    # The ninetieth percentiles are published ones.
    def test_says_by_which_turn_shares_of_all_games_are_over(self):
        for players, ninetieth in ((1, 73), (2, 88), (3, 103), (4, 117)):
            odds = self.json("board", "analyze", "milton-bradley-48", "--players", players, "--quantiles", "0.5,0.9")
            self.assertEqual(odds["quantiles"]["0.5"], odds["median_turns"])
            self.assertEqual(odds["game_quantiles"]["0.9"], ninetieth)
            self.assertGreater(odds["stddev_game_turns"], 20)
        told = self.snl("board", "analyze", "milton-bradley-48", "--quantiles", "0.9")
        self.assertEqual(re.findall(r"90 % are over by turn +(\d+)", told), ["73", "88"])
        told = self.snl("board", "analyze", "class", "--quantiles", "0.9999")
        self.assertEqual(re.findall(r"99.99 % are over by turn +(\d+)", told), ["122", "154"])
        self.assertNotIn("game_quantiles", self.json("board", "analyze", "class"))

    def test_refuses_quantiles_that_are_none(self):
        for quantiles in ("0", "1", "x", "0.5,", "0.5,,0.6", "-0.1", "nan", "0.5x", "50%"):
            for command in (("board", "analyze", "class"), ("simulate", "--games", 2)):
                result = self.run_snl(*command, f"--quantiles={quantiles}")
                self.assertEqual(result.code, 2)
                self.assertIn("isn't a number between 0 and 1", result.err)

    def test_refuses_a_quantile_that_is_named_twice(self):
        for command in (("board", "analyze", "class"), ("simulate", "--games", 2)):
            self.refused(2, "--quantiles 0.5,0.9,0.50: 0.5 is named twice; see", *command, "--quantiles", "0.5,0.9,0.50")

    def test_refuses_what_is_no_race(self):
        for pattern, *args in (
            ("--to-move 3: it must be from 1 to 2", "--to-move", "3"),
            ("--to-move: 0 isn't", "--to-move", "0"),
            ("--players: 11 isn't a whole number from 1 to 10", "--players", "11"),
            ("--players: 0 isn't", "--players", "0"),
            ("--players: x isn't a whole number from 1 to 10", "--players", "x"),
            ("--positions has 2 cells for --players 3", "--positions", "1,2", "--players", "3"),
            ("--positions 1,100: 100 isn't a whole number from 0 to 99", "--positions", "1,100"),
            ("--positions 1,x: x isn't a whole number", "--positions", "1,x"),
            ('--positions 1,,2: "" isn', "--positions", "1,,2"),
            ('--positions 1,: "" isn', "--positions", "1,"),
            ("--positions -1,4: -1 isn't", "--positions=-1,4"),
            ("--positions has 11 cells", "--positions", "1,1,1,1,1,1,1,1,1,1,1"),
            ("sixes again", "--dice", "2", "--sixes", "again"),
        ):
            with self.subTest(args):
                self.refused(2, pattern, "board", "analyze", "milton-bradley", *args)
        self.refused(2, "from 1 to 99", "board", "analyze", "class", "--positions", "0,1")
        self.refused(2, "no board is named", "board", "analyze", "nowhere")

    def test_refuses_a_board_with_too_many_snakes_before_it_begins(self):
        board = {"cells": 60_000, "snakes": [[cell, cell - 2] for cell in range(3, 60_000, 3)]}
        (self.folder / "many.json").write_text(json.dumps(board))
        self.refused(2, "19999 different cells.* up to 12000; snl simulate", "board", "analyze", "many.json")


class AnalyzeGame(OddsTest):
    def test_gives_the_chances_before_and_after_each_turn_and_its_luck(self):
        self.snl("new", "Ann", "Bob", "Cid", "--board", "milton-bradley", "--seed", "3", "--id", "g")
        self.snl("roll", "g", "--all")
        turns = self.json_lines("analyze", "g")
        replay = self.json_lines("replay", "g")
        self.assertEqual([turn["turn"] for turn in turns], [turn["turn"] for turn in replay])
        for turn, told in zip(turns, replay):
            self.assertEqual(list(turn), ["turn", "player", "chances_before", "chances_after", "luck",
                                          "never_before", "never_after"])
            self.assertEqual(turn["player"], told["player"])
            seat = ["Ann", "Bob", "Cid"].index(turn["player"])
            change = [after - before for before, after in zip(turn["chances_before"], turn["chances_after"])]
            self.assertAlmostEqual(turn["luck"], change[seat], places=14)
            self.assertAlmostEqual(sum(change), 0, places=12)
        for turn, following in zip(turns, turns[1:]):
            self.assertEqual(turn["chances_after"], following["chances_before"])
        winner = ["Ann", "Bob", "Cid"].index(self.show("g")["winner"])
        self.assertEqual(turns[-1]["chances_after"], [1 if seat == winner else 0 for seat in range(3)])

    def test_agrees_with_board_analyze_after_every_turn(self):
        self.snl("new", "Ann", "Bob", "--board", "class", "--seed", "8", "--id", "g")
        self.snl("roll", "g", "-n", "9")
        for turn in self.json_lines("analyze", "g"):
            shown = self.show("g", "--at", turn["turn"])
            cells = [player["cell"] for player in shown["players"]]
            mover = ["Ann", "Bob"].index(shown["next"]) + 1
            odds = self.json("board", "analyze", "class", "--positions", ",".join(map(str, cells)), "--to-move", mover)
            for chance, expected in zip(turn["chances_after"], odds["win_probability"]):
                self.assert_near(chance, expected)

    def test_counts_the_chance_that_nobody_ever_wins(self):
        self.run_snl("new", "A", "B", "--board", "lld", "--start", "0", "--dice", "2", "--seed", "5", "--id", "g")
        self.snl("roll", "g", "-n", "60")
        turns = self.json_lines("analyze", "g")
        self.assertTrue(any(turn["never_before"] != turn["never_after"] for turn in turns))
        for turn in turns:
            for when in ("before", "after"):
                self.assertAlmostEqual(sum(turn[f"chances_{when}"]) + turn[f"never_{when}"], 1, places=12)

    def test_begins_where_a_branch_does_and_passes_over_turns_that_were_undone(self):
        self.snl("new", "Ann", "Bob", "--board", "class", "--seed", "8", "--id", "g")
        self.snl("roll", "g", "-n", "6")
        self.snl("branch", "g", "--at", "4", "--id", "b")
        self.snl("roll", "b", "-n", "3")
        self.snl("undo", "b")
        self.assertEqual([turn["turn"] for turn in self.json_lines("analyze", "b")], [5, 6])
        self.assertEqual(self.json_lines("analyze", "b"), self.json_lines("analyze", "g")[4:])

    def test_of_a_game_without_turns_is_empty(self):
        self.snl("new", "--board", "empty", "Ann", "Bob", "--id", "g")
        self.assertEqual(self.json_lines("analyze", "g"), [])
        self.assertEqual(len(self.snl("analyze", "g").splitlines()), 3)

    def test_is_a_table_of_aligned_columns(self):
        story = snl.Transcript(self)
        story.run("new", "Ann", "Bob the 漢字", "\x7e<b>", "--board", "milton-bradley", "--seed", "7", "--id", "g")
        story.run("roll", "g", "-n", "12")
        story.run("analyze", "g")
        self.snl("roll", "g", "--all")
        story.run("analyze", "g")
        self.assert_golden("analyze.txt", story.text())

    def test_refuses_a_game_that_isnt_there(self):
        self.refused(3, "nosuch", "analyze", "nosuch")


class LargeBoards(OddsTest):
    def test_of_a_million_cells_are_answered_with_a_residual(self):
        (self.folder / "b.json").write_text('{"cells":1000000,"snakes":[[999,3],[500000,2]],"ladders":[[7,700000]]}')
        result = self.run_snl("board", "analyze", "b.json", "--rules", "lld", "--json")
        self.assertEqual(result.code, 0)
        self.assertRegex(result.err, r"\Asnl: the race is left out[^\n]+\n\Z")
        odds = json.loads(result.out)
        self.assertLess(odds["residual"], 1e-11)
        self.assertGreater(odds["expected_turns"], 1e5)
        self.assertGreater(odds["stddev_turns"], 0)
        for field in ("median_turns", "distribution", "win_probability", "never", "expected_game_turns"):
            self.assertIsNone(odds[field], field)

    def test_are_refused_before_a_recorded_game_is_analyzed(self):
        self.snl("new", "A", "B", "--size", "1000", "--id", "g")
        self.snl("roll", "g")
        self.refused(2, "too long.*snl simulate", "analyze", "g")


class Warnings(OddsTest):
    def test_of_new_name_the_cell_that_strands(self):
        result = self.run_snl("new", "Ann", "Bob", "--board", "lld", "--start", "0", "--dice", "2")
        self.assertEqual(result.code, 0)
        self.assertRegex(result.err, r"\Asnl: warning: cell 100 can't be reached from cell 99: [^\n]+\n\Z")

    def test_of_board_check_name_one_such_cell(self):
        trap = {"cells": 30, "ladders": [[3, 20]], "snakes": [[cell, 8] for cell in range(13, 19)]}
        (self.folder / "trap.json").write_text(json.dumps(trap))
        checked = self.json("board", "check", "trap.json", "--sixes", "plain")
        self.assertTrue(checked["ok"])
        self.assertTrue(any("can't be reached from cell 4:" in warning for warning in checked["warnings"]), checked)
        (warning,) = self.json("board", "check", "trap.json")["warnings"]
        self.assertIn("from cell 4 the end can be reached only because a 6 rolls again", warning)

    def test_of_board_check_are_by_the_rules_that_a_named_board_brings(self):
        self.assertEqual(self.json("board", "check", "milton-bradley")["warnings"], [])
        self.assertEqual(len(self.json("board", "check", "milton-bradley", "--rules", "standard")["warnings"]), 1)


if __name__ == "__main__":
    snl.main()
