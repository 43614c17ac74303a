"""The promises of the tests themselves: a skipped test is a failure in CI, and is named."""

import subprocess
import sys

import snl

SKIPPED = """
import sys
sys.path.insert(0, sys.argv.pop())
import snl

class Completion(snl.CommandLineTest):
    def test_in_a_shell(self):
        self.skipTest("the shell isn't installed")

snl.main()
"""


class Skipping(snl.CommandLineTest):
    def run_a_test_that_is_skipped(self, **environment):
        (self.folder / "test_skipped.py").write_text(SKIPPED, encoding="utf-8")
        return subprocess.run([sys.executable, "-B", "test_skipped.py", str(snl.TESTS / "cli")], cwd=self.folder,
                              env=self.environment | {"SNL": snl.PROGRAM} | environment,
                              capture_output=True, text=True, timeout=snl.PATIENCE)

    def test_is_a_failure_in_ci_that_says_which_test_it_was(self):
        run = self.run_a_test_that_is_skipped(CI="true")
        self.assertEqual(run.returncode, 1, run)
        self.assertRegex(run.stderr, r"skipped.*test_in_a_shell.*the shell isn't installed")

    def test_is_none_elsewhere(self):
        run = self.run_a_test_that_is_skipped()
        self.assertEqual(run.returncode, 0, run)


if __name__ == "__main__":
    snl.main()
