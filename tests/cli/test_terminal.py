"""What commands print at a terminal. A pseudo-terminal stands in for it."""

import re

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


if __name__ == "__main__":
    snl.main()
