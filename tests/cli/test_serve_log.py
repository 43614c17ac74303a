"""Goal: a server signs its store's log, has witnesses cosign it, and serves it so that anyone can verify it. An
inconsistent log is neither signed nor served.

Method: a server with a key whose games are played; all that it serves is verified by a tree that the second reader
makes of the entries alone, by openssl, and by `snl verify`. Witnesses that are there, come late or saw another log;
kills; a store that is older than what was signed.
"""

import base64
import contextlib
import hashlib
import http.client
import itertools
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
import time

import club
import server
import snl
from club import NAME, WITNESS

sys.path.insert(0, str(snl.TESTS / "reader"))

from snl_reader import leaf_hash, tree_hash


def consistency(old, leaves, is_whole=True):
    """PROOF and SUBPROOF of RFC 6962, 2.1.2."""
    if old == len(leaves):
        return [] if is_whole else [tree_hash(leaves)]
    half = 1 << (len(leaves) - 1).bit_length() - 1
    if old <= half:
        return [*consistency(old, leaves[:half], is_whole), tree_hash(leaves[half:])]
    return [*consistency(old - half, leaves[half:], False), tree_hash(leaves[:half])]


class ALog(club.Club, server.ServerTest):
    def setUp(self):
        super().setUp()
        self.snl("new", "Ann", "Bob", "--id", "g", "--seed", "1", "--board", "class")
        self.snl("roll", "g", "--all")

    def serve_log(self, *args):
        return self.serve("--log-key", self.key, "--checkpoint-every", "1", "--limit", "writes=0", *args)

    def wait_for(self, what):
        deadline = time.monotonic() + snl.PATIENCE
        while not (found := what()):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)
        return found

    def size(self, client):
        answer = client.get("/log/checkpoint")
        return int(answer.body.split(b"\n")[1]) if answer.status == 200 else 0

    def published(self, client, size):
        self.wait_for(lambda: self.size(client) >= size)

    def sql(self, statement, *values):
        with contextlib.closing(sqlite3.connect(self.json("db", "info")["path"])) as database, database:
            return database.execute(statement, values).fetchall()

    def test_is_served_so_that_all_of_it_can_be_verified(self):
        for n in range(260):
            self.snl("new", "Ann", "Bob", "--id", f"h{n}")
        _, client = self.serve_log()
        note = client.get("/log/checkpoint")
        text, _, line = note.body.decode().partition("\n\n")
        self.assertEqual(text.split("\n")[:2], [NAME, "300"])
        self.assertEqual(note.body.decode(), self.snl("checkpoint"))
        self.assertEqual((note.headers["content-type"], note.headers["cache-control"]),
                         ("text/plain; charset=utf-8", "no-cache"))
        self.assertEqual(note.headers["access-control-allow-origin"], "*")
        self.assertEqual(client.get("/log/checkpoint", headers={"If-None-Match": note.headers["etag"]}).status, 304)

        # By openssl.
        self.file("text", text + "\n")
        (self.folder / "key.der").write_bytes(bytes.fromhex("302a300506032b6570032100")
                                              + base64.b64decode(self.vkey.split("+", 2)[2])[1:])
        (self.folder / "signature").write_bytes(base64.b64decode(line.split(" ")[2])[4:])
        subprocess.run(["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", self.folder / "key.der",
                        "-rawin", "-in", self.folder / "text", "-sigfile", self.folder / "signature"], check=True,
                       capture_output=True)

        # Entries make the tiles, and these the root.
        entries = [client.get(f"/log/tile/entries/{name}") for name in ("000", "001.p/44")]
        for one in entries:
            self.assertEqual((one.headers["content-type"], one.headers["cache-control"]),
                             ("application/octet-stream", "public, max-age=31536000, immutable"))
            self.assertEqual(one.headers["access-control-allow-origin"], "*")
        packed = b"".join(one.body for one in entries)
        records = [packed[at:at + 34] for at in range(0, len(packed), 34)]
        self.assertEqual({record[:2] for record in records}, {b"\0\x20"})
        self.assertEqual([record[2:] for record in records],
                         [value for (value,) in self.sql("SELECT hash FROM commits ORDER BY position")])
        leaves = [leaf_hash(record[2:]) for record in records]
        self.assertEqual(tree_hash(leaves), base64.b64decode(text.split("\n")[2]))
        self.assertEqual(client.get("/log/tile/0/000").body, b"".join(leaves[:256]))
        self.assertEqual(client.get("/log/tile/1/000.p/1").body, tree_hash(leaves[:256]))
        for width in (1, 43, 44):
            self.assertEqual(client.get(f"/log/tile/0/001.p/{width}").body, b"".join(leaves[256:256 + width]))
        for path in ("0/001", "0/001.p/45", "0/001.p/0", "0/001.p/256", "0/001.p/01", "0/001.p/", "0/1.p/1", "0/x000/001.p/1",
                     "0/x001/001", "00/000", "1/000", "2/000.p/1", "8/000.p/1", "63/000.p/1", "-1/000", "entries/001",
                     "entries/x999/x999/x999/x999/999", "0/x999/x999/x999/x999/x999/999", "data/000", "0/000/", "0/000.p"):
            refused = client.get(f"/log/tile/{path}")
            self.assertEqual((refused.status, refused.headers["access-control-allow-origin"]), (404, "*"), path)
        for path in ("/log", "/log/", "/log/other", "/api/log/", "/api/log/other"):
            refused = client.get(path)
            self.assertEqual((refused.status, refused.headers["access-control-allow-origin"]), (404, "*"), path)
        self.assertEqual(client.post("/log/checkpoint", {}).status, 405)
        self.assertEqual(client.ask("HEAD", "/log/checkpoint").body, b"")

        # The pairs of sizes that are consistent.
        for old, new in itertools.product((1, 2, 3, 7, 64, 100, 255, 256, 257, 299, 300), repeat=2):
            answer = client.get(f"/api/log/consistency?from={old}&to={new}")
            if old > new:
                self.assertEqual(answer.status, 400)
                continue
            proof = [base64.b64encode(one).decode() for one in consistency(old, leaves[:new])]
            self.assertEqual(answer.json, {"from": old, "to": new, "proof": proof})
        self.assertEqual(client.get("/api/log/consistency?from=0&to=5").json["proof"], [])
        self.assertEqual(client.get("/api/log/consistency?from=5&to=301").status, 404)
        for query in ("", "?from=1", "?from=x&to=2", "?from=-1&to=2", "?from=1&to=2&to=3", "?from=1&to=2&more=1", "?from=007&to=8",
                      "?from=1&to=08", "?from=+1&to=2", "?from=-0&to=2"):
            self.assertEqual(client.get(f"/api/log/consistency{query}").status, 400, query)

        facts = client.get("/api/log")
        self.assertEqual(facts.json, {"origin": NAME, "vkey": self.vkey, "size": 300, "checkpoint": note.body.decode(),
                                      "policy": None, "witnesses": []})
        self.assertEqual(facts.headers["access-control-allow-origin"], "*")

    def test_has_the_tiles_of_614_commits(self):
        self.snl("new", "Ann", "Bob", "--id", "long", "--cells", "1000000")
        self.snl("roll", "long", "-n", "573")
        _, client = self.serve_log()
        self.assertEqual(self.size(client), 614)
        for path, nodes in (("0/000", 256), ("0/001", 256), ("0/002.p/102", 102), ("1/000.p/2", 2)):
            tile = client.get(f"/log/tile/{path}")
            self.assertEqual((tile.status, len(tile.body)), (200, 32 * nodes), path)
        # Tile 1,234,067 has one name, and isn't there yet.
        why = lambda path: client.get(f"/log/{path}").json["detail"]
        self.assertNotEqual(why("tile/0/002"), why("other"))
        for path in ("0/002.p/103", "1/000.p/3", "0/x001/x234/067"):
            self.assertEqual(why(f"tile/{path}"), why("tile/0/002"), path)
        for path in ("0/1234067", "0/001/234/067", "0/x1/x234/067", "0/x001/x234/x067"):
            self.assertEqual(why(f"tile/{path}"), why("other"), path)
        # A tile that isn't what was signed isn't served: clients would keep it for ever.
        for change, gone in (("UPDATE tree SET hash = zeroblob(32) WHERE n = 1", ("1/000.p/2", "0/001")), ("DELETE FROM tree", ("1/000.p/1", "0/000"))):
            self.sql(change)
            for path in gone:
                self.assertEqual(client.get(f"/log/tile/{path}").status, 503, path)

    def test_is_for_pages_of_all_origins(self):
        page = "https://a.example"
        running, client = self.serve_log("--allow-origin", page)
        for path in ("/log/checkpoint", "/log/tile/0/000.p/1", "/api/log", "/log/none"):
            connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=snl.PATIENCE)
            self.addCleanup(connection.close)
            connection.request("GET", path, headers={"Origin": page})
            self.assertEqual(connection.getresponse().headers.get_all("Access-Control-Allow-Origin"), ["*"], path)
        self.assertEqual(client.get("/api/games/g", headers={"Origin": page}).headers["access-control-allow-origin"], page)

    def test_is_not_served_where_it_was_forged(self):
        self.snl("checkpoint", "--log-key", self.key)
        running, client = self.serve()
        (note,) = self.sql("SELECT published FROM checkpoints")[0]
        self.sql("UPDATE checkpoints SET published = ?", note.replace("\n40\n", "\n999999\n"))
        for path in ("/log/checkpoint", "/log/tile/0/000.p/1", "/api/log", "/api/games/g/proof"):
            self.assertEqual(client.get(path).status, 503, path)
        self.wait_for(lambda: "the signature of club.example/log is not that of the checkpoint in the store" in running.logged())
        self.assertEqual(client.get("/api/games/g").status, 200)

    def test_proves_games_to_whom_they_are_exported(self):
        _, client = self.serve_log()
        proof = client.get("/api/games/g/proof")
        self.assertEqual(proof.headers["content-type"], "text/plain; charset=utf-8")
        self.assertEqual(proof.body.decode(), self.snl("prove", "g"))
        (self.folder / "g.jsonl").write_bytes(client.get("/api/games/g/export").body)
        (self.folder / "proof").write_bytes(proof.body)
        self.assertTrue(self.json("verify", self.folder / "g.jsonl", self.folder / "proof", "--policy", self.policy)["ok"])
        self.assertEqual(client.get("/api/games/g/proof?version=7").body.decode(), self.snl("prove", "g", "--version", "7"))
        self.assertEqual(client.get("/api/games/g/proof?version=41").status, 422)
        self.assertEqual(client.get("/api/games/none/proof").status, 404)
        path, _, tokens = self.new_game(client)
        self.assertEqual(client.get(f"{path}/proof").type, "not-yet")
        self.assertEqual(client.get(f"{path}/proof", token=server.token()).status, 403)
        self.play_to_end(client, path, tokens)
        self.published(client, int(self.sql("SELECT count(*) FROM commits")[0][0]))
        self.assertEqual(client.get(f"{path}/proof").status, 200)

    def test_is_what_was_published_where_nobody_signs(self):
        _, client = self.serve()
        self.assertEqual(client.get("/log/checkpoint").status, 404)
        for path in ("/api/log", "/api/log/consistency?from=1&to=2", "/api/log/consistency?from=x&to=2", "/api/games/g/proof"):
            self.assertEqual((client.get(path).status, client.get(path).type), (404, "not-found"), path)
        pages = [client.get("/api/games/g/export?format=html").body for _ in range(2)]
        self.assertNotIn(b"log-proof", pages[0])
        self.assertEqual(pages[0], pages[1])
        self.snl("checkpoint", "--log-key", self.key)
        self.assertEqual(client.get("/log/checkpoint").body.decode(), self.snl("checkpoint"))
        # A page that was kept without a proof is made once more with it, and is then what the command line makes.
        pages = [client.get("/api/games/g/export?format=html").body for _ in range(2)]
        self.assertEqual(pages[0], pages[1])
        self.snl("export", "g", "-o", self.folder / "g.html")
        self.assertEqual(pages[0], (self.folder / "g.html").read_bytes())
        self.assertTrue(self.json("verify", self.folder / "g.html", "--policy", self.policy)["ok"])
        self.snl("new", "Ann", "Bob", "--id", "h")
        self.snl("roll", "h", "--all")
        late = client.get("/api/games/h/proof")
        self.assertEqual((late.status, late.type), (404, "not-signed-yet"))
        self.assertIn("retry-after", late.headers)
        _, other = self.serve("--policy", self.policy)
        self.assertEqual(other.get("/api/log").json["policy"], self.policy.read_text())

    def test_is_to_come_where_its_server_has_signed_nothing_yet(self):
        empty = self.folder / "empty.db"
        _, client = self.serve("--db", empty, "--log-key", self.key, "--checkpoint-every", "600")
        self.snl("new", "Ann", "Bob", "--id", "g", "--seed", "1", "--board", "class", db=empty)
        self.snl("roll", "g", "--all", db=empty)
        for path in ("/log/checkpoint", "/api/log", "/api/games/g/proof"):
            answer = client.get(path)
            self.assertEqual((answer.status, answer.type), (404, "not-signed-yet"), path)
            self.assertIn("retry-after", answer.headers)
        self.sign(db=empty)
        self.assertEqual(client.get("/api/games/g/proof").status, 200)

    def test_is_served_though_another_key_has_taken_over(self):
        running, client = self.serve_log()
        self.published(client, 40)
        self.snl("key", "new", "club.example/log2", self.folder / "next.key")
        self.snl("new", "Ann", "Bob", "--id", "h")
        self.assertEqual(self.run_snl("checkpoint", "--log-key", self.folder / "next.key").code, 0)
        self.wait_for(lambda: "the log is signed no more: the log club.example/log of this store has ended" in running.logged())
        note = client.get("/log/checkpoint")
        self.assertEqual((note.status, note.body.decode()), (200, self.snl("checkpoint")))
        self.assertTrue(note.body.startswith(b"club.example/log2\n41\n"))

    def test_is_published_once_a_witness_has_seen_it(self):
        process, policy = self.start_witness()
        process.kill()
        process.wait()
        running, client = self.serve_log("--policy", policy)
        self.assertEqual(client.get("/log/checkpoint").status, 404)
        self.assertEqual(client.get("/api/games/g/proof").type, "not-signed-yet")
        self.wait_for(lambda: f"witness school ({process.url}): " in running.logged())
        self.start_witness(process.url.rpartition(":")[2])
        self.published(client, 40)
        for n in range(3):
            self.snl("new", "Ann", "Bob", "--id", f"h{n}")
            self.published(client, 41 + n)
        facts = client.get("/api/log").json
        self.assertEqual([(one["name"], one["vkey"]) for one in facts["witnesses"]], [(WITNESS, self.witness_vkey)])
        # Lists in use write a witness's key as a log's; its cosignature has the ID of its own type.
        public = b"\1" + base64.b64decode(self.witness_vkey.split("+", 2)[2])[1:]
        number = hashlib.sha256(WITNESS.encode() + b"\n" + public).hexdigest()[:8]
        listed = f"{WITNESS}+{number}+{base64.b64encode(public).decode()}"
        _, other = self.serve("--policy", self.file("listed", policy.read_text().replace(self.witness_vkey, listed)))
        self.assertEqual([one["vkey"] for one in other.get("/api/log").json["witnesses"]], [self.witness_vkey])
        self.assertLess(abs(facts["witnesses"][0]["time"] - time.time()), 600)
        self.assertTrue(self.json("audit", "--policy", policy)["log"]["quorum"])
        page = self.folder / "g.html"
        page.write_bytes(client.get("/api/games/g/export?format=html").body)
        self.assertIn(f'"witnesses":["{self.witness_vkey}"]', page.read_text())
        self.assertIn("the quorum is reached", self.snl("verify", page, "--policy", policy))
        metrics = client.get("/metrics").body.decode()
        for line in ("snl_log_size 43", "snl_log_published_size 43",
                     'snl_witness_answers_total{name="school.example/witness",status="200"} 4'):
            self.assertIn(f"\n{line}\n", metrics)
        self.assertRegex(metrics, r'status="0"} [1-9]')
        self.assertRegex(metrics, r"\nsnl_log_checkpoint_age_seconds \d+\.\d{3}\n")

    def test_lives_on_where_another_process_has_published_more(self):
        _, policy = self.start_witness()
        nowhere = f"http://{self.closed_address()}"
        silent = self.trusting(nowhere, "silent")
        running, client = self.serve("--log-key", self.key, "--policy", silent, "--checkpoint-every", "3600")
        self.wait_for(lambda: f"witness school ({nowhere}): " in running.logged())
        self.snl("new", "Ann", "Bob", "--id", "h")
        self.sign("--policy", policy)
        self.wait_for(lambda: "it has seen a newer one, which was signed meanwhile" in running.logged())
        self.assertEqual(self.size(client), 41)

    def test_is_sent_again_to_a_silent_witness_however_long_another_one_takes(self):
        witness, policy = self.start_witness()
        vkey = self.snl("key", "new", "silent.example/witness", self.folder / "silent.key", "--witness").strip()
        host, port = witness.url.removeprefix("http://").rsplit(":", 1)

        def answer_late(listener):
            with listener.accept()[0] as asked, socket.create_connection((host, int(port))) as behind:
                behind.sendall(asked.recv(1 << 20))
                time.sleep(2)  # a silent witness is asked again after one second
                asked.sendall(server.ServerTest.rest(behind))

        with socket.create_server(("127.0.0.1", 0)) as listener:
            thread = threading.Thread(target=answer_late, args=(listener,))
            thread.start()
            self.addCleanup(thread.join)
            late = f"http://127.0.0.1:{listener.getsockname()[1]}"
            text = policy.read_text().replace(witness.url, late)
            policy.write_text(text.replace("witness school", f"witness silent {vkey} http://{self.closed_address()}\nwitness school"))
            _, client = self.serve("--log-key", self.key, "--policy", policy, "--checkpoint-every", "3600")
            self.published(client, 40)
            asked = r'snl_witness_answers_total\{name="silent.example/witness",status="0"\} ([2-9])'
            self.wait_for(lambda: re.search(asked, client.get("/metrics").body.decode()))

    def test_ends_where_somebody_else_signs_by_the_key(self):
        _, policy = self.start_witness()
        shutil.copy(f"{self.key}.signed", self.folder / "nothing.signed")
        running, client = self.serve_log("--policy", policy)
        self.published(client, 40)
        thief = self.folder / "thief"
        thief.mkdir()
        shutil.copy(self.key, thief / "key")
        shutil.copy(f"{self.key}.signed", thief / "key.signed")
        self.snl("db", "backup", thief / "s.db")
        self.snl("new", "Eve", "Mal", db=thief / "s.db")
        self.snl("new", "Eve", "Mal", db=thief / "s.db")
        self.snl("checkpoint", "--log-key", thief / "key", "--policy", policy, db=thief / "s.db")
        self.snl("new", "Ann", "Bob", "--id", "h")
        self.wait_for(lambda: client.get("/log/checkpoint").status == 503)
        self.wait_for(lambda: "witness school has seen 42 commits under this key" in running.logged())
        self.assertEqual(client.get("/log/tile/0/000.p/1").status, 503)
        # The games go on.
        path, _, tokens = self.new_game(client)
        self.assertEqual(client.post(f"{path}/turns", {}, token=tokens[0]).status, 200)

    def test_ends_where_an_older_copy_is_put_in_place_and_says_so_each_minute(self):
        self.snl("db", "backup", self.folder / "older.db")
        self.snl("new", "Ann", "Bob", "--id", "h")
        policy = self.trusting(f"http://{self.closed_address()}")  # nobody answers there, so it is asked again and again
        running, client = self.serve("--log-key", self.key, "--policy", policy, "--checkpoint-every", "600", "--limit", "writes=0")
        self.assertEqual(client.get("/log/checkpoint").status, 404)
        self.assertEqual(self.run_snl("db", "restore", self.folder / "older.db", "--force").code, 0)
        self.wait_for(lambda: client.get("/log/checkpoint").status == 503)
        path, _, tokens = self.new_game(client)
        self.assertEqual(client.post(f"{path}/turns", {}, token=tokens[0]).status, 200)
        says = "the log is signed no more: the store holds 40 commits, and 41 were signed"
        begun = time.monotonic()
        self.wait_for(lambda: running.logged().count(says) >= 2)
        self.assertLess(time.monotonic(), begun + 300)

    def test_waits_in_no_turn_for_a_witness_that_never_answers(self):
        with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as listener:
            policy = self.trusting(f"http://127.0.0.1:{listener.getsockname()[1]}")
            listener.settimeout(snl.PATIENCE)
            _, client = self.serve_log("--policy", policy)
            path, _, tokens = self.new_game(client)
            turns = itertools.cycle(tokens)

            def is_asked_during_a_turn():
                """Whether a turn is answered while the witness, which sends nothing, is still being asked."""
                asked, _ = listener.accept()
                with asked:
                    self.assertEqual(client.post(f"{path}/turns", {}, token=next(turns)).status, 200)
                    self.assertTrue(asked.recv(1 << 20))
                    asked.settimeout(0)
                    try:
                        return asked.recv(1) != b""
                    except BlockingIOError:
                        return True

            self.wait_for(is_asked_during_a_turn)  # a machine that stands still for five seconds ends a request

    def test_doesn_t_begin_with_less_than_was_signed(self):
        self.snl("db", "backup", self.folder / "older.db")
        self.snl("new", "Ann", "Bob", "--id", "h")
        running, client = self.serve_log()
        self.published(client, 41)
        self.assertEqual(running.kill(server.signal.SIGTERM), 0)
        self.assertEqual(self.run_snl("db", "restore", self.folder / "older.db", "--force").code, 0)
        self.refused(4, "holds 40 commits, and 41 were signed", "serve", "--listen", "127.0.0.1:0", "--log-key", self.key)
        self.snl("key", "new", NAME, self.folder / "other.key")
        self.snl("new", "Ann", "Bob", "--id", "h")
        self.refused(2, "doesn't name the log", "serve", "--listen", "127.0.0.1:0", "--log-key", self.folder / "other.key",
                     "--policy", self.policy)
        self.refused(2, "give --log-key with it", "serve", "--listen", "127.0.0.1:0", "--checkpoint-every", "1")
        self.refused(1, "none.key", "serve", "--listen", "127.0.0.1:0", "--log-key", self.folder / "none.key")

    def test_goes_on_after_kills(self):
        seen = []
        for _ in range(8):
            running, client = self.serve_log("--limit", "games=0")
            self.published(client, 1)
            path, _, tokens = self.new_game(client)
            begun = time.monotonic()
            while time.monotonic() < begun + 1.2:
                state = client.get(path).json
                if state["status"] == "in-progress":
                    client.post(f"{path}/turns", {}, token=tokens[["Ann", "Bob"].index(state["next"])])
            seen.append(self.file(f"kept{len(seen)}", client.get("/log/checkpoint").body.decode()))
            running.kill()
        # As a kill after the key's own record was written, and before the store had it, would leave it.
        self.snl("new", "Ann", "Bob")
        self.snl("checkpoint", "--log-key", self.key)
        newest = (self.folder / "club.key.signed").read_text()
        self.sql("UPDATE checkpoints SET signed = ?, published = ?", seen[0].read_text(), seen[0].read_text())
        self.snl("new", "Ann", "Bob")
        _, client = self.serve_log()
        self.published(client, int(newest.split("\n")[1]) + 1)
        for kept in (*seen, self.file("newest", newest)):
            self.snl("prove", "--since", kept, "--policy", self.policy)
        self.assertTrue(self.json("audit", "--policy", self.policy)["log"]["held"])


if __name__ == "__main__":
    snl.main()
