"""The interface for scripts: JSON fields and their order, versions, command IDs, game IDs, the place of the
store."""

import json
import os
import re

import snl


class EveryJsonOutput(snl.CommandLineTest):
    """golden/json_outputs.txt: a sample of each, field names and their order included."""

    def test_keeps_its_fields_in_their_order(self):
        story = snl.Transcript(self)
        story.run("new", "Ann", "Bob", "--board", "geeks30", "--seed", "4", "--id", "g", "--json")
        story.run("play", "g", "Ann", "6-2", "--json")
        story.run("play", "g", "Ann", "6-2", "--json")
        story.run("play", "g", "-", "--json", input="Bob 1\nBob 1\n")
        story.run("play", "g", "-", "--json", "--atomic", input="Ann 6-6-6\n")
        story.run("roll", "g", "--json")
        story.run("undo", "g", "--json")
        story.run("redo", "g", "--json")
        story.run("undo", "g", "--json")
        story.run("branch", "g", "--at", "2", "--id", "b", "--json")
        story.run("show", "g", "--json")
        story.run("show", "g", "--at", "0", "--json")
        story.run("list", "--json")
        story.run("replay", "g", "--json")
        story.run("replay", "g", "--json", "--undone")
        story.run("log", "g", "--json")
        story.run("log", "b", "--json")
        story.run("export", "g")
        story.run("audit", "--json")
        story.run("audit", "g", "--json")
        story.run("audit", "g", "--json", "--expect", "0" * 64)
        self.snl("roll", "g", "--all")
        story.run("show", "g", "--json")
        story.run("list", "--json", "--status", "completed")
        story.run("roll", "g", "--json")
        story.run("audit", "g", "--json")
        story.run("board", "list", "--json")
        story.run("board", "show", "geeks30", "--json")
        (self.folder / "good.json").write_text('{"cells":20,"ladders":[[1,5],[2,9]],"snakes":[[9,4]]}')
        (self.folder / "bad.json").write_text('{"cells":20,"ladders":[[9,5]],"snakes":[[20,4],"21,4"]}')
        story.run("board", "check", "good.json", "--json")
        story.run("board", "check", "bad.json", "--json")
        story.run("db", "info", "--json")
        story.run("db", "check", "--json")
        story.run("db", "migrate", "--json")
        story.run("db", "backup", "copy.db", "--json")
        story.run("db", "restore", "copy.db", "--force", "--json")
        story.run("db", "compact", "--json")
        text = re.sub(r'"(bytes\w*)":\d+', r'"\1":<bytes>', story.text())
        self.assert_golden("json_outputs.txt", text)


class TheJsonOfAGame(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.snl("new", "A", "B", "--cells", "20", "--id", "g")

    def test_has_the_fields_of_the_contract(self):
        fields = ["id", "status", "turn", "version", "players", "next", "winner", "head"]
        named = ["board_name", "rules"]
        self.assertEqual(list(self.show("g")), fields + named)
        self.assertEqual(list(self.show("g", "--at", "0")), fields + named)
        self.assertEqual(list(self.show("g")["players"][0]), ["name", "cell"])
        self.assertEqual(list(self.json("list")), ["id", "created", "status", "turn", "players", "next", "winner", *named])
        turn = ["turn", "player", "dice", "rolled", "from", "landed", "to", "jump", "outcome", "next"]
        self.assertEqual(list(self.json("play", "g", "A", "1")), turn + ["result", "version", "head"])
        self.assertEqual(list(self.json("roll", "g")), turn + ["result", "version", "head"])
        self.assertEqual(list(self.json_lines("replay", "g")[0]), turn)
        self.assertEqual(list(self.json_lines("log", "g")[0]),
                         ["position", "game", "version", "time", "command", "events", "hash"])
        self.assertEqual(list(self.json("audit"))[:5], ["ok", "games", "turns", "head", "problems"])
        self.assertIn("fairness", self.json("audit"))

    def test_names_the_board_and_tells_the_rules(self):
        self.assertIsNone(self.show("g")["board_name"])
        standard = {"start": 1, "finish": "exact", "dice": 1, "faces": 6, "sixes": "again"}
        self.assertEqual(self.show("g")["rules"], standard)
        self.snl("new", "A", "B", "--id", "usual", "--finish", "bounce")
        self.snl("new", "A", "B", "--board", "party", "--id", "met", "--meet", "capture", "--safe", "7", "--start", 0,
                 "--enter", "1,6")
        file = self.folder / "mine.json"
        file.write_text(self.snl("board", "convert", "class", "--to", "snl"), encoding="utf-8")
        self.snl("new", "A", "B", "--board", file, "--id", "class")
        games = {game["id"]: game for game in self.json_lines("list")}
        self.assertEqual({game: told["board_name"] for game, told in games.items()},
                         {"g": None, "usual": "milton-bradley", "met": "party", "class": "class"})
        self.assertEqual(games["usual"]["rules"], standard | {"start": 0, "finish": "bounce", "sixes": "plain"})
        rules = games["met"]["rules"]
        self.assertEqual((rules["enter"], rules["meet"], rules["safe"]), ([1, 6], "capture", [7]))
        self.assertEqual(self.show("met")["rules"], rules)

    def test_says_null_for_the_next_player_once_it_is_won(self):
        self.snl("play", "g", "-", input="A 6-6-6\nB 1\nA 6-6-5\nB 1\n")
        won = self.json("play", "g", "A", "2")
        self.assertEqual((won["next"], won["outcome"], won["result"]), (None, "won", "WIN"))
        shown = self.show("g")
        self.assertEqual((shown["next"], shown["winner"], shown["status"]), (None, "A", "completed"))
        self.assertEqual((self.json("list")["next"], self.json("list")["winner"]), (None, "A"))

    def test_says_where_a_turn_landed_before_its_jump(self):
        self.snl("new", "A", "B", "--cells", "20", "--snake", "9,2", "--ladder", "5,12", "--id", "j")
        turns = [self.json("play", "j", *move) for move in
                 (("A", "4"), ("B", "6-2"), ("A", "6-6-6"), ("B", "1"), ("A", "6-6-5"))]
        seen = [(t["from"], t["landed"], t["to"], t["jump"], t["outcome"]) for t in turns]
        self.assertEqual(seen, [
            (1, 5, 12, "ladder", "moved"), (1, 9, 2, "snake", "moved"), (12, 12, 12, None, "forfeited"),
            (2, 3, 3, None, "moved"), (12, 12, 12, None, "blocked")])
        self.assertEqual([t["rolled"] for t in turns], [False] * 5)

    def test_counts_every_command_in_version_and_turns_in_force_in_turn(self):
        self.assertEqual((self.show("g")["version"], self.show("g")["turn"]), (1, 0))
        self.snl("play", "g", "-", input="A 1\nB 1\n")
        self.snl("undo", "g")
        self.assertEqual((self.show("g")["version"], self.show("g")["turn"]), (4, 1))
        self.assertEqual(self.json("play", "g", "B", "2")["turn"], 2)

    def test_has_a_head_of_64_hex_digits_which_is_the_hash_of_the_last_command(self):
        self.snl("play", "g", "A", "1")
        head = self.show("g")["head"]
        self.assertRegex(head, r"\A[0-9a-f]{64}\Z")
        self.assertEqual(self.json_lines("log", "g")[-1]["hash"], head)

    def test_writes_names_as_json_does(self):
        names = ['"q"', "back\\slash", "🐍", "日本", "\u202eevil", "a/b", "</script>", "é"]
        self.snl("new", "--board", "empty", "--id", "n", *names)
        self.assertEqual([p["name"] for p in self.show("n")["players"]], names)
        self.assertEqual([p["name"] for p in self.json("list", "--player", '"q"')["players"]], names)
        self.assertEqual(self.json("roll", "n")["player"], '"q"')

    def test_has_no_problem_with_a_pipe_and_colour(self):
        for color in ("auto", "always", "never"):
            self.assertEqual(self.json("show", "g", "--color", color), self.show("g"))


def properties(document, name):
    """The schema of every property of this name in a JSON schema."""
    if isinstance(document, list):
        return [own for part in document for own in properties(part, name)]
    if not isinstance(document, dict):
        return []
    own = document.get(name)
    found = [own] if isinstance(own, dict) and "type" in own else []
    return found + [own for part in document.values() for own in properties(part, name)]


class TheRules(snl.CommandLineTest):
    def test_have_the_same_values_as_options_and_in_the_description_of_the_api(self):
        described = json.loads((snl.TESTS.parent / "cli" / "server" / "openapi.json").read_text(encoding="utf-8"))
        options = self.snl("new", "--help")
        for rule in ("finish", "sixes", "meet"):
            with self.subTest(rule):
                values = re.search(rf"--{rule} WORD:{{([^}}]*)}}", options)[1].split(",")
                found = properties(described, rule)
                self.assertEqual([own["enum"] for own in found], [values] * 2)
        low, high = re.search(r"Faces of a die, (\d+) to (\d+)", options).groups()
        bounds = [(own["minimum"], own["maximum"]) for own in properties(described, "faces")]
        self.assertEqual(bounds, [(int(low), int(high))] * 2)


class ExpectingAVersion(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.snl("new", "--board", "empty", "A", "B", "--id", "g")
        self.snl("play", "g", "A", "3")  # version 2

    def test_goes_through_at_that_version(self):
        self.snl("play", "g", "B", "3", "--expect-version", "2")
        self.snl("roll", "g", "--expect-version", "3")
        self.snl("undo", "g", "--expect-version", "4")
        self.snl("redo", "g", "--expect-version", "5")
        self.assertEqual(self.version("g"), 6)

    def test_fails_at_any_other_and_names_both(self):
        self.snl("undo", "g", "--expect-version", "2")
        before = self.contents()
        for command in (("play", "g", "A", "3"), ("roll", "g"), ("undo", "g"), ("redo", "g")):
            for expected in ("1", "2", "4", "0", "99"):
                with self.subTest(command=command, expected=expected):
                    line = self.refused(5, rf"\b{expected}\b", *command, "--expect-version", expected)
                    self.assertRegex(line, r"\b3\b")
        self.assertEqual(self.contents(), before)
        self.snl("play", "g", "A", "3", "--expect-version", "3")  # the right one still works

    def test_is_looked_at_before_whose_turn_it_is(self):
        self.refused(5, "version", "play", "g", "A", "3", "--expect-version", "1")
        self.refused(6, "snl: ", "play", "g", "A", "3", "--expect-version", "2", out="INVALID MOVE\n")

    def test_follows_several_rolls(self):
        self.assertEqual(self.snl("roll", "g", "-n", "3", "--expect-version", "2").count("\n"), 3)
        self.refused(5, "version", "roll", "g", "-n", "3", "--expect-version", "2")

    def test_needs_a_number(self):
        for bad in ("x", "1.5", "", " ", "2x"):
            with self.subTest(bad):
                before = self.contents()
                self.refused(2, "expect-version", "play", "g", "B", "3", "--expect-version", bad)
                self.assertEqual(self.contents(), before)

    def test_that_no_game_can_have_records_nothing(self):
        before = self.contents()
        for impossible in ("-1", "99999999999999999999"):
            result = self.run_snl("play", "g", "B", "3", "--expect-version", impossible)
            self.assertIn(result.code, (2, 5))
            self.assertIn(impossible, result.err)
        self.assertEqual(self.contents(), before)


class ACommandId(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.snl("new", "A", "B", "--cells", "20", "--seed", "5", "--id", "g")

    def ask(self, *args):
        """Runs a command under an ID, then repeats it after all possible changes of a game."""
        first = self.run_snl(*args, "--command-id", "x")
        first_json = None
        if first.code == 0:
            first_json = self.run_snl(*args, "--command-id", "x", "--json")
        return first, first_json

    def assert_answers_again(self, first, first_json, *args):
        before = self.contents()
        self.assertEqual(self.run_snl(*args, "--command-id", "x"), first)
        self.assertEqual(self.run_snl(*args, "--command-id", "x", "--json"), first_json)
        self.assertEqual(self.contents(), before)

    def test_answers_the_same_whatever_happened_since(self):
        commands = {
            "play": (("play", "g", "A", "3"), ()),
            "roll": (("roll", "g"), ()),
            "undo": (("undo", "g"), ("A 1\nB 1\n",)),
            "undo to": (("undo", "g", "--to", "0"), ("A 1\nB 1\n",)),
            "redo": (("redo", "g"), ("A 1\nB 1\n", "undo")),
        }
        for name, (command, before) in commands.items():
            with self.subTest(name):
                game = name.replace(" ", "-")
                self.snl("new", "A", "B", "--cells", "30", "--seed", "5", "--id", game)
                command = tuple(game if word == "g" else word for word in command)
                for step in before:
                    self.snl("undo", game) if step == "undo" else self.snl("play", game, "-", input=step)
                first, first_json = self.ask(*command)
                self.assertEqual((first.code, first_json.code, first.err), (0, 0, ""), first)
                self.assert_answers_again(first, first_json, *command)
                self.snl("roll", game, "-n", "2")
                self.assert_answers_again(first, first_json, *command)
                self.snl("undo", game, "-n", "1")
                self.assert_answers_again(first, first_json, *command)
                self.snl("roll", game, "--all")
                self.assertEqual(self.show(game)["status"], "completed")
                self.assert_answers_again(first, first_json, *command)
        self.assert_sound()

    def test_answers_a_win_again(self):
        self.snl("play", "g", "-", input="A 6-6-5\nB 1\n")
        self.assertEqual(self.snl("play", "g", "A", "2", "--command-id", "x"), "WIN\n")
        self.snl("undo", "g")
        self.assertEqual(self.snl("play", "g", "A", "2", "--command-id", "x"), "WIN\n")
        self.assertEqual(self.show("g")["status"], "in-progress")

    def test_with_other_content_is_a_conflict_that_records_nothing(self):
        self.snl("play", "g", "A", "3", "--command-id", "x")
        before = self.contents()
        others = [
            ("play", "g", "A", "4"), ("play", "g", "B", "3"), ("play", "g", "A", "3", "3"), ("roll", "g"),
            ("undo", "g"), ("undo", "g", "--to", "0"), ("redo", "g"),
            ("play", "g", "Zed", "3"), ("play", "g", "B", "9"),  # checked before everything else
            ("play", "g", "B", "4", "--expect-version", "99"), ("undo", "g", "-n", "99"),
        ]
        for command in others:
            with self.subTest(command):
                self.refused(5, '"x"', *command, "--command-id", "x")
        self.assertEqual(self.contents(), before)

    def test_is_looked_at_before_the_expected_version(self):
        self.snl("play", "g", "A", "3", "--command-id", "x", "--expect-version", "1")
        answer = self.snl("play", "g", "A", "3", "--command-id", "x", "--expect-version", "1")
        self.assertEqual(answer, "A,4,B,CONTINUE\n")

    def test_of_a_refused_command_is_not_remembered(self):
        self.refused(6, "snl: ", "play", "g", "B", "3", "--command-id", "x", out="INVALID MOVE\n")
        self.refused(6, "snl: ", "undo", "g", "--command-id", "x")
        self.refused(3, "Zed", "play", "g", "Zed", "3", "--command-id", "x")
        self.refused(5, "version", "roll", "g", "--command-id", "x", "--expect-version", "9")
        self.assertEqual(self.snl("play", "g", "A", "3", "--command-id", "x"), "A,4,B,CONTINUE\n")

    def test_says_the_same_content_in_other_words(self):
        self.snl("play", "g", "A", "6-3", "--command-id", "x")
        for words in (("6", "3"), ("6-3",), ("06", "3")):
            self.assertEqual(self.snl("play", "g", "A", *words, "--command-id", "x"), "A,10,B,CONTINUE\n")
        line = '{"dice":[6,3],"id":"x","player":"A"}\n'
        self.assertEqual(self.snl("play", "g", "-", input=line), "A,10,B,CONTINUE\n")
        self.assertEqual(self.version("g"), 2)

    def test_belongs_to_one_game(self):
        self.snl("new", "--board", "empty", "A", "B", "--id", "h")
        self.snl("play", "g", "A", "3", "--command-id", "x")
        self.assertEqual(self.snl("play", "h", "A", "5", "--command-id", "x"), "A,6,B,CONTINUE\n")
        self.snl("branch", "g", "--at", "0", "--id", "b")
        self.assertEqual(self.snl("play", "b", "A", "1", "--command-id", "x"), "A,2,B,CONTINUE\n")

    def test_may_be_any_text_of_256_bytes(self):
        for number, text in enumerate(["a b", '"q"', "🐍", "-", "x" * 256, "[a,b]", "--all"]):
            with self.subTest(text):
                player = "AB"[number % 2]
                first = self.snl("play", "g", player, "1", f"--command-id={text}")
                self.assertEqual(self.snl("play", "g", player, "1", f"--command-id={text}"), first)
        self.assertEqual(self.version("g"), 8)
        for text in ("", "x" * 257, "a\nb", "\x7f"):
            with self.subTest(text):
                self.refused(2, "command[- ](id|ID)", "play", "g", "B", "1", f"--command-id={text}")
        self.assert_sound()

    def test_is_for_one_command(self):
        self.refused(2, "command-id", "roll", "g", "-n", "2", "--command-id", "x")
        self.refused(2, "command-id", "roll", "g", "--all", "--command-id", "x")


class AGameId(snl.CommandLineTest):
    def test_is_made_up_short_and_valid(self):
        games = [self.snl("new", "--board", "empty", "A", "B") for _ in range(20)]
        for line in games:
            self.assertRegex(line, r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,11}\n\Z")
        self.assertEqual(len(set(games)), 20)

    def test_may_be_chosen(self):
        for game in ("a", "Z9", "final.2024", "a_b-c", "0", "x" * 64):
            self.assertEqual(self.snl("new", "--board", "empty", "A", "B", "--id", game), game + "\n")
            self.assertEqual(self.show(game)["id"], game)

    def test_of_another_form_is_an_error(self):
        for game in ("", "-a", ".a", "_a", "a b", "é", "a/b", "@", "@-1", "x" * 65, "a\n", "*"):
            with self.subTest(game):
                self.refused(2, "(?i)id", "new", "--board", "empty", "A", "B", f"--id={game}")
        self.snl("new", "--board", "empty", "A", "B", "--id", "g")
        self.refused(2, "ID", "branch", "g", "--at", "0", "--id=-b")

    def test_is_taken_once(self):
        self.snl("new", "--board", "empty", "A", "B", "--id", "g")
        before = self.contents()
        self.refused(5, r"\bg\b", "new", "--board", "empty", "A", "B", "--id", "g")
        self.refused(5, r"\bg\b", "branch", "g", "--at", "0", "--id", "g")
        self.assertEqual(self.contents(), before)
        self.snl("new", "--board", "empty", "A", "B", "--id", "G")  # upper and lower case differ

    def test_may_be_shortened_to_what_is_unique(self):
        self.snl("new", "--board", "empty", "A", "B", "--id", "match-1")
        self.snl("new", "--board", "empty", "A", "B", "--id", "final")
        self.assertEqual(self.show("m")["id"], "match-1")
        self.assertEqual(self.show("fin")["id"], "final")
        self.refused(3, '"Fin"', "show", "Fin")

    def test_that_is_exact_wins_over_longer_ones(self):
        for game in ("match", "match-1", "match-2"):
            self.snl("new", "--board", "empty", "A", "B", "--id", game)
        self.assertEqual(self.show("match")["id"], "match")
        line = self.refused(3, '"matc"', "show", "matc")
        for game in ("match", "match-1", "match-2"):
            self.assertIn(game, line)
        line = self.refused(3, '"match-"', "play", "match-", "A", "3")
        self.assertIn("match-1, match-2", line)

    def test_of_many_candidates_lists_some(self):
        for number in range(30):
            self.snl("new", "--board", "empty", "A", "B", "--id", f"m{number:02}")
        line = self.refused(3, '"m"', "show", "m")
        self.assertIn("m00", line)
        self.assertLess(len(line), 400)

    def test_is_at_for_the_newest_and_at_minus_1_for_the_one_before(self):
        for game in ("z", "a", "m"):
            self.snl("new", "--board", "empty", "A", "B", "--id", game)
        self.assertEqual(self.show("@")["id"], "m")
        self.assertEqual(self.show("@-1")["id"], "a")
        self.snl("play", "z", "A", "3")  # created last, not played last
        self.assertEqual(self.show("@")["id"], "m")
        self.snl("branch", "@-1", "--at", "0", "--id", "b")
        self.assertEqual(self.show("@")["id"], "b")
        for nothing in ("@-9", "@-", "@x", "@@", "@--1", "@-99999999999999999999999"):
            self.refused(3, re.escape(nothing), "show", nothing)

    def test_is_understood_by_every_command_that_takes_a_game(self):
        self.snl("new", "--board", "empty", "A", "B", "--id", "other")
        self.snl("new", "--board", "empty", "A", "B", "--id", "long-name")
        self.snl("play", "@", "A", "3")
        self.snl("play", "lo", "-", input="B 3\n")
        self.snl("roll", "@")
        self.snl("undo", "long")
        self.snl("redo", "@")
        self.snl("branch", "l", "--at", "1", "--id", "newest")
        for command in ("show", "replay", "log", "audit", "export"):
            for name in ("@-1", "lo", "long-name"):
                self.assertEqual(self.snl(command, name), self.snl(command, "long-name"))
        self.assertNotIn("long", self.snl("log", "other"))


class APathOfAnyBytes(snl.CommandLineTest):
    def test_is_shown_in_json_that_is_utf_8(self):
        name = b"caf\xe9 \xed\xa0\x80 \xc3\xa9 \xf0\x9f\x90\x8d \xff.db"
        shown = "caf\ufffd \ufffd\ufffd\ufffd é 🐍 \ufffd.db"
        store = os.fsdecode(name)
        self.snl("new", "--board", "empty", "A", "B", "--id", "g", db=store)
        for command in (("db", "info"), ("db", "backup", os.fsdecode(b"copy " + name)), ("audit",), ("db", "compact")):
            printed = self.run_snl(*command, "--json", db=store).out
            self.assertEqual(printed.encode(errors="surrogateescape").decode("utf-8"), printed, command)
            self.assertNotEqual(json.loads(printed), {})
        self.assertEqual(self.json("db", "info", db=store)["path"], shown)
        (self.folder / os.fsdecode(b"\xff.json")).write_text("no board")
        self.refused(2, r"\\xff", "board", "check", os.fsdecode(b"\xff.json"))


class WhereTheStoreIs(snl.CommandLineTest):
    def new(self, *args, **options):
        self.snl("new", "A", "B", "--id", "g", *args, **options)

    def test_in_the_home_when_nothing_is_said(self):
        self.new()
        self.assertEqual(self.files(), ["home/.local/share/snl/snl.db"])

    def test_in_the_data_folder_of_the_desktop(self):
        self.new(env={"XDG_DATA_HOME": str(self.folder / "data")})
        self.assertEqual(self.files(), ["data/snl/snl.db"])

    def test_in_the_home_when_the_data_folder_is_empty(self):
        self.new(env={"XDG_DATA_HOME": ""})
        self.assertEqual(self.files(), ["home/.local/share/snl/snl.db"])

    def test_in_the_home_when_the_data_folder_is_relative(self):
        self.new(env={"XDG_DATA_HOME": "data"})
        self.assertEqual(self.files(), ["home/.local/share/snl/snl.db"])

    def test_in_a_folder_that_is_its_owners_alone(self):
        old = os.umask(0)
        self.addCleanup(os.umask, old)
        self.new(env={"XDG_DATA_HOME": str(self.folder / "deep" / "data")})
        for folder in ("deep", "deep/data", "deep/data/snl"):
            self.assertEqual((self.folder / folder).stat().st_mode & 0o777, 0o700, folder)

    def test_where_the_environment_says(self):
        self.new(env={"SNL_DB": str(self.folder / "mine.db"), "XDG_DATA_HOME": str(self.folder / "data")})
        self.assertEqual(self.files(), ["mine.db"])

    def test_where_the_option_says_before_or_after_the_command(self):
        env = {"SNL_DB": str(self.folder / "not-this.db")}
        self.snl("--db", "a.db", "new", "--board", "empty", "A", "B", env=env)
        self.snl("new", "--board", "empty", "A", "B", "--db", "b.db", env=env)
        self.snl("new", "--board", "empty", "--db=c.db", "A", "B", env=env)
        self.assertEqual(self.files(), ["a.db", "b.db", "c.db"])
        self.assertEqual(len(self.json_lines("--db", "a.db", "list")), 1)
        self.assertEqual(self.json("db", "info", "--db", "b.db")["games"], 1)
        self.assertTrue(self.json("--db", "c.db", "db", "check")["ok"])

    def test_nowhere_without_a_home(self):
        self.refused(2, "HOME|--db", "new", "--board", "empty", "A", "B", env={"HOME": None})

    def test_not_at_an_empty_name(self):
        self.refused(2, "--db", "new", "--board", "empty", "A", "B", "--db", "")
        self.assertEqual(self.files(), [])

    def test_not_made_by_reading(self):
        reading = [
            ("list",), ("list", "--json"), ("log",), ("show", "g"), ("replay", "g"), ("log", "g"), ("audit",),
            ("audit", "g"), ("export", "g"), ("db", "info"), ("db", "check"), ("db", "migrate"), ("board", "list"),
            ("board", "show", "class"), ("help",), ("--version",), ("log", "--follow"),
        ]
        for command in reading:
            with self.subTest(command):
                self.run_snl(*command)
                self.assertEqual(self.files(), [])

    def test_not_made_by_playing_a_game_that_is_not_there(self):
        for command in (("play", "g", "A", "3"), ("play", "g", "-"), ("roll", "g"), ("undo", "g"), ("redo", "g"),
                        ("branch", "g", "--at", "0"), ("show", "g"), ("replay", "g"), ("log", "g"), ("audit", "g"),
                        ("export", "g"), ("show", "@")):
            with self.subTest(command):
                self.refused(3, '"[g@]"', *command)
                self.assertEqual(self.files(), [])

    def test_not_made_by_a_game_that_cannot_be(self):
        for args in (("A",), ("A", "A"), ("A", "B", "--id", "-"), ("A", "B", "--snake", "1,2"), ("A", "B", "--board", "x")):
            self.refused(2, "snl: ", "new", *args)
            self.assertEqual(self.files(), [])

    def test_is_an_empty_list_where_there_is_none(self):
        self.assertEqual(self.snl("list"), "")
        self.assertEqual(self.snl("list", "--json"), "")
        self.assertEqual(self.snl("list", db="no/such/folder/x.db"), "")

    def test_can_be_missing_for_an_audit_which_says_so(self):
        self.refused(1, "snl.db", "audit")
        self.refused(1, "snl.db", "audit", "--json")

    def test_is_whole_in_one_file_once_all_have_left(self):
        self.new()
        self.snl("roll", "g", "-n", "5")
        self.assertEqual(self.files(), ["home/.local/share/snl/snl.db"])


class AReadOnlyStore(snl.CommandLineTest):
    """A store on a medium that can't be written is read and audited."""

    def setUp(self):
        super().setUp()
        self.snl("new", "--board", "empty", "A", "B", "--id", "g", "--seed", "1")
        self.snl("roll", "g", "-n", "3")
        self.as_user = self.as_ordinary_user()
        self.store.chmod(0o444)
        self.store.parent.chmod(0o555)
        self.addCleanup(self.store.parent.chmod, 0o755)

    def test_can_be_read_and_audited(self):
        self.assertEqual(self.json("show", "g", **self.as_user)["turn"], 3)
        self.assertEqual(len(self.json_lines("list", **self.as_user)), 1)
        self.assertEqual(len(self.json_lines("log", "g", **self.as_user)), 4)
        self.assertEqual(len(self.json_lines("replay", "g", **self.as_user)), 3)
        self.assertTrue(self.json("audit", **self.as_user)["ok"])
        self.assertTrue(self.json("db", "check", **self.as_user)["ok"])
        self.assertEqual(self.json("db", "info", **self.as_user)["commits"], 4)

    def test_cannot_be_written(self):
        for command in (("roll", "g"), ("new", "--board", "empty", "A", "B"), ("undo", "g")):
            self.refused(1, "snl.db", *command, **self.as_user)


class ListingGames(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.snl("new", "Ann", "Bob", "--id", "first", "--cells", "4")
        self.snl("new", "--board", "empty", "Ann", "Cem", "--id", "second")
        self.snl("new", "--board", "empty", "Bob", "Cem", "--id", "third")
        self.snl("play", "first", "Ann", "3")

    def ids(self, *args):
        return [game["id"] for game in self.json_lines("list", *args)]

    def test_begins_with_the_newest(self):
        self.assertEqual(self.ids(), ["third", "second", "first"])

    def test_can_be_narrowed(self):
        self.assertEqual(self.ids("--status", "completed"), ["first"])
        self.assertEqual(self.ids("--status", "in-progress"), ["third", "second"])
        self.assertEqual(self.ids("--player", "Ann"), ["second", "first"])
        self.assertEqual(self.ids("--player", "Ann", "--status", "in-progress"), ["second"])
        self.assertEqual(self.ids("--player", "An"), [])
        self.assertEqual(self.ids("--limit", "2"), ["third", "second"])
        self.assertEqual(self.ids("--limit", "0"), [])
        self.assertEqual(self.ids("--limit", "99", "--player", "Cem"), ["third", "second"])

    def test_takes_only_what_it_knows(self):
        self.refused(2, "done", "list", "--status", "done")
        self.refused(2, "x", "list", "--limit", "x")
        self.refused(2, "-1", "list", "--limit", "-1")
        self.refused(2, "limit", "list", "--limit", "")

    def test_goes_on_over_many_games(self):
        for number in range(140):
            self.snl("new", "--board", "empty", "A", "B", "--id", f"m{number}")
        self.assertEqual(self.ids(), [f"m{n}" for n in reversed(range(140))] + ["third", "second", "first"])
        self.assertEqual(len(self.ids("--limit", "130")), 130)

    def test_is_a_line_a_game_for_people(self):
        lines = self.snl("list").splitlines()
        self.assertEqual(len(lines), 3)
        self.assertRegex(lines[2], r"^first .*completed.*Ann, Bob.*Ann")


if __name__ == "__main__":
    snl.main()
