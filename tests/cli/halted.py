"""Processes that stop before certain system calls until a test lets them go on, however fast or slow the machine is
(seccomp_unotify(2))."""

import ctypes
import fcntl
import os
import platform
import select
import signal
import socket
import struct
import time

import snl

NUMBERS = {
    "x86_64": {"write": 1, "pwrite64": 18, "sendto": 44, "fsync": 74, "fdatasync": 75, "ftruncate": 77, "rename": 82, "link": 86,
               "unlink": 87, "clock_nanosleep": 230, "unlinkat": 263, "renameat": 264, "linkat": 265, "renameat2": 316, "seccomp": 317},
    "aarch64": {"unlinkat": 35, "linkat": 37, "renameat": 38, "ftruncate": 46, "write": 64, "pwrite64": 68, "fsync": 82,
                "fdatasync": 83, "clock_nanosleep": 115, "sendto": 206, "renameat2": 276, "seccomp": 277},
}[platform.machine()]

# All calls that change a file or its name.
CHANGES = ("write", "pwrite64", "fsync", "fdatasync", "ftruncate", "rename", "renameat", "renameat2", "link", "linkat", "unlink",
           "unlinkat")
# Messages of libpq, and of all code that calls send(). Not sendmsg: the process uses it to hand over its listener once
# the filter is in place.
MESSAGES = ("sendto",)

LOAD_WORD, JUMP_IF_EQUAL, ANSWER = 0x20, 0x15, 0x06  # linux/bpf_common.h
ALLOW, ASK = 0x7FFF0000, 0x7FC00000  # linux/seccomp.h
RECEIVE, SEND = 0xC0502100, 0xC0182101
NOTICE_BYTES, GO_ON = 80, 1


def _ask_before(calls, sock):
    """From now on, this process asks the process at the other end of the socket before it makes one of these calls."""
    numbers = [NUMBERS[call] for call in calls if call in NUMBERS]
    steps = [(LOAD_WORD, 0, 0, 0), *((JUMP_IF_EQUAL, len(numbers) - i, 0, number) for i, number in enumerate(numbers)),
             (ANSWER, 0, 0, ALLOW), (ANSWER, 0, 0, ASK)]
    kept = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(struct.pack("HP", len(steps), ctypes.addressof(kept)))
    no_new_privileges, set_filter, new_listener = 38, 1, 8
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(no_new_privileges, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")
    listener = libc.syscall(NUMBERS["seccomp"], set_filter, new_listener, program)
    if listener < 0:
        raise OSError(ctypes.get_errno(), "seccomp")
    socket.send_fds(sock, [b"x"], [listener])
    os.close(listener)


class Halted:
    """The process that `begin` starts with the given options for Popen; it stops before each of these calls."""

    def __init__(self, test, begin, calls=CHANGES, preexec_fn=lambda: None):
        self._test, self._notice = test, None
        ours, theirs = socket.socketpair()

        def prepare():
            preexec_fn()
            _ask_before(calls, theirs)

        with ours, theirs:
            self.process = begin(preexec_fn=prepare)
            _, (self._listener,), _, _ = socket.recv_fds(ours, 1, 1)
        test.addCleanup(self.end)

    def stops(self):
        """Lets it go on to the next of its calls; false if it has ended instead."""
        self._go_on()
        deadline = time.monotonic() + snl.PATIENCE
        ready = select.poll()
        ready.register(self._listener, select.POLLIN)
        while self.process.poll() is None:
            if time.monotonic() > deadline:
                self.end()
                self._test.fail("it neither makes a call nor ends")
            events = [what for _, what in ready.poll(1000)]
            if events == [select.POLLHUP]:  # it is ending
                self.process.wait(snl.PATIENCE)
            if not any(what & select.POLLIN for what in events):
                continue
            notice = bytearray(NOTICE_BYTES)
            try:
                fcntl.ioctl(self._listener, RECEIVE, notice)
            except FileNotFoundError:  # a signal came first
                continue
            self._notice = notice[:8]
            return True
        return False

    def stops_when(self, condition, before=0):
        """Lets it continue until the condition has held at this many stops and holds at another. False if the process
        ends sooner."""
        while self.stops():
            if condition():
                if before == 0:
                    return True
                before -= 1
        return False

    def count(self, condition):
        """Lets it continue to its end; returns at how many stops the condition held."""
        times = 0
        while self.stops_when(condition):
            times += 1
        return times

    def wait(self):
        """Lets it continue to its end; returns its exit code."""
        while self.stops():
            pass
        return self.end()

    def kill(self):
        """Kills it where it stands."""
        self.process.send_signal(signal.SIGKILL)
        return self.end()

    def end(self):
        """Returns its exit code; kills it unless it has ended."""
        if self.process.returncode is None:
            self.process.kill()
            self.process.wait()
        if self._listener is not None:
            os.close(self._listener)
            self._listener = None
        return self.process.returncode

    def _go_on(self):
        if self._notice is None:
            return
        answer, self._notice = struct.pack("8sqiI", bytes(self._notice), 0, 0, GO_ON), None
        try:
            fcntl.ioctl(self._listener, SEND, answer)
        except FileNotFoundError:  # a signal came meanwhile, and it isn't there any more
            pass
