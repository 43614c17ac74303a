"""Goal: behind nginx, configured as cli/server/README.md says, everything is as it is without: pages, games,
streams as they happen; and the server knows who asked.

Method: the configuration is taken out of that README, with other ports and a certificate of our own, and run by
Debian's nginx. A game is played through it by curl, by HTTP/1.1 and HTTP/2, and followed meanwhile.
"""

import json
import re
import shutil
import signal
import socket
import subprocess
import threading
import unittest

import served_games
import snl

README = snl.TESTS.parent / "cli" / "server" / "README.md"
NAME = "play.example.org"


def kept_port(test):
    """One that is the test's until its end: nginx listens there too (SO_REUSEPORT), and nobody else can."""
    keeper = socket.socket()
    test.addCleanup(keeper.close)
    keeper.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    keeper.bind(("127.0.0.1", 0))
    return keeper.getsockname()[1]


@unittest.skipUnless(shutil.which("nginx") and shutil.which("curl"), "nginx and curl are needed: cli/install-packages test")
class BehindNginx(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.server = served_games.Server(self, "--url", f"https://{NAME}", "--trusted-proxy", "127.0.0.1")
        self.port, self.plain_port = kept_port(self), kept_port(self)
        self.start_nginx()

    def start_nginx(self):
        (block,) = re.findall(r"(?ms)^```nginx\n(.*?)^```$", README.read_text("utf-8"))
        key, certificate = self.folder / "key.pem", self.folder / "certificate.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                        "-days", "2", "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", key, "-out", certificate],
                       check=True, capture_output=True)
        self.certificate = certificate
        for old, new in ((r"listen 443\b", f"listen 127.0.0.1:{self.port} reuseport"),
                         (r"listen 80;", f"listen 127.0.0.1:{self.plain_port} reuseport;"),
                         (r"(?<=ssl_certificate )\s*\S+;", f" {certificate};"), (r"(?<=ssl_certificate_key )\s*\S+;", f" {key};"),
                         (r"127\.0\.0\.1:8080", f"127.0.0.1:{self.server.port}")):
            block, changed = re.subn(old, new, block)
            self.assertGreater(changed, 0, old)
        places = "".join(f"{name}_temp_path {self.folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        configuration = self.folder / "nginx.conf"
        configuration.write_text(f"daemon off; pid {self.folder}/nginx.pid; error_log {self.folder}/error.log;\n"
                                 f"events {{}}\nhttp {{ access_log off; {places}\n{block}}}\n")
        self.nginx = subprocess.Popen(["nginx", "-p", self.folder, "-c", configuration], stderr=subprocess.PIPE)
        self.addCleanup(self.nginx.stderr.close)
        self.addCleanup(self.nginx.wait, snl.PATIENCE)
        self.addCleanup(self.nginx.send_signal, signal.SIGTERM)
        self.assertTrue(snl.wait_for(self.is_listening), (self.folder / "error.log").read_text())

    def is_listening(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def curl(self, path, *options):
        return ["curl", "--silent", "--show-error", "--cacert", str(self.certificate), "--resolve", f"{NAME}:{self.port}:127.0.0.1",
                *options, f"https://{NAME}:{self.port}{path}"]

    def ask(self, path, *options):
        """The status, the version of HTTP and the body."""
        done = subprocess.run(self.curl(path, "--max-time", str(snl.PATIENCE), "--write-out", "\n%{http_code} %{http_version}", *options), capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        body, _, told = done.stdout.rpartition("\n")
        status, version = told.split()
        return int(status), version, body

    def post(self, path, body, token=None, *options):
        authorization = ["--header", f"Authorization: Bearer {token}"] if token else []
        status, _, answer = self.ask(path, "--json", json.dumps(body), *authorization, *options)
        return status, json.loads(answer)

    def test_a_game_is_played_and_followed_as_it_happens(self):
        for version, option in (("2", "--http2"), ("1.1", "--http1.1")):
            with self.subTest(version):
                self.assertEqual(self.ask("/api/games", option)[:2], (200, version))
                status, made = self.post("/api/games", {"players": ["Ann", "Bob"]}, None, option)
                self.assertEqual(status, 201)
                path = f"/api/games/{made['id']}"
                heard, stream = self.follow(f"{path}/events", option)
                self.assertTrue(snl.wait_for(lambda: any(line.startswith("event: state") for line in heard)))
                tokens = [seat["token"] for seat in made["seats"]]
                for turn in range(6):  # data that the proxy held back would arrive with later data, or never
                    seat = next(i for i, token in enumerate(tokens) if self.may_turn(path, token, option))
                    status, answer = self.post(f"{path}/turns", {}, tokens[seat], option)
                    self.assertEqual(status, 200)
                    version_told = f"id: {answer['version']}"
                    self.assertTrue(snl.wait_for(lambda: any(line.startswith(version_told + ".") for line in heard)), version_told)
                stream.terminate()
                stream.wait(snl.PATIENCE)

    def may_turn(self, path, token, option):
        _, _, body = self.ask(path, option, "--header", f"Authorization: Bearer {token}")
        return "turn" in json.loads(body)["you"]["may"]

    def follow(self, path, option):
        """Lines of a stream as they come, and the process that reads them."""
        heard = []
        process = subprocess.Popen(self.curl(path, "--no-buffer", option), stdout=subprocess.PIPE, text=True)

        threading.Thread(target=lambda: heard.extend(iter(process.stdout.readline, "")), daemon=True).start()
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait, snl.PATIENCE)
        self.addCleanup(process.kill)
        return heard, process

    def test_pages_come_as_they_are(self):
        # By the server's own name alone: neither the port nor the address behind the proxy is in them.
        status, _, page = self.ask("/")
        self.assertEqual(status, 200)
        self.assertIn("</html>", page)
        self.assertIn(f"https://{NAME}", page)
        self.assertNotIn(f":{self.server.port}", page)
        _, made = self.post("/api/games", {"players": ["Ann", "Bob"]})
        self.assertEqual(self.ask(f"/g/{made['id']}")[0], 200)
        assets = set(re.findall(r'(?:src|href)="(/[^"#?]+\.(?:js|css))"', page))
        self.assertTrue(assets)
        for path in assets:
            self.assertEqual(self.ask(path)[0], 200, path)

    def test_the_server_knows_who_asked_and_by_which_name(self):
        # The server believes forwarded addresses only from trusted proxies.
        claims = ["--header", "X-Forwarded-For: 203.0.113.7"]
        for options, shown in ((["--interface", "127.0.0.3", *claims], "127.0.0.3"), (claims, "203.0.113.7")):
            self.server.log.write_text("")
            self.assertEqual(self.ask("/api/games", *options)[0], 200)
            self.assertTrue(snl.wait_for(lambda: "/api/games" in self.server.log.read_text()))
            self.assertRegex(self.server.log.read_text(), rf"(?<![0-9.]){re.escape(shown)}(?![0-9.])")
        status, _, body = self.ask("/metrics", *claims)
        self.assertEqual((status, json.loads(body)["type"]), (403, "urn:snl:forbidden"))
        self.assertEqual(self.ask("/api/games", "--header", "Host: evil.example.org")[0], 421)


if __name__ == "__main__":
    snl.main()
