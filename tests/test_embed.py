"""The build embeds files in the program unchanged, or fails with the reason: storage/embed.cmake."""

import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "storage" / "embed.cmake"


class WhatIsEmbedded(unittest.TestCase):
    def embed(self, template, ends_with=0, **texts):
        """The output for a template and files. The file names have a dot where the arguments have an
        underscore."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "template").write_text(template, encoding="utf-8")
            words = []
            for name, text in texts.items():
                path = folder / name.replace("_", ".")
                path.write_bytes(text.encode())
                words += [path.name, path]
            done = subprocess.run(["cmake", "-P", SCRIPT, folder / "template", folder / "output", *words],
                                  text=True, capture_output=True, check=False)
            self.assertEqual(done.returncode != 0, ends_with != 0, done.stderr)
            return " ".join(done.stderr.split()) if ends_with else (folder / "output").read_bytes().decode()

    def test_is_there_to_the_letter(self):
        odd = "a;b [c] \\n ${HOME} @x@ \"q\" 'q' #;;\n\tä→\U0001f3b2 \\\n"
        self.assertEqual(self.embed("f(@a.txt@, @b.js@);", a_txt=odd, b_js="1 < 2;"),
                         f'f(R"embedded({odd})embedded", R"embedded(1 < 2;)embedded");')

    def test_would_not_be_changed(self):
        self.assertIn("a.txt can't be embedded: CMake drops the CR", self.embed("@a.txt@", ends_with=1, a_txt="a\r\nb"))

    def test_would_not_end_its_literal(self):
        self.assertIn('a.txt can\'t be embedded: it has )embedded" in it',
                      self.embed("@a.txt@", ends_with=1, a_txt=')embedded"'))

    def test_would_not_end_the_element_that_it_stands_in(self):
        for name in ("a_js", "a_css"):
            for part in ("</script", "</style", "<!--"):
                self.assertIn(f"it has {part} in it", self.embed("@a.js@@a.css@", ends_with=1, **{name: part}))
        self.assertIn("</script", self.embed("@a.html@", a_html="<script></script>"))

    def test_has_a_place_in_its_template(self):
        self.assertIn("template has no @a.txt@", self.embed("@b.txt@", ends_with=1, a_txt=""))


if __name__ == "__main__":
    unittest.main()
