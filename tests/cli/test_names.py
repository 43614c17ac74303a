"""Players have names of all kinds: each is one player, to the letter, wherever it is given or shown."""

import json

import snl

ODD_NAMES = [
    "-a", "--help", "--", "-", "--db=x", "-n", "#1", "# not a comment", '{"x', '{"player":"A","dice":[3]}', "[A", "[A,B]",
    "[]", "[A]", "++", "list", "new", "help", "a,b", "a;b", '"q"', "'q'", "`q`", "$HOME", "%s", "%n%n", "{}", "{0}",
    "back\\slash", "a/b", "*", "?", "~", "!", "=", "a=b", "@", "@-1", "3", "6-6-1", "WIN", "INVALID MOVE", "CONTINUE",
    "A 3", " lead", "trail ", "two  spaces", "🐍", "👩‍👩‍👧", "日本語", "بوب", "עברית", "é", "e\u0301", "\u200fRTL", "\u202eevil",
    "\u200b", "\ufeff", "\u2028", "ﷺ", "ß", "İ", "x" * 256, "é" * 128, "null", "true", "\\n", "\\x1b[31m", "</script>",
]


class Names(snl.CommandLineTest):
    def start(self, *names):
        return self.snl("new", "--", *names).strip()

    def test_of_all_kinds_are_kept_to_the_letter(self):
        for name in ODD_NAMES:
            with self.subTest(name):
                game = self.start(name, "other")
                self.assertEqual(self.show(game)["players"][0], {"name": name, "cell": 1})
                self.assertEqual(self.snl("play", game, "--", name, "3"), f"{name},4,other,CONTINUE\n")
                self.assertEqual(self.snl("play", game, "--", "other", "3"), f"other,4,{name},CONTINUE\n")
                line = json.dumps({"player": name, "dice": [1]}, ensure_ascii=False) + "\n"
                self.assertEqual(self.snl("play", game, "-", input=line), f"{name},5,other,CONTINUE\n")
                self.assertEqual(self.json("list", f"--player={name}", "--limit=1")["id"], game)
                self.assertEqual(self.json_lines("replay", game)[0]["player"], name)
        self.assert_sound()

    def test_that_are_no_options_need_no_dashes(self):
        for name in ("[A", "[A,B]", "[]", "++", "#1", '{"x', "-", "list", "a,b", "@", "3"):
            with self.subTest(name):
                self.assertEqual(self.snl("new", name, "other", "--id", "x"), "x\n")
                self.assertEqual(self.snl("play", "x", name, "3"), f"{name},4,other,CONTINUE\n")
                self.store.unlink()

    def test_in_a_stream_of_plain_lines(self):
        for name in ODD_NAMES:
            if name.startswith(("#", '{"')) or not name.strip():
                continue
            with self.subTest(name):
                game = self.start(name, "other")
                self.assertEqual(self.snl("play", game, "-", input=f"{name} 3\nother 6-1\n"),
                                 f"{name},4,other,CONTINUE\nother,8,{name},CONTINUE\n")

    def test_survive_export_and_import(self):
        elsewhere = self.folder / "elsewhere.db"
        for first in range(0, len(ODD_NAMES), 8):
            names = ODD_NAMES[first : first + 8]
            game = self.start(*names, "other")
            self.snl("roll", game, "-n", "12")
            for form in ("jsonl", "text"):
                self.snl("export", game, "-f", form, "-o", "out", "--force")
                self.assertEqual(self.snl("import", "out", db=elsewhere), f"{game}\n")
                self.assertEqual(self.snl("replay", game, db=elsewhere), self.snl("replay", game))
                elsewhere.unlink()

    def test_of_ten_players_take_turns_in_order(self):
        names = [f"player {n}" for n in range(10)]
        game = self.start(*names)
        self.snl("roll", game, "-n", "20")
        self.assertEqual([t["player"] for t in self.json_lines("replay", game)], names * 2)

    def test_that_look_alike_are_different_players(self):
        game = self.start("é", "e\u0301", "a", "A", "a ", " a")
        self.assertEqual(len(self.show(game)["players"]), 6)

    def test_that_cannot_be_are_refused(self):
        bad = ["", "x" * 257, "é" * 128 + "x", "a\nb", "a\tb", "\x01", "\x1b[31m", "\x7f", "\u0080", "\u009b31m", "\r",
               b"\xff", b"a\xc3", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82"]
        for name in bad:
            with self.subTest(name):
                name = name.decode(errors="surrogateescape") if isinstance(name, bytes) else name
                line = self.refused(2, "player", "new", "--", name, "other")
                self.assertNotRegex(line, "[\x00-\x09\x0b-\x1f\x7f-\x9f]")
                self.refused(2, "player", "new", "--", "other", name)
                self.assertIsNone(self.contents())

    def test_that_are_given_twice_are_refused(self):
        self.refused(2, '"A"', "new", "A", "B", "A")
        self.refused(2, '"🐍"', "new", "🐍", "🐍")

    def test_that_nobody_has_are_named_in_the_error(self):
        game = self.start("Ann", "Bob")
        for name in ("ann", "An", "Ann ", "Zed", "\u202eevil", ""):
            with self.subTest(name):
                self.refused(3, '"%s"' % name.replace("\u202e", r"\\u202e"), "play", game, name, "3")


if __name__ == "__main__":
    snl.main()
