"""Seeds of `random` that Python 3.11 refuses: the numbers are those that Python 3.7 drew."""

import random

import pytest

from tfgraphtools.compat.fixes.python import random_methods

pytestmark = pytest.mark.quick

#: seed -> the first number of Python 3.7
DRAWN_BY_PYTHON37 = {
    (1, 2): 0.6982186713843088,
    (3, (4.5, -1)): 0.46189833474550956,
    (): 0.3889593304175507,
    (1.5, 2**70): 0.01260309212935673,
    frozenset([1, 2]): 0.3071819860874395,
}


@pytest.mark.parametrize("value", DRAWN_BY_PYTHON37, ids=str)
def test_seeds_that_are_hashed(value):
    generator = random.Random()
    methods = random_methods.old_methods(lambda name: getattr(generator, name), lambda name: None)
    methods["seed"](value)
    assert generator.random() == DRAWN_BY_PYTHON37[value]
