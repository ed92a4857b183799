"""What differs between the two TFs: signatures, and what came of the same call."""

import math
import re
from typing import Any, NamedTuple

from differences_parts import known

#: Differences of values up to here are rounding, by dtype.
TOLERANCE = {"float16": 2e-2, "bfloat16": 5e-2, "float32": 2e-4, "complex64": 2e-4}


class Difference(NamedTuple):
    """One difference; `known` is the reason where it is a known one."""

    kind: str
    symbol: str
    cause: str
    was: Any
    now: Any
    call: Any = None
    known: str = ""


def _difference(kind, symbol, cause, was, now, call=None):
    return Difference(kind, symbol, cause, was, now, call, known.reason(kind, symbol, cause))


def signatures(listed, theirs):
    """Differences of the signatures, and names that are missing."""
    found = []
    for symbol in listed:
        name, was = symbol["name"], symbol["signature"]
        record = theirs.get(name)
        if record is None or record["missing"]:
            why = record["missing"] if record else "crash"
            if why != "GoneError":
                found.append(_difference("name", name, f"missing: {why}", None, None))
            continue
        now = record["signature"]
        if was is None or now is None or any(name.startswith("*") for name, _, _ in now):
            continue
        if was and was[0][0].startswith("*"):
            continue
        for cause in _signature_causes(was, now):
            found.append(_difference("signature", name, cause, was, now))
    return found


def _signature_causes(was, now):
    ours = {name: (has, default) for name, has, default in now}
    for position, (name, has, default) in enumerate(was):
        if name.startswith("*"):
            continue
        if name not in ours:
            yield f"no parameter {name}"
        elif has and not _same_default(default, *ours[name]):
            yield f"default of {name}: {default} became {ours[name][1]}"
        elif [one[0] for one in now].index(name) != position:
            yield f"place of {name}"
    required = [name for name, has, _ in now if not has]
    for name in required:
        if name not in [one[0] for one in was]:
            yield f"new required parameter {name}"


def _same_default(was, has, now):
    """Whether a parameter has this default still; 0 and 0.0 are one."""
    if not has:
        return False
    try:
        return float(was) == float(now)
    except ValueError:
        address = r"0x[0-9a-f]+"
        return re.sub(address, "", was) == re.sub(address, "", now)


#: The kinds of differences that are compared only when they are asked for.
OF_NAMES = ("tensor name", "collection")


def outcomes(record, now, names=False):
    """Differences of what came of one call; those of `OF_NAMES` only with `names`."""
    found = _all_outcomes(record, now)
    return found if names else [one for one in found if one.kind not in OF_NAMES]


def _all_outcomes(record, now):
    was, symbol, call = record["made"], record["symbol"], record["call"]
    if ("error" in was and "run error" in now) or ("run error" in was and "error" in now):
        return []  # refused by both, where the op is made or where it runs

    def differs(kind, cause, was, now):
        return [_difference(kind, symbol, cause, was, now, call)]

    if "error" in was or "error" in now:
        if "error" not in was:
            return differs("error", f"raises {now['error']}: {_plain(now['message'])}", None, now)
        if "error" not in now:
            return differs("accepts", f"no {was['error']}: {_plain(was['message'])}", was, None)
        return []
    found = []
    if len(was["outputs"]) != len(now["outputs"]):
        return differs("outputs", "number of outputs", was["outputs"], now["outputs"])
    for one, other in zip(was["outputs"], now["outputs"]):
        found += _output(one, other, differs)
    found += _collections(was["collections"], now["collections"], differs)
    if "run error" in was or "run error" in now:
        if "run error" not in was:
            return found + differs("error", f"run: {_plain(now['message'])}", None, now)
        if "run error" not in now:
            return found + differs("accepts", f"run: {_plain(was['message'])}", was, None)
        return found
    for kind in ("values", "gradients"):
        if was["random"] or kind not in was:
            continue
        mine, other = was[kind], now.get(kind, [])
        if len(mine) != len(other):
            found += differs(kind, "how many", mine, other)
            continue
        for a, b in zip(mine, other):
            cause = unequal(a, b)
            if cause:
                found += differs(kind, cause, a, b)
                break
    return found


def _output(was, now, differs):
    if was["kind"] != now["kind"]:
        return differs("kind", f"{was['kind']} became {now['kind']}", was, now)
    found = []
    if "shape" in was and was["shape"] != now["shape"]:
        found += differs("shape", _shape_cause(was["shape"], now["shape"]), was, now)
    if was.get("dtype") != now.get("dtype"):
        found += differs("dtype", f"{was.get('dtype')} became {now.get('dtype')}", was, now)
    if was.get("op") != now.get("op"):
        found += differs("op type", f"{was.get('op')} became {now.get('op')}", was, now)
    if was.get("name") != now.get("name"):
        found += differs("tensor name", f"{was.get('name')} became {now.get('name')}", was, now)
    if "value" in was and isinstance(was["value"], list):
        cause = unequal(was["value"], now["value"])
        found += differs("values", cause, was, now) if cause else []
    elif "value" in was and was["value"] != now["value"]:
        if not (isinstance(was["value"], float) and math.isnan(was["value"])):
            found += differs("values", "plain value", was, now)
    return found


def _collections(was, now, differs):
    found = []
    for key in sorted({*was, *now}):
        one, other = was.get(key, []), now.get(key, [])
        if one != other:
            found += differs("collection", f"{key}: {one} became {other}", one, other)
    return found


def _shape_cause(was, now):
    if now is None or (was is not None and len(was) == len(now) and _less(now, was)):
        return "static shape lost"
    if was is None or (len(was) == len(now) and _less(was, now)):
        return "static shape gained"
    return "static shape"


def _less(one, other):
    return all(a is None or a == b for a, b in zip(one, other))


def unequal(a, b):
    """Why two arrays differ, or None."""
    if _is_error(a) and not _is_error(b):
        return "was an error"
    if isinstance(a, str) or isinstance(b, str):
        return None if a == b else "gradient error"
    if a[0] != b[0]:
        return "run-time shape"
    if a[1] != b[1]:
        return f"{a[1]} became {b[1]}"
    if a[1] == "object":
        return None if a[2] == b[2] else "strings"
    tolerance = TOLERANCE.get(a[1], 1e-6)
    scale = max([1.0] + [abs(x) for x in a[2] if math.isfinite(x)])
    for x, y in zip(a[2], b[2]):
        if math.isnan(x) != math.isnan(y):
            return "NaN"
        if math.isinf(x) != math.isinf(y) or (math.isinf(x) and x != y):
            return "Inf"
        if math.isfinite(x) and abs(x - y) > tolerance * min(scale, max(1.0, abs(x)) * 10):
            return "numbers"
    return None


def _is_error(gradient):
    """Whether it is the name of an error, as the run or as ``tf.gradients`` gave it."""
    if isinstance(gradient, str):
        return True
    return gradient[1] == "object" and len(gradient[2]) == 1 and gradient[2][0].endswith("Error'")


def _plain(message):
    message = re.sub(r"'[^']*'|\"[^\"]*\"|\[[^\]]*\]|\([^)]*\)", "_", str(message))
    return re.sub(r"\d+", "N", message)[:80]
