"""A word that is typed at a prompt of each shell is completed, and the command does what its line says."""

import fcntl
import itertools
import json
import os
import re
import select
import shlex
import shutil
import string
import subprocess
import termios

import snl
from terminal import pseudo_terminal
from test_completion import HOSTILE_FOLDER, HOSTILE_NAMES, CompletionTest

# Every character of ASCII that can be in a name, and some that aren't in it.
CHARACTERS = string.punctuation + " é\u202e\u00a0"

# Text that can't be typed within these quotes, or where the shell completes nothing.
UNTYPED = {("bash", '"', "!"), ("zsh", '"', "!"), ("zsh", "'", "'"), *(("fish", quote, "*") for quote in ("", '"', "'"))}


def quoted_for(shell, quote, text):
    """A text as a user types it after an open quote, or without one."""
    if quote == '"':
        return re.sub(r'(["$\\])' if shell == "fish" else r'(["$`\\])', r"\\\1", text)
    if quote == "'":
        return re.sub(r"(['\\])", r"\\\1", text) if shell == "fish" else text.replace("'", "'\\''")
    return re.sub(r"([^\w])", r"\\\1", text)


class AtAPrompt(CompletionTest):
    """Keys are typed into a shell; the output of the commands shows the completed words."""

    SETUPS = {
        "bash": (["bash", "--norc", "--noprofile", "-i"], "source snl.bash"),
        "zsh": (["zsh", "-f", "-i"], "autoload -Uz compinit; compinit -u -D; source snl.zsh"),
        "fish": (["fish", "--no-config", "-i"], "source snl.fish"),
    }

    def type_into(self, shell, *lines):
        if not shutil.which(shell):
            self.skipTest(f"{shell} isn't installed")
        self.script(shell)
        command, setup = self.SETUPS[shell]
        ours, theirs = pseudo_terminal(self)

        def take_the_terminal():  # without one of its own, fish ends at once
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=self.folder,
                                   env=self.environment, preexec_fn=take_the_terminal)
        os.close(theirs)
        seen = b""
        try:
            for number, line in enumerate([setup, *lines]):
                mark = f"line {number} is done"
                os.write(ours, f"{line}\n".encode())
                os.write(ours, f"echo {mark[:5]}''{mark[5:]}\n".encode())
                while mark.encode() not in seen:
                    if not select.select([ours], [], [], snl.PATIENCE)[0]:
                        self.fail(f"it hangs: {seen!r}")
                    seen += os.read(ours, 65536)
            os.write(ours, b"exit\n")
            process.wait(snl.PATIENCE)
        finally:
            process.kill()
            process.wait()
            os.close(ours)
        return seen.decode(errors="replace")

    def test_completed_commands_do_what_they_say(self):
        folder = self.folder / HOSTILE_FOLDER
        folder.mkdir()
        store = folder / "my store.db"
        self.snl("new", *HOSTILE_NAMES, "--id", "game-of-ours", db=store)
        (self.folder / "a b.json").write_text('{"cells":7}', encoding="utf-8")
        quoted = shlex.quote(str(store))
        for shell in self.SETUPS:
            with self.subTest(shell):
                seen = self.type_into(shell,
                                      f"snl --db {quoted} sho\tgame\t--json > 1",
                                      f"snl sho\t--db={quoted} @\t--json > 2",
                                      f"snl --db {quoted} list --status=in\t--json > 3",
                                      "snl boa\tsho\ta\t--json > 4",
                                      "snl board show 'a\t --json > 5",
                                      "snl board convert ll\t--to mat\t> 6",
                                      "snl ser\t--no-p\t--log-format=js\t--help > 7")
                printed = [(self.folder / str(number)).read_text(encoding="utf-8") for number in range(1, 7)]
                self.assertIn("Usage: snl serve", (self.folder / "7").read_text(encoding="utf-8"), seen)
                self.assertNotIn("", printed, seen)
                answers = [json.loads(text) for text in printed]
                self.assertEqual([one["id"] for one in answers[:3]], ["game-of-ours"] * 3, seen)
                self.assertEqual([one["cells"] for one in answers[3:5]], [7, 7], seen)
                self.assertEqual(len(answers[5]), 10, seen)
                self.assertFalse((self.folder / "ran").exists())

    def note_what_is_run(self):
        """The program that the shells start completes like snl, and otherwise records its
        arguments."""
        (self.folder / "snl").unlink()
        (self.folder / "snl").write_text(
            f'#!/bin/sh\n[ "$1" = __complete ] && exec {shlex.quote(snl.PROGRAM)} "$@"\nprintf "%s\\n" "$*" >> ran-with\n',
            encoding="utf-8")
        (self.folder / "snl").chmod(0o755)

    def run_with(self):
        path = self.folder / "ran-with"
        lines = path.read_text(encoding="utf-8").split("\n")[:-1] if path.exists() else []
        path.unlink(missing_ok=True)
        return lines

    def test_a_name_of_any_character_stands_on_the_line_as_it_is(self):
        """Names come from strangers, through snl serve."""
        names = [f"n{number:02}{character}touch ran{character}z" for number, character in enumerate(CHARACTERS)]
        names += [f"{character}touch ran;" for character in "~#!-=$`@(&"]
        for first in range(0, len(names), 9):
            self.snl("new", "--id", f"g{first}", "--", "Zoe", *names[first:first + 9])
        for shell in self.SETUPS:
            self.script(shell)
        self.note_what_is_run()
        for shell in self.SETUPS:
            lines, expected = [], []
            for name in names:
                for quote in ("", '"', "'"):
                    for typed in (name[:3], name[:4]) if name[0] == "n" else (name[:4],):
                        if (shell, quote, typed[-1]) in UNTYPED:
                            continue
                        lines.append(f"snl list --player {quote}{quoted_for(shell, quote, typed)}\t --json")
                        expected.append(f"list --player {name} --json")
            with self.subTest(shell):
                seen = self.type_into(shell, *lines)
                ran = itertools.zip_longest(lines, expected, self.run_with())
                self.assertEqual([one for one in ran if one[1] != one[2]], [], seen[-2000:])
                self.assertFalse((self.folder / "ran").exists())

    def test_bash_puts_in_files_and_what_several_words_begin_with_as_they_are(self):
        for name in ("x:y`touch ran`z", "~root", "q$HOME", "w!w"):
            (self.folder / name).touch()
        (self.folder / "some folder").mkdir()
        (self.folder / "some folder" / "in it").touch()
        (self.home / "mine").touch()
        self.snl("new", "--id", "g", "--", "n$a b", "n$a`c", 'm!"a', 'm!"b', "k'1", "k'2")
        self.script("bash")
        self.note_what_is_run()
        lines = {
            "import x:\t": "import x:y`touch ran`z", 'import "x\t': "import x:y`touch ran`z", "import \\~\t": "import ~root",
            'import "~\t': "import ~root", "import q\t": "import q$HOME", "import 'w\t": "import w!w",
            'import "w\t': "import w!w", "import some\tin\t": "import some folder/in it", "import 'some\tin\t": "import some folder/in it",
            "import $HOME/m\t": f"import {self.home}/mine", "import ~/m\t": f"import {self.home}/mine",
            'import "$HOME/m\t': f"import {self.home}/mine", "play g n\t \t": "play g n$a b", 'play g "n\t\\`\t': "play g n$a`c",
            'play g "m\ta\t': 'play g m!"a', "play g 'm\tb\t": 'play g m!"b', "play g k\t1\t": "play g k'1", "play g 'k\t2\t": "play g k'2",
        }
        seen = self.type_into("bash", *(f"snl {line}" for line in lines))
        ran = itertools.zip_longest(lines, lines.values(), self.run_with())
        self.assertEqual([one for one in ran if one[1] != one[2]], [], seen)
        self.assertFalse((self.folder / "ran").exists())

    def test_bash_offers_nothing_within_backticks(self):
        """There a backslash would quote nothing."""
        self.snl("new", "--id", "g", "--", "Bob`touch ran`", "Ann")
        self.script("bash")
        self.note_what_is_run()
        self.type_into("bash", "snl list --player `echo x` --player Bo\t", "snl list --player `echo --player Bo\t`")
        self.assertEqual(self.run_with(), ["list --player x --player Bo", "list --player --player Bo"])
        self.assertFalse((self.folder / "ran").exists())

    def test_nothing_that_is_on_the_line_or_in_a_store_is_run(self):
        for shell in self.SETUPS:
            with self.subTest(shell):
                self.script(shell)
                self.answer_instead("$(touch ran)", "`touch ran`", "good", ":")
                self.type_into(shell, "snl --db '`touch ran`' show goo\t> 1", "snl show \tgoo\t> 2")
                self.assertIn("# --db `touch ran` show good\n", (self.folder / "1").read_text(encoding="utf-8"))
                self.assertIn("# show good\n", (self.folder / "2").read_text(encoding="utf-8"))
                self.assertFalse((self.folder / "ran").exists())


if __name__ == "__main__":
    snl.main()
