"""Every public name of TF 1.15 is there under compat, or says what to write instead.

The gaps that are allowed are lines of ``removed.tsv`` without a successor: their last column is the
error's text. `walk_names` lists the names.
"""

import json
import pathlib
import subprocess

import pytest

from tfgraphtools import compat
from tfgraphtools.compat.fixes import removed
from tfgraphtools.compat.fixes.tensorflow import estimator

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

WALK = pathlib.Path(__file__).with_name("walk_names.py")

#: Part -> the fewest names that it has.
PARTS = {"tensorflow": 3000, "compat": 5000, "classes": 6000, "keras": 2000, "contrib": 3500}

#: Attributes that classes lack: instances of those of user code have them, or what to write.
OF_CLASSES = {
    "Tensor": ("consumers device graph op value_index", "attributes of each tensor of a graph"),
    "Model": ("sample_weights", "an attribute of each compiled model"),
    "Sequential": ("sample_weights", "an attribute of each compiled model"),
    "LooperThread": ("isAlive", "a method of each thread"),
    "Options": ("experimental_stats", "leave statistics out: they do not change the data"),
    "Operation": ("traceback_with_start_lines", "write op.traceback"),
    "Optional": (
        "none_from_structure value_structure",
        "write Optional.empty(element_spec) and optional.element_spec",
    ),
    "StrategyExtended": (
        "non_slot_devices update_non_slot",
        "write tf.compat.v1.distribute.StrategyExtended",
    ),
    "Strategy": (
        "experimental_run_v2 experimental_make_numpy_dataset",
        "a method of each strategy; write tf.data.Dataset.from_tensor_slices",
    ),
}


def _gaps():
    """Returns {name: the text of its error}."""
    gaps = {line.old: line.instead for line in removed.lines_of("TF") if not line.now}
    for table in estimator.TABLES:
        gaps.update((row.name, row.why) for row in table.rows if table.kind == "gone")
    return gaps


def _unexplained(missing):
    """Returns {name: error} of the names that do not raise what a line says."""
    texts = {f"{name}: {instead}" for name, instead in _gaps().items()}
    return {
        name: error
        for name, error in missing.items()
        if error.partition(": ")[2] not in texts and not _is_of_instances(name)
    }


def _is_of_instances(name):
    *_, owner, attribute = name.split(".")
    known = "Strategy" if owner.endswith("Strategy") else owner
    return attribute in OF_CLASSES.get(known, ("", ""))[0].split()


@pytest.mark.slow(in_ci=3)
@pytest.mark.parametrize("part", PARTS)
def test_every_public_name_of_115(part, tf1_python, tf1_run, tmp_path, legacy_cache):
    subprocess.run(
        [tf1_python, str(WALK), part, "names"],
        cwd=str(tmp_path),
        check=True,
        stderr=subprocess.DEVNULL,
    )
    names = json.loads((tmp_path / "names").read_text())
    assert len(names) > PARTS[part]
    done = tf1_run(WALK, part, "names", "missing", cwd=str(tmp_path))
    assert done.returncode == 0, done.stderr
    missing = json.loads((tmp_path / "missing").read_text())
    assert _unexplained(missing) == {}


def test_a_missing_name_fails_unless_a_line_has_its_error():
    (gap, text), *_ = _gaps().items()
    errors = {
        "tensorflow.a": "AttributeError: module 'tensorflow' has no attribute 'a'",
        "tensorflow.b": f"GoneError: {gap}: {text}",
        "tensorflow.c": f"GoneError: {gap}: another text",
    }
    assert sorted(_unexplained(errors)) == ["tensorflow.a", "tensorflow.c"]
