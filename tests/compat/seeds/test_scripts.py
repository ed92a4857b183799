"""Scripts of the kinds that people publish print TF 1.15's numbers under --seeds=tf1."""

import pathlib
import sys

import pytest

from tfgraphtools.compat import legacy
from tfgraphtools.runs import output_comparison

if sys.version_info < (3, 8):
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

pytestmark = pytest.mark.slow

SCRIPTS = sorted(pathlib.Path(__file__).with_name("scripts").glob("*.py"))


@pytest.fixture
def start(interpreters, tf1_python, tmp_path):
    """A function that starts a script in a folder of its own under one interpreter."""

    def started(kind, *words):
        (tmp_path / kind).mkdir()
        return interpreters[kind].start(tmp_path / kind, words, seconds=300)

    return started


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_script(script, start):
    text = script.read_text(encoding="utf-8")
    if ("contrib" in text or "tf.estimator" in text) and legacy.find() is None:
        pytest.skip("needs contrib and the estimator of TF 1.15 (tfgraphtools legacy install)")
    there, here = start("1.15", script), start("compat", "--seeds=tf1", script)
    ours, theirs = here(), there()
    assert ours.code == 0, ours.err
    assert theirs.code == 0, theirs.err
    found = output_comparison.outputs(ours.out, theirs.out, tolerance=1e-5)
    assert found.same and found.numbers > 20, str(found)
    assert "--seeds=tf1" not in ours.err, "nothing in it is unknown"


def test_without_it_the_numbers_are_others(start):
    there, here = start("1.15", SCRIPTS[0]), start("compat", SCRIPTS[0])
    assert not output_comparison.outputs(here().out, there().out).same
