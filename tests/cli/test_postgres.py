"""Goal: --db takes a PostgreSQL database wherever it takes a file: every command, `snl db copy` in either direction,
`snl serve` in several processes on one store, through a server that is restarted.

Method: a real server in a temporary folder, on a socket there, run by somebody without privileges ($POSTGRESQL is where
its programs are); a database for each test.
"""

import atexit
import os
import pathlib
import pwd
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading

import server
import snl
from server import Stream

PROGRAMS = pathlib.Path(os.environ["POSTGRESQL"])


class Cluster:
    """A server of the test's own."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="snl-pg-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        self.owner = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
            self.owner = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        self.data = self.folder / "data"
        self.run("initdb", "-D", self.data, "-A", "trust", "-U", "snl", "--no-locale", "-E", "UTF8", "-N")
        with (self.data / "postgresql.conf").open("a") as lines:
            lines.write(f"listen_addresses = ''\nunix_socket_directories = '{self.folder}'\nautovacuum = off\n")
        self.databases = 0
        self.process = None
        self.start()
        atexit.register(self.stop)

    def run(self, program, *args):
        subprocess.run(
            [PROGRAMS / program, *args], cwd="/", check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **self.owner
        )

    def start(self):
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen([PROGRAMS / "postgres", "-D", self.data], cwd="/", stdout=log, stderr=log, **self.owner)
        ready = [PROGRAMS / "pg_isready", "-q", "-h", self.folder, "-U", "snl", "-d", "postgres"]
        if not snl.wait_for(lambda: subprocess.run(ready).returncode == 0):
            raise RuntimeError((self.folder / "log").read_text())

    def stop(self, how=signal.SIGINT):
        if self.process:
            self.process.send_signal(how)
            self.process.wait()
            self.process = None

    def database(self):
        self.databases += 1
        name = f"games{self.databases}"
        self.run("createdb", "-h", self.folder, "-U", "snl", name)
        return f"host={self.folder} user=snl dbname={name}"


class OnPostgres(server.ServerTest):
    def setUp(self):
        super().setUp()
        if not hasattr(OnPostgres, "cluster"):
            OnPostgres.cluster = Cluster()
        self.database = self.cluster.database()
        self.environment["SNL_DB"] = self.database


class EveryCommand(OnPostgres):
    def test_plays_looks_back_and_proves(self):
        self.assertEqual(self.snl("list"), "")
        self.refused(3, "no game", "show", "a")
        self.refused(1, "there is no store yet", "db", "info")
        self.assertEqual(self.snl("new", "Ann", "Bob", "--id", "a", "--seed", 7, "--cells", 30, "--ladder", "3,22"), "a\n")
        self.refused(5, "taken|there already", "new", "Ann", "Bob", "--id", "a")
        self.assertEqual(self.snl("play", "a", "Ann", "2"), "Ann,22,Bob,CONTINUE\n")
        self.assertEqual(self.run_snl("play", "a", "Ann", "2").code, 6)
        self.assertEqual(self.run_snl("roll", "a", "--expect-version", 1).code, 5)
        self.snl("roll", "a", "--command-id", "x")
        version = self.version("a")
        self.snl("roll", "a", "--command-id", "x")
        self.assertEqual(self.version("a"), version)
        self.snl("undo", "a")
        self.snl("redo", "a")
        self.snl("play", "a", "-", input="Ann 1\nBob 2\n")
        self.assertEqual(self.snl("branch", "a", "--at", "2", "--id", "b"), "b\n")
        self.snl("roll", "@", "--all", "--max-turns", 500)
        for command in ("show a", "show a --at 1", "list", "list --player Ann --status in-progress", "replay a --undone",
                        "log", "log a", "audit", "audit a", "analyze a", "export a", "db info", "db check", "db migrate"):
            self.assertNotEqual(self.snl(*command.split()), "", command)
        self.assertTrue(self.json("audit")["ok"])
        info = self.json("db", "info")
        self.assertEqual((info["games"], info["path"]), (2, self.database))
        self.snl("simulate", "--games", 20, "--seed", 1, "--save")
        self.snl("tournament", "Ann", "Bob", "Cleo", "--rounds", 1, "--seed", 2)
        self.assertTrue(self.json("audit")["ok"])
        # What its server does is said plainly.
        self.refused(1, "pg_dump", "db", "backup", "copy.db")
        self.snl("new", "Ann", "Bob", db="file.db")
        self.refused(1, "pg_restore", "db", "restore", "file.db")
        self.refused(1, "VACUUM", "db", "compact")

    def test_exports_and_imports(self):
        self.snl("new", "Ann", "Bob", "--id", "a", "--seed", 7, "--size", 6)
        self.snl("roll", "a", "--all")
        lines = self.snl("export", "a")
        self.assertEqual(self.snl("import", "-", input=lines, db="file.db"), "a\n")
        self.assertEqual(self.snl("import", "-", input=lines), "a\n")  # it is there already
        self.assertEqual(self.show("a"), self.show("a", db="file.db"))

    def test_follows_what_others_play(self):
        self.snl("new", "Ann", "Bob", "--id", "a", "--seed", 7, "--size", 10)
        following = self.popen("log", "--follow", "--json", stdout=subprocess.PIPE, text=True)
        try:
            self.assertIn('"start"', following.stdout.readline())
            for _ in range(3):
                self.snl("roll", "a")
                self.assertIn('"played"', following.stdout.readline())
        finally:
            following.kill()
            following.communicate()

    def test_is_refused_in_one_line_where_there_is_no_server(self):
        self.refused(1, r"store postgresql://nowhere\.invalid:5432/games: ", "list", db="postgresql://me:secret@nowhere.invalid/games")
        line = self.refused(1, "127.0.0.1", "new", "Ann", "Bob", db="postgresql://me:secret@127.0.0.1:1/games")
        self.assertNotIn("secret", line)


class Copying(OnPostgres):
    def test_leaves_heads_as_they_are_in_either_direction(self):
        self.snl("simulate", "--games", 30, "--seed", 5, "--save", db="file.db")
        head = self.json("audit", db="file.db")["head"]
        copied = self.json("db", "copy", "file.db", self.database)
        self.assertEqual((copied["games"], copied["head"]), (30, head))
        self.assertEqual(self.json("audit", "--expect", head)["head"], head)
        self.assertIn("30 games", self.snl("db", "copy", self.database, "back.db"))
        self.assertEqual(self.json("audit", db="back.db")["head"], head)
        self.assertEqual(self.snl("list", db="back.db"), self.snl("list"))
        self.assertEqual(self.json("db", "copy", "file.db", self.database)["commits"], 0)

    def test_takes_rooms_along(self):
        _, client = self.serve()
        path, _, tokens = self.new_game(client)
        self.assertEqual(self.json("db", "copy", self.database, "file.db")["rooms"], 1)
        self.end_servers()
        self.environment["SNL_DB"] = str(self.folder / "file.db")
        _, client = self.serve()
        self.assertEqual(client.post(f"{path}/turns", {}, token=tokens[0]).status, 200)

    def test_is_refused_where_it_would_mix_games_up(self):
        self.snl("new", "Ann", "Bob", "--id", "a", "--seed", 1)
        self.snl("new", "Ann", "Bob", "--id", "a", "--seed", 2, db="file.db")
        self.refused(5, "another game a", "db", "copy", "file.db", self.database)
        self.refused(2, "the store itself", "db", "copy", "file.db", "./file.db")
        self.refused(1, "no such store", "db", "copy", "missing.db", self.database)


class TwoServersOnOneStore(OnPostgres):
    def test_play_one_game_and_both_tell_of_it(self):
        (_, one), (there, other) = self.serve("--limit", "writes=0"), self.serve("--limit", "writes=0")
        path, _, tokens = self.new_game(one)
        stream = Stream(there.port, f"{path}/events")
        heard = iter(stream)
        turns = 0
        for turn in range(6):
            client = (one, other)[turn % 2]
            state = client.get(path).json
            seat = next(seat["seat"] for seat in state["seats"] if seat["name"] == state["next"])
            played = (other, one)[turn % 2].post(f"{path}/turns", {}, token=tokens[seat])
            self.assertEqual(played.status, 200, played.body)
            turns += 1
        self.assertEqual(one.get(path).json["turn"], turns)
        self.assertEqual(other.get(path).json["head"], one.get(path).json["head"])
        versions = []
        while not versions or versions[-1] < turns + 1:
            told = next(heard)
            if getattr(told, "id", None) or (isinstance(told, dict) and told.get("id")):
                versions.append(int(told["id"] if isinstance(told, dict) else told.id))
        stream.close()
        self.assertEqual(versions, sorted(set(versions)))
        self.assertTrue(self.json("audit")["ok"])

    def test_outlast_a_crash_of_the_database(self):
        _, client = self.serve("--limit", "writes=0")
        path, _, tokens = self.new_game(client)
        acknowledged = []
        crashing = threading.Event()

        def play():
            seat = 0
            while len(acknowledged) < 40:
                answer = client.post(f"{path}/turns", {"command_id": f"t{len(acknowledged)}"} , token=tokens[seat])
                if answer.status == 200:
                    acknowledged.append(answer.json)
                    crashing.set()
                    seat = 1 - seat
                elif answer.status in (403, 409):
                    return

        playing = threading.Thread(target=play)
        playing.start()
        self.assertTrue(crashing.wait(snl.PATIENCE))
        self.cluster.stop(signal.SIGQUIT)
        self.cluster.start()
        playing.join()
        state = client.get(path).json
        self.assertGreaterEqual(state["turn"], len(acknowledged))
        self.assertTrue(self.json("audit")["ok"])


if __name__ == "__main__":
    snl.main()
