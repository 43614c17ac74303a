"""Players have names of all kinds: each is one player, to the letter, wherever it is given or shown."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import unicodedata

import snl
from terminal import Terminal, pseudo_terminal

ODD_NAMES = [
    "-a", "--help", "--", "-", "--db=x", "-n", "#1", "# not a comment", '{"x', '{"player":"A","dice":[3]}', "[A", "[A,B]",
    "[]", "[A]", "++", "list", "new", "help", "a,b", "a;b", '"q"', "'q'", "`q`", "$HOME", "%s", "%n%n", "{}", "{0}",
    "back\\slash", "a/b", "*", "?", "~", "!", "=", "a=b", "@", "@-1", "3", "6-6-1", "WIN", "INVALID MOVE", "CONTINUE",
    "A 3", " lead", "trail ", "two  spaces", "🐍", "👩‍👩‍👧", "می\u200cخواهم", "日本語", "بوب", "עברית", "é", "e\u0301", "\u200fRTL", "\u202eevil",
    "\u200b", "\ufeff", "\u2028", "ﷺ", "ß", "İ", "x" * 256, "é" * 128, "null", "true", "\\n", "\\x1b[31m", "</script>",
    "Ann", "Ann\u200b", "Ann\u00ad", "Ann\ufe0f", "Ann\u2060", "A\u034fnn", "\u3164", "\u115f", "A\U000e0041", "\u2067A\u2069", "\u061c",
    "Z\u0351\u0362\u0348a\u0321l\u0334g\u0358o", "\u0301", "ｗｉｄｅ", "한국어", "न\u092eस\u094dत\u0947", "<b>", "&amp;", "=1+1", "-",
]
ODD_NAMES = list(dict.fromkeys(ODD_NAMES))
unguarded = snl.tally_of_program("control: odd names as they are", "undetected")
tally = snl.tally_of_program("odd names on a terminal", "undetected")

# Invisible characters, and those that control a terminal: DerivedCoreProperties.txt's Default_Ignorable_Code_Point, and
# controls.
UNSEEN = re.compile("[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
                    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]")
# But for joiners between letters or emoji, which change what is seen.
JOINERS = re.compile("(?<=[👩ی\u094d])[\u200c\u200d](?=[👩👧خष])")


class NamesTest(snl.CommandLineTest):
    def start(self, *names):
        """A game of players with any names, as older versions recorded them, on 100 empty cells."""
        escaped = (re.sub(r'(["\\\\])', r"\\\1", name) for name in names)
        return self.imported("-", input="".join(f'[Player "{name}"]\n' for name in escaped)).strip()

    def imported(self, file, **options):
        """The output of `import`; it warns of names that look the same, and of nothing else."""
        result = self.run_snl("import", file, **options)
        self.assertEqual(result.code, 0, result)
        self.assertRegex(result.err, r"\A(snl: [^\n]*: their names look the same\n)*\Z")
        return result.out


class Names(NamesTest):
    def test_of_all_kinds_are_kept_to_the_letter(self):
        for name in ODD_NAMES:
            with self.subTest(name):
                game = self.start(name, "other")
                self.assertEqual(self.show(game)["players"][0], {"name": name, "cell": 1})
                self.assertEqual(self.snl("play", game, "--", name, "3"), f"{name},4,other,CONTINUE\n")
                self.assertEqual(self.snl("play", game, "--", "other", "3"), f"other,4,{name},CONTINUE\n")
                line = json.dumps({"player": name, "dice": [1]}, ensure_ascii=False) + "\n"
                self.assertEqual(self.snl("play", game, "-", input=line), f"{name},5,other,CONTINUE\n")
                self.assertEqual(self.json("list", f"--player={name}", "--limit=1")["id"], game)
                self.assertEqual(self.json_lines("replay", game)[0]["player"], name)
        self.assert_sound()

    def test_that_are_no_options_need_no_dashes(self):
        for name in ("[A", "[A,B]", "[]", "++", "#1", '{"x', "-", "list", "a,b", "@", "3"):
            with self.subTest(name):
                self.assertEqual(self.snl("new", name, "other", "--board", "empty", "--id", "x"), "x\n")
                self.assertEqual(self.snl("play", "x", name, "3"), f"{name},4,other,CONTINUE\n")
                self.store.unlink()

    def test_in_a_stream_of_plain_lines(self):
        for name in ODD_NAMES:
            if name.startswith(("#", '{"', "\ufeff")) or not name.strip():
                continue  # a remark, JSON, a byte order mark, a blank line: such names are written as JSON
            with self.subTest(name):
                game = self.start(name, "other")
                self.assertEqual(self.snl("play", game, "-", input=f"{name} 3\nother 6-1\n"),
                                 f"{name},4,other,CONTINUE\nother,8,{name},CONTINUE\n")

    def test_survive_export_and_import(self):
        elsewhere = self.folder / "elsewhere.db"
        for first in range(0, len(ODD_NAMES), 8):
            names = ODD_NAMES[first : first + 8]
            game = self.start(*names, "other")
            self.snl("roll", game, "-n", "12")
            for form in ("jsonl", "text"):
                self.snl("export", game, "-f", form, "-o", "out", "--force")
                self.assertEqual(self.imported("out", db=elsewhere), f"{game}\n")
                self.assertEqual(self.snl("replay", game, db=elsewhere), self.snl("replay", game))
                elsewhere.unlink()

    def test_of_ten_players_take_turns_in_order(self):
        names = [f"player {n}" for n in range(10)]
        game = self.start(*names)
        self.snl("roll", game, "-n", "20")
        self.assertEqual([t["player"] for t in self.json_lines("replay", game)], names * 2)

    def test_that_looked_alike_when_they_were_recorded_are_different_players(self):
        game = self.start("é", "e\u0301", "a", "A", "a ", " a")
        self.assertEqual(len(self.show(game)["players"]), 6)
        self.assertEqual(self.snl("play", game, "-", input="é 1\ne\u0301 1\na 1\nA 1\na  1\n a 1\n").count("CONTINUE"), 6)

    def test_that_look_the_same_in_a_text_are_told_of_and_are_different_players(self):
        text = '[Player "Ann"]\n[Player "Bob"]\n[Player "Ann "]\n\nAnn 3\n'
        for options in ([], ["--dry-run"]):
            result = self.run_snl("import", "-", *options, input=text)
            self.assertEqual((result.code, result.err), (0, 'snl: stdin: players "Ann" and "Ann ": their names look the same\n'))
        self.snl("export", "@", "-o", "log.jsonl")
        self.assertEqual(self.run_snl("import", "log.jsonl", db="other.db").err, "")  # a log is what it is

    def test_that_look_the_same_are_refused_when_they_are_chosen(self):
        alike = [("Ann", "Ann "), ("Ann", " Ann"), ("Ann", "Ann\u00a0"), ("A", "A\u200b"), ("A", "A\u200d"), ("é", "e\u0301"),
                 ("Ann Lee", "Ann  Lee"), ("한국", unicodedata.normalize("NFD", "한국")), ("e\u200b\u0301", "é"), ("A", "A\ufe0f"),
                 (" ", "  "), (" ", "\u200b"), ("\u3164", "\u2800")]
        for one, other in alike:
            with self.subTest(one + "|" + other):
                for names in ((one, other), (other, "Bob", one)):
                    self.refused(2, "look the same", "new", "--board", "empty", "--", *names)
                self.refused(2, "look the same", "tournament", "--board", "empty", "--rounds=1", "--", one, other, "Bob")
        self.assertIsNone(self.contents())
        self.assertEqual(self.snl("new", "--board", "empty", "Ann", "ann", "Ann Lee", "AnnLee", "Anna", "--id", "g"), "g\n")

    def test_that_cannot_be_are_refused(self):
        bad = ["", "\x1f", "\x1fAnn", "\x1f\x1fAnn", "Ann\x1f", "x" * 257, "é" * 128 + "x",
               "a\nb", "a\tb", "\x01", "\x1b[31m", "\x7f", "\u0080", "\u009b31m", "\r",
               b"\xff", b"a\xc3", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82"]
        for name in bad:
            with self.subTest(name):
                name = name.decode(errors="surrogateescape") if isinstance(name, bytes) else name
                line = self.refused(2, "player", "new", "--board", "empty", "--", name, "other")
                self.assertNotRegex(line, "[\x00-\x09\x0b-\x1f\x7f-\x9f]")
                self.refused(2, "player", "new", "--board", "empty", "--", "other", name)
                self.assertIsNone(self.contents())

    def test_that_begin_with_a_control_are_nobody_s_wherever_they_come_in(self):
        game = self.start("Ann", "Bob")
        self.refused(2, "player", "new", "--board", "empty", "\x1fAnn", "Bob")
        self.refused(2, "player", "tournament", "--board", "empty", "\x1fAnn", "Bob", "Cem", "--rounds=1")
        for dashes in ([], ["--"]):
            for control in ("1e", "1f"):
                self.refused(3, f"\\\\x{control}Ann", "play", game, *dashes, chr(int(control, 16)) + "Ann", "3")
        self.assertEqual(self.snl("list", "--player=Ann", "--json").count("\n"), 1)
        for words in (["--player=\x1fAnn"], ["--player", "\x1fAnn"], ["--player", "\x1eAnn"]):
            self.assertEqual(self.snl("list", *words, "--json"), "")

    def test_that_no_game_has_are_told_with_a_near_one(self):
        self.snl("new", "Ann", "Bob", "--cells", "4", "--id", "g")
        code, said = Terminal(self, "list", "--player", "ann").ends()
        self.assertEqual((code, said), (0, 'snl: no game has a player "ann"; did you mean Ann?\r\n'))
        self.assertEqual(self.snl("list", "--player", "ann"), "")
        for words in (("--player", "Ann", "--status", "completed"), ("--status", "completed")):  # Ann plays, and hasn't finished
            self.assertEqual(Terminal(self, "list", *words).ends(), (0, ""))

    def test_that_are_given_twice_are_refused(self):
        self.refused(2, '"A"', "new", "--board", "empty", "A", "B", "A")
        self.refused(2, '"🐍"', "new", "--board", "empty", "🐍", "🐍")

    def test_that_nobody_has_are_named_in_the_error(self):
        game = self.start("Ann", "Bob")
        for name in ("ann", "An", "Ann ", "Zed", "\u202eevil", ""):
            with self.subTest(name):
                self.refused(3, '"%s"' % name.replace("\u202e", r"\\u202e"), "play", game, name, "3")


def in_fours(names):
    """All of them in groups of four; the last group begins among the names of the one before, if it must."""
    begins = (min(first, len(names) - 4) for first in range(0, len(names), 4))
    return [names[first : first + 4] for first in begins]


class NamesOnATerminal(NamesTest):
    def see(self, *args, errors=False):
        """The output of a command to a terminal, as its stdout or its stderr."""
        master, slave = pseudo_terminal(self)
        streams = {"stdout": subprocess.DEVNULL, "stderr": slave} if errors else {"stdout": slave, "stderr": subprocess.DEVNULL}
        process = self.popen(*args, **streams)
        os.close(slave)
        seen = b""
        try:
            while piece := os.read(master, 65536):
                seen += piece
        except OSError:
            pass  # the other end is closed
        finally:
            os.close(master)
            process.wait(snl.PATIENCE)
        return seen.decode().replace("\r\n", "\n")

    def assert_harmless(self, seen, told):
        with tally.attempt():
            self._assert_harmless(seen, told)

    def _assert_harmless(self, seen, told):
        seen = JOINERS.sub("", re.sub("\x1b\\[[0-9;]*m", "", seen))
        self.assertTrue(seen.strip(), told)
        self.assertIsNone(UNSEEN.search(seen), f"{told}: {seen!r}")
        controls = {c for c in seen if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cs")} - {"\n", "\t"}
        # Signs of Arabic and of musical notation that are drawn, though Unicode has them as Cf, aren't among the names.
        self.assertEqual(controls, set(), f"{told}: {seen!r}")

    def test_are_shown_harmlessly_by_every_command(self):
        for names in in_fours(ODD_NAMES):
            game = self.start(*names, "other")
            self.snl("roll", game, "-n", "5")
            # Names that are no longer allowed are only in stored games.
            tournament = ("tournament", "--rounds=1", "--cells=20", "--seed=1")
            chosen = [] if self.run_snl(*tournament, "--", *names).code == 2 else [
                (*tournament, "--", *names), (*tournament, "--json", "--", *names)]
            commands = [("show", game), ("show", game, "--json"), ("list", "--limit", "1"), ("list", "--limit", "1", "--json"),
                        ("log", game), ("log", game, "--json"), ("replay", game), ("replay", game, "--json"),
                        ("analyze", game), ("analyze", game, "--json"), ("audit", game), ("audit", game, "--json"),
                        ("roll", game), ("roll", game, "--json"), ("undo", game), ("redo", game),
                        ("play", game, "--", names[1], "3"), ("export", game), ("export", game, "-f", "text"),
                        *chosen]
            for command in commands:
                with self.subTest(command):
                    self.assert_harmless(self.see(*command), command)

    def test_are_seen_to_be_harmful_as_they_are(self):
        for name in ODD_NAMES:
            unguarded.tried += 1
            try:
                self._assert_harmless(name, name)
            except AssertionError:
                unguarded.undetected += 1
        self.assertGreater(unguarded.undetected, 10)

    def test_are_told_harmlessly_in_errors(self):
        game = self.start("other", "one more")
        for name in ODD_NAMES:
            for command in (("play", game, "--", name, "3"), ("new", "--board", "empty", "--", name, name), ("show", "--", f"{name}?")):
                with self.subTest(command):
                    self.assert_harmless(self.see(*command, errors=True), command)

    def test_with_joiners_are_seen_as_they_are_written(self):
        names = ["👩‍👩‍👧", "می\u200cخواهم", "क\u094d\u200dष"]
        game = self.start(*names)
        for command in (("show", game), ("list",), ("audit", game)):
            seen = self.see(*command)
            for name in names:
                self.assertIn(name, seen)

    def test_in_json_on_a_terminal_are_the_same_names(self):
        for names in in_fours(ODD_NAMES):
            game = self.start(*names, "other")
            shown = json.loads(self.see("show", game, "--json"))
            self.assertEqual([player["name"] for player in shown["players"]], [*names, "other"])

    def test_go_through_a_pipe_to_the_letter(self):
        for names in in_fours(ODD_NAMES):
            game = self.start(*names, "other")
            self.snl("roll", game, "-n", "5")
            log = self.snl("log", game, "--json")
            for name in names:
                self.assertIn(json.dumps(name, ensure_ascii=False), log)
            self.assertTrue(self.snl("play", game, "--", names[0], "3").endswith(f",{names[1]},CONTINUE\n"))

    # Asks the terminal that it runs in where the cursor is after each line of a file.
    ASK = """
import re, sys, termios, tty
tty.setcbreak(0)
columns = []
for line in open(sys.argv[1], encoding="utf-8").read().split("\\n")[:-1]:
    sys.stdout.write("\\r\\x1b[2K" + line + "\\x1b[6n")
    sys.stdout.flush()
    answer = ""
    while not answer.endswith("R"):
        answer += sys.stdin.read(1)
    columns.append(answer[answer.index(";") + 1 : -1])
with open(sys.argv[1] + ".part", "w") as out:
    out.write(" ".join(columns))
import os
os.rename(sys.argv[1] + ".part", sys.argv[1] + ".columns")
"""

    def columns(self, lines):
        """Where tmux has its cursor after each line."""
        tmux = shutil.which("tmux")
        if tmux is None:
            self.skipTest("tmux isn't installed")
        path = self.folder / "lines"
        answer = self.folder / "lines.columns"
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        (self.folder / "ask.py").write_text(self.ASK)
        server = [tmux, "-u", "-S", str(self.folder / "tmux"), "-f", "/dev/null"]
        environment = self.environment | {"TERM": "xterm-256color"}
        subprocess.run([*server, "new-session", "-d", "-x", "1000", "-y", "20",
                        shlex.join([sys.executable, str(self.folder / "ask.py"), str(path)])], env=environment, check=True)
        self.addCleanup(subprocess.run, [*server, "kill-server"], env=environment, capture_output=True)
        self.assertTrue(snl.wait_for(answer.exists), "tmux doesn't answer")
        return [int(column) for column in answer.read_text().split()]

    def test_leave_the_columns_of_tables_straight(self):
        chosen = list({" ".join(UNSEEN.sub("", unicodedata.normalize("NFC", name)).split()): name for name in ODD_NAMES}.items())
        names = [name for seen, name in chosen if seen]
        tables = [self.see("tournament", "--rounds=1", "--cells=4", "--seed=1", "--", *names[:40]),
                  self.see("tournament", "--rounds=1", "--cells=4", "--seed=1", "--", *names[40:])]
        for names in in_fours(ODD_NAMES):
            game = self.start(*names, "other")
            self.snl("roll", game, "-n", "5")
            tables.append(self.see("analyze", game))
        # The rows that end in numbers do so in the same column.
        rows = [[line for line in table.split("\n") if re.search(r"\s\d+\.\d+$", line)] for table in tables]
        columns = iter(self.columns([row for table in rows for row in table]))
        for table in rows:
            self.assertGreater(len(table), 4)
            ends = [next(columns) for _ in table]
            self.assertEqual(len(set(ends)), 1, list(zip(ends, table)))


if __name__ == "__main__":
    snl.main()
