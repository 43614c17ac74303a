"""Goal: tests/torture reports losses, and never reports success when it can't know. Method: its table is
made from the lines of stub programs, which a stub ctest lists.

    test_torture.py
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import torture_table

TESTS = pathlib.Path(__file__).resolve().parent


class Torture(unittest.TestCase):
    WELL = "torture: kill | 1 | 1 | 0 | 0 | 0 | -"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_table(self, programs, *arguments, properties=None):
        """Runs what makes the table over these shell programs, by name, and what else ctest says of some."""
        tests = [
            {"name": name, "command": ["sh", "-c", program],
             "properties": [{"name": "ENVIRONMENT", "value": ["WHAT=a=b"]}, {"name": "LABELS", "value": ["torture"]},
                            {"name": "WORKING_DIRECTORY", "value": str(self.folder)},
                            *({"name": key, "value": value} for key, value in (properties or {}).get(name, {}).items())]}
            for name, program in programs.items()
        ]
        for test in tests:
            if test["command"][-1] is None:
                del test["command"]
        (self.folder / "tests.json").write_text(json.dumps({"tests": tests}))
        ctest = self.folder / "ctest"
        ctest.write_text(f'#!/bin/sh\necho "$*" >{self.folder}/asked\ncat {self.folder}/tests.json\n')
        ctest.chmod(0o755)
        environment = os.environ | {"PATH": f"{self.folder}:{os.environ['PATH']}"}
        command = [sys.executable, "-B", str(TESTS / "torture_table.py"), str(self.folder), *(arguments or ["1"])]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)

    def assert_bad(self, why, programs):
        result = self.run_table(programs)
        self.assertEqual(result.returncode, 1, result)
        self.assertIn(why, result.stderr)
        return result.stdout

    def test_shows_one_aligned_row_for_each_fault_and_the_controls_last(self):
        result = self.run_table({
            "one": "echo 'torture: control: no sync | 9 | 80 | 7 | 0 | - | tmpfs'; printf noise >&2; echo 'torture: kill | 5 | 1200 | 0 | - | 0 | tmpfs'",
            "two": "echo 'torture: kill | 20 | 3 | 0 | - | 0 | ext4'; echo 'torture: a byte flipped | 1000000 | - | - | 0 | - | -'",
        })
        self.assertEqual(result.returncode, 0, result)
        self.assertEqual(result.stdout, (
            "fault             times tried  turns acknowledged  lost  undetected  false alarms  files on\n"
            "kill                       25               1,203     0           -             0  ext4, tmpfs\n"
            "a byte flipped      1,000,000                   -     -           0             -  -\n"
            "control: no sync            9                  80     7           0             -  tmpfs\n"))
        self.assertIn("2 of 2", result.stderr)
        self.assertIn("-L ^torture$", (self.folder / "asked").read_text())
        self.assertIn("noise", (self.folder / "torture" / "one.log").read_text())

    def test_runs_each_test_at_the_size_asked_for_as_ctest_would(self):
        program = 'echo "torture: $WHAT in $(pwd) | $SNL_TORTURE | - | 0 | - | - | -"'
        result = self.run_table({"one": program}, "17")
        self.assertEqual(result.returncode, 0, result)
        self.assertRegex(result.stdout, rf"a=b in {self.folder.resolve()} +17 ")

    def test_gives_a_fuzzer_ten_seconds_for_each_size(self):
        fuzzer = self.folder / "fuzzer"
        fuzzer.write_text('#!/bin/sh\necho "torture: fuzz: boards | $1$2 | - | - | 0 | - | -"\n')
        fuzzer.chmod(0o755)
        result = self.run_table({}, "7", "--fuzz", fuzzer)
        self.assertEqual(result.returncode, 0, result)
        self.assertRegex(result.stdout, "fuzz: boards +70 ")

    def test_runs_a_sanitized_test_so_many_times(self):
        for program, code in (("exit 0", 0), ("exit 66", 1)):
            with self.subTest(program):
                result = self.run_table({"one": f"echo 'torture: a | 1 | - | 0 | - | - | -'; {program}"}, "3", "--threads", self.folder)
                self.assertIn("-L ^threads$", (self.folder / "asked").read_text())
                self.assertEqual(result.returncode, code, result)
                if code == 0:
                    self.assertRegex(result.stdout, "threads under a sanitizer +3 +- +- +- +- +-\n")
                else:
                    self.assertIn("threads_one: it failed (66)", result.stderr)

    def test_runs_what_needs_something_after_what_makes_it(self):
        well = f"echo '{self.WELL}'"
        result = self.run_table({
            "reader": f"grep whole {self.folder}/made && {well}",
            "maker": f"echo half >{self.folder}/made; sleep 1; echo whole >>{self.folder}/made; {well}",
        }, properties={"reader": {"FIXTURES_REQUIRED": ["made"]}, "maker": {"FIXTURES_SETUP": ["made"]}})
        self.assertEqual(result.returncode, 0, result)

    def test_fills_the_time_that_it_is_given(self):
        result = self.run_table({
            "quick": 'test "$SNL_TORTURE" = 1 || echo "torture: quick | $SNL_TORTURE | - | 0 | - | - | -"',
            "slow": 'test "$SNL_TORTURE" != 1 || sleep 0.5; echo "torture: slow | $SNL_TORTURE | - | 0 | - | - | -"',
        }, "--minutes", "1")
        self.assertEqual(result.returncode, 1, result)  # at size 1, the first one says nothing
        sizes = dict(line.split()[:2] for line in result.stdout.splitlines()[1:])
        self.assertEqual(list(sizes), ["slow"])
        self.assertTrue(1 < int(sizes["slow"]) <= 60 * os.cpu_count(), sizes)

    def test_is_bad_where_a_turn_is_lost(self):
        table = self.assert_bad("kill: 1 lost", {"one": "echo 'torture: kill | 25 | 1203 | 1 | 0 | 0 | -'"})
        self.assertRegex(table, r"kill +25 +1,203 +1 +0 +0 +-\n")

    def test_is_bad_where_something_is_undetected(self):
        self.assert_bad("flip: 0 lost, 2 undetected", {"one": "echo 'torture: flip | 25 | - | - | 2 | - | -'"})

    def test_is_bad_where_something_sound_is_called_damaged(self):
        self.assert_bad("flip: 0 lost, 0 undetected, 3 false alarms", {"one": "echo 'torture: flip | 25 | - | 0 | 0 | 3 | -'"})

    def test_is_bad_where_a_control_loses_nothing(self):
        for line in ("control: off | 25 | 99 | 0 | - | - | -", "control: off | 25 | - | 0 | 0 | 4 | -"):
            self.assert_bad("control: off: nothing is lost", {"one": f"echo 'torture: {line}'"})

    def test_is_bad_where_nothing_was_tried(self):
        self.assert_bad("kill: it was never tried", {"one": "echo 'torture: kill | 0 | 0 | 0 | 0 | 0 | -'"})

    def test_is_bad_where_a_row_is_missing(self):
        self.assert_bad("two: it says nothing", {"one": f"echo '{self.WELL}'", "two": "echo all well"})

    def test_is_bad_where_a_row_cannot_be_read(self):
        for line in ("torture: kill | 1 | 1 | 0 | 0 | 0", "torture: kill | 1 | 1 | x | 0 | 0 | -",
                     "torture:  | 1 | 1 | 0 | 0 | 0 | -", "torture: kill | 1 | 1 | 0 | 0 | 0 | "):
            with self.subTest(line):
                self.assert_bad("can't be read", {"one": f"echo '{self.WELL}'; echo '{line}'"})

    def test_runs_each_test_in_each_place_and_names_its_file_system(self):
        places = [self.folder, "/dev/shm" if os.access("/dev/shm", os.W_OK) else self.folder / "ctest-files"]
        pathlib.Path(places[1]).mkdir(exist_ok=True)
        program = 'touch "$TMPDIR/left"; echo "$TMPDIR" >>where; echo "torture: a | 1 | - | 0 | - | - | $TMPDIR"'
        result = self.run_table({"one": program}, "1", *(word for place in places for word in ("--files", place)))
        self.assertEqual(result.returncode, 0, result)
        used = [pathlib.Path(line) for line in (self.folder / "where").read_text().splitlines()]
        self.assertEqual({folder.parent for folder in used}, set(map(pathlib.Path, places)))
        self.assertEqual([folder for folder in used if folder.exists()], [])
        kinds = {torture_table.file_system(place) for place in places}
        self.assertRegex(result.stdout, rf"\na +2 +- +0 +- +- +{', '.join(sorted(kinds))}\n")

    def test_tells_a_disk_from_memory(self):
        self.assertEqual(torture_table.file_system("/proc"), "proc")
        self.assertNotIn(torture_table.file_system("/usr"), ("", "proc"))

    def test_says_what_each_row_proves(self):
        words = self.folder / "words.md"
        words.write_text("Text.\n\n- **kill; flip**: that nothing is\n  half done.\n- **fuzz: …**:\n  little.\n\nMore.\n\n## Of others\n\n- **Turns**: many.\n")
        rows = ["kill | 1 | - | 0", "fuzz: a | 2 | - | 0", "flip | 3 | - | 0", "fuzz: b | 4 | - | 0", "control: off | 1 | 5 | 5"]
        programs = {"one": "; ".join(f"echo 'torture: {row} | - | - | -'" for row in rows)}
        result = self.run_table(programs, "1", "--words", words)
        self.assertEqual(result.returncode, 0, result)
        self.assertTrue(result.stdout.endswith("\n\nkill; flip: that nothing is half done.\n\nfuzz: a; fuzz: b: little.\n"),
                        result.stdout)
        for text, why in (("- **kill**: x.\n- **fuzz: …**: x.\n", "flip: nothing says what it proves"),
                          ("- **kill; flip; fuzz: …; gone**: x.\n", "gone: it is said what it proves, and there is no such row")):
            words.write_text(text)
            result = self.run_table(programs, "1", "--words", words)
            self.assertEqual(result.returncode, 1, result)
            self.assertIn(why, result.stderr)

    def test_is_bad_where_a_test_fails(self):
        table = self.assert_bad("one: it failed (3)", {"one": f"echo '{self.WELL}'; exit 3"})
        self.assertIn("kill", table)

    def test_is_bad_where_a_test_is_not_built(self):
        self.assert_bad("two: it isn't built", {"one": f"echo '{self.WELL}'", "two": None})

    def test_is_bad_where_there_are_no_tests(self):
        self.assert_bad("no test has the label", {})

    def test_runs_every_test_that_has_a_row_and_no_other(self):
        build = os.environ.get("SNL_BUILD")
        if build is None:
            self.skipTest("set SNL_BUILD to the folder where the tests were built")
        listing = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], stdout=subprocess.PIPE, check=True)
        labelled = {test["name"] for test in json.loads(listing.stdout)["tests"] for each in test.get("properties", [])
                    if each["name"] == "LABELS" and "torture" in each["value"]}
        with_rows = {f"cli_{path.stem.removeprefix('test_')}" for path in TESTS.glob("cli/test_*.py")
                     if re.search(r"snl\.(Tally|tally_of_program)\(|RegularsTest\)|\(KilledSigning", path.read_text())}
        with_rows |= {f"{'storage_postgres' if path.parent.name == 'postgres' else folder}_{path.stem.removesuffix('_test')}"
                      for folder in ("storage", "analysis") for path in TESTS.glob(f"{folder}/**/*_test.cpp")
                      if " print_torture(" in path.read_text()}
        self.assertGreater(len(with_rows), 15)
        self.assertEqual(labelled, with_rows)

    def test_asks_for_the_table_in_words_that_it_takes(self):
        for path, text in {"tests/fuzz/run": "exit 1", "cli/install-packages": "exit 0", "cmake": "exit 0",
                           "ctest": """echo '{"tests": []}'"""}.items():
            program = self.folder / path
            program.parent.mkdir(parents=True, exist_ok=True)
            program.write_text(f"#!/bin/sh\n{text}\n")
            program.chmod(0o755)
        for name in ("torture", "torture_table.py"):
            shutil.copy(TESTS / name, self.folder / "tests")
        (self.folder / "tests" / "README.md").write_text("- **fuzz: …**: little.\n")
        for build in ("ci", "tsan"):
            (self.folder / "build" / build).mkdir(parents=True)
        environment = os.environ | {"PATH": f"{self.folder}:{os.environ['PATH']}"}
        for arguments in ([], ["2"]):
            with self.subTest(arguments):
                result = subprocess.run([self.folder / "tests" / "torture", *arguments], env=environment,
                                        capture_output=True, text=True, timeout=600)
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertIn("torture: fuzz: it failed (1)", result.stderr)

    def test_has_a_usage(self):
        for arguments in (["0"], ["x"], ["1", "2"], ["--minutes"], ["--minutes", "0"], ["--minutes", "1", "2"]):
            with self.subTest(arguments):
                result = subprocess.run([TESTS / "torture", *arguments], capture_output=True, text=True)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertEqual(result.stderr, "usage: tests/torture [N | --minutes M]\n")


if __name__ == "__main__":
    unittest.main()
