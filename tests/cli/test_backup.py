"""Goal: `db backup`, `db restore` and `db compact` do all or nothing, whatever interrupts them. Method: they run on
live stores, write to unusable places, and are killed at random moments in their middle. Then the files are read row by
row, and audited.

SNL_TORTURE=N makes N times as many kills; SNL_SEED=N repeats a run that failed.
"""

import contextlib
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import threading

import snl
from halted import Halted

KILLS = 12 * int(os.environ.get("SNL_TORTURE", "1"))
SEED = int(os.environ.get("SNL_SEED", "0")) or random.randrange(1, 2**32)


class BackupTest(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.snl("new", "Ann", "Bob", "--board", "class", "--seed", "4", "--id", "g")
        self.snl("roll", "g", "-n", "5")

    def heads(self, **options):
        return {line["game"]: line["hash"] for line in self.json_lines("log", **options)}

    def no_more_than(self, size):
        """Options for a command whose files can't grow larger: for it the disk is full."""
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        return {"preexec_fn": limit}


    def fill(self):
        """Games enough that a copy takes a while, and more than a short file."""
        filled = self.run_snl("simulate", "--board", "class", "--games", "60", "--seed", "1", "--save")
        self.assertEqual(filled.code, 0, filled)


class ABackup(BackupTest):
    def test_is_a_store_like_the_one_it_was_made_of(self):
        told = self.json("db", "backup", "copy.db")
        self.assertEqual(list(told), ["file", "games", "turns", "bytes", "head"])
        self.assertEqual(told["bytes"], (self.folder / "copy.db").stat().st_size)
        self.assertEqual(self.assert_sound(db="copy.db")["head"], told["head"])
        self.assertEqual(self.snl("log", db="copy.db"), self.snl("log"))
        self.snl("db", "check", db="copy.db")
        self.snl("roll", "g", db="copy.db")

    def test_says_what_it_holds_and_its_head(self):
        head = self.json("audit")["head"]
        self.assertRegex(self.snl("db", "backup", "copy.db"),
                         rf"\Acopy\.db: a sound copy, 1 game, 5 turns in force, \d+ bytes\nhead: {head}\n\Z")

    def test_overwrites_only_with_force(self):
        (self.folder / "copy.db").write_text("mine")
        self.refused(2, r"copy\.db.*--force", "db", "backup", "copy.db")
        self.assertEqual((self.folder / "copy.db").read_text(), "mine")
        self.snl("db", "backup", "copy.db", "--force")
        self.assert_sound(db="copy.db")

    def test_has_to_be_a_file(self):
        files = self.files()
        self.refused(2, "-: ", "db", "backup", "-")
        (self.folder / "dir").mkdir()
        self.refused(1, "dir.*directory", "db", "backup", "dir", "--force")
        self.refused(1, "missing isn't there", "db", "backup", "missing/copy.db")
        self.refused(2, "the store itself", "db", "backup", self.store, "--force")
        self.refused(1, "no regular file", "db", "backup", "/dev/full", "--force")
        self.refused(2, "an empty value", "db", "backup", "")
        self.refused(2, "an empty value", "db", "restore", "")
        self.assertEqual(self.files(), files)

    def test_needs_a_store(self):
        self.refused(1, r"none\.db.*no store", "db", "backup", "copy.db", db="none.db")
        self.assertEqual([name for name in self.files() if "db" in name], ["home/.local/share/snl/snl.db"])

    def test_of_an_unsound_store_is_refused(self):
        damaged = self.folder / "damaged.db"
        shutil.copy(self.store, damaged)
        self.snl("db", "backup", "copy.db")
        before = (self.folder / "copy.db").read_bytes()
        data = bytearray(damaged.read_bytes())
        where = data.index(b'"started":')
        data[where + 3] ^= 1
        damaged.write_bytes(data)
        self.refused(4, "damaged.*game g.*hash.*snl --db damaged.db audit", "db", "backup", "copy.db", "--force", db="damaged.db")
        self.refused(4, "damaged.*game g.*hash.*snl --db damaged.db audit", "db", "restore", "damaged.db", "--force")
        # A row that snl db copy puts right comes first.
        self.snl("new", "Ann", "Bob", "--id", "a", db=damaged)
        with contextlib.closing(sqlite3.connect(damaged)) as database, database:
            database.execute("UPDATE players SET name = 'Eve' WHERE game = (SELECT game FROM games WHERE id = 'a') AND seat = 0")
        self.refused(4, "damaged.*game g.*hash.*snl --db damaged.db audit", "db", "backup", "copy.db", "--force", db="damaged.db")
        self.assertEqual((self.folder / "copy.db").read_bytes(), before)
        self.assert_sound()

    def test_on_a_full_disk_leaves_nothing(self):
        self.fill()
        files = self.files()
        size = self.store.stat().st_size
        self.refused(1, r"copy\.db.*ulimit -f", "db", "backup", "copy.db", **self.no_more_than(size // 2))
        self.assertEqual(self.files(), files)

    def test_never_has_the_name_of_a_file_that_belongs_to_another_store(self):
        self.snl("db", "backup", "other.db")
        files = self.files()
        for companion in ("-wal", "-shm", "-journal"):
            self.refused(1, "belong to .*other.db", "db", "backup", "other.db" + companion, "--force")
            self.refused(1, "belong to other.db", "new", "--board", "empty", "Ann", "Bob", db="other.db" + companion)
        self.assertEqual(self.files(), files)

    def test_that_cannot_be_made_durable_leaves_nothing_in_the_way_of_the_next(self):
        user = self.as_ordinary_user()
        folder = self.folder / "unreadable"
        folder.mkdir()
        folder.chmod(0o333)  # so that it can't be synced
        self.refused(1, "can't be written", "db", "backup", "unreadable/copy.db", **user)
        folder.chmod(0o777)
        self.assertEqual(list(folder.iterdir()), [])
        self.snl("db", "backup", "unreadable/copy.db", **user)

    def test_in_the_place_of_another_says_what_may_be_back_where_the_folder_cannot_be_synced(self):
        user = self.as_ordinary_user()
        folder = self.folder / "unreadable"
        folder.mkdir()
        folder.chmod(0o777)
        self.snl("db", "backup", "unreadable/copy.db", **user)
        before = (folder / "copy.db").stat().st_ino
        folder.chmod(0o333)
        self.refused(1, "the copy is in its place, but its folder can't be synced: Permission denied; check the disk: .*the old file may be back",
                     "db", "backup", "unreadable/copy.db", "--force", **user)
        folder.chmod(0o777)
        self.assertNotEqual((folder / "copy.db").stat().st_ino, before)
        self.assertEqual([path.name for path in folder.iterdir()], ["copy.db"])
        self.assert_sound(db=folder / "copy.db")

    def test_that_is_gone_before_it_is_told_of_is_not_told_to_be_there(self):
        begin = lambda **options: self.popen("db", "backup", "copy.db", stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        backup = Halted(self, begin, calls=("fsync",))
        self.assertTrue(backup.stops_when(lambda: (self.folder / "copy.db").exists()))  # its folder is synced last
        (self.folder / "copy.db").unlink()
        code = backup.wait()
        self.assertEqual((code, *backup.process.communicate()), (1, b"", b"snl: copy.db: No such file or directory; check the path\n"))

    def test_in_a_folder_that_is_gone_is_refused_in_plain_words(self):
        gone = self.folder / "gone"
        gone.mkdir()
        for args in (("db", "backup", "copy.db"), ("--db", "rel.db", "new", "A", "B"), ("--db", "rel.db", "db", "info")):
            with self.subTest(args):
                line = self.refused(1, "snl: ", *args, preexec_fn=lambda: (os.chdir(gone), gone.rmdir()))
                self.assertNotRegex(line, "filesystem error|folder  ")
                gone.mkdir()

    def test_in_a_folder_that_cannot_be_written_is_refused(self):
        (self.folder / "dir").mkdir(mode=0o555)
        user = self.as_ordinary_user()
        self.refused(1, r"copy\.db.*[Pp]ermission", "db", "backup", "dir/copy.db", db=self.store, **user)

    def test_interrupted_by_a_person_leaves_nothing(self):
        self.fill()
        files = self.files()
        interruptible = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
        for sent, end in ((signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM), (signal.SIGHUP, -signal.SIGHUP)):
            with self.subTest(sent):
                begin = lambda **options: self.popen("db", "backup", "copy.db", stdout=subprocess.DEVNULL, **options)
                backup = Halted(self, begin, preexec_fn=interruptible)
                self.assertTrue(backup.stops_when(lambda: list(self.folder.glob("copy.db.??????"))))
                backup.process.send_signal(sent)
                self.assertEqual(backup.wait(), end)
                self.assertEqual([name for name in self.files() if name not in files and "snl.db-" not in name], [])


class ARestoredStore(BackupTest):
    def setUp(self):
        super().setUp()
        self.snl("db", "backup", "copy.db")
        self.head = self.json("audit")["head"]

    def test_is_what_it_was(self):
        log = self.snl("log")
        self.snl("roll", "g", "-n", "3")
        self.snl("new", "--board", "empty", "C", "D")
        told = self.json("db", "restore", "copy.db", "--force")
        self.assertEqual(list(told), ["store", "games", "turns", "head"])
        self.assertEqual((told["head"], self.assert_sound()["head"]), (self.head, self.head))
        self.assertEqual(self.snl("log"), log)
        self.snl("roll", "g")

    def test_is_replaced_only_with_force(self):
        before = self.contents()
        self.refused(2, "--force", "db", "restore", "copy.db")
        self.assertEqual(self.contents(), before)

    def test_is_made_with_its_folder_where_there_is_none(self):
        self.store.unlink()
        self.store.parent.rmdir()
        self.assertRegex(self.snl("db", "restore", "copy.db"), rf"restored, 1 game, 5 turns .*\nhead: {self.head}\n")
        self.assert_sound()

    def test_is_of_one_moment_of_a_copy_that_can_only_be_looked_at_and_is_played_in(self):
        """No lock of the restoring process holds up a writer of the copy."""
        self.snl("new", "Ann", "Bob", "--size", "1000", "--id", "long", "--seed", "1")
        self.snl("roll", "long", "-n", "1000")
        guarded = self.folder / "guarded"
        guarded.mkdir(mode=0o755)
        copy = guarded / "copy.db"
        self.snl("db", "backup", copy)
        user = self.as_ordinary_user()
        theirs = self.folder / "theirs"
        theirs.mkdir()
        theirs.chmod(0o777)
        over = threading.Event()

        def play():
            while not over.is_set():
                self.snl("roll", "long", db=copy)

        player = threading.Thread(target=play)
        player.start()
        try:
            for i in range(30):
                store = theirs / f"store-{i}"
                head = self.json("db", "restore", copy, db=store, **user)["head"]
                self.assertEqual(self.json("audit", db=store)["head"], head)
        finally:
            over.set()
            player.join()

    def test_is_made_of_a_store_and_nothing_else(self):
        (self.folder / "text").write_text("x" * 5000)
        before = self.contents()
        self.refused(4, "text.*not a store", "db", "restore", "text", "--force")
        self.refused(1, "missing.*no such file", "db", "restore", "missing", "--force")
        self.refused(1, "missing.*no such file", "db", "restore", "missing")
        self.refused(1, "store itself", "db", "restore", self.store, "--force")
        self.refused(2, "-: ", "db", "restore", "-", "--force")
        self.assertEqual(self.contents(), before)

    def test_is_followed_by_a_stream_of_turns_that_was_open(self):
        """The player's process has the game open, with a longer history than the copy has."""
        process = self.popen("play", "g", "-", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        try:
            for turn in ("Bob 1", "Ann 1", "Bob 1"):
                process.stdin.write(turn + "\n")
                self.assertIn("CONTINUE", process.stdout.readline())
            self.snl("db", "restore", "copy.db", "--force")
            process.stdin.write("Bob 1\n")
            self.assertIn("CONTINUE", process.stdout.readline())
            process.stdin.close()
            self.assertEqual(process.wait(snl.PATIENCE), 0)
        finally:
            process.kill()
            process.stdout.close()
        self.assertEqual(self.show("g")["turn"], 6)
        self.assert_sound()

    def test_on_a_full_disk_is_the_old_one(self):
        self.fill()
        self.snl("db", "backup", "copy.db", "--force")
        self.snl("roll", "g", "-n", "3")
        before = self.contents()
        self.refused(1, "ulimit -f", "db", "restore", "copy.db", "--force",
                     **self.no_more_than(self.store.stat().st_size // 2))
        self.assertEqual(self.contents(), before)
        self.assert_sound()


class ACompactedStore(BackupTest):
    def test_is_the_same_and_says_both_sizes(self):
        before = self.contents()
        told = self.json("db", "compact")
        self.assertEqual(list(told), ["path", "bytes_before", "bytes_after"])
        self.assertEqual(told["bytes_after"], self.store.stat().st_size)
        self.assertEqual(self.contents(), before)
        self.assertRegex(self.snl("db", "compact"), r"\A\d+ bytes before, \d+ bytes after\n\Z")
        self.refused(1, "no store", "db", "compact", db="none.db")


class Killed(BackupTest):
    """SIGKILL in the middle of an operation on a store of some size, while another process plays.

    In the middle: before any of its calls that change a file, while there is something unfinished. As controls, files
    are copied in place by dd, which has no notion of a whole.
    """

    DD = ("dd", "bs=512", "status=none")

    def setUp(self):
        super().setUp()
        self.random = random.Random(SEED)
        self.fill()
        self.log = self.store.with_name(self.store.name + "-wal")
        self.commits = self.commits_in(self.store)

    def commits_in(self, path):
        """The log in a file, read without snl; none if it can't be read."""
        try:
            return (self.contents(path) or {}).get("commits")
        except sqlite3.DatabaseError:
            return None

    def begin(self, *command):
        return Halted(self, lambda **options: subprocess.Popen(
            list(map(str, command)), env=self.environment, cwd=self.folder, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, **options))

    def calls_in_the_middle(self, is_unfinished, *command):
        """The number of calls that a command makes while something is unfinished."""
        calls = self.begin(*command).count(is_unfinished)
        self.assertGreater(calls, 2)
        return calls

    def strike(self, calls, is_unfinished, *command):
        """Kills a command before one of so many calls in its middle."""
        running = self.begin(*command)
        self.assertTrue(running.stops_when(is_unfinished, before=self.random.randrange(calls)), f"seed {SEED}")
        running.kill()

    def strike_often(self, tally, attempt):
        for number in range(KILLS):
            attempt(number)
            tally.tried += 1
        tally.print()

    def look(self, tally, path, is_whole):
        """Whether a store has an allowed state, and snl's verdict on it."""
        # The rows are read first, since an audit may repair the file.
        is_right = is_whole(self.commits_in(path))
        tally.lost += not is_right
        tally.judge(is_right, self.run_snl("audit", db=path).code == 0)

    def is_whole_copy(self, commits):
        """True if it has all turns from before, and otherwise only turns that were played since."""
        known = len(self.commits)
        return commits is not None and commits[:known] == self.commits and (
            [commit[0] for commit in commits] == list(range(1, len(commits) + 1)))

    def test_a_backup_leaves_its_name_to_nobody_or_to_a_whole_copy(self):
        tally = snl.Tally("backup interrupted", "lost", "undetected", "false_alarms")

        def backup(number):
            copy = self.folder / f"copy-{number}.db"
            return copy, lambda: list(self.folder.glob(f"{copy.name}.??????")), snl.PROGRAM, "db", "backup", copy

        calls = self.calls_in_the_middle(*backup(KILLS)[1:])
        player = self.popen("roll", "g", "--all", "--max-turns", "1000000", stdout=subprocess.DEVNULL)

        def attempt(number):
            copy, *how = backup(number)
            self.strike(calls, *how)
            if copy.exists():
                self.look(tally, copy, self.is_whole_copy)
            left = [path.name for path in self.folder.glob("copy-*") if not re.match(r"copy-\d+\.db(\.\w{6})?$", path.name)]
            self.assertEqual(left, [])
            tally.false_alarms += self.run_snl("db", "backup", copy, "--force").code != 0
            self.look(tally, copy, self.is_whole_copy)

        self.strike_often(tally, attempt)
        player.wait(snl.PATIENCE)
        self.assert_sound()
        self.assertEqual(tally.bad(), {}, f"seed {SEED}")

    def test_a_backup_is_seen_to_be_half_done_where_it_is_a_copy_in_place(self):
        tally = snl.Tally("control: backup interrupted, a copy in place", "lost", "undetected", "false_alarms")
        copy = self.folder / "copy.db"
        how = (copy.exists, *self.DD, f"if={self.store}", f"of={copy}")
        calls = self.calls_in_the_middle(*how)

        def attempt(number):
            copy.unlink()
            self.strike(calls, *how)
            self.look(tally, copy, self.is_whole_copy)

        self.strike_often(tally, attempt)
        self.assertGreater(tally.lost, KILLS // 2)  # of one or the other the last block alone may be missing, which says nothing

    def begin_restores(self):
        """Two copies, and a check whether a log is one of theirs."""
        self.snl("db", "backup", "old.db")
        self.snl("roll", "g", "-n", "10")
        self.snl("db", "backup", "new.db")
        logs = [self.commits_in(self.folder / copy) for copy in ("old.db", "new.db")]
        self.assertNotEqual(*logs)
        return lambda commits: commits in logs

    def has_unfinished_log(self):
        try:
            return self.log.stat().st_size > 0
        except FileNotFoundError:
            return False

    def test_a_restore_leaves_the_old_store_or_the_new_one(self):
        tally = snl.Tally("restore interrupted", "lost", "undetected", "false_alarms")
        is_either = self.begin_restores()
        restore = lambda copy: (self.has_unfinished_log, snl.PROGRAM, "db", "restore", copy, "--force")
        calls = {copy: self.calls_in_the_middle(*restore(copy)) for copy in ("old.db", "new.db")}

        def attempt(number):
            copy = self.random.choice(list(calls))
            self.strike(calls[copy], *restore(copy))
            self.look(tally, self.store, is_either)
            self.assertFalse(self.has_unfinished_log())

        self.strike_often(tally, attempt)
        self.assertEqual(tally.bad(), {}, f"seed {SEED}")

    def test_a_restore_is_seen_to_be_half_done_where_it_is_a_copy_in_place(self):
        tally = snl.Tally("control: restore interrupted, a copy in place", "lost", "undetected", "false_alarms")
        is_either = self.begin_restores()
        how = (lambda: True, *self.DD, "if=new.db", f"of={self.store}")
        calls = self.calls_in_the_middle(*how)

        def attempt(number):
            shutil.copy(self.folder / "old.db", self.store)
            self.strike(calls, *how)
            self.look(tally, self.store, is_either)

        self.strike_often(tally, attempt)
        self.assertGreater(tally.lost, KILLS // 2)  # of one or the other the last block alone may be missing, which says nothing

    def test_a_compaction_leaves_every_row(self):
        tally = snl.Tally("compaction interrupted", "lost", "undetected", "false_alarms")
        self.snl("db", "compact")
        before = self.contents()
        how = (self.has_unfinished_log, snl.PROGRAM, "db", "compact")
        calls = self.calls_in_the_middle(*how)

        def attempt(number):
            self.strike(calls, *how)
            self.look(tally, self.store, lambda commits: commits == self.commits)
            tally.false_alarms += self.run_snl("db", "check").code != 0

        self.strike_often(tally, attempt)
        self.snl("db", "compact")
        self.assertEqual(self.contents(), before)
        self.assertEqual(tally.bad(), {}, f"seed {SEED}")


if __name__ == "__main__":
    snl.main()
