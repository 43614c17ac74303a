"""Every command's examples stand first, are the same in help and manual, and work."""

import re
import shutil
import signal
import subprocess

import snl
from test_manual import ManualTest

# Commands that run until they are stopped, or need a terminal, and a way to try each.
SERVES, AT_A_TERMINAL = ("snl serve", "snl witness"), "snl play @"


class Examples(ManualTest):
    def shown(self, command):
        """The examples of a command's help, with the description of each."""
        block = self.snl("help", *command.split()).partition("\nExamples:\n")[2].partition("\n\n")[0]
        lines = block.splitlines()
        return list(zip([line.strip() for line in lines[::2]], [line.strip() for line in lines[1::2]]))

    def test_stand_first_and_are_the_same_in_help_and_manual(self):
        for command in self.commands():
            with self.subTest(command):
                titles = re.findall(r"(?m)^\.SH (.*)$", self.page(command))
                self.assertEqual(titles[:4], ["NAME", "SYNOPSIS", "EXAMPLES", "DESCRIPTION"])
                examples = self.section(command, "EXAMPLES")
                for line, about in self.shown(command):
                    self.assertIn(f"\n{about}\n.RS 4\n.EX\n{line}\n.EE\n.RE\n", f"\n{examples}\n")

    def test_there_are_some_of_every_command_that_does_something(self):
        for command in self.commands():
            if not self.parts(command):
                with self.subTest(command):
                    self.assertGreater(len(self.shown(command)), 0)
                    for line, _ in self.shown(command):
                        self.assertRegex(line, rf"\bsnl {command}\b")

    def prepare(self, folder):
        """A folder with all that the examples speak of."""
        environment = self.environment | {"SNL_DB": str(folder / "snl.db"), "HOME": str(folder),
                                          "PATH": f"{self.folder}:{self.environment['PATH']}"}
        (folder / ".config" / "fish" / "completions").mkdir(parents=True)
        (folder / "club.json").write_text('{"cells":25,"snakes":[[17,7]],"ladders":[[3,22]]}', encoding="utf-8")
        (folder / "turns.txt").write_text("Ann 3\nBob 4\n", encoding="utf-8")
        options = {"env": environment, "cwd": folder}
        store = folder / "snl.db"
        self.snl("new", "Ann", "Bob", "--seed", "3", "--id", "cup", db=store)
        self.snl("roll", "cup", "--all", db=store)
        self.snl("new", "Ann", "Bob", "--board", "class", "--seed", "13", "--id", "final", db=store)
        self.snl("roll", "final", "-n", "5", db=store)
        self.snl("undo", "final", db=store)
        (folder / "head.txt").write_text(self.json("audit", db=store)["head"], encoding="utf-8")
        (folder / "cup.jsonl").write_text(self.snl("export", "cup", db=store), encoding="utf-8")
        self.snl("db", "backup", folder / "backup.db", db=store)
        vkey = self.snl("key", "new", "club.example/log", folder / "club.key")
        (folder / "club.policy").write_text(f"log {vkey}quorum none\n", encoding="utf-8")
        (folder / "kept.checkpoint").write_text(self.snl("checkpoint", "--log-key", folder / "club.key", db=store))
        (folder / "final.jsonl").write_text(self.snl("export", "final", db=store), encoding="utf-8")
        (folder / "final.tlog-proof").write_text(self.snl("prove", "final", db=store))
        self.snl("export", "final", "-o", folder / "final.html", db=store)
        self.snl("key", "new", "school.example/witness", folder / "witness.key", "--witness")
        return options

    def run_line(self, line, **options):
        return subprocess.run(["bash", "-c", line], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, timeout=snl.PATIENCE, **options)

    def serve(self, line, **options):
        """Whether it listens; at a port that is free."""
        line = line.replace(":8080", ":0") if "--listen" in line else f"{line} --listen 127.0.0.1:0"
        server = subprocess.Popen(["bash", "-c", f"exec {line}"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                  **options)
        try:
            return server.stdout.readline().startswith("listening on http://")
        finally:
            server.send_signal(signal.SIGTERM)
            server.communicate(timeout=snl.PATIENCE)

    def test_all_work(self):
        (self.folder / "snl").symlink_to(snl.PROGRAM)
        prepared = self.folder / "prepared"
        prepared.mkdir()
        self.prepare(prepared)
        for command in self.commands():
            folder = self.folder / "-".join(["in", *command.split()])
            shutil.copytree(prepared, folder)
            options = {"cwd": folder, "env": self.environment | {
                "SNL_DB": str(folder / "snl.db"), "HOME": str(folder), "PATH": f"{self.folder}:{self.environment['PATH']}"}}
            made = {"key new": ["club.key", "club.key.signed"], "prove": ["final.tlog-proof"], "export": ["final.jsonl", "final.html"]}
            for name in made.get(command, []):
                (folder / name).unlink()
            for line, _ in self.shown(command):
                with self.subTest(line):
                    if line.startswith(SERVES):
                        self.assertTrue(self.serve(line, **options))
                        continue
                    done = self.run_line(line, **options)
                    if line == AT_A_TERMINAL:
                        self.assertRegex(done.stderr, "needs a terminal")
                        continue
                    self.assertEqual(done.returncode, 0, done)


if __name__ == "__main__":
    snl.main()
