"""Goal: acknowledged turns are recorded, at whatever moment the process that played them is killed.
Method: writers play an endless game and print each turn once it is durable. They are killed with SIGKILL
at a random moment. Then the store is opened, checked and audited, and every printed turn is looked up by
its version and its hash. This proves that nothing is half done, and that nothing is acknowledged before
it is written. It doesn't prove that it is on the disk, since the system's page cache outlives a process
(see tests/storage/power_loss_test.cpp).

85 kills without SNL_TORTURE; SNL_TORTURE=N makes 510 times N. SNL_SEED=N repeats a run that failed.
"""

import json
import os
import random
import signal
import subprocess
import threading
import time

import snl

KILLS = 300 * int(os.environ["SNL_TORTURE"]) if "SNL_TORTURE" in os.environ else 50  # of one writer alone
SEED = int(os.environ.get("SNL_SEED", "0")) or random.randrange(1, 2**32)
LONGEST_LIFE = 0.06  # seconds from a writer's first acknowledged turn


class Writer:
    """A process that plays turns, and what it has acknowledged."""

    def __init__(self, test, game):
        self.game = game
        self.acknowledged = []  # (version, hash)
        self.begun = threading.Event()
        self.process = test.popen("roll", game, "-n", "1000000", "--json", stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            if not line.endswith(b"\n"):
                break  # cut off by the kill: never acknowledged
            turn = json.loads(line)
            self.acknowledged.append((turn["version"], turn["head"]))
            self.begun.set()
        self.begun.set()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.reader.join()
        self.process.communicate()


class KilledWriters(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.random = random.Random(SEED)
        self.tally = snl.Tally("killed writers", "acknowledged", "lost", "false_alarms")

    def start(self, *games):
        """Games on a board so long that they outlast the test."""
        for game in games:
            self.snl("new", "Ann", "Bob", "--cells", "1000000", "--id", game, "--seed", self.random.randrange(1000))

    def kill_once(self, games):
        """Lets a writer play each of the games, kills all of them, and checks the store."""
        before = {game: self.json("show", game)["version"] for game in set(games)}
        writers = [Writer(self, game) for game in games]
        for writer in writers:
            self.assertTrue(writer.begun.wait(snl.PATIENCE), "a writer plays nothing")
        time.sleep(self.random.uniform(0, LONGEST_LIFE))
        for writer in writers:
            writer.kill()

        lost_before = self.tally.lost
        is_called_sound = all(self.run_snl(*command).code == 0 for command in (("db", "check"), ("audit", "--all")))
        for game in before:
            hashes = {line["version"]: line["hash"] for line in self.json_lines("log", game)}
            told = [turn for writer in writers if writer.game == game for turn in writer.acknowledged]
            lost = [version for version, head in told if hashes.get(version) != head]
            self.tally.acknowledged += len(told)
            self.tally.lost += len(lost)
            if lost:
                print(f"killed: seed {SEED}: of {game}, acknowledged versions {lost} are lost")
                continue
            self.assertEqual(len({version for version, _ in told}), len(told), "a turn was acknowledged twice")
            unacknowledged = max(hashes) - before[game] - len(told)
            self.assertLessEqual(0, unacknowledged)
            self.assertLessEqual(unacknowledged, games.count(game), f"seed {SEED}: {game} has turns that nobody asked for")
        self.tally.tried += 1
        self.tally.false_alarms += self.tally.lost == lost_before and not is_called_sound

    def torture(self, what, kills, games, renew=10):
        for kill in range(kills):
            if kill % renew == 0:
                self.folder_of_games = f"{what}-{kill}.db".replace(" ", "-")
                self.environment["SNL_DB"] = str(self.folder / self.folder_of_games)
                self.start(*sorted(set(games)))
            self.kill_once(games)
        print(f"killed: {what}: {kills} times, seed {SEED}")
        self.tally.print()
        self.assertEqual(self.tally.tried, kills)
        self.assertEqual(self.tally.bad(), {}, f"seed {SEED}")

    def test_one_writer_loses_nothing(self):
        self.torture("one writer", KILLS, ["g"])

    def test_two_writers_of_one_game_lose_nothing(self):
        self.torture("two writers of one game", KILLS // 2, ["g", "g"])

    def test_writers_of_several_games_lose_nothing(self):
        self.torture("four writers of four games", KILLS // 5, ["a", "b", "c", "d"])


if __name__ == "__main__":
    snl.main()
