"""Goal: --db takes a PostgreSQL database as it takes a file: exports and imports, followers, `snl db copy`, `snl serve`.

Method: real servers (postgres.py).
"""

import shlex
import subprocess

import postgres
import server
import snl
from postgres import OnPostgres


class EveryCommand(OnPostgres):
    def test_exports_and_imports(self):
        self.snl("new", "Ann", "Bob", "--id", "a", "--seed", 7, "--size", 6)
        self.snl("roll", "a", "--all")
        lines = self.snl("export", "a")
        self.assertEqual(self.snl("import", "-", input=lines, db="file.db"), "a\n")
        again = self.run_snl("import", "-", input=lines)
        self.assertEqual((again.code, again.out, again.err), (0, "a\n", "snl: game a: nothing new; it is there already\n"))
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
        line = self.refused(
            1, "no server answers there; check that it runs", "new", "--board", "empty", "Ann", "Bob",
            db=f"postgresql://me:secret@{self.closed_address()}/games"
        )
        self.assertNotIn("secret", line)


class RefusedByItsServer(OnPostgres):
    def setUp(self):
        super().setUp()
        self.place = f"host={self.cluster.folder}"

    def no_session(self, why, db, **environment):
        self.environment.update(environment)
        line = self.refused(1, why, "list", db=db)
        self.assertNotRegex(line, "FATAL|fe_sendauth|connection to server|Is the server running")
        return line

    def test_where_it_is_not_there(self):
        self.no_session("no server answers there; check that it runs", f"host={self.folder} dbname=games")

    def test_where_the_database_is_not_there(self):
        place = f"{self.place} user=snl dbname=nothing"
        line = self.no_session("its server has no database nothing; make it: createdb .* nothing$", place)
        program, *words = shlex.split(line.partition("make it: ")[2])
        subprocess.run([postgres.PROGRAMS / program, *words], check=True)
        self.assertEqual(self.snl("list", db=place), "")
        self.cluster.sql(self.database, "DROP DATABASE nothing")

    def test_whose_tables_are_gone_says_so_and_what_to_do(self):
        self.snl("new", "A", "B", "--id", "g", db=self.database)
        self.cluster.sql(self.database, "ALTER TABLE snl.commits RENAME TO others")
        for command in (("list",), ("show", "g"), ("roll", "g"), ("audit",), ("db", "info")):
            self.refused(1, r'relation "snl\.commits" does not exist; its tables aren\'t those that snl makes; restore', *command, db=self.database)

    def test_where_the_role_is_not_there(self):
        self.no_session("its server doesn't admit stranger from here", f"{self.place} user=stranger dbname=postgres")

    def test_for_its_password(self):
        self.cluster.sql(self.database, "CREATE ROLE teller LOGIN PASSWORD 'told'")
        access = self.cluster.data / "pg_hba.conf"
        before = access.read_text()
        try:
            access.write_text(f"local all teller scram-sha-256\n{before}")
            self.cluster.sql(self.database, "SELECT pg_reload_conf()")
            place = self.database.replace("user=snl", "user=teller")
            asked = lambda: "asks for teller's password" in self.run_snl("list", db=place).err
            self.assertTrue(snl.wait_for(asked))
            self.no_session(r"asks for teller's password; give it in a file ~/\.pgpass, as PGPASSWORD, or in --db", place)
            line = self.no_session("doesn't take teller's password; check both", place, PGPASSWORD="guessed")
            self.assertNotIn("guessed", line)
            self.no_session("doesn't take teller's password", f"{place} password=guessed")
            self.assertEqual(self.snl("list", db=f"{place} password=told"), "")
        finally:
            access.write_text(before)
            self.cluster.sql(self.database, "SELECT pg_reload_conf(); DROP ROLE teller")

    def test_for_want_of_a_right_to_connect(self):
        name = self.database.rpartition("=")[2]
        self.cluster.sql(self.database, f"CREATE ROLE guest LOGIN; REVOKE CONNECT ON DATABASE {name} FROM PUBLIC")
        self.no_session(
            f"guest may not connect to this database; ask its owner for it: GRANT CONNECT ON DATABASE {name} TO guest",
            self.database.replace("user=snl", "user=guest"),
        )

    def test_for_want_of_sessions(self):
        name = self.database.rpartition("=")[2]
        self.cluster.sql(self.database, f"CREATE ROLE crowded LOGIN; ALTER DATABASE {name} CONNECTION LIMIT 0")
        self.no_session("its server has no session left; try again", self.database.replace("user=snl", "user=crowded"))

    def test_as_another_than_was_asked_for(self):
        self.no_session("it answers now; try again, or check whether target_session_attrs asks", f"{self.database} target_session_attrs=standby")

    def test_as_one_that_only_reads(self):
        self.cluster.sql(self.database, f"ALTER DATABASE {self.database.rpartition('=')[2]} SET default_transaction_read_only = on")
        self.refused(1, "it answers, and games can't be written to it now: a standby", "new", "--board", "empty", "Ann", "Bob", "--seed", 1)


class Copying(OnPostgres):
    def test_takes_hosted_games_along(self):
        _, client = self.serve()
        path, _, tokens = self.new_game(client)
        self.assertEqual(self.json("db", "copy", self.database, "file.db")["rooms"], 1)
        self.end_servers()
        self.environment["SNL_DB"] = str(self.folder / "file.db")
        _, client = self.serve()
        self.assertEqual(client.post(f"{path}/turns", {}, token=tokens[0]).status, 200)

    def test_takes_hosted_games_from_one_that_can_only_be_read(self):
        _, client = self.serve()
        self.new_game(client)
        self.end_servers()
        self.cluster.sql(self.database, f"ALTER DATABASE {self.database.rpartition('=')[2]} SET default_transaction_read_only = on")
        self.assertEqual(self.json("db", "copy", self.database, "file.db")["rooms"], 1)

    def test_is_refused_where_it_would_mix_games_up(self):
        self.snl("new", "--board", "empty", "Ann", "Bob", "--id", "a", "--seed", 1)
        self.snl("new", "--board", "empty", "Ann", "Bob", "--id", "a", "--seed", 2, db="file.db")
        self.refused(5, "another game a", "db", "copy", "file.db", self.database)
        self.refused(2, "the store itself", "db", "copy", "file.db", "./file.db")
        self.refused(1, "no such store", "db", "copy", "missing.db", self.database)


if __name__ == "__main__":
    snl.main()
