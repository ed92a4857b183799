"""Command lines divided: the arguments of this program, and those of a program that it starts.

argparse looks at all arguments before it knows where a script begins: it takes ``--n=8`` of a
script for an abbreviation of an option, and its versions treat ``--`` differently. So it only gets
the arguments before the script.
"""

import argparse
from typing import List, NamedTuple, Optional

#: Options whose value may begin with "-": a command, an option or a pattern.
_TAKES_ANY_VALUE = ("--run", "--run-option", "--ignore")

#: The option after which the text of a program stands, which may begin with "-".
_TEXT = "-c"


class Division(NamedTuple):
    """A divided command line.

    Fields:
      own: the arguments of this program.
      name: the attribute that holds the arguments of the other program; None if there is none.
      program: these arguments, the script or command first.
    """

    own: List[str]
    name: Optional[str] = None
    program: List[str] = []


def divide(arguments: List[str], parser: argparse.ArgumentParser) -> Division:
    """Divides the arguments of a command at the script or command that it starts.

    Does nothing for a command that starts none, but that values of some options may begin with
    "-".

    Args:
      arguments: those after the name of the command.
      parser: that of the command. A positional argument of kind REMAINDER begins with the first
        argument that is no option or value of one, an option of this kind after its name. A
        "--" before it is dropped.

    Example:
      >>> parser = argparse.ArgumentParser()
      >>> _ = parser.add_argument("words", nargs=argparse.REMAINDER)
      >>> divide(["a.py", "--", "--n=8"], parser)
      Division(own=[], name='words', program=['a.py', '--', '--n=8'])
    """
    rest = [action for action in parser._actions if action.nargs == argparse.REMAINDER]
    script = next((action.dest for action in rest if not action.option_strings), None)
    own, place = [], 0
    while place < len(arguments):
        word, following = arguments[place], arguments[place + 1 :]
        if word == "--" and script is None:
            return Division(own + arguments[place:])
        if word == "--":
            return Division(own, script, following)
        if word == "-" or not word.startswith("-"):
            if script is not None:
                return Division(own, script, arguments[place:])
            own.append(word)
            place += 1
            continue
        action = _option(word, parser)
        own.append(word)
        place += 1
        if action in rest:
            return Division(own, action.dest, following[following[:1] == ["--"] :])
        if script is not None and word[1:2] != "-" and word.endswith(_TEXT[1:]):
            return Division(own, script, following)
        if action is not None and _needs_value(word, action) and following:
            if action.option_strings[0] in _TAKES_ANY_VALUE:
                own[-1] = f"{action.option_strings[0]}={following[0]}"
            else:
                own.append(following[0])
            place += 1
    return Division(own)


def _option(word, parser):
    """Returns the option that an argument names, by its beginning too; None if it is not one."""
    options = parser._option_string_actions
    name = word.partition("=")[0]
    if name in options:
        return options[name]
    if not word.startswith("--"):  # letters together, such as -qm
        return options.get("-" + word[-1])
    actions = {id(options[option]): options[option] for option in options if _begins(option, name)}
    return next(iter(actions.values())) if len(actions) == 1 else None


def _begins(option, name):
    return option.startswith(name) and len(name) > 2


def _needs_value(word, action):
    return action.nargs is None and "=" not in word
