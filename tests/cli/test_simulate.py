"""`snl simulate`: what it counts, its games played again, saving them, stopping it, its progress bar."""

import contextlib
import os
import pathlib
import re
import resource
import select
import signal
import subprocess

import snl
from terminal import pseudo_terminal

NEVER = ("--cells", "30", "--snake", "10,2", "--snake", "11,2", "--snake", "12,2", "--snake", "13,2",
         "--snake", "14,2", "--snake", "15,2", "--sixes", "plain")
MILTON_BRADLEY = ("--board", "milton-bradley")


class ASimulation(snl.CommandLineTest):
    def test_plays_one_player_alone(self):
        result = self.json("simulate", *MILTON_BRADLEY, "--games", "20000", "--players", "1", "--seed", "1")
        self.assertEqual((result["players"], result["wins"]), (1, [20000]))
        self.assertAlmostEqual(result["turns"]["mean"], 39.2251, delta=5 * 25.225 / 20000 ** 0.5)
        powers = self.json("simulate", "--board", "party", "--games", "20000", "--players", "1", "--seed", "1")
        exact = self.json("board", "analyze", "party", "--players", "1")
        self.assertAlmostEqual(powers["turns"]["mean"], exact["expected_turns"],
                               delta=5 * exact["stddev_turns"] / 20000 ** 0.5)
        self.assertIn("of 1 player, seed", self.snl("simulate", *MILTON_BRADLEY, "--games", "10", "--players", "1"))
        refused = self.run_snl("simulate", *MILTON_BRADLEY, "--games", "10", "--players", "1", "--save")
        self.assertEqual(refused.code, 2)
        self.assertIn("a recorded game has 2 to 10 players", refused.err)

    def test_names_the_quantiles_that_are_asked_for(self):
        command = ("simulate", *MILTON_BRADLEY, "--games", "2000", "--seed", "1")
        usual = self.json(*command)["turns"]["quantiles"]
        asked = self.json(*command, "--quantiles", "0.25,0.9,0.5")["turns"]["quantiles"]
        self.assertEqual(list(asked), ["0.25", "0.9", "0.5"])
        self.assertEqual((asked["0.25"], asked["0.5"]), (usual["0.25"], usual["0.5"]))
        self.assertIn(f"90% of the games end by turn {asked['0.9']}, half by {asked['0.5']}\n",
                      self.snl(*command, "--quantiles", "0.9,0.5"))

    def test_is_the_same_for_the_same_seed_whatever_the_threads(self):
        run = ("simulate", *MILTON_BRADLEY, "--games", "20000", "--seed", "42")
        expected = self.json(*run, "--threads", "1")
        for threads in (2, 7):
            self.assertEqual(self.json(*run, "--threads", threads), expected)
        self.assertEqual(self.json(*run), expected)
        self.assertNotEqual(self.json(*run[:-1], "43"), expected)

    def test_keeps_its_fields_in_their_order(self):
        story = snl.Transcript(self)
        story.run("simulate", "--board", "geeks30", "--games", "50", "--seed", "1", "--players", "3", "--json")
        story.run("simulate", *NEVER, "--games", "3", "--seed", "1", "--max-turns", "10", "--json")
        self.assert_golden("simulate_json.txt", story.text())

    def test_tells_a_person_the_same(self):
        story = snl.Transcript(self)
        story.run("simulate", *MILTON_BRADLEY, "--games", "100000", "--seed", "42")
        story.run("simulate", "--board", "class", "--games", "1000", "--seed", "1", "--players", "4", "--max-turns", "100")
        story.run("simulate", *NEVER, "--games", "1", "--seed", "1", "--max-turns", "10")
        self.assert_golden("simulate.txt", story.text())

    def test_adds_up(self):
        result = self.json("simulate", *MILTON_BRADLEY, "--games", "5000", "--players", "3", "--max-turns", "100")
        histogram = result["histogram"]
        self.assertEqual(result["players"], 3)
        self.assertEqual(result["games"], 5000)
        self.assertGreater(result["unfinished"], 0)
        self.assertEqual(sum(games for _, games in histogram) + result["unfinished"], 5000)
        self.assertEqual(sum(result["wins"]) + result["unfinished"], 5000)
        self.assertEqual(histogram, sorted(histogram))
        turns = result["turns"]
        self.assertEqual((turns["min"], turns["max"]), (histogram[0][0], histogram[-1][0]))
        self.assertEqual(result["shortest"]["turns"], turns["min"])
        self.assertEqual(result["longest"]["turns"], turns["max"])
        finished = sum(games for _, games in histogram)
        mean = sum(turns * games for turns, games in histogram) / finished
        self.assertAlmostEqual(turns["mean"], mean)
        for seat in range(3):
            self.assertEqual(result["wins"][seat], sum(g for t, g in histogram if (t - 1) % 3 == seat))

    def test_has_a_shortest_and_a_longest_game_that_replay(self):
        for setting in (MILTON_BRADLEY, ("--board", "class"), ("--size", "6", "--dice", "2", "--finish", "bounce"),
                        ("--cells", "300", "--faces", "20", "--ladder", "3,200")):
            with self.subTest(setting):
                result = self.json("simulate", *setting, "--games", "2000", "--players", "2")
                for which in ("shortest", "longest"):
                    game = result[which]
                    self.snl("new", "A", "B", *setting, "--seed", game["seed"])
                    self.snl("roll", "@", "--all")
                    self.assertEqual(self.show("@")["turn"], game["turns"])
                    self.assertEqual(self.show("@")["status"], "completed")

    def test_without_a_seed_draws_one_and_tells_it(self):
        run = ("simulate", "--board", "empty", "--games", "100")
        first, second = self.json(*run), self.json(*run)
        self.assertNotEqual(first["seed"], second["seed"])
        self.assertEqual(self.json(*run, "--seed", first["seed"]), first)

    def test_warns_as_new_does(self):
        result = self.run_snl("simulate", *NEVER, "--games", "1", "--max-turns", "10")
        self.assertEqual(result.code, 0)
        self.assertRegex(result.err, r"\Asnl: [^\n]*cell 30 can't be reached[^\n]*\n\Z")

    def test_says_what_is_wrong_with_what_it_is_asked(self):
        run = ("simulate", "--games", "10")
        for pattern, args in (
            ("--games is required", ("simulate",)),
            ("--games.* 0 ", ("simulate", "--board", "empty", "--games", "0")),
            ("--games.*-1", ("simulate", "--board", "empty", "--games", "-1")),
            ("--games.*many", ("simulate", "--board", "empty", "--games", "many")),
            ("--players.* 0 .*1 to 10", (*run, "--players", "0")),
            ("--players.* 11 .*1 to 10", (*run, "--players", "11")),
            ("--threads.* 0 .*1 to 1024", (*run, "--threads", "0")),
            ("--threads.* 1025 ", (*run, "--threads", "1025")),
            ("--max-turns.* 0 ", (*run, "--max-turns", "0")),
            ("--seed.* -1 ", (*run, "--seed", "-1")),
            ("no board is named", (*run, "--board", "nowhere")),
            ("faces", (*run, "--faces", "1")),
        ):
            with self.subTest(args):
                self.refused(2, pattern, *args)
        self.assertEqual(self.files(), [])


class SavingTheGames(snl.CommandLineTest):
    def save(self, *args):
        result = self.run_snl("simulate", *args, "--save", "--json")
        self.assertEqual(result.code, 0, result)
        return snl.json.loads(result.out), result.err

    def test_records_every_game(self):
        run = ("--board", "class", "--games", "300", "--seed", "3", "--players", "3", "--max-turns", "60")
        result, told = self.save(*run)
        first, last = result["saved"]["first"], result["saved"]["last"]
        self.assertEqual(told, f"snl: saved as {first} to {last}\n")
        self.assertRegex(first, r"\A[a-z0-9]+\.001\Z")
        self.assertEqual(last, first[:-3] + "300")
        report = self.assert_sound()
        self.assertEqual(report["games"], 300)
        games = self.json_lines("list")
        self.assertEqual([game["id"] for game in games], [f"{first[:-3]}{n:03}" for n in range(300, 0, -1)])
        self.assertEqual([player["name"] for player in games[0]["players"]], ["Player 1", "Player 2", "Player 3"])
        histogram = {}
        for game in games:
            if game["winner"]:
                histogram[game["turn"]] = histogram.get(game["turn"], 0) + 1
        self.assertEqual([list(pair) for pair in sorted(histogram.items())], result["histogram"])
        wins = [sum(game["winner"] == f"Player {n}" for game in games) for n in (1, 2, 3)]
        self.assertEqual(wins, result["wins"])
        unfinished = [game for game in games if game["winner"] is None]
        self.assertEqual(len(unfinished), result["unfinished"])
        self.assertEqual({game["turn"] for game in unfinished}, {60})
        jumps = [turn["jump"] for game in games[:300:100] for turn in self.json_lines("replay", game["id"])]
        self.assertIn("snake", jumps)

    def test_counts_what_is_counted_without_it(self):
        run = ("--board", "geeks30", "--games", "600", "--seed", "9")
        saved, _ = self.save(*run)
        del saved["saved"]
        self.assertEqual(saved, self.json("simulate", *run))

    def test_needs_a_store_that_can_be_written(self):
        (self.folder / "text").write_text("no store")
        result = self.run_snl("simulate", "--board", "empty", "--games", "1", "--save", db=self.folder / "text")
        self.assertEqual((result.code, result.out), (1, ""))


def has_played(process):
    """Whether a process has worked for a while: longer than its start takes, so that it plays by now."""
    try:
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return True
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") > 0.5  # seconds of a processor


class ItsNumbers(snl.CommandLineTest):
    def test_may_have_an_exponent(self):
        run = ("simulate", *MILTON_BRADLEY, "--seed", "42", "--games")
        for written in ("2e3", "2E+3", "2.0e3", "0.2e4", "20e2", "002000"):
            self.assertEqual(self.json(*run, written), self.json(*run, "2000"), written)
        for written in ("2.0005e3", "1e-3", "e3", "2e", "1e99", "2e3x", "1e400", "-1e3"):
            self.refused(2, r"--games.*isn't a whole number from 1", *run, written)
        ten = self.snl("board", "random", "--size", "10", "--snakes", "10", "--seed", "1")
        for written in ("1e1", "010", "10e0"):
            self.assertEqual(self.snl("board", "random", "--size", written, "--snakes", written, "--seed", "01"), ten)


class ItsThreads(snl.CommandLineTest):
    if os.environ.get("SNL_INSTRUMENTED") != "1":  # a sanitizer keeps more memory of its own than the limit
        def test_that_cannot_be_started_are_named(self):
            limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (60 << 20, 60 << 20))
            self.refused(1, "64 threads can't be started: .*; give fewer with --threads", "simulate", *MILTON_BRADLEY,
                         "--games", "1e6", "--threads", "64", preexec_fn=limit)


class Saved(snl.CommandLineTest):
    def test_beyond_what_a_file_may_have_says_so_and_what_is_recorded(self):
        """A limit that is reached at the end of a transaction, within a write, has the same error as one that is
        reached before it."""
        for size in (60_000, 100_000, 102_400, 300_000):
            with self.subTest(size):
                self.snl("new", "A", "B", "--id", "g", db=f"{size}.db")
                limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
                line = self.refused(1, r"a file may not grow that large here \(ulimit -f\); nothing new was recorded; raise the limit",
                                    "simulate", *MILTON_BRADLEY, "--games", "400", "--seed", "1", "--save", db=f"{size}.db", preexec_fn=limit)
                told = re.search(r"(\d+) games? (?:is|are) recorded all the same", line)
                self.assertEqual(len(self.snl("list", db=f"{size}.db").splitlines()) - 1, int(told[1]) if told else 0)


class Interrupted(snl.CommandLineTest):
    def recorded(self):
        """How many games are in the store."""
        if not self.store.exists():
            return 0
        result = self.run_snl("list", "--limit", "1", "--json")
        return len(result.out.splitlines())

    def interrupt(self, *args, once):
        """Sends Ctrl-C once a condition holds; returns the exit code and the output."""
        process = self.popen(*args, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertTrue(snl.wait_for(lambda: process.poll() is not None or once(process)))
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=snl.PATIENCE)
        return process.returncode, out.decode(), err.decode()

    def test_prints_what_is_done_so_far(self):
        code, out, err = self.interrupt("simulate", *MILTON_BRADLEY, "--games", 10**15, "--json", once=has_played)
        self.assertEqual(code, 130)
        result = snl.json.loads(out)
        self.assertGreater(result["games"], 0)
        self.assertLess(result["games"], 10**15)
        self.assertEqual(sum(games for _, games in result["histogram"]), result["games"])
        self.assertEqual(err, f"snl: stopped after {result['games']} of {10**15} games\n")

    def test_does_so_for_a_person_too(self):
        code, out, _ = self.interrupt("simulate", *MILTON_BRADLEY, "--games", 10**15, once=has_played)
        self.assertEqual(code, 130)
        self.assertRegex(out, r"\A\d+ games of 2 players, seed \d+\nturns ")

    def test_leaves_games_that_never_end(self):
        code, out, err = self.interrupt("simulate", *NEVER, "--games", 5, "--max-turns", 10**15, once=has_played)
        self.assertEqual(code, 130)
        self.assertRegex(out, r"\A0 games of 2 players")
        self.assertIn("stopped after 0 of 5 games", err)

    def test_leaves_a_game_that_is_being_recorded(self):
        code, out, err = self.interrupt("simulate", *NEVER, "--games", 50, "--max-turns", 10**6, "--save", once=has_played)
        self.assertEqual(code, 130)
        self.assertIn("of 50 games", err)
        self.refused(2, "--max-turns 1000001: saved games have at most 1000000",
                     "simulate", "--board", "empty", "--games", 5, "--save", "--max-turns", 10**6 + 1)

    def test_keeps_whole_games_only(self):
        code, out, err = self.interrupt("simulate", *MILTON_BRADLEY, "--games", 10**9, "--save", "--json",
                                        once=lambda _: self.recorded() > 0)
        self.assertEqual(code, 130)
        result = snl.json.loads(out)
        self.assertGreater(result["games"], 0)
        self.assertIn(result["saved"]["last"], err)
        self.assertEqual(self.assert_sound()["games"], result["games"])
        newest = self.json("list", "--limit", "1")
        self.assertEqual((newest["id"], newest["status"]), (result["saved"]["last"], "completed"))


class TheProgressBar(snl.CommandLineTest):
    def stderr_of(self, *args, **env):
        """The output of a command to a terminal on stderr before it is interrupted, and after."""
        master, slave = pseudo_terminal(self)
        self.addCleanup(os.close, master)
        process = self.popen(*args, env={"TERM": "xterm"} | env, stdout=subprocess.DEVNULL, stderr=slave)
        os.close(slave)
        seen = b""
        drawn = lambda: seen.count(b"\r[") > 2 or env.get("TERM") == "dumb" and has_played(process)
        while process.poll() is None and not drawn():
            if select.select([master], [], [], 0.1)[0]:
                seen += os.read(master, 65536)
        process.send_signal(signal.SIGINT)
        process.wait(snl.PATIENCE)
        with contextlib.suppress(OSError):  # nobody has the other end any more
            while some := os.read(master, 65536):
                seen += some
        return seen.decode()

    def test_shows_rate_and_time_left_and_goes_away(self):
        seen = self.stderr_of("simulate", *MILTON_BRADLEY, "--games", 10**10)
        self.assertGreater(seen.count("\r["), 2, seen)
        self.assertRegex(seen, r"\r\[#*\.+\] +\d+%  [\d.]+( million| billion)? games/s  \d+:\d\d(:\d\d)? left")
        self.assertRegex(seen, r"\r +\rsnl: stopped after \d+ of \d+ games\r\n\Z")
        for line in re.split(r"[\r\n]", seen):
            self.assertLess(len(line), 80)

    def test_is_not_shown_on_a_dumb_terminal(self):
        self.assertNotIn("\r[", self.stderr_of("simulate", *MILTON_BRADLEY, "--games", 10**10, TERM="dumb"))

    def test_is_not_shown_elsewhere(self):
        self.assertEqual(self.run_snl("simulate", *MILTON_BRADLEY, "--games", "3000000").err, "")


if __name__ == "__main__":
    snl.main()
