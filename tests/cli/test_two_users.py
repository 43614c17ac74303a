"""Goal: two users of one machine share a store, and neither harms the other. A user who may only read sees all turns,
reports no false damage, loses nothing, and leaves nothing that hinders the owner.

Method: this test (as root) runs the program as two users, in folders with all kinds of permissions. The owner plays
while the other reads, follows, is killed. Then the same on a disk that is full, and with every signal that ends a
process.

SNL_TORTURE=N makes N times as many tries; SNL_SEED=N repeats a run that failed.
"""

import ctypes
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import snl
from halted import Halted

FACTOR = int(os.environ.get("SNL_TORTURE", "1"))
SEED = int(os.environ.get("SNL_SEED", "0")) or random.randrange(1, 2**32)
OWNER, READER, TOGETHER = 1000, 65534, 3000
READING = (
    ("show", "g"), ("list",), ("log",), ("log", "g", "--json"), ("replay", "g"), ("audit", "g"),
    ("audit", "--all"), ("export", "g"), ("analyze", "g"), ("db", "info"), ("db", "check"),
)
WRITING = (
    ("new", "--board", "empty", "C", "D"), ("roll", "g"), ("play", "g", "Ann", "1"), ("undo", "g"), ("redo", "g"), ("branch", "g", "--at", "1"),
    ("simulate", "--board", "class", "--games", "200", "--seed", "1", "--save"), ("db", "compact"),
)
UNSOUND = 4


def user(uid):
    return {"user": uid, "group": uid, "extra_groups": [TOGETHER]}


class SharedStore(snl.CommandLineTest):
    """A store of the owner, in a folder that the other user can enter."""

    @classmethod
    def setUpClass(cls):
        if os.geteuid() != 0:
            raise unittest.SkipTest("only root can become two users")

    def setUp(self):
        super().setUp()
        self.folder.chmod(0o755)
        # Other users may have no access to the build's folder.
        self.environment["PATH"] = os.environ["PATH"]
        self.program = shutil.copy(snl.PROGRAM, self.folder / "snl")
        self.random = random.Random(SEED)

    def popen(self, *args, **options):
        program, snl.PROGRAM = snl.PROGRAM, str(self.program)
        try:
            return super().popen(*args, **options)
        finally:
            snl.PROGRAM = program

    def place(self, mode, uid=OWNER, gid=OWNER):
        """A folder for the store."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        os.chown(folder, uid, gid)
        folder.chmod(mode)
        return folder

    def share(self, mode, umask=0o022, turns=3, gid=OWNER):
        folder = self.place(mode, gid=gid)
        self.db = folder / "store.db"
        self.as_owner("new", "Ann", "Bob", "--board", "class", "--seed", "4", "--id", "g", umask=umask)
        self.as_owner("roll", "g", "-n", turns, umask=umask)
        return folder

    def as_owner(self, *args, **options):
        result = self.run_snl(*args, db=self.db, **user(OWNER), **options)
        self.assertEqual(result.code, 0, result)
        return result.out

    def as_reader(self, *args, **options):
        return self.run_snl(*args, db=self.db, **user(READER), **options)

    def reader_begins(self, *args, **options):
        return self.popen("--db", self.db, *args, **user(READER), **options)

    def beside(self, folder):
        """Every file of the folder, with whose it is, what may be done to it, and its bytes."""
        return {path.name: (path.stat().st_uid, path.stat().st_mode, path.read_bytes()) for path in folder.iterdir()}

    def owner_is_locked_out(self):
        return self.run_snl("roll", "g", db=self.db, **user(OWNER)).code != 0

    def report(self, tally):
        tally.print()
        self.assertEqual(tally.bad(), {}, f"of {tally.tried}, seed {SEED}")

    def commits(self):
        return len(self.as_owner("log").splitlines())


class AKey(SharedStore):
    def test_signs_for_its_own_user_alone(self):
        key = self.share(0o777) / "club.key"
        self.as_owner("key", "new", "club.example/log", key)
        signed = (self.db.parent / "club.key.signed").read_text()
        for result, says in ((self.as_reader("checkpoint", "--log-key", key), "it can't be read"),
                             (self.run_snl("checkpoint", "--log-key", key, db=self.db), "it belongs to another user")):  # root
            self.assertEqual((result.code, result.out), (1, ""))
            self.assertIn(says, result.err)
            self.assertEqual((self.db.parent / "club.key.signed").read_text(), signed)
        self.assertIn("club.example/log\n4\n", self.as_owner("checkpoint", "--log-key", key))


# The folder's permissions for others, and the owner's umask.
SHARES = [(mode, umask) for mode in (0o755, 0o777, 0o1777, 0o2775) for umask in (0o022, 0o002, 0o000, 0o077)]


class AGuest(SharedStore):
    def test_leaves_nothing_behind_and_the_owner_plays_on(self):
        tally = snl.Tally("a reader in each kind of folder", "lost", "false_alarms")
        for mode, umask in SHARES:
            folder = self.share(mode, umask, gid=TOGETHER if mode == 0o2775 else OWNER)
            readable = umask != 0o077
            for command in READING:
                before = self.beside(folder)
                result = self.as_reader(*command)
                tally.tried += 1
                tally.lost += self.beside(folder) != before
                tally.false_alarms += result.code != (0 if readable else 1)
                self.assertLessEqual(result.err.count("\n"), 1, result)
                tally.false_alarms += self.owner_is_locked_out()
        self.report(tally)

    def test_is_seen_to_leave_files_behind_with_plain_sqlite(self):
        tally = snl.Tally("control: a reader with plain SQLite", "lost")
        for mode in (0o777, 0o1777):
            folder = self.share(mode)
            before = self.beside(folder)
            subprocess.run(["sqlite3", self.db, "SELECT count(*) FROM games"], stdout=subprocess.DEVNULL, check=True, **user(READER))
            tally.tried += 1
            tally.lost += self.beside(folder) != before
        tally.print()
        self.assertEqual(tally.lost, tally.tried)

    def test_who_is_killed_leaves_nothing_behind(self):
        tally = snl.Tally("a reader is killed", "lost", "false_alarms")
        for mode in (0o755, 0o777, 0o1777):
            folder = self.share(mode)
            for during in range(2 * FACTOR):
                before = set(path.name for path in folder.iterdir())
                follower = self.reader_begins("log", "g", "--follow", stdout=subprocess.PIPE)
                follower.stdout.readline()  # it is reading
                if during % 2 == 1:
                    self.as_owner("roll", "g")
                follower.kill()
                follower.communicate()
                tally.tried += 1
                tally.lost += any(path.stat().st_uid != OWNER for path in folder.iterdir())
                tally.lost += during % 2 == 0 and set(path.name for path in folder.iterdir()) != before
                tally.false_alarms += self.owner_is_locked_out()
        self.report(tally)

    def test_makes_no_files_that_the_owner_could_not_write(self):
        """Both may write to the store, as members of a group that isn't the second user's primary one."""
        folder = self.share(0o775, umask=0o002)
        os.chown(folder, OWNER, TOGETHER)
        os.chown(self.db, OWNER, TOGETHER)
        os.chmod(self.db, 0o664)
        follower = self.reader_begins("log", "g", "--follow", stdout=subprocess.PIPE)
        try:
            follower.stdout.readline()
            self.as_owner("roll", "g")
        finally:
            follower.kill()
            follower.communicate()

    def test_accuses_nobody_while_the_owner_plays(self):
        tally = snl.Tally("a reader audits while the owner plays", "false_alarms")
        for mode in (0o755, 0o777):
            self.share(mode)
            self.as_owner("simulate", "--board", "class", "--games", "400", "--seed", "1", "--save")
            player = subprocess.Popen(
                ["timeout", str(snl.PATIENCE), "sh", "-c", 'while "$0" --db "$1" roll g -n 20 >"$2" || test -e "$1"; do "$0" --db "$1" new Ann Bob --id "g$((i += 1))" >"$2"; done',
                 self.program, self.db, os.devnull],
                env=self.environment, start_new_session=True, stderr=subprocess.DEVNULL, **user(OWNER))
            try:
                for _ in range(8 * FACTOR):
                    for command in (("audit", "--all"), ("list",), ("show", "g"), ("db", "check")):
                        result = self.as_reader(*command)
                        tally.tried += 1
                        tally.false_alarms += result.code != 0
                        if result.code != 0:
                            print(command, result.err, flush=True)
            finally:
                os.killpg(player.pid, signal.SIGKILL)
                player.wait()
            self.assertEqual(self.run_snl("audit", "--all", db=self.db, **user(OWNER)).code, 0)
        self.report(tally)

    def test_sees_every_turn_that_the_owner_plays(self):
        tally = snl.Tally("a reader follows while the owner plays", "acknowledged", "lost")
        for mode in (0o755, 0o777, 0o1777):
            self.share(mode)
            log = self.folder / f"log-{mode}"
            with open(log, "wb") as lines:
                follower = self.reader_begins("log", "g", "--follow", stdout=lines)
            for _ in range(12 * FACTOR):
                self.as_owner("roll", "g")
                tally.tried += 1
            seen = lambda: len(log.read_text().splitlines())
            recorded = self.commits()
            snl.wait_for(lambda: seen() >= recorded)
            tally.acknowledged += recorded
            tally.lost += recorded - seen()
            follower.terminate()
            follower.wait()
        self.report(tally)

    def test_reads_what_a_killed_owner_left(self):
        """Turns that are only in the owner's write-ahead log, while no process has the store open."""
        tally = snl.Tally("a reader opens what a killed owner left", "acknowledged", "lost", "false_alarms")
        for mode in (0o755, 0o777, 0o1777):
            folder = self.share(mode)
            for _ in range(3 * FACTOR):
                player = self.popen("--db", self.db, "play", "g", "-", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, **user(OWNER))
                name = "Ann" if self.json("show", "g", db=self.db)["next"] == "Ann" else "Bob"
                player.stdin.write(f"{name} 1\n")
                player.stdout.readline()
                acknowledged = self.json("show", "g", db=self.db)["version"]
                player.kill()
                player.communicate()
                before = self.beside(folder)
                shown = self.as_reader("show", "g", "--json")
                tally.tried += 1
                tally.acknowledged += acknowledged
                tally.false_alarms += shown.code != 0
                tally.lost += shown.code == 0 and json.loads(shown.out)["version"] != acknowledged
                self.assertEqual(self.beside(folder), before)
                self.as_owner("roll", "g")
        self.report(tally)

    def test_who_may_not_write_is_told_so_and_changes_nothing(self):
        for mode in (0o755, 0o777, 0o1777):
            folder = self.share(mode)
            before = self.beside(folder)
            for command in WRITING:
                result = self.as_reader(*command)
                self.assertEqual(result.code, 1, (command, result))
                self.assertRegex(result.err, r"\Asnl: [^\n]*can't be written[^\n]*\n\Z")
                self.assertTrue(self.beside(folder) == before, (command, sorted(self.beside(folder))))


class AMakerOfAStore(SharedStore):
    def test_is_met_by_readers_who_see_an_empty_store_or_a_game(self):
        tally = snl.Tally("a reader comes while a store is made", "false_alarms")
        for attempt in range(20 * FACTOR):
            self.db = self.place(0o777) / "store.db"
            maker = self.popen("--db", self.db, "new", "--board", "empty", "Ann", "Bob", stdout=subprocess.DEVNULL, **user(OWNER))
            while maker.poll() is None:
                if self.db.exists():
                    for uid in (OWNER, READER):
                        tally.tried += 1
                        tally.false_alarms += self.run_snl("list", db=self.db, **user(uid)).code != 0
            self.assertEqual(maker.wait(), 0)
        self.report(tally)

    def test_who_is_killed_leaves_nothing_that_readers_refuse(self):
        tally = snl.Tally("the maker of a store is killed", "false_alarms")
        for attempt in range(20 * FACTOR):
            self.db = self.place(0o777) / "store.db"
            maker = self.popen("--db", self.db, "new", "--board", "empty", "Ann", "Bob", stdout=subprocess.DEVNULL, **user(OWNER))
            while maker.poll() is None and not self.db.exists():
                pass
            time.sleep(self.random.uniform(0, 0.004))
            maker.kill()
            maker.wait()
            if not self.db.exists():
                continue
            tally.tried += 1
            for command in (("list",), ("new", "--board", "empty", "Ann", "Bob")):
                tally.false_alarms += self.run_snl(*command, db=self.db, **user(OWNER)).code != 0
        self.report(tally)


# ---- A full disk

def private_mounts():
    """A namespace of this process's own, so that what it mounts is nobody else's; false where it may not."""
    new_namespace, private_and_below = 0x20000, (1 << 18) | (1 << 14)
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.unshare(new_namespace) == 0 and libc.mount(b"none", b"/", None, private_and_below, None) == 0


class AFullDisk(SharedStore):
    """A small disk, or where none can be mounted a limit on what a file may grow to."""

    def setUp(self):
        super().setUp()
        self.disk = self.place(0o755)
        self.is_mounted = private_mounts() and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size=1m,mode=755,uid={OWNER}", "none", self.disk]).returncode == 0
        if self.is_mounted:
            self.addCleanup(subprocess.run, ["umount", self.disk])
        self.db = self.disk / "store.db"
        self.as_owner("new", "Ann", "Bob", "--board", "class", "--seed", "4", "--id", "g")
        self.as_owner("roll", "g", "-n", "3")
        self.as_owner("undo", "g")

    def tally_on_the_disk(self, fault, *columns):
        tally = snl.Tally(fault, *columns)
        if self.is_mounted:
            tally.files = "tmpfs"
        return tally

    def fill(self):
        """Options for commands that find the disk full."""
        if not self.is_mounted:
            return {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))}
        with open(self.disk / "ballast", "wb", buffering=0) as ballast:
            for size in (65536, 4096, 1):
                try:
                    while True:
                        ballast.write(b"x" * size)
                except OSError:
                    pass
        return {}

    def test_keeps_nobody_from_reading(self):
        tally = self.tally_on_the_disk("a command that reads on a full disk", "false_alarms")
        wanted = {command: self.run_snl(*command, db=self.db, **user(OWNER)) for command in READING}
        full = self.fill()
        for uid in (OWNER, READER):
            for command in READING:
                with tempfile.TemporaryFile() as out:  # elsewhere, so that there is space for it
                    if full:
                        process = self.popen("--db", self.db, *command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **full, **user(uid))
                        printed, _ = process.communicate(timeout=snl.PATIENCE)
                        code = process.returncode
                    else:
                        code, printed, _ = self.run_snl(*command, db=self.db, **user(uid))
                tally.tried += 1
                tally.false_alarms += (code, printed) != (wanted[command].code, wanted[command].out)
        self.report(tally)

    def test_is_told_by_every_command_that_writes_and_harms_nothing(self):
        tally = self.tally_on_the_disk("a command that writes on a full disk", "acknowledged", "lost", "undetected", "false_alarms")
        full = self.fill()
        unclear = 0
        before = self.json("show", "g", db=self.db)
        for command in WRITING:
            result = self.run_snl(*command, db=self.db, **full, **user(OWNER))
            tally.tried += 1
            clear = result.err.startswith("snl: ") and result.err.count("\n") == 1 and (
                "full" in result.err or "grow" in result.err or "ulimit" in result.err or "can't be opened" in result.err)
            tally.undetected += result.code == 0
            tally.false_alarms += result.code == UNSOUND or "damaged" in result.err
            unclear += result.code != 1 or not clear
            if result.code != 1 or not clear:
                print(command, result, flush=True)
        if self.is_mounted:
            (self.disk / "ballast").unlink()
        tally.acknowledged += before["version"]
        tally.lost += before["version"] - self.show("g", db=self.db)["version"]
        tally.false_alarms += self.run_snl("audit", "--all", db=self.db).code != 0
        tally.false_alarms += self.owner_is_locked_out()
        self.report(tally)
        self.assertEqual(unclear, 0)


# ---- Signals of every kind

SILENT = {signal.SIGCHLD, signal.SIGCONT, signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU, signal.SIGURG, signal.SIGWINCH}
FATAL = sorted(set(signal.valid_signals()) - SILENT - {signal.SIGKILL, signal.SIGXFSZ})  # past a limit, a write fails instead


class ASignal(SharedStore):
    """Each signal comes while a command stands before a change of a file, with something unfinished."""

    def setUp(self):
        super().setUp()
        self.share(0o755)
        self.as_owner("simulate", "--board", "class", "--games", "20", "--seed", "1", "--save")
        self.as_owner("new", "Kim", "Lee", "--cells", "10000", "--seed", "1", "--id", "long")
        self.as_owner("roll", "long", "-n", "100")
        self.work = self.place(0o755)

    def begin(self, *command):
        return Halted(self, lambda **options: self.popen(
            "--db", self.db, *command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.work, **user(OWNER), **options))

    def strike_with_each(self, tally, is_unfinished, *command):
        """Yields after each strike."""
        calls = self.begin(*command).count(is_unfinished)
        self.assertGreater(calls, 2)
        yield
        for sent in FATAL * FACTOR:
            running = self.begin(*command)
            self.assertTrue(running.stops_when(is_unfinished, before=self.random.randrange(calls)), f"seed {SEED}")
            running.process.send_signal(sent)
            self.assertNotEqual(running.wait(), 0, f"{sent} doesn't end it, seed {SEED}")
            tally.tried += 1
            yield
        tally.print()
        self.assertEqual(tally.bad(), {})

    def unfinished(self):
        return list(self.work.glob("out.??????"))

    def test_leaves_nothing_of_a_backup_or_an_export(self):
        for what, command in (("db backup", ("db", "backup", "out", "--force")),
                              ("export", ("export", "long", "-f", "html", "-o", "out", "--force"))):
            self.as_owner(*command, cwd=self.work)
            whole = (self.work / "out").read_bytes()
            tally = snl.Tally(f"a signal of every kind at {what}", "lost")
            for _ in self.strike_with_each(tally, self.unfinished, *command):
                tally.lost += len(self.unfinished()) + ((self.work / "out").read_bytes() != whole)
                for path in self.unfinished():
                    path.unlink()

    def has_unfinished_log(self):
        try:
            return os.stat(f"{self.db}-wal").st_size > 0
        except FileNotFoundError:
            return False

    def test_leaves_the_old_store_or_the_new_one_of_a_restore(self):
        self.as_owner("new", "Kim", "Lee", "--cells", "100000", "--seed", "1", "--id", "endless")
        self.as_owner("db", "backup", self.work / "copy")
        logs = [self.contents(self.db)["commits"]]
        self.as_owner("roll", "endless")
        logs.append(self.contents(self.db)["commits"])
        tally = snl.Tally("a signal of every kind at db restore", "lost", "undetected", "false_alarms")
        for _ in self.strike_with_each(tally, self.has_unfinished_log, "db", "restore", self.work / "copy", "--force"):
            is_right = self.contents(self.db)["commits"] in logs
            tally.lost += not is_right
            tally.judge(is_right, self.run_snl("audit", db=self.db, **user(OWNER)).code == 0)
            self.as_owner("roll", "endless")  # so that there is something to restore
            logs[1] = self.contents(self.db)["commits"]


if __name__ == "__main__":
    snl.main()
