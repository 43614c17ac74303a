"""Goal: .ci/run checks what a change may have broken. Method: lists of files in git's form.

    test_affected.py
"""

import unittest

import affected
from check_layers import LAYERS


class Affected(unittest.TestCase):
    labels = affected.labels_of_tests()

    def areas_of(self, *paths):
        return affected.affected_tests(list(paths), self.labels)

    def test_by_a_change_of_a_folder_is_all_that_includes_it(self):
        self.assertEqual(affected.affected_folders(["domain/engine.cpp"]), list(LAYERS))
        self.assertEqual(affected.affected_folders(["cli/terminal/pager.cpp"]),
                         ["cli/terminal", "cli/session", "cli/playback", "cli/page", "cli/exports", "cli/server",
                          "cli/server/network", "cli/server/pages", "cli/commands", "cli/manual", "cli"])
        self.assertEqual(affected.affected_folders(["cli/commands/list.cpp"]), ["cli/commands", "cli/manual", "cli"])

    def test_by_a_migration_is_its_store(self):
        self.assertIn("storage/sqlite", affected.affected_folders(["migrations/0004_x.sql"]))
        self.assertIn("storage/postgres", affected.affected_folders(["migrations/postgres/0004_x.sql"]))

    def test_are_those_of_an_inner_folder_where_they_have_its_label(self):
        self.assertEqual(self.areas_of("cli/commands/list.cpp"), ["commands", "fuzz", "manual", "reader"])
        self.assertEqual(self.areas_of("tests/storage/match_test.cpp"), ["fuzz", "reader", "storage"])
        self.assertEqual(self.areas_of("tests/cli/test_serve.py"), ["cli", "fuzz", "reader"])

    def test_by_what_tests_share_are_all_that_use_it(self):
        self.assertEqual(self.areas_of("tests/storage/testbed.cpp"), ["cli", "fuzz", "reader", "storage"])
        self.assertEqual(self.areas_of("tests/domain/generators.cpp"), ["analysis", "cli", "domain", "fuzz", "reader", "storage"])
        self.assertEqual(self.areas_of("tests/cases.hpp"), ["analysis", "cli", "domain", "fuzz", "reader", "storage"])

    def test_by_documents_pages_tests_and_scripts_of_ci_is_nothing(self):
        unheard = ["README.md", "storage/README.md", ".ci/run", "cli/packages.txt", "tests/browser/page_test.js", "tests/run",
                   "cli/page/game.js", "cli/server/pages/pages.css", "cli/server/pages/lobby.html"]
        self.assertEqual((affected.affected_folders(unheard), self.areas_of(*unheard)), ([], []))

    def test_by_the_build_or_by_what_is_not_known_is_everything(self):
        for paths in (["CMakePresets.json"], [".clang-tidy"], None):
            self.assertEqual(affected.affected_folders(paths), list(LAYERS))
        self.assertIsNone(affected.changed_since("0" * 40))
        self.assertIsNone(affected.changed_since(""))

    def test_leaves_no_folder_without_tests(self):
        for folder in LAYERS:
            self.assertNotEqual(self.areas_of(f"{folder}/x.cpp"), [], folder)


if __name__ == "__main__":
    unittest.main()
