"""Goal: check_layers.py finds the faults that it checks. Method: it reads small programs, each with
one fault.

    test_check_layers.py
"""

import contextlib
import io
import pathlib
import tempfile
import unittest

import check_layers

LAYERS = {"domain": "", "storage": "domain", "cli/drawing": "domain"}
SOUND = {
    "domain/board.hpp": '#include <vector>\nnamespace [[gnu::visibility("default")]] snl {}\n',
    "domain/board.cpp": '#include "board.hpp"\n',
    "storage/log.cpp": '#include "domain/board.hpp"\n#include <openssl/sha.h>\n',
    "cli/drawing/picture.cpp": '#include "domain/board.hpp"\n#include <fmt/format.h>\n#include "made_by_the_build.hpp"\n',
}


class Layers(unittest.TestCase):
    def faults(self, changed):
        """The result for the sound program with other files in it."""
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            for name, text in (SOUND | changed).items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return check_layers.main(folder, LAYERS)

    def test_of_a_sound_program_are_whole(self):
        self.assertIsNone(self.faults({}))

    def test_are_found_to_be_crossed(self):
        for path, line, fault in (
            ("domain/board.hpp", '#include "storage/log.hpp"', "there is no storage/log.hpp"),
            ("domain/dice.cpp", '#include "cli/drawing/picture.cpp"', "domain may not include cli/drawing/picture.cpp"),
            ("domain/dice.cpp", '#include "../storage/log.cpp"', "domain may not include ../storage/log.cpp"),
            ("domain/dice.cpp", "#include <fmt/format.h>", "domain may not include fmt/format.h"),
            ("domain/dice.cpp", "#include <unistd.h>", "domain may not include unistd.h"),
            ("domain/dice.cpp", "# include <unknown>", "domain may not include unknown"),
            ("domain/dice.cpp", "#include DICE", "can't tell what is included"),
            ("storage/rows.cpp", "#include <sqlite3.h>", "storage may not include sqlite3.h"),
            ("cli/drawing/words.cpp", '#include "storage/log.cpp"', "cli/drawing may not include storage/log.cpp"),
            ("cli/drawing/words.cpp", "#include <CLI/CLI.hpp>", "cli/drawing may not include CLI/CLI.hpp"),
            ("server/main.cpp", "", None),
            ("cli/main.cpp", "", "cli is in no layer"),
        ):
            with self.subTest(path=path, line=line):
                said = self.faults({path: line + "\n"})
                if fault is None:
                    self.assertIsNone(said)
                else:
                    self.assertIn(fault, said or "")

    def test_link_to_what_is_visible(self):
        hidden = {"domain/board.hpp": "namespace snl {}\n"}
        self.assertIn("storage/log.cpp:1: domain/board.hpp is hidden in its library", self.faults(hidden) or "")
        inline = {"storage/log.cpp": '#include "domain/size.hpp"\n', "domain/size.hpp": "namespace snl {}\n"}
        self.assertIsNone(self.faults(inline))

    def test_that_may_be_used_and_are_not_are_taken_out(self):
        said = self.faults({"storage/log.cpp": "#include <string>\n"})
        self.assertEqual(said, "storage may include domain, and doesn't: take it out of the table")

    def test_have_one_type_of_a_name_that_a_header_defines(self):
        board = SOUND["domain/board.hpp"] + "struct Board {\n"
        for other, is_fault in (
            ("class Board : public Shape {", True),
            ("enum class Board : int {", True),
            ("using Board = int;", True),
            ("class Board::Builder {", False),
            ("struct Board;", False),
            ("  struct Board {", False),
        ):
            with self.subTest(other=other):
                said = self.faults({"domain/board.hpp": board, "domain/dice.cpp": other + "\n"})
                self.assertEqual("Board is several types" in (said or ""), is_fault, said)

    def test_of_no_files_at_all_are_a_fault(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertIn("has no C++ files", check_layers.main(folder, LAYERS))


if __name__ == "__main__":
    unittest.main()
