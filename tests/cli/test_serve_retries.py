"""Goal: a client that lost an answer sends the same again, and nothing happens twice.

Method: whole games are played in which each POST is sent twice, and its first answer is discarded. In a
second series, the server is also killed with SIGKILL at a random moment in between, before or after it has
done the work, and started again. In the end there is one game, with the requested seats and tokens, and
every turn once.

SNL_SEED=N repeats a run that failed.
"""

import http.client
import os
import random
import time

import served_games
import snl

SEED = int(os.environ.get("SNL_SEED", "0")) or random.randrange(1, 2**32)
LONGEST_DELAY = 0.01  # seconds from a request to the kill


class Repeating(served_games.Client):
    """Sends every POST twice; the first answer is thrown away. `between` happens before the second."""

    def __init__(self, server):
        super().__init__(server)
        self.thrown_away = []

    def post(self, path, body=None, token=None, headers=()):
        body = {} if body is None else body
        self.thrown_away.append(self.first(path, body, token, headers))
        return self.until_answered("POST", path, body, token, headers)

    def first(self, path, body, token, headers):
        return self.request("POST", path, body, token, headers)


class Killing(Repeating):
    """As above, but the server is killed at some moment after the first was sent."""

    def __init__(self, server, chance):
        super().__init__(server)
        self.random = chance

    def first(self, path, body, token, headers):
        try:
            self.send("POST", path, body, token, headers)
        except (OSError, http.client.HTTPException):
            pass
        time.sleep(self.random.uniform(0, LONGEST_DELAY))
        self.server.killed_and_started()
        self.close()


class EveryRequestTwice(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        print(f"SNL_SEED={SEED}")
        self.server = served_games.Server(self)

    def played_by(self, client):
        self.client = client
        self.addCleanup(client.close)

    def test_with_the_first_answer_thrown_away_is_one_game(self):
        self.played_by(Repeating(self.server))
        self.play_a_game()
        self.assertNotIn(None, self.client.thrown_away)

    def test_with_a_kill_in_between_is_one_game(self):
        self.played_by(Killing(self.server, random.Random(SEED)))
        self.play_a_game()

    def test_of_a_game_that_is_made_with_its_players_is_one_game(self):
        for client in (Repeating(self.server), Killing(self.server, random.Random(SEED))):
            with self.subTest(type(client).__name__):
                self.played_by(client)
                self.play_with_players()

    def play_with_players(self):
        host = served_games.new_token()
        made = self.client.post("/api/games", {"players": ["Ann", "Bob"], "board": "empty", "token": host})
        # The secrets of the first answer are never sent again: if it is lost, the host has new tokens
        # made.
        self.assertTrue((made.status, made.json["seats"]) == (200, []) or made.status == 201, made)
        path = made.headers["location"]
        tokens = []
        for seat in (0, 1):
            wanted = served_games.new_token()
            given = self.client.post(f"{path}/seats/{seat}/token", {"token": wanted}, host)
            self.assertEqual((given.status, given.json["token"]), (200, wanted))
            tokens.append(wanted)
        keys = []
        while (state := self.client.get(path).json)["status"] == "in-progress":
            seat = ["Ann", "Bob"].index(state["next"])
            keys.append(f"{seat}:k{len(keys)}")
            turn = self.client.post(f"{path}/turns", {}, tokens[seat], {"Idempotency-Key": keys[-1][2:]})
            self.assertEqual(turn.status, 200, turn)
        self.assertEqual([seat["tokens"] for seat in state["seats"]], [2, 2])
        ids = [line["command"].get("id") for line in self.json_lines("log", made.json["id"]) if "roll" in line["command"]]
        self.assertEqual(ids, keys)

    def test_of_a_host_who_starts_and_gives_up_does_both_once(self):
        for client in (Repeating(self.server), Killing(self.server, random.Random(SEED))):
            with self.subTest(type(client).__name__):
                self.played_by(client)
                self.start_and_give_up()

    def start_and_give_up(self):
        table = served_games.Table(self.client, [("Ann", False), ("Bob", False)], places=3, dice="own")
        for player in table.players:
            self.client.post(f"{table.path}/seats", player.to_sit_down())
        started = self.client.post(f"{table.path}/start", {}, table.host)
        self.assertTrue(started.status == 200 or (started.status, started.problem) == (409, "started"), started)
        self.assertEqual([player["name"] for player in table.state()["players"]], ["Ann", "Bob"])
        ann = table.player("Ann").token
        played = self.client.post(f"{table.path}/turns", {"dice": [6, 2]}, ann, {"Idempotency-Key": "k"})
        self.assertEqual((played.status, played.json["to"]), (200, 9))
        other = self.client.post(f"{table.path}/turns", {"dice": [3]}, ann, {"Idempotency-Key": "k"})
        self.assertEqual(other.status, 422)
        ended = self.client.post(f"{table.path}/abandon", {}, table.host)
        self.assertEqual((ended.status, ended.json["status"], ended.json["version"]), (200, "abandoned", 2))
        refused = self.client.post(f"{table.path}/turns", {"dice": [1]}, table.player("Bob").token)
        self.assertEqual((refused.status, refused.problem), (409, "abandoned"))
        # Earlier answers are still given.
        again = self.client.post(f"{table.path}/turns", {"dice": [6, 2]}, ann, {"Idempotency-Key": "k"})
        self.assertEqual((again.status, again.headers["idempotent-replayed"], again.body), (200, "true", played.body))
        self.assertEqual(len(self.json_lines("log", table.id)), 2)

    def play_a_game(self):
        table = Seated(self.client)
        keys = table.play_with_takebacks()
        state = table.state(table.host)
        self.assertEqual(state["status"], "completed")
        # One game.
        games = self.client.get("/api/games?limit=100").json["games"]
        self.assertEqual([game["id"] for game in games], [table.id])
        self.assertEqual([line["id"] for line in self.json_lines("list")], [table.id])
        # The same seats and tokens.
        self.assertEqual([(seat["name"], seat["tokens"]) for seat in state["seats"]], [("Ann", 1), ("Bob", 2), ("Cyd", 1)])
        self.assertTrue(state["you"]["host"])
        for seat, player in enumerate(table.players):
            self.assertEqual(table.state(player.token)["you"]["seat"], seat)
        self.assertEqual(self.client.get(table.path, table.lost_token).status, 403)
        # Every turn once, under the key that it was sent with.
        ids = [line["command"].get("id") for line in self.json_lines("log", table.id) if "roll" in line["command"]]
        self.assertEqual(ids, keys)
        self.assertTrue(self.json("audit", table.id)["ok"])
        takebacks = [line["command"]["undo_to"] for line in self.json_lines("log", table.id) if "undo_to" in line["command"]]
        self.assertEqual([fields[:3] for fields in takebacks], [[2, 2, 0]])


class Seated(served_games.Table):
    """Three players, one of whom leaves and is replaced. The answers must be right, whichever server gives
    them."""

    def __init__(self, client):
        super().__init__(client, [("Ann", True), ("Bob", True), ("Cyd", False)])
        self.sit_down()
        self.lost_token = self.player("Bob").token

    def sit_down(self):
        for seat, player in enumerate(self.players):
            answer = self.client.post(f"{self.path}/seats", player.to_sit_down())
            assert (answer.status, answer.json["seat"], answer.json["token"]) == (200, seat, player.token) or (
                answer.status == 201 and answer.json["token"] == player.token), answer
        return self

    def play_with_takebacks(self):
        """The keys of all turns."""
        self.send_entropy()
        bob = self.player("Bob")
        bob.token = served_games.new_token()
        answer = self.client.post(f"{self.path}/seats/1/token", {"token": bob.token}, self.host)
        assert (answer.status, answer.json["token"]) == (200, bob.token), answer
        keys, state = [], self.state()
        while state["status"] == "in-progress":
            keys.append(f"{[player.name for player in self.players].index(state['next'])}:turn-{len(keys)}")
            answer = self.turn(state["next"], keys[-1].split(":")[1])
            assert answer.status == 200, answer
            if answer.headers.get("idempotent-replayed") == "true":
                assert answer.json["turn"] <= self.state()["turn"], answer
            state = self.state()
            if len(keys) == 4 and state["status"] == "in-progress":
                state = self.take_back()
        return keys

    def take_back(self):
        ann, bob, cyd = self.players
        asked = self.client.post(f"{self.path}/takebacks", {"to": 2}, ann.token)
        assert (asked.status, asked.json["takeback"]["by"]) == (200, 0), asked
        path = f"{self.path}/takebacks/{asked.json['takeback']['id']}"
        answer = self.client.post(path, {"agree": True}, bob.token)
        assert (answer.status, answer.json["takeback"]["agreed"]) == (200, [0, 1]), answer
        # The last agreement settles the request, so a repeated agreement finds it closed.
        answer = self.client.post(path, {"agree": True}, cyd.token)
        assert answer.status == 200 or (answer.status, answer.problem) == (409, "takeback-settled"), answer
        state = self.state()
        assert (state["turn"], state["takeback"]["outcome"]) == (2, "done"), state
        return state


if __name__ == "__main__":
    snl.main()
