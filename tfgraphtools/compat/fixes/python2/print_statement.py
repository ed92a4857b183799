"""The ``print`` statement, with Python 2's soft space after ``print x,``.

The space is written only when a next item follows on the same line, so that
``print x,`` and then ``print`` end the line without it. As in Python 2 the
attribute ``softspace`` of the file says that one is due, and a plain write to
the file cancels it.
"""

import atexit
import sys

from tfgraphtools.compat.fixes.python2.library import byte_texts, formatting, old_files

#: Characters after which no space is due.
_NO_SPACE_AFTER = tuple("\t\n\x0b\x0c\r")


def print_statement(*items, **options):
    """Prints as the ``print`` statement did; translated statements call it.

    Args:
      *items: what is printed, one space apart.
      **options: ``file=`` is Python 2's ``>>file``; ``end=" "`` its comma at
        the end.
    """
    file = options.get("file")
    file = sys.stdout if file is None else file
    is_due = getattr(file, "softspace", 0)
    if is_due:
        _forget(file)
    parts = []
    for value in items:
        text = str(value) if type(value) is _Item else formatting.text_of(value)
        parts += [" ", text] if is_due else [text]
        is_text = isinstance(value, (str, bytes)) and type(value) is not _Item
        is_due = not (is_text and text[-1:] in _NO_SPACE_AFTER)
    if options.get("end") != " ":
        parts.append("\n")
        is_due = False
    old_files.take_text_or_bytes(file.write, byte_texts.of_parts(parts))
    if is_due:
        _remember(file)


class _Item(str):
    """The text of an item that is no text."""


def item(value):
    """Returns an item as it is printed, before the next one is evaluated."""
    return value if isinstance(value, (str, bytes)) else _Item(formatting.text_of(value))


def _remember(file):
    """Notes that a space is due, until it is written or someone else writes."""
    try:
        file.softspace = 1
        file.write = _Hook(file)
    except AttributeError:  # a file that takes no attributes: the space now is the best there is
        file.write(" ")
        return
    if file is sys.stdout:
        atexit.unregister(_end_line)
        atexit.register(_end_line)


class _Hook:
    """Stands for a file's ``write`` until it is called."""

    def __init__(self, file):
        self.file = file
        self.own = vars(file).get("write")  # the file's own attribute, where it has one

    def __call__(self, text):
        _forget(self.file)
        return self.file.write(text)


def _forget(file):
    file.softspace = 0
    hook = vars(file).get("write")
    if isinstance(hook, _Hook):
        del file.write
        if hook.own is not None:
            file.write = hook.own


def _end_line():
    """Ends the line at the exit, as Python 2 did."""
    if getattr(sys.stdout, "softspace", 0):
        print_statement()
