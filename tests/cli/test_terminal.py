"""`snl play GAME` at a terminal: the prompt that a person plays at. A pseudo-terminal stands in for it."""

import fcntl
import os
import pty
import re
import select
import sqlite3
import struct
import termios
import time

import snl


class Terminal:
    """A program that runs in a pseudo-terminal of 24 rows."""

    def __init__(self, test, *args, columns=80, **env):
        try:
            self._master, slave = pty.openpty()
        except OSError as error:
            test.skipTest(f"no pseudo-terminal can be had here ({error}); is /dev/pts mounted?")
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self._slave = slave
        self.modes = termios.tcgetattr(slave)

        def take_the_terminal():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        env = {"TERM": "xterm"} | env
        self.process = test.popen(*args, env=env, stdin=slave, stdout=slave, stderr=slave, preexec_fn=take_the_terminal)
        self.seen = ""
        test.addCleanup(os.close, slave)
        test.addCleanup(os.close, self._master)
        test.addCleanup(self.process.wait)
        test.addCleanup(self.process.kill)
        self._test = test

    def until(self, text):
        """Reads up to `text`; answers what came before and with it."""
        deadline = time.monotonic() + snl.PATIENCE
        read, unread = b"", ""
        while text not in unread:
            ready, _, _ = select.select([self._master], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                self._test.fail(f"no {text!r} in {unread!r}")
            read += os.read(self._master, 65536)
            unread = read.decode(errors="replace")
            if self.process.poll() is not None and text not in unread:
                unread += self._rest()
                self._test.assertIn(text, unread)
        self.seen += unread
        return unread

    def _rest(self):
        rest = b""
        while select.select([self._master], [], [], 0.1)[0]:
            rest += os.read(self._master, 65536)
        return rest.decode(errors="replace")

    def type(self, keys):
        os.write(self._master, keys.encode())

    def ends(self):
        """Waits for the program to end; answers its exit code and what it still said."""
        code = self.process.wait(snl.PATIENCE)
        return code, self._rest()

    def has_its_modes_back(self):
        return termios.tcgetattr(self._slave) == self.modes


class ATable(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.snl("new", "Ann", "Bob", "--board", "class", "--seed", "42", "--id", "g")

    def sit(self, game="g", **env):
        table = Terminal(self, "play", game, **env)
        table.until("to roll: ")
        return table

    def test_asks_the_player_to_move_and_shows_the_board(self):
        table = self.sit()
        self.assertRegex(table.seen, r"1\. Ann .*to roll: $")
        self.assertIn("98", table.seen)
        self.assertRegex(table.seen, "Enter.*rolls")

    def test_rolls_on_enter_with_the_dice_of_the_seed(self):
        self.snl("new", "Ann", "Bob", "--board", "class", "--seed", "42", "--id", "twin")
        table = self.sit()
        for player in ("Bob", "Ann", "Bob"):
            table.type("\n")
            self.assertRegex(table.until("to roll: "), rf"{player} .*to roll: $")
        self.snl("roll", "twin", "-n", "3")
        self.assertEqual(self.snl("replay", "g"), self.snl("replay", "twin"))

    def test_takes_dice_that_are_typed(self):
        table = self.sit()
        table.type("2\n")
        self.assertIn("1. Ann rolls 2: 1 → 22, up the ladder 3 → 22", table.until("to roll: "))
        table.type(" 6-6-1 \n")
        self.assertIn("2. Bob rolls 6-6-1: 1 → 14", table.until("to roll: "))
        turns = self.json_lines("replay", "g")
        self.assertEqual([turn["rolled"] for turn in turns], [False, False])

    def test_takes_dice_with_spaces_as_the_command_does(self):
        table = self.sit()
        table.type("6 3\n")
        self.assertIn("Ann rolls 6-3", table.until("to roll: "))

    def test_undoes(self):
        table = self.sit()
        table.type("u\n")
        self.assertRegex(table.until("to roll: "), "(?i)nothing|0 turns")
        table.type("2\n")
        table.until("to roll: ")
        table.type("u\n")
        self.assertRegex(table.until("to roll: "), r"Ann[^\n]*(back|undone)[^\n]*\r\n1\. Ann .*to roll: $")
        self.assertEqual(self.show("g")["turn"], 0)
        self.assertEqual(self.version("g"), 3)

    def test_explains_what_it_does_not_understand_and_asks_again(self):
        table = self.sit()
        for wrong in ("7", "dance", "6-6-6-6", "-1", "1 2 x", "\x1b[A", "é", "99999999999999999999"):
            table.type(wrong + "\n")
            answer = table.until("to roll: ")
            self.assertRegex(answer, r"dice|turn", wrong)
            self.assertRegex(answer, r"1\. Ann .*to roll: $")
        self.assertEqual(self.version("g"), 1)

    def test_is_left_with_q_and_the_game_is_kept(self):
        table = self.sit()
        table.type("2\n")
        table.until("to roll: ")
        table.type("q\n")
        code, said = table.ends()
        self.assertEqual(code, 0)
        self.assertIn("g", said)
        self.assertTrue(table.has_its_modes_back())
        self.assertEqual(self.show("g")["turn"], 1)

    def test_is_left_at_the_end_of_input(self):
        table = self.sit()
        table.type("\x04")
        self.assertEqual(table.ends()[0], 0)

    def test_is_left_on_an_interrupt_with_130_and_the_terminal_as_it_was(self):
        table = self.sit()
        table.type("2\n")
        table.until("to roll: ")
        table.type("\x03")
        self.assertEqual(table.ends()[0], 130)
        self.assertTrue(table.has_its_modes_back())
        self.assertEqual(self.show("g")["turn"], 1)
        self.assert_sound()

    def test_goes_on_where_another_process_left_the_game(self):
        table = self.sit()
        self.snl("play", "g", "Ann", "2")
        table.type("4\n")  # typed for Ann, who has moved meanwhile
        answer = table.until("to roll: ")
        turns = self.json_lines("replay", "g")
        self.assertEqual([turn["player"] for turn in turns][:1], ["Ann"])
        self.assertLessEqual(len(turns), 2)
        table.type("u\n")
        table.until("to roll: ")
        table.type("q\n")
        self.assertEqual(table.ends()[0], 0)
        self.assert_sound()

    def test_says_who_has_won_and_takes_back_the_win(self):
        self.snl("new", "Ann", "Bob", "--cells", "4", "--id", "short")
        table = self.sit("short")
        table.type("3\n")
        self.assertIn("wins", table.until("leaves: "))
        table.type("\n")
        self.assertIn("won", table.until("leaves: "))
        table.type("u\n")
        self.assertIn("1. Ann", table.until("to roll: "))
        table.type("3\n")
        table.until("leaves: ")
        table.type("q\n")
        self.assertEqual(table.ends()[0], 0)
        self.assertEqual(self.show("short")["winner"], "Ann")

    def test_leaves_names_no_power_over_the_terminal(self):
        self.snl("new", "\u202eevil", "Bob", "--id", "x")
        table = self.sit("x")
        self.assertNotIn("\u202e", table.seen)
        table.type("\n")
        table.until("to roll: ")
        self.assertNotIn("\u202e", table.seen)

    def test_has_colour_unless_that_is_unwanted(self):
        escape = "\x1b["
        self.assertIn(escape, self.sit().seen)
        for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": None}):
            self.assertNotIn(escape, self.sit(**env).seen, env)

    def test_needs_a_terminal_on_both_sides(self):
        self.refused(2, "terminal", "play", "g")
        self.refused(2, "terminal", "play", "g", input="q\n")
        self.refused(3, "nothing", "play", "nothing", "A", "3")

    def test_is_not_for_a_game_that_is_not_there(self):
        table = Terminal(self, "play", "nothing")
        table.until("nothing")
        self.assertEqual(table.ends()[0], 3)


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
        for command in (("show", "g"), ("list",), ("log",), ("replay", "g", "--from", "1")):
            said = re.sub("\x1b\\[[0-9;]*m", "", self.see(*command, "--color=never"))
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
