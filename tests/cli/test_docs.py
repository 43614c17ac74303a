"""Every command explains itself, and the README knows it."""

import re
import sqlite3
import subprocess

import snl

COMMANDS = [
    "new", "play", "roll", "show", "list", "undo", "redo", "branch", "replay", "watch", "log", "analyze", "audit", "export", "import",
    "simulate", "tournament",
    "board list", "board show", "board check", "board analyze", "board convert", "board random", "board solve",
    "db info", "db migrate", "db backup", "db restore", "db check", "db compact", "completion", "help",
]
README = snl.TESTS.parent / "README.md"


def subcommands(help_text):
    """The names that a help lists under Subcommands."""
    _, _, listed = help_text.partition("Subcommands:\n")
    names = []
    for line in listed.splitlines():
        if not line.strip():
            break
        if match := re.match(r"  (\S+)", line):
            names.append(match[1])
    return names


class Help(snl.CommandLineTest):
    def test_lists_every_command(self):
        for way in (("--help",), ("-h",), ("help",)):
            with self.subTest(way):
                listed = subcommands(self.snl(*way))
                self.assertEqual(sorted(listed), sorted({command.split()[0] for command in COMMANDS}))
        for group in ("board", "db"):
            listed = subcommands(self.snl(group, "--help"))
            self.assertEqual(listed, [c.split()[1] for c in COMMANDS if c.startswith(group + " ")])

    def test_of_each_command_is_the_same_however_it_is_asked_for(self):
        for command in COMMANDS + ["board", "db"]:
            with self.subTest(command):
                text = self.snl("help", *command.split())
                self.assertIn(f"Usage: snl {command}", text)
                self.assertEqual(self.snl(*command.split(), "--help"), text)
                self.assertEqual(self.snl(*command.split(), "-h"), text)

    def test_of_each_command_says_what_it_is_for(self):
        for command in COMMANDS:
            with self.subTest(command):
                first = self.snl("help", *command.split()).splitlines()[0]
                self.assertGreater(len(first), 10)
                self.assertNotIn("Usage", first)

    def test_is_no_wider_than_100_columns(self):
        for command in [""] + COMMANDS + ["board", "db"]:
            for line in self.snl(*command.split(), "--help").splitlines():
                self.assertLessEqual(len(line), 100, f"{command}: {line}")

    def test_explains_every_option(self):
        for command in COMMANDS:
            text = self.snl("help", *command.split())
            for line in text.splitlines():
                if match := re.match(r"  (-\S+)(.*)", line):
                    with self.subTest(command=command, option=match[1]):
                        following = text[text.index(line) + len(line) :].lstrip("\n").split("\n")[0]
                        described = re.search(r"\s{2,}\S|\s\w+ \S", match[2]) or following.startswith("      ")
                        self.assertTrue(described, line)

    def test_knows_the_options_of_the_contract(self):
        options = {
            "new": "--board --cells --size --snake --ladder --rules --start --finish --dice --faces --sixes --seed --id",
            "play": "--atomic --expect-version --command-id --json",
            "roll": "-n --all --max-turns --expect-version --command-id --json",
            "undo": "-n --to --expect-version --command-id",
            "redo": "-n --expect-version --command-id",
            "show": "--at --json",
            "list": "--status --player --limit --json",
            "branch": "--at --id",
            "replay": "--from --to --speed --step --loop --undone --json",
            "watch": "--json",
            "log": "--follow --json",
            "analyze": "--json",
            "board analyze": "--players --positions --to-move --rules --start --finish --dice --faces --sixes --svg --force --json",
            "board convert": "--to",
            "board random": "--size --snakes --ladders --seed",
            "board solve": "--start --faces --json",
            "audit": "--all --expect --json",
            "db backup": "--force --json",
            "db restore": "--force --json",
            "db compact": "--json",
            "export": "-f -o --at --width --height --speed --force",
            "import": "--dry-run",
            "simulate": "--board --rules --games --players --threads --seed --max-turns --save --svg --force --json",
        }
        for command, expected in options.items():
            text = self.snl("help", *command.split())
            for option in expected.split():
                self.assertRegex(text, rf"(?m)(^|[\s,]){re.escape(option)}\b", command)

    def test_needs_no_store_and_no_home(self):
        for args in (("--help",), ("--version",), ("help", "play"), ("board", "list")):
            self.snl(*args, env={"HOME": None})
        self.assertEqual(self.files(), [])

    def test_of_the_version_is_one_line(self):
        self.assertRegex(self.snl("--version"), r"\Asnl \d+\.\d+\.\d+\n\Z")


class TheReadme(snl.CommandLineTest):
    def test_shows_what_the_commands_print(self):
        blocks = re.findall(r"(?ms)^```\n(\$ snl .*?)^```$", README.read_text(encoding="utf-8"))
        self.assertGreater(len(blocks), 5)
        (self.folder / "snl").symlink_to(snl.PROGRAM)
        environment = self.environment | {"PATH": f"{self.folder}:{self.environment['PATH']}"}
        for block in blocks:
            if "is NOT SOUND" in block:
                self.make_the_first_die_of_bob_a_five()
            for shown in re.split(r"(?m)^\$ ", block)[1:]:
                command, _, expected = shown.partition("\n")
                with self.subTest(command):
                    printed = subprocess.run(["bash", "-c", command], env=environment, cwd=self.folder,
                                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                             text=True, timeout=snl.PATIENCE).stdout
                    self.assertEqual(snl.normalised(printed), snl.normalised(expected))

    def make_the_first_die_of_bob_a_five(self):
        database = sqlite3.connect(self.store)
        triggers = database.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            database.execute(f"DROP TRIGGER {name}")
        database.execute("UPDATE commits SET command = replace(command, '[4]', '[5]') WHERE version = 3")
        for _, sql in triggers:
            database.execute(sql)
        database.commit()
        database.close()

    def test_mentions_every_command(self):
        text = README.read_text(encoding="utf-8")
        for command in COMMANDS:
            with self.subTest(command):
                self.assertRegex(text, rf"\bsnl {command}\b")


if __name__ == "__main__":
    snl.main()
