"""Command lines as programs of Python: what a shell would do of ``cd``, variables and scripts."""

import glob
import itertools
import os
import re
import shlex
from typing import NamedTuple

from tfgraphtools import regular_files

_PYTHON = re.compile(r"(.*/)?python[23]?(\.\d+)?")
_OF_PYTHON = {"-u", "-B"}  # options of Python without which a program does the same
_LONGEST = 1 << 16  # characters of a line with the values of its variables
_DEEPEST = 3  # scripts of a shell that call one another

_CASES = ("-rfEp",)  # pytest then names each test that fails, or passes

_QUOTED = r"""'[^']*'|"(?:\\.|[^"\\])*"|\\."""  # what a shell does not look into
_COMMENT = re.compile(rf"({_QUOTED})|(?<!\S)#.*")
_PART = re.compile(rf"(?:{_QUOTED}|(?!&&|;|\n).)+|&&|;|\n", re.DOTALL)
_FOR_A_SHELL = re.compile(r"[|<>]|&(?!\s*$)|(?:^|[\s=:])~|\{\S*(?:,|\.\.)\S*\}")
_VARIABLE = re.compile(r"'[^']*'|\\.|\$(?:(\w+)|\{(\w+)\})", re.DOTALL)
_SUBSTITUTION = re.compile(r"'[^']*'|\\.|([$`])", re.DOTALL)


class Step(NamedTuple):
    """One program.

    Fields:
      words: what stands after ``python``.
      folder: where it runs, from the folder of the code.
      variables: its environment variables.
    """

    words: tuple
    folder: str = ""
    variables: tuple = ()

    @property
    def is_test(self):
        """Whether it runs tests."""
        return self.words[:2] in (("-m", "pytest"), ("-m", "unittest"))

    def under_run(self, python, translated=()):
        """Returns the command that runs it under ``tfgraphtools run``.

        Args:
          python: the path of a Python.
          translated: installed packages that `run` is to translate, too.
        """
        options = [f"--v1-package={package}" for package in translated]
        if self.words[:2] != ("-m", "pytest"):
            return [python, "-m", "tfgraphtools", "run", *options, *self.words]
        words = [*_CASES, *self.words[2:]]
        if options:
            return [python, "-m", "tfgraphtools", "run", *options, "-m", "pytest", *words]
        return [python, "-m", "pytest", "-p", "tfgraphtools", *words]

    def text(self, words):
        """Returns a line of a shell, which runs words where and as this program runs."""
        variables = [f"{name}={shlex.quote(value)}" for name, value in self.variables]
        line = " ".join([*variables, *map(shlex.quote, words)])
        return f"(cd {shlex.quote(self.folder)} && {line})" if self.folder else line

    def under_python(self, python):
        """Returns the command that runs it under Python alone."""
        options = _CASES if self.words[:2] == ("-m", "pytest") else ()
        return [python, *self.words[:2], *options, *self.words[2:]]


class NotUnderstood(Exception):
    """A command line has something that only a shell can do; the message names it."""


def program_words(words):
    """Returns what stands after ``python``, without options of Python that change nothing."""
    return list(itertools.dropwhile(_OF_PYTHON.__contains__, words[1:]))


def steps(line, tree):
    """Returns the `Step`s of a command line.

    Args:
      line: as a shell takes it.
      tree: the folder of the code, in which scripts of a shell are read.

    Raises:
      NotUnderstood: part of it is no program of Python.
    """
    return _Reader(tree).read(line, "", {}, 0)[0]


class _Reader:
    def __init__(self, tree):
        self._tree = tree
        self._exported = set(os.environ)  # names of the variables that programs see

    def read(self, line, folder, variables, depth):
        """Returns (the steps of lines, the folder after them); changes `variables`, as a shell."""
        if "\0" in line:
            raise NotUnderstood("a zero byte stands in it, which no shell takes")
        result = []
        line = _COMMENT.sub(lambda match: match[1] or "", line)
        for part in _PART.findall(re.sub(r"\\\r?\n", " ", line)):
            if part in ("&&", ";", "\n"):
                continue
            part = _expanded(part, variables)
            bare = re.sub(_QUOTED, "", part)
            if _FOR_A_SHELL.search(bare) or self._is_pattern(bare, folder):
                raise NotUnderstood(f"{part.strip()}: only a shell can run it")
            try:
                words = shlex.split(part)
            except ValueError as error:
                raise NotUnderstood(f"{part.strip()}: {error}") from None
            if not words:
                continue
            own = {}
            while words and re.match(r"[A-Za-z_]\w*=", words[0]):
                name, _, value = words.pop(0).partition("=")
                own[name] = value
            if not words:
                variables.update(own)
            elif words[0] == "export":
                for name, is_set, value in (word.partition("=") for word in words[1:]):
                    self._exported.add(name)
                    variables.update({name: value} if is_set else {})
            elif words[0] == "cd" and len(words) == 2 and not words[1].startswith("-"):
                self._require_inside(os.path.join(folder, words[1]), f"cd {words[1]}")
                folder = self._inside(folder, words[1])
            elif words[0] in ("set", "echo"):
                continue
            else:
                seen = {name: variables[name] for name in variables if name in self._exported}
                result += self._program(words, folder, {**seen, **own}, depth)
        return result, folder

    def _program(self, words, folder, variables, depth):
        words = words[:-1] if words[-1] == "&" else words
        if not words:
            raise NotUnderstood("&: it is no program of Python")
        items = tuple(sorted(variables.items()))
        if _PYTHON.fullmatch(words[0]):
            own_words = program_words(words)
            if own_words[:1] and not own_words[0].endswith((".sh", ".bash")):
                return [self._step(own_words, folder, items)]
        if words[0] in ("pytest", "py.test", "nosetests"):
            return [self._step(("-m", "pytest", *words[1:]), folder, items)]
        if words[0].endswith(".py"):
            return [self._step(words, folder, items)]
        script = words[1] if words[0] in ("sh", "bash") and words[1:] else words[0]
        path = os.path.join(self._tree, folder, script)
        if script.endswith((".sh", ".bash")) and os.path.isfile(path) and depth < _DEEPEST:
            self._require_inside(os.path.join(folder, script), script)
            return self._script(path, folder, dict(variables), depth + 1)
        raise NotUnderstood(f"{' '.join(words)}: it is no program of Python")

    def _step(self, words, folder, items):
        """Returns the step of a script, a module or code."""
        name = words[0]
        if name.startswith("-") and name not in ("-m", "-c"):
            raise NotUnderstood(f"{' '.join(words)}: an option of Python itself: leave {name} out")
        for path in _code_of(words):
            self._require_inside(os.path.join(folder, path), path)
        return Step(tuple(words), folder, items)

    def _script(self, path, folder, variables, depth):
        self._exported.update(variables)
        return self.read(regular_files.text(path), folder, variables, depth)[0]

    def _is_pattern(self, text, folder):
        """Tells whether a shell would put the names of files for a word, such as ``*.py``."""
        place = glob.escape(os.path.join(self._tree, folder))
        words = [word for word in text.split() if re.search(r"[*?\[]", word)]
        return any(glob.glob(os.path.join(place, word)) for word in words)

    def _inside(self, folder, name):
        path = os.path.normpath(os.path.join(folder, name))
        if os.path.isabs(path) or path.split(os.sep)[0] == os.pardir:
            raise NotUnderstood(f"cd {name}: a folder outside the repository")
        self._require_inside(path, f"cd {name}")
        return "" if path == "." else path

    def _require_inside(self, path, command):
        """Raises `NotUnderstood` where a link leads out of the tree: what runs there writes there.

        ``..`` counts as a shell counts it, after the link, and as it is written.
        """
        top = os.path.realpath(self._tree)
        real = os.path.realpath(os.path.join(self._tree, path))
        if real != top and not real.startswith(top + os.sep):
            raise NotUnderstood(f"{command}: it leads out of the repository, to {real}")


def _code_of(words):
    """Returns the paths, whether they exist or not, of the code that a program runs."""
    if words[0] == "-c":
        return []
    if words[0] != "-m":
        return [words[0]]
    module = os.path.join(*words[1].split(".")) if words[1:] else ""
    tests = words[2:] if module in ("pytest", "unittest") else ()
    return [module, module + ".py", *(word.partition("::")[0] for word in tests)]


def _expanded(part, variables):
    """Returns a part of a line with the values of variables that the lines before set.

    Raises:
      NotUnderstood: another variable or a command stands for a text, as in ``$HOME``.
    """
    text = _VARIABLE.sub(lambda m: variables.get(m[1] or m[2], m[0]), part)
    if len(text) > _LONGEST:  # A=$A$A, line after line
        raise NotUnderstood(f"{part.strip()[:80]}: longer than {_LONGEST} characters")
    if any(match[1] for match in _SUBSTITUTION.finditer(text)):
        raise NotUnderstood(f"{part.strip()}: only a shell can expand it")
    return text
