"""Several processes at one store: nothing lost, nothing doubled; and the signals that end a process.

SNL_TORTURE=N has eight writers play N times as many turns.
"""

import fcntl
import json
import os
import signal
import sqlite3
import struct
import subprocess
import termios
import threading

import snl
from halted import Halted

TIMES = int(os.environ.get("SNL_TORTURE", "1"))
TURNS = 15 * TIMES  # of each of eight writers
snl.PATIENCE *= TIMES
tally = snl.tally_of_program("8 commands at once, and followers", "acknowledged", "lost", "false_alarms")


class SeveralProcesses(snl.CommandLineTest):
    def together(self, *workers):
        """Runs functions at the same time; what one of them raises, this raises."""
        failures = []

        def guarded(worker):
            try:
                worker()
            except Exception as failure:
                failures.append(failure)

        threads = [threading.Thread(target=guarded, args=(worker,)) for worker in workers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for failure in failures:
            raise failure

    def assert_no_gaps(self, game):
        log = self.json_lines("log", game)
        self.assertEqual([line["version"] for line in log], list(range(1, self.version(game) + 1)))
        self.assert_sound()
        return log

    def test_that_play_their_own_players_lose_and_double_no_turn(self):
        players = ("Ann", "Bob")
        self.snl("new", *players, "--cells", "1000", "--id", "g")
        answers = {player: [] for player in players}

        def plays(player):
            while len(answers[player]) < 25:
                result = self.run_snl("play", "g", player, 1 + len(answers[player]) % 5)
                if result.code == 0:
                    answers[player].append(result.out.strip())
                else:
                    self.assertEqual((result.code, result.out), (6, "INVALID MOVE\n"), result)

        self.together(*(lambda player=player: plays(player) for player in players))
        log = self.assert_no_gaps("g")
        self.assertEqual(len(log), 51)
        told = {player: [f"{t['player']},{t['to']},{t['next']},CONTINUE" for t in self.json_lines("replay", "g")
                         if t["player"] == player] for player in players}
        self.assertEqual(answers, told)

    def test_that_roll_lose_and_double_no_turn(self):
        self.snl("new", "A", "B", "C", "--cells", "400", "--seed", "11", "--id", "g")
        self.snl("new", "A", "B", "C", "--cells", "400", "--seed", "11", "--id", "alone")
        lines = []

        def rolls(*args):
            while True:
                result = self.run_snl("roll", "g", *args)
                if result.code == 6:
                    return self.assertEqual(result.out, "GAME COMPLETED\n")
                self.assertEqual((result.code, result.err), (0, ""), result)
                lines.extend(result.out.splitlines())

        self.together(lambda: rolls(), lambda: rolls("-n", "7"), lambda: rolls("-n", "3"), lambda: rolls())
        self.assertEqual(sorted(lines), sorted(self.snl("roll", "alone", "--all").splitlines()))
        self.assertEqual(self.snl("replay", "g"), self.snl("replay", "alone"))
        self.assertEqual(len(self.assert_no_gaps("g")), len(lines) + 1)

    def test_that_play_streams_see_each_others_turns(self):
        self.snl("new", "Ann", "Bob", "--cells", "1000", "--id", "g")
        turns = 20

        def plays(player):
            process = self.popen("play", "g", "-", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
            try:
                played = 0
                while played < turns:
                    process.stdin.write(f"{player} 2\n")
                    answer = process.stdout.readline()
                    if answer != "INVALID MOVE\n":
                        self.assertRegex(answer, rf"\A{player},\d+,\w+,CONTINUE\n\Z")
                        played += 1
                process.stdin.close()
                self.assertEqual(process.wait(snl.PATIENCE), 0)
            finally:
                process.kill()
                process.stdout.close()

        self.together(lambda: plays("Ann"), lambda: plays("Bob"))
        self.assertEqual(len(self.assert_no_gaps("g")), 2 * turns + 1)

    def test_that_expect_the_same_version_are_answered_once(self):
        self.snl("new", "--board", "empty", "A", "B", "--id", "g")
        codes = []

        def rolls():
            codes.append(self.run_snl("roll", "g", "--expect-version", "1").code)

        self.together(*[rolls] * 6)
        self.assertEqual(sorted(codes), [0] + [5] * 5)
        self.assertEqual(self.version("g"), 2)

    def rolling_until_nobody_reads(self, *args):
        """A roll that has stopped in the middle, since what it prints is more than a pipe holds."""
        reader, writer = os.pipe()
        size = fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
        self.addCleanup(os.close, reader)
        rolls = self.popen("roll", "g", *args, stdout=writer, stderr=subprocess.PIPE)
        os.close(writer)
        self.addCleanup(rolls.stderr.close)
        held = lambda: struct.unpack("i", fcntl.ioctl(reader, termios.FIONREAD, bytes(4)))[0]
        self.assertTrue(snl.wait_for(lambda: held() > size - 100))  # no space for another line or two

        def finish():
            while os.read(reader, 65536):
                pass
            return rolls.wait(snl.PATIENCE), rolls.stderr.read().decode()

        return finish

    def test_that_overtake_a_roll_of_many_turns_end_it_where_nobody_may(self):
        self.snl("new", "A", "B", "--cells", "1000000", "--id", "g")
        finish = self.rolling_until_nobody_reads("-n", "2000", "--expect-version", "1")
        self.snl("roll", "g")
        code, err = finish()
        self.assertEqual(code, 5)
        self.assertIn("version", err)

    def test_that_win_while_another_rolls_end_its_turns_too(self):
        self.snl("new", "A", "B", "--cells", "3000", "--finish", "overshoot", "--id", "g", "--seed", "7")
        finish = self.rolling_until_nobody_reads("-n", "5000")
        self.snl("roll", "g", "--all", "--max-turns", "5000")
        self.assertEqual(finish(), (0, ""))

    def test_that_send_the_same_command_id_record_it_once_and_get_one_answer(self):
        self.snl("new", "--board", "empty", "A", "B", "--seed", "3", "--id", "g")
        answers = []

        def rolls():
            answers.append(self.run_snl("roll", "g", "--command-id", "once", "--json"))

        self.together(*[rolls] * 6)
        self.assertEqual([answer.code for answer in answers], [0] * 6)
        self.assertEqual(len({answer.out for answer in answers}), 1)
        self.assertEqual(self.version("g"), 2)

    def test_that_undo_and_roll_keep_the_game_whole(self):
        self.snl("new", "A", "B", "--cells", "5000", "--seed", "3", "--id", "g")
        done = {"roll": 0, "undo": 0, "redo": 0}

        def does(command, *args):
            for _ in range(15):
                result = self.run_snl(command, "g", *args)
                self.assertIn(result.code, (0, 6), result)
                done[command] += result.code == 0

        self.together(lambda: does("roll"), lambda: does("undo"), lambda: does("redo"))
        self.assertEqual(self.version("g"), 1 + sum(done.values()))
        self.assert_no_gaps("g")

    def test_that_make_a_store_at_the_same_time_make_one(self):
        for number in range(4):
            path = self.folder / f"{number}.db"
            self.together(*(lambda i=i: self.snl("new", "--board", "empty", "A", "B", "--id", f"g{i}", db=path) for i in range(4)))
            self.assertEqual(len(self.json_lines("list", db=path)), 4)
            self.assert_sound(db=path)

    def test_that_choose_the_same_id_make_one_game(self):
        self.snl("new", "--board", "empty", "A", "B")
        codes = []
        self.together(*[lambda: codes.append(self.run_snl("new", "--board", "empty", "A", "B", "--id", "g").code)] * 5)
        self.assertEqual(sorted(codes), [0, 5, 5, 5, 5])

    def test_can_read_and_audit_while_one_writes(self):
        self.snl("new", "A", "B", "--cells", "100000", "--seed", "3", "--id", "g")

        def reads():
            last = 0
            for _ in range(10):
                turn = self.show("g")["turn"]
                self.assertGreaterEqual(turn, last)
                last = turn
                self.assert_sound()

        self.together(reads, lambda: self.snl("roll", "g", "-n", "1500"))

    def test_wait_for_their_turn_to_write(self):
        self.snl("new", "--board", "empty", "A", "B", "--id", "g")
        database = sqlite3.connect(self.store, isolation_level=None)
        self.addCleanup(database.close)
        database.execute("BEGIN IMMEDIATE")
        begin = lambda **options: self.popen("roll", "g", stdout=subprocess.DEVNULL, **options)
        rolls = Halted(self, begin, ["clock_nanosleep"])
        for _ in range(3):
            self.assertTrue(rolls.stops(), "it waits for nobody")
        database.execute("ROLLBACK")
        self.assertEqual(rolls.wait(), 0)
        self.assertEqual(self.version("g"), 2)

    def test_give_up_on_one_that_never_lets_go(self):
        self.snl("new", "--board", "empty", "A", "B", "--id", "g")
        database = sqlite3.connect(self.store, isolation_level=None)
        self.addCleanup(database.close)
        database.execute("BEGIN IMMEDIATE")
        self.refused(1, r"snl\.db.*(another process|busy|lock)", "roll", "g")  # after some seconds
        self.assertTrue(self.json("audit")["ok"])  # reading doesn't wait
        database.execute("ROLLBACK")
        self.assertEqual(self.version("g"), 1)
        self.snl("roll", "g")


class FollowingTheLog(snl.CommandLineTest):
    def follow(self, *args):
        """A process that follows, and the lines that it prints, as they come."""
        process = self.popen("log", "--follow", *args, stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def lines_of(self, process, count):
        watchdog = threading.Timer(snl.PATIENCE, process.kill)
        watchdog.start()
        lines = [process.stdout.readline() for _ in range(count)]
        watchdog.cancel()
        return lines

    def test_shows_every_commit_once_and_in_order_while_others_write(self):
        for game in ("g", "h"):
            self.snl("new", "A", "B", "--cells", "2000", "--id", game)
        process = self.follow("--json")
        writers = [self.popen("roll", game, "-n", "60", stdout=subprocess.DEVNULL) for game in ("g", "h")]
        for _ in range(5):
            self.run_snl("undo", "g")
        self.assertEqual([writer.wait(snl.PATIENCE) for writer in writers], [0, 0])
        recorded = self.json_lines("log")
        followed = [json.loads(line) for line in self.lines_of(process, len(recorded))]
        self.assertEqual(followed, recorded)
        self.assertEqual([line["position"] for line in followed], list(range(1, len(recorded) + 1)))
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(snl.PATIENCE), 130)
        self.assertEqual(process.stdout.read(), "")

    def test_of_eight_writers_shows_every_commit_once_and_in_order(self):
        for games in (["g"] * 8, ["g", "h", "i", "j"] * 2):
            store = self.environment["SNL_DB"] = str(self.folder / f"{len(set(games))}.db")
            for game in sorted(set(games)):
                self.snl("new", "A", "B", "--cells", "100000", "--id", game)
            followers = [self.follow("--json"), self.follow("g", "--json")]
            writers = [self.popen("roll", game, "-n", TURNS, "--json", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                       for game in games]
            told = []
            for game, writer in zip(games, writers):
                out, err = writer.communicate(timeout=snl.PATIENCE)
                tally.false_alarms += writer.returncode != 0
                self.assertEqual((writer.returncode, err), (0, b""))
                told += [(game, turn["version"], turn["head"]) for turn in map(json.loads, out.splitlines())]
            self.assertEqual(len(told), 8 * TURNS)
            recorded = self.json_lines("log")
            lost = len(set(told) - {(line["game"], line["version"], line["hash"]) for line in recorded})
            tally.tried += 8
            tally.acknowledged += len(told)
            tally.lost += lost
            tally.false_alarms += lost == 0 and self.run_snl("audit").code != 0
            self.assertEqual(sorted(told), sorted((line["game"], line["version"], line["hash"])
                                                  for line in recorded if line["version"] > 1))
            of_one = [line for line in recorded if line["game"] == "g"]
            for follower, expected in zip(followers, (recorded, of_one)):
                self.assertEqual([json.loads(line) for line in self.lines_of(follower, len(expected))], expected)
                follower.send_signal(signal.SIGINT)
                follower.wait(snl.PATIENCE)
                self.assertEqual(follower.stdout.read(), "")
            self.assertEqual([line["position"] for line in recorded], list(range(1, len(recorded) + 1)))
            self.assert_sound(db=store)

    def test_of_a_game_leaves_out_the_others(self):
        for game in ("g", "h"):
            self.snl("new", "--board", "empty", "A", "B", "--id", game)
        process = self.follow("g")
        self.assertIn("g v1", self.lines_of(process, 1)[0])
        self.snl("roll", "h")
        self.snl("roll", "g")
        self.assertIn("g v2", self.lines_of(process, 1)[0])

    def test_ends_quietly_when_nobody_reads_it(self):
        self.snl("new", "--board", "empty", "A", "B", "--id", "g")
        process = self.popen("log", "-f", stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process.stdout.readline()
        process.stdout.close()
        self.snl("roll", "g", "-n", "2")
        self.assertEqual(process.wait(snl.PATIENCE), -signal.SIGPIPE)
        self.assertEqual(process.stderr.read(), "")
        process.stderr.close()


class Signals(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.snl("new", "A", "B", "--cells", "100000", "--seed", "1", "--id", "g")

    def test_a_closed_pipe_ends_a_command_quietly(self):
        self.snl("roll", "g", "-n", "5000")  # more than a pipe holds
        for command in (("log",), ("log", "--json"), ("replay", "g"), ("export", "g")):
            process = self.popen(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            process.stdout.readline()
            process.stdout.close()
            error = process.stderr.read()
            process.stderr.close()
            self.assertEqual((process.wait(snl.PATIENCE), error), (-signal.SIGPIPE, b""), command)

    def test_a_closed_pipe_leaves_the_store_whole(self):
        process = self.popen("roll", "g", "-n", "1000", stdout=subprocess.PIPE)
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual(process.wait(snl.PATIENCE), -signal.SIGPIPE)
        self.assert_sound()
        self.assertGreater(self.show("g")["turn"], 0)

    def test_an_interrupt_is_130_and_leaves_the_store_whole(self):
        for number in range(5):
            process = self.popen("roll", "g", "-n", "100000", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            process.stdout.readline()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=snl.PATIENCE)
            self.assertEqual((process.returncode, err), (130, b""))
            self.assert_sound()

    def test_a_kill_leaves_the_store_whole(self):
        for _ in range(5):
            process = self.popen("roll", "g", "-n", "100000", stdout=subprocess.PIPE)
            told = [process.stdout.readline() for _ in range(20)]
            process.kill()
            told += process.stdout.read().splitlines(keepends=True)
            process.stdout.close()
            process.wait()
            self.assert_sound()
            turns = [f"{t['player']} {'-'.join(map(str, t['dice']))}" for t in self.json_lines("replay", "g")]
            told = [line.decode().split("\t")[0] for line in told if line.endswith(b"\n")]
            begun = len(turns) - len(told)
            # Printed turns are recorded; the last turn may be recorded and not printed.
            self.assertIn(told, (turns[begun:], turns[begun - 1 : -1]))


if __name__ == "__main__":
    snl.main()
