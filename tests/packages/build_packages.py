"""Makes the packages for the other tests here, as `cmake --workflow --preset package` does, unless they
match the present sources.

    build_packages.py
"""

from installed import ROOT, plain_environment, run

build = ROOT / "build" / "package"
for package in build.glob("*.deb"):
    package.unlink()
print(run("cmake", "--workflow", "--preset", "package", cwd=ROOT, env=plain_environment()))
