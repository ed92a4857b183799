"""Errors of the library in the terms of the command line: options instead of Python arguments."""

import argparse
import glob
import os
import re
from typing import Sequence

#: Python arguments whose option has another name.
_OPTIONS = {
    "rename": "rule",
    "rules": "rule",
    "overwrite": "force",
    "patterns": "match",
    "drop": "match",
    "partition": "into",
    "constants": "set",
    "cast": "to",
}


def as_options(text: str, parser: argparse.ArgumentParser) -> str:
    """Returns a message in which every Python argument that has an option is written as the option.

    Args:
      text: the message of an error.
      parser: that of the subcommand; arguments without an option in it stay as they are.

    Example:
      >>> as_options("Pass overwrite=True (--force).", parser)
      'Pass --force.'
    """
    options = {
        name.lstrip("-").replace("-", "_"): name
        for action in parser._actions
        for name in action.option_strings
        if name.startswith("--")
    }
    # "drop_optimizer=True (--drop-optimizer)" names both.
    values = r"""(?:[\w.]+|"[^"]*"|'[^']*'|\[[^]]*\]|\{[^}]*\})?"""
    text = re.sub(rf"\b\w+={values} \((--[^)]+)\)", r"\1", text)

    def option(match):
        name = match.group("name")
        option_name = options.get(name) or options.get(_OPTIONS.get(name))
        if option_name is None:
            return match.group()
        value = match.group("value") or ""
        return option_name if value in ("True", "...", "") else f"{option_name} {value}"

    argument = r"(?P<name>[a-z_]\w*)=(?P<value>True|\.\.\.|\"[^\"]*\"|[\w.'-]+)?(?![\[{(])"
    of_one = r"\b[a-z_]\w*\((?P<name>\w+)=\{'(?P<value>[^']*)': \.\.\.\}\)"
    text = re.sub(of_one, option, text)  # plan(partition={'w': ...})
    text = re.sub(r"\b[a-z_]\w*\(" + argument + r"\)", option, text)  # plan(rename=...)
    return re.sub(r"(?<![\w-])" + argument, option, text)


def hint(message: str, words: Sequence[str]) -> str:
    """Returns a sentence about a path that does not exist, or "".

    Args:
      message: that of the error, which begins with the path.
      words: those of the command line.

    Example:
      >>> hint("run *.py: expected the file of a script, got no such file.", ["run", "*.py"])
      ' No file matches the pattern *.py.'
    """
    for word in words:
        if f"{word}: expected" not in message or os.path.exists(word):
            continue
        if glob.has_magic(word):
            return f" No file matches the pattern {word}."
        if os.name != "nt" and re.match(r"[A-Za-z]:[\\/]", word):
            return " It is a path of Windows: in WSL, C: is /mnt/c, with / between folders."
        if os.name != "nt" and re.search(r"\w\\\w", word):
            return f" Write / between folders: {word.replace(chr(92), '/')}."
    return ""
