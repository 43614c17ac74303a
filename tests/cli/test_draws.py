"""Goal: a game with a drawn seed is read, narrated, exported and branched like any other. It names the
players who contributed entropy, and it is refused if a commitment wasn't kept.

Method: an export of such a game is imported, which snl_make_sample made and which is kept beside the
browser's tests. tests/reader/snl_reader.py decides and hashes forgeries of it again, with its check of the
draw off. So only the draw can show them.
"""

import json
import re
import sys
from unittest import mock

import snl

sys.path.insert(0, str(snl.TESTS / "reader"))
import snl_reader as reader
from terminal import Terminal

DRAWN = (snl.TESTS / "browser" / "drawn.jsonl").read_text("utf-8")
COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
SEED = 16031160156604700653
ANN, CYD = bytes(range(32, 64)).hex(), bytes(range(64, 96)).hex()


class ADrawnGame(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.assertEqual(self.snl("import", "-", input=DRAWN), "drawn\n")

    def test_is_sound_and_exported_as_it_came(self):
        self.assertTrue(self.json("audit", "drawn")["ok"])
        self.assertEqual(self.snl("export", "drawn"), DRAWN)
        logged = self.json_lines("log", "drawn")
        self.assertEqual(logged[0]["command"]["start"][0], 2)
        self.assertEqual(logged[6]["command"], {"undo_to": [2, 3, 1, [0, 1, 2]]})

    def test_says_who_had_a_say_and_who_agreed_to_a_takeback(self):
        lines = self.snl("log", "drawn").splitlines()
        self.assertRegex(lines[0], r"v1: a game of Ann, Bob, Cyd on 30 cells, its seed drawn: Ann and Cyd had a say$")
        taken_back = [line for line in lines if " v7: " in line]
        self.assertEqual(len(taken_back), 2)
        for line in taken_back:
            self.assertRegex(line, r"turn is undone: .* \(Bob asked, Ann and Cyd agreed\)$")
        page = " ".join(re.sub("\x1b\\[[0-9;]*m", "", self.on_terminal("audit", "drawn")).split())
        self.assertIn(f"promised as {COMMITMENT}, and from what players 1 and 3 gave", page)
        self.assertIn("player 2 asked, players 1 and 3 agreed", page)
        self.assertNotIn("may choose its seed", page)
        self.snl("export", "drawn", "-f", "html", "-o", "drawn.html")
        self.assertIn(f"<dt>Promised</dt><dd><code>{COMMITMENT}</code></dd>", (self.folder / "drawn.html").read_text())

    def on_terminal(self, *words):
        code, said = Terminal(self, *words).ends()
        self.assertEqual(code, 0)
        return said

    def test_has_branches_with_its_dice_and_without_its_draw(self):
        self.snl("branch", "drawn", "--at", "0", "--id", "again")
        self.snl("roll", "again", "--all", "--max-turns", "15")
        self.assertEqual([line["dice"] for line in self.json_lines("replay", "again")],
                         [line["dice"] for line in self.json_lines("replay", "drawn")])
        start = self.json_lines("log", "again")[0]["command"]["start"]
        self.assertEqual((start[0], len(start), start[4]), (1, 6, SEED))
        report = self.json("audit", "--all")
        self.assertEqual((report["ok"], report["unproven_origins"]), (True, 0))

    def test_has_no_draw_in_its_text(self):
        text = self.snl("export", "drawn", "-f", "text")
        for secret in (COMMITMENT, str(SEED), ANN):
            self.assertNotIn(secret, text)
        self.snl("import", "-", input=text.replace('[Id "drawn"]', '[Id "told"]'))
        start = self.json_lines("log", "told")[0]["command"]["start"]
        self.assertEqual((start[0], len(start)), (1, 6))


class ADrawThatWasNotKept(snl.CommandLineTest):
    def forged(self, change):
        """The export with its start command changed, every command decided again and hashed anew."""
        header, *lines = map(json.loads, DRAWN.splitlines())
        game, forged = reader.Game("drawn"), []
        change(lines[0]["command"]["start"])
        with mock.patch.object(reader.Setup, "check_draw", lambda *fields: None):
            for line in lines:
                kind, content, schema = reader.parse_body(line["command"], reader.COMMANDS)
                game.version = line["version"]
                line["events"] = game.decide(kind, content, schema)
                texts = (reader.canonical(line[name]).encode() for name in ("command", "events"))
                game.head = reader.commit_hash(game.head, "drawn", line["time"], *texts)
                forged.append(reader.canonical({**line, "hash": game.head.hex()}))
                if game.winner is not None:
                    break
        header.update(version=len(forged), head=game.head.hex())
        return "\n".join([reader.canonical(header), *forged, ""])

    def test_is_not_imported(self):
        self.snl("import", "-", input=self.forged(lambda start: None))
        self.assertEqual(self.snl("export", "drawn"), DRAWN)
        self.store.unlink()
        draw = 6
        cases = {
            "the draw's commitment 64": lambda start: start[draw].__setitem__(0, "64" + COMMITMENT[2:]),
            f"the draw's commitment {COMMITMENT} isn't the SHA-256 of its secret": lambda start: start[draw].__setitem__(1, ANN),
            f"the seed is {SEED}, where the draw": lambda start: start[draw][2].__setitem__(0, CYD),
            f"the seed is {SEED}, where": lambda start: start[draw].__setitem__(2, [None, ANN, CYD]),
            "the draw's secret and entropy make": lambda start: start[draw].__setitem__(2, [None, None, None]),
            "the draw has entropy of 2 seats, not of 3": lambda start: start[draw][2].pop(),
            f"the seed is {SEED + 1}, where the draw's secret and entropy make {SEED}": lambda start: start.__setitem__(4, SEED + 1),
        }
        for said, change in cases.items():
            with self.subTest(said):
                forged = self.forged(change)
                self.assertNotEqual(forged, DRAWN)
                for options in ((), ("--dry-run",)):
                    self.refused(4, f"line 2: game drawn, version 1: .*{said}", "import", "-", *options, input=forged)
                with self.assertRaises(reader.Bad):
                    self.read_again(forged)

    def read_again(self, export):
        path = self.folder / "forged.jsonl"
        path.write_text(export, "utf-8")
        reader.read_export(path)


if __name__ == "__main__":
    snl.main()
