"""Goal: one commit gives the same bytes for any builder, place and time. Method: everything is built a second
time, of the source tarball, in another folder, 400 days later, without git and without what a compiler's cache
knows; the packages are compared with those in build/package. Packages are made of one build on two days.

    test_reproducible.py      after build_packages.py
"""

import shutil
import tarfile

import installed
from installed import ROOT, plain_environment, run

BUILD = ROOT / "build" / "package"
LATER = ["faketime", "-f", "+400d"]


def git(*command):
    return run("git", "-C", ROOT, *command)


class Builds(installed.InAFolder):
    def sources(self):
        """The contents of the source tarball, and the local changes since the commit."""
        run("cmake", "--build", BUILD, "--target", "source_tarball")
        first = next(BUILD.glob("snl-*.tar.gz"))
        made = first.read_bytes()
        first.unlink()
        run(*LATER, "cmake", "--build", BUILD, "--target", "source_tarball")
        self.assertTrue(made == first.read_bytes(), "two tarballs of one commit differ")
        with tarfile.open(first) as tarball:
            tarball.extractall(self.folder, filter="data") if hasattr(tarfile, "data_filter") else tarball.extractall(self.folder)
        sources = next(self.folder.glob("snl-*"))
        for name in git("diff", "--name-only", "HEAD").splitlines():
            (sources / name).unlink(missing_ok=True)
            if (ROOT / name).exists():
                shutil.copy(ROOT / name, sources / name)
        return sources

    def elsewhere(self):
        """The environment of a builder with neither git nor a compiler cache."""
        environment = plain_environment() | {"CCACHE_DISABLE": "1"}
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "git").write_text("#!/bin/sh\nexit 1\n")
        (tools / "git").chmod(0o755)
        environment["PATH"] = f"{tools}:{environment['PATH']}"
        return environment

    def assert_same_packages(self, folder):
        packages = sorted(path.name for path in BUILD.glob("*.deb"))
        self.assertEqual(len(packages), 3)
        for package in packages:
            self.assertTrue((BUILD / package).read_bytes() == (folder / package).read_bytes(),
                            f"{package} came out otherwise; diffoscope shows where")

    def test_of_a_tarball_elsewhere_and_later_have_the_same_bytes(self):
        sources = self.sources()
        self.assertEqual((sources / ".commit").read_text(), git("log", "-1", "--format=%H %ct").strip())
        later = sources / "build/package"
        run(*LATER, "cmake", "--workflow", "--preset", "package", cwd=sources, env=self.elsewhere())
        self.assert_same_packages(later)
        self.assertEqual(run(later / "cli/snl", "--version"), run(BUILD / "cli/snl", "--version"))

    def test_that_are_packed_another_day_give_the_same_packages(self):
        run(*LATER, "cpack", "-B", self.folder, cwd=BUILD)
        self.assert_same_packages(self.folder)

    def test_know_their_commit(self):
        commit = git("rev-parse", "--short=12", "HEAD").strip()
        self.assertEqual(run(BUILD / "cli/snl", "--version"), f"snl {self.version()} (commit {commit})\n")

    def version(self):
        return next(BUILD.glob("libsnl-dev_*.deb")).name.split("_")[1].split("-")[0]


if __name__ == "__main__":
    installed.main()
