"""Goal: the memory of a command doesn't grow with the store. Method: limits of the system find the
least memory that a command needs on a store larger than SQLite's page cache. That must be enough on
a store many times as large.

SNL_TORTURE=N makes the large store N times as large.
"""

import os
import resource
import subprocess

import snl

tally = snl.tally_of_program("memory on a store of many games", "undetected")
FEW = 2_000
TIMES = int(os.environ.get("SNL_TORTURE", "1"))
MANY = 14_000 * TIMES
snl.PATIENCE *= TIMES
PAGE_CACHE = 2 << 20  # bytes, of SQLite's
EXACTLY = 1 << 17  # bytes, as the least memory is found
SLACK = 1 << 18  # bytes: some twenty for each game more


class AStoreOfManyGames(snl.CommandLineTest):
    COMMANDS = (("audit", "--all", "--json"), ("list", "--json"), ("log", "--json"), ("log",))

    def make(self, games):
        path = self.folder / f"{games}.db"
        done = self.run_snl("simulate", "--games", games, "--cells", 4, "--save", "--seed", 1, db=path)
        self.assertEqual(done.code, 0, done.err)
        return path

    def works_within(self, limit, path, command):
        """Whether a command does its work with so many bytes of memory for data."""
        process = self.popen("--db", path, *command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)))
        return process.wait(snl.PATIENCE) == 0

    def least_memory(self, path, command):
        too_little, enough = 0, 16 << 20
        self.assertTrue(self.works_within(enough, path, command))
        while enough - too_little > EXACTLY:
            middle = (too_little + enough) // 2
            if self.works_within(middle, path, command):
                enough = middle
            else:
                too_little = middle
        return enough

    def test_is_audited_listed_and_logged_in_the_memory_that_fewer_take(self):
        few, many = self.make(FEW), self.make(MANY)
        self.assertGreater(few.stat().st_size, PAGE_CACHE)
        for command in self.COMMANDS:
            with self.subTest(command):
                least = self.least_memory(few, command)
                self.assertFalse(self.works_within(least // 2, few, command))
                with tally.attempt():
                    self.assertTrue(self.works_within(least + SLACK, many, command), f"{least} bytes are too little")


if __name__ == "__main__":
    snl.main()
