"""Goal: games over HTTP work like those at the command line, for authorised players, through crashes and slow clients.
A spectator gets each version once.

Method: the real server, sockets from the standard library, whole games; every answer is checked against openapi.json.
Other tests cover the library's answers without sockets. These are about threads, sockets, processes and time.
"""

import contextlib
import gzip
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
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
        others = {"start": (0, 1), "finish": ("exact", "bounce"), "dice": (1, 2), "faces": (6, 8), "sixes": ("again", "plain", "each")}
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

    def test_refusals_come_in_their_order_and_what_was_done_is_answered_again(self):
        _, client = self.serve()
        path, host, tokens = self.new_game(client)
        self.assertEqual(client.post(f"{path}/turns?dice=6", {}, token=tokens[0]).status, 400)
        self.assertEqual(client.post("/api/games?x=1", {"open": 2}).status, 400)
        self.assertEqual(client.get(path).json["version"], 1)
        own, host, _ = self.new_game(client, dice="own")
        self.assertEqual(client.post(f"{own}/seats", {"computer": True}, token=host).type, "full")
        made = client.post("/api/games", {"open": 3})
        path, host = made.headers["location"], made.json["token"]
        seats = {name: {"name": name, "token": server.token(), "entropy_hash": promise} for name, promise in (("Ann", "ab" * 32), ("Bob", None))}
        for seat in seats.values():
            seat = {name: value for name, value in seat.items() if value}
            self.assertEqual([client.post(f"{path}/seats", seat).status for _ in range(2)], [201, 200])
        wrong = client.post(f"{path}/seats", {**seats["Bob"], "entropy_hash": "garbage"})
        self.assertEqual((wrong.status, wrong.type), (422, "invalid-value"))
        # A seat with auto has dropped its promise. The request that took it is still the same.
        self.assertEqual(client.ask("PUT", f"{path}/seats/0/auto", {"on": True}, token=seats["Ann"]["token"]).status, 200)
        self.assertEqual(client.post(f"{path}/seats", seats["Ann"]).status, 200)

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
        self.run_snl("simulate", "--games", "1", "--cells", "10000", "--max-turns", "200", "--seed", "1",
                     "--save")
        game = self.snl("list").split()[0]
        running, client = self.serve("--limit", "writes=0", "--limit", "exports=0", "--threads", "1")
        formats = ["cast", "csv", "text", "svg", "svg&at=1", "svg&at=2"]
        many = len(formats)
        ask = lambda path: f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        long, short = f"/api/games/{game}/export", f"/api/games/{game}"
        with contextlib.ExitStack() as stack:
            clients = [stack.enter_context(socket.create_connection(("127.0.0.1", running.port), snl.PATIENCE)) for _ in range(many + 1)]
            for connection in clients:  # so that the server has all of them
                connection.sendall(ask("/healthz"))
                self.assertIn(b"alive", connection.recv(4096))
            # It finds all the requests at once, the short one last, and its log says which it answered when.
            running.process.send_signal(signal.SIGSTOP)
            for connection, form in zip(clients, formats):
                connection.sendall(ask(f"{long}?format={form}"))
            clients[-1].sendall(ask(short))
            running.process.send_signal(signal.SIGCONT)
            answered = lambda: re.findall(rf" GET {re.escape(short)}(/export)? 200 ", running.logged())
            self.assertTrue(snl.wait_for(lambda: len(answered()) == many + 1))
        self.assertLess(answered().index(""), many // 2)

    def test_lists_and_states_don_t_wait_for_exports_and_pages_of_the_largest_games(self):
        self.snl("new", "Ann", "Bob", "--cells", "10000", "--seed", "1", "--id", "large")
        self.snl("roll", "large", "-n", "100")
        running, client = self.serve("--limit", "writes=0", "--limit", "exports=0", "--threads", "1")
        export = "/api/games/large/export"
        long = ["/g/large", f"{export}?format=cast", f"{export}?format=csv"]
        short = ["/", "/api/games", "/api/games/large"]
        ask = lambda path: f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        with contextlib.ExitStack() as stack:
            clients = [stack.enter_context(socket.create_connection(("127.0.0.1", running.port), snl.PATIENCE)) for _ in (*long, *short)]
            for connection in clients:
                connection.sendall(ask("/healthz"))
                self.assertIn(b"alive", connection.recv(4096))
            running.process.send_signal(signal.SIGSTOP)
            for connection, path in zip(clients, (*long, *short)):
                connection.sendall(ask(path))
            running.process.send_signal(signal.SIGCONT)
            # The log has no query.
            answered = lambda: re.findall(r" GET (\S+) 200 ", running.logged().split("/healthz", len(clients))[-1])
            self.assertTrue(snl.wait_for(lambda: len(answered()) == len(clients)), answered())
        self.assertLessEqual(set(short), set(answered()[:answered().index(export)]))

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
        self.assertEqual(stream.retries, [2000])
        stream.close()
        # A client that reconnects with the last version is told not to reconnect.
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

    def test_a_place_that_is_still_to_come_silences_nobody(self):
        _, client = self.serve()
        path, _, tokens = self.new_game(client)

        def play():
            mover = client.get(path).json["next"]
            self.assertEqual(client.post(f"{path}/turns", {}, token=tokens[mover == "Bob"]).status, 200)

        events, late = [], []
        ahead = Stream(client.port, f"{path}/events?from=5")  # the first to follow the game
        waiting = self.collect(ahead, lambda event: event[1] == 5, late)
        self.assertTrue(snl.wait_for(lambda: late))
        stream = Stream(client.port, f"{path}/events")
        thread = self.collect(stream, lambda event: event[1] == 4, events)
        self.assertTrue(snl.wait_for(lambda: any(event[1] == 1 for event in events)))
        for _ in range(3):
            play()
        thread.join(snl.PATIENCE)
        self.assertEqual([version for _, version, *_ in events if version], [1, 2, 3, 4])
        play()
        waiting.join(snl.PATIENCE)
        self.assertEqual([version for _, version, *_ in late if version], [5])
        ahead.close()
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
            self.assertEqual(running.kill(which), 0)
            idle.close()
            for thread in threads:
                thread.join(snl.PATIENCE)
            for stream in streams:
                self.assertEqual(len(stream.retries), 2, "one at the beginning, one at the end")
                stream.close()
            self.assertGreater(len({stream.retries[1] for stream in streams}), 5, "they come back one by one")

    def test_a_signal_ends_a_server_that_has_not_started(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            silent.settimeout(snl.PATIENCE)
            location = f"postgresql://127.0.0.1:{silent.getsockname()[1]}/games"
            for which in (signal.SIGTERM, signal.SIGINT):
                process = self.popen("serve", "--db", location, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                self.addCleanup(process.kill)
                connection, _ = silent.accept()  # no answer will come
                process.send_signal(which)
                said, complained = process.communicate(timeout=snl.PATIENCE)
                connection.close()
                self.assertEqual((process.returncode, said, complained), (0, b"", b""))

    def test_who_doesn_t_read_keeps_no_server_from_ending(self):
        running, client = self.serve()
        path, _, _ = self.new_game(client)
        with socket.create_connection(("127.0.0.1", client.port)) as half:
            half.sendall(b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{")
            self.assertEqual(running.kill(signal.SIGTERM), 0)

    def test_killed_at_any_moment_everyone_goes_on(self):
        running, client = self.serve("--limit", "writes=0")
        path, host, tokens = self.new_game(client)
        acknowledged = {}
        for more in (0, 1, 2, 3, 5, 8):  # turns
            stop, before = threading.Event(), len(acknowledged)

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
            self.assertTrue(snl.wait_for(lambda: len(acknowledged) - before >= more or not player.is_alive()))
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

    def test_a_copy_that_is_restored_beneath_it_is_told_to_everybody(self):
        _, client = self.serve("--limit", "auto=50")
        late, host, _ = self.new_game(client, pace=5)
        made = client.post("/api/games", {"open": 8})
        path = made.headers["location"]

        def sit(*names):
            for name in names:
                self.assertEqual(client.post(f"{path}/seats", {"name": name}).status, 201)

        sit("Ann")
        self.snl("db", "backup", self.folder / "copy.db")
        sit("Bob")
        before = client.get(path).headers["etag"]
        sit("Cyd", "Dan")
        self.assertEqual(client.post(f"{late}/abandon", token=host).status, 200)
        told = []
        stream = Stream(client.port, f"{path}/events")
        thread = threading.Thread(target=lambda: told.extend(stream))
        thread.start()
        self.assertTrue(snl.wait_for(lambda: told))
        self.snl("db", "restore", self.folder / "copy.db", "--force")
        names = lambda: [seat["name"] for seat in told[-1][2]["seats"]]
        self.assertTrue(snl.wait_for(lambda: names() == ["Ann"]), told)
        # The server looks at its games once a second. From then on no tag is one of before.
        self.assertTrue(snl.wait_for(lambda: client.get(late).json["deadline"] is not None))
        self.assertTrue(snl.wait_for(lambda: client.get(path).headers["etag"] > before))
        sit("Eve")
        self.assertTrue(snl.wait_for(lambda: names() == ["Ann", "Eve"]), told)
        self.assertEqual(client.get(path, headers={"If-None-Match": before}).status, 200)
        self.assertTrue(snl.wait_for(lambda: client.get(late).json["turn"] > 0), "the game with a pace goes on")
        stream.close()
        thread.join(snl.PATIENCE)

    def test_a_spectator_who_never_reads_keeps_nobody_from_a_game_that_was_restored(self):
        self.snl("new", "Ann", "Bob", "--cells", "10000", "--id", "long", "--seed", "1")
        self.snl("roll", "long", "-n", "1500")
        self.snl("db", "backup", self.folder / "copy.db")
        self.snl("roll", "long")
        _, client = self.serve()

        def follow(until, path="/api/games/long/events"):
            """Reads the stream until this version; returns the versions of its commits."""
            stream = Stream(client.port, path)
            with contextlib.closing(stream):
                versions = []
                for kind, version, *_ in stream:
                    if kind == "commit":
                        versions.append(version)
                    if version == until:
                        break
                return versions

        with socket.socket() as silent:
            silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            silent.connect(("127.0.0.1", client.port))
            silent.sendall(b"GET /api/games/long/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.assertEqual(follow(1502)[-1], 1502)
            self.snl("db", "restore", self.folder / "copy.db", "--force")
            self.snl("roll", "long")
            later = "/api/games/long/events?from=1502"
            self.assertTrue(snl.wait_for(lambda: follow(1502, later) == [1502]))

    def test_a_copy_that_is_made_again_has_the_seats_and_tokens_of_now(self):
        running, client = self.serve()
        made = client.post("/api/games", {"open": 2, "private": True})
        path, game = made.headers["location"], made.json["id"]
        tokens = {"Ann": client.post(f"{path}/seats", {"name": "Ann"}).json["token"]}
        copy = self.folder / "copy.db"
        here = self.json("db", "info")["path"]
        self.assertEqual(self.json("db", "copy", here, copy)["rooms"], 1)
        tokens["Bob"] = client.post(f"{path}/seats", {"name": "Bob"}).json["token"]

        def play(client):
            state = client.get(path).json
            self.assertEqual(client.post(f"{path}/turns", {}, token=tokens[state["next"]]).status, 200)

        play(client)
        running.kill(signal.SIGTERM)
        for rooms in (1, 0):
            self.assertEqual(self.json("db", "copy", here, copy)["rooms"], rooms)
        self.environment["SNL_DB"] = str(copy)
        _, client = self.serve()
        play(client)
        play(client)
        self.assertEqual(client.get("/api/games").json["games"], [])
        self.assert_sound()

    def test_a_store_that_was_moved_is_a_503_everywhere_until_it_is_back(self):
        store, elsewhere = self.folder / "a.db", self.folder / "b.db"
        for change in ("moved", "linked"):
            with self.subTest(change):
                running, client = self.serve("--db", store)
                path, _, tokens = self.new_game(client)
                turn = lambda key: client.post(f"{path}/turns", {}, token=tokens[0], headers={"Idempotency-Key": key})
                self.assertEqual(client.get("/readyz").status, 200)
                if change == "moved":
                    store.rename(elsewhere)
                    asked = ["/readyz", path, "/api/games", f"{path}/export?format=text"]
                else:
                    os.link(store, elsewhere)
                    asked = ["/readyz"]
                self.assertEqual(turn("k").status, 503)
                self.assertEqual(client.post("/api/games", {"players": ["Ann", "Bob"]}).status, 503)
                self.assertEqual(client.post("/api/games", {"open": 2}).status, 503)
                self.assertEqual({each: client.get(each).status for each in asked}, dict.fromkeys(asked, 503))
                if change == "moved":
                    elsewhere.rename(store)
                else:
                    elsewhere.unlink()
                self.assertEqual(client.get("/readyz").status, 200)
                self.assertEqual(client.get(path).json["version"], 1)
                self.assertEqual(turn("k").status, 200)
                self.assertEqual(client.get(path).json["version"], 2)
                running.kill()

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
        self.assertEqual(client.get("/readyz").status, 503)
        version = client.get(path).json["version"]
        filler.unlink()
        state = client.get(path).json
        again = client.post(f"{path}/turns", {}, token=tokens[state["next"] == "Bob"])
        self.assertEqual((again.status, again.json["version"]), (200, version + 1))
        self.assertTrue(snl.wait_for(lambda: client.get("/readyz").status == 200))  # a probe of over a second says no, too


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
        # A client behind an untrusted proxy may be anyone.
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


class WhatIsSent(server.ServerTest):
    def fetch(self, running, path, headers=None):
        """As a browser does; pages are in no description."""
        connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=snl.PATIENCE)
        self.addCleanup(connection.close)
        connection.request("GET", path, headers=headers or {})
        got = connection.getresponse()
        return server.Answer(got.status, {name.lower(): value for name, value in got.getheaders()}, got.read())

    def test_what_pages_load_is_compressed_for_whoever_takes_it(self):
        running, client = self.serve()
        path, _, _ = self.new_game(client)
        page = f"/g/{path.rsplit('/', 1)[1]}"
        html = self.fetch(running, page).body.decode()
        assets = re.findall(r'"(/assets/[^"]+)"', html)
        self.assertGreaterEqual(len(assets), 3)
        for path_ in ("/", page, "/api/openapi.json", *assets):
            with self.subTest(path_):
                plain = self.fetch(running, path_)
                packed = self.fetch(running, path_, headers={"Accept-Encoding": "br, GZIP;q=0.5"})
                self.assertEqual((plain.status, packed.status), (200, 200))
                self.assertNotIn("content-encoding", plain.headers)
                self.assertEqual(packed.headers["content-encoding"], "gzip")
                self.assertEqual(gzip.decompress(packed.body), plain.body)
                if len(plain.body) > 2000:
                    self.assertLess(len(packed.body), len(plain.body) / 2)
                for answer in (plain, packed):
                    self.assertIn("Accept-Encoding", answer.headers["vary"])
                self.assertEqual(packed.headers.get("etag"), plain.headers.get("etag"))
                if "etag" in plain.headers:
                    self.assertTrue(plain.headers["etag"].startswith("W/"))
                    known = {"If-None-Match": plain.headers["etag"], "Accept-Encoding": "gzip"}
                    again = self.fetch(running, path_, headers=known)
                    self.assertEqual((again.status, again.body), (304, b""))
                    self.assertNotIn("content-encoding", again.headers)
        for no in ("", "identity", "gzip;q=0", "*;q=0", "gzip;q=0.000, *", "deflate"):
            self.assertNotIn("content-encoding", self.fetch(running, "/", headers={"Accept-Encoding": no}).headers, no)
        for yes in ("*", "x, gzip ; q=1.0", "identity;q=0, *;q=0.001"):
            self.assertIn("content-encoding", self.fetch(running, "/", headers={"Accept-Encoding": yes}).headers, yes)

    def test_people_are_answered_with_a_page_and_programs_with_json(self):
        running, client = self.serve("--limit", "writes=0")
        browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
        wrong_host = {"Host": "evil.example"}
        for path, headers, status in (("/nothing", {}, 404), ("/", wrong_host, 421), ("/g/none", {}, 404), ("/a|b", {}, 400)):
            page = self.fetch(running, path, browser | headers)
            self.assertEqual(page.status, status)
            self.assertEqual(page.headers["content-type"], "text/html; charset=utf-8")
            self.assertIn(b"<h1>", page.body)
            self.assertIn("frame-ancestors", page.headers["content-security-policy"])
        self.assertIn(b">There is nothing at this path.<", self.fetch(running, "/nothing", browser).body)
        self.assertEqual(json.loads(client.get("/nothing").body)["detail"], "there is nothing at this path")
        for path, headers in (("/nothing", {}), ("/", wrong_host)):
            self.assertEqual(client.get(path, headers=headers).headers["content-type"], "application/problem+json")
        self.assertEqual(client.get("/api/games/none", headers=browser).headers["content-type"], "application/problem+json")
        named, _ = self.serve("--url", "https://play.example.org")
        self.assertIn(b"open https://play.example.org", self.fetch(named, "/", browser | wrong_host).body)

    def test_bodies_are_json_in_utf_8_as_it_is(self):
        _, client = self.serve("--limit", "writes=0")
        body = json.dumps({"players": ["Ann", "Bob"]}).encode()
        for kind in ("application/json", "Application/JSON ; charset=UTF-8", 'application/json; charset="utf-8"', "application/json;x=y"):
            self.assertEqual(client.post("/api/games", body, headers={"Content-Type": kind}).status, 201, kind)
        for kind in ("application/json; charset=latin1", "application/json;x=y;charset=utf-16", "text/json"):
            refused = client.post("/api/games", body, headers={"Content-Type": kind})
            self.assertEqual((refused.status, refused.headers["accept"]), (415, "application/json"), kind)
        for coding, status in (("gzip", 415), ("x, gzip", 415), ("identity", 201)):
            answer = client.post("/api/games", body, headers={"Content-Encoding": coding})
            self.assertEqual(answer.status, status, coding)
            if status == 415:
                self.assertEqual(answer.headers["accept-encoding"], "identity")

    def test_a_whole_number_is_one_however_it_is_written(self):
        _, client = self.serve("--limit", "writes=0")
        own = server.token()
        first = client.post("/api/games", b'{"open":2,"token":"%s"}' % own.encode())
        self.assertEqual(first.status, 201)
        again = client.post("/api/games", b'{"open":2.0,"token":"%s"}' % own.encode())
        self.assertEqual((again.status, again.json["id"]), (200, first.json["id"]))
        path, _, tokens = self.new_game(client, dice="own")
        self.assertEqual(client.post(f"{path}/turns", b'{"dice":[2e0]}', token=tokens[0]).status, 200)
        for number in (b"2.5", b"1e300", b"9007199254740993.0e3"):
            self.assertEqual(client.post("/api/games", b'{"open":%s}' % number).status, 400, number)

    def test_what_cannot_be_read_is_not_taken_for_something_else(self):
        _, client = self.serve()
        for query in ("player=%FF", "player=%C3", "%FF=1"):
            self.assertEqual(client.get(f"/api/games?{query}").status, 400, query)
        self.assertEqual(client.get("/api/games?player=%C3%A9").status, 200)

    def test_a_long_text_is_not_repeated_whole(self):
        _, client = self.serve("--limit", "writes=0")
        long = "é" * 30000
        for body in ({"players": [long, "Bob"]}, {"players": [long[:15000], long[:15000]]}, {"players": ["Ann", "Bob"], "board": long},
                     {"players": ["Ann", "Bob"], long: 1}, {"players": ["Ann", "Bob"], "board": {long: 1}}, {"open": [long]},
                     {"players": ["Ann", "Bob"], "rules": {"finish": long}}):
            refused = client.post("/api/games", json.dumps(body, ensure_ascii=False).encode())
            self.assertIn(refused.status, (400, 422))
            self.assertLess(len(refused.body), 6000, refused.body[:300])
            self.assertNotIn("\ufffd", refused.body.decode())

    def test_the_readme_s_client_in_python_plays_a_game_with_a_computer_and_verifies_its_dice(self):
        running, _ = self.serve("--limit", "auto=20")
        url = f"http://127.0.0.1:{running.port}"
        (client,) = re.findall(r"^```python\n(import hashlib.*?)^```", (snl.TESTS.parent / "cli/server/README.md").read_text("utf-8"), re.M | re.S)
        played = subprocess.run([sys.executable, "-c", client, url], capture_output=True, text=True, timeout=snl.PATIENCE)
        self.assertEqual((played.returncode, played.stderr), (0, ""))
        self.assertRegex(played.stdout, r"\A(Ann,\d+,\S+,CONTINUE\n)*(WIN\n)?(Ann|\w+) wins, and nobody chose the dice\.\n\Z")
        lying = client.replace('commitment = made["game"]["draw"]["commitment"]', 'commitment = "0" * 64')
        found = subprocess.run([sys.executable, "-c", lying, url], capture_output=True, text=True, timeout=snl.PATIENCE)
        self.assertIn("the server broke its promise", found.stderr)

    def test_the_readme_s_example_of_curl_works(self):
        text = (snl.TESTS.parent / "cli" / "server" / "README.md").read_text(encoding="utf-8")
        example = re.search(r"(?s)```sh\n(snl serve &\n.*?)```", text)[1]
        if not shutil.which("curl"):
            self.skipTest("curl isn't installed")
        running, _ = self.serve()
        lines = example.replace("snl serve &\n", "").replace(":8080", f":{running.port}").replace("curl -sN", "curl -sN -m 2")
        done = subprocess.run(["bash", "-c", lines], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=snl.PATIENCE, check=False)
        self.assertIn('"result"', done.stdout, done.stderr)
        self.assertRegex(done.stdout, r"event: commit\ndata: .*\n(.*\n)*id: 2")


class TheService(server.ServerTest):
    def test_plays_into_the_store_that_its_settings_name(self):
        """The command that systemd would run, with an /etc/default/snl-serve that names options and another store."""
        unit = (snl.TESTS.parent / "cli" / "packaging" / "snl-serve.service.in").read_text(encoding="utf-8")
        settings = dict(re.findall(r"(?m)^Environment=(\w+)=(.*)$", unit))
        self.assertEqual(settings, {"SNL_DB": "/var/lib/snl/snl.db"})
        self.assertLess(unit.index("\nEnvironment="), unit.index("\nEnvironmentFile="))  # the later of two counts
        words = re.search(r"(?m)^ExecStart=@bin_folder@/snl (.*)$", unit)[1].split()
        at = words.index("$SNL_SERVE_OPTIONS")
        words[at:at + 1] = ["--listen", "127.0.0.1:0"]
        process = self.popen(*words, env=settings | {"SNL_DB": str(self.folder / "other.db")}, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
        self.assertRegex(process.stdout.readline().decode(), "listening on")
        process.terminate()
        process.communicate(timeout=snl.PATIENCE)
        self.assertIn("other.db", self.files())

    def test_may_use_the_sockets_that_it_needs(self):
        """Sockets of browsers, of a database on the same machine, and for reading the machine's addresses."""
        unit = (snl.TESTS.parent / "cli" / "packaging" / "snl-serve.service.in").read_text(encoding="utf-8")
        allowed = re.search(r"(?m)^RestrictAddressFamilies=(.*)$", unit)[1].split()
        self.assertEqual(set(allowed), {"AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK"})


if __name__ == "__main__":
    snl.main()
