"""Goal: a turn is acknowledged only where it can be found again: in the file that the store's path leads to,
under the file's one name. Method: stores are moved, deleted, replaced, linked and mounted while processes have
them open, between turns and at any moment during play. Each turn is sent only after the answer to the one before.
A turn that was sent when the change was over, and acknowledged, must be in the store. Controls do the same with
SQLite alone, and lose rows.

12 changes of each kind without SNL_TORTURE; SNL_TORTURE=N makes 60 times N. SNL_SEED=N repeats a run that failed.
"""

import json
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import threading
import time

import snl

TRIES = 60 * int(os.environ["SNL_TORTURE"]) if "SNL_TORTURE" in os.environ else 12
SEED = int(os.environ.get("SNL_SEED", "0")) or random.randrange(1, 2**32)
LONGEST_WAIT = 0.02  # seconds from the first turn to the change
TURNS_AFTER = 5  # at least, of those that may still be answered


def log_of(store):
    return pathlib.Path(f"{store}-wal")


class Places(snl.CommandLineTest):
    """The messages about a store's place, and whether they are true."""

    def setUp(self):
        super().setUp()
        self.place = self.folder / "a.db"
        self.elsewhere = self.folder / "b.db"
        self.snl("new", "Ann", "Bob", "--cells", "1000", "--id", "g", "--dice", "1", "--sixes", "plain", db=self.place)
        self.players = self.turns()

    @staticmethod
    def turns():
        while True:
            yield "Ann 2\n"
            yield "Bob 3\n"

    def open_stream(self, store=None):
        stream = self.popen("--db", store or self.place, "play", "g", "-", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)
        self.addCleanup(stream.communicate)
        self.addCleanup(stream.kill)
        return stream

    def play(self, stream):
        stream.stdin.write(next(self.players).encode())
        stream.stdin.flush()
        return stream.stdout.readline().decode()

    def assert_refuses(self, stream, pattern):
        """Plays a turn, which isn't recorded."""
        self.assertEqual(self.play(stream), "")
        error = stream.stderr.read().decode()
        self.assertEqual(stream.wait(snl.PATIENCE), 1)
        self.assertRegex(error, rf"\Asnl: store {self.place}: [^\n]*{pattern}[^\n]*\n\Z")
        self.assertRegex(error, "nothing new was recorded")
        self.assertRegex(error, snl.NEXT_STEP)

    def version_in(self, store):
        self.snl("audit", db=store)
        return self.json("show", "g", db=store)["version"]

    def test_a_store_that_was_moved_takes_no_turn_and_says_where_it_is(self):
        stream = self.open_stream()
        self.assertEqual(self.play(stream), "Ann,3,Bob,CONTINUE\n")
        self.place.rename(self.elsewhere)
        self.assert_refuses(stream, f"moved .*{self.elsewhere}")
        self.assertFalse(self.place.exists())
        self.assertEqual(self.version_in(self.elsewhere), 2)

    def test_what_others_did_with_a_store_that_was_moved_stays_when_it_is_closed_in_its_old_place(self):
        stream = self.open_stream()
        self.play(stream)
        self.place.rename(self.elsewhere)
        turns = self.snl("roll", "g", "-n", "7", db=self.elsewhere)  # who goes on there has not seen all
        stream.communicate()
        self.assertEqual(turns.count("\n"), 7)
        self.assertEqual(self.version_in(self.elsewhere), 8)

    def test_a_store_whose_folder_was_moved_takes_no_turn(self):
        folder = self.folder / "here"
        folder.mkdir()
        self.place = self.place.rename(folder / "a.db")
        stream = self.open_stream()
        self.play(stream)
        folder.rename(self.folder / "there")
        self.assert_refuses(stream, f"moved .*{self.folder}/there/a.db")
        self.assertEqual(self.version_in(self.folder / "there" / "a.db"), 2)

    def test_a_store_that_was_deleted_takes_no_turn(self):
        for leftover in ("", "-wal", "-shm"):
            with self.subTest(f"the last one deleted is a.db{leftover}"):
                self.elsewhere.unlink(missing_ok=True)
                self.snl("db", "backup", self.elsewhere, db=self.place)
                stream = self.open_stream()
                self.play(stream)
                for ending in sorted(("", "-wal", "-shm"), key=lambda each: each == leftover):
                    pathlib.Path(f"{self.place}{ending}").unlink()
                self.assert_refuses(stream, "deleted")
                for ending in ("", "-wal", "-shm"):
                    pathlib.Path(f"{self.place}{ending}").unlink(missing_ok=True)
                shutil.copy(self.elsewhere, self.place)
                self.players = self.turns()

    def test_a_store_in_whose_place_is_another_takes_no_turn(self):
        self.snl("db", "backup", self.elsewhere, db=self.place)
        stream = self.open_stream()
        self.play(stream)
        self.elsewhere.rename(self.place)
        self.assert_refuses(stream, "another file .*deleted")

    def test_a_link_that_leads_to_another_store_now_takes_no_turn(self):
        other = self.folder / "other.db"
        self.snl("db", "backup", other, db=self.place)
        self.place = self.place.rename(self.elsewhere)
        self.place = self.folder / "link.db"
        self.place.symlink_to(self.elsewhere)
        stream = self.open_stream()
        self.play(stream)
        self.place.unlink()
        self.place.symlink_to(other)
        self.assert_refuses(stream, f"another file .*{self.elsewhere}")
        self.assertEqual((self.version_in(self.elsewhere), self.version_in(other)), (2, 1))

    def test_a_store_that_was_moved_and_put_back_goes_on(self):
        stream = self.open_stream()
        self.play(stream)
        self.place.rename(self.elsewhere)
        self.elsewhere.rename(self.place)
        self.assertEqual(self.play(stream), "Bob,4,Ann,CONTINUE\n")

    def test_a_store_whose_log_was_deleted_takes_no_turn(self):
        stream = self.open_stream()
        self.play(stream)
        log_of(self.place).unlink()
        self.assert_refuses(stream, "-wal")
        self.assertEqual(self.version_in(self.place), 2)  # the process had it open, and brought it in as it ended

    def test_all_turns_of_an_atomic_stream_are_refused_where_the_store_was_moved(self):
        self.place.rename(self.elsewhere)
        self.refused(3, "no game", "play", "g", "-", "--atomic", input="Ann 2\n", db=self.place)
        self.elsewhere.rename(self.place)

    def test_a_follower_is_told_that_its_store_is_gone(self):
        for command in (["log", "--follow"], ["watch", "g"]):
            with self.subTest(command):
                follower = self.popen("--db", self.place, *command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                self.addCleanup(follower.kill)
                if command[0] == "log":
                    follower.stdout.readline()
                else:  # it reads by now, so it has opened all of it: a file that is moved before is another story
                    self.assertTrue(snl.wait_for(lambda: os.path.exists(f"/proc/{follower.pid}/fd") and any(
                        os.path.realpath(f"/proc/{follower.pid}/fd/{each}") == f"{self.place}-shm"
                        for each in os.listdir(f"/proc/{follower.pid}/fd"))))
                self.place.rename(self.elsewhere)
                self.assertEqual(follower.wait(snl.PATIENCE), 1)
                error = follower.communicate()[1].decode()
                self.assertRegex(error, rf"\Asnl: store {self.place}: its file was moved [^\n]*{self.elsewhere}[^\n]*\n\Z")
                self.assertNotIn("recorded", error)
                self.elsewhere.rename(self.place)

    # ---- Two names

    def test_a_store_with_two_names_takes_no_turn_under_either(self):
        exported = self.snl("export", "g", db=self.place)
        os.link(self.place, self.elsewhere)
        before = self.place.read_bytes()
        for store in (self.place, self.elsewhere):
            for command in (["play", "g", "Ann", "2"], ["roll", "g"], ["undo", "g"], ["new", "Ann", "Bob"], ["db", "migrate"],
                            ["db", "compact"], ["import", "-"], ["simulate", "--games", "1", "--save"]):
                with self.subTest(store=store.name, command=command):
                    self.refused(1, f"{store}: its file has 2 names .*find / -xdev -samefile {store}", *command, db=store,
                                 input=exported)
        self.assertEqual(self.place.read_bytes(), before)
        self.elsewhere.unlink()
        self.snl("play", "g", "Ann", "2", db=self.place)

    def test_nothing_is_restored_into_or_copied_to_a_store_with_two_names(self):
        copy = self.folder / "copy.db"
        self.snl("db", "backup", copy, db=self.place)
        os.link(self.place, self.elsewhere)
        self.refused(1, "2 names", "db", "restore", copy, "--force", db=self.elsewhere)
        self.refused(1, "2 names", "db", "copy", copy, self.elsewhere)

    def test_a_second_name_given_while_the_store_is_open_ends_the_turns(self):
        stream = self.open_stream()
        self.play(stream)
        os.link(self.place, self.elsewhere)
        self.assert_refuses(stream, "2 names")
        self.elsewhere.unlink()
        self.assertEqual(self.version_in(self.place), 2)

    def test_an_audit_or_a_backup_under_two_names_says_that_it_may_not_see_all(self):
        os.link(self.place, self.elsewhere)
        for store in (self.place, self.elsewhere):
            for command in (["audit"], ["audit", "g"], ["db", "backup", f"{store.name}.copy"]):
                result = self.run_snl(*command, db=store)
                self.assertEqual(result.code, 0, result)
                self.assertRegex(result.err, rf"\Asnl: store {store}: its file has 2 names [^\n]*\n\Z")
            self.assertRegex(self.json("db", "info", db=store)["notes"][0], "2 names")
        self.elsewhere.unlink()
        self.assertNotIn("notes", self.json("db", "info", db=self.place))

    def test_a_link_to_a_store_is_no_second_name(self):
        self.elsewhere.symlink_to(self.place)
        stream = self.open_stream()
        self.play(stream)
        self.assertEqual(self.play(self.open_stream(self.elsewhere)), "Bob,4,Ann,CONTINUE\n")

    def where_it_is_mounted(self, what, place, *args):
        """Runs snl as root in mounts of its own, where it may mount; skips where nobody may."""
        kind = ["--mount"] if os.geteuid() == 0 else ["--mount", "--map-root-user"]
        script = 'mount --bind "$0" "$1" || exit 99; place=$1; shift; "$@"; code=$?; umount "$place"; exit $code'
        # The latter in a chroot whose root is no mount point, where no mounts can be made private.
        for propagation in ("private", "unchanged"):
            done = subprocess.run(["unshare", *kind, "--propagation", propagation, "sh", "-c", script, what, place, snl.PROGRAM, *args],
                                  capture_output=True, text=True, cwd=self.folder, env=self.environment, timeout=snl.PATIENCE)
            if "unshare: " not in done.stderr and done.returncode != 99:
                return done
        self.skipTest("nothing can be mounted here")

    def test_a_file_that_is_mounted_by_itself_takes_no_turn_and_its_folder_does(self):
        self.elsewhere.touch()
        result = self.where_it_is_mounted("a.db", "b.db", "--db", "b.db", "play", "g", "Ann", "2")
        self.assertEqual((result.returncode, result.stdout), (1, ""), result)
        self.assertRegex(result.stderr, r"\Asnl: store b.db: the file itself is mounted .*; use a mount of its folder instead\n\Z")
        self.elsewhere.unlink()
        (self.folder / "mounted").mkdir()
        result = self.where_it_is_mounted(".", "mounted", "--db", "mounted/a.db", "play", "g", "Ann", "2")
        self.assertEqual((result.returncode, result.stdout), (0, "Ann,3,Bob,CONTINUE\n"), result)


# ---- At any moment

class Writer:
    """A process that is sent a line for each turn, and answers with one that is more than its end."""

    def __init__(self, process, number):
        self.process, self.number = process, number

    def write(self):
        """The number of the turn, if it was acknowledged."""
        try:
            self.process.stdin.write(b"%s 1\n" % (b"Ann", b"Bob")[self.number % 2])
            self.process.stdin.flush()
        except BrokenPipeError:
            return None
        if not self.process.stdout.readline().strip():
            return None
        self.number += 1
        return self.number

    def end(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.process.wait(snl.PATIENCE)
        self.process.stdout.close()


PIPES = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}


class SnlWriter(Writer):
    def __init__(self, test, store, number):
        super().__init__(test.popen("--db", store, "play", "g", "-", **PIPES), number)


class BareWriter(Writer):
    """Plain SQLite with its safest settings. It answers with the numbers of turns."""

    PROGRAM = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA synchronous = FULL")
database.execute("PRAGMA journal_mode = WAL")
database.execute("CREATE TABLE IF NOT EXISTS turns (number INTEGER PRIMARY KEY, turn TEXT)")
for line in sys.stdin:
    print(database.execute("INSERT INTO turns (turn) VALUES (?)", [line]).lastrowid, flush=True)
database.close()
"""

    def __init__(self, test, store, number):
        super().__init__(subprocess.Popen([sys.executable, "-c", self.PROGRAM, store], **PIPES), number)


class AtAnyMoment(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.random = random.Random(SEED)
        self.addCleanup(lambda: print(f"SNL_SEED={SEED}", flush=True))
        self.place, self.elsewhere = self.folder / "a.db", self.folder / "b.db"

    def fresh(self, writer):
        for file in self.folder.glob("*.db*"):
            file.unlink()
        if writer is SnlWriter:
            self.snl("new", "Ann", "Bob", "--cells", "100000", "--id", "g", "--sixes", "plain", db=self.place)
        else:
            BareWriter(self, self.place, 0).end()

    def turns_in(self, writer, store):
        """The number of turns in a closed store; they are numbered from 1 on."""
        if not store.exists():
            return 0
        if writer is SnlWriter:
            replay = self.run_snl("replay", "g", "--json", db=store)  # which fails for what others have broken
            return len(replay.out.splitlines())
        database = sqlite3.connect(store)
        try:
            return database.execute("SELECT count(*) FROM turns").fetchone()[0]
        finally:
            database.close()

    # The change of a store, and the place of its turns afterwards.

    def move(self):
        self.place.rename(self.elsewhere)
        return self.elsewhere

    def delete(self):
        self.place.unlink()
        return self.place

    def replace(self):
        shutil.copy(self.place, self.elsewhere)  # as careless as people are
        self.elsewhere.rename(self.place)
        return self.place

    def change_once(self, writer, change, tally):
        """Of the turns that were sent after the change, those that were acknowledged must be there."""
        self.fresh(writer)
        writing = writer(self, self.place, 0)
        self.assertIsNotNone(writing.write())
        over = threading.Event()
        found = []

        def change_it():
            time.sleep(self.random.uniform(0, LONGEST_WAIT))
            found.append(change())
            over.set()

        changing = threading.Thread(target=change_it)
        changing.start()
        before, after = 1, 0
        while after < TURNS_AFTER:
            was_over = over.is_set()
            if writing.write() is None:
                break
            if was_over:
                after += 1
            else:
                before += 1
        changing.join()
        writing.end()
        there = self.turns_in(writer, found[0])
        tally.tried += 1
        tally.acknowledged += before + after
        missing = max(0, before + after - there)
        # A file that is deleted takes the earlier turns with it; one that is moved doesn't.
        tally.lost += missing if change == self.move else min(after, missing)

    def change_many(self, name, writer):
        tally = snl.Tally(name, "acknowledged", "lost")
        for _ in range(TRIES):
            for change in (self.move, self.delete, self.replace):
                self.change_once(writer, change, tally)
        tally.print()
        return tally

    def test_a_store_that_is_gone_takes_no_turn(self):
        tally = self.change_many("a store moved, deleted or replaced under its writer", SnlWriter)
        self.assertEqual(tally.bad(), {})

    def test_sqlite_alone_writes_to_a_file_that_is_gone(self):
        tally = self.change_many("control: a file moved, deleted or replaced under SQLite alone", BareWriter)
        self.assertGreater(tally.lost, 0)

    def link_many(self, name, writer):
        """One writes under each name, by turns, the first since before there were two."""
        tally = snl.Tally(name, "acknowledged", "lost")
        for _ in range(TRIES):
            self.fresh(writer)
            acknowledged = 0
            first = writer(self, self.place, 0)
            for _ in range(self.random.randrange(1, 4)):
                self.assertIsNotNone(first.write())
                acknowledged += 1
            os.link(self.place, self.elsewhere)
            second = writer(self, self.elsewhere, acknowledged)
            for _ in range(3):
                for each in (first, second) if self.random.random() < 0.5 else (second, first):
                    acknowledged += each.write() is not None
            first.end()
            second.end()
            self.elsewhere.unlink()
            tally.tried += 1
            tally.acknowledged += acknowledged
            tally.lost += acknowledged - self.turns_in(writer, self.place)
        tally.print()
        return tally

    def test_a_store_with_two_names_loses_no_turn(self):
        self.assertEqual(self.link_many("a store written under two names", SnlWriter).bad(), {})

    def test_sqlite_alone_loses_what_is_written_under_two_names(self):
        tally = self.link_many("control: a file written under two names by SQLite alone", BareWriter)
        self.assertGreater(tally.lost, 0)


if __name__ == "__main__":
    snl.main()
