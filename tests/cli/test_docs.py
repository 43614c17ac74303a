"""Every command explains itself, and the README knows it."""

import re
import unittest

import snl

COMMANDS = [
    "new", "play", "roll", "show", "list", "undo", "redo", "branch", "replay", "log", "audit", "export", "import",
    "board list", "board show", "board check", "simulate", "db info", "db migrate", "db check", "help",
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
            "log": "--follow --json",
            "audit": "--all --expect --json",
            "export": "-f -o --force",
            "import": "--dry-run",
            "simulate": "--board --rules --games --players --threads --seed --max-turns --save --json",
        }
        for command, expected in options.items():
            text = self.snl("help", command)
            for option in expected.split():
                self.assertRegex(text, rf"(?m)(^|[\s,]){re.escape(option)}\b", command)

    def test_needs_no_store_and_no_home(self):
        for args in (("--help",), ("--version",), ("help", "play"), ("board", "list")):
            self.snl(*args, env={"HOME": None})
        self.assertEqual(self.files(), [])

    def test_of_the_version_is_one_line(self):
        self.assertRegex(self.snl("--version"), r"\Asnl \d+\.\d+\.\d+\n\Z")


class TheReadme(unittest.TestCase):
    def test_mentions_every_command(self):
        text = README.read_text(encoding="utf-8")
        for command in COMMANDS:
            with self.subTest(command):
                self.assertRegex(text, rf"\bsnl {command}\b")


if __name__ == "__main__":
    snl.main()
