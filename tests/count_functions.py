#!/usr/bin/env python3
"""Goal: a turn stays short. Counts the functions of snl that one turn enters: of the command line, and of a POST.

Method: gdb stops at the first call of each function of the program, once the game is under way. Their number
depends on the compiler's inlining: the bars apply to a release build. Functions of a server's periodic work aren't
counted, even if a turn enters them too. Usage:

    tests/count_functions.py SNL [--list]    ends with 1 where a turn enters more than its bar
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request

MOST_OF_A_COMMAND = 150
MOST_OF_A_POST = 220
PERIODIC_WORK = 20  # seconds within which a server does all of it

# Runs within gdb: a breakpoint at each function, which is gone once it was hit.
WITHIN_GDB = r"""
import gdb, re
gdb.execute("set pagination off")
gdb.execute("set breakpoint always-inserted on")
gdb.execute("set print thread-events off")
gdb.execute("handle SIGPIPE SIGINT SIGTERM nostop noprint pass")
program = gdb.current_progspace().filename
with open(f"/proc/{gdb.selected_inferior().pid}/maps") as maps:
    base = next(int(line.split("-")[0], 16) for line in maps if line.rstrip().endswith(program))
names = {}
class Function(gdb.Breakpoint):
    def __init__(self, address, name):
        super().__init__(f"*{address:#x}", internal=True)
        self.silent = True
        self.name_of = name
        self.of_address = address
    def stop(self):
        print(self.name_of, file=entered, flush=True)
        self.enabled = False
        return False
entered = open(ENTERED, "w")
functions = [Function(base + offset, name) for offset, name in SYMBOLS]
"""


def symbols_of(program):
    """Offsets and names of the functions of namespace snl, without those that the compiler makes of a class."""
    lines = subprocess.run(["nm", "--defined-only", program], capture_output=True, text=True, check=True).stdout
    mangled = re.findall(r"^([0-9a-f]+) [tTwW] (_ZZ?NK?3snl\w+)$", lines, re.MULTILINE)
    names = subprocess.run(["c++filt"], input="\n".join(name for _, name in mangled), capture_output=True, text=True,
                           check=True).stdout.splitlines()
    is_made = re.compile(r"(\b|~)(\w+)(<.*>)?::~?\2\(|::operator=\(")
    return sorted({int(offset, 16): name for (offset, _), name in zip(mangled, names, strict=True)
                   if not is_made.search(name)}.items())


def gdb_of(program, folder, before, after):
    """Arguments of a gdb that does `before`, sets breakpoints and does `after`."""
    script = os.path.join(folder, "count.py")
    with open(script, "w") as file:
        file.write(f"SYMBOLS = {symbols_of(program)!r}\nENTERED = {os.path.join(folder, 'entered')!r}\n{WITHIN_GDB}\n")
        for command in after:
            file.write(f"gdb.execute({command!r})\n")
    return ["gdb", "-nx", "-batch", *(word for command in before for word in ("-ex", command)), "-x", script]


def entered_in(folder):
    with open(os.path.join(folder, "entered")) as file:
        return file.read().splitlines()


def of_a_command(program, folder):
    store = os.path.join(folder, "command.db")
    run = lambda *args: subprocess.run([program, "--db", store, *args], check=True, capture_output=True)
    run("new", "Ann", "Bob", "--id", "g", "--seed", "1")
    run("play", "g", "Ann", "3")
    before = [f"set args --db {store} play g Bob 3", "set disable-randomization on", "starti"]
    arguments = gdb_of(program, folder, before, ["continue"])
    subprocess.run([*arguments, program], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return entered_in(folder)


def of_a_post(program, folder):
    store = os.path.join(folder, "server.db")
    server = subprocess.Popen([program, "--db", store, "serve", "--listen", "127.0.0.1:0", "--threads", "1"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    address = server.stdout.readline().split()[-1]

    def post(path, body, token=None):
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        request = urllib.request.Request(address + path, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    try:
        made = post("/api/games", {"players": ["Ann", "Bob"]})
        path = f"/api/games/{made['id']}/turns"
        tokens = [seat["token"] for seat in made["seats"]]
        for turn in range(2):
            post(path, {}, tokens[turn])
        ready = os.path.join(folder, "ready")
        os.mkfifo(ready)
        after = [f"python open({ready!r}, 'w').close()", "continue"]
        gdb = subprocess.Popen(gdb_of(program, folder, [f"attach {server.pid}"], after), stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
        with open(ready):
            pass
        time.sleep(PERIODIC_WORK)
        done_before = set(entered_in(folder))
        post(path, {}, tokens[0])
        entered = [function for function in entered_in(folder) if function not in done_before]
        server.terminate()
        gdb.wait()
    finally:
        server.kill()
        server.wait()
    return entered


def main():
    program = os.path.realpath(sys.argv[1])
    is_over = False
    for name, count, most in (("snl play", of_a_command, MOST_OF_A_COMMAND), ("POST of a turn", of_a_post, MOST_OF_A_POST)):
        with tempfile.TemporaryDirectory() as folder:
            entered = count(program, folder)
        print(f"{name}: {len(entered)} functions, at most {most}")
        if "--list" in sys.argv:
            print("\n".join(f"    {function}" for function in entered))
        is_over = is_over or len(entered) > most
    return int(is_over)


if __name__ == "__main__":
    sys.exit(main())
