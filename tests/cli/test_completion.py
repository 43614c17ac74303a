"""The shells complete every command, option and value, and the IDs of games, and run nothing by it."""

import re
import shlex
import shutil
import subprocess

import snl

HOSTILE_FOLDER = "it's a \"folder\" $(touch ran) `touch ran` ; touch ran #"
HOSTILE_NAMES = ("$(touch ran)", "`touch ran`", "';touch ran;'", '";touch ran;"', "%n\\n*")


def typed(line):
    """A line's words as bash splits them for a completion: at = and @ too."""
    return [word for word in re.split(r" |(?<=[=@])|(?=[=@])", line) if word] + ([""] if line.endswith(" ") else [])


class CompletionTest(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        (self.folder / "snl").symlink_to(snl.PROGRAM)
        self.environment["PATH"] = f"{self.folder}:{self.environment['PATH']}"

    def script(self, shell):
        path = self.folder / f"snl.{shell}"
        if not path.exists():
            path.write_text(self.snl("completion", shell), encoding="utf-8")
        return path

    def run_shell(self, *command):
        done = subprocess.run(command, env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=snl.PATIENCE)
        self.assertEqual((done.returncode, done.stderr), (0, ""), command[0])
        return done.stdout

    def in_bash(self, *lines):
        """The completions of bash for each line, or for each pair of a line and its words."""
        calls = [f"source {shlex.quote(str(self.script('bash')))}"]
        for line in lines:
            line, words = (line, typed(line)) if isinstance(line, str) else line
            calls.append(f"COMP_LINE={shlex.quote(line)} COMP_POINT=${{#COMP_LINE}}\n"
                         f"COMP_WORDS=({shlex.join(words)}) COMP_CWORD={len(words) - 1}\n"
                         f"_snl snl {shlex.quote(words[-1].strip('=:'))}; printf '%s\\n' \"${{COMPREPLY[@]}}\" end")
        offered = self.run_shell("bash", "--norc", "--noprofile", "-c", "\n".join(calls)).split("end\n")
        self.assertEqual(len(offered), len(lines) + 1)
        return [one.split() for one in offered[:-1]]

    def bash(self, line, words=None):
        return self.in_bash((line, words or typed(line)))[0]

    def fish(self, line):
        """The completions of fish for a line, without their descriptions."""
        if not shutil.which("fish"):
            self.skipTest("fish isn't installed")
        offered = self.run_shell("fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]",
                                 str(self.script("fish")), line)
        return [one.split("\t")[0] for one in offered.splitlines()]

    def answer_instead(self, *lines):
        """Replaces snl by a program that gives this answer to every request for completions."""
        (self.folder / "snl").unlink()
        text = shlex.quote("".join(f"{line}\n" for line in lines))
        (self.folder / "snl").write_text(f"#!/bin/sh\necho \"# $*\"\nprintf %s {text}\n", encoding="utf-8")
        (self.folder / "snl").chmod(0o755)

    def facts(self, command=""):
        """The subcommands, the options and the sets of values in a command's help."""
        text = self.snl("help", *command.split())
        _, _, listed = text.partition("Subcommands:\n")
        subcommands = re.findall(r"(?m)^  (\w\S*)", listed.partition("\n\n")[0])
        options, sets = set(), {}
        for names, rest in re.findall(r"(?m)^  (-\S+)(.*)$", text):
            options |= set(names.split(","))
            if values := re.search(r":\{(\S+)\}", rest):
                sets.update({name: values[1].split(",") for name in names.split(",")})
        return subcommands, options, sets

    def commands(self):
        """Every command, with its facts and the options that go with all."""
        _, everywhere, sets = self.facts()
        everywhere -= {"-h", "--help", "--version"}
        todo = list(self.facts()[0])
        self.assertGreater(len(todo), 15)
        self.assertEqual(everywhere, {"--db", "--color", "--no-pager"})
        for command in todo:
            subcommands, options, own_sets = self.facts(command)
            todo += [f"{command} {subcommand}" for subcommand in subcommands]
            yield command, subcommands, options | everywhere, sets | own_sets

    def boards(self):
        return [board["name"] for board in self.json_lines("board", "list")]


class TheCommand(CompletionTest):
    def test_knows_three_shells(self):
        self.refused(2, "tcsh.*bash.*zsh.*fish", "completion", "tcsh")
        self.refused(2, "SHELL", "completion")
        self.refused(2, "zsh", "completion", "bash", "zsh")

    def test_needs_no_store_and_no_home(self):
        for shell in ("bash", "zsh", "fish"):
            self.snl("completion", shell, env={"HOME": None})
        self.assertEqual(self.files(), ["snl"])

    def test_says_how_scripts_are_installed(self):
        text = self.snl("help", "completion")
        for line in ("source <(snl completion bash)", 'snl completion zsh > "${fpath[1]}/_snl"',
                     "snl completion fish > ~/.config/fish/completions/snl.fish"):
            self.assertIn(line, text)

    def test_writes_what_the_shells_can_read(self):
        for shell in ("bash", "zsh", "fish"):
            with self.subTest(shell):
                if not shutil.which(shell):
                    self.skipTest(f"{shell} isn't installed")
                self.run_shell(shell, "-n", str(self.script(shell)))

    def test_asks_the_program_and_knows_no_command_itself(self):
        for shell in ("bash", "zsh", "fish"):
            text = self.script(shell).read_text(encoding="utf-8")
            self.assertEqual(text, (snl.TESTS.parent / "cli" / "completion" / f"snl.{shell}").read_text(encoding="utf-8"))
            self.assertIn("__complete", text)
            self.assertNotIn("tournament", text)


class WhatIsAsked(CompletionTest):
    """`snl __complete WORD…`, whatever the shell."""

    def ask(self, *words, **options):
        """The words that are offered, and whether file names are offered too."""
        *lines, files = self.snl("__complete", *words, **options).splitlines()
        self.assertIn(files, (":", ":files"))
        return [line.split("\t")[0] for line in lines], files == ":files"

    def test_every_command_option_and_value_is_known(self):
        for command, subcommands, options, sets in [("", *self.facts()), *self.commands()]:
            words = command.split()
            with self.subTest(command):
                self.assertEqual(set(self.ask(*words, "-")[0]), options)
                if subcommands:
                    self.assertEqual(self.ask(*words, "")[0], subcommands)
                for option, values in sets.items():
                    self.assertEqual(self.ask(*words, option, "")[0], values)
                    if option.startswith("--"):
                        self.assertEqual(self.ask(*words, f"{option}=")[0], [f"{option}={value}" for value in values])

    def test_every_entry_says_what_it_is_for(self):
        for line in self.snl("__complete", "").splitlines()[:-1]:
            self.assertRegex(line, r"\A[a-z]+\t\S")
        self.assertIn("--at\tAs it was after this turn (0: the start)\n", self.snl("__complete", "show", "g", "--a"))

    def test_it_is_in_no_help(self):
        self.assertNotIn("__complete", self.snl("--help"))
        self.refused(2, "no command", "help", "__complete")

    def test_players_of_the_game_on_the_line_are_offered(self):
        names = ["Ann Lee", "Bob", "-", "-x", *HOSTILE_NAMES]
        self.snl("new", "--id", "g", "--", *names)
        self.snl("new", "Cid", "Dee", "--id", "h")
        self.assertEqual(self.ask("play", "g", "")[0], names)
        self.assertEqual(self.ask("play", "g", "A")[0], ["Ann Lee"])
        self.assertEqual(self.ask("play", "@", "")[0], ["Cid", "Dee"])
        self.assertEqual(self.ask("play", "@-1", "B")[0], ["Bob"])
        self.assertEqual(self.ask("play", "h", "Cid", ""), ([], False))
        self.assertIn("Cid\tto move\n", self.snl("__complete", "play", "h", ""))
        self.snl("new", "Cid", "Bob", "--id", "i")
        self.assertEqual(self.ask("list", "--player", "")[0], ["Cid", "Bob", "Dee", *[name for name in names if name != "Bob"]])
        self.assertEqual(self.ask("list", "--player=D")[0], ["--player=Dee"])
        for words in (("play", "none", ""), ("new", ""), ("new", "Cid", ""), ("tournament", "")):
            self.assertEqual(self.ask(*words), ([], False), words)

    def test_every_operand_that_is_a_file_or_a_name_is_offered_some(self):
        """Only values that a user invents have no suggestion."""
        self.snl("new", "Ann", "Bob", "--id", "g")
        for words in (("db", "copy", ""), ("db", "copy", "a.db", ""), ("db", "backup", ""), ("db", "restore", ""),
                      ("import", ""), ("board", "check", ""), ("export", "g", "-o", ""), ("--db", "")):
            self.assertTrue(self.ask(*words)[1], words)
        self.assertFalse(self.ask("db", "copy", "a.db", "b.db", "")[1])

    def test_a_line_of_any_words_is_answered(self):
        lines = [(), ("",), ("-",), ("--",), ("--", ""), ("--x=", ""), ("[", "]", "++", "--db", ""), ("--db",), ("=",),
                 ("help", "no", "such", ""), ("show", "\x1f", ""), ("play", "@-99999999999", ""), ("é", b"\xff"), ("\n", "\t")]
        for words in lines:
            with self.subTest(words):
                self.assertEqual(self.run_snl("__complete", *words)[::2], (0, ""))
        self.assertFalse(self.store.exists())

    def test_a_store_that_cannot_be_read_is_no_error_and_stays_as_it_is(self):
        self.assertEqual(self.ask("show", "", env={"HOME": None})[0], ["@"])
        (self.folder / "bad.db").write_bytes(b"x" * 5000)
        self.assertEqual(self.ask("--db", "bad.db", "show", "")[0], ["@"])
        self.assertEqual(self.ask("--db", ".", "play", "g", "")[0], [])
        self.snl("new", "A", "B", "--id", "g")
        before = self.store.read_bytes()
        self.assertEqual(self.ask("show", "")[0], ["@", "g"])
        self.assertEqual(self.ask("play", "g", "")[0], ["A", "B"])
        self.assertEqual(self.store.read_bytes(), before)
        self.assertEqual([name for name in self.files() if name.endswith("snl.db")], ["home/.local/share/snl/snl.db"])

    def test_games_beyond_the_newest_are_found_by_how_they_begin(self):
        self.snl("new", "A", "B", "--id", "oldest")
        self.assertEqual(self.run_snl("simulate", "--games", "60", "--save", "--seed", "1").code, 0)
        self.assertNotIn("oldest", self.ask("show", "")[0])
        self.assertEqual(self.ask("show", "old")[0], ["oldest"])


class InBash(CompletionTest):
    def test_commands_are_offered(self):
        subcommands, options, _ = self.facts()
        self.assertEqual(self.bash("snl "), subcommands)
        self.assertEqual(set(self.bash("snl -")), options)
        self.assertEqual(self.bash("snl re"), ["redo", "replay"])
        self.assertEqual(self.bash("snl ser"), ["serve"])
        self.assertEqual(self.bash("snl serve --l"), ["--listen", "--limit", "--log-format", "--log-key"])
        self.assertEqual(self.bash("snl --color never bo"), ["board"])
        self.assertEqual(self.bash("snl --db new bo"), ["board"])
        self.assertEqual(self.bash("snl nonsense "), [])

    def test_subcommands_and_options_of_every_command_are_offered(self):
        commands = list(self.commands())
        offered = iter(self.in_bash(*(f"snl {command} {start}" for command, *_ in commands for start in ("-", ""))))
        for command, subcommands, options, _ in commands:
            with self.subTest(command):
                self.assertEqual(set(next(offered)), options)
                following = next(offered)
                if subcommands:
                    self.assertEqual(following, subcommands)

    def test_every_value_of_a_set_is_offered(self):
        wanted = [(f"snl {command} {option}", values) for command, _, _, sets in self.commands()
                  for option, values in sets.items()]
        self.assertGreater(len(wanted), 50)
        for between in (" ", "="):
            lines = [(option + between, values) for option, values in wanted if between == " " or " --" in option]
            for (line, values), offered in zip(lines, self.in_bash(*(line for line, _ in lines))):
                self.assertEqual(offered, values, line)
        self.assertEqual(self.bash("snl new --finish b"), ["bounce"])
        self.assertEqual(self.bash("snl list --status=in"), ["in-progress"])
        self.assertEqual(self.bash("snl completion "), ["bash", "zsh", "fish"])
        self.assertEqual(self.bash("snl serve --log-format "), ["text", "json"])
        self.assertEqual(self.bash("snl new --sixes "), ["again", "plain", "each"])
        self.assertEqual(self.bash("snl board convert lld --to m"), ["matrix", "moves"])

    def test_values_stay_whole_where_bash_does_not_part_them(self):
        line = "snl list --status=in"
        text = (f"source {self.script('bash')}\nCOMP_WORDBREAKS=' '; COMP_LINE='{line}' COMP_POINT=${{#COMP_LINE}}\n"
                f"COMP_WORDS=({line}) COMP_CWORD=2; _snl snl --status=in; echo \"${{COMPREPLY[@]}}\"")
        self.assertEqual(self.run_shell("bash", "-c", text), "--status=in-progress\n")

    def test_what_is_behind_the_cursor_does_not_count(self):
        text = (f"source {self.script('bash')}\nCOMP_LINE='snl board solve --json' COMP_POINT=11\n"
                "COMP_WORDS=(snl board solve --json) COMP_CWORD=2; _snl snl s; echo \"${COMPREPLY[@]}\"")
        self.assertEqual(self.run_shell("bash", "-c", text), "show solve\n")

    def test_named_boards_and_files_are_offered(self):
        boards = self.boards()
        (self.folder / "lld-2.json").touch()
        for line in ("new A B --board", "simulate --board", "tournament --board", "board show", "board check",
                     "board solve", "board analyze --players 3", "board convert"):
            with self.subTest(line):
                offered = self.bash(f"snl {line} ")
                self.assertEqual(offered[: len(boards)], boards)
                self.assertIn("lld-2.json", offered)
                self.assertEqual(self.bash(f"snl {line} ll"), ["lld", "lld-2.json"])
        for line in ("import", "db restore", "--db", "export g -o", "simulate --svg"):
            self.assertEqual(self.bash(f"snl {line} ll"), ["lld-2.json"], line)
        self.assertEqual(self.bash("snl simulate --svg=ll"), ["lld-2.json"])

    def test_games_are_offered_newest_first(self):
        for game in ("one", "two", "three"):
            self.snl("new", *HOSTILE_NAMES, "--id", game)
        commands = [command for command, *_ in self.commands()
                    if re.search(r"(?m)^  GAME ", self.snl("help", *command.split()))]
        self.assertGreater(len(commands), 10)
        for command, offered in zip(commands, self.in_bash(*(f"snl {command} " for command in commands))):
            self.assertEqual(offered, ["@", "three", "two", "one"], command)
        self.assertEqual(self.bash("snl show t"), ["three", "two"])
        self.assertEqual(self.bash("snl show --json t"), ["three", "two"])
        self.assertEqual(self.bash("snl show --at 3 t"), ["three", "two"])
        self.assertEqual(self.bash("snl show -- t"), ["three", "two"])
        self.assertEqual(self.bash("snl show -- -"), [])
        self.assertEqual(self.bash("snl show one t"), [])
        self.assertEqual(self.bash("snl show --at t"), [])
        self.assertNotIn("ran", self.files())

    def test_no_more_than_50_games_are_offered(self):
        self.assertEqual(self.run_snl("simulate", "--games", "60", "--save", "--seed", "1").code, 0)
        self.assertEqual(len(self.bash("snl show ")), 51)

    def test_nothing_that_is_answered_is_run(self):
        self.script("bash")
        answers = ["$(touch ran)", "`touch ran`", "-x", "*", "a[$(touch ran)]", "good"]
        self.answer_instead(*answers, ":")
        backslashed = [re.sub(r"([^\w.,/:=@%+-])", r"\\\1", answer) for answer in answers]
        self.assertEqual(self.bash("snl show ")[3:], " ".join(backslashed).split())
        self.assertFalse((self.folder / "ran").exists())
        self.answer_instead()

    def test_players_are_offered(self):
        self.snl("new", "Ann", "Bob", "--id", "g")
        self.assertEqual(self.bash("snl play g "), ["Ann", "Bob"])
        self.assertEqual(self.bash("snl play @ B"), ["Bob"])

    def test_a_store_that_cannot_be_read_is_quiet(self):
        self.assertEqual(self.bash("snl show "), ["@"])
        self.assertFalse(self.store.exists())
        (self.folder / "bad.db").write_bytes(b"x" * 5000)
        self.assertEqual(self.bash("snl --db bad.db show "), ["@"])

    def test_the_store_on_the_line_is_asked(self):
        self.snl("new", "A", "B", "--id", "usual")
        self.snl("new", "A", "B", "--id", "other", db="other.db")
        for line in ("--db other.db show", "show --db other.db", "--db=other.db show", "--db x --db other.db show"):
            self.assertEqual(self.bash(f"snl {line} "), ["@", "other"], line)
        self.snl("new", "A", "B", "--id", "home", db=self.home / "home.db")
        self.assertEqual(self.bash("snl --db ~/home.db show "), ["@", "home"])

    def test_a_store_of_any_name_is_asked_and_nothing_is_run(self):
        folder = self.folder / HOSTILE_FOLDER
        folder.mkdir()
        store = folder / "my store.db"
        self.snl("new", *HOSTILE_NAMES, "--id", "here", db=store)
        backslashed = re.sub(r"([^\w/.-])", r"\\\1", str(store))
        doubled = '"' + re.sub(r'(["$`\\])', r"\\\1", str(store)) + '"'
        for quoted in (shlex.quote(str(store)), backslashed, doubled):
            for line, words in ((f"snl --db {quoted} show ", ["snl", "--db", quoted, "show", ""]),
                                (f"snl --db={quoted} show h", ["snl", "--db", "=", quoted, "show", "h"])):
                with self.subTest(line):
                    self.assertEqual(self.bash(line, words)[-1], "here")
        for word in ("$(touch ran)", "`touch ran`", '"$(touch ran)"', "'", '"', "\\", "x[$(touch ran)]"):
            with self.subTest(word):
                self.bash(f"snl --db {word} show ", ["snl", "--db", word, "show", ""])
                self.bash(f"snl {word} ", ["snl", word, ""])
                self.bash(f"snl show {word}", ["snl", "show", word])
        self.assertFalse((self.folder / "ran").exists())

    def test_help_takes_commands(self):
        self.assertEqual(self.bash("snl help "), self.facts()[0])
        self.assertEqual(self.bash("snl help board "), self.facts("board")[0])
        self.assertEqual(self.bash("snl help board list "), [])


class InFish(CompletionTest):
    def test_everything_is_offered(self):
        self.assertEqual(self.fish("snl "), self.facts()[0])
        self.assertEqual(self.fish("snl pl"), ["play"])
        for command, subcommands, options, sets in self.commands():
            with self.subTest(command):
                self.assertEqual(set(self.fish(f"snl {command} -")), options)
                if subcommands:
                    self.assertEqual(self.fish(f"snl {command} "), subcommands)
        self.assertEqual(self.fish("snl list --status="), ["--status=in-progress", "--status=completed"])
        self.assertEqual(self.fish("snl new A B --board ")[: len(self.boards())], self.boards())
        (self.folder / "a b.json").touch()
        for typed_so_far in ("a", "'a", "a\\ "):
            self.assertEqual(self.fish(f"snl import {typed_so_far}"), ["a b.json"])
        self.assertEqual(self.fish("snl help board so"), ["solve"])

    def test_games_of_the_store_on_the_line_are_offered(self):
        folder = self.folder / HOSTILE_FOLDER
        folder.mkdir()
        store = folder / "my store.db"
        for game in ("one", "two"):
            self.snl("new", *HOSTILE_NAMES, "--id", game, db=store)
        quoted = "'" + str(store).replace("\\", "\\\\").replace("'", "\\'") + "'"
        self.assertEqual(self.fish(f"snl --db {quoted} show "), ["@", "two", "one"])
        self.assertEqual(self.fish(f"snl --db={quoted} show t"), ["two"])
        self.assertEqual(self.fish("snl --db (touch ran) show "), ["@"])
        self.assertEqual(self.fish(f"snl --db {quoted} play two "), list(HOSTILE_NAMES))
        self.answer_instead("$(touch ran)", "(touch ran)", "good", ":")
        self.assertIn("good", self.fish("snl show "))
        self.assertFalse((self.folder / "ran").exists())


if __name__ == "__main__":
    snl.main()
