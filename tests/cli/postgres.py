"""The base of the tests of stores on PostgreSQL: a real server in a temporary folder, on a socket there, and a
database for each test. An unprivileged user runs the server. $POSTGRESQL is the folder of its programs.
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
    """A server of the test's own; given another one, a standby of that, whose name is "standby"."""

    def __init__(self, primary=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="snl-pg-", dir=snl.fast_folder()))
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        self.owner = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
            self.owner = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        self.data = self.folder / "data"
        if primary:
            self.run("pg_basebackup", "-D", self.data, "-R", "-X", "stream", "-c", "fast", "-d",
                     f"host={primary.folder} user=snl dbname=postgres application_name=standby")
        else:
            self.run("initdb", "-D", self.data, "-A", "trust", "-U", "snl", "--no-locale", "-E", "UTF8", "-N")
        self.configure(f"listen_addresses = ''\nunix_socket_directories = '{self.folder}'\nautovacuum = off\n")
        self.databases = 0
        self.process = None
        self.start()
        atexit.register(self.stop)

    def configure(self, lines):
        with (self.data / "postgresql.conf").open("a") as file:
            file.write(lines)

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
        return f"host={self.folder} user=snl connect_timeout=600 dbname={name}"

    @classmethod
    def shared(cls):
        """The one of this program's tests."""
        if not hasattr(Cluster, "only"):
            Cluster.only = cls()
        return Cluster.only

    def sql(self, database, statements):
        """As a superuser."""
        self.run("psql", "-q", "-v", "ON_ERROR_STOP=1", "-c", statements, database)


class OnPostgres(server.ServerTest):
    """A test with a database of its own."""

    begin_cluster = staticmethod(Cluster.shared)

    def setUp(self):
        super().setUp()
        self.cluster = self.begin_cluster()
        self.environment["SNL_DB"] = self.database = self.cluster.database()
