"""Compiles each source of a batch alone, as far as its errors and warnings. A source may depend on the includes of
another one of its batch, or hide a name, which batches may do. It compiles in the batch, as in a first build, and fails
in a build by itself.

usage: compile_alone.py BUILD FOLDER… [--jobs N]

BUILD is a build folder with compile_commands.json, built; those of its sources are compiled that are in a FOLDER.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys


def sources_of(entry):
    """The sources that a compile command compiles: those of the batch, if it is of one."""
    path = pathlib.Path(entry["directory"], entry["file"])
    if not path.name.startswith("unity_"):
        return []
    return re.findall(r'#include "(.*)"', path.read_text(encoding="utf-8"))


def alone(entry, source):
    """The command that looks at one source of a batch, with the warning that batches switch off, and writes nothing."""
    words = shlex.split(entry["command"])
    kept, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word in ("-o", "-MT", "-MF"):
            skip = True
        elif word not in ("-c", "-MD", "-Wno-shadow", entry["file"]) and not word.startswith("-fsanitize"):
            kept.append(word)
    return [*kept, "-fsyntax-only", source]


def faults_of(task):
    entry, source = task
    done = subprocess.run(alone(entry, source), cwd=entry["directory"], capture_output=True, text=True, check=False)
    return f"{source} doesn't compile alone:\n{done.stderr}" if done.returncode else None


def main(build, folders, jobs):
    entries = json.loads(pathlib.Path(build, "compile_commands.json").read_text(encoding="utf-8"))
    among = tuple(f"{pathlib.Path(folder).resolve()}/" for folder in folders)
    tasks = [(entry, source) for entry in entries for source in sources_of(entry) if source.startswith(among)]
    if not tasks:
        return f"{build} has no batches of {' or '.join(folders)}: configure it with CMAKE_UNITY_BUILD"
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        faults = [fault for fault in pool.map(faults_of, tasks) if fault]
    print(*faults, f"{len(tasks) - len(faults)} of {len(tasks)} sources compile alone", sep="\n")
    return 1 if faults else None


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("folders", metavar="folder", nargs="+")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    sys.exit(main(options.build, options.folders, options.jobs))
