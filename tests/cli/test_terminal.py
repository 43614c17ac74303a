"""`snl play GAME` at a terminal: the prompt that a person plays at. A pseudo-terminal stands in for it."""

import fcntl
import os
import pty
import re
import select
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
        for command in (("show", "g"), ("list",), ("log",), ("replay", "g", "--json")):
            said = re.sub("\x1b\\[[0-9;]*m", "", self.see(*command, "--color=never"))
            self.assertIsNone(re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", said), command)


if __name__ == "__main__":
    snl.main()
