"""Makes the packages that the other tests here look at, as `cmake --workflow --preset package` does, where
they aren't of the sources as they are.

    build_packages.py
"""

from installed import ROOT, plain_environment, run

build = ROOT / "build" / "package"
for package in build.glob("*.deb"):
    package.unlink()
print(run("cmake", "--workflow", "--preset", "package", cwd=ROOT, env=plain_environment()))
