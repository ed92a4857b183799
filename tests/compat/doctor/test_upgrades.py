"""What the doctor says of `upgrade` is what `upgrade` does."""

import pytest

from tfgraphtools.compat.doctor import statuses, upgrades

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    "name, status, fix, expected",
    [
        ("tensorflow.placeholder", statuses.WORKS, None, upgrades.WORKS),
        ("tensorflow.mul", statuses.PATCHED, "tensorflow.mul", upgrades.REWRITTEN),
        ("numpy.float", statuses.PATCHED, "numpy.float", upgrades.REWRITTEN),
        ("tensorflow.contrib.learn.DNNClassifier", statuses.LEGACY, None, upgrades.RUNTIME),
        ("tensorflow.plaecholder", statuses.MISSING, None, upgrades.CANNOT),
        ("numpy.geterrobj", statuses.CANNOT, "numpy.geterrobj", upgrades.CANNOT),
    ],
)
def test_of(name, status, fix, expected):
    assert upgrades.of(statuses.Status(name, status, "", fix)) == expected
