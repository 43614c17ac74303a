"""Checks which folder includes which: the layers of the program, as data. It also checks that no two types share
a name if a header defines one of them: the linker would take them for one.

usage: check_layers.py [ROOT]
"""

import pathlib
import re
import sys

# Each folder, and the folders that its files include besides itself. An allowed include that isn't used is a
# fault too, so that this is the actual graph. Only direct includes count, not those of an included header.
LAYERS = {
    "domain": "",
    "domain/analysis": "domain",
    "storage": "domain storage/postgres storage/sqlite storage/transparency",
    "storage/postgres": "storage storage/transparency",
    "storage/sqlite": "storage storage/transparency",
    "storage/transparency": "storage",
    "storage/memory": "storage",
    "storage/exchange": "domain storage",
    "storage/series": "domain domain/analysis storage",
    "cli/drawing": "domain",
    "cli/terminal": "cli/drawing",
    "cli/session": "domain storage cli/drawing cli/terminal",
    "cli/playback": "domain domain/analysis cli/drawing cli/terminal",
    "cli/page": "domain domain/analysis storage storage/transparency cli/drawing cli/playback",
    "cli/reports": "domain domain/analysis storage storage/series storage/transparency cli/drawing",
    "cli/completion": "domain",
    "cli/exports": "domain domain/analysis storage storage/exchange storage/transparency cli/drawing cli/page cli/playback cli/reports",
    "cli/server": "domain storage storage/exchange storage/transparency cli/drawing cli/exports cli/page cli/reports",
    "cli/server/network": "domain storage cli/server cli/server/pages cli/witness",
    "cli/server/pages": "domain domain/analysis storage storage/exchange cli/drawing cli/page cli/server",
    "cli/witness": "storage storage/transparency",
    "cli/commands": "domain domain/analysis storage storage/exchange storage/series storage/transparency cli/completion "
    "cli/drawing cli/exports cli/page cli/playback cli/reports cli/server/network cli/session cli/terminal cli/witness",
    "cli/manual": "storage cli/commands cli/completion cli/session",
    "cli": "cli/commands",
}

# Libraries, by how the names of their headers begin, and the folders that may include them.
LIBRARIES = {
    "CLI/": "cli/commands cli/completion cli/manual",
    "Eigen/": "domain/analysis",
    "boost/asio": "cli/server/network cli/witness",
    "boost/beast": "cli/server/network cli/witness",
    "boost/json": "storage storage/exchange cli/commands cli/page cli/playback cli/reports cli/server cli/server/network cli/server/pages cli/session",
    "boost/math/": "storage",
    "boost/multiprecision/": "cli/reports",
    "hwy/": "domain/analysis",
    "fmt/": "storage storage/postgres storage/sqlite storage/transparency storage/memory storage/exchange storage/series cli/commands cli/completion cli/drawing cli/exports cli/manual cli/page "
    "cli/playback cli/reports cli/server cli/server/network cli/server/pages cli/session cli/terminal cli/witness",
    "libpq-fe.h": "storage/postgres",
    "openssl/": "storage storage/transparency",
    "qrencode.h": "cli/reports",
    "sqlite3.h": "storage/sqlite",
    "utf8proc.h": "cli/drawing",
    "zlib.h": "cli/server",
}

# Headers of the operating system and the processor, for each folder.
SYSTEM = {
    "storage": "fcntl.h sys/stat.h unistd.h",
    "storage/postgres": "dlfcn.h poll.h",
    "storage/sqlite": "fcntl.h sys/stat.h unistd.h",
    "storage/transparency": "fcntl.h sys/file.h sys/stat.h unistd.h",
    "cli/commands": "fcntl.h malloc.h sys/resource.h unistd.h",
    "cli/playback": "sys/eventfd.h unistd.h",
    "cli/server": "sys/random.h",
    "cli/server/network": "ifaddrs.h net/if.h netinet/in.h poll.h sys/resource.h unistd.h",
    "cli/session": "fcntl.h sys/ioctl.h sys/stat.h unistd.h",
    "cli/terminal": "fcntl.h poll.h spawn.h sys/ioctl.h sys/signalfd.h sys/types.h sys/wait.h termios.h unistd.h",
}

STANDARD = set(
    """
    algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv chrono
    cinttypes climits clocale cmath codecvt compare complex concepts condition_variable coroutine
    csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype deque
    exception execution expected filesystem flat_map flat_set format forward_list fstream functional
    future generator initializer_list iomanip ios iosfwd iostream istream iterator latch limits list
    locale map mdspan memory memory_resource mutex new numbers numeric optional ostream print queue
    random ranges ratio regex scoped_allocator semaphore set shared_mutex source_location span
    spanstream sstream stack stacktrace stdexcept stdfloat stop_token streambuf string string_view
    strstream syncstream system_error thread tuple type_traits typeindex typeinfo unordered_map
    unordered_set utility valarray variant vector version
    """.split()
)

# Libraries that may be shared: outside code finds only their visible definitions.
SHARED = "domain domain/analysis storage cli/drawing cli/page".split()
VISIBLE = '[[gnu::visibility("default")]]'

INCLUDE = re.compile(r'^\s*#\s*(?:include|import)\b\s*(?:<([^>]+)>|"([^"]+)")?')


def fault_of_library(folder, name):
    """Why a folder may not include <name>; none if it may."""
    if name in STANDARD or name in SYSTEM.get(folder, "").split():
        return None
    for beginning, folders in LIBRARIES.items():
        if name.startswith(beginning) and folder in folders.split():
            return None
    return f"{folder} may not include {name}"


def included_folder(root, path, name):
    """The folder of what a file includes as "name": next to it, or else from the root; none if it isn't there."""
    if (path.parent / name).is_file():
        return (path.parent / name).resolve().parent.relative_to(root).as_posix()
    if (root / name).is_file():
        return pathlib.PurePosixPath(name).parent.as_posix()
    # The build makes headers too, for the folder that includes them.
    return path.parent.relative_to(root).as_posix() if "/" not in name else None


def library_of(folder):
    """The library into which a folder's sources are built: that of storage for all folders below it except
    one."""
    below_storage = folder.startswith("storage/") and folder != "storage/series"
    return "storage" if below_storage else folder


def is_hidden(root, path, name, folder, included):
    """Whether a header's definitions, which are in a source beside it, can't be linked to from this folder."""
    if library_of(folder) == library_of(included) or library_of(included) not in SHARED:
        return False
    header = path.parent / name if (path.parent / name).is_file() else root / name
    return header.with_suffix(".cpp").is_file() and VISIBLE not in header.read_text(encoding="utf-8")


def fault_of(root, path, include, layers, used):
    """The fault of one include, or none. Records which folder uses which."""
    folder = path.parent.relative_to(root).as_posix()
    library, own = include.groups()
    if library is not None:
        return fault_of_library(folder, library)
    if own is None:
        return "can't tell what is included"
    included = included_folder(root, path, own)
    if included is None:
        return f"there is no {own}"
    used.add((folder, included))
    if included != folder and included not in layers[folder].split():
        return f"{folder} may not include {own}"
    if is_hidden(root, path, own, folder, included):
        return f"{own} is hidden in its library: its namespace needs {VISIBLE}"
    return None


TYPE = re.compile(r"^(?:class|struct|enum class|union|using) (?:alignas\(.*?\) )?(\w+)(?: final)?(?: =| *:(?!:)| *\{)")


def shared_names(files):
    """Top-level types with the same name, at least one of which is in a header."""
    places = {}
    for path in files:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if found := TYPE.match(line):
                places.setdefault(found[1], []).append((path, number))
    for name, found in sorted(places.items()):
        if len(found) > 1 and any(path.suffix == ".hpp" for path, _ in found):
            yield f"{name} is several types: " + ", ".join(f"{path}:{number}" for path, number in found)


def faults_of(root, files, layers):
    used = set()
    for path in files:
        folder = path.parent.relative_to(root).as_posix()
        if folder not in layers:
            yield f"{path}: {folder} is in no layer"
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            include = INCLUDE.match(line)
            if include and (fault := fault_of(root, path, include, layers, used)):
                yield f"{path}:{number}: {fault}"
    for folder, allowed in layers.items():
        for included in allowed.split():
            if (folder, included) not in used:
                yield f"{folder} may include {included}, and doesn't: take it out of the table"


def main(root, layers=LAYERS):
    """The argument of sys.exit(): none if all is well, else the faults."""
    root = pathlib.Path(root).resolve()
    tops = sorted({folder.split("/")[0] for folder in layers})
    files = sorted(path for top in tops for path in root.glob(f"{top}/**/*.[ch]pp"))
    if not files:
        return f"{root} has no C++ files"
    faults = [*faults_of(root, files, layers), *shared_names(files)]
    print(f"{len(files)} files, {len(faults)} faults")
    return "\n".join(faults) or None


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1] if len(sys.argv) == 2 else pathlib.Path(__file__).parent.parent))
