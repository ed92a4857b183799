"""A notebook as a script: its code cells one after the other, without IPython.

Of IPython's own syntax the commands that concern only the display are dropped, those
with a meaning in Python get it (``!command``, ``%cd``, ``%time``), and any other is an error.
"""

import json
import linecache
import os
import re

from tfgraphtools.errors import ArgumentError

#: Magic commands that a script has no use for; cell magics that only time or hide.
_DROPPED = set(
    "matplotlib load_ext reload_ext autoreload config pylab precision tensorboard warnings".split()
)
_WRAPPING = set("time timeit capture prun".split())

_LINE = re.compile(r"^(?P<indent>\s*)(?:(?P<name>[\w.]+)\s*=\s*)?(?P<sign>[%!])(?P<rest>.*)$")
_HELP = re.compile(r"^\s*\??[\w.]+\?{1,2}\s*$|^\s*\?{1,2}[\w.]+\s*$")


def source_of(path: str) -> str:
    """The source of a notebook as one module; tracebacks show its lines.

    Args:
      path: the file.

    Raises:
      ArgumentError: it is no notebook, or holds a magic command that has no meaning here.
    """
    lines = []
    for number, cell in enumerate(_cells(path), 1):
        lines.append(f"# Cell {number} of {path}")
        lines += _python(cell, path, number)
    place = os.path.join(os.getcwd(), path)  # as the code of scripts is named
    linecache.cache[place] = (1, None, [line + "\n" for line in lines], place)
    return "\n".join(lines).encode() + b"\n"


def _cells(path):
    try:
        with open(path, encoding="utf-8") as file:
            notebook = json.load(file)
        cells = notebook["cells"] if "cells" in notebook else notebook["worksheets"][0]["cells"]
        texts = [cell.get("source", cell.get("input", "")) for cell in cells if _is_code(cell)]
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        raise ArgumentError(
            "tfgraphtools run " + path,
            "a notebook: JSON with a list of cells",
            "a file of another form",
            "Save the notebook again, or run the script that it came from.",
        )
    return ["".join(text) for text in texts]


def _is_code(cell):
    return cell["cell_type"] == "code"


def _python(cell, path, number):
    """The lines of a cell in Python."""
    lines = cell.splitlines()
    if lines and lines[0].startswith("%%"):
        name = lines[0][2:].split()[0] if lines[0][2:].split() else ""
        if name in ("bash", "sh"):
            return [f"__import__('subprocess').run(['bash', '-c', {chr(10).join(lines[1:])!r}])"]
        if name not in _WRAPPING:
            raise _unknown("%%" + name, path, number)
        lines = ["", *lines[1:]]
    return [_python_line(line, path, number) for line in lines]


def _python_line(line, path, number):
    if _HELP.match(line):
        return ""
    found = _LINE.match(line)
    if found is None:
        return line
    indent, name, rest = found.group("indent"), found.group("name"), found.group("rest").strip()
    if found.group("sign") == "!":
        call = f"__import__('os').system({rest!r})"
        if name:
            call = f"{name} = __import__('subprocess').getoutput({rest!r}).splitlines()"
        return indent + call
    magic, _, argument = rest.partition(" ")
    if magic in _DROPPED:
        return indent + "pass"
    if magic in ("time", "timeit", "prun") and argument:
        return indent + (f"{name} = {argument}" if name else argument)
    if magic == "cd":
        return indent + f"__import__('os').chdir({argument.strip()!r})"
    if magic == "run":
        return indent + f"__import__('runpy').run_path({argument.split()[0]!r})"
    raise _unknown("%" + magic, path, number)


def _unknown(magic, path, number):
    return ArgumentError(
        f"tfgraphtools run {path}",
        "Python, and magic commands with a meaning outside IPython",
        f"{magic} in cell {number}",
        "Remove it, or run the notebook in Jupyter: tfgraphtools kernel install",
    )
