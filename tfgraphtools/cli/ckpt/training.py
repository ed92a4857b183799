"""What --hyper, --optimizer and --sparse-gradients say of the training in TF 1."""

import argparse
from typing import Dict, List, Optional, Union

from tfgraphtools.errors import UsageError


def hyper(arguments: argparse.Namespace) -> Dict[str, Union[float, bool]]:
    """{name: value} of --hyper name=value; a value is a number, True or False."""
    found = {}
    for text in arguments.hyper or ():
        name, _, value = text.partition("=")
        try:
            found[name] = value == "True" if value in ("True", "False") else float(value)
        except ValueError:
            raise UsageError(
                "--hyper", "NAME=NUMBER", repr(text), "Write --hyper learning_rate=0.1."
            )
    return found


def optimizer_names(arguments: argparse.Namespace) -> Union[None, str, Dict[str, str]]:
    """What --optimizer says: None, a kind for all slots, or {name of the optimizer: kind}."""
    given = arguments.optimizer or []
    if len(given) == 1 and "=" not in given[0]:
        return given[0]
    if any("=" not in text for text in given):
        raise UsageError(
            "--optimizer", "NAME=KIND for each, or one KIND", ", ".join(given), "Write MyAdam=Adam."
        )
    return dict(text.split("=", 1) for text in given) or None


def sparse_gradients(arguments: argparse.Namespace) -> Optional[List[str]]:
    """What --sparse-gradients says: None, patterns, or [] for "none"."""
    given = arguments.sparse_gradients
    return [] if given == ["none"] else given
