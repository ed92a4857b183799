"""Notebooks: their code cells as one module, and back; outputs and all else stay byte for byte."""

import itertools
import json
import re

from tfgraphtools.compat import notebook_cells

#: The fix that removes installations which fail today.
FIX = "notebook.installs"

#: What asks for the libraries of TF 1's time, which no Python of today can install.
_OLD_MAGIC = re.compile(r"%tensorflow_version\s+1\S*")
_INSTALL = re.compile(r"[!%]\s*(?:python3? -m )?pip3?\s+install\b(?P<words>.*)")
_OLD_PIN = re.compile(
    r"[\"']?(?:tensorflow(?:-gpu|-cpu|-estimator)?(?:==|~=|<=?)[012]\b|tf-nightly(?:-gpu)?(?:==|~=|<=?)1"
    r"|keras(?:==|~=|<=?)[012]\b|(?:h5py|numpy|pandas|scipy|scikit-learn|protobuf)(?:==|~=|<)[0123]\b)"
    r"[^\s;&|]*",
    re.IGNORECASE,
)


class NotANotebook(ValueError):
    """A file is no notebook that can be read."""


class Notebook:
    """A notebook's code.

    Args:
      text: the text of the ``.ipynb`` file.
    """

    def __init__(self, text):
        self._text = text
        try:
            self._data = json.loads(text)
        except ValueError as error:
            raise NotANotebook(f"not a notebook: it is not JSON: {error}") from None
        self._cells = [cell for cell in _cells(self._data) if cell.get("cell_type") == "code"]
        self._sources = [_joined(cell.get("source", "")) for cell in self._cells]
        name = _absent_name(self._sources)
        self._prefix = f"# {name}"
        self._mark = f"{self._prefix} cell "
        #: What stands for a line that only IPython reads, and for one that goes on with it.
        self._magic, self._more = f"pass  # {name}:", f"# more {name}:"

    @property
    def source(self):
        """All code cells as one module's source; IPython's own lines hidden."""
        parts = []
        for number, source in enumerate(self._python()):
            parts += [f"{self._mark}{number}", self._hidden(source)]
        return "\n".join(parts) + "\n"

    def _python(self):
        """Returns the sources of the cells, empty where another language is in one."""
        return ["" if notebook_cells.is_for_another_language(s) else s for s in self._sources]

    def with_source(self, source):
        """Returns the notebook's text with its cells' code replaced, and nothing else.

        Args:
          source: what `source` became.

        Raises:
          NotANotebook: the source does not say which cell each of its lines belongs to.
        """
        head, *pieces = re.split(rf"(?m)^{re.escape(self._mark)}(\d+)\n", source)
        if [int(number) for number in pieces[::2]] != list(range(len(self._sources))):
            raise NotANotebook(_NO_CELL)
        changed = {}
        for number, piece in enumerate(pieces[1::2]):
            new = (head * (not number)) + (piece[:-1] if piece.endswith("\n") else piece)
            new = new.replace(self._magic, "").replace(self._more, "")
            old = self._sources[number]
            is_python = not notebook_cells.is_for_another_language(old)
            if self._prefix in new or not is_python and new.strip():
                raise NotANotebook(_NO_CELL)
            if is_python and new != old:
                changed[number] = new
        return _replaced(self._text, self._data, changed)

    def _hidden(self, source):
        """Returns a cell's source in which lines that only IPython reads are ``pass``."""
        lines = source.split("\n")
        for first, end in notebook_cells.commands(source):
            for place in range(first, end):
                bare = lines[place].lstrip()
                indent = lines[place][: len(lines[place]) - len(bare)]
                lines[place] = indent + (self._magic if place == first else self._more) + bare
        return "\n".join(lines)

    def without_old_installs(self, code):
        """Returns (the code of a notebook, (line, old, new) of each line that changes).

        ``%tensorflow_version 1.x`` and pinned packages of TF 1's time stop the notebook today: they
        become a comment.

        Args:
          code: `source`, or what it became.
        """
        lines, changes = code.split("\n"), []
        for place, line in enumerate(lines):
            blanks, mark, command = line.partition(self._magic)
            new = _today(command) if mark else command
            if new != command:
                is_comment = new.startswith("#")
                opening = ("pass  " if blanks else "") if is_comment else mark  # a block needs one
                lines[place] = blanks + opening + new
                changes.append((place + 1, command, new))
        return "\n".join(lines), changes


#: Why a notebook is left.
_NO_CELL = "the upgrade cannot tell which cell each line of its code belongs to"


def _absent_name(sources):
    """Returns a name for marks that is in none of the sources."""
    names = itertools.chain(["ipython"], (f"ipython{number}" for number in itertools.count(1)))
    return next(name for name in names if not any(name in source for source in sources))


def _cells(data):
    """Returns the cells of a notebook of Python.

    Raises:
      NotANotebook: it is of another format, or of another language.
    """
    data = data if isinstance(data, dict) else {}
    cells = data.get("cells")
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        description = f"format {data['nbformat']}" if "nbformat" in data else "other JSON"
        raise NotANotebook(
            f"expected a notebook of format 4, with a list of cells, got {description}. "
            "Open it in Jupyter and save it"
        )
    kernel = (data.get("metadata") or {}).get("kernelspec") or {}
    language = str(kernel.get("language") or "python")
    if "python" not in language.lower():
        raise NotANotebook(f"a notebook of {language}, not of Python")
    return cells


def _joined(source):
    return source if isinstance(source, str) else "".join(source)


def _today(command):
    """Returns a command of IPython without what only TF 1's time had.

    A comment where nothing is left.
    """
    install = _INSTALL.match(command)
    if install is None or re.search(r"[;&|]|\\$", command):
        return "# " + command if _OLD_MAGIC.match(command) else command
    words = _OLD_PIN.sub("", install.group("words"))
    if words == install.group("words"):
        return command
    if any(not word.startswith("-") for word in words.split()):
        return command[: install.start("words")] + " " + " ".join(words.split())
    return "# " + command


def _replaced(text, data, changed):
    """Returns the text of the file in which the source of some code cells is another."""
    if not changed:
        return text
    places = _source_spans(text)
    codes = [n for n, cell in enumerate(data["cells"]) if cell.get("cell_type") == "code"]
    for number in sorted(changed, reverse=True):
        start, end = places[codes[number]]
        text = text[:start] + _written(text[start:end], changed[number]) + text[end:]
    return text


def _written(old, source):
    """Returns a source as JSON, laid out as the one it replaces."""
    ascii_only = old.isascii()
    if not old.startswith("["):
        return json.dumps(source, ensure_ascii=ascii_only)
    lines = [json.dumps(line, ensure_ascii=ascii_only) for line in source.splitlines(True)]
    if "\n" not in old:
        return "[" + ", ".join(lines) + "]"
    inner = re.match(r"\[(\s*)", old).group(1)
    outer = re.search(r"(\s*)\]\Z", old).group(1)
    return "[" + inner + ("," + inner).join(lines) + outer + "]" if lines else "[]"


_DECODER = json.JSONDecoder()
_BLANKS = re.compile(r"[ \t\r\n]*")


def _source_spans(text):
    """Returns (start, end) of the value of "source" of each cell, in the text of the file."""
    start, _ = _member(text, _skipped(text, 0), "cells")
    place = _skipped(text, start + 1)
    spans = []
    while text[place] != "]":
        try:
            spans.append(_member(text, place, "source"))
        except KeyError:
            spans.append((place, place))
        _, place = _DECODER.raw_decode(text, place)
        place = _skipped(text, place)
        if text[place] == ",":
            place = _skipped(text, place + 1)
    return spans


def _member(text, place, wanted):
    """Returns (start, end) of the value of a key of the JSON object that begins at `place`."""
    place = _skipped(text, place + 1)
    while text[place] != "}":
        key, place = _DECODER.raw_decode(text, place)
        place = _skipped(text, _skipped(text, place) + 1)  # the colon
        start = place
        _, place = _DECODER.raw_decode(text, place)
        if key == wanted:
            return start, place
        place = _skipped(text, place)
        if text[place] == ",":
            place = _skipped(text, place + 1)
    raise KeyError(wanted)


def _skipped(text, place):
    return _BLANKS.match(text, place).end()
