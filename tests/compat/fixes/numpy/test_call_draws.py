"""Drawn calls of NumPy under `run` give what NumPy 1.18 gives, type and value.

``TFGRAPHTOOLS_NUMPY_CALLS="SEED COUNT"`` draws others, and more.
"""

import json
import os
import pathlib
import re
import subprocess

import numpy
import pytest

if not numpy.__version__.startswith("2"):
    pytest.skip("NumPy 1 needs none of it", allow_module_level=True)

DRAWS = pathlib.Path(__file__).resolve().parent / "call_draws.py"

#: Calls that differ, each with its reason.
KNOWN = {
    "masked arrays of no dimension keep their type": r"np\.ma\.",
    "NumPy 2 refuses other shapes, types and indices": r"np\.(delete|ediff1d|stack)\(| in |out=",
    "a display is no operand for the rewritten operators": r"^\[.*\] // | // \[|^divmod\(\[|__\(\[",
    "the first loop for small ints has fewer bits": r"np\.(hypot|arctan2|copysign)",
    "NumPy 2 refuses what is no index": r"^(np\.a?)?round\(|lambda x: x\.__(eq|mul)__\(",
    "whole numbers beyond 64 bits": r"2\*\*63",
    "a quantile of whole numbers at a whole place": r"np\.(quantile|percentile)\(",
    "0-d arrays ** numbers": r"x\.__r?pow__|^pow\(",
    "casts of what no whole number holds are undefined": r"np\.u?int\d+\(\[",
    "not restored: see docs/guides/libraries.md": (
        r"np\.(select|choose|kron|polyval)\(|^operator\.|x\.__\w+__\("
    ),
    "a single number between arrays": r"np\.clip\(|x\.(clip|choose|dot)\(|np\.(dot|nan_to_num)\(",
}


def test_calls_give_what_numpy_1_gives(tf1_python, tf1_run_in, tmp_path):
    seed, count = os.environ.get("TFGRAPHTOOLS_NUMPY_CALLS", "15 1200").split()
    program = tmp_path / "calls.py"
    subprocess.run([tf1_python, str(DRAWS), seed, count, str(program)], check=True)
    theirs = subprocess.run([tf1_python, str(program)], stdout=subprocess.PIPE, check=True).stdout
    ours = tf1_run_in(tmp_path, "calls.py")
    assert ours.returncode == 0, ours.stderr
    names = {}
    exec(compile(DRAWS.read_text(), str(DRAWS), "exec"), dict(names, __name__="draws"), names)
    calls = names["calls_of"](program.read_text())
    pairs = zip(
        calls, map(json.loads, theirs.splitlines()), map(json.loads, ours.stdout.splitlines())
    )
    differ = [(c, a, b) for c, a, b in pairs if not _same(a, b, _precision(a)) and not _known(c)]
    shown = "\n".join(f"{call}\n  NumPy 1: {a}\n  run:     {b}" for call, a, b in differ[:200])
    assert not differ, f"{len(differ)} of {len(calls)}\n{shown}"


def _known(call):
    return any(re.search(pattern, call) for pattern in KNOWN.values())


def _precision(answer):
    return 2e-3 if "float16" in json.dumps(answer) else 2e-5


def _same(theirs, ours, precision):
    """Whether two answers are the same but for the rounding of the last digits."""
    if isinstance(theirs, list):
        is_long = isinstance(ours, list) and len(ours) == len(theirs)
        return is_long and all(_same(a, b, precision) for a, b in zip(theirs, ours))
    if theirs == ours or not isinstance(theirs, str) or not isinstance(ours, str):
        return theirs == ours
    numbers = [re.findall(_NUMBER, text) for text in (theirs, ours)]
    if len(numbers[0]) != len(numbers[1]):
        return False
    return re.sub(_NUMBER, "#", theirs) == re.sub(_NUMBER, "#", ours) and all(
        numpy.isclose(float(a), float(b), rtol=precision, atol=precision / 2)
        for a, b in zip(*numbers)
    )


_NUMBER = r"-?\d+(?:\.\d*)?(?:e[-+]?\d+)?"
