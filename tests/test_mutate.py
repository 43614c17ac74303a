"""Goal: tests/mutate makes the changes that its lists say, or says why it can't. Method: its functions, on made-up
sources. One of them is built."""

import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

PROGRAM = pathlib.Path(__file__).with_name("mutate")


def load():
    loader = importlib.machinery.SourceFileLoader("mutate", str(PROGRAM))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutate", loader))
    sys.modules["mutate"] = module
    loader.exec_module(module)
    return module


mutate = load()
SOURCE = "int f(int a) {\n  if (a <\n      3) g();\n  h();\n  return a;\n}\n"


def change(text):
    return mutate.Change("area", "list:1", "f.cpp", ["unit"], text)


def switch(change):
    return f"::snl_mutate::is_on(0x{change.number})"


class AChange(unittest.TestCase):
    def test_of_an_expression_is_a_choice(self):
        less = change("if (⟦a < 3 ⇒ a <= 3⟧) g();")
        made = mutate.with_switches(SOURCE, [less])
        self.assertIn(f"if (({switch(less)} ? (a <= 3) : (a <\n      3))) g();", made)

    def test_of_statements_is_a_branch(self):
        none = change("⟪h(); ⇒ ⟫ return a;")
        made = mutate.with_switches(SOURCE, [none])
        self.assertIn(f"if ({switch(none)}) {{  }} else {{ h(); }}\n  return a;", made)

    def test_leaves_all_else_as_it_is(self):
        both = [change("return ⟦a ⇒ -a⟧;"), change("⟪h(); ⇒ ⟫")]
        made = mutate.with_switches(SOURCE, both)
        self.assertTrue(made.startswith("int f(int a) {\n  if (a <\n      3) g();\n"))
        self.assertIn(f"return ({switch(both[0])} ? (-a) : (a));", made)
        self.assertIn(f"if ({switch(both[1])})", made)

    def test_has_a_number_of_its_own_wherever_it_stands(self):
        first = change("return ⟦a ⇒ -a⟧;")
        moved = mutate.Change("other", "list:9", "f.cpp", ["other"], first.text)
        elsewhere = mutate.Change("area", "list:1", "g.cpp", ["unit"], first.text)
        self.assertEqual(first.number, moved.number)
        self.assertEqual(len({first.number, change("⟪h(); ⇒ ⟫").number, elsewhere.number}), 3)
        self.assertRegex(first.number, "^[0-9a-f]{8}$")

    def test_of_what_another_changes_too_is_one_more_choice(self):
        one, other = change("return ⟦a ⇒ -a⟧;"), change("return ⟦a ⇒ 0⟧;")
        made = mutate.with_switches(SOURCE, [one, other])
        self.assertIn(f"return ({switch(one)} ? (-a) : {switch(other)} ? (0) : (a));", made)
        none, twice = change("⟪h(); ⇒ ⟫"), change("⟪h(); ⇒ h(); h();⟫")
        made = mutate.with_switches(SOURCE, [none, twice])
        self.assertIn(f"if ({switch(none)}) {{  }} else if ({switch(twice)}) {{ h(); h(); }} else {{ h(); }}", made)

    def test_is_switched_on_by_its_number_but_never_while_the_program_is_compiled(self):
        other = change("return ⟦a + 1 ⇒ a + 2⟧;")
        source = ("constexpr int f(int a) { return a + 1; }\nstatic_assert(f(1) == 2);\n"
                  "int main(int n, char**) { return f(n); }\n")
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program"
            subprocess.run([os.environ.get("CXX", "c++"), "-std=c++23", "-x", "c++", "-", "-o", program], check=True,
                           text=True, input=mutate.SWITCH + mutate.with_switches(source, [other]))
            codes = [subprocess.run([program], env={"SNL_MUTANT": number}, check=False).returncode
                     for number in ("", other.number)]
        self.assertEqual(codes, [2, 3])

    def test_that_stands_nowhere_or_twice_is_named(self):
        for text, count in (("⟦b ⇒ c⟧", 0), ("⟦a ⇒ b⟧", 3)):
            with self.assertRaisesRegex(mutate.Fault, f"list:1: stands {count} times in f.cpp"):
                mutate.with_switches(SOURCE, [change(text)])

    def test_within_a_literal_is_named(self):
        with self.assertRaisesRegex(mutate.Fault, "list:1: stands within a literal: a = 1"):
            change('"... ⟦a = 1 ⇒ a = 2⟧"').find("""f('"', "\\"... a = 1");""")
        self.assertEqual(change("⟦a ⇒ b⟧").find("""f('"', "\\"", a);""")[0], 13)

    def test_within_another_is_named(self):
        with self.assertRaisesRegex(mutate.Fault, "changes a part of what another change changes"):
            mutate.with_switches(SOURCE, [change("if (⟦a < 3 ⇒ true⟧) g();"), change("if (⟦a ⇒ b⟧ < 3)")])

    def test_that_says_no_change_is_named(self):
        with self.assertRaisesRegex(mutate.Fault, "no ⟦before ⇒ after⟧"):
            change("return a;").parts()


class AList(unittest.TestCase):
    def read(self, text):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(mutate, "ROOT", pathlib.Path(folder)):
            (mutate.ROOT / "README.md").touch()
            path = mutate.ROOT / "area.txt"
            path.write_text(text, encoding="utf-8")
            return mutate.changes_of(path)

    def test_has_files_their_tests_and_changes(self):
        first, second = self.read("# remark\nREADME.md: a b\n  ⟦x ⇒ y⟧\n  ⟦z ⇒ ⟧\n  = nobody sees it\n")
        self.assertEqual((first.area, first.file, first.tests, first.text, first.reason),
                         ("area", "README.md", ["a", "b"], "⟦x ⇒ y⟧", ""))
        self.assertEqual((second.text, second.reason), ("⟦z ⇒ ⟧", "nobody sees it"))

    def test_of_a_file_that_is_not_there_is_named(self):
        with self.assertRaisesRegex(mutate.Fault, "not FILE: TESTS, or no such file"):
            self.read("nowhere.cpp: a\n  ⟦x ⇒ y⟧\n")


class ATest(unittest.TestCase):
    def failed(self, script, number="", case=""):
        with tempfile.TemporaryDirectory() as folder:
            return mutate.Test("unit", ["sh", "-c", script, "sh"], folder, ["SETTING=7"]).run(number, case)

    def test_passes_by_its_exit_code(self):
        self.assertIsNone(self.failed("exit 0"))
        self.assertEqual(self.failed("exit 1"), "?")
        self.assertEqual(self.failed("kill -SEGV $$"), "?")

    def test_says_which_case_failed(self):
        boost = 'f.cpp(3): error: in "a_suite/a_case": check a == b has failed'
        typed = 'fatal error: in "a_suite/a_case<snl__test__InMemory>": check'
        python = "FAIL: test_it (__main__.AClass.test_it) (kind=2)"
        self.assertEqual(self.failed(f"echo '{boost}'; exit 201"), "a_suite/a_case")
        self.assertEqual(self.failed(f"echo '{typed}'; exit 201"), "a_suite/a_case*")
        self.assertEqual(self.failed(f"echo '{python}'; exit 1"), "AClass.test_it")

    def test_can_be_one_case_alone(self):
        self.assertIsNone(self.failed('test "$*" = --run_test=a_suite/a_case', case="a_suite/a_case"))

    def test_knows_which_change_is_switched_on_and_its_own_settings(self):
        self.assertIsNone(self.failed('test "$SNL_MUTANT $SETTING" = "0000002a 7"', "0000002a"))

    def test_that_hangs_fails_and_is_ended_with_all_that_it_began(self):
        with unittest.mock.patch.object(mutate, "SECONDS_FOR_A_TEST", 0.2):
            self.assertEqual(self.failed("sleep 600 & wait"), "?")

    def test_gets_no_more_memory_than_it_may_have(self):
        with unittest.mock.patch.object(mutate, "MOST_BYTES", 1 << 26):
            self.assertIsNotNone(self.failed(f"{sys.executable} -c 'bytearray(1 << 28)'"))


class AKiller(unittest.TestCase):
    def killer(self, tests, known=None):
        with tempfile.TemporaryDirectory() as folder:
            killers = mutate.Killers(pathlib.Path(folder) / "killers.json")
            wanted = change("return ⟦a ⇒ -a⟧;")
            wanted.tests = list(tests)
            if known:
                killers.remember(wanted, *known)
            return mutate.killer_of(wanted, tests, killers)

    def test_is_the_first_test_that_fails(self):
        asked = []
        test = lambda name, fails: unittest.mock.Mock(run=lambda *case: asked.append((name, *case[1:])) or fails,
                                                      has=lambda case: case == "b")
        tests = {"first": test("first", None), "second": test("second", "a/case"), "third": test("third", "?")}
        self.assertEqual(self.killer(tests), ("second", "a/case"))
        self.assertEqual(asked, [("first",), ("second",), ("second", "a/case")])

    def test_is_none_that_fails_but_once(self):
        said = iter(["a/case", None, None])
        busy = unittest.mock.Mock(run=lambda *case: next(said))
        self.assertIsNone(self.killer({"busy": busy}))
        self.assertEqual(list(said), [])

    def test_that_is_known_is_tried_first_and_decides_nothing(self):
        asked = []
        test = lambda name, fails: unittest.mock.Mock(run=lambda *case: asked.append((name, *case[1:])) or fails,
                                                      has=lambda case: case == "b")
        self.assertEqual(self.killer({"first": test("first", None), "second": test("second", "b")}, ("second", "b")),
                         ("second", "b"))
        self.assertEqual(asked, [("second", "b")])
        self.assertIsNone(self.killer({"first": test("first", None)}, ("first", "b")))
        self.assertIsNone(self.killer({"first": test("first", None)}, ("first", "renamed")))
        self.assertIsNone(self.killer({"first": test("first", None)}, ("gone", "b")))

    def test_is_a_case_that_passes_where_nothing_is_changed(self):
        with tempfile.TemporaryDirectory() as folder:
            test = mutate.Test("unit", ["sh", "-c", 'test "$*" = --run_test=a_case', "sh"], folder, [])
            self.assertTrue(test.has("a_case"))
            self.assertFalse(test.has("another"))
            self.assertFalse(test.has("?"))


class TheTable(unittest.TestCase):
    def test_is_bad_where_something_survived_without_a_reason(self):
        killed, excused, survivor = change("a"), change("b"), change("c")
        excused.reason = "nobody sees it"
        self.assertTrue(mutate.table([(killed, ("unit", "?")), (excused, None)], 1))
        self.assertFalse(mutate.table([(survivor, None)], 1))
        self.assertFalse(mutate.table([(excused, ("unit", "?"))], 1))  # it can be killed after all


if __name__ == "__main__":
    unittest.main()
