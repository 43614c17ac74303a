"""Goal: two servers on one PostgreSQL store act as one. Players of a game may use either. A spectator at one gets the
turns that are played at the other. A player whose server is killed continues at the other.

Method: two `snl serve` on a real PostgreSQL (postgres.py). The regulars (regulars.py) play at whichever runs, while
each is killed in turn.

6 kills without SNL_TORTURE; SNL_TORTURE=N makes 50 times N. SNL_SEED=N repeats a run that failed.
"""

import json
import signal
import threading
import time

import regulars
import served_games
import server
import snl
from postgres import Cluster, OnPostgres

KILLS = 50 * regulars.TIMES or 6
LONGEST_LIFE = 0.5  # seconds of both servers between two kills


class OneGame(OnPostgres):
    def setUp(self):
        super().setUp()
        (self.here, self.at_here), (self.there, self.at_there) = (self.serve("--limit", "writes=0") for _ in range(2))

    def test_is_played_at_both_and_told_of_at_both(self):
        path, _, tokens = self.new_game(self.at_here)
        streams = [server.Stream(place.port, f"{path}/events") for place in (self.here, self.there)]
        told = [(event for event in stream if event[0] == "commit") for stream in streams]
        for each in told:
            self.assertEqual(next(each)[1], 1)
        for turn in range(12):
            client = (self.at_here, self.at_there)[turn % 3 % 2]
            state = client.get(path).json
            seat = next(seat["seat"] for seat in state["seats"] if seat["name"] == state["next"])
            answer = client.post(f"{path}/turns", {}, token=tokens[seat])
            self.assertEqual(answer.status, 200, answer.body)
            for each in told:
                _, version, data, _ = next(each)
                self.assertEqual((version, data["commit"]["hash"]), (answer.json["version"], answer.json["head"]))
            if answer.json["outcome"] == "won":
                break
        for stream in streams:
            stream.close()
        self.assert_sound()

    def test_is_rolled_for_once_where_somebody_is_late(self):
        path, host, tokens = self.new_game(self.at_here, pace=5)
        for turn in (1, 2):
            self.assertTrue(snl.wait_for(lambda: self.at_there.get(path).json["turn"] >= turn))
            time.sleep(1)
            self.assertEqual(self.at_here.get(path).json["turn"], turn)
        # If a player's server is killed, the other server rolls for the player.
        self.assertEqual(self.at_here.ask("PUT", f"{path}/seats/1/auto", {"on": True}, token=host).status, 200)
        self.assertEqual(self.at_here.post(f"{path}/turns", {}, token=tokens[0]).status, 200)
        self.here.kill()
        self.assertTrue(snl.wait_for(lambda: self.at_there.get(path).json["turn"] == 4))
        self.assert_sound()

    def test_is_drawn_from_what_was_promised_at_either(self):
        at_here, at_there = map(served_games.Client, (self.here, self.there))
        table = served_games.Table(at_here, [("Ann", True), ("Bob", True)])
        table.client = at_there
        table.sit_down()
        table.client = at_here
        table.send_entropy()
        table.client = at_there
        self.assertEqual(table.play()["status"], "completed")
        at_here.close()
        at_there.close()
        self.end_servers()
        self.assert_sound()
        for path in ("{secret}", "{seats,0,entropy}", "{seats,1,entropy_hash}"):
            with self.subTest(path):
                self.cluster.sql(self.database, "CREATE TABLE kept AS SELECT id, document FROM snl.hosted_games; "
                                                "UPDATE snl.hosted_games SET document = jsonb_set(document::jsonb, "
                                                f"'{path}', to_jsonb(repeat('00', 32)))")
                problems = json.loads(self.run_snl("audit", "--json").out)["problems"]
                self.assertEqual([(problem["game"], problem["kind"]) for problem in problems], [(table.id, "promise")])
                self.cluster.sql(self.database, "UPDATE snl.hosted_games h SET document = k.document FROM kept k "
                                                "WHERE k.id = h.id; DROP TABLE kept")
        self.assert_sound()


class ADatabaseThatIsLost(server.ServerTest):
    LATE = 5  # seconds; a player waits at most ten

    def test_is_told_of_at_once_by_readyz_however_many_wait_for_it(self):
        cluster = Cluster()
        self.addCleanup(cluster.stop)
        self.environment["SNL_DB"] = cluster.database()
        _, client = self.serve("--limit", "writes=0", "--threads", "2")
        path, _, _ = self.new_game(client)
        self.assertEqual(client.get("/readyz").status, 200)
        cluster.stop()
        waiting = [threading.Thread(target=client.get, args=(path,)) for _ in range(4)]
        for each in waiting:
            each.start()
        for _ in range(2):
            begun = time.monotonic()
            self.assertEqual(client.get("/readyz").status, 503)
            self.assertLess(time.monotonic() - begun, self.LATE)
        self.assertEqual(client.get("/healthz").status, 200)
        cluster.start()
        self.assertTrue(snl.wait_for(lambda: client.get("/readyz").status == 200))
        for each in waiting:
            each.join()

    def test_keeps_no_server_from_ending(self):
        cluster = Cluster()
        self.addCleanup(cluster.stop)
        self.environment["SNL_DB"] = cluster.database()
        running, client = self.serve()
        cluster.stop()
        self.assertEqual(client.get("/readyz").status, 503)  # its threads look for the database by now
        begun = time.monotonic()
        self.assertEqual(running.kill(signal.SIGTERM), 0)
        self.assertLess(time.monotonic() - begun, 2 * self.LATE)  # they look for it for longer


class Either:
    """One of these servers that is running."""

    def __init__(self, servers):
        self.servers = servers

    @property
    def port(self):
        return next(server.port for server in self.servers if server.process.poll() is None)


class TwoServers(regulars.RegularsTest):
    def begin_servers(self):
        self.environment["SNL_DB"] = Cluster.shared().database()
        return [served_games.Server(self), served_games.Server(self)]

    def test_of_which_one_is_killed_lose_and_double_no_turn(self):
        self.place = Either(self.servers)

        def harm():
            for kill in range(KILLS):
                time.sleep(self.random.uniform(0, LONGEST_LIFE))
                self.servers[kill % 2].kill()
                time.sleep(self.random.uniform(0, LONGEST_LIFE))  # the other has all players
                self.servers[kill % 2].start()
            return KILLS

        self.torture("one of two servers on PostgreSQL killed under 16 players", harm)


if __name__ == "__main__":
    snl.main()
