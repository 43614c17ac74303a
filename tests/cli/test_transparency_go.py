"""Goal: an independent program verifies snl's signatures and proofs: golang.org/x/mod, which protects Go's
modules. Method: a store that is signed at every few commits; every proof of it, and forged ones.

For tests/run --whole: Go is large.
"""

import base64
import contextlib
import os
import re
import sqlite3
import subprocess

import snl

SOURCE = snl.TESTS / "cli" / "transparency" / "verify.go"
NAME = "club.example/log"


class VerifiedByGo(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.program = self.folder / "verify"
        environment = os.environ | {"GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOCACHE": str(self.folder / "go"),
                                    "GOFLAGS": "", "CGO_ENABLED": "0"}
        subprocess.run(["go", "build", "-o", self.program, SOURCE], env=environment, check=True)

    def accepts(self, *words):
        return subprocess.run([self.program, *words], capture_output=True, text=True, check=False).returncode == 0

    def file(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def test_keys_checkpoints_and_proofs(self):
        key = self.folder / "club.key"
        vkey = self.snl("key", "new", NAME, key).strip()
        policy = self.file("policy", f"log {vkey}\nquorum none\n")
        self.assertTrue(self.accepts("key", key, vkey))
        self.snl("new", "Ann", "Bob", "--id", "g", "--seed", "1", "--board", "class")
        checkpoints = []
        for turns in range(12):
            self.snl("roll", "g")
            note = self.file(f"checkpoint.{turns}", self.snl("checkpoint", "--log-key", key))
            checkpoints.append(note)
        for version in range(1, 14):
            proof = self.folder / f"{version}.tlog-proof"
            self.snl("prove", "g", "--version", str(version), "-o", proof)
            head = [line["hash"] for line in self.json_lines("log", "g")][version - 1]
            self.assertTrue(self.accepts(vkey, checkpoints[-1], proof, head))
            self.assertFalse(self.accepts(vkey, checkpoints[-1], proof, "00" * 32))
            self.assertFalse(self.accepts(vkey, checkpoints[0], proof, head))
        for older in checkpoints:
            lines = self.file("lines", self.snl("prove", "--since", older, "--policy", policy))
            self.assertTrue(self.accepts(vkey, checkpoints[-1], older, lines))
            if older != checkpoints[-1]:
                self.file("lines", base64.b64encode(bytes(32)).decode() + "\n")
                self.assertFalse(self.accepts(vkey, checkpoints[-1], older, lines))
        other = self.snl("key", "new", NAME, self.folder / "other.key").strip()
        self.assertFalse(self.accepts(other, checkpoints[-1], checkpoints[0], lines))

    def test_what_is_served(self):
        key = self.folder / "club.key"
        vkey = self.snl("key", "new", NAME, key).strip()
        for _ in range(300):
            self.snl("new", "Ann", "Bob")
        server = self.popen("serve", "--listen", "127.0.0.1:0", "--log-key", key, stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, text=True)
        try:
            url = re.fullmatch(r"listening on (.*)\n", server.stdout.readline())[1] + "/log"
            self.assertTrue(self.accepts("served", vkey, url))
            other = self.snl("key", "new", NAME, self.folder / "other.key").strip()
            self.assertFalse(self.accepts("served", other, url))
            with contextlib.closing(sqlite3.connect(self.json("db", "info")["path"])) as database, database:
                database.execute("UPDATE tree SET hash = zeroblob(32)")
            self.assertFalse(self.accepts("served", vkey, url))
        finally:
            server.kill()
            server.wait()
            server.stdout.close()


if __name__ == "__main__":
    snl.main()
