"""Goal: the documents, the comments of all sources, and the product's texts can be read once. Method: the words of their
sentences are counted. None has more than a reader can hold. None begins with a noun made of "who" or "what". Words that
only the makers of this project knew stay out of the product.

    test_words.py
"""

import ast
import io
import pathlib
import re
import subprocess
import tokenize
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
LONGEST = 35  # words of a sentence

DOCUMENTS = ("*.md", *(f"*.{ending}" for ending in "hpp cpp js css html sql py".split()), ":!tests/cases", ":!migrations/*.sql")
PRODUCT = ("domain", "storage", "cli", "README.md", ":!cli/CHANGELOG.md")
PROGRAMS = [f"{folder}/*.{ending}" for folder in ("domain", "storage", "cli") for ending in ("hpp", "cpp", "js")]

LITERALS = {
    "c++": r'''
        //[^\n]* | /\*.*?\*/ | '(?:[^'\\\n]|\\.)+' | \s+ |
        R"(?P<mark>[^(\s"]*)\((?P<raw>.*?)\)(?P=mark)" | "(?P<text>(?:[^"\\\n]|\\.)*)" | (?P<code>\w[\w']*|.)''',
    "js": r'''
        //[^\n]* | /\*.*?\*/ | \s+ | \+ |
        `(?P<raw>(?:[^`\\]|\\.)*)` | (?P<mark>["'])(?P<text>(?:(?!(?P=mark))[^\\\n]|\\.)*)(?P=mark) | (?P<code>\w+|.)''',
}
STATEMENTS = r"(SELECT|INSERT|UPDATE|DELETE|WITH|CREATE)\b"  # of SQL

# The agreement on the log has these words: of its alarm, and of an audit, which scripts read.
AGREED = re.compile("What was recorded then was changed or taken away[.]|whoever (may write the store|has the key) could have")

# Words, and what to say instead.
GIVEN_UP = {
    r"[Ww]hoever": "the caller, a player, the host, another process",
    r"\bto have it, ": "to install",
    r"\b(SecondNet|Departures|Endurance|SecretsOut|StoreKeeper|LastStep)\b": "see the changelog's table of names",
    r"\b(UnaskedCommand|plan_unasked|asking nobody)\b": "optimistic command",
    r"\b(AppendsInRooms|RoomChange|RoomStore)\b": "hosted game",
    r"\bis_anothers\b": "conflicts_with_other_writer",
    r"\bForwardedReads\b": "ForwardingReader",
    r"\buntil_known\b": "retry_while_outcome_unknown",
    r"\b(let_enter|is_rolled_to_its_end)\b": "allow_entry, is_complete_roll",
    r"\blook_for_others\b": "refresh",
    r"\b(dropped_|was_dropped_)\b": "ignore_next_enter_",
    r"\bReel\b": "recording",
    r"\b(Knowledge|may_be_the_row)\b": "KnownState, an entry of a list",
    r"\bTrace\b": "ProbeCommit",
    r"\bEndings?\b": "RevealPermit",
    r"\bMoments\.any\b": "moments of a recording",
    r"\b([Nn]ews|CommitNews)\b": "notification, to notify, to publish",
    r"\b[Gg]uests?\b": "a reader without write access",
    r"\b(tell_others|tell_each_minute|open_store_to_tell_of|tells_live|tell_ends|was_told|is_told|isAllTold|endIfTold|told_[a-z]\w*|told_)\b": "to notify, to publish, to report, to show",
    r"\b(untold_?|\w+_once_told|told(At|Before|Index)|showTold|NotTold|Told|Jumps::told|StreamHub::Tell|Tell tell)\b": "to notify, to publish, to report, to show",
    r"\b(\w*between_looks|next_?[Ll]ook_?|look_(every|after|at_\w+|for_median|or_type)|lookAtLog|has_to_look|has_looked|shall_look)\b": "refresh, poll, maintain, check",
    r"\b((Kind|Remedy|GameViewer|StreamHub)::look|viewer_?\.(look|glance)|open_and_look|looked_(at|after)_?)\b": "refresh, inspect, current_view",
    r"\b(PublishedLog::Answers|WitnessAnswer|answer_(again|to|timeout)|answers_|longestAnswer)\b": "outcome, response",
    r"\b(promise_(in|of)|has_promise[ds])\b": "commitment",
    r"\b(second net|sentence\.brought|onTheWay)\b": "to check again; result_text; path",
}


def files(*patterns):
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--", *patterns], check=True, capture_output=True, text=True).stdout
    return [pathlib.Path(name) for name in listed.split("\0") if name]


def paragraphs_of_markdown(text):
    """Also items of lists, and the cells of tables. Headings and blocks of code aren't sentences."""
    text = re.sub(r"^( *)```.*?^\1```$", "\n", text, flags=re.M | re.S)
    paragraph = []
    for line in [*text.splitlines(), ""]:
        said = line.strip()
        is_apart = not said or said.startswith(("|", "#")) or re.match(r"([-*]|\d+\.) ", said)
        if is_apart and paragraph:
            yield " ".join(paragraph)
            paragraph = []
        if said.startswith("|"):
            yield from said.split("|")
        elif said and not said.startswith("#"):
            paragraph.append(re.sub(r"^([-*]|\d+\.) ", "", said))


def headings_of(text):
    return re.findall(r"^#+ (.+)$", re.sub(r"^( *)```.*?^\1```$", "\n", text, flags=re.M | re.S), flags=re.M)


def with_line_comments(name, text):
    """The same text, with every kind of comment as lines that begin with //. Types that a tool reads are left out."""
    if name.suffix == ".py":
        return python_with_line_comments(text)
    if name.suffix == ".sql":
        return re.sub(r"(^|\s)--(?=\s)", r"\1//", text, flags=re.M)

    def as_lines(block):
        said = re.sub(r"^ *\*(?: |$)", "", block[1] or block[2], flags=re.M)
        said = re.sub(r"(^|\s)@(param|typedef|returns|type|template)\b.*?(?=\n\n|\Z)", r"\1", said, flags=re.S)
        return "".join(f"\n// {line.rstrip()}" for line in said.splitlines()) + "\n"

    return re.sub(r"(?<!\S)/\*\*?(?=\s)(.*?)\*/|<!--(.*?)-->", as_lines, text, flags=re.S)


def python_with_line_comments(text):
    lines = [""] * (text.count("\n") + 2)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and token.string.startswith("# "):
            lines[token.start[0]] = ("code " if token.line[: token.start[1]].strip() else "") + "// " + token.string[2:]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            for row, line in enumerate(ast.get_docstring(node).splitlines(), node.body[0].lineno):
                lines[row] = f"// {line}"
    return "\n".join(lines)


def paragraphs_of_source(name, text):
    """Those of its comments. A comment beside code is a paragraph of its own."""
    paragraph = []
    text = with_line_comments(name, text)
    for line in [*text.splitlines(), ""]:
        comment = re.match(r"(.*?)(?:^|\s)//+<? ?(.*)$", line)
        code, said = comment.groups() if comment else ("", "")
        if paragraph and (not said or code.strip() or re.match(r"([-*]|\d+\.) | {2}", said)):
            yield " ".join(paragraph)
            paragraph = []
        if code.strip():
            yield said
        elif said:
            paragraph.append(said.strip())


def literals_of(name, text):
    """The texts in quotes. Literals side by side are one text, as they are to the compiler."""
    said = ""
    for token in re.finditer(LITERALS["js" if name.suffix == ".js" else "c++"], text, flags=re.X | re.S):
        if token["code"]:
            yield said
            said = ""
        said += token["raw"] or re.sub(r"\\(.)", lambda escape: {"n": "\n", "t": "\t"}.get(escape[1], escape[1]), token["text"] or "")
    yield said


def paragraphs_of_literals(name, text):
    """Those of texts for people. Commands, names and items of a list stand apart."""
    for said in literals_of(name, text):
        if len(words(said)) >= 4 and not re.match(STATEMENTS, said):
            yield from re.split(r"\n\n|\n(?=[ #])|;\n", re.sub(r"\w+_\w+", "", said))


def sentences(paragraph):
    plain = re.sub(r"`[^`]*`", "`code`", paragraph)
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", plain)
    return [said for said in re.split(r"(?<=[.!?])[)\"]?\s+(?=[A-Z`*\"(\[0-9])", plain) if said.strip()]


def words(sentence):
    return [word for word in sentence.split() if re.search(r"\w", word)]


def faults_of(sentence):
    faults = []
    if len(words(sentence)) > LONGEST:
        faults.append(f"{len(words(sentence))} words")
    if re.match(r"[\"*(]*(Who|Whoever|What)\b", sentence) and not sentence.rstrip(")* ").endswith("?"):
        faults.append("it begins with a noun made of who or what")
    return faults


def faults_in(name, paragraphs):
    return [f"{name}: {fault}: {said}" for paragraph in paragraphs for said in sentences(paragraph) for fault in faults_of(said)]


def faults_of_text(name, text):
    return faults_in(name, paragraphs_of_markdown(text) if name.suffix == ".md" else paragraphs_of_source(name, text))


def faults_of_literals(name, text):
    return faults_in(name, paragraphs_of_literals(name, AGREED.sub("", text)))


def given_up_in(name, text):
    return [
        f"{name}:{text.count(chr(10), 0, found.start()) + 1}: {found[0]!r}: say {instead}"
        for pattern, instead in GIVEN_UP.items()
        for found in re.finditer(pattern, AGREED.sub("", text))
    ]


class Words(unittest.TestCase):
    maxDiff = None

    def test_sentences_can_be_read_once(self):
        documents = files(*DOCUMENTS)
        self.assertGreater(len(documents), 100)
        self.assertEqual([fault for name in documents for fault in faults_of_text(name, (ROOT / name).read_text("utf-8"))], [])

    def test_texts_of_the_program_can_be_read_once(self):
        texts = {name: (ROOT / name).read_text("utf-8") for name in files(*PROGRAMS)}
        self.assertGreater(sum(1 for name, text in texts.items() for _ in paragraphs_of_literals(name, text)), 1500)
        self.assertEqual([fault for name, text in texts.items() for fault in faults_of_literals(name, text)], [])

    def test_headings_name_a_thing_or_ask(self):
        headings = [f"{name}: {heading}" for name in files("*.md") for heading in headings_of((ROOT / name).read_text("utf-8"))]
        self.assertGreater(len(headings), 100)
        self.assertEqual([heading for heading in headings if faults_of(heading.split(": ", 1)[1])], [])

    def test_words_that_only_makers_knew_are_gone(self):
        texts = [name for name in files(*PRODUCT) if name.suffix in {".md", ".hpp", ".cpp", ".js", ".css", ".html", ".txt", ".cmake", ".json"}]
        self.assertGreater(len(texts), 400)
        self.assertEqual([fault for name in texts for fault in given_up_in(name, (ROOT / name).read_text("utf-8"))], [])


class Counting(unittest.TestCase):
    """The test of the test: what it is to find, it finds."""

    def test_a_long_sentence_is_found_where_it_stands(self):
        long = "word " * 36 + "end."
        for name, text in [
            ("a.md", f"# Heading\n\nShort. {long}\n"),
            ("a.md", f"- {long}\n"),
            ("a.md", f"  | short | {long} |\n"),
            ("a.hpp", f"/// Short. {long[:80]}\n/// {long[80:]}\nint a;\n"),
            ("a.hpp", f"int a;  // {long}\n"),
            ("a.js", f"/**\n * Short. {long[:80]}\n * {long[80:]}\n * @param {{number}} a\n */\n"),
            ("a.js", f"/** {long} @type {{number}} */\n"),
            ("a.html", f"<p>\n  <!-- {long} -->\n"),
            ("a.css", f".a {{ color: red; }} /* {long} */\n"),
            ("a.sql", f"-- {long}\n"),
            ("a.py", f"def a():\n    \"\"\"Short.\n\n    {long}\n    \"\"\"\n"),
            ("a.py", f"a = '# no comment'  # {long}\n"),
        ]:
            with self.subTest(text[:20]):
                self.assertEqual(len(faults_of_text(pathlib.Path(name), text)), 1)

    def test_what_is_no_sentence_is_left_out(self):
        long = "word " * 36
        for name, text in [
            ("a.md", f"```\n{long}\n```\n"),
            ("a.md", f"# {long}\n"),
            ("a.md", f"`{long}` is short.\n"),
            ("a.hpp", f"int {long};\n"),
            ("a.js", f"/**\n * @typedef {{{{ {long},\n *   {long} }}}} A\n */\nopen(\"**/a/*\"); // {long[:80]}\nopen(\"*/\");\n"),
            ("a.html", f"<p>{long}</p>\n"),
            ("a.py", f"a = \"\"\"{long}\n# {long}\"\"\"\n"),
        ]:
            with self.subTest(text[:20]):
                self.assertEqual(faults_of_text(pathlib.Path(name), text), [])

    def test_a_long_sentence_is_found_in_a_literal(self):
        long = "word " * 36 + "end."
        for name, text in [
            ("a.cpp", f'say("Short. {long}");\n'),
            ("a.cpp", f'say("{long[:80]}"  // half of "it\n    "{long[80:]}", \'"\', 1\'000);\n'),
            ("a.hpp", f'constexpr auto a = R"(Short.\n\n{long})";\n'),
            ("a.cpp", f"say('\"', '\\'', \"say \\\"{long}\\\"\");\n"),
            ("a.cpp", 'warn("What the page is made of.");\n'),
            ("a.js", f'say("{long[:80]}" +\n    "{long[80:]}");\n'),
            ("a.js", f"say(`Of ${{name}}: {long}`);\n"),
            ("a.js", "say('It isn\\'t. Who plays gets a match.');\n"),
        ]:
            with self.subTest(text[:20]):
                self.assertEqual(len(faults_of_literals(pathlib.Path(name), text)), 1)

    def test_what_is_no_text_for_people_is_left_out(self):
        long = "word " * 36
        for name, text in [
            ("a.cpp", f'run("SELECT {long}");\n'),
            ("a.cpp", f'say("{long[:80]}", "{long[80:]}");\n'),
            ("a.cpp", f'say("{long[:80]}" + text + "{long[80:]}");\n'),
            ("a.cpp", f"// {long}\n/* \"{long}\" */ run();\n"),
            ("a.cpp", f'say("A lesson:\\n{long[:80]}:\\n  snl {long[80:]}");\n'),
            ("a.cpp", f'say("Limits: {long[:80]};\\n{long[80:]}");\n'),
            ("a.cpp", f'constexpr auto names = " {long.replace("word", "a_word")}";\n'),
            ("a.cpp", 'find("What is", "Who");\n'),
            ("a.js", f"// It isn't {long}'\nrun(a['b'], \"What does 412 mean?\");\n"),
        ]:
            with self.subTest(text[:20]):
                self.assertEqual(faults_of_literals(pathlib.Path(name), text), [])

    def test_a_noun_made_of_who_or_what_is_found_and_a_question_is_not(self):
        self.assertEqual(len(faults_of("What is wrong with a board.")), 1)
        self.assertEqual(len(faults_of("Who plays gets a match.")), 1)
        self.assertEqual(headings_of("# What is new\n\n```\n# What a script says\n```\n## Why?\n"), ["What is new", "Why?"])
        self.assertEqual(faults_of("What does 412 mean?"), [])
        self.assertEqual(faults_of("A player gets a match."), [])

    def test_a_word_that_was_given_up_is_found_with_its_line(self):
        self.assertEqual(given_up_in(pathlib.Path("a.cpp"), 'x\n"told by whoever asks"'), ["a.cpp:2: 'whoever': say the caller, a player, the host, another process"])


if __name__ == "__main__":
    unittest.main()
