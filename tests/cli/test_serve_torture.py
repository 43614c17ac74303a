"""Goal: what a server acknowledged over the network is recorded once, whatever happens to the server, to
the disk and to clients.

Method: sixteen clients play a game each, every turn under a key of its own, and send it again until it is
answered. Meanwhile the server is killed with SIGKILL and started again; or its files can't grow for a
while, as on a full disk; or other clients come, send halves of requests, follow games, and vanish. Then every turn
that was acknowledged is looked up in the log by its version and its hash, and every key stands there once.

20 kills without SNL_TORTURE; SNL_TORTURE=N makes 500 times N. SNL_SEED=N repeats a run that failed.
"""

import collections
import contextlib
import os
import random
import resource
import socket
import threading
import time

import served_games
import snl

TIMES = int(os.environ.get("SNL_TORTURE", "0"))
KILLS = 500 * TIMES or 20
FULL_DISKS = 20 * TIMES or 3
SECONDS_OF_VISITORS = 20 * TIMES or 3
CLIENTS = 16
SEED = int(os.environ.get("SNL_SEED", "0")) or random.randrange(1, 2**32)
LONGEST_LIFE = 0.3  # seconds of a server after it was started
snl.PATIENCE *= max(1, TIMES)


class Regular:
    """Two players at one client, who play games one after another until they are told to stop."""

    def __init__(self, server, number):
        self.server, self.number = server, number
        self.client = served_games.Client(server)
        self.acknowledged = {}  # game: [(version, hash, key)]
        self.unfinished = 0
        self.last_call = threading.Event()
        self.failure = None
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self):
        try:
            while not self.last_call.is_set():
                self.play_a_game()
        except Exception as failure:  # told by whoever waits for the thread
            self.failure = failure
        finally:
            self.client.close()

    def ask(self, path, body=None, token=None, headers=()):
        return self.client.until_answered("POST", path, body or {}, token, headers)

    def play_a_game(self):
        """To its end, whether it is time or not."""
        host, tokens = served_games.new_token(), [served_games.new_token(), served_games.new_token()]
        made = self.ask("/api/games", {"open": 2, "token": host, "rules": {"preset": "lld", "finish": "overshoot"}})
        game = made.json["id"]
        path = f"/api/games/{game}"
        for name, token in zip(("Ann", "Bob"), tokens):
            seated = self.ask(f"{path}/seats", {"name": name, "token": token})
            assert seated.status in (200, 201), seated
        turns = self.acknowledged[game] = []
        self.unfinished += 1
        while True:
            seat, key = len(turns) % 2, f"turn-{len(turns) + 1}"
            answer = self.ask(f"{path}/turns", {}, tokens[seat], {"Idempotency-Key": key})
            assert answer.status == 200, answer
            turn = answer.json
            turns.append((turn["version"], turn["head"], f"{seat}:{key}"))
            if turn["outcome"] == "won":
                self.unfinished -= 1
                return


class AServer(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.random = random.Random(SEED)
        print(f"served: seed {SEED}")
        self.server = served_games.Server(self)

    def torture(self, fault, harm):
        tally = snl.Tally(fault, "acknowledged", "lost", "false_alarms")
        regulars = [Regular(self.server, number) for number in range(CLIENTS)]
        try:
            tally.tried = harm()
        finally:
            for regular in regulars:
                regular.last_call.set()
            for regular in regulars:
                regular.thread.join(snl.PATIENCE)
        for regular in regulars:
            self.assertFalse(regular.thread.is_alive(), "a client waits for ever")
            if regular.failure:
                raise regular.failure
        self.server.stop()
        logs = collections.defaultdict(list)
        for line in self.json_lines("log"):
            logs[line["game"]].append(line)
        for regular in regulars:
            self.assertEqual(regular.unfinished, 0)
            for game, turns in regular.acknowledged.items():
                self.judge(tally, logs[game], turns)
        self.assertEqual(set(logs), {game for regular in regulars for game in regular.acknowledged})
        self.assertEqual(self.json_lines("list", "--status", "in-progress"), [])
        is_called_sound = all(self.run_snl(*command).code == 0 for command in (("db", "check"), ("audit", "--all")))
        tally.false_alarms += tally.lost == 0 and not is_called_sound
        tally.print()
        self.assertEqual(tally.bad(), {}, f"seed {SEED}")
        self.assertGreater(tally.acknowledged, 0)
        return regulars

    def judge(self, tally, log, turns):
        """Every acknowledged turn is there, and no other."""
        hashes = {line["version"]: line["hash"] for line in log}
        tally.acknowledged += len(turns)
        tally.lost += sum(hashes.get(version) != head for version, head, _ in turns)
        told = [(line["version"], line["command"].get("id")) for line in log[1:]]
        self.assertEqual(told, [(version, key) for version, _, key in turns], f"seed {SEED}")

    def test_killed_loses_and_doubles_no_turn(self):
        def harm():
            for _ in range(KILLS):
                time.sleep(self.random.uniform(0, LONGEST_LIFE))
                self.server.killed_and_started()
            return KILLS

        self.torture("a server killed under 16 players", harm)

    def test_on_a_full_disk_says_so_and_goes_on_once_there_is_room(self):
        def harm():
            for _ in range(FULL_DISKS):
                time.sleep(self.random.uniform(0.2, 0.5))
                with self.full_disk():
                    time.sleep(self.random.uniform(0.2, 0.5))
                    self.assertIsNone(self.server.process.poll(), "a full disk ends it")
            return FULL_DISKS

        regulars = self.torture("a server on a disk that is full for a while", harm)
        self.assertGreater(sum(regular.client.unavailable for regular in regulars), 0, "the disk was never full")

    @contextlib.contextmanager
    def full_disk(self):
        """No file of the server may grow beyond what the log has now."""
        size = os.stat(f"{self.store}-wal").st_size
        _, hard = resource.prlimit(self.server.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.server.process.pid, resource.RLIMIT_FSIZE, (min(size, 4096), hard))
        try:
            yield
        finally:
            resource.prlimit(self.server.process.pid, resource.RLIMIT_FSIZE, (hard, hard))

    def test_with_clients_that_come_and_go_minds_none_of_them(self):
        def harm():
            came = 0
            until = time.monotonic() + SECONDS_OF_VISITORS
            while time.monotonic() < until:
                self.visit(came)
                came += 1
            return came

        self.torture("clients that come and go", harm)

    def visit(self, number):
        """Somebody says a part of something, and is gone, with or without a word."""
        visitor = socket.create_connection(("127.0.0.1", self.server.port), timeout=0.05)
        with visitor:
            games = served_games.Client(self.server)
            listed = games.get("/api/games?limit=5").json["games"] if number % 4 == 0 else []
            games.close()
            path = f"/api/games/{self.random.choice(listed)['id']}/events" if listed else "/api/games"
            post = b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
            said = self.random.choice([b"", b"GET ", post, f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode(),
                                       b"\x16\x03\x01\x00\xa5", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 20000])
            with contextlib.suppress(OSError):
                visitor.sendall(said)
                if self.random.random() < 0.5:
                    visitor.recv(100)
                if self.random.random() < 0.5:  # a reset instead of an end
                    visitor.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")


if __name__ == "__main__":
    snl.main()
