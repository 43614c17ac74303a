"""The output of commands at a terminal. A pseudo-terminal stands in for it."""

import json
import re
import sqlite3
from contextlib import closing

import snl
from terminal import Terminal


class LongLines(snl.CommandLineTest):
    """Lines that are wider than the window go on in the next one between words."""

    def lines(self, *args, columns):
        code, said = Terminal(self, *args, columns=columns).ends()
        self.assertEqual(code, 0, said)
        return [line for line in said.replace("\r\n", "\n").splitlines() if not line.startswith("snl: the board")]

    def test_are_broken_between_words(self):
        players = [f"Player {number}" for number in range(1, 11)]
        self.snl("new", *players, "--board", "class", "--seed", "1", "--id", "game-of-ten")
        self.snl("roll", "game-of-ten", "-n", "20")
        for command in (("list",), ("analyze", "@"), ("board", "list"), ("simulate", "--board", "empty", "--games", "500", "--seed", "1", "--players", "9")):
            whole = self.snl(*command)
            for columns in (50, 80):
                with self.subTest(command=command, columns=columns):
                    lines = self.lines(*command, columns=columns)
                    told = lines[: lines.index("")] if "" in lines else lines  # charts follow
                    self.assertLessEqual(max(map(len, told)), columns)
                    self.assertEqual(" ".join(told).split(), whole.split())

    def test_leave_nothing_out(self):
        self.snl("new", "--board", "empty", "x" * 200, "Bob", "--id", "long")
        self.assertEqual("".join("".join(self.lines("list", columns=60)).split()).count("x"), 400)


class OutputAtATerminal(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.snl("new", "\u202eAnn", "Bob", "--board", "class", "--seed", "42", "--id", "g")
        self.snl("roll", "g", "-n", "4")

    def see(self, *args, columns=80, **env):
        terminal = Terminal(self, *args, columns=columns, **env)
        code, said = terminal.ends()
        self.assertEqual(code, 0)
        return said

    def test_draws_the_board_in_colour(self):
        self.assertIn("\x1b[", self.see("show", "g"))
        self.assertNotIn("\x1b[", self.see("show", "g", "--color=never"))
        self.assertNotIn("\x1b[", self.see("show", "g", NO_COLOR="1"))
        self.assertNotIn("\x1b[", self.see("show", "g", TERM="dumb"))
        self.assertIn("\x1b[", self.see("show", "g", "--color=always", NO_COLOR="1"))

    def test_says_where_there_is_no_store_to_list(self):
        seen = Terminal(self, "--db", "none.db", "list", columns=200).until("makes one")
        self.assertIn("snl: store none.db: there is no store yet; snl --db none.db new Ann Bob makes one", seen)
        self.assertEqual(self.snl("--db", "none.db", "list"), "")
        self.assertFalse((self.folder / "none.db").exists())

    def test_shows_what_nobody_would_see_of_a_name(self):
        for command in (("roll", "g"), ("export", "g", "-f", "text"), ("export", "g"), ("log", "g"), ("show", "g")):
            with self.subTest(command):
                said = self.see(*command, "--color=never")
                self.assertNotIn("\u202e", said)
                self.assertIn(r"\u202eAnn", said)

    def test_fits_on_the_terminal(self):
        for columns in (30, 42, 50, 80, 120):
            for command in (("show", "g"), ("board", "show", "class")):
                for line in self.see(*command, "--color=never", columns=columns).splitlines():
                    self.assertLessEqual(len(line), columns, (columns, command))

    def test_draws_wide_boards_where_there_is_room(self):
        (self.folder / "wide.json").write_text('{"cells":300,"width":30,"snakes":[],"ladders":[[3,40]]}')
        self.snl("new", "Ann", "Bob", "--board", "wide.json", "--id", "wide")
        for command in (("show", "wide"), ("board", "show", "wide.json")):
            self.assertIn("too large to draw whole here", self.see(*command, columns=80))
            drawn = self.see(*command, "--color=never", columns=200)
            self.assertNotIn("too large", drawn)
            self.assertRegex(drawn, r"\b300\b.*\b271\b")

    def test_has_no_control_characters_of_users_in_it(self):
        for command in (("show", "g"), ("list",), ("log",), ("replay", "g")):
            said = re.sub("\x1b\\[[0-9;]*m", "", self.see(*command, "--color=never", TERM="xterm" if command[0] != "replay" else "dumb"))
            self.assertIsNone(re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", said), command)


class AnAuditAtATerminal(snl.CommandLineTest):
    """The page that a referee reads. Without a terminal, audit prints what it always has."""

    def setUp(self):
        super().setUp()
        self.snl("new", "Ann", "Bob", "--board", "class", "--seed", "13", "--id", "final")
        self.snl("play", "final", "-", input="Ann 2\nBob 4\nAnn 6-3\n")
        self.snl("roll", "final", "-n", "6")
        self.snl("undo", "final", "-n", "2")
        self.snl("redo", "final")

    def page(self, *args, code=0, columns=120, **env):
        terminal = Terminal(self, "audit", *args, columns=columns, **env)
        ended, said = terminal.ends()
        self.assertEqual(ended, code, said)
        for line in re.sub("\x1b\\[[0-9;]*m", "", said).splitlines():
            if not re.fullmatch("[0-9a-f]{64}", line):
                self.assertLessEqual(len(line), min(columns, 80), line)
        return said.replace("\r\n", "\n")

    def words(self, *args, **options):
        return " ".join(self.page(*args, NO_COLOR="1", **options).split())

    def test_of_a_match_tells_a_referee_all_there_is(self):
        self.snl("roll", "final", "--all")
        page = self.page("final", NO_COLOR="1")
        self.assertEqual(page.splitlines()[0], "SOUND: game final is whole, and was played by its rules.")
        text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "<time>", " ".join(page.split()))
        for told in (
            "Players 1. Ann 2. Bob Outcome Player 2 won on turn 48: Bob Recorded <time> UTC to <time> UTC, by the writer's clock; 52 commands.",
            "46 turns were rolled from seed 13, and the seed gives the same dice again. The starter of a game may "
            "choose its seed, and anybody who can read the store can foresee the dice.",
            "3 turns were thrown elsewhere and typed in: no seed explains them",
            "55 rolled dice of 6 faces fell, by face 1: 13, 2: 10, 3: 7, 4: 9, 5: 6, 6: 10. "
            "Nothing is odd about them: fair dice look at least this uneven in about 64 of 100 matches (p = 0.644). "
            "4 dice of 6 faces that were typed in fell, by face 1: 0, 2: 1, 3: 1, 4: 1, 5: 0, 6: 1. "
            "These are too few to say whether the dice are fair.",
            "Taken back 2 turns, and 1 put back, by 2 commands. undo -n 2: turns 9 to 8 taken back; version 11, "
            "<time> UTC redo: turn 8 put back; version 12, <time> UTC Head",
            f"Head {self.show('final')['head']} Keep it",
            "snl audit final --expect HEAD",
        ):
            self.assertIn(told, text)

    def test_tells_of_each_command_that_took_turns_back_however_many_it_took(self):
        self.snl("new", "Ann", "Bob", "--cells", "100000", "--seed", "7", "--id", "long")
        self.snl("roll", "long", "-n", "30")
        self.snl("undo", "long", "--to", "0")
        self.snl("roll", "long", "-n", "3")
        self.snl("undo", "long", "--command-id", "judge")
        self.snl("redo", "long")
        for _ in range(10):
            self.snl("undo", "long")
            self.snl("redo", "long")
        text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "<time>", self.words("long"))
        self.assertIn(
            "Taken back 41 turns, and 11 put back, by 23 commands. undo --to 0: turns 30 to 1 taken back; version 32, "
            "<time> UTC undo: turn 3 taken back; version 36, <time> UTC command ID: judge redo: turn 3 put back; "
            "version 37, <time> UTC undo: turn 3 taken back; version 38, <time> UTC", text)
        self.assertIn("and 3 commands more: see snl log long Head", text)

    def test_of_the_store_tells_of_all_its_games(self):
        self.snl("new", "--board", "empty", "A", "B", "--id", "new")
        self.snl("new", "A", "B", "--cells", "1000", "--sixes", "plain", "--id", "odd")
        self.snl("play", "odd", "-", input="A 3\nB 3\n" * 20)
        self.snl("new", "A", "B", "--board", "class", "--seed", "5", "--id", "over")
        self.snl("roll", "over", "--all")
        report = self.json("audit")
        words = self.words()
        self.assertRegex(words, r"\ASOUND: store \S+ is whole, and so is every game in it\. Games 4, 1 finished; 87 turns in force\.")
        for told in (
            "Dice 1 game: rolled from seeds, which give the same dice again. 1 game: thrown elsewhere and typed in: no seed "
            "explains them, and nothing here shows how they fell. 1 game: some rolled from a seed, some typed in. 1 game: "
            "none were thrown yet. The starter of a game may choose its seed",
            "Least likely Games that threw enough dice were tested alone, rolled dice and typed ones apart: 2 tests. A game "
            "is named here if a p of its own is below 0.01 divided by the number of tests, so that of 100 stores with fair "
            "dice about one names any. Look at these: game odd: 40 dice typed in, p = ",
            "Taken back 2 turns in 1 game, and 1 put back;",
            f"Head {report['head']} Keep it",
            "snl audit --all --expect HEAD",
        ):
            self.assertIn(told, words)
        self.assertNotIn("game over:", words)
        self.assertNotIn("Kept head", words)
        words = self.words("--all", "--expect", report["head"])
        self.assertIn("Kept head The same: no game was added, taken away or changed since the head was kept. The order in "
                      "which games were recorded among each other isn't part of it, and so neither is which one is called @.",
                      words)
        self.assertNotIn("The same", self.words("--expect", "0" * 64, code=4))

    def test_says_what_the_dice_mean(self):
        self.snl("new", "A", "B", "--cells", "1000", "--sixes", "plain", "--id", "odd")
        self.snl("play", "odd", "-", input="A 3\nB 3\n" * 5)
        self.assertIn("10 dice of 6 faces fell, by face 1: 0, 2: 0, 3: 10, 4: 0, 5: 0, 6: 0. "
                      "These are too few to say whether the dice are fair.", self.words("odd"))
        self.snl("play", "odd", "-", input="A 3\nB 3\n" * 20)
        self.assertIn("A reason to look at the dice, or at who typed them in, but no proof: fair dice look at least this uneven "
                      "in fewer than 1 of 1000 matches (p < 0.001).",
                      self.words("odd"))
        self.snl("new", "--board", "empty", "A", "B", "--id", "new")
        self.assertIn("Dice None were thrown yet. Taken back No turn was.", self.words("new"))

    def test_is_as_wide_as_the_terminal_but_never_wider_than_reads_well(self):
        for args in ((), ("final",)):
            self.assertGreater(max(map(len, self.page(*args, NO_COLOR="1").splitlines())), 60)
            self.page(*args, NO_COLOR="1", columns=50)

    def test_never_cuts_the_head(self):
        for args, head in ((("final",), self.show("final")["head"]), ((), self.json("audit")["head"])):
            for columns in (120, 78, 77, 64, 50, 40):
                self.assertIn(head, self.page(*args, NO_COLOR="1", columns=columns))

    def test_names_what_is_wrong_first_and_what_is_still_proven(self):
        database = sqlite3.connect(self.store)
        (sql,) = database.execute("SELECT sql FROM sqlite_schema WHERE name = 'commits_are_never_updated'").fetchone()
        database.execute("DROP TRIGGER commits_are_never_updated")
        database.execute("UPDATE commits SET time = time + 1 WHERE version = 7")
        database.execute(sql)
        database.commit()
        database.close()
        words = self.words("final", code=4)
        self.assertRegex(words, r"\ANOT SOUND: game final isn't what it should be\. Problem version 7: its hash isn't")
        self.assertIn("Up to version 6 the game is proven; nothing from version 7 on is evidence.", words)
        self.assertIn("Players 1. Ann 2. Bob Outcome Up to version 6: player 2 is to move after turn 5: Bob Recorded Up to "
                      "version 6: ", words)
        self.assertIn("; 6 commands. Dice Up to version 6: 2 turns were rolled", words)
        self.assertIn("Taken back Up to version 6: no turn was.", words)
        self.assertNotIn("Fairness", words)
        self.assertNotIn("Keep it", words)
        words = self.words(code=4)
        self.assertRegex(words, r"\ANOT SOUND: store \S+ isn't what it should be\. Problem game final: version 7: its hash")
        self.assertRegex(words, r"Games 1 was looked at\. For one with a problem, snl audit GAME says how far it is proven\.\Z")

    def test_takes_nothing_from_the_log_for_a_row_that_is_wrong(self):
        with closing(sqlite3.connect(self.store)) as database, database:
            database.execute("UPDATE games SET created = 77")
        words = self.words("final", code=4)
        self.assertIn("its row in games or players isn't what its log folds to", words)
        self.assertNotIn("Up to version", words)
        self.assertIn("; 12 commands.", words)

    def test_of_a_store_names_games_by_how_many_were_tested(self):
        def throw(game, counts):
            """Dice with these counts of each face; no player gets near the end."""
            self.snl("new", "A", "B", "--cells", "100000", "--sixes", "plain", "--id", game, db="dice.db")
            dice = [face for face, count in enumerate(counts, 1) for _ in range(count)]
            lines = "".join(f"{'AB'[turn % 2]} {die}\n" for turn, die in enumerate(dice))
            self.snl("play", game, "-", input=lines, db="dice.db")

        throw("odd", (18, 2, 14, 6, 10, 10))  # chi-squared 16: p = 0.007, below 0.01, but not below 0.01/2
        named = "game odd: 60 dice typed in, p = 0.0068"
        self.assertIn(named, self.words("--db", "dice.db"))
        throw("even", (10, 10, 10, 10, 10, 10))
        self.assertNotIn("game odd", self.words("--db", "dice.db"))
        self.assertIn("None is named.", self.words("--db", "dice.db"))

    def test_compares_a_head_that_was_kept(self):
        kept = self.show("final")["head"]
        self.assertIn("Kept head The same: every command, its events, its time and their order are what they were when the "
                      "head was kept.", self.words("final", "--expect", kept))
        self.snl("roll", "final", "-n", "2")
        words = self.words("final", "--expect", kept, code=4)
        self.assertIn("The head that you kept is the one of version 12: up to there the game is the one that you "
                      "saw. Recorded since: 2 commands.", words)
        words = self.words("final", "--expect", "0" * 64, code=4)
        self.assertNotIn("The head that you kept", words)
        self.assertIn("No version of it has the head that you kept", words)

    def test_compares_a_head_that_was_kept_without_a_terminal_too(self):
        kept = self.show("final")["head"]
        audit = lambda head, *options: self.run_snl("audit", "final", "--expect", head, *options).out
        version = lambda head: json.loads(audit(head, "--json"))["kept_head_version"]
        self.assertNotIn("that you kept", audit(kept))
        self.assertEqual(version(kept), 12)
        self.snl("roll", "final", "-n", "2")
        self.assertEqual(audit(kept).splitlines()[2:], ["The head that you kept is the one of version 12: up to there the game "
                                                        "is the one that you saw. Recorded since: 2 commands."])
        self.assertEqual((version(kept), version("0" * 64)), (12, None))
        self.assertIn("\nNo version of it has the head that you kept: ", audit("0" * 64))
        self.assertNotIn("kept_head_version", self.json("audit", "final"))

    def test_of_what_is_no_store_says_so(self):
        (self.folder / "text").write_text("x" * 5000)
        words = self.words("--db", "text", "final", code=4)
        self.assertRegex(words, r"\ANOT SOUND: store text isn't what it should be\. Problem the store: .*not a store")

    def test_has_colour_unless_that_is_unwanted(self):
        self.assertTrue(self.page("final").startswith("\x1b[1;32mSOUND"))
        self.assertNotIn("\x1b", self.page("final", NO_COLOR="1"))
        self.assertNotIn("\x1b", self.page("final", TERM="dumb"))

    def test_leaves_names_no_power_over_the_terminal(self):
        self.snl("new", "--board", "empty", "\u202eeve", "日本" * 40, "--id", "names")
        words = self.words("names")
        self.assertIn("1. \\u202eeve 2. ", words)
        self.assertNotIn("\u202e", words)

    def test_shows_names_to_the_letter_and_takes_none_for_what_it_says_itself(self):
        long = "x" * 250
        self.snl("new", "--board", "empty", long + "1", long + "2", "Bob. Ann won on turn 39", "Ann, Bob", "Cid " + "  2. " * 30, "--id", "names")
        lines = self.page("names", NO_COLOR="1").splitlines()
        lines = lines[lines.index("") + 1 :]
        blocks = {}  # what is said by label
        for line in lines:
            if line[:14].strip():
                said = blocks[line[:14].strip()] = []
            said.append(line[14:])
        self.assertEqual([line[:4] for line in blocks["Players"] if line[0] != " "], ["1.  ", "2.  ", "3.  ", "4.  ", "5.  "])
        names = "".join(line if line[0] != " " else line[4:] for line in blocks["Players"])
        self.assertIn(f"1.  {long}12.  {long}23.  Bob. Ann won on turn 394.  Ann, Bob5.  Cid   2. ", names)
        self.assertTrue(all(line.startswith("    ") for line in blocks["Players"] if not re.match(r"[1-5]\.  ", line)))
        self.assertTrue("".join(blocks["Outcome"]).startswith("Player 1 is to move after turn 0: xxx"))


if __name__ == "__main__":
    snl.main()
