"""Goal: a forgery is found, and the first bad record named; one that leaves a sound store is found by a
head that was kept elsewhere.

Method: a forger with the sqlite3 shell takes the triggers out of the way, changes rows, and puts the triggers back to
the letter. First rows are deleted, swapped, replaced and appended, each row of the log in turn. Then a careful forger
has tests/reader/snl_reader.py compute hashes and derived rows again, as storage/format.md says. So the store is sound,
and only the kept head shows the forgery. The last class has the one forgery that nothing shows.

SNL_TORTURE=N makes games of N times as many turns: N times as many forgeries.
"""

import json
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from unittest import mock

import snl

sys.path.insert(0, str(snl.TESTS / "reader"))
import snl_reader as reader

TURNS = 6 * int(os.environ.get("SNL_TORTURE", "1"))
COPY = "INSERT OR REPLACE INTO commits SELECT {position}, {game}, {version}, time, command, events, hash, {id} FROM commits"
FAR = 10**9  # a position that no commit has
without_head = snl.tally_of_program("control: forged and hashed anew, no head kept", "undetected")
tally = snl.tally_of_program("forged with SQL", "undetected", "false_alarms")


class Forgery(snl.CommandLineTest):
    """A store of three games, and what became of it."""

    def setUp(self):
        super().setUp()
        self.snl("new", "Zoe", "Yan", "--id", "other", "--seed", "1", "--cells", "100000")
        self.snl("new", "Ann", "Bob", "--id", "g", "--seed", "5", "--cells", "100000")
        self.snl("play", "g", "Ann", "2", "--command-id", "x")
        for game in ("g", "other"):
            self.snl("roll", game, "-n", str(TURNS // 2))
        self.snl("roll", "g", "-n", str(TURNS - TURNS // 2))
        self.snl("new", "--board", "empty", "Kim", "Lee", "--id", "last", "--seed", "9")
        self.heads = {game: self.show(game)["head"] for game in ("other", "g", "last")}
        self.store_head = self.assert_sound()["head"]
        with closing(sqlite3.connect(self.store)) as database:
            self.triggers = database.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
            self.commits = database.execute("SELECT position, game, commits.version, id FROM commits JOIN games USING (game)"
                                            " ORDER BY position").fetchall()
        self.last = {game: version for _, _, version, game in sorted(self.commits)}
        self.sound = self.store.read_bytes()

    def shell(self, *statements):
        """The output of the plain sqlite3 shell for these statements."""
        done = subprocess.run(["sqlite3", "-bail", str(self.store)], input=";\n".join([*statements, ""]), text=True,
                              capture_output=True, timeout=snl.PATIENCE)
        return done.stdout + done.stderr

    def forge(self, *statements):
        """Changes the sound store with the triggers out of the way, and puts these back."""
        self.store.write_bytes(self.sound)
        said = self.shell("PRAGMA ignore_check_constraints = ON", "BEGIN",
                          *(f"DROP TRIGGER {name}" for name, _ in self.triggers), *statements,
                          *(sql for _, sql in self.triggers), "COMMIT")
        self.assertEqual(said, "", statements)

    def audit(self, *args):
        """The exit status, and the problems."""
        result = self.run_snl("audit", *args, "--json")
        self.assertEqual(result.err, "")
        report = json.loads(result.out)
        self.assertEqual((result.code, report["ok"]), (4, False) if report["problems"] else (0, True))
        return result.code, report["problems"]

    def found(self, *args):
        """The problems of a forged store, of which there must be some."""
        code, problems = self.audit(*args)
        with tally.attempt():
            self.assertEqual(code, 4)
        return problems

    def assert_told(self, **expected):
        """An audit of everything finds it: this is the first problem with the game, or with the store."""
        problems = self.found()
        first = next((problem for problem in problems if problem["game"] == expected.get("game")), None)
        self.assertIsNotNone(first, problems)
        self.assertEqual({name: first[name] for name in expected}, expected, first["detail"])

    def assert_told_by_kept_heads(self, *games):
        """The store is sound. The heads of these games and of the store show the forgery; the heads of the others still
        verify."""
        without_head.tried += 1
        without_head.undetected += self.audit() == (0, [])
        self.assertEqual(self.audit(), (0, []))
        for game, head in self.heads.items():
            if game not in games:
                with tally.sound():
                    self.assertEqual(self.audit(game, "--expect", head), (0, []))
            elif game in {line["id"] for line in self.json_lines("list")}:
                self.assertEqual([problem["kind"] for problem in self.found(game, "--expect", head)], ["head"])
            else:
                self.refused(3, f'no game "{game}"', "audit", game, "--expect", head)
        (problem,) = self.found("--all", "--expect", self.store_head)
        self.assertEqual(problem["kind"], "head")
        self.assertIn(self.store_head, problem["detail"])


class RowsOfTheLog(Forgery):
    def test_deleted_are_told(self):
        for position, _, version, game in self.commits:
            with self.subTest(game=game, version=version):
                self.forge(f"DELETE FROM commits WHERE position = {position}")
                if version < self.last[game]:
                    self.assert_told(game=game, version=version, kind="gap")
                else:
                    self.assert_told(game=game if version == 1 else None, kind="gap")

    def test_the_very_last_deleted_is_told_by_a_kept_head(self):
        self.snl("roll", "g")
        shown = self.show("g")
        self.heads["g"] = shown["head"]
        self.store_head = self.assert_sound()["head"]
        self.sound = self.store.read_bytes()
        self.forge(f"DELETE FROM commits WHERE game = 2 AND version = {shown['version']}")
        self.assert_told_by_kept_heads("g")

    def test_deleted_are_told_though_the_positions_close_up(self):
        for position, _, version, game in self.commits[:: max(1, TURNS // 12)]:
            with self.subTest(game=game, version=version):
                self.forge(f"DELETE FROM commits WHERE position = {position}",
                           f"UPDATE commits SET position = -position WHERE position > {position}",
                           "UPDATE commits SET position = -position - 1 WHERE position < 0")
                if version == self.last[game] and version > 1:
                    self.assert_told_by_kept_heads(game)
                else:
                    self.assert_told(game=game)

    def test_deleted_and_numbered_anew_are_told(self):
        self.forge("DELETE FROM commits WHERE game = 2 AND version = 3",
                   "UPDATE commits SET version = -version WHERE game = 2 AND version > 3",
                   "UPDATE commits SET version = -version - 1 WHERE version < 0")
        self.assert_told(game="g", version=3, kind="hash")

    def test_of_a_whole_game_deleted_are_told(self):
        for key, game in ((1, "other"), (2, "g"), (3, "last")):
            with self.subTest(game):
                self.forge(f"DELETE FROM commits WHERE game = {key}")
                self.assert_told(game=game, kind="gap")

    def test_swapped_are_told(self):
        for (position, _, version, game), (other_position, _, other_version, other_game) in zip(self.commits, self.commits[1:]):
            with self.subTest(game=game, version=version, other=other_version):
                self.forge("CREATE TEMP TABLE saved AS SELECT * FROM main.commits",
                           "UPDATE commits SET command_id = NULL",
                           "UPDATE commits SET (time, command, events, hash, command_id) = (SELECT time, command, events,"
                           " hash, command_id FROM saved s WHERE s.position = CASE commits.position"
                           f" WHEN {position} THEN {other_position} WHEN {other_position} THEN {position}"
                           " ELSE commits.position END)")
                first = min(version, other_version) if game == other_game else version
                self.assert_told(game=game, version=first, kind="hash")

    def test_replaced_by_position_are_told(self):
        for position, key, version, game in self.commits:
            with self.subTest(game=game, version=version):
                row = COPY.format(position=position, game=key, version=version, id="command_id")
                self.forge(row.replace("time,", "time + 1,") + f" WHERE position = {position}")
                self.assert_told(game=game, version=version, kind="hash")

    def test_replaced_by_version_are_told(self):
        for position, key, version, game in self.commits:
            with self.subTest(game=game, version=version):
                self.forge(COPY.format(position=FAR, game=key, version=version, id="command_id")
                           + f" WHERE position = {position}")
                if version < self.last[game]:
                    self.assert_told(game=game, version=version + 1, kind="order")
                else:
                    self.assert_told(game=None, kind="gap")

    def test_replaced_by_command_id_are_told(self):
        end = f"WHERE game = 2 AND version = {self.last['g']}"
        self.forge(COPY.format(position=FAR, game=2, version=self.last["g"] + 1, id="'x'") + f" {end}")
        self.assert_told(game="g", version=2, kind="gap")

    def test_replaced_by_those_of_another_game_are_told(self):
        self.forge("DELETE FROM commits WHERE game = 2 AND version = 2",
                   COPY.format(position=3, game=2, version=2, id="NULL") + " WHERE game = 1 AND version = 2")
        self.assert_told(game="g", version=2, kind="hash")

    def test_appended_are_told(self):
        for position, key, version, game in self.commits:
            with self.subTest(game=game, version=version):
                self.forge(COPY.format(position="(SELECT max(position) + 1 FROM commits)", game=key,
                                       version=self.last[game] + 1, id="NULL") + f" WHERE position = {position}")
                self.assert_told(game=game, version=self.last[game] + 1, kind="hash")

    def test_appended_beyond_the_next_version_are_told(self):
        self.forge(COPY.format(position="(SELECT max(position) + 1 FROM commits)", game=2, version=self.last["g"] + 2,
                               id="NULL") + " WHERE position = 3")
        self.assert_told(game="g", version=self.last["g"] + 1, kind="gap")

    def test_appended_to_no_game_are_told(self):
        self.forge(COPY.format(position="(SELECT max(position) + 1 FROM commits)", game=77, version=1, id="NULL")
                   + " WHERE position = 1")
        self.assert_told(game=None, kind="orphan")


class Types(Forgery):
    """A table isn't STRICT while its schema says otherwise."""

    def forge_loosely(self, table, *statements):
        self.store.write_bytes(self.sound)
        schema = "UPDATE sqlite_schema SET sql = ? WHERE name = ?"
        with closing(sqlite3.connect(self.store, isolation_level=None)) as database:
            ((strict,),) = database.execute("SELECT sql FROM sqlite_schema WHERE name = ?", [table])
            loose = re.sub(r"(?m)((?:^  |, )\w+ +)(?:TEXT|BLOB|INTEGER(?! PRIMARY))(?: +NOT NULL)?", r"\1", strict)
            for name, _ in self.triggers:
                database.execute(f"DROP TRIGGER {name}")
            database.execute("PRAGMA writable_schema = ON")
            database.execute(schema, [re.sub(r"\) STRICT(, )?", ") ", loose), table])
        with closing(sqlite3.connect(self.store, isolation_level=None)) as database:
            database.execute("PRAGMA ignore_check_constraints = ON")
            for statement in statements:
                database.execute(statement)
            database.execute("PRAGMA writable_schema = ON")
            database.execute(schema, [strict, table])
        with closing(sqlite3.connect(self.store, isolation_level=None)) as database:
            for _, sql in self.triggers:
                database.execute(sql)

    def test_of_a_value_that_its_column_has_not_are_told_by_the_audit_of_the_game_alone(self):
        self.snl("roll", "g", "-n", "256")
        self.sound = self.store.read_bytes()
        for table, where, columns in (
            ("commits", "game = 2 AND version = 2", "version time command events hash command_id"),
            ("games", "game = 2", "created status"),
            ("players", "game = 2 AND seat = 1", "name completed"),
            ("snapshots", "game = 2", "version head state hash"),
        ):
            for column in columns.split():
                was = {"head": "BLOB", "hash": "BLOB"}.get(column)
                was = was or ("TEXT" if column in ("command", "events", "command_id", "status", "state", "name") else "INTEGER")
                for kind in {"TEXT", "BLOB", "REAL", "NULL"} - {was}:
                    if column == "command_id" and kind == "NULL" or was != "INTEGER" and kind == "REAL":
                        continue
                    value = "NULL" if kind == "NULL" else f"CAST({column} AS {kind})"
                    with self.subTest(table=table, column=column, kind=kind):
                        try:
                            self.forge_loosely(table, f"UPDATE {table} SET {column} = {value} WHERE {where}")
                        except sqlite3.IntegrityError:
                            continue
                        self.found("g")
                        self.found()

    def test_of_a_command_id_cannot_have_a_command_played_twice_unseen(self):
        self.forge_loosely("commits", "UPDATE commits SET command_id = CAST(command_id AS BLOB) WHERE command_id IS NOT NULL")
        (problem,) = self.found("g")
        self.assertIn("command_id has another type than its column", problem["detail"])


class Triggers(Forgery):
    def test_stop_the_shell_from_changing_anything(self):
        before = self.contents()
        for statement in ("DELETE FROM commits", "UPDATE commits SET time = 0", "DELETE FROM games",
                          *(COPY.format(position=position, game=key, version=version, id=identity) + " WHERE position = 3"
                            for position, key, version, identity in (("3", 2, 2, "'x'"), (FAR, 2, 2, "NULL"), (
                                "(SELECT max(position) + 1 FROM commits)", 2, self.last["g"] + 1, "'x'")))):
            with self.subTest(statement):
                self.assertRegex(self.shell(statement), "Runtime error near line 1: (commits|games|a commit's|a command ID)")
                self.assertEqual(self.contents(), before)

    def test_that_are_missing_or_others_are_told(self):
        for name, sql in self.triggers:
            for other in (None, sql.replace(" BEFORE", "  BEFORE"), sql.replace("BEFORE", "AFTER"),
                          re.sub(r"raise\(ABORT, '.*'\)", "raise(IGNORE)", sql),
                          sql.replace("BEGIN", "BEGIN SELECT 1;")):
                if other == sql:
                    continue
                with self.subTest(name, other=other):
                    self.store.write_bytes(self.sound)
                    self.assertEqual(self.shell(f"DROP TRIGGER {name}", *([other] if other else [])), "")
                    (problem,) = self.found()
                    self.assertEqual(problem["kind"], "file")
                    self.assertIn(f'trigger "{name}" differs', problem["detail"])


class DoneWell(Forgery):
    """The store is sound afterwards."""

    def chained(self, game, records):
        """A game of these (time, command, events), with its hashes: what a forger would compute."""
        forged = reader.Game(game)
        hashes = []
        for version, (time, command, events) in enumerate(records, 1):
            texts = command.encode(), events.encode()
            hashes.append(reader.commit_hash(forged.head, game, reader.time_text(time), *texts))
            forged.add(version, time, *texts, hashes[-1].hex())
        return forged, hashes

    def records(self, key):
        with closing(sqlite3.connect(self.store)) as database:
            return database.execute(f"SELECT time, command, events FROM commits WHERE game = {key} ORDER BY version").fetchall()

    def rewriting(self, key, game, records):
        """SQL that makes the game consist of these records, hashed and derived as snl would have."""
        forged, hashes = self.chained(game, records)
        quoted = lambda value: f"x'{value.hex()}'" if isinstance(value, bytes) else (
            "NULL" if value is None else str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'")
        yield f"DELETE FROM commits WHERE game = {key} AND version > {len(records)}"
        for version, (record, hash_) in enumerate(zip(records, hashes), 1):
            yield (f"UPDATE commits SET (time, command, events, hash) = ({', '.join(map(quoted, (*record, hash_)))})"
                   f" WHERE game = {key} AND version = {version}")
        yield f"UPDATE games SET (id, created, status) = ({', '.join(map(quoted, forged.entry()))}) WHERE game = {key}"
        for seat, name in enumerate(forged.setup.players):
            yield f"UPDATE players SET name = {quoted(name)} WHERE game = {key} AND seat = {seat}"
        yield "CREATE TEMP TABLE numbers AS SELECT position, row_number() OVER (ORDER BY position) AS n FROM main.commits"
        yield "UPDATE commits SET position = -(SELECT n FROM numbers WHERE numbers.position = commits.position)"
        yield "UPDATE commits SET position = -position"

    def test_a_tail_cut_off_is_told_by_a_kept_head(self):
        records = self.records(2)
        for length in (1, 2, 3, len(records) - 1):
            with self.subTest(length):
                self.forge(*self.rewriting(2, "g", records[:length]))
                self.assert_told_by_kept_heads("g")

    def test_a_whole_game_removed_is_told_by_a_kept_head(self):
        for key, game in ((1, "other"), (2, "g"), (3, "last")):
            with self.subTest(game):
                self.forge(f"DELETE FROM commits WHERE game = {key}", f"DELETE FROM players WHERE game = {key}",
                           f"DELETE FROM games WHERE game = {key}", "PRAGMA defer_foreign_keys = ON",
                           *(f"UPDATE {table} SET game = game - 1 WHERE game = {later}" for later in range(key + 1, 4)
                             for table in ("games", "commits", "players")),
                           "CREATE TEMP TABLE numbers AS SELECT position, row_number() OVER (ORDER BY position) AS n"
                           " FROM main.commits",
                           "UPDATE commits SET position = -(SELECT n FROM numbers WHERE numbers.position = commits.position)",
                           "UPDATE commits SET position = -position")
                self.assert_told_by_kept_heads(game)

    def test_a_game_replaced_by_another_valid_one_is_told_by_a_kept_head(self):
        elsewhere = self.folder / "elsewhere.db"
        self.snl("new", "Ann", "Bob", "--id", "g", "--seed", "6", "--cells", "100000", db=elsewhere)
        self.snl("roll", "g", "-n", str(self.last["g"] - 1), db=elsewhere)
        with closing(sqlite3.connect(elsewhere)) as database:
            records = database.execute("SELECT time, command, events FROM commits ORDER BY version").fetchall()
        self.forge("UPDATE commits SET command_id = NULL", *self.rewriting(2, "g", records))
        self.assert_told_by_kept_heads("g")

    def test_a_game_hashed_anew_is_told_by_a_kept_head(self):
        records = self.records(2)
        forgeries = {
            "later by a millisecond": [(time + 1, *texts) for time, *texts in records],
            "only the end": [*records[:-1], (records[-1][0] + 1, *records[-1][1:])],
            "another player": [(time, command.replace('"Bob"', '"Eve"'), events.replace('"Bob"', '"Eve"'))
                               for time, command, events in records],
        }
        for what, forged in forgeries.items():
            with self.subTest(what):
                self.assertNotEqual(forged, records)
                self.forge(*self.rewriting(2, "g", forged))
                self.assert_told_by_kept_heads("g")

    def test_an_id_that_no_game_can_have_is_told(self):
        records = self.records(1)
        with mock.patch.object(reader, "check_id", lambda game: None):
            for game in ("../../x", "a b", "-h", "@", ".hid", "\u00e9", "\x1b[31mred"):
                with self.subTest(game):
                    self.forge(*self.rewriting(1, game, records))
                    self.assert_told(game=game, version=1, kind="id")

    def test_a_branch_that_begins_elsewhere_than_its_origin_stood_is_told(self):
        without = self.sound
        self.sound_branch()
        records = self.records(4)
        for old, new, said in (('"Bob"', '"Eve"', "its players"), ("[100000,", "[99999,", "its board and rules"),
                               (',5,["g"', ',6,["g"', "its seed"), (self.cells, "[97,1]", "its turn 3 and the pieces")):
            with self.subTest(said):
                changed = [(time, *(text.replace(old, new) for text in texts)) for time, *texts in records]
                self.assertNotEqual(changed, records)
                self.forge(*self.rewriting(4, "branch", changed))
                self.assert_told(game="branch", version=1, kind="origin")
                (problem,) = self.found("branch")
                self.assertIn(said, problem["detail"])
                export = self.snl("export", "branch")
                self.store.write_bytes(without)
                for options in ((), ("--dry-run",)):
                    self.refused(4, said, "import", "-", *options, input=export)
                self.store.unlink()
                self.snl("import", "-", input=export)
                report = self.json("audit", "branch")
                self.assertEqual((report["ok"], report["unproven_origins"]), (True, 1))

    def test_what_is_no_log_any_more_is_not_exported(self):
        self.forge("DELETE FROM commits WHERE game = 2")
        for form, code in (("jsonl", 4), ("text", 1)):
            self.refused(code, "game g.*snl audit g", "export", "g", "-f", form)
        for column in ("command", "events"):
            with self.subTest(column):
                self.forge(f"UPDATE commits SET {column} = 'no json' WHERE game = 2 AND version = 3")
                for command, code in ((("export", "g"), 4), (("log", "g", "--json"), 1), (("log", "--json"), 1)):
                    result = self.run_snl(*command)
                    self.assertEqual(result.code, code, result)
                    self.assertRegex(result.err, "game g, version 3: .*see snl audit g\n")
                    self.assertNotIn("no json", result.out)

    def test_a_branch_of_itself_is_told(self):
        self.sound_branch()
        records = self.records(4)
        changed = [(time, *(text.replace('["g",', '["branch",') for text in texts)) for time, *texts in records]
        self.assertNotEqual(changed, records)
        with mock.patch.object(reader, "require", lambda *_: None):
            self.forge(*self.rewriting(4, "branch", changed))
        self.assert_told(game="branch", version=1, kind="origin")
        (problem,) = self.found("branch")
        self.assertIn("a branch of a game of its own ID", problem["detail"])

    def sound_branch(self):
        self.snl("branch", "g", "--at", "3", "--id", "branch")
        self.cells = reader.canonical([player["cell"] for player in self.show("branch")["players"]])
        self.assertEqual(self.json("audit", "branch")["unproven_origins"], 0)
        self.sound = self.store.read_bytes()

    def test_a_die_that_was_rolled_otherwise_is_told_by_the_seed(self):
        """Hashes can be made anew; dice that follow from the seed can't."""
        records = self.records(2)
        time, command, events = records[2]
        dice = json.loads(events)[0]["played"][3]
        self.forge(*self.rewriting(2, "g", records))
        with tally.sound():
            self.assertEqual(self.audit("--all", "--expect", self.store_head), (0, []))
        other = 1 + dice[0] % 5
        forged = events.replace(reader.canonical(dice) + ",true", f"[{other}],true")
        self.assertNotEqual(forged, events)
        with self.assertRaisesRegex(reader.Bad, "decided again"):
            self.chained("g", [*records[:2], (time, command, forged)])
        head = reader.commit_hash(self.chained("g", records[:2])[0].head, "g", reader.time_text(time), command.encode(),
                                  forged.encode())
        self.forge(f"UPDATE commits SET events = '{forged}', hash = x'{head.hex()}' WHERE game = 2 AND version = 3")
        self.assert_told(game="g", version=3, kind="decision")


class WhatNothingTells(Forgery):
    def test_is_the_order_of_two_games_turns_among_each_other(self):
        """Positions aren't hashed, so that a game has one head in every store."""
        swapped = next((a, b) for (a, key, version, _), (b, other, _, _) in zip(self.commits, self.commits[1:])
                       if key != other and version > 1)
        self.forge("UPDATE commits SET position = -position WHERE position IN ({}, {})".format(*swapped),
                   "UPDATE commits SET position = {} + position WHERE position < 0".format(sum(swapped)))
        self.assertEqual(self.audit("--all", "--expect", self.store_head), (0, []))


if __name__ == "__main__":
    snl.main()
