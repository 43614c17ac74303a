"""Goal: count_instructions prints a thousandth of the difference of two counts, rounded. Method: a
stub valgrind on the PATH "counts" by a formula, and a stub program lists the things to count.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent / "count_instructions"

# The count for a thing that was done this many times: the cost of the start, plus that of each time.
VALGRIND = """#!/bin/sh
echo "$@" >>"$0.calls"
for argument; do
  case $argument in --callgrind-out-file=*) counts=${argument#*=} ;; esac
  name=$times times=$argument
done
case $name in
  slow) echo 'a message of valgrind' >&2; total=$((123456789 + 26150 * times)) ;;
  half) total=$((1000 + 7 * times + times / 2)) ;;
  less) total=$((1000 + 7 * times + times / 2 - times / 1000)) ;;
  *) echo "no such thing: $name" >&2; exit 3 ;;
esac
printf 'events: Ir\\nfn=main\\n1 5\\ntotals: %s\\n' "$total" >"$counts"
"""
PROGRAM = """#!/bin/sh
printf 'slow\\ta durable turn\\nhalf\\tseven and a half\\nless\\ta little less\\n'
"""


class CountedInstructions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.valgrind = self.write("valgrind", VALGRIND)
        self.program = self.write("program", PROGRAM)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def count(self, *arguments):
        environment = os.environ | {"PATH": f"{self.folder}:{os.environ['PATH']}", "TMPDIR": str(self.folder)}
        return subprocess.run([SCRIPT, self.program, *arguments], env=environment, capture_output=True, text=True)

    def test_are_those_of_once_more_to_the_nearest(self):
        result = self.count("--json")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(json.loads(result.stdout), {"instructions": [
            {"name": "slow", "instructions": 26150},
            {"name": "half", "instructions": 8},
            {"name": "less", "instructions": 7},
        ]})

    def test_are_shown_in_a_table(self):
        result = self.count()
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual([line.split(None, 2) for line in result.stdout.splitlines()], [
            ["what", "instructions"], ["slow", "26150", "a durable turn"], ["half", "8", "seven and a half"],
            ["less", "7", "a little less"]])

    def test_are_counted_by_callgrind_a_thousand_times_and_two_thousand(self):
        self.count()
        calls = [line.split() for line in (self.folder / "valgrind.calls").read_text().splitlines()]
        self.assertEqual([call[-2:] for call in calls],
                         [[name, times] for name in ("slow", "half", "less") for times in ("1000", "2000")])
        for call in calls:
            self.assertEqual((call[0], call[2]), ("--tool=callgrind", str(self.program)))

    def test_leave_no_file_behind(self):
        self.count()
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["program", "valgrind", "valgrind.calls"])

    def test_are_not_told_where_valgrind_fails(self):
        self.write("program", PROGRAM.replace("half", "gone"))
        for arguments in ([], ["--json"]):
            with self.subTest(arguments):
                result = self.count(*arguments)
                self.assertNotEqual(result.returncode, 0)
                self.assertIn("no such thing: gone", result.stderr)
                self.assertNotIn("gone", result.stdout)


if __name__ == "__main__":
    unittest.main()
