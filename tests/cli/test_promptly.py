"""Goal: promises with a time limit are kept. Method: each promise is measured where nothing else runs (RUN_SERIAL),
since a machine that is busy with other tests keeps none; everything else about it is tested elsewhere.
"""

import contextlib
import resource
import select
import signal
import socket
import sqlite3
import statistics
import subprocess
import threading
import time

import server
import snl
from server import Stream

END = 5  # seconds from a signal to a server's end
REST_OF_REQUEST = (9, 30)  # seconds until the half of a request is answered: the limit is ten, checked periodically
READY = 25  # seconds until a store that takes writes again is ready: by a write, not by the end of the half minute
SOON = 1  # seconds until a turn's notification; a store is polled many times as often


class AServerThatIsToEnd(server.ServerTest):
    def assert_ends(self, running, sent):
        begun = time.monotonic()
        self.assertEqual(running.kill(sent), 0)
        self.assertLess(time.monotonic() - begun, END)

    def test_does_with_streams_and_idle_clients(self):
        for sent in (signal.SIGTERM, signal.SIGINT):
            running, client = self.serve()
            path, _, _ = self.new_game(client)
            with contextlib.ExitStack() as stack:
                for _ in range(10):
                    stack.enter_context(contextlib.closing(Stream(client.port, f"{path}/events")))
                stack.enter_context(socket.create_connection(("127.0.0.1", client.port)))
                self.assert_ends(running, sent)

    def test_does_though_somebody_has_sent_half_a_request(self):
        running, client = self.serve()
        with socket.create_connection(("127.0.0.1", client.port)) as half:
            half.sendall(b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{")
            self.assertEqual(client.get("/healthz").status, 200)
            self.assert_ends(running, signal.SIGTERM)


class WhoSendsHalves(server.ServerTest):
    def test_is_answered_in_time_and_holds_nobody_up(self):
        running, client = self.serve("--limit", "connections=0")
        connect = lambda: socket.create_connection(("127.0.0.1", client.port), snl.PATIENCE)
        drips, bodies = [connect() for _ in range(100)], [connect() for _ in range(20)]
        begun = time.monotonic()
        for connection in drips:
            connection.sendall(b"GET / HTTP/1.1\r\nX: ")
        for connection in bodies:
            connection.sendall(b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n")
        over = threading.Event()

        def drip():
            while not over.wait(0.5):
                for connection in drips:
                    with contextlib.suppress(OSError):
                        connection.sendall(b"X")

        dripping = threading.Thread(target=drip)
        dripping.start()
        answers = []
        while time.monotonic() < begun + REST_OF_REQUEST[0]:
            asked = time.monotonic()
            self.assertEqual(client.get("/healthz").status, 200)
            answers.append(time.monotonic() - asked)
            time.sleep(0.2)
        self.assertEqual(select.select(drips + bodies, [], [], 0)[0], [], "some are answered too soon")
        for connection in drips + bodies:
            said = self.rest(connection)
            self.assertTrue(said.startswith(b"HTTP/1.1 408 "), said[:100])
            connection.close()
        took = time.monotonic() - begun
        over.set()
        dripping.join()
        self.assertLess(took, REST_OF_REQUEST[1])
        self.assertLess(statistics.median(answers), SOON)
        self.assertIn(b"snl_connections_timed_out_total 120\n", client.get("/metrics").body)


class ATurn(server.ServerTest):
    """One that is played at the command line; of several the median counts."""

    def delays(self, game, comes):
        """From the end of each command until `comes` has seen its turn."""
        for _ in range(5):
            self.snl("roll", game)
            done = time.monotonic()
            yield comes() - done

    def test_is_told_to_who_watches_at_a_server(self):
        _, client = self.serve()
        path, _, _ = self.new_game(client)
        stream = Stream(client.port, f"{path}/events")
        events = iter(stream)
        self.assertEqual([next(events)[0] for _ in range(2)], ["state", "commit"])
        delays = list(self.delays(path.rsplit("/", 1)[1], lambda: next(events)[3]))
        stream.close()
        self.assertLess(statistics.median(delays), SOON, delays)

    def test_is_told_to_who_follows_the_log(self):
        self.snl("new", "A", "B", "--id", "g")
        follower = self.popen("log", "g", "--follow", "--json", stdout=subprocess.PIPE)

        def comes():
            self.assertTrue(follower.stdout.readline())
            return time.monotonic()

        with follower.stdout:
            comes()
            delays = list(self.delays("g", comes))
            follower.kill()
            follower.wait()
        self.assertLess(statistics.median(delays), SOON, delays)


class AStoreThatRefusesWrites(server.ServerTest):
    def test_is_not_ready_while_it_takes_none_and_soon_after(self):
        running, client = self.serve("--db", self.folder / "snl.db")
        path, _, tokens = self.new_game(client)
        play = lambda: client.post(f"{path}/turns", {}, token=tokens[0], headers={"Idempotency-Key": "k"}).status
        _, hard = resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (4096, hard))
        self.assertTrue(snl.wait_for(lambda: client.get("/readyz").status == 200))  # nobody has written yet
        self.assertEqual(play(), 503)
        self.assertEqual(client.get("/readyz").status, 503)
        # A request that writes nothing says nothing of writes.
        self.assertEqual(client.ask("PUT", f"{path}/seats/0/auto", {"on": False}, token=tokens[0]).status, 200)
        self.assertEqual(client.get("/readyz").status, 503)
        resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (hard, hard))
        self.assertEqual(play(), 200)
        self.assertTrue(snl.wait_for(lambda: client.get("/readyz").status == 200))
        # The server's own turns count, too.
        self.new_game(client, pace=5)
        resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (4096, hard))
        self.assertTrue(snl.wait_for(lambda: running.logged().count("may not grow") > 1))  # the first was the player's
        self.assertEqual(client.get("/readyz").status, 503)
        resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (hard, hard))
        begun = time.monotonic()
        self.assertTrue(snl.wait_for(lambda: client.get("/readyz").status == 200))
        self.assertLess(time.monotonic() - begun, READY)

    def test_is_ready_soon_where_one_game_is_damaged(self):
        store = self.folder / "snl.db"
        running, client = self.serve("--db", store)
        damaged, _, tokens = self.new_game(client)
        whole, _, others = self.new_game(client)
        running.kill(signal.SIGTERM)
        with contextlib.closing(sqlite3.connect(store)) as database:
            (text,) = database.execute("SELECT sql FROM sqlite_schema WHERE name = 'commits_are_never_updated'").fetchone()
            database.executescript(f"DROP TRIGGER commits_are_never_updated; UPDATE commits SET events = 'x' WHERE position = 1; {text}")
        _, client = self.serve("--db", store)
        for answer in (client.get(damaged), client.post(f"{damaged}/turns", {}, token=tokens[0])):
            self.assertEqual((answer.status, answer.type), (503, "unavailable"))
        begun = time.monotonic()
        self.assertTrue(snl.wait_for(lambda: client.get("/readyz").status == 200))  # a slow probe says no, too
        self.assertLess(time.monotonic() - begun, READY)
        self.assertEqual(client.post(f"{whole}/turns", {}, token=others[0]).status, 200)


if __name__ == "__main__":
    snl.main()
