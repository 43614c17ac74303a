"""A server in a test, and clients that play its games with nothing but Python's standard library.

`Server` is `snl serve` as a process; `Client` asks it one thing after another on one connection; `Stream`
follows a game. A `Table` is a game with its host and its players, who send the entropy that they promised and
play when it is their turn. Everything that a client receives is kept, to the byte, and each answer of the API
is checked against openapi.json.
"""

import base64
import hashlib
import http.client
import json
import os
import re
import signal
import threading
import time
from typing import NamedTuple

import openapi
import snl

DESCRIPTION = openapi.Description((snl.TESTS.parent / "cli" / "server" / "openapi.json").read_text("utf-8"))
UNLIMITED = [word for name in ("writes", "games", "connections", "open", "exports") for word in ("--limit", f"{name}=0")]


class Server:
    """Serves the store of a test at a port that it keeps when it is started again."""

    def __init__(self, test, *options):
        self.test, self.options, self.port = test, [*UNLIMITED, *options], 0
        self.log = test.folder / "serve.log"
        self.process = None
        self.start()
        test.addCleanup(self.kill)

    def start(self):
        with open(self.log, "ab") as log:
            self.process = self.test.popen("serve", "--listen", f"127.0.0.1:{self.port}", *self.options,
                                           stdout=-1, stderr=log)
        line = self.process.stdout.readline().decode()
        listening = re.fullmatch(r"listening on http://127\.0\.0\.1:(\d+)\n", line)
        if not listening:
            self.process.wait(snl.PATIENCE)
            self.test.fail(f"the server says {line!r}, and then: {self.log.read_text(errors='replace')[-2000:]}")
        self.port = int(listening[1])

    def stop(self):
        """As an operator does."""
        self.process.send_signal(signal.SIGTERM)
        self.test.assertEqual(self.process.wait(snl.PATIENCE), 0)
        self.process.stdout.close()

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(snl.PATIENCE)
        self.process.stdout.close()

    def killed_and_started(self):
        self.kill()
        self.start()


class Answer(NamedTuple):
    status: int
    headers: dict  # names in lower case
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def problem(self):
        """The last word of a problem's type."""
        return self.json["type"].rsplit(":", 1)[-1]


class Client:
    """Asks one thing after another; what it heard is kept, headers too."""

    def __init__(self, server):
        self.server, self.heard = server, []
        self.unavailable = 0  # times that the server was full, or had no store
        self.connection = None
        self.asked = None  # the method and the path of the last request

    def request(self, method, path, body=None, token=None, headers=()):
        """The answer; raises OSError or HTTPException if there is none."""
        self.send(method, path, body, token, headers)
        return self.receive()

    def send(self, method, path, body=None, token=None, headers=()):
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=snl.PATIENCE)
        self.asked = method, path.partition("?")[0]
        headers = dict(headers)
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(body).encode()
        try:
            self.connection.request(method, path, body, headers)
        except (OSError, http.client.HTTPException):
            self.close()
            raise

    def receive(self):
        try:
            response = self.connection.getresponse()
            body = response.read()
        except (OSError, http.client.HTTPException):
            self.close()
            raise
        headers = {name.lower(): value for name, value in response.getheaders()}
        self.heard.append("".join(f"{name}: {value}\n" for name, value in response.getheaders()).encode() + body)
        if self.asked[1].startswith("/api/"):
            DESCRIPTION.judge(*self.asked, response.status, headers, body)
        return Answer(response.status, headers, body)

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def until_answered(self, method, path, body=None, token=None, headers=()):
        """Repeats the request until a server with a usable store answers it."""
        deadline = time.monotonic() + snl.PATIENCE
        while True:
            try:
                answer = self.request(method, path, body, token, headers)
                if answer.status not in (429, 503):
                    return answer
                self.unavailable += 1
                reason = answer
            except (OSError, http.client.HTTPException) as error:
                reason = error
            if time.monotonic() > deadline:
                raise AssertionError(f"{method} {path}: {reason}")
            time.sleep(0.02)

    def get(self, path, token=None, headers=()):
        try:
            return self.request("GET", path, None, token, headers)
        except (ConnectionError, http.client.RemoteDisconnected):  # the server was started again meanwhile
            return self.request("GET", path, None, token, headers)

    def post(self, path, body=None, token=None, headers=()):
        return self.request("POST", path, {} if body is None else body, token, headers)


class Stream:
    """Follows a game in a thread of its own until the stream ends: (event, id, data) of each message."""

    def __init__(self, server, game, query="", headers=()):
        self.messages, self.heard = [], []
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=snl.PATIENCE)
        self.connection.request("GET", f"/api/games/{game}/events{query}", headers=dict(headers))
        self.response = self.connection.getresponse()
        self.heard.append("".join(f"{name}: {value}\n" for name, value in self.response.getheaders()).encode())
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self):
        fields = {}
        try:
            while line := self.response.readline():
                self.heard.append(line)
                name, _, value = line.decode().rstrip("\r\n").partition(":")
                if name:
                    fields[name] = value.removeprefix(" ")
                elif not line.strip() and "data" in fields:
                    self.messages.append((fields.get("event", "message"), fields.get("id"), fields["data"]))
                    fields = {}
        except (OSError, http.client.HTTPException, ValueError):
            pass  # the server went away, or we did

    def ended(self):
        """All messages, once the server has closed the stream."""
        self.thread.join(snl.PATIENCE)
        assert not self.thread.is_alive(), "the stream doesn't end"
        return self.messages

    def lines(self):
        """The commits, byte for byte as an export has them."""
        return [commit_in(data) for event, _, data in self.messages if event == "commit"]

    def close(self):
        self.connection.close()


def commit_in(data):
    """The text of the member "commit" of a message: the JSON object that begins there."""
    start = data.index('{"commit":') + len('{"commit":')
    _, end = json.JSONDecoder().raw_decode(data, start)
    return data[start:end]


class Player:
    """A player who may have drawn 32 bytes of entropy, and commits to them."""

    def __init__(self, name, has_a_say):
        self.name = name
        self.token = new_token()
        self.entropy = os.urandom(32) if has_a_say else None

    def to_sit_down(self):
        body = {"name": self.name, "token": self.token}
        if self.entropy is not None:
            body["entropy_hash"] = hashlib.sha256(self.entropy).hexdigest()
        return body


def new_token():
    return base64.urlsafe_b64encode(os.urandom(32)).rstrip(b"=").decode()


class Table:
    """A game that is played by clients. `players`: names, and whether each has a say in the dice.

    `places`: how many seats there are, if not one a player."""

    def __init__(self, client, players, places=None, **options):
        self.client = client
        self.players = [Player(name, has_a_say) for name, has_a_say in players]
        self.host = new_token()
        made = client.post("/api/games", {"open": places or len(players), "board": "empty", "token": self.host, **options})
        assert made.status in (200, 201), made
        self.path = made.headers["location"]
        self.id = made.json["id"]
        self.commitment = (made.json["game"]["draw"] or {}).get("commitment")

    def sit_down(self):
        for player in self.players:
            answer = self.client.post(f"{self.path}/seats", player.to_sit_down())
            assert answer.status == 201, answer
        return self

    def send_entropy(self):
        for player in self.players:
            if player.entropy is not None:
                answer = self.client.post(f"{self.path}/entropy", {"entropy": player.entropy.hex()}, player.token)
                assert answer.status == 200, answer
        return self

    def state(self, token=None):
        answer = self.client.get(self.path, token)
        assert answer.status == 200, answer
        return answer.json

    def player(self, name):
        return next(player for player in self.players if player.name == name)

    def turn(self, name, key=None):
        headers = {"Idempotency-Key": key} if key else {}
        return self.client.post(f"{self.path}/turns", {}, self.player(name).token, headers)

    def play(self, turns=None):
        """Plays this number of turns, or to the end; returns the state after them."""
        state = self.state()
        while state["status"] == "in-progress" and turns != 0:
            answer = self.turn(state["next"])
            assert answer.status == 200, answer
            turns = turns and turns - 1
            state = self.state()
        return state
