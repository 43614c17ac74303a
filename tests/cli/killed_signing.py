"""Kills `snl checkpoint` before each of its changes to a file and each message to PostgreSQL. Everything signed until
then is compared with the commits. Both kinds of store use this.
"""

import os
import random
import subprocess
import sys

import club
import halted
import snl

sys.path.insert(0, str(snl.TESTS / "reader"))

from snl_reader import leaf_hash, read_checkpoint, tree_hash

KILLS = 500 * int(os.environ.get("SNL_TORTURE", "0")) or 40
SEED = int(os.environ.get("SNL_SEED", "0")) or random.randrange(1, 2**32)


class KilledSigning(club.Club):
    """The common part of tests, which define hashes(), of all commits in order, and kept_in_store(), the notes."""

    lost = 0.2  # how often the store loses its last commits, too

    def torture(self, fault):
        self.chance = random.Random(SEED)
        self.tally = snl.Tally(fault, "acknowledged", "lost", "false_alarms")
        _, witnessed = self.start_witness()
        self.snl("new", "Ann", "Bob", "--cells", "1000000", "--id", "g")
        stops = self.halted(self.signing(witnessed)).count(lambda: True)
        self.assertGreater(stops, 10)
        while self.tally.tried < KILLS:
            self.kill_once(self.chance.choice((witnessed, self.policy)), self.chance.randrange(stops + 4))
        self.tally.print()
        self.assertEqual(self.tally.bad(), {}, f"seed {SEED}")

    def kill_once(self, policy, stops):
        sign = self.signing(policy)
        is_to_be_lost = self.chance.random() < self.lost
        self.known = {}  # {size: root} of all that was signed
        if is_to_be_lost:
            self.snl("db", "backup", "--force", self.folder / "before.db")
        self.snl("roll", "g", "-n", self.chance.choice((1, 1, 2, 3, 70)))  # some of these make nodes of the tree
        victim = self.halted(sign)
        while stops and victim.stops():
            stops -= 1
        self.tally.tried += victim.kill() != 0
        told = victim.process.stdout.read()
        for note in filter(None, (told, *self.notes())):
            self.look_at(note)
        if is_to_be_lost:
            self.lose_commits(sign, told)
        if self.chance.random() < 0.5:
            self.snl("roll", "g")
        again = self.run_snl(*sign)
        self.tally.false_alarms += again.code != 0
        self.assertEqual(again.code, 0, f"seed {SEED}: {again}")
        size, _ = self.look_at(again.out)
        leaves = [leaf_hash(hash_) for hash_ in self.hashes()]
        self.assertEqual(size, len(leaves), f"seed {SEED}")
        for known, root in self.known.items():
            self.tally.acknowledged += 1
            if known > size or tree_hash(leaves[:known]) != root:
                self.tally.lost += 1
                print(f"signing: seed {SEED}: the {known} commits that were signed are no more")

    def lose_commits(self, sign, told):
        """A checkpoint that was signed and left the process is never signed with another root, even if the store has
        lost it."""
        left = [read_checkpoint(note) for note in filter(None, (told, *self.cosigned()))]
        self.snl("db", "backup", "--force", self.folder / "after.db")
        restored = self.run_snl("db", "restore", "--force", self.folder / "before.db")  # with a warning, if any was signed
        self.assertEqual(restored.code, 0, restored)
        self.snl("roll", "g", "-n", self.chance.choice((1, 2, 80)))
        hashes = self.hashes()
        is_held = all(size <= len(hashes) and tree_hash([leaf_hash(hash_) for hash_ in hashes[:size]]) == root
                      for _, size, root in left)
        if self.run_snl(*sign).code == 0:
            self.tally.lost += not is_held
            self.known = {}  # nobody had seen it
        else:
            self.snl("db", "restore", "--force", self.folder / "after.db")

    def signing(self, policy):
        return ("checkpoint", "--log-key", self.key, "--policy", policy)

    def halted(self, words):
        process = halted.Halted(self, lambda **options: self.popen(
            *words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, **options), halted.CHANGES + halted.MESSAGES)
        self.addCleanup(process.process.stdout.close)
        return process

    def notes(self):
        """All kept records of signed checkpoints: beside the key, in the store, at the witness."""
        return [(self.folder / "club.key.signed").read_text(), *self.kept_in_store(), *self.cosigned()]

    def cosigned(self):
        return [kept.read_text() for kept in (self.folder / "state").glob("*/checkpoint")]

    def look_at(self, note):
        origin, size, root = read_checkpoint(note)
        self.assertEqual(origin, club.NAME)
        if size:
            self.assertEqual(self.known.setdefault(size, root), root, f"seed {SEED}: two roots of {size} commits were signed")
        return size, root
