"""The sender of a store may have put anything into its schema: none of it runs, and snl reports it.

Each store here is a sound one with a changed schema, so that an attacker's SQL or a function would
run during a command. Every command refuses it in one line, and nothing changes.
"""

import hashlib
import shutil
import sqlite3

import snl

tally = snl.tally_of_program("a command on a hostile schema", "undetected", "false_alarms")


def text_of(kind, name):
    return f"(SELECT sql FROM sqlite_schema WHERE type = '{kind}' AND name = '{name}')"


def reworded(name, old, new):
    """The text of a table changed behind SQLite's back."""
    return ("PRAGMA writable_schema = ON",
            f"UPDATE sqlite_schema SET sql = replace(sql, '{old}', '{new}') WHERE name = '{name}' AND sql LIKE '%{old}%'")


def entered(kind, name, table, page, sql):
    return ("PRAGMA writable_schema = ON",
            f"INSERT INTO sqlite_schema VALUES ('{kind}', '{name}', '{table}', {page}, '{sql}')")


EMPTY_PAGE = "(SELECT rootpage FROM sqlite_schema WHERE name = 'spare')"

# The changes, in SQL.
CHANGES = {
    "a trigger on the log": ("CREATE TRIGGER t AFTER INSERT ON commits BEGIN DELETE FROM players; END",),
    "a trigger on the games": ("CREATE TRIGGER t AFTER UPDATE ON games BEGIN UPDATE players SET name = 'Mallory'; END",),
    "a trigger instead of another": ("DROP TRIGGER commits_are_never_updated",
                                     "CREATE TRIGGER commits_are_never_updated BEFORE UPDATE ON commits BEGIN SELECT 1; END"),
    "a trigger on a view": ("CREATE TRIGGER t INSTEAD OF INSERT ON events BEGIN DELETE FROM players; END",),
    "a view instead of a table": ("ALTER TABLE players RENAME TO hidden",
                                  "CREATE VIEW players AS SELECT game, seat, randomblob(100000000) AS name FROM hidden"),
    "a view instead of a table that calls itself": ("DROP VIEW events", "DROP TABLE players",
                                                    "CREATE VIEW players AS SELECT * FROM players"),
    "another view of the events": ("DROP VIEW events", "CREATE VIEW events AS SELECT load_extension('evil') AS e"),
    "a generated column": ("ALTER TABLE games ADD COLUMN evil TEXT AS (hex(zeroblob(100000000)))",),
    "a column with a default": ("ALTER TABLE games ADD COLUMN evil TEXT DEFAULT 'x'",),
    "a generated column in place of another": reworded("players", "name TEXT    NOT NULL", "name TEXT AS (hex(randomblob(9)))"),
    "an index on an expression": ("CREATE INDEX i ON commits (length(command || zeroblob(100)))",),
    "an index on a part": ("CREATE INDEX i ON commits (time) WHERE abs(time) > 0",),
    "a check that calls a function": reworded("players", "seat BETWEEN 0 AND 9", "length(hex(zeroblob(seat + 99))) > 0"),
    "a check that calls a function of nobody's": reworded("players", "seat BETWEEN 0 AND 9", "evil(seat)"),
    "an index with other rows": reworded("commits_by_command_id", "IS NOT NULL", "IS NULL"),
    "a virtual table": ("CREATE VIRTUAL TABLE v USING fts5(words)",),
    "a virtual table of no module": entered("table", "v", "v", 0, "CREATE VIRTUAL TABLE v USING evil(words)"),
    "a virtual table in place of a table": ("PRAGMA writable_schema = ON",
                                            "UPDATE sqlite_schema SET rootpage = 0, sql = 'CREATE VIRTUAL TABLE players USING"
                                            " fts5(game, seat, name)' WHERE name = 'players'"),
    "a table under a name of SQLite's own": entered("table", "sqlite_more", "sqlite_more", EMPTY_PAGE,
                                                    "CREATE TABLE sqlite_more(a CHECK (evil(a)))"),
    "a virtual table under a name of SQLite's own": entered("table", "sqlite_v", "sqlite_v", 0,
                                                            "CREATE VIRTUAL TABLE sqlite_v USING fts5(words)"),
    "statistics of another form": entered("table", "sqlite_stat1", "sqlite_stat1", EMPTY_PAGE,
                                          "CREATE TABLE sqlite_stat1(tbl,idx,stat,evil AS (evil(stat)))"),
    "a trigger under a name of SQLite's own": entered("trigger", "sqlite_t", "commits", 0, "CREATE TRIGGER sqlite_t AFTER INSERT"
                                                      " ON commits BEGIN DELETE FROM players; END"),
    "an index under a name of SQLite's own": entered("index", "sqlite_autoindex_commits_9", "commits", EMPTY_PAGE,
                                                     "CREATE INDEX sqlite_autoindex_commits_9 ON commits (abs(time))"),
    "an index without a text that is none of SQLite's": entered("index", "sqlite_autoindex_commits_9", "commits", EMPTY_PAGE, "")[:1]
    + (f"INSERT INTO sqlite_schema VALUES ('index', 'sqlite_autoindex_commits_9', 'commits', {EMPTY_PAGE}, NULL)",),
    "a text that ends in another statement": reworded("players", "WITHOUT ROWID", "WITHOUT ROWID; DROP TABLE games"),
    "a text in other words": reworded("players", "CREATE TABLE players", "CREATE TABLE  players"),
    "a text that is none": ("PRAGMA writable_schema = ON", "UPDATE sqlite_schema SET sql = 'evil' WHERE name = 'commits'"),
    "a table without a text": ("PRAGMA writable_schema = ON", "UPDATE sqlite_schema SET sql = NULL WHERE name = 'commits'"),
    "a kind that is none": ("PRAGMA writable_schema = ON", "UPDATE sqlite_schema SET type = 'evil' WHERE name = 'commits'"),
    "a table twice": entered("table", "players", "players", EMPTY_PAGE, "CREATE TABLE players(a)"),
    "a table on the page of the schema": ("PRAGMA writable_schema = ON",
                                          "UPDATE sqlite_schema SET rootpage = 1 WHERE name = 'commits'"),
    "a table on a page that isn't there": ("PRAGMA writable_schema = ON",
                                           "UPDATE sqlite_schema SET rootpage = 99999 WHERE name = 'commits'"),
    "no table of migrations": ("DROP TABLE migrations",),
}
# The schema has the right text, but two tables have swapped their pages. Only an audit can detect
# that.
SWAPPED = ("PRAGMA writable_schema = ON",
           "UPDATE sqlite_schema SET rootpage = (SELECT sum(rootpage) FROM sqlite_schema WHERE name IN ('games', 'commits'))"
           " - rootpage WHERE name IN ('games', 'commits')")

READING = ("show g --json", "list", "log", "replay g", "analyze g", "export g", "export g -f text")
WRITING = ("play g Ann 3", "roll g", "undo g", "new A B", "tournament A B C --rounds 1", "import game.jsonl",
           "simulate --games 1 --save", "db migrate")


class AStoreFromAStranger(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.snl("new", "Ann", "Bob", "--board", "class", "--seed", "5", "--id", "g")
        self.snl("roll", "g", "-n", "4")
        self.snl("export", "g", "-o", "game.jsonl")
        self.original = self.store.read_bytes()

    def change(self, statements):
        """The store as it was, changed; a digest of what it is now."""
        self.store.write_bytes(self.original)
        database = sqlite3.connect(self.store, isolation_level=None)
        if any("spare" in statement for statement in statements):
            database.execute("CREATE TABLE spare (a)")  # a page to borrow
        for statement in statements:
            database.execute(statement)
        if any("spare" in statement for statement in statements):
            database.execute("DELETE FROM sqlite_schema WHERE name = 'spare'")
        database.close()
        self.assertNotEqual(self.store.read_bytes(), self.original)
        return self.digest()

    def digest(self):
        return hashlib.sha256(self.store.read_bytes()).hexdigest()

    def test_is_refused_by_every_command_and_left_as_it_is(self):
        for name, statements in CHANGES.items():
            before = self.change(statements)
            for code, commands in ((1, READING + WRITING), (4, ("audit", "audit g", "db check"))):
                for command in commands:
                    with self.subTest(name, command=command), tally.attempt():
                        result = self.run_snl(*command.split())
                        self.assertEqual(result.code, code, result)
                        told = result.err or result.out
                        self.assertRegex(told, "schema|damaged|malformed|can't be used", result)
                        if code == 1:
                            self.assertRegex(result.err, r"\Asnl: [^\n]+\n\Z")
                            self.assertEqual(result.out, "")
                        self.assertEqual(self.digest(), before)

    def test_is_refused_for_what_was_done_to_it_alone(self):
        for command in (*READING, *WRITING, "audit", "audit g", "db check"):
            self.store.write_bytes(self.original)
            with self.subTest(command), tally.sound():
                self.assertEqual(self.run_snl(*command.split()).code, 0)

    def test_with_its_tables_swapped_crashes_nothing_and_is_no_sound_one(self):
        before = self.change(SWAPPED)
        for command in READING + WRITING:
            with self.subTest(command), tally.attempt():
                self.assertIn(self.run_snl(*command.split()).code, range(0, 7))
        self.store.write_bytes(self.original)
        before = self.change(SWAPPED)
        for command in ("audit", "db check"):
            with tally.attempt():
                self.assertEqual(self.run_snl(*command.split()).code, 4)
        self.assertEqual(self.digest(), before)

    def test_with_statistics_is_read_as_any_other(self):
        self.change(("ANALYZE",))
        with tally.sound():
            self.assert_sound()
        shutil.copy(self.store, self.folder / "copy.db")
        self.snl("roll", "g")


if __name__ == "__main__":
    snl.main()
