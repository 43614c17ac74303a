"""Powers, captures and faces that enter, through the program: random games against a plain one that is
written from the rules' words (power_game.py), and every way to describe them.

A game is three processes, and its turns are one commit: a commit each would wait for the disk 25 times. There are
200 games, or as many as $SNL_GAMES says.
"""

import json
import os
import random

import power_game
import snl

GAMES = int(os.environ.get("SNL_GAMES", "200"))
TURNS = 25


def without(record, *names):
    return {name: value for name, value in record.items() if name not in names}


class RandomGames(snl.CommandLineTest):
    def test_are_those_of_the_rules_words_to_the_character(self):
        for seed in range(GAMES):
            chance = random.Random(seed)
            game = power_game.any_game(chance)
            with self.subTest(seed=seed):
                self.play(game, chance, undo=seed % 8 == 0)

    def play(self, game, chance, undo):
        id_ = self.snl_quietly("new", *game.players, *game.options()).strip()
        turns, records, lines, standings = [], [], [], [game.standing()]
        while game.winner is None and len(turns) < TURNS:
            player, dice = game.players[game.next], power_game.any_dice(game, chance)
            turns.append(json.dumps({"player": player, "dice": dice}, separators=(",", ":")))
            record, line = game.play(dice)
            records.append(record)
            lines.append(line)
            standings.append(game.standing())
        printed = self.snl("play", id_, "-", "--json", "--atomic", input="\n".join(turns)).splitlines()
        self.assertEqual(len(printed), len(records))
        for text, record in zip(printed, records):
            played = json.loads(text)
            last = record["next"] is None
            result = "WIN" if last else f"{record['player']},{record['to']},{record['next']},CONTINUE"
            self.assertEqual(played["result"], result)
            self.assertEqual(list(played)[-4:], ["power", "steps", "others", "missed"])
            self.assertEqual(without(played, "result", "version", "head"), record)
        self.assertEqual(self.snl("replay", id_).splitlines(), lines)
        if undo:
            self.undo_and_redo(id_, standings, records, chance)

    def undo_and_redo(self, id_, standings, records, chance):
        count = chance.randint(1, len(records))
        self.snl("undo", id_, "-n", count)
        there = len(records) - count
        shown = self.json("show", id_)
        self.assertEqual(shown["players"], standings[there])
        self.assertEqual((shown["turn"], shown["next"]), (there, records[there]["player"]))
        branch = self.snl("branch", id_, "--at", there).strip()
        self.assertEqual(self.json("show", branch)["players"], standings[there])
        self.snl("redo", id_, "-n", count)
        self.assertEqual(self.json("show", id_)["players"], standings[-1])
        at = chance.randint(0, len(records))
        self.assertEqual(self.json("show", id_, "--at", at)["players"], standings[at])
        self.assertTrue(self.json("audit", id_)["ok"])

    def snl_quietly(self, *args):
        """A board at random may be one to warn of."""
        result = self.run_snl(*args)
        self.assertEqual(result.code, 0, result)
        return result.out


class AWholeGame(snl.CommandLineTest):
    def test_is_told_for_ever_in_the_same_words(self):
        rules = ["--start", 0, "--finish", "bounce", "--enter", "1,6", "--meet", "capture", "--safe", "20,41"]
        self.snl("new", "Ann", "Bob", "Cy", "--board", "party", *rules, "--seed", 2, "--id", "party")
        self.snl("roll", "party", "--all")
        self.assert_golden("party.txt", self.snl("replay", "party"))
        self.assert_golden("party.jsonl", self.snl("replay", "party", "--json"))
        self.assert_golden("party_board.txt", self.snl("show", "party", "--at", 12))


class DescribingThem(snl.CommandLineTest):
    def refuses(self, *args, **options):
        result = self.run_snl(*args, **options)
        self.assertEqual((result.code, result.out), (2, ""), args)
        return result.err

    def test_names_every_fault_at_once(self):
        faults = self.refuses("new", "Ann", "Bob", "--cells", "30", "--snake", "17,7", "--power", "17,again",
                              "--power", "30,swap", "--power", "5,skip", "--power", "6,again,1")
        for fault in ("17,again", "30,swap", "5,skip", "6,again,1"):
            self.assertIn(fault, faults)
        for options in (["--power", "5,jump"], ["--enter", "6"], ["--start", "0", "--enter", "7"],
                        ["--start", "0", "--enter", "1,1"], ["--safe", "5"], ["--meet", "capture", "--safe", "1"],
                        ["--meet", "capture", "--safe", "100"], ["--meet", "push"], ["--start", "0", "--enter", "x"]):
            self.refuses("new", "Ann", "Bob", "--cells", "100", *options)

    def test_names_what_cannot_be_read_beside_the_other_faults(self):
        faults = self.refuses("new", "Ann", "Bob", "--cells", "30", "--snake", "x", "--ladder", "4;9", "--snake", "3,9",
                              "--power", "7,bomb", "--power", "40,again", "--enter", "six", "--safe", "2,,3",
                              "--faces", "6", "--start", "0")
        for fault in ("--snake x: two cells", "--ladder 4;9: two cells", "snake 3,9: ", "--power 7,bomb: a cell and",
                      "power 40,again: ", "--enter six: numbers", "--safe 2,,3: numbers"):
            self.assertIn(fault, faults)
        self.assertEqual(faults.count("\n"), 1)

    def test_an_import_names_headers_that_cannot_be_read_and_all_other_faults(self):
        text = ('[Player "A"]\n[Player "A"]\n[Cells "20"]\n[Power "5,jump"]\n[Power "0,again"]\n[Snake "3,9"]\n'
                '[Enter "six"]\nA 3\n')
        for given in (text, text.removesuffix("A 3\n"), text.replace("A 3", "?")):
            faults = self.run_snl("import", "-", input=given)
            self.assertEqual((faults.code, faults.out, faults.err.count("\n")), (2, "", 1))
            for fault in ("line 4: Power", "line 7: Enter", "power 0,again", "snake 3,9", "two players"):
                self.assertIn(fault, faults.err)
        without_size = self.run_snl("import", "-", input=text.replace('"20"', '"many"').replace("3,9", "150,9"))
        self.assertIn("line 3: Cells", without_size.err)
        self.assertNotIn("150", without_size.err)  # the number of cells is unknown

    def test_names_faults_of_players_board_and_rules_at_once(self):
        faults = self.refuses("new", "Ann", "Ann", "--cells", "20", "--snake", "3,9", "--power", "0,again",
                              "--start", "0", "--enter", "9,9", "--safe", "x")
        for fault in ("snake 3,9: ", "power 0,again: a power is on a cell from 1 to 19", "two players have this name",
                      "--safe x: numbers"):
            self.assertIn(fault, faults)
        rules = self.refuses("new", "Ann", "Ann", "--power", "0,again", "--start", "0", "--enter", "9,9")
        self.assertEqual(rules.count("enter 9: a die shows 1 to 6"), 1)
        for fault in ("1 to 99", "two players", "enter 9,9: 9 is named twice"):
            self.assertIn(fault, rules)
        text = '[Id "x"]\n[Player "Ann"]\n[Player "Ann"]\n[Snake "3,9"]\n[Power "0,again"]\n[Enter "9"]\n'
        result = self.run_snl("import", "-", input=text)
        for fault in ("snake 3,9", "power 0,again", "two players", "enter 9"):
            self.assertIn(fault, result.err)

    def test_names_a_safe_cell_that_no_board_has_in_a_tournament_too(self):
        self.assertIn("64", self.refuses("tournament", "Ann", "Bob", "Cyd", "--board", "party", "--rounds", "1",
                                         "--meet", "capture", "--safe", "64"))

    def test_any_face_enters_in_a_text_as_in_an_option(self):
        text = '[Id "any"]\n[Player "Ann"]\n[Player "Bob"]\n[Start "0"]\n[Enter "any"]\n\nAnn 2\n'
        self.assertEqual(self.snl("import", "-", input=text), "any\n")

    def test_lists_are_kept_ascending(self):
        id_ = self.snl("new", "Ann", "Bob", "--start", "0", "--enter", "6,1", "--meet", "capture",
                       "--safe", "20,10", "--power", "12,skip,2", "--power", "5,again").strip()
        text = self.snl("export", id_, "-f", "text")
        for header in ('[Power "5,again"]\n[Power "12,skip,2"]', '[Enter "1,6"]', '[Meet "capture"]', '[Safe "10,20"]'):
            self.assertIn(header, text)
        (self.folder / "game.txt").write_text(text.replace(id_, "copy"), encoding="utf-8")
        self.snl("import", "game.txt")
        setup = lambda game: self.json("log", game)["events"][0]["started"][3:5]
        self.assertEqual(setup("copy"), setup(id_))

    def test_a_board_file_has_them(self):
        board = {"cells": 30, "snakes": [[17, 7]],
                 "powers": [{"cell": 12, "power": "again"}, {"cell": 21, "power": "skip", "n": 2}]}
        converted = json.loads(self.snl("board", "convert", "-", "--to", "snl", input=json.dumps(board)))
        self.assertEqual(converted["powers"], board["powers"])
        for form in ("matrix", "moves", "entries"):
            self.assertIn("powers", self.refuses("board", "convert", "-", "--to", form, input=json.dumps(board)))
        self.assertIn("2 powers", self.refuses("board", "solve", "-", input=json.dumps(board)))
        board["powers"] += [{"cell": 12, "power": "swap"}, {"cell": 3}, {"cell": 4, "power": "skip", "n": 4}]
        faults = self.refuses("board", "check", "-", input=json.dumps(board))
        for place in ("powers[2]", "powers[3]", "powers[4]"):
            self.assertIn(place, faults)

    def test_board_check_warns_of_what_may_surprise(self):
        warnings = lambda board: self.json("board", "check", "-", input=json.dumps(board))["warnings"]
        blocked = {"cells": 30, "powers": [{"cell": cell, "power": "restart"} for cell in range(10, 30)]}
        self.assertTrue(any("nobody can ever win" in warning for warning in warnings(blocked)))
        passed = {"cells": 30, "powers": [{"cell": 1, "power": "again"}]}
        self.assertTrue(any("1,again can't act" in warning for warning in warnings(passed)))
        self.assertEqual(warnings({"cells": 30, "powers": [{"cell": 9, "power": "again"}]}), [])

    def test_a_piece_that_others_can_free_is_not_lost(self):
        board = {"cells": 15, "snakes": [[3, 1], [11, 6], [12, 6], [7, 6], [8, 6]], "ladders": [[2, 10], [4, 15]]}
        shielded = board | {"powers": [{"cell": 10, "power": "shield", "n": 1}]}
        swapping = board | {"powers": [{"cell": 5, "power": "swap"}, {"cell": 10, "power": "shield", "n": 1}]}
        for described, rules, words in (
            (shielded, [], "a piece there never finishes"),
            (shielded, ["--meet", "capture"], "a piece there finishes only if another one sends it away"),
            (shielded, ["--meet", "capture", "--safe", "5"], "a piece there never finishes"),
            (swapping, [], "a piece there finishes only if another one sends it away"),
        ):
            with self.subTest(rules=rules, words=words):
                checked = self.json("board", "check", "-", "--faces", 2, "--sixes", "plain", *rules,
                                    input=json.dumps(described))
                self.assertTrue(any(words in warning for warning in checked["warnings"]), checked["warnings"])

    def test_random_boards_have_as_many_as_are_asked_for(self):
        for seed in range(20):
            board = json.loads(self.snl("board", "random", "--size", 6, "--powers", 12, "--seed", seed))
            self.assertEqual(len(board["powers"]), 12)
            checked = self.json("board", "check", "-", input=json.dumps(board))
            self.assertTrue(checked["ok"])
            self.assertFalse([warning for warning in checked["warnings"] if "reached" in warning], board)
            self.assertFalse([warning for warning in checked["warnings"] if "can't act" in warning], board)
        self.refuses("board", "random", "--size", 3, "--powers", 9)
        full = json.loads(self.snl("board", "random", "--size", 3, "--snakes", 0, "--ladders", 0, "--powers", 8,
                                   "--seed", 1))
        self.assertEqual([power["cell"] for power in full["powers"]], list(range(1, 9)))

    def test_a_race_in_which_pieces_meet_has_exact_odds(self):
        odds = self.json("board", "analyze", "party")
        for chance, expected in zip(odds["win_probability"], (0.506132, 0.493868), strict=True):
            self.assertAlmostEqual(chance, expected, places=6)
        self.assertEqual(odds["never"], 0)
        game = self.game_on_party()
        self.snl("roll", game, "--all")
        turns = [json.loads(line) for line in self.snl("analyze", game, "--json").splitlines()]
        self.assertAlmostEqual(turns[0]["chances_before"][0], odds["win_probability"][0])
        self.assertEqual(turns[-1]["chances_after"][["Ann", "Bob"].index(turns[-1]["player"])], 1)
        for turn in turns:
            self.assertAlmostEqual(sum(turn["chances_after"]), 1)

    def test_a_race_is_refused_by_its_size(self):
        words = r"pieces of this race may stand in more than 1,[05]00,000 ways, and perhaps in as many as [0-9,]+: exact odds are worked out for up to 1,[05]00,000; snl simulate estimates them, with --games 1000000 to within 0.1 %"
        done = self.run_snl("board", "analyze", "party", "--players", 5)
        self.assertEqual(done.code, 0)
        self.assertRegex(done.err, words)
        self.assertIn("chance to finish", done.out)
        game = self.snl("new", "A", "B", "C", "D", "E", "--board", "party").strip()
        self.assertRegex(self.refuses("analyze", game), words)

    def test_whether_a_game_may_never_end_is_read_from_all_pieces_together(self):
        rules = ("--faces", 2, "--sixes", "plain", "--meet", "capture")
        endless = json.dumps({"cells": 4, "ladders": [[2, 3]]})
        freeing = json.dumps({"cells": 9, "snakes": [[6, 5], [7, 2]], "ladders": [[2, 6]]})
        for board, may in ((endless, True), (freeing, False)):
            with self.subTest(board=board):
                said = "a game may never end"
                self.assertEqual(said in self.snl_with_warnings("board", "check", "-", *rules, input=board), may)
                path = self.folder / "board.json"
                path.write_text(board, encoding="utf-8")
                simulated = self.snl_with_warnings("simulate", "--board", path, *rules, "--games", 10, "--seed", 1)
                self.assertEqual(said in simulated, may)
                self.assertEqual(self.json("board", "analyze", "-", *rules, input=board)["never"], 1 if may else 0)

    def snl_with_warnings(self, *arguments, **options):
        done = self.run_snl(*arguments, **options)
        self.assertEqual(done.code, 0)
        return done.err

    def test_exact_odds_are_those_of_many_games(self):
        board = {"cells": 30, "snakes": [[17, 7]],
                 "powers": [{"cell": 12, "power": "again"}, {"cell": 21, "power": "skip", "n": 2},
                            {"cell": 4, "power": "shield", "n": 1}, {"cell": 26, "power": "restart"}]}
        (self.folder / "board.json").write_text(json.dumps(board), encoding="utf-8")
        exact = self.json("board", "analyze", "board.json", "--start", 0, "--enter", "1,6")
        counted = self.json("simulate", "--board", "board.json", "--start", 0, "--enter", "1,6",
                            "--games", 40000, "--seed", 5)
        self.assertAlmostEqual(exact["expected_game_turns"], counted["turns"]["mean"], delta=0.5)
        self.assertAlmostEqual(exact["win_probability"][0], counted["wins"][0] / 40000, delta=0.015)

    def game_on_party(self):
        return self.snl("new", "Ann", "Bob", "--board", "party", "--seed", 1, "--id", "party").strip()

    def test_the_party_board_is_a_short_game(self):
        counted = self.json("simulate", "--board", "party", "--games", 20000, "--seed", 1)
        self.assertEqual(counted["unfinished"], 0)
        self.assertLess(counted["turns"]["mean"], 40)

    def test_a_simulated_game_is_the_one_that_is_played(self):
        counted = self.json("simulate", "--board", "party", "--games", 50, "--seed", 2)
        for game in (counted["shortest"], counted["longest"]):
            id_ = self.snl("new", "Ann", "Bob", "--board", "party", "--seed", game["seed"]).strip()
            self.assertEqual(len(self.snl("roll", id_, "--all").splitlines()), game["turns"])

    def test_what_a_player_has_is_shown_with_the_name(self):
        self.snl("new", "Ann", "Bob", "--cells", "30", "--power", "4,shield,2", "--power", "5,skip,3",
                 "--snake", "20,7", "--id", "g")
        self.snl("play", "g", "-", input="Ann 3\nBob 4\n")
        drawn = self.snl("show", "g")
        for shown in (drawn, self.snl("export", "g", "-f", "svg")):
            self.assertIn("(2 shields)", shown)
            self.assertIn("(misses 3 turns)", shown)
        self.assertNotIn("(", self.snl("show", "g", "--at", "0"))
        self.assertIn("Ann (2 shields)", drawn)

    def test_what_a_player_has_stands_below_a_long_name_in_a_picture(self):
        self.snl("new", "W" * 24, "Bartholomew Fortescue", "Ann", "--cells", "60", "--start", "0", "--sixes", "plain", "--power", "2,shield,3",
                 "--power", "3,skip,3", "--power", "4,shield,1", "--snake", "20,7", "--id", "g")
        self.snl("play", "g", "-", input="".join(f"{name} {die}\n" for name, die in
                                                 (("W" * 24, 2), ("Bartholomew Fortescue", 4), ("Ann", 4), ("W" * 24, 1))))
        picture = self.snl("export", "g", "-f", "svg")
        self.assertRegex(picture, r">W{10,}…</text>\s*<text [^>]*>\(3 shields, misses 3 turns\)</text>")
        self.assertRegex(picture, r">Bartholomew F[a-z]*…</text>\s*<text [^>]*>\(1 shield\)</text>")
        self.assertIn(">Ann (1 shield)</text>", picture)

    def test_whose_piece_was_captured_is_named_in_a_drawing(self):
        self.snl("new", "Ann", "Bob", "--cells", "30", "--meet", "capture", "--id", "g")
        self.snl("play", "g", "-", input="Ann 3\nBob 5\nAnn 2\nBob 3\nAnn 1\nBob 3\n")
        self.assertIn("last: 3. Ann rolls 2: 4 → 6, sends Bob back 6 → 1", self.snl("show", "g", "--at", "3"))
        self.assertIn("last: 6. Bob rolls 3: 4 → 7, sends Ann back 7 → 1", self.snl("show", "g"))
        picture = self.snl("export", "g", "-f", "cast")
        self.assertIn("sends Ann back", picture)
        self.assertIn("sends Bob back", picture)

    def test_a_drawing_marks_them_without_colour(self):
        self.game_on_party()
        drawn = self.snl("show", "party")
        for mark in ("@", "z1", "<<", "o1", "<>"):
            self.assertIn(mark, drawn)
        picture = self.snl("export", "party", "-f", "svg")
        for words in ("again", "skip 1", "restart", "shield 1", "swap"):
            self.assertIn(f">{words}</text>", picture)


if __name__ == "__main__":
    snl.main()
