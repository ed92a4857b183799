"""Order of types, comprehension variables, exceptions, special methods: as Python 2.7 printed."""

# ruff: noqa: E501 (programs and cases, each on its line)

import ast

import pytest

from tfgraphtools.compat.engine import rows

pytestmark = pytest.mark.quick

PROGRAMS = {
    # id: (source, what Python 2.7 prints)
    "order-of-types": (
        "print None < 1, 1 > None, None < 'a', None <= None, 1 < 'a' < (1,), [] < 'a', {} < [], 2 >= 'x', 3.5 < None\n",
        "True True True True True True True False False\n",
    ),
    "cmp": (
        "print cmp(None, 1), cmp('a', 1), cmp([1, None], [1, 2]), cmp({}, [1]), cmp((1, 2), [1, 2])\n",
        "-1 1 -1 -1 1\n",
    ),
    "chains": (
        "x = None\nprint 0 < x < 3, 0 < 2 < 3, 1 < 3 > 2, 3 > 2 == 2\n",
        "False True True True\n",
    ),
    "sorted": (
        "print sorted([None, 1, 'a', (1,), [2], {}, 2.5, True]), sorted([3, None], reverse=True), sorted(['b', 1], key=lambda v: v)\n"
        "print sorted([2, None, 1], cmp=lambda a, b: cmp(b, a)), sorted({'a': 1, 2: 3}.keys())\n",
        "[None, 1, True, 2.5, {}, [2], 'a', (1,)] [3, None] [1, 'b']\n[2, 1, None] [2, 'a']\n",
    ),
    "sort": (
        "x = ['a', 3, None, 'b', 2]\nx.sort(reverse=True)\nprint x\nx = [[2, 'b'], [None, 'a'], [2, None]]\nx.sort()\nprint x\n",
        "['b', 'a', 3, 2, None]\n[[None, 'a'], [2, None], [2, 'b']]\n",
    ),
    "max-min": (
        "print max(None, 1), min(None, 1), max(iter([None, 2])), min('a', 1), max([(1, None), (1, 3)]), min([[1, 'a'], [1, 2]])\n"
        "d = {'a': None, 'b': 2}\nprint max(d, key=d.get), max('ab'), min(3, 2)\n",
        "1 None 2 1 (1, 3) [1, 2]\nb b 2\n",
    ),
    "best": ("best = None\nfor v in [3, 1, 4, 2]:\n    if v > best: best = v\nprint best\n", "4\n"),
    "own-comparison-raises": (
        "class V(object):\n    def __lt__(s, o): raise TypeError('mine')\nV() < None\n",
        "2 TypeError\n",
    ),
    "dates": ("import datetime\ndatetime.date(2018, 1, 1) < None\n", "2 TypeError\n"),
    "max-of-nothing": ("max([])\n", "1 ValueError\n"),
    "oct-hex": (
        "print oct(8), oct(-8), oct(0), hex(255), map(oct, [8])\n"
        "class V:\n    def __hex__(s): return 'hx'\n    def __oct__(s): return 'oc'\n    def __long__(s): return 5\nprint hex(V()), oct(V()), long(V())\n",
        "010 -010 0 0xff ['010']\nhx oc 5\n",
    ),
    "error-items": (
        "try:\n    raise ValueError('a', 3)\nexcept ValueError, e:\n    n, m = e\n    print e[0], e[-1], e[:], n, m\n"
        "try:\n    open('/nonexistent')\nexcept IOError, e:\n    print e[0], e[1]\n"
        "class E(Exception):\n    def __getitem__(s, i): return i * 2\ntry:\n    raise E(1)\nexcept E, e:\n    print e[4]\n",
        "a 3 ('a', 3) a 3\n2 No such file or directory\n8\n",
    ),
    "exc-type": (
        "import sys\ntry:\n    1 / 0\nexcept:\n    print sys.exc_type.__name__, sys.exc_value.__class__.__name__, sys.exc_traceback is not None\n",
        "ZeroDivisionError ZeroDivisionError True\n",
    ),
    "slices": (
        "class V:\n    def __setslice__(s, i, j, x): s.x = (i, j, x)\n    def __delslice__(s, i, j): s.y = (i, j)\n    def __len__(s): return 5\n"
        "v = V()\nv[1:2] = 5\nprint v.x\nv[-2:-1] = 6\ndel v[:-1]\nprint v.x, v.y\n"
        "class L(list):\n    def __getslice__(s, i, j): return i, j > 99\nprint L([1, 2])[0:], L([1, 2])[-1:], L([1, 2])[1]\n",
        "(1, 2, 5)\n(3, 4, 6) (0, 4)\n(0, True) (1, True) 2\n",
    ),
    "equality": (
        "class V(object):\n    def __eq__(s, o): return True\nv = V()\nprint v != 3, v != v, len({v: 1, v: 2}), v == 4\n"
        "class W(object):\n    def __init__(s, v): s.v = v\n    def __eq__(s, o): return s.v == o.v\n    def __hash__(s): return s.v\n"
        "print len({W(1): 1, W(1): 2}), W(1) != W(1), W(1) == W(1)\n"
        "class N(object):\n    def __eq__(s, o): return True\n    def __ne__(s, o): return 'ne'\n    __hash__ = None\nprint N() != 1\n{N(): 1}\n",
        "True False 1 True\n1 True True\nne\n15 TypeError\n",
    ),
    "unicode": (
        "class V(object):\n    def __unicode__(s): return u'u'\n    def __str__(s): return 's'\n"
        "print unicode(V()), str(V()), unicode(3), unicode('a', 'ascii'), repr(str(unicode())), unicode('a\\xc3\\xa9', errors='ignore'), len(unicode('\\xc3\\xa9', 'utf-8'))\n",
        "u s 3 a '' a 1\n",
    ),
    "translate": (
        "import string\nprint 'abc'.translate(None, 'b'), 'a.b,c'.translate(None, string.punctuation)\n",
        "ac abc\n",
    ),
    "methods": (
        "class A(object):\n    def m(s): return 1\nprint A.m.im_func.__name__, A().m.im_func.__name__, A.m.im_self, A().m.im_class is A, A.m.im_func(A())\n",
        "m m None True 1\n",
    ),
}

VARIABLES = {
    "plain": ("x = 5\ny = [x for x in range(3)]\nprint x\n", "2\n"),
    "nothing-to-loop-over": ("x = 9\ny = [x for x in []]\nprint x\n", "9\n"),
    "in-a-function": ("def f():\n    z = [k for k in range(4)]\n    return k\nprint f()\n", "3\n"),
    "tuples": (
        "def f():\n    z = [(a, c) for a, (b, c) in [(1, (2, 3))] if b]\n    return a, b, c\nprint f()\n",
        "(1, 2, 3)\n",
    ),
    "several": (
        "z = [(a, b) for a in range(3) for b in range(a)]\nprint a, b, z\n",
        "2 1 [(1, 0), (2, 0), (2, 1)]\n",
    ),
    "of-itself": ("x = [3, 1]\nx = [x for x in x]\nprint x\n", "[3, 1]\n"),
    "nested": (
        "z = [[i for i in range(3)] for i in range(2)]\nprint i, z\n",
        "2 [[0, 1, 2], [0, 1, 2]]\n",
    ),
    "closure": (
        "x = 1\ny = [x for x in range(3) if x != 1]\nf = lambda: x\nprint f(), y\n",
        "2 [0, 2]\n",
    ),
    "not-of-generators": (
        "x = 1\ny = list(x for x in range(3)), {x for x in range(3)}, {x: 1 for x in range(2)}\nprint x\n",
        "1\n",
    ),
    "loop": ("for i in range(2):\n    z = [i for i in 'ab']\n    print i\n", "b\nb\n"),
    "a-closure-of-a-loop": (
        "for i in range(2):\n    f = lambda: i\nz = [i for i in 'ab']\nprint f()\n",
        "b\n",
    ),
    "after-an-empty-loop": (
        "z = [i for i in 'ab']\nfor i in []:\n    print i\nelse:\n    print i\n",
        "b\n",
    ),
    "a-target-that-reads": (
        "a, z = [5, 6], [i for i in range(2)]\nfor a[i], i in [(7, 0)]:\n    print a, i\n",
        "[5, 7] 0\n",
    ),
    "in-the-expression": (
        "print [k for k in range(4)][k - 1] if 0 else [k for k in range(4)], k\n",
        "[0, 1, 2, 3] 3\n",
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_prints_as_python2(name, ours):
    source, wanted = PROGRAMS[name]
    assert ours(source) == wanted


@pytest.mark.parametrize("name", VARIABLES)
def test_comprehension_variables(name, ours):
    source, wanted = VARIABLES[name]
    assert ours(source) == wanted


@pytest.mark.parametrize("name", [*PROGRAMS, *VARIABLES])
def test_oracle(name, python27):
    """The wanted texts are Python 2.7's own."""
    source, wanted = {**PROGRAMS, **VARIABLES}[name]
    assert python27(source) == wanted


@pytest.mark.parametrize(
    "row, source, printed",
    [
        ("order", "print None < 1\n", "1 TypeError\n"),
        ("comprehension_variables", "x = 5\ny = [x for x in range(3)]\nprint x\n", "5\n"),
        ("oct", "print oct(8)\n", "0o10\n"),
        ("exceptions", "try:\n    {}['k']\nexcept KeyError, e:\n    print e[0]\n", "4 TypeError\n"),
        ("unicode", "print 'abc'.translate(None, 'b')\n", "1 TypeError\n"),
    ],
)
def test_rows_are_reported_and_can_be_disabled(row, source, printed, ours):
    ours(source)
    assert "python2." + row in {used.name for used in rows.report()}
    rows.begin(["python2." + row])
    assert ours(source) == printed


def test_unread_comprehension_variables_stay_as_they_are():
    from tfgraphtools.compat.fixes.python2 import comprehensions

    source = "y = [x for x in z]\ndef f():\n    return [k for k in z], [k for k in y]\n"
    source += "def g():\n    [k for k in z]\n    for k in y:\n        print(k)\n"
    source += "def h():\n    [k for k in z]\n    for i, (k, *j) in y:\n        print(k)\n"
    tree = ast.parse(source)
    comprehensions.keep_variables(tree)
    assert ast.dump(tree) == ast.dump(ast.parse(source))
