"""Regular expressions of the package: their time grows with the text that they search."""

import ast
import pathlib

import tfgraphtools

PACKAGE = pathlib.Path(tfgraphtools.__file__).parent
_OF_LINES = {"M", "MULTILINE"}


def _texts(node):
    return [
        part.value.decode("latin-1") if isinstance(part.value, bytes) else part.value
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, (str, bytes))
    ]


def test_no_beginning_of_a_line_skips_lines():
    r"""Of "^\s*x", each of 40,000 empty lines is a beginning from which all others are skipped."""
    found = []
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_of_lines = isinstance(node, ast.Call) and any(
                isinstance(flag, ast.Attribute) and flag.attr in _OF_LINES
                for argument in node.args
                for flag in ast.walk(argument)
            )
            if is_of_lines and any(r"^\s*" in t or r"^(\s*)" in t for t in _texts(node)):
                found.append(f"{path.name}:{node.lineno}")
    assert not found
