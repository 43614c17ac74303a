"""Goal: the Debian packages pass Debian's tools, depend on exactly what they use, and export no more of the
libraries than the headers do. Method: lintian, blhc, abidiff and the dynamic symbols; projects that are built
against the unpacked packages.

    test_packages.py      after build_packages.py
"""

import gzip
import lzma
import os
import pathlib
import re
import tempfile
import unittest

import installed
from installed import LIBRARIES, ROOT, TESTS, run

BUILD = ROOT / "build" / "package"
VERSION = re.search(r"project\(snl VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
MAJOR = VERSION.split(".")[0]
PACKAGES = {name: next(BUILD.glob(f"{name}_{VERSION}-1_*.deb")) for name in ("snl", f"libsnl{MAJOR}", "libsnl-dev")}


def field(package, name):
    return run("dpkg-deb", "--field", PACKAGES[package], name).strip()


def built(library):
    """A shared library with its symbols and debug information."""
    return next(path for room in ("domain", "storage", "cli") for path in (BUILD / room).glob(f"**/libsnl_{library}.so.{VERSION}"))


class ThePackages(installed.InAFolder):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = pathlib.Path(folder.name)
        for package in PACKAGES.values():
            run("dpkg-deb", "--extract", package, cls.root)
        cls.libraries = next((cls.root / "usr/lib").glob("*-linux-gnu"))

    def test_satisfy_lintian(self):
        """Every override says why, in the line above."""
        # Manual pages come with the target man_pages.
        without = [] if list(BUILD.glob("man/man1/snl.1")) else ["--suppress-tags", "no-manual-page"]
        said = run("lintian", "--allow-root", "--fail-on", "error,warning", *without, *PACKAGES.values())
        self.assertNotRegex(said, r"(?m)^[EW]: ")
        for path in (ROOT / "cli/packaging").glob("*.lintian-overrides"):
            before = ""
            for line in path.read_text().splitlines():
                self.assertTrue(line.startswith("#") or before.startswith("#"), f"{path}: {line}: no reason")
                before = line

    def test_are_hardened(self):
        """By every compiler's command, and in what came out."""
        log = self.folder / "build.log"
        commands = run("ninja", "-C", BUILD, "-t", "commands", "all").splitlines()
        log.write_text("dpkg-buildpackage: info: source package snl\n" + "\n".join(commands))
        run("blhc", "--all", log)
        for program in [self.root / "usr/bin/snl", *self.libraries.glob("libsnl_*.so.*.*")]:
            read = run("readelf", "--wide", "--dynamic", "--file-header", program)
            self.assertRegex(read, r"Type:\s+DYN", program)
            self.assertRegex(read, r"FLAGS.*NOW", program)
            self.assertNotRegex(read, r"RPATH|RUNPATH", program)

    def test_of_the_program_needs_what_it_is_linked_with(self):
        needed = set(re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "--wide", "--dynamic", self.root / "usr/bin/snl")))
        depends = field("snl", "Depends")
        self.assertIn(f"libsnl{MAJOR} (= {VERSION}-1)", depends)
        self.assertRegex(depends, r"libc6 \(>= [\d.]+\)")
        self.assertRegex(depends, r"libstdc\+\+6 \(>= [\d.]+\)")
        self.assertIn("libboost-json1.81.0 (>= 1.81.0)", depends)
        self.assertNotRegex(depends, "-dev|sqlite") # the store is the library's affair
        self.assertTrue({f"libsnl_{library}.so.{MAJOR}" for library in LIBRARIES} >= {n for n in needed if "snl" in n})

    def test_of_the_libraries_needs_what_they_are_linked_with(self):
        depends = field(f"libsnl{MAJOR}", "Depends")
        for expected in (r"libsqlite3-0 \(>= ", r"libssl3 \(>= 3", r"libfmt9 \(>= 9", r"libutf8proc2 \(>= ", r"libboost-json1.81.0 "):
            self.assertRegex(depends, expected)
        self.assertNotIn("-dev", depends)

    def test_of_development_needs_the_libraries_of_this_build(self):
        self.assertEqual(field("libsnl-dev", "Depends"), f"libsnl{MAJOR} (= {VERSION}-1)")

    def test_say_plainly_which_licence_they_have_or_that_none_was_chosen(self):
        name = re.search(r"(?m)^SNL_LICENCE:STRING=(.*)$", (BUILD / "CMakeCache.txt").read_text())[1]
        text = (ROOT / "cli/packaging/licence.txt").read_text()
        self.assertEqual("has not chosen a licence yet" in text, name == "")
        for package in PACKAGES:
            folder = self.root / "usr/share/doc" / package
            said = (folder / "copyright").read_text()
            self.assertIn(f"License: {name or 'none-chosen-yet'}\n", said)
            self.assertIn("\n".join(f" {line or '.'}" for line in text.splitlines()), said)

    def test_name_the_changes_of_this_version(self):
        for package in PACKAGES:
            folder = self.root / "usr/share/doc" / package
            self.assertIn(f"## {VERSION}, ", gzip.decompress((folder / "changelog.gz").read_bytes()).decode())
            changes = gzip.decompress((folder / "changelog.Debian.gz").read_bytes()).decode()
            self.assertTrue(changes.startswith(f"snl ({VERSION}-1) "), changes)

    def test_say_which_licence_it_is_once_there_is_one(self):
        """By one file and one variable."""
        sources = self.folder / "sources"
        (sources / "cli").mkdir(parents=True)
        for name in ("CMakeLists.txt", "domain", "storage", "migrations", "CMakePresets.json"):
            (sources / name).symlink_to(ROOT / name)
        for path in (ROOT / "cli").iterdir():
            if path.name != "packaging":
                (sources / "cli" / path.name).symlink_to(path)
        (sources / "cli/packaging").mkdir()
        for path in (ROOT / "cli/packaging").iterdir():
            if path.name != "licence.txt":
                (sources / "cli/packaging" / path.name).symlink_to(path)
        (sources / "cli/packaging/licence.txt").write_text("Do as you like.\n\nWithout any warranty.\n")
        run("cmake", "--preset", "package", "-DSNL_LICENCE=Liberal", cwd=sources)
        said = (sources / "build/package/packaging/copyright").read_text()
        self.assertIn("License: Liberal\n\n", said)
        self.assertIn("License: Liberal\n Do as you like.\n .\n Without any warranty.\n", said)
        self.assertNotIn("chosen", said)

    def test_of_libraries_show_what_the_headers_show_and_no_more(self):
        """Under versioned names. Of the store's own classes, which no installed header names, nothing is seen."""
        for library in LIBRARIES:
            path = self.libraries / f"libsnl_{library}.so.{VERSION}"
            self.assertIn(f"Library soname: [libsnl_{library}.so.{MAJOR}]", run("readelf", "--wide", "--dynamic", path))
            self.assertTrue((self.libraries / f"libsnl_{library}.so.{MAJOR}").is_symlink())
            self.assertTrue((self.libraries / f"libsnl_{library}.so").is_symlink())
        shown = run("nm", "--dynamic", "--defined-only", "--demangle", self.libraries / "libsnl_storage.so")
        self.assertIn("snl::Match::start(", shown)
        self.assertIn("typeinfo for snl::StoreError", shown)
        for hidden in ("snl::sqlite::", "snl::SqliteStore", "snl::GameVerifier", "sqlite3_"):
            self.assertNotRegex(shown, rf"(?m)^\w+ [TVDBR] .*{hidden}")

    def test_run_the_service_in_a_cage(self):
        """As systemd understands the file: an exposure of 2.0 at most, where 10 is none at all."""
        unit = (self.root / "lib/systemd/system/snl-serve.service").read_text()
        for setting in ("DynamicUser=yes", "ProtectSystem=strict", "StateDirectory=snl"):
            self.assertRegex(unit, rf"(?m)^{setting}$")
        file = self.folder / "snl-serve.service"
        file.write_text(unit.replace("/usr/bin/snl", str(self.root / "usr/bin/snl")))
        self.assertEqual(run("systemd-analyze", "--man=no", "verify", file), "")
        run("systemd-analyze", "--offline=true", "--threshold=20", "security", file)

    def test_notice_an_interface_that_lost_something(self):
        dump = self.folder / "last.abi"
        dump.write_bytes(lzma.decompress((TESTS / "abi" / f"libsnl_recording.so.{MAJOR}.abi.xz").read_bytes()))
        text = dump.read_text()
        dump.write_text(text.replace("</elf-function-symbols>", (
            "<elf-symbol name='_ZN3snl4lostEv' type='func-type' binding='global-binding' "
            "visibility='default-visibility' is-defined='yes'/></elf-function-symbols>")))
        self.assertIn("_ZN3snl4lostEv", run("abidiff", "--no-added-syms", dump, built("recording"), ends_with=12))

    def test_keep_the_libraries_interface_of_the_last_release(self):
        """The result of abidiff for each library and its dump; new symbols are allowed. dump_interface.py makes
        dumps."""
        for library in LIBRARIES:
            dump = TESTS / "abi" / f"libsnl_{library}.so.{MAJOR}.abi.xz"
            plain = self.folder / "last.abi"
            plain.write_bytes(lzma.decompress(dump.read_bytes()))
            run("abidiff", "--no-added-syms", "--exported-interfaces-only", "--drop-private-types",
                "--suppressions", TESTS / "abi" / "suppressions", "--headers-dir2", self.root / "usr/include/snl", plain, built(library))

    def test_let_others_build_with_cmake(self):
        run("dpkg-deb", "--extract", PACKAGES["snl"], self.root)
        program = self.build_with_cmake("consumer", self.root / "usr")
        self.assert_plays(program, LD_LIBRARY_PATH=str(self.libraries))

    def test_let_others_build_with_pkg_config(self):
        program = self.build_with_pkg_config(PKG_CONFIG_SYSROOT_DIR=str(self.root),
                                             PKG_CONFIG_LIBDIR=str(self.libraries / "pkgconfig"))
        self.assert_plays(program, LD_LIBRARY_PATH=str(self.libraries))
        self.assertIn(f"libsnl_storage.so.{MAJOR}", run("readelf", "--dynamic", program))


if __name__ == "__main__":
    installed.main()
