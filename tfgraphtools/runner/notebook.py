"""A notebook as a script: its code cells one after the other, without IPython.

Of IPython's own syntax the commands that concern only the display are dropped, those
with a meaning in Python get it (``!command``, ``%cd``, ``%time``), and any other is an error.
"""

import linecache
import os
import re

from tfgraphtools.compat import notebook_cells
from tfgraphtools.errors import ArgumentError

#: Magic commands that a script has no use for, those of the shell, those of `Commands`, and
#: those of whole cells that time or hide Python, or only show something.
_DROPPED = set(
    "autoawait autocall autoindent automagic autoreload autosave clear colors config doctest_mode"
    " gui hist history load_ext logoff logon logstart logstate logstop lsmagic matplotlib page pdb"
    " pdef pdoc pfile pinfo pinfo2 precision psource quickref reload_ext tb tensorboard"
    " tensorflow_version unload_ext warnings watermark who whos xmode".split()
)
#: What ``%pylab`` imports, in IPython's order.
_PYLAB = (
    "import numpy, matplotlib; from matplotlib import pylab, mlab, pyplot;"
    " np = numpy; plt = pyplot; from pylab import *; from numpy import *"
)
_SHELL = set("cat conda cp ls mkdir mv pip pwd rm rmdir".split())
_CALLED = set("cd env run".split())
_SHOWING = set("html javascript js latex markdown svg".split())

#: A whole statement: its names on one line, or in brackets.
_FUTURE = re.compile(
    r"^(?P<statement>from +__future__ +import *(?:\([\w\s,]+\)|[\w ,]+?)) *;? *(?:#.*)?$",
    re.MULTILINE,
)
_LINE = re.compile(r"^(?P<indent>\s*)(?:(?P<name>[\w., ]+?)\s*=\s*)?(?P<sign>[%!])(?P<rest>.*)$")


def source_of(path: str) -> str:
    """Returns the source of a notebook as one module; tracebacks show its lines.

    Args:
      path: the file.

    Raises:
      ArgumentError: it is no notebook, or holds a magic command that has no meaning here.
    """
    lines = []
    for number, cell in enumerate(_cells(path), 1):
        lines.append(f"# Cell {number} of {path}")
        lines += _python(cell, path, number)
    text = _with_futures_first("\n".join(lines))
    place = os.path.join(os.getcwd(), path)  # as the code of scripts is named
    linecache.cache[place] = (1, None, [line + "\n" for line in text.split("\n")], place)
    return text.encode() + b"\n"


def _with_futures_first(text):
    """Moves any cell's ``from __future__ import`` to the top, where modules have them."""
    statements = [" ".join(each.group("statement").split()) for each in _FUTURE.finditer(text)]
    text = _FUTURE.sub(lambda each: "\n" * each.group().count("\n"), text)
    # on the first line, a comment, so that every other line keeps its number
    return "; ".join(statements) + "  " * bool(statements) + text


def _cells(path):
    try:
        with open(path, encoding="utf-8") as file:
            return notebook_cells.code_cells(file.read())
    except ValueError:
        raise ArgumentError(
            "tfgraphtools run " + path,
            "a notebook: JSON with a list of cells",
            "a file of another form",
            "Save the notebook again, or run the script that it came from.",
        )


def _python(cell, path, number):
    """Returns the lines of a cell in Python."""
    if cell.lstrip().startswith("%%"):
        is_other = notebook_cells.is_for_another_language(cell)
        head, _, cell = cell.lstrip().partition("\n")
        name, _, argument = head[2:].partition(" ")
        if is_other:
            return _of_another_language(name, argument.strip(), cell, path, number)
        cell = "\n" + cell
    lines = cell.splitlines()
    for first, end in notebook_cells.commands(cell):
        command = "".join(line[:-1] for line in lines[first : end - 1]) + lines[end - 1]
        lines[first:end] = [_python_line(command, path, number)] + [""] * (end - first - 1)
    return lines


def _of_another_language(name, argument, cell, path, number):
    """Returns the lines that do what a cell of another language does."""
    if name in _SHOWING:
        return []
    if name in ("bash", "sh"):
        return [f"_ipython.script({name!r}, {cell!r})"]
    if name in ("writefile", "file"):
        return [f"_ipython.writefile({argument!r}, {cell!r})"]
    raise _unknown("%%" + name, path, number)


def _python_line(line, path, number):
    match = _LINE.match(line)
    if match is None:  # it asks for help
        return ""
    indent, name, text = match.group("indent"), match.group("name"), match.group("rest").strip()
    magic, _, argument = text.partition(" ")
    argument = argument.strip()
    if match.group("sign") == "!" or magic in _SHELL:
        command = text.lstrip("!")
        call = f"{name} = _ipython.getoutput" if name else "_ipython.system"
        return f"{indent}{call}({command!r})"
    if magic in _DROPPED:
        return indent + "pass"
    if magic == "pylab":
        return indent + _PYLAB
    if magic in ("time", "timeit", "prun") and argument:
        return indent + (f"{name} = {argument}" if name else argument)
    if magic in _CALLED and argument:
        return f"{indent}_ipython.{magic}({argument!r})"
    raise _unknown("%" + magic, path, number)


def _unknown(magic, path, number):
    return ArgumentError(
        f"tfgraphtools run {path}",
        "Python, and magic commands with a meaning outside IPython",
        f"{magic} in cell {number}",
        "Remove it, or run the notebook in Jupyter: tfgraphtools kernel install",
    )
