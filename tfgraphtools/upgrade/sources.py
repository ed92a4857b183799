"""One file as a module's Python 3 source: decoded, out of its notebook, translated."""

import ast
import os
import re
from typing import Any, NamedTuple, Optional, Tuple

from tfgraphtools import line_differences
from tfgraphtools.analysis import scopes
from tfgraphtools.upgrade import code_files
from tfgraphtools.upgrade.code_files import Unreadable
from tfgraphtools.upgrade.findings import Finding
from tfgraphtools.upgrade.notebook_source import NotANotebook, Notebook

#: The error of a file that has more levels than Python parses, or than can be looked at.
TOO_DEEP = "an expression is nested too deeply: split it, and upgrade again"

#: What Python 3 takes for a shift.
_PRINTS_TO_FILE = re.compile(r"(?m)^[ \t]*print[ \t]*>>")


class Source(NamedTuple):
    """One file.

    Fields:
      path: its absolute path.
      data: its bytes.
      content: its `code_files.Content`; None where it could not be read.
      code: its Python 3 source; of a notebook, that of its cells.
      findings: what its translation from Python 2 came to.
      only_python2: whether Python 3 cannot parse it.
      is_python2: whether it was translated.
      error: why it cannot be read, or None.
      lines: of a translated source: the line of the file that each of its lines was, from 1.
    """

    path: str
    data: bytes
    content: Any = None
    code: str = ""
    findings: Tuple[Finding, ...] = ()
    only_python2: bool = False
    is_python2: bool = False
    error: Optional[str] = None
    lines: Tuple[int, ...] = ()

    @property
    def is_notebook(self):
        """Whether it is a notebook."""
        return self.path.endswith(".ipynb")

    @property
    def before(self):
        """Its code as the file has it, before any translation."""
        if self.content is None:
            return self.code
        return Notebook(self.content.text).source if self.is_notebook else self.content.text

    def restored(self, code):
        """Returns (the text of the file, its bytes) once its code has become `code`.

        Raises:
          Unreadable: the encoding cannot write the new text, or not the old one as it is.
        """
        text = code
        if self.is_notebook:
            try:
                text = Notebook(self.content.text).with_source(code)
            except NotANotebook as error:
                raise Unreadable(str(error)) from None
        if text == self.content.text:
            return text, self.data
        encoding = self.content.encoding
        if code_files.encoded(self.content, self.content.text) != self.data:
            why = f"{encoding} does not write it back byte for byte"
            raise Unreadable(why + code_files.REMEDY)
        try:
            return text, code_files.encoded(self.content, text)
        except UnicodeEncodeError:
            raise Unreadable(f"{encoding} cannot write what the upgrade adds") from None


def read(path, choice, in_company=False, files=()):
    """Returns the `Source` of a file.

    Args:
      path: its absolute path.
      choice: the `roles.Choice` of fixes.
      in_company: whether it runs beside modules that only Python 2 can parse.
      files: the paths of its codebase, a tuple.
    """
    data = b""
    try:
        data = code_files.read(path)
        content = code_files.decoded(data)
        code = content.text
        if path.endswith(".ipynb"):
            code = Notebook(code).source
    except OSError as error:
        return Source(path, data, error=error.strerror or str(error))
    except (Unreadable, NotANotebook) as error:
        return Source(path, data, error=str(error))
    return _parsed(path, data, content, code, choice, in_company, files)


def _parsed(path, data, content, code, choice, in_company, files):
    from tfgraphtools.compat.fixes.python2 import dialect
    from tfgraphtools.upgrade import python2

    tree, failure = None, None
    try:
        tree = scopes.tree_of(code)
    except SyntaxError as error:
        failure = error
    except (RecursionError, MemoryError):
        return Source(path, data, content, error=TOO_DEEP)
    except ValueError as error:
        return Source(path, data, content, error=f"{type(error).__name__}: {error}")
    if tree is not None:
        old = dialect.is_python2(code.encode("utf-8"), tree)
        if not old and _PRINTS_TO_FILE.search(code):
            choice = choice._replace(select=("python2.print",))
        elif not old and not (in_company and not dialect.is_python3_only(tree)):
            return Source(path, data, content, code)
    try:
        new, findings = python2.translated(code, path, choice, files)
        ast.parse(new)
    except (SyntaxError, python2.NotPython2):
        if tree is not None:
            return Source(path, data, content, code)
        name = os.path.basename(path)
        why = f"line {failure.lineno}: {failure.msg}; {name} is neither Python 3 nor Python 2"
        return Source(path, data, content, error=why)
    lines = _lines_before(code, new)
    return Source(path, data, content, new, tuple(findings), tree is None, True, None, lines)


def _lines_before(old, new):
    """Returns, for each line of a translated source, the number of the line that it was."""
    old, new = old.split("\n"), new.split("\n")
    numbers = []
    for _, start, end, other, other_end in line_differences.opcodes(old, new):
        for number in range(other, other_end):
            numbers.append(max(1, min(start + number - other + 1, max(end, start))))
    return tuple(numbers)
