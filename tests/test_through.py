"""`scripts/through`: what counts as a difference, and the sample where the sources are given."""

import importlib.machinery
import importlib.util
import os
import pathlib

import pytest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "scripts" / "through"
SOURCE = os.environ.get("TFGRAPHTOOLS_TF1_SOURCE")

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def through():
    loader = importlib.machinery.SourceFileLoader("through", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("through", loader))
    loader.exec_module(module)
    return module


def _run(outcome, bits):
    rows = [{"case": "A.test", "kind": "bits", "text": bits}] if bits else []
    return {"A.test": outcome}, {"A.test": "a cause"}, rows


@pytest.mark.parametrize(
    "other, different",
    [
        (_run("OK", "ab"), {}),
        (_run("OK", "cd"), {"A.test": ("bits", "other values are fetched")}),
        (_run("OK", None), {"A.test": ("bits", "other values are fetched")}),
        (_run("FAILED", "ab"), {"A.test": ("outcome", "FAILED for OK: a cause")}),
        (({}, {"": "exit 1"}, []), {"A.test": ("outcome", "None for OK: exit 1")}),
        (({}, {"": "process: time limit"}, []), {}),
    ],
    ids=["same", "bits", "nothing fetched", "fails", "not run", "not finished"],
)
def test_differences(through, other, different):
    assert through.differences(_run("OK", "ab"), other) == different


def test_the_sample_is_fixed(through):
    assert len(set(through.SAMPLE)) == 60
    assert "freeze-array" in through.wrappers() and len(through.wrappers()) > 12
    assert through.stacks(2) == through.stacks(3)[:2]
    assert all(len(set(stack.split("+"))) == 3 for stack in through.stacks(20))


WRONG_TOOL = """
import unittest
import tensorflow as tf
from tfgraphtools import gradients

real = gradients.recompute_gradients
gradients.recompute_gradients = lambda ys, xs, **options: [2.0 * g for g in real(ys, xs, **options)]


class SomeTest(tf.test.TestCase):
    def testSquare(self):
        x = tf.constant(3.0)
        with self.session() as session:
            self.assertEqual(session.run(tf.gradients(x * x, x)[0]), 6.0)


if __name__ == "__main__":
    tf.test.main()
"""


@pytest.mark.parametrize("file", ["right", "wrong"])
def test_a_wrong_tool_is_seen(through, tf1_python, tmp_path, monkeypatch, capsys, file):
    folder = tmp_path / "tensorflow" / "python"
    folder.mkdir(parents=True)
    script = WRONG_TOOL if file == "wrong" else WRONG_TOOL.replace("2.0 * g", "g")
    (folder / "some_test.py").write_text(script)
    monkeypatch.setenv("TFGRAPHTOOLS_TF1_PYTHON", tf1_python)
    code = through.main([str(tmp_path), "--under", "tensorflow/python"])
    printed = capsys.readouterr().out
    assert code == (file == "wrong")
    assert ("recompute 0: 12.0 for 6.0" in printed) == (file == "wrong"), printed
    assert "1 files, 2 cases" in printed or "1 files, 1 cases" in printed


WRAPPED = """
import sys
import tensorflow as tf
from tfgraphtools import training

if "wrappers" in sys.modules:  # as it is not, where nothing is wrapped
    sys.modules["wrappers"].WRAPPERS["rates"] = lambda optimizer, _, name: (
        training.LRMultiplierOptimizer(optimizer, {".*": 1.0}, name=name)
    )


class SomeTest(tf.test.TestCase):
    def testStep(self):
        w = tf.Variable(3.0)
        step = tf.train.GradientDescentOptimizer(0.5).minimize(w * w)
        with self.session() as session:
            session.run(w.initializer)
            session.run(step)
            self.assertEqual(session.run(w), 0.0)


if __name__ == "__main__":
    tf.test.main()
"""


@pytest.mark.parametrize("rate", ["1.0", "2.0"])
def test_a_wrong_wrapper_is_seen(through, tf1_python, tmp_path, monkeypatch, capsys, rate):
    folder = tmp_path / "tensorflow" / "python"
    folder.mkdir(parents=True)
    (folder / "some_test.py").write_text(WRAPPED.replace("1.0", rate))
    monkeypatch.setenv("TFGRAPHTOOLS_TF1_PYTHON", tf1_python)
    monkeypatch.setattr(through, "wrappers", lambda: ["rates"])
    words = [str(tmp_path), "--under", "tensorflow/python", "--wrap", "--stacks", "0"]
    code = through.main(words)
    printed = capsys.readouterr().out
    assert code == (rate != "1.0"), printed
    assert ("rates: FAILED for OK" in printed) == (rate != "1.0"), printed


@pytest.mark.slow
@pytest.mark.skipif(not SOURCE, reason="TFGRAPHTOOLS_TF1_SOURCE names no checkout of r1.15")
@pytest.mark.parametrize(
    "words", [[], ["--wrap"]], ids=["tools", "wrappers"]
)
def test_the_sample(through, tf1_python, monkeypatch, capsys, words):
    monkeypatch.setenv("TFGRAPHTOOLS_TF1_PYTHON", tf1_python)
    assert through.main([SOURCE, *words]) == 0, capsys.readouterr().out
