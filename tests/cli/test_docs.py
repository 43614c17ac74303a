"""Every command explains itself, and the README knows it."""

import pathlib
import re
import sqlite3
import subprocess
from typing import NamedTuple

import snl

COMMANDS = [
    "new", "play", "roll", "show", "list", "undo", "redo", "branch", "replay", "watch", "log", "analyze", "audit", "export", "import",
    "simulate", "tournament", "serve", "key new", "key show", "checkpoint", "prove", "verify", "witness",
    "board list", "board show", "board check", "board analyze", "board convert", "board random", "board solve",
    "db info", "db migrate", "db backup", "db restore", "db copy", "db check", "db compact", "completion", "help",
]
ROOT = snl.TESTS.parent
README = ROOT / "README.md"
EMBED = pathlib.Path(snl.PROGRAM).parent.parent / "tests" / "example_embed"  # which domain/README.md shows


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
        for group in ("board", "db", "key"):
            listed = subcommands(self.snl(group, "--help"))
            self.assertEqual(listed, [c.split()[1] for c in COMMANDS if c.startswith(group + " ")])

    def test_of_each_command_is_the_same_however_it_is_asked_for(self):
        for command in COMMANDS + ["board", "db", "key"]:
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
            "list": "--status --player --limit --json --csv",
            "branch": "--at --id",
            "replay": "--from --to --speed --step --loop --undone --json",
            "watch": "--json",
            "log": "--follow --json",
            "analyze": "--json --csv",
            "board analyze": "--players --positions --to-move --quantiles --exact --rules --start --finish --dice --faces --sixes --svg --force --json --csv --distribution",
            "board convert": "--to",
            "board random": "--size --snakes --ladders --seed",
            "board solve": "--start --faces --json",
            "audit": "--all --expect --json",
            "db backup": "--force --json",
            "db restore": "--force --json",
            "db compact": "--json",
            "export": "--all --chances -f -o --at --width --height --speed --idle --length --force",
            "import": "--dry-run",
            "simulate": "--board --rules --games --players --threads --seed --max-turns --save --quantiles --svg --force --json --csv --distribution",
            "tournament": "--board --rules --rounds --seed --max-turns --show --json --csv",
            "serve": "--listen --url --threads --allow-origin --trusted-proxy --limit --log-format",
        }
        for command, expected in options.items():
            text = self.snl("help", *command.split())
            for option in expected.split():
                self.assertRegex(text, rf"(?m)(^|[\s,]){re.escape(option)}\b", command)

    def test_needs_no_store_and_no_home(self):
        for args in (("--help",), ("--version",), ("help", "play"), ("board", "list")):
            self.snl(*args, env={"HOME": None})
        self.assertEqual(self.files(), [])

    def test_of_the_version_is_one_line_and_names_the_commit(self):
        self.assertRegex(self.snl("--version"), r"\Asnl \d+\.\d+\.\d+ \(commit ([0-9a-f]{12}|unknown)\)\n\Z")


class AnExample(NamedTuple):
    command: str
    output: str


def documents():
    """Every page of the project that is read here: the READMEs, and what they lead to."""
    done = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, text=True, stdout=subprocess.PIPE, check=False)
    listed = [ROOT / line for line in done.stdout.splitlines()]
    return sorted(path for path in listed or ROOT.rglob("*.md") if "build" not in path.relative_to(ROOT).parts)


def examples(document):
    """The commands of a document with the output that it shows, from every fenced block that begins with `$ `."""
    for block in re.findall(r"(?ms)^```\w*\n(\$ .*?)^```$", document.read_text(encoding="utf-8")):
        for shown in re.split(r"(?m)^\$ ", block)[1:]:
            command, _, output = shown.partition("\n")
            yield AnExample(command, output)


def pattern_of(output):
    """The output that a command may print where a document shows this.

    It is compared to the letter, except for parts that differ from run to run. Any time or hash matches, and a line
    with only `…` stands for any number of lines.
    """
    lines = [r"(?:[^\n]*\n)*" if line == "…\n" else re.escape(line)
             for line in snl.normalised(output).splitlines(keepends=True)]
    return re.compile(r"\A" + "".join(lines) + r"\Z")


class TheReadmes(snl.CommandLineTest):
    """A document's examples are run one after another, in a folder and with a store of their own."""

    # Commands that take minutes, or depend on the machine. Their own tests check their output.
    NOT_RUN = re.compile(r"(?:tests|cli|\.ci|build)/\w+|cmake |ctest |apt-get |git |[A-Z_]+=\S+ (?:ctest|cmake) ")

    def setUp(self):
        super().setUp()
        (self.folder / "snl").symlink_to(snl.PROGRAM)
        (self.folder / "embed").symlink_to(EMBED)
        self.environment["PATH"] = f"{self.folder}:{self.environment['PATH']}"

    def test_show_what_the_commands_print(self):
        self.assertIn(README, documents())
        for document in documents():
            store = self.folder / f"{document.parent.name}-{document.stem}.db"
            for example in examples(document):
                if self.NOT_RUN.match(example.command):
                    continue
                if "is NOT SOUND" in example.output:
                    self.make_the_first_die_of_bob_a_five(store)
                with self.subTest(document=document, command=example.command):
                    printed = subprocess.run(["bash", "-c", example.command], cwd=self.folder,
                                             env=self.environment | {"SNL_DB": str(store)},
                                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                             text=True, timeout=snl.PATIENCE).stdout
                    self.assertRegex(snl.normalised(printed), pattern_of(example.output))

    def test_have_examples(self):
        self.assertGreater(len(list(examples(README))), 10)
        self.assertGreater(len(list(examples(ROOT / "cli" / "README.md"))), 1)

    def test_are_compared_to_the_letter(self):
        time, head = "2026-01-31T17:05:59.123Z", "0" * 64
        same = [("a\nb\n", "a\nb\n"), ("a\n…\nd\n", "a\nb\nc\nd\n"), ("a\n…\n", "a\n"),
                (f"{time} x\n", "2030-02-01T00:00:00.000Z x\n"), (f"head: {head}\n", f"head: {'f' * 64}\n")]
        for shown, printed in same:
            self.assertRegex(snl.normalised(printed), pattern_of(shown))
        for shown, printed in (("a\n", "b\n"), ("a\n", "a\nb\n"), ("a…\n", "ab\n"), ("a.c\n", "abc\n"), ("", "a\n")):
            self.assertNotRegex(snl.normalised(printed), pattern_of(shown))

    def make_the_first_die_of_bob_a_five(self, store):
        database = sqlite3.connect(store)
        triggers = database.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            database.execute(f"DROP TRIGGER {name}")
        database.execute("UPDATE commits SET command = replace(command, '[4]', '[5]') WHERE version = 3")
        for _, sql in triggers:
            database.execute(sql)
        database.commit()
        database.close()

    def test_mentions_every_command(self):
        text = (ROOT / "cli" / "README.md").read_text(encoding="utf-8")
        for command in COMMANDS:
            with self.subTest(command):
                self.assertIn(f"`snl {command}`", text)

    def test_lead_each_of_three_readers_to_a_page_of_five_minutes(self):
        links = re.findall(r"five minutes\]\((\S+)#(\S+)\)", README.read_text(encoding="utf-8"))
        self.assertEqual([path for path, _ in links], ["cli/README.md", "storage/proving.md", "domain/README.md"])
        for path, anchor in links:
            text = (ROOT / path).read_text(encoding="utf-8")
            anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in re.findall(r"(?m)^#+ (.*)$", text)}
            self.assertIn(anchor, anchors)

    def test_promise_the_exit_codes_that_the_manual_lists(self):
        promised = re.findall(r"(?m)^\| (\d+) \|", (ROOT / "cli" / "README.md").read_text(encoding="utf-8"))
        page = (snl.MANUAL / "man1" / "snl.1").read_text(encoding="utf-8")
        listed = re.findall(r"(?m)^\.TP\n\\f\[B\](\d+)\\f\[R\]$", page)
        self.assertEqual(promised, listed)
        self.assertEqual(len(listed), 8)

    def test_tell_what_changed_in_this_version_on_the_day_that_the_manual_has(self):
        version, day = re.search(r"(?m)^## (\S+), (\S+)$", (ROOT / "cli" / "CHANGELOG.md").read_text(encoding="utf-8")).groups()
        self.assertEqual(self.snl("--version").split()[1], version)
        self.assertIn(f'.TH "SNL" "1" "{day}" "snl {version}"', (snl.MANUAL / "man1" / "snl.1").read_text(encoding="utf-8"))

    def test_leave_the_licence_to_one_file_to_say(self):
        for name in ("README.md", "CHANGELOG.md"):
            self.assertIn("(packaging/licence.txt)", (ROOT / "cli" / name).read_text(encoding="utf-8"))
        self.assertGreater(len((ROOT / "cli" / "packaging" / "licence.txt").read_text(encoding="utf-8").split()), 20)
        self.assertEqual([path.name for path in ROOT.iterdir() if re.match("(?i)licen[cs]e|copying", path.name)], [])

    def test_begin_with_a_front_page_that_is_read_to_its_end(self):
        self.assertLessEqual(len(README.read_text(encoding="utf-8").splitlines()), 150)



class TheLesson(snl.CommandLineTest):
    def test_fits_two_screens(self):
        lines = self.snl("help", "teach").splitlines()
        self.assertLessEqual(len(lines), 48)
        self.assertLessEqual(max(map(len, lines)), 80)

    def test_asks_questions_that_its_commands_answer(self):
        (self.folder / "snl").symlink_to(snl.PROGRAM)
        lesson = self.snl("help", "teach")
        commands = re.findall(r"(?m)^  (snl .*)$", lesson)
        self.assertGreater(len(commands), 12)
        for question in re.split(r"\n\n", lesson)[1:]:
            self.assertRegex(question, r"\A[A-Z][^?]*\?")
            self.assertRegex(question, r"\n  snl ")
        for command in commands:
            with self.subTest(command):
                done = subprocess.run(["bash", "-c", command], cwd=self.folder, text=True, check=False, capture_output=True,
                                      env=self.environment | {"PATH": f"{self.folder}:{self.environment['PATH']}"})
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                _, redirected, file = command.partition(" > ")
                answer = (self.folder / file).read_text(encoding="utf-8") if redirected else done.stdout
                self.assertNotEqual(answer, "")

    def test_is_found_by_who_asks_for_help(self):
        self.assertIn("snl help teach", self.snl("help", "help"))


class TheDemo(snl.CommandLineTest):
    def test_needs_no_argument_and_no_other_program(self):
        """As it is in a package, beside an snl on the PATH."""
        (self.folder / "snl").symlink_to(snl.PROGRAM)
        (self.folder / "sqlite3").write_text("#!/bin/sh\nexit 99\n", encoding="utf-8")
        (self.folder / "sqlite3").chmod(0o755)
        for words in ((), (snl.PROGRAM,)):
            done = subprocess.run([ROOT / "cli" / "demo", *words], cwd=self.folder, text=True, check=False, capture_output=True,
                                  timeout=snl.PATIENCE, env=self.environment | {"PATH": f"{self.folder}:{self.environment['PATH']}"})
            self.assertRegex(done.stdout, r"is NOT SOUND[^$]*game final, version 3[^$]*exit 4", done.stderr)
            self.assertEqual(done.returncode, 0)


if __name__ == "__main__":
    snl.main()
