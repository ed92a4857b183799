"""Drawn calls of pandas, scikit-learn and SciPy under `run` give what their versions of 2021 give.

``TFGRAPHTOOLS_LIBRARY_CALLS="SEED COUNT"`` draws others, and more.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

from tfgraphtools import compat

pytestmark = pytest.mark.slow

HERE = pathlib.Path(__file__).resolve().parent / "libraries"
sys.path.insert(0, str(HERE))

import drawing  # noqa: E402
import known  # noqa: E402

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

#: grammar -> (the package that it needs, how many calls are drawn)
GRAMMARS = {"pandas": ("pandas", 400), "sklearn": ("sklearn", 120), "scipy": ("scipy", 300)}


@pytest.mark.parametrize("name", sorted(GRAMMARS))
def test_calls_give_what_the_old_library_gives(tf1_python, tf1_run_in, tmp_path, name):
    package, count = GRAMMARS[name]
    pytest.importorskip(package)
    seed, count = os.environ.get("TFGRAPHTOOLS_LIBRARY_CALLS", f"5 {count}").split()
    program, grammar = tmp_path / "calls.py", HERE / f"{name}.grammar"
    quiet = dict(os.environ, PYTHONWARNINGS="ignore", OMP_NUM_THREADS="1")
    words = [tf1_python, str(HERE / "drawing.py"), str(grammar), seed, count, str(program)]
    subprocess.run(words, check=True, env=quiet)
    theirs = subprocess.run(
        [tf1_python, str(program)], stdout=subprocess.PIPE, check=True, env=quiet, cwd=str(tmp_path)
    ).stdout
    ours = tf1_run_in(tmp_path, "calls.py")
    assert ours.returncode == 0, ours.stderr
    calls = drawing.calls_of(program.read_text())
    answers = [list(map(json.loads, text.splitlines())) for text in (theirs, ours.stdout)]
    assert [len(calls)] * 2 == list(map(len, answers))
    found = [(call, difference(*pair)) for call, *pair in zip(calls, *answers)]
    unknown = [one for one in found if one[1] and not is_known(name, *one, ours.stderr)]
    shown = "\n".join(f"{call}\n  {text[:300]}" for call, text in unknown[:200])
    assert not unknown, f"{len(unknown)} of {len(calls)}\n{shown}"


def is_known(name, call, text, said):
    """Whether `known` lists this difference, and the run said what it promises to say."""
    for grammar, of_call, of_difference, word in known.SAID:
        if grammar == name and re.search(of_call, call) and re.search(of_difference, text):
            return re.search(word, said) is not None
    return any(
        grammar == name and re.search(of_call, call) and re.search(of_difference, text)
        for grammar, of_call, of_difference, _ in (*known.UNSAID, *known.ERRORS)
    )


def difference(theirs, ours):
    """The first part that differs beyond rounding, as text; "" where none does."""
    if isinstance(ours, list) and ours and str(ours[0]).startswith("!"):
        return f"{ours[0]} {ours[1]}"
    if isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        return next(filter(None, map(difference, theirs, ours)), "")
    return "" if _same(theirs, ours) else f"{json.dumps(theirs)} -> {json.dumps(ours)}"


def _same(theirs, ours, precision=2e-5):
    if theirs == ours or not isinstance(theirs, str) or not isinstance(ours, str):
        return theirs == ours
    theirs, ours = theirs.replace(" ", ""), ours.replace(" ", "")
    numbers = [re.findall(_NUMBER, text) for text in (theirs, ours)]
    if len(numbers[0]) != len(numbers[1]):
        return False
    return re.sub(_NUMBER, "#", theirs) == re.sub(_NUMBER, "#", ours) and all(
        abs(float(a) - float(b)) <= precision * abs(float(a)) + precision / 2
        for a, b in zip(*numbers)
        if a != b
    )


_NUMBER = r"-?\d+(?:\.\d*)?(?:e[-+]?\d+)?"
