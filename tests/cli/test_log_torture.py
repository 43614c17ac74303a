"""Goal: a key never signs two histories, and signed checkpoints stay true, whatever a kill, a forger, a thief or an
older copy does to key and store. A log that was not harmed continues.

Method: `snl checkpoint` is killed before each of its changes to a file (killed_signing.py), and so is a witness. Forgers record games anew
and sign them by the true key; two operators use copies of one store and one key; copies of any age are restored. A
witness, a kept checkpoint, and the key itself must distinguish these from a log that continues. The controls show that
this is impossible without them.

40 kills and 4 tries of each other fault without SNL_TORTURE; SNL_TORTURE=N makes 500 times N and 60 times N. SNL_SEED=N
repeats a run that failed.
"""

import contextlib
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import threading
import types

import club
import halted
import snl

sys.path.insert(0, str(snl.TESTS / "reader"))

from killed_signing import SEED, KilledSigning
from snl_reader import leaf_hash, read_checkpoint, tree_hash

TIMES = 60 * int(os.environ.get("SNL_TORTURE", "0")) or 4


def rows(store, select):
    with contextlib.closing(sqlite3.connect(store)) as database:
        return database.execute(select).fetchall()


def hashes_of(store):
    return [hash_ for (hash_,) in rows(store, "SELECT hash FROM commits ORDER BY position")]


class Killed(KilledSigning):
    def hashes(self):
        return hashes_of(self.store)

    def kept_in_store(self):
        return [note for row in rows(self.store, "SELECT signed, published FROM checkpoints") for note in row]

    def test_signers_of_a_log(self):
        self.torture("killed signers of a log")


class KilledWitness(club.Club):
    def asked(self, stop=None):
        """A witness that is killed before this change to a file, of those since it began, is asked to cosign. Returns
        whether the checkpoint is published then, and how many changes there were before the request and after it."""
        stops = 0
        victim = halted.Halted(self, lambda **options: self.popen(
            "witness", "--key", self.witness_key, "--policy", self.policy, "--state", self.folder / "state", "--listen", "127.0.0.1:0",
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, **options))
        self.addCleanup(victim.process.stdout.close)

        def go_on():
            nonlocal stops
            while victim.stops():
                stops += 1
                if stops == stop:
                    victim.process.kill()

        going = threading.Thread(target=go_on)
        going.start()
        policy = self.trusting(victim.process.stdout.readline().strip().removeprefix("listening on "))
        before = stops
        signed = self.run_snl("checkpoint", "--log-key", self.key, "--policy", policy)
        after = stops
        victim.process.kill()
        going.join()
        victim.end()
        self.assertIn(signed.code, (0, 1), signed)
        return signed.code == 0, before, after

    def kept(self):
        """The size of the checkpoint that the witness cosigned last."""
        return max((read_checkpoint(file.read_text())[1] for file in (self.folder / "state").glob("*/checkpoint")), default=0)

    def test_forgets_nothing_that_it_cosigned(self):
        tally = snl.Tally("a killed witness of a log", "acknowledged", "lost", "false_alarms")
        self.snl("new", "Ann", "Bob", "--cells", "1000000", "--id", "g")
        self.assertTrue(self.asked()[0])  # and it has made its folders
        self.snl("roll", "g")
        is_published, before, after = self.asked()
        self.assertTrue(is_published)
        self.assertGreaterEqual(after, before + 4)  # it writes, syncs, renames, and syncs the folder
        for size, stop in enumerate((*range(before + 1, after + 1), None), 3):
            self.snl("roll", "g")
            is_published, _, _ = self.asked(stop)
            tally.tried += 1
            tally.acknowledged += is_published
            tally.lost += self.kept() not in ((size,) if is_published else (size - 1, size))
            # It goes on, though the log doesn't know which of the two it has.
            process, policy = self.start_witness()
            tally.false_alarms += self.run_snl("checkpoint", "--log-key", self.key, "--policy", policy).code != 0
            process.kill()
            process.wait()
        tally.print()
        self.assertEqual(tally.bad(), {})
        self.assertTrue(is_published)  # by the one that nobody killed
        self.assertGreaterEqual(tally.tried - tally.acknowledged, 4)  # a sanitizer writes after the answer, too


class Operators(club.Club):
    def setUp(self):
        super().setUp()
        self.chance = random.Random(SEED)
        self.games = 0
        shutil.copy(f"{self.key}.signed", self.folder / "nothing.signed")
        _, self.witnessed = self.start_witness()

    def tally(self, fault, *columns):
        tally = snl.Tally(fault, *columns)
        self.addCleanup(tally.print)
        return tally

    def operator(self, name):
        """An operator with a store and a key, both still empty."""
        folder = self.folder / name
        folder.mkdir()
        return types.SimpleNamespace(db=folder / "s.db", key=folder / "key", signed=folder / "key.signed")

    def copied(self, operator, name):
        """The same store and key in other hands."""
        other = self.operator(name)
        self.snl("db", "backup", other.db, db=operator.db)
        shutil.copy(operator.key, other.key)
        shutil.copy(operator.signed, other.signed)
        return other

    def club(self):
        operator = self.operator("club")
        shutil.copy(self.key, operator.key)
        shutil.copy(self.folder / "nothing.signed", operator.signed)
        return operator

    def play(self, operator, commits):
        """A game that nobody else plays, with so many commits."""
        self.games += 1
        self.snl("new", "Ann", "Bob", "--cells", "1000000", "--id", f"g{self.games}", db=operator.db)
        if commits > 1:
            self.snl("roll", f"g{self.games}", "-n", commits - 1, db=operator.db)

    def sign_as(self, operator, policy):
        """Answers the exit code of signing."""
        return self.run_snl("checkpoint", "--log-key", operator.key, "--policy", policy, db=operator.db).code

    def audits(self, operator, *options):
        return self.run_snl("audit", *options, db=operator.db).code

    def holds_all_signed(self, store, operator):
        _, size, root = read_checkpoint(operator.signed.read_text())
        hashes = hashes_of(store)
        return size <= len(hashes) and tree_hash([leaf_hash(hash_) for hash_ in hashes[:size]]) == root

    def test_forge_a_log(self):
        witness = self.tally("a log is forged under a witness", "undetected", "false_alarms")
        kept = self.tally("a log is forged, and somebody kept a checkpoint", "undetected", "false_alarms")
        nobody = self.tally("control: a log is forged under no witness", "undetected")
        operator = self.club()
        # Where a forger may begin: stores with a key that has signed as much.
        earlier = []
        for number in range(TIMES):
            self.play(operator, self.chance.randrange(1, 9))
            witness.judge(True, self.sign_as(operator, self.witnessed) == 0)
            note = self.file("kept", operator.signed.read_text())
            kept.judge(True, self.audits(operator, "--checkpoint", note, "--policy", self.witnessed) == 0)
            earlier.append(self.copied(operator, f"earlier{number}"))
            self.play(operator, self.chance.randrange(1, 9))
            witness.judge(True, self.sign_as(operator, self.witnessed) == 0)
            note = self.file("kept", operator.signed.read_text())

            # Another history from there on, or from the beginning: shorter, as long or longer.
            forger = self.copied(self.chance.choice(earlier), f"forger{number}")
            if self.chance.random() < 0.3:
                forger.db.unlink()
            shutil.copy(self.folder / "nothing.signed", forger.signed)
            self.snl("list", db=forger.db)
            for _ in range(self.chance.randrange(1, 4)):
                self.play(forger, self.chance.randrange(1, 4 * number + 9))
            alone = self.copied(forger, f"alone{number}")

            for tally in (witness, kept, nobody):
                tally.tried += 1
            # Neither a witness cosigns it, nor is it what the witness cosigned.
            codes = [self.sign_as(forger, self.witnessed) for _ in range(2)]
            game = f"g{self.games}"
            self.run_snl("export", game, "-o", self.folder / "forged.jsonl", "--force", db=forger.db)
            proof = self.run_snl("prove", game, db=forger.db)
            witness.judge(False, codes != [4, 4] or proof.code == 0)
            # With a policy without witnesses it is published, and a reader who kept nothing sees a log like any other.
            codes = [self.sign_as(alone, self.policy), self.audits(alone, "--policy", self.policy)]
            nobody.judge(False, codes == [0, 0])
            kept.judge(False, self.audits(alone, "--checkpoint", note) != 4)
        for tally in (witness, kept):
            self.assertEqual(tally.bad(), {}, f"seed {SEED}")
        self.assertEqual(nobody.undetected, TIMES, f"seed {SEED}")

    def test_fork_a_log(self):
        witness = self.tally("two use copies of one store and one key", "undetected", "false_alarms")
        nobody = self.tally("control: two use copies under no witness", "undetected")
        first = self.club()
        for number in range(TIMES):
            self.play(first, self.chance.randrange(1, 9))
            witness.judge(True, self.sign_as(first, self.witnessed) == 0)
            both = [self.copied(first, f"{name}{number}") for name in ("one", "other")]
            alone = [self.copied(operator, f"alone{number}-{i}") for i, operator in enumerate(both)]
            owner, forked = None, set()
            for _ in range(6):
                who = self.chance.randrange(2)
                if self.chance.random() < 0.7:
                    self.play(both[who], self.chance.randrange(1, 5))
                    forked.add(who)
                if who in forked and owner is None:
                    owner = who
                witness.judge(who not in forked or who == owner, self.sign_as(both[who], self.witnessed) == 0)
            witness.tried += 1
            # The same without a witness: both go on.
            nobody.tried += 1
            for operator in alone:
                self.play(operator, 2)
            nobody.judge(False, [self.sign_as(operator, self.policy) for operator in alone] == [0, 0])
            first = both[owner] if owner is not None else first
        self.assertEqual(witness.bad(), {}, f"seed {SEED}")
        self.assertEqual(nobody.undetected, TIMES, f"seed {SEED}")

    def test_restore_copies(self):
        tally = self.tally("a copy of any age is restored under a signed log", "undetected", "false_alarms")
        operator = self.club()
        self.play(operator, 3)
        copies = []
        for number in range(TIMES):
            if self.chance.random() < 0.7:
                self.play(operator, self.chance.randrange(1, 9))
            if self.chance.random() < 0.7:
                tally.judge(True, self.sign_as(operator, self.policy) == 0)
            copies.append(self.folder / f"copy{number}.db")
            self.snl("db", "backup", copies[-1], db=operator.db)
            copy = self.chance.choice(copies[-3:])
            whole = self.holds_all_signed(copy, operator)
            told = self.run_snl("db", "restore", copy, "--force", db=operator.db)
            self.assertEqual(told.code, 0)
            tally.tried += 1
            tally.judge(whole, "had signed" not in told.err)
            for _ in range(2):  # and once more with other commits in place of those that are gone
                tally.judge(whole, self.sign_as(operator, self.policy) == 0)
                self.play(operator, self.chance.randrange(1, 12))
            if not whole:
                # The newest copy has all that was signed, and goes on.
                self.assertEqual(self.run_snl("db", "restore", copies[-1], "--force", db=operator.db).code, 0)
            tally.judge(True, self.sign_as(operator, self.policy) == 0)
        self.assertEqual(tally.bad(), {}, f"seed {SEED}")


if __name__ == "__main__":
    snl.main()
