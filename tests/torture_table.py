#!/usr/bin/env python3
"""Runs the tests that break things, and makes one table of what each of them says.

    torture_table.py BUILD N | --minutes M [--files FOLDER]… [--words FILE] [--fuzz PROGRAM] [--threads BUILD]

Of the tests of a build folder, these are the ones that have the label "torture". They are told the
size N in SNL_TORTURE, and are run once in each FOLDER: on a disk, and in memory. PROGRAM is given a
number of seconds, ten for each N. Each prints lines on stdout, of whose figures '-' doesn't apply.
The tests of the other BUILD, made with ThreadSanitizer, are those with the label "threads": they need
say nothing, and are run N times.

    torture: FAULT | TRIED | ACKNOWLEDGED | LOST | UNDETECTED | FALSE ALARMS | FILES

FILES is the folder that the files were in, of which the table names the file system, or its name.
Lines of the same fault are added up. A fault that begins with "control: " is one where something
must be lost or undetected. All that a test prints is kept in BUILD/torture/TEST.log.

FILE says in Markdown what each row proves that isn't a control, an item a row: "- **FAULT**: words".
Several rows of one item stand there with ";" in between, and "fuzz: …" is every row that begins so.
After the section in which the first of these items stands, FILE may go on with others.

Exit status 0: nothing was lost or undetected except in the controls, and nothing sound was called damaged. 1: the
opposite, or a test failed or printed nothing, or FILE doesn't match the rows. 2: usage.
"""

import argparse
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time

HEAD = ("fault", "times tried", "turns acknowledged", "lost", "undetected", "false alarms", "files on")
FIGURES = len(HEAD) - 2
CONTROL = "control: "
THREADS = "threads under a sanitizer"
SILENT = "it says nothing of what it tried"
LINE = re.compile(r"torture: (\S.*?)" + r" \| (\d+|-)" * FIGURES + r" \| (\S+)")
ITEM = re.compile(r"^- \*\*(.+?)\*\*:(?: |\n  )(.+(?:\n  .+)*)", re.MULTILINE)


def say(text):
    print(text, file=sys.stderr, flush=True)


def file_system(folder):
    """The type of a folder's file system. It comes from the file, since a chroot sees no mount of its root."""
    kind = subprocess.run(["stat", "--file-system", "--format", "%T", folder], stdout=subprocess.PIPE, text=True, check=True).stdout
    return {"ext2/ext3": "ext4"}.get(kind.strip(), kind.strip())  # all of ext have one number


class Test:
    """A program that breaks things: as ctest describes it. Its files are in a folder, if one is given."""

    def __init__(self, description, folder, files=None):
        self.name = description["name"] + (f" on {file_system(files)}" if files else "")
        self.command = description.get("command")  # none if it isn't built
        properties = {each["name"]: each["value"] for each in description.get("properties", [])}
        self.settings = dict(each.split("=", 1) for each in properties.get("ENVIRONMENT", []))
        self.place = properties.get("WORKING_DIRECTORY")
        self.makes = frozenset(properties.get("FIXTURES_SETUP", []))
        self.needs = frozenset(properties.get("FIXTURES_REQUIRED", []))
        self.files = files
        self.log = folder / f"{self.name.replace(' ', '-')}.log"

    def command_of(self, size):
        return self.command

    def run(self, size):
        begun = time.monotonic()
        result = Result(self, size)
        if self.command is None:
            result.faults.append("it isn't built")
            return result
        environment = os.environ | self.settings | {"SNL_TORTURE": str(size)}
        if self.files:
            environment["TMPDIR"] = str(self.files)
        with open(self.log, "w", buffering=1, encoding="utf-8", errors="replace") as log, subprocess.Popen(
            self.command_of(size), cwd=self.place, env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=log, text=True, errors="replace",
        ) as process:
            for line in process.stdout:
                log.write(line)
                if line.startswith("torture:"):
                    result.take(line.rstrip("\n"))
        result.seconds = time.monotonic() - begun
        if process.returncode != 0:
            result.faults.append(f"it failed ({process.returncode}); see {self.log}")
        if not result.rows:
            result.faults.append(SILENT)
        return result


class Fuzzing(Test):
    """A program that is given its time."""

    def __init__(self, program, folder):
        super().__init__({"name": "fuzz", "command": [program]}, folder)

    def command_of(self, size):
        return [*self.command, str(10 * size)]


class Threads(Test):
    """A test that a sanitizer watches, which ends it badly where two threads race: run N times, a row for all."""

    def __init__(self, description, folder):
        super().__init__(description | {"name": f"threads_{description['name']}"}, folder)

    def run(self, size):
        result = Result(self, size)
        for _ in range(size):
            once = super().run(1)
            result.seconds += once.seconds
            result.faults = [fault for fault in once.faults if fault != SILENT]
            if result.faults:
                break
            result.rows.append((THREADS, [1] + [None] * (FIGURES - 1), None))
        return result


class Result:
    """The result of one run of a test."""

    def __init__(self, test, size):
        self.test, self.size = test, size
        self.rows = []  # (fault, [figure or None, …], file system or None)
        self.faults = []
        self.seconds = 0

    def take(self, line):
        match = LINE.fullmatch(line)
        if not match:
            self.faults.append(f"what it says can't be read: {line}")
            return
        fault, *figures, files = match.groups()
        if files == "-":
            files = None
        elif files.startswith("/"):
            files = file_system(files)
        self.rows.append((fault, [None if text == "-" else int(text) for text in figures], files))


def labelled(build, label):
    """The tests of a build folder with a label, as ctest describes them."""
    command = ["ctest", "--test-dir", str(build), "-L", f"^{label}$", "--show-only=json-v1"]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)["tests"]


def tests_of(build, places, fuzzers, sanitized):
    folder = build / "torture"
    folder.mkdir(exist_ok=True)
    tests = [Test(description, folder, place) for description in labelled(build, "torture") for place in places or [None]]
    tests += [Threads(description, folder) for each in sanitized for description in labelled(each, "threads")]
    return tests + [Fuzzing(program, folder) for program in fuzzers]


def run_after(makers, test, size):
    concurrent.futures.wait(makers)
    return test.run(size)


def run_all(sizes, seconds):
    """Runs each (test, size), as many at once as there are processors; the longest of them first.

    Those that need what others make come last, and wait for these: they have all begun by then.
    """
    begun = time.monotonic()
    results = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        longest_first = sorted(sizes, key=lambda test: (bool(test.needs), -sizes[test] * seconds.get(test, 0)))
        running = {}
        for test in longest_first:
            makers = [future for future, other in running.items() if test.needs & other.makes]
            running[pool.submit(run_after, makers, test, sizes[test])] = test
        for done in concurrent.futures.as_completed(running):
            result = results[running[done]] = done.result()
            say(f"{time.monotonic() - begun:7.0f} s  {len(results)} of {len(sizes)}: {result.test.name}, "
                f"size {result.size}: {result.seconds:.0f} s{''.join('; ' + fault for fault in result.faults)}")
    return {test: results[test] for test in sizes}


def run_for(tests, minutes):
    """Runs each test once to see how long it takes, and then at the size that fills its share of the time."""
    results = run_all(dict.fromkeys(tests, 1), {})
    seconds = {test: max(0.1, results[test].seconds) for test in tests}
    left = 60 * minutes * os.cpu_count() - sum(seconds.values())
    sizes = {test: int(left / len(tests) / seconds[test]) for test in tests}
    larger = {test: size for test, size in sizes.items() if size > 1 and not results[test].faults}
    return results | run_all(larger, seconds)


def summed(results):
    """{fault: [figures…, file systems]}, the controls last."""
    table = {}
    for result in results:
        for fault, figures, files in result.rows:
            *sums, systems = table.get(fault, [None] * FIGURES + [set()])
            for column, figure in enumerate(figures):
                if figure is not None:
                    sums[column] = (sums[column] or 0) + figure
            table[fault] = [*sums, systems | ({files} if files else set())]
    return dict(sorted(table.items(), key=lambda row: row[0].startswith(CONTROL)))


def faults_in(table):
    for fault, (tried, _, lost, undetected, false_alarms, _) in table.items():
        bad = (lost or 0) + (undetected or 0)
        if not tried:
            yield f"{fault}: it was never tried"
        if fault.startswith(CONTROL):
            if bad == 0:
                yield f"{fault}: nothing is lost; the test is blind"
        elif bad or false_alarms:
            yield f"{fault}: {lost or 0} lost, {undetected or 0} undetected, {false_alarms or 0} false alarms"


def print_table(table):
    rows = [HEAD] + [
        (fault, *("-" if figure is None else f"{figure:,}" for figure in figures), ", ".join(sorted(files)) or "-")
        for fault, (*figures, files) in table.items()
    ]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for fault, *figures, files in rows:
        padded = [text.rjust(width) for text, width in zip(figures, widths[1:])]
        print("  ".join([fault.ljust(widths[0]), *padded, files]))


def words_in(file):
    """{fault: what it proves}: by the items of the section that has the first of them."""
    text = file.read_text(encoding="utf-8")
    first = ITEM.search(text)
    section = text[first.start():].split("\n#", 1)[0] if first else ""
    return {fault: " ".join(words.split()) for faults, words in ITEM.findall(section) for fault in faults.split("; ")}


def is_of(fault, row):
    return row.startswith(fault[:-1]) if fault.endswith("…") else row == fault


def print_words(table, words):
    """The claim of each row, once for rows with the same claim."""
    rows = {}
    for fault in table:
        for said in (words[each] for each in words if is_of(each, fault)):
            rows.setdefault(said, []).append(fault)
    for said, faults in rows.items():
        print(textwrap.fill(f"{'; '.join(faults)}: {said}", 118, initial_indent="\n", subsequent_indent="    ",
                            break_on_hyphens=False))


def faults_in_words(table, words):
    for fault in table:
        if not fault.startswith(CONTROL) and not any(is_of(each, fault) for each in words):
            yield f"{fault}: nothing says what it proves"
    for each in words:
        if not any(is_of(each, fault) for fault in table):
            yield f"{each}: it is said what it proves, and there is no such row"


def main():
    # A shell has background commands ignore it; the tests' own must not.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    usage = argparse.ArgumentParser(description="Runs the tests that break things; one table of what came of them.")
    usage.add_argument("build", type=pathlib.Path, help="the folder where they were built")
    length = usage.add_mutually_exclusive_group(required=True)
    length.add_argument("size", nargs="?", type=int, help="how many times the size that tests/run has")
    length.add_argument("--minutes", type=int, help="as many times as fit into about this time")
    usage.add_argument("--files", action="append", default=[], metavar="FOLDER", help="tests keep their files here")
    usage.add_argument("--words", type=pathlib.Path, metavar="FILE", help="says what each row proves")
    usage.add_argument("--fuzz", action="append", default=[], metavar="PROGRAM", help="is given a number of seconds")
    usage.add_argument("--threads", action="append", default=[], type=pathlib.Path, metavar="BUILD",
                       help="a folder built with ThreadSanitizer, of whose tests those with the label threads are run")
    arguments = usage.parse_args()
    with contextlib.ExitStack() as until_the_end:
        places = [until_the_end.enter_context(folder_in(place)) for place in arguments.files]
        return run(arguments, tests_of(arguments.build, places, arguments.fuzz, arguments.threads))


@contextlib.contextmanager
def folder_in(place):
    """A folder of our own, into which other users may look: so do some of the tests."""
    folder = tempfile.mkdtemp(prefix="snl-torture-", dir=place)
    os.chmod(folder, 0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run(arguments, tests):
    """Runs them, prints the table; answers the exit status."""
    if arguments.minutes:
        results = run_for(tests, arguments.minutes)
    else:
        results = run_all(dict.fromkeys(tests, arguments.size), {})
    table = summed(results.values())
    print_table(table)
    faults = [f"{result.test.name}: {fault}" for result in results.values() for fault in result.faults]
    faults += faults_in(table)
    if arguments.words:
        words = words_in(arguments.words)
        print_words(table, words)
        faults += faults_in_words(table, words)
    if not tests:
        faults.append(f"{arguments.build}: no test has the label torture")
    for fault in faults:
        say(f"torture: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
