"""Goal: openapi.json describes exactly the real answers. Each answer is as described, and each described
operation, status and problem type occurs.

Method: the library's own tests keep all their answers ($SNL_ANSWERS), which are checked here. Answers that only
the network layer gives are requested over sockets. Then the answers that occurred are compared with the
description.
"""

import json
import os
import socket

import server
import snl
from server import DESCRIPTION

# Answers that every operation may give, since the check comes before the request is read. One occurrence is
# enough.
OF_ALL = {400, 405, 408, 413, 417, 421, 429, 431, 503, 505}
# A fault of the program itself: none is known by which it could be had.
OF_NO_TEST = {500}


class EveryAnswer(server.ServerTest):
    def judge_the_library_s_answers(self):
        count = 0
        for path in os.environ["SNL_ANSWERS"].split(":"):
            with open(path, encoding="utf-8") as lines:
                for line in lines:
                    one = json.loads(line)
                    headers = {name.lower(): value for name, value in one["headers"].items()}
                    DESCRIPTION.judge(one["method"], one["path"], one["status"], headers, one["body"].encode())
                    count += 1
        self.assertGreater(count, 1000)

    def ask_what_each_operation_refuses(self):
        _, client = self.serve("--limit", "writes=0")
        made = client.post("/api/games", {"open": 3})
        path, host = made.headers["location"], made.json["token"]
        promised = {"name": "Ann", "entropy_hash": server.sha256(bytes(32))}
        seat = client.post(f"{path}/seats", promised).json["token"]
        played, _, seats = self.new_game(client)
        self.assertEqual(client.post(f"{played}/turns", {}, token=seats[0]).status, 200)
        self.assertEqual(client.post(f"{played}/takebacks", {"to": 0}, token=seats[0]).status, 200)
        for method, game, below, body, token in (
            ("POST", path, "/seats", {"name": "Cyd"}, None),
            ("DELETE", path, "/seats/0", {}, host),
            ("POST", path, "/seats/0/token", {}, host),
            ("PUT", path, "/seats/0/auto", {"on": True}, host),
            ("POST", path, "/rematch", {}, host),
            ("POST", path, "/host", {"seat": 0}, host),
            ("POST", path, "/start", {}, host),
            ("POST", path, "/abandon", {}, host),
            ("POST", path, "/entropy", {"entropy": "00" * 32}, seat),
            ("POST", played, "/turns", {}, seats[1]),
            ("POST", played, "/takebacks", {"to": 0}, seats[0]),
            ("POST", played, "/takebacks/1", {"agree": True}, seats[1]),
        ):
            with self.subTest(below):
                self.assertEqual(client.ask(method, f"/api/games/none{below}", body, token).status, 404)
                self.assertEqual(client.ask(method, game + below, body, token, {"Content-Type": "text/plain"}).status, 415)
                # The same question again is the same answer, whatever has happened since.
                refused = client.ask(method, game + below, body, token, {"If-Match": '"99"'})
                self.assertEqual(refused.status, 200 if below == "/takebacks" else 412)
        self.assertEqual(client.post(f"{played}/takebacks", {"to": 1}, token=seats[1], headers={"If-Match": '"99"'}).status, 412)
        for below in ("/events", "/export"):
            self.assertEqual(client.get(f"/api/games/none{below}").status, 404)

    def ask_of_the_log(self):
        store = self.folder / "signed.db"
        self.snl("key", "new", "club.example/log", self.folder / "key")
        self.snl("new", "Ann", "Bob", "--id", "g", "--seed", "1", db=store)
        self.snl("roll", "g", "--all", db=store)
        _, client = self.serve("--db", store)
        for path in ("/log/checkpoint", "/api/log", "/api/log/consistency?from=0&to=1", "/log/tile/0/000", "/log/tile/0/000.p/1"):
            self.assertEqual(client.get(path).status, 404)
        self.snl("checkpoint", "--log-key", self.folder / "key", db=store)
        for path in ("/log/checkpoint", "/api/log", "/api/log/consistency?from=0&to=1", "/log/tile/0/000.p/1"):
            self.assertEqual(client.get(path).status, 200)
        tag = client.get("/log/checkpoint").headers["etag"]
        self.assertEqual(client.get("/log/checkpoint", headers={"If-None-Match": tag}).status, 304)
        for _ in range(256):
            self.snl("new", "Ann", "Bob", db=store)
        self.snl("checkpoint", "--log-key", self.folder / "key", db=store)
        self.assertEqual(client.get("/log/tile/0/000").status, 200)
        self.assertEqual(client.get("/api/games/g/proof").status, 200)
        self.assertEqual(client.get("/api/games/g/proof?version=999").status, 422)
        self.snl("new", "Ann", "Bob", "--id", "h", "--seed", "1", db=store)
        self.snl("roll", "h", "--all", db=store)
        self.assertEqual(client.get("/api/games/h/proof").type, "not-signed-yet")
        path, *_ = self.new_game(client)
        self.assertEqual(client.get(f"{path}/proof").status, 409)
        self.assertEqual(client.get(f"{path}/proof", token=server.token()).status, 403)

    def raw_answer(self, running, sent):
        """The answer to bytes that aren't a sound request of POST /api/games."""
        said = self.raw(running, sent)
        head, _, body = said.partition(b"\r\n\r\n")
        first, *fields = head.decode().split("\r\n")
        headers = {name.lower(): value for name, value in (field.split(": ", 1) for field in fields)}
        DESCRIPTION.judge("POST", "/api/games", int(first.split()[1]), headers, body)

    def ask_what_the_shell_answers(self):
        running, client = self.serve("--db", self.folder / "other.db", "--limit", "writes=1", "--limit", "open=1")
        for path in ("/api/openapi.json", "/healthz", "/readyz", "/metrics"):
            self.assertEqual(client.get(path).status, 200)
        tag = client.get("/api/openapi.json").headers["etag"]
        self.assertEqual(client.get("/api/openapi.json", headers={"If-None-Match": tag}).status, 304)
        self.assertEqual(client.get("/healthz", headers={"Host": "evil.example"}).status, 421)
        self.assertEqual([client.post("/api/games", {"open": 2}).status for _ in range(2)], [201, 429])
        self.assertTrue(any(client.post("/api/games/none/start").status == 429 for _ in range(100)))
        fields = "POST /api/games HTTP/1.1\r\nHost: localhost\r\n"
        for more in ("Expect: wonders", "Content-Length: 70000", "X: " + "x" * 17000):
            self.raw_answer(running, f"{fields}{more}\r\n\r\n".encode())
        self.raw_answer(running, b"POST /api/games HTTP/3.0\r\nHost: localhost\r\n\r\n")
        slow = socket.create_connection(("127.0.0.1", client.port), snl.PATIENCE)
        self.addCleanup(slow.close)
        slow.sendall(fields.encode())
        _, behind = self.serve("--trusted-proxy", "127.0.0.1")
        self.assertEqual(behind.get("/metrics", headers={"X-Forwarded-For": "203.0.113.1"}).status, 403)
        # The half request that is ended in time is the last: it takes ten seconds.
        head, _, body = self.rest(slow).partition(b"\r\n\r\n")
        self.assertTrue(head.startswith(b"HTTP/1.1 408 "), head)
        DESCRIPTION.judge("POST", "/api/games", 408, {"content-type": "application/problem+json"}, body)

    def test_is_described_and_all_that_is_described_comes_up(self):
        DESCRIPTION.seen.clear()
        self.judge_the_library_s_answers()
        self.ask_what_each_operation_refuses()
        self.ask_of_the_log()
        self.ask_what_the_shell_answers()
        came = {(method, path, status) for method, path, status, _ in DESCRIPTION.seen}
        described = set(DESCRIPTION.statuses())
        own = {one for one in described if one[2] not in OF_ALL | OF_NO_TEST}
        self.assertEqual(sorted(own - came), [], "described, and never answered")
        self.assertEqual({one[2] for one in described} - {status for _, _, status in came}, OF_NO_TEST)
        types = set(DESCRIPTION.document["components"]["schemas"]["Problem"]["properties"]["type"]["enum"])
        self.assertEqual(types - {type_ for *_, type_ in DESCRIPTION.seen}, {"urn:snl:internal-error"})


if __name__ == "__main__":
    snl.main()
