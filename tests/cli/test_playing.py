"""A game is played through the command line: turns, streams of turns, rolls, undo and redo."""

import json
import os
import pathlib
import signal
import subprocess

import snl

CASES = json.loads((snl.TESTS / "cases" / "playturn.json").read_text(encoding="utf-8"))["cases"]


def turn_line(player, dice, **more):
    """A line for `snl play -`: as text where the name can be read back, as JSON elsewhere."""
    plain = not player.startswith(("#", '{"')) and player.strip() and not more
    if plain:
        return f"{player} {'-'.join(map(str, dice))}\n"
    return json.dumps({"player": player, "dice": dice} | more, ensure_ascii=False) + "\n"


class EveryCaseOfTheClass(snl.CommandLineTest):
    """tests/cases/playturn.json, on a store."""

    def start(self, case):
        jumps = [word for snake in case["snakes"] for word in ("--snake", snake)]
        jumps += [word for ladder in case["ladders"] for word in ("--ladder", ladder)]
        self.snl("new", "--id", case["id"], "--cells", "100", *jumps, "--", *case["playerIds"])

    def assert_ends_as_it_should(self, case):
        shown = self.show(case["id"])
        self.assertEqual([[p["name"], p["cell"]] for p in shown["players"]], case["final"]["positions"])
        self.assertEqual(shown["winner"] or "", case["final"]["winner"])
        self.assertEqual(shown["status"], "completed" if case["final"]["winner"] else "in-progress")
        self.assertEqual(shown["next"] is None, bool(case["final"]["winner"]))

    def assert_looks_back_right(self, case):
        """The checks between the turns, applied to the replay."""
        replay = iter(self.json_lines("replay", case["id"]))
        cells, winner = {player: 1 for player in case["playerIds"]}, ""
        for call in case["calls"]:
            if call["op"] == "getPlayerPosition":
                self.assertEqual(cells[call["playerId"]], call["expect"])
            elif call["op"] == "getWinner":
                self.assertEqual(winner, call["expect"])
            elif call["expect"] not in ("INVALID MOVE", "GAME COMPLETED"):
                turn = next(replay)
                self.assertEqual(turn["player"], call["playerId"])
                self.assertEqual(turn["dice"], call["diceValues"])
                cells[turn["player"]] = turn["to"]
                winner = turn["player"] if turn["outcome"] == "won" else ""
        self.assertEqual(list(replay), [])

    def test_played_by_one_stream_answers_to_the_character(self):
        for case in CASES:
            with self.subTest(case["id"]):
                self.start(case)
                turns = [call for call in case["calls"] if call["op"] == "playTurn"]
                stream = "".join(turn_line(call["playerId"], call["diceValues"]) for call in turns)
                results = self.snl("play", case["id"], "-", input=stream)
                self.assertEqual(results, "".join(call["expect"] + "\n" for call in turns))
                self.assert_ends_as_it_should(case)
                self.assert_looks_back_right(case)
        self.assert_sound()

    def test_played_by_a_process_a_turn_answers_the_same(self):
        sample = [case for case in CASES if len(case["calls"]) <= 40][:12]
        for case in sample:
            with self.subTest(case["id"]):
                self.start(case)
                for call in case["calls"]:
                    if call["op"] != "playTurn":
                        continue
                    result = self.run_snl("play", case["id"], "--", call["playerId"], *call["diceValues"])
                    self.assertEqual(result.out, call["expect"] + "\n")
                    refused = call["expect"] in ("INVALID MOVE", "GAME COMPLETED")
                    self.assertEqual(result.code, 6 if refused else 0)
                self.assert_ends_as_it_should(case)
        self.assert_sound()


class ATurn(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.snl("new", "Ann", "Bob", "--board", "class", "--id", "g")

    def test_dice_are_written_in_any_of_three_ways(self):
        self.assertEqual(self.snl("play", "g", "Ann", "6", "6", "1"), "Ann,14,Bob,CONTINUE\n")
        self.assertEqual(self.snl("play", "g", "Bob", "6-6-1"), "Bob,14,Ann,CONTINUE\n")
        self.assertEqual(self.snl("play", "g", "Ann", "6-6", "2"), "Ann,28,Bob,CONTINUE\n")

    def test_a_jump_is_taken(self):
        self.assertEqual(self.snl("play", "g", "Ann", "2"), "Ann,22,Bob,CONTINUE\n")

    def test_three_sixes_stay_and_pass_the_turn(self):
        self.assertEqual(self.snl("play", "g", "Ann", "6-6-6"), "Ann,1,Bob,CONTINUE\n")

    def test_an_overshoot_stays_and_passes_the_turn(self):
        self.snl("new", "Ann", "Bob", "--cells", "10", "--id", "short")
        self.snl("play", "short", "-", input="Ann 5\nBob 1\n")
        self.assertEqual(self.snl("play", "short", "Ann", "5"), "Ann,6,Bob,CONTINUE\n")

    def test_a_win_is_one_word_and_ends_the_game(self):
        self.snl("new", "Ann", "Bob", "--cells", "4", "--id", "short")
        self.assertEqual(self.snl("play", "short", "Ann", "3"), "WIN\n")
        self.refused(6, "Ann|won", "play", "short", "Bob", "3", out="GAME COMPLETED\n")
        self.refused(6, "Ann|won", "roll", "short", out="GAME COMPLETED\n")

    def test_a_completed_game_is_said_before_an_unknown_player(self):
        self.snl("new", "Ann", "Bob", "--cells", "4", "--id", "short")
        self.snl("play", "short", "Ann", "3")
        self.refused(6, "snl: ", "play", "short", "Zed", "3", out="GAME COMPLETED\n")

    def test_out_of_turn_is_refused_and_nothing_is_recorded(self):
        before = self.contents()
        self.refused(6, "snl: ", "play", "g", "Bob", "3", out="INVALID MOVE\n")
        self.assertEqual(self.contents(), before)

    def test_a_refusal_as_json_is_still_a_refusal(self):
        self.refused(6, "snl: ", "play", "g", "Bob", "3", "--json", out='{"result":"INVALID MOVE"}\n')

    def test_two_dice_are_summed_and_listed(self):
        self.snl("new", "--board", "empty", "Ann", "Bob", "--dice", "2", "--finish", "bounce", "--id", "two")
        turn = self.json("play", "two", "Ann", "6-6")
        self.assertEqual((turn["dice"], turn["to"], turn["next"]), ([6, 6], 13, "Bob"))
        self.refused(2, r"\b3\b", "play", "two", "Bob", "3")

    def test_a_bounce_goes_back_by_the_excess(self):
        self.snl("new", "Ann", "Bob", "--cells", "10", "--finish", "bounce", "--id", "bounce")
        self.snl("play", "bounce", "-", input="Ann 5\nBob 1\n")
        turn = self.json("play", "bounce", "Ann", "5")
        self.assertEqual((turn["landed"], turn["to"], turn["outcome"]), (9, 9, "moved"))

    def test_an_overshoot_may_win(self):
        self.snl("new", "Ann", "Bob", "--cells", "4", "--finish", "overshoot", "--id", "over")
        turn = self.json("play", "over", "Ann", "5")
        self.assertEqual((turn["landed"], turn["to"], turn["outcome"], turn["next"]), (4, 4, "won", None))
        self.assertEqual(turn["result"], "WIN")

    def test_a_game_may_begin_off_the_board(self):
        self.snl("new", "Ann", "Bob", "--board", "lld", "--id", "lld")
        self.assertEqual([p["cell"] for p in self.show("lld")["players"]], [0, 0])
        self.assertEqual(self.snl("play", "lld", "Ann", "1"), "Ann,38,Bob,CONTINUE\n")

    def test_a_jump_on_cell_1_is_worth_a_warning_only_where_pieces_begin_there(self):
        for args, warned in (((), True), (("--start", "0"), False)):
            result = self.run_snl("new", "A", "B", "--ladder", "1,38", *args)
            self.assertEqual((result.code, "1,38" in result.err), (0, warned), result)


class TheRulesOfAGame(snl.CommandLineTest):
    def rules(self, *args):
        self.run_snl("new", "A", "B", *args)
        return json.loads(self.snl("log", "@", "--json"))["command"]["start"][3]

    def test_are_standard_on_a_board_of_one_s_own(self):
        self.assertEqual(self.rules("--snake", "17,7"), [1, "exact", 1, 6, "again"])
        self.assertEqual(self.rules("--cells", "50"), [1, "exact", 1, 6, "again"])

    def test_come_with_a_named_board(self):
        for board in ("lld", "milton-bradley", "milton-bradley-48"):
            self.assertEqual(self.rules("--board", board), [0, "exact", 1, 6, "plain"])
        for board in ("class", "geeks30", "empty"):
            self.assertEqual(self.rules("--board", board), [1, "exact", 1, 6, "again"])

    def test_of_a_named_board_give_way_to_a_preset_and_else_part_by_part(self):
        self.assertEqual(self.rules("--board", "lld", "--start", "1"), [1, "exact", 1, 6, "plain"])
        self.assertEqual(self.rules("--board", "lld", "--rules", "standard"), [1, "exact", 1, 6, "again"])
        self.assertEqual(self.rules("--board", "lld", "--finish", "exact"), [0, "exact", 1, 6, "plain"])

    def test_can_be_overridden_part_by_part(self):
        self.assertEqual(self.rules("--rules", "lld", "--start", "1"), [1, "exact", 1, 6, "plain"])
        self.assertEqual(self.rules("--rules", "lld", "--sixes", "again"), [0, "exact", 1, 6, "again"])
        self.assertEqual(self.rules("--cells", "50", "--finish", "bounce"), [1, "bounce", 1, 6, "again"])
        self.assertEqual(self.rules("--finish", "bounce"), [0, "bounce", 1, 6, "plain"])
        self.assertEqual(
            self.rules("--rules", "milton-bradley", "--dice", "2", "--faces", "100", "--finish", "overshoot"),
            [0, "overshoot", 2, 100, "plain"])

    def test_of_a_preset_give_up_sixes_again_where_the_dice_rule_it_out(self):
        self.assertEqual(self.rules("--board", "empty", "--dice", "2"), [1, "exact", 2, 6, "plain"])
        self.assertEqual(self.rules("--rules", "standard", "--faces", "8"), [1, "exact", 1, 8, "plain"])

    def test_cannot_ask_for_sixes_again_with_other_dice(self):
        self.refused(2, "again", "new", "--board", "empty", "A", "B", "--sixes", "again", "--dice", "2")
        self.refused(2, "again", "new", "--board", "empty", "A", "B", "--sixes", "again", "--faces", "8")

    def board(self, *args):
        self.snl("new", "A", "B", *args)
        return json.loads(self.snl("log", "@", "--json"))["command"]["start"][2]

    def test_leave_the_board_to_the_board_options(self):
        self.assertEqual(self.board("--board", "empty"), [100, 10, [], []])
        self.assertEqual(self.board("--size", "4"), [16, 4, [], []])
        self.assertEqual(self.board("--cells", "30"), [30, 10, [], []])
        self.assertEqual(self.board("--cells", "36"), [36, 6, [], []])
        self.assertEqual(
            self.board("--snake", "17,7", "--ladder", "3,22", "--snake=9,2"),
            [100, 10, [[9, 2], [17, 7]], [[3, 22]]])

    def test_take_a_board_from_a_file_or_stdin(self):
        text = '{"cells":30,"snakes":[[17,7]],"ladders":["3,22"]}'
        (self.folder / "b.json").write_text(text)
        self.assertEqual(self.board("--board", "b.json"), [30, 10, [[17, 7]], [[3, 22]]])
        self.snl("new", "A", "B", "--board", "-", input=text)
        self.assertEqual(self.show()["players"][1], {"name": "B", "cell": 1})

    def test_prefer_the_name_of_a_board_to_a_file(self):
        (self.folder / "class").write_text('{"cells":30}')
        self.assertEqual(self.board("--board", "class")[0], 100)
        self.assertEqual(self.board("--board", "./class")[0], 30)


class AStreamOfTurns(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.snl("new", "--board", "empty", "A", "Ann Lee", "--id", "g")

    def test_reads_plain_lines_and_json_lines(self):
        lines = 'A 3\nAnn Lee 4\n{"player":"A","dice":[6,3]}\n{"dice":[6,6,1],"player":"Ann Lee"}\n'
        self.assertEqual(
            self.snl("play", "g", "-", input=lines),
            "A,4,Ann Lee,CONTINUE\nAnn Lee,5,A,CONTINUE\nA,13,Ann Lee,CONTINUE\nAnn Lee,18,A,CONTINUE\n")

    def test_passes_over_comments_and_blank_lines(self):
        lines = "# A 6\n\nA 3\n   \n\t\n#\nAnn Lee 4"
        self.assertEqual(
            self.snl("play", "g", "-", input=lines), "A,4,Ann Lee,CONTINUE\nAnn Lee,5,A,CONTINUE\n")

    def test_may_have_lines_that_end_as_on_windows(self):
        lines = '\r\nA 3\r\n# no\r\n{"player":"Ann Lee","dice":[4]}\r\n'
        self.assertEqual(
            self.snl("play", "g", "-", input=lines), "A,4,Ann Lee,CONTINUE\nAnn Lee,5,A,CONTINUE\n")

    def test_may_begin_with_a_byte_order_mark(self):
        for options in ((), ("--atomic",)):
            self.snl("play", "g", "-", *options, input="\ufeffA 3\nAnn Lee 4\n")
        self.refused(3, r"line 2", "play", "g", "-", input="\n\ufeffA 3\n")

    def test_that_cannot_be_read_is_told_to_its_end(self):
        self.refused(2, r'line 1: "A\\x00B" isn\'t a turn, such as', "play", "g", "-", input="A\0B\n")
        self.refused(3, r'x00.*the players are A, Ann Lee', "play", "g", "-", input='{"player":"A\\u0000","dice":[3]}\n')
        self.refused(2, r'"dice" appears twice', "play", "g", "-", input='{"player":"A","dice":[3],"dice":[4]}\n')

    def test_takes_a_name_to_the_letter(self):
        self.snl("new", "--board", "empty", "--id", "odd", " a", "b ", "c  1", "[x]")
        lines = " a 1\nb  1\nc  1 1\n[x] 1\n"
        self.assertEqual(
            self.snl("play", "odd", "-", input=lines),
            " a,2,b ,CONTINUE\nb ,2,c  1,CONTINUE\nc  1,2,[x],CONTINUE\n[x],2, a,CONTINUE\n")
        self.refused(3, "line 1.*players are", "play", "odd", "-", input="a 1\n")

    def test_takes_blanks_and_dice_as_people_write_them(self):
        self.snl("new", "Ann", "Ann 6", "--board", "empty", "--id", "b")
        for line, answer in (("Ann\t4", "Ann,5,Ann 6,CONTINUE"), ("  Ann 6  1\t", "Ann 6,2,Ann,CONTINUE"), ("Ann   1 ", "Ann,6,Ann 6,CONTINUE"),
                             ("Ann 6 6 1", "Ann 6,9,Ann,CONTINUE"), ("Ann 6-6 1", "Ann,19,Ann 6,CONTINUE"),
                             ("Ann 6\t6\t6 2", "Ann 6,23,Ann,CONTINUE"), ('\t{"player":"Ann","dice":[2]}', "Ann,21,Ann 6,CONTINUE"),
                             ("\t# nothing", "")):
            with self.subTest(line):
                self.assertEqual(self.snl("play", "b", "-", input=line + "\n").strip(), answer)
        self.refused(3, 'line 1: no player "Zed 6"', "play", "b", "-", input="Zed 6 3\n")

    def test_goes_on_after_an_invalid_move(self):
        self.assertEqual(
            self.snl("play", "g", "-", input="Ann Lee 3\nA 3\nA 3\nAnn Lee 3\n"),
            "INVALID MOVE\nA,4,Ann Lee,CONTINUE\nINVALID MOVE\nAnn Lee,4,A,CONTINUE\n")

    def test_goes_on_after_the_game_is_completed(self):
        self.snl("new", "A", "B", "--cells", "4", "--id", "short")
        self.assertEqual(
            self.snl("play", "short", "-", input="A 3\nB 3\nA 3\n"), "WIN\nGAME COMPLETED\nGAME COMPLETED\n")

    def test_ends_well_though_lines_were_refused_unless_it_is_atomic(self):
        lines = "Ann Lee 3\nA 3\nA 3\n"
        refused = self.run_snl("play", "@", "-", input=lines)
        self.assertEqual((refused.code, refused.out, refused.err), (0, "INVALID MOVE\nA,4,Ann Lee,CONTINUE\nINVALID MOVE\n", ""))
        self.refused(6, "line 1: A", "play", "@", "-", "--atomic", input="A 3\n" + lines)
        said = " ".join(self.snl("help", "play").split())
        self.assertIn("reading goes on, and the exit code at the end of input is 0. To have a refusal stop it, with 6 and nothing recorded, give --atomic.", said)
        self.assertIn("`play GAME -` prints INVALID MOVE and GAME COMPLETED as the answer to a line, goes on, and exits with 0 at the end of the input; with `--atomic`, either ends it with 6",
                      (snl.TESTS.parent / "cli" / "README.md").read_text())

    def test_takes_commas_between_dice(self):
        self.assertEqual(self.snl("play", "@", "-", input='A 6,1\nAnn Lee 6,6, 1\n'.replace(", ", ",")), "A,8,Ann Lee,CONTINUE\nAnn Lee,14,A,CONTINUE\n")
        self.assertEqual(self.snl("play", "@", "A", "6,2"), "A,16,Ann Lee,CONTINUE\n")
        self.assertEqual(self.snl("play", "@", "-", input='{"player":"Ann Lee","dice":[6.0,2e0]}\n'), "Ann Lee,22,A,CONTINUE\n")
        self.refused(2, "whole numbers", "play", "@", "-", input='{"player":"A","dice":[1.5]}\n')

    def test_is_json_when_asked(self):
        results = self.json_lines("play", "g", "-", input="A 3\nA 3\nAnn Lee 6-1\n")
        self.assertEqual([r["result"] for r in results],
                         ["A,4,Ann Lee,CONTINUE", "INVALID MOVE", "Ann Lee,8,A,CONTINUE"])
        self.assertEqual(results[1], {"result": "INVALID MOVE"})
        self.assertEqual([results[0]["version"], results[2]["version"]], [2, 3])
        self.assertEqual(results[2]["head"], self.show("g")["head"])

    def test_may_be_empty(self):
        self.assertEqual(self.snl("play", "g", "-", input=""), "")
        self.assertEqual(self.snl("play", "g", "-", "--atomic", input="\n# nothing\n"), "")
        self.assertEqual(self.version("g"), 1)

    def test_stops_at_a_line_that_cannot_be_read_with_its_number(self):
        unreadable = [
            "nonsense", "A", "3", "A 3-", "A -3", "A 3.4", "A 3,", "A ,3", "A x", "A 3 x",
            '{"player":"A"}', '{"dice":[3]}', '{"player":"A","dice":3}', '{"player":"A","dice":["3"]}',
            '{"player":"A","dice":[3.5]}', '{"player":5,"dice":[3]}', '{"player":"A","dice":[3],"id":7}',
            '{"player":"A","dice":[3],"id":""}', '{"player":"A","dice":[3],"what":1}',
            '{"player":"A","dice":[3]', '{"player":"A","dice":[3]} x', '{ "player":"A","dice":[3]}',
        ]
        for line in unreadable:
            with self.subTest(line):
                self.snl("undo", "g") if self.show("g")["turn"] else None
                self.refused(2, "line 3", "play", "g", "-", input=f"# hello\nA 3\n{line}\nAnn Lee 3\n",
                             out="A,4,Ann Lee,CONTINUE\n")
                self.assertEqual(self.show("g")["turn"], 1)

    def test_stops_at_impossible_dice_with_the_line_and_the_dice(self):
        for dice in ("7", "0", "6-7", "1-1", "6-6-6-6"):
            with self.subTest(dice):
                self.refused(2, f"line 2.*{dice[:5]}", "play", "g", "-", input=f"\nA {dice}\nA 3\n")
        self.assertEqual(self.version("g"), 1)

    def test_names_huge_dice_as_they_were_written(self):
        self.refused(2, "line 1.*99999999999", "play", "g", "-", input="A 99999999999\n")
        self.refused(2, "99999999999", "play", "g", "A", "99999999999")

    def test_stops_at_an_unknown_player_with_the_line_and_the_name(self):
        self.refused(3, "line 2.*Zed", "play", "g", "-", input="A 3\nZed 3\nAnn Lee 3\n",
                     out="A,4,Ann Lee,CONTINUE\n")
        self.assertEqual(self.show("g")["turn"], 1)

    def test_stops_at_a_line_that_is_too_long(self):
        lines = "A 3\n" + "x" * 10_000_000 + " 3\nAnn Lee 3\n"
        self.refused(2, "line 2", "play", "g", "-", input=lines, out="A,4,Ann Lee,CONTINUE\n")

    def test_survives_bytes_of_any_kind(self):
        self.refused(3, "line 1", "play", "g", "-", input=b"\xff\xfe 3\n")
        self.refused(3, "line 1", "play", "g", "-", input=b"A\0 3\n")
        self.refused(2, "line 1", "play", "g", "-", input=b"\x1b]0;evil\x07\n")
        self.refused(3, r"line 1", "play", "g", "-", input=b"A\x1b[31m 3\n")

    def test_takes_command_ids_and_remembers_them(self):
        line = turn_line("A", [3], id="first")
        self.assertEqual(self.snl("play", "g", "-", input=line), "A,4,Ann Lee,CONTINUE\n")
        self.snl("play", "g", "-", input="Ann Lee 6-6-1\nA 2\n")
        self.assertEqual(self.snl("play", "g", "-", input=line + line), "A,4,Ann Lee,CONTINUE\n" * 2)
        self.assertEqual(self.version("g"), 4)
        self.refused(5, "line 1.*first", "play", "g", "-", input=turn_line("A", [4], id="first"))

    def test_can_be_resumed_by_sending_all_of_it_again(self):
        lines = [turn_line("A", [3], id="1"), turn_line("Ann Lee", [6, 2], id="2"), turn_line("A", [1], id="3")]
        self.snl("play", "g", "-", input=lines[0] + lines[1])
        self.assertEqual(
            self.snl("play", "g", "-", input="".join(lines)),
            "A,4,Ann Lee,CONTINUE\nAnn Lee,9,A,CONTINUE\nA,5,Ann Lee,CONTINUE\n")
        self.assertEqual(self.version("g"), 4)

    def test_expects_a_version_at_its_first_turn_and_its_own_after_it(self):
        self.assertEqual(
            self.snl("play", "g", "-", "--expect-version", "1", input="A 3\nAnn Lee 3\nA 3\n").count("\n"), 3)
        self.refused(5, "line 1.* 4.*3|line 1.*3.* 4", "play", "g", "-", "--expect-version", "3", input="Ann Lee 3\n")

    def test_expects_its_own_version_at_every_later_turn_too(self):
        for form in ((), ("--json",)):
            version = self.version("g")
            process = self.popen("play", "g", "-", "--expect-version", version, *form, stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for stream in (process.stdin, process.stdout, process.stderr):
                self.addCleanup(stream.close)
            process.stdin.write(b"A 1\n")
            process.stdin.flush()
            self.assertIn(b"Ann Lee", process.stdout.readline())
            self.snl("play", "g", "Ann Lee", "1")  # another player moves in between
            out, err = process.communicate(b"A 1\n", timeout=snl.PATIENCE)
            self.assertEqual((process.returncode, out), (5, b""))
            self.assertRegex(err.decode(), rf"line 2: game g is at version {version + 2}, not {version + 1}")

    def test_expects_no_version_of_long_ago_after_a_turn_that_it_repeats(self):
        repeated = turn_line("A", [3], id="first")
        self.snl("play", "g", "-", input=repeated + "Ann Lee 3\n")
        self.assertEqual(self.snl("play", "g", "-", "--expect-version", "3", input=repeated + "A 1\n"),
                         "A,4,Ann Lee,CONTINUE\nA,5,Ann Lee,CONTINUE\n")

    def test_can_be_resumed_with_the_version_expected_at_first(self):
        lines = [turn_line("A", [3], id="1"), turn_line("Ann Lee", [6, 2], id="2"), turn_line("A", [1], id="3"), "Ann Lee 1\n"]
        played = ["A,4,Ann Lee,CONTINUE\n", "Ann Lee,9,A,CONTINUE\n", "A,5,Ann Lee,CONTINUE\n", "Ann Lee,10,A,CONTINUE\n"]
        command = ("play", "g", "-", "--expect-version", "1")
        for count, options in ((1, ()), (2, ()), (3, ("--atomic",))):
            self.assertEqual(self.snl(*command, *options, input="".join(lines[:count])), "".join(played[:count]))
        self.snl("play", "g", "Ann Lee", "1")  # another player moves before the rest
        for options, repeated in (((), "".join(played[:3])), (("--atomic",), "")):
            self.refused(5, "line 4: game g is at version 5, not 4", *command, *options, input="".join(lines), out=repeated)

    def test_of_no_turn_expects_its_version_too(self):
        for options in ((), ("--atomic",)):
            for nothing in ("", "# no turn\n\n"):
                self.refused(5, "snl: game g is at version 1, not 2", "play", "g", "-", "--expect-version", "2", *options, input=nothing)
                self.assertEqual(self.snl("play", "g", "-", "--expect-version", "1", *options, input=nothing), "")
        process = self.popen("play", "g", "-", "--expect-version", "1", stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.stderr.close)
        descriptors = pathlib.Path(f"/proc/{process.pid}/fd")
        self.assertTrue(snl.wait_for(lambda: str(self.store) in map(os.path.realpath, descriptors.iterdir())))
        repeated = turn_line("A", [3], id="first")
        self.snl("play", "g", "-", input=repeated)  # before that stream ends
        _, err = process.communicate(timeout=snl.PATIENCE)
        self.assertEqual((process.returncode, err.decode().strip()),
                         (5, "snl: game g is at version 2, not 1; look at it with snl show g"))
        for options in ((), ("--atomic",)):
            self.assertEqual(self.snl("play", "g", "-", "--expect-version", "9", *options, input=repeated), "A,4,Ann Lee,CONTINUE\n")

    def test_that_is_missing_is_asked_for(self):
        for request in (("--command-id", "x"), ("--expect-version", "1"), ("--atomic",)):
            self.refused(2, "a turn is missing: give PLAYER DICE, or - to read turns", "play", "g", *request)

    def test_takes_no_command_id_for_itself(self):
        self.refused(2, "command-id", "play", "g", "-", "--command-id", "x", input="A 3\n")

    def test_meets_a_dash_as_a_player_only_where_dice_follow(self):
        self.snl("new", "--board", "empty", "--id", "dash", "--", "-", "B")
        self.assertEqual(self.snl("play", "dash", "-", "3"), "-,4,B,CONTINUE\n")
        self.assertEqual(self.snl("play", "dash", "-", input="B 2\n- 2\n"), "B,3,-,CONTINUE\n-,6,B,CONTINUE\n")

    def test_answers_each_turn_while_the_input_stays_open(self):
        process = self.popen("play", "g", "-", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        for turn, answer in (("A 3", "A,4,Ann Lee,CONTINUE"), ("A 3", "INVALID MOVE"),
                             ("Ann Lee 3", "Ann Lee,4,A,CONTINUE")):
            process.stdin.write(turn + "\n")
            self.assertEqual(process.stdout.readline(), answer + "\n")
        self.assertEqual(self.version("g"), 3)  # durable, for another process to see
        self.assertEqual(self.snl("play", "g", "A", "1"), "A,5,Ann Lee,CONTINUE\n")
        process.stdin.write("Ann Lee 2\n")  # decided on what the other process has done
        self.assertEqual(process.stdout.readline(), "Ann Lee,6,A,CONTINUE\n")
        process.stdin.close()
        self.assertEqual(process.wait(snl.PATIENCE), 0)

    def test_that_is_interrupted_keeps_its_turns(self):
        process = self.popen("play", "g", "-", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        process.stdin.write("A 3\n")
        self.assertEqual(process.stdout.readline(), "A,4,Ann Lee,CONTINUE\n")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(snl.PATIENCE), 130)
        process.stdin.close()
        process.stdout.close()
        self.assertEqual(self.show("g")["turn"], 1)
        self.assert_sound()


class AnAtomicStream(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.snl("new", "A", "B", "--cells", "20", "--id", "g")
        self.snl("play", "g", "A", "3")

    def refused_whole(self, code, pattern, lines, *args):
        before = self.contents()
        self.refused(code, pattern, "play", "g", "-", "--atomic", *args, input=lines)
        self.assertEqual(self.contents(), before)

    def test_records_all_of_its_turns(self):
        self.assertEqual(self.snl("play", "g", "-", "--atomic", input="# two\nB 3\nA 3\n"),
                         "B,4,A,CONTINUE\nA,7,B,CONTINUE\n")
        self.assertEqual(self.version("g"), 4)
        self.assert_sound()

    def test_records_nothing_when_a_turn_is_refused(self):
        self.refused_whole(6, "line 2", "B 3\nB 3\n")
        self.refused_whole(6, "line 3", "B 3\n\nB 3\n")

    def test_records_nothing_when_the_game_is_completed_in_it(self):
        self.refused_whole(6, "line 4", "B 6-6-4\nA 6-5\nB 3\nA 3\n")

    def test_records_nothing_when_a_line_cannot_be_read(self):
        self.refused_whole(2, "line 2", "B 3\nnonsense\n")
        self.refused_whole(2, "line 2.*7", "B 3\nA 7\n")
        self.refused_whole(2, "line 2", "B 3\n" + "x" * 1_000_000 + "\n")

    def test_records_nothing_when_a_player_is_unknown(self):
        self.refused_whole(3, "line 2.*Zed", "B 3\nZed 3\n")

    def test_records_nothing_when_the_version_is_another(self):
        self.refused_whole(5, "line 1.*1", "B 3\nA 3\n", "--expect-version", "1")

    def test_records_nothing_when_a_command_id_was_used(self):
        self.snl("play", "g", "B", "3", "--command-id", "x")
        self.refused_whole(5, "line 2.*x", "A 3\n" + turn_line("B", [1], id="x"))

    def test_records_nothing_when_it_is_too_large_to_be_one(self):
        comment = "# " + "x" * 1021 + "\n"
        self.refused_whole(2, "larger than 16777216 bytes, .*in parts", comment * (16 << 10) + "B 3\n")
        self.assertEqual(self.snl("play", "g", "-", "--atomic", input=comment * ((16 << 10) - 1) + "B 3\n"),
                         "B,4,A,CONTINUE\n")

    def test_may_repeat_what_was_recorded(self):
        line = turn_line("B", [3], id="x")
        self.snl("play", "g", "-", "--atomic", input=line)
        self.assertEqual(self.snl("play", "g", "-", "--atomic", input=line + "A 1\n"),
                         "B,4,A,CONTINUE\nA,5,B,CONTINUE\n")
        self.assertEqual(self.version("g"), 4)

    def test_prints_nothing_until_its_end(self):
        process = self.popen("play", "g", "-", "--atomic", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        process.stdin.write(b"B 3\n")
        process.stdin.flush()
        self.assertEqual(self.snl("play", "g", "B", "1"), "B,2,A,CONTINUE\n")  # it holds no lock
        out, _ = process.communicate(b"A 1\n", timeout=snl.PATIENCE)
        self.assertEqual((process.returncode, out), (6, b""))

    def test_needs_a_stream(self):
        self.refused(2, "atomic", "play", "g", "B", "3", "--atomic")


class Rolling(snl.CommandLineTest):
    def test_is_fixed_by_the_seed(self):
        self.snl("new", "--board", "empty", "Ann", "Bob", "--seed", "42", "--id", "g")
        rolls = self.snl("roll", "g", "-n", "20")
        self.assertEqual(self.snl("roll", self._twin("42"), "-n", "20"), rolls)
        self.assert_golden("rolls_of_seed_42.txt", rolls)

    def _twin(self, seed):
        return self.snl("new", "--board", "empty", "Ann", "Bob", "--seed", seed).strip()

    def test_takes_every_seed_of_64_bits(self):
        for seed in ("0", "1", "9223372036854775808", "18446744073709551615"):
            self.assertEqual(self.snl("roll", self._twin(seed), "-n", "9"), self.snl("roll", self._twin(seed), "-n", "9"))
        start = json.loads(self.snl("log", "@", "--json").splitlines()[0])["command"]["start"]
        self.assertEqual(start[4], 18446744073709551615)

    def test_without_a_seed_draws_and_records_one(self):
        games = [self.snl("new", "--board", "empty", "Ann", "Bob").strip() for _ in range(3)]
        seeds = [json.loads(self.snl("log", g, "--json"))["command"]["start"][4] for g in games]
        self.assertEqual(len(set(seeds)), 3)
        rolls = self.snl("roll", games[0], "-n", "5")
        self.assertEqual(self.snl("roll", self._twin(str(seeds[0])), "-n", "5"), rolls)

    def test_to_the_end_stops_at_the_win(self):
        game = self._twin("7")
        lines = self.snl("roll", game, "--all").splitlines()
        self.assertRegex(lines[-1], r"^(Ann|Bob) [1-6-]+\tWIN$")
        self.assertEqual(len(lines), self.show(game)["turn"])
        self.assertEqual(self.show(game)["status"], "completed")

    def test_so_many_turns_stops_at_the_win_too(self):
        game = self._twin("7")
        all_of_it = self.snl("roll", game, "-n", "100000")
        self.assertTrue(all_of_it.endswith("\tWIN\n"))

    def test_gives_up_after_a_thousand_turns_a_player_with_a_warning(self):
        self.snl("new", "A", "B", "--cells", "60000", "--id", "long")
        result = self.run_snl("roll", "long", "--all")
        self.assertEqual((result.code, result.out.count("\n")), (0, 2000))
        self.assertRegex(result.err, r"\Asnl: [^\n]*2000[^\n]*\n\Z")

    def test_gives_up_after_as_many_turns_as_asked_with_a_warning(self):
        game = self._twin("7")
        result = self.run_snl("roll", game, "--all", "--max-turns", "4")
        self.assertEqual((result.code, result.out.count("\n")), (0, 4))
        self.assertRegex(result.err, r"\Asnl: [^\n]*4[^\n]*\n\Z")

    def test_rolls_again_on_a_six(self):
        game = self._twin("42")
        self.snl("roll", game, "--all")
        for turn in self.json_lines("replay", game):
            with self.subTest(turn):
                self.assertTrue(turn["rolled"])
                self.assertTrue(all(die == 6 for die in turn["dice"][:-1]))
                self.assertTrue(len(turn["dice"]) == 3 or turn["dice"][-1] != 6)

    def test_is_for_the_player_to_move_only(self):
        game = self._twin("42")
        self.snl("play", game, "Ann", "3")
        self.assertTrue(self.snl("roll", game).startswith("Bob "))

    def test_follows_typed_dice_with_the_dice_of_its_turn(self):
        game, twin = self._twin("42"), self._twin("42")
        second = self.json_lines("roll", game, "-n", "2")[1]["dice"]
        self.snl("play", twin, "Ann", "3")
        self.assertEqual(self.json("roll", twin)["dice"], second)

    def test_again_after_an_undo_gives_the_same_dice(self):
        game = self._twin("42")
        rolls = self.snl("roll", game, "-n", "8")
        self.snl("undo", game, "-n", "8")
        self.assertEqual(self.snl("roll", game, "-n", "8"), rolls)

    def test_in_a_branch_gives_the_dice_that_the_first_game_would_have_had(self):
        game, twin = self._twin("42"), self._twin("42")
        self.snl("roll", game, "-n", "5")
        branch = self.snl("branch", game, "--at", "3").strip()
        self.snl("roll", game, "-n", "5")
        unbroken = self.snl("roll", twin, "-n", "10").splitlines()
        self.assertEqual(self.snl("roll", branch, "-n", "7").splitlines(), unbroken[3:])
        self.assertEqual(self.snl("replay", branch).splitlines(), self.snl("replay", game).splitlines()[3:])
        self.assert_sound()

    def test_uses_dice_of_any_faces(self):
        self.snl("new", "A", "B", "--faces", "100", "--dice", "2", "--finish", "overshoot", "--cells", "5000", "--seed", "1", "--id", "g")
        dice = [d for turn in self.json_lines("roll", "g", "-n", "40") for d in turn["dice"]]
        self.assertEqual(len(dice), 80)
        self.assertTrue(all(1 <= die <= 100 for die in dice))
        self.assertGreater(max(dice), 60)


class UndoingAndRedoing(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.snl("new", "A", "B", "--cells", "20", "--id", "g")
        self.snl("play", "g", "-", input="A 1\nB 2\nA 3\nB 4\n")

    def cells(self):
        return [p["cell"] for p in self.show("g")["players"]]

    def test_appends_and_never_deletes(self):
        self.snl("undo", "g")
        self.assertEqual((self.show("g")["turn"], self.version("g"), self.cells()), (3, 6, [5, 3]))
        self.snl("redo", "g")
        self.assertEqual((self.show("g")["turn"], self.version("g"), self.cells()), (4, 7, [5, 7]))
        self.assert_sound()

    def test_restores_everything_but_version_and_head(self):
        before = self.show("g")
        self.snl("undo", "g", "-n", "3")
        self.snl("redo", "g", "-n", "3")
        after = self.show("g")
        self.assertEqual(after["version"], before["version"] + 2)
        self.assertNotEqual(after["head"], before["head"])
        for field in ("players", "next", "status", "turn", "winner"):
            self.assertEqual(after[field], before[field])

    def test_goes_back_to_a_turn(self):
        self.snl("undo", "g", "--to", "1")
        self.assertEqual((self.show("g")["turn"], self.cells()), (1, [2, 1]))
        self.snl("redo", "g", "-n", "3")
        self.snl("undo", "g", "--to", "0")
        self.assertEqual((self.show("g")["turn"], self.cells(), self.show("g")["next"]), (0, [1, 1], "A"))

    def test_is_refused_where_there_is_not_enough(self):
        for args in (("undo", "g", "-n", "5"), ("redo", "g"), ("undo", "g", "--to", "4")):
            with self.subTest(args):
                before = self.contents()
                self.refused(6, "turn", *args)
                self.assertEqual(self.contents(), before)
        self.refused(6, "nothing to undo: game g is at turn 4", "undo", "g", "--to", "4")
        self.refused(6, "5 turns are too many to undo: 4 is the most", "undo", "g", "-n", "5")
        self.snl("undo", "g", "-n", "4")
        self.refused(6, "turn", "undo", "g")
        self.refused(6, "turn", "redo", "g", "-n", "5")

    def test_is_out_of_range_beyond_the_last_turn(self):
        self.refused(2, r"\b5\b", "undo", "g", "--to", "5")
        self.refused(2, "--to -1: it must be 0 or more", "undo", "g", "--to", "-1")

    def test_answers_a_command_that_is_repeated_as_it_did(self):
        answers = [self.json(*command, "g", "--command-id", command[0]) for command in (("undo",), ("redo",))]
        self.snl("undo", "g", "-n", "2")
        self.assertEqual([answer["turn"] for answer in answers], [3, 4])
        for command, answer in zip(("undo", "redo"), answers, strict=True):
            self.assertEqual(self.json(command, "g", "--command-id", command), answer)

    def test_ends_with_a_new_turn(self):
        self.snl("undo", "g", "-n", "2")
        self.snl("play", "g", "A", "5")
        self.refused(6, "redo|put back", "redo", "g")
        self.assertEqual(self.show("g")["turn"], 3)

    def test_takes_back_a_win(self):
        self.snl("play", "g", "-", input="A 6-6-3\n")
        self.assertEqual(self.show("g")["winner"], "A")
        self.snl("undo", "g")
        self.assertEqual((self.show("g")["winner"], self.show("g")["status"], self.show("g")["next"]),
                         (None, "in-progress", "A"))
        self.snl("redo", "g")
        self.assertEqual((self.show("g")["winner"], self.show("g")["next"]), ("A", None))
        self.refused(6, "snl: ", "play", "g", "B", "1", out="GAME COMPLETED\n")
        self.assert_sound()

    def test_stops_at_the_turn_where_a_branch_began(self):
        self.snl("branch", "g", "--at", "2", "--id", "b")
        self.refused(6, "turn", "undo", "b")
        self.snl("play", "b", "-", input="A 1\nB 1\n")
        self.refused(6, "turn", "undo", "b", "-n", "3")
        self.snl("undo", "b", "-n", "2")
        self.refused(6, "turn", "undo", "b")
        self.assertEqual(self.show("b")["turn"], 2)
        self.refused(6, "turn", "undo", "b", "--to", "1")


if __name__ == "__main__":
    snl.main()
