"""Help, the manual and completion say the same."""

import re
import shutil
import sqlite3
import subprocess

import snl

SHARED = ["--db", "--color", "--no-pager"]


def plain(page):
    """A page's text without the marks of fonts, with the characters that its escapes stand for, a paragraph a line."""
    page = re.sub(r"\\f\[[BIR]+\]", "", page)
    for escape, character in ((r"\-", "-"), (r"\e", "\\"), (r"\(ti", "~"), (r"\(ha", "^"), (r"\(ga", "`"), (r"\&", ""),
                              (r"\:", "")):
        page = page.replace(escape, character)
    lines, kept, goes_on = [], False, False
    for line in page.splitlines():
        kept = line == ".EX" or (kept and line != ".EE")
        is_prose = not kept and not re.match(r"[.']\S|T[{}]", line)
        if is_prose and goes_on:
            lines[-1] += " " + line
        else:
            lines.append(line)
        goes_on = is_prose and lines[-2:-1] != [".TP"]
    return "\n".join(lines) + "\n"


class ManualTest(snl.CommandLineTest):
    def path(self, command):
        section = 8 if command == "serve" else 1
        return snl.MANUAL / f"man{section}" / f"{'-'.join(['snl', *command.split()])}.{section}"

    def page(self, command):
        return plain(self.path(command).read_text(encoding="utf-8"))

    def section(self, command, title):
        return self.page(command).partition(f".SH {title}\n")[2].partition("\n.SH ")[0]

    def parts(self, command):
        """The commands that a command's help lists."""
        listed = self.snl("help", *command.split()).partition("Subcommands:\n")[2].partition("\n\n")[0]
        return re.findall(r"(?m)^  (\w\S*)", listed)

    def commands(self):
        """Every command, as its help is asked for; groups too."""
        todo = self.parts("")
        for command in todo:
            todo += [f"{command} {part}" for part in self.parts(command)]
        self.assertGreater(len(todo), 30)
        return todo

    def options(self, command):
        """The contents of the command's help: its options by all their names, and its operands."""
        text = self.snl("help", *command.split())
        names = [names.split(",") for names in re.findall(r"(?m)^  (-\S+)", text)]
        operands = re.findall(r"(?m)^  ([A-Z]+) ", text.partition("Positionals:\n")[2].partition("\n\n")[0] + " ")
        return names, operands


class EveryCommand(ManualTest):
    def test_has_a_page_and_no_other_has(self):
        wanted = {self.path(command) for command in ["", *self.commands()]} | {
            snl.MANUAL / "man5" / page for page in ("snl-store.5", "snl-board.5")}
        self.assertEqual({path for path in snl.MANUAL.rglob("*") if path.is_file()}, wanted)

    def test_of_the_program_keeps_the_capitals_of_the_game(self):
        self.assertIn("Snakes and Ladders: play", self.section("", "NAME"))

    def test_is_described_alike_in_help_manual_and_completion(self):
        offered = dict(line.split("\t") for line in self.snl("__complete", "").splitlines()[:-1])
        for command in self.commands():
            with self.subTest(command):
                about = self.snl("help", *command.split()).splitlines()[0]
                self.assertIn(about, self.section(command, "DESCRIPTION"))
                self.assertIn((about[0].lower() + about[1:]).removesuffix("."), self.section(command, "NAME"))
                if command in offered:
                    self.assertEqual(offered[command], about)
                self.assertIn("snl " + command, self.section(command, "SYNOPSIS"))

    def test_has_every_option_in_help_manual_and_completion(self):
        for command in self.commands():
            with self.subTest(command):
                options, operands = self.options(command)
                listed = self.section(command, "OPTIONS")
                offered = {line.split("\t")[0] for line in self.snl("__complete", *command.split(), "-").splitlines()[:-1]}
                for names in options:
                    self.assertIn("\n" + ", ".join(names), "\n" + listed)
                    if "--help" not in names:
                        self.assertLessEqual(set(names), offered)
                for name in SHARED:
                    self.assertIn(name, listed)
                    self.assertIn(name, offered)
                known = {name for names in options for name in names} | set(SHARED)
                self.assertLessEqual(offered, known)
                for line in re.findall(r"(?m)^  (-.*)$", self.snl("help", *command.split())):
                    self.assert_described_alike(line, listed)
                for operand in operands:
                    self.assertIn(f".TP\n{operand}\n", self.section(command, "OPERANDS"))
                    self.assertIn(operand, self.section(command, "SYNOPSIS"))

    def assert_described_alike(self, line, listed):
        """The manual has all that the help says about an option besides its names: its value, and related options."""
        names, value = re.match(r"(-\S+)(?: (?!Excludes:|Needs:|REQUIRED)(\S+))?", line).groups()
        words = re.search(r":\{(.*)\}$", value or "")
        term = ", ".join(names.split(",")) + (f" {value.removesuffix(words[0]) if words else value}" if value else "")
        self.assertIn(f"\n{term}\n", listed)
        about = listed.partition(f"\n{term}\n")[2].partition("\n.TP")[0]
        if words:
            self.assertIn(f"One of: {', '.join(words[1].split(','))}.", about)
        self.assertEqual("Required." in about, "REQUIRED" in line)
        for how in ("Excludes", "Needs"):
            others = re.search(rf" {how}: ((?:-\S+ ?)+)", line)
            told = re.search(rf" {how}: (.*?)\.", about)
            self.assertEqual(set(told[1].split(", ")) if told else set(), set(others[1].split()) if others else set(), line)

    def test_has_the_same_words_after_its_options_in_help_and_in_the_manual(self):
        for command in ["", *self.commands()]:
            with self.subTest(command):
                after = self.snl("help", *command.split()).rpartition("\n\n")[2]
                if not re.match(r"\s*\w+:\n", after):
                    said = " ".join(re.sub(r"(?m)^\.(PP|RS 4|EX|EE|RE)$", " ", self.section(command, "DESCRIPTION")).split())
                    self.assertIn(" ".join(after.split()), said)

    def test_points_to_no_place_on_the_page(self):
        """A text that is above another in the help may be below it in the manual."""
        for command in self.commands():
            self.assertNotRegex(self.section(command, "OPTIONS"), r"\b(above|below)\b")

    def test_tells_what_each_option_is_for_as_help_does(self):
        listed = " ".join(self.section("roll", "OPTIONS").split())
        self.assertIn("-n N N turns; stops at a win.", listed)
        self.assertRegex(self.section("export", "OPTIONS"), r"One of: jsonl(, \w+)+\.")

    def test_is_in_the_list_of_the_first_page(self):
        listed = self.section("", "COMMANDS")
        for command in self.parts(""):
            self.assertIn(f"snl-{command}({8 if command == 'serve' else 1})", listed)
        for group in ("board", "db"):
            for part in self.parts(group):
                self.assertIn(f"snl-{group}-{part}(1)", self.section(group, "COMMANDS"))

    def test_has_its_exit_codes_and_the_program_its_environment(self):
        for command in ["", *self.commands()]:
            codes = re.findall(r"(?m)^\.TP\n(\d+)$", self.section(command, "EXIT STATUS"))
            self.assertEqual(codes, ["0", "1", "2", "3", "4", "5", "6", "130"])
        for name in ("SNL_DB", "XDG_DATA_HOME", "HOME", "NO_COLOR", "TERM", "LC_ALL", "SNL_PAGER", "PAGER"):
            self.assertIn(name, self.section("", "ENVIRONMENT"))
        self.assertIn(".local/share/snl/snl.db", self.section("", "FILES"))

    def test_is_named_where_it_ends_with_what_is_not_sound(self):
        """Exit code 4 is promised for the commands that answer it, and for no others."""
        self.snl("new", "Ann", "Bob", "--id", "cup", "--seed", "1")
        self.snl("roll", "cup", "-n", "3")
        lines = self.snl("export", "cup")
        (self.folder / "forged.jsonl").write_text(lines.replace('"Ann"', '"Eve"'), encoding="utf-8")
        database = sqlite3.connect(self.store)
        triggers = database.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            database.execute(f"DROP TRIGGER {name}")
        database.execute("UPDATE commits SET command = 'x' WHERE version = 3")
        for _, sql in triggers:
            database.execute(sql)
        database.commit()
        database.close()
        shutil.copy(self.store, self.folder / "forged.db")
        forged = {
            "audit": ("audit",), "export": ("export", "cup"), "import": ("--db", "other.db", "import", "forged.jsonl"),
            "db backup": ("db", "backup", "copy.db"),
            "db copy": ("db", "copy", self.folder / "forged.db", self.folder / "to.db"),
            "db restore": ("--db", "new.db", "db", "restore", "forged.db"),
        }
        damaged = {"db check": ("db", "check"), "db compact": ("db", "compact")}
        for unsound in (forged, damaged):
            for words in unsound.values():
                with self.subTest(words):
                    self.assertEqual(self.run_snl(*words).code, 4)
            with open(self.store, "r+b") as file:
                file.seek(8192)
                file.write(b"\xa5" * 4096)
        said = [self.section("audit", "EXIT STATUS").partition(".TP\n4\n")[2].partition(".TP")[0],
                re.search(r"(?m)^\| 4 \|(.*)$", (snl.TESTS.parent / "cli" / "README.md").read_text(encoding="utf-8"))[1]]
        for words in said:
            named = set(re.findall(r"\b(?:audit|export|import|db \w+)\b", words.replace("`", "")))
            self.assertEqual(named, set(forged | damaged), words)

    def test_names_the_version_of_the_program(self):
        version = self.snl("--version").split()[1]
        self.assertRegex(self.page(""), rf'\n\.TH "SNL" "1" "\d{{4}}-\d\d-\d\d" "snl {re.escape(version)}" "User Commands"\n')


class WhoRunsAServer(ManualTest):
    def test_finds_in_its_page_what_the_readme_says(self):
        page = self.path("serve").read_text(encoding="utf-8")
        for heading, words in (("A class in one room", ("\\-\\-listen 0.0.0.0:8080",)),
                               ("Behind a domain", ("proxy_pass http://127.0.0.1:8080;", "X\\-Forwarded\\-For")),
                               ("As a service", ("SNL_SERVE_OPTIONS=", "/etc/default/snl\\-serve", "systemctl enable")),
                               ("In a container", ("docker run", "never the file alone")),
                               ("On PostgreSQL", ("SNL_DB=postgresql://", "snl\\-store(5)"))):
            part = page.partition(f".SH {heading}\n")[2].partition("\n.SH ")[0]
            for word in words:
                self.assertIn(word, part, heading)
        self.assertNotIn("README", page)

    def test_is_sent_to_no_document_that_packages_do_not_have(self):
        """No text of the program names a file of the sources."""
        root = snl.TESTS.parent
        for path in sorted(path for folder in ("cli", "domain", "storage") for path in (root / folder).rglob("*.[ch]pp")):
            if path.parent.name == "manual":
                continue  # what runs in the build
            code = re.sub(r"(?m)//.*$", "", path.read_text(encoding="utf-8"))
            self.assertEqual(re.findall(r'"(?:[^"\\\n]|\\.)*(?:README|\.md\b)(?:[^"\\\n]|\\.)*"', code), [], path)


class ThePages(snl.CommandLineTest):
    def pages(self):
        pages = sorted(snl.MANUAL.glob("man*/*"))
        self.assertGreater(len(pages), 30)
        return pages

    def test_can_be_read_without_a_warning(self):
        if not shutil.which("mandoc"):
            self.skipTest("mandoc isn't installed: cli/install-packages test")
        done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", *map(str, self.pages())], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.assertEqual(done.stdout, "")

    def test_can_be_laid_out_in_80_columns_without_a_warning(self):
        if not shutil.which("man"):
            self.skipTest("man isn't installed: cli/install-packages test")
        for path in self.pages():
            with self.subTest(path.name):
                done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", path], text=True, check=False,
                                      env=self.environment | {"MANWIDTH": "80", "MANROFFSEQ": ""}, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.PIPE)
                # On a terminal a page has no end: groff makes it longer as it comes there, with a warning about tables.
                warnings = [line for line in done.stderr.splitlines() if "will not fit on one page" not in line]
                self.assertEqual((done.returncode, warnings), (0, []))

    def test_fits_80_columns(self):
        """But for stored bytes, which snl-store(5) shows as they are."""
        if not shutil.which("man"):
            self.skipTest("man isn't installed: cli/install-packages test")
        for path in self.pages():
            with self.subTest(path.name):
                text = path.read_text(encoding="utf-8")
                if path.name == "snl-store.5":
                    text = re.sub(r"(?ms)^\.EX\n.*?^\.EE\n", "", text)
                page = self.folder / path.name
                page.write_text(text, encoding="utf-8")
                done = subprocess.run(["man", "-E", "UTF-8", "-l", "-Tutf8", page], text=True, check=False, stdout=subprocess.PIPE,
                                      env=self.environment | {"MANWIDTH": "80", "MANROFFSEQ": "t", "GROFF_NO_SGR": "1", "PAGER": "cat"})
                lines = re.sub(r".\x08", "", done.stdout).splitlines()
                self.assertGreater(len(lines), 20)
                self.assertEqual([line for line in lines if len(line) > 80], [])

    def test_of_the_format_has_all_that_its_specification_has(self):
        text = plain((snl.MANUAL / "man5" / "snl-store.5").read_text(encoding="utf-8"))
        storage = snl.TESTS.parent / "storage"
        specification = (storage / "format.md").read_text(encoding="utf-8").partition("# The format\n")[2]
        specification += "## Audit\n" + (storage / "proving.md").read_text(encoding="utf-8").partition("\n## Audit\n")[2]
        words = lambda text: re.sub(r"[^\w]+", " ", text)
        said = words(re.sub(r"(?m)^(\.\w+( \w+)*( \\\(bu 2)?|T[{}]\t?(T\{)?)$", " ", text))
        places = (storage / "sqlite" / "README.md").read_text(encoding="utf-8")
        specification += "## Where a store may live\n" + places.partition("\n## Where a store may live\n")[2].partition("\n## ")[0]
        headings = re.findall(r"(?m)^##+ (.*)$", specification)
        self.assertGreater(len(headings), 8)
        for heading in headings:
            self.assertIn(f" {heading.replace('`', '')}\n", text)
        fenced = re.findall(r"(?ms)^```[\w-]*\n(.*?)^```$", specification)
        self.assertGreater(len(fenced), 2)
        for block in fenced:
            for line in block.splitlines():
                self.assertIn(words(line).strip(), said)
        for lead in re.findall(r"(?m)^- \*\*([^*`]*)\*\*", specification):
            self.assertIn(words(lead).strip(), said)
        for cell in re.findall(r"(?m)^\| `([^`]*)` \|", specification):
            self.assertIn(cell, text)

    def test_of_board_files_has_every_form_and_what_it_shows_is_read(self):
        text = plain((snl.MANUAL / "man5" / "snl-board.5").read_text(encoding="utf-8"))
        readme = (snl.TESTS.parent / "storage" / "exchange" / "README.md").read_text(encoding="utf-8")
        parts = re.split(r"(?m)^### (.*)$", readme.partition("\n## Board files\n")[2].partition("\n## ")[0])[1:]
        boards = {}
        for form, part in zip(parts[::2], parts[1::2], strict=True):
            [shown] = re.findall(r"(?ms)^```\n(.*?)^```$", part)
            self.assertIn(f" {form.replace(chr(39), '')}\n", text.replace("\\(aq", "").replace("'", ""))
            for line in shown.splitlines():
                self.assertIn(line, text)
            boards[form] = self.snl("board", "convert", "-", "--to", "snl", input=shown)
        self.assertEqual(len(boards), 6)
        self.assertEqual(boards["snl"], '{"cells":100,"width":10,"snakes":[[17,7]],"ladders":[[3,22]]}\n')
        square = '{"cells":9,"width":3,"snakes":[],"ladders":[[2,8],[5,9]]}\n'
        self.assertEqual([boards[form] for form in ("matrix", "entries")], [square, square])
        self.assertIn('"ladders":[[2,8],[5,9]]', boards["moves"])
        self.assertIn('"snakes":[[56,33]],"ladders":[[3,54],[37,100]]', boards["The text of HackerRank's problem"])
        self.assertIn('"snakes":[[16,6]],"ladders":[[1,38]]', boards["Lines of ladders and chutes"])

    def test_says_how_a_store_on_postgresql_is_looked_after(self):
        text = (snl.MANUAL / "man5" / "snl-store.5").read_text(encoding="utf-8")
        part = text.partition(".SH A store on PostgreSQL\n")[2].partition("\n.SH ")[0]
        for word in ("pg_dump", "VACUUM", "snl.admit", "Replication", "synchronous_standby_names"):
            self.assertIn(word, part)


if __name__ == "__main__":
    snl.main()
