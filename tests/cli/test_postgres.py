"""Goal: --db takes a PostgreSQL database as it takes a file: exports and imports, followers, `snl db copy`, `snl serve`.

Method: real servers (postgres.py).
"""

import subprocess

import server
import snl
from postgres import Cluster


class OnPostgres(server.ServerTest):
    def setUp(self):
        super().setUp()
        self.cluster = Cluster.shared()
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
