"""Goal: --db takes a PostgreSQL database as it takes a file: exports and imports, followers, `snl db copy`, `snl serve`.

Method: a real server in a temporary folder, on a socket there, run by somebody without privileges ($POSTGRESQL is where
its programs are); a database for each test.
"""

import atexit
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile

import server
import snl

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


if __name__ == "__main__":
    snl.main()
