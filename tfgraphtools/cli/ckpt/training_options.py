"""The options --hyper, --optimizer, --fact, --sparse-gradients, --flatten and --unflatten."""

import argparse
from typing import Any, Dict, List, Optional, Union

from tfgraphtools.errors import UsageError


def hyper(arguments: argparse.Namespace) -> Dict[str, Union[float, bool]]:
    """Returns {name: value} of --hyper name=value; a value is a number, True or False."""
    value_of = {}
    for text in arguments.hyper or ():
        name, _, value = text.partition("=")
        try:
            value_of[name] = value == "True" if value in ("True", "False") else float(value)
        except ValueError:
            raise UsageError(
                "--hyper", "NAME=NUMBER", repr(text), "Write --hyper learning_rate=0.1."
            )
    return value_of


def optimizer_names(arguments: argparse.Namespace) -> Union[None, str, Dict[str, str]]:
    """Returns --optimizer: None, a kind for all slots, or {name of the optimizer: kind}."""
    texts = arguments.optimizer or []
    if len(texts) == 1 and "=" not in texts[0]:
        return texts[0]
    if any("=" not in text for text in texts):
        raise UsageError(
            "--optimizer", "NAME=KIND for each, or one KIND", ", ".join(texts), "Write MyAdam=Adam."
        )
    return dict(text.split("=", 1) for text in texts) or None


def forget_bias(arguments: argparse.Namespace) -> Union[None, float, Dict[str, float]]:
    """Returns --forget-bias: None, a number for all cells, or {pattern of scopes: number}."""
    bias_of: Dict[str, float] = {}
    for text in arguments.forget_bias or ():
        pattern, _, number = text.rpartition("=")
        try:
            bias_of[pattern] = float(number)
        except ValueError:
            raise UsageError(
                "--forget-bias", "NUMBER or PATTERN=NUMBER", repr(text), "Write --forget-bias 1.0."
            )
    if "" in bias_of and len(bias_of) > 1:
        raise UsageError(
            "--forget-bias",
            "one NUMBER, or PATTERN=NUMBER for each",
            ", ".join(arguments.forget_bias),
            "Name the cells: --forget-bias 'encoder/.*=1.0'.",
        )
    return bias_of.get("", bias_of) if bias_of else None


def facts(arguments: argparse.Namespace) -> Optional[Dict[str, Dict[str, Any]]]:
    """Returns what --fact says: {pattern of scopes: {question: value}}, or None."""
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
    """Returns a number, True or False where the text is one, else the text."""
    if text in ("True", "False"):
        return text == "True"
    try:
        return float(text)
    except ValueError:
        return text


def sparse_gradients(arguments: argparse.Namespace) -> Optional[List[str]]:
    """Returns what --sparse-gradients says: None, patterns, or [] for "none"."""
    patterns = arguments.sparse_gradients
    return [] if patterns == ["none"] else patterns


def flatten(pairs: Any, option: str = "--flatten") -> Any:
    """Returns {pattern: shape, or False} of --flatten PATTERN H,W,C."""
    shape_of = {}
    for pattern, text in pairs or ():
        try:
            shape_of[pattern] = False if text == "no" else tuple(int(n) for n in text.split(","))
        except ValueError:
            raise UsageError(
                option, "PATTERN and H,W,C or 'no'", repr(text), f"Write {option} fc1 7,7,64."
            )
    return shape_of or None
