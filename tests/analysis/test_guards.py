"""A missing name does no harm in a probe; a loop whose errors are logged is none."""

import ast

import pytest

from tfgraphtools.analysis import branches, guards
from tfgraphtools.compat.fixes.python2 import dialect

START = "import tensorflow as tf\n"

#: Code, and the lines of it (from 1) in which a missing name does no harm.
CASES = {
    "no-guard": ("tf.mul(x, x)\n", []),
    "an-import": ("try:\n    import a.b\nexcept ImportError:\n    pass\n", [2]),
    "a-name": ("try:\n    f = tf.mul\nexcept AttributeError:\n    f = tf.multiply\n", [2]),
    "any-error-of-an-import": ("try:\n    import a\n    a.f(tf.b)\nexcept:\n    pass\n", [2]),
    "any-error-of-a-loop": (
        "try:\n    while True:\n        tf.mul(x, x)\nexcept Exception:\n    pass\n",
        [],
    ),
    "any-error-of-data": ("try:\n    x = tf.mul(x, x)\nexcept:\n    x = 0\n", []),
    "an-alternative": (
        "try:\n    x = tf.mul(x, x)\nexcept:\n    x = tf.multiply(x, x)\n",
        [2],
    ),
    "an-attribute-error-of-data": (
        "try:\n    y = tf.mul(x.value, x)\nexcept AttributeError:\n    print(x)\n",
        [],
    ),
    "a-name-error-of-much": (
        "try:\n    import a\n    a.f()\n    b = 1\n    c = a.d\nexcept ImportError:\n    pass\n",
        [2, 3, 4, 5],
    ),
    "raised-again": ("try:\n    import a\nexcept ImportError:\n    raise RuntimeError('a')\n", []),
    "hasattr-of-an-import": ("if hasattr(tf, 'mul'):\n    tf.mul(x, x)\n", [2]),
    "hasattr-of-an-object": ("if hasattr(x, 'mul'):\n    tf.mul(x, x)\n", []),
    "qualified-error": (
        "try:\n    import a\nexcept builtins.ImportError:\n    pass\n",
        [2],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_lines_in_which_a_missing_name_does_no_harm(case):
    source, expected = CASES[case]
    lines = guards.harmless_lines(ast.parse(START + source))
    assert sorted(line - 1 for line in lines) == expected


def test_a_handler_is_a_fallback_where_nothing_tried_is_missing():
    tree = ast.parse("try:\n    import a\nexcept ImportError:\n    import b\n")
    assert guards.unused_fallbacks(guards.fallbacks(tree), bad=set()) == {4}
    assert guards.unused_fallbacks(guards.fallbacks(tree), bad={2}) == set()


#: Code, and whether only Python 2 can run it.
PYTHON2 = {
    "probe": ("try:\n    xrange\nexcept NameError:\n    xrange = range\n", False),
    "module": ("try:\n    import queue\nexcept:\n    import Queue as queue\n", False),
    "handler": ("try:\n    import queue\nexcept ImportError:\n    import Queue as queue\n", False),
    "much-is-tried": (
        "try:\n    a = unicode\n    b(a)\n    c(a)\n    d(a)\nexcept NameError:\n    pass\n",
        False,
    ),
    "loop-with-any-error": (
        "try:\n    for i in xrange(3):\n        f(i)\nexcept Exception:\n    print('no')\n",
        True,
    ),
}


@pytest.mark.parametrize("case", PYTHON2)
def test_a_guarded_name_of_python_2_does_not_make_a_file_one(case):
    source, expected = PYTHON2[case]
    assert dialect.is_python2(source.encode(), ast.parse(source)) is expected


#: Where a guard used to keep old names: its handler raises, so that nothing does without them.
RAISING = (
    "try:\n    f = tf.mul\nexcept AttributeError:\n    raise SystemExit('an old TensorFlow')\n"
)


def test_what_raises_is_no_guard_for_upgrade():
    tree = ast.parse(START + RAISING)
    tried = next(node for node in ast.walk(tree) if isinstance(node, ast.Assign))
    assert id(tried) not in guards.guarded(tree)


def test_the_branches_of_an_expression_stay_in_the_tree():
    tree = ast.parse("import sys\nprint(a if sys.version_info[0] == 2 else b)\n")
    before = ast.dump(tree)
    values = {"sys.version_info": (3, 11)}
    assert "'a'" not in ast.dump(branches.live(tree, values))
    assert ast.dump(tree) == before
