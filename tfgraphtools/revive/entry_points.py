"""The commands of a repository: those of its README and CI, and files that are programs."""

import ast
import os
import re
import shlex
from typing import NamedTuple

from tfgraphtools import regular_files
from tfgraphtools.analysis import scopes
from tfgraphtools.revive import command_steps
from tfgraphtools.revive.declared_packages import modules_of

#: A command line of Python, or of a script of a shell, as texts show it.
_LINE = re.compile(
    r"(?:^|[`$>]|\brun:|^\s*-)\s*((?:cd \S+ && )?(?:[A-Z_]+=\S+ )*(?:python[23]?(?:\.\d+)?|pytest|"
    r"(?:ba)?sh) (?!-c\b)[^`\n|]*\S|\./\w[\w./-]*\.(?:py|sh)\b[^`\n|]*)"
)
_TEXTS = re.compile(r"readme.*|\.travis\.yml|.*\.github[/\\]workflows[/\\].*", re.IGNORECASE)
_MAIN = re.compile(
    r"^if __name__ ?== ?['\"]__main__|^[ \t]*tf\.app\.run\(|^app\.run\(", re.MULTILINE
)

#: What stands in a command for words that people are to choose.
_PLACEHOLDER = re.compile(
    r"[<\[{]\w[^>\]}]*[>\]}]|\.\.\.|path[/_]to|(?<![\w.])\$\{?\w+|\b[A-Z]+_[A-Z_]+\b(?!=)"
)

#: What a module does when it trains, outside its functions.
_TRAINS = re.compile(r"^\S.*\bSession\(|^    .*\.run\(|^\S.*\.fit\(", re.MULTILINE)
_TRAINERS = {"Session", "InteractiveSession", "run", "fit", "fit_generator", "train_on_batch"}
_NO_PROGRAM = {"setup.py", "pip", "venv", "virtualenv", "ensurepip", "http.server"}


class Command(NamedTuple):
    """A command line.

    Fields:
      line: as a shell takes it, from the folder of the repository.
      place: where it stands, "FILE:LINE"; "--run" for one that the user gives.
      obstacle: why it cannot be run unchanged; empty where it can.
    """

    line: str
    place: str
    obstacle: str = ""

    @property
    def runs_tests(self):
        """Tells whether it runs tests with pytest, as `command_steps` runs nosetests, too."""
        return re.search(r"\b(?:py\.?test|nosetests)\b", self.line) is not None


def commands(folder, files, sources):
    """Returns the `Command`s of a repository, each once.

    Where no text names one, they are the files that say that they are programs.

    Args:
      folder: the repository.
      files: names of its files from the folder.
      sources: {name of a Python file from the folder: its text}.
    """
    known = {}
    for name in sorted(files, key=lambda name: (name.count(os.sep), name)):
        if _TEXTS.fullmatch(name) or _TEXTS.fullmatch(os.path.basename(name)):
            for command in _of_text(folder, name, files):
                known.setdefault(command.line, command)
    for pattern in (_MAIN, _TRAINS):
        if not any(not command.obstacle for command in known.values()):
            for name, line_number in _programs(sources, pattern):
                line = "python " + shlex.quote(name)
                known.setdefault(line, Command(line, f"{name}:{line_number}"))
    return list(known.values())


def _programs(sources, pattern):
    """Yields (name, line) of the sources that no other imports and that have a pattern."""
    imported = set()
    for text in sources.values():
        imported.update(module.rpartition(".")[2] for module, _ in modules_of(text))
    for name in sorted(sources):
        is_module = pattern is _TRAINS and os.path.basename(name)[: -len(".py")] in imported
        line = None if is_test(name) or is_module else _line_of(pattern, sources[name])
        if line:
            yield name, line


def _line_of(pattern, text):
    """Returns the line of a source that makes it a program, or None."""
    if pattern is _TRAINS:
        try:
            return _line_that_trains(scopes.tree_of(text))
        except (SyntaxError, ValueError):  # Python 2's, which the pattern reads
            pass
    match = pattern.search(text)
    return text.count("\n", 0, match.start()) + 1 if match else None


def _line_that_trains(node):
    if isinstance(node, ast.Call):
        if getattr(node.func, "attr", getattr(node.func, "id", "")) in _TRAINERS:
            return node.lineno
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
        return None
    return next(filter(None, map(_line_that_trains, ast.iter_child_nodes(node))), None)


def is_test(name):
    """Tells whether a Python file holds tests, by its name."""
    return re.match(r"(test_.*|.*_test|.*_tests)\.py$", os.path.basename(name)) is not None


def notebooks(files):
    """Returns the names of notebooks."""
    return [name for name in files if name.endswith(".ipynb")]


def _of_text(folder, name, files):
    text = regular_files.text(os.path.join(folder, name))
    text = re.sub(r"\\\r?\n\s*", lambda match: " \0" + match.group(0)[1:-1], text)
    number = 1
    for line in re.split(r"\r?\n", re.sub(r" \0[\r\n\s]*", " \0", text)):
        joined = " ".join(line.replace("\0", "").split()) if "\0" in line else line
        for match in _LINE.finditer(joined):
            command = _command(match.group(1).strip().rstrip("`"), f"{name}:{number}", files)
            if command is not None:
                yield command
        number += 1 + line.count("\0")


def _command(line, place, files):
    """Returns the `Command` of a line, or None where it runs nothing of the repository."""
    line = re.sub(r"\s+#.*| &$|;$", "", line)
    try:
        words = shlex.split(line)
    except ValueError:
        return None
    if not words:
        return None
    start, words = (words[:3], words[3:]) if words[0] == "cd" else ([], words)
    base = start[1] if start else ""
    while words and "=" in words[0] and not words[0].startswith("-"):
        words = words[1:]
    if not words:  # it sets variables
        return None
    if words[0].startswith("./"):
        words = ["", *words]
    program, arguments = words[0], command_steps.program_words(words)
    if arguments[-1:] in (["--help"], ["-h"]):  # -h 64 is a size
        return None
    if not arguments or any(word in _NO_PROGRAM for word in arguments[:2]):
        return Command(line, place) if program == "pytest" else None
    if program == "pytest":
        path = os.path.normpath(os.path.join(base, arguments[0].partition("::")[0]))
        is_there = path == "." or any((name + os.sep).startswith(path + os.sep) for name in files)
        is_sentence = not arguments[0].startswith("-") and not is_there
        return None if is_sentence else Command(line, place)
    if arguments[0] == "-m":
        module = arguments[1].replace(".", "/") if arguments[1:] else ""
        scripts = (module + ".py", module + "/__main__.py")
        if module not in ("pytest", "unittest") and not any(
            os.path.normpath(os.path.join(base, script)) in files for script in scripts
        ):
            return None
    elif os.path.normpath(os.path.join(base, arguments[0])) not in files:
        return _elsewhere(line, place, arguments[0], files) if not base else None
    return Command(line, place, _obstacle(line))


def _elsewhere(line, place, script, files):
    """Returns the command from the only folder that has its script, or None."""
    script = os.path.normpath(script)
    if script.startswith((os.pardir, os.sep)) or not script.endswith((".py", ".sh")):
        return None
    names = [name for name in files if name.endswith(os.sep + script)]
    if len(names) != 1:
        return None
    folder = names[0][: -len(script) - 1]
    return Command(f"cd {shlex.quote(folder)} && {line}", place, _obstacle(line))


def _obstacle(line):
    if re.search(r"\bdownload\w*\.(py|sh)\b", line):
        return "it downloads data"
    match = _PLACEHOLDER.search(line)
    return f"{match.group()} stands for something to choose" if match else ""
