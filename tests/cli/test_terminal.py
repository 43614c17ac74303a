"""What commands print at a terminal. A pseudo-terminal stands in for it."""

import re
import sqlite3

import snl
from terminal import Terminal


class OutputAtATerminal(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.snl("new", "\u202eAnn", "Bob", "--board", "class", "--seed", "42", "--id", "g")
        self.snl("roll", "g", "-n", "4")

    def see(self, *args, **env):
        terminal = Terminal(self, *args, **env)
        code, said = terminal.ends()
        self.assertEqual(code, 0)
        return said

    def test_draws_the_board_in_colour(self):
        self.assertIn("\x1b[", self.see("show", "g"))
        self.assertNotIn("\x1b[", self.see("show", "g", "--color=never"))
        self.assertNotIn("\x1b[", self.see("show", "g", NO_COLOR="1"))
        self.assertNotIn("\x1b[", self.see("show", "g", TERM="dumb"))
        self.assertIn("\x1b[", self.see("show", "g", "--color=always", NO_COLOR="1"))

    def test_fits_on_80_columns(self):
        for line in self.see("show", "g", "--color=never").splitlines():
            self.assertLessEqual(len(line), 80, line)

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

    def page(self, *args, code=0, **env):
        terminal = Terminal(self, "audit", *args, **env)
        ended, said = terminal.ends()
        self.assertEqual(ended, code, said)
        for line in re.sub("\x1b\\[[0-9;]*m", "", said).splitlines():
            self.assertLessEqual(len(line), 80, line)
        return said.replace("\r\n", "\n")

    def words(self, *args, **options):
        return " ".join(self.page(*args, NO_COLOR="1", **options).split())

    def test_of_a_match_tells_a_referee_all_there_is(self):
        self.snl("roll", "final", "--all")
        page = self.page("final", NO_COLOR="1")
        self.assertEqual(page.splitlines()[0], "SOUND: game final is whole, and was played by its rules.")
        text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "<time>", " ".join(page.split()))
        for told in (
            "Players Ann, Bob. Bob won on turn 48. Recorded <time> UTC to <time> UTC, by the writer's clock; 52 commands.",
            "46 turns were rolled from seed 13, and the seed gives the same dice again.",
            "3 turns were thrown elsewhere and typed in: no seed explains them",
            "59 dice of 6 faces fell, by face 1: 13, 2: 11, 3: 8, 4: 10, 5: 6, 6: 11. p = 0.679. "
            "Fair dice fall at least as unevenly about 68 of 100 times. Nothing is odd about these.",
            "Taken back 9. Ann's turn is undone: 43 → 36, by \"undo -n 2\", version 11, <time> UTC",
            "8. Bob's turn is redone: 14 → 18, by \"redo\", version 12, <time> UTC",
            f"Head {self.show('final')['head']} Keep it",
            "snl audit final --expect HEAD",
        ):
            self.assertIn(told, text)

    def test_of_the_store_tells_its_head(self):
        words = self.words()
        self.assertRegex(words, r"\ASOUND: store \S+ is whole, and so is every game in it\. Games 1, 8 turns in force\.")
        self.assertIn(f"Head {self.json('audit')['head']} ", words)
        self.assertIn("snl audit --all --expect HEAD", words)

    def test_says_what_the_dice_mean(self):
        self.snl("new", "A", "B", "--cells", "1000", "--sixes", "plain", "--id", "odd")
        self.snl("play", "odd", "-", input="A 3\nB 3\n" * 5)
        self.assertIn("10 dice of 6 faces fell, by face 1: 0, 2: 0, 3: 10, 4: 0, 5: 0, 6: 0. "
                      "These are too few to say whether the dice are fair.", self.words("odd"))
        self.snl("play", "odd", "-", input="A 3\nB 3\n" * 20)
        self.assertIn("p = 0.000. Fair dice fall as unevenly fewer than 1 of 1000 times: a reason to look",
                      self.words("odd"))
        self.snl("new", "A", "B", "--id", "new")
        self.assertIn("Dice None were thrown yet. Taken back No turn was.", self.words("new"))

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
        self.assertIn("Players Ann, Bob. Bob is to move after turn 5.", words)
        self.assertNotIn("Keep it", words)
        words = self.words(code=4)
        self.assertRegex(words, r"\ANOT SOUND: store \S+ isn't what it should be\. Problem game final: version 7: its hash")

    def test_compares_a_head_that_was_kept(self):
        kept = self.show("final")["head"]
        self.assertIn("Kept head The same: not one byte was changed", self.words("final", "--expect", kept))
        self.snl("roll", "final", "-n", "2")
        words = self.words("final", "--expect", kept, code=4)
        self.assertIn("The head that you kept is the one of version 12: up to there the game is the one that you "
                      "saw. Recorded since: 2 commands.", words)
        self.assertNotIn("The head that you kept", self.words("final", "--expect", "0" * 64, code=4))

    def test_of_what_is_no_store_says_so(self):
        (self.folder / "text").write_text("x" * 5000)
        words = self.words("--db", "text", "final", code=4)
        self.assertRegex(words, r"\ANOT SOUND: store text isn't what it should be\. Problem the store: .*not a store")

    def test_has_colour_unless_that_is_unwanted(self):
        self.assertTrue(self.page("final").startswith("\x1b[1;32mSOUND"))
        self.assertNotIn("\x1b", self.page("final", NO_COLOR="1"))
        self.assertNotIn("\x1b", self.page("final", TERM="dumb"))

    def test_leaves_names_no_power_over_the_terminal(self):
        self.snl("new", "\u202eeve", "日本" * 40, "--id", "names")
        words = self.words("names")
        self.assertIn("\\u202eeve, ", words)
        self.assertNotIn("\u202e", words)


if __name__ == "__main__":
    snl.main()
