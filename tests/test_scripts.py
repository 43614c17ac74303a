"""Goal: the scripts that run tests choose what they say. Method: copies of them run, in a folder where cmake, ctest and
the installation of packages only write down how they are called. Those of .ci are called as nobody may call them.

    test_scripts.py
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent

CTEST = """#!/bin/sh
case " $* " in
  *" -N -L "*) echo "  Test #1: cli_sizes" ;;
  *" -N "*) printf '  Test  #1: cli_serve\\n  Test #10: cli_serve_answers\\n\\nTotal Tests: 2\\n' ;;
  *) echo "ctest $*" ;;
esac
"""

FAILURES = """\
 1/5 Test #45: cli_serve ......***Failed   1.25 sec
60% tests passed, 4 tests failed out of 5

The following tests did not run:
\t 51 - cli_pager (Skipped)

The following tests FAILED:
\t 45 - cli_serve (Failed)
\t  7 - domain_unit (Subprocess aborted)
\t  8 - storage_unit (SEGFAULT)
Errors while running CTest
"""


class Scripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "tests").mkdir()
        for preset in ("ci", "dev"):
            self.write(f"build/{preset}/tests/areas", "cli\nstorage\n")
        for name in ("cli/install-packages", "tests/browser/install", "programs/cmake"):
            self.write(name, f'#!/bin/sh\necho "{pathlib.Path(name).name} $*"\n')
        self.write("tests/with-terminals", '#!/bin/sh\nexec "$@"\n')
        self.write("programs/ctest", CTEST)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def run_script(self, name, *args, ci=""):
        shutil.copy(ROOT / "tests" / name, self.folder / "tests" / name)
        environment = os.environ | {"PATH": f"{self.folder}/programs:{os.environ['PATH']}", "CI": ci, "SNL_TEST_JOBS": "4"}
        return subprocess.run([self.folder / "tests" / name, *args], env=environment, capture_output=True, text=True, check=False)

    def assert_says(self, done, *lines):
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for line in lines:
            self.assertIn(line, done.stdout.splitlines())

    def test_run_leaves_out_what_takes_long(self):
        self.assert_says(self.run_script("run"), "install-packages build test", "install ", "cmake --build --preset ci --target tests",
                         "ctest --preset ci --parallel 4 --no-tests=error --label-exclude ^(slow|thorough)$")

    def test_run_of_the_whole_leaves_out_nothing(self):
        self.assert_says(self.run_script("run", "--whole"), "install-packages build test packaging",
                         "cmake --preset ci -DSNL_TEST_PACKAGES=ON", "cmake --build --preset ci --target tests_whole",
                         "ctest --preset ci --parallel 4 --no-tests=error")

    def test_run_of_a_folder_is_of_its_tests_that_take_seconds(self):
        self.assert_says(self.run_script("run", "storage/"), "cmake --build --preset dev --target tests_storage",
                         "ctest --preset dev --parallel 4 --no-tests=error --label-exclude ^(slow|thorough|lengthy)$ --label-regex ^(storage)$")
        self.assert_says(self.run_script("run", "--whole", "storage", ci="true"), "cmake --build --preset ci --target tests_storage_whole",
                         "ctest --preset ci --parallel 4 --no-tests=error --label-regex ^(storage)$")

    def test_run_of_a_test_is_of_it_alone(self):
        for name in ("cli_serve", "cli_serve_answers"):
            self.assert_says(self.run_script("run", name), f"cmake --build --preset dev --target {name}",
                             f"ctest --preset dev --parallel 4 --no-tests=error --tests-regex ^({name})$")

    def test_run_names_what_it_could_run(self):
        for args, said in ((("--hole",), "there is no --hole here"), *(((word,), f"{word} is neither a test nor one of the folders: cli storage") for word in ("cli_ser", "cli_serve.*"))):
            done = self.run_script("run", *args)
            self.assertEqual((done.returncode, done.stderr.splitlines()[0]), (2, f"tests/run: {said}"))

    def test_steady_counts_the_tests_that_failed_or_did_not_run(self):
        self.write("tests/run", f"#!/bin/sh\ncat <<'END'\n{FAILURES}END\nexit 8\n")
        done = self.run_script("steady", "2")
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertRegex(done.stdout.splitlines()[0], "^run 1 of 2: [0-9]+ s, 60% tests passed, 4 tests failed out of 5: "
                                                      "cli_pager cli_serve domain_unit storage_unit$")
        for name in ("cli_pager", "cli_serve", "domain_unit", "storage_unit"):
            self.assertIn(f"{name} failed in 2 of 2 runs: build/steady/1.log build/steady/2.log", done.stdout.splitlines())

    def test_steady_stops_where_no_test_ran(self):
        self.write("tests/run", "#!/bin/sh\necho no compiler\nexit 1\n")
        done = self.run_script("steady", "2")
        self.assertEqual((done.returncode, done.stdout), (1, "no compiler\n"))
        self.assertEqual(done.stderr, "tests/steady: run 1 failed before a test did: build/steady/1.log\n")

    def test_ci_wants_root_a_known_part_and_no_change_that_is_not_committed(self):
        nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
        for script in ("run", "whole"):
            shutil.copytree(ROOT / ".ci", self.folder / ".ci", dirs_exist_ok=True)
            self.folder.chmod(0o755)
            done = subprocess.run([*nobody, self.folder / ".ci" / script], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, f"/{script}: only root can make the bare Debian root .*: run it as root")
        if os.geteuid() != 0:
            return
        done = subprocess.run([self.folder / ".ci" / "whole", "source"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr),
                         (2, ".ci/whole: there is no part source; the parts are sources addresses threads root\n"))
        git = ["git", "-C", self.folder, "-c", "user.name=a", "-c", "user.email=a@localhost", "-c", "commit.gpgsign=false"]
        for words in (["init", "--quiet"], ["add", ".ci"], ["commit", "--quiet", "--message", "a"]):
            subprocess.run([*git, *words], check=True)
        (self.folder / ".ci" / "whole-passed").write_text("this file may differ\n")
        (self.folder / ".ci" / "run").write_text(f"{(ROOT / '.ci' / 'run').read_text()}\n")
        for script, groups in (("run", "build ci"), ("whole", "build test ci")):
            done = subprocess.run([self.folder / ".ci" / script], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn("what is tested is what is committed", done.stderr)
            self.assertEqual(done.stdout, f"== tools and libraries\ninstall-packages {groups}\n")


if __name__ == "__main__":
    unittest.main()
