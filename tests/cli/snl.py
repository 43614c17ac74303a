"""The base of the command line tests: the program, a folder for each test, golden files.

The program is $SNL. Every test runs it in a folder of its own, with its own HOME. The environment is otherwise empty,
except for the switches of tests/mutate. SNL_UPDATE_GOLDEN=1 rewrites the golden files. With CI=true, a skipped test is
a failure.
"""

import atexit
import contextlib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from typing import NamedTuple

TESTS = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = TESTS / "cli" / "golden"
PATIENCE = 600  # seconds until what hangs is a failure: no test needs as many, on any machine


def _program():
    path = os.environ.get("SNL")
    if not path:
        sys.exit("set SNL to the program that is to be tested")
    return os.path.abspath(path)


PROGRAM = _program()
# The folder that the target man_pages writes.
MANUAL = pathlib.Path(os.environ.get("SNL_MANUAL") or pathlib.Path(PROGRAM).parents[1] / "man")

# A shell that runs tests in the background may ignore these, and programs inherit that.
for _signal in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
    if signal.getsignal(_signal) == signal.SIG_IGN:
        signal.signal(_signal, signal.SIG_DFL)


# The forms of advice in a line on stderr: after a semicolon, or as a list of all valid names.
NEXT_STEP = re.compile(r"; (?:see|give|listen|name|choose|use|make|check|try|restore|move|close|ask|free|raise|export|play|copy|"
                       r"upgrade|leave|look|say|put|correct|snl [\w-]|--\w)|: snl [\w-]|the players are ")


class Result(NamedTuple):
    code: int
    out: str
    err: str


def normalised(text):
    """Without what differs from run to run: times and hashes."""
    text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", "<time>", text)
    return re.sub(r"\b[0-9a-f]{64}\b", "<hash>", text)


def fast_folder():
    """A durable turn waits for the disk; in memory the same tests take a tenth of the time."""
    if "TMPDIR" in os.environ or not os.access("/dev/shm", os.W_OK | os.X_OK):
        return None
    space = os.statvfs("/dev/shm")
    return "/dev/shm" if space.f_bavail * space.f_frsize >= 1 << 30 else None # a container may have but a few bytes


def wait_for(condition):
    """True once the condition holds; false if it doesn't before the timeout."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


class CommandLineTest(unittest.TestCase):
    """A test with a folder, a home in it, and a store in the usual place."""

    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="snl-test-", dir=fast_folder()))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.home = self.folder / "home"
        self.home.mkdir()
        self.store = self.home / ".local" / "share" / "snl" / "snl.db"
        self.environment = {
            name: value
            for name, value in os.environ.items()
            if name in ("PATH", "SNL_MUTANT") or name.endswith("SAN_OPTIONS")
        }
        self.environment.update(HOME=str(self.home), LC_ALL="C.UTF-8", TERM="dumb", SNL_PAGER="")

    # ---- Running it

    def popen(self, *args, env=None, **options):
        environment = self.environment | (env or {})
        environment = {name: value for name, value in environment.items() if value is not None}
        options = {"stdin": subprocess.DEVNULL, "cwd": self.folder, "env": environment} | options
        return subprocess.Popen([PROGRAM, *map(os.fsencode, map(str, args))], **options)

    def run_snl(self, *args, input=None, env=None, db=None, **options):
        """Runs a command to its end. `input` is text or bytes for stdin; a None in `env` unsets."""
        if db is not None:
            args = ("--db", db, *args)
        if input is not None:
            options["stdin"] = subprocess.PIPE
            input = input if isinstance(input, bytes) else input.encode()
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
        process = self.popen(*args, env=env, **options)
        try:
            out, err = process.communicate(input, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.fail(f"it hangs: {shlex.join(map(str, args))}")
        decode = lambda text: (text or b"").decode(errors="surrogateescape")
        return Result(process.returncode, decode(out), decode(err))

    def snl(self, *args, **options):
        """Runs a command that succeeds with an empty stderr; returns its output."""
        result = self.run_snl(*args, **options)
        self.assertEqual(result.code, 0, f"{shlex.join(map(str, args))}\n{result}")
        self.assertEqual(result.err, "", shlex.join(map(str, args)))
        return result.out

    def json(self, *args, **options):
        """As above, of a command that prints one JSON object."""
        lines = self.json_lines(*args, **options)
        self.assertEqual(len(lines), 1, args)
        return lines[0]

    def json_lines(self, *args, **options):
        lines = self.snl(*args, "--json", **options).split("\n")  # and not at U+2028, as splitlines does
        self.assertEqual(lines.pop(), "")
        return [json.loads(line) for line in lines]

    def closed_address(self):
        """A host and port that refuse connections; while the test runs, nobody else can listen there."""
        bound = socket.socket()
        self.addCleanup(bound.close)
        bound.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{bound.getsockname()[1]}"

    def refused(self, code, pattern, *args, out="", **options):
        """Runs a command that fails with one line on stderr, which names the next step; returns the line."""
        result = self.run_snl(*args, **options)
        told = f"{shlex.join(map(str, args))}\n{result}"
        self.assertEqual(result.code, code, told)
        self.assertEqual(result.out, out, told)
        self.assertRegex(result.err, r"\Asnl: [^\n]+\n\Z", told)
        self.assertRegex(result.err, pattern, told)
        if args[:2] != ("board", "check"):  # whose answer faults are, each with its place
            self.assertRegex(result.err, NEXT_STEP, told)
        return result.err

    def as_ordinary_user(self):
        """Options that run commands as an unprivileged user; skips the test if that isn't possible."""
        if os.geteuid() != 0:
            return {}
        options = {"user": 65534, "group": 65534, "extra_groups": []}
        folder = self.store.parent
        while folder != self.folder.parent:
            folder.chmod(0o755)
            folder = folder.parent
        try:
            if self.run_snl("--version", **options).code == 0:
                return options
        except PermissionError:
            pass
        self.skipTest("nobody but root can run the program here")

    # ---- Looking at it

    def show(self, game="@", *args, **options):
        return self.json("show", game, *args, **options)

    def version(self, game="@", **options):
        return self.show(game, **options)["version"]

    def assert_sound(self, **options):
        report = self.json("audit", **options)
        self.assertTrue(report["ok"], report)
        self.assertEqual(report["problems"], [])
        return report

    def contents(self, path=None):
        """Every row of a closed store, without the help of snl; None if there is no file.

        It reads a copy, since even a read leaves files beside a database in WAL mode.
        """
        path = path or self.store
        if not path.exists():
            return None
        with tempfile.TemporaryDirectory(dir=fast_folder()) as folder:
            copy = shutil.copy(path, folder)
            log = pathlib.Path(f"{path}-wal")  # of a process that was killed
            if log.exists():
                shutil.copy(log, f"{copy}-wal")
            database = sqlite3.connect(copy)
            try:
                tables = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
                return {
                    name: database.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall()
                    for (name,) in database.execute(tables).fetchall()
                }
            finally:
                database.close()

    def files(self):
        """Every file in the test's folder."""
        return sorted(str(p.relative_to(self.folder)) for p in self.folder.rglob("*") if p.is_file())

    def assert_golden(self, name, text):
        path = GOLDEN / name
        if os.environ.get("SNL_UPDATE_GOLDEN") == "1":
            path.write_text(text, encoding="utf-8")
        self.assertEqual(text, path.read_text(encoding="utf-8"), f"see {path}")


class Transcript:
    """Commands and their output, as a person would see them."""

    def __init__(self, test):
        self._test = test
        self._lines = []

    def say(self, text):
        self._lines.append(f"# {text}\n")

    def run(self, *args, input=None, env=None):
        result = self._test.run_snl(*args, input=input, env=env)
        setting = "".join(f"{name}={value} " for name, value in (env or {}).items())
        self._lines.append(f"$ {setting}snl {shlex.join(map(str, args))}\n")
        if input is not None:
            self._lines += [f"< {line}\n" for line in input.splitlines()]
        self._lines.append(result.out)
        self._lines += [f"! {line}\n" for line in result.err.splitlines()]
        if result.code:
            self._lines.append(f"[exit {result.code}]\n")
        return result

    def text(self):
        folder = str(self._test.folder)
        return normalised("".join(self._lines)).replace(f"{folder}/home", "<home>").replace(folder, "<folder>")


class Tally:
    """The results of a fault. It has the named columns of tests/torture; the others don't apply."""

    COLUMNS = ("acknowledged", "lost", "undetected", "false_alarms")

    def __init__(self, fault, *columns):
        self.fault, self.tried = fault, 0
        for column in self.COLUMNS:
            setattr(self, column, 0 if column in columns else None)
        self.files = fast_folder() or tempfile.gettempdir()

    def print(self):
        """Prints the line that tests/torture turns into a row: see tests/storage/torture.hpp."""
        if self.fault.startswith("control: "):
            self.false_alarms = None  # what a control breaks isn't sound
        figures = [self.tried, *(getattr(self, column) for column in self.COLUMNS)]
        print("torture:", " | ".join([self.fault, *("-" if figure is None else str(figure) for figure in figures), self.files]),
              flush=True)

    def bad(self):
        """All that mustn't be."""
        return {column: getattr(self, column) for column in self.COLUMNS[1:] if getattr(self, column)}

    def judge(self, is_right, is_called_right):
        """Counts a wrong verdict."""
        if is_called_right and not is_right:
            self.undetected += 1
        if is_right and not is_called_right:
            self.false_alarms += 1

    @contextlib.contextmanager
    def attempt(self):
        """One attempt at something hostile. It counts as undetected if the block fails."""
        self.tried += 1
        try:
            yield
        except BaseException:
            self.undetected += 1
            raise

    @contextlib.contextmanager
    def sound(self):
        """One check of sound data. It counts as a false alarm if the block fails."""
        self.tried += 1
        try:
            yield
        except BaseException:
            self.false_alarms += 1
            raise


def tally_of_program(fault, *columns):
    """A tally over all tests of a program, whose row is printed when the program ends."""
    tally = Tally(fault, *columns)
    atexit.register(lambda: tally.tried and tally.print())
    return tally


def main():
    """Runs the tests of the program that is started, and ends with its exit code."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's `&` makes the program and its children ignore it
    result = unittest.main(module="__main__", exit=False).result
    skipped = result.skipped if os.environ.get("CI") == "true" else []
    for test, reason in skipped:
        print(f"skipped, which is a failure where CI=true: {test}: {reason}", file=sys.stderr)
    sys.exit(bool(skipped) or not result.wasSuccessful())
