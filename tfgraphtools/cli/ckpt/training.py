"""What --hyper, --optimizer, --fact and --sparse-gradients say of the training in TF 1."""

import argparse
from typing import Any, Dict, List, Optional, Union

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


def forget_bias(arguments: argparse.Namespace) -> Union[None, float, Dict[str, float]]:
    """What --forget-bias says: None, a number for all cells, or {pattern of scopes: number}."""
    found: Dict[str, float] = {}
    for text in arguments.forget_bias or ():
        pattern, _, number = text.rpartition("=")
        try:
            found[pattern] = float(number)
        except ValueError:
            raise UsageError(
                "--forget-bias", "NUMBER or PATTERN=NUMBER", repr(text), "Write --forget-bias 1.0."
            )
    if "" in found and len(found) > 1:
        raise UsageError(
            "--forget-bias",
            "one NUMBER, or PATTERN=NUMBER for each",
            ", ".join(arguments.forget_bias),
            "Name the cells: --forget-bias 'encoder/.*=1.0'.",
        )
    return found.get("", found) if found else None


def facts(arguments: argparse.Namespace) -> Optional[Dict[str, Dict[str, Any]]]:
    """What --fact says: {pattern of scopes: {question: value}}, or None."""
    told: Dict[str, Dict[str, Any]] = {}
    for pattern, text in arguments.fact or ():
        question, sign, value = text.partition("=")
        if not sign:
            raise UsageError(
                "--fact",
                "PATTERN and QUESTION=VALUE",
                repr(text),
                "Write --fact 'encoder/.*' recurrent_activation=sigmoid.",
            )
        told.setdefault(pattern, {})[question] = _value(value)
    return told or None


def _value(text):
    """A number, True or False where the text is one, else the text."""
    if text in ("True", "False"):
        return text == "True"
    try:
        return float(text)
    except ValueError:
        return text


def sparse_gradients(arguments: argparse.Namespace) -> Optional[List[str]]:
    """What --sparse-gradients says: None, patterns, or [] for "none"."""
    given = arguments.sparse_gradients
    return [] if given == ["none"] else given
