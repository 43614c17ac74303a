"""Prints what a change since a commit may have broken: the changed folders of the program and those that include
them, or the labels of the tests for these.

    affected.py folders COMMIT      such as: storage cli/session cli/commands
    affected.py tests COMMIT        labels of tests, such as: storage session commands fuzz

All of them where the commit isn't known, or the build itself was changed. None is an empty line.
"""

import pathlib
import re
import subprocess
import sys

from check_layers import LAYERS

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Tests that more than their own folder's sources are compiled into, or run with.
ALWAYS = ["fuzz", "reader"]
# Each uses what the earlier ones share, such as generators and stores.
FOLDERS_OF_TESTS = ["domain", "analysis", "storage", "cli"]
A_TEST = re.compile(r"(_test\.cpp|/test_\w+\.py)$")
# Files that no linter and no sanitizer sees. A page's script and style are text to the program.
NO_PROGRAM = re.compile(r"\.(css|html|js|md|py)$|^\.ci/|^\.git|^\.clang-format$|^cli/(packages\.txt|install-packages|run|demo)$|^cli/packaging/"
                        r"|^tests/(README|run$|bench|browser/|packages/|torture|mutat|pictures/|only-listed|steady)")
BUILD = re.compile(r"^(CMakeLists\.txt|CMakePresets\.json|\.clang-tidy|storage/embed\.cmake)$")


def including(folders):
    """These folders, and all that include them, at any distance."""
    found = set(folders)
    while more := {folder for folder, uses in LAYERS.items() if found & set(uses.split())} - found:
        found |= more
    return found


def folder_of(path):
    """The folder of the program that a file belongs to, or none."""
    if path.startswith("migrations/"):
        return "storage/postgres" if path.startswith("migrations/postgres/") else "storage/sqlite"
    for parent in pathlib.PurePosixPath(path).parents:
        if str(parent) in LAYERS:
            return str(parent)
    return None


def affected_folders(paths):
    """In the order of the layers. `paths` are the files that changed; None is any."""
    if paths is None or any(BUILD.search(path) for path in paths):
        return list(LAYERS)
    changed = {folder_of(path) for path in paths if not NO_PROGRAM.search(path) and not path.startswith("tests/")}
    return [folder for folder in LAYERS if folder in including(changed - {None})]


def folders_of_test_source(folder, is_test):
    """The folders of tests that a source in one of them, or beside them, is compiled into."""
    if folder not in FOLDERS_OF_TESTS:
        return FOLDERS_OF_TESTS
    return [folder] if is_test else FOLDERS_OF_TESTS[FOLDERS_OF_TESTS.index(folder):]


def affected_tests(paths, labels):
    """Labels: a folder's own label if it has one, else that of its parent folder."""
    folders = affected_folders(paths)
    areas = set()
    for folder in folders:
        if folder == "cli" and "cli/commands" in folders:
            continue  # main.cpp, which the tests of commands run
        areas.add(next(part for part in reversed(folder.split("/")) if part in labels))
    for path in paths or []:
        words = path.split("/")
        if words[0] == "tests" and not (NO_PROGRAM.search(path) and words[1] != "cli"):
            areas.update(folders_of_test_source(words[1], A_TEST.search(path)))
    return sorted(areas | set(ALWAYS)) if areas else []


def changed_since(commit):
    """The files that differ from it, or None where it isn't known here."""
    if not commit:
        return None
    done = subprocess.run(["git", "-C", ROOT, "diff", "--name-only", "--no-renames", commit, "--"],
                          capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else None


def labels_of_tests():
    """The folders that tests/**/CMakeLists.txt label tests with."""
    lists = "".join(path.read_text() for path in (ROOT / "tests").glob("*/CMakeLists.txt"))
    return set(re.findall(r"snl_(?:tests_of|finish_test_folder)\(\s*(\w+)", lists))


def main(words):
    match words:
        case ["folders", commit]:
            print(*affected_folders(changed_since(commit)))
        case ["tests", commit]:
            print(*affected_tests(changed_since(commit), labels_of_tests()))
        case _:
            return __doc__
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
