"""Tables for spreadsheets: `--csv` of what reports, and all turns of all games by `export --all`."""

import csv
import io
import re
import subprocess

import snl
from terminal import Terminal


def rows_of(text):
    """The rows of a table, by the names of its columns."""
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def as_text(value):
    """A value of the JSON as it stands in a table."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, str) else re.sub(r"\.0\Z", "", repr(value))


class TableTest(snl.CommandLineTest):
    def table(self, *args):
        text = self.snl(*args)
        self.assertTrue(text.endswith("\r\n"))
        self.assertEqual(text.count("\n"), text.count("\r\n"))
        return rows_of(text)

    def holds(self, row, **expected):
        """A row's fields, which are as the JSON has them; numbers to the last digit."""
        for name, value in expected.items():
            told = row[name]
            if isinstance(value, float):
                self.assertEqual(float(told), value, name)
            else:
                self.assertEqual(told, as_text(value), name)


class CsvOfAReport(TableTest):
    def test_and_json_together_are_a_mistake(self):
        self.refused(2, "can't be given together", "simulate", "--games", 1, "--distribution", "--json")
        for command in (("simulate", "--games", 1), ("board", "analyze", "class"), ("analyze", "g"), ("list",),
                        ("tournament", "A", "B", "C", "--rounds", 1)):
            with self.subTest(command):
                self.refused(2, "--csv and --json can't be given together|--json and --csv can't", *command, "--csv", "--json")
        self.assertFalse(self.store.exists())

    def test_of_a_simulation_is_one_row(self):
        run = ("simulate", "--board", "class", "--games", 500, "--seed", 3, "--players", 3, "--quantiles", "0.5,0.9")
        told = self.json(*run)
        [row] = self.table(*run, "--csv")
        turns = told["turns"]
        self.holds(row, games=500, players=3, turns_mean=turns["mean"], turns_stddev=turns["stddev"], turns_min=turns["min"],
                   turns_max=turns["max"], wins_1=told["wins"][0], wins_3=told["wins"][2], unfinished=0, snakes=told["snakes"],
                   ladders=told["ladders"], shortest_seed=told["shortest"]["seed"], shortest_turns=told["shortest"]["turns"],
                   longest_turns=told["longest"]["turns"], seed=3, max_turns=3000,
                   **{f"turns_quantiles_{share}": turn for share, turn in turns["quantiles"].items()})
        rows = self.table(*run, "--distribution")
        self.assertEqual([[int(row["turns"]), int(row["games"])] for row in rows], told["histogram"])

    def test_of_a_simulation_that_nobody_won_has_nothing_where_there_is_nothing(self):
        [row] = self.table("simulate", "--board", "class", "--games", 3, "--seed", 1, "--max-turns", 1, "--csv")
        self.holds(row, games=3, turns_mean=None, shortest_seed=None, longest_turns=None, unfinished=3)
        self.assertEqual(self.table("simulate", "--board", "class", "--games", 3, "--seed", 1, "--max-turns", 1, "--csv",
                                    "--distribution"), [])

    def test_of_boards_is_a_row_each(self):
        boards = ("class", "milton-bradley")
        told = self.json_lines("board", "analyze", *boards, "--players", 3, "--quantiles", "0.5")
        rows = self.table("board", "analyze", *boards, "--players", 3, "--quantiles", "0.5", "--csv")
        self.assertEqual([row["board"] for row in rows], list(boards))
        for row, board in zip(rows, told, strict=True):
            plain = {name: value for name, value in board.items() if not isinstance(value, (list, dict)) and name != "residual"}
            self.holds(row, **plain)
            for seat, chance in enumerate(board["win_probability"], 1):
                self.holds(row, **{f"win_probability_{seat}": chance})
            self.holds(row, **{"quantiles_0.5": board["quantiles"]["0.5"], "game_quantiles_0.5": board["game_quantiles"]["0.5"],
                               "positions_2": board["positions"][1]})
        distribution = self.table("board", "analyze", *boards, "--csv", "--distribution")
        self.assertEqual([[int(row["turns"]), float(row["probability"])] for row in distribution if row["board"] == "class"],
                         told[0]["distribution"])
        self.assertEqual({row["board"] for row in distribution}, set(boards))

    def test_of_a_race_without_odds_leaves_its_fields_empty(self):
        done = self.run_snl("board", "analyze", "party", "--players", 5, "--csv")
        [row] = rows_of(done.out)
        self.holds(row, win_probability_1=None, win_probability_5=None, never=None, expected_game_turns=None, players=5)
        self.assertNotEqual(row["expected_turns"], "")

    def test_of_a_game_is_a_row_a_turn(self):
        self.snl("new", "Ann", "Bob, jr", "--board", "class", "--seed", 13, "--id", "g")
        self.snl("roll", "g", "-n", 5)
        told = self.json_lines("analyze", "g")
        rows = self.table("analyze", "g", "--csv")
        self.assertEqual(list(rows[0]), ["turn", "player", "dice", "chances_before_1", "chances_before_2", "chances_after_1",
                                         "chances_after_2", "luck", "never_before", "never_after"])
        for row, turn in zip(rows, told, strict=True):
            self.holds(row, turn=turn["turn"], player=turn["player"], luck=turn["luck"],
                       chances_before_1=turn["chances_before"][0], chances_after_2=turn["chances_after"][1])

    def test_of_a_list_is_a_row_a_game(self):
        self.assertEqual(self.table("list", "--csv"), [])
        self.snl("new", "Ann", "Bob, jr", "--seed", 13, "--id", "g")
        self.snl("roll", "g", "--all")
        self.snl("new", "=1+1", "B", "C", "--cells", 20, "--id", "h")
        told = self.json_lines("list")
        rows = self.table("list", "--csv")
        self.assertEqual([row["id"] for row in rows], ["h", "g"])
        for row, game in zip(rows, told, strict=True):
            self.holds(row, created=game["created"], status=game["status"], turn=game["turn"], winner=game["winner"],
                       board_name=game["board_name"], rules_start=game["rules"]["start"], rules_sixes=game["rules"]["sixes"])
        self.assertEqual([row["players"] for row in rows], ["'=1+1; B; C", "Ann; Bob, jr"])
        self.assertEqual([row["rules_start"] for row in rows], ["1", "0"])
        self.assertEqual([row["id"] for row in self.table("list", "--csv", "--status", "completed")], ["g"])

    def test_of_a_list_is_lines_on_a_terminal(self):
        self.snl("new", "Ann", "Bob", "--id", "g")
        seen = Terminal(self, "list", "--csv", columns=200).until("milton-bradley,0,exact")
        self.assertIn("rules_meet\r\ng,", seen)
        self.assertNotIn("\\x0d", seen)

    def test_of_a_tournament_is_its_standings(self):
        run = ("tournament", "Ann", "Bob", "Cid", "--rounds", 2, "--seed", 4)
        told = self.json(*run)
        rows = self.table(*run, "--csv")
        self.assertEqual(rows, [{name: as_text(value) for name, value in row.items()} for row in told["standings"]])


class AllTurnsOfAllGames(TableTest):
    def setUp(self):
        super().setUp()
        self.snl("new", "Ann", 'Bob "B", jr', "--seed", 8, "--id", "b")
        self.snl("roll", "b", "--all")
        self.snl("new", "Ann", "Cid 漢", "--seed", 9, "--id", "a")
        self.snl("roll", "a", "-n", 6)
        self.snl("undo", "a")
        self.snl("new", "Ann", "Bob", "--board", "party", "--seed", 3, "--id", "c")
        self.snl("roll", "c", "--all")
        self.snl("new", "Ann", "Bob", "Cid", "--id", "none")

    def test_are_one_table(self):
        rows = self.table("export", "--all", "-f", "csv")
        self.assertEqual(list(rows[0]), ["game", "turn", "player", "dice", "rolled", "from", "landed", "to", "jump", "outcome",
                                         "next", "happened"])
        for game in "abc":
            mine = [row for row in rows if row["game"] == game]
            alone = self.table("export", game, "-f", "csv")
            self.assertEqual([{name: row[name] for name in alone[0]} for row in mine], alone)
            told = self.snl("replay", game).splitlines()
            for row, line in zip(mine, told, strict=True):
                words = line.partition(": ")[2].partition(f"{row['from']} → {row['to']}")[2]
                self.assertEqual(row["happened"], re.sub(r"\A[,;] ", "", words))
        self.assertEqual([row["game"] for row in rows], sorted(row["game"] for row in rows))
        self.assertEqual({row["game"] for row in rows}, set("abc"))
        self.assertTrue(any("up the ladder" in row["happened"] for row in rows))

    def test_have_the_movers_chances(self):
        rows = self.table("export", "--all", "-f", "csv", "--chances")
        self.assertEqual(list(rows[0])[-2:], ["chance_before", "chance_after"])
        for game in "abc":
            mine = [row for row in rows if row["game"] == game]
            players = [player["name"] for player in self.show(game)["players"]]
            for row, turn in zip(mine, self.json_lines("analyze", game), strict=True):
                seat = players.index(turn["player"])
                self.assertAlmostEqual(float(row["chance_before"]), turn["chances_before"][seat], delta=1e-12)
                self.assertAlmostEqual(float(row["chance_after"]), turn["chances_after"][seat], delta=1e-12)
        alone = self.table("export", "b", "-f", "csv", "--chances")
        self.assertEqual([row["chance_after"] for row in alone], [row["chance_after"] for row in rows if row["game"] == "b"])

    def test_have_no_chances_where_there_are_none(self):
        self.snl("new", "A", "B", "C", "D", "E", "--board", "party", "--seed", 1, "--id", "many")
        self.snl("roll", "many", "-n", 2)
        rows = [row for row in self.table("export", "--all", "-f", "csv", "--chances") if row["game"] == "many"]
        self.assertEqual([(row["chance_before"], row["chance_after"]) for row in rows], [("", "")] * 2)

    def test_go_to_a_file_whose_name_says_the_form(self):
        self.snl("export", "--all", "-o", "all.csv")
        self.assertEqual((self.folder / "all.csv").read_bytes().decode(), self.snl("export", "--all", "-f", "csv"))

    def test_are_read_by_sqlite(self):
        self.snl("export", "--all", "--chances", "-o", "all.csv")
        query = "SELECT game, count(*), max(turn + 0), group_concat(DISTINCT player) FROM t GROUP BY game ORDER BY game"
        done = subprocess.run(["sqlite3", ":memory:", ".import --csv all.csv t", query], cwd=self.folder, text=True, check=True,
                              stdout=subprocess.PIPE)
        counts = [(line.split("|")[0], int(line.split("|")[1])) for line in done.stdout.splitlines()]
        self.assertEqual(counts, [(game, self.show(game)["turn"]) for game in "abc"])
        self.assertIn('Bob "B", jr', done.stdout)

    def test_are_refused_where_they_can_not_be(self):
        self.refused(2, "give a game, or --all", "export", "-f", "csv")
        self.refused(2, "give a game, or --all", "export", "b", "--all", "-f", "csv")
        self.refused(2, "the form jsonl holds one game; use -f csv", "export", "--all")
        self.refused(2, "--chances: the form text has no column", "export", "b", "-f", "text", "--chances")
        self.refused(1, "no store", "export", "--all", "-f", "csv", db="nowhere.db")


if __name__ == "__main__":
    snl.main()
