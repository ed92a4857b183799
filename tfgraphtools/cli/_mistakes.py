"""Usage errors of argparse in the words of this command line, with the nearest right word."""

import argparse
import re
from typing import Any, Callable, Dict

from tfgraphtools.errors import did_you_mean, nearest

_CHOICE = re.compile(r"argument (?P<name>.+?): invalid choice: (?P<got>'.*?') \(choose")
_REQUIRED = re.compile(r"the following arguments are required: (?P<names>.+)")
_VALUES = re.compile(r"argument (?P<name>.+?): expected (at least )?\w+ arguments?$")
_UNKNOWN = "unrecognized arguments: "

#: Other messages of argparse: ours.
_OTHERS = [
    (r"argument (.+?): invalid int value: ('.*')", r"\1: expected an integer, got \2"),
    (r"argument (.+?): invalid float value: ('.*')", r"\1: expected a number, got \2"),
    (
        r"argument (.+?): ignored explicit argument ('.*')",
        r"\1: expected no value, got \2. Write \1 alone",
    ),
    (
        r"argument (.+?): not allowed with argument (.+)",
        r"expected \2 or \1, got both. Leave one of them out",
    ),
    (r"ambiguous option: (\S+) could match (.+)", r"expected one of \2, got \1. Write one of them"),
]

#: What people type for a command that has another name.
_SYNONYMS = {"list": "ls", "check": "verify", "compare": "diff", "print": "show", "mv": "rename"}


#: Formats that `ckpt convert` has not: the command that writes them.
_OF_GRAPHS = {
    name: f"tfgraphtools graph convert model.meta --outputs NAME --to {name} --out model.{name}"
    for name in ("onnx", "tflite")
}


#: Options that were renamed: (the parser, the old name) -> (the new name, what the old one does).
_RENAMED = {("tfgraphtools ckpt doctor", "--map"): ("--write-map", "reads a map")}


def usage_error(
    message: str, parser: argparse.ArgumentParser, parsers: Callable[[], Dict[str, Any]]
) -> str:
    """Returns a usage error of a parser, with a suggestion where a word looks like a right one.

    Args:
      message: argparse's text.
      parser: the parser that has the option or the subcommands.
      parsers: gives {full name: parser} of all commands.

    Example:
      >>> usage_error("unrecognized arguments: --jsn", parser, dict)
      "expected one of its options, got --jsn. Did you mean '--json'?"
    """
    if message.startswith(_UNKNOWN):
        return _unknown(message[len(_UNKNOWN) :].split(), parser, parsers)
    match = _CHOICE.match(message)
    if match:
        return _no_choice(match.group("name"), match.group("got"), parser) or message
    match = _REQUIRED.match(message)
    if match:
        names = [_named(name, parser) for name in match.group("names").split(", ")]
        return f"expected {' and '.join(names)}, got none{_example(parser)}"
    match = _VALUES.match(message)
    if match:
        name = match.group("name")
        action = _action_of(name, parser)
        got = "fewer" if isinstance(action.metavar, tuple) else "none"
        return f"{name}: expected {_values_of(action)}, got {got}{_example(parser)}"
    for pattern, text in _OTHERS:
        if re.match(pattern, message):
            return re.sub(pattern, text, message)
    return message


def _unknown(words, parser, parsers):
    """Says what is not one of a parser's arguments, and where it belongs."""
    word = words[0].partition("=")[0]
    if not word.startswith("-"):
        return f"expected no more arguments, got '{word}'. Quote a name that has spaces"
    if (parser.prog, word) in _RENAMED:
        name, elsewhere = _RENAMED[parser.prog, word]
        value = words[0].partition("=")[2] or (words[1:] or ["FILE"])[0]
        return f"expected {name} FILE, got {word}, which {elsewhere}. Write: {name} {value}"
    own = [option for action in parser._actions for option in action.option_strings]
    if word in own:
        return f"expected {word} after '{parser.prog}', got it before"
    expected = f"expected one of its options, got {word}"
    suggestion = _suggestion(word, own)
    takers = [
        name.partition(" ")[2]
        for name, other in parsers().items()
        if word in other._option_string_actions
    ]
    if not suggestion and takers and word.startswith("--"):
        return f"{expected}. It is an option of: {', '.join(takers[:4])}"
    return expected + suggestion


def _no_choice(name, got, parser):
    """Says which choices an option or a command has; None for an argument that has none."""
    word = got.strip("'")
    for action in parser._actions:
        names = [*action.option_strings, action.metavar, action.dest]
        if not action.choices or not set(name.split("/")) & set(names):
            continue
        choices = [str(choice) for choice in action.choices]
        if name != "COMMAND":
            place = f"{name}: " if action.option_strings else ""
            if parser.prog.endswith("ckpt convert") and word in _OF_GRAPHS:
                return f"{place}{word} is made from a graph. Write: {_OF_GRAPHS[word]}"
            expected = f"{place}expected {_one_of(choices)}, got {got}"
            return expected + _suggestion(word, choices)
        expected = f"expected a command of {', '.join(choices)}, got {got}"
        if word.endswith((".py", ".ipynb")) and "run" in choices:
            return f"{expected}. To run it: tfgraphtools run {word}"
        if _SYNONYMS.get(word) in choices:
            return f"{expected}. Did you mean '{_SYNONYMS[word]}'?"
        return expected + _suggestion(word, choices)
    return None


def _action_of(name, parser):
    """Returns the argument that a message of argparse names: "--to", "-q/--quiet" or "PATH"."""
    for action in parser._actions:
        if name in ("/".join(action.option_strings), action.metavar, action.dest):
            return action
    return argparse.Action([], name)


def _named(name, parser):
    """Returns the argument with its values, as its help names them."""
    action = _action_of(name, parser)
    if name == "COMMAND" or not (action.option_strings or action.choices):
        return name
    return " ".join([*action.option_strings[-1:], _values_of(action)])


def _values_of(action):
    if isinstance(action.metavar, tuple):
        return " ".join(action.metavar)
    return action.metavar or (_one_of(action.choices) if action.choices else "a value")


def _one_of(choices):
    return f"one of {', '.join(choices)}" if len(choices) > 1 else choices[0]


def _example(parser):
    match = re.search(r"examples:\n +(.+)", parser.epilog or "")
    return f". For example: {match.group(1)}" if match else ""


def _suggestion(word, known):
    question = did_you_mean(nearest(word, known, 1))
    return question and ". " + question
