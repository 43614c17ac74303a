"""Goal: the screens and keys of `snl replay`, `snl play` and `snl watch` work as a person expects. Method: keys are
sent to the program in a window of tmux, and the test waits for contents of the screen. Whole screens are compared
with files that a person has checked (SNL_UPDATE_GOLDEN=1 rewrites them)."""

import json
import os
import re
import signal

import snl
from terminal import Terminal, Window, until


class ScreenTest(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.snl("new", "Ann", "Bob", "Cem Öz", "--board", "class", "--seed", "42", "--id", "g")

    def play_out(self, game="g"):
        self.snl("roll", game, "--all")

    def window(self, *args, **options):
        """A window in which a command shows its screen."""
        window = Window(self, **options)
        window.run(*args)
        return window

    def assert_over(self, window, code=0):
        """The shell has its terminal back, with what was there before."""
        window.until("$")
        window.line("echo ended: $?")
        screen = window.until(lambda screen: re.search(r"^ended: \d+$", screen, re.MULTILINE))
        self.assertIn(f"\nended: {code}\n", screen)
        self.assertNotIn("Chances", screen)


def at(turn):
    """A screen that shows this turn to its end, with chances known."""
    return lambda screen: (
        re.search(rf"\b{turn}/\d+$", screen, re.MULTILINE)
        and "worked out" not in screen
        and "rolls ..." not in screen
    )


class AReplay(ScreenTest):
    def setUp(self):
        super().setUp()
        self.play_out()

    def replay(self, *args, **options):
        window = self.window("replay", "g", "--step", *args, **options)
        window.until(at(0))
        return window

    def test_looks_as_it_should(self):
        for size, keys in [((80, 24), "5"), ((120, 40), "]]"), ((40, 24), "l"), ((160, 50), "G"), ((200, 60), "5")]:
            window = self.replay(columns=size[0], rows=size[1])
            window.type(keys)
            window.assert_golden("player_{}x{}.txt".format(*size))
            window.keys("q")
            self.assert_over(window)

    def test_looks_as_it_should_in_colour(self):
        window = self.replay()
        window.keys("Right")
        window.assert_golden("player_colour.txt", styles=True)

    def test_looks_as_it_should_in_ascii_and_without_colour(self):
        window = self.replay(LC_ALL="C", NO_COLOR="1")
        window.type("5")
        window.assert_golden("player_ascii.txt", styles=True)
        window.resize(40, 20)
        window.assert_golden("player_ascii_40x20.txt", styles=True)

    def test_draws_in_all_the_colours_that_there_are(self):
        window = self.replay(columns=160, rows=50, TERM="screen-256color")
        window.type("5")
        window.assert_golden("player_256_colours.txt", styles=True)

    def test_draws_snakes_and_ladders_in_ascii_too(self):
        window = self.replay(columns=160, rows=50, LC_ALL="C", NO_COLOR="1")
        window.type("5")
        window.assert_golden("player_ascii_160x50.txt", styles=True)

    def test_is_drawn_anew_in_a_window_of_another_size(self):
        window = self.replay()
        window.type("5")
        window.assert_golden("player_80x24.txt")
        window.resize(20, 8)
        window.until("small:")
        window.resize(100, 12)
        window.until(at(26))
        window.resize(80, 24)
        window.assert_golden("player_80x24.txt")

    def test_goes_turn_by_turn(self):
        window = self.replay()
        for key, turn in [("Right", 1), ("l", 2), (".", 3), ("Left", 2), ("h", 1), (",", 0), ("Left", 0),
                          ("S-Right", 10), ("NPage", 20), ("S-Left", 10), ("PPage", 0)]:
            window.keys(key)
            window.until(at(turn))

    def test_shows_the_turn_that_it_is_at(self):
        turns = self.json_lines("replay", "g")
        window = self.replay()
        for number in (1, 26, len(turns)):
            window.type(f":{number}")
            window.keys("Enter")
            screen = window.until(at(number))
            self.assertIn(self.snl("replay", "g", "--from", number, "--to", number).strip(), screen)
            position = self.show("g", "--at", number)
            for player in position["players"]:
                self.assertRegex(screen, rf" {player['cell']} +[<>]?\d+% {player['name'][:3]}")

    def test_goes_to_any_turn_at_once(self):
        last = self.show("g")["turn"]
        window = self.replay()
        fifth, ninth = ((last * tenths + 5) // 10 for tenths in (5, 9))
        for keys, turn in [("G", last), ("g", 0), ("5", fifth), ("9", ninth), ("0", 0), (":7\r", 7)]:
            window.type(keys)
            window.until(at(turn))
        for key, turn in [("End", last), ("Home", 0)]:
            window.keys(key)
            window.until(at(turn))
        window.type(":999\r")
        window.until(f"there is no turn 999 here: 0 to {last}")
        window.type(":12")
        window.until("Go to turn: 12_")
        window.keys("BSpace", "BSpace", "BSpace")
        window.until(lambda screen: "Go to turn" not in screen)

    def test_goes_to_the_moments_that_matter(self):
        window = self.replay()
        window.until(lambda screen: re.search(r"\d+%", screen))  # chances are known, which moments follow from
        page = json.loads(re.search(r'<script type="application/json" class="game">(.*?)</script>', self.snl("export", "g", "-f", "html"))[1])
        marked = set(page["moments"])
        self.assertGreater(len(marked), 1)
        seen, turn = set(), 0
        while turn < self.show("g")["turn"]:
            window.type("]")
            screen = window.until(lambda screen: not at(turn)(screen) and re.search(r"\d+/\d+$", screen, re.MULTILINE))
            turn = int(re.search(r"(\d+)/\d+$", screen, re.MULTILINE)[1])
            seen.add(turn)
        self.assertEqual(seen, marked | {turn})
        window.type("[")
        window.until(at(sorted(seen)[-2]))

    def test_turns_the_board_upside_down_and_hides_the_graph(self):
        window = self.replay()
        upright = window.screen()
        window.type("f")
        turned = window.until(lambda screen: screen != upright)
        self.assertRegex(turned.splitlines()[0], r"^.1─+┬2.*10")
        self.assertRegex(upright.splitlines()[0], r"^.100.*91")
        window.type("f")
        window.until(lambda screen: screen == upright)
        window.type("w")
        window.until(lambda screen: "Chances" not in screen)
        window.type("w")
        window.until("Chances")

    def test_explains_its_keys(self):
        window = self.replay()
        before = window.screen()
        window.type("?")
        help = window.until("normal speed")
        for key in ["space", "Shift", "0 ... 9", ":", "+ -", "Backspace", "[ ]", "Home", "End", "Ctrl-C", "wheel"]:
            self.assertIn(key, help)
        self.assertRegex(help, "Shift, drag +marks text")
        window.keys("Down")
        self.assertRegex(window.until("down a snake"), "↓ +in the list: down a snake")
        window.type("?")
        window.until(lambda screen: screen == before)
        window.resize(30, 9)
        window.type("?")
        self.assertIn("Ctrl-C", window.until(" 1/"))
        pages = int(re.search(r" 1/(\d+): ", window.screen())[1])
        window.keys("Down")
        window.until(f" 2/{pages}: ")
        window.keys("Up", "Up")
        self.assertIn("ladders, and up", window.until(f" {pages}/{pages}: "))
        window.keys("Escape")
        window.until("q quits")

    def test_takes_a_mouse(self):
        def mouse(code, column, row, end="M"):
            window.type(f"\x1b[<{code};{column + 1};{row + 1}{end}")

        window = self.replay()
        lines = window.screen().splitlines()
        last = self.show("g")["turn"]
        row = len(lines) - 2
        end = lines[row].rindex("─")
        mouse(0, end, row)
        window.until(at(last))
        mouse(32, lines[row].index("●"), row)
        window.until(at(0))
        mouse(0, end, row, "m")
        mouse(65, end, row)
        mouse(65, end, row)
        window.until(at(2))
        listed = next(i for i, line in enumerate(window.screen().splitlines()) if re.search(r"  5 2 ", line))
        mouse(0, 70, listed)
        window.until(at(5))
        mouse(0, 3, 3)  # the board
        mouse(64, 70, listed)
        window.until(at(4))
        graph = next(i for i, line in enumerate(lines) if "100 │" in line)
        mouse(0, lines[graph].index("│", lines[graph].index("100")) + 1, graph + 1)
        window.until(at(0))
        window.type("\x1b[M !!")  # as terminals told of it before mode 1006
        mouse(0, end, row)
        window.until(at(last))
        window.type("?")
        window.until(" 1/")
        mouse(65, 40, 12)
        window.until(" 2/")
        mouse(0, 40, 12)
        window.until(at(last))
        window.keys("q")
        self.assert_over(window)

    def test_plays_and_pauses(self):
        last = self.show("g")["turn"]
        window = self.window("replay", "g", "--speed", "200")
        self.assertIn("■", window.until(lambda screen: at(last)(screen) and "■" in screen))
        window.keys("BSpace")
        window.until("■ 1×")
        window.type("+")
        window.until("■ 2×")
        window.type("---")
        window.until("■ 1/4×")
        window.type("g")  # so that it doesn't come to the end by itself
        window.until(at(0))
        window.type(" ")
        window.until("▶ 1/4×")
        window.type(" ")
        window.until("■ 1/4×")

    def test_stops_after_each_turn(self):
        window = self.replay("--speed", "50")
        for turn in (1, 2, 3):
            window.type(" ")
            window.until(lambda screen: at(turn)(screen) and "■" in screen)

    def test_begins_again_at_the_end(self):
        window = self.window("replay", "g", "--loop", "--speed", "1000", "--from", "50")
        window.until(lambda screen: re.search(r"52/52$", screen, re.MULTILINE))
        window.until(lambda screen: re.search(r"49/52$", screen, re.MULTILINE))

    def test_shows_a_part(self):
        window = Window(self)
        window.run("replay", "g", "--step", "--from", "10", "--to", "20")
        window.until(at(9))
        window.type("G")
        window.until(at(20))
        window.type("l")
        window.until(at(20))
        window.type("g")
        window.until(at(9))

    def test_shows_turns_that_were_taken_back(self):
        self.snl("undo", "g", "-n", "2")
        last = self.show("g")["turn"]
        window = self.window("replay", "g", "--undone", "--step")
        window.until(at(0))
        window.type("G")
        window.until(lambda screen: f"{last + 2}. " in screen and "(undone)" in screen)
        window.type(f":{last}\r")
        window.until(at(last))
        window.type(f":{last + 1}\r")
        window.until(lambda screen: f"{last + 1}. " in screen and "(undone)" in screen)

    def test_is_plain_where_it_is_no_screen(self):
        plain = self.snl("replay", "g")
        self.assertEqual(Terminal(self, "replay", "g", TERM="dumb").ends(), (0, plain.replace("\n", "\r\n")))


class ALargeBoard(ScreenTest):
    """A part of it is visible, and signs show what is outside."""

    def setUp(self):
        super().setUp()
        self.snl("new", "Ann", "Bob", "Cem Öz", "--size", "30", "--snake", "877,112", "--snake", "64,41", "--ladder", "5,300",
                 "--ladder", "40,70", "--seed", "6", "--id", "large")
        self.snl("play", "large", "-", input="Ann 4\nBob 6-2\nCem Öz 1\nAnn 3\n")
        self.snl("roll", "large", "-n", "60")

    def test_looks_as_it_should(self):
        for columns, rows in ((80, 24), (120, 40)):
            window = self.window("replay", "large", "--step", columns=columns, rows=rows)
            window.until(at(0))
            window.type("5")
            window.until(at(32))
            window.assert_golden(f"player_large_{columns}x{rows}.txt")


class PowersOnTheBoard(ScreenTest):
    def test_look_as_they_should(self):
        self.snl("new", "Ann", "Bob", "Cy", "--board", "party", "--seed", "7", "--id", "party")
        self.snl("roll", "party", "-n", "12")
        window = self.window("replay", "party", "--step", columns=120, rows=40)
        window.until("0/12")
        window.type("G")
        window.until("12/12")
        window.until("142,236,648")  # three players are too many here for exact odds
        window.assert_golden("player_party.txt")


class ALongGame(ScreenTest):
    def test_is_gone_through_like_any_other(self):
        self.snl("new", "Ann", "Bob", "--cells", "5000", "--seed", "1", "--id", "long")
        self.snl("roll", "long", "-n", "2000")
        window = self.window("replay", "long", "--step", columns=100, rows=30)
        window.until("0/2000")
        for keys, turn in [("G", 2000), ("5", 1000), (":1234\r", 1234), ("h", 1233)]:
            window.type(keys)
            window.until(f"{turn}/2000")


class TheTerminal(ScreenTest):
    """It is given back as it was, however the program ends."""

    def setUp(self):
        super().setUp()
        self.play_out()

    def test_is_given_back_by_whatever_key_it_is_left(self):
        for key, code in [("q", 0), ("Escape", 0), ("C-c", 130)]:
            with self.subTest(key):
                window = self.window("replay", "g", "--step")
                window.until(at(0))
                window.keys(key)
                self.assert_over(window, code)

    def test_is_given_back_when_a_signal_ends_the_program(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT, signal.SIGABRT, signal.SIGSEGV):
            with self.subTest(number):
                window = Window(self)
                window.line("ulimit -c 0; stty -a >before; " + f"{snl.PROGRAM} replay g --step; echo $? >code; stty -a >after")
                window.until(at(0))
                for process in window.processes():
                    os.kill(process, number)
                until(self, lambda: (self.folder / "after").exists(), bool)
                code = until(self, (self.folder / "code").read_text, bool)
                self.assertEqual(int(code), 130 if number == signal.SIGINT else 128 + number)
                after = until(self, (self.folder / "after").read_text, bool)
                self.assertEqual((self.folder / "before").read_text(), after)
                for name in ("before", "after", "code"):
                    (self.folder / name).unlink()
                self.assertNotIn("Chances", window.until("$"))

    def test_is_given_back_by_a_table_and_a_watch_too(self):
        self.snl("new", "Ann", "Bob", "--board", "class", "--id", "table")
        for args, shown in [(("play", "table"), "to roll:"), (("watch", "g"), "over")]:
            with self.subTest(args):
                window = Window(self)
                window.line("stty -a >before")
                window.run(*args)
                window.until(shown)
                window.resize(100, 30)
                window.until(lambda screen: shown in screen and len(screen.rstrip("\n").splitlines()) == 30)
                for times, end in enumerate(("suspended", "ended")):
                    if end == "suspended":
                        window.keys("C-z")
                        window.until("Stopped")
                    else:
                        window.line("fg")
                        window.until(shown)
                        os.kill(window.processes()[-1], signal.SIGTERM)
                        window.until("Terminated")
                    # The screen before the program is back, with what stood there: each time has a word of its own.
                    window.line(f"clear; stty -a >after; echo do''ne {times}")
                    self.assertNotIn(shown, window.until(f"done {times}\n"))
                    before, after = ((self.folder / name).read_text() for name in ("before", "after"))
                    # The first line tells of the size.
                    self.assertEqual(before.partition("\n")[2], after.partition("\n")[2])

    def test_is_given_back_while_the_program_is_suspended(self):
        window = Window(self)
        window.line("stty -a >before")
        window.run("replay", "g", "--step")
        window.until(at(0))
        window.type("5")
        window.until(at(26))
        for times, how in enumerate(("key", "signal")):
            if how == "key":
                window.keys("C-z")
            else:
                os.kill(window.processes()[-1], signal.SIGTSTP)
            self.assertNotIn("Chances", window.until("Stopped"))
            # The screen before the program is back, with what stood there: each time has a word of its own.
            window.line(f"clear; stty -a >after; echo do''ne {times}")
            window.until(f"done {times}\n")
            self.assertEqual((self.folder / "before").read_text(), (self.folder / "after").read_text())
            window.line("fg")
            window.until(at(26))
        window.keys("l")
        window.until(at(27))
        window.keys("q")
        self.assert_over(window)

    def test_is_taken_again_by_a_program_that_was_stopped_and_goes_on(self):
        window = Window(self)
        window.line(f"while sleep 60; do :; done & {snl.PROGRAM} replay g --step")
        window.until(at(0))
        process = window.processes()[-1]
        os.kill(process, signal.SIGSTOP)
        window.until("Stopped")
        window.line("fg %2")
        window.until(at(0))
        window.type("l")
        window.until(at(1))
        window.keys("q")
        self.assert_over(window)

    def test_has_its_mouse_only_while_the_screen_is_on(self):
        on, off = ("\x1b[?1002h\x1b[?1006h", "\x1b[?1006l\x1b[?1002l")
        for end in ("q", "\x03", signal.SIGTERM, signal.SIGSEGV):
            with self.subTest(end):
                terminal = Terminal(self, "replay", "g", "--step")
                terminal.until("quits")
                self.assertEqual(terminal.seen.count(on), 1)
                self.assertNotIn(off, terminal.seen)
                if isinstance(end, str):
                    terminal.type(end)
                else:
                    terminal.process.send_signal(end)
                _, rest = terminal.ends()
                said = terminal.seen + rest
                self.assertEqual(said.count(off), 1)
                self.assertLess(said.rindex(on), said.rindex(off))
        # Suspended it is off, and on again afterwards: at once where no shell is there to continue it.
        terminal = Terminal(self, "replay", "g", "--step")
        terminal.until("quits")
        os.kill(terminal.process.pid, signal.SIGTSTP)
        before, after = terminal.until(off).split(off, 1)
        self.assertNotIn(on, before)
        os.kill(terminal.process.pid, signal.SIGCONT)
        if on not in after:
            terminal.until(on)
        terminal.type("q")
        self.assertIn(off, terminal.ends()[1])

    def test_has_no_colour_where_that_is_unwanted(self):
        for options, env in [((), {"NO_COLOR": "1"}), (("--color=never",), {})]:
            terminal = Terminal(self, "replay", "g", "--step", *options, **env)
            terminal.until("quits")
            terminal.type("q")
            self.assertEqual(terminal.ends()[0], 0)
            self.assertNotRegex(terminal.seen, "\x1b\\[[0-9;]*[1-9][0-9;]*m")
            self.assertTrue(terminal.has_its_modes_back())
        terminal = Terminal(self, "replay", "g", "--step")
        terminal.until("\x1b[0;1;3")
        terminal.type("q")
        self.assertEqual(terminal.ends()[0], 0)

    def test_is_in_no_name_s_power(self):
        names = ["\u202eevil", "wide 龍龍龍", "e\u0301\u0301", "A" * 200]
        self.snl("new", *names, "--board", "class", "--seed", "1", "--id", "x")
        self.snl("roll", "x", "-n", "8")
        terminal = Terminal(self, "replay", "x", "--step")
        terminal.until("quits")
        terminal.type("G")
        terminal.until("\x1b[?2026l")
        terminal.type("q")
        self.assertEqual(terminal.ends()[0], 0)
        self.assertIn("\\u202eevil", terminal.seen)
        self.assertNotIn("\u202e", terminal.seen)
        window = self.window("replay", "x", "--step", "--to", "4", columns=120)
        window.type("G")
        window.until(at(4))
        window.assert_golden("player_names.txt")


class ATable(ScreenTest):
    def sit(self, game="g", **options):
        window = self.window("play", game, **options)
        window.until("to roll:")
        return window

    def test_asks_the_player_to_move(self):
        window = self.sit()
        window.until("1. Ann (on 1) to roll:")
        window.assert_golden("table.txt")

    def test_rolls_the_dice_of_the_seed(self):
        self.snl("new", "Ann", "Bob", "Cem Öz", "--board", "class", "--seed", "42", "--id", "twin")
        window = self.sit()
        for key, turn in [("Enter", 2), ("Space", 3), ("Enter", 4)]:
            window.keys(key)
            window.until(f"\n{turn}. ")
        self.snl("roll", "twin", "-n", "3")
        self.assertEqual(self.snl("replay", "g"), self.snl("replay", "twin"))

    def test_takes_dice_that_are_typed(self):
        window = self.sit()
        window.type("9")
        window.keys("BSpace")
        window.type("2\r")
        window.until("2. Bob (on 1) to roll:")
        window.until("1. Ann rolls 2: 1 → 22, up the ladder 3 → 22")
        window.type("6 6 1")
        window.until("to roll: 6 6 1")
        window.keys("Enter")
        window.until("2. Bob rolls 6-6-1: 1 → 14")
        window.type("6-3\r")
        window.until("3. Cem Öz rolls 6-3: 1 → 10")
        self.assertEqual([turn["rolled"] for turn in self.json_lines("replay", "g")], [False, False, False])

    def test_explains_what_it_does_not_take(self):
        window = self.sit()
        for wrong in ("7\r", "6-6-6-6\r", "1 2\r", "99999999999999999999\r", "--\r", "6-\r", "0\r"):
            window.type(wrong)
            said = window.until(lambda screen: "a turn is" in screen and "6-6-1" in screen)
            self.assertIn("dice", " ".join(said.splitlines()[-2:]))
            window.keys("f", "f")
        self.assertEqual(self.version("g"), 1)

    def test_undoes_and_redoes(self):
        window = self.sit()
        for key, verb in (("u", "undo"), ("r", "redo")):
            window.type(key)
            window.until(f"nothing to {verb}: game g is at turn 0; see snl log g")
        window.type("2\r")
        window.until("2. Bob (on 1) to roll:")
        window.type("u")
        window.until("1. Ann's turn is undone: 22 → 1")
        window.until("1. Ann (on 1) to roll:")
        self.assertEqual(self.show("g")["turn"], 0)
        window.type("r")
        window.until("2. Bob (on 1) to roll:")
        self.assertEqual(self.version("g"), 4)

    def test_looks_back_and_returns(self):
        self.snl("roll", "g", "-n", "5")
        window = self.sit()
        window.keys("Left", "Left")
        window.until("Looking back at turn 3")
        window.keys("Enter")
        window.until("6. Cem Öz")
        self.assertEqual(self.show("g")["turn"], 5)

    def test_does_nothing_to_a_turn_that_is_not_seen(self):
        self.snl("roll", "g", "-n", "5")
        window = self.sit()
        window.keys("Left", "Left")
        screen = window.until("Looking back at turn 3")
        self.assertIn("Enter returns", screen)
        self.assertNotIn("Enter rolls", screen)
        window.type("u")
        window.until("Back at the game: u takes this turn back")
        self.assertEqual(self.show("g")["turn"], 5)
        window.keys("Left")
        window.until("Looking back at turn 4")
        window.type("3")
        window.until("to roll: 3")
        window.keys("Enter")
        window.until("7. ")
        self.assertEqual(self.json_lines("replay", "g")[5]["dice"][0], 3)

    def test_says_in_a_small_window_how_to_leave_it(self):
        window = self.sit()
        window.resize(40, 10)
        screen = window.until("q leaves")
        self.assertIn("? keys", screen)

    def test_says_who_has_won_and_takes_back_the_win(self):
        self.snl("new", "Ann", "Bob", "--cells", "4", "--id", "short")
        window = self.sit("short")
        window.type("3\r")
        window.until("Ann has won.")
        window.keys("Enter")
        window.until("u takes the turn back")
        window.type("u")
        window.until("1. Ann (on 1) to roll:")
        window.type("3\r")
        window.until("Ann has won.")
        window.keys("q")
        self.assert_over(window)
        self.assertEqual(self.show("short")["winner"], "Ann")

    def test_says_of_a_store_that_was_moved_nothing_about_an_earlier_turn(self):
        window = self.sit()
        window.keys("Enter")
        window.until("2. Bob (on ")
        self.store.rename(self.folder / "moved.db")
        window.keys("Enter")
        unbroken = lambda screen: "".join(screen.split())
        screen = window.until(lambda screen: "filewasmoved" in unbroken(screen))
        self.assertNotIn("isrecorded", unbroken(screen))
        self.assert_over(window, 1)

    def test_leaves_a_game_that_can_be_resumed(self):
        window = self.sit()
        window.type("2\r")
        window.until("2. Bob")
        window.type("q")
        window.until("Game g is kept; go on with: snl play g")
        self.assert_over(window)
        self.assertEqual(self.show("g")["turn"], 1)
        window.run("play", "g")
        window.until("2. Bob (on 1) to roll:")
        window.keys("C-c")
        self.assert_over(window, 130)
        self.assert_sound()

    def test_shows_what_another_process_plays_and_goes_on_from_there(self):
        window = self.sit()
        self.snl("play", "g", "Ann", "2")
        window.until("2. Bob (on 1) to roll:")
        window.type("4\r")
        window.until("3. Cem Öz (on 1) to roll:")
        self.assertEqual(self.show("g")["turn"], 2)

    def test_drops_dice_that_were_typed_for_somebody_else(self):
        window = self.sit()
        window.type("6-")
        window.until("to roll: 6-")
        self.snl("play", "g", "Ann", "2")
        screen = window.until("Somebody else has moved; the dice that you had typed are dropped")
        self.assertIn("2. Bob (on 1) to roll:\n", screen)
        window.type("6")
        window.until("to roll: 6")
        self.snl("undo", "g")
        window.until("1. Ann's turn is undone: 22 → 1; the dice that you had typed are dropped")
        window.keys("Enter")
        window.until("nothing was done: what you had typed was for another turn")
        window.keys("Enter")
        window.until("2. Bob")
        self.assertTrue(self.json_lines("replay", "g")[0]["rolled"])

    def test_takes_no_key_from_before_its_answer(self):
        window = self.sit()
        window.type("\r\r\r2\r")
        window.until("2. Bob (on ")
        window.type("4\r")
        window.until("3. Cem Öz (on 1) to roll:")
        self.assertEqual(self.show("g")["turn"], 2)

    def test_needs_a_screen(self):
        self.refused(2, "terminal", "play", "g")
        self.refused(2, "terminal", "play", "g", input="q\n")
        self.refused(3, "nothing", "play", "nothing", "A", "3")
        for term in ("dumb", None):
            terminal = Terminal(self, "play", "g", TERM=term)
            code, said = terminal.ends()
            self.assertEqual(code, 2)
            self.assertIn("needs a terminal", said)

    def test_is_not_for_a_game_that_is_not_there(self):
        terminal = Terminal(self, "play", "nothing")
        terminal.until("nothing")
        self.assertEqual(terminal.ends()[0], 3)


class AWatch(ScreenTest):
    def test_follows_a_game_that_others_play(self):
        window = self.window("watch", "g")
        window.until("live")
        self.snl("play", "g", "Ann", "2")
        window.until(lambda screen: "1. Ann rolls 2: 1 → 22" in screen and at(1)(screen))
        self.snl("undo", "g")
        window.until("1. Ann's turn is undone: 22 → 1")
        window.until(lambda screen: re.search(r"0/0$", screen, re.MULTILINE))
        self.snl("roll", "g", "-n", "20")
        window.until(at(20))
        window.type("h")
        window.until(lambda screen: "held" in screen and at(19)(screen))
        self.snl("roll", "g", "-n", "1")
        window.until(lambda screen: re.search(r"19/21$", screen, re.MULTILINE))
        window.type("G")
        window.until(lambda screen: "live" in screen and at(21)(screen))
        window.type(" ")
        window.until("held")
        self.snl("undo", "g", "-n", "3")
        window.until(lambda screen: "Turns 19 to 21 are undone" in screen and "held" in screen and at(18)(screen))
        self.snl("redo", "g")
        window.until("19. Ann's turn is redone: ")
        window.type("G")
        window.until("live")
        self.snl("roll", "g", "--all")
        window.until(lambda screen: "■ over" in screen and "space" not in screen)
        window.type("q")
        self.assert_over(window)

    def test_says_when_it_is_behind_and_catches_up(self):
        window = self.window("watch", "g")
        window.until("live")
        window.type("----")  # so that it stays behind for a while
        window.until("1/16×")
        self.snl("roll", "g", "-n", "12")
        window.until(lambda screen: re.search(r"▶ \d+ behind ", screen))
        window.type("++++")
        window.until(lambda screen: "live" in screen and at(12)(screen))
        window.keys("q")
        self.assert_over(window)

    def test_prints_lines_where_there_is_no_screen_until_the_game_is_completed(self):
        self.snl("roll", "g", "-n", "2")
        watch = self.popen("watch", "g", stdout=-1)
        self.addCleanup(watch.stdout.close)
        self.addCleanup(watch.wait)
        self.addCleanup(watch.kill)
        first = [watch.stdout.readline() for _ in range(2)]
        self.snl("roll", "g")
        first.append(watch.stdout.readline())
        self.snl("undo", "g")
        self.assertRegex(watch.stdout.readline().decode(), r"3\. Cem Öz's turn is undone: ")
        self.snl("redo", "g")
        self.assertRegex(watch.stdout.readline().decode(), r"3\. Cem Öz's turn is redone: ")
        self.snl("roll", "g", "--all")
        rest = watch.stdout.read()
        self.assertEqual(watch.wait(snl.PATIENCE), 0)
        self.assertEqual((b"".join(first) + rest).decode(), self.snl("replay", "g"))

    def test_tells_a_completed_game_and_ends(self):
        self.play_out()
        self.assertEqual(self.snl("watch", "g"), self.snl("replay", "g"))
        self.assertEqual(self.snl("watch", "g", "--json"), self.snl("replay", "g", "--json"))

    def test_tells_in_json_what_was_taken_back(self):
        self.snl("new", "Ann", "Bob", "--cells", "4", "--id", "short")
        self.snl("play", "short", "Ann", "1")
        self.snl("undo", "short")
        self.snl("redo", "short")
        self.snl("play", "short", "Bob", "3")
        turns = self.json_lines("watch", "short")
        self.assertEqual([turn["turn"] for turn in turns], [1, 1, 1, 2])
        self.assertEqual([turn.get("undone") for turn in turns], [None, True, None, None])

    def test_is_ended_by_an_interrupt(self):
        watch = self.popen("watch", "g", stdout=-1)
        self.addCleanup(watch.stdout.close)
        self.snl("roll", "g")
        self.assertTrue(watch.stdout.readline())
        watch.send_signal(signal.SIGINT)
        self.assertEqual(watch.wait(snl.PATIENCE), 130)

    def test_is_not_for_a_game_that_is_not_there(self):
        self.refused(3, "nothing", "watch", "nothing")


if __name__ == "__main__":
    snl.main()
