"""What small operations of Python cost under ``tfgraphtools run``, beside plain Python.

    python scripts/bench/small_calls.py [--before CHECKOUT] [--rounds 5] [--only WORD]
    python scripts/bench/small_calls.py --sites FOLDER_OR_FILE... [--draw 20] [--before CHECKOUT]

Each kind is a function with a loop, in a script that Python and ``run`` execute in turns; printed
are the fastest of the rounds, in nanoseconds of the processor, and the ratios. With ``--before``,
``run`` of another checkout takes its turn, too. ``--sites`` counts the calls of NumPy's helpers
that the translation writes into files, by helper, and how many more it would write if it did not
know which values are Python's own. ``--draw 20`` takes so many of the files, always the same ones.
"""

import argparse
import collections
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts" / "bench"))

from processes import checked  # noqa: E402

#: kind -> (what is there before the loop, the body of the loop), whose values are arguments: the
#: translation knows nothing of them.
KINDS = {
    "self.n += 1": ("self = C()", "self.n += 1"),
    "self.a[k] += 1": ("self = C(); k = 'a'", "self.items[k] += 1"),
    "n += x": ("n = 0; x = 2", "n += x"),
    "a + b": ("a, b = 1, 2", "a + b"),
    "a * b + c": ("a, b, c = 1.5, 2.5, 0.5", "a * b + c"),
    "a == b": ("a, b = 1, 2", "a == b"),
    "a < b": ("a, b = 1, 2", "a < b"),
    "a < 10": ("a = 1", "a < 10"),
    "a < b < c": ("a, b, c = 1, 2, 3", "a < b < c"),
    "s == 'text'": ("s = 'word'", "s == 'text'"),
    "d[k] = v": ("d, k, v = {}, 'a', 1", "d[k] = v"),
    "xs[i] = v": ("xs, i, v = [1, 2, 3], 1, 2", "xs[i] = v"),
    "d[k] += 1": ("d, k = {'a': 1}, 'a'", "d[k] += 1"),
    "d[k]": ("d, k = {'a': 1}, 'a'", "d[k]"),
    "xs[i]": ("xs, i = [1, 2, 3], 1", "xs[i]"),
    "self.items[k]": ("self = C(); k = 'a'", "self.items[k]"),
    "xs[i - 1]": ("xs, i = [1, 2, 3], 1", "xs[i - 1]"),
    "xs[f(i)]": ("xs, f, i = [1, 2, 3], abs, 1", "xs[f(i)]"),
    "xs[-1]": ("xs = [1, 2, 3]", "xs[-1]"),
    "max(a, b)": ("a, b = 1, 2", "max(a, b)"),
    "min(a, 10)": ("a = 1", "min(a, 10)"),
    "max(xs)": ("xs = list(range(20))", "max(xs)"),
    "max(xs, key=f)": ("xs, f = list(range(20)), lambda x: -x", "max(xs, key=f)"),
    "sorted(xs)": ("xs = list(range(20))", "sorted(xs)"),
    "sorted(xs, key=f)": ("xs, f = list(range(20)), lambda x: -x", "sorted(xs, key=f)"),
    "xs.sort()": ("xs = list(range(20))", "xs.sort()"),
    "xs.index(v)": ("xs, v = list(range(20)), 3", "xs.index(v)"),
    "s.index(t)": ("s, t = 'some text', 't'", "s.index(t)"),
    "s.count(t)": ("s, t = 'some text', 't'", "s.count(t)"),
    "xs.count(v)": ("xs, v = list(range(20)), 3", "xs.count(v)"),
    "v in xs": ("v, xs = 3, [1, 2, 3]", "v in xs"),
    "v in d": ("v, d = 3, {3: 1}", "v in d"),
    "v in self.items": ("v, self = 'a', C()", "v in self.items"),
    "self.n in xs": ("self, xs = C(), {1, 2}", "self.n in xs"),
    "if x": ("x = [1]", "if x: pass"),
    "if not x": ("x = [1]", "if not x: pass"),
    "if x and y": ("x, y = [1], [2]", "if x and y: pass"),
    "if xs[i]": ("xs, i = [1, 2], 1", "if xs[i]: pass"),
    "if f(x)": ("f, x = abs, 1", "if f(x): pass"),
    "while x": ("x = [1]", "while x: break"),
    "any(xs)": ("xs = [0] * 20", "any(xs)"),
    "bool(x)": ("x = [1]", "bool(x)"),
    "sum(xs)": ("xs = list(range(20))", "sum(xs)"),
    "'%d' % x": ("x = 1", "'%d' % x"),
    "'{}'.format(x)": ("x = 1", "'{}'.format(x)"),
    "f'{x}'": ("x = 1", "f'{x}'"),
    "str(x)": ("x = 1", "str(x)"),
    "repr(x)": ("x = 1", "repr(x)"),
    "float(x)": ("x = 1", "float(x)"),
    "int(x)": ("x = 1.5", "int(x)"),
    "math.sqrt(x)": ("x = 2.0", "math.sqrt(x)"),
    "self.f(x)": ("self, x = C(), 1", "self.f(x)"),
    "f(x)": ("f, x = (lambda x: x), 1", "f(x)"),
    "xs.append(x)": ("xs, x = [], 1", "xs.append(x)"),
    "range(n)": ("n = 3", "range(n)"),
    "[x + 1 for x in xs]": ("xs = list(range(20))", "[x + 1 for x in xs]"),
}

_SCRIPT = """
import json
import math
import sys
import time
import numpy

class C:
    def __init__(self):
        self.n, self.items = 0, {{"a": 1}}
    def f(self, x):
        return x

{functions}

COUNT = {count}
best = {{}}
for _ in range({repeats}):
    for name, values, function in KINDS:
        arguments = values()
        start = time.process_time()
        function(*arguments, COUNT)
        seconds = time.process_time() - start
        best[name] = min(seconds, best.get(name, seconds))
print(json.dumps({{name: seconds / COUNT * 1e9 for name, seconds in best.items()}}))
"""


def script(kinds, count, repeats):
    """Returns the text of the script that measures these kinds."""
    functions = [_function("empty", "", "pass", 0)]
    functions += [_function(name, *KINDS[name], at) for at, name in enumerate(kinds, 1)]
    names = ", ".join(
        f"({name!r}, values{at}, loop{at})" for at, name in enumerate(["empty", *kinds])
    )
    functions.append(f"KINDS = [{names}]")
    return _SCRIPT.format(functions="\n".join(functions), count=count, repeats=repeats)


def _function(name, before, body, at):
    """Returns the two functions of a kind: what makes its values, and the loop."""
    variables = _variables(before)
    return (
        f"def values{at}():\n    {before or 'pass'}\n    return {_tuple(variables)}\n"
        f"def loop{at}({''.join(each + ', ' for each in variables)}__count):\n"
        f"    for _ in range(__count):\n        {body}\n"
    )


def _variables(before):
    return [
        name.strip()
        for part in before.split(";")
        if "=" in part
        for name in part.split("=", 1)[0].split(",")
    ]


def _tuple(names):
    return "(" + "".join(name + ", " for name in names) + ")"


def measured(kinds, checkouts, rounds, count):
    """Returns {checkout, or None for plain Python: {kind: nanoseconds}}."""
    best = {}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "loops.py")
        path.write_text(script(kinds, count, 3))
        for _ in range(rounds):
            for checkout in (None, *checkouts):
                for name, nanoseconds in _run(path, checkout, folder).items():
                    known = best.setdefault(checkout, {})
                    known[name] = min(nanoseconds, known.get(name, math.inf))
    return {
        checkout: {name: found[name] - found["empty"] for name in kinds}
        for checkout, found in best.items()
    }


def _run(path, checkout, folder):
    environment = dict(os.environ, TFGRAPHTOOLS_CACHE=os.path.join(folder, "cache"))
    environment.pop("PYTHONPATH", None)
    command = [sys.executable, path.name]
    if checkout is not None:
        environment["PYTHONPATH"] = str(checkout)
        command[1:1] = ["-m", "tfgraphtools", "run"]
    done = checked(command, cwd=folder, env=environment, stdout=subprocess.PIPE)
    return json.loads(done.stdout.decode().splitlines()[-1])


def show(table, checkouts):
    """Prints nanoseconds and ratios; at the end their geometric mean."""
    plain, *runs = (table[each] for each in (None, *checkouts))
    titles = ["run", "before"][: len(runs)]
    print(f"{'kind':24}{'plain':>9}" + "".join(f"{title:>9}{'ratio':>8}" for title in titles))
    ratios = [[] for _ in runs]
    for name in plain:
        line = f"{name:24}{plain[name]:9.1f}"
        for kept, run in zip(ratios, runs):
            kept.append(max(run[name], 0.1) / max(plain[name], 1.0))
            line += f"{run[name]:9.1f}{kept[-1]:8.2f}"
        slower = len(runs) > 1 and runs[0][name] > runs[1][name] * 1.1 + 2
        print(line + ("   slower than before" if slower else ""))
    means = [math.exp(sum(map(math.log, kept)) / len(kept)) for kept in ratios]
    print(f"{'geometric mean':33}" + "".join(f"{mean:17.2f}" for mean in means))


# The sites ----------------------------------------------------------------------------


_COUNTING = """
import ast, collections, json, sys
from tfgraphtools import compat
from tfgraphtools.compat.engine.translate import source
from tfgraphtools.compat.fixes.numpy.arithmetic import python_numbers
compat.activate(running_code=False)

def counted(paths):
    counts = collections.Counter()
    for path in paths:
        with open(path, "rb") as file:
            data = file.read()
        try:
            compile(data, path, "exec", dont_inherit=True)
            tree = source.tree_of(data, path)
        except (SyntaxError, ValueError):
            continue
        counts["files"] += 1
        for node in ast.walk(tree):
            name = getattr(getattr(node, "func", None), "id", "")
            if name.startswith(("__numpy1_", "__python_")):
                counts[name] += 1
    return counts

known = counted(sys.argv[1:])
python_numbers.in_tree = lambda tree: frozenset()
print(json.dumps([known, counted(sys.argv[1:])]))
"""


def sites(files, checkouts):
    """Returns [calls of each helper, the same if nothing were known of values], by checkout."""
    found = []
    for checkout in checkouts:
        environment = dict(os.environ, PYTHONPATH=str(checkout))
        command = [sys.executable, "-c", _COUNTING, *files]
        done = checked(command, cwd=checkout, env=environment, stdout=subprocess.PIPE)
        found.append(json.loads(done.stdout.decode().splitlines()[-1]))
    return [list(map(collections.Counter, both)) for both in found]


def files_below(paths, count):
    """Returns the Python files below paths that are no tests; so many of them, if it says."""
    files = [
        str(file.resolve())
        for path in map(pathlib.Path, paths)
        for file in (sorted(path.rglob("*.py")) if path.is_dir() else [path])
        if not {"test", "tests", "site-packages"} & set(file.relative_to(path).parts)
    ]
    return sorted(random.Random(0).sample(files, count)) if count else files


def show_sites(counts):
    """Prints the counts side by side; the checks of a type that stand inline last."""
    inline = "__numpy1_type__"
    known = [known for known, _ in counts]
    print(f"{known[0]['files']} files")
    names = sorted(set().union(*known) - {"files", inline}, key=lambda name: -known[-1][name])
    for name in names:
        print(f"{name:36}" + "".join(f"{each[name]:9}" for each in known))
    for title, tables in (
        ("all", known),
        ("if nothing were known of values", [unknowing for _, unknowing in counts]),
    ):
        totals = [sum(t.values()) - t["files"] - t[inline] for t in tables]
        print(f"{title:36}" + "".join(f"{total:9}" for total in totals))
    print(f"{'of all, behind a check of the type':36}" + "".join(f"{t[inline]:9}" for t in known))


def main():
    """Prints the table of times, or of sites."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--before", type=pathlib.Path, help="another checkout to compare with")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--only", default="", help="measure the kinds with this text")
    parser.add_argument("--sites", nargs="+", metavar="PATH")
    parser.add_argument("--draw", type=int, default=0, help="count the sites of so many files")
    options = parser.parse_args()
    checkouts = [ROOT, *([options.before.resolve()] if options.before else [])]
    if options.sites:
        return show_sites(sites(files_below(options.sites, options.draw), checkouts))
    kinds = [name for name in KINDS if options.only in name]
    return show(measured(kinds, checkouts, options.rounds, options.count), checkouts)


if __name__ == "__main__":
    main()
