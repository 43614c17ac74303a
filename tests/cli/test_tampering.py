"""A store is edited by hand: the audit finds it, names the first bad record, and exits with 4.

The forger drops the trigger that is in the way, changes what they like, and puts the trigger back as
it was. Some even hash the log anew, as storage/format.md tells them how to.
"""

import hashlib
import json
import shutil
import sqlite3

import snl

tally = snl.tally_of_program("a store edited by hand", "undetected", "false_alarms")


class Forger:
    """Someone with the sqlite3 shell, who leaves the schema as it was."""

    def __init__(self, path):
        self._database = sqlite3.connect(path, isolation_level=None)

    def __enter__(self):
        self._triggers = self.rows("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
        for name, _ in self._triggers:
            self._database.execute(f"DROP TRIGGER {name}")
        return self

    def __exit__(self, *_):
        for _, sql in self._triggers:
            self._database.execute(sql)
        self._database.close()

    def rows(self, sql, *values):
        return self._database.execute(sql, values).fetchall()

    def hash_anew(self, game):
        """Makes the chain of a game right again."""
        ((key,),) = self.rows("SELECT game FROM games WHERE id = ?", game)
        head = bytes(32)
        commits = self.rows(
            "SELECT position, strftime('%Y-%m-%dT%H:%M:%fZ', time / 1000.0, 'unixepoch'), command, events"
            " FROM commits WHERE game = ? ORDER BY version", key)
        for position, *parts in commits:
            message = head
            for part in [game, *parts]:
                message += len(part.encode()).to_bytes(4, "big") + part.encode()
            head = hashlib.sha256(message).digest()
            self.rows("UPDATE commits SET hash = ? WHERE position = ?", head, position)


class WhatIsNoStore(snl.CommandLineTest):
    def test_is_not_taken_for_an_empty_one_nor_changed(self):
        (self.folder / "note").write_bytes(b"x")
        (self.folder / "loop").symlink_to("loop")
        for path, said in (("note", "not a store"), ("note/x", "can't be opened|isn't there"), ("loop", "can't be opened"),
                           ("/dev/null", "no regular file"), ("/dev/zero", "no regular file"), ("/dev/full", "no regular file")):
            for command in (["list"], ["new", "--board", "empty", "Ann", "Bob"], ["show", "g"]):
                with self.subTest(path, command=command):
                    self.refused(1, said, *command, db=path)
        self.assertEqual((self.folder / "note").read_bytes(), b"x")

    def test_is_told_from_one_that_may_not_be_looked_for(self):
        self.snl("new", "--board", "empty", "Ann", "Bob")
        user = self.as_ordinary_user()
        folder = self.folder / "closed"
        folder.mkdir()
        self.snl("new", "--board", "empty", "Ann", "Bob", db="closed/s.db")
        folder.chmod(0)
        self.refused(1, "can't be opened: Permission", "list", db="closed/s.db", **user)
        folder.chmod(0o755)

    def test_says_one_problem_a_line(self):
        for game in "abcd":
            self.snl("new", "--board", "empty", "Ann", "Bob", "--id", game)
        data = bytearray(self.store.read_bytes())
        with sqlite3.connect(self.store) as database:
            ((size,),) = database.execute("PRAGMA page_size").fetchall()
            ((root,),) = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'players'").fetchall()
        page = size * (root - 1)
        data[page + 3:page + 5] = b"\xff\xff"  # the number of its cells
        self.store.write_bytes(data)
        result = self.run_snl("db", "check", "--json")
        self.assertEqual(result.code, 4)
        for problem in json.loads(result.out)["problems"]:
            self.assertNotIn("\n", problem["detail"])
        report = json.loads(self.run_snl("audit", "--json").out)
        self.assertEqual((report["ok"], report["head"]), (False, None))


class ATamperedStore(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.snl("new", "--board", "empty", "Zoe", "Yan", "--id", "other", "--seed", "1")
        self.snl("new", "Ann", "Bob", "--board", "class", "--id", "g", "--seed", "5")  # positions 2, 3, 4, …
        self.snl("play", "g", "-", input='Ann 2\nBob 4\n{"player":"Ann","dice":[6,3],"id":"x"}\n')  # to version 4
        self.snl("roll", "g", "-n", "2")  # versions 5 and 6
        self.snl("undo", "g")  # version 7
        self.snl("roll", "other", "-n", "2")
        self.head = self.show("g")["head"]
        self.store_head = self.assert_sound()["head"]
        self.original = self.store.read_bytes()

    def restore(self):
        self.store.write_bytes(self.original)

    def forge(self, *statements, hash_anew=False):
        """Changes the store as it was at first."""
        self.restore()
        with Forger(self.store) as forger:
            for statement in statements:
                forger.rows(statement)
            if hash_anew:
                forger.hash_anew("g")
        self.assertNotEqual(self.store.read_bytes(), self.original)

    def assert_found(self, kind=None, version=None, game="g"):
        """Every audit finds it and names the place; returns the first problem."""
        result = self.run_snl("audit", "--json")
        with tally.attempt():
            self.assertEqual((result.code, result.err), (4, ""), result)
        report = json.loads(result.out)
        self.assertFalse(report["ok"])
        # Faults of the whole store come before faults of a game.
        about_game = [problem for problem in report["problems"] if problem["game"] == game]
        problem = about_game[0] if about_game else report["problems"][0]
        self.assertEqual(list(problem), ["game", "version", "kind", "detail"])
        if game:
            self.assertEqual(problem["game"], game, report["problems"])
            one = self.run_snl("audit", game, "--json")
            self.assertEqual((one.code, json.loads(one.out)["problems"][0]["kind"]), (4, problem["kind"]))
        if version:
            self.assertEqual(problem["version"], version, problem)
        if kind:
            self.assertEqual(problem["kind"], kind, problem)
        told = self.run_snl("audit")
        self.assertEqual((told.code, told.err), (4, ""))
        self.assertIn("NOT SOUND", told.out)
        if game:
            self.assertIn(f"game {game}", told.out)
        if version:
            self.assertIn(f"version {version}", told.out)
        return problem

    def test_is_found_whatever_of_a_commit_was_changed(self):
        at = "WHERE game = 2 AND version = 3"
        changes = {
            "a die of the command": f"UPDATE commits SET command = replace(command, '[4]', '[5]') {at}",
            "a die of the event": f"UPDATE commits SET events = replace(events, '[4]', '[3]') {at}",
            "a die of both": f"UPDATE commits SET command = replace(command, '[4]', '[3]'),"
                             f" events = replace(events, '[4]', '[3]') {at}",
            "a cell": f"UPDATE commits SET events = replace(events, ',5,8,', ',5,9,') {at}",
            "the time": f"UPDATE commits SET time = time + 1 {at}",
            "the time by years": f"UPDATE commits SET time = 0 {at}",
            "the hash": f"UPDATE commits SET hash = randomblob(32) {at}",
            "a blank": f"UPDATE commits SET events = events || ' ' {at}",
            "the command": f"UPDATE commits SET command = '{{\"roll\":[1]}}' {at}",
            "no JSON": f"UPDATE commits SET events = 'nonsense' {at}",
            "nothing": f"UPDATE commits SET events = '' {at}",
        }
        for name, change in changes.items():
            with self.subTest(name):
                self.forge(change)
                self.assert_found(version=3)

    def test_is_found_where_a_refused_command_without_events_was_appended(self):
        refused = ['{"undo":[1,4096]}', '{"play":[1,1,[4]]}', '{"play":[1,0,[9]]}', '{"redo":[1,77]}', '{"undo_to":[1,9]}']
        for command in refused:
            for events in ("", "[]"):
                with self.subTest(command, events=events):
                    self.forge("INSERT INTO commits (position, game, version, time, command, events, hash) SELECT 1 +"
                               f" max(position), 2, 8, max(time), '{command}', '{events}', zeroblob(32) FROM commits",
                               hash_anew=True)
                    self.assert_found(kind="format", version=8)

    def test_is_found_where_a_name_was_changed(self):
        self.forge("UPDATE commits SET command = replace(command, 'Ann', 'Ben'), events = replace(events, 'Ann', 'Ben')"
                   " WHERE game = 2 AND version = 1", "UPDATE players SET name = 'Ben' WHERE name = 'Ann'")
        self.assert_found(kind="hash", version=1)

    def test_is_found_where_a_command_id_was_changed(self):
        for change in ("'y'", "NULL"):
            self.forge(f"UPDATE commits SET command_id = {change} WHERE game = 2 AND version = 4")
            self.assert_found(kind="command-id", version=4)
        self.forge("UPDATE commits SET command_id = 'z' WHERE game = 2 AND version = 2")
        self.assert_found(kind="command-id", version=2)

    def test_is_found_where_a_row_is_missing(self):
        for version in (1, 2, 4, 6):
            with self.subTest(version):
                self.forge(f"DELETE FROM commits WHERE game = 2 AND version = {version}")
                self.assert_found(kind="gap", version=version)
        self.forge("DELETE FROM commits WHERE game = 2 AND version = 7")
        self.assert_found(kind="gap", game=None)
        self.forge("DELETE FROM commits WHERE game = 2")
        self.assert_found(game="g")

    def test_is_found_where_rows_were_swapped(self):
        with Forger(self.store) as forger:
            a = forger.rows("SELECT time, command, events, hash, command_id FROM commits WHERE game = 2 AND version = 2")[0]
            b = forger.rows("SELECT time, command, events, hash, command_id FROM commits WHERE game = 2 AND version = 4")[0]
            forger.rows("UPDATE commits SET command_id = NULL WHERE game = 2")
            update = ("UPDATE commits SET time = ?, command = ?, events = ?, hash = ?, command_id = ?"
                      " WHERE game = 2 AND version = ?")
            forger.rows(update, *b, 2)
            forger.rows(update, *a, 4)
        self.assert_found(kind="hash", version=2)

    def test_is_found_where_positions_were_swapped(self):
        with Forger(self.store) as forger:
            forger.rows("UPDATE commits SET position = 1000 WHERE game = 2 AND version = 2")
            forger.rows("UPDATE commits SET position = 3 WHERE game = 2 AND version = 3")
            forger.rows("UPDATE commits SET position = 4 WHERE position = 1000")
        self.assert_found()

    def test_is_found_where_a_row_was_added(self):
        self.forge("INSERT INTO commits SELECT (SELECT max(position) + 1 FROM commits), 2, 8, time, command, events,"
                   " randomblob(32), NULL FROM commits WHERE game = 2 AND version = 7")
        self.assert_found(version=8)

    def test_is_found_where_a_row_was_moved_to_another_game(self):
        self.forge("UPDATE commits SET game = 1, version = 4 WHERE game = 2 AND version = 7")
        self.assert_found(game=None)

    def test_is_found_though_the_log_was_hashed_anew(self):
        at = "WHERE game = 2 AND version = 3"
        for name, change, version in (
                ("a cell", f"UPDATE commits SET events = replace(events, ',5,8,', ',5,9,') {at}", 3),
                ("a die that isn't in the event", f"UPDATE commits SET command = replace(command, '[4]', '[3]') {at}", 3),
                ("an impossible die", f"UPDATE commits SET command = replace(command, '[4]', '[7]') {at}", 3),
                ("dice that the seed didn't give",
                 "UPDATE commits SET events = replace(events, 'true', 'false') WHERE game = 2 AND version = 5", 5)):
            with self.subTest(name):
                self.forge(change, hash_anew=True)
                self.assert_found(kind="decision", version=version)

    def test_that_was_forged_whole_is_found_by_a_head_that_was_kept(self):
        self.forge("UPDATE commits SET time = time + 1000 WHERE game = 2 AND version = 1",
                   "UPDATE games SET created = created + 1000 WHERE game = 2", hash_anew=True)
        self.assertTrue(self.json("audit")["ok"])  # there is no secret in a hash
        result = self.run_snl("audit", "g", "--expect", self.head, "--json")
        self.assertEqual(result.code, 4)
        problem = json.loads(result.out)["problems"][0]
        self.assertEqual((problem["game"], problem["kind"]), ("g", "head"))
        self.assertIn(self.head, problem["detail"])
        self.assertEqual(self.run_snl("audit", "--all", "--expect", self.store_head).code, 4)

    def test_leaves_a_log_that_is_not_sound_without_a_head_to_expect(self):
        self.forge("UPDATE commits SET time = time + 1000 WHERE game = 2 AND version = 1")
        for game, head in (("g", self.head), ("--all", self.store_head)):
            report = self.run_snl("audit", game, "--expect", head)
            self.assertEqual(report.code, 4)
            self.assertIn(f"head: a log that isn't sound has no head; {head} was expected", report.out)
            self.assertNotIn("none", report.out)

    def test_is_found_in_every_column_of_a_list_entry(self):
        for change in ("created = created + 1", "status = 'completed'"):
            with self.subTest(change):
                self.forge(f"UPDATE games SET {change} WHERE game = 2")
                self.assert_found()

    def test_is_found_where_a_game_got_another_id(self):
        self.forge("UPDATE games SET id = 'h' WHERE game = 2")
        self.assert_found(kind="hash", version=1, game="h")

    def test_is_found_where_players_were_changed(self):
        for change in ("UPDATE players SET name = 'Ben' WHERE name = 'Bob'", "DELETE FROM players WHERE name = 'Bob'",
                       "INSERT INTO players (game, seat, name) VALUES (2, 2, 'Cem')", "UPDATE players SET seat = 5 WHERE name = 'Bob'"):
            with self.subTest(change):
                self.forge(change)
                self.assert_found()

    def test_is_found_where_a_game_was_removed_from_the_list(self):
        self.forge("DELETE FROM players WHERE game = 2", "DELETE FROM games WHERE game = 2")
        self.assertEqual(self.run_snl("audit").code, 4)

    def test_is_found_where_migrations_were_changed(self):
        for change in ("UPDATE migrations SET sha256 = randomblob(32)", "UPDATE migrations SET name = 'x'",
                       "DELETE FROM migrations", "INSERT INTO migrations SELECT 9, name, sha256 FROM migrations LIMIT 1"):
            with self.subTest(change):
                self.forge(change)
                self.assertEqual(self.run_snl("audit").code, 4)

    def test_is_found_in_a_snapshot_and_not_believed(self):
        self.snl("new", "A", "B", "--cells", "100000", "--id", "long")
        self.snl("roll", "long", "-n", "300")
        self.original = self.store.read_bytes()
        honest = self.show("long")
        for change in ("version = version - 1", "head = randomblob(32)", "hash = randomblob(32)",
                       "state = replace(state, '[255,', '[254,')", "state = 'x'"):
            with self.subTest(change):
                self.forge(f"UPDATE snapshots SET {change}")
                self.assert_found(kind="derived", game="long")
                self.assertEqual(self.show("long"), honest)
                self.snl("roll", "long", "-n", "230")  # past the next one, which takes its place
                self.assert_sound()

    def test_is_not_believed_where_a_derived_row_was_changed(self):
        honest = self.show("g")
        listed = self.snl("list", "--json")
        for change in ("created = 5", "status = 'completed'"):
            with self.subTest(change):
                self.forge(f"UPDATE games SET {change} WHERE game = 2")
                self.assertEqual(self.show("g"), honest)
                self.assertEqual(self.snl("list", "--json"), listed)
                self.assertNotIn("g", [game["id"] for game in self.json_lines("list", "--status", "completed")])

    def test_is_not_exported_or_logged_as_what_is_no_json(self):
        for column, text in (("events", ""), ("command", '{"roll":[1]'), ("events", "[]"), ("command", "x\n{}")):
            with self.subTest(column=column, text=text):
                self.restore()
                with Forger(self.store) as forger:
                    forger.rows(f"UPDATE commits SET {column} = ? WHERE version = 3 AND game = 2", text)
                for code, command in ((4, ("export", "g")), (1, ("log", "g", "--json"))):
                    result = self.run_snl(*command)
                    self.assertEqual(result.code, code, result)
                    self.assertRegex(result.err, r"\Asnl: game g, version 3: .*; see snl audit g\n\Z")
                    lines = [json.loads(line) for line in result.out.splitlines()]
                    self.assertEqual([line["version"] for line in lines], [1, 2] if command[0] == "log" else [])
                self.assertEqual(self.run_snl("export", "g", "-o", "g.jsonl").code, 4)
                self.assertFalse((self.folder / "g.jsonl").exists())

    def test_is_not_exported_with_its_log_whatever_was_changed(self):
        """A head that looks right is given to nothing that isn't sound."""
        changes = {
            "a die": "events = json_set(events, '$[0].played[3][0]', 1 + json_extract(events, '$[0].played[3][0]') % 6)",
            "a time": "time = time + 1",
            "a hash": "hash = randomblob(32)",
        }
        for what, change in changes.items():
            for form in ("jsonl", "html"):
                with self.subTest(what, form=form):
                    self.forge(f"UPDATE commits SET {change} WHERE version = 2 AND game = 2")
                    result = self.run_snl("export", "g", "-f", form)
                    self.assertEqual((result.code, result.out), (4, ""), result.err)
                    self.assertRegex(result.err, r"\Asnl: game g, version 2: .*; see snl audit g\n\Z")
                    self.assertEqual(self.run_snl("export", "g", "-f", form, "-o", "g.out").code, 4)
                    self.assertFalse((self.folder / "g.out").exists())

    def test_has_every_bad_game_named_but_only_the_first_bad_record_of_each(self):
        self.forge("UPDATE commits SET time = time + 1 WHERE version >= 2")
        problems = json.loads(self.run_snl("audit", "--json").out)["problems"]
        self.assertEqual([(p["game"], p["version"]) for p in problems], [("g", 2), ("other", 2)])

    def test_leaves_the_other_games_provable(self):
        self.forge("UPDATE commits SET time = time + 1 WHERE game = 2 AND version = 2")
        with tally.sound():
            self.assertTrue(self.json("audit", "other")["ok"])

    def test_is_sound_again_when_it_is_put_right(self):
        for change in ("UPDATE commits SET time = time + 1 WHERE game = 2", "UPDATE games SET created = 7 WHERE game = 2",
                       "DELETE FROM players WHERE name = 'Bob'"):
            self.forge(change)
            self.assert_found()
            self.restore()
            with tally.sound():
                self.assertEqual(self.assert_sound()["head"], self.store_head)


class TheHead(snl.CommandLineTest):
    def test_of_a_game_proves_it_unchanged(self):
        self.snl("new", "--board", "empty", "A", "B", "--id", "g")
        self.snl("roll", "g", "-n", "5")
        head = self.show("g")["head"]
        self.assertIn(head, self.snl("audit", "g", "--expect", head))
        self.assertIn(head, self.snl("audit", "g", "--expect", head.upper()))
        self.assertTrue(self.json("audit", "g", "--expect", head)["ok"])
        self.snl("roll", "g")
        self.assertEqual(self.run_snl("audit", "g", "--expect", head).code, 4)

    def test_of_the_store_is_a_hash_over_ids_and_heads_in_order(self):
        for game in ("b", "Z", "a", "a.1"):
            self.snl("new", "--board", "empty", "A", "B", "--id", game)
            self.snl("roll", game)
        message = b""
        for game in sorted(("b", "Z", "a", "a.1")):
            message += len(game).to_bytes(4, "big") + game.encode() + bytes.fromhex(self.show(game)["head"])
        head = hashlib.sha256(message).hexdigest()
        self.assertEqual(self.json("audit")["head"], head)
        self.assertEqual(self.json("audit", "--all", "--expect", head)["games"], 4)
        self.assertIn(head, self.snl("audit", "--expect", head))
        self.assertEqual(self.run_snl("audit", "--all", "--expect", self.show("a")["head"]).code, 4)

    def test_shows_a_tail_that_was_cut_cleanly(self):
        self.snl("new", "--board", "empty", "A", "B", "--id", "g", "--seed", "1")
        self.snl("roll", "g", "-n", "3")
        shutil.copy(self.store, self.folder / "earlier.db")
        self.snl("roll", "g")
        head = self.show("g")["head"]
        shutil.copy(self.folder / "earlier.db", self.store)
        self.assertTrue(self.json("audit", "g")["ok"])
        self.assertEqual(self.run_snl("audit", "g", "--expect", head).code, 4)

    def test_must_be_64_hex_digits(self):
        self.snl("new", "--board", "empty", "A", "B", "--id", "g")
        for bad in ("", "abc", "0" * 63, "0" * 65, "g" * 64):
            with self.subTest(bad):
                self.refused(2, "expect", "audit", "g", "--expect", bad)


class Fairness(snl.CommandLineTest):
    def test_is_reported_and_never_a_failure(self):
        self.snl("new", "A", "B", "--cells", "100000", "--seed", "1", "--id", "fair")
        self.snl("roll", "fair", "-n", "1200")
        p = self.json("audit", "fair")["fairness"]["p_value"]
        self.assertGreater(p, 0.001)
        self.snl("new", "A", "B", "--cells", "100000", "--id", "loaded")
        self.snl("play", "loaded", "-", "--atomic", input="A 1\nB 1\n" * 100)
        report = self.json("audit", "loaded")
        self.assertTrue(report["ok"])
        self.assertLess(report["fairness"]["p_value"], 1e-6)
        self.assertIn("matches (p < 0.001)", self.snl("audit", "loaded"))

    def test_is_that_of_rolled_dice_and_of_typed_ones_apart(self):
        self.snl("new", "A", "B", "--cells", "100000", "--seed", "1", "--id", "g")
        self.snl("roll", "g", "-n", "1200")
        self.snl("play", "g", "-", "--atomic", input="A 1\nB 1\n" * 20)
        fairness = self.json("audit", "g")["fairness"]
        self.assertEqual(fairness["dice"], fairness["rolled"]["dice"] + fairness["typed"]["dice"])
        self.assertEqual(fairness["typed"]["counts"], {"6": [40, 0, 0, 0, 0, 0]})
        self.assertGreater(fairness["rolled"]["p_value"], 0.001)
        self.assertLess(fairness["typed"]["p_value"], 1e-20)
        self.assertRegex(self.snl("audit", "g"), r"(?m)^dice of seeds: \d+ thrown\. .*\ndice typed in: 40 thrown\. ")

    def test_counts_the_dice_of_a_seed_once(self):
        for game in range(60):
            self.snl("new", "A", "B", "--cells", "100000", "--seed", "42", "--id", f"g{game}")
            self.snl("roll", f"g{game}")
        self.snl("roll", "g0", "-n", "60")
        self.assertEqual(self.json("audit", "--all")["fairness"], self.json("audit", "g0")["fairness"])


if __name__ == "__main__":
    snl.main()
