"""Goal: the benchmark program prints all that it promises. Method: every row runs once, with very
little work. Its measurements aren't tested.

  SNL_BENCHMARKS=snl_benchmarks SNL=snl python3 test_rows.py
"""

import json
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from snl import fast_folder


def report(*words):
    program = [os.environ["SNL_BENCHMARKS"], "--snl", os.environ["SNL"], "--rounds", "3"]
    place = fast_folder()
    environment = os.environ | ({"TMPDIR": place} if place else {})
    done = subprocess.run(program + ["--scale", "0.0001", *words], env=environment, capture_output=True, text=True, check=True)
    return done.stdout


class every_row(unittest.TestCase):
    @classmethod
    def setUpClass(self):
        self.report = json.loads(report("--json"))

    def test_names_the_machine_and_the_versions(self):
        for name in ["processor", "system", "files_on", "compiler", "sqlite", "openssl", "boost", "snl"]:
            self.assertTrue(self.report[name], name)
        self.assertGreaterEqual(self.report["cores"], 1)

    def test_has_a_ratio_with_its_range_and_the_memory_of_both_sides(self):
        for row in self.report["rows"]:
            with self.subTest(row["name"]):
                ratio = row["ratio"]
                self.assertLess(0, ratio["min"])
                self.assertLessEqual(ratio["min"], ratio["median"])
                self.assertLessEqual(ratio["median"], ratio["max"])
                for side in ["subject", "baseline"]:
                    self.assertGreater(row[side]["median"], 0)
                    self.assertGreater(row[side]["peak_bytes"], 100_000)

    def test_is_told_from_every_other_one(self):
        rows = [(row["name"], row["baseline_name"]) for row in self.report["rows"]]
        self.assertEqual(sorted(rows), sorted(set(rows)))

    def test_says_what_it_is_held_to(self):
        held = [row for row in self.report["rows"] if row["bar"]]
        names = " ".join(row["name"] for row in held)
        for name in ["durable", "bulk", "fold", "audit", "disk", "undo and redo at", "seek to", "seek and draw", "play process",
                     "a turn as a process", "a turn in a store", "list 20", "decide and evolve", "simulate, one core",
                     "simulate, all", "simulate with powers", "exact odds", "solve", "log: durable turns with a key",
                     "log: a checkpoint of", "log: inclusion proof", "log: consistency proof", "log: first checkpoint of", "log: tree of"]:
            self.assertIn(name, names)
        if "postgres:" in " ".join(row["name"] for row in self.report["rows"]):
            for name in ["durable turns, 32 clients", "16 a transaction, 8 clients, next to a transaction each",
                         "through two servers, 32 clients", "load and fold", "audit", "a turn in 1", "a list in 1", "heard"]:
                self.assertIn(f"postgres: {name}", names)
        for row in held:
            bound = "at_least" if row["measure"] == "rate" else "at_most"
            self.assertEqual(sorted(row["bar"]), sorted(["of", bound]), row["name"])


class the_table(unittest.TestCase):
    def test_has_the_rows_that_were_asked_for(self):
        lines = report("--only", "a durable turn").splitlines()
        self.assertIn("a durable turn", lines[-2])
        self.assertIn("rate of bare SQLite", lines[-1])
        self.assertIn("what, and next to what", lines[-3])


if __name__ == "__main__":
    unittest.main()
