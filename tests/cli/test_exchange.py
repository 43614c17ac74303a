"""Games go out as files and come back: jsonl whole and proven, text as a person would write it."""

import base64
import csv
import ctypes
import errno
import hashlib
import html
import io
import json
import os
import platform
import re
import resource
import signal
import struct
import subprocess

import snl
from halted import Halted


def fail_to_sync():
    """From now on this process's fsync() fails, as with a disk that is broken (seccomp(2))."""
    number = {"x86_64": 74, "aarch64": 82}[platform.machine()]
    load_word, jump_if_equal, answer = 0x20, 0x15, 0x06  # linux/bpf_common.h
    allow, fail = 0x7FFF0000, 0x00050000 | errno.EIO  # linux/seccomp.h
    steps = [(load_word, 0, 0, 0), (jump_if_equal, 0, 1, number), (answer, 0, 0, fail), (answer, 0, 0, allow)]
    program = b"".join(struct.pack("HBBI", *step) for step in steps)
    steps_kept = ctypes.create_string_buffer(program)
    whole = ctypes.create_string_buffer(struct.pack("HP", len(steps), ctypes.addressof(steps_kept)))
    no_new_privileges, set_seccomp, filtered = 38, 22, 2
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    if prctl(no_new_privileges, 1, 0, 0, 0) or prctl(set_seccomp, filtered, whole, 0, 0):
        raise OSError(ctypes.get_errno(), "seccomp")


class AnExportedLog(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.snl("new", "Ann Lee", "🐍", '"q"', "--board", "class", "--seed", "3", "--id", "g")
        self.snl("roll", "g", "-n", "6")
        self.snl("undo", "g", "-n", "3", "--command-id", 'an "id"')
        self.snl("play", "g", "Ann Lee", "3", "--command-id", "x")
        self.snl("roll", "g", "--all")
        self.snl("export", "g", "-o", "g.jsonl")
        self.file = self.folder / "g.jsonl"
        self.elsewhere = self.folder / "elsewhere.db"

    def test_becomes_an_identical_game_elsewhere(self):
        self.assertEqual(self.snl("import", "g.jsonl", db=self.elsewhere), "g\n")
        self.assertEqual(self.show("g", db=self.elsewhere), self.show("g"))
        for command in ("replay", "log", "export"):
            for options in ((), ("--json",)):
                if command == "export" and options:
                    continue
                self.assertEqual(self.snl(command, "g", *options, db=self.elsewhere), self.snl(command, "g", *options))
        self.assert_sound(db=self.elsewhere)
        head = self.show("g")["head"]
        self.assertTrue(self.json("audit", "g", "--expect", head, db=self.elsewhere)["ok"])

    def test_goes_on_elsewhere_with_the_same_dice_and_command_ids(self):
        self.snl("undo", "g", "-n", "5")
        self.snl("export", "g", "-o", "g.jsonl", "--force")
        self.snl("import", "g.jsonl", db=self.elsewhere)
        self.assertEqual(self.snl("roll", "g", "--all", db=self.elsewhere), self.snl("roll", "g", "--all"))
        self.assertEqual(self.snl("play", "g", "Ann Lee", "3", "--command-id", "x", db=self.elsewhere),
                         self.snl("play", "g", "Ann Lee", "3", "--command-id", "x"))
        self.assert_sound(db=self.elsewhere)

    def test_begins_with_a_header_and_has_a_line_a_command(self):
        lines = [json.loads(line) for line in self.file.read_text(encoding="utf-8").splitlines()]
        shown = self.show("g")
        self.assertEqual(lines[0], {"snl": "game", "format": 1, "game": "g", "version": shown["version"],
                                    "head": shown["head"]})
        self.assertEqual(list(lines[1]), ["game", "version", "time", "command", "events", "hash"])
        self.assertEqual([line["version"] for line in lines[1:]], list(range(1, shown["version"] + 1)))

    def test_imported_twice_changes_nothing(self):
        before = self.contents()
        for _ in range(2):
            self.assertEqual(self.run_snl("import", "g.jsonl"), (0, "g\n", "snl: game g: nothing new; it is there already\n"))
        self.assertEqual(self.contents(), before)

    def test_comes_from_stdin_too(self):
        text = self.file.read_bytes()
        self.assertEqual(self.snl("import", "-", input=text, db=self.elsewhere), "g\n")
        self.assertEqual(self.snl("export", "g").encode(), text)
        self.assertEqual(self.snl("export", "g", "-o", "-").encode(), text)

    def test_is_in_conflict_with_another_game_under_its_id(self):
        self.snl("new", "--board", "empty", "A", "B", "--id", "g", db=self.elsewhere)
        before = self.contents(self.elsewhere)
        self.refused(5, r"\bg\b", "import", "g.jsonl", db=self.elsewhere)
        self.refused(5, r"\bg\b", "import", "g.jsonl", "--dry-run", db=self.elsewhere)
        self.assertEqual(self.contents(self.elsewhere), before)

    def test_brings_the_game_up_to_date_and_never_back(self):
        version = self.version("g")
        self.snl("import", "g.jsonl", db=self.elsewhere)
        self.snl("undo", "g", db=self.elsewhere)
        self.snl("roll", "g", "-n", "1", db=self.elsewhere)
        before = self.contents(self.elsewhere)
        self.assertEqual(self.run_snl("import", "g.jsonl", db=self.elsewhere), (0, "g\n",
                         f"snl: game g: nothing new; it has gone on from version {version} to {version + 2}\n"))
        self.assertEqual(self.contents(self.elsewhere), before)
        self.snl("export", "g", "-o", "later.jsonl", db=self.elsewhere)
        before = self.contents()
        self.assertEqual(self.run_snl("import", "later.jsonl", "--dry-run"),
                         (0, "g\n", f"snl: game g: 2 commands would be new, after version {version}\n"))
        self.assertEqual(self.contents(), before)
        self.assertEqual(self.run_snl("import", "later.jsonl"),
                         (0, "g\n", f"snl: game g: 2 commands new, after version {version}\n"))
        self.assertEqual(self.snl("export", "g"), self.snl("export", "g", db=self.elsewhere))
        self.assertEqual(self.show("g"), self.show("g", db=self.elsewhere))
        self.assert_sound()

    def test_of_which_both_have_gone_on_differently_is_in_conflict_where_they_part(self):
        version = self.version("g")
        self.snl("import", "g.jsonl", db=self.elsewhere)
        self.snl("undo", "g")
        self.snl("undo", "g", "-n", "2", db=self.elsewhere)
        self.snl("roll", "g", "-n", "1", db=self.elsewhere)
        self.snl("export", "g", "-o", "theirs.jsonl", db=self.elsewhere)
        before = self.contents()
        for options in ((), ("--dry-run",)):
            self.refused(5, rf"game g: version {version + 1} is .* in the store .*; nothing was imported", "import",
                         "theirs.jsonl", *options)
        self.assertEqual(self.contents(), before)

    def test_of_which_a_part_was_forged_adds_nothing(self):
        self.snl("import", "g.jsonl", db=self.elsewhere)
        self.snl("undo", "g")
        text = self.snl("export", "g")
        before = self.contents(self.elsewhere)
        for forged in (text.replace("Ann Lee", "Eve Lee"), text[:-70] + text[-69:]):
            self.assertIn(self.run_snl("import", "-", input=forged, db=self.elsewhere).code, (2, 4))
        self.assertEqual(self.contents(self.elsewhere), before)

    def refused_whole(self, code, text):
        data = text if isinstance(text, bytes) else text.encode()
        (self.folder / "bad.jsonl").write_bytes(data)
        for args in (("import", "bad.jsonl"), ("import", "--dry-run", "bad.jsonl")):
            line = self.refused(code, r"bad\.jsonl", *args, db=self.elsewhere)
            self.assertFalse(self.elsewhere.exists(), line)
        return line

    def test_that_was_forged_is_refused_with_the_line(self):
        text = self.file.read_text(encoding="utf-8")
        lines = text.splitlines(keepends=True)
        forged = {
            "a die": text.replace('"play":[1,0,[3]]', '"play":[1,0,[4]]'),
            "a name": text.replace('"Ann Lee"', '"Ann Lea"'),
            "a cell": lines[0] + lines[1] + lines[2].replace(',true,1,', ',true,2,') + "".join(lines[3:]),
            "the time": text.replace('"time":"20', '"time":"21', 3),
            "the seed": text.replace(",3,null]", ",4,null]"),
            "a hash": text.replace(lines[3][-20:-10], "0123456789"),
            "the head": text.replace(self.show("g")["head"], "0" * 64, 1),
            "the game": text.replace('"game":"g"', '"game":"h"'),
            "a command ID": text.replace('"id":"x"', '"id":"y"'),
            "a line removed": "".join(lines[:4] + lines[5:]),
            "the last line removed": "".join(lines[:-1]),
            "two lines swapped": "".join(lines[:3] + [lines[4], lines[3]] + lines[5:]),
            "a line twice": "".join(lines[:4] + lines[3:]),
        }
        for name, forgery in forged.items():
            with self.subTest(name):
                self.assertNotEqual(forgery, text)
                self.assertRegex(self.refused_whole(4, forgery), r"line \d+")

    def test_that_is_malformed_is_refused(self):
        text = self.file.read_bytes()
        lines = text.splitlines(keepends=True)
        malformed = {
            "nothing": b"",
            "blank lines": b"\n\n",
            "rubbish": b"rubbish\n",
            "other JSON": b'{"a":1}\n',
            "an empty object": b"{}\n",
            "no header": b"".join(lines[1:]),
            "half a line": text[:-30],
            "binary": bytes(range(256)),
            "bytes that are no UTF-8": text.replace(b"Ann Lee", b"Ann \xff\xfe"),
            "a format of the future": text.replace(b'"format":1', b'"format":2'),
            "rubbish in the middle": b"".join(lines[:4]) + b"rubbish\n" + b"".join(lines[4:]),
            "a list where a hash is": lines[0] + lines[1].replace(b'"hash":"', b'"hash":["') + b"".join(lines[2:]),
            "deep nesting": lines[0] + b'{"game":' + b"[" * 100_000 + b"\n",
        }
        for name, rubbish in malformed.items():
            with self.subTest(name):
                self.refused_whole(2, rubbish)

    def test_that_is_not_there_is_an_error_that_names_it(self):
        self.refused(1, r"nowhere\.jsonl", "import", "nowhere.jsonl")
        self.refused(1, "home", "import", "home")

    def test_dry_run_proves_and_records_nothing(self):
        self.assertEqual(self.snl("import", "--dry-run", "g.jsonl", db=self.elsewhere), "g\n")
        self.assertFalse(self.elsewhere.exists())

    def test_of_several_games_is_all_or_nothing(self):
        self.snl("new", "--board", "empty", "A", "B", "--id", "h")
        self.snl("roll", "h", "-n", "3")
        both = self.snl("export", "g") + self.snl("export", "h")
        (self.folder / "both.jsonl").write_text(both, encoding="utf-8")
        self.refused_whole(4, both[: both.rindex('{"game":"h"')])
        self.snl("new", "--board", "empty", "X", "Y", "--id", "h", db=self.elsewhere)
        before = self.contents(self.elsewhere)
        self.refused(5, r"\bh\b", "import", "both.jsonl", db=self.elsewhere)
        self.assertEqual(self.contents(self.elsewhere), before)
        third = self.folder / "third.db"
        self.assertEqual(self.snl("import", "both.jsonl", db=third), "g\nh\n")
        self.assertEqual(self.show("h", db=third), self.show("h"))
        self.assert_sound(db=third)

    def test_may_have_lines_of_any_length(self):
        header, *lines = self.file.read_bytes().splitlines(keepends=True)
        lines[2] = b"{" + b" " * (65 << 20) + lines[2][1:]
        self.assertEqual(self.snl("import", "-", input=header + b"".join(lines), db=self.elsewhere), "g\n")
        self.assertEqual(self.show("g", db=self.elsewhere), self.show("g"))

    def test_is_not_taken_for_a_device_that_never_ends(self):
        self.refused(2, "line 1 is longer than 65536 bytes", "import", "/dev/zero", db=self.elsewhere)

    def test_of_a_branch_comes_without_its_origin(self):
        self.snl("branch", "g", "--at", "3", "--id", "b")
        self.snl("roll", "b", "-n", "2")
        self.snl("export", "b", "-o", "b.jsonl")
        self.assertEqual(self.snl("import", "b.jsonl", db=self.elsewhere), "b\n")
        self.assertEqual(self.show("b", db=self.elsewhere), self.show("b"))
        self.assert_sound(db=self.elsewhere)


class AMatchByMail(snl.CommandLineTest):
    """Two people who each play their own turns, in a store of their own, and send each other the game."""

    def setUp(self):
        super().setUp()
        self.stores = {"Ann": self.folder / "ann.db", "Bob": self.folder / "bob.db"}

    def send(self, sender, receiver):
        """Mails the whole game; returns the output for the receiver."""
        letter = self.snl("export", "cup", db=self.stores[sender])
        result = self.run_snl("import", "-", input=letter, db=self.stores[receiver])
        self.assertEqual((result.code, result.out), (0, "cup\n"), result)
        return result.err

    def test_is_played_to_its_end(self):
        self.snl("new", "Ann", "Bob", "--board", "milton-bradley", "--id", "cup", "--seed", "7", db=self.stores["Ann"])
        self.assertEqual(self.send("Ann", "Bob"), "")
        mover, other, version = "Ann", "Bob", 1
        while self.show("cup", db=self.stores[mover])["status"] == "in-progress":
            self.snl("roll", "cup", db=self.stores[mover])
            version += 1
            self.assertEqual(self.send(mover, other), f"snl: game cup: 1 command new, after version {version - 1}\n")
            self.assertEqual(self.send(mover, other), "snl: game cup: nothing new; it is there already\n")
            mover, other = other, mover
        self.assertGreater(version, 10)
        self.assertEqual(self.snl("export", "cup", db=self.stores["Ann"]), self.snl("export", "cup", db=self.stores["Bob"]))
        heads = {self.assert_sound(db=store)["head"] for store in self.stores.values()}
        self.assertEqual(len(heads), 1)

    def test_a_letter_that_comes_late_or_twice_does_no_harm(self):
        self.snl("new", "Ann", "Bob", "--cells", "1000", "--id", "cup", "--seed", "7", db=self.stores["Ann"])
        self.send("Ann", "Bob")
        letters = []
        for mover, other in (("Ann", "Bob"), ("Bob", "Ann")) * 4:
            self.snl("roll", "cup", db=self.stores[mover])
            letters.append(self.snl("export", "cup", db=self.stores[mover]))
            self.send(mover, other)
        before = self.contents(self.stores["Bob"])
        for letter in reversed(letters):
            self.assertIn("nothing new", self.run_snl("import", "-", input=letter, db=self.stores["Bob"]).err)
        self.assertEqual(self.contents(self.stores["Bob"]), before)
        self.assertIn("8 commands new", self.run_snl("import", "-", input="".join(letters[:1] * 2) + letters[-1],
                                                     db=self.late()).err)

    def late(self):
        """A store that has only the beginning."""
        store = self.folder / "late.db"
        self.snl("new", "Ann", "Bob", "--cells", "9", "--id", "other", db=store)
        lines = self.snl("export", "cup", db=self.stores["Ann"]).splitlines(keepends=True)
        first = json.loads(lines[1])
        header = {"snl": "game", "format": 1, "game": "cup", "version": 1, "head": first["hash"]}
        self.snl("import", "-", input=json.dumps(header, separators=(",", ":")) + "\n" + lines[1], db=store)
        return store


class ACopiedStore(snl.CommandLineTest):
    def test_is_told_with_the_head_of_the_store_that_it_was_copied_to(self):
        other = self.folder / "other.db"
        self.snl("new", "Ann", "Bob", "--id", "a", "--seed", "1")
        self.snl("new", "Cem", "Dee", "--id", "b", "--seed", "1", db=other)
        for more in (2, 0):
            told = self.json("db", "copy", self.store, other)
            self.assertEqual((told["games"], told["commits"]), (1, 1 if more else 0))
            self.assertNotEqual(told["head"], self.json("audit")["head"])
            self.assertTrue(self.json("audit", "--expect", told["head"], db=other)["ok"])
            words = self.snl("db", "copy", self.store, other)
            self.assertEqual(words.splitlines()[1:], [f"head of {other}: {told['head']}"])

    def test_that_could_not_be_finished_says_that_it_can_be_gone_on_with(self):
        self.snl("simulate", "--games", "300", "--seed", "1", "--save", stderr=subprocess.DEVNULL)
        limit = lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
                         resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000)))
        self.refused(1, "the games copied before stay, and the same command goes on from there", "db", "copy", self.store,
                     "copy.db", preexec_fn=limit)
        self.snl("db", "copy", self.store, "copy.db")
        self.assertEqual(self.json("audit", db="copy.db")["head"], self.json("audit")["head"])


class AnExportedFile(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.snl("new", "--board", "empty", "A", "B", "--id", "g")

    def test_that_is_there_is_overwritten_only_by_force(self):
        path = self.folder / "out"
        path.write_text("precious")
        self.refused(2, "out.*--force", "export", "g", "-o", "out")
        self.assertEqual(path.read_text(), "precious")
        self.assertEqual(self.snl("export", "g", "-o", "out", "--force"), "")
        self.assertEqual(path.read_text(), self.snl("export", "g"))

    def test_is_never_part_of_the_store_whatever_it_is_called(self):
        db = self.folder / "s.db"
        self.snl("import", "-", input=self.snl("export", "g"), db=db)
        (self.folder / "link.db").symlink_to("s.db")
        (self.folder / "sub").mkdir()
        (self.folder / "way").symlink_to("sub")
        playing = self.popen("--db", db, "play", "g", "-", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(playing.stdout.close)
        playing.stdin.write(b"A 3\n")
        playing.stdin.flush()
        self.assertTrue(playing.stdout.readline())  # acknowledged, and in the WAL alone
        (self.folder / "hard.db").hardlink_to(db)
        (self.folder / "hard-wal").hardlink_to(f"{db}-wal")
        (self.folder / "link-shm").symlink_to("s.db-shm")
        itself = ["s.db", db, "./s.db", "sub/../s.db", "way/../s.db", "link.db", "hard.db"]
        beside = ["s.db-wal", "s.db-shm", "s.db-journal", "way/../s.db-wal", "hard-wal", "link-shm"]
        commands = [["export", "g", "--force", "-o"], ["export", "g", "-o"], ["export", "g", "-f", "svg", "--force", "-o"],
                    ["simulate", "--board", "empty", "--games", "9", "--force", "--svg"], ["board", "analyze", "class", "--force", "--svg"]]
        for why, paths in (("is the store itself", itself), ("belongs to the store", beside)):
            for path in paths:
                for command in commands:
                    with self.subTest(command=command, path=path):
                        self.refused(2, why, *command, path, db="s.db")
                self.refused(2, why, *commands[0], path, db="link.db")
        playing.kill()
        playing.wait()
        playing.stdin.close()
        self.assertEqual(self.show("g", db=db)["turn"], 1)
        self.assertFalse((self.folder / "s.db-journal").exists())
        self.snl("export", "g", "-o", "t.db-wal", db=db)  # of no store that is in use
        self.snl("simulate", "--board", "empty", "--games", "9", "--seed", "1", "--svg", "c.svg", env={"HOME": None})

    def test_stays_as_it_was_until_the_new_one_is_whole(self):
        path = self.folder / "out"
        path.write_text("precious")
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (36864, 36864))
        command = ("export", "g", "-f", "html", "-o", "out", "--force")
        self.refused(1, "out: it can't be written", *command, preexec_fn=limit, restore_signals=False)
        self.assertEqual([name for name in self.files() if name.startswith("out")], ["out"])
        self.refused(1, "out: it can't be written", *command, preexec_fn=limit)  # the signal isn't ignored by us
        self.assertEqual(path.read_text(), "precious")
        self.snl(*command)
        self.assertIn("</html>", path.read_text())

    def test_that_cannot_be_made_durable_is_not_given_its_name(self):
        path = self.folder / "out"
        path.write_text("precious")
        for options in ((), ("--force",)):
            place = "out" if options else "new"
            self.refused(1, f"{place}: it can't be written", "export", "g", "-o", place, *options, preexec_fn=fail_to_sync)
            self.assertEqual([name for name in self.files() if name.startswith(("out", "new"))], ["out"])
        self.assertEqual(path.read_text(), "precious")

    def export_that_stops(self, **options):
        """An export that stops before each change of a file."""
        begin = lambda **more: self.popen("export", "g", "-f", "cast", "-o", "out", **more, **options)
        return Halted(self, begin, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))

    def has_begun(self):
        """There is a file that doesn't have its final name yet."""
        return list(self.folder.glob("out.??????"))

    def test_leaves_nothing_behind_when_a_person_interrupts_it(self):
        before = self.files()
        for sent, end in ((signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM), (signal.SIGHUP, -signal.SIGHUP)):
            with self.subTest(sent):
                export = self.export_that_stops()
                self.assertTrue(export.stops_when(self.has_begun))
                export.process.send_signal(sent)
                self.assertEqual(export.wait(), end)
                self.assertEqual([name for name in self.files() if name not in before and "snl.db-" not in name], [])

    def test_that_appeared_meanwhile_is_left_as_it_is(self):
        path = self.folder / "out"
        export = self.export_that_stops(stderr=subprocess.PIPE)
        self.addCleanup(export.process.stderr.close)
        self.assertTrue(export.stops_when(self.has_begun))
        path.write_text("precious")
        self.assertEqual(export.wait(), 2)
        self.assertRegex(export.process.stderr.read().decode(), "out: it is there already; --force overwrites it")
        self.assertEqual(path.read_text(), "precious")
        self.assertEqual(self.has_begun(), [])

    def test_is_what_a_link_leads_to(self):
        (self.folder / "deep").mkdir()
        (self.folder / "deep" / "target").write_text("old")
        (self.folder / "link").symlink_to("second")
        (self.folder / "second").symlink_to("deep/target")
        self.refused(2, "link.*--force", "export", "g", "-o", "link")
        self.snl("export", "g", "-o", "link", "--force")
        self.assertTrue((self.folder / "link").is_symlink() and (self.folder / "second").is_symlink())
        self.assertEqual((self.folder / "deep" / "target").read_text(), self.snl("export", "g"))

    def test_may_be_a_link_that_leads_to_nothing_yet(self):
        (self.folder / "link").symlink_to("target")
        self.refused(2, "link.*--force", "export", "g", "-o", "link")
        self.assertTrue((self.folder / "link").is_symlink())
        self.snl("export", "g", "-o", "link", "--force")
        self.assertTrue((self.folder / "link").is_symlink())
        self.assertEqual((self.folder / "target").read_text(), self.snl("export", "g"))
        (self.folder / "round").symlink_to("round")
        self.refused(1, "round: its links lead nowhere", "export", "g", "-o", "round", "--force")

    def test_that_is_no_store_yet_but_will_be_is_not_written(self):
        (self.folder / "link").symlink_to("later.db")
        self.snl("export", "g", "-o", "log")
        self.refused(2, "is the store itself", "board", "analyze", "class", "--svg", "link", "--force", db="later.db")

    def test_that_the_command_reads_is_not_written(self):
        board = self.snl("board", "show", "class", "--json")
        (self.folder / "board.json").write_text(board)
        for option, command in (("--svg", "board analyze board.json --svg board.json"),
                                ("--svg", "simulate --board board.json --games 9 --svg board.json"),
                                ("-o", "board show board.json --svg -o ./board.json")):
            with self.subTest(command):
                self.refused(2, f"{option} .*board.json: this command reads that file; name another", *command.split(), "--force")
        self.assertEqual((self.folder / "board.json").read_text(), board)
        # A named board isn't read from the file of that name.
        for command in ("board show class --svg -o class", "board analyze class --svg class", "simulate --board class --games 9 --svg class"):
            self.snl(*command.split(), "--force")

    def test_keeps_its_mode_when_it_is_replaced(self):
        path = self.folder / "out"
        path.write_text("secret")
        for mode in (0o600, 0o640, 0o666):
            path.chmod(mode)
            self.snl("export", "g", "-o", "out", "--force")
            self.assertEqual(path.stat().st_mode & 0o7777, mode)

    def test_may_have_as_long_a_name_as_any(self):
        for length in (250, 255):
            name = "n" * length
            self.snl("export", "g", "-o", name)
            self.snl("export", "g", "-o", name, "--force")
            self.assertEqual((self.folder / name).read_text(), self.snl("export", "g"))
        self.refused(1, "File name too long", "export", "g", "-o", "n" * 256)

    def test_may_be_stdout_by_any_of_its_names(self):
        log = self.snl("export", "g")
        for force in ((), ("--force",)):
            self.assertEqual(self.snl("export", "g", "-o", "/dev/stdout", *force), log)
            with (self.folder / "out").open("w+") as out:
                self.assertEqual(self.run_snl("export", "g", "-o", "/dev/stdout", *force, stdout=out).code, 0)
                out.write("more\n")
            self.assertTrue((self.folder / "out").read_text().endswith("more\n"))

    def test_leaves_nothing_behind_when_it_cannot_be_written(self):
        before = self.files()
        self.refused(1, "no/such", "export", "g", "-o", "no/such/file")
        self.refused(1, "home", "export", "g", "-o", "home", "--force")
        self.refused(3, '"x"', "export", "x", "-o", "out")
        self.refused(2, "pdf", "export", "g", "-f", "pdf", "-o", "out")
        self.assertEqual(self.files(), before)

    def test_is_in_the_form_that_its_name_ends_in(self):
        for name, form in (("a.html", "html"), ("a.TXT", "text"), ("a.text", "text"), ("a.csv", "csv"), ("a.svg", "svg"), ("a.cast", "cast"),
                           ("a.jsonl", "jsonl"), ("a.log", "jsonl"), ("html", "jsonl"), ("a.html.old", "jsonl")):
            with self.subTest(name):
                self.snl("export", "g", "-o", name)
                self.assertEqual((self.folder / name).read_bytes().decode(), self.snl("export", "g", "-f", form))
        self.snl("export", "g", "-f", "csv", "-o", "b.html")
        self.assertEqual((self.folder / "b.html").read_bytes().decode(), self.snl("export", "g", "-f", "csv"))
        self.snl("export", "g", "--at", "0", "-o", "b.svg")
        self.refused(2, "the form html holds every turn", "export", "g", "--at", "0", "-o", "c.html")

    def test_has_the_permissions_of_any_other(self):
        old = os.umask(0o027)
        self.addCleanup(os.umask, old)
        self.snl("export", "g", "-o", "out")
        self.assertEqual((self.folder / "out").stat().st_mode & 0o777, 0o640)

    def test_may_be_a_device(self):
        self.assertEqual(self.snl("export", "g", "-o", "/dev/null"), "")
        self.refused(1, "/dev/full", "export", "g", "-o", "/dev/full")


class APage(snl.CommandLineTest):
    """tests/browser tests its behaviour in a browser."""

    def setUp(self):
        super().setUp()
        self.snl("new", "Ann <b>", "Bob & co", "--board", "class", "--seed", "3", "--id", "g")
        self.snl("roll", "g", "-n", "9")
        self.snl("undo", "g", "-n", "2")

    def page(self, game="g"):
        return self.snl("export", game, "-f", "html")

    def data(self, page):
        return json.loads(re.search(r'<script type="application/json" class="game">(.*?)</script>', page)[1])

    def test_has_its_game_as_data_and_as_text(self):
        page = self.page()
        data = self.data(page)
        turns = self.json_lines("replay", "g", "--undone")
        self.assertEqual(data["players"], ["Ann <b>", "Bob & co"])
        moves = [data["moves"][index] for index in data["played"]]
        self.assertEqual([move[0] for move in moves], ["-".join(map(str, turn["dice"])) for turn in turns])
        self.assertEqual([move[2] for move in moves], [turn["to"] for turn in turns])
        self.assertEqual(data["undone"], [[7, 8], [8, 9]])
        items = [html.unescape(re.sub("<.*?>", "", item)) for item in re.findall("<li>(.*)</li>", page)]
        self.assertEqual("\n".join(items) + "\n", self.snl("replay", "g", "--undone"))
        self.assertIn(f"snl audit g --expect {self.show('g')['head']}", page)

    def test_admits_its_own_style_and_script_and_nothing_else(self):
        page = self.page()
        policy = re.search(r'Content-Security-Policy" content="(.*?)"', page)[1]
        for directive in ("default-src 'none'", "base-uri 'none'", "form-action 'none'", "trusted-types 'none'"):
            self.assertIn(directive, policy)
        for kind, tag in (("style", "<style>(.*?)</style>"), ("script", '<script type="module">(.*?)</script>')):
            (content,) = re.findall(tag, page, re.DOTALL)
            digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
            self.assertIn(f"{kind}-src 'sha256-{digest}';", policy)
        self.assertEqual(re.findall(r"https?://(?!www\.w3\.org/2000/svg)", page), [])

    def test_is_written_to_a_file_once(self):
        self.snl("export", "g", "-f", "html", "-o", "g.html")
        self.assertEqual((self.folder / "g.html").read_text(encoding="utf-8"), self.page())
        self.refused(2, "force", "export", "g", "-f", "html", "-o", "g.html")

    def test_of_a_board_too_large_to_draw_is_refused(self):
        self.snl("new", "A", "B", "--size", "101", "--id", "large")
        self.refused(2, "10201 cells.*10000", "export", "large", "-f", "html", "-o", "out.html")
        self.assertNotIn("out.html", self.files())


class ATextOfAGame(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.elsewhere = self.folder / "elsewhere.db"

    def imported(self, text, *args):
        (self.folder / "game.txt").write_text(text, encoding="utf-8")
        return self.snl("import", "game.txt", *args, db=self.elsewhere).strip()

    def test_comes_back_as_the_turns_in_force(self):
        self.snl("new", "Ann", "Bob", "--cells", "40", "--snake", "33,5", "--ladder", "4,30", "--finish", "bounce",
                 "--dice", "2", "--faces", "8", "--start", "0", "--seed", "3", "--id", "g")
        self.snl("roll", "g", "-n", "6")
        self.snl("undo", "g", "-n", "2")
        self.snl("roll", "g", "--all")
        text = self.snl("export", "g", "-f", "text")
        self.assertEqual(self.imported(text), "g")
        self.assertEqual(self.snl("replay", "g", db=self.elsewhere), self.snl("replay", "g"))
        self.assertEqual(self.snl("export", "g", "-f", "text", db=self.elsewhere), text)
        for field in ("status", "turn", "players", "next", "winner"):
            self.assertEqual(self.show("g", db=self.elsewhere)[field], self.show("g")[field])
        self.assert_sound(db=self.elsewhere)

    def test_can_be_written_by_hand(self):
        game = self.imported('[Player "Ann"]\n[Player "Bob"]\n\nAnn 2\nBob 6-6-1\n')
        self.assertRegex(game, r"\A[a-z0-9]{4,12}\Z")
        self.assertEqual([p["cell"] for p in self.show(game, db=self.elsewhere)["players"]], [3, 14])

    def test_can_say_everything(self):
        game = self.imported(
            '[Id "by-hand"]\n[Player "Ann \\"the snake\\""]\n[Player "back\\\\slash"]\n[Cells "30"]\n[Width "6"]\n'
            '[Snake "27,1"]\n[Ladder "3,22"]\n[Ladder "5,8"]\n[Start "1"]\n[Finish "overshoot"]\n[Dice "1"]\n'
            '[Faces "6"]\n[Sixes "again"]\n\n# a comment\n\nAnn "the snake" 2\r\n'
            '{"player":"back\\\\slash","dice":[4],"id":"x"}\n')
        self.assertEqual(game, "by-hand")
        start = self.json_lines("log", game, db=self.elsewhere)[0]["command"]["start"]
        self.assertEqual(start[1:4], [['Ann "the snake"', "back\\slash"],
                                      [30, 6, [[27, 1]], [[3, 22], [5, 8]]], [1, "overshoot", 1, 6, "again"]])
        self.assertEqual([p["cell"] for p in self.show(game, db=self.elsewhere)["players"]], [22, 8])
        self.assertEqual(self.snl("play", game, "--command-id", "x", "back\\slash", "4", db=self.elsewhere),
                         'back\\slash,8,Ann "the snake",CONTINUE\n')

    def test_has_the_usual_rules_where_it_is_silent(self):
        self.imported('[Player "A"]\n[Player "B"]\n[Faces "8"]\n[Cells "36"]\n')
        start = self.json_lines("log", "@", db=self.elsewhere)[0]["command"]["start"]
        self.assertEqual(start[2:4], [[36, 6, [], []], [1, "exact", 1, 8, "plain"]])

    def test_is_a_new_game_each_time_without_an_id(self):
        text = '[Player "A"]\n[Player "B"]\n\nA 3\n'
        self.assertNotEqual(self.imported(text), self.imported(text))
        self.assertEqual(len(self.json_lines("list", db=self.elsewhere)), 2)

    def test_has_a_seed_of_its_own_each_time(self):
        text = '[Player "A"]\n[Player "B"]\n'
        games = [self.imported(text + turns) for turns in ("", "", "\nA 3\n", "\nA 3\n")]
        seeds = [self.json_lines("log", game, db=self.elsewhere)[0]["command"]["start"][4] for game in games]
        self.assertEqual(len(set(seeds)), len(games))
        self.assertNotIn(0, seeds)

    def test_may_be_of_any_length(self):
        comment = "# " + "x" * 998 + "\n"
        self.assertEqual(self.imported('[Id "g"]\n[Player "A"]\n[Player "B"]\n\n' + comment * (17 << 10) + "A 3\n"), "g")
        self.assertEqual(self.show("g", db=self.elsewhere)["turn"], 1)

    def test_may_begin_with_a_byte_order_mark(self):
        text = '\ufeff[Id "g"]\n[Player "A"]\n[Player "B"]\n'
        self.assertEqual(self.imported(text), "g")
        self.refused(2, "line 2", "import", "-", input="\n" + text)

    def test_carries_names_of_all_kinds(self):
        names = ["# x", '{"q', "[A]", '[Id "x"]', "a  b", " a", "b ", 'back\\slash"', "🐍", "3"]
        self.snl("new", "--board", "empty", "--id", "odd", "--", *names)
        turns = "".join(json.dumps({"player": n, "dice": [1 + i % 5]}) + "\n" for i, n in enumerate(names))
        self.snl("play", "odd", "-", input=turns)
        text = self.snl("export", "odd", "-f", "text")
        self.assertEqual(self.imported(text), "odd")
        self.assertEqual(self.snl("replay", "odd", "--json", db=self.elsewhere), self.snl("replay", "odd", "--json"))
        self.assertEqual(self.snl("export", "odd", "-f", "text", db=self.elsewhere), text)

    def test_of_a_branch_cannot_be_written(self):
        self.snl("new", "--board", "empty", "A", "B", "--id", "g")
        self.snl("branch", "g", "--at", "0", "--id", "b")
        self.refused(2, r"\bb\b", "export", "b", "-f", "text", "-o", "out")
        self.assertNotIn("out", self.files())

    def test_that_cannot_be_read_is_refused_with_the_line(self):
        head = '[Player "A"]\n[Player "B"]\n'
        bad = {
            "one player": ('[Player "A"]\n', ""),
            "no players": ('[Cells "100"]\n', ""),
            "twice the same": ('[Player "A"]\n[Player "A"]\n', ""),
            "a header that isn't one": (head + "[Cells 100]\n", "line 3"),
            "no number": (head + '[Cells "many"]\n', "line 3.*many"),
            "a huge number": (head + '[Cells "99999999999999999999"]\n', "line 3.*9999"),
            "an impossible board": (head + '[Snake "3,9"]\n', "3,9"),
            "another finish": (head + '[Finish "maybe"]\n', "line 3.*maybe"),
            "three dice": (head + '[Dice "3"]\n', "3"),
            "an invalid ID": ('[Id "-x"]\n' + head, "-x"),
            "two IDs": ('[Id "x"]\n[Id "y"]\n' + head, "line 2.*two Id headers"),
            "two boards": (head + '[Cells "9"]\n[Cells "9"]\n', "line 4.*two Cells headers"),
            "a key twice": (head + '\n{"player":"A","player":"B","dice":[3]}\n', "line 4.*twice"),
            "a command ID twice": (head + '\n{"player":"A","dice":[3],"id":"x"}\n{"player":"A","dice":[3],"id":"x"}\n',
                                   "line 5.*twice"),
            "a NUL": (head + "\nA\0 3\n", r'line 4.*no player "A\\x00"; nothing was imported'),
            "impossible dice": (head + "\nA 7\n", "line 4.*7"),
            "an unknown player": (head + "\nZed 3\n", "line 4.*Zed"),
            "no turn": (head + "\nrubbish\n", "line 4"),
            "a header after a turn": (head + "\nA 3\n[Cells \"50\"]\n", "line 5"),
            "a control character": ('[Player "A\x07"]\n[Player "B"]\n', ""),
        }
        for name, (text, pattern) in bad.items():
            with self.subTest(name):
                (self.folder / "bad.txt").write_text(text, encoding="utf-8")
                self.elsewhere.unlink(missing_ok=True)
                for args in (("import", "bad.txt"), ("import", "bad.txt", "--dry-run")):
                    line = self.refused(2, r"bad\.txt", *args, db=self.elsewhere)
                    self.assertRegex(line, pattern or "snl: ")
                self.assertFalse(self.elsewhere.exists())

    def test_has_blanks_wherever_a_person_puts_them(self):
        game = self.imported('# by hand\n[Id "w"] \n [Player\t"Ann"]\n[ Player  "Bob" ]\t\n\n Ann\t2\nBob   6 6 1 \n')
        self.assertEqual([p["cell"] for p in self.show(game, db=self.elsewhere)["players"]], [3, 14])

    def test_passes_over_unknown_headers_with_a_word(self):
        (self.folder / "game.txt").write_text('[Id "g"]\n[Event "Club"]\n[Player "A"]\n[Player "B"]\n\nA 3\n')
        told = self.run_snl("import", "game.txt", db=self.elsewhere)
        self.assertEqual((told.code, told.out, told.err),
                         (0, "g\n", "snl: game.txt: line 2: the header Event isn't known; it is left out\n"))

    def test_may_have_several_games_all_or_none_of_them(self):
        one = '[Id "one"]\n[Player "A"]\n[Player "B"]\n\nA 3\nB 2\n'
        two = '\n[Player "C"]\n[Player "D"]\n[Cells "20"]\n\nC 5\n'
        waiting = '\n[Id "three"]\n[Player "E"]\n[Player "F"]\n\n[Id "four"]\n[Player "G"]\n[Player "H"]\n'
        before = self.elsewhere.exists()
        for bad, pattern in ((two + "C 5\n", "line 13"), (one, "two games have the Id one"), ('\n[Player "C"]\n', "from line 8")):
            (self.folder / "game.txt").write_text(one + bad)
            self.refused(4 if bad.endswith("C 5\n") else 2, pattern, "import", "game.txt", db=self.elsewhere)
            self.assertEqual(self.elsewhere.exists(), before)
        self.assertEqual(self.imported(one + two + waiting, "--dry-run"), "one\n(an ID is made up)\nthree\nfour")
        ids = self.imported(one + two + waiting).split("\n")
        self.assertEqual([ids[0], *ids[2:]], ["one", "three", "four"])
        self.assertEqual([self.show(game, db=self.elsewhere)["turn"] for game in ids], [2, 1, 0, 0])
        self.assert_sound(db=self.elsewhere)
        contents = self.contents(self.elsewhere)
        (self.folder / "game.txt").write_text(two + "\n" + one)
        self.refused(5, "one", "import", "game.txt", db=self.elsewhere)
        self.assertEqual(self.contents(self.elsewhere), contents)

    def test_with_a_turn_out_of_order_is_refused_whole(self):
        (self.folder / "bad.txt").write_text('[Player "A"]\n[Player "B"]\n\nA 3\nA 3\n')
        self.refused(4, "line 5", "import", "bad.txt", db=self.elsewhere)
        self.assertFalse(self.elsewhere.exists())

    def test_whose_id_is_taken_is_a_conflict(self):
        text = '[Id "g"]\n[Player "A"]\n[Player "B"]\n\nA 3\n'
        self.assertEqual(self.imported(text, "--dry-run"), "g")
        self.assertFalse(self.elsewhere.exists())
        self.imported(text)
        before = self.contents(self.elsewhere)
        self.refused(5, r"\bg\b", "import", "game.txt", db=self.elsewhere)
        self.refused(5, r"\bg\b", "import", "game.txt", "--dry-run", db=self.elsewhere)
        self.assertEqual(self.contents(self.elsewhere), before)


class ATable(snl.CommandLineTest):
    HEADER = "turn,player,dice,rolled,from,landed,to,jump,outcome,next\r\n"

    def test_has_a_row_for_each_turn_in_force(self):
        self.snl("new", "Ann", "Bob", "--cells", "20", "--snake", "9,2", "--ladder", "5,12", "--id", "g")
        self.snl("play", "g", "-", input="Ann 4\nBob 6-2\nAnn 6-6-6\nBob 3\n")
        self.snl("undo", "g")
        self.snl("play", "g", "-", input="Bob 6-6-6\nAnn 6-2\n")
        self.assertEqual(self.snl("export", "g", "-f", "csv"), self.HEADER +
                         "1,Ann,4,false,1,5,12,ladder,moved,Bob\r\n"
                         "2,Bob,6-2,false,1,9,2,snake,moved,Ann\r\n"
                         "3,Ann,6-6-6,false,12,12,12,,forfeited,Bob\r\n"
                         "4,Bob,6-6-6,false,2,2,2,,forfeited,Ann\r\n"
                         "5,Ann,6-2,false,12,20,20,,won,\r\n")

    def test_says_what_replay_says(self):
        self.snl("new", "Ann", 'Bob "B", jr', "--board", "milton-bradley", "--seed", "8", "--id", "g")
        self.snl("roll", "g", "--all")
        rows = list(csv.DictReader(io.StringIO(self.snl("export", "g", "-f", "csv"), newline="")))
        turns = self.json_lines("replay", "g")
        for turn in turns:
            turn["dice"] = "-".join(map(str, turn["dice"]))
            turn["rolled"] = str(turn["rolled"]).lower()
        as_text = lambda value: "" if value is None else str(value)
        self.assertEqual(rows, [{name: as_text(value) for name, value in turn.items()} for turn in turns])

    def test_of_a_game_without_turns_is_its_header(self):
        self.snl("new", "--board", "empty", "A", "B", "--id", "g")
        self.assertEqual(self.snl("export", "g", "-f", "csv"), self.HEADER)

    def test_runs_no_formula(self):
        names = ["=1+1", "+1", "@SUM(A1)", '=cmd|"/c calc"!A1', "＝1+1", "'=1+1", "''-1", "a;=1", " x ", "'a"]
        self.snl("new", "--board", "empty", "--id", "g", "--", *names)
        self.snl("roll", "g", "-n", "10")
        text = self.snl("export", "g", "-f", "csv")
        rows = list(csv.reader(io.StringIO(text, newline="")))[1:]
        shown = [row[1] for row in rows]
        self.assertEqual(shown, ["'" + name for name in names[:7]] + names[7:])
        self.assertEqual([row[9] for row in rows], shown[1:] + shown[:1])
        self.assertIn('"a;=1"', text)
        self.assertIn('" x "', text)
        for row in rows:
            for field in row:
                self.assertNotRegex(field, r"\A[=+\-@\t\r＝＋－＠]")

    def test_keeps_the_blanks_of_a_name(self):
        self.snl("new", "--board", "empty", " x", "y ", "--id", "g")
        self.snl("roll", "g")
        self.assertIn(',"y "\r\n', self.snl("export", "g", "-f", "csv"))
        self.assertIn('1," x",', self.snl("export", "g", "-f", "csv"))

    def test_goes_to_a_file_as_any_export_does(self):
        self.snl("new", "--board", "empty", "A", "B", "--id", "g")
        self.snl("export", "g", "-f", "csv", "-o", "g.csv")
        self.assertEqual((self.folder / "g.csv").read_bytes(), self.HEADER.encode())
        self.refused(2, "--force", "export", "g", "-f", "csv", "-o", "g.csv")
        self.refused(3, "nosuch", "export", "nosuch", "-f", "csv")


if __name__ == "__main__":
    snl.main()
