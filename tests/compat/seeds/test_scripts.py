"""Scripts of the kinds that people publish print TF 1.15's numbers under --seeds=tf1."""

import pathlib
import sys

import pytest

from row_scripts import servers
from tfgraphtools.compat import compare, legacy

if sys.version_info < (3, 8):
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

SCRIPTS = sorted(pathlib.Path(__file__).with_name("scripts").glob("*.py"))


@pytest.fixture(scope="module")
def interpreters(tf1_python):
    started = servers(tf1_python)
    yield started
    for server in started.values():
        server.close()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_script(script, interpreters, tmp_path):
    text = script.read_text(encoding="utf-8")
    if ("contrib" in text or "tf.estimator" in text) and legacy.find() is None:
        pytest.skip("needs contrib and the estimator of TF 1.15 (tfgraphtools legacy install)")
    there = interpreters["1.15"].start(tmp_path / "there", text)
    here = interpreters["compat"].start(tmp_path / "here", text, ["--seeds=tf1"])
    ours, theirs = here(), there()
    assert ours.code == 0, ours.err
    assert theirs.code == 0, theirs.err
    found = compare.outputs(ours.out, theirs.out, tolerance=1e-5)
    assert found.same and found.numbers > 20, str(found)
    assert "--seeds=tf1" not in ours.err, "nothing in it is unknown"


def test_without_it_the_numbers_are_others(interpreters, tmp_path):
    text = SCRIPTS[0].read_text(encoding="utf-8")
    there = interpreters["1.15"].start(tmp_path / "there", text)
    here = interpreters["compat"].start(tmp_path / "here", text)
    assert not compare.outputs(here().out, there().out).same
