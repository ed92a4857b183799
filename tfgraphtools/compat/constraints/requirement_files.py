"""Packages that a repository names in files: in every form of requirements, and in texts."""

import os
import platform
import re
import sys

from tfgraphtools.compat.constraints import pins
from tfgraphtools.compat.constraints.pyproject_packages import of_pyproject

#: Names of files that hold a requirement a line.
REQUIREMENTS = re.compile(r".*requirements.*\.txt$|requirements[/\\].*\.txt$", re.IGNORECASE)

_CONDA = re.compile(r"(?:conda|env|environment)(?:[._-][\w.-]+)?\.ya?ml")
_PIP = re.compile(r"\bpip[23]?(?:\.\d)? install ([^\n;&|`]*)")
#: Options of pip with a value; ``pip install -- upgrade x`` is an option typed with a space.
_WITH_VALUE = ("-r", "-c", "-e", "-i", "-f", "--index-url", "--find-links", "--")
_TEXTS = re.compile(r"readme.*|dockerfile.*|install.*", re.IGNORECASE)
_INCLUDED = re.compile(r"\s*(?:-r|--requirement)[ =]?\s*([^\s#]+)")

#: Markers of packages that other systems than this one need.
_HERE = "|".join((sys.platform, platform.system(), os.name))
_OF_OTHERS = re.compile(
    rf";.*\b(?:sys_platform|platform_system|os_name)\s*==\s*['\"](?!(?:{_HERE})['\"])"
)

#: What conda installs beside packages of Python; an index may have others by these names.
_LIBRARIES = re.compile(
    r"lib(?!rosa|svm|cloud|sass|tmux).*|.*-ng|mkl|openssl|zlib|readline|sqlite|tk|xz|ncurses|"
    r"ca-certificates|intel-openmp|blas|openblas|bzip2|icu|qt|jpeg|freetype|ffmpeg|hdf5|yaml|"
    r"zeromq|expat|fontconfig|glib|dbus|pcre|zstd|lz4-c|snappy|gmp|cairo|pixman|graphviz|nodejs|git"
)

#: Requirements that no index has, in files of any kind, and in a line of requirements.
_REPOSITORY = re.compile(r"\b(?:git|hg|svn)\+[^\s\"'`]+|\bgit\s*=\s*[\"'][^\"']+[\"']")
_URL = re.compile(r"(?:(?:-e|--editable|[\w.\[\],-]+ *@) *)?\S*(?:https?://|\.whl|\.tar\.gz)")


def declared(folder, files):
    """Yields (package, limit, "FILE:LINE") of what files ask for; what a text says counts last.

    They are requirements*.txt, setup.py, setup.cfg, pyproject.toml, Pipfile, environments of
    conda, and what README, Dockerfile and INSTALL tell people to type.

    Args:
      folder: the repository.
      files: names of its files from the folder.
    """
    texts, included = [], _included(folder, files)
    for name in files:
        path, base = os.path.join(folder, name), os.path.basename(name)
        if name == "setup.py":
            yield from _each(name, pins.of_setup(path))
        elif _TEXTS.fullmatch(base) and name.count(os.sep) < 3:
            texts.append((name, path))
        else:
            reader = _reader(name, base, included)
            yield from _each(name, reader(pins.lines_of(path))) if reader else ()
    for name, path in texts:
        for number, line in _continued(pins.lines_of(path)):
            for match in _PIP.finditer(line):
                yield from _each(name, ((number, word) for word in _words(match.group(1))))


def urls(folder, files):
    """Yields (URL, "FILE:LINE") of requirements that are no names of packages.

    Args:
      folder, files: as for `declared`.
    """
    included = _included(folder, files)
    for name in files:
        base = os.path.basename(name)
        is_text = _TEXTS.fullmatch(base) and name.count(os.sep) < 3
        if not (is_text or base in ("setup.py", "Pipfile") or _reader(name, base, included)):
            continue
        for number, line in enumerate(pins.lines_of(os.path.join(folder, name)), 1):
            text = re.sub(r"(^|\s)#.*", "", line).strip()
            match = _REPOSITORY.search(text)
            if name in included and (match or _URL.match(text)):
                yield text, f"{name}:{number}"
            elif match:
                yield match.group(), f"{name}:{number}"


def _included(folder, files):
    """Returns the files that hold a requirement a line, and those that they name after ``-r``."""
    waiting, included = [name for name in files if REQUIREMENTS.match(name)], set()
    while waiting:
        name = waiting.pop()
        included.add(name)
        for line in pins.lines_of(os.path.join(folder, name)):
            match = _INCLUDED.match(line)
            other = match and os.path.normpath(os.path.join(os.path.dirname(name), match.group(1)))
            if other in files and other not in included:
                waiting.append(other)
    return included


def _reader(name, base, included):
    """Returns the function of the lines of a file that yields its requirements, or None."""
    if name in included:
        return lambda lines: enumerate(lines, 1)
    if _CONDA.fullmatch(base):
        return _of_conda
    if base == "pyproject.toml":
        return of_pyproject
    return _of_sections if base in ("setup.cfg", "Pipfile") else None


def _words(text):
    """Returns the packages of a command line of pip; a text in prose ends them."""
    words, skips = [], False
    for word in text.replace('"', "").replace("'", "").split():
        if skips or word.startswith("-"):
            skips = word in _WITH_VALUE
            continue
        if not pins.requirement(word):
            break
        words.append(word)
    return words


def _each(name, lines):
    for number, line in lines:
        requirement = pins.requirement(line)
        if requirement is not None and not _OF_OTHERS.search(line):
            yield (*requirement, f"{name}:{number}")


def _continued(lines):
    """Yields (number, line), a line that a backslash continues joined with the next ones."""
    start, text = 1, ""
    for number, line in enumerate(lines, 1):
        text += line
        if text.endswith("\\"):
            text = text[:-1] + " "
        else:
            yield start, text
            start, text = number + 1, ""
    yield start, text


def _of_conda(lines):
    """Yields (number, requirement) of a file of conda, whose pins have one "="."""
    key = ""
    for number, line in enumerate(lines, 1):
        line = re.sub(r"(^|\s)#.*", "", line)
        key = line.partition(":")[0] if re.match(r"\w", line) else key
        match = re.match(
            r"\s*- (?:[\w./-]+::)?([\w.-]+)\s*((?:[<>=!]=?[\w.*]+,?)*)(?:=\w+)?\s*$", line
        )
        is_package = match and not _LIBRARIES.fullmatch(match.group(1))
        if is_package and key.strip() == "dependencies":
            limit = re.sub(r"^=(?!=)", "==", match.group(2)).partition(",")[0]
            yield number, match.group(1) + re.sub(r"(==[\w.*]+)=\w+$", r"\1", limit)


def _of_sections(lines):
    """Yields (number, requirement) of a Pipfile's packages and setup.cfg's install_requires."""
    section, key = "", ""
    for number, line in enumerate(lines, 1):
        if line.startswith("["):
            section, key = line.strip(), ""
        elif section in ("[packages]", "[dev-packages]"):
            name, _, value = (part.strip().strip('"') for part in line.partition("="))
            if value.startswith("{"):
                version = re.search(r"version\s*=\s*[\"']([^\"']*)", line)
                value = version.group(1) if version else None
            if re.fullmatch(r"[\w.-]+", name) and value is not None:
                yield number, name + ("" if value == "*" else value)
        elif section in ("[options]", "[options.extras_require]"):
            if line[:1].strip():
                key, _, line = line.partition("=")
            if key.strip() in ("install_requires", "tests_require") or "extras" in section:
                yield number, line.strip()
