"""Goal: tests/mutate makes the changes that its lists say, or says why it can't. Method: its functions, on made-up
sources; nothing is built."""

import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(__file__).with_name("mutate")


def load():
    loader = importlib.machinery.SourceFileLoader("mutate", str(PROGRAM))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutate", loader))
    sys.modules["mutate"] = module
    loader.exec_module(module)
    return module


mutate = load()
SOURCE = "int f(int a) {\n  if (a <\n      3) g();\n  h();\n  return a;\n}\n"


def change(text, number=7):
    return mutate.Change(number, "area", "list:1", "f.cpp", ["unit"], text)


class AChange(unittest.TestCase):
    def test_of_an_expression_is_a_choice(self):
        made = mutate.with_switches(SOURCE, [change("if (⟦a < 3 ⇒ a <= 3⟧) g();")])
        self.assertIn("if ((::snl_mutate::is_on(7) ? (a <= 3) : (a <\n      3))) g();", made)

    def test_of_statements_is_a_branch(self):
        made = mutate.with_switches(SOURCE, [change("⟪h(); ⇒ ⟫ return a;")])
        self.assertIn("if (::snl_mutate::is_on(7)) {  } else { h(); }\n  return a;", made)

    def test_leaves_all_else_as_it_is(self):
        both = [change("return ⟦a ⇒ -a⟧;", 2), change("⟪h(); ⇒ ⟫", 1)]
        made = mutate.with_switches(SOURCE, both)
        self.assertTrue(made.startswith("int f(int a) {\n  if (a <\n      3) g();\n"))
        self.assertIn("is_on(1)", made)
        self.assertIn("return (::snl_mutate::is_on(2) ? (-a) : (a));", made)

    def test_that_stands_nowhere_or_twice_is_named(self):
        for text, count in (("⟦b ⇒ c⟧", 0), ("⟦a ⇒ b⟧", 3)):
            with self.assertRaisesRegex(mutate.Fault, f"list:1: stands {count} times in f.cpp"):
                mutate.with_switches(SOURCE, [change(text)])

    def test_within_another_is_named(self):
        with self.assertRaisesRegex(mutate.Fault, "changes what another change changes"):
            mutate.with_switches(SOURCE, [change("if (⟦a < 3 ⇒ true⟧) g();"), change("if (⟦a ⇒ b⟧ < 3)")])

    def test_that_says_no_change_is_named(self):
        with self.assertRaisesRegex(mutate.Fault, "no ⟦before ⇒ after⟧"):
            change("return a;").parts()


class AList(unittest.TestCase):
    def read(self, text):
        with tempfile.TemporaryDirectory(dir=mutate.ROOT / "tests") as folder:
            path = pathlib.Path(folder) / "area.txt"
            path.write_text(text, encoding="utf-8")
            return mutate.changes_of(path, 1)

    def test_has_files_their_tests_and_changes(self):
        first, second = self.read("# remark\nREADME.md: a b\n  ⟦x ⇒ y⟧\n  ⟦z ⇒ ⟧\n  = nobody sees it\n")
        self.assertEqual((first.number, first.file, first.tests, first.text, first.reason), (1, "README.md", ["a", "b"], "⟦x ⇒ y⟧", ""))
        self.assertEqual((second.number, second.reason), (2, "nobody sees it"))

    def test_of_a_file_that_is_not_there_is_named(self):
        with self.assertRaisesRegex(mutate.Fault, "not FILE: TESTS, or no such file"):
            self.read("nowhere.cpp: a\n  ⟦x ⇒ y⟧\n")


class TheTable(unittest.TestCase):
    def test_is_bad_where_something_was_not_noticed_without_a_reason(self):
        noticed, excused, missed = change("a"), change("b"), change("c")
        excused.reason = "nobody sees it"
        self.assertTrue(mutate.table([(noticed, "unit"), (excused, None)], 1))
        self.assertFalse(mutate.table([(missed, None)], 1))
        self.assertFalse(mutate.table([(excused, "unit")], 1))  # it can be noticed after all


if __name__ == "__main__":
    unittest.main()
