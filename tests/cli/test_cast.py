"""Recordings: what a terminal shows that plays them, and when."""

import json
import re

import snl


class Screen:
    """As much of a terminal as a recording needs: ECMA-48's CUP, ED, SGR, and the cursor's visibility."""

    SEQUENCE = re.compile(r"\x1b\[(\??)([0-9;]*)([A-Za-z])")

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.cells, self.row, self.column = {}, 0, 0

    def show(self, text):
        at = 0
        while at < len(text):
            if text[at] != "\x1b":
                assert text[at] >= " ", repr(text[at])
                assert self.row < self.rows and self.column < self.columns, (self.row, self.column)
                self.cells[self.row, self.column] = text[at]
                self.column += 1
                at += 1
                continue
            sequence = self.SEQUENCE.match(text, at)
            private, parameters, final = sequence.groups()
            if final == "H":
                row, column = map(int, parameters.split(";")) if parameters else (1, 1)
                self.row, self.column = row - 1, column - 1
            elif final == "J":
                self.cells = {}
            else:
                assert final == "m" or (private, parameters, final) in (("?", "25", "l"), ("?", "25", "h")), sequence
            at = sequence.end()

    def lines(self):
        return ["".join(self.cells.get((row, column), " ") for column in range(self.columns)).rstrip()
                for row in range(self.rows)]


class ARecording(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.snl("new", "Ann", "Bob", "--board", "class", "--id", "final")
        self.snl("play", "final", "-", input="Ann 2\nBob 4\nAnn 6-6-6\nBob 1\n")

    def recorded(self, *args, game="final"):
        lines = self.snl("export", game, "-f", "cast", *args).split("\n")
        self.assertEqual(lines.pop(), "")
        return json.loads(lines[0]), [json.loads(line) for line in lines[1:]]

    def played(self, *args, **options):
        """Every screen that is seen, with its time."""
        header, events = self.recorded(*args, **options)
        screen, shown = Screen(header["width"], header["height"]), []
        for time, kind, text in events:
            self.assertIn(kind, "om")
            if kind == "m":
                continue
            screen.show(text)
            shown.append((time, screen.lines()))
        return shown

    def test_has_the_header_of_asciicast_2(self):
        header, events = self.recorded()
        self.assertEqual(header, {"version": 2, "width": 80, "height": 24, "title": "final",
                                  "env": {"TERM": "xterm-256color"}})
        self.assertTrue(events[0][2].startswith("\x1b[?25l\x1b[H\x1b[2J"))
        self.assertEqual(events[-1][2], "\x1b[?25h")

    def test_takes_its_time(self):
        times = [time for time, _ in self.played()]
        self.assertEqual(times[0], 0)
        self.assertEqual(times, sorted(times))
        self.assertTrue(4 < times[-1] < 60, times[-1])
        faster = [time for time, _ in self.played("--speed", "4")]
        self.assertLess(faster[-1] - 3, (times[-1] - 3) / 3.5)  # but for the rest at the end

    def test_is_as_long_as_asked(self):
        self.snl("new", "Ann", "Bob", "--board", "class", "--seed", "5", "--id", "whole")
        self.snl("roll", "whole", "--all")
        for args, length in ((("--length", "60"), 60), (("--length", "5.5"), 5.5), (("--length", "600"), 600)):
            with self.subTest(args):
                times = [time for time, *_ in self.recorded(*args, game="whole")[1]]
                self.assertEqual(times, sorted(times))
                self.assertAlmostEqual(times[-1], length, delta=0.1)
                told = "\n".join(self.played(*args, game="whole")[-1][1])
                self.assertIn("wins", told)
        idle = [time for time, *_ in self.recorded("--length", "60", "--idle", "0.4", game="whole")[1]]
        self.assertAlmostEqual(idle[-1], 60, delta=3)

    def test_is_never_idle_for_longer_than_asked(self):
        usual = [time for time, *_ in self.recorded()[1]]
        for idle in (0.25, 1, 3600):
            times = [time for time, *_ in self.recorded("--idle", idle)[1]]
            self.assertEqual(len(times), len(usual))
            self.assertLessEqual(max(b - a for a, b in zip(times, times[1:])), idle + 0.002)
        self.assertEqual(times, usual)

    def test_marks_the_moments_that_matter(self):
        self.snl("new", "Ann", "Bob", "--board", "class", "--seed", "5", "--id", "whole")
        self.snl("roll", "whole", "--all")
        turns = {turn["turn"]: turn for turn in self.json_lines("replay", "whole")}
        _, events = self.recorded(game="whole")
        marks = [(time, text) for time, kind, text in events if kind == "m"]
        self.assertTrue(0 < len(marks) <= len(turns) / 8, marks)
        told = []
        for time, text in marks:
            number = int(text.partition(".")[0])
            self.assertEqual(text + "\n", self.snl("replay", "whole", "--from", number, "--to", number,
                                                   env={"LC_ALL": "C.UTF-8"}))
            # The turn begins there: its sentence is seen only afterwards.
            seen = [at for at, lines in self.played(game="whole") if text in "\n".join(lines)]
            self.assertLess(time, min(seen))
            told.append(number)
        self.assertEqual(told, sorted(set(told)))
        self.assertIn(max(turns), told)  # the win
        self.assertEqual([mark for mark in self.recorded()[1] if mark[1] == "m"], [])  # of four turns none

    def test_tells_nobody_which_keys_there_are(self):
        for _, lines in self.played():
            self.assertNotRegex("\n".join(lines), "quits|pauses|keys")

    def test_tells_every_turn_in_order(self):
        screens = ["\n".join(lines) for _, lines in self.played()]
        told = [next(i for i, screen in enumerate(screens) if sentence in screen) for sentence in (
            "1. Ann rolls 2: 1 → 22, up the ladder 3 → 22", "2. Bob rolls 4: 1 → 8, up the ladder 5 → 8",
            "3. Ann rolls 6-6-6: 22 → 22, three sixes, stays", "4. Bob rolls 1: 8 → 9")]
        self.assertEqual(told, sorted(told))
        self.assertIn("Chances to win", screens[-1])
        self.assertIn("4/4", screens[-1])

    def test_moves_pieces_cell_by_cell(self):
        self.snl("new", "A", "B", "--cells", "10", "--id", "g")
        self.snl("play", "g", "A", "5")
        seen = []
        for _, lines in self.played(game="g"):
            # A is drawn as 1, or as [1] once it has moved, in the board's only row, below the numbers.
            place = lines[1].find("1")
            if place >= 0 and place // 6 not in seen:
                seen.append(place // 6)
        self.assertEqual(seen, [0, 1, 2, 3, 4, 5])

    def test_is_as_large_as_asked_and_never_larger(self):
        for width, height in ((28, 9), (59, 20), (120, 40)):
            with self.subTest(width=width, height=height):
                header, _ = self.recorded("--width", width, "--height", height)
                self.assertEqual((header["width"], header["height"]), (width, height))
                self.played("--width", width, "--height", height)  # Screen refuses what is beyond it
        for wrong in (("--width", "27"), ("--height", "8"), ("--speed", "0"), ("--speed", "101"), ("--speed", "nan"),
                      ("--idle", "0"), ("--idle", "nan"), ("--idle", "4000"), ("--length", "0.5"), ("--length", "-1"),
                      ("--length", "inf")):
            self.refused(2, re.escape(wrong[1]), "export", "final", "-f", "cast", *wrong)
        for form in ("jsonl", "text", "csv", "svg"):
            for option in ("--width", "--height", "--speed", "--idle", "--length"):
                self.refused(2, "-f cast", "export", "final", "-f", form, option, "100")
        self.refused(2, "--length 60 and --speed 2 both", "export", "final", "-f", "cast", "--length", "60", "--speed", "2")

    def test_is_the_same_wherever_it_is_made(self):
        text = self.snl("export", "final", "-f", "cast")
        for env in ({"LC_ALL": "C"}, {"NO_COLOR": "1"}, {"TERM": "xterm", "TZ": "Asia/Tokyo"}):
            self.assertEqual(self.snl("export", "final", "-f", "cast", env=env), text)

    def test_gives_names_no_power_over_the_terminal(self):
        self.snl("new", "--board", "empty", "--id", "n", "--", "\u202eevil", '"]', "日本", "\u2028x")
        self.snl("roll", "n", "-n", "4")
        _, events = self.recorded(game="n")
        for _, _, text in events:
            self.assertNotRegex(text, "[\x00-\x1a\x1c-\x1f\x7f-\x9f\u2028\u202e]")

    def test_of_a_game_without_turns_is_its_start(self):
        self.snl("new", "--board", "empty", "A", "B", "--id", "g")
        shown = self.played(game="g")
        self.assertIn("0/0", "\n".join(shown[-1][1]))


if __name__ == "__main__":
    snl.main()
