"""Edits of a source text: spans that are replaced, all the rest left as it is, byte for byte."""

from typing import NamedTuple, Tuple, Union


class Edit(NamedTuple):
    """One change.

    Fields:
      start, end: the span that is replaced, in characters of the text.
      new: what stands there afterwards: str, or the (start, end) of what moves there, which
        other edits may change.
      fix: the name of the fix that asks for it.
      line: the line of the use, from 1.
    """

    start: int
    end: int
    new: Union[str, Tuple[int, int]]
    fix: str
    line: int


class Text:
    """A source text, and where the nodes of its tree stand in it.

    Args:
      text: the source; its lines end in ``\\n``.
    """

    def __init__(self, text):
        self.text = text
        self.lines = text.split("\n")
        self._starts = [0]
        for line in self.lines:
            self._starts.append(self._starts[-1] + len(line) + 1)

    def at(self, line, column):
        """Returns the place of a line (from 1) and a column of the tree, in UTF-8 bytes."""
        text = self.lines[line - 1]
        if not text.isascii():
            column = len(text.encode("utf-8")[:column].decode("utf-8", "ignore"))
        return self._starts[line - 1] + column

    def span(self, node):
        """Returns (start, end) of a node."""
        start = self.at(node.lineno, node.col_offset)
        return start, self.at(node.end_lineno, node.end_col_offset)

    def of(self, node):
        """Returns the text of a node."""
        start, end = self.span(node)
        return self.text[start:end]

    def around(self, node, opening, closing, fix):
        """Returns the `Edit`s that put a node between two texts."""
        start, end = self.span(node)
        line, end_line = node.lineno, node.end_lineno
        return [Edit(start, start, opening, fix, line), Edit(end, end, closing, fix, end_line)]

    def decorated(self, node, decorator, fix):
        """Returns the `Edit` that puts a decorator before a function or class.

        Imports go before it.
        """
        start, _ = self.span(node)
        word = self.text[start : start + 1]
        new = f"{decorator}\n{self.indent(node.lineno)}{word}"
        return Edit(start, start + 1, new, fix, node.lineno)

    def starts_line(self, node):
        """Tells whether only blanks stand before a node on its line."""
        return len(self.indent(node.lineno)) == self.span(node)[0] - self.line_start(node.lineno)

    def line_start(self, line):
        """Returns the place at which a line (from 1) begins.

        The end of the text for one after the last.
        """
        return min(self._starts[line - 1], len(self.text))

    def indent(self, line):
        """Returns the blanks at the beginning of a line."""
        text = self.lines[line - 1]
        return text[: len(text) - len(text.lstrip(" \t\f"))]


def applied(text, edits):
    """Returns the text with all edits applied; of two that overlap, the outer one counts.

    Args:
      text: str.
      edits: an iterable of `Edit`; insertions at one place keep their order.
    """
    # Insertions come before what is replaced at the same place, outer spans before inner ones.
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end != edit.start, -edit.end))
    return _rendered(text, 0, len(text), ordered)


def _rendered(text, start, end, edits):
    """Returns a part of the text with the edits within it applied."""
    parts, place = [], start
    for edit in edits:
        if edit.start < place or edit.end > end:
            continue
        parts.append(text[place : edit.start])
        if isinstance(edit.new, str):
            parts.append(edit.new)
        else:
            inner = [
                inner_edit
                for inner_edit in edits
                if isinstance(inner_edit.new, str) or inner_edit[:2] != edit.new
            ]  # what stands there now moves away itself
            parts.append(_rendered(text, *edit.new, inner))
        place = edit.end
    return "".join(parts) + text[place:end]
