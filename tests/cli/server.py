"""The base of the tests of `snl serve`: a server for the test, a client whose answers are all checked against
openapi.json, and a reader of streams.
"""

import base64
import hashlib
import http.client
import json
import pathlib
import re
import signal
import socket
import subprocess
import threading
import time

import openapi
import snl

DESCRIPTION = openapi.Description(
    (pathlib.Path(__file__).resolve().parent.parent.parent / "cli" / "server" / "openapi.json").read_text(encoding="utf-8")
)


def token():
    import secrets

    return base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode()


class Answer:
    """An answer, with its fields' names in lower case."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def type(self):
        """A problem's type, without what all have."""
        return self.json["type"].removeprefix("urn:snl:")


class Client:
    """Asks a server, each time by a connection of its own."""

    def __init__(self, test, port, host="127.0.0.1"):
        self.test, self.host, self.port = test, host, port

    def ask(self, method, path, body=None, token=None, headers=None, source=None):
        connection = http.client.HTTPConnection(
            self.host, self.port, timeout=snl.PATIENCE, source_address=(source, 0) if source else None
        )
        headers = dict(headers or {})
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
        if body is not None:
            headers.setdefault("Content-Type", "application/json")
        try:
            connection.request(method, path, body, headers)
            got = connection.getresponse()
            answer = Answer(got.status, {name.lower(): value for name, value in got.getheaders()}, got.read())
        finally:
            connection.close()
        self.test.judged.add(
            (DESCRIPTION.judge(method, path.split("?")[0], answer.status, answer.headers, answer.body), answer.status)
        )
        return answer

    def get(self, path, **options):
        return self.ask("GET", path, **options)

    def post(self, path, body=None, **options):
        return self.ask("POST", path, body, **options)


class Stream:
    """A stream that is being read, event by event."""

    def __init__(self, port, path, headers=None, host="127.0.0.1"):
        self.connection = http.client.HTTPConnection(host, port, timeout=snl.PATIENCE)
        self.connection.request("GET", path, headers=headers or {})
        self.answer = self.connection.getresponse()
        self.retries, self.comments = [], 0

    @property
    def status(self):
        return self.answer.status

    def __iter__(self):
        """(event, ID or None, data as JSON, when it came) until the stream closes."""
        fields = {}
        for line in self.answer:
            line = line.decode().rstrip("\n")
            if line.startswith(":"):
                self.comments += 1
            elif line.startswith("retry: "):
                self.retries.append(int(line.removeprefix("retry: ")))
            elif line:
                name, value = line.split(": ", 1)
                fields[name] = value
            elif fields:
                data = json.loads(fields["data"]) if fields.get("data") else None
                yield fields["event"], int(fields["id"].split(".")[0]) if "id" in fields else None, data, time.monotonic()
                fields = {}

    def close(self):
        self.connection.close()
        self.answer.close()


class Server:
    """A running `snl serve`, and all its output."""

    def __init__(self, test, *args, **options):
        self.process = test.popen("serve", "--listen", "127.0.0.1:0", *args,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        line = self.process.stdout.readline().decode()
        found = re.fullmatch(r"listening on http://127\.0\.0\.1:(\d+)\n", line)
        if not found:
            self.process.kill()
            raise AssertionError(f"{line!r} {self.process.communicate()[1].decode()}")
        self.port = int(found[1])
        self.log = []
        self._reader = threading.Thread(target=lambda: self.log.extend(iter(self.process.stderr.readline, b"")))
        self._reader.start()

    def logged(self):
        return b"".join(self.log).decode()

    def kill(self, which=signal.SIGKILL):
        """Ends it by a signal; returns its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(which)
        code = self.process.wait(snl.PATIENCE)
        self._reader.join(snl.PATIENCE)
        self.process.stdout.close()
        self.process.stderr.close()
        return code


class ServerTest(snl.CommandLineTest):
    """A test with a server on a store of its own; each answer that Client is given is judged."""

    def setUp(self):
        super().setUp()
        self.judged = set()
        self.servers = []
        self.addCleanup(self.end_servers)

    def serve(self, *args, **options):
        server = Server(self, *args, **options)
        self.servers.append(server)
        return server, Client(self, server.port)

    def end_servers(self):
        for server in self.servers:
            if server.process.returncode is None:
                server.kill()

    # ---- Games

    def new_game(self, client, **body):
        """A game of Ann and Bob that is on, on 100 empty cells where no board is given: its path, the host's token, the seats' tokens."""
        made = client.post("/api/games", {"players": ["Ann", "Bob"], "board": "empty", **body})
        self.assertEqual(made.status, 201, made.body)
        game = made.json
        return made.headers["location"], game["token"], [seat["token"] for seat in game["seats"]]

    def play_to_end(self, client, path, tokens):
        """Plays seeded turns until a player has won; returns the turns."""
        turns = []
        while True:
            state = client.get(path).json
            if state["status"] != "in-progress":
                return turns
            seat = next(seat["seat"] for seat in state["seats"] if seat["name"] == state["next"])
            played = client.post(f"{path}/turns", {}, token=tokens[seat])
            self.assertEqual(played.status, 200, played.body)
            turns.append(played.json)

    def raw(self, server, bytes_, timeout=snl.PATIENCE):
        """The server's answer to these bytes, until it closes or nothing more arrives."""
        with socket.create_connection(("127.0.0.1", server.port), timeout) as connection:
            connection.sendall(bytes_)
            return self.rest(connection)

    @staticmethod
    def rest(connection):
        said = b""
        try:
            while part := connection.recv(65536):
                said += part
        except (TimeoutError, ConnectionResetError):
            pass
        return said


def sha256(data):
    return hashlib.sha256(data).hexdigest()
