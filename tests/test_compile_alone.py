"""Goal: compile_alone.py finds the source that leans on its batch, or hides a name in it. Method: a build of two
sources in one batch.

    test_compile_alone.py      with CXX in the environment
"""

import contextlib
import io
import json
import os
import pathlib
import tempfile
import unittest

import compile_alone

LENDER = "#include <string>\nusing Name = std::string;\n"


class Sources(unittest.TestCase):
    def outcome(self, second):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as said:
            at = pathlib.Path(folder)
            (at / "first.cpp").write_text(LENDER, encoding="utf-8")
            (at / "second.cpp").write_text(second, encoding="utf-8")
            batch = at / "unity_0_cxx.cxx"
            batch.write_text(f'#include "{at}/first.cpp"\n\n#include "{at}/second.cpp"\n', encoding="utf-8")
            command = f"{os.environ['CXX']} -std=gnu++20 -Wshadow -Wno-shadow -Werror -fsanitize=address -MD -MT b.o -MF b.o.d -o b.o -c {batch}"
            entry = {"directory": folder, "command": command, "file": str(batch)}
            (at / "compile_commands.json").write_text(json.dumps([entry]), encoding="utf-8")
            failed = compile_alone.main(folder, [folder], 2)
            self.assertEqual(sorted(path.suffix for path in at.iterdir()), [".cpp", ".cpp", ".cxx", ".json"])
        return failed, said.getvalue()

    def test_that_include_what_they_use_compile(self):
        failed, said = self.outcome('#include <string>\nstd::string name() { return "Ann"; }\n')
        self.assertIsNone(failed)
        self.assertIn("2 of 2 sources compile alone", said)

    def test_that_lean_on_their_batch_are_named(self):
        failed, said = self.outcome('Name name() { return "Ann"; }\n')
        self.assertEqual(failed, 1)
        self.assertIn("second.cpp doesn't compile alone:", said)
        self.assertIn("'Name'" if "'Name'" in said else "‘Name’", said)
        self.assertIn("1 of 2 sources compile alone", said)

    def test_that_hide_a_name_are_named(self):
        failed, said = self.outcome("struct Throw {\n  int dice;\n  int twice() { int dice = 2; return dice; }\n};\n")
        self.assertEqual(failed, 1)
        self.assertIn("second.cpp doesn't compile alone:", said)
        self.assertIn("shadows a", said)

    def test_without_batches_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "compile_commands.json").write_text("[]", encoding="utf-8")
            self.assertIn("has no batches of domain", compile_alone.main(folder, ["domain"], 1))


if __name__ == "__main__":
    unittest.main()
