"""The options --map and --rule: names, rules, or (in a map) the arguments of a whole plan."""

import argparse
import collections
import json
import re
from typing import Any, Dict, List, Optional, Sequence

from tfgraphtools import files
from tfgraphtools.cli import _outputs
from tfgraphtools.cli.ckpt.index_option import parse_index
from tfgraphtools.errors import UsageError

#: The key of a map or draft that has the mark of this library.
_WRITTEN_BY = "written_by"

#: The most bytes of a map; a million names take less.
_LARGEST = 256 << 20


def read_json(path: str) -> Any:
    """Returns the value in a JSON file."""
    with open(path, "rb") as file:
        try:
            data = _start_of(file)
            if len(data) > _LARGEST:
                most = f"at most {_LARGEST >> 20} MiB of JSON"
                raise UsageError(path, most, "more", 'Write names: {"old": "new"}.')
            return json.loads(data)
        except UnicodeDecodeError:
            raise UsageError(
                path, "a JSON file", "a file that is no text", 'Write one, such as {"old": "new"}.'
            )
        except (ValueError, RecursionError) as error:
            raise UsageError(path, "JSON", str(error), "Check the file with 'python -m json.tool'.")


def _start_of(file):
    """Returns the bytes of a file, and one more than allowed of a device that has no end.

    A pipe is a file, too; `read(most)` would take memory for the most at once.
    """
    data = bytearray()
    while len(data) <= _LARGEST:
        block = file.read(1 << 16)
        if not block:
            break
        data += block
    return bytes(data)


def read_names(path: str) -> Any:
    """Returns the map in a JSON file: what `write_map` wrote, or any other."""
    value = read_json(path)
    is_written = isinstance(value, dict) and set(value) == {"map", _WRITTEN_BY}
    return value["map"] if is_written else value


def read_map(path: str) -> Dict[str, Any]:
    """Returns the arguments of `plan` in a JSON file."""
    value = read_names(path)
    if isinstance(value, dict) and "pairs" in value:
        return {"rename": _of_draft(path, value["pairs"])}
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
            pattern: parse_index(str(text), f"{path}: the slice of {pattern!r}")
            for pattern, text in value["slice"].items()
        }
    return value


def _of_draft(path, pairs):
    """Returns {name: new name} of what --write-draft wrote, but of pairs whose "to" is null."""
    try:
        named = [(pair["from"], pair["to"]) for pair in pairs if pair["to"] is not None]
        is_text = all(isinstance(name, str) for pair in named for name in pair)
    except (TypeError, KeyError):
        named, is_text = [], False
    twice = {name for name, _ in named if [old for old, _ in named].count(name) > 1}
    if not named or not is_text or twice:
        raise UsageError(
            path,
            'a draft: {"pairs": [{"from": name, "to": new name}, ...]}',
            f"two pairs from {min(twice)!r}" if twice else "other pairs",
            "Correct it, or write it again: ckpt convert --write-draft.",
        )
    return dict(named)


def write_map(names: Dict[str, Any], output: _outputs.SideOutput) -> None:
    """Writes {name: where it goes} for --map."""
    ordered = {name: names[name] for name in sorted(names)}
    output.write_json({"map": ordered, _WRITTEN_BY: files.MARK})


def claim_map(option: str, arguments: argparse.Namespace) -> Optional[_outputs.SideOutput]:
    """Returns the file of --write-map or --write-draft of `ckpt convert`, or None without it."""
    path = getattr(arguments, option[2:].replace("-", "_"))
    inputs = [arguments.destination, *inputs_of(arguments)]
    return _outputs.claim(option, path, inputs, arguments.force)


def inputs_of(arguments: argparse.Namespace) -> List[str]:
    """Returns the paths that `ckpt convert` reads."""
    model = (arguments.model or "").rpartition(":")[0] or arguments.model  # of model.py:function
    sources = [arguments.source] if isinstance(arguments.source, str) else []  # else a mean
    read = [arguments.map, arguments.like, arguments.meta, arguments.config, model]
    return [*sources, *filter(None, read)]


def write_draft(draft: Any, output: _outputs.SideOutput, as_json: bool) -> None:
    """Writes a draft for --map, and says how much of it is sure."""
    output.write_json(dict(draft.as_dict(), **{_WRITTEN_BY: files.MARK}))
    path = output.shown
    if as_json:
        print(json.dumps(draft.as_dict()))
        return
    print(draft)
    counts = collections.Counter(pair.confidence for pair in draft.pairs)
    words = ", ".join(f"{count} {how}" for how, count in counts.items()) or "none"
    print(
        f"{path}: {len(draft.pairs)} pairs ({words}), {len(draft.open)} open. Read it, correct it, "
        f"and pass --map {path}."
    )


def arguments_of(arguments: argparse.Namespace, command: str) -> Dict[str, Any]:
    """Returns the arguments of `plan` that --map and --rule give; {} without them."""
    rules = read_map(arguments.map) if arguments.map else {}
    if arguments.rule:
        if "rename" in rules:
            raise UsageError(command, "--rule or --map", "both", "Put the rules into the map.")
        rules["rename"] = [tuple(rule) for rule in arguments.rule]
    return rules


def rules_of(arguments: argparse.Namespace) -> Optional[Any]:
    """Returns what --map or --rule says of names, or None; a map of anything else is refused."""
    if arguments.map and arguments.rule:
        raise UsageError("ckpt convert", "--rule or --map", "both", "Put the rules into the map.")
    rules = arguments_of(arguments, "ckpt convert")
    if rules and list(rules) != ["rename"]:
        raise UsageError(
            arguments.map, "only names or rules", ", ".join(rules), "Use ckpt rename for the rest."
        )
    return rules.get("rename")


def add_patterns(rules: Dict[str, Any], key: str, patterns: Sequence[str]) -> None:
    """Adds patterns to those that a map may have under the key: one, or a list."""
    before = rules.get(key, ())
    rules[key] = [before] if isinstance(before, str) else list(before)
    rules[key] += patterns


def add_entries(rules: Dict[str, Any], key: str, entries: Dict[str, Any], option: str) -> None:
    """Adds an option's entries to those that a map may have under the key.

    Raises:
      UsageError: the map has another value for one of them, or one value for all.
    """
    before = rules.get(key) or {}
    is_table = isinstance(before, dict)
    conflicts = [
        name for name in entries if is_table and before.get(name, entries[name]) != entries[name]
    ]
    if conflicts or not is_table:
        raise UsageError(
            option,
            f"names that {key!r} of the map does not have, with another value",
            f"{conflicts[0]!r}: {before[conflicts[0]]!r} in the map"
            if conflicts
            else f"{before!r} in the map",
            f"Write all of it into the map, or take {key!r} out of the map.",
        )
    rules[key] = dict(before, **entries)


def by_pattern(pairs: Sequence[Sequence[Any]], option: str) -> Dict[str, Any]:
    """Returns {pattern: value} of an option that may be given several times, each pattern once."""
    value_of: Dict[str, Any] = {}
    for pattern, value in pairs:
        if value_of.setdefault(pattern, value) != value:
            raise UsageError(
                option,
                "one value for each pattern",
                f"{value_of[pattern]!r} and {value!r} for {pattern!r}",
                "Pass only one of them.",
            )
    return value_of


def axes(pairs: Optional[Sequence[Sequence[str]]]) -> Dict[str, List[int]]:
    """Returns {pattern: axes} of --transpose PATTERN AXES."""
    parsed = []
    for pattern, text in pairs or ():
        try:
            parsed.append((pattern, [int(axis) for axis in text.split(",")]))
        except ValueError:
            raise UsageError("--transpose", "a PATTERN and AXES", repr(text), "Write 1,0.")
    return by_pattern(parsed, "--transpose")


def rows(pairs: Optional[Sequence[Sequence[str]]]) -> Dict[str, int]:
    """Returns {pattern: number of rows} of --resize."""
    for pattern, text in pairs or ():
        if not text.isdigit():
            raise UsageError("--resize", "PATTERN ROWS", f"{pattern} {text}", "Write a number.")
    return by_pattern([(pattern, int(text)) for pattern, text in pairs or ()], "--resize")


def shard_size(arguments: argparse.Namespace) -> Optional[int]:
    """Returns the bytes of --max-shard-size: a number, or one with KB, MB or GB; or None."""
    text = arguments.max_shard_size
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMG]?)B?", (text or "").upper())
    if text is not None and not match:
        raise UsageError("--max-shard-size", "a size such as 5GB", repr(text), "Write 500MB.")
    return match and int(float(match.group(1)) * 1000 ** " KMG".index(match.group(2) or " "))
