"""A bare Debian 12 in a folder, made by debootstrap, and commands that run in it: the machine of a new user, with
nothing else. It needs root and a reachable mirror of Debian.

    bare_root.py make FOLDER                       anew, with git and nothing else that Debian leaves out
    bare_root.py run FOLDER CHECKOUT COMMAND…      clones CHECKOUT to /snl in there, and runs a command in the clone
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

SUITE = "bookworm"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def mirror(archive="debian"):
    """The mirror from which this machine has Debian, or another archive of it."""
    for path in [pathlib.Path("/etc/apt/sources.list"), *pathlib.Path("/etc/apt/sources.list.d").glob("*")]:
        text = path.read_text() if path.is_file() else ""
        for found in re.finditer(rf"(?m)^(?:deb +(?:\[.*?\] +)?|URIs: *)(https?://\S*/{archive}/?)(?=\s)", text):
            return found[1]
    return f"http://deb.debian.org/{archive}"


def sources():
    """As in an installation of Debian: only the security archive updates browsers."""
    return "".join(f"deb {place} {suite} main\n" for place, suite in
                   ((mirror(), SUITE), (mirror(), f"{SUITE}-updates"), (mirror("debian-security"), f"{SUITE}-security")))


def said(command, done):
    return f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout[-6000:]}"


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        raise SystemExit(said(command, done))
    return done.stdout


def environment(**more):
    """The environment of a command in a root: nothing of this machine's except the way to the network."""
    proxies = {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
    return {"PATH": PATH, "HOME": "/root", "LANG": "C.UTF-8"} | proxies | more


def remove(folder):
    """Also removes the rest of a root whose debootstrap was stopped, which leaves its mounts behind."""
    for mounted in ("proc", "sys"):
        if os.path.ismount(folder / mounted):
            run("umount", folder / mounted)
    shutil.rmtree(folder, ignore_errors=True)


def make(folder, include=()):
    """A root with the same network access as this machine: it has its name server, its proxy and its
    certificates."""
    if os.geteuid() != 0:
        raise SystemExit("only root can make a bare root, and run something in it")
    remove(folder)
    folder.mkdir(parents=True)
    more = [f"--include={','.join(include)}"] if include else []
    run("debootstrap", "--variant=minbase", *more, SUITE, folder, mirror())
    (folder / "etc/apt/sources.list").write_text(sources())
    (folder / "etc/dpkg/dpkg.cfg.d").mkdir(exist_ok=True)
    (folder / "etc/dpkg/dpkg.cfg.d/fast").write_text("force-unsafe-io\n")  # needn't survive a power cut
    for name in ("resolv.conf", "hosts"):
        if pathlib.Path("/etc", name).exists():
            (folder / "etc" / name).write_bytes(pathlib.Path("/etc", name).read_bytes())
    proxies = run("apt-config", "dump", "Acquire::http::Proxy")
    (folder / "etc/apt/apt.conf.d/proxy").write_text(proxies)
    if "ca-certificates" in include:
        for certificates in ("etc/ssl/certs", "usr/local/share/ca-certificates"):
            if pathlib.Path("/", certificates).is_dir():
                (folder / certificates).mkdir(parents=True, exist_ok=True)
                run("cp", "--archive", "--force", f"/{certificates}/.", folder / certificates)


def clone(folder, checkout):
    target = folder / "snl"
    shutil.rmtree(target, ignore_errors=True)
    run("git", "clone", "--quiet", "--no-hardlinks", checkout, target)


# The mounts and all processes of the command end with it.
IN_ROOT = """
set -e
mount --bind "$0" "$0"
mount --rbind /dev "$0/dev"
mount -t tmpfs -o mode=1777 tmpfs "$0/dev/shm"
mount -t proc proc "$0/proc"
mount -t sysfs -o ro sysfs "$0/sys"
root=$0
exec chroot "$root" /bin/bash -c 'cd /snl && exec "$@"' bash "$@"
"""


def run_in(folder, command):
    """The exit code of a command in the clone, whose output is ours."""
    # In a chroot whose root is no mount point, unshare can't make all mounts private.
    private = subprocess.run(["unshare", "--mount", "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0
    mounts = ["--mount"] if private else ["--mount", "--propagation", "unchanged"]
    return subprocess.run(
        ["unshare", *mounts, "--pid", "--fork", "--kill-child", "sh", "-c", IN_ROOT, str(folder), *command],
        stdin=subprocess.DEVNULL, env=environment(CI=os.environ.get("CI", "")), check=False).returncode


def main(words):
    match words:
        case ["make", folder]:
            make(pathlib.Path(folder).resolve(), ("git", "ca-certificates"))
            return 0
        case ["run", folder, checkout, _, *_]:
            folder = pathlib.Path(folder).resolve()
            clone(folder, checkout)
            return run_in(folder, words[3:])
    raise SystemExit(__doc__)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
