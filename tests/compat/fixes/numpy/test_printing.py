"""NumPy's numbers in text: as NumPy 1 for user code, as the installed NumPy for a library."""

import argparse
import collections
import dataclasses
import itertools
import json
import sys
import threading
import types
from unittest import mock

import pytest
from call_counts import counted_calls

from tfgraphtools import compat
from tfgraphtools.compat.fixes.numpy import shown_items

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

np = pytest.importorskip("numpy", "2.0")

#: (an expression of x, d and o, its text in NumPy 1); x = np.float32(0.5), d = {"a": np.int64(3)}
TEXTS = [
    ("str([x])", "[0.5]"),
    ("str((x, 'a'))", "(0.5, 'a')"),
    ("str(d)", "{'a': 3}"),
    ("str({x})", "{0.5}"),
    ("str(pair(x, 1))", "Pair(a=0.5, b=1)"),
    ("str(deep)", "{'k': [(0.5,)]}"),
    ("str(collections.deque([x]))", "deque([0.5])"),
    ("str(collections.OrderedDict(d))", repr(collections.OrderedDict(a=3))),
    ("str(d.values())", "dict_values([3])"),
    ("str(d.items())", "dict_items([('a', 3)])"),
    ("str(ValueError('wrong', x))", "('wrong', 0.5)"),
    ("'%s' % ValueError([x])", "[0.5]"),
    ("str(x)", "0.5"),
    ("str('t')", "t"),
    ("repr(x)", "0.5"),
    ("repr([np.bool_(True)])", "[True]"),
    ("repr(np.arange(2000))", "array([   0,    1,    2, ..., 1997, 1998, 1999])"),
    ("repr('t')", "'t'"),
    ("'%s' % [x]", "[0.5]"),
    ("'%s and %r' % (d, x)", "{'a': 3} and 0.5"),
    ("'%(k)s' % {'k': [x]}", "[0.5]"),
    ("text % [x]", "got [0.5]"),
    ("'{}'.format([x])", "[0.5]"),
    ("'{0!r} {k}'.format(x, k=[x])", "0.5 [0.5]"),
    ("text_of_format.format([x])", "got [0.5]"),
    ("f'{[x]} {x!r} {x} {x:.2f} {[x]!r:>8}'", "[0.5] 0.5 0.5 0.50    [0.5]"),
    ("f'{d}'", "{'a': 3}"),
    ("','.join(str(i) for i in [[x]])", "[0.5]"),
    ("printed([x], d)", "[0.5] {'a': 3}"),
    ("printed(*[[x], d])", "[0.5] {'a': 3}"),
    ("printed('a', 1, x)", "a 1 0.5"),
    ("logged('got %s', [x])", "got [0.5]"),
    ("logged(d)", "{'a': 3}"),
    ("pprint.pformat(d)", "{'a': 3}"),
    ("str(np.array([x, None], object))", "[0.5 None]"),
    ("repr(o)", "Own [0.5]"),
    ("str([o])", "[Own [0.5]]"),
    ("printed(stack, stack.pop())", "[0.5] 2"),
    ("f'{vector}'", "a vector"),
    ("f'{[x]!s:>6}'", " [0.5]"),
]

MODULE = """
import collections
import io
import logging
import pprint

import numpy as np

x, d = np.float32(0.5), {{"a": np.int64(3)}}
deep, text, text_of_format = {{"k": [(x,)]}}, "got %s", "got {{}}"
pair = collections.namedtuple("Pair", "a b")


class Own(object):
    def __repr__(self):
        return "Own %s" % [x]


class Vector(list):
    def __format__(self, spec):
        return "a vector"


stack, vector = [x, 2], Vector([x])


def printed(*items):
    stream = io.StringIO()
    print(*items, file=stream)
    return stream.getvalue()[:-1]


def logged(*items):
    stream = io.StringIO()
    logger = logging.getLogger("numbers")
    logger.handlers = [logging.StreamHandler(stream)]
    logger.error(*items)
    return stream.getvalue()[:-1]


o = Own()
logging.getLogger("numbers").propagate = False
TEXTS = [{texts}]
"""

SCRIPT = """
import json, sys
import numpy as np
sys.path.insert(0, "site-packages")
import mine, theirs
with np.printoptions(legacy="1.13"):
    import chosen
print(json.dumps([mine.TEXTS, theirs.TEXTS, chosen.TEXTS, np.get_printoptions()["legacy"]]))
"""


@pytest.fixture(scope="module")
def texts(compat_server, tmp_path_factory):
    """The texts of user code and of an installed package under `run`, and in plain Python."""
    folder = tmp_path_factory.mktemp("printing")
    (folder / "site-packages").mkdir()
    text = MODULE.format(texts=", ".join(expression for expression, _ in TEXTS))
    for name in ("mine.py", "site-packages/theirs.py"):
        (folder / name).write_text(text)
    (folder / "chosen.py").write_text("import numpy as np\nTEXTS = repr(np.array([-1.5, 0.5]))\n")
    (folder / "script.py").write_text(SCRIPT)
    done = compat_server.run(folder, "script.py"), compat_server.run_python(folder, "script.py")
    assert [one.code for one in done] == [0, 0], [one.err[-3000:] for one in done]
    run, plain = (json.loads(one.out.splitlines()[-1]) for one in done)
    return {"mine": run[0], "theirs": run[1], "plain": plain[1], "chosen": run[2], "mode": run[3]}


@pytest.mark.parametrize("place", range(len(TEXTS)), ids=[expression for expression, _ in TEXTS])
def test_user_code_makes_the_text_of_numpy1(texts, place):
    assert texts["mine"][place] == TEXTS[place][1]


def test_an_installed_package_makes_that_of_plain_python(texts):
    assert texts["theirs"] == texts["plain"]
    assert sum(a != b for a, b in zip(texts["theirs"], texts["mine"])) > 20


def _tree(children):
    root = {"children": []}
    root["children"] += [{"parent": root, "children": []} for _ in range(children)]
    return root


def _caused(error, cause):
    error.__cause__ = cause
    return error


class _Endless(list):
    def __iter__(self):
        while True:
            yield 1


class _Remote(dict):
    def __iter__(self):
        raise OSError("no connection")

    values = __iter__


@dataclasses.dataclass
class _Options:
    rate: object

    @property
    def asked(self):
        raise OSError("no connection")


@dataclasses.dataclass
class _Slots:
    __slots__ = ("rate",)
    rate: object

    def __getattr__(self, name):
        raise OSError("no connection")


#: objects -> whether NumPy 1 shows them differently; no method of theirs may be called
OBJECTS = {
    "a tree whose nodes name their parents": (_tree(100), True),
    "an endless list": (_Endless([1]), False),
    "a dict that asks a server": (_Remote(a=1), False),
    "a double of a dict": (mock.Mock(spec=dict), False),
    "numbers below that": (_Endless([_Remote(a=np.float32(1))]), True),
    "the cause of an error": (_caused(ValueError(), KeyError(np.int64(3))), True),
    "a data class": (_Options(np.float32(1)), True),
    "a data class without numbers of NumPy": (_Options(1.0), False),
    "a data class with slots": (_Slots(1.0), False),
    "options of a program": (argparse.Namespace(rate=[np.float32(1)]), True),
    "a simple namespace": (types.SimpleNamespace(rate=np.float32(1)), True),
    "more than is looked at": (list(range(10**6)), True),
}


@pytest.mark.parametrize("value, expected", OBJECTS.values(), ids=OBJECTS)
def test_objects_are_looked_at_without_their_methods(value, expected):
    with counted_calls() as calls:
        assert shown_items.differs(value) is expected
    assert calls[0] < 50000


def test_containers_that_another_thread_changes():
    values, ends = {1}, []

    def change():
        for number in itertools.takewhile(lambda _: not ends, itertools.count()):
            values.add(number % 700)
            values.discard(number * 7 % 700)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    thread = threading.Thread(target=change)
    thread.start()
    try:
        answers = {shown_items.differs(values) for _ in range(500)}
        assert answers <= {True, False}  # and no error
    finally:
        ends.append(True)
        thread.join()
        sys.setswitchinterval(interval)


def test_the_text_of_an_error(compat_server, tmp_path):
    (tmp_path / "script.py").write_text("import numpy as np\nraise ValueError([np.float32(0.5)])\n")
    done = compat_server.run(tmp_path, "script.py")
    assert done.code == 1 and "ValueError: [0.5]" in done.err


def test_examples_of_docstrings(compat_server, tmp_path):
    (tmp_path / "script.py").write_text(
        'import doctest\nimport numpy as np\n\n\ndef f():\n    """\n'
        '    >>> f()\n    [0.5]\n    >>> f()[0]\n    0.5\n    """\n'
        "    return [np.float32(0.5)]\n\n\nprint(doctest.testmod())\n"
    )
    done = compat_server.run(tmp_path, "script.py")
    assert done.out == "TestResults(failed=0, attempted=2)\n", done.out


def test_the_mode_of_the_process_stays(texts):
    assert texts["mode"] is False
    assert texts["chosen"] == "array([-1.5,  0.5])"  # the mode that user code has chosen
