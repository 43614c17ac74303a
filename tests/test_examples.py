"""The programs in the READMEs that embed the engine work as described."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ROOT / "tests" / "consumer"
PATIENCE = 600


class Examples(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="snl-examples-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, name):
        done = subprocess.run([pathlib.Path(os.environ["SNL_EXAMPLES"]) / f"example_{name}"], cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_one_plays_saves_resumes_follows_and_proves(self):
        told = self.run_program("embed")
        self.assertEqual(self.run_program("embed"), told, "run again, it resumes what is over")
        lines = told.splitlines()
        self.assertRegex(lines[0], r"^Ann and Bob start on 100 cells|Ann.*Bob")
        self.assertRegex(lines[1], r"^1\. Ann rolls 6-3: 1 -> ")
        self.assertRegex(lines[-2], r"wins$")
        self.assertEqual(lines[-1], "sound")
        audited = subprocess.run([os.environ["SNL"], "--db", self.folder / "games.db", "audit", "final"], text=True,
                                 stdout=subprocess.PIPE, check=False)
        self.assertRegex(audited.stdout, rf"^Game final is sound: 1 game, {len(lines) - 2} turns in force\.\n")

    def test_one_keeps_its_game_in_memory(self):
        self.assertRegex(self.run_program("memory"), r"\Asound after \d+ turns\n\Z")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_one_draws_a_position(self):
        picture = xml.etree.ElementTree.fromstring(self.run_program("picture"))
        self.assertEqual(picture.tag, "{http://www.w3.org/2000/svg}svg")
        text = " ".join(picture.itertext())
        for name in ("Ann", "Bob"):
            self.assertIn(name, text)

    def test_the_first_is_under_thirty_lines(self):
        self.assertLess(len((SOURCES / "embed.cpp").read_text(encoding="utf-8").splitlines()), 30)

    def test_are_shown_in_a_readme_to_the_letter(self):
        blocks = [block for document in ROOT.glob("*/README.md")
                  for block in re.findall(r"(?ms)^```cpp\n(.*?)^```$", document.read_text(encoding="utf-8"))]
        for source in sorted(SOURCES.glob("*.cpp")):
            with self.subTest(source.name):
                self.assertIn(source.read_text(encoding="utf-8"), blocks)


if __name__ == "__main__":
    if "SNL_EXAMPLES" not in os.environ or "SNL" not in os.environ:
        sys.exit("set SNL_EXAMPLES to the folder of the programs, and SNL to the program snl")
    unittest.main()
