"""Goal: one commit gives the same bytes, whoever builds it, wherever and whenever. Method: the source
tarball is built in another folder, 400 days later, and compared with build/package; packages are made of
one build on two days.

    test_reproducible.py             after build_packages.py: the engine and sources that the build makes; the
                                     packages made twice
    test_reproducible.py --whole     everything is built a second time, and the packages are compared
"""

import shutil
import sys
import tarfile
import unittest

import installed
from installed import ROOT, plain_environment, run

BUILD = ROOT / "build" / "package"
WHOLE = "--whole" in sys.argv
LATER = ["faketime", "-f", "+400d"]
MADE = ["storage/embedded_migrations.cpp", "cli/completion/embedded_scripts.cpp"]


def git(*command):
    return run("git", "-C", ROOT, *command)


class Builds(installed.InAFolder):
    def sources(self):
        """What the source tarball has in it, and what was changed here since the commit."""
        run("cmake", "--build", BUILD, "--target", "source_tarball")
        first = next(BUILD.glob("snl-*.tar.gz"))
        made = first.read_bytes()
        first.unlink()
        run(*LATER, "cmake", "--build", BUILD, "--target", "source_tarball")
        self.assertEqual(made, first.read_bytes())
        with tarfile.open(next(BUILD.glob("snl-*.tar.gz"))) as tarball:
            tarball.extractall(self.folder, filter="data") if hasattr(tarfile, "data_filter") else tarball.extractall(self.folder)
        sources = next(self.folder.glob("snl-*"))
        for name in git("diff", "--name-only", "HEAD").splitlines():
            (sources / name).unlink(missing_ok=True)
            if (ROOT / name).exists():
                shutil.copy(ROOT / name, sources / name)
        return sources

    def test_of_a_tarball_elsewhere_and_later_have_the_same_bytes(self):
        sources = self.sources()
        self.assertEqual((sources / ".commit").read_text(), git("log", "-1", "--format=%H %ct").strip())
        later = sources / "build/package"
        environment = plain_environment()
        run(*LATER, "cmake", "--preset", "package", cwd=sources, env=environment)
        if WHOLE:
            run(*LATER, "cmake", "--build", later, env=environment)
            run(*LATER, "cpack", cwd=later, env=environment)
            same = sorted(path.name for path in BUILD.glob("*.deb"))
            self.assertEqual(len(same), 3)
        else:
            same = [str(next((BUILD / "domain").glob("libsnl_domain.so.?.*")).relative_to(BUILD)), *MADE]
            run(*LATER, "cmake", "--build", later, "--target", *same, env=environment)
        for name in same:
            self.assertEqual((BUILD / name).read_bytes(), (later / name).read_bytes(), name)

    def test_that_are_packed_another_day_give_the_same_packages(self):
        run(*LATER, "cpack", "-B", self.folder, cwd=BUILD)
        packages = sorted(BUILD.glob("*.deb"))
        self.assertEqual(len(packages), 3)
        for package in packages:
            self.assertEqual(package.read_bytes(), (self.folder / package.name).read_bytes(), package.name)

    def test_know_their_commit(self):
        commit = git("rev-parse", "--short=12", "HEAD").strip()
        self.assertEqual(run(BUILD / "cli/snl", "--version"), f"snl {self.version()} (commit {commit})\n")

    def version(self):
        return next(BUILD.glob("libsnl-dev_*.deb")).name.split("_")[1].split("-")[0]


if __name__ == "__main__":
    sys.argv = [word for word in sys.argv if word != "--whole"]
    installed.main()
