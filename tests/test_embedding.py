"""Goal: another project embeds the libraries by what domain/README.md says. Method: its part about embedding is
followed from top to bottom: what it shows is put into files, its commands are run, what they print is compared.

    SNL=build/dev/cli/snl SNL_EMBEDDING=/tmp/embedding test_embedding.py

The folder SNL_EMBEDDING stays, so that a test that runs again builds what has changed. The libraries are built
without stores on PostgreSQL, as everything else isn't: a program of ours asks for one.
"""

import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "domain" / "README.md"
SOURCES = ROOT / "tests" / "consumer"
PATIENCE = 1200


WITHOUT = """
#include "storage/open_store.hpp"
#include "storage/store_error.hpp"

#include <iostream>

int main() {
  try {
    (void)snl::open_store("postgresql://me:secret@localhost/games", snl::for_reading);
  } catch (const snl::StoreError& error) {
    std::cout << error.what();
  }
}
"""


def blocks():
    """The fenced blocks of the part about embedding, each with its language."""
    part = PAGE.read_text(encoding="utf-8").partition("\n## To embed it")[2].partition("\n## ")[0]
    return re.findall(r"(?ms)^```(\w*)\n(.*?)^```$", part)


def write(path, text):
    """Leaves a file that is so already as old as it is."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


class ThePageForWhoEmbeds(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(os.environ["SNL_EMBEDDING"])
        self.folder.mkdir(parents=True, exist_ok=True)
        for name in ("games.db", "games.db-wal", "games.db-shm", "embed", "position.svg"):
            (self.folder / name).unlink(missing_ok=True)
        for name, target in (("snl", ROOT), ("bin", pathlib.Path(os.environ["SNL"]).resolve().parent)):
            if not (self.folder / name).is_symlink():
                (self.folder / name).symlink_to(target)
        # The page's commands leave open how its programs are compiled: so that it is done soon.
        self.environment = os.environ | {"PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "CMAKE_BUILD_TYPE": "None",
                                         "LC_ALL": "C.UTF-8"}

    def run_line(self, line):
        done = subprocess.run(["bash", "-c", line], cwd=self.folder, env=self.environment, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, f"{line}\n{done.stdout[-6000:]}{done.stderr[-3000:]}")
        return done.stdout

    def test_builds_and_runs_each_of_its_programs_to_the_letter(self):
        names = {path.read_text(encoding="utf-8"): path.name for path in SOURCES.glob("*.cpp")}
        shown = blocks()
        for language, text in shown:
            if language == "cpp" and text in names:
                write(self.folder / names[text], text)
        page, lists, ran = PAGE.read_text(encoding="utf-8"), "", 0
        for name in names.values():
            self.assertIn(f"`{name}`", page)
        for language, text in shown:
            if language == "cmake":
                lists += text
                continue
            for part in re.split(r"(?m)^\$ ", text)[1:] if text.startswith("$ ") else []:
                line, _, output = part.partition("\n")
                if line.startswith("cmake"):
                    added = "add_executable(without without.cpp)\ntarget_link_libraries(without PRIVATE snl::storage)\n"
                    write(self.folder / "CMakeLists.txt", lists + added)
                    write(self.folder / "without.cpp", WITHOUT)
                if line.startswith("cmake -G Ninja -B build"):
                    self.run_line("cmake -G Ninja -B build -DCMAKE_UNITY_BUILD=ON -DSNL_POSTGRESQL=OFF")
                printed = self.run_line(line)
                ran += 1
                if not line.startswith("cmake"):
                    self.assertEqual(printed, output)
        self.assertGreaterEqual(ran, 7)
        self.assertTrue((self.folder / "position.svg").read_text(encoding="utf-8").startswith("<svg"))
        self.assertIn("sound\n", self.run_line("./embed"))  # once more, where its match is over
        self.assertEqual(self.run_line("build/without"), "this snl was built without stores on PostgreSQL (SNL_POSTGRESQL=OFF); "
                                                         "name a file with --db, or build it with them")

    def test_says_first_that_a_language_that_is_too_old_is_one(self):
        """A compiler goes on, but what it says first is what matters."""
        for header in ("domain/engine.hpp", "storage/match.hpp", "storage/audit.hpp", "cli/drawing/position_svg.hpp"):
            done = subprocess.run([os.environ.get("CXX", "c++"), "-std=c++17", "-fsyntax-only", "-x", "c++", "-include", header, "-I", ROOT,
                                   "/dev/null"], text=True, capture_output=True, check=False)
            first = next(line for line in done.stderr.splitlines() if "error" in line)
            self.assertIn("snl needs C++23: compile with -std=c++23", first, header)

    def test_is_fast_where_nobody_says_how_it_is_built(self):
        folder = self.folder / "plain"
        folder.mkdir(exist_ok=True)
        write(folder / "CMakeLists.txt", "cmake_minimum_required(VERSION 3.25)\nproject(plain LANGUAGES CXX)\n"
                                         "add_subdirectory(../snl snl EXCLUDE_FROM_ALL)\n")
        del self.environment["CMAKE_BUILD_TYPE"]
        self.run_line("cmake -G Ninja -S plain -B plain/build -DSNL_POSTGRESQL=OFF")
        flags = re.findall(r"(?m)^  FLAGS = (.*)$", (folder / "build" / "build.ninja").read_text(encoding="utf-8"))
        self.assertGreater(len(flags), 20)
        self.assertEqual([one for one in flags if "-O3" not in one], [])


if __name__ == "__main__":
    if "SNL_EMBEDDING" not in os.environ or "SNL" not in os.environ:
        sys.exit("set SNL_EMBEDDING to a folder, and SNL to the program snl")
    unittest.main()
