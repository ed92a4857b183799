"""Draws calls of a library from a grammar, and tells what each gives.

    python drawing.py GRAMMAR SEED COUNT FILE   FILE is a program of calls that this Python takes
    python FILE                                 by any Python: what each gives, a line of JSON

A grammar is a text file. Its first part, up to a line ``---``, is Python that every program
begins with. After it, ``name:`` begins a list of alternatives, one an indented line, and
``name: a ~ b`` lists short ones; ``$name`` in an alternative is one of that list. ``call`` is the
list from which a call is drawn: statements with ``; `` between them, of which the last may be
an expression. What it gives is described, and so is the variable ``f`` afterwards.
"""

import ast
import pathlib
import random
import re
import resource
import sys
import time
import warnings

#: Seconds that a call may take.
LONGEST = 2.0

HEADER = """
import collections, datetime, io, json, math, os, sys, tempfile, warnings
import numpy as np

def words(value):
    name = type(value).__name__
    described = DESCRIBED.get(name)
    if described:
        return described(value)
    if isinstance(value, np.dtype):
        return ["dtype", str(value)]
    if isinstance(value, np.ndarray):
        if value.dtype.names:
            return ["records", str(value.dtype), words(value.tolist())]
        return ["array", str(value.dtype), list(value.shape), each(value.ravel().tolist())]
    if isinstance(value, np.generic):
        return words(value.item()) if value.dtype.itemsize == 8 else [str(value.dtype), str(value)]
    if isinstance(value, dict):
        return ["dict", [[words(key), words(item)] for key, item in value.items()]]
    if isinstance(value, (set, frozenset)):
        return [name, sorted(map(str, value))]
    if isinstance(value, (list, tuple)):
        return [isinstance(value, list), each(value)]
    return [name, repr(value) if isinstance(value, (str, bytes, float)) else str(value)]

def each(values):
    return [words(value) for value in list(values)[:200]]

DESCRIBED = {}

def answer(call):
    np.random.seed(0)
    sys.stdout = io.StringIO()
    try:
        return words(call())
    except Exception as error:
        return ["!" + type(error).__name__, str(error)[:300]]
    finally:
        sys.stdout = sys.__stdout__
"""

_MAIN = """
warnings.simplefilter('ignore')
np.seterr(all='ignore')
for call in CALLS:
    print(json.dumps(answer(call)), flush=True)
"""


class Grammar:
    """The lists of alternatives of a grammar file, and the Python before them."""

    def __init__(self, path):
        self.setup, _, rest = pathlib.Path(path).read_text().partition("\n---\n")
        self.lists, alternatives = {}, []
        for line in rest.splitlines():
            if line.startswith("  ") and line.strip():
                alternatives.append(line.strip())
            elif line.strip() and not line.startswith("#"):
                name, _, short = line.partition(":")
                alternatives = self.lists.setdefault(name, [])
                alternatives += map(str.strip, re.split(" ~(?= |$)", short)) if short else []

    def draw(self, chance, name="call"):
        """One of the alternatives, with all names in it replaced."""
        chosen = chance.choice(self.lists[name])
        return re.sub(r"\$(\w+)", lambda found: self.draw(chance, found.group(1)), chosen)


def function(number, call):
    """The source of a function that makes the call and returns what came of it."""
    statements = call.split("; ")
    lines = [f"    {line}" for line in statements[:-1]]
    names = {node.id for node in ast.walk(ast.parse("\n".join(statements))) if _is_stored(node)}
    is_value = isinstance(ast.parse(statements[-1]).body[0], ast.Expr)
    if is_value and not re.search(r"inplace=True|\]\.update\(", statements[-1]):
        lines.append(f"    value = {statements[-1]}")
        lines.append("    return [value, f]" if "f" in names else "    return value")
    else:
        lines += [f"    {statements[-1]}", "    return f"]
    return "\n".join([f"def call_{number}():", *lines])


def _is_stored(node):
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def program(setup, calls):
    """A program that prints what the calls give, a line each."""
    functions = [function(number, call) for number, call in enumerate(calls)]
    listed = "".join(f"    call_{number},  # {call}\n" for number, call in enumerate(calls))
    return "\n".join([HEADER, setup, *functions, f"CALLS = [\n{listed}]", _MAIN])


def calls_of(text):
    """The calls of a program."""
    body = text.partition("CALLS = [\n")[2].partition("\n]\n")[0]
    return [line.partition("  # ")[2] for line in body.splitlines()]


def _is_taken(scope, call):
    """Whether this Python makes the call, twice with the same result, in a short time."""
    start = time.time()
    try:
        exec(function("it", call), scope)
    except SyntaxError:
        return False
    first, second = (scope["answer"](scope["call_it"]) for _ in range(2))
    return not str(first[0]).startswith("!") and first == second and time.time() - start < LONGEST


def main(grammar, seed, count, file):
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    grammar, chance, scope, calls, tried = Grammar(grammar), random.Random(int(seed)), {}, [], 0
    exec(HEADER + "\n" + grammar.setup, scope)
    known = set()
    while len(calls) < int(count) and tried < 20 * int(count):
        call, tried = grammar.draw(chance), tried + 1
        if call not in known and _is_taken(scope, call):
            calls.append(call)
        known.add(call)
    with open(file, "w") as stream:
        stream.write(program(grammar.setup, calls))


if __name__ == "__main__":
    main(*sys.argv[1:])
