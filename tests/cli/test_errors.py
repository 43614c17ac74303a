"""Bad input of every kind: its exit code, one line on stderr that names the value, the store unchanged."""

import json
import os
import random
import re
import shlex
import shutil
import sqlite3
import subprocess

import snl

DONE, FAILED, USAGE, NO_SUCH, UNSOUND, CONFLICT, REFUSED = 0, 1, 2, 3, 4, 5, 6

# command, exit code, what the line on stderr must match
BAD_COMMANDS = [
    # words that aren't commands or options
    ("dance", USAGE, "dance\" isn't a command or option of snl; see"),
    ("reply g", USAGE, "\"reply\" isn't a command or option of snl; did you mean replay\\?; see snl help$"),
    ("lsit", USAGE, "did you mean list\\?"),
    ("--versoin", USAGE, "did you mean --version\\?"),
    ("board chek class", USAGE, "did you mean check\\?"),
    ("db bakup x", USAGE, "did you mean backup\\?"),
    # what follows is no matter
    ("bord list", USAGE, "\"bord\" isn't a command or option of snl; did you mean board\\?; see snl help$"),
    ("--db x baord show class", USAGE, "\"baord\" isn't a command or option of snl; did you mean board\\?; see snl help$"),
    ("hlep new", USAGE, "\"hlep\" isn't a command or option of snl; did you mean help\\?; see snl help$"),
    ("hlep list --help", USAGE, "\"hlep\" isn't a command or option of snl; did you mean help\\?; see snl help$"),
    # a word too many where an option is missing
    ("branch g 0", USAGE, "snl: --at is required; see snl help branch$"),
    ("simulate 100", USAGE, "snl: --games is required; see snl help simulate$"),
    ("export", USAGE, "snl: give a game, or --all; see snl help export$"),
    ("branch g --ta 0", USAGE, "not expected: --ta; did you mean --at\\?; see snl help branch$"),
    ("witness --kee k", USAGE, "not expected: --kee; did you mean --key\\?; see snl help witness$"),
    # known words in another place
    ("--json list", USAGE, "not expected: --json; put --json after list; see snl help list$"),
    ("board --seed=3 random", USAGE, "not expected: --seed=3; put --seed after board random; see"),
    ("-- list", USAGE, "\"list\" isn't a command or option of snl after --; leave out --; see snl help$"),
    ("list -- --limit=3", USAGE, "not expected: --limit=3 after --; leave out --; see snl help list$"),
    ("-- lst", USAGE, "\"lst\" isn't a command or option of snl; did you mean list\\?; see"),
    ("roll g --n 3", USAGE, "not expected: --n 3; did you mean -n\\?"),
    ("roll g --n=3", USAGE, "not expected: --n=3; did you mean -n\\?"),
    ("list --limt 5", USAGE, "not expected: --limt 5; did you mean --limit\\?; see snl help list$"),
    ("show final --ta 3", USAGE, "not expected: --ta 3; did you mean --at\\?"),
    # which help was asked for isn't known
    ("reply --help", USAGE, "\"reply\" isn't a command or option of snl; did you mean replay\\?; see snl help$"),
    ("reply g -h", USAGE, "did you mean replay\\?"),
    ("board shwo --help", USAGE, "\"shwo\" isn't a command or option of snl board; did you mean show\\?; see snl help board$"),
    ("--bd x --help", USAGE, "\"--bd\" isn't a command or option of snl; did you mean --db\\?"),
    # capital letters, and beginnings
    ("SHOW g", USAGE, "did you mean show\\?"),
    ("tourn A B", USAGE, "did you mean tournament\\?"),
    ("new A B --board CLASS", USAGE, "did you mean class\\?"),
    ("new A B --board milton", USAGE, "did you mean milton-bradley\\?"),
    # values, in our words
    ("list --color", USAGE, "--color: its value is missing, one of auto, always, never; see"),
    ("list --db", USAGE, "--db: its value is missing; see"),
    ("new --id -- A B C", USAGE, "snl: --id: its value is missing; see snl help new$"),
    ("list --color -- always", USAGE, "snl: --color: its value is missing, one of auto, always, never; see snl help list$"),
    ("replay g --speed abc", USAGE, "--speed: abc isn't a number; see"),
    ("export g -f cast --idle ''", USAGE, "--idle"),
    ("play g A 3 --atomic=maybe", USAGE, "--atomic takes no value: maybe; see"),
    ("new A B --cells x", USAGE, "x isn't a whole number; see"),
    ("show g --at x", USAGE, "--at: x isn't a whole number; see"),
    ("show g --at 99999999999999999999", USAGE, "99999999999999999999 is too large a number; see"),
    ("board solve class --faces x", USAGE, "x isn't a whole number from 1 on; see"),
    ("list --limt=5", USAGE, "did you mean --limit\\?"),
    ("list --colour never", USAGE, "did you mean --color\\?"),
    ("new A B --board clas", USAGE, "no such file; did you mean class\\?; snl board list"),
    ("ne A B", USAGE, "ne"),
    ("--what list", USAGE, "--what"),
    ("-x", USAGE, "-x"),
    ("list --what", USAGE, "--what"),
    ("list extra", USAGE, "extra"),
    ("show", USAGE, "(?i)game"),
    ("show g extra", USAGE, "extra"),
    ("roll", USAGE, "(?i)game"),
    ("roll g extra", USAGE, "extra"),
    ("undo g 2", USAGE, "2"),
    ("board", USAGE, "command"),
    ("board dance", USAGE, "dance"),
    ("board show", USAGE, "BOARD"),
    ("board check", USAGE, "FILE"),
    ("db", USAGE, "command"),
    ("db dance", USAGE, "dance"),
    ("db check extra", USAGE, "extra"),
    ("help dance", USAGE, "dance\"; snl help lists them$"),
    ("help reply", USAGE, "did you mean replay\\?; snl help lists them$"),
    ("help new game", USAGE, "game\"; snl help new tells what it takes$"),
    ("help board chek", USAGE, "did you mean check\\?; snl help board lists them$"),
    ("import", USAGE, "FILE"),
    ("list --db", USAGE, "--db"),
    ("list --color purple", USAGE, "purple"),
    ("list --status lost", USAGE, "lost"),
    ("list --limit many", USAGE, "many"),
    ("list --limit -1", USAGE, "-1"),
    ("audit g --all", USAGE, "--all"),
    ("audit --expect abc", USAGE, "abc"),
    ("audit --expect " + "g" * 64, USAGE, "gggg"),
    ("export g -f pdf", USAGE, "pdf"),
    ("replay g --speed fast", USAGE, "fast"),
    ("replay g --speed -1", USAGE, "-1"),
    # players
    ("new", USAGE, "PLAYER|player"),
    ("new A", USAGE, "1 player"),
    ("new A B C D E F G H I J K", USAGE, "11 players"),
    ("new A B A", USAGE, '"A"'),
    ("new A ''", USAGE, '""'),
    # boards
    ("new A B --cells 1", USAGE, r"\b1\b"),
    ("new A B --cells 0", USAGE, r"\b0\b"),
    ("new A B --cells -5", USAGE, "-5"),
    ("new A B --cells 16777217", USAGE, "16777217"),
    ("new A B --cells 99999999999999999999", USAGE, "99999999999999999999"),
    ("new A B --cells many", USAGE, "many"),
    ("new A B --cells ''", USAGE, "cells"),
    ("--db= list new A B", USAGE, "empty value"),
    ("list --player= --json", USAGE, "empty value"),
    ("db restore -- -b.db --force", USAGE, r"not expected: --force"),
    ("new A B --size 1", USAGE, r"\b1\b"),
    ("new A B --size 4097", USAGE, "4097"),
    ("new A B --size 5 --cells 25", USAGE, "--size"),
    ("new A B --board class --cells 25", USAGE, "--cells|--board"),
    ("new A B --board class --ladder 2,5", USAGE, "--ladder|--board"),
    ("new A B --board nowhere", USAGE, "nowhere"),
    ("new A B --board ''", USAGE, "board"),
    ("new A B --snake 17", USAGE, "17"),
    ("new A B --snake 17-7", USAGE, "17-7"),
    ("new A B --snake 17,7,1", USAGE, "17,7,1"),
    ("new A B --snake x,7", USAGE, "x,7"),
    ("new A B --ladder ,", USAGE, "--ladder ,"),
    ("new A B --snake 7,17", USAGE, "7,17"),
    ("new A B --ladder 17,7", USAGE, "17,7"),
    ("new A B --ladder 17,17", USAGE, "17,17"),
    ("new A B --snake 100,7", USAGE, "100,7"),
    ("new A B --snake 101,7", USAGE, "101,7"),
    ("new A B --snake 17,0", USAGE, "17,0"),
    ("new A B --ladder 17,101", USAGE, "17,101"),
    ("new A B --snake 17,7 --ladder 17,20", USAGE, "17,20|17,7"),
    ("new A B --snake 7,17 --ladder 30,20 --snake 100,1 --ladder 0,5", USAGE, "7,17.*100,1.*30,20.*0,5"),
    ("new A B --board many-faults.json", USAGE, r"snakes\[0\].*snakes\[1\].*ladders\[0\]"),
    ("new A B --board no-json.json", USAGE, "no-json.json.*line 1, column 2"),
    ("new A B --board home", FAILED, "home"),
    ("board show nowhere", USAGE, "nowhere"),
    ("board show many-faults.json", USAGE, r"snakes\[0\].*snakes\[1\].*ladders\[0\]"),
    ("board check nowhere.json", USAGE, "nowhere.json"),
    ("board check one-fault.json", USAGE, "one-fault.json: snakes\\[0\\]"),
    ("board convert", USAGE, "BOARD"),
    ("board convert class", USAGE, "--to"),
    ("board convert class --to xml", USAGE, "xml.*snl, matrix, moves, entries"),
    ("board convert geeks30 --to matrix", USAGE, "geeks30.*30 cells.*rows of 6"),
    ("board convert geeks30 --to entries", USAGE, "geeks30.*30 cells.*rows of 6"),
    ("board convert nowhere --to snl", USAGE, "nowhere"),
    ("board convert no-json.json --to snl", USAGE, "no-json.json.*line 1, column 2"),
    ("board random extra", USAGE, "extra"),
    ("board random --size 1", USAGE, r"\b1\b.*2 to 4096"),
    ("board random --size 4097", USAGE, "4097.*2 to 4096"),
    ("board random --size many", USAGE, "many"),
    ("board random --snakes -1", USAGE, "-1"),
    ("board random --snakes 26 --ladders 25", USAGE, "26 snakes and 25 ladders.*100 cells.*at most 50"),
    ("board random --snakes 50 --ladders 0", USAGE, "50 snakes.*at most 49"),
    ("board random --snakes 99999999999999999999", USAGE, "99999999999999999999"),
    ("board random --seed -1", USAGE, "-1"),
    ("board solve", USAGE, "BOARD"),
    ("board solve nowhere", USAGE, "nowhere"),
    ("board solve home", FAILED, "home"),
    ("board solve class --start 2", USAGE, r"\b2\b"),
    ("board solve class --start -1", USAGE, "-1"),
    ("board solve class --faces 0", USAGE, r"\b0\b"),
    ("board solve class --faces -6", USAGE, "-6"),
    ("board solve class --faces 2147483648", USAGE, "2147483648"),
    ("board solve many-faults.json", USAGE, r"snakes\[0\].*snakes\[1\].*ladders\[0\]"),
    # rules
    ("new A B --rules chess", USAGE, "chess"),
    ("new A B --start 2", USAGE, r"\b2\b"),
    ("new A B --start -1", USAGE, "-1"),
    ("new A B --finish maybe", USAGE, "maybe"),
    ("new A B --dice 0", USAGE, r"\b0\b"),
    ("new A B --dice 3", USAGE, r"\b3\b"),
    ("new A B --faces 1", USAGE, r"\b1\b"),
    ("new A B --faces 101", USAGE, "101"),
    ("new A B --sixes never", USAGE, "never"),
    ("new A B --sixes again --dice 2", USAGE, "again"),
    ("new A B --sixes again --faces 8", USAGE, "again"),
    ("new A B --sixes each --faces 8", USAGE, "sixes each"),
    ("board show class --paper a4", USAGE, "--svg"),
    ("board show class --sixes each", USAGE, "--svg"),
    ("board show class --svg --json", USAGE, "--json"),
    ("board show class --svg --paper a3", USAGE, "a3"),
    # seeds and IDs
    ("new A B --seed dice", USAGE, "dice"),
    ("new A B --seed 1.5", USAGE, r"1\.5"),
    ("new A B --seed -1", USAGE, "-1"),
    ("new A B --seed 18446744073709551616", USAGE, "18446744073709551616"),
    ("new A B --seed ''", USAGE, "seed"),
    ("new A B --id -x", USAGE, "-x"),
    ("new A B --id 'a b'", USAGE, "a b"),
    ("new A B --id ''", USAGE, "(?i)id"),
    ("new A B --id g", CONFLICT, r"\bg\b"),
    # dice
    ("play g A", USAGE, "dice"),
    ("play g A 0", USAGE, r"\b0\b"),
    ("play g A 7", USAGE, r"\b7\b"),
    ("play g A 1-3", USAGE, "1-3"),
    ("play g A 6-6-7", USAGE, "6-6-7"),
    ("play g A 6-6-6-6", USAGE, "6-6-6"),
    ("play g A six", USAGE, "six"),
    ("play g A 3,4", USAGE, "3,4"),
    ("play g A 3-", USAGE, "3-"),
    ("play g A ''", USAGE, '""'),
    ("play g A -3", USAGE, "-3"),
    ("play g A 99999999999", USAGE, "99999999999"),
    ("play two A 3", USAGE, r"\b3\b"),
    ("play two A 1-2-3", USAGE, "1-2-3"),
    ("play two A 6-7", USAGE, "6-7"),
    ("play g A 3 --atomic", USAGE, "--atomic"),
    ("play g", USAGE, "terminal"),
    ("play g - --command-id x", USAGE, "--command-id"),
    # turns
    ("show g --at 3", USAGE, r"\b3\b.*\b0\b.*\b2\b"),
    ("show g --at -1", USAGE, "-1"),
    ("show g --at x", USAGE, "x"),
    ("show g --at ''", USAGE, "at"),
    ("replay g --from 3", USAGE, r"\b3\b"),
    ("replay g --to 99", USAGE, r"\b99\b"),
    ("branch g", USAGE, "--at"),
    ("branch g --at 3", USAGE, r"\b3\b"),
    ("undo g --to 3", USAGE, r"\b3\b"),
    ("undo g --to -1", USAGE, "-1"),
    ("undo g -n 0", USAGE, r"\b0\b"),
    ("undo g -n -1", USAGE, "-1"),
    ("undo g -n x", USAGE, "x"),
    ("undo g -n ''", USAGE, "-n"),
    ("undo g -n 1 --to 1", USAGE, "--to|-n"),
    ("redo g -n 0", USAGE, r"\b0\b"),
    ("roll g -n 0", USAGE, r"\b0\b"),
    ("roll g -n x", USAGE, "x"),
    ("roll g -n 2 --all", USAGE, "--all|-n"),
    ("roll g --all --max-turns 0", USAGE, r"\b0\b"),
    # games and players
    ("show nothing", NO_SUCH, "nothing"),
    ("show ''", NO_SUCH, '""'),
    ("show @-99", NO_SUCH, "@-99"),
    ("play nothing A 3", NO_SUCH, "nothing"),
    ("play nothing -", NO_SUCH, "nothing"),
    ("roll nothing", NO_SUCH, "nothing"),
    ("undo nothing", NO_SUCH, "nothing"),
    ("redo nothing", NO_SUCH, "nothing"),
    ("branch nothing --at 0", NO_SUCH, "nothing"),
    ("replay nothing", NO_SUCH, "nothing"),
    ("log nothing", NO_SUCH, "nothing"),
    ("audit nothing", NO_SUCH, "nothing"),
    ("export nothing", NO_SUCH, "nothing"),
    ("show match", NO_SUCH, '"match".*match-1.*match-2'),
    ("roll match-", NO_SUCH, '"match-".*match-1.*match-2'),
    ("play g Zed 3", NO_SUCH, "Zed.*A, B"),
    ("play g a 3", NO_SUCH, '"a"'),
    ("play names Anm 3", NO_SUCH, "Anm\"; did you mean Ann\\?; the players are Ann, Bob"),
    # conflicts
    ("play g A 3 --expect-version 1", CONFLICT, r"\b3\b.*\b1\b"),
    ("roll g --expect-version 9", CONFLICT, r"\b3\b.*\b9\b"),
    ("undo g --expect-version 0", CONFLICT, r"\b3\b.*\b0\b"),
    ("play g A 4 --command-id used", CONFLICT, "used"),
    ("roll g --command-id used", CONFLICT, "used"),
    ("branch g --at 1 --id two", CONFLICT, r"\btwo\b"),
    # refused
    ("play g B 3", REFUSED, r"\bA\b"),
    ("play done A 1", REFUSED, r"\bA\b"),
    ("roll done", REFUSED, r"\bA\b"),
    ("undo g -n 3", REFUSED, r"\b3\b.*\b2\b"),
    ("undo two", REFUSED, r"nothing to undo.*\b0\b"),
    ("redo g", REFUSED, r"nothing to redo"),
    ("undo g -n 9", REFUSED, r"\b9\b.*\b2\b"),
    # files
    ("import nowhere.jsonl", FAILED, "nowhere.jsonl"),
    ("import home", FAILED, "home"),
    ("import no-json.json", USAGE, "no-json.json"),
    ("export g -o no/such/file", FAILED, "no/such/file"),
    ("export g -o no-json.json", USAGE, "no-json.json.*--force"),
]


class AMistakeInTheWords(snl.CommandLineTest):
    def test_points_to_the_help_of_the_command(self):
        for words, command in ((("nonsense",), ""), (("--nonsense",), ""), (("new",), " new"),
                               (("new", "--board", "empty", "A", "B", "--nonsense"), " new"), (("play", "g", "--atomic=maybe"), " play"),
                               (("board",), " board"), (("board", "nonsense"), " board"), (("board", "show"), " board show"),
                               (("list", "--status", "won"), " list"), (("db", "backup"), " db backup")):
            self.refused(2, rf"; see snl help{command}\n\Z", *words)


    def test_of_a_megabyte_is_told_without_most_of_it(self):
        for letter, size in (("x", 100_000), ("\u00e9", 50_000)):
            result = self.run_snl("show", letter * size)
            self.assertEqual(result.code, 3)
            self.assertTrue(f"{letter} \u2026 {letter}" in result.err and result.err.endswith("; snl list shows the games there are\n"), result.err[-300:])
            self.assertTrue(len(result.err) < 1800 and "\ufffd" not in result.err, len(result.err))


class TheProgramAlone(snl.CommandLineTest):
    def test_shows_the_commands_that_one_needs_first(self):
        alone = self.run_snl()
        self.assertEqual((alone.code, alone.err), (USAGE, "snl: a command is missing; see snl help\n"))
        shown = [line.split()[1] for line in alone.out.splitlines() if line.startswith("  snl ")]
        self.assertEqual(shown, ["new", "roll", "show", "replay", "audit"])

    def test_shows_commands_that_work_as_they_stand(self):
        commands = [re.split("  +", line.strip())[0] for line in self.run_snl().out.splitlines() if line.startswith("  snl ")]
        for command in commands:
            with self.subTest(command):
                self.snl(*shlex.split(command)[1:])


class BadInput(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.snl("new", "A", "B", "--cells", "4", "--id", "done")
        self.snl("play", "done", "A", "3")
        self.snl("new", "--board", "empty", "A", "B", "--dice", "2", "--finish", "overshoot", "--id", "two")
        self.snl("new", "--board", "empty", "A", "B", "--id", "match-1")
        self.snl("new", "--board", "empty", "A", "B", "--id", "match-2")
        self.snl("new", "--board", "empty", "Ann", "Bob", "--id", "names")
        self.snl("new", "--board", "empty", "A", "B", "--id", "g")
        self.snl("play", "g", "A", "3", "--command-id", "used")
        self.snl("play", "g", "B", "3")
        (self.folder / "no-json.json").write_text("{snakes}\n")
        (self.folder / "one-fault.json").write_text('{"cells":20,"snakes":[[3,9]]}')
        (self.folder / "many-faults.json").write_text('{"cells":20,"snakes":[[3,9],[20,1]],"ladders":[[9,5]]}')

    def test_has_its_exit_code_and_one_line_that_names_it_and_changes_nothing(self):
        store, contents, files = self.store.read_bytes(), self.contents(), self.files()
        for command, code, pattern in BAD_COMMANDS:
            with self.subTest(command):
                out = ""
                if code == REFUSED and command.startswith(("play", "roll")):
                    out = "GAME COMPLETED\n" if "done" in command else "INVALID MOVE\n"
                try:
                    self.refused(code, pattern, *shlex.split(command), out=out)
                    self.assertEqual(self.files(), files)
                    self.assertTrue(self.contents() == contents, "the store was changed")
                finally:
                    self.store.write_bytes(store)

    def test_as_json_has_the_same_exit_code(self):
        for command in ("show nothing", "show g --at 9", "roll done", "play g B 3", "audit nothing", "undo two"):
            self.assertEqual(self.run_snl(*command.split(), "--json").code, self.run_snl(*command.split()).code)


class TheNextStep(snl.CommandLineTest):
    """A command that a message suggests works in the situation of the message."""

    def setUp(self):
        super().setUp()
        self.snl("new", "--board", "empty", "--id", "friday", "--", "Ann Lee", "-Bob")
        self.snl("new", "A", "B", "--cells", "4", "--id", "done")
        self.snl("play", "done", "A", "3")
        self.snl("branch", "done", "--at", "1", "--id", "over")
        self.snl("new", "A", "B", "--dice", "2", "--cells", "30", "--finish", "overshoot", "--id", "two")
        self.snl("new", "A", "B", "--faces", "2", "--cells", "30", "--id", "few")
        self.snl("new", "3", "B", "--cells", "30", "--id", "three")

    def told(self, code, *args, **options):
        """The command lines that a message ends in."""
        line = self.refused(code, "snl: ", *args, **options).strip()
        return re.findall(r"(?:: |; see |; |with )(snl (?:--db )?(?!names|knows|reads)[a-z/'-].*?)(?: (?:makes one|takes the last|shows the \w+|tells more|tells).*)?$", line)

    def test_after_dice_or_a_player_are_missing_plays_a_turn(self):
        for game, words, turn in (("friday", ["3"], "'Ann Lee' 3"), ("friday", ["Ann Lee"], "'Ann Lee' 4"), ("friday", ["--", "-Bob"], "'Ann Lee' 4"),
                                  ("friday", ["6-6-6"], "'Ann Lee' 6-6-6"), ("friday", ["9"], "'Ann Lee' 4"), ("friday", ["Zed"], "'Ann Lee' 4"),
                                  ("frid", ["4"], "'Ann Lee' 4"), ("two", ["A"], "A 2-1"), ("two", ["B"], "A 2-1"), ("two", ["3"], "A 2-1"),
                                  ("two", ["5-6"], "A 5-6"), ("few", ["A"], "A 2"), ("few", ["4"], "A 2"), ("three", ["3"], "3 4")):
            with self.subTest(game, words=words):
                (step,) = self.told(2, "play", game, *words)
                id = "friday" if game == "frid" else game
                self.assertEqual(step, f"snl play {id} {turn}")
                before = self.version(id)
                self.assertIn("CONTINUE", self.snl(*shlex.split(step)[1:]))
                self.assertEqual(self.version(id), before + 1)
                self.snl("undo", id)

    def test_after_they_are_missing_names_the_player_to_move_and_the_store(self):
        self.snl("play", "friday", "Ann Lee", "2")
        (step,) = self.told(2, "play", "friday", "4")
        self.assertEqual(step, "snl play friday -- -Bob 4")
        self.assertIn("CONTINUE", self.snl(*shlex.split(step)[1:]))
        self.snl("new", "--board", "empty", "A", "B", "--id", "g", db="my games.db")
        (step,) = self.told(2, "--db", "my games.db", "play", "g", "A")
        self.assertIn("CONTINUE", self.snl(*shlex.split(step)[1:]))
        self.refused(3, '"nothing"', "play", "nothing", "A")

    def test_of_every_message_that_names_a_command_runs(self):
        self.snl("play", "friday", "Ann Lee", "2")
        situations = [
            (2, ("play", "done", "A")), (6, ("play", "friday", "Ann Lee", "3"), "INVALID MOVE\n"), (6, ("roll", "done"), "GAME COMPLETED\n"),
            (6, ("play", "over", "B", "3"), "GAME COMPLETED\n"), (6, ("undo", "two")), (6, ("redo", "friday")), (6, ("undo", "over")),
            (5, ("undo", "friday", "--expect-version", "9")), (3, ("show", "nothing")), (2, ("new", "A", "B", "--board", "nothing"))]
        for code, args, *out in situations:
            with self.subTest(args):
                steps = self.told(code, *args, out="".join(out))
                self.assertEqual(len(steps), 1, args)
                self.snl(*shlex.split(steps[0])[1:])
        for args in (("db", "info"), ("audit",), ("log", "--follow")):
            with self.subTest(args):
                (step,) = self.told(1, *args, db="none.db")
                self.assertEqual(self.snl(*shlex.split(step)[1:]).count("\n"), 1)
                self.assertTrue((self.folder / "none.db").exists())
                (self.folder / "none.db").unlink()
        self.refused(1, "nor is its folder there; check the path", "db", "info", db="nowhere/none.db")
        self.refused(6, "6 turns are too many.*give -n 1", "undo", "friday", "-n", "6")
        self.snl("undo", "friday", "-n", "1")
        self.snl("export", "done", "-o", "out")
        self.refused(2, "--force", "export", "done", "-o", "out")
        self.snl("export", "done", "-o", "out", "--force")

    def test_of_every_message_is_for_the_store_that_was_given(self):
        """Without --db, it would use the store in the home folder, which has no such game."""
        store = "my 'own' games.db"
        given = "snl --db " + shlex.quote(store).replace("'\"'\"'", "'\\''")
        shutil.copy(self.store, self.folder / store)
        self.store.unlink()
        (self.folder / "copy.db").write_bytes((self.folder / store).read_bytes())
        damaged = (self.folder / "copy.db").read_bytes()
        where = damaged.index(b'"started":') + 3
        (self.folder / "damaged.db").write_bytes(damaged[:where] + bytes([damaged[where] ^ 1]) + damaged[where + 1:])
        log = self.snl("export", "friday", db=store)
        (self.folder / "log").write_text(log)
        commands = [
            ("play done A 3", 6, 1), ("play friday 3", 2, 1), ("play over B 3", 6, 1), ("play friday -- -Bob 3", 6, 1), ("play friday --atomic A 3", 2, 1),
            ("roll done", 6, 1), ("undo two", 6, 1), ("redo two", 6, 1), ("undo friday --expect-version 9", 5, 1), ("show nothing", 3, 1), ("watch nothing", 3, 1),
            ("branch nothing --at 0", 3, 1), ("db check", 0, 1), ("audit", 0, 0)]
        after = ["play friday 'Ann Lee' 2", "roll friday", "undo friday", "redo friday", "branch friday --at 1", "new A B", "tournament A B C --rounds 1 --seed 1",
                 "simulate --games 2 --seed 1 --save", "import log", "db compact", "db restore copy.db --force"]
        with open("/dev/full", "wb") as full:
            told = [(line, code, steps, self.run_snl(*shlex.split(line), db=store)) for line, code, steps in commands]
            told += [(line, 1, 1, self.run_snl(*shlex.split(line), db=store, stdout=full)) for line in after]
        for line, code, steps, result in told:
            with self.subTest(line):
                self.assertEqual(result.code, code, result)
                said = re.findall(r"\bsnl (?=-|[a-z]).*", re.sub(r"\Asnl: |(?<=\n)snl: ", "", result.out + result.err))
                self.assertEqual(len(said), steps, result)
                for step in said:
                    self.assertTrue(step.startswith(given + " "), result)
        # And of a store that is given otherwise, for that one.
        for line, code, other in (("db restore damaged.db --force", 4, "damaged.db"), ("db copy damaged.db there.db", 4, "damaged.db")):
            with self.subTest(line):
                result = self.run_snl(*shlex.split(line), db=store)
                self.assertIn(f"snl --db {other} ", result.err, result)
                self.assertNotIn(given, result.err)
                self.assertEqual(result.code, code, result)

    def test_is_written_in_the_one_way_that_names_the_store(self):
        """No message of the commands has the words of a command on a store but by snl_command()."""
        needs_a_store = r"(?:new|show|list|branch|play|roll|undo|redo|replay|watch|log|analyze|audit|export|import|tournament|serve|db (?!copy)\w+)"
        helps = {"cli/commands/new.cpp": 1, "cli/commands/audit.cpp": 1, "cli/exports/export_formats.cpp": 1,
                 "cli/commands/import.cpp": 1, "cli/page/page_parts.cpp": 1}
        root = snl.TESTS.parent
        found = {}
        for path in sorted((root / "cli").rglob("*.cpp")):
            code = re.sub(r"//.*|R\"\((?s:.*?)\)\"", "", path.read_text())
            texts = re.findall(r'"((?:[^"\\\n]|\\.)*)"', code)
            times = sum(len(re.findall(rf"\bsnl {needs_a_store}\b", text)) for text in texts)
            if times and path.name != "examples.cpp":
                found[str(path.relative_to(root))] = times
        self.assertEqual(found, helps)


class ANumber(snl.CommandLineTest):
    def test_below_the_least_is_not_told_to_be_too_large(self):
        self.snl("new", "--board", "empty", "A", "B", "--id", "g")
        checked = 0
        for command in ("board solve class", "board random", "board analyze class", "simulate --games 1", "new A B", "tournament A B C --rounds 1",
                        "roll g", "undo g", "redo g", "show g", "replay g", "list", "export g", "branch g", "audit g"):
            words = command.split()
            text = self.snl("help", *[word for word in words[:2] if word in ("board", "solve", "random", "analyze") or word == words[0]])
            for option in sorted(set(re.findall(r"(--?[a-z-]+) (?:N|TURN|CELL)\b", text))):
                for value in ("0", "-1", "99999999999999999999999", "2147483648", "x"):
                    with self.subTest(command, option=option, value=value):
                        result = self.run_snl(*words, f"{option}={value}" if option.startswith("--") else option + value)
                        self.assertIn(result.code, (0, 2, 3, 5, 6), result)
                        if value in ("0", "-1", "x"):
                            self.assertNotIn("too large", result.err)
                        elif value.startswith("9"):
                            self.assertEqual(result.code, 2, result)
                        checked += 1
        self.assertGreater(checked, 100)
        self.refused(2, "--faces: 0 isn't a whole number from 1 on", "board", "solve", "class", "--faces", "0")
        self.refused(2, "too large a number", "board", "solve", "class", "--faces", "99999999999")


class ABoardFile(snl.CommandLineTest):
    def check(self, text, *args):
        (self.folder / "b.json").write_bytes(text if isinstance(text, bytes) else text.encode())
        return self.run_snl("board", "check", "b.json", *args)

    def test_that_is_sound_says_so(self):
        result = self.check('{"cells":100,"width":10,"snakes":[[17,7]],"ladders":["3,22"],"name":"x","source":"y"}')
        self.assertEqual((result.code, result.err), (0, ""))
        self.assertRegex(result.out, "^ok.*100 cells")

    def test_may_leave_out_all_but_its_cells(self):
        self.assertEqual(self.check('{"cells":2}').code, 0)
        self.snl("new", "A", "B", "--board", "b.json")

    def test_has_every_fault_named_with_its_place(self):
        result = self.check(
            '{"cells":20,"snakes":[[3,9],[20,1],[9,2]],"ladders":[[9,5],[9,9],[21,22],[9,12]]}')
        self.assertEqual((result.code, result.out), (2, ""))
        for place in ("snakes[0]", "snakes[1]", "ladders[0]", "ladders[1]", "ladders[2]", "ladders[3]"):
            self.assertIn(place, result.err)
        for line in result.err.splitlines():
            self.assertRegex(line, r"\Asnl: b\.json: ")

    def test_that_is_no_board_is_refused_by_check_show_and_new_alike(self):
        bad = [
            b"", b"   ", b"{", b"null", b"5", b'"class"', b"[]", b"{}", b'{"cells":"many"}', b'{"cells":1}',
            b'{"cells":1.5}', b'{"cells":-3}', b'{"cells":1e-3}', b'{"cells":99999999999999999999}',
            b'{"cells":20,"width":0}', b'{"cells":20,"width":21}', b'{"cells":20,"snakes":5}',
            b'{"cells":20,"snakes":[5]}', b'{"cells":20,"snakes":[[5]]}', b'{"cells":20,"snakes":[[9,5,1]]}',
            b'{"cells":20,"snakes":["9-5"]}', b'{"cells":20,"snakes":[[9,"5"]]}', b'{"cells":20,"jumps":[]}',
            b'{"cells":20} x', b'{"cells":20}{"cells":20}', b"\xff\xfe", b'{"cells":20,"snakes":[null]}',
            b"[" * 100_000, b"[[-1]]", b"[-1]", b"[[-1,-1],[-1]]", b"[[0,1],[2,3]]", b"[-1,-1,0]", b'{"size":2,"entries":[1]}',
            b'{"cells":' * 10_000, b'\x00', b'{"cells":20,"snakes":[[9223372036854775807,1]]}',
        ]
        for text in bad:
            with self.subTest(text[:60]):
                result = self.check(text)
                self.assertEqual((result.code, result.out), (2, ""), result)
                self.assertRegex(result.err, r"\A(snl: b\.json: [^\n]+\n)+\Z")
                self.refused(2, r"b\.json", "board", "show", "b.json")
                self.refused(2, r"b\.json", "new", "A", "B", "--board", "b.json")
        self.assertIsNone(self.contents())

    def test_has_its_numbers_told_as_people_write_them(self):
        for number, told in (("1.5", "1.5"), ("-2.50", "-2.5"), ("1.5e1", None), ("30.5", "30.5"), ("3.05e1", "30.5"), ("1e400", "a number too large")):
            for text, around in (('{"cells":%s}', "%s"), ('{"cells":30,"width":%s}', "%s"), ('{"cells":30,"snakes":[[%s,7]]}', "[%s,7]"),
                                 ('{"cells":30,"powers":[{"cell":12,"power":"skip","n":%s}]}', '"n":%s}'), ('{"cells":30,"powers":[[12,"skip",%s]]}', '"skip",%s]'),
                                 ('{"size":4,"entries":[[0,%s,"SU",1,1]]}', '[0,%s,"SU",1,1]')):
                with self.subTest(text % number):
                    result = self.check(text % number)
                    if told:
                        self.assertIn(around % told, result.err)
                    self.assertNotRegex(result.err, r"\dE\d")

    def test_may_have_whole_numbers_in_any_way_that_json_has(self):
        for text in ('{"cells":30.0,"width":1e1,"snakes":[[17.0,7]],"ladders":[[3e0,22]],"powers":[{"cell":12.0,"power":"skip","n":20e-1}]}',
                     '{"cells":30,"width":10,"snakes":["17 , 7"],"ladders":["3, 22"],"powers":["12, skip , 2"]}'):
            self.assertEqual(self.snl("board", "convert", "-", "--to", "snl", input=text),
                             self.snl("board", "convert", "-", "--to", "snl", input='{"cells":30,"width":10,"snakes":[[17,7]],"ladders":[[3,22]],"powers":["12,skip,2"]}'))
        for text in ("[-1,3.0,-1.0,-1]", "[[-1,4e0],[-1,-1.0]]", '{"size":2.0,"entries":[]}'):
            self.assertRegex(self.check(text).out, "^ok: 4 cells")
        self.assertIn("index 1: a whole number is expected, not 3.5", self.check("[-1,3.5,-1,-1]").err)

    def test_is_warned_about_where_it_may_surprise(self):
        result = self.check('{"cells":20,"ladders":[[1,5],[2,9]],"snakes":[[9,4]]}')
        self.assertEqual(result.code, 0)
        self.assertRegex(result.err, r"\A(snl: warning: [^\n]+\n){2}\Z")
        self.assertIn("1,5", result.err)
        self.assertIn("9,4", result.err)

    def test_is_warned_about_where_its_end_cannot_be_reached(self):
        wall = ",".join(f"[{cell},1]" for cell in range(10, 16))
        result = self.check('{"cells":20,"snakes":[%s]}' % wall, "--sixes", "plain")
        self.assertEqual(result.code, 0)
        self.assertRegex(result.err, r"\Asnl: warning: [^\n]*reach[^\n]*\n\Z")

    def test_may_come_from_stdin(self):
        self.assertRegex(self.snl("board", "check", "-", input='{"cells":20}'), "^ok")
        self.assertEqual(self.run_snl("board", "check", "-", input="{").code, 2)
        self.assertIn("20", self.snl("board", "show", "-", input='{"cells":20}'))


class TheNamedBoards(snl.CommandLineTest):
    def test_are_those_of_the_cases_empty_and_party(self):
        cases = json.loads((snl.TESTS / "cases" / "boards.json").read_text(encoding="utf-8"))["boards"]
        listed = {board["name"]: board for board in self.json_lines("board", "list")}
        self.assertEqual(sorted(listed), sorted([board["name"] for board in cases] + ["empty", "party"]))
        for board in cases:
            self.assertEqual(listed[board["name"]]["source"], board["source"])
            shown = self.json("board", "show", board["name"])
            for field in ("cells", "width"):
                self.assertEqual(shown[field], board[field])
            for field in ("snakes", "ladders"):
                self.assertEqual(sorted(shown[field]), sorted(board[field]))
        self.assertEqual(self.json("board", "show", "empty"), {"cells": 100, "width": 10, "snakes": [], "ladders": []})

    def test_are_each_named_with_their_source_for_people(self):
        listed = self.snl("board", "list")
        for name in ("milton-bradley", "milton-bradley-48", "lld", "class", "geeks30", "empty"):
            self.assertIn(name, listed)
        self.assertIn("Althoen", listed)

    def test_shown_as_json_are_board_files(self):
        self.snl("board", "show", "class", "--json")
        (self.folder / "copy.json").write_text(self.snl("board", "show", "class", "--json"))
        self.assertEqual(self.snl("board", "show", "copy.json"), self.snl("board", "show", "class"))
        self.assertEqual(self.run_snl("board", "check", "copy.json").code, 0)


READING = [("list",), ("show", "g"), ("replay", "g"), ("log",), ("log", "g"), ("export", "g"), ("show", "g", "--json")]
WRITING = [("new", "--board", "empty", "X", "Y"), ("play", "g", "A", "3"), ("roll", "g"), ("undo", "g"), ("redo", "g"),
           ("branch", "g", "--at", "0"), ("db", "migrate")]
PROVING = [("audit",), ("audit", "--json"), ("audit", "g"), ("audit", "g", "--expect", "0" * 64),
           ("audit", "g", "--json", "--expect", "0" * 64), ("db", "check"), ("db", "check", "--json")]


class AStoreThatCannotBeUsed(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.snl("new", "--board", "empty", "A", "B", "--id", "g", "--seed", "1")
        self.snl("roll", "g", "-n", "3")
        self.exported = self.snl("export", "g")

    def assert_refused(self, path, pattern, commands, code=1):
        before = path.read_bytes() if path.is_file() else None
        for command in commands:
            with self.subTest(command):
                self.refused(code, pattern, *command, db=path)
                self.assertEqual(path.read_bytes() if path.is_file() else None, before)

    def assert_unsound(self, path, pattern):
        """audit and db check say so on stdout, with exit 4."""
        before = path.read_bytes()
        for command in PROVING:
            with self.subTest(command):
                result = self.run_snl(*command, db=path)
                self.assertEqual((result.code, result.err), (4, ""), result)
                self.assertRegex(result.out, pattern)
        self.assertEqual(path.read_bytes(), before)

    def copy(self, name="copy.db"):
        path = self.folder / name
        shutil.copy(self.store, path)
        return path

    def edit(self, path, *statements):
        database = sqlite3.connect(path, isolation_level=None)
        for statement in statements:
            database.execute(statement)
        database.close()

    def test_because_it_is_a_directory(self):
        (self.folder / "dir").mkdir()
        self.assert_refused(self.folder / "dir", "dir.*director", READING + WRITING + PROVING + [("db", "info")])

    def test_because_it_is_something_else(self):
        text = self.folder / "text"
        text.write_text("this is no database, and long enough to be looked at twice\n" * 40)
        self.assert_refused(text, r"text.*not a store", READING + WRITING + [("db", "info")])
        self.assert_unsound(text, r"not a store")

    def test_because_it_is_a_database_of_somebody_else(self):
        other = self.folder / "other.db"
        self.edit(other, "CREATE TABLE games (id)", "INSERT INTO games VALUES (1)")
        self.assert_refused(other, r"other\.db.*not an? (snl )?store", READING + WRITING)
        self.assert_unsound(other, r"not an? (snl )?store")

    def test_because_it_is_newer(self):
        newer = self.copy("newer.db")
        self.edit(newer, "PRAGMA user_version = 99")
        self.assert_refused(newer, r"newer\.db.*99.*versions up to \d", READING + WRITING + PROVING)
        self.assertEqual(self.json("db", "info", db=newer)["schema_version"], 99)

    def test_because_it_is_older_and_the_command_only_reads(self):
        older = self.copy("older.db")
        self.edit(older, "PRAGMA user_version = 0")
        self.assert_refused(older, f"snl --db {older} db migrate", READING + PROVING)
        # Only the number was edited: the advice puts it right.
        for version in (0, 3, 4):
            self.edit(older, f"PRAGMA user_version = {version}")
            self.assertEqual(self.json("db", "info", db=older)["schema_version"], version)
            self.assertEqual(self.run_snl("db", "migrate", db=older).code, 0)
            self.snl("list", db=older)

    def test_because_it_is_damaged(self):
        damaged = self.copy("damaged.db")
        data = bytearray(damaged.read_bytes())
        for offset in range(4096, len(data), 4096):
            data[offset : offset + 64] = b"\xa5" * 64
        damaged.write_bytes(data)
        self.assert_refused(damaged, r"damaged\.db", READING + WRITING)
        self.assert_unsound(damaged, r"damaged")

    def test_because_it_was_cut_off(self):
        for size in (100, 4096, 10_000):
            cut = self.copy(f"cut-{size}.db")
            os.truncate(cut, size)
            self.assert_refused(cut, rf"cut-{size}\.db", READING + WRITING)
            self.assert_unsound(cut, r"cut-\d+\.db")

    def test_whatever_bytes_it_is_made_of(self):
        """No crash, no hang, an exit code of the contract."""
        original = self.store.read_bytes()
        for seed in range(25):
            chance = random.Random(seed)
            data = bytearray(original)
            for _ in range(chance.choice([1, 10, 100])):
                data[chance.randrange(len(data))] = chance.randrange(256)
            path = self.folder / f"fuzz-{seed}.db"
            path.write_bytes(data)
            for command in (("audit",), ("list",), ("log", "--json"), ("show", "g"), ("roll", "g")):
                with self.subTest(seed=seed, command=command):
                    result = self.run_snl(*command, db=path)
                    self.assertIn(result.code, (0, 1, 3, 4, 6), result)

    def test_because_its_schema_was_changed(self):
        for number, change in enumerate((
                "CREATE TABLE more (x)", "DROP TRIGGER commits_are_never_updated", "DROP VIEW events",
                "DROP INDEX players_by_name", "CREATE TRIGGER t AFTER INSERT ON commits BEGIN SELECT 1; END")):
            changed = self.copy(f"changed-{number}.db")
            self.edit(changed, change)
            self.assert_refused(changed, "schema", READING + WRITING)
            self.assert_unsound(changed, "schema")

    def test_because_its_folder_is_missing(self):
        path = self.folder / "no" / "such" / "x.db"
        self.refused(1, r"x\.db", "new", "--board", "empty", "A", "B", db=path)
        self.refused(3, "g", "play", "g", "A", "3", db=path)
        self.assertEqual(self.files(), ["home/.local/share/snl/snl.db"])

    def test_because_its_home_cannot_be_made(self):
        self.refused(1, "/dev/null", "new", "--board", "empty", "A", "B", env={"HOME": "/dev/null"})

    def test_because_its_folder_cannot_be_made_says_why(self):
        as_user = self.as_ordinary_user()
        closed = self.folder / "closed"
        closed.mkdir()
        closed.chmod(0o555)
        for data, folder in ((closed, closed / "snl"), (closed / "deep", closed / "deep")):
            self.refused(1, rf"folder {folder} can't be made: Permission denied; check its permissions", "new", "A", "B",
                         env={"XDG_DATA_HOME": str(data)}, **as_user)

    def test_because_its_folder_cannot_be_looked_into_says_so(self):
        as_user = self.as_ordinary_user()
        closed = self.folder / "closed"
        (closed / "inner").mkdir(parents=True)
        closed.chmod(0)
        try:
            self.refused(1, r"Permission denied; check the", "new", "A", "B", db=closed / "inner" / "x.db", **as_user)
            self.refused(1, r"inner can't be opened: Permission denied; check the permissions", "db", "backup",
                         closed / "inner" / "x.db", **as_user)
            self.refused(1, r"Permission denied; check the", "db", "restore", closed / "inner" / "x.db", db="new.db", **as_user)
        finally:
            closed.chmod(0o755)

    def test_because_its_name_is_none_of_a_file(self):
        before = self.files()
        for name in (":memory:", "file:x.db", "file::memory:?cache=shared"):
            for command in (["new", "A", "B"], ["list"], ["show", "g"], ["play", "g", "A", "1"], ["audit"], ["db", "info"],
                            ["import", "-"], ["db", "restore", self.store]):
                with self.subTest(command, name=name):
                    self.refused(1, rf"store {re.escape(name)}: a store is kept in a file, .*\./", *command, db=name,
                                 input=self.exported)
            self.refused(1, r"\./", "db", "copy", self.store, name)
        self.assertEqual(self.files(), before)
        self.snl("new", "A", "B", db="./:memory:")
        self.assertTrue((self.folder / ":memory:").exists())

    def test_because_its_name_is_too_long_leaves_no_file(self):
        before = self.files()
        for length in (248, 251, 252, 253, 255):
            for command in (["new", "A", "B"], ["import", "-"], ["db", "restore", self.store]):
                with self.subTest(command, length=length):
                    self.refused(1, f"its name has {length} bytes, .*; give one of at most 247", *command, db="x" * length,
                                 input=self.exported)
        self.assertEqual(self.files(), before)
        self.snl("new", "A", "B", db="x" * 247)

    def test_because_it_may_not_be_read(self):
        as_user = self.as_ordinary_user()
        self.store.chmod(0)
        for command in READING + WRITING + PROVING:
            with self.subTest(command):
                self.refused(1, r"snl\.db", *command, **as_user)

    def test_because_its_folder_may_not_be_written(self):
        as_user = self.as_ordinary_user()
        self.store.unlink()
        self.store.parent.chmod(0o555)
        self.refused(1, r"snl\.db", "new", "--board", "empty", "A", "B", **as_user)
        self.assertEqual(self.files(), [])

    def test_is_no_file_with_nothing_in_it(self):
        """SQLite makes such a file before its first write: a store without games."""
        empty = self.folder / "empty.db"
        empty.touch()
        self.assertEqual(self.snl("list", db=empty), "")
        self.refused(3, "g", "show", "g", db=empty)
        self.assertEqual(empty.read_bytes(), b"")
        self.snl("new", "--board", "empty", "A", "B", db=empty)


class AnOutputThatCannotBeWritten(snl.CommandLineTest):
    COMMANDS = [("list",), ("show", "g"), ("replay", "g"), ("log",), ("audit",), ("export", "g"), ("help",),
                ("--version",), ("--help",), ("play", "--help"), ("board", "list"), ("db", "info"), ("roll", "g"),
                ("new", "--board", "empty", "A", "B"), ("undo", "g"), ("branch", "g", "--at", "0")]

    def setUp(self):
        super().setUp()
        self.snl("new", "--board", "empty", "A", "B", "--id", "g", "--seed", "1")
        self.snl("roll", "g", "-n", "4")

    def test_because_the_disk_is_full_is_a_failure(self):
        for command in self.COMMANDS:
            with self.subTest(command), open("/dev/full", "wb") as full:
                self.refused(1, "stdout", *command, stdout=full)
        self.assert_sound()

    def test_because_it_is_closed_is_a_failure_and_harms_no_file(self):
        for command in self.COMMANDS:
            with self.subTest(command):
                self.refused(1, "stdout", *command, stdout=None, preexec_fn=lambda: os.close(1))
        self.assert_sound()

    def test_because_all_three_are_closed_harms_no_file(self):
        for command in self.COMMANDS:
            result = self.run_snl(*command, stdin=None, stdout=None, stderr=None,
                                  preexec_fn=lambda: os.closerange(0, 3))
            self.assertEqual(result.code, 1, command)
        self.assert_sound()

    def test_stops_a_stream_whose_turn_stays_recorded(self):
        with open("/dev/full", "wb") as full:
            line = self.run_snl("play", "g", "-", input="A 1\nB 1\n", stdout=full)
        self.assertEqual(line.code, 1)
        self.assertEqual(self.show("g")["turn"], 5)

    def test_is_told_with_what_is_recorded_all_the_same(self):
        """A repetition would do it twice, so no message suggests that."""
        self.snl("db", "backup", "copy.db")
        (self.folder / "new.jsonl").write_text(self.snl("export", "g").replace('"g"', '"h"', 1))
        other = self.folder / "other.db"
        version = lambda more: rf"version {5 + more} of game g is recorded all the same; see snl show g before"
        commands = [
            (version(1), ("play", "g", "A", "1"), None), (version(2), ("play", "g", "-"), "B 1\n"),
            (version(4), ("play", "g", "-", "--atomic"), "A 1\nB 1\n"), (version(5), ("roll", "g"), None),
            (version(6), ("undo", "g"), None), (version(7), ("redo", "g"), None),
            ("version 1 of game n is recorded", ("new", "A", "B", "--id", "n"), None),
            ("version 1 of game n2 is recorded", ("new", "A", "B", "--id", "n2", "--json"), None),
            ("version 1 of game b is recorded", ("branch", "g", "--at", "1", "--id", "b"), None),
            ("3 games are recorded", ("tournament", "A", "B", "C", "--rounds", "1", "--seed", "1"), None),
            ("the games of the file are recorded", ("import", "-"), "export"),
            (r"the copy c2\.db is whole and in its place all the same; see snl --db c2\.db audit", ("db", "backup", "c2.db"), None),
            (rf"every game is copied to {other}", ("db", "copy", self.store, other), None),
            ("the store is compacted", ("db", "compact"), None),
            ("the store is restored", ("db", "restore", "copy.db", "--force"), None),
        ]
        for recorded, command, lines in commands:
            with self.subTest(command), open("/dev/full", "wb") as full:
                told = self.refused(1, f"stdout can't be written: No space left on device; .*{recorded}", *command, stdout=full,
                                    input=self.snl("export", "g") if lines == "export" else lines)
                self.assertNotIn("try again", told)
        with open("/dev/full", "wb") as full:
            simulated = self.run_snl("simulate", "--games", "3", "--seed", "1", "--save", stdout=full)
        self.assertEqual(simulated.code, 1)
        self.assertRegex(simulated.err, "stdout can't be written: No space left on device; 3 games are recorded all the same")
        self.snl("key", "new", "example.org/log", "log.key")
        for recorded, command in (
            ("3 games are recorded", ("simulate", "--games", "3", "--seed", "1", "--save", "--svg", "/dev/full")),
            ("the checkpoint is signed", ("checkpoint", "--log-key", "log.key", "-o", "/dev/full", "--force")),
        ):
            failed = self.run_snl(*command)
            self.assertEqual(failed.code, 1)
            self.assertIn(f"/dev/full: it can't be written: No space left on device; {recorded} all the same", failed.err)
        self.assertEqual(self.version("g"), 5)  # as it was restored, and nothing was repeated
        self.assert_sound()

    def test_is_told_with_the_turn_before_where_the_store_fails_later(self):
        stream = self.popen("play", "g", "-", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        stream.stdin.write(b"A 1\n")
        stream.stdin.flush()
        self.assertTrue(stream.stdout.readline())
        self.store.rename(self.folder / "elsewhere.db")
        out, error = stream.communicate(b"B 1\n")
        self.assertEqual((stream.returncode, out), (1, b""))
        self.assertRegex(error.decode(), r"; version 6 of game g is recorded all the same; see snl show g before you repeat it\n\Z")

    def test_is_no_matter_when_it_is_the_input_that_is_closed(self):
        for command in (("play", "g", "-"), ("play", "g", "-", "--atomic"), ("import", "-"), ("board", "check", "-")):
            with self.subTest(command):
                self.refused(1, "stdin|-", *command, stdin=None, preexec_fn=lambda: os.close(0))
        self.assert_sound()

    def test_does_not_stop_a_command_without_stderr(self):
        result = self.run_snl("show", "nothing", stderr=None, preexec_fn=lambda: os.close(2))
        self.assertEqual((result.code, result.out), (3, ""))



class CommandsThatErrorsName(snl.CommandLineTest):
    def test_can_be_pasted_into_a_shell_whatever_a_player_is_called(self):
        """Names come from strangers, through snl serve."""
        (self.folder / "snl").symlink_to(snl.PROGRAM)
        names = ["$(touch ran)", "`touch ran`", "';touch ran;'", "a\\b", "x & touch ran", "~root", "Ann Lee", 'q"q', "Bob!"]
        self.snl("new", "--id", "g", "--", *names)
        for name in names:
            said = self.refused(2, "the dice are missing", "play", "g", name)
            command = said.partition("the dice are missing: ")[2]
            done = subprocess.run(["bash", "-c", command.partition("; see")[0]], cwd=self.folder, text=True, capture_output=True, check=False,
                                  env=self.environment | {"PATH": f"{self.folder}:{self.environment['PATH']}"})
            self.assertRegex(done.stdout, rf"\A{re.escape(name)},\d+,", done)
        self.assertFalse((self.folder / "ran").exists())


class TheLibraryOfArguments(snl.CommandLineTest):
    """Its own words are nothing for people."""

    def test_speaks_through_words_of_ours(self):
        for words, said in (
            (("new", "A", "B", "--seed", "1", "--seed", "2"), "--seed is given 2 times; give it once"),
            (("--db", "a", "--db", "b", "--db", "c", "list"), "--db is given 3 times; give it once"),
            (("serve", "--db", "a", "--db", "b"), "--db is given 2 times; give it once"),
            (("roll", "g", "-n", "1", "-n", "2"), "-n is given 2 times; give it once"),
            (("export", "g", "-f", "bad"), "--format: bad isn't one of jsonl, text, csv, svg, html, cast"),
            (("--color", "x", "list"), "--color: x isn't one of auto, always, never"),
            (("new", "A", "B", "--cells", "5", "--size", "5"), "--cells and --size can't be given together"),
            (("undo", "g", "-n", "1", "--to", "3"), "-n and --to can't be given together"),
            (("db",), "a command is missing, one of info, "),
            (("board",), "a command is missing, one of list, "),
            (("--db", "play"), "a command is missing, one of new, "),
            (("--db", "--", "play"), "--db: its value is missing; see snl help"),
            (("--color", "never", "plya", "g"), '"plya" isn\'t a command or option of snl; did you mean play?'),
        ):
            with self.subTest(words):
                self.assertTrue(self.refused(2, "see snl help", *words).startswith(f"snl: {said}"), self.run_snl(*words).err)

    def test_says_nothing_raw_of_any_option_that_is_given_twice_or_wrongly(self):
        """Of every command, each option: twice, with a value of no use, without one."""
        raw = re.compile(r"At (Most|Least)| required but | not in \{|excludes|requires|Could not convert|were? not expected|Expected |subcommand")
        commands = [words for words in self.all_commands() if words != ["serve"]]
        tried = 0
        for words in commands:
            for option in re.findall(r"(?m)^  (?:-\w,)?(--?[\w-]+)[ ,]", self.snl("help", *words)):
                if option in ("--help", "--version", "--follow"):  # the last one doesn't end
                    continue
                for given in ((option, "1,2", option, "3,4"), (option, "\x02"), (option,), (f"{option}=x,y",)):
                    result = self.run_snl(*words, *given)
                    tried += 1
                    if result.code == 2:
                        self.assertNotRegex(result.err, raw, (words, given))
        self.assertGreater(tried, 300)

    def all_commands(self):
        def parts(words):
            listed = self.snl("help", *words).partition("Subcommands:\n")[2].partition("\n\n")[0]
            return [[*words, name] for name in re.findall(r"(?m)^  (\w\S*)", listed)]
        todo = parts([])
        for words in todo:
            todo += parts(words)
        return todo


if __name__ == "__main__":
    snl.main()
