"""Pictures: XML that any parser takes, harmless whatever it shows, and readable once it is rendered."""

import fcntl
import html.parser
import json
import os
import re
import struct
import subprocess
import termios
import xml.etree.ElementTree as ElementTree
import zlib

import snl
from terminal import pseudo_terminal

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = ['<script>alert("x")</script>', "]]>&lt;'\"", "\u202eevil", "&#0;", "--><!--", "𝕏 é 日本 👩‍👩‍👧", "\u2028x", "x" * 256]
COLOURS = ["c62828", "1565c0", "6b6e3f", "53157c", "6a210d", "172d38", "bb4a84", "50565e", "5b796a", "0231d1"]


def rgb(colour):
    return tuple(bytes.fromhex(colour))


class Png:
    """The pixels of a PNG file of 8 bits a channel, as librsvg writes them (W3C, PNG, chapters 5, 7 and 9)."""

    def __init__(self, data):
        assert data.startswith(b"\x89PNG\r\n\x1a\n")
        chunks, at = [], 8
        while at < len(data):
            length, kind = struct.unpack_from(">I4s", data, at)
            chunks.append((kind, data[at + 8 : at + 8 + length]))
            at += 12 + length
        self.width, self.height, depth, colour, *rest = struct.unpack(">IIBBBBB", chunks[0][1])
        assert (depth, rest) == (8, [0, 0, 0]), (depth, rest)
        self._channels = {2: 3, 6: 4}[colour]
        self._rows = self._unfiltered(zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT")))

    def _unfiltered(self, data):
        step, size = self._channels, self.width * self._channels
        above, rows = bytearray(size), []
        for y in range(self.height):
            kind, row = data[y * (size + 1)], bytearray(data[y * (size + 1) + 1 : (y + 1) * (size + 1)])
            if kind == 2:
                row = bytearray((a + b) & 255 for a, b in zip(row, above))
            elif kind:
                for i in range(size):
                    left = row[i - step] if i >= step else 0
                    corner = above[i - step] if i >= step else 0
                    if kind == 1:
                        guess = left
                    elif kind == 3:
                        guess = (left + above[i]) // 2
                    else:
                        estimate = left + above[i] - corner
                        guess = min((left, above[i], corner), key=lambda value: abs(estimate - value))
                    row[i] = (row[i] + guess) & 255
            rows.append(row)
            above = row
        return rows

    def at(self, x, y):
        """The pixel at these units of the picture."""
        return self._pixel(int(x / 2), int(y / 2))

    def _pixel(self, x, y):
        return tuple(self._rows[y][x * self._channels : x * self._channels + 3])

    def is_white(self, left, top, right, bottom):
        """Whether nothing is drawn on a part, given in units of the picture."""
        columns = slice(int(left / 2) * self._channels, int(right / 2) * self._channels)
        return all(not row[columns].strip(b"\xff") for row in self._rows[int(top / 2) : int(bottom / 2)])

    def is_grey(self):
        return all(row[channel :: self._channels] == row[:: self._channels] for row in self._rows for channel in (1, 2))

    def count(self, colour, left, top, right, bottom, tolerance=40):
        """How many pixels of a part, given in units of the picture, are about this colour."""
        near = lambda pixel: all(abs(a - b) <= tolerance for a, b in zip(pixel, rgb(colour)))
        return sum(near(self._pixel(x, y))
                   for y in range(int(top / 2), int(bottom / 2)) for x in range(int(left / 2), int(right / 2)))


class APicture(snl.CommandLineTest):
    def svg(self, *args):
        """The root of the picture of a game, which is sound."""
        return self.sound(self.snl("export", *args, "-f", "svg"))

    def sound(self, text):
        """The root of a picture; what must hold of every one is looked at here."""
        root = ElementTree.fromstring(text)
        self.assertEqual(root.tag, SVG + "svg")
        self.assertTrue(text.endswith("</svg>\n"))
        self.assertIsNone(re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", text))
        for element in root.iter():
            self.assertIn(element.tag.replace(SVG, ""),
                          ("svg", "title", "desc", "style", "defs", "g", "use", "rect", "path", "circle", "text"))
            for name, value in element.attrib.items():
                self.assertNotRegex(name, r"^on|^style$")
                if "href" in name:
                    self.assertEqual((element.tag, value), (SVG + "use", "#snake-head"))
                self.assertNotIn("url(", value)
                self.assertNotRegex(value, r"\b(nan|inf)\b", name)
        return root

    def render(self, *args):
        """As pixels of two units each, which takes a quarter of the time."""
        text = self.snl("export", *args, "-f", "svg")
        done = subprocess.run(["rsvg-convert", "--zoom", "0.5"], input=text.encode(), stdout=subprocess.PIPE, check=True)
        return Png(done.stdout)

    def texts(self, root):
        return [element.text or "" for element in root.iter(SVG + "text")]


class APosition(APicture):
    def test_is_sound_xml_whatever_the_board(self):
        for i, board in enumerate((["--cells", "2"], ["--cells", "4", "--snake", "3,2"], ["--size", "20"],
                                   ["--board", "milton-bradley"], ["--board", "lld"], ["--board", "geeks30"],
                                   ["--cells", "13", "--ladder", "2,12"], ["--size", "100"])):
            with self.subTest(board):
                game = f"g{i}"
                self.snl("new", "A", "B", *board, "--seed", "7", "--id", game)
                self.snl("roll", game, "-n", "3")
                root = self.svg(game)
                numbers = next(e for e in root.iter(SVG + "g") if e.get("class") == "numbers")
                self.assertEqual(len(list(numbers.iter(SVG + "text"))), self.board_cells(board))
                pieces = [e for e in root.iter(SVG + "g") if e.get("class", "").startswith("piece")]
                self.assertEqual(len(pieces), 4)  # two on the board, two beside it

    def board_cells(self, board):
        if board[0] == "--board":
            return self.json("board", "show", board[1])["cells"]
        return int(board[1]) ** (2 if board[0] == "--size" else 1)

    def test_is_harmless_whatever_the_names(self):
        self.snl("new", "--board", "empty", "--id", "g", "--seed", "1", "--", *HOSTILE)
        self.snl("roll", "g")
        root = self.svg("g")
        self.assertIn(HOSTILE[0], [title.text for title in root.iter(SVG + "title")])
        self.assertIn(HOSTILE[0], root.find(SVG + "desc").text)
        self.assertTrue(any(text.startswith("<script>alert") for text in self.texts(root)))

    def test_is_sound_xml_with_names_that_are_no_characters_of_xml(self):
        names = ["Ann\ufffe", "\uffffBob", "Cem\U0001fffe", "\ufdd0"]
        self.snl("new", "--board", "empty", "--id", "odd", "--", *names)
        text = ElementTree.tostring(self.svg("odd"), encoding="unicode")
        self.assertIn("Ann\\ufffe", text)
        self.assertIn("\\uffffBob", text)

    def test_has_no_attribute_that_a_long_name_brought_in(self):
        name = '"onclick="alert(1)" x="' + "'onload='alert(2)' " * 10
        self.snl("new", name, "Bob", "--board", "class", "--id", "quoted")
        self.snl("roll", "quoted", "-n", "6")
        found = []

        class Attributes(html.parser.HTMLParser):
            def handle_starttag(self, tag, attributes):
                found.extend(attributes)

        for form in ("svg", "html"):
            Attributes().feed(self.snl("export", "quoted", "-f", form))
        self.assertTrue(any(value and name in value for _, value in found), "the page has it as an attribute's value")
        self.assertEqual([key for key, _ in found if key.startswith("on")], [])

    def test_says_what_it_shows(self):
        self.snl("new", "Ann", "Bob", "--board", "class", "--id", "final")
        self.snl("play", "final", "-", input="Ann 2\nBob 4\n")
        root = self.svg("final")
        self.assertEqual(root.find(SVG + "title").text, "Snakes and Ladders: game final, turn 2")
        self.assertEqual(root.find(SVG + "desc").text, "Ann is on cell 22. Bob is on cell 8. Ann is to move. "
                         "Last: 2. Bob rolls 4: 1 → 8, up the ladder 5 → 8.")
        self.assertEqual(root.get("aria-labelledby"), "title desc")
        self.assertIn("Ann is to move", self.texts(root))
        self.assertIn("turn 2", self.texts(root))

    def test_says_who_has_won(self):
        self.snl("new", "A", "B", "--cells", "4", "--id", "g")
        self.snl("play", "g", "A", "3")
        self.assertIn("A has won", self.texts(self.svg("g")))

    def test_shows_any_turn(self):
        self.snl("new", "A", "B", "--cells", "30", "--id", "g", "--start", "0")
        self.snl("play", "g", "-", input="A 2\nB 3\nA 4\n")
        self.snl("undo", "g")
        shown = [self.svg("g", "--at", turn).find(SVG + "desc").text for turn in (0, 1, 2)]
        self.assertEqual(shown[0], "A is off the board. B is off the board. A is to move.")
        self.assertTrue(shown[1].startswith("A is on cell 2. B is off the board. B is to move. Last: 1. A"))
        self.assertTrue(shown[2].startswith("A is on cell 2. B is on cell 3. A is to move. Last: 2. B"))
        self.assertEqual(self.snl("export", "g", "-f", "svg"), self.snl("export", "g", "-f", "svg", "--at", "2"))
        self.refused(2, "3", "export", "g", "-f", "svg", "--at", "3")

    def test_is_the_only_form_that_takes_a_turn(self):
        self.snl("new", "--board", "empty", "A", "B", "--id", "g")
        for form in ("jsonl", "text", "csv"):
            self.refused(2, "--at", "export", "g", "-f", form, "--at", "0")

    def test_of_a_board_that_is_too_large_is_refused(self):
        self.snl("new", "A", "B", "--cells", "10001", "--id", "g")
        refusal = self.refused(2, r"10001.*10000.*jsonl, text, csv and cast", "export", "g", "-f", "svg")
        self.assertNotIn("\n", refusal.strip())
        self.assertTrue(self.snl("export", "g", "-f", "cast").startswith("{"))

    def test_has_cells_that_can_be_read_whatever_the_board_and_words_to_its_size(self):
        # cells, a row, and the picture: its size, that of a cell, and where its words stand
        for game, (cells, width, size, cell, words) in {
                "usual": (100, 10, (1520, 1080), 100, (1080, 40)), "small": (4, 2, (920, 480), 200, (480, 40)),
                "ribbon": (3000, 10, (820, 9080), 30, (380, 40)), "large": (10000, 100, (4320, 3080), 30, (3080, 40)),
                "row": (30, 30, (1080, None), 33.33, (40, 113.3))}.items():
            with self.subTest(game):
                (self.folder / "b.json").write_text(f'{{"cells":{cells},"width":{width},"snakes":[],"ladders":[]}}')
                self.snl("new", "A", "B", "--board", "b.json", "--start", "1", "--id", game)
                root = self.svg(game)
                wide, high = map(float, root.get("viewBox").split()[2:])
                self.assertEqual((wide, size[1] and high), size)
                board, *_, panel = [e.get("transform") for e in root.findall(SVG + "g")]
                self.assertAlmostEqual(100 * float(re.search(r"scale\((.*)\)", board)[1]), cell, places=1)
                self.assertTrue(panel.startswith("translate({} {})".format(*words)), panel)
                self.assertEqual("scale(3)" in panel, game == "large")

    def test_cuts_names_to_the_room_they_have(self):
        self.snl("new", "--board", "empty", "W" * 40, "i" * 40, "日" * 40, "Ann of Nineteen Let", "--id", "g")
        texts = self.texts(self.svg("g"))
        self.assertIn("Ann of Nineteen Let", texts)
        room = {text[0]: len(text) for text in texts if re.fullmatch(r"([Wi日])\1+…", text)}
        self.assertTrue(9 < room["W"] < 14 and 28 < room["i"] < 40 and 5 <= room["日"] < 9, room)

    def test_goes_to_a_file_and_overwrites_none(self):
        self.snl("new", "--board", "empty", "A", "B", "--id", "g")
        self.snl("export", "g", "-f", "svg", "-o", "g.svg")
        self.assertEqual((self.folder / "g.svg").read_text(encoding="utf-8"), self.snl("export", "g", "-f", "svg"))
        self.refused(2, "--force", "export", "g", "-f", "svg", "-o", "g.svg")

    def test_follows_a_dark_scheme(self):
        self.snl("new", "--board", "empty", "A", "B", "--id", "g")
        style = self.svg("g").find(SVG + "style").text
        self.assertIn("@media(prefers-color-scheme:dark)", style)


class ARenderedPosition(APicture):
    def centre(self, cell, width, rows):
        row, column = divmod(cell - 1, width)
        column = width - 1 - column if row % 2 else column
        return column * 100 + 50, (rows - 1 - row) * 100 + 50

    def test_shows_each_piece_where_it_stands(self):
        self.snl("new", "A", "B", "C", "--board", "milton-bradley", "--id", "g")
        self.snl("play", "g", "-", input="A 5\nB 1\nC 4\nA 3\n")
        image = self.render("g")
        for seat, player in enumerate(self.show("g")["players"]):
            x, y = self.centre(player["cell"], 10, 10)
            self.assertEqual(image.at(40 + x, 40 + y + 13 + 17), rgb(COLOURS[seat]), player)

    def test_shows_ten_pieces_on_one_cell(self):
        self.snl("new", *"ABCDEFGHIJ", "--cells", "4", "--id", "g")
        image = self.render("g")
        for colour in COLOURS:  # on cell 1, which is drawn twice as large
            self.assertGreater(image.count(colour, 40, 240, 240, 440, tolerance=4), 20, colour)

    def test_has_a_number_that_can_be_read_on_every_cell_of_a_crowded_board(self):
        (self.folder / "b.json").write_text(self.snl("board", "random", "--size", "10", "--snakes", "14",
                                                     "--ladders", "14", "--seed", "3"))
        self.snl("new", "A", "B", "--board", "b.json", "--id", "g", "--start", "0")
        self.snl("new", "A", "B", "--size", "10", "--id", "e", "--start", "0")
        crowded, empty = self.render("g"), self.render("e")
        for cell in range(1, 101):
            x, y = self.centre(cell, 10, 10)
            number = [(left, top) for left in range(40 + x - 48, 40 + x, 2) for top in range(40 + y - 48, 40 + y - 20, 2)
                      if sum(empty.at(left, top)) < 350]
            self.assertGreater(len(number), 8, cell)
            for pixel in number:
                self.assertEqual(crowded.at(*pixel), empty.at(*pixel), cell)

    def test_shows_the_way_of_the_last_move(self):
        self.snl("new", "A", "B", "--board", "class", "--id", "g")
        self.snl("play", "g", "A", "2")  # along 1 2 3, up the ladder to 22
        image = self.render("g")
        there = lambda cell: self.centre(cell, 10, 10)
        red = lambda x, y: image.count(COLOURS[0], 40 + x - 18, 40 + y - 18, 40 + x + 18, 40 + y + 18)
        self.assertGreater(red(there(2)[0], there(2)[1] + 13), 5)
        foot, top = there(3), there(22)
        self.assertGreater(red((foot[0] + top[0]) / 2, (foot[1] + top[1]) / 2), 5)
        self.assertEqual(red(*there(5)), 0)


class APoster(APicture):
    """A page for a wall, in tenths of a millimetre."""

    MARGIN = 100
    PAPERS = {"a4": (2100, 2970), "letter": (2159, 2794)}

    def setUp(self):
        super().setUp()
        boards = {"wide": {"cells": 120, "width": 20, "snakes": [[90, 7]], "ladders": [[3, 44]]},
                  "high": {"cells": 150, "width": 5, "snakes": [[149, 7]], "ladders": [[3, 144]]},
                  "two": {"cells": 2, "width": 2, "snakes": [], "ladders": []}}
        for name, board in boards.items():
            (self.folder / f"{name}.json").write_text(json.dumps(board))
        self.boards = ["class", "milton-bradley", "party", *(f"{name}.json" for name in boards)]

    def draw(self, *args):
        """Its root, and its pixels, of two units each."""
        text = self.snl("board", "show", *args, "--svg")
        root = self.sound(text)
        width = float(root.get("viewBox").split()[2])
        done = subprocess.run(["rsvg-convert", "--width", str(round(width / 2)), "--keep-aspect-ratio"],
                              input=text.encode(), stdout=subprocess.PIPE, check=True)
        (self.folder / "page.png").write_bytes(done.stdout)
        return root, Png(done.stdout)

    def box(self, group, width, height):
        """Left, top, right and bottom of what a group draws, which is so large in its own units."""
        left, top, scale = map(float, re.fullmatch(r"translate\((\S+) (\S+)\) scale\((\S+)\)", group.get("transform")).groups())
        return left, top, left + scale * width, top + scale * height

    def parts(self, root, board):
        """The boxes of the board and of the code."""
        board = self.json("board", "show", board)
        rows = -(-board["cells"] // board["width"])
        art = next(group for group in root.findall(SVG + "g") if group.find(SVG + "g[@class='board']") is not None)
        code = root.find(SVG + "g[@class='code']")
        modules = int(code.find(SVG + "rect").get("width"))
        return self.box(art, 100 * board["width"], 100 * rows), self.box(code, modules, modules)

    def test_keeps_its_parts_apart_and_within_the_page(self):
        for i, board in enumerate(self.boards):
            paper = list(self.PAPERS)[i % 2]
            with self.subTest(board, paper=paper):
                root, pixels = self.draw(board, "--paper", paper)
                page = tuple(map(float, root.get("viewBox").split()[2:]))
                self.assertEqual(page, self.PAPERS[paper][::-1] if board in ("wide.json", "two.json") else self.PAPERS[paper])
                self.assertEqual((root.get("width"), root.get("height")), tuple(f"{side / 10:g}mm" for side in page))
                (left, top, right, bottom), code = self.parts(root, board)
                words = [text for text in root.findall(SVG + "text") if text.get("class") == "rule"]
                self.assertGreater((right - left) * (bottom - top), 0.05 * page[0] * page[1])
                self.assertGreaterEqual(left, self.MARGIN - 1)
                self.assertLessEqual(right, page[0] - self.MARGIN + 1)
                self.assertLess(bottom, code[1])
                self.assertLessEqual(code[2], page[0] - self.MARGIN + 1)
                self.assertLessEqual(code[3], page[1] - self.MARGIN)
                for edge in ((0, 0, page[0], self.MARGIN), (0, page[1] - self.MARGIN + 2, *page), (0, 0, self.MARGIN - 12, page[1]),
                             (page[0] - self.MARGIN + 12, 0, *page)):  # a line is as wide as it is
                    self.assertTrue(pixels.is_white(*edge), edge)
                self.assertTrue(pixels.is_white(0, 268, page[0], top - 10), "between the heading and the board")
                self.assertTrue(pixels.is_white(0, bottom + 15, page[0], code[1] - 2), "between the board and the words")
                self.assertTrue(pixels.is_white(code[0] - 40, code[1], code[0], page[1]), "between the words and the code")
                self.assertLess(float(words[-1].get("y")), page[1] - self.MARGIN)
                self.assertGreater(float(words[0].get("y")) - float(words[0].get("font-size")), bottom)

    def test_has_a_code_that_is_its_board_file(self):
        for board in self.boards:
            with self.subTest(board):
                self.draw(board)
                read = subprocess.run(["zbarimg", "--quiet", "--raw", self.folder / "page.png"], stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL, check=True)
                self.assertEqual(read.stdout.decode(), self.snl("board", "show", board, "--json"))

    def test_of_a_board_whose_file_is_too_long_has_no_code_and_says_so(self):
        board = self.snl("board", "random", "--size", "40", "--snakes", "200", "--ladders", "200", "--seed", "1")
        drawn = self.run_snl("board", "show", "-", "--svg", input=board)
        self.assertEqual(drawn.code, 0)
        self.assertRegex(drawn.err, rf"^snl: the board's file has {len(board) - 1} bytes, too many for a QR code")
        self.assertIsNone(self.sound(drawn.out).find(SVG + "g[@class='code']"))

    def test_tells_the_rules_by_which_it_is_played(self):
        words = lambda *args: " ".join(self.texts(self.draw(*args)[0]))
        self.assertIn("A six rolls again", words("class").replace("a six", "A six"))
        each = words("party", "--sixes", "each", "--finish", "bounce")
        for part in ("Pieces start on cell 1.", "a six gives another turn.", "bounces back", "again: end here and move again."):
            self.assertIn(part, each)
        self.assertNotIn("end here and", words("class"))

    def test_in_black_has_no_colour(self):
        self.assertTrue(self.draw("class", "--mono")[1].is_grey())
        self.assertFalse(self.draw("class")[1].is_grey())
        self.assert_golden("poster_mono.svg", self.snl("board", "show", "geeks30", "--svg", "--mono", "--paper", "letter"))

    def test_goes_to_a_file_and_overwrites_none(self):
        self.snl("board", "show", "class", "--svg", "-o", "wall.svg")
        self.assertEqual((self.folder / "wall.svg").read_text(), self.snl("board", "show", "class", "--svg"))
        self.refused(2, "wall.svg", "board", "show", "class", "--svg", "-o", "wall.svg")
        self.snl("board", "show", "class", "--svg", "-o", "wall.svg", "--force")

    def test_of_a_board_that_is_too_large_is_refused(self):
        (self.folder / "large.json").write_text('{"cells":10001,"snakes":[],"ladders":[]}')
        self.refused(2, "10001", "board", "show", "large.json", "--svg")


class Charts(APicture):
    def on_a_terminal(self, *args, columns=80, **env):
        """The output of a command on a terminal of this width."""
        master, slave = pseudo_terminal(self)
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = self.popen(*args, stdout=slave, env=env)
        os.close(slave)
        printed = b""
        try:
            while part := os.read(master, 4096):
                printed += part
        except OSError:  # as Linux says that nobody has the other side open any more
            pass
        os.close(master)
        self.assertEqual(process.wait(), 0)
        return printed.decode().replace("\r\n", "\n")

    def test_are_drawn_on_a_terminal_below_what_is_said_without_one(self):
        for command in (("board", "analyze", "milton-bradley"),
                        ("simulate", "--board", "class", "--games", "500", "--seed", "1")):
            with self.subTest(command):
                said = self.snl(*command)
                printed = self.on_a_terminal(*command, columns=70)
                # Sentences are broken between words where they are wider than the window; a blank line ends
                # them.
                self.assertEqual(printed.partition("\n\n")[0].split(), said.split())
                self.assertIn(" % █", printed)
                self.assertLessEqual(max(map(len, printed.splitlines())), 70)
                self.assertRegex(printed, r"chance that (a|the) piece .*ever stands on a cell, in percent")
                self.assertRegex(printed, r"\n100 │█100 .*\n")
                narrow = self.on_a_terminal(*command, columns=40)
                self.assertIn("as eighths: ▁ to █, ", narrow)
                self.assertLessEqual(max(map(len, narrow.partition("\n\n")[2].splitlines())), 40)
                plain = self.on_a_terminal(*command, columns=70, LC_ALL="C")
                self.assertIn(" % #", plain)
                self.assertTrue(plain.isascii())
                self.assertTrue(self.on_a_terminal(*command, "--json").startswith("{"))
                self.assertEqual(self.on_a_terminal(*command, "--json").count("\n"), 1)

    def test_of_a_board_map_the_chance_to_stand_on_each_cell(self):
        # A die of two faces on four cells: from 1 to 2 or 3; from 2 to 3 or 4; from 3 to 4, or it stays.
        board = ("board", "analyze", "b.json", "--faces", "2", "--sixes", "plain", "--start", "1")
        (self.folder / "b.json").write_text('{"cells":4,"width":4,"snakes":[],"ladders":[]}')
        self.assertTrue(self.on_a_terminal(*board).endswith("1 │█100 ▄ 50 ▆ 75 █100 │ 4\n"))
        self.snl(*board, "--svg", "b.svg")
        root = self.sound((self.folder / "b.svg").read_text(encoding="utf-8"))
        cells = [element for element in root.iter(SVG + "g") if element.get("class") == "heat"]
        self.assertEqual([[text.text for text in cell.iter(SVG + "text")] for cell in cells],
                         [["1", "100"], ["2", "50"], ["3", "75"], ["4", "100"]])

    def test_go_to_a_file_and_leave_what_is_printed_as_it_is(self):
        for command in (("board", "analyze", "class"), ("simulate", "--board", "empty", "--games", "300", "--seed", "1")):
            for form in ((), ("--json",)):
                with self.subTest(command=command, form=form):
                    said = self.snl(*command, *form)
                    self.assertEqual(self.snl(*command, *form, "--svg", "c.svg", "--force"), said)
                    root = self.sound((self.folder / "c.svg").read_text(encoding="utf-8"))
                    bars = [e for e in root.iter(SVG + "rect") if e.get("class", "").startswith("bar")]
                    self.assertGreater(len(bars), 10)
                    self.assertEqual(len([e for e in root.iter(SVG + "g") if e.get("class") == "heat"]), 100)
                    self.refused(2, "c.svg.*--force", *command, *form, "--svg", "c.svg")
            self.refused(2, "--svg -", *command, "--svg", "-")

    def test_are_refused_before_the_games_are_played(self):
        (self.folder / "there.svg").touch()
        self.refused(2, "there.svg", "simulate", "--board", "empty", "--games", "1000000000000", "--svg", "there.svg")

    def test_of_a_large_board_map_it_in_a_file_alone(self):
        (self.folder / "b.json").write_text('{"cells":441,"width":21,"snakes":[],"ladders":[]}')
        self.assertNotIn("stands on a cell", self.on_a_terminal("board", "analyze", "b.json", columns=200))
        self.snl("board", "analyze", "b.json", "--svg", "b.svg")
        root = self.sound((self.folder / "b.svg").read_text(encoding="utf-8"))
        self.assertEqual(len([e for e in root.iter(SVG + "g") if e.get("class") == "heat"]), 441)

    def test_leave_out_the_map_where_a_piece_may_never_finish(self):
        result = self.run_snl("board", "analyze", "class", "--dice", "2", "--svg", "c.svg")
        self.assertEqual(result.code, 0)
        self.assertRegex(result.err, "no chances by cell: .*cell 99")
        root = self.sound((self.folder / "c.svg").read_text(encoding="utf-8"))
        self.assertEqual([e for e in root.iter(SVG + "g") if e.get("class") == "heat"], [])


if __name__ == "__main__":
    snl.main()
