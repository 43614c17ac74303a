"""Goal: an exported page says what the game's log and the odds say, in its data and where no script runs. Method:
pages of games made for it are taken apart by Python's HTML parser and compared with what the commands say.
tests/browser tests them in a browser.
"""

import html.parser
import json
import re

import snl


class Page(html.parser.HTMLParser):
    """The elements of a page, in order: (tag, attributes, text within, and within what is in it)."""

    EMPTY = {"meta", "link", "input", "br", "img", "circle", "path", "rect", "use", "line"}

    def __init__(self, text):
        super().__init__()
        self.elements, self.open = [], []
        self.feed(text)
        self.close()
        self.data = json.loads(self.texts("script", "game")[0])

    def handle_starttag(self, tag, attributes):
        self.elements.append([tag, dict(attributes), ""])
        if tag not in self.EMPTY:
            self.open.append(self.elements[-1])

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        for element in self.open:
            element[2] += data

    def of(self, tag, name=None):
        return [(attributes, text) for one, attributes, text in self.elements
                if one == tag and (name is None or name in (attributes.get("class") or "").split())]

    def texts(self, tag, name=None):
        return [text for _, text in self.of(tag, name)]


class AnExportedPage(snl.CommandLineTest):
    def page(self, game="g"):
        self.text = self.snl("export", game, "-f", "html")
        return Page(self.text)

    def start(self, *args, players=("Ann", "Bob"), game="g"):
        self.snl("new", *players, *args, "--id", game)

    def test_holds_names_as_text_whatever_is_in_them(self):
        self.start(game="plain")
        self.page("plain")
        ends = self.text.count("</script>")
        names = ["</script><script>alert(1)</script>", "&lt;b&gt; <!-- <script "]
        self.start(players=names)
        page = self.page()
        self.assertEqual(self.text.count("</script>"), ends)
        blocks = re.findall(r'(?s)<script type="application/json"[^>]*>(.*?)</script>', self.text)
        self.assertEqual(len(blocks), 2)
        for block in blocks:
            self.assertNotRegex(block, "[<>&]")  # <!-- <script is enough for a browser to read on to the page's end
        self.assertEqual(page.data["players"], names)
        self.assertEqual([text for text in page.texts("bdi") if text in names][:2], names)

    def test_tells_whose_names_are_cut_short(self):
        names = ["x" * 20, "y" * 21]
        self.start(players=names)
        page = self.page()
        self.assertEqual(page.data["cutShort"], [1])
        titles = {text: attributes.get("title") for attributes, text in page.of("bdi")}
        self.assertEqual(titles, {names[0]: None, names[1]: names[1]})

    def test_has_each_different_move_once(self):
        self.start("--board", "class", "--seed", "3")
        self.snl("roll", "g", "-n", "9")
        self.snl("undo", "g", "-n", "4")
        self.snl("roll", "g", "-n", "4")  # the same dice again
        data = self.page().data
        moves = [json.dumps(move) for move in data["moves"]]
        self.assertEqual(len(moves), len(set(moves)))
        told = ["-".join(map(str, turn["dice"])) for turn in self.json_lines("replay", "g")]
        self.assertEqual([data["moves"][move][0] for move in data["played"]], told + told[5:])
        self.assertEqual(data["played"][5:9], data["played"][9:])

    def test_has_the_chances_of_each_player(self):
        self.start("--board", "class", "--seed", "3")
        self.snl("roll", "g", "-n", "9")
        page = self.page()
        first, second = page.data["chances"]
        self.assertEqual(len(first), 10)
        self.assertNotEqual(first, second)
        for one, other in zip(first, second):
            self.assertAlmostEqual(one + other, 10_000, delta=1)
        shown = [float(text.split()[0]) for text in page.texts("span", "percent")]
        self.assertEqual(len(shown), 2)
        for percent, chances in zip(shown, (first, second)):
            self.assertAlmostEqual(percent, chances[-1] / 100, delta=0.06)
        self.assertIsNone(page.data["never"])

    def test_says_that_perhaps_nobody_wins(self):
        # A piece on the cell before the last one stays there.
        self.assertEqual(self.run_snl("new", "Ann", "Bob", "--cells", "30", "--dice", "2", "--id", "g").code, 0)
        self.snl("roll", "g", "-n", "2")
        page = self.page()
        self.assertEqual(page.data["never"], "111")
        self.assertIn("The chances add up to less than 100 %: it may be that nobody ever wins.", page.texts("p", "chances-note"))

    def facts(self, game="g"):
        page = self.page(game)
        return dict(zip(page.texts("dt"), page.texts("dd")))

    def test_says_how_many_turns_were_rolled_and_taken_back(self):
        self.start("--board", "class", "--seed", "3")
        self.snl("play", "g", "Ann", "2")
        self.snl("roll", "g", "-n", "3")
        self.snl("undo", "g")
        self.assertEqual(self.facts()["Dice"], "seed 3: 2 of 3 turns rolled from it, the others thrown elsewhere")
        self.assertEqual(self.facts()["Taken back"], "1 turn")
        self.snl("branch", "g", "--at", "2", "--id", "b")
        self.snl("roll", "b", "-n", "4")
        self.assertEqual(self.facts("b")["Dice"], "seed 3: 4 of 4 turns rolled from it")
        self.assertEqual(self.facts("b")["Taken back"], "0 turns")

    def test_draws_the_board_as_a_table(self):
        self.start("--cells", "20", "--snake", "17,7", "--ladder", "3,12")
        self.snl("play", "g", "Ann", "4")
        cells = self.page().texts("small")
        self.assertEqual([text for text in cells if " to " in text], ["snake to 7", "ladder to 12"])

    def test_says_who_is_to_move_and_who_has_won(self):
        self.start("--cells", "10")
        statuses = lambda: self.page().texts("td", "status")
        self.assertEqual(statuses(), ["to move", ""])
        self.snl("play", "g", "Ann", "4")
        self.assertEqual(statuses(), ["", "to move"])
        self.snl("play", "g", "-", input="Bob 1\nAnn 5\n")
        self.assertEqual(statuses(), ["winner", ""])

    def places(self, page):
        return [tuple(map(float, re.findall(r"-?[0-9.]+", attributes["transform"])[:2])) for attributes, _ in page.of("g", "piece")]

    def test_draws_each_piece_where_it_is(self):
        self.start("--cells", "100", players=[f"p{i}" for i in range(10)])
        self.start("--cells", "100", "--start", "0", players=[f"p{i}" for i in range(10)], game="off")
        self.start("--cells", "16", "--start", "0", players=[f"p{i}" for i in range(10)], game="narrow")
        on, off, narrow = (self.page(game) for game in ("g", "off", "narrow"))
        self.assertEqual([len(self.places(page)) for page in (on, off, narrow)], [10] * 3)
        self.assertEqual([page.texts("text", "tray-words") for page in (on, off, narrow)], [[], ["off the board"], []])
        self.assertTrue(all(y < 1000 for _, y in self.places(on)), self.places(on))
        self.assertTrue(all(y > 1000 for _, y in self.places(off)), self.places(off))
        self.assertTrue(all(0 < x < 400 for x, _ in self.places(narrow)), self.places(narrow))


if __name__ == "__main__":
    snl.main()
