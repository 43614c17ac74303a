"""Clients that play at servers while these are disturbed, and the proof that no turn was lost or doubled.

Sixteen clients play a game each, every turn under a key of its own, and send it again until it is answered. In the
end every turn that was acknowledged is looked up in the log by its version and its hash, and every key stands
there once.
"""

import collections
import os
import random
import threading

import served_games
import snl

TIMES = int(os.environ.get("SNL_TORTURE", "0"))
CLIENTS = 16
SEED = int(os.environ.get("SNL_SEED", "0")) or random.randrange(1, 2**32)
snl.PATIENCE *= max(1, TIMES)


class Regular:
    """Two players at one client, who play games one after another until they are asked to stop."""

    def __init__(self, server, number):
        self.server, self.number = server, number
        self.client = served_games.Client(server)
        self.acknowledged = {}  # game: [(version, hash, key)]
        self.unfinished = 0
        self.last_call = threading.Event()
        self.failure = None
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self):
        try:
            while not self.last_call.is_set():
                self.play_a_game()
        except Exception as failure:  # raised by the caller that joins the thread
            self.failure = failure
        finally:
            self.client.close()

    def ask(self, path, body=None, token=None, headers=()):
        return self.client.until_answered("POST", path, body or {}, token, headers)

    def play_a_game(self):
        """Plays to the end of the game, even past the stop."""
        host, tokens = served_games.new_token(), [served_games.new_token(), served_games.new_token()]
        made = self.ask("/api/games", {"open": 2, "board": "empty", "token": host, "rules": {"preset": "lld", "finish": "overshoot"}})
        game = made.json["id"]
        path = f"/api/games/{game}"
        for name, token in zip(("Ann", "Bob"), tokens):
            seated = self.ask(f"{path}/seats", {"name": name, "token": token})
            assert seated.status in (200, 201), seated
        turns = self.acknowledged[game] = []
        self.unfinished += 1
        while True:
            seat, key = len(turns) % 2, f"turn-{len(turns) + 1}"
            answer = self.ask(f"{path}/turns", {}, tokens[seat], {"Idempotency-Key": key})
            assert answer.status == 200, answer
            turn = answer.json
            turns.append((turn["version"], turn["head"], f"{seat}:{key}"))
            if turn["outcome"] == "won":
                self.unfinished -= 1
                return


class RegularsTest(snl.CommandLineTest):
    """`self.servers` are served_games.Server; `self.regulars` play at `self.place`, by default the first of them."""

    def setUp(self):
        super().setUp()
        self.random = random.Random(SEED)
        print(f"served: seed {SEED}")
        self.servers = self.begin_servers()
        self.place = self.servers[0]

    def begin_servers(self):
        return [served_games.Server(self)]

    def torture(self, fault, harm):
        tally = snl.Tally(fault, "acknowledged", "lost", "false_alarms")
        self.regulars = regulars = [Regular(self.place, number) for number in range(CLIENTS)]
        try:
            tally.tried = harm()
        finally:
            for regular in regulars:
                regular.last_call.set()
            for regular in regulars:
                regular.thread.join(snl.PATIENCE)
        for regular in regulars:
            self.assertFalse(regular.thread.is_alive(), "a client waits for ever")
            if regular.failure:
                raise regular.failure
        for server in self.servers:
            server.stop()
        logs = collections.defaultdict(list)
        for line in self.json_lines("log"):
            logs[line["game"]].append(line)
        for regular in regulars:
            self.assertEqual(regular.unfinished, 0)
            for game, turns in regular.acknowledged.items():
                self.judge(tally, logs[game], turns)
        self.assertEqual(set(logs), {game for regular in regulars for game in regular.acknowledged})
        self.assertEqual(self.json_lines("list", "--status", "in-progress"), [])
        is_called_sound = all(self.run_snl(*command).code == 0 for command in (("db", "check"), ("audit", "--all")))
        tally.false_alarms += tally.lost == 0 and not is_called_sound
        tally.print()
        self.assertEqual(tally.bad(), {}, f"seed {SEED}")
        self.assertGreater(tally.acknowledged, 0)
        return regulars

    def judge(self, tally, log, turns):
        """Every acknowledged turn is there, and no other."""
        hashes = {line["version"]: line["hash"] for line in log}
        tally.acknowledged += len(turns)
        tally.lost += sum(hashes.get(version) != head for version, head, _ in turns)
        told = [(line["version"], line["command"].get("id")) for line in log[1:]]
        self.assertEqual(told, [(version, key) for version, _, key in turns], f"seed {SEED}")
