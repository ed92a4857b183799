"""Usage errors of argparse in the words of this command line, with the nearest right word."""

import argparse
import difflib
import re

_CHOICE = re.compile(r"argument (?P<argument>.+?): invalid choice: (?P<got>'.*?') \(choose")
_UNKNOWN = "unrecognized arguments: "


def usage_error(message: str, parser: argparse.ArgumentParser) -> str:
    """Returns a usage error of a parser, with a suggestion where a word looks like a right one.

    Args:
      message: argparse's text.
      parser: the parser that has the option or the subcommands.

    Example:
      >>> usage_error("unrecognized arguments: --jsn", parser)
      "unrecognized arguments: --jsn. Did you mean '--json'?"
    """
    if message.startswith(_UNKNOWN):
        words = message[len(_UNKNOWN) :].split()
        options = [option for action in parser._actions for option in action.option_strings]
        return message + _suggestion([word.partition("=")[0] for word in words], options)
    choice = _CHOICE.match(message)
    if not choice:
        return message
    got = choice.group("got")
    for action in parser._actions:
        names = [*action.option_strings, action.metavar, action.dest]
        if action.choices and set(choice.group("argument").split("/")) & set(names):
            choices = [str(word) for word in action.choices]
            what = "a command" if choice.group("argument") == "COMMAND" else f"{names[0]} as one"
            expected = f"expected {what} of {', '.join(choices)}, got {got}"
            return expected + _suggestion([got.strip("'")], choices)
    return message


def _suggestion(words, known):
    for word in words:
        near = difflib.get_close_matches(word, known, 1)
        if near:
            return f". Did you mean '{near[0]}'?"
    return ""
