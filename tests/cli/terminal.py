"""Terminals for programs: a bare pseudo-terminal, and one that draws the screen (tmux)."""

import fcntl
import os
import pathlib
import pty
import select
import shlex
import shutil
import struct
import subprocess
import tempfile
import termios
import time

import snl


def pseudo_terminal(test):
    """Both ends of a new one, ours first; skips the test where none can be had."""
    try:
        return pty.openpty()
    except OSError as error:
        test.skipTest(f"no pseudo-terminal can be had here ({error}); is /dev/pts mounted?")


class Terminal:
    """A program that runs in a pseudo-terminal of 24 rows."""

    def __init__(self, test, *args, columns=80, **env):
        self._master, slave = pseudo_terminal(test)
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self._slave = slave
        self.modes = termios.tcgetattr(slave)

        def take_the_terminal():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        env = {"TERM": "xterm"} | env
        self.process = test.popen(*args, env=env, stdin=slave, stdout=slave, stderr=slave, preexec_fn=take_the_terminal)
        self.seen = ""
        test.addCleanup(os.close, slave)
        test.addCleanup(os.close, self._master)
        test.addCleanup(self.process.wait)
        test.addCleanup(self.process.kill)
        self._test = test

    def until(self, text):
        """Reads up to `text`; returns everything up to its end."""
        deadline = time.monotonic() + snl.PATIENCE
        read, unread = b"", ""
        while text not in unread:
            ready, _, _ = select.select([self._master], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                self._test.fail(f"no {text!r} in {unread!r}")
            read += os.read(self._master, 65536)
            unread = read.decode(errors="replace")
            if self.process.poll() is not None and text not in unread:
                unread += self._rest()
                self._test.assertIn(text, unread)
        self.seen += unread
        return unread

    def _rest(self):
        """The remaining output of the program, which has ended: everything before a mark of our own."""
        mark, rest, written = b"\0the end\0", b"", 0
        while not rest.endswith(mark):
            to_write = [self._slave] if written < len(mark) else []
            readable, writable, _ = select.select([self._master], to_write, [], snl.PATIENCE)
            if readable:
                rest += os.read(self._master, 65536)
            elif writable:
                written += os.write(self._slave, mark[written:])
            else:
                self._test.fail(f"the terminal is stuck after {rest!r}")
        return rest.removesuffix(mark).decode(errors="replace")

    def type(self, keys):
        os.write(self._master, keys.encode())

    def ends(self):
        """Waits for the program to end; returns its exit code and its remaining output."""
        code = self.process.wait(snl.PATIENCE)
        return code, self._rest()

    def has_its_modes_back(self):
        return termios.tcgetattr(self._slave) == self.modes


def until(test, look, wanted):
    """Reads repeatedly until `wanted` accepts the result; returns that. Fails with the last result."""
    deadline = time.monotonic() + snl.PATIENCE
    while True:
        seen = look()
        if wanted(seen):
            return seen
        if time.monotonic() > deadline:
            test.fail(f"waited in vain; this is what is there:\n{seen}")
        time.sleep(0.02)


class Window:
    """A window of tmux with bash in it. All waits are for contents of the screen."""

    def __init__(self, test, columns=80, rows=24, **env):
        if shutil.which("tmux") is None:
            test.skipTest("tmux is not installed: cli/install-packages test")
        self._test = test
        # A socket's path may have no more than 107 bytes.
        self._folder = tempfile.mkdtemp(prefix="snl-")
        test.addCleanup(shutil.rmtree, self._folder, ignore_errors=True)
        self._environment = {n: v for n, v in (test.environment | env).items() if v is not None}
        bash = ["bash", "--norc", "--noprofile", "-i"]
        started = self._tmux("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows),
                             "-c", str(test.folder), "env", "PS1=$ ", f"TERM={env.get('TERM', 'screen')}", *bash,
                             check=False)
        if started.returncode != 0:
            test.skipTest(f"no terminal can be had from tmux here: {started.stderr.strip()}")
        test.addCleanup(self._tmux, "kill-server", check=False)
        self.until("$")

    def _tmux(self, *words, check=True):
        command = ["tmux", "-u", "-S", f"{self._folder}/tmux", *words]
        return subprocess.run(command, env=self._environment, capture_output=True, text=True, check=check,
                              encoding="utf-8", timeout=snl.PATIENCE)

    def run(self, *args):
        """Types a command of snl at the shell's prompt."""
        self.line("clear; " + shlex.join([snl.PROGRAM, *map(str, args)]))

    def line(self, text):
        self._tmux("send-keys", "-l", "--", text)
        self.keys("Enter")

    def keys(self, *keys):
        """Keys as tmux names them: Left, S-Right, Enter, C-c, or a character."""
        self._tmux("send-keys", *keys)

    def type(self, text):
        self._tmux("send-keys", "-l", "--", text)

    def resize(self, columns, rows):
        self._tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def screen(self, styles=False):
        """The lines that are seen, without blanks at their ends; with SGR sequences if asked for."""
        text = self._tmux("capture-pane", "-p", *(["-e"] if styles else [])).stdout
        return "".join(line.rstrip() + "\n" for line in text.splitlines())

    def until(self, wanted, styles=False):
        """Waits until the screen is as `wanted` (a predicate, or text that is to be on it)."""
        if isinstance(wanted, str):
            text, wanted = wanted, lambda screen: text in screen
        return until(self._test, lambda: self.screen(styles), wanted)

    def processes(self):
        """The IDs of the programs that the shell has started."""
        shell = self._tmux("display-message", "-p", "#{pane_pid}").stdout.strip()
        children = pathlib.Path(f"/proc/{shell}/task/{shell}/children").read_text()
        return [int(child) for child in children.split()]

    def assert_golden(self, name, styles=False):
        """Waits until the screen is the one of a golden file that a person has looked at."""
        path = snl.GOLDEN / name
        if os.environ.get("SNL_UPDATE_GOLDEN") == "1":
            seen, at_rest = self.screen(styles), time.monotonic()
            while time.monotonic() < at_rest + 2:
                if self.screen(styles) != seen:
                    seen, at_rest = self.screen(styles), time.monotonic()
            path.write_text(seen, encoding="utf-8")
        golden = path.read_text(encoding="utf-8")
        try:
            self.until(lambda screen: screen == golden, styles)
        except AssertionError:
            self._test.assertEqual(self.screen(styles), golden, f"see {path}")
            raise
