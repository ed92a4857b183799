"""What differs between the attributes of an object that was made under both TFs."""

import re
from typing import NamedTuple

from differences_parts import compare
from differences_parts.objects import known


class Difference(NamedTuple):
    """One difference of an attribute; `known` is the reason where it is a known one."""

    kind: str  # missing, kind, value, signature, error
    symbol: str  # the class that has the attribute in 1.15, and its name
    cause: str
    thing: str
    known: str = ""


def _difference(kind, symbol, cause, thing):
    return Difference(kind, symbol, cause, thing, known.reason(kind, symbol, cause))


def objects(made, results):
    """The differences of all objects, by what each TF has written of them."""
    theirs = {record["object"]: record for record in results if "object" in record}
    found = []
    for was in made:
        if "object" in was and "error" not in was:
            found += _of_object(was, theirs.get(was["object"], {"error": "the process ended"}))
    return found


def _of_object(was, now):
    thing = was["object"]
    if "error" in now:
        return [_difference("error", thing, now["error"], thing)]
    # whatever its own class is called: a private one may be another, and its attributes tell
    found = [
        _difference(kind, thing, cause, thing)
        for kind, cause in _descriptions(
            was["class"], dict(now["class"], **{"is": was["class"]["is"]})
        )
    ]
    for name, (owner, before) in was["attributes"].items():
        _, after = now["attributes"].get(name, [None, {"is": "missing"}])
        for kind, cause in _descriptions(before, after):
            found.append(_difference(kind, f"{owner}.{name}", cause, thing))
    return found


def _same_class(was, now):
    """Whether a class is the same but for what versions write around its name."""
    return _bare(was) == _bare(now)


def _bare(name):
    return re.sub(r"^_|(V1|V2|Adapter|Wrapper|_v1|_v2)$", "", name)


def _descriptions(was, now):
    """Pairs (kind, cause) of what differs between two descriptions."""
    if was["is"] == "missing":  # a name of `dir` that 1.15 itself cannot read
        return
    if now["is"] == "missing":
        yield "missing", f"was {_shown(was)}"
    elif was["is"] == "error":
        pass  # what fails in 1.15 may do anything
    elif not _same_class(was["is"], now["is"]):
        yield "kind", f"{_shown(was)} became {_shown(now)}"
    elif "signature" in was:
        if was["signature"] is not None and now.get("signature") is not None:
            for cause in _signature(was["signature"], now["signature"]):
                yield "signature", cause
    elif "value" in was and not _equal(was["value"], now.get("value")):
        yield "value", f"{_shown(was)} became {_shown(now)}"


def _signature(was, now):
    if any(name.startswith("*") for name, _, _ in now) or (was and was[0][0].startswith("*")):
        return []
    return list(compare._signature_causes(was, now))


def _equal(was, now):
    """Whether two values are equal but for the classes that `_same_class` takes for one."""
    if isinstance(was, list) and isinstance(now, list):
        return len(was) == len(now) and all(map(_equal, was, now))
    if isinstance(was, dict) and isinstance(now, dict):
        if "is" in was:
            return not list(_descriptions(was, now))
        return was.keys() == now.keys() and all(_equal(was[key], now[key]) for key in was)
    return was == now


def _shown(description):
    """A description as a short text."""
    value = description.get("value")
    if isinstance(value, dict):
        value = ", ".join(f"{key}: {_shown(one)}" for key, one in value.items())
        return f"{{{value}}}"[:160]
    if isinstance(value, list):
        value = ", ".join(map(_shown, value))
        return f"{description['is']} [{value}]"[:160]
    if value is None:
        return description["is"]
    return f"{description['is']} {value}"[:160]
