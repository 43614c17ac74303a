"""Goal: the READMEs' screen and picture are what the program shows. Method: a match is played again;
tests/pictures makes both anew."""

import os

import snl
from terminal import Window
from test_player import at

README = snl.TESTS.parent / "cli" / "playback" / "README.md"
FENCE = "```\n"


class TheReadme(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.snl("new", "Ann", "Bob", "--board", "class", "--seed", "13", "--id", "final")
        for player, dice in (("Ann", "2"), ("Bob", "4"), ("Ann", "6-3")):
            self.snl("play", "final", player, dice)
        self.snl("roll", "final", "-n", "6")
        self.snl("undo", "final", "-n", "2")
        self.snl("roll", "final", "--all")

    def test_shows_the_screen_of_a_replay(self):
        window = Window(self, columns=80, rows=24)
        window.run("replay", "final", "--step")
        window.until(at(0))
        window.type("7")
        window.until(at(34))
        before = "<!-- the screen of snl replay: made by tests/pictures -->\n```\n"
        text = README.read_text(encoding="utf-8")
        head, found, rest = text.partition(before)
        self.assertTrue(found)
        shown, fence, tail = rest.partition(FENCE)
        screen = window.screen()
        if os.environ.get("SNL_UPDATE_GOLDEN") == "1":
            README.write_text(head + before + screen + fence + tail, encoding="utf-8")
            shown = screen
        self.assertEqual(screen, shown)

    def test_shows_the_board_in_the_middle_of_the_match(self):
        self.assert_golden("final.svg", self.snl("export", "final", "-f", "svg", "--at", "33"))
        drawing = README.parent.parent / "drawing" / "README.md"
        self.assertIn("(../../tests/cli/golden/final.svg)", drawing.read_text(encoding="utf-8"))


if __name__ == "__main__":
    snl.main()
