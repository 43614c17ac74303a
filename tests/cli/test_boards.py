"""Boards in their four forms, random boards and the fewest throws, through the program."""

import json
import os
import random
import subprocess

import snl
from terminal import Terminal

FORMS = ("snl", "matrix", "moves", "entries")
CASES = json.loads((snl.TESTS / "cases" / "minthrows.json").read_text(encoding="utf-8"))["cases"]


def board_text(case):
    """A case of minthrows.json as a board file."""
    if case["form"] == "matrix":
        return json.dumps(case["board"])
    if case["form"] == "move":
        return json.dumps(case["move"])
    if case["form"] == "struct":
        return json.dumps({"size": case["n"], "entries": case["entries"]})
    jumps = [(int(start), end) for start, end in case["jumps"].items()]
    return json.dumps({
        "cells": case["cells"],
        "snakes": [jump for jump in jumps if jump[1] < jump[0]],
        "ladders": [jump for jump in jumps if jump[1] > jump[0]],
    })


PARTS = ("start", "finish", "dice", "faces", "sixes", "enter", "meet", "safe")
PRESETS = {"standard": [1, "exact", 1, 6, "again"], "lld": [0, "exact", 1, 6, "plain"], "milton-bradley": [0, "exact", 1, 6, "plain"]}
OTHERS = {"start": ("0", "1"), "finish": ("exact", "overshoot", "bounce"), "dice": ("1", "2"), "faces": ("6", "8"),
          "sixes": ("again", "plain", "each"), "enter": ("any", "6"), "meet": ("share", "capture"), "safe": ("none", "20")}


class TheRulesInForce(snl.CommandLineTest):
    """A board brings its rules; --rules replaces them all, any other option its part alone."""

    def setUp(self):
        super().setUp()
        (self.folder / "b.json").write_text('{"cells":40,"snakes":[[30,7]],"ladders":[[3,22]]}')
        self.boards = {board["name"]: board["rules"] for board in self.json_lines("board", "list")} | {"b.json": "standard"}

    def rules(self, *args):
        """By name, as a new game records them."""
        made = self.run_snl("new", "A", "B", *args)  # which may warn of what surprises
        self.assertEqual(made.code, 0, made)
        rules = self.json_lines("log", "@")[0]["command"]["start"][3]
        return dict(zip(PARTS, map(str, rules[:5]))) | {
            "enter": ",".join(map(str, rules[5])) if len(rules) > 5 and rules[5] else "any",
            "meet": rules[6] if len(rules) > 5 else "share",
            "safe": ",".join(map(str, rules[7])) if len(rules) > 5 and rules[7] else "none"}

    def settings(self):
        for board in self.boards:
            yield ("--board", board)
        yield ()
        yield ("--cells", "40")
        yield ("--snake", "30,2")
        yield ("--board", "class", "--rules", "lld")
        yield ("--board", "milton-bradley", "--rules", "standard")
        yield ("--board", "lld", "--enter", "6", "--meet", "capture", "--safe", "20,30")

    def test_are_the_board_s_own(self):
        for board, preset in self.boards.items():
            self.assertEqual(list(self.rules("--board", board).values())[:5], list(map(str, PRESETS[preset])))
        self.assertEqual(list(self.rules("--cells", "40").values())[:5], list(map(str, PRESETS["standard"])))

    def test_stay_as_they_are_where_they_are_named(self):
        for setting in self.settings():
            rules = self.rules(*setting)
            for part, value in rules.items():
                if f"--{part}" not in setting:
                    with self.subTest(setting, part=part):
                        self.assertEqual(self.rules(*setting, f"--{part}", value), rules)

    def test_change_in_the_part_that_is_named_alone(self):
        for setting in self.settings():
            rules = self.rules(*setting)
            for part, others in OTHERS.items():
                for value in others:
                    if f"--{part}" in setting or value == rules[part]:
                        continue
                    wanted = rules | {part: value}
                    if (part, value) in (("dice", "2"), ("faces", "8")):
                        wanted["sixes"] = "plain"  # a preset's `again` gives way
                    impossible = (part == "enter" and rules["start"] == "1") or (part == "safe" and rules["meet"] != "capture") or (
                        part == "start" and value == "1" and rules["enter"] != "any") or (
                        part == "meet" and value == "share" and rules["safe"] != "none")
                    with self.subTest(setting, part=part, value=value):
                        if impossible:
                            self.refused(2, f"{part}|enter|safe", "new", "A", "B", *setting, f"--{part}", value)
                        else:
                            self.assertEqual(self.rules(*setting, f"--{part}", value), wanted)

    def test_change_no_answer_where_they_are_named(self):
        commands = {"board analyze": lambda board: ("board", "analyze", board, "--players", "1"),
                    "board solve": lambda board: ("board", "solve", board),
                    "simulate": lambda board: ("simulate", "--board", board, "--games", "20", "--seed", "3", "--max-turns", "300"),
                    "tournament": lambda board: ("tournament", "A", "B", "C", "--board", board, "--rounds", "1", "--seed", "3",
                                                 "--max-turns", "300")}
        for board in self.boards:
            rules = self.rules("--board", board)
            for name, command in commands.items():
                answer = self.run_snl(*command(board), "--json")
                self.assertEqual(answer.code, 2 if (board, name) == ("party", "board solve") else 0, answer)
                for part in ("start", "faces") if name == "board solve" else PARTS:
                    with self.subTest(name, board=board, part=part):
                        named = self.run_snl(*command(board), f"--{part}", rules[part], "--json")
                        self.assertEqual(self.without_ids(named), self.without_ids(answer))

    @staticmethod
    def without_ids(result):
        """The IDs of a tournament's games are made up."""
        if not result.out.startswith("{") or "matches" not in json.loads(result.out):
            return result
        answer = json.loads(result.out)
        for match in answer["matches"]:
            del match["game"]
        return answer

    def test_and_the_board_are_milton_bradley_where_none_is_named(self):
        def board(*args):
            self.snl("new", "A", "B", *args)
            return self.json_lines("log", "@")[0]["command"]["start"][2:4]
        self.assertEqual(board(), board("--board", "milton-bradley"))
        self.assertNotEqual(board(), board("--board", "empty"))
        self.assertEqual(board("--snake", "30,2"), [[100, 10, [[30, 2]], []], PRESETS["standard"]])
        games = ("--games", "50", "--seed", "1")
        self.assertEqual(self.json("simulate", *games), self.json("simulate", *games, "--board", "milton-bradley"))
        self.snl("tournament", "A", "B", "C", "--rounds", "1")
        self.assertEqual(self.json_lines("log", "@")[0]["command"]["start"][2:4], board())
        for command in ("new", "simulate", "tournament"):
            self.assertRegex(self.snl("help", command), r"(?s)--board NAME.*?default:\s+milton-bradley")

    def test_are_told_by_their_board_on_a_terminal(self):
        for args in (("new", "A", "B"), ("simulate", "--games", "5"), ("tournament", "A", "B", "C", "--rounds", "1")):
            self.assertIn("milton-bradley, 100 cells, 10 snakes, 9 ladders", Terminal(self, *args, columns=200).until("ladders"))
            self.assertEqual(self.run_snl(*args).err, "")
        self.assertIn("the board: 100 cells, 1 snake, 0 ladders", Terminal(self, "new", "A", "B", "--snake", "9,2").until("ladders"))


class Solving(snl.CommandLineTest):
    def test_known_boards_of_every_form(self):
        by_form = {}
        for case in CASES:
            by_form.setdefault(case["form"], []).append(case)
        self.assertEqual(set(by_form), {"matrix", "move", "jumps", "struct"})
        for cases in by_form.values():
            for case in cases[:12]:
                with self.subTest(case["id"]):
                    args = []
                    if case["form"] == "jumps":
                        args = ["--start", case["start"], "--faces", case["faces"]]
                    printed = self.snl("board", "solve", "-", *args, input=board_text(case))
                    self.assertEqual(printed, f"{case['expected']}\n")

    def test_named_boards_start_where_their_rules_do(self):
        self.assertEqual(self.snl("board", "solve", "milton-bradley"), "7\n")
        self.assertEqual(self.snl("board", "solve", "lld"), "7\n")
        self.assertEqual(self.snl("board", "solve", "class"), "14\n")
        self.assertEqual(self.snl("board", "solve", "geeks30"), "3\n")
        self.assertEqual(self.snl("board", "solve", "empty", "--faces", "1"), "99\n")
        self.assertEqual(self.snl("board", "solve", "empty", "--faces", "1", "--start", "0"), "100\n")

    def test_files_start_on_1_and_entries_on_0(self):
        ladder = {"size": 2, "entries": [[0, 0, "LL", 1, 0], [1, 0, "LU", 0, 0]]}
        self.assertEqual(self.snl("board", "solve", "-", "--faces", "1", input=json.dumps(ladder)), "1\n")
        self.assertEqual(
            self.snl("board", "solve", "-", "--faces", "1", "--start", "1", input=json.dumps(ladder)), "3\n")
        for form in ("snl", "matrix", "moves"):
            text = self.snl("board", "convert", "-", "--to", form, input=json.dumps(ladder))
            self.assertEqual(self.snl("board", "solve", "-", "--faces", "1", input=text), "3\n", form)
            self.assertEqual(self.snl("board", "solve", "-", "--faces", "1", "--start", "0", input=text), "1\n", form)

    def test_one_cell_takes_no_throw_and_is_no_board_to_play_on(self):
        for text in ("[[-1]]", "[[1]]", "[-1]", "[0]", '{"cells":1}', '{"size":1,"entries":[]}'):
            with self.subTest(text):
                (self.folder / "one.json").write_text(text)
                self.assertEqual(self.snl("board", "solve", "one.json"), "0\n")
                self.assertEqual(self.snl("board", "solve", "one.json", "--start", "0"), "0\n")
                self.assertEqual(
                    self.json("board", "solve", "one.json"),
                    {"min_throws": 0, "reachable": True, "throws": [], "cells": []})
                for command in (("show", "one.json"), ("check", "one.json"), ("convert", "one.json", "--to", "snl")):
                    self.refused(2, r"one\.json", "board", *command)
                self.refused(2, r"one\.json", "new", "A", "B", "--board", "one.json")
        for text in ("[[2]]", "[1]", '{"cells":1,"snakes":[[1,1]]}'):
            self.refused(2, "board -: ", "board", "solve", "-", input=text)

    def test_json_has_one_best_way(self):
        answer = self.json("board", "solve", "class")
        self.assertEqual(list(answer), ["min_throws", "reachable", "throws", "cells"])
        self.assertEqual((answer["min_throws"], answer["reachable"]), (14, True))
        board = self.json("board", "show", "class")
        jumps = dict(board["snakes"] + board["ladders"])
        cell, cells = 1, []
        for thrown in answer["throws"]:
            self.assertIn(thrown, range(1, 7))
            cell = jumps.get(cell + thrown, cell + thrown)
            cells.append(cell)
        self.assertEqual(cells, answer["cells"])
        self.assertEqual(cells[-1], 100)
        self.assertEqual(len(cells), 14)

    def test_an_end_that_cannot_be_reached_is_an_answer(self):
        wall = '{"cells":9,"snakes":[[8,1]]}'
        self.assertEqual(self.snl("board", "solve", "-", "--faces", "1", input=wall), "-1\n")
        self.assertEqual(
            self.snl("board", "solve", "-", "--faces", "1", "--json", input=wall),
            '{"min_throws":-1,"reachable":false,"throws":[],"cells":[]}\n')

    def test_any_number_of_faces_is_possible(self):
        self.assertEqual(
            self.json("board", "solve", "empty", "--faces", "2147483647"),
            {"min_throws": 1, "reachable": True, "throws": [99], "cells": [100]})

    def test_needs_no_store(self):
        self.snl("board", "solve", "class", env={"HOME": None})
        self.assertEqual(self.files(), [])


class Converting(snl.CommandLineTest):
    def test_keeps_the_board_in_every_form_that_holds_it(self):
        for name in ("milton-bradley", "milton-bradley-48", "lld", "class", "empty"):
            original = self.snl("board", "show", name, "--json")
            text = self.snl("board", "convert", name, "--to", "snl")
            self.assertEqual(text, original)
            for form in FORMS + FORMS[::-1]:
                (self.folder / "board.json").write_text(text)
                text = self.snl("board", "convert", "board.json", "--to", form)
                self.assertEqual(text.count("\n"), 1)
                self.assertEqual(self.snl("board", "convert", "-", "--to", "snl", input=text), original)

    def test_of_moves_tells_that_a_width_is_lost(self):
        result = self.run_snl("board", "convert", "geeks30", "--to", "moves")
        self.assertEqual(result.code, 0)
        known = next(case for case in CASES if case.get("name") == "geeks30")
        self.assertEqual(json.loads(result.out), known["move"])
        self.assertRegex(result.err, r"\Asnl: warning: [^\n]*rows of 10[^\n]*rows of 6\n\Z")

    def test_takes_json_as_an_option_too(self):
        self.assertEqual(self.snl("board", "convert", "class", "--to", "matrix", "--json"),
                         self.snl("board", "convert", "class", "--to", "matrix"))


class EveryOutput(snl.CommandLineTest):
    """golden/boards.txt: a sample of each, field names and their order included."""

    def test_keeps_its_form(self):
        story = snl.Transcript(self)
        story.run("board", "solve", "class")
        story.run("board", "solve", "class", "--json")
        story.run("board", "solve", "-", "--faces", "1", "--json", input='{"cells":9,"snakes":[[8,1]]}')
        story.run("board", "solve", "-", "--json", input="[[-1]]")
        story.run("board", "random", "--size", "4", "--seed", "1")
        for form in FORMS:
            story.run("board", "convert", "-", "--to", form, input='{"cells":9,"snakes":[[8,2]],"ladders":[[3,5]]}')
        story.run("board", "convert", "geeks30", "--to", "moves")
        story.run("board", "convert", "geeks30", "--to", "matrix")
        story.run("board", "random", "--size", "3", "--snakes", "3", "--ladders", "2")
        story.run("board", "check", "-", input='[[0,-1,-1],[-1,"x"]]')
        story.run("board", "check", "-", input="[-1,9,0]")
        story.run("board", "check", "-", input='{"size":3,"entries":[[0,0,"LL",1,1],[2,2,"SU",5,5],7]}')
        self.assert_golden("boards.txt", story.text())


class EveryForm(snl.CommandLineTest):
    def test_is_taken_wherever_a_board_is(self):
        shown = self.snl("board", "show", "class")
        rolled = None
        for form in FORMS:
            with self.subTest(form):
                (self.folder / f"{form}.json").write_text(self.snl("board", "convert", "class", "--to", form))
                self.assertEqual(self.snl("board", "show", f"{form}.json"), shown)
                self.assertRegex(self.snl("board", "check", f"{form}.json"), "^ok: 100 cells, 4 snakes, 4 ladders")
                self.snl("new", "A", "B", "--board", f"{form}.json", "--seed", "5", "--id", form)
                rolls = self.snl("roll", form, "--all")
                self.assertEqual(rolls, rolled or rolls)
                rolled = rolls

    def test_has_its_faults_told_with_their_places(self):
        for text, faults in (
            ("[[-1,5],[-1]]", ["row 1: it has 1 column, but the matrix has 2 rows: it must be square"]),
            ("[[-1,5],[-1,-1]]", ["row 0, column 1: 5 is off the board (1 to 4, or -1 for no jump)"]),
            ("[-1,9,0]", ["index 1: 9 is off the board (0 to 2, or -1 for no jump)",
                          "index 2: nothing may start on the last cell"]),
            ('{"size":2,"entries":[[0,0,"LL",1,1]]}', ["entry 0: its other end isn't listed: LU at row 1, column 1"]),
        ):
            with self.subTest(text):
                result = self.run_snl("board", "check", "-", input=text)
                self.assertEqual((result.code, result.out), (2, ""))
                self.assertEqual(result.err, "".join(f"snl: -: {fault}\n" for fault in faults))
                self.assertEqual(self.run_snl("board", "solve", "-", input=text).err,
                                 f"snl: board -: {'; '.join(faults)}; correct it\n")

    def test_with_thousands_of_faults_tells_the_first_in_one_line_and_all_when_checked(self):
        text = json.dumps([[0] * 60] * 60)
        line = self.refused(2, r"; and 3596 more: snl board check names them all$", "board", "solve", "-", input=text)
        self.assertLess(len(line), 600)
        checked = self.run_snl("board", "check", "-", input=text)
        self.assertEqual((checked.code, checked.err.count("\n")), (2, 3601))

    def test_has_every_key_once(self):
        for text in ('{"cells":9,"cells":4}', '{"cells":9,"snakes":[],"snakes":[[8,2]]}', '{"size":2,"entries":[],"size":3}'):
            self.refused(2, "it appears twice", "board", "check", "-", input=text)
        self.assertIn("9 cells", self.snl("board", "check", "-", input='{"cells":9,"snakes":[[8,2]]}'))

    def test_may_begin_with_a_byte_order_mark(self):
        for text in ('{"cells":9,"snakes":[[8,2]]}', "[[-1,-1],[-1,4]]", "[-1,2,-1]"):
            self.assertEqual(self.snl("board", "convert", "-", "--to", "snl", input="\ufeff" + text),
                             self.snl("board", "convert", "-", "--to", "snl", input=text))

    def test_is_counted_in_words_that_fit(self):
        one = '{"cells":9,"snakes":[[8,2]],"ladders":[[3,4]]}'
        self.assertIn("9 cells, 1 snake, 1 ladder\n", self.snl("board", "check", "-", input=one))
        two = '{"cells":9,"snakes":[[8,2],[7,3]]}'
        self.assertIn("9 cells, 2 snakes, 0 ladders\n", self.snl("board", "check", "-", input=two))

    def test_from_a_pipe_may_be_large(self):
        text = "[" + ",".join(["-1"] * 300_000) + "]"
        self.assertEqual(self.snl("board", "solve", "-", input=text), "50000\n")


class RandomBoards(snl.CommandLineTest):
    def test_are_boards_that_can_be_won(self):
        for seed in range(10):
            text = self.snl("board", "random", "--seed", seed)
            board = json.loads(text)
            self.assertEqual((board["cells"], board["width"]), (100, 10))
            self.assertEqual((len(board["snakes"]), len(board["ladders"])), (10, 10))
            result = self.run_snl("board", "check", "-", input=text)
            self.assertEqual((result.code, result.err), (0, ""))
            self.assertGreater(int(self.snl("board", "solve", "-", input=text)), 0)

    def test_are_the_same_for_the_same_seed(self):
        args = ("board", "random", "--size", "7", "--snakes", "4", "--ladders", "3")
        self.assertEqual(self.snl(*args, "--seed", "11"), self.snl(*args, "--seed", "11"))
        self.assertNotEqual(self.snl(*args, "--seed", "11"), self.snl(*args, "--seed", "12"))

    def test_without_a_seed_tell_it_so_that_it_can_be_had_again(self):
        result = self.run_snl("board", "random")
        self.assertEqual(result.code, 0)
        self.assertRegex(result.err, r"\Asnl: seed \d+\n\Z")
        self.assertEqual(self.snl("board", "random", "--seed", result.err.split()[-1]), result.out)
        self.assertNotEqual(self.run_snl("board", "random").out, result.out)

    def test_have_as_many_jumps_as_asked_for_and_never_more_than_fit(self):
        for size in (2, 3, 4, 5, 20):
            for args in ((), ("--snakes", 0), ("--ladders", 0), ("--snakes", 1), ("--ladders", 1)):
                board = json.loads(self.snl("board", "random", "--seed", "1", "--size", size, *args))
                self.assertEqual(board["cells"], size * size)
                if args:
                    self.assertEqual(len(board[args[0][2:]]), args[1])


def write_full_matrix(path, rows):
    """A matrix with a jump in nearly every cell."""
    numbers = random.Random(3)
    cells = [",".join(str(numbers.randrange(1, rows * rows + 1)) for _ in range(rows - 2)) for _ in range(50)]
    # The last cell is at an end of the top row: nothing starts there.
    lines = (f"[-1,{numbers.choice(cells)},-1]" for _ in range(rows))
    path.write_text(f"[{','.join(lines)}]", encoding="ascii")


class LargeBoards(snl.CommandLineTest):
    def test_of_nine_million_jumps_are_solved_in_400_megabytes(self):
        write_full_matrix(self.folder / "large.json", 3000)
        process = self.popen("board", "solve", "large.json", stdout=subprocess.PIPE)
        answer = process.stdout.read()
        process.stdout.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        self.assertRegex(answer, rb"\A-?\d+\n\Z")
        if os.environ.get("SNL_INSTRUMENTED") != "1":  # a sanitizer keeps much memory of its own
            self.assertLess(usage.ru_maxrss, 400 * 1000)  # kilobytes


if __name__ == "__main__":
    snl.main()
