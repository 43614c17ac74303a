"""Sizes that nobody needs are refused in one clear line, and before memory is taken for them.

Every command here may have so much address space and no more; what it is given would take several
times as much, or as long as a test may take. The streams would go on for 10 GB: they cost what is read
of them before they are refused.
"""

import contextlib
import os
import resource
import subprocess
import threading

import snl

MEMORY = 640 << 20  # bytes of address space
INSTRUMENTED = os.environ.get("SNL_INSTRUMENTED") == "1"  # a sanitizer's own memory can't be limited so
STREAM = 10 << 30  # bytes
MILLION = 1_000_000
tally = snl.tally_of_program("sizes that nobody needs", "undetected", "false_alarms")
streams = snl.tally_of_program("streams of 10 GB", "undetected")


def limit_memory():
    if not INSTRUMENTED:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


class SizesTest(snl.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.snl("new", "--board", "empty", "Ann", "Bob", "--seed", "1", "--id", "g")
        self.before = self.contents()

    def refused_in_memory(self, code, pattern, *args, **options):
        with tally.attempt():
            line = self.refused(code, pattern, *args, preexec_fn=limit_memory, **options)
            self.assertNotIn("memory", line)
            self.assertLess(len(line), 5000)
            self.assertEqual(self.contents(), self.before)
        return line

    def refused_stream(self, code, pattern, *args, head=b"", piece=b"x" * (1 << 20)):
        """As above, of a command whose stdin goes on and on; it must not read it to its end."""
        with streams.attempt():
            self._refused_stream(code, pattern, args, head, piece)

    def _refused_stream(self, code, pattern, args, head, piece):
        process = self.popen(*args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             preexec_fn=limit_memory)

        stdin, process.stdin = process.stdin, None  # communicate() leaves it alone
        whole = threading.Event()

        def write():
            try:
                stdin.write(head)
                for _ in range(STREAM // len(piece)):
                    stdin.write(piece)
                stdin.close()
                whole.set()
            except BrokenPipeError:
                pass

        writer = threading.Thread(target=write, daemon=True)
        writer.start()
        try:
            out, err = process.communicate(timeout=snl.PATIENCE)
        finally:
            process.kill()
            process.wait()
            writer.join()
            with contextlib.suppress(BrokenPipeError):
                stdin.close()
        self.assertEqual((process.returncode, out), (code, b""), err[:2000])
        self.assertRegex(err.decode(), rf"\Asnl: [^\n]*(?:{pattern})[^\n]*\n\Z")
        self.assertNotIn(b"memory", err)
        self.assertFalse(whole.is_set(), "it was read to its end")
        self.assertEqual(self.contents(), self.before)


class AStreamWithoutAnEnd(SizesTest):
    def test_of_one_turn_line(self):
        self.refused_stream(2, "stdin: line 1 is longer than 65536 bytes", "play", "g", "-")
        self.refused_stream(2, "stdin: line 1 is longer than 65536 bytes", "play", "g", "-", "--atomic", head=b'{"x')

    def test_of_turn_lines_that_are_to_be_one_commit(self):
        self.refused_stream(2, "larger than 16777216 bytes", "play", "g", "-", "--atomic", piece=b"# a remark\n" * 100_000)

    def test_of_an_export(self):
        self.refused_stream(2, "stdin: line 1 is longer than 65536 bytes", "import", "-", head=b'{"snl":"')

    def test_of_a_text(self):
        won = "stdin: line [0-9]+: GAME COMPLETED; nothing was imported"
        headers = b'[Player "A"]\n[Player "B"]\n'
        self.refused_stream(4, won, "import", "-", head=headers, piece=b"A 1\nB 1\n" * 100_000)

    def test_of_a_board(self):
        self.refused_stream(2, "larger than 268435456 bytes", "board", "check", "-", head=b'{"name":"')


class ABoardFile(SizesTest):
    def refused_board(self, pattern, text):
        (self.folder / "board.json").write_text(text)
        for command in (("board", "check", "board.json"), ("new", "A", "B", "--board", "board.json")):
            self.refused_in_memory(2, pattern, *command)

    def test_of_very_many_values(self):
        for form in ('{"cells":100,"snakes":[%s]}', '{"size":10,"entries":[%s]}'):
            self.refused_board("more than 10000000 values", form % ("[]," * 11 * MILLION + "1"))

    def test_of_more_cells_than_a_board_has(self):
        for cells in (2**24 + 1, 2**31, 2**32 + 2, 2**63 - 1, 2**63, 2**64, 10**400):
            self.refused_board("cells: |16777216", f'{{"cells":{cells}}}')
            self.refused_board("size: |4096", f'{{"size":{cells},"entries":[]}}')
        self.refused_board("more than 16777216 cells", "[" + "-1," * 17 * MILLION + "-1]")

    def test_of_more_rows_or_columns_than_a_board_has(self):
        self.refused_board("more than 4096 rows", "[" + "[-1]," * MILLION + "[-1]]")
        self.refused_board("row 0: more than 4096 columns", "[[" + "-1," * MILLION + "-1]]")

    def test_of_a_number_of_a_million_digits(self):
        number = "7" * MILLION
        for form, place in (('{"cells":%s}', "cells: "), ('{"cells":9,"snakes":[[%s,1]]}', r"snakes\[0\]"), ("[%s,-1]", "index 0"),
                            ("[[-1,-1],[%s,-1]]", "row 1, column 0"), ('{"size":%s,"entries":[]}', "size: ")):
            with self.subTest(form):
                self.refused_board(place, form % number)
                self.refused_board("exponent overflow", form % f"1e{number}")

    def test_of_lists_in_lists(self):
        for deep in ("[" * MILLION, '{"cells":' * MILLION, '{"cells":9,"snakes":' + "[" * MILLION, '[{"a":' * MILLION):
            self.refused_board("as deep as this", deep)

    def test_of_a_long_name_or_key(self):
        self.refused_board("a board has cells", '{"cells":9,"%s":1}' % ("k" * 5 * MILLION))
        self.refused_board("it appears twice", '{"%s":1,"%s":2}' % (("k" * MILLION,) * 2))


class AnImport(SizesTest):
    def refused_file(self, code, pattern, text):
        (self.folder / "file").write_text(text)
        self.refused_in_memory(code, pattern, "import", "file")

    def commit(self, command, events="[]"):
        self.snl("export", "g", "-o", "g.jsonl", "--force")
        head, commit = (self.folder / "g.jsonl").read_text().splitlines()
        time = commit[commit.index('"time"') : commit.index(',"command"')]
        return f'{head}\n{{"game":"g","version":1,{time},"command":{command},"events":{events},"hash":"{"0" * 64}"}}\n'

    def test_of_an_export_with_a_huge_field(self):
        for field in ("[" + "[]," * 15 * MILLION + "[]]", '"' + "x" * 40 * MILLION + '"', "{" + '"a":1,' * 8 * MILLION + '"b":1}',
                      "7" * MILLION):
            with self.subTest(field[:20]):
                self.refused_file(2 if field.startswith('"') else 4, "line 2", self.commit(field))

    def test_of_an_export_with_a_million_players(self):
        command = '{"start":[1,[' + '"A",' * 2 * MILLION + '"B"],[100,10,[],[]],[1,"exact",1,6,"again"],1,null]}'
        self.refused_file(4, "line 2", self.commit(command))

    def test_of_lists_in_lists(self):
        for deep in ("[" * MILLION, '{"a":' * MILLION):
            self.refused_file(2, "line 2", self.commit(deep))

    def test_of_a_text_with_a_million_players(self):
        players = "".join(f'[Player "{n}"]\n' for n in range(200_000))
        self.refused_file(2, "200000 players: a game has 2 to 10", players)

    def test_of_a_text_with_dice_without_end(self):
        text = '[Player "A"]\n[Player "B"]\n\nA ' + "1-" * 5 * MILLION + "1\n"
        self.refused_file(2, "line 4", text)
        text = '[Player "A"]\n[Player "B"]\n\n{"player":"A","dice":[' + "1," * 5 * MILLION + "1]}\n"
        self.refused_file(2, "line 4", text)

    def test_of_a_text_with_a_board_of_any_size(self):
        for cells in (2**24 + 1, 2**63 - 1, 2**63, "7" * MILLION):
            self.refused_file(2, "Cells|cells", f'[Player "A"]\n[Player "B"]\n[Cells "{cells}"]\n')

    def test_takes_memory_as_its_size_does_not_as_its_boards_do(self):
        lines = []
        for number in range(20):
            self.snl("new", "A", "B", "--cells", str(2**24), "--ladder", f"2,{2**24}", "--id", f"large{number}")
            self.snl("roll", f"large{number}")
            lines.append(self.snl("export", f"large{number}"))
        (self.folder / "many").write_text("".join(lines))
        with tally.sound():
            result = self.run_snl("import", "many", db="elsewhere.db", preexec_fn=limit_memory)
            self.assertEqual((result.code, result.err, len(result.out.splitlines())), (0, "", 20), result)


class WhatIsJustSmallEnough(SizesTest):
    def test_is_taken(self):
        boards = {"cells": '{"cells":16777216}', "size": '{"size":4096,"entries":[]}'}
        for name, text in boards.items():
            (self.folder / name).write_text(text)
            with self.subTest(name), tally.sound():
                self.snl("new", "A", "B", "--board", name, preexec_fn=limit_memory)
        with tally.sound():
            self.snl("new", "--board", "empty", *(f"player {n}" for n in range(10)), preexec_fn=limit_memory)
        remark = "#" * 65535
        with tally.sound():
            self.snl("play", "g", "-", input=f"{remark}\nAnn 3\n", preexec_fn=limit_memory)


class ACommandLine(SizesTest):
    def test_with_as_many_players_as_it_can_hold(self):
        players = [str(n) for n in range(100_000)]
        self.refused_in_memory(2, "100000 players: a game has 2 to 10", "new", "--board", "empty", *players)
        self.refused_in_memory(2, "100000 players", "tournament", "--board", "empty", *players, "--rounds", "1")

    def test_with_as_many_dice_as_it_can_hold(self):
        self.refused_in_memory(2, "impossible", "play", "g", "Ann", *["1"] * 100_000)
        self.refused_in_memory(2, "impossible", "play", "g", "Ann", "1-" * 60_000 + "1")
        self.refused_in_memory(2, "line 1.*impossible", "play", "g", "-", input="Ann " + "1-" * 32_000 + "1\n")
        line = '{"player":"Ann","dice":[' + "1," * 32_000 + "1]}\n"
        self.refused_in_memory(2, "line 1.*impossible", "play", "g", "-", input=line)
        self.refused_in_memory(2, "line 1.*impossible", "play", "g", "-", "--atomic", input=line)

    def test_with_numbers_of_any_size(self):
        for number in (2**24 + 1, 2**31, 2**32 + 2, 2**63 - 1, 2**63, 2**64 + 100, 10**4000, "7" * 100_000):
            for args in ("new A B --cells", "new A B --size", "board random --size", "simulate --games 1 --cells"):
                self.refused_in_memory(2, "[Cc]ells|size|number", *args.split(), number)
        for number in (2**63, 2**64, 10**4000):
            for args in ("roll g -n", "undo g -n", "redo g -n", "show g --at", "simulate --games", "list --limit",
                         "branch g --at", "replay g --from", "tournament A B C --rounds"):
                if not args.endswith(("--limit", "--games", "--rounds")) or number >= 2**64:
                    self.refused_in_memory(2, "number|range", *args.split(), number)

    def test_with_lists_of_jumps_and_cells(self):
        self.refused_in_memory(2, "two cells", "new", "A", "B", "--snake", "1" * 100_000)
        self.refused_in_memory(2, "two cells", "new", "A", "B", "--snake", "17," + "7" * 100_000)
        self.refused_in_memory(2, "positions", "board", "analyze", "class", "--positions", "1," * 60_000 + "1")
        jumps = [word for n in range(30_000) for word in ("--snake", f"{n + 3},2")]
        self.refused_in_memory(2, "off the board", "new", "A", "B", *jumps)

    def test_with_long_words(self):
        word = "w" * 120_000
        self.refused_in_memory(3, "no game", "show", word)
        self.refused_in_memory(2, "no board|File name too long|no such", "new", "A", "B", "--board", word)
        self.refused_in_memory(2, "name", "new", "--board", "empty", word, "B")
        self.refused_in_memory(2, "ID", "new", "--board", "empty", "A", "B", "--id", word)
        self.refused_in_memory(3, "no player", "play", "g", word, "3")
        self.refused_in_memory(2, "isn't a", word)


if __name__ == "__main__":
    snl.main()
