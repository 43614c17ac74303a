"""The common part of the tests of installations and packages."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent
ROOT = TESTS.parent.parent
COMPILER = os.environ.get("CXX", "c++")
LIBRARIES = ["domain", "analysis", "storage", "drawing", "recording", "page"]
VISIBLE = re.compile(r'^namespace \[\[gnu::visibility\("default"\)\]\] (snl|cli) \{', re.M)


def plain_environment():
    """Where ccache, if it is used, writes no other paths than the compiler does, and no time is given."""
    left_out = {"CCACHE_BASEDIR", "CCACHE_NOHASHDIR", "SOURCE_DATE_EPOCH"}
    return {name: value for name, value in os.environ.items() if name not in left_out}


def run(*command, ends_with=0, **options):
    """The output of a command to stdout and stderr, together; fails unless it ends with the right exit
    code."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False, **options)
    if done.returncode != ends_with:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout[-6000:]}")
    return done.stdout


class InAFolder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def build_with_cmake(self, project, prefix):
        """The program of a project that finds snl in `prefix`."""
        build = self.folder / project
        run("cmake", "-G", "Ninja", "-S", TESTS / project, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}",
            f"-DCMAKE_CXX_COMPILER={COMPILER}", "-DCMAKE_CXX_FLAGS=-O0 -std=c++23", "-DCMAKE_BUILD_TYPE=None")
        run("cmake", "--build", build)
        return build / "consumer"

    def build_with_pkg_config(self, *options, **environment):
        environment = os.environ | environment
        flags = run("pkg-config", "--cflags", "--libs", *options, "snl", env=environment).split()
        program = self.folder / "by_pkg_config"
        run(COMPILER, "-std=c++23", "-O0", TESTS / "consumer" / "main.cpp", "-o", program, *flags)
        return program

    def assert_plays(self, program, **environment):
        self.assertEqual(run(program, self.folder / "store.db", env=os.environ | environment), "sound\n")


def main():
    """Runs the tests of the program that is started; where CI=true, a skipped one is a failure."""
    result = unittest.main(module="__main__", exit=False, verbosity=2).result
    skipped = result.skipped if os.environ.get("CI") == "true" else []
    for test, reason in skipped:
        print(f"skipped, which is a failure where CI=true: {test}: {reason}", file=sys.stderr)
    sys.exit(bool(skipped) or not result.wasSuccessful())
