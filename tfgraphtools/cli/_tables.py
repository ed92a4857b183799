"""Plain tables that fit a terminal, and numbers as people read them."""

import functools
import os
import sys
import time
from typing import Any, Callable, List, Optional, Sequence

from tfgraphtools import environment_variables

_GAP = "  "
_NARROWEST = 16  # columns that a text keeps, however narrow the terminal
_UNSHOWN_SECONDS = 0.5  # of work that needs no progress


def table(
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    width: Optional[int] = None,
    right: Sequence[int] = (),
) -> List[str]:
    """Returns the lines of a table.

    Args:
      headers: the columns' names; the widest columns give way where there is no room.
      rows: lists of strings.
      width: columns of the terminal, or None for no limit.
      right: numbers of the columns that are flush right.

    Example:
      >>> print("\\n".join(table(["name", "size"], [["w", "48 B"]], right=[1])))
      name  size
      w     48 B
    """
    if not rows:
        return []
    columns = [_printable(column) for column in zip(headers, *rows)]
    headers, *rows = zip(*columns)
    is_plain = all("".join(column).isascii() for column in columns)
    widths = [max(map(len if is_plain else cells, column)) for column in columns]
    if width is not None:
        _shrink(widths, width - len(_GAP) * (len(widths) - 1))
    if is_plain and width is None:  # ten thousand rows in a pipe should not take a second
        form = _GAP.join(
            "{{:{}{}}}".format(">" if i in right else "<", w) for i, w in enumerate(widths)
        )
        return [form.format(*row).rstrip() for row in [headers] + rows]
    lines = []
    for row in [headers] + rows:
        parts = [
            _padded(shortened(text, widths[i]), widths[i], i in right) for i, text in enumerate(row)
        ]
        lines.append(_cut(_GAP.join(parts).rstrip(), width))
    return lines


def _printable(column):
    """Returns texts of one line each: a name may hold what breaks a line or drives a terminal."""
    if "".join(column).isprintable():
        return column
    return [printable(text) if text else text for text in column]


def printable(text: str) -> str:
    """Returns a text whose unprintable characters are written as escapes."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _shrink(widths, room):
    """Narrows the widest columns, down to a limit, until all of them fit."""
    while sum(widths) > room and max(widths) > _NARROWEST:
        widest = max(range(len(widths)), key=widths.__getitem__)
        others = sorted(widths)[-2] if len(widths) > 1 else 0
        excess = sum(widths) - room
        target = max(others if others < widths[widest] else widths[widest] - 1, _NARROWEST)
        widths[widest] = max(target, widths[widest] - excess)


def cells(text: str) -> int:
    """Returns the columns that a text takes in a terminal: wide characters take two."""
    if text.isascii():
        return len(text)
    return sum(_character_cells(character) for character in text)


def _character_cells(character):
    import unicodedata  # slow to load

    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def shortened(text: str, width: int) -> str:
    """Returns a text cut in the middle, where names differ least: ``encoder/...r_11/kernel``."""
    if cells(text) <= width:
        return text
    mark = "…" if can_print("…") else "..."
    room = width - len(mark)
    head, tail = room // 3, room - room // 3
    while cells(text[:head]) + cells(text[len(text) - tail :]) > room:
        tail -= 1
    return text[:head] + mark + text[len(text) - tail :]


def _padded(text, width, to_the_right):
    fill = " " * (width - cells(text))
    return fill + text if to_the_right else text + fill


def _cut(line, width):
    if width is None or cells(line) <= width:
        return line
    while cells(line) > width:
        line = line[:-1]
    return line


def terminal_width() -> Optional[int]:
    """Returns the columns of the terminal that stdout goes to, or None for a pipe or a file."""
    if not sys.stdout.isatty():
        return None
    if environment_variables.value_of("COLUMNS").isdigit():
        return int(environment_variables.value_of("COLUMNS")) or None
    return os.get_terminal_size(sys.stdout.fileno()).columns or None  # some report 0


def can_print(text: str) -> bool:
    """Tells whether stdout can show these characters."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


@functools.lru_cache(maxsize=4096)  # models repeat their sizes
def size(count: Optional[float]) -> str:
    """Returns a number of bytes: ``48 B``, ``1.2 KiB``."""
    if count is None:
        return "?"
    if count < 1024:
        return f"{count} B"
    for unit in ("KiB", "MiB", "GiB", "TiB"):
        count /= 1024.0
        if count < 1023.95 or unit == "TiB":
            return f"{count:.1f} {unit}"


def counted(count: int, noun: str) -> str:
    """Returns ``1 tensor``, ``2 tensors``."""
    return "{} {}{}".format(count, noun, "" if count == 1 else "s")


def print_json(value: Any) -> None:
    """Prints a value as JSON."""
    print(as_json(value, ensure_ascii=not can_print("\u00e9")))


def as_json(value: Any, ensure_ascii: bool = True) -> str:
    """Returns the JSON text of a value."""
    import json  # which listing a checkpoint need not wait for

    return json.dumps(value, indent=2, ensure_ascii=ensure_ascii)


def number(value: Optional[float]) -> str:
    """Returns a number in few digits."""
    return "" if value is None else f"{value:.6g}"


def progress(activity: str, unit: Optional[str] = None) -> Optional[Callable[[int, int], None]]:
    """Returns a callback (done, total) that shows a percentage on stderr; None if no terminal.

    Nothing is shown of what takes less than half a second, or is one file.

    Args:
      activity: the word before it.
      unit: what is counted, such as "files"; bytes if None.
    """
    if not sys.stderr.isatty() or environment_variables.value_of("TERM") == "dumb":
        return None
    begin = time.monotonic()
    shown: List[int] = []

    def show(done, total):
        percent = 100 * done // total if total else 100
        is_short = time.monotonic() - begin < _UNSHOWN_SECONDS or (unit and total == 1)
        if percent >= 100:
            sys.stderr.write("\r\x1b[K" if shown else "")
        elif not is_short and percent not in shown[-1:]:
            whole = f"{total} {unit}" if unit else size(total)
            sys.stderr.write(f"\r{activity} {percent}% of {whole}")
            shown.append(percent)
        sys.stderr.flush()

    return show
