"""Writes what abidiff compares the libraries' interface with: the one that was just built. For a release
with a new major version, and never otherwise, since a dump is a promise.

    dump_interface.py      after build_packages.py
"""

import lzma
import tempfile

from installed import LIBRARIES, TESTS, run
from test_packages import MAJOR, built, PACKAGES

with tempfile.TemporaryDirectory() as folder:
    run("dpkg-deb", "--extract", PACKAGES["libsnl-dev"], folder)
    for library in LIBRARIES:
        text = run("abidw", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--drop-private-types",
                   "--exported-interfaces-only", "--suppressions", TESTS / "abi" / "suppressions",
                   "--headers-dir", f"{folder}/usr/include/snl", built(library))
        (TESTS / "abi").mkdir(exist_ok=True)
        (TESTS / "abi" / f"libsnl_{library}.so.{MAJOR}.abi.xz").write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
