"""snl writes the format of storage/format.md, as verified by a reader that shares no code with it.

Goal: the format stays readable for ever. Method: snl_make_sample writes a store with everything in
it that can be recorded; snl_reader.py must accept it, find the heads that are pinned here, and
refuse every tampered copy. The examples in storage/format.md are recomputed from its text.

    test_reader.py SNL_MAKE_SAMPLE [unittest's arguments]
"""

import base64
import hashlib
import json
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from contextlib import closing
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
READER = HERE / "snl_reader.py"
sys.path.insert(0, str(HERE))
import snl_reader as reader  # noqa: E402

# A head once printed verifies for ever: never change a line, only add some.
HEADS = {
    "Hundred": "45c2db99f2c669e2d9ea52dafa9390a6cd8cd260243f08c8499a9c791350a998",
    "Names.1": "4b266b8f20170493f38659ec2e3b15c973df6db865d3e65f1d5f673523ff21dc",
    "branch": "a0d474a422302d788f9491db0b8798df12a6cba54fc65ab54c092205ca82b821",
    "drawn": "68999429c554a0191d9ff5aa161995d6257dc1e604d5c53101ee1aec01da08f4",
    "drawn.alone": "c9500f709e7bc6fe85c1d2fbdcc15c7ac342bde4bcb7b371adf9f754987683b0",
    "drawn.branch": "158edbe16648c1921369df9481416104855b4e7933a38aeb874b1022471eddfd",
    "drawn.effects": "2cef953fb4c149f50736cb608333191a1ea77adc841b9361093877ae068f27cd",
    "each": "c4c86c0841f10d7922fe236c304ba53bd8dc8681f34cf13119622bdbb02e4258",
    "each.skip": "167121c85e173425029d737653d106b917b6446b261d4f465389593fca21ced4",
    "entering": "6ecbb67bb355a1aef68bdfa19e250f5ff5ecca96cac36393425699f11f2210f3",
    "first": "8deb6fb63cd3e80df30cfd8bc10897a4ad8b109053e27e5ecc8d80df10da84a5",
    "long": "488fc73994e22556c11e2862d0f1d143a9706eb8a4886eeab190984e2c0c6850",
    "powers": "4287b51874be9c844691eeeda8275315f7c8c05788646efb97013c12ddd1db5e",
    "powers.branch": "d9bdf5a5fc9a78a8acee50c38c6e85513d74216cbdecebdee802153c3ba5e1ee",
    "rolled": "a42574c9d451cdf85fb046771f6cffbe3f61af475ef9a0ed7ae5c77fa1c9f1fc",
    "taken-back": "83dc59399c413b1658ccf72030eea9d975afd4caafd6ccd931a7a54e5e65477a",
    "tiny_5": "123a5cf7d1f4b4a9d91294821fae5c7dbb3f3adaa8a7c6fb38cbc07779eaba2f",
    "two-dice": "c9c1f6713e841c94336c67b7608ff00f8a598d3c505d78eac96629ce45b0f699",
    "won": "6255d4b1b034013c8419e344444ac3dda7e5d8904ffcf189f035cb2654e51d8f",
    "won.branch": "d603aa4230804cb6a74d6c3c41668e6562048153154360f06bd2fdd55cfffb3b",
}
STORE_HEAD = "27b8b9e4c5c08b1acdcee84ce9544c81672e63198294492e4649012215a50e26"

make_sample = None  # the program, from the command line


def setUpModule():
    """Makes a folder with the sample store, its exports, and a copy that anybody can write to."""
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    Sample.folder = Path(folder.name)
    Sample.store = Sample.folder / "store.db"
    Sample.unguarded = Sample.folder / "unguarded.db"
    subprocess.run([make_sample, Sample.store], check=True)
    with closing(sqlite3.connect(Sample.store)) as database:
        database.execute("VACUUM INTO ?", [str(Sample.unguarded)])
    with closing(sqlite3.connect(Sample.unguarded)) as database:
        triggers = "SELECT name FROM sqlite_schema WHERE type = 'trigger'"
        for (name,) in database.execute(triggers).fetchall():
            database.execute(f"DROP TRIGGER {name}")


class Sample(unittest.TestCase):
    def tampered(self, *statements):
        """A copy in which statements, each with its values, were run by a stranger."""
        copy = self.folder / "tampered.db"
        shutil.copy(self.unguarded, copy)
        with closing(sqlite3.connect(copy)) as database:
            database.execute("PRAGMA synchronous = OFF")
            database.execute("PRAGMA ignore_check_constraints = ON")
            for sql, *values in statements:
                self.assertNotEqual(database.execute(sql, values).rowcount, 0, sql)
            database.commit()
        return copy

    def refuses(self, path, why=""):
        read = reader.read_export if path.suffix == ".jsonl" else reader.read_store
        with self.assertRaisesRegex((reader.Bad, ValueError, sqlite3.Error), why):
            read(path)

    def run_reader(self, *arguments):
        command = [sys.executable, "-B", READER, *arguments]
        return subprocess.run(command, capture_output=True, text=True, encoding="utf-8")


class ASoundStore(Sample):
    def test_is_accepted_with_the_heads_that_are_pinned(self):
        run = self.run_reader(self.store, "--expect", STORE_HEAD)
        lines = [line.split() for line in run.stdout.splitlines()]
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(lines.pop(), ["store", STORE_HEAD])
        self.assertEqual({line[0]: line[-1] for line in lines}, HEADS)
        self.assertIn(["won", "12", "7", "completed", HEADS["won"]], lines)

    def test_has_exports_that_are_accepted_alone_and_together(self):
        together = b""
        for game, head in HEADS.items():
            export = self.folder / f"{game}.jsonl"
            run = self.run_reader(export, "--expect", head)
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            self.assertEqual((run.stdout.split()[0], run.stdout.split()[-1]), (game, head))
            together += export.read_bytes()
        export = self.folder / "together.jsonl"
        export.write_bytes(together)
        self.assertEqual(list(reader.read_export(export)), list(HEADS))

    def test_has_everything_that_can_be_recorded(self):
        types, outcomes = set(), set()
        with closing(sqlite3.connect(self.store)) as database:
            for command, events in database.execute("SELECT command, events FROM commits"):
                for recorded in (json.loads(command), *json.loads(events)):
                    types.add(next(iter(recorded)))
                    outcomes.add(recorded.get("played", [None] * 9)[8])
        self.assertEqual(types, {*reader.COMMANDS, *reader.EVENTS})
        self.assertEqual(outcomes, {None, "moved", "blocked", "forfeited", "waiting", "won"})

    def test_is_still_accepted_without_triggers_and_in_another_journal_mode(self):
        games = reader.read_store(self.tampered())
        self.assertEqual({game: games[game].head.hex() for game in games}, HEADS)


class ALog(Sample):
    def test_is_refused_for_another_root_and_for_more_than_there_is(self):
        with closing(sqlite3.connect(self.unguarded)) as database:
            ((note,),) = database.execute("SELECT signed FROM checkpoints")
        origin, size, root, *rest = note.split("\n")
        for lines, why in (
            ((str(int(size) - 1), root), "another root"),
            ((str(int(size) + 1), root), "were signed"),
            ((size, base64.b64encode(bytes(32)).decode()), "another root"),
        ):
            forged = "\n".join([origin, *lines, *rest])
            for column in ("signed", "published"):
                self.refuses(self.tampered((f"UPDATE checkpoints SET {column} = ?", forged)), why)

    def test_proves_a_game(self):
        proof = Path(f"{self.store}.tlog-proof")
        run = self.run_reader(self.folder / "won.jsonl", "--proof", proof)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(self.run_reader(self.folder / "first.jsonl", "--proof", proof).returncode, 1)
        lines = proof.read_text("utf-8").split("\n")
        for at, line in enumerate(lines[2:lines.index("") + 4], 2):
            if not line or line.isdigit():  # a size alone moves no hash: its signature is for others
                continue
            forged = self.folder / "forged.tlog-proof"
            end = "0" if line.startswith("index") else "A="
            forged.write_text("\n".join([*lines[:at], line[:-len(end)] + end, *lines[at + 1:]]), "utf-8")
            if forged.read_bytes() != proof.read_bytes() and at != lines.index("") + 1:
                run = self.run_reader(self.folder / "won.jsonl", "--proof", forged)
                self.assertEqual(run.returncode, 1, line)


class ATamperedStore(Sample):
    def test_is_refused_for_every_column(self):
        changes = {
            "INTEGER": lambda value: 0 if value is None else value + 10**6,
            "TEXT": lambda value: "x" if value is None else value[:-1] + chr(ord(value[-1]) ^ 1),
            "BLOB": lambda value: value[:-1] + bytes([value[-1] ^ 1]),
        }
        with closing(sqlite3.connect(self.unguarded)) as database:
            for table in ("commits", "games", "players", "snapshots", "tree", "checkpoints"):
                keys = {"players": "game * 10 + seat", "tree": "level * 1000 + n"}.get(table, "rowid")
                columns = "SELECT name, type FROM pragma_table_info(?)"
                if table == "games":
                    columns += " WHERE name IN ('game', 'id', 'created', 'status')"
                if table == "checkpoints":  # its other columns are for who verifies signatures
                    columns += " WHERE name = 'origin'"
                for name, kind in database.execute(columns, [table]).fetchall():
                    rows = database.execute(f'SELECT {keys}, "{name}" FROM {table}').fetchall()
                    for key, value in rows[:: len(rows) // 8 + 1] + rows[-1:]:
                        with self.subTest(table=table, column=name, row=key):
                            update = f'UPDATE {table} SET "{name}" = ? WHERE {keys} = ?'
                            self.refuses(self.tampered((update, changes[kind](value), key)))

    def test_is_refused_for_a_missing_an_added_or_a_moved_row(self):
        for statement in (
            "DELETE FROM commits WHERE position = 5",
            "DELETE FROM commits WHERE position = (SELECT max(position) - 1 FROM commits)",
            "DELETE FROM games WHERE id = 'won'",
            "DELETE FROM players WHERE name = 'Cyd'",
            "INSERT INTO snapshots SELECT 99, version, head, state, hash FROM snapshots",
            "INSERT INTO players VALUES (1, 2, 'Eve', 0)",
            "INSERT INTO players VALUES (99, 0, 'Eve', 0)",
            "UPDATE players SET seat = 5 WHERE game = 1 AND seat = 1",
            "INSERT INTO commits SELECT 1 + (SELECT max(position) FROM commits), game, 8, time,"
            " command, events, hash, NULL FROM commits WHERE position = 7",
        ):
            with self.subTest(statement):
                self.refuses(self.tampered((statement,)))

    def test_is_refused_for_two_swapped_rows(self):
        for table, column in (("commits", "position"), ("commits", "version"), ("games", "game")):
            where = "" if column != "version" else "game = 1 AND "
            with self.subTest(table=table, column=column):
                away = f"UPDATE {table} SET {column} = -{column} WHERE {where}{column} IN (2, 3)"
                back = f"UPDATE {table} SET {column} = 5 + {column} WHERE {column} < 0"
                self.refuses(self.tampered((away,), (back,)))

    def test_is_refused_with_the_first_bad_record_named(self):
        path = self.tampered(("UPDATE commits SET time = time + 1 WHERE position IN (3, 6)",))
        run = self.run_reader(path)
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertIn("position 3, game first, version 3: its hash", run.stderr)

    def test_is_refused_if_it_is_no_store_or_a_newer_one(self):
        self.refuses(self.tampered(("PRAGMA application_id = 1",)), "isn't a store")
        self.refuses(self.tampered(("PRAGMA user_version = 9",)), "schema version 9 isn't known")
        self.refuses(self.tampered(("UPDATE migrations SET name = 'x'",)), "migrations")

    def test_is_refused_if_it_is_sound_but_not_the_one_expected(self):
        run = self.run_reader(self.store, "--expect", 64 * "0")
        self.assertEqual(run.returncode, 1)
        self.assertIn("no head is 000", run.stderr)

    def test_needs_a_file_to_be_named(self):
        self.assertEqual(self.run_reader().returncode, 2)
        self.assertEqual(self.run_reader(self.folder / "nothing.db").returncode, 2)


class AnExport(Sample):
    def forged(self, game, change):
        """An export with its text changed and hashed anew, as a forger would."""
        header, *commits = (self.folder / f"{game}.jsonl").read_text("utf-8").splitlines()
        head, lines = bytes(32), []
        for line in commits:
            record = json.loads(change(line))
            texts = [reader.canonical(record[name]).encode() for name in ("command", "events")]
            head = reader.commit_hash(head, record["game"], record["time"], *texts)
            lines.append(reader.canonical({**record, "hash": head.hex()}))
        header = reader.canonical({**json.loads(header), "head": head.hex()})
        path = self.folder / "forged.jsonl"
        path.write_text("\n".join([header, *lines, ""]), "utf-8")
        return path

    def test_is_refused_for_every_changed_byte(self):
        export = (self.folder / "first.jsonl").read_bytes()
        changed = self.folder / "changed.jsonl"
        for place in range(len(export)):
            changed.write_bytes(export[:place] + bytes([export[place] ^ 1]) + export[place + 1 :])
            with self.subTest(byte=place):
                self.refuses(changed)

    def test_is_refused_for_every_missing_or_doubled_line(self):
        lines = (self.folder / "first.jsonl").read_bytes().splitlines(keepends=True)
        changed = self.folder / "changed.jsonl"
        for place, line in enumerate(lines):
            for times in (0, 2):
                with self.subTest(line=place, times=times):
                    rest = [*lines[:place], *times * [line], *lines[place + 1 :]]
                    changed.write_bytes(b"".join(rest))
                    self.refuses(changed)

    def test_that_is_forged_and_hashed_anew_must_still_follow_the_rules(self):
        self.assertIn("first", reader.read_export(self.forged("first", str)))
        for game, old, new, why in (
            ("first", "[5],true,1,6,6", "[4],true,1,5,5", "decided again"),
            ("first", "[5],true", "[5],false", "decided again"),
            ("first", '{"play":[1,0,', '{"play":[1,1,', "isn't the one to move"),
            ("first", '{"play":[1,0,[2]]}', '{"play":[1,0,[7]]}', "die 7"),
            ("first", '{"play":[1,0,[2]]}', '{"play":[1,false,[2]]}', "seat False"),
            ("first", '"moved",1,0]', '"moved",true,0]', "decided again"),
            ("first", '{"undo_to":[1,0]}', '{"undo":[1,3]}', "undo 3"),
            ("first", '{"play":[1,0', '{"leap":[1,0', 'the type "leap" isn\'t known'),
            ("first", '{"play":[1,0', '{"play":[2,0', 'schema version 2 of "play"'),
            ("first", '{"undone":[1,', '{"undone":[9,', 'schema version 9 of "undone"'),
            ("first", "sha256-1", "sha256-2", "format \"sha256-2\" isn't"),
            ("first", '["Ann","Bob"]', '["Ann","Ann"]', "two players"),
            ("first", "[[3,7]]", "[[3,7],[9,10]]", "two jumps start on 9"),
            ("first", '"bob-1"', '""', "is no name"),
            ("won", "[6,6,6]", "[6,6,6,6]", "impossible"),
            ("won", '"redo":[1,1]', '"redo":[1,2]', "redo 2"),
            ("branch", '"undo_to":[1,3]', '"undo_to":[1,2]', "undo 3"),
            ("won.branch", "[20,1],0,0]", "[20,1],0,null]", "who stands at the end"),
            ("won.branch", "[20,1],0,0]", "[19,1],0,0]", "who stands at the end"),
            ("won.branch", "[20,1],0,0]", "[20,20],0,0]", "who stands at the end"),
            ("won.branch", "[20,1],0,0]", "[20,1],1,0]", "the winner is next"),
            ("won.branch", "[20,1],0,0]", "[20,1],0,false]", "the winner is next"),
            ("won.branch", '["won",1,', '["won",0,', "turn 0 is the start"),
            ("won.branch", '["won",1,', '["won",9223372036854775807,', "turn 9223372036854775807"),
            ("won.branch", '["won",1,', '["won.branch",1,', "branch of itself"),
            ("drawn", ',"000102', ',"010102', "isn't the one that was promised"),
            ("drawn", '["630dcd', '["640dcd', "isn't the one that was promised"),
            ("drawn", '["202122', '["212122', "where its draw makes"),
            ("drawn", '["202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f",null',
             '[null,"202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f"', "where its draw makes"),
            ("drawn", 'null,"404142', 'null,null,"404142', "a list of 3"),
            ("drawn", '"again"],', '"again"],1', "seed"),
            ("drawn", '"undo_to":[2,3,1,[0,1,2]]', '"undo_to":[1,3,1,[0,1,2]]', "a list of 1"),
            ("drawn", '"undo_to":[2,3,1,[0,1,2]]', '"undo_to":[2,3]', "a list of 3"),
            ("drawn", '"undo_to":[2,3,1,[0,1,2]]', '"undo_to":[2,3,3,[0,1,2]]', "seat 3"),
            ("drawn", '"undo_to":[2,3,1,[0,1,2]]', '"undo_to":[2,3,1,[0,2,1]]', "ascending"),
            ("drawn", '"undo_to":[2,3,1,[0,1,2]]', '"undo_to":[2,3,1,[0,1,3]]', "seat 3"),
            ("rolled", '"roll":[2,"pace"]', '"roll":[1,"pace"]', "a list of 0"),
            ("rolled", '"roll":[2,"pace"]', '"roll":[2]', "a list of 1"),
            ("rolled", '"roll":[2,"pace"]', '"roll":[2,"Ann"]', "who rolls"),
            ("drawn.branch", '"start":[1,', '"start":[2,', "games with effects or a draw"),
        ):
            with self.subTest(new):
                self.refuses(self.forged(game, lambda line: line.replace(old, new)), re.escape(why))


class TheSpecification(Sample):
    text = (ROOT / "storage" / "format.md").read_text("utf-8")

    def blocks(self, language):
        found = re.findall(rf"^```{language}\n(.*?)^```", self.text, re.MULTILINE | re.DOTALL)
        self.assertTrue(found, language)
        return found

    def rows(self, heading):
        """The cells of the table with this first line, without their backquotes."""
        table = self.text.split(f"| {heading} |\n")[1].split("\n\n")[0].splitlines()[1:]
        return [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in table]

    def test_hashes_its_examples(self):
        hashes = [bytes(32).hex()]
        for block in self.blocks("hash"):
            example = dict(line.split(None, 1) for line in block.splitlines())
            previous = bytes.fromhex(example["previous"])
            texts = [example[name].encode() for name in ("command", "events")]
            hashed = reader.commit_hash(previous, example["game"], example["time"], *texts).hex()
            self.assertEqual((example["previous"], hashed), (hashes[-1], example["hash"]))
            hashes.append(hashed)
        message = bytes.fromhex(hashes[-2] + "".join(self.blocks("bytes")))
        self.assertIn(f"message of the second is {len(message)} bytes", self.text)
        self.assertEqual(hashlib.sha256(message).hexdigest(), hashes[-1])
        export = (self.folder / "first.jsonl").read_text("utf-8")
        self.assertTrue(all(hashed in export for hashed in hashes[1:]))

    def test_hashes_its_store_head_and_its_snapshot(self):
        heads = dict(line.split() for line in self.blocks("store-head")[0].splitlines())
        expected = heads.pop("head")
        self.assertEqual(heads.items() & HEADS.items(), heads.items())
        heads = {game: bytes.fromhex(head) for game, head in heads.items()}
        self.assertEqual(reader.store_head(heads).hex(), expected)
        head, state, hashed = (line.split(None, 1)[1] for line in self.blocks("snapshot")[0].splitlines())
        self.assertEqual(hashlib.sha256((head + state).encode()).hexdigest(), hashed)
        with closing(sqlite3.connect(self.store)) as database:
            told = "SELECT lower(hex(s.head)), state, lower(hex(hash)) FROM snapshots s JOIN games USING (game) WHERE id = 'long'"
            self.assertEqual(database.execute(told).fetchone(), (head, state, hashed))

    def test_draws_its_seed(self):
        draw = [line.split() for line in self.blocks("draw")[0].splitlines()]
        given = {name: value for name, value in draw if name != "entropy"}
        secret = bytes.fromhex(given["secret"])
        told = [b"" if value == "none" else bytes.fromhex(value) for name, value in draw if name == "entropy"]
        self.assertEqual(hashlib.sha256(secret).hexdigest(), given["commitment"])
        message = b"".join(len(said).to_bytes(4, "big") + said for said in (secret, *told))
        seed = int.from_bytes(hashlib.sha256(message).digest()[:8], "big")
        self.assertEqual(str(seed), given["seed"])
        start = json.loads((self.folder / "drawn.jsonl").read_text("utf-8").splitlines()[1])["command"]["start"]
        shown = [said.hex() or None for said in told]
        self.assertEqual(start[4:], [seed, None, [given["commitment"], given["secret"], shown]])

    def test_rolls_its_dice(self):
        words = re.search(r"key \(0, 0\) is `([0-9a-f ]+)`", self.text)[1].split()
        self.assertEqual([f"{word:08x}" for word in reader.philox4x32((0, 0, 0, 0), (0, 0))], words)
        for row in self.rows("seed | turn | die | faces | value"):
            *arguments, value = map(int, row)
            self.assertEqual(reader.seeded_die(*arguments), value, row)

    def test_shows_what_the_store_holds(self):
        with closing(sqlite3.connect(self.store)) as database:
            texts = "SELECT command FROM commits UNION SELECT events FROM commits"
            stored = {text for (text,) in database.execute(texts)}
            answer = database.execute(self.blocks("sql")[0])
            rows = [[column[0] for column in answer.description], *answer]
        examples = "".join(self.blocks("json")).splitlines()
        self.assertEqual(set(examples) - stored, set())
        types = {kind for line in examples for kind in re.findall(r'{"(\w+)":\[1[,\]]', line)}
        self.assertEqual(types, {*reader.COMMANDS, *reader.EVENTS})
        output = ["|".join("" if cell is None else str(cell) for cell in row) for row in rows]
        self.assertEqual(self.blocks("output")[0].splitlines(), output)
        export = (self.folder / "won.branch.jsonl").read_text("utf-8")
        self.assertEqual(self.blocks("jsonl")[0], export)

    def test_names_every_field(self):
        fields = {row[0]: row[1].count("*") // 2 for row in self.rows("type | fields")}
        self.assertEqual(fields, reader.COMMANDS)
        events = self.text.split("### Events")[1].split("| type | fields |\n")[1].split("\n\n")[0]
        fields = {row.split("`")[1]: row.count("*") // 2 for row in events.splitlines()[1:]}
        self.assertEqual(fields, {"started": 6, "played": 10, "undone": 9, "redone": 10})

    def test_names_every_column_and_migration(self):
        with closing(sqlite3.connect(self.store)) as database:
            columns = database.execute(
                "SELECT t.name, c.name FROM pragma_table_list t JOIN pragma_table_xinfo(t.name) c"
                " WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%'"
            )
            for table, column in list(columns):
                section = self.text.split(f"**`{table}`")[1].split("**")[1].split("\n**")[0]
                self.assertIn(f"`{column}`", section, table)
            applied = "SELECT number, name, lower(hex(sha256)) FROM migrations ORDER BY number"
            applied = [list(map(str, row)) for row in database.execute(applied)]
        self.assertEqual(self.rows("number | name | sha256"), applied)
        files = {
            file.name: hashlib.sha256(file.read_bytes()).hexdigest()
            for file in (ROOT / "migrations").glob("*.sql")
        }
        self.assertEqual({f"{int(row[0]):04}_{row[1]}.sql": row[2] for row in applied}, files)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    make_sample = sys.argv.pop(1)
    unittest.main()
