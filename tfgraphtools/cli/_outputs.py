"""Files that a command writes beside its result: looked at before the work that they are to hold.

Each carries a mark, by which a later command knows that it may replace the file.
"""

import argparse
import os
from typing import Any, Iterable, NamedTuple, Optional, Tuple

from tfgraphtools import files


class SideOutput(NamedTuple):
    """A file that an option asks for.

    Fields:
      option: its name.
      shown: the file, as it was given.
      path: the same, absolute: a script may change the folder before its report is written.
      inputs: what the command reads or writes besides.
      force: whether a file that this library did not write is replaced.
    """

    option: str
    shown: str
    path: str
    inputs: Tuple[str, ...]
    force: bool

    def write(self, text: str, comment: str) -> None:
        """Writes a text and, in its last line, the mark.

        Args:
          text: the text. What UTF-8 cannot hold of it, such as the name of a file in another
            encoding, is written as escapes.
          comment: a comment of the text's language, with ``{}`` for the mark.
        """
        end = "" if text.endswith("\n") or not text else "\n"
        self.write_data(encoded(text + end + comment.format(files.MARK) + "\n"))

    def write_json(self, value: Any) -> None:
        """Writes a value that has `files.MARK` somewhere as JSON."""
        import json

        self.write_data((json.dumps(value, indent=2) + "\n").encode("ascii"))

    def write_data(self, data: bytes) -> None:
        """Writes a content that has `files.MARK` somewhere."""
        files.replace_file(self.option, self.path, data, self.inputs, self.force)


#: Comments with a mark.
IN_HTML, IN_DOT, IN_TEXT = "<!-- {} -->", "// {}", "# {}"


def encoded(text: str) -> bytes:
    """Returns a text as UTF-8, and as escapes what UTF-8 cannot hold."""
    return text.encode("utf-8", "backslashreplace")


def claim(
    option: str, path: Optional[str], inputs: Iterable[Optional[str]] = (), force: bool = False
) -> Optional[SideOutput]:
    """Returns the `SideOutput` of an option, or None without the option.

    Args:
      option: its name.
      path: the file; None without the option.
      inputs: paths that the command reads or writes besides, None among them.
      force: the value of --force.

    Raises:
      DestinationError: the file cannot be written, or it is an input or not this library's.
    """
    if path is None:
        return None
    read = tuple(os.path.abspath(source) for source in inputs if source)
    files.require_replaceable(option, path, read, force)
    return SideOutput(option, path, os.path.abspath(path), read, force)


def add_force(parser: argparse.ArgumentParser, option: str) -> None:
    """Adds --force, which is about the file of an option."""
    parser.add_argument(
        "--force",
        action="store_true",
        help=f"let {option} replace a file that tfgraphtools did not write, or that was changed",
    )
