"""Goal: `cmake --install` puts down all that a player and an embedder need, and nothing that points back
at the sources. Method: the build with static libraries is installed into a folder; other projects are
built against that, by find_package and by pkg-config.

    SNL_BUILD=build/dev test_install.py
"""

import os
import pathlib
import re
import subprocess
import tempfile

import installed
from installed import LIBRARIES, ROOT, run

BUILD = pathlib.Path(os.environ["SNL_BUILD"])


class AnInstallation(installed.InAFolder):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.prefix = pathlib.Path(folder.name) / "prefix"
        run("cmake", "--install", BUILD, "--prefix", cls.prefix)

    def files(self):
        return sorted(str(path.relative_to(self.prefix)) for path in self.prefix.rglob("*") if path.is_file())

    def library_folder(self):
        return next(self.prefix.glob("lib*/**/libsnl_domain.a")).parent

    def headers(self):
        base = self.prefix / "include" / "snl"
        return {str(path.relative_to(base)) for path in base.rglob("*.hpp")}

    def test_has_the_program_libraries_completions_service_and_package_files(self):
        files = self.files()
        for expected in [
            r"bin/snl",
            *(rf"lib.*/libsnl_{library}\.a" for library in LIBRARIES),
            r"lib.*/cmake/snl/snl-config\.cmake", r"lib.*/cmake/snl/snl-config-version\.cmake",
            r"lib.*/cmake/snl/snl-targets\.cmake", r"lib.*/cmake/snl/Findutf8proc\.cmake",
            r"lib.*/pkgconfig/snl\.pc",
            r"share/bash-completion/completions/snl", r"share/zsh/site-functions/_snl",
            r"share/fish/vendor_completions\.d/snl\.fish",
            r"lib/systemd/system/snl-serve\.service", r"share/doc/snl/examples/demo",
        ]:
            self.assertTrue(any(re.fullmatch(expected, name) for name in files), f"no {expected} in {files}")
        version = run(self.prefix / "bin" / "snl", "--version")
        self.assertRegex(version, r"^snl \d+\.\d+\.\d+ \(commit [0-9a-f]{12}\)\n$")

    def test_has_the_manual_page_of_each_command_and_of_the_format(self):
        written = {f"share/man/{path.parent.name}/{path.name}" for path in (BUILD / "man").glob("man*/*")}
        self.assertGreater(len(written), 30)
        self.assertIn("share/man/man5/snl-store.5", written)
        self.assertIn("share/man/man5/snl-board.5", written)
        self.assertEqual({name for name in self.files() if name.startswith("share/man/")}, written)

    def test_is_of_no_more_than_cli_run_builds(self):
        self.assertIn("--target installable\n", (ROOT / "cli" / "run").read_text())
        commands = run("ninja", "-C", BUILD, "-t", "commands", "installable")
        installed_here = [pathlib.Path(name).name for name in self.files()]
        for made in [name for name in installed_here if name.endswith(".a")] + ["cli/snl", "cli/manual/written"]:
            self.assertRegex(commands, rf"(?m)\b{re.escape(made)}(?: |$)")

    def test_of_a_program_whose_manual_was_not_built_says_what_to_type(self):
        build = self.folder / "build"
        run("cmake", "-G", "Ninja", "-S", ROOT, "-B", build, "-DSNL_BUILD_TESTS=OFF", f"-DCMAKE_CXX_COMPILER={installed.COMPILER}")
        (build / "cli" / "snl").touch()  # as cli/run builds it, alone
        told = run("cmake", "--install", build, "--prefix", self.folder / "to", "--component", "program", ends_with=1)
        self.assertIn(f"the manual isn't built: cmake --build {build}, then install again", " ".join(told.split()))

    def test_of_headers_is_whole(self):
        """Headers that an installed header includes are installed. An installed header exports its namespace, if it has
        one, and no other header does."""
        headers = self.headers()
        shown = {str(path.relative_to(ROOT)) for folder in ("domain", "storage", "cli")
                 for path in (ROOT / folder).rglob("*.hpp") if installed.VISIBLE.search(path.read_text())}
        self.assertEqual(headers - {"domain/language.hpp"}, shown)  # that has nothing but an error
        everything = self.folder / "everything.cpp"
        everything.write_text("".join(f'#include "{header}"\n' for header in sorted(headers)))
        run(installed.COMPILER, "-std=c++23", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
            f"-I{self.prefix}/include/snl", everything)

    def test_names_no_folder_of_the_sources(self):
        sources = re.compile(rf"(?:(?<![\w./}}-])|(?<=-[IL])){re.escape(str(ROOT))}(?![\w.-])")  # /snl isn't named by lib/cmake/snl
        for path in self.prefix.rglob("*"):
            if path.suffix in {".cmake", ".pc", ".hpp", ".service"}:
                self.assertNotRegex(path.read_text(), sources, path)
        service = (self.prefix / "lib/systemd/system/snl-serve.service").read_text()
        self.assertIn(f"ExecStart={self.prefix}/bin/snl serve", service)

    def test_is_found_by_cmake(self):
        self.assert_plays(self.build_with_cmake("consumer", self.prefix))

    def test_of_the_engine_alone_asks_for_no_other_package(self):
        run(self.build_with_cmake("engine_consumer", self.prefix))

    def test_is_found_by_pkg_config(self):
        self.assert_plays(self.build_with_pkg_config("--static", PKG_CONFIG_PATH=f"{self.library_folder()}/pkgconfig"))

    def test_refuses_a_component_that_is_none_and_a_version_to_come(self):
        for asked, answer in (("snl COMPONENTS networking", "no component networking; there are domain,"), ("snl 3.0", "2.0.0")):
            project = self.folder / "project"
            project.mkdir(exist_ok=True)
            (project / "CMakeLists.txt").write_text(
                f"cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES CXX)\nfind_package({asked} REQUIRED)\n")
            done = subprocess.run(["cmake", "-G", "Ninja", "-S", project, "-B", self.folder / "p", f"-DCMAKE_PREFIX_PATH={self.prefix}"],
                                  capture_output=True, text=True, check=False)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(answer, " ".join(done.stderr.split()))


if __name__ == "__main__":
    installed.main()
