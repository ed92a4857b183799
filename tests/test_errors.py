"""Every error says where, what was expected, what it got and how to fix it.

The four parts are arguments of `TfgraphtoolsError`; read here is what the source gives for them.
"""

import ast
import pathlib
import re

import pytest

from tfgraphtools import errors

PACKAGE = pathlib.Path(errors.__file__).resolve().parent
CLASSES = {name for name in vars(errors) if name.endswith("Error")}


def _text(node):
    """The constant text of an argument, with "{}" for what is computed; None if all of it is."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
        return "".join(map(str, parts))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        sides = [_text(node.left), _text(node.right)]
        return None if sides == [None, None] else "".join(side or "{}" for side in sides)
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "format":
        return _text(node.func.value)
    return None


def _constructions():
    """(file:line, arguments) of each error that the package makes."""
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                if name in CLASSES:
                    yield f"{path.relative_to(PACKAGE)}:{node.lineno}", node


def faults(expected, got, next_step):
    """What is wrong with the parts of one message; None stands for computed text."""
    if expected is not None and re.match(r"expected\b|\s|[A-Z][a-z]+ed\b", expected):
        yield f"expected: {expected!r}"
    if expected is not None and re.search(r"[^.][.]\s*$", expected):
        yield f"expected ends the sentence: {expected!r}"
    if got is not None and (re.match(r"got\b|\s", got) or not got.strip()):
        yield f"got: {got!r}"
    if got is not None and re.search(r"[^.][.]\s*$", got):
        yield f"got ends the sentence: {got!r}"
    if next_step is not None:
        if not re.match(r"[A-Z0-9{'\"`(\\\\]|tf[.]|tfgraphtools|pip |[a-z_.]+\(", next_step):
            yield f"next step is no sentence: {next_step!r}"
        if len(next_step.split()) < 2 and "{" not in next_step:
            yield f"next step is too short: {next_step!r}"


def test_every_message_has_its_parts():
    found, count = [], 0
    for place, call in _constructions():
        count += 1
        if any(isinstance(one, ast.Starred) for one in call.args):
            continue  # parts that a function made
        if len(call.args) + len(call.keywords) != 4:
            found.append(f"{place}: {len(call.args)} arguments")
            continue
        parts = [_text(one) for one in call.args]
        found += [f"{place}: {fault}" for fault in faults(*parts[1:])] if len(parts) == 4 else []
    assert count > 300 and not found, "\n".join(found)


@pytest.mark.parametrize(
    "parts",
    [
        ("expected a list", "3", "Give a list."),
        ("a list", "got 3", "Give a list."),
        ("a list", "", "Give a list."),
        ("a list", "3", "no"),
        ("a list.", "3", "Give a list."),
    ],
)
def test_the_check_finds(parts):
    assert list(faults(*parts))
