"""Classes of Python whose methods user code sees changed stay Python's: pickles, isinstance."""

import subprocess

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

#: Runs under Python 3.7, which has no differences of Python 3.8 and 3.11, and prints the same.
PROGRAM = """
import copy, enum, functools, http, pickle, random
drawn = random.Random(3)
for again in (pickle.loads(pickle.dumps(drawn)), copy.deepcopy(drawn)):
    assert again.random() == random.Random(3).random() and isinstance(again, random.Random)
assert isinstance(random.SystemRandom(), random.Random)
assert isinstance(random.shuffle.__self__, random.Random)
assert pickle.loads(pickle.dumps(random.Random)) is random.Random
assert random.SystemRandom.__mro__[1] is random.Random
for name in ("shuffle", "sample", "randint", "gammavariate"):
    pickle.loads(pickle.dumps(functools.partial(getattr(random, name))))
pickle.loads(pickle.dumps(functools.partial(random.shuffle, [1, 2])))()
random.seed(3)
print(random.gammavariate(1.0, 2.0), random.Random(3).gammavariate(1.0, 2.0))
print(random.Random(3).sample({1, 2, 3}, 2), random.Random(3).randint(1.0, 9.0))
items = [1, 2, 3]
random.shuffle(items, lambda: 0.0)
random.Random(2).shuffle(items, random=lambda: 0.0)
print(items)

class Quarter(random.Random):
    def random(self):
        return 0.25

print(Quarter().gammavariate(1.0, 1.0), Quarter().betavariate(1.0, 2.0))

class Number(enum.IntEnum):
    ONE = 1

class Word(str, enum.Enum):
    A = "a"

class Plain(enum.Enum):
    A = "a"

class Told(enum.IntEnum):
    ONE = 1
    def __str__(self):
        return "told"

print(str(Number.ONE), format(Number.ONE), "%s" % Number.ONE, repr(Number.ONE), [Number.ONE])
print(str(Word.A), format(Word.A), "{}".format(Plain.A), str(Told.ONE))
assert isinstance(http.HTTPStatus.OK, enum.IntEnum) and isinstance(http.HTTPStatus.OK, enum.Enum)
assert pickle.loads(pickle.dumps(Number.ONE)) is Number.ONE
assert type(Number) is type(http.HTTPStatus) and Number.__mro__[1] is http.HTTPStatus.__mro__[1]
"""


def test_as_python37(tf1_python, tf1_run_in, tmp_path):
    (tmp_path / "classes.py").write_text(PROGRAM)
    theirs = subprocess.run(
        [tf1_python, "classes.py"], cwd=str(tmp_path), stdout=subprocess.PIPE, check=True
    ).stdout.decode()
    ours = tf1_run_in(tmp_path, "classes.py")
    assert ours.stdout == theirs, ours.stderr
