"""Sums and their kin of NumPy scalars and arrays: what NumPy prints for each, as JSON.

Run as a script by the NumPy that is the oracle; imported by the test for ours.
"""

# ruff: noqa: E501 (programs and cases, each on its line)

import json
import warnings

import numpy as np

_TYPES = (
    "bool_ int8 uint8 int16 uint16 int32 int64 uint64 float16 float32 float64 complex64"
).split()
_FORMS = ("np.{0}(3)", "np.ones(2, np.{0})", "np.array(3, dtype=np.{0})")

OPERANDS = [form.format(name) for name in _TYPES for form in _FORMS] + [
    "np.uint8(200)",
    "np.int64(70000)",
    "np.float64(1e300)",
    "np.float32(0.1)",
    "np.array([200, 100], np.uint8)",
    *"True 0 3 100 300 70000 (-1) (-129) (2**63) 0.1 2.5 1e300 1j".split(),
]
OPERATORS = {
    "+": "Add",
    "-": "Sub",
    "*": "Mult",
    "/": "Div",
    "//": "FloorDiv",
    "%": "Mod",
    "**": "Pow",
}


def cases():
    """(left, operator, right), at least one of which is NumPy's."""
    for left in OPERANDS:
        for right in OPERANDS:
            if "np" in left + right:
                for sign in OPERATORS:
                    yield left, sign, right


def answers(evaluate):
    """What ``evaluate(left, sign, right)`` gives in each case, in words."""
    found = {}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for left, sign, right in cases():
            try:
                result = evaluate(left, sign, right)
            except Exception as error:
                found[f"{left} {sign} {right}"] = [type(error).__name__, []]
            else:
                values = np.asarray(result).astype(complex).ravel()
                numbers = [repr(complex(np.complex64(value))) for value in values]
                kind = str(getattr(result, "dtype", type(result).__name__))
                found[f"{left} {sign} {right}"] = [kind, numbers]
    return found


def _plainly(left, sign, right):
    return eval(f"{left} {sign} {right}")


def _in_place(left, sign, right):
    names = {"np": np}
    exec(f"x = {left}\nx {sign}= {right}\n", names)
    return names["x"]


if __name__ == "__main__":
    print(json.dumps([answers(_plainly), answers(_in_place)]))
