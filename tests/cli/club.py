"""The base of the tests of a signed log: a club with a key and a policy, and a witness at a school."""

import subprocess

import snl

NAME = "club.example/log"
WITNESS = "school.example/witness"


class Club(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.key = self.folder / "club.key"
        self.vkey = self.snl("key", "new", NAME, self.key).strip()
        self.policy = self.file("policy", f"log {self.vkey}\nquorum none\n")
        self.witness_key = self.folder / "witness.key"
        self.witness_vkey = self.snl("key", "new", WITNESS, self.witness_key, "--witness").strip()

    def file(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def sign(self, *options, **how):
        """Returns the signed note."""
        return self.snl("checkpoint", "--log-key", self.key, *options, **how)

    def start_witness(self, port=0):
        """A witness that runs, and its policy, by which a checkpoint needs its cosignature."""
        process = self.popen("witness", "--key", self.witness_key, "--policy", self.policy, "--state", self.folder / "state", "--listen",
                             f"127.0.0.1:{port}", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(self.end, process)
        process.url = process.stdout.readline().strip().removeprefix("listening on ")
        return process, self.trusting(process.url)

    def trusting(self, url, name="witnessed"):
        return self.file(name, f"log {self.vkey}\nwitness school {self.witness_vkey} {url}\nquorum school\n")

    @staticmethod
    def end(process):
        process.kill()
        process.wait()
        process.stdout.close()
