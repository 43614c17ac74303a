"""Goal: a slow, greedy, confused or hostile client is refused in the contract's words, and no other client notices.

Method: each limit of the real server is reached and released. Raw bytes over sockets stand for requests that no client
library sends.
"""

import contextlib
import http.client
import io
import json
import os
import pathlib
import re
import select
import signal
import socket
import sqlite3
import threading
import time

import server
import snl
from server import Stream, token

FAR = "127.0.0.2"  # another address of this machine


def head(method, path, *fields):
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *fields, "", ""]).encode()


class Refusing(server.ServerTest):
    def statuses(self, running, sent):
        said = self.raw(running, sent)
        return [int(line.split()[1]) for line in said.split(b"\r\n") if line.startswith(b"HTTP/1.1 ")]

    def test_requests_that_two_could_read_differently(self):
        running, client = self.serve()
        behind = head("GET", "/healthz")
        for fields, body in (
            (["Content-Length: 3", "Content-Length: 3"], b"{}\n"),
            (["Content-Length: 3", "Content-Length: 45"], b"{}\n"),
            (["Content-Length: 3", "Transfer-Encoding: chunked"], b"0\r\n\r\n"),
            (["Transfer-Encoding: chunked", "Content-Length: 3"], b"0\r\n\r\n"),
            (["Transfer-Encoding: chunked", "Transfer-Encoding: identity"], b"0\r\n\r\n"),
            (["Transfer-Encoding: xchunked"], b"0\r\n\r\n"),
            (["Transfer-Encoding : chunked"], b"0\r\n\r\n"),
            (["X: y", " folded: z"], b""),
            (["Content-Length: 3\nX: y"], b"{}\n"),
        ):
            with self.subTest(fields):
                # The request behind it is never answered, so a disagreement about the length gains nothing.
                self.assertEqual(self.statuses(running, head("POST", "/api/games", *fields) + body + behind), [400])
        self.assertEqual(client.get("/healthz").status, 200)

    def test_each_status_of_a_broken_request(self):
        running, _ = self.serve()
        for status, sent in (
            (400, b"nonsense\r\n\r\n"),
            (400, b"GET /a b HTTP/1.1\r\nHost: localhost\r\n\r\n"),
            (413, head("POST", "/api/games", "Content-Length: 65537")),
            (413, head("POST", "/api/games", "Transfer-Encoding: chunked") + b"10001\r\n" + b" " * 65537),
            (417, head("POST", "/api/games", "Expect: wonders", "Content-Length: 2")),
            (431, head("GET", "/", "X: " + "x" * 17000)),
            (431, b"x" * 17000),
            (505, b"GET / HTTP/3.0\r\nHost: localhost\r\n\r\n"),
        ):
            with self.subTest(status=status, sent=sent[:60]):
                said = self.raw(running, sent)
                answer, _, body = said.partition(b"\r\n\r\n")
                fields = http.client.parse_headers(io.BytesIO(answer.split(b"\r\n", 1)[1] + b"\r\n\r\n"))
                server.DESCRIPTION.judge("POST", "/api/games", status, {k.lower(): v for k, v in fields.items()}, body)
                self.assertEqual(json.loads(body)["status"], status)
                self.assertEqual(fields["Connection"], "close")
                self.assertEqual(fields["X-Content-Type-Options"], "nosniff")

    def test_methods_and_paths(self):
        _, client = self.serve()
        path, _, _ = self.new_game(client)
        for method, at, allow in (
            ("PUT", "/api/games", "GET, HEAD, OPTIONS, POST"),
            ("PATCH", path, "GET, HEAD, OPTIONS"),
            ("GET", f"{path}/turns", "OPTIONS, POST"),
            ("BREW", path, "GET, HEAD, OPTIONS"),
        ):
            refused = client.ask(method, at)
            self.assertEqual((refused.status, refused.headers["allow"]), (405, allow), (method, at))
        for at in ("/api", "/api/games/", "/api/games/none", path + "/", path.replace("/api", "//api"), path + "%2fturns",
                   "/api/games/../games", path.replace("games", "%67ames")):
            self.assertEqual(client.get(at).status, 404, at)
        options = client.ask("OPTIONS", path)
        self.assertEqual((options.status, options.headers["allow"]), (204, "GET, HEAD, OPTIONS"))
        whole = client.get(path)
        only_head = client.ask("HEAD", path)
        self.assertEqual((only_head.status, only_head.body), (200, b""))
        self.assertEqual(only_head.headers["content-length"], str(len(whole.body)))
        self.assertEqual(only_head.headers["etag"], whole.headers["etag"])
        self.assertEqual(client.ask("HEAD", f"{path}/events").status, 200)

    def test_hosts_of_others(self):
        _, client = self.serve("--url", "https://snl.example:8443/")
        for host in ("localhost", "127.0.0.1:1", "[::1]", "snl.example", "SNL.example:8443"):
            self.assertEqual(client.get("/healthz", headers={"Host": host}).status, 200, host)
        for host in ("evil.example", "localhost.evil.example", "snl.example.evil.example", "", "127.0.0.1@evil.example"):
            self.assertEqual(client.get("/healthz", headers={"Host": host}).status, 421, host)
            self.assertEqual(client.post("/api/games", {"open": 2}, headers={"Host": host}).type, "misdirected-request")

    def test_other_sites(self):
        for allowed in (False, True):
            _, client = self.serve(*(["--allow-origin", "https://play.example"] if allowed else []))
            for origin, told in (("https://play.example", allowed), ("https://evil.example", False), ("null", False)):
                answer = client.get("/api/games", headers={"Origin": origin})
                self.assertEqual(answer.headers.get("access-control-allow-origin"), origin if told else None)
                self.assertNotIn("access-control-allow-credentials", answer.headers)
                self.assertEqual("Origin" in answer.headers.get("vary", ""), allowed)
                asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
                before = client.ask("OPTIONS", "/api/games", headers=asked)
                self.assertEqual(before.status, 204)
                self.assertEqual("access-control-allow-methods" in before.headers, told)
                if told:
                    self.assertIn("Authorization", before.headers["access-control-allow-headers"])
                problem = client.get("/api/games/none", headers={"Origin": origin})
                self.assertEqual(problem.headers.get("access-control-allow-origin"), origin if told else None)

    def test_every_answer_keeps_browsers_from_guessing(self):
        _, client = self.serve()
        path, _, _ = self.new_game(client)
        for at in (path, "/api/games", "/none", "/healthz", "/metrics", f"{path}/export?format=csv"):
            headers = client.get(at).headers
            self.assertEqual(headers["x-content-type-options"], "nosniff", at)
            self.assertEqual(headers["referrer-policy"], "no-referrer", at)
            self.assertIn("content-security-policy", headers, at)
            self.assertNotIn("set-cookie", headers)
            self.assertNotIn("server", headers)


class Limiting(server.ServerTest):
    def until_refused(self, ask):
        """Asks again and again, faster than once a second; answers the refusal, which comes before the hundredth time."""
        for _ in range(100):
            answer = ask()
            if answer.status == 429:
                return answer
        self.fail("nobody is refused")

    def test_writes_of_a_token_and_of_an_address(self):
        _, client = self.serve("--limit", "writes=1", "--limit", "games=0")
        path, _, tokens = self.new_game(client)
        take_back = lambda seat: client.post(f"{path}/takebacks", {"to": 0}, token=tokens[seat])
        refused = self.until_refused(lambda: take_back(0))
        wait = int(refused.headers["retry-after"])
        self.assertGreaterEqual(wait, 1)
        # Another token isn't held to account, nor another address.
        self.assertNotEqual(take_back(1).status, 429)
        time.sleep(wait)
        self.assertNotEqual(take_back(0).status, 429)
        export = f"{path}/export?format=csv"
        self.until_refused(lambda: client.get(export))
        self.assertEqual(client.get(export, source=FAR).status, 200)
        self.assertEqual([client.get(path).status for _ in range(30)], [200] * 30)

    def test_new_games_and_games_that_wait(self):
        _, client = self.serve("--limit", "games=3", "--limit", "writes=0", "--limit", "open=2", "--limit", "cells=100")
        mine = token()
        made = [client.post("/api/games", {"open": 2, "token": mine}).status for _ in range(5)]
        self.assertEqual(made, [201, 200, 200, 200, 200])
        self.assertEqual(client.post("/api/games", {"open": 2}).status, 201)
        waiting = client.post("/api/games", {"open": 2})
        self.assertEqual((waiting.status, waiting.type), (429, "too-many-open-games"))
        self.new_game(client)
        over = client.post("/api/games", {"players": ["Ann", "Bob"]})
        self.assertEqual((over.status, over.type), (429, "too-many-requests"))
        self.assertEqual(client.post("/api/games", {"players": ["Ann", "Bob"]}, source=FAR).status, 201)
        board = {"cells": 101, "width": 10, "snakes": [], "ladders": []}
        large = client.post("/api/games", {"players": ["Ann", "Bob"], "board": board}, source=FAR)
        self.assertEqual(large.status, 422)

    def test_a_game_that_is_there_is_found_though_no_new_one_may_be_made(self):
        _, client = self.serve("--limit", "games=2", "--limit", "writes=0")
        asked = {"players": ["Ann", "Bob"], "token": server.token()}
        made = client.post("/api/games", asked).json
        path, seats = f"/api/games/{made['id']}", [seat["token"] for seat in made["seats"]]
        self.assertEqual(client.post("/api/games", asked).status, 200)
        client.post(f"{path}/abandon", token=made["token"])
        self.assertEqual(client.post(f"{path}/rematch", token=seats[0]).status, 201)
        # From now on, nothing new.
        self.assertEqual(client.post(f"{path}/rematch", token=seats[1]).status, 200)
        self.assertEqual(client.post("/api/games", asked).status, 200)
        for code, address, body, token in ((429, "/api/games", {"players": ["Ann", "Bob"]}, None), (400, "/api/games", {}, None),
                                           (401, f"{path}/rematch", None, None)):
            with self.subTest(code):
                refused = client.post(address, body, token=token)
                self.assertEqual(refused.status, code)
                self.assertEqual("retry-after" in refused.headers, code == 429)

    def test_connections_of_an_address(self):
        _, client = self.serve("--limit", "connections=5")
        held = [socket.create_connection(("127.0.0.1", client.port)) for _ in range(5)]
        self.assertTrue(snl.wait_for(lambda: client.get("/healthz", source=FAR).status == 200))
        refused = client.get("/healthz")
        self.assertEqual((refused.status, refused.headers["connection"]), (429, "close"))
        self.assertEqual(client.get("/healthz", source=FAR).status, 200)
        held.pop().close()
        self.assertTrue(snl.wait_for(lambda: client.get("/healthz").status == 200))
        for connection in held:
            connection.close()

    def test_streams(self):
        _, client = self.serve("--limit", "streams=2")
        path, _, _ = self.new_game(client)
        streams = [Stream(client.port, f"{path}/events") for _ in range(2)]
        refused = client.get(f"{path}/events")
        self.assertEqual((refused.status, refused.type), (429, "too-many-requests"))
        streams.pop().close()

        def is_let_in():
            stream = Stream(client.port, f"{path}/events")
            stream.close()
            return stream.status == 200

        self.assertTrue(snl.wait_for(is_let_in))
        streams.pop().close()
        self.assertTrue(snl.wait_for(lambda: b"snl_streams 0\n" in client.get("/metrics").body))

    def test_a_proxy_s_clients_are_told_apart(self):
        _, client = self.serve("--trusted-proxy", "127.0.0.1", "--limit", "writes=1", "--limit", "connections=2")
        asked = lambda source: client.post("/api/games/none/start", headers={"X-Forwarded-For": source})
        self.until_refused(lambda: asked("6.6.6.6, 203.0.113.1"))
        self.assertEqual(asked("203.0.113.1, 203.0.113.2").status, 404)
        held = [socket.create_connection(("127.0.0.1", client.port)) for _ in range(10)]
        self.assertEqual(client.get("/healthz").status, 200)
        for connection in held:
            connection.close()
        self.assertEqual(client.get("/metrics", headers={"X-Forwarded-For": "203.0.113.1"}).status, 403)


class BeingSlow(server.ServerTest):
    def test_a_spectator_who_doesn_t_read_is_closed_and_nobody_waits(self):
        self.snl("new", "Ann", "Bob", "--cells", "10000", "--id", "long", "--seed", "1")
        _, client = self.serve()
        deaf = socket.socket()
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(("127.0.0.1", client.port))
        deaf.sendall(head("GET", "/api/games/long/events"))
        heard = b""  # of the beginning: it is at the place where all are
        while not re.search(rb"\nid: 1\.[0-9a-f]{8}\n(.+\n)*\n", heard):
            heard += deaf.recv(100)
        events = []
        stream = Stream(client.port, "/api/games/long/events")

        def read():
            for event in stream:
                events.append(event)
                if event[1] == 3001:
                    return

        thread = threading.Thread(target=read)
        thread.start()
        for _ in range(30):
            self.snl("roll", "long", "-n", "100")
        thread.join(snl.PATIENCE)
        self.assertEqual([version for _, version, *_ in events if version], list(range(1, 3002)))
        self.assertTrue(snl.wait_for(lambda: b"snl_streams_slow_total 1\n" in client.get("/metrics").body))
        deaf.close()
        stream.close()

    def largest_game(self, client):
        """The path of a game that has ended, of the largest board that a server takes."""
        board = [[9999] * 100 for _ in range(100)]  # almost every cell has a ladder
        board[0][0] = board[0][1] = board[99][0] = -1
        made = client.post("/api/games", {"players": ["Ann", "Bob"], "board": board})
        self.assertEqual(made.status, 201, made.body[:300])
        path = made.headers["location"]
        self.assertEqual(client.post(f"{path}/abandon", token=made.json["token"]).status, 200)
        return path

    def test_lists_for_an_address_that_took_much_work_wait_behind_its_pages(self):
        running, client = self.serve("--limit", "exports=1", "--limit", "games=0")

        def ask(path, source):
            connection = socket.create_connection(("127.0.0.1", running.port), source_address=(source, 0))
            self.addCleanup(connection.close)
            connection.sendall(head("GET", path.replace("/api/games/", "/g/"), "Accept: text/html", "Connection: close"))
            return connection

        def worked():
            fields = pathlib.Path(f"/proc/{running.process.pid}/stat").read_text().split()
            return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")

        debt = 0  # in seconds; its share is one, and what a usual page takes is free
        for _ in range(100):
            path = self.largest_game(client)
            begun = worked()
            page = self.rest(ask(path, FAR))
            self.assertTrue(page.startswith(b"HTTP/1.1 200 "), page[:300])
            debt += max(0, worked() - begun - 0.06)
            if debt > 2:
                break
        path = self.largest_game(client)
        begun = worked()
        long = ask(path, FAR)
        near = ask("/", "127.0.0.3")
        self.assertTrue(near.recv(64).startswith(b"HTTP/1.1 200 "))
        self.assertTrue(snl.wait_for(lambda: worked() > begun + 0.03))  # the page is being made
        far = ask("/", FAR)
        self.assertTrue(far.recv(64).startswith(b"HTTP/1.1 200 "))
        self.assertEqual(select.select([long], [], [], 0.1)[0], [long])  # it takes longer to make

    def test_states_for_an_address_that_took_much_work_wait_for_those_of_others(self):
        running, _ = self.serve("--limit", "exports=1")

        def niceness(task):
            return int((task / "stat").read_text().rpartition(")")[2].split()[16])

        def worked_behind_others():
            """The work of threads that give way, in seconds."""
            work = 0
            for task in pathlib.Path(f"/proc/{running.process.pid}/task").iterdir():
                if niceness(task) > niceness(task.parent.parent):
                    work += int((task / "schedstat").read_text().split()[0]) / 1e9
            return work

        def work_for(source, paths):
            before = worked_behind_others()
            for path in paths:
                self.assertEqual(self.rest(ask(path, source))[:13], b"HTTP/1.1 200 ")
            return worked_behind_others() - before

        def ask(path, source):
            connection = socket.create_connection(("127.0.0.1", running.port), source_address=(source, 0))
            self.addCleanup(connection.close)
            connection.sendall(head("GET", path, "Connection: close"))
            return connection

        # Of a board larger than a server makes: a state of its own largest may be usual work for a fast machine.
        size = 400
        board = [[size * size - 1] * size for _ in range(size)]
        for row, column in ((0, 0), (0, 1), (0, -1), (-1, 0), (-1, -1)):
            board[row][column] = -1
        (self.folder / "board").write_text(json.dumps(board))
        for number in range(10):  # more than a server keeps in its memory
            self.snl("new", "Ann", "Bob", "--board", self.folder / "board", "--id", f"vast{number}")
        paths = [f"/api/games/vast{number}" for number in range(10)]
        self.assertTrue(any(work_for(FAR, paths) > 0.05 for _ in range(20)))
        each = work_for(FAR, paths) / len(paths)
        self.assertGreater(each, 0.001)
        self.assertLess(work_for("127.0.0.3", paths[:1]), each / 2)

    def test_a_spectator_who_reads_is_told_the_end_of_the_largest_game(self):
        _, client = self.serve()
        path = self.largest_game(client)
        slow = socket.socket()
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
        slow.settimeout(snl.PATIENCE)
        slow.connect(("127.0.0.1", client.port))
        slow.sendall(head("GET", f"{path}/events"))
        told = b""
        while part := slow.recv(8192):
            told += part
            time.sleep(0.001)
        slow.close()
        self.assertGreater(len(told), 256 << 10)
        self.assertIn(b"\nevent: end\n", told[-300:])

    def test_a_thousand_connections_at_once(self):
        _, client = self.serve("--limit", "connections=0")
        path, _, _ = self.new_game(client)
        connections = [socket.create_connection(("127.0.0.1", client.port), snl.PATIENCE) for _ in range(1000)]
        for connection in connections:
            connection.sendall(head("GET", path, "Connection: close"))
        for connection in connections:
            said = self.rest(connection)
            self.assertTrue(said.startswith(b"HTTP/1.1 200 OK\r\n"), said[:100])
            connection.close()

    def test_clients_that_come_and_go(self):
        running, client = self.serve("--limit", "connections=0")
        path, _, _ = self.new_game(client)
        for i in range(300):
            connection = socket.create_connection(("127.0.0.1", client.port))
            stream = head("GET", f"{path}/events")
            first = head("GET", "/healthz")
            connection.sendall((stream, head("GET", path), b"GET / HT", b"\0\xff\r\n\r\n", b"", first + stream,
                                first + head("GET", path))[i % 7])
            if i % 2:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # RST
            connection.close()
        for gone in (b"snl_connections 1\n", b"snl_streams 0\n"):
            self.assertTrue(snl.wait_for(lambda: gone in client.get("/metrics").body))
        self.assertEqual(running.kill(signal.SIGTERM), 0)

    def test_requests_that_come_while_another_is_handled_are_kept(self):
        running, _ = self.serve()
        made = b'{"open":2}'
        make = head("POST", "/api/games", "Content-Type: application/json", f"Content-Length: {len(made)}") + made
        last = head("GET", "/healthz", "Connection: close")
        within = head("GET", "/api/games/within-a-body", "Connection: close")
        around = head("POST", "/api/games", "Content-Type: application/json", f"Content-Length: {len(within)}")
        for early, late, statuses in (
            (head("GET", "/api/games/none"), last, [200, 201, 404, 200]),
            (around, within + last, [200, 201, 400, 200]),  # a body never becomes a request
        ):
            with self.subTest(early), socket.create_connection(("127.0.0.1", running.port), snl.PATIENCE) as connection:
                database = sqlite3.connect(self.store, isolation_level=None)
                self.addCleanup(database.close)
                database.execute("BEGIN IMMEDIATE")  # no game is made meanwhile
                connection.sendall(head("GET", "/healthz") + make)
                said = connection.recv(65536)
                connection.sendall(early)
                for _ in range(10):  # until the server has had time for those bytes
                    self.raw(running, last)
                database.execute("ROLLBACK")
                connection.sendall(late)
                said += self.rest(connection)
                self.assertEqual([int(code) for code in re.findall(rb"HTTP/1.1 (\d+)", said)], statuses)

    def test_a_client_that_sends_faster_than_it_is_served_waits(self):
        running, _ = self.serve()
        count = 10_000
        sent = head("GET", "/healthz", "X: " + "x" * 300) * (count - 1) + head("GET", "/healthz", "Connection: close")

        def resident():
            return int(re.search(r"VmRSS:\s+(\d+) kB", pathlib.Path(f"/proc/{running.process.pid}/status").read_text())[1]) << 10

        before = resident()
        with socket.create_connection(("127.0.0.1", running.port), snl.PATIENCE) as connection:

            def send():
                with contextlib.suppress(OSError):  # where the test has failed
                    connection.sendall(sent)

            sending = threading.Thread(target=send)
            sending.start()
            said = b""
            try:
                while part := connection.recv(65536):
                    said += part
                    if os.environ.get("SNL_INSTRUMENTED") != "1":  # a sanitizer keeps much memory of its own
                        self.assertLess(resident() - before, len(sent) // 2)
            finally:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
                sending.join()
        self.assertEqual(said.count(b"alive\n"), count)

    def test_a_body_is_sent_when_it_is_asked_for(self):
        _, client = self.serve()
        with socket.create_connection(("127.0.0.1", client.port), snl.PATIENCE) as connection:
            body = b'{"players":["Ann","Bob"]}'
            connection.sendall(head("POST", "/api/games", "Expect: 100-continue", "Connection: close",
                                    "Content-Type: application/json", f"Content-Length: {len(body)}"))
            self.assertEqual(connection.recv(100), b"HTTP/1.1 100 Continue\r\n\r\n")
            connection.sendall(body)
            self.assertTrue(self.rest(connection).startswith(b"HTTP/1.1 201 Created\r\n"))


if __name__ == "__main__":
    snl.main()
