"""What CPython's own tests found: a program does under `run` what it does in plain Python."""

import builtins
import operator
import subprocess
import sys

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

PROGRAM = r'''
import ast, functools, itertools, operator, pickle, warnings

def warned(text, action):
    "Returns what is warned about, or the error, as a text is evaluated."
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter(action)
        try:
            eval(text)
        except SyntaxError as error:
            return [str(error)]
    return [(w.category.__name__, str(w.message), w.lineno) for w in caught]

for text in ("'\\z'", "'\\z' $", '"""\n\\z"""', "b'\\777'", "'\\;'", "'\\n'", "1 is 1", "2 + 2"):
    for action in ("always", "error", "always"):
        print(text, action, warned(text, action))

for text in ("a = 1", "1;", "1; # one\n# two", "", "(", "1 +", " 3 ", "1\n2", "x:=1", "(x:=1)",
             "*a", "yield 1", "5L", "print 1", "`1`", "1 # one", "'a' 'b'"):
    try:
        print(text, eval(text))
    except SyntaxError as error:
        print(text, error)

for function in (min, max, sum, operator.add, operator.lt):
    back = pickle.loads(pickle.dumps(function))
    print(back == function, function == back, {back} == {function}, function == len)
by_difference = functools.cmp_to_key(lambda a, b: a - b)
print(sorted([5, 3, 4], key=by_difference), max([5, 3, 4], key=by_difference))
inside, other = {}, []
inside["itself"] = inside
other.append(other)
for call in (lambda: inside == dict(inside), lambda: other == list(other), lambda: other < [other]):
    try:
        print(call())
    except RecursionError:
        print("endless")
deep = ast.UnaryOp(op=ast.Not(), lineno=0, col_offset=0)
deep.operand = deep
wrong = ast.BoolOp(ast.And(), []), ast.Set([None]), ast.Compare(ast.Constant(1), [], [])
for tree in (deep, *wrong):
    try:
        compile(ast.fix_missing_locations(ast.Expression(tree)) if tree is not deep
                else ast.Expression(tree), "tree", "eval")
    except (RecursionError, ValueError) as error:
        print(type(error).__name__, str(error)[:20])
for call in (lambda: max(1, 2, default=None), lambda: min((), default=3), lambda: max(), min):
    try:
        print(call())
    except TypeError as error:
        print(error)
print(list(pickle.loads(pickle.dumps(itertools.accumulate([1, 2, 3])))))
'''


#: What stands for a function of Python's is shown, asked, pickled and kept by classes as that.
BUILTINS = """
import builtins, inspect, operator, pickle, types

def shown(function):
    names = "__name__ __qualname__ __module__ __doc__ __text_signature__".split()
    said = [str(getattr(function, name, None)) for name in names]
    kinds = type(function).__name__, isinstance(function, types.BuiltinFunctionType)
    asked = callable(function), inspect.isbuiltin(function), inspect.isfunction(function)
    try:
        signature = str(inspect.signature(function))
    except ValueError as error:
        signature = str(error)
    return repr(function), f"{function}", said, kinds, asked, signature

for module, names in ((builtins, set(dir(builtins)) - {"__import__"}), (operator, dir(operator))):
    plain = [n for n in sorted(names) if type(vars(module)[n]).__name__ in PLAIN]
    for name in plain:
        if name in KNOWN[module.__name__]:
            function = vars(module)[name]
            print(name, shown(function), pickle.loads(pickle.dumps(function)) == function)

class Held:
    sum, round, pow, divmod, eval, max, repr, any, open = (
        sum, round, pow, divmod, eval, max, repr, any, open
    )

held = Held()
print(held.sum([1, 2]), held.round(2.5), held.pow(2, 3), held.divmod(7, 2), held.eval("1 + 1"),
      held.max(1, 2), held.repr(1), held.any([1]), held.open("held.txt", "w").close())
for module in (builtins, operator):
    for value in vars(module).values():
        if isinstance(value, type):
            assert issubclass(value, object)
last = operator.itemgetter(-1)
print(isinstance(last, operator.itemgetter), isinstance(1, operator.itemgetter))
try:
    isinstance(1, max)
except TypeError as error:
    print(error)

class Noisy:
    def __init__(self, value):
        self.value = value
    def __eq__(self, other):
        print("compared", self.value)
        return self.value == other.value

one, two = Noisy(1), Noisy(2)
values = [Noisy(2), Noisy(1)]
print(one in values, two not in values, values.index(one), values.count(two))
values.remove(one)
"""


def test_what_stands_for_builtins(compat_server, tmp_path):
    known = {
        module.__name__: [name for name in dir(module) if callable(getattr(module, name))]
        for module in (builtins, operator)
    }
    head = f"KNOWN, PLAIN = {known!r}, ['builtin_function_or_method']\n"
    (tmp_path / "program.py").write_text(head + BUILTINS)
    plain = subprocess.run(
        [sys.executable, "program.py"], cwd=str(tmp_path), stdout=subprocess.PIPE, check=True
    )
    done = compat_server.run(tmp_path, "-q", "program.py")
    assert done.code == 0, done.err
    assert done.out == plain.stdout.decode()
    assert done.out.count("<built-in function") > 150


def test_as_plain_python(compat_server, tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    plain = subprocess.run(
        [sys.executable, "program.py"], cwd=str(tmp_path), stdout=subprocess.PIPE, check=True
    )
    done = compat_server.run(tmp_path, "-q", "program.py")
    assert done.code == 0, done.err
    assert done.out == plain.stdout.decode()


def test_types_of_python2_are_pickled(compat_server, tmp_path):
    program = "import pickle\nfor t in (unicode, long):\n    "
    program += "print(all(pickle.loads(pickle.dumps(t, p)) is t for p in range(5)))\n"
    (tmp_path / "program.py").write_text(program)
    done = compat_server.run(tmp_path, "-q", "program.py")
    assert done.out == "True\nTrue\n", done.err
