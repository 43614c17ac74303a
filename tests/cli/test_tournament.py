"""Round robins: every pair meets, every match is recorded, and the table says who did best."""

import itertools
import json

import snl

NAMES = ["Ann", "Bob Lee", "Cid 漢", "-d", "#1"]


class Tournament(snl.CommandLineTest):
    def tournament(self, *args, names=NAMES):
        return json.loads(self.snl("tournament", "--json", "--board", "milton-bradley", *args, "--", *names))

    def test_brings_every_pair_together_in_every_round(self):
        told = self.tournament("--rounds", "2", "--seed", "7")
        self.assertEqual((told["seed"], told["rounds"]), (7, 2))
        for number in (1, 2):
            pairs = [frozenset(m["players"]) for m in told["matches"] if m["round"] == number]
            self.assertEqual(sorted(map(sorted, pairs)), sorted(map(sorted, itertools.combinations(NAMES, 2))))
        begun = [tuple(m["players"]) for m in told["matches"]]
        self.assertEqual(len(set(begun)), len(begun), "who begins alternates")

    def test_records_every_match_and_each_replays_and_audits(self):
        told = self.tournament("--rounds", "1", "--seed", "7")
        self.assertEqual(self.assert_sound()["games"], 10)
        for match in told["matches"]:
            shown = self.show(match["game"])
            self.assertEqual([p["name"] for p in shown["players"]], match["players"])
            self.assertEqual((shown["winner"], shown["turn"]), (match["winner"], match["turns"]))
            replay = self.json_lines("replay", match["game"])
            self.assertEqual((len(replay), replay[-1]["outcome"]), (match["turns"], "won"))
            self.assertTrue(all(turn["rolled"] for turn in replay))

    def test_counts_its_table_from_the_matches(self):
        told = self.tournament("--rounds", "3", "--seed", "9")
        table = told["standings"]
        self.assertEqual([row["rank"] for row in table], [1, 2, 3, 4, 5])
        self.assertEqual(sorted(row["player"] for row in table), sorted(NAMES))
        for row in table:
            mine = [m for m in told["matches"] if row["player"] in m["players"]]
            won = sum(m["winner"] == row["player"] for m in mine)
            self.assertEqual((row["played"], row["won"], row["drawn"], row["lost"], row["points"]),
                             (len(mine), won, 0, len(mine) - won, won))
        points = [row["points"] for row in table]
        self.assertEqual(points, sorted(points, reverse=True))
        for first, second in zip(table, table[1:]):
            level = {row["player"] for row in table if row["points"] == first["points"]}
            among = lambda player: sum(m["winner"] == player for m in told["matches"] if set(m["players"]) <= level)
            if first["points"] == second["points"]:
                self.assertGreaterEqual(among(first["player"]), among(second["player"]))

    def test_is_the_same_again_with_the_same_seed(self):
        without_ids = lambda told: [{k: v for k, v in m.items() if k != "game"} for m in told["matches"]]
        first, second, other = (self.tournament("--rounds", "1", "--seed", seed) for seed in ("5", "5", "6"))
        self.assertEqual(without_ids(first), without_ids(second))
        self.assertEqual(first["standings"], second["standings"])
        self.assertNotEqual(without_ids(first), without_ids(other))

    def test_makes_up_a_seed_and_says_it(self):
        told = self.tournament("--rounds", "1")
        self.assertEqual(self.tournament("--rounds", "1", "--seed", told["seed"])["standings"], told["standings"])

    def test_gives_half_a_point_each_where_nobody_wins(self):
        told = self.tournament("--rounds", "1", "--max-turns", "3", names=["A", "B", "C"])
        self.assertEqual([(r["player"], r["drawn"], r["points"]) for r in told["standings"]],
                         [("A", 2, 1), ("B", 2, 1), ("C", 2, 1)])
        self.assertTrue(all(m["winner"] is None and m["turns"] == 3 for m in told["matches"]))
        self.assertEqual(self.json_lines("list")[0]["status"], "in-progress")

    def test_is_shown_again_by_the_name_of_its_games(self):
        told = self.tournament("--rounds", "2", "--seed", "3")
        self.tournament("--rounds", "1", "--seed", "4")
        name, _, number = told["matches"][4]["game"].rpartition(".")
        self.assertEqual(number, "05")
        for reference in (name, told["matches"][4]["game"]):
            self.assertEqual(self.json("tournament", "--show", reference), told | {"seed": None})
        self.assertEqual(self.json("tournament", "--show", "@")["rounds"], 1)
        table = self.snl("tournament", "--show", name)
        self.assertEqual(table.splitlines()[-1], f"20 matches, {name}.01 to {name}.20")
        self.assertEqual(len(self.snl("tournament", "--show", name, "--csv").splitlines()), 6)

    def test_is_shown_as_its_games_are_now(self):
        told = self.tournament("--rounds", "1", "--seed", "3", names=["A", "B", "C"])
        game = told["matches"][0]["game"]
        self.snl("undo", game)
        again = self.json("tournament", "--show", game)
        self.assertEqual((again["matches"][0]["winner"], again["matches"][0]["turns"]), (None, told["matches"][0]["turns"] - 1))
        self.assertEqual(sum(row["drawn"] for row in again["standings"]), 2)
        self.assertEqual([match["status"] for match in again["matches"]], ["in-progress", "completed", "completed"])
        self.assertEqual(self.run_snl("tournament", "--show", game).err,
                         f"snl: still without a winner, and counted as drawn: {game}\n")
        self.snl("redo", game)
        self.assertEqual(self.run_snl("tournament", "--show", game).err, "")

    def test_names_a_few_matches_without_a_winner(self):
        told = self.tournament("--rounds", "4", "--max-turns", "3", names=["A", "B", "C"])
        games = [match["game"] for match in told["matches"]]
        self.assertEqual(self.run_snl("tournament", "--show", games[0]).err,
                         f"snl: still without a winner, and counted as drawn: {', '.join(games[:10])} and 2 more\n")

    def test_is_not_shown_where_there_is_none(self):
        self.refused(3, "no game", "tournament", "--show", "nothing")
        self.snl("new", "A", "B", "--id", "g")
        self.refused(3, "the games of g aren't a whole tournament", "tournament", "--show", "g")
        self.run_snl("simulate", "--games", 3, "--seed", 1, "--save")
        self.refused(3, "aren't a whole tournament", "tournament", "--show", "@")
        self.refused(2, "leave out the players and options of a new one", "tournament", "A", "B", "C", "--show", "g")
        self.refused(2, "leave out the players and options of a new one", "tournament", "--rounds", "1", "--show", "g")
        for option in (("--board", "class"), ("--cells", "50"), ("--snake", "9,3"), ("--dice", "2"), ("--rules", "lld")):
            with self.subTest(option):
                self.refused(2, "leave out the players and options of a new one", "tournament", "--show", "@", *option)

    def test_says_what_ranks_those_who_are_level(self):
        told = self.tournament("--rounds", "2", "--seed", "3")["standings"]
        for above, below in zip(told, told[1:]):
            self.assertEqual(below["below_by"] is not None, above["points"] == below["points"])
        self.assertIsNone(told[0]["below_by"])
        drawn = self.tournament("--rounds", "1", "--max-turns", "3", names=["A", "B", "C"])["standings"]
        self.assertEqual([row["below_by"] for row in drawn], [None, "entry", "entry"])

    def test_looks_like_the_sample(self):
        out = self.snl("tournament", "--board", "class", "--rounds", "2", "--seed", "3", "--", *NAMES)
        lines = out.splitlines()
        self.assertEqual(len(lines), 8)
        self.assertRegex(lines[-1], r"\A20 matches, (\w+)\.01 to \1\.20; seed 3\Z")
        self.assert_golden("tournament.txt", "\n".join(lines[:-1]) + "\n")

    def test_refuses_what_is_no_tournament_and_records_nothing(self):
        for pattern, *args in (
            ("2 players: a tournament has 3 or more", "A", "B", "--rounds", "1"),
            ('player 3: "A" plays already', "A", "B", "A", "--rounds", "1"),
            ("player 2: the name is empty", "A", "", "B", "--rounds", "1"),
            ("--rounds: 0 isn't a whole number from 1 to 1000000", "A", "B", "C", "--rounds", "0"),
            ("--rounds 333334: .* every round of 3 players is 3", "A", "B", "C", "--rounds", "333334"),
            ("--max-turns: 0 isn't a whole number from 1", "A", "B", "C", "--rounds", "1", "--max-turns", "0"),
            ("--rounds is required", "A", "B", "C"),
            ("no board is named", "A", "B", "C", "--rounds", "1", "--board", "nowhere"),
        ):
            with self.subTest(args):
                self.refused(2, pattern, "tournament", *args)
        self.assertFalse(self.store.exists())

    def test_warns_of_rules_under_which_a_game_may_never_end(self):
        result = self.run_snl("tournament", "--board", "empty", "A", "B", "C", "--rounds", "1", "--dice", "2", "--max-turns", "50")
        self.assertEqual(result.code, 0)
        self.assertIn("can't be reached from cell 99", result.err)


if __name__ == "__main__":
    snl.main()
