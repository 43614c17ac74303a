"""Checks that the C++ files of a folder include nothing but standard headers and each other.

usage: check_includes.py FOLDER
"""

import pathlib
import re
import sys

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

INCLUDE = re.compile(r'^\s*#\s*(?:include|import)\b\s*(?:<([^>]+)>|"([^"]+)")?')


def faults_of(path, own):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        include = INCLUDE.match(line)
        if not include:
            continue
        standard, quoted = include.groups()
        if standard is not None and standard not in STANDARD:
            yield f"{path}:{number}: {standard} is not standard C++"
        if quoted is not None and quoted not in own:
            yield f"{path}:{number}: {quoted} is outside {path.parent}"
        if standard is None and quoted is None:
            yield f"{path}:{number}: can't tell what is included"


def main(folder):
    files = sorted(path for path in pathlib.Path(folder).iterdir() if path.suffix in (".hpp", ".cpp"))
    if not files:
        return f"{folder} has no C++ files"
    own = {path.name for path in files if path.suffix == ".hpp"}
    faults = [fault for path in files for fault in faults_of(path, own)]
    print(f"{len(files)} files, {len(faults)} faults")
    return "\n".join(faults)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]) or 0)
