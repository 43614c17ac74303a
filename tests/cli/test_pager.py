"""Output that is longer than the terminal goes through a pager, as git's does; nothing else does."""

import fcntl
import os
import select
import shutil
import struct
import termios

import snl
from terminal import Window, pseudo_terminal

ROWS = 24
# Says what it is given, and reads on to its end.
PAGER = "sed 's/^/| /'"


class PagerTest(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.environment["TERM"] = "xterm"
        del self.environment["SNL_PAGER"]
        self.snl("new", "--board", "empty", "Ann", "Bob", "--seed", "1", "--id", "long")
        self.snl("roll", "long", "-n", "60")
        self.snl("new", "--board", "empty", "Ann", "Bob", "--id", "short")

    def printed(self, *args, code=0, rows=ROWS, **env):
        """The output on a terminal once the command has ended, without carriage returns."""
        ours, theirs = pseudo_terminal(self)
        self.set_size(theirs, rows)
        process = self.popen(*args, env={"SNL_PAGER": PAGER} | env, stdin=theirs, stdout=theirs, stderr=theirs,
                             start_new_session=True)
        os.close(theirs)
        seen = b""
        try:
            while True:
                if not select.select([ours], [], [], snl.PATIENCE)[0]:
                    process.kill()
                    self.fail(f"it hangs: {seen!r}")
                try:
                    part = os.read(ours, 65536)
                except OSError:  # nobody has the other end any more
                    break
                if not part:
                    break
                seen += part
        finally:
            os.close(ours)
        self.assertEqual(process.wait(snl.PATIENCE), code, seen)
        return seen.decode().replace("\r\n", "\n")

    def set_size(self, terminal, rows, columns=80):
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def assert_paged(self, *args, **options):
        text = self.printed(*args, **options)
        self.assertTrue(text and all(line.startswith("| ") for line in text.splitlines()), text)
        return text.replace("\n| ", "\n").removeprefix("| ")

    def assert_not_paged(self, *args, **options):
        text = self.printed(*args, **options)
        self.assertTrue(text and not any(line.startswith("| ") for line in text.splitlines()), text)
        return text


class LongOutput(PagerTest):
    def test_goes_through_the_pager_whole(self):
        self.assertEqual(self.assert_paged("log", "long"), self.snl("log", "long"))

    def test_of_any_command_does(self):
        for command in (("log", "--json"), ("--help",), ("help", "new"), ("new", "-h"), ("export", "long"),
                        ("board", "analyze", "class"), ("completion", "bash")):
            with self.subTest(command):
                self.assert_paged(*command)

    def test_is_what_does_not_fit_above_the_prompt(self):
        self.snl("new", "--board", "empty", "A", "B", "--sixes", "plain", "--id", "more")  # so that each line is a row
        self.snl("roll", "more", "-n", "9")  # ten commits
        self.assert_not_paged("log", "more", rows=11)
        self.assert_paged("log", "more", rows=10)

    def test_counts_the_rows_that_a_wide_line_takes(self):
        self.snl("roll", "short", "-n", "3")
        self.assert_not_paged("log", "short", "--json", rows=ROWS)
        self.assert_paged("log", "short", "--json", rows=8)

    def test_is_not_counted_by_the_bytes_of_its_colours(self):
        picture = self.assert_not_paged("board", "show", "class", "--color=always", rows=26)
        self.assertIn("\033[", picture)

    def test_goes_nowhere_else_where_it_is_no_terminal(self):
        log = self.snl("log", "long")
        for pager in (PAGER, "false"):
            self.assertEqual(self.snl("log", "long", env={"SNL_PAGER": pager}), log)
        self.assert_not_paged("log", "long", TERM="dumb")

    def test_keeps_its_colours_and_its_exit_code(self):
        picture = self.assert_paged("show", "long", rows=10)
        self.assertIn("\033[", picture)
        store = self.folder / "bad.db"
        shutil.copy(self.store, store)
        with open(store, "r+b") as file:
            data = bytearray(file.read())
            at = data.rindex(b'"roll"')
            data[at + 1:at + 5] = b"rall"
            file.seek(0)
            file.write(data)
        self.assertIn("SOUND", self.printed("--db", store, "audit", rows=2, code=4))

    def test_is_no_answer_that_somebody_waits_for(self):
        self.assert_not_paged("roll", "short", "-n", "40")


class ThePager(PagerTest):
    def test_is_the_first_that_is_set(self):
        self.assert_paged("log", "long", PAGER="false")
        self.assert_paged("log", "long", SNL_PAGER=None, PAGER=PAGER)
        for variables in ({"SNL_PAGER": ""}, {"SNL_PAGER": " "}, {"SNL_PAGER": "\t"}, {"SNL_PAGER": " \n\v\f\r"},
                          {"SNL_PAGER": "cat"}, {"SNL_PAGER": None, "PAGER": ""},
                          {"SNL_PAGER": None, "PAGER": "cat"}, {"SNL_PAGER": "", "PAGER": PAGER}):
            with self.subTest(variables):
                self.assert_not_paged("log", "long", **variables)

    def test_is_not_asked_where_none_is_wanted(self):
        for command in (("--no-pager", "log", "long"), ("log", "--no-pager", "long"), ("log", "long", "--no-pager"),
                        ("--no-pager", "help")):
            with self.subTest(command):
                self.assert_not_paged(*command)

    def test_has_less_told_what_git_tells_it(self):
        told = 'sh -c "cat >/dev/null; echo LESS=$LESS"'
        self.assertEqual(self.printed("log", "long", SNL_PAGER=told), "LESS=FRX\n")
        self.assertEqual(self.printed("log", "long", SNL_PAGER=told, LESS="S"), "LESS=S\n")

    def test_that_cannot_be_run_is_told_and_done_without(self):
        text = self.printed("log", "long", SNL_PAGER="no-such-pager -x")
        told = 'snl: the pager "no-such-pager -x" can\'t be run: No such file or directory; set SNL_PAGER, or give --no-pager\n'
        self.assertIn(told, text)
        self.assertEqual(text.replace(told, ""), self.snl("log", "long"))
        (self.folder / "empty").mkdir()
        self.assertEqual(self.printed("log", "long", SNL_PAGER=None, PATH=str(self.folder / "empty")), self.snl("log", "long"))

    def test_that_is_closed_early_ends_nothing(self):
        log = self.snl("log")
        for command, code in ((("log",), 0), (("log", "--json"), 0), (("show", "long"), 0), (("help", "dance"), 2)):
            with self.subTest(command):
                text = self.printed(*command, SNL_PAGER="head -n 1", rows=4, code=code)
                self.assertEqual(len(text.splitlines()), 1, text)
        self.assertTrue(log.startswith(self.printed("log", SNL_PAGER="head -n 1")))

    def test_has_what_is_recorded_recorded_though_it_is_closed(self):
        self.assertEqual(self.run_snl("export", "long", "-o", "games.jsonl").code, 0)
        lines = "".join(self.snl("export", game) for game in ("long", "short"))
        for number in range(30):
            self.snl("new", "--board", "empty", "A", "B", "--id", f"n{number}")
            lines += self.snl("export", f"n{number}")
        (self.folder / "all.jsonl").write_text(lines, encoding="utf-8")
        self.printed("--db", "new.db", "import", "all.jsonl", SNL_PAGER="true")
        self.assertEqual(len(self.json_lines("list", db="new.db")), 32)


class Less(PagerTest):
    def setUp(self):
        super().setUp()
        if not shutil.which("less"):
            self.skipTest("less isn't installed: cli/install-packages test")

    def open(self):
        window = Window(self, SNL_PAGER=None)
        window.line("clear; " + snl.PROGRAM + " log long; echo code $?")
        window.until(lambda screen: screen.rstrip("\n").endswith(":"))
        return window

    def test_shows_a_page_at_a_time(self):
        window = self.open()
        self.assertIn("a game of Ann, Bob", window.screen())
        self.assertNotIn("code", window.screen())
        window.keys("G")
        window.until("wins")
        window.keys("q")
        window.until("code 0")

    def test_ends_by_itself_where_all_fits(self):
        window = Window(self, SNL_PAGER=None)
        window.line("clear; " + snl.PROGRAM + " log short; echo code $?")
        window.until("code 0")

    def test_that_is_quit_at_its_first_page_is_no_failure(self):
        window = self.open()
        window.keys("q")
        window.until("code 0")
        self.assertNotIn("snl:", window.screen())

    def test_keeps_the_terminal_when_ctrl_c_is_pressed(self):
        """It ends what less was asked for, which shows: a key that comes at once would be lost with it."""
        window = self.open()
        window.keys("/")
        window.until(lambda screen: screen.rstrip("\n").endswith("/"))
        window.keys("C-c")
        window.until(lambda screen: screen.rstrip("\n").endswith(":"))
        window.keys("G")
        window.until("wins")
        window.keys("q")
        window.until(lambda screen: "code 0" in screen or "code 130" in screen)
        window.line("echo still $((40 + 2))")
        window.until("still 42")

    def test_has_no_part_in_a_screen_of_its_own(self):
        window = Window(self, SNL_PAGER=None)
        window.line("clear; " + snl.PROGRAM + " replay long; echo code $?")
        window.until("q quits")
        window.keys("q")
        window.until("code 0")


if __name__ == "__main__":
    snl.main()
