"""Goal: a test doesn't find a program that no listed package installs. Method: lists of packages made up, and
commands run.

    test_only_listed.py
"""

import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = pathlib.Path(__file__).resolve().parent / "only-listed"
loader = importlib.machinery.SourceFileLoader("only_listed", str(PROGRAM))
only_listed = importlib.util.module_from_spec(importlib.util.spec_from_loader("only_listed", loader))
loader.exec_module(only_listed)


def package(name, depends="", provides="", essential="no", priority="optional"):
    return {"Package": name, "db:Status-Status": "installed", "Essential": essential, "Priority": priority,
            "Pre-Depends": "", "Depends": depends, "Provides": provides}


class OnlyListed(unittest.TestCase):
    def test_packages_of_the_groups_that_are_named(self):
        text = "# a comment\nbuild g++\ntest  tmux\nci    lld-19\n"
        self.assertEqual(only_listed.listed(["build", "test"], text), {"g++", "tmux"})
        with self.assertRaises(SystemExit):
            only_listed.listed(["bulid"], text)

    def test_with_what_they_depend_on_and_what_every_debian_has(self):
        installed = [package("g++", "cpp (>= 4:12), gcc-12:amd64 | cc"), package("gcc-12", "binutils"), package("cpp"),
                     package("binutils"), package("make"), package("bash", essential="yes"),
                     package("mount", priority="required"), package("nodejs", provides="npm (= 9), node")]
        found = only_listed.with_dependencies({"g++", "npm", "zsh"}, installed)
        self.assertEqual(found, {"g++", "gcc-12", "cpp", "binutils", "bash", "mount", "nodejs"})

    def run_in_it(self, script):
        """Its output where an unlisted program is first on the PATH."""
        with tempfile.TemporaryDirectory() as folder:
            nobodys = pathlib.Path(folder, "snl-nobodys")
            nobodys.write_text("#!/bin/sh\necho here\n")
            nobodys.chmod(0o755)
            environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}
            return subprocess.run([PROGRAM, "build", "test", "--", "sh", "-c", script], env=environment,
                                  capture_output=True, text=True, check=False)

    def test_programs_are_found_and_no_others(self):
        done = self.run_in_it("for name in c++ cmake ctest python3 ls; do command -v $name; done | wc -l; snl-nobodys")
        self.assertEqual((done.stdout.strip(), done.returncode), ("5", 127))

    def test_programs_end_as_they_end(self):
        self.assertEqual(self.run_in_it("exit 7").returncode, 7)


if __name__ == "__main__":
    unittest.main()
