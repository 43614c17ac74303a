"""Makes the packages that the other tests here look at, as `cmake --workflow --preset package` does, where
they aren't of the sources as they are.

    build_packages.py
"""

import os
import pathlib

from installed import ROOT, run

build = ROOT / "build" / "package"
for package in build.glob("*.deb"):
    package.unlink()
print(run("cmake", "--workflow", "--preset", "package", cwd=ROOT))
