"""Goal: over HTTP too, no game waits. The server rolls for a late player, computers play, stalled draws restart,
ended games have rematches, and the host's role is passed on. All this also works after a kill at a deadline.

Method: clients that let a server wait, on the shortest pace and the shortest limits that there are. Streams and
exports show the rolled turns; their dice are rolled again only by hashlib and the reader of tests/reader.
"""

import hashlib
import json
import socket
import sys
import time
from datetime import datetime, timedelta, timezone

import served_games
import snl

sys.path.insert(0, str(snl.TESTS / "reader"))

import snl_reader as reader  # noqa: E402

PACE = 5
QUICKLY = ("--limit", "auto=50", "--limit", "draw=1")


class Waiting(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.server = served_games.Server(self, *QUICKLY)
        self.client = served_games.Client(self.server)
        self.addCleanup(self.client.close)

    def table(self, *names, places=None, promise=False, **options):
        return served_games.Table(self.client, [(name, promise) for name in names], places, **options)

    def seat_computer(self, table, **more):
        answer = self.client.post(f"{table.path}/seats", {"computer": True, **more}, table.host)
        self.assertEqual(answer.status, 201, answer)
        return answer.json["name"]

    def until(self, table, is_so):
        """The state once it is so."""
        self.assertTrue(snl.wait_for(lambda: is_so(table.state())), table.state())
        return table.state()

    def commands(self, table):
        return [commit["command"].get("roll", [0])[-1] for commit in self.log_of(table)]

    def log_of(self, table):
        return [json.loads(line) for line in self.run_snl("export", table.id, "-f", "jsonl").out.splitlines()[1:]]

    def assert_rolled_by_the_seed(self, table):
        """Checks every die, whether a player or the server rolled it, by SHA-256 of the drawn values."""
        first, *rest = self.log_of(table)
        setup = reader.Setup(*first["command"]["start"])
        _, secret, entropy = first["command"]["start"][-1]
        drawn = b"".join(len(part).to_bytes(4, "big") + part
                         for part in map(bytes.fromhex, (secret, *(text or "" for text in entropy))))
        self.assertEqual(setup.seed, int.from_bytes(hashlib.sha256(drawn).digest()[:8], "big"))
        turns = [event["played"] for commit in rest for event in commit["events"] if "played" in event]
        self.assertGreater(len(turns), 0)
        for turn in turns:
            self.assertEqual(turn[3], reader.roll_dice(setup, turn[1]))

    def test_who_is_late_is_rolled_for_then_away_then_back(self):
        table = self.table("Ann", "Bob", promise=True, pace=PACE).sit_down().send_entropy()
        stream = served_games.Stream(self.server, table.id)
        begun = time.monotonic()
        for late in range(3):
            self.assertEqual(table.turn("Ann").status, 200)
            then = "away" if late == 2 else None
            self.until(table, lambda state: state["next"] == "Ann" and state["seats"][1]["auto"] == then)
        self.assertGreater(time.monotonic() - begun, 3 * PACE - 1)
        table.turn("Ann")
        self.until(table, lambda state: state["next"] == "Ann")
        answer = self.client.request("PUT", f"{table.path}/seats/1/auto", {"on": False}, table.player("Bob").token)
        self.assertEqual((answer.status, answer.json["seats"][1]["auto"]), (200, None))
        table.turn("Ann")
        self.assertEqual(table.turn("Bob").status, 200)
        table.play()
        stream.ended()
        self.assertEqual(self.commands(table)[1:9], [1, "pace", 1, "pace", 1, "pace", 1, "auto"])
        self.assertRegex(self.run_snl("log", table.id).out, r"v3: 2\. Bob rolls .* \(rolled by pace\)\n")
        self.assertEqual(stream.lines()[1:], [reader.canonical(commit) for commit in self.log_of(table)[1:]])
        self.assert_rolled_by_the_seed(table)
        self.assert_sound()

    def test_one_person_and_two_computers_play_a_whole_game_and_a_rematch_of_its_rematch(self):
        table = self.table("Ann", places=3, promise=True)
        names = [self.seat_computer(table, name="Éva"), self.seat_computer(table)]
        table.sit_down().send_entropy()
        order = [*names, "Ann"]
        for _ in range(3):
            state = table.state()
            self.assertEqual([player["name"] for player in state["players"]], order)
            while state["status"] == "in-progress":
                if state["next"] == "Ann":
                    self.assertEqual(table.turn("Ann").status, 200)
                state = self.until(table, lambda state: state["next"] == "Ann" or state["status"] == "completed")
            self.assertEqual({*self.commands(table)[1:]}, {1, "computer"})
            self.assert_rolled_by_the_seed(table)
            made = self.client.post(f"{table.path}/rematch", {}, table.player("Ann").token)
            self.assertEqual((made.status, made.json["status"]), (201, "open"))
            again = self.client.post(f"{table.path}/rematch", {}, table.host)
            self.assertEqual((again.status, again.json["id"]), (200, made.json["id"]))
            self.assertEqual(table.state()["rematch"], made.json["id"])
            table.id, table.path = made.json["id"], made.headers["location"]
            order = [*order[1:], order[0]]
            player = table.players[0]
            player.entropy = hashlib.sha256(player.entropy).digest()
            self.assertEqual(self.client.post(f"{table.path}/seats", player.to_sit_down()).status, 200)
            table.send_entropy()
        self.assert_sound()

    def test_computers_alone_play_while_somebody_watches(self):
        table = self.table(places=2, board={"cells": 10_000})  # a long game, which must not end meanwhile
        self.seat_computer(table)
        self.seat_computer(table)
        time.sleep(1)
        self.assertEqual(table.state()["turn"], 0)
        with socket.create_connection(("127.0.0.1", self.server.port), snl.PATIENCE) as watching:
            watching.sendall(f"GET {table.path}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            self.until(table, lambda state: state["turn"] > 2)

        def plays_on():
            turn = table.state()["turn"]
            time.sleep(1)
            return table.state()["turn"] != turn

        self.assertTrue(snl.wait_for(lambda: not plays_on()))
        self.assertEqual(table.state()["status"], "in-progress")

    def test_a_draw_goes_on_without_who_sends_nothing(self):
        table = self.table("Ann", "Bob", "Cyd", promise=True).sit_down()
        ann, bob, cyd = table.players
        for player in (ann, bob):
            self.client.post(f"{table.path}/entropy", {"entropy": player.entropy.hex()}, player.token)
        state = self.until(table, lambda state: state["status"] == "open")
        self.assertEqual(state["redraws"], 1)
        self.assertNotEqual(state["draw"]["commitment"], table.commitment)
        self.assertEqual([(seat["name"], seat["in"]) for seat in state["seats"]], [("Ann", False), ("Bob", False)])
        late = self.client.post(f"{table.path}/entropy", {"entropy": cyd.entropy.hex()}, cyd.token)
        self.assertEqual((late.status, late.problem), (409, "started"))
        table.players = [ann, bob]
        for player in table.players:
            player.entropy = hashlib.sha256(player.entropy).digest()
            self.assertEqual(self.client.post(f"{table.path}/seats", player.to_sit_down()).status, 200)
        self.assertEqual(self.client.post(f"{table.path}/start", {}, table.host).status, 200)
        table.send_entropy()
        self.assertEqual(table.play()["status"], "completed")
        self.assert_rolled_by_the_seed(table)
        self.assert_sound()

    def test_the_host_hands_on_and_leaves(self):
        table = self.table("Ann", "Bob", places=3).sit_down()
        ann, bob = table.players
        answer = self.client.post(f"{table.path}/host", {"seat": 1}, table.host)
        self.assertEqual((answer.status, answer.json["you"]), (200, None))
        self.assertEqual(self.client.post(f"{table.path}/start", {}, table.host).status, 403)
        self.assertEqual(self.client.post(f"{table.path}/start", {}, ann.token).status, 403)
        self.assertEqual(self.client.post(f"{table.path}/start", {}, bob.token).status, 200)
        you = table.state(bob.token)["you"]
        self.assertEqual((you["host"], you["seat"]), (True, 1))
        self.assertEqual(self.client.post(f"{table.path}/abandon", {}, bob.token).status, 200)

    def test_a_server_that_is_killed_at_a_deadline_goes_on_after_it(self):
        table = self.table("Ann", "Bob", pace=PACE).sit_down()
        deadline = table.state()["deadline"]
        tag = self.client.get(table.path).headers["etag"]
        self.server.kill()
        time.sleep(PACE)
        begun = datetime.now(timezone.utc)
        self.server.start()
        self.client.close()
        state = self.client.get(table.path)
        self.assertGreater(state.json["deadline"], deadline)
        self.assertNotEqual(state.headers["etag"], tag)
        self.until(table, lambda state: state["turn"] > 0)
        self.assertGreater(self.log_of(table)[1]["time"], (begun + timedelta(seconds=PACE)).isoformat())
        self.client.request("PUT", f"{table.path}/seats/1/auto", {"on": True}, table.host)
        self.until(table, lambda state: state["turn"] > 1)
        self.server.killed_and_started()  # a computer's turn may be under way
        self.client.close()
        table.turn("Ann")
        self.until(table, lambda state: state["turn"] >= 4)
        self.assertIn("pace", self.commands(table))
        self.assert_sound()

    def test_limits_are_those_of_the_command_line(self):
        for text in ("auto=x", "draw=-1"):
            refused = self.run_snl("serve", "--limit", text)
            self.assertEqual(refused.code, 2)
            self.assertIn(text.split("=")[0], refused.err)


if __name__ == "__main__":
    snl.main()
