"""The estimators of skflow, which TF 0.11 dropped: what a script of TF 0.8 to 0.10 may rely on.

Their numbers are compared with NumPy's in the cells of tests/scripts/contrib_skflow.py.
"""

import json
import pathlib

import pytest

pytestmark = pytest.mark.slow

SCRIPT = pathlib.Path(__file__).resolve().parent / "skflowing.py"

#: What the script must tell; a piece of text for an error, which is an ArgumentError.
WANTED = {
    "continue_training": [20, True],
    "begins_anew": [10, True],
    "partial_fit": 20,
    "steps_of_fit": 3,
    "logdir_goes_on": 20,
    "model_dir": 30,
    "column_of_labels": [True, True],
    "batch_size_of_fit": True,
    "string_for_steps": "fit(x, y, logdir='logs')",
    "clipping": True,
    "seed_is_42": True,
    "seed_of_config": False,
    "activation_fn": True,
    "uniform_by_fan_in": True,
    "iterators": [[60], True],
    "lists": [60],
    "frames": [60],
    "batches": True,
    "early_stopping": [True, True],
    "monitor_of_08": [1, 2, 3],
    "metrics": [["global_step", "loss", "right"], True],
    "dropout_only_trains": True,
    "restored_predicts": True,
    "restored_tensor": "(?, 4)",
    "restored_lacks_code": "set_params(learning_rate=..., model_fn=..., optimizer=...)",
    "saved_again": True,
    "still_lacks_code": True,
    "trains_on": 10,
    "saved_stays": 5,
    "restored_class": "TensorFlowDNNClassifier",
    "restored_arguments": True,
    "restored_weights": True,
    "restored_evaluates": True,
    "failed_save": [True, True],
    "no_such_folder": "no model.def in it",
    "no_checkpoint": "its file 'checkpoint' names",
    "saved_by_tf_0": "TensorFlow 0.x itself wrote it",
    "not_fitted": [["NotFittedError", True]] * 2,
    "unknown_optimizer": "one of Adagrad, Adam",
    "unknown_argument": "got step",
    "no_variable": "ArgumentError",
    "dropout_where_nobody_trains": "tf.add_to_collection('IS_TRAINING', mode == 'train')",
    "names": ["batch_size", "class_weight", "clip_gradients", "config"],
    "clone": [True, True],
    "grid_search": {"steps": 60},
    "sequences": [30, 4],
    "saved_into_its_folder": True,
}


def test_what_scripts_rely_on(run_script, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [line.split(" ", 2) for line in run_script(SCRIPT).splitlines()]
    told = {name: json.loads(value) for word, name, value in lines if word == "told"}
    assert told.keys() == WANTED.keys()
    wrong = {name: told[name] for name in WANTED if not _is(told[name], WANTED[name])}
    assert wrong == {}


def _is(told, wanted):
    if isinstance(told, list) and isinstance(wanted, str):
        name, is_value_error, message = told
        return name == "ArgumentError" and is_value_error and wanted in message
    return told == wanted
