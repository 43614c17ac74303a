"""Goal: a turn that a server acknowledged over the network is recorded once, whatever happens to the server, to
the disk and to clients.

Method: sixteen clients play (regulars.py). Meanwhile the server is killed with SIGKILL and started again; or its
files can't grow for a while, as on a full disk; or other clients come, send halves of requests, follow games, and
vanish. Then every turn that was acknowledged is looked up.

20 kills without SNL_TORTURE; SNL_TORTURE=N makes 500 times N. SNL_SEED=N repeats a run that failed.
"""

import contextlib
import os
import resource
import socket
import time

import served_games
import snl
from regulars import CLIENTS, TIMES, RegularsTest

KILLS = 500 * TIMES or 20
FULL_DISKS = 20 * TIMES or 3
SECONDS_OF_VISITORS = 20 * TIMES or 3
LONGEST_LIFE = 0.3  # seconds of a server after it was started


class AServer(RegularsTest):
    def test_killed_loses_and_doubles_no_turn(self):
        def harm():
            for _ in range(KILLS):
                time.sleep(self.random.uniform(0, LONGEST_LIFE))
                self.place.killed_and_started()
            return KILLS

        self.torture("a server killed under 16 players", harm)

    def test_on_a_full_disk_says_so_and_goes_on_once_there_is_room(self):
        def harm():
            for _ in range(FULL_DISKS):
                self.wait_for_more(lambda regular: sum(map(len, list(regular.acknowledged.values()))))
                with self.full_disk():
                    self.wait_for_more(lambda regular: regular.client.unavailable)
                    self.assertIsNone(self.place.process.poll(), "a full disk ends it")
            return FULL_DISKS

        self.torture("a server on a disk that is full for a while", harm)

    def wait_for_more(self, count):
        """Waits until the regulars together have this many more of something, and for some time more."""
        so_far = lambda: sum(map(count, self.regulars))
        before, more = so_far(), self.random.randrange(1, CLIENTS)
        self.assertTrue(snl.wait_for(lambda: so_far() >= before + more))

    @contextlib.contextmanager
    def full_disk(self):
        """No file of the server may grow beyond what the log has now."""
        size = os.stat(f"{self.store}-wal").st_size
        _, hard = resource.prlimit(self.place.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.place.process.pid, resource.RLIMIT_FSIZE, (min(size, 4096), hard))
        try:
            yield
        finally:
            resource.prlimit(self.place.process.pid, resource.RLIMIT_FSIZE, (hard, hard))

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
        """A client sends a part of a request and disconnects, with or without a proper close."""
        visitor = socket.create_connection(("127.0.0.1", self.place.port), snl.PATIENCE)
        visitor.settimeout(0.05)  # and no longer does it stay
        with visitor:
            games = served_games.Client(self.place)
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
