"""The JSON file that `ckpt rename --map` takes: names, rules, or the arguments of a whole plan."""

import json
from typing import Any, Dict

from tfgraphtools.cli.ckpt.look import parse_index
from tfgraphtools.errors import UsageError


def read_json(path: str) -> Any:
    """The value in a JSON file."""
    with open(path, encoding="utf-8") as file:
        try:
            return json.load(file)
        except ValueError as error:
            raise UsageError(path, "JSON", str(error), "Check the file with 'python -m json.tool'.")


def read_map(path: str) -> Dict[str, Any]:
    """The arguments of `plan` in a JSON file."""
    value = read_json(path)
    is_map = isinstance(value, dict) and all(isinstance(new, str) for new in value.values())
    if value and (is_map or isinstance(value, list)):
        return {"rename": value}
    known = (
        "rename",
        "drop",
        "cast",
        "alias",
        "slice",
        "transpose",
        "reshape",
        "concat",
        "split",
        "partition",
        "add",
        "allow",
    )
    unknown = sorted(set(value) - set(known)) if isinstance(value, dict) else [value]
    if unknown or not value:
        raise UsageError(
            path,
            "{old: new}, [[pattern, new], ...], or arguments of plan",
            ", ".join(map(repr, unknown)) or "nothing",
            "The arguments are {}.".format(", ".join(known)),
        )
    if isinstance(value.get("slice"), dict):
        value["slice"] = {
            pattern: parse_index(str(text)) for pattern, text in value["slice"].items()
        }
    return value
