"""Whole games as transcripts: what a person typed and saw, compared to the character.

golden/transcript_*.txt; `$` is a command, `<` its stdin, `!` its stderr. Times and hashes are left out.
"""

import snl

ASCII = {"LC_ALL": "C"}


class AWholeGame(snl.CommandLineTest):
    def tell(self, name, *new, moves):
        """A game from `new` to its end, and all the ways to look back at it."""
        story = snl.Transcript(self)
        story.run("new", "--id", "game", *new)
        moves(story)
        story.run("show", "game", "--json")
        story.run("show", "game")
        story.run("show", "game", env=ASCII)
        story.run("replay", "game")
        story.run("replay", "game", env=ASCII)
        story.run("replay", "game", "--json")
        story.run("replay", "game", "--undone")
        story.run("replay", "game", "--undone", "--json")
        story.run("export", "game", "-f", "text")
        story.run("log", "game")
        story.run("audit", "game")
        self.assert_golden(f"transcript_{name}.txt", story.text())

    def test_on_the_board_of_the_class(self):
        def moves(story):
            story.run("play", "game", "-", input="# their own dice\nAnn 2\nBob 4\nAnn 6-3\nAnn 1\nBob 6-6-6\n")
            story.run("play", "game", "Ann", "6", "6", "1")
            story.run("roll", "game", "-n", "3")
            story.run("undo", "game", "-n", "2")
            story.run("undo", "game")
            story.run("redo", "game", "-n", "2")
            story.run("roll", "game", "--all")
            story.run("play", "game", "Bob", "3")
            story.run("undo", "game", "-n", "3")
            story.run("show", "game", "--at", "4")
            story.run("roll", "game", "--all")

        self.tell("class", "Ann", "Bob", "--board", "class", "--seed", "13", moves=moves)

    def test_of_the_low_level_design(self):
        def moves(story):
            story.run("play", "game", "-",
                      input="Alice 1\nBob 1\nCharlie 6\nAlice 6\nBob 4\nCharlie 2\n")
            story.run("roll", "game", "--all")

        self.tell("lld", "Alice", "Bob", "Charlie", "--board", "lld", "--seed", "3", moves=moves)

    def test_with_every_power(self):
        def moves(story):
            story.run("roll", "game", "-n", "28")
            story.run("undo", "game", "-n", "6")
            story.run("redo", "game", "-n", "5")
            story.run("show", "game", "--at", "9")
            story.run("roll", "game", "--all", "--json")

        self.tell("powers", "Ann", "Bob", "Cy", "--board", "party", "--start", "0", "--enter", "1,6", "--meet", "capture",
                  "--safe", "20,41", "--seed", "4", moves=moves)

    def test_in_which_each_six_gives_another_turn(self):
        def moves(story):
            story.run("play", "game", "Ann", "6")
            story.run("play", "game", "Bob", "6")
            story.run("play", "game", "Ann", "6-3")
            story.run("roll", "game", "-n", "6")
            story.run("undo", "game", "-n", "6")
            story.run("redo", "game", "-n", "4")
            story.run("roll", "game", "--all")
            story.run("analyze", "game")

        self.tell("each", "Ann", "Bob", "--cells", "30", "--snake", "27,1", "--ladder", "3,22", "--power", "20,skip,1",
                  "--sixes", "each", "--seed", "6", moves=moves)

    def test_of_chutes_and_ladders(self):
        self.tell("milton_bradley", "Ann", "Bob", "Cem", "--board", "milton-bradley", "--seed", "1993",
                  moves=lambda story: story.run("roll", "game", "--all", "--json"))

    def test_with_two_dice_that_bounces(self):
        self.tell("bounce", "Ann", "Bob", "--cells", "40", "--dice", "2", "--finish", "bounce", "--snake", "38,12",
                  "--snake", "33,30", "--ladder", "5,17", "--seed", "8",
                  moves=lambda story: story.run("roll", "game", "--all"))

    def test_that_an_overshoot_wins(self):
        def moves(story):
            story.run("roll", "game", "-n", "4")
            story.run("branch", "game", "--at", "2", "--id", "other")
            story.run("roll", "other", "-n", "2")
            story.run("replay", "other")
            story.run("roll", "game", "--all")

        self.tell("overshoot", "Ann", "Bob", "--board", "geeks30", "--finish", "overshoot", "--seed", "30", moves=moves)

    def test_of_people_with_names_of_all_kinds(self):
        def moves(story):
            story.run("play", "game", "-", input="Ann Lee 3\n🐍 6-1\nبوب 5\n{\"player\":\"#1\",\"dice\":[2]}\n")
            story.run("roll", "game", "--all")

        self.tell("names", "Ann Lee", "🐍", "بوب", "#1", "--cells", "12", "--seed", "5", moves=moves)


if __name__ == "__main__":
    snl.main()
