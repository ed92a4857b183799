# ruff: noqa: UP004, UP031, B030 (Python 2.7 reads it, too)
"""Random programs of assignments, and what runs them and writes down what each of them did.

As a script, ``assignment_programs.py FILE``: executes the texts of a JSON file by ``exec`` and
prints a line of JSON for each. It is also read by Python 2.7 and 3.7, so it has their syntax.
"""

import json
import random
import sys
import warnings

#: What programs of each kind may have.
MODERN, NUMPY, PYTHON2 = "modern", "numpy", "python2"

_OPERATORS = "+ - * // % & | ^".split()


class Programs:
    """A source of random programs.

    Args:
      seed: of the drawing.
      kind: one of the kinds above.
    """

    def __init__(self, seed, kind=MODERN):
        self._random = random.Random(seed)
        self._kind = kind
        self._can_yield = self._has_walrus = False
        # NumPy 1 refuses to store nan, which a division by zero gives, as an integer
        self._operators = _OPERATORS[:3] + _OPERATORS[5:] if kind == NUMPY else _OPERATORS

    def text(self):
        """Returns the text of a program."""
        place = self._random.choice(sorted(_PLACES[self._kind]))
        self._can_yield = place == "generator"
        self._has_walrus = self._kind == MODERN
        statements = []
        for _ in range(self._random.randint(2, 6)):
            statement = self._statement(2)
            if self._pick(True, True, False):  # so that the rest of the program runs, too
                statement = ["try:"] + ["    " + line for line in statement]
                statement += ["except Exception: T('failed', 0)"]
            statements += statement
        head, indent, tail = _PLACES[self._kind][place]
        body = "\n".join(indent + line for line in statements)
        return head + body + "\n" + tail

    def _pick(self, *choices):
        return self._random.choice(choices)

    # statements -------------------------------------------------------------

    def _statement(self, depth):
        kinds = ["assign"] * 4 + ["in_place"] * 5 + ["call", "delete"]
        if depth:
            kinds += ["loop", "with", "try", "if"]
        if self._kind == MODERN:
            kinds += ["annotated"]
        return getattr(self, "_" + self._pick(*kinds))(depth)

    def _block(self, depth):
        lines = []
        for _ in range(self._random.randint(1, 2)):
            lines += self._statement(depth - 1)
        return ["    " + line for line in lines]

    def _assign(self, _):
        if self._pick(True, False, False):
            count = self._random.randint(2, 3)
            targets = [self._target() for _ in range(count)]
            values = [self._value(2) for _ in range(count)]
            if self._kind == MODERN and self._pick(True, False):
                star = self._random.randrange(count)
                targets[star] = "*" + targets[star]
                values += [self._value(1) for _ in range(self._random.randrange(2))]
            return ["%s = %s" % (", ".join(targets), ", ".join(values))]
        targets = [self._target() for _ in range(self._random.randint(1, 3))]
        return [" = ".join(targets + [self._value(3)])]

    def _in_place(self, _):
        operators = self._operators + (["/"] * 4 if self._kind == PYTHON2 else [])
        value = "(yield %s)" % self._value(1) if self._can_yield and self._pick(0, 0, 1) else None
        return ["%s %s= %s" % (self._target(), self._pick(*operators), value or self._value(3))]

    def _annotated(self, _):
        return ["%s: T('annotation', 0) = %s" % (self._place(), self._value(2))]

    def _call(self, _):
        return [self._value(2)]

    def _delete(self, _):
        return ["del %s" % self._pick(self._place(), self._owner() + "[%s]" % self._index())]

    def _loop(self, depth):
        values = ", ".join(self._value(1) for _ in range(2))
        return ["for %s in (%s):" % (self._target(), values)] + self._block(depth)

    def _with(self, depth):
        return ["with M(%s) as %s:" % (self._value(1), self._target())] + self._block(depth)

    def _try(self, depth):
        caught = ["try:"] + self._block(depth)
        if self._pick(True, False):
            caught += ["except Exception:"] + self._block(depth)
            return caught + ["else:"] + self._block(depth) if self._pick(True, False) else caught
        return caught + ["finally:"] + self._block(depth)

    def _if(self, depth):
        return ["if %s:" % self._test(2)] + self._block(depth)

    # targets ----------------------------------------------------------------

    def _target(self):
        return self._pick(self._pick("a", "b", "i", "j", "i"), self._place(), self._place())

    def _place(self):
        if self._pick(0, 0, 1) and self._kind != NUMPY:
            return self._owner() + self._pick(".p", ".n", ".n", ".__secret", ".me.n")
        return "%s[%s]" % (self._owner(), self._index())

    def _owner(self):
        if self._kind == NUMPY:
            return self._pick("a", "b", "a", "b", "T('owner', a)", "F(a)", "c[0]")
        return self._pick("a", "b", "a", "b", "c", "a.me", "T('owner', b)", "F(a)", "c[0]", "d")

    def _index(self):
        simple = self._pick("i", "j", "0", "1", "-1", "I(%s)" % self._value(2))
        if self._pick(0, 0, 0, 1) and self._kind != PYTHON2:  # there a class has __setslice__
            return self._pick("%s:" % simple, ":%s" % simple, "::I(%s)" % self._value(1))
        return simple

    # values -----------------------------------------------------------------

    def _value(self, depth):
        if not depth:
            return self._pick("i", "j", "0", "1", "2", "a[i]", "b[0]", *_LEAVES[self._kind])
        inner = depth - 1
        kinds = ["call", "operation", "item", "rebinding", "leaf", "leaf", "choice", "compared"]
        kinds += ["comprehension", "function"]
        if self._has_walrus:
            kinds += ["walrus", "walrus"]
        kind = self._pick(*kinds)
        if kind == "call":
            return "T('value', %s)" % self._value(inner)
        if kind == "operation":
            operator = self._pick(*self._operators[:5])
            return "(%s %s %s)" % (self._value(inner), operator, self._value(inner))
        if kind == "item":
            return "%s[%s]" % (self._owner(), self._index())
        if kind == "rebinding":
            return self._pick("swap()", "step()", "step()")
        if kind == "choice":
            test, yes, no = self._test(inner), self._value(inner), self._value(inner)
            return "(%s if %s else %s)" % (yes, test, no)
        if kind == "compared":
            return "(len(str(%s)) %s 1)" % (self._value(inner), self._pick("<", ">", "==", "!="))
        if kind == "comprehension":
            return self._comprehension(inner)
        if kind == "function":
            return "(lambda: %s)()" % self._without(self._value, 0)
        if kind == "walrus":
            return "(%s := %s)" % (self._pick("i", "j", "a"), self._value(inner))
        return self._value(0)

    def _test(self, depth):
        value = self._value(depth)  # NumPy 2 refuses to say whether an empty array is true
        return "len(str(%s)) > 1" % value if self._kind == NUMPY else value

    def _comprehension(self, depth):
        body, first = self._without(self._value, depth), self._without(self._value, 0)
        target = self._pick("k", "k", self._without(lambda _: self._place(), 0))
        if self._pick(True, False):
            return "len({k: %s for k in (1, %s)})" % (body, first)
        if self._kind == PYTHON2:  # whose list comprehensions bind in the scope around them
            return "len(list(%s for k in (1, %s)))" % (body, first)
        return "len([%s for %s in (1, %s)])" % (body, target, first)

    def _without(self, make, depth):
        """Returns an expression in which nothing is bound: Python refuses that in some places."""
        before, self._has_walrus = self._has_walrus, False
        text = make(depth)
        self._has_walrus = before
        return text


_LEAVES = {
    MODERN: ("a.p", "a.n", "b.me.p", "c"),
    PYTHON2: ("a.p", "a.n", "b.me.p", "7", "-3"),
    NUMPY: ("np.float32(1.5)", "np.uint8(200)", "300", "np.ones(1)", "2.5", "-1"),
}

_SHARED = """
def swap():
    global a, b
    T('swap', 0)
    a, b = b, a
    return 1
def step():
    global i
    i = (i + 1) % 3
    return T('step', i)
"""
_INNER = """
    def swap():
        nonlocal a, b
        T('swap', 0)
        a, b = b, a
        return 1
    def step():
        nonlocal i
        i = (i + 1) % 3
        return T('step', i)
"""
#: A function with variables that nothing else can bind.
_OWN = """
    def swap():
        return T('swap', 1)
    def step():
        return T('step', 2)
"""
_FUNCTION = "def f(a, b, c, d, i, j):"
_END = "    try:\n%s\n    finally:\n        E(locals())\n"
_INDENT = " " * 8

_IN_FUNCTION = (_FUNCTION + _INNER + "    try:\n", _INDENT, "    finally: E(a, b, c, d, i, j)\n")
_IN_OWN = (_FUNCTION + _OWN + "    try:\n", _INDENT, "    finally: E(a, b, c, d, i, j)\n")
_CALLED = "f(a, b, c, d, i, j)\n"
_MODULE = (_SHARED + "try:\n", "    ", "finally: E(a, b, c, d, i, j)\n")
_CLASS = (
    _SHARED + "class Body(object):\n    try:\n",
    _INDENT,
    "    finally: E(a, b, c, d, i, j)\nN(Body)\n",
)
_METHOD = (
    "class _Owner(object):\n    def f(self, a, b, c, d, i, j):\n"
    "        swap, step = S, S\n        try:\n",
    " " * 12,
    "        finally: E(a, b, c, d, i, j)\n_Owner().f(a, b, c, d, i, j)\n",
)

_ALL = {
    "module": _MODULE,
    "class": _CLASS,
    "method": _METHOD,
    "own": (_IN_OWN[0], _IN_OWN[1], _IN_OWN[2] + _CALLED),
}
_PLACES = {
    PYTHON2: dict(_ALL, module=("`0`\n" + _MODULE[0],) + _MODULE[1:]),
    NUMPY: {name: _ALL[name] for name in ("module", "own")},
    MODERN: dict(
        _ALL,
        function=(_IN_FUNCTION[0], _IN_FUNCTION[1], _IN_FUNCTION[2] + _CALLED),
        generator=(
            _IN_FUNCTION[0],
            _IN_FUNCTION[1],
            "        yield\n    finally: E(a, b, c, d, i, j)\nG(f(a, b, c, d, i, j))\n",
        ),
    ),
}
for _name, (_head, _indent, _tail) in list(_PLACES[PYTHON2].items()):
    if _name != "module":
        _PLACES[PYTHON2][_name] = "`0`\n" + _head, _indent, _tail


# What the programs call -------------------------------------------------------------


class Box(object):
    """Three items, and attributes, each use of which is recorded."""

    def __init__(self, name, told, values):
        self.__dict__.update(name=name, told=told, values=values)
        self.__dict__.update(n=1, secret=2, _Owner__secret=4)
        self.__dict__["__secret"] = 3

    def _tell(self, *what):
        self.told.append([self.name] + [shown(part) for part in what])

    def __getitem__(self, index):
        self._tell("get", index)
        return self.values[index]

    def __setitem__(self, index, value):
        self._tell("set", index, value)
        self.values[index] = value

    def __delitem__(self, index):
        self._tell("delete", index)
        del self.values[index]

    def __setattr__(self, name, value):
        self._tell("attribute", name, value)
        self.__dict__[name] = value

    def __iadd__(self, value):
        self._tell("in place", value)
        return self

    def __add__(self, value):
        self._tell("sum", value)
        return 1

    @property
    def p(self):
        """A property that is recorded."""
        self._tell("p")
        return 5

    @property
    def me(self):
        """The box."""
        self._tell("me")
        return self


class Manager(object):
    """A context manager that is recorded."""

    def __init__(self, told, value):
        self.told, self.value = told, value

    def __enter__(self):
        self.told.append("enter")
        return self.value

    def __exit__(self, kind, *_):
        self.told.append(["exit", kind is not None])
        return False


def shown(value, depth=0):
    """Returns what JSON can hold of a value: numbers with their type, boxes with their name."""
    if isinstance(value, Box):
        return [value.name, [shown(item, depth + 1) for item in value.values] if depth < 3 else 0]
    if isinstance(value, (list, tuple)):
        kind = type(value).__name__
        return [kind] + [shown(item, depth + 1) for item in value] if depth < 6 else kind
    if isinstance(value, dict):
        items = sorted((str(key), value[key]) for key in value)
        return ["dict", [[key, shown(item, depth + 1)] for key, item in items]] if depth < 4 else 0
    if hasattr(value, "dtype"):
        return [str(value.dtype), str(value.tolist()), len(value.shape)]
    if isinstance(value, (int, float, str, type(None))):
        return [type(value).__name__.replace("long", "int"), str(value)]
    if isinstance(value, slice):
        return ["slice"] + [shown(part) for part in (value.start, value.stop, value.step)]
    return type(value).__name__


def names_for(told, numpy=None):
    """Returns the names that a program finds."""

    def tell(name, value):
        told.append([name, shown(value)])
        return value

    def index(value):
        told.append(["index", shown(value)])
        return int(value) % 2 if isinstance(value, (int, float)) or hasattr(value, "dtype") else 0

    def end(*values):
        told.append(["end"] + [shown(value) for value in values])

    def drive(generator):
        answer = None
        for _ in range(30):
            try:
                told.append(["yielded", shown(generator.send(answer))])
            except StopIteration:
                return
            answer = 2 if answer is None else answer + 1

    def names(cls):
        held = vars(cls)
        told.append(
            sorted(
                n
                for n in held
                if n
                not in (
                    "__dict__",
                    "__weakref__",
                    "__module__",
                    "__doc__",
                    "__annotations__",
                    "__firstlineno__",
                    "__static_attributes__",
                )
            )
        )

    a, b = Box("a", told, [1, 2, 3]), Box("b", told, [4, 5, 6])
    c = Box("c", told, [a, b, a])
    d = [7, 8, 9]
    if numpy is not None:
        a, b = numpy.array([1, 250, 3], numpy.uint8), numpy.array([0.5, 2, 3], numpy.float32)
        c = [a, b]
    return dict(
        T=tell,
        I=index,
        E=end,
        G=drive,
        N=names,
        F=lambda value: tell("function", value),
        S=lambda: tell("S", 1),
        M=lambda value: Manager(told, value),
        a=a,
        b=b,
        c=c,
        d=d,
        i=0,
        j=1,
        np=numpy,
    )


#: Names that Python, or we, leave in a namespace.
_NOT_COUNTED = set("__builtins__ __annotations__ _Owner __python2__ __warningregistry__".split())


def outcome(text, kind):
    """Returns what a program did, as JSON."""
    told = []
    numpy = __import__("numpy") if kind == NUMPY else None
    names = names_for(told, numpy)
    try:
        exec(text, names)
    except RecursionError if sys.version_info > (3,) else RuntimeError:
        told.append("recursion")
    except Exception as error:
        name = type(error).__name__
        if kind == NUMPY and isinstance(error, (TypeError, ValueError)):
            name = "refused"  # NumPy 2 says some by another class
        told.append([name, str(error) if kind == MODERN else ""])
    left = [name for name in names if len(name) > 2 and name not in ("swap", "step", "Body")]
    told.append(sorted(set(left) - _NOT_COUNTED))
    return json.dumps(told, sort_keys=True)


def main():
    """Prints what each program of a file did."""
    with open(sys.argv[1]) as file:
        texts, kind = json.load(file)
    warnings.simplefilter("ignore")
    for text in texts:
        print(outcome(text, kind))


if __name__ == "__main__":
    main()
