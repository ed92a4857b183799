"""Locks of asyncio that a `with` awaits, which Python 3.9 refuses; what a call gives is no lock."""

import asyncio

import pytest

HEAD = (
    "import asyncio, contextlib\nimport tensorflow.compat.v1 as tf\n\n"
    "async def given():\n    return contextlib.suppress(KeyError)\n\n"
    "async def f(lock):\n"
)


@pytest.mark.parametrize(
    "line, is_left",
    [
        ("with await lock: tf.Session", True),
        ("with open('/dev/null'), await lock: tf.Session", True),
        ("async with lock: tf.Session", False),
        ("with await given(): tf.Session", False),
    ],
)
def test_left(line, is_left, upgraded):
    new = upgraded(HEAD + f"    {line}\n")
    rows = [finding.fix for _, finding in upgraded.report.unresolved()]
    assert rows == ["asyncio.Lock"] * is_left
    names = {}
    exec(new.replace("tf.disable_v2_behavior()", ""), names)  # it is for the whole process
    try:
        asyncio.run(names["f"](asyncio.Lock()))
    except TypeError:
        assert is_left
    else:
        assert not is_left
