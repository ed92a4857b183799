"""The Python of a notebook: its code cells, and in them the lines that only IPython reads."""

import json
import re
from typing import Iterator, List, Tuple

#: Commands that take a cell of Python.
_OF_PYTHON = {"time", "timeit", "capture", "prun"}

#: At the start of a statement no Python begins, or is assigned, like this.
_COMMAND = re.compile(r"\s*(?:[\w., ]+=\s*)?[%!]|\s*\?|\s*[\w.*]+(?:\[[\w'\"]*\])*\?\??\s*$")

#: What decides where a statement ends: comments, strings, brackets, joined lines, line ends.
_TOKEN = re.compile(
    r"""
    \#[^\n]*
    | (?P<quotes>\"{3}|'{3})(?:\\.|(?!(?P=quotes)).)*(?:(?P=quotes))?
    | "(?:\\.|[^"\\\n])*"?
    | '(?:\\.|[^'\\\n])*'?
    | \\\r?\n
    | [()\[\]{}\n]
    """,
    re.VERBOSE | re.DOTALL,
)


def code_cells(text: str) -> List[str]:
    """Returns the sources of the code cells of a notebook, of format 3 or 4.

    Args:
      text: that of the ``.ipynb`` file.

    Raises:
      ValueError: it is no notebook.
    """
    try:
        data = json.loads(text)
        cells = data["cells"] if "cells" in data else data["worksheets"][0]["cells"]
        sources = [
            cell.get("source", cell.get("input", ""))
            for cell in cells
            if cell["cell_type"] == "code"
        ]
        return ["".join(source) for source in sources]
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        reason = f"{error}" if isinstance(error, ValueError) else "it has no list of cells"
        raise ValueError(f"not a notebook: {reason}") from None


def is_for_another_language(source: str) -> bool:
    """Tells whether a cell begins with a command that takes all of it (``%%bash``): no Python.

    The rest of a cell that begins with ``%%time`` is Python.
    """
    command = re.match(r"\s*%%(\w*)", source)
    return command is not None and command.group(1) not in _OF_PYTHON


def commands(source: str) -> Iterator[Tuple[int, int]]:
    """Yields (first, end) of the lines of each command that only IPython reads, counted from 0.

    A line inside a string, a bracket or a joined line is none, whatever it begins with.

    Args:
      source: a cell's.
    """
    place = 0
    while place < len(source):
        end = _line_end(source, place)
        if _COMMAND.match(source[place:end].rstrip("\n")):
            while source[place:end].endswith("\\\n") and end < len(source):
                end = _line_end(source, end)
            yield source.count("\n", 0, place), source.count("\n", 0, end - 1) + 1
            place = end
        else:
            place = _statement_end(source, place)


def _line_end(source, place):
    return source.find("\n", place) + 1 or len(source)


def _statement_end(source, place):
    depth = 0
    for match in _TOKEN.finditer(source, place):
        token = match.group()
        if token in "([{":
            depth += 1
        elif token in ")]}":
            depth = max(depth - 1, 0)
        elif token == "\n" and not depth:
            return match.end()
    return len(source)
