"""Python sources below a path, and their trees as `run` would compile them."""

import os
from typing import Any, NamedTuple, Optional, Tuple

from tfgraphtools import deep_recursion, regular_files
from tfgraphtools.compat import notebook_cells
from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.translate import source
from tfgraphtools.compat.fixes import python2
from tfgraphtools.errors import ArgumentError

#: Folders that hold no code of the user's own.
_PASSED_OVER = {"__pycache__", "node_modules", "site-packages", "build", "dist"}


#: The error of a source that Python itself may parse.
TOO_DEEP = "an expression is nested too deeply: split it"


class Source(NamedTuple):
    """One file.

    Fields:
      path: as it is to be shown.
      tree: its `ast.Module` as `run` compiles it, or None if it is no Python.
      fixes: the rows that were needed to make a tree of it.
      python2: the one of them by which it is Python 2's, or None.
      line, error: where it is no Python, and why.
      data: its code as it is written; of a notebook: that of its cells.
    """

    path: str
    tree: Optional[Any]
    fixes: Tuple[rows.Fix, ...] = ()
    python2: Optional[rows.Fix] = None
    line: int = 0
    error: Optional[str] = None
    data: bytes = b""


def find(path, expected="a Python file, a folder with Python files, or a .meta"):
    """Returns the ``.py`` and ``.ipynb`` files below a folder, sorted; or the one file that it is.

    Links to folders are not followed. A file that is named is taken whatever it is called.

    Args:
      path: of a file or folder.
      expected: what an error says that was expected.

    Raises:
      ArgumentError: there is no such path, or no Python file below it.
    """
    if os.path.isfile(path):
        require_python(path)
        return [path]
    paths = []
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not _is_passed_over(folder, name))
        paths += [os.path.join(folder, n) for n in sorted(names) if n.endswith((".py", ".ipynb"))]
    if not paths:
        raise ArgumentError(
            path,
            expected,
            "no Python file in it" if os.path.isdir(path) else "no such file or folder",
            "Give the folder of the code.",
        )
    return paths


def require_python(path):
    """Raises ArgumentError for a file whose name says that it is something else: notes.txt."""
    suffix = os.path.splitext(path)[1]
    if suffix not in ("", ".py", ".pyw", ".ipynb"):
        raise ArgumentError(
            path,
            "a Python file or a notebook",
            f"a {suffix} file",
            "Give a .py or .ipynb file, or the folder of the code.",
        )


def _is_passed_over(folder, name):
    is_environment = os.path.exists(os.path.join(folder, name, "pyvenv.cfg"))
    return name.startswith(".") or name in _PASSED_OVER or is_environment


def read(path):
    """Returns the `Source` of a file, as `run` reads it when it is alone."""
    try:
        data = regular_files.read(path)
        if path.endswith(".ipynb"):
            data = _code_of_notebook(data)
        rows.forget_used()
        tree = deep_recursion.call(source.tree_of, data, path)
    except SyntaxError as error:
        why = f"{type(error).__name__}: {error.msg}"
        return Source(path, None, line=error.lineno or 1, error=why)
    except ValueError as error:  # zero bytes in a source, JSON that is none
        return Source(path, None, line=1, error=str(error))
    except OSError as error:
        return Source(path, None, line=1, error=error.strerror or str(error))
    except RecursionError:
        return Source(path, None, line=1, error=TOO_DEEP)
    why = python2.why_python2(tree)
    return Source(path, tree, tuple(rows.report()) + ((why,) if why else ()), why, data=data)


def read_in_company(path):
    """Returns the `Source` of a file that `run` reads after one that only Python 2 can parse."""
    with python2.in_company():
        return read(path)


def _code_of_notebook(data):
    """Returns the cells of code, one after the other, without IPython's own commands."""
    lines = []
    for cell in notebook_cells.code_cells(data.decode("utf-8")):
        if notebook_cells.is_for_another_language(cell):
            lines += [""] * (cell.count("\n") + 1)
            continue
        of_cell = cell.split("\n")
        for first, end in notebook_cells.commands(cell):
            of_cell[first:end] = [_instead_of(of_cell[first])] + [""] * (end - first - 1)
        lines += of_cell
    return "\n".join(lines).encode("utf-8")


def _instead_of(command):
    """Returns a line for a command of IPython, which may be all of a block: ``if x: !pip``."""
    indent = command[: len(command) - len(command.lstrip())]
    return indent + "pass" if indent else ""
