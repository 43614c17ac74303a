"""The headers' comments can be made pages of without a warning, and the pages have what is declared."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PATIENCE = 600


class ApiPages(unittest.TestCase):
    def setUp(self):
        if not shutil.which("doxygen"):
            if os.environ.get("CI") == "true":
                self.fail("doxygen isn't installed: cli/install-packages test")
            self.skipTest("doxygen isn't installed: cli/install-packages test")
        folder = tempfile.TemporaryDirectory(prefix="snl-api-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_doxygen(self, *settings):
        """As the target api_pages does, pages and all, but into a folder of the test's own."""
        text = pathlib.Path(os.environ["SNL_DOXYFILE"]).read_text(encoding="utf-8")
        text += "\n".join(["", f"OUTPUT_DIRECTORY = {self.folder}", *settings]) + "\n"
        return subprocess.run(["doxygen", "-"], input=text, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=PATIENCE, check=False)

    def test_are_made_without_a_warning(self):
        done = self.run_doxygen()
        self.assertEqual((done.stdout, done.returncode), ("", 0))
        made = {path.name for path in (self.folder / "html").iterdir()}
        front = (self.folder / "html" / "index.html").read_text(encoding="utf-8")
        self.assertIn("These pages show the declarations in its headers", front)
        for header in re.findall(r"^\| (\S+\.hpp) ", (ROOT / "cli/manual/front_page.md").read_text(encoding="utf-8"), re.M):
            self.assertRegex(front, rf'<a [^>]*href="[^"]*"[^>]*>{re.escape(header)}</a>')
        for header in [*ROOT.glob("domain/**/*.hpp"), *ROOT.glob("storage/**/*.hpp"), *ROOT.glob("cli/drawing/*.hpp")]:
            name = header.stem.replace("_", "__") + "_8hpp.html"
            self.assertTrue(any(file.endswith(name) for file in made), header)
        for name in ("classsnl_1_1Match.html", "classsnl_1_1MemoryStore.html", "classsnl_1_1Board.html"):
            self.assertIn(name, made)

    def test_would_not_be_of_a_comment_that_is_wrong(self):
        (self.folder / "bad.hpp").write_text("/// @param there is no such parameter\nint f(int x);\n", encoding="utf-8")
        done = self.run_doxygen(f"INPUT = {self.folder}/bad.hpp")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("bad.hpp:1", done.stdout)


if __name__ == "__main__":
    if "SNL_DOXYFILE" not in os.environ:
        sys.exit("set SNL_DOXYFILE to the settings that the build writes")
    unittest.main()
