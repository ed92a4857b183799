"""Fused batch normalisation, clipping, moving averages: TF 1.15 going on, and Keras.

What is not exact must be said in the plan, by name. A reference is TF 1.15 itself, 20 steps later.
"""

import importlib.util
import json
import os

import pytest
import statistics_runs
from statistics_runs import ELEMENTS

pytestmark = pytest.mark.slow

EXACT = 3e-6
PATHS = ["object", "model"]  # to_object_based and to_keras


@pytest.fixture(scope="module")
def table(tmp_path_factory, this_server, tf1_server):
    """What `statistics_runs` printed."""
    if not (importlib.util.find_spec("keras") and importlib.util.find_spec("tf_keras")):
        pytest.skip("needs Keras 3 and tf_keras, and so TF 2")
    folder = tmp_path_factory.mktemp("statistics")
    path = os.path.abspath(statistics_runs.__file__)
    tf1_server.run(folder, path, "train", folder).checked()
    return json.loads(this_server.run(folder, path, "go-on", folder).checked())


@pytest.mark.parametrize("case, variant", statistics_runs.cases())
def test_fused_batch_normalisation(table, case, variant):
    for flavour in statistics_runs.FLAVOURS:
        row = table[variant][case][flavour]
        for weight in ("gamma", "beta", "moving_mean"):
            assert max(row[weight].values()) <= EXACT
        off = row["moving_variance"]
        for path in PATHS:
            notes = [note for note in row["notes " + path] if "fused" in note]
            if flavour == "legacy":
                assert not notes and max(off.values()) <= EXACT
            else:
                assert len(notes) == 1 and "tf_keras goes on as TF 1's" in notes[0]
                assert all(f"bn{n}" in notes[0] for n in ELEMENTS)
        if flavour == "keras":  # it is noted for a reason
            assert off["4"] > 0.1 and off["4096"] > 10 * EXACT


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("case, variant", statistics_runs.cases())
def test_clipping_and_averages_are_named(table, case, variant, path):
    for flavour in statistics_runs.FLAVOURS:
        row = table[variant][case][flavour]
        assert "beta/ExponentialMovingAverage" in row["refused " + path]
        is_noted = any("global_clipnorm" in note for note in row["notes " + path])
        assert is_noted == (variant == "clipped")
