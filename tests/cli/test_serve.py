"""Goal: games are played over HTTP as they are at the command line, by who may, through crashes and slow clients,
and whoever watches is told each version once.

Method: the real server, sockets from the standard library, whole games; every answer is held to openapi.json. What the
library answers is tested without sockets elsewhere: here is what threads, sockets, processes and time add.
"""

import contextlib
import json
import os
import re
import select
import signal
import socket
import statistics
import subprocess
import threading
import time

import server
import snl
from server import DESCRIPTION, Stream, sha256


class PlayingOverHttp(server.ServerTest):
    def test_a_whole_game(self):
        _, client = self.serve("--limit", "writes=0")
        path, host, tokens = self.new_game(client)
        turns = self.play_to_end(client, path, tokens)
        state = client.get(path).json
        self.assertEqual(state["status"], "completed")
        self.assertEqual([turn["turn"] for turn in turns], list(range(1, len(turns) + 1)))
        self.assertEqual(turns[-1]["outcome"], "won")
        # The command line sees the same game, and proves it.
        game = path.rsplit("/", 1)[1]
        self.assertEqual(self.show(game)["head"], state["head"])
        self.assert_sound()

    def test_a_board_brings_its_rules_and_a_part_that_is_named_changes_alone(self):
        _, client = self.serve("--limit", "games=0", "--limit", "writes=0")

        def made(**asked):
            state = client.post("/api/games", {"players": ["Ann", "Bob"], **asked}).json["game"]
            return state["board"], state["rules"]

        self.assertEqual(made(), made(board="milton-bradley"))
        others = {"start": (0, 1), "finish": ("exact", "bounce"), "dice": (1, 2), "faces": (6, 8), "sixes": ("again", "plain")}
        for board in ("milton-bradley", "class", "lld", {"cells": 40}):
            drawn, rules = made(board=board)
            for preset in ({}, {"preset": "lld"}, {"preset": "standard"}):
                base = rules if not preset else made(board=board, rules=preset["preset"])[1]
                with self.subTest(board, preset=preset):
                    self.assertEqual(made(board=board, rules=preset), (drawn, base))
                for part, values in others.items():
                    for value in values:
                        with self.subTest(board, preset=preset, part=part, value=value):
                            wanted = base | {part: value}
                            if (part, value) in (("dice", 2), ("faces", 8)):
                                wanted["sixes"] = "plain"
                            self.assertEqual(made(board=board, rules=preset | {part: value}), (drawn, wanted))

    def test_names_that_look_the_same_are_one_name(self):
        _, client = self.serve()
        for names in (["Ann", "Ann "], ["é", "e\u0301"], ["A", "A\u200b"], [" ", "Bob"], ["\u200b", "Bob"]):
            with self.subTest(names):
                self.assertEqual(client.post("/api/games", {"players": names}).status, 422)
        path = client.post("/api/games", {"open": 3}).headers["location"]
        self.assertEqual(client.post(f"{path}/seats", {"name": "é"}).status, 201)
        for name in ("e\u0301", "é ", "\u200bé"):
            with self.subTest(name):
                taken = client.post(f"{path}/seats", {"name": name})
                self.assertEqual((taken.status, taken.json["type"]), (409, "urn:snl:name-taken"))
        self.assertEqual(client.post(f"{path}/seats", {"name": " \u3164"}).status, 422)

    def test_a_game_with_powers_tells_what_they_did(self):
        _, client = self.serve("--limit", "writes=0")
        # Its dice are its own: some games meet no power, and few in a row.
        for _ in range(20):
            path, _, tokens = self.new_game(client, board="party")
            turns = self.play_to_end(client, path, tokens)
            if any(turn["power"] for turn in turns):
                break
        self.assertLess(1, len({turn["power"] for turn in turns}))
        told = map(json.loads, self.snl("replay", path.rsplit("/", 1)[1], "--json").splitlines())
        replayed = [{name: turn[name] for name in ("turn", "to", "power", "steps", "others", "missed")} for turn in told]
        self.assertEqual([{name: turn[name] for name in replayed[0]} for turn in turns], replayed)

    def test_an_open_game_with_promises_starts_with_the_last_seat(self):
        _, client = self.serve()
        made = client.post("/api/games", {"open": 2})
        path = made.headers["location"]
        entropies = [os.urandom(32) for _ in range(2)]
        tokens = []
        for name, entropy in zip(("Ann", "Bob"), entropies):
            seat = client.post(f"{path}/seats", {"name": name, "entropy_hash": sha256(entropy)})
            self.assertEqual(seat.status, 201)
            tokens.append(seat.json["token"])
        self.assertEqual(client.get(path).json["status"], "drawing")
        for entropy, one in zip(entropies, tokens):
            self.assertEqual(client.post(f"{path}/entropy", {"entropy": entropy.hex()}, token=one).status, 200)
        self.assertEqual(client.get(path).json["status"], "in-progress")
        self.assertEqual(client.post(f"{path}/turns", {}, token=tokens[0]).status, 200)

    def test_the_command_line_and_http_play_one_game(self):
        _, client = self.serve()
        path, _, tokens = self.new_game(client)
        game = path.rsplit("/", 1)[1]
        self.assertEqual(client.post(f"{path}/turns", {}, token=tokens[0]).status, 200)
        state = client.get(path).json
        while client.get(path).json["next"] == "Ann":
            self.snl("roll", game)
        mover = client.get(path).json["next"]
        self.assertEqual(client.post(f"{path}/turns", {}, token=tokens[mover == "Bob"]).status, 200)
        self.assertGreater(client.get(path).json["version"], state["version"])
        self.assert_sound()

    def test_a_request_sent_twice_is_one_turn(self):
        _, client = self.serve()
        path, _, tokens = self.new_game(client)
        headers = {"Idempotency-Key": "once"}
        first = client.post(f"{path}/turns", {}, token=tokens[0], headers=headers)
        again = client.post(f"{path}/turns", {}, token=tokens[0], headers=headers)
        self.assertEqual((first.status, again.status), (200, 200))
        self.assertEqual(first.json, again.json)
        self.assertNotIn("idempotent-replayed", first.headers)
        self.assertEqual(again.headers["idempotent-replayed"], "true")
        self.assertEqual(client.get(path).json["version"], 2)

    def test_many_clients_in_many_games_at_once(self):
        _, client = self.serve("--limit", "writes=0", "--threads", "2")
        games = [self.new_game(client) for _ in range(8)]
        played = [[] for _ in games]

        def play(i):
            path, _, tokens = games[i]
            for _ in range(12):
                state = client.get(path).json
                if state["status"] != "in-progress":
                    return
                answer = client.post(f"{path}/turns", {}, token=tokens[state["next"] == "Bob"])
                played[i].append((answer.status, answer.json["version"]))

        threads = [threading.Thread(target=play, args=(i,)) for i in range(len(games))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(snl.PATIENCE)
        for turns in played:
            self.assertEqual(turns, [(200, 2 + i) for i in range(len(turns))])
            self.assertTrue(turns)
        self.assert_sound()

    def test_what_takes_long_keeps_nobody_else_waiting(self):
        self.run_snl("simulate", "--games", "1", "--cells", "10000", "--max-turns", "10000", "--seed", "1",
                     "--save")
        game = self.snl("list").split()[0]
        running, client = self.serve("--limit", "writes=0", "--threads", "1")
        many = 16
        asked = f"GET /api/games/{game}/export?format=html HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        fewest = many
        for _ in range(5): # where all stand in one line, all of them are answered before, each time
            with contextlib.ExitStack() as stack:
                waiting = [stack.enter_context(socket.create_connection(("127.0.0.1", running.port), snl.PATIENCE)) for _ in range(many)]
                for connection in waiting:
                    connection.sendall(asked)
                self.assertEqual(client.get(f"/api/games/{game}").status, 200)
                answered, _, _ = select.select(waiting, [], [], 0)
                fewest = min(fewest, len(answered))
                self.assertEqual(waiting[0].recv(12), b"HTTP/1.1 200")
            if fewest < many // 2:
                break
        self.assertLess(fewest, many // 2)

    def test_keep_alive_and_pipelining_answer_in_order(self):
        running, client = self.serve()
        path, _, _ = self.new_game(client)
        head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        last = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        said = self.raw(running, head * 50 + last)
        self.assertEqual(said.count(b"HTTP/1.1 200 OK"), 51)
        self.assertTrue(said.endswith(b"alive\n"))


class Streaming(server.ServerTest):
    def collect(self, stream, until, into):
        """Reads a stream in a thread until `until` says so, or it closes."""

        def run():
            for event in stream:
                into.append(event)
                if until(event):
                    return

        thread = threading.Thread(target=run)
        thread.start()
        return thread

    def test_each_version_once_and_in_order_then_the_end(self):
        _, client = self.serve("--limit", "writes=0")
        path, _, tokens = self.new_game(client)
        events = []
        stream = Stream(client.port, f"{path}/events")
        thread = self.collect(stream, lambda event: False, events)
        self.play_to_end(client, path, tokens)
        thread.join(snl.PATIENCE)
        self.assertFalse(thread.is_alive(), "the stream closes once the game has ended")
        kinds = [kind for kind, *_ in events]
        self.assertEqual((kinds[0], kinds[-1]), ("state", "end"))
        versions = [version for kind, version, *_ in events if kind == "commit"]
        last = client.get(path).json
        self.assertEqual(versions, list(range(1, last["version"] + 1)))
        for kind, _, data, _ in events:
            schema = {"commit": "CommitEvent", "state": "StreamedState"}.get(kind)
            if schema:
                self.assertIsNone(DESCRIPTION.fault(data, {"$ref": f"#/components/schemas/{schema}"}, kind))
        secrets = [data["draw"]["secret"] for kind, _, data, _ in events if kind == "state"]
        self.assertIsNone(secrets[0])
        self.assertRegex(secrets[-1], "^[0-9a-f]{64}$")
        self.assertTrue(stream.retries)
        stream.close()
        # Who comes back with the last version is told to stay away.
        again = client.get(f"{path}/events", headers={"Last-Event-ID": str(versions[-1])})
        self.assertEqual(again.status, 204)

    def test_a_stream_goes_on_after_the_last_event_id(self):
        _, client = self.serve()
        path, _, tokens = self.new_game(client)
        for _ in range(5):
            mover = client.get(path).json["next"]
            client.post(f"{path}/turns", {}, token=tokens[mover == "Bob"])
        last = client.get(path).json["version"]
        events = []
        stream = Stream(client.port, f"{path}/events?from=1", {"Last-Event-ID": str(last - 2)})
        thread = self.collect(stream, lambda event: event[1] == last, events)
        thread.join(snl.PATIENCE)
        self.assertEqual([version for kind, version, *_ in events if kind == "commit"], [last - 1, last])
        stream.close()

    def test_a_turn_of_the_command_line_is_told_at_once(self):
        _, client = self.serve()
        path, _, _ = self.new_game(client)
        game = path.rsplit("/", 1)[1]
        delays = []
        events = []
        stream = Stream(client.port, f"{path}/events")
        thread = self.collect(stream, lambda event: event[1] == 6, events)
        for version in range(2, 7):
            self.snl("roll", game)
            done = time.monotonic()
            self.assertTrue(snl.wait_for(lambda: any(event[1] == version for event in events)))
            delays.append(next(event[3] for event in events if event[1] == version) - done)
        thread.join(snl.PATIENCE)
        stream.close()
        # 50 ms are promised, of a machine that isn't busy with other tests.
        self.assertLess(statistics.median(delays), 1, delays)

    def test_a_reader_who_joins_late_catches_up_with_a_long_game(self):
        self.snl("new", "Ann", "Bob", "--cells", "10000", "--id", "long", "--seed", "1")
        self.snl("roll", "long", "-n", "2000")
        _, client = self.serve()
        events = []
        stream = Stream(client.port, "/api/games/long/events")
        thread = self.collect(stream, lambda event: event[1] == 2002, events)
        self.snl("roll", "long")
        thread.join(snl.PATIENCE)
        self.assertEqual([version for kind, version, *_ in events if kind == "commit"], list(range(1, 2003)))
        stream.close()

    def test_what_isn_t_a_turn_is_a_state(self):
        _, client = self.serve()
        made = client.post("/api/games", {"open": 3})
        path = made.headers["location"]
        events = []
        stream = Stream(client.port, f"{path}/events")
        thread = self.collect(stream, lambda event: len(event[2]["seats"]) == 2, events)
        client.post(f"{path}/seats", {"name": "Ann"})
        client.post(f"{path}/seats", {"name": "Bob"})
        thread.join(snl.PATIENCE)
        self.assertFalse(thread.is_alive())
        self.assertEqual({kind for kind, *_ in events}, {"state"})
        stream.close()

    def test_two_hundred_spectators_are_all_told(self):
        _, client = self.serve("--limit", "connections=0")
        path, _, tokens = self.new_game(client)
        streams = [Stream(client.port, f"{path}/events") for _ in range(200)]
        told = [[] for _ in streams]
        threads = [self.collect(s, lambda event: event[1] == 4, into) for s, into in zip(streams, told)]
        for _ in range(3):
            mover = client.get(path).json["next"]
            client.post(f"{path}/turns", {}, token=tokens[mover == "Bob"])
        for thread in threads:
            thread.join(snl.PATIENCE)
        for events in told:
            self.assertEqual([version for _, version, *_ in events if version], [1, 2, 3, 4])
        for stream in streams:
            stream.close()


class EndingAndComingBack(server.ServerTest):
    def test_sigterm_lets_streams_say_farewell(self):
        for which in (signal.SIGTERM, signal.SIGINT):
            running, client = self.serve()
            path, _, _ = self.new_game(client)
            streams = [Stream(client.port, f"{path}/events") for _ in range(10)]
            told = [[] for _ in streams]
            threads = [threading.Thread(target=lambda s=s, t=t: t.extend(s)) for s, t in zip(streams, told)]
            for thread in threads:
                thread.start()
            self.assertTrue(snl.wait_for(lambda: all(len(one) == 2 for one in told)))
            idle = socket.create_connection(("127.0.0.1", client.port))
            code, took = running.kill(which)
            self.assertEqual(code, 0)
            self.assertLess(took, 5)
            idle.close()
            for thread in threads:
                thread.join(snl.PATIENCE)
            for stream in streams:
                self.assertEqual(len(stream.retries), 2, "one at the beginning, one at the end")
                stream.close()
            self.assertGreater(len({stream.retries[1] for stream in streams}), 5, "they come back one by one")

    def test_who_doesn_t_read_keeps_no_server_from_ending(self):
        running, client = self.serve()
        path, _, _ = self.new_game(client)
        with socket.create_connection(("127.0.0.1", client.port)) as half:
            half.sendall(b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{")
            code, took = running.kill(signal.SIGTERM)
        self.assertEqual(code, 0)
        self.assertLess(took, 5)

    def test_killed_at_any_moment_everyone_goes_on(self):
        running, client = self.serve("--limit", "writes=0")
        path, host, tokens = self.new_game(client)
        acknowledged = {}
        for round_ in range(6):
            stop = threading.Event()

            def play():
                try:
                    while not stop.is_set():
                        state = client.get(path).json
                        if state["status"] != "in-progress":
                            return
                        answer = client.post(f"{path}/turns", {}, token=tokens[state["next"] == "Bob"])
                        if answer.status == 200:
                            acknowledged[answer.json["version"]] = answer.json["head"]
                except (OSError, ConnectionError, server.http.client.HTTPException):
                    pass

            player = threading.Thread(target=play)
            player.start()
            time.sleep(0.05 * (round_ + 1))
            running.kill(signal.SIGKILL)
            stop.set()
            player.join(snl.PATIENCE)
            running, client = self.serve("--limit", "writes=0")
        kept = {line["version"]: line["hash"] for line in self.json_lines("log", path.rsplit("/", 1)[1])}
        self.assertTrue(acknowledged)
        self.assertEqual({version: kept.get(version) for version in acknowledged}, acknowledged)
        state = client.get(path).json
        if state["status"] == "in-progress":
            self.assertEqual(client.post(f"{path}/turns", {}, token=tokens[state["next"] == "Bob"]).status, 200)
        self.assert_sound()

    def test_a_full_disk_is_a_503_and_the_server_lives_on(self):
        if os.geteuid() != 0:
            self.skipTest("nobody but root can mount a small disk")
        disk = self.folder / "disk"
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "snl", disk]).returncode != 0:
            self.skipTest("no small disk can be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", disk])
        running, client = self.serve("--db", disk / "snl.db", "--limit", "writes=0")
        path, _, tokens = self.new_game(client)
        filler = disk / "filler"
        with open(filler, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"x" * 4096)
            except OSError:
                pass
        statuses = set()
        for _ in range(200):
            state = client.get(path)
            self.assertEqual(state.status, 200)
            answer = client.post(f"{path}/turns", {}, token=tokens[state.json["next"] == "Bob"])
            statuses.add(answer.status)
            if answer.status == 503:
                break
        self.assertIn(503, statuses)
        self.assertEqual(answer.type, "unavailable")
        self.assertIn("retry-after", answer.headers)
        version = client.get(path).json["version"]
        filler.unlink()
        state = client.get(path).json
        again = client.post(f"{path}/turns", {}, token=tokens[state["next"] == "Bob"])
        self.assertEqual((again.status, again.json["version"]), (200, version + 1))


class WordsAndOptions(server.ServerTest):
    def test_what_can_t_be_listened_to_or_understood_is_refused(self):
        for code, pattern, *args in (
            (2, "nowhere isn't HOST:PORT", "--listen", "nowhere"),
            (2, "isn't HOST:PORT", "--listen", "127.0.0.1:99999"),
            (2, "ftp://a isn't http", "--url", "ftp://a"),
            (2, "isn't http", "--url", "http://a/path"),
            (2, "isn't an origin", "--allow-origin", "https://a/path"),
            (2, "isn't an address or a network", "--trusted-proxy", "10.0.0.1/8"),
            (2, "no limit has this name", "--limit", "turns=1"),
            (2, "isn't a whole number", "--limit", "open=many"),
            (2, "log-format", "--log-format", "xml"),
            (2, "0 isn't a whole number from 1", "--threads", "0"),
            (1, "192.0.2.1:0: .*listen elsewhere", "--listen", "192.0.2.1:0"),
        ):
            with self.subTest(args):
                self.refused(code, pattern, "serve", *args)
        running, _ = self.serve()
        self.refused(1, "in use", "serve", "--listen", f"127.0.0.1:{running.port}")

    def test_whoever_isn_t_this_machine_is_warned_of(self):
        process = self.popen("serve", "--listen", "0.0.0.0:0", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertRegex(process.stdout.readline().decode(), r"listening on http://0\.0\.0\.0:\d+\n")
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=snl.PATIENCE)
        self.assertRegex(errors.decode(), r"snl: 0\.0\.0\.0:\d+ can be reached from other machines")
        own = subprocess.run(["hostname", "-I"], stdout=subprocess.PIPE, check=False).stdout.decode().split()
        for address in own:
            if "." in address:
                self.assertRegex(errors.decode(), rf"\nsnl: others open .*http://{re.escape(address)}:\d+")
        self.assertEqual(process.returncode, 0)

    def test_ipv6(self):
        try:
            with socket.socket(socket.AF_INET6) as probe:
                probe.bind(("::1", 0))
        except OSError:
            self.skipTest("there is no IPv6 here")
        process = self.popen("serve", "--listen", "[::1]:0", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        line = process.stdout.readline().decode()
        self.assertRegex(line, r"listening on http://\[::1\]:\d+\n")
        client = server.Client(self, int(line.rsplit(":", 1)[1]), "::1")
        self.assertEqual(client.get("/healthz").status, 200)
        process.terminate()
        self.assertEqual(process.wait(snl.PATIENCE), 0)
        process.stdout.close()

    def test_the_server_tells_of_itself(self):
        running, client = self.serve()
        path, _, tokens = self.new_game(client)
        client.post(f"{path}/turns", {}, token=tokens[0])
        client.get("/api/games/nobody")
        self.assertEqual(client.get("/healthz").body, b"alive\n")
        self.assertEqual(client.get("/readyz").body, b"ready\n")
        described = client.get("/api/openapi.json")
        self.assertEqual(described.json, DESCRIPTION.document)
        again = client.get("/api/openapi.json", headers={"If-None-Match": described.headers["etag"]})
        self.assertEqual(again.status, 304)
        metrics = client.get("/metrics")
        text = metrics.body.decode()
        self.assertIn("snl_turns_total 1\n", text)
        self.assertIn('snl_http_requests_total{method="GET",status="404"} 1\n', text)
        self.assertRegex(text, r"snl_http_request_duration_seconds_count \d+\n")
        names = {line.split("{")[0].split(" ")[0] for line in text.splitlines() if not line.startswith("#")}
        helped = set(re.findall(r"^# TYPE (\S+)", text, re.M))
        self.assertEqual({re.sub("_(bucket|sum|count)$", "", name) if name not in helped else name for name in names} - helped, set())
        for path_ in ("/healthz", "/readyz", "/metrics", "/api/openapi.json"):
            refused = client.post(path_, {})
            self.assertEqual((refused.status, refused.headers["allow"]), (405, "GET, HEAD"))
        # Whoever came by a proxy that nobody trusts may be anybody.
        self.assertEqual(client.get("/metrics", headers={"X-Forwarded-For": "127.0.0.1"}).status, 403)

    def test_the_log_has_a_line_for_each_request_and_no_secret(self):
        for form in ("text", "json"):
            running, client = self.serve("--log-format", form)
            made = client.post("/api/games", {"players": ["Ann", "Bob"], "private": True})
            game = made.json["id"]
            tokens = [made.json["token"], *(seat["token"] for seat in made.json["seats"])]
            path = f"/api/games/{game}"
            client.post(f"{path}/turns", {}, token=tokens[1])
            client.get(f"{path}?token={tokens[0]}")
            client.get(f"/{tokens[0]}")
            client.get(f"/%{ord(game[0]):02x}{game[1:]}/{tokens[1]}x")
            self.assertTrue(snl.wait_for(lambda: len(running.log) >= 5))
            running.kill(signal.SIGTERM)
            log = running.logged()
            self.assertNotIn(game, log)
            self.assertIn(game[:6], log)
            for one in tokens:
                self.assertNotIn(one, log)
                self.assertNotIn(one[:30], log)
            lines = log.splitlines()
            self.assertEqual(len(lines), 5, log)
            if form == "json":
                for line in map(json.loads, lines):
                    self.assertEqual(set(line), {"time", "address", "method", "path", "status", "bytes", "ms"})
            else:
                self.assertRegex(lines[0], r"^\S+Z 127\.0\.0\.1 POST /api/games 201 \d+ bytes \d+\.\d+ ms$")

    def test_a_log_that_nobody_reads_holds_nobody_up(self):
        read, write = os.pipe()
        process = self.popen("serve", "--listen", "127.0.0.1:0", stdout=subprocess.PIPE, stderr=write)
        os.close(write)
        port = int(process.stdout.readline().decode().rsplit(":", 1)[1])
        with socket.create_connection(("127.0.0.1", port), snl.PATIENCE) as connection:
            ask = f"GET /{'x' * 150} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
            for _ in range(200):
                connection.sendall(ask * 10)
                said = b""
                while said.count(b"HTTP/1.1 404") < 10 or not said.endswith(b"}"):
                    said += connection.recv(65536)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(snl.PATIENCE), 0)
        os.close(read)
        process.stdout.close()


if __name__ == "__main__":
    snl.main()
