"""Views of recorded games: show --at, replay, log. A resumed game equals the uninterrupted one."""

import json
import random
import re
import signal
import subprocess

import snl

POSITION = ("status", "turn", "players", "next", "winner")


def position_of(shown):
    return {field: shown[field] for field in POSITION}


class AGameWithUndos(snl.CommandLineTest):
    """Games of random turns, undos and redos, from seeds; each is played a process at a time."""

    BOARD = ("--cells", "40", "--snake", "33,5", "--snake", "20,2", "--ladder", "4,30", "--ladder", "9,17")

    def play_random_game(self, seed, steps=18):
        """Plays; returns the output of `show` at each turn when it was last in force."""
        chance = random.Random(seed)
        game = f"seed-{seed}"
        self.snl("new", "Ann", "Bob", "Cem", *self.BOARD, "--seed", seed, "--id", game)
        live = {0: position_of(self.show(game))}
        for _ in range(steps):
            shown = self.show(game)
            turn = shown["turn"]
            chosen = chance.random()
            if chosen < 0.2 and turn > 0:
                self.snl("undo", game, "-n", chance.randint(1, min(turn, 3)))
            elif chosen < 0.3:
                self.run_snl("redo", game)  # refused where there is nothing
            elif shown["winner"]:
                break
            elif chosen < 0.6:
                dice = chance.choice(["1", "5", "6-2", "6-6-6", "6-6-4"])
                self.snl("play", game, shown["next"], dice)
            else:
                self.snl("roll", game)
            after = self.show(game)
            live[after["turn"]] = position_of(after)
        return game, live

    def test_shows_each_turn_as_it_was_when_it_was_live(self):
        for seed in (1, 2, 3, 4):
            with self.subTest(seed=seed):
                game, live = self.play_random_game(seed)
                today = self.show(game)
                for turn in range(today["turn"] + 1):
                    shown = self.show(game, "--at", turn)
                    self.assertEqual(position_of(shown), live[turn], f"turn {turn}")
                    self.assertEqual((shown["version"], shown["head"]), (today["version"], today["head"]))
                self.assertEqual(self.show(game, "--at", today["turn"]), today)
                self.refused(2, str(today["turn"] + 1), "show", game, "--at", today["turn"] + 1)
        self.assert_sound()

    def test_branches_from_each_turn_at_that_position(self):
        game, live = self.play_random_game(5)
        for turn in range(self.show(game)["turn"] + 1):
            branch = self.json("branch", game, "--at", turn, "--id", f"b{turn}")
            self.assertEqual(position_of(branch), live[turn])
            self.assertEqual(branch["version"], 1)
            self.assertEqual(position_of(self.show(f"b{turn}", "--at", turn)), live[turn])
        self.assert_sound()

    def test_replays_what_is_in_force_and_what_was_undone(self):
        game, _ = self.play_random_game(6, steps=24)
        in_force = self.json_lines("replay", game)
        self.assertEqual([t["turn"] for t in in_force], list(range(1, self.show(game)["turn"] + 1)))
        recorded = self.json_lines("replay", game, "--undone")
        self.assertEqual([t for t in recorded if not t.get("undone")], in_force)
        self.assertTrue(all(t.get("undone", True) is True for t in recorded))
        played = [event["played"] for commit in self.json_lines("log", game)
                  for event in commit["events"] if "played" in event]
        self.assertEqual([(t["turn"], t["dice"]) for t in recorded], [(p[1], p[3]) for p in played])


class AGameResumed(snl.CommandLineTest):
    def test_at_every_turn_by_a_new_process_ends_as_the_unbroken_one(self):
        for seed in (7, 8):
            new = ("new", "Ann", "Bob", "--board", "geeks30", "--seed", seed, "--id")
            self.snl(*new, f"whole-{seed}")
            unbroken = self.snl("roll", f"whole-{seed}", "--all")
            self.snl(*new, f"resumed-{seed}")
            resumed = ""
            while not resumed.endswith("\tWIN\n"):
                resumed += self.snl("roll", f"resumed-{seed}")
            self.assertEqual(resumed, unbroken)
            self.assertEqual(self.snl("replay", f"resumed-{seed}"), self.snl("replay", f"whole-{seed}"))
            whole, again = self.show(f"whole-{seed}"), self.show(f"resumed-{seed}")
            self.assertEqual((position_of(again), again["version"]), (position_of(whole), whole["version"]))
        self.assert_sound()


class AReplay(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.snl("new", "Ann", "Bob", "--board", "class", "--id", "g")
        self.snl("play", "g", "-", input="Ann 2\nBob 6-6-4\nAnn 6-6-6\nBob 5\n")

    def test_is_plain_lines(self):
        self.assertEqual(
            self.snl("replay", "g"),
            "1. Ann rolls 2: 1 → 22, up the ladder 3 → 22\n"
            "2. Bob rolls 6-6-4: 1 → 7, down the snake 17 → 7\n"
            "3. Ann rolls 6-6-6: 22 → 22, three sixes, stays\n"
            "4. Bob rolls 5: 7 → 12\n")

    def test_is_ascii_where_the_locale_is(self):
        for env in ({"LC_ALL": "C"}, {"LC_ALL": None}, {"LC_ALL": "POSIX", "LANG": "en_US.UTF-8"},
                    {"LC_ALL": None, "LC_CTYPE": "C", "LANG": "C.UTF-8"}):
            self.assertIn("1. Ann rolls 2: 1 -> 22, up the ladder 3 -> 22\n", self.snl("replay", "g", env=env))
        for env in ({"LC_ALL": "", "LANG": "en_GB.UTF-8"}, {"LC_ALL": None, "LC_CTYPE": "de_DE.utf8", "LANG": "C"}):
            self.assertIn("1 → 22", self.snl("replay", "g", env=env))

    def test_tells_of_a_stay_a_bounce_and_a_win(self):
        self.snl("new", "A", "B", "--cells", "10", "--id", "s")
        self.snl("play", "s", "-", input="A 5\nB 1\nA 5\nB 1\nA 4\n")
        self.assertEqual(self.snl("replay", "s").splitlines()[2:],
                         ["3. A rolls 5: 6 → 6, overshoots, stays", "4. B rolls 1: 2 → 3", "5. A rolls 4: 6 → 10, wins"])
        self.snl("new", "A", "B", "--cells", "10", "--finish", "bounce", "--snake", "8,3", "--id", "b")
        self.snl("play", "b", "-", input="A 5\nB 1\nA 6\n")
        self.assertRegex(self.snl("replay", "b").splitlines()[2],
                         r"^3\. A rolls 6: 6 → 3, .*back.* 8, down the snake 8 → 3$")
        self.snl("new", "A", "B", "--cells", "10", "--ladder", "4,10", "--id", "l")
        self.snl("play", "l", "A", "3")
        self.assertEqual(self.snl("replay", "l"), "1. A rolls 3: 1 → 10, up the ladder 4 → 10, wins\n")

    def test_can_be_of_some_turns(self):
        self.assertEqual(self.snl("replay", "g", "--from", "2", "--to", "3").count("\n"), 2)
        self.assertEqual(self.snl("replay", "g", "--from", "4").count("\n"), 1)
        self.assertEqual(self.snl("replay", "g", "--to", "1").count("\n"), 1)
        self.assertEqual(self.snl("replay", "g", "--to", "0"), "")
        self.assertEqual([t["turn"] for t in self.json_lines("replay", "g", "--from", "2", "--to", "3")], [2, 3])
        self.refused(2, r"\b5\b", "replay", "g", "--to", "5")
        self.refused(2, r"\b5\b", "replay", "g", "--from", "5")
        self.refused(2, "-1", "replay", "g", "--from", "-1")

    def test_is_the_same_whatever_is_said_about_animation(self):
        plain = self.snl("replay", "g")
        for options in (("--speed", "4"), ("--step",), ("--loop",), ("--speed", "0.5", "--loop", "--step")):
            self.assertEqual(self.snl("replay", "g", *options), plain)
        self.refused(2, "speed", "replay", "g", "--speed", "0")
        self.refused(2, "speed", "replay", "g", "--speed", "fast")

    def test_of_a_branch_counts_on_from_its_turn(self):
        self.snl("branch", "g", "--at", "2", "--id", "b")
        self.assertEqual(self.snl("replay", "b"), "")
        self.snl("play", "b", "-", input="Ann 1\nBob 1\n")
        self.assertEqual(self.snl("replay", "b"), "3. Ann rolls 1: 22 → 23\n4. Bob rolls 1: 7 → 8\n")
        self.refused(2, r"\b1\b", "show", "b", "--at", "1")
        self.assertEqual(self.show("b", "--at", "2")["turn"], 2)

    def test_shows_what_was_undone(self):
        self.snl("undo", "g", "-n", "2")
        self.snl("play", "g", "Ann", "1")
        turns = self.json_lines("replay", "g", "--undone")
        self.assertEqual([(t["turn"], t.get("undone")) for t in turns],
                         [(1, None), (2, None), (3, True), (4, True), (3, None)])
        self.assertEqual(self.snl("replay", "g", "--undone").count("undone"), 2)
        self.assertEqual(self.snl("replay", "g", "--undone", "--from", "3").count("\n"), 3)


class AGameThatIsWatched(snl.CommandLineTest):
    """Without a terminal."""

    def test_is_told_to_its_last_win(self):
        self.snl("new", "Ann", "Bob", "--board", "class", "--seed", "3", "--id", "g")
        self.snl("roll", "g", "--all")
        self.snl("undo", "g", "--to", "5")
        self.snl("roll", "g", "--all")
        lines = self.snl("watch", "g").splitlines()
        told = self.snl("replay", "g").splitlines()
        self.assertEqual(len([line for line in lines if line.endswith("wins")]), 2)
        self.assertEqual(lines[-len(told) + 5:], told[5:])

    def test_is_followed_after_a_win_that_was_undone(self):
        self.snl("new", "Ann", "Bob", "--cells", "10", "--id", "g")
        self.snl("play", "g", "-", input="Ann 5\nBob 5\nAnn 4\n")
        self.snl("undo", "g")
        process = self.popen("watch", "g", "--json", stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        told = [json.loads(process.stdout.readline()) for _ in range(4)]
        self.assertEqual([turn["outcome"] for turn in told], ["moved", "moved", "won", "won"])
        self.assertTrue(told[3]["undone"])
        self.snl("play", "g", "Ann", "4")
        self.assertEqual(json.loads(process.stdout.readline())["outcome"], "won")
        self.assertEqual(process.wait(snl.PATIENCE), 0)


    def test_ends_with_its_last_reader_though_nobody_plays(self):
        self.snl("new", "Ann", "Bob", "--id", "g")
        self.snl("roll", "g")
        for command in (("watch", "g"), ("log", "g", "--follow")):
            with self.subTest(command), self.popen(*command, stdout=subprocess.PIPE) as process:
                self.addCleanup(process.kill)
                self.assertTrue(process.stdout.readline())
                process.stdout.close()
                self.assertEqual(process.wait(snl.PATIENCE), -signal.SIGPIPE)


class ABranch(snl.CommandLineTest):
    def test_records_where_it_came_from(self):
        self.snl("new", "Ann", "Bob", "--seed", "9", "--board", "class", "--id", "g")
        self.snl("roll", "g", "-n", "4")
        head = self.show("g")["head"]
        self.assertEqual(self.snl("branch", "g", "--at", "3", "--id", "b"), "b\n")
        start = self.json_lines("log", "b")[0]["events"][0]["started"]
        origin = start[-1]
        self.assertEqual(origin[:3], ["g", 3, head])
        first = self.json_lines("log", "g")[0]["events"][0]["started"]
        self.assertEqual(start[:-1], first[:-1])  # players, board, rules, seed

    def test_can_be_made_of_a_completed_game_and_of_a_branch(self):
        self.snl("new", "Ann", "Bob", "--cells", "4", "--id", "g")
        self.snl("play", "g", "-", input="Ann 1\nBob 1\nAnn 2\n")
        self.snl("branch", "g", "--at", "2", "--id", "b")
        self.assertEqual(self.snl("play", "b", "Ann", "1"), "Ann,3,Bob,CONTINUE\n")
        self.snl("branch", "b", "--at", "3", "--id", "c")
        self.assertEqual(self.snl("play", "c", "Bob", "2"), "WIN\n")
        self.snl("branch", "g", "--at", "3", "--id", "won")
        self.assertEqual(self.show("won")["winner"], "Ann")
        self.refused(6, "snl: ", "play", "won", "Bob", "1", out="GAME COMPLETED\n")
        self.refused(6, "turn", "undo", "won")
        self.assert_sound()

    def test_has_a_made_up_id_unless_one_is_given(self):
        self.snl("new", "--board", "empty", "Ann", "Bob", "--id", "g")
        self.assertRegex(self.snl("branch", "g", "--at", "0"), r"\A[a-z0-9]{4,12}\n\Z")

    def test_needs_a_turn_that_is_in_force(self):
        self.snl("new", "--board", "empty", "Ann", "Bob", "--id", "g")
        self.snl("roll", "g", "-n", "3")
        self.snl("undo", "g")
        self.refused(2, r"\b3\b", "branch", "g", "--at", "3")
        self.refused(2, "at", "branch", "g")
        self.refused(2, "-1", "branch", "g", "--at", "-1")


class TheLog(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.snl("new", "--board", "empty", "Ann", "Bob", "--id", "g", "--seed", "1")
        self.snl("new", "--board", "empty", "Cem", "Dee", "--id", "h", "--seed", "2")
        self.snl("roll", "g", "-n", "2")
        self.snl("roll", "h")
        self.snl("undo", "g", "-n", "2", "--command-id", "u")

    def test_of_the_store_is_in_recorded_order(self):
        lines = self.json_lines("log")
        self.assertEqual([line["position"] for line in lines], [1, 2, 3, 4, 5, 6])
        self.assertEqual([(line["game"], line["version"]) for line in lines],
                         [("g", 1), ("h", 1), ("g", 2), ("g", 3), ("h", 2), ("g", 4)])

    def test_of_a_game_is_a_part_of_it(self):
        self.assertEqual(self.json_lines("log", "g"), [l for l in self.json_lines("log") if l["game"] == "g"])
        self.assertEqual([l["version"] for l in self.json_lines("log", "g")], [1, 2, 3, 4])

    def test_has_a_command_with_all_its_events(self):
        last = self.json_lines("log", "g")[-1]
        self.assertEqual(last["command"], {"undo": [1, 2], "id": "u"})
        self.assertEqual([list(e) for e in last["events"]], [["undone"], ["undone"]])
        self.assertRegex(last["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")

    def test_is_a_line_an_event_for_people(self):
        lines = self.snl("log").splitlines()
        self.assertEqual(len(lines), 7)  # an undo of two turns is two events
        self.assertRegex(lines[0], r"g v1: .*Ann, Bob")
        self.assertRegex(lines[2], r"g v2: 1\. Ann rolls")

    def test_leaves_no_control_characters_of_names_to_a_terminal(self):
        self.snl("new", "--board", "empty", "\u202eevil", "\u2028line", "--id", "x")
        self.snl("roll", "x", "-n", "2")
        for command in (("log",), ("list",), ("replay", "x"), ("show", "x"), ("log", "x")):
            out = self.snl(*command)
            self.assertIsNone(re.search("[\u202a-\u202e\u2066-\u2069\u2028\x00-\x09\x0b-\x1f\x7f-\x9f]", out), command)


class ThePicture(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.run_snl("new", "Ann", "Bob", "--board", "milton-bradley", "--id", "g", "--seed", "3")
        self.snl("roll", "g", "-n", "5")

    def test_fits_on_80_columns(self):
        for env in ({}, {"LC_ALL": "C"}):
            for line in self.snl("show", "g", env=env).splitlines():
                self.assertLessEqual(len(line), 80, line)

    def test_is_ascii_where_the_locale_is(self):
        self.assertTrue(self.snl("show", "g", env={"LC_ALL": "C"}).isascii())
        self.assertFalse(self.snl("show", "g").isascii())
        self.assertTrue(self.snl("board", "show", "class", env={"LC_ALL": "C"}).isascii())

    def test_has_colour_only_when_it_is_asked_for(self):
        escape = "\x1b["
        self.assertNotIn(escape, self.snl("show", "g"))
        self.assertNotIn(escape, self.snl("show", "g", "--color", "never"))
        self.assertIn(escape, self.snl("show", "g", "--color=always"))
        self.assertIn(escape, self.snl("--color", "always", "show", "g"))
        self.assertNotIn(escape, self.snl("show", "g", "--json", "--color=always"))
        self.refused(2, "sometimes", "show", "g", "--color", "sometimes")

    def test_of_a_turn_says_which(self):
        self.assertIn("turn 2", self.snl("show", "g", "--at", "2"))
        self.assertEqual(self.snl("show", "g", "--at", "5"), self.snl("show", "g"))


if __name__ == "__main__":
    snl.main()
