"""Goal: on a bare Debian 12, an ordinary user with the packages plays, serves and replays a minute later.
The packages can be removed without a trace. Method: debootstrap makes such a root, and everything happens
in it. It needs root and a reachable mirror of Debian.

    test_root.py      after build_packages.py
"""

import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest
import urllib.request

import installed
from installed import ROOT, run

sys.path.insert(0, str(ROOT / "tests"))
import bare_root

BUILD = ROOT / "build" / "package"
FOLDER = BUILD / "bare"
USER = 1234
PATIENCE = 600  # seconds until what hangs is a failure
# The records of apt and dpkg, and files that the system generates from others.
RECORDS = re.compile(
    r"var/log/|var/cache/(apt|ldconfig|debconf)/|var/lib/apt/|etc/ld\.so\.cache$|tmp/|"
    r"var/lib/dpkg/(status|available|diversions|statoverride|lock|triggers/|info/format)|root/\.")


def in_root(*command, user=None, **options):
    """The output of a command in the bare root."""
    who = [f"--userspec={user}:{user}"] if user else []
    environment = bare_root.environment(HOME="/home/player" if user else "/root", DEBIAN_FRONTEND="noninteractive")
    return run("chroot", *who, FOLDER, *command, env=environment, **options)


def contents():
    """Every file in the root with what is in it, but records."""
    found = {}
    for folder, folders, files in os.walk(FOLDER):
        folders[:] = [name for name in folders if not os.path.ismount(os.path.join(folder, name))]
        for name in folders + files:
            path = pathlib.Path(folder, name)
            place = str(path.relative_to(FOLDER))
            if RECORDS.match(place):
                continue
            if path.is_symlink():
                found[place] = os.readlink(path)
            elif path.is_file():
                found[place] = hashlib.sha256(path.read_bytes()).hexdigest()
            else:
                found[place] = "folder"
    return found


def make_root():
    bare_root.make(FOLDER)
    run("chroot", FOLDER, "useradd", "--uid", str(USER), "--create-home", "player")
    (FOLDER / "packages").mkdir()
    for package in BUILD.glob("*.deb"):
        shutil.copy(package, FOLDER / "packages")
    in_root("apt-get", "update")


class ABareRoot(unittest.TestCase):
    """The tests run in order: each continues where the one before it stopped."""

    @classmethod
    def setUpClass(cls):
        if os.geteuid() != 0:
            raise unittest.SkipTest("only root can make a root; sudo, or CI, runs this")
        begun = time.monotonic()
        cls.addClassCleanup(bare_root.remove, FOLDER)
        make_root()
        print(f"a bare root: {time.monotonic() - begun:.1f} s", file=sys.stderr)
        cls.before = contents()

    def test_1_plays_and_replays_a_first_match_after_one_line_for_apt(self):
        begun = time.monotonic()
        in_root("sh", "-c", "apt-get install -y --no-install-recommends /packages/snl_*.deb /packages/libsnl[0-9]*.deb")
        ready = time.monotonic()
        self.assertEqual(in_root("snl", "new", "Ann", "Bob", "--board", "class", "--seed", "13", "--id", "final", user=USER), "final\n")
        self.assertTrue(in_root("snl", "roll", "final", "--all", user=USER).endswith("\tWIN\n"))
        self.assertRegex(in_root("snl", "replay", "final", user=USER), r"(?m)^1\. Ann rolls .*(\n.*)* wins\n\Z")
        replayed = time.monotonic()
        print(f"installed after {ready - begun:.1f} s, a match replayed {replayed - ready:.1f} s later", file=sys.stderr)
        self.assertLess(replayed - begun, 60, "whoever has the packages replays a first match within a minute")

    def test_2_runs_the_demo_as_an_ordinary_user(self):
        told = in_root("/usr/share/doc/snl/examples/demo", user=USER)
        self.assertRegex(told, r"is NOT SOUND[^$]*game final, version 3[^$]*exit 4")

    def test_3_serves_games_as_the_service_does(self):
        """Its line, by a user who may write into its folder alone."""
        unit = (FOLDER / "lib/systemd/system/snl-serve.service").read_text()
        line = re.search(r"(?m)^ExecStart=(.*)$", unit)[1].replace("$SNL_SERVE_OPTIONS", "--listen 127.0.0.1:0")
        settings = dict(re.findall(r"(?m)^Environment=(\w+)=(.*)$", unit))
        store = FOLDER / "var/lib/snl"
        store.mkdir()
        os.chown(store, USER, USER)
        server = subprocess.Popen(["chroot", f"--userspec={USER}:{USER}", str(FOLDER), *line.split()], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={"PATH": os.environ["PATH"]} | settings)
        try:
            address = server.stdout.readline().removeprefix("listening on ").strip()
            request = urllib.request.Request(f"{address}/api/games", json.dumps({"players": ["Ann", "Bob"]}).encode(),
                                             {"Content-Type": "application/json"})
            here = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            with here.open(request, timeout=PATIENCE) as answer:
                self.assertEqual(answer.status, 201)
            with here.open(f"{address}/", timeout=PATIENCE) as answer:
                self.assertIn(b"</html>", answer.read())
            server.send_signal(signal.SIGTERM)
            self.assertEqual(server.wait(timeout=PATIENCE), 0)
        finally:
            server.kill()
            server.communicate()
        self.assertTrue((store / "snl.db").exists())

    def test_4_leaves_the_service_off_until_somebody_enables_it(self):
        self.assertFalse(list(FOLDER.glob("etc/systemd/system/**/snl-serve.service")))

    def test_5_builds_nothing_but_has_all_that_one_needs_to(self):
        in_root("sh", "-c", "dpkg --force-depends --install /packages/libsnl-dev*.deb")
        self.assertTrue((FOLDER / "usr/include/snl/storage/match.hpp").is_file())

    def test_6_is_bare_again_after_a_purge(self):
        in_root("sh", "-c", "apt-get purge -y --autoremove snl 'libsnl*'")
        shutil.rmtree(FOLDER / "home/player/.local") # the player's games are the player's
        after = contents()
        changed = {place: (self.before.get(place), after.get(place))
                   for place in self.before.keys() | after.keys() if self.before.get(place) != after.get(place)}
        self.assertEqual(changed, {})


if __name__ == "__main__":
    installed.main()
