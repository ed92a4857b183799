"""Python 2 source becomes the Python 3 that a person would write."""

import os
import subprocess
import sys

import pytest

#: id -> (Python 2, Python 3)
CASES = {
    "print": ("print 'a', 1  # why\n", "print('a', 1)  # why\n"),
    "print-in-parentheses": ("print ('a %d' % 1)\nprint 2\n", "print ('a %d' % 1)\nprint(2)\n"),
    "print-to-file": ("print >>f, 'a',\n", "print('a', end=' ', file=f)\n"),
    "except": (
        "try:\n    f()\nexcept E, e:\n    raise E, 'x'\n",
        "try:\n    f()\nexcept E as e:\n    raise E('x')\n",
    ),
    "backticks": ("x = `y`\n", "x = repr(y)\n"),
    "exec": ("exec code in d\n", "exec(code, d)\n"),
    "not-equal": ("x = a <> b\n", "x = a != b\n"),
    "literals": ("x = 0777, 10L, 0xFFL, 0777L, 00\n", "x = 0o777, 10, 0xFF, 0o777, 00\n"),
    "escapes-of-text": (
        "print u'[\\u4e00-\\u9fa5]', u'\\N{BULLET}'\n",
        "print('[\\u4e00-\\u9fa5]', '\\N{BULLET}')\n",
    ),
    "escapes-of-bytes": ("print '\\u4e00', r'\\u4e00'\n", "print('\\\\u4e00', r'\\u4e00')\n"),
    "escapes-of-raw-text": (
        "print ur'\\u4e00\\d', ur'\\\\u4e00'\n",
        "print('\\u4e00\\\\d', '\\\\\\\\u4e00')\n",
    ),
    "escapes-under-unicode-literals": (
        "from __future__ import unicode_literals\nprint '\\u4e00', b'\\u4e00'\n",
        "from __future__ import unicode_literals\nprint('\\u4e00', b'\\u4e00')\n",
    ),
    "has-key": ("print d.has_key(1)\n", "print(1 in d)\n"),
    "items": (
        "print 1\nfor k, v in d.iteritems():\n    x = d.keys()\n",
        "print(1)\nfor k, v in d.items():\n    x = list(d.keys())\n",
    ),
    "file": (
        "import os\nprint isinstance(f, file), file(p)\n",
        "import os\nimport io\nprint(isinstance(f, io.IOBase), open(p))\n",
    ),
    "map": ("print 1\nx = map(f, y)\n", "print(1)\nx = list(map(f, y))\n"),
    "lambda-tuples": (
        "print reduce(lambda (k, v), (a, b): v.k + f(k=a), x)\n",
        "from functools import reduce\nprint(reduce(lambda k_v, a_b: k_v[1].k + f(k=a_b[0]), x))\n",
    ),
    "except-targets": (
        "try: f()\nexcept E, (n, m): print n\nexcept F as (n, m):\n    print m\n",
        "try: f()\nexcept E as error: n, m = error.args; print(n)\n"
        "except F as error:\n    n, m = error.args\n    print(m)\n",
    ),
    "tuple-parameter": (
        "def f((a, b), c):\n    print a\n",
        "def f(a_b, c):\n    a, b = a_b\n    print(a)\n",
    ),
    "division-of-integers": ("print len(x) / 2\n", "print(len(x) // 2)\n"),
    "division-of-floats": ("print 255. / x\n", "print(255. / x)\n"),
    "division-of-variables": (
        "n = 10\nprint n / 4\n",
        "n = 10\nprint(n // 4)\n",
    ),
    "division-of-something": (
        "import os\nprint a / b\n",
        "import os\nfrom tfgraphtools.tf1.python2 import divide\nprint(divide(a, b))\n",
    ),
    "division-in-a-range": (
        "for i in range(a / b + 1): print i\n",
        "for i in range(a // b + 1): print(i)\n",
    ),
    "division-in-a-slice": (
        "def f(i, n):\n    j, h = 1, 2\n    k = i / n\n    x[k*h:k*h+h] = 1; print i\n",
        "def f(i, n):\n    j, h = 1, 2\n    k = i // n\n    x[k*h:k*h+h] = 1; print(i)\n",
    ),
    "division-from-the-future": (
        "from __future__ import division\nprint a / 2\n",
        "from __future__ import division\nprint(a / 2)\n",
    ),
    "in-place": ("n = 9\nn /= 2\nprint n\n", "n = 9\nn //= 2\nprint(n)\n"),
    "nested": ("print (a / b) / c\n", None),
    "raise-three": ("raise E, 'x', tb\n", "raise E('x').with_traceback(tb)\n"),
    "unicode": ("print unicode(x), u'a'\n", "print(str(x), 'a')\n"),
    "xrange": ("for i in xrange(3): print i\n", "for i in range(3): print(i)\n"),
    "metaclass": (
        "class A(object):\n    __metaclass__ = M\nprint 1\n",
        "class A(object, metaclass=M):\n    pass\nprint(1)\n",
    ),
    "raw-input": ("print raw_input()\n", "print(input())\n"),
    "next": ("print it.next()\n", "print(next(it))\n"),
    "tabs-and-spaces": (
        "if 1:\n\tx = 1\n        y = 2\nprint x\n",
        "if 1:\n        x = 1\n        y = 2\nprint(x)\n",
    ),
    "added-behind-a-comment": (
        "import cPickle\nx = cPickle.load(\n    f  # data\n)\nprint 1\n",
        'import pickle\nx = pickle.load(\n    f  # data\n, encoding="latin1")\nprint(1)\n',
    ),
    "comments-stay": ("# a\nprint 1 # b\n\n\n# c\n", "# a\nprint(1) # b\n\n\n# c\n"),
}


#: What Python 3 parses, and Python 2 meant: id -> (source, its end after the upgrade)
PARSED = {
    "print-formatted": ("print('%d') % x\n", "print(('%d') % x)\n"),
    "print-of-a-sum": ("print (1 + 2) * 4, 'and'\n", "print((1 + 2) * 4, 'and')\n"),
    "stop-iteration": (
        "def f():\n    yield 1\n    raise StopIteration  # the end\n",
        "def f():\n    yield 1\n    return  # the end\n",
    ),
    "stop-iteration-of-an-iterator": ("def f():\n    raise StopIteration\n", None),
    "sort-by-cmp": ("x.sort(cmp=f)\n", "x.sort(key=cmp_to_key(f))\n"),
    "sorted-by-a-lambda": (
        "sorted(x, lambda a, b: b - a)\n",
        "sorted(x, key=cmp_to_key(lambda a, b: b - a))\n",
    ),
    "sort-by-a-function": (
        "def f(a, b):\n    return 1\nx.sort(f)\n",
        "def f(a, b):\n    return 1\nx.sort(key=cmp_to_key(f))\n",
    ),
    "functools-is-there": (
        "import functools\nx.sort(cmp=f)\n",
        "import functools\nx.sort(key=functools.cmp_to_key(f))\n",
    ),
    "map-as-a-list": ("x = map(f, y)\nlen(x), x[0]\n", "x = list(map(f, y))\nlen(x), x[0]\n"),
    "range-as-a-list": ("x = range(3)\nx[0] = 1\n", "x = list(range(3))\nx[0] = 1\n"),
    "sort-on-an-axis": ("def g(axis):\n    x.sort(axis)\nx.sort(0)\nx.sort(key=f)\n", None),
    "stop-iteration-that-is-handled": (
        "def f():\n    try: raise StopIteration\n    except StopIteration: yield 1\n",
        None,
    ),
    "print-alone": ("print((1 + 2) * 4)\nprint(x), 3\n", None),
    "map-in-a-loop": ("for x in map(f, y):\n    pass\n", None),
    "keys-of-a-frame": ("x = frame.keys()\nx[0]\n", None),
}


@pytest.mark.parametrize("name", PARSED)
def test_python2_that_python3_parses(name, upgraded):
    source, expected = PARSED[name]
    new = upgraded(source)
    assert new == source if expected is None else new.endswith(expected), new
    assert upgraded(new) == new


@pytest.mark.parametrize("name", CASES)
def test_translated(name, upgraded):
    old, new = CASES[name]
    found = upgraded(old)
    compile(found, name, "exec")
    assert new is None or found == new
    assert upgraded(found) == found


def test_division_without_the_runtime_is_reported(upgraded):
    assert upgraded("print a / b\n", runtime=False) == "print(a / b)\n"
    ((_, finding),) = upgraded.report.unresolved()
    assert finding.fix == "python2.division" and finding.line == 1


def test_relative_imports(upgraded):
    new = upgraded(
        {
            "pkg/__init__.py": "",
            "pkg/one.py": "import two\nfrom two import (x,  # one\n    )\nprint two.x\n",
            "pkg/m.py": "from r import x\nfrom r import x as m\nprint m\n",
            "pkg/r.py": "x = 1\n",
            "pkg/two.py": "x = 1\n",
            "main.py": "import pkg.one, pkg.m\nprint 1\n",
            "scripts/__init__.py": "",
            "scripts/three.py": "import four\nprint four.x\n",
            "scripts/four.py": "x = 1\n",
        }
    )
    assert new["pkg/one.py"] == (
        "from . import two\nfrom .two import (x,  # one\n    )\nprint(two.x)\n"
    )
    assert new["pkg/m.py"] == "from .r import x\nfrom .r import x as m\nprint(m)\n"
    assert new["scripts/three.py"] == "import four\nprint(four.x)\n"  # a program of its own


#: id -> (files, the program that runs, what it prints under Python 2, files with a use left)
IMPORTS = {
    "program-in-a-folder-with-init": (
        {
            "src/__init__.py": "",
            "src/train.py": "from nets import resnet\nprint resnet.value\n",
            "src/nets/__init__.py": "",
            "src/nets/resnet.py": "import skeleton\nvalue = skeleton.value\n",
            "src/skeleton.py": "from utils import util\nvalue = util.value\n",
            "src/utils/__init__.py": "",
            "src/utils/util.py": "value = 7\n",
        },
        "src/train.py",
        "7",
        [],
    ),
    "package-in-a-package": (
        {
            "main.py": "import models\nprint models.n\n",
            "models/__init__.py": "from net import n\n",
            "models/net.py": "import os, sys, base, layers.conv as conv\nimport layers.pool\n"
            "from layers import conv as same\n"
            "n = [conv.c, same.c, layers.pool.p, base.b, os.sep == sys.path]\n",
            "models/base.py": "b = 3\n",
            "models/layers/__init__.py": "",
            "models/layers/conv.py": "c = 1\n",
            "models/layers/pool.py": "p = 2\n",
        },
        "main.py",
        "[1, 1, 2, 3, False]",
        [],
    ),
    "in-two-ways": (
        {
            "main.py": "from proj import data\nprint data.d\n",
            "proj/__init__.py": "",
            "proj/train.py": "import data\nprint data.d\n",
            "proj/data.py": "import consts\nd = consts.c\n",
            "proj/consts.py": "c = 4\n",
        },
        "proj/train.py",
        "4",
        ["data.py"],
    ),
    "a-member-that-is-a-program": (
        {
            "main.py": "from proj import data\nprint data.d\n",
            "proj/__init__.py": "",
            "proj/data.py": "import consts\nd = consts.c\nif __name__ == '__main__':\n    d = 1\n",
            "proj/consts.py": "import logging\nlogging.getLogger(__name__)\nc = 5\n",
        },
        "main.py",
        "5",
        ["data.py"],
    ),
}


@pytest.mark.parametrize("case", IMPORTS)
def test_imports_are_found_as_by_the_program(case, upgraded, tmp_path):
    sources, program, printed, left = IMPORTS[case]
    new = upgraded(sources)
    unresolved = upgraded.report.unresolved()
    assert {finding.fix for _, finding in unresolved} <= {"python2.imports"}
    assert [os.path.basename(path) for path, _ in unresolved] == left
    for name, source in new.items():
        (tmp_path / name).write_text(source)
    command = [sys.executable, "-B", program]
    done = subprocess.run(command, stdout=subprocess.PIPE, cwd=str(tmp_path), check=True)
    assert done.stdout.decode().strip() == printed


#: id -> (Python 2, what Python 2 prints)
METHODS = {
    "compare": (
        "class A(object):\n    def __init__(self, v): self.v = v\n"
        "    def __cmp__(self, other): return self.v - other.v\n"
        "print [a.v for a in sorted([A(3), A(1), A(2)])], A(1) < A(2), A(1) == A(1)\n",
        "[1, 2, 3] True True",
    ),
    "slices": (
        "class A:\n    def __getitem__(self, i): return i\n"
        "    def __getslice__(self, i, j): return [i, j]\nprint A()[1], A()[1:3]\n",
        "1 [1, 3]",
    ),
    "long": ("class A:\n    def __long__(self): return 3L\nprint int(A())\n", "3"),
    "generator-on-the-first-line": (
        "def g(it):\n    while True:\n        yield it.next()\nprint list(g(iter([1, 2])))\n",
        "[1, 2]",
    ),
}


def test_special_methods_are_called(upgraded, compat_server, tmp_path):
    new = upgraded({name + ".py": METHODS[name][0] for name in METHODS})
    assert upgraded.report.left == 0
    (tmp_path / "main.py").write_text("\n".join(new[name + ".py"] for name in METHODS))
    out = compat_server.run_python(tmp_path, "main.py").checked()
    assert out.splitlines() == [printed for _, printed in METHODS.values()]


def test_special_methods_without_the_runtime_are_left(upgraded):
    upgraded(
        {name + ".py": METHODS[name][0] for name in ("compare", "slices", "long")}, runtime=False
    )
    names = sorted(finding.name for _, finding in upgraded.report.unresolved())
    assert names == ["__cmp__", "__getslice__", "__long__"]


_QUOTIENTS = """
import sys
a, b, c, n = 7, 2, 7.0, len("xxxxx")
values = [n / 2, a / b, c / b, (a + b) / n / 2, -a / b, a / 2 * c, sum([1, 2]) / 2]
for i in range(4):
    values.append(i / 2)
m = 10
values.append((lambda m: m / 2)(5.0))
def f():
    global g
    g = 2.5
g = 5
f()
values.append(g / 2)
x = values[0]
x /= 2
values.append(x)
u = v = w = 1
for i, (u, j) in [(1, (2.5, 3))]:
    values.append(u / 2)
i, (v, j) = (lambda: (1, (2.5, 3)))()
values.append(v / 2)
class A(object):
    w = 1.5
    values.append(w / 2)
def mean(numbers):
    return sum(numbers) / len(numbers)
class Spread(object):
    def std(self):
        return 3
    def half(self):
        return self.std() / 2
values += [mean([1, 2, 2]) / 2, Spread().std() / 2, Spread().half()]
def share(x, n):
    x /= (n + 1)
    return x
values += [share(7, 1), share(7.0, 1)]
values += [10 ** -1 / 2, 2 ** 3 / 3]
d = {"a": 7}
d["a"] /= 2
values.append(d["a"])
print values
"""


def _printed(source, compat_server, folder):
    (folder / "main.py").write_text(source)
    return compat_server.run_python(folder, "main.py").checked()


def test_quotients_are_those_of_python_2(upgraded, compat_server, tmp_path):
    """The numbers are those that Python 2.7 prints."""
    assert eval(_printed(upgraded(_QUOTIENTS), compat_server, tmp_path)) == [
        *(2, 3, 3.5, 0, -4, 21.0, 1, 0, 0, 1, 1, 2.5, 1.25, 1),
        *(1.25, 1.25, 0.75, 0, 1, 1, 3, 3.5, 0.05, 2, 3),
    ]


_ARRAYS = """
import numpy as np
def halve(x):
    x /= 2
class Holder(object):
    def __init__(self, x): self.x = x
    def halve(self): self.x /= 2
a, b = np.array([1.0, 3.0]), np.array([1, 3])
halve(a), halve(b), Holder(a).halve()
print map(float, a), map(int, b), int(sum(np.round(b * 3) / 2)), b[:1] / 1
"""


def test_arrays_are_divided_in_place(upgraded, compat_server, tmp_path):
    """The numbers are those of NumPy 1.16 on Python 2.7."""
    out = _printed(upgraded(_ARRAYS), compat_server, tmp_path)
    assert out == "[0.25, 0.75] [0, 1] 1 [0]\n"


@pytest.mark.parametrize(
    "future",
    [
        "from __future__ import (absolute_import,\n                        division)\n",
        "from __future__ import print_function; from __future__ import division\n",
    ],
)
def test_division_from_the_future_in_any_form(future, upgraded):
    assert upgraded(future + "x = 1L / 2\n") == future + "x = 1 / 2\n"


def test_lines_are_those_of_the_file(upgraded):
    """Behind an import that the translation adds, too, and where tabs become blanks."""
    upgraded("import tensorflow as tf\nprint a / b\nif a:\n\tprint tf.mul(1, 2)\n        x = 1\n")
    (file,) = upgraded.report.files
    lines = {finding.name: finding.line for finding in file.findings}
    assert lines["tensorflow.mul"] == 4 and lines["tensorflow"] == 1 and lines["tab"] == 4


def test_an_implicit_relative_import_beside_python2(upgraded):
    """The file itself could be Python 3's; it runs with one that is Python 2's."""
    sources = {
        "main.py": "from models import Model\nprint 1\n",
        "models/__init__.py": "from base import Model\n",
        "models/base.py": "class Model(object):\n    pass\n",
    }
    new = upgraded(sources)
    assert new["models/__init__.py"] == "from .base import Model\n"
    sources["main.py"] = "from models import Model\nprint(1)\n"
    assert upgraded(sources) == sources


def test_values_of_hparams_are_a_dictionary(upgraded):
    source = "import tensorflow as tf\ntf.Session()\nvalues = hparams.values()\nvalues[key]\n"
    assert "list(" not in upgraded(source)
    assert "list(other.values())" in upgraded(source.replace("hparams", "other"))


DIAMOND = (
    "class A:\n    def m(self): return 1\nclass B(A): pass\n"
    "class C(A):\n    def m(self): return 2\n"
)


@pytest.mark.parametrize(
    "source, names",
    [
        ("x = [k for k in y]\nprint k\n", ["k"]),
        ("best = None\nfor v in y:\n    if v > best: best = v\nprint best\n", ["best"]),
        ("print x > None\n", ["None"]),
        ("import math\nprint math.floor(x), int(math.floor(x))\n", ["math.floor"]),
        ("from math import ceil as c\nprint c(x), int(c(x))\n", ["math.ceil"]),
        ("import math as m\nprint map(m.floor, x)\n", ["math.floor"]),
        ("def floor(x): return x\nprint floor(2)\n", []),
        (DIAMOND + "class D(B, C): pass\nprint D\n", ["D"]),
        (DIAMOND + "class D(C, B): pass\nprint D\n", []),
        (DIAMOND.replace("A:", "A(object):", 1) + "class D(B, C): pass\nprint D\n", []),
        ("class V(object):\n    def __eq__(self, other): return True\nprint V\n", ["V"]),
        ("print x.encode('hex'), x.encode('utf8'), y.decode()\n", [".encode"]),
        ("d = dict((k.encode('utf8'), v) for k, v in x.items())\nprint d\n", [".encode"]),
        ("print {k.encode('utf8'): 1 for k in x}, x.encode('utf8') == y\n", [".encode"]),
        ("print d[k.encode('utf8')], f.write(k.encode('utf8'))\n", [".encode"]),
        ("class A:\n    def __coerce__(self, other): return 1, 2\nprint A\n", ["__coerce__"]),
        ("class D:\n    def next(self, n=2): return n\nprint D().next()\n", ["next"]),
        ("try: f()\nexcept E, e:\n    a, b = e\n    print a\n", ["e"]),
        ("import random\nrandom.seed(1)\nprint random.choice(x)\n", ["random.seed"]),
        ("from random import seed\nseed(1)\nprint f()\n", ["random.seed"]),
        ("import random\nrandom.seed(1)\nprint random.random()\n", []),
        ("import random\nrandom.seed()\nprint random.choice(x)\n", []),
        ("print map(None, [1, 2], [3])\n", ["map"]),
        ("print map(), map(f, x)\n", []),
        ("def f():\n    exec 'x = 1'\n    return x\n", ["exec"]),
        ("def f(s):\n    exec 's.x = 1'\n    return s\n", []),
        ("print 'abc'.translate(None, 'b'), 'a'.translate(table)\n", [".translate"]),
        ("e = None\ntry: f()\nexcept E, e: pass\nprint e\n", ["e"]),
        (
            "try: f()\nexcept E, e: e[0]\nexcept F, g: print g.message, g.args[0]\n",
            ["e", "g"],
        ),
        ("class K:\n    def has_key(self, k): return k\nprint K()\n", ["K"]),
        ("try: f()\nexcept E, e: print e\ne = 1\nprint e\n", []),
        (
            "class E(Exception):\n    def __init__(self, m): self.message = m\n"
            "try: f()\nexcept E, e: print e.message\n",
            [],
        ),
        ("x = [k for k in y]\nprint x\n", []),
        ("best = None\nfor v in y:\n    if best is None or v > best: best = v\nprint best\n", []),
        ("best = None\nif best and 1 > best: print best\n", []),
    ],
)
def test_reports_what_python_3_computes_otherwise(source, names, upgraded):
    upgraded(source)
    assert [finding.name for _, finding in upgraded.report.unresolved()] == names


def test_quotients_of_imported_functions(upgraded):
    new = upgraded("from math import ceil, floor\nprint ceil(2.1) / 2, floor(n) / n\n")
    assert "print(ceil(2.1) / 2, floor(n) / n)" in new


def test_what_a_second_run_cannot_list_is_said(upgraded):
    new = upgraded("import math\nprint math.floor(2.5)\n")
    assert upgraded.report.left == 1
    assert [note[:36] for note in upgraded.report.notes] == ["1 of what is left is about Python 2:"]
    upgraded(new)
    assert upgraded.report.left == 0 and upgraded.report.notes == ()


_PAIRS = "def f(x):\n    while True:\n        yield next(x), next(x)\n"


@pytest.mark.parametrize(
    "source, ends",
    [
        (_PAIRS, True),
        (_PAIRS.replace("next(x), next(x)", "x.__next__()"), True),
        ("class A:\n    @property\n    " + _PAIRS.replace("\n", "\n    ").rstrip() + "\n", True),
        (_PAIRS.replace("while True", "for y in z"), True),
        (_PAIRS.replace("next(x), next(x)", "next(x, None)"), False),
        (_PAIRS.replace("yield", "return"), False),
        ("def f(x):\n    next(x)\n    for y in x:\n        yield y\n", False),
        (
            "def f(x):\n    try:\n        while True:\n            yield next(x)\n"
            "    except StopIteration:\n        pass\n",
            False,
        ),
    ],
)
def test_generators_that_end_where_next_finds_nothing(source, ends, upgraded):
    new = upgraded(source)
    assert ("@ends_at_stop_iteration\n" in new) is ends
    assert upgraded(new) == new and (ends or new == source)
    assert upgraded(source, runtime=False) == source


_ENCODING = "import sys\nreload(sys)\nsys.setdefaultencoding({!r})\nprint(sys.argv)\n"


@pytest.mark.parametrize(
    "source, new",
    [
        (_ENCODING.format("utf8"), "import sys\nprint(sys.argv)\n"),
        (_ENCODING.format("UTF-8").replace("print(sys.argv)\n", "x = 1\n"), "x = 1\n"),
        ("import sys; reload(sys); sys.setdefaultencoding('utf-8')\nx = 1\n", "pass\nx = 1\n"),
        (
            "import sys\nfrom imp import reload\nreload(sys)\n"
            "sys.setdefaultencoding('utf8')\nx = 1\n",
            "x = 1\n",
        ),
    ],
    ids="used alone line imported".split(),
)
def test_the_default_encoding(source, new, upgraded):
    """It is UTF-8; another one stays a matter of the runtime."""
    assert upgraded(source) == new
    assert "setdefaultencoding('gbk')" in upgraded(_ENCODING.format("gbk"))
