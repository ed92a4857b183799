"""What `upgrade` does not list as left runs under plain Python, which is the oracle here."""

import ast
import json
import os
import re
import subprocess
import sys

import pytest

from tfgraphtools import cli
from tfgraphtools.compat import legacy

#: Sources without anything to rewrite, and how many uses are left of each.
CHECKED = {
    "nothing": ("import os\nprint(os.sep)\n", 0),
    "a-typo": ("import tensorflow.compat.v1 as tf\nv = tf.placehodler\n", 1),
    "an-import-and-its-uses": ("from numpy import asscalars as a\na(1)\na(2)\n", 1),
}


@pytest.mark.parametrize("case", CHECKED)
def test_check_fails_where_anything_is_left(case, tmp_path, capsys):
    source, count = CHECKED[case]
    path = tmp_path / "main.py"
    path.write_text(source)
    assert cli.main(["upgrade", str(path), "--check", "--skip", "tensorflow"]) == bool(count)
    printed = capsys.readouterr().err
    assert f", {count} left" in printed.splitlines()[0]
    assert path.read_text() == source


def test_every_format_says_what_is_left(tmp_path, capsys):
    path, page = tmp_path / "main.py", tmp_path / "page.html"
    path.write_text("import numpy as np\n\nnp.asscalra(3)\nnp.zeroz(3)\n")
    assert cli.main(["upgrade", str(path), "--json", "--html", str(page)]) == 0
    out, err = capsys.readouterr()
    report = json.loads(out)
    assert report["left"] == 2
    first, second = report["files"][0]["findings"]
    assert (first["line"], first["name"], first["status"]) == (3, "numpy.asscalra", "cannot")
    assert (second["line"], second["remedy"]) == (4, "did you mean zeros?")
    assert "2 left" in page.read_text() and "did you mean zeros?" in page.read_text()
    assert (
        "main.py:4: numpy.zeroz: the installed numpy has no such name: did you mean zeros?" in err
    )


def test_lines_are_those_of_the_old_source(upgraded):
    source = (
        "import tensorflow as tf\nimport numpy as np\n\nwith tf.Session():\n    pass\n"
        "x = np.bool(1), tf.mul(2, 3)\ny = tf.nothing\n"
    )
    new = upgraded(source)
    (finding,) = [one for _, one in upgraded.report.unresolved()]
    assert finding.line == 7 and source.splitlines()[6] == "y = tf.nothing"
    assert new.splitlines()[6] != "y = tf.nothing"


def test_a_name_that_another_file_exports(upgraded):
    upgraded(
        {
            "common.py": "import tensorflow as tf\ntf.placeholder\n",
            "main.py": "from common import tf\nimport common\ntf.nothing\ncommon.tf.nought\n",
        }
    )
    left = [(os.path.basename(path), one.line) for path, one in upgraded.report.unresolved()]
    assert left == [("main.py", 3), ("main.py", 4)]


def test_a_name_of_keras_that_is_public_elsewhere(upgraded):
    upgraded(KERAS + "from keras.engine import Layer, Nothing\n", keras="tf_keras")
    finding, other = [one for _, one in upgraded.report.unresolved()]
    assert finding.remedy == "tf_keras.layers has Layer" and other.remedy == ""


def test_a_module_beside_a_single_file(tmp_path, capsys):
    (tmp_path / "beside.py").write_text("x = 1\n")
    (tmp_path / "main.py").write_text("import beside\n")
    cli.main(["upgrade", str(tmp_path / "main.py")])
    assert "beside: not looked at: it is beside this file: pass the whole folder" in (
        capsys.readouterr().err
    )
    cli.main(["upgrade", str(tmp_path)])
    assert "0 left" in capsys.readouterr().err


#: {source: (the summary, exit code of --check, the same with --ignore-missing-imports)}
CHECKS = {
    "nothing": ("import numpy as np\nnp.zeros(1)\n", "0 left", 0, 0),
    "not-looked-at": ("import wxyz\nwxyz.a\n", "0 left, 1 not looked at", 1, 0),
    "left": ("import numpy as np\nnp.zeroz(1)\n", "1 left", 1, 1),
    "both": ("import wxyz\nimport numpy as np\nnp.zeroz(1)\n", "1 left, 1 not looked at", 1, 1),
    "changed": (
        "import numpy as np\nimport wxyz\nnp.product(1)\n",
        "0 left, 1 not looked at",
        1,
        1,
    ),
}


@pytest.mark.parametrize("case", CHECKS)
def test_the_exit_code_of_check(case, tmp_path, capsys):
    source, summary, strict, lenient = CHECKS[case]
    path = tmp_path / "main.py"
    path.write_text(source)
    assert cli.main(["upgrade", str(path), "--check"]) == strict
    assert capsys.readouterr().err.splitlines()[0].endswith(", " + summary)
    assert cli.main(["upgrade", str(path), "--check", "--ignore-missing-imports"]) == lenient


#: Names that neither `run` nor plain Python has: `doctor` and `upgrade` agree on them.
NOWHERE = ["tf.placehodler", "tf.train.nothing", "tf.contrib.slim.nothing.more", "np.zeroz"]


@pytest.mark.parametrize("name", NOWHERE)
def test_doctor_and_upgrade_agree(name, tmp_path):
    from tfgraphtools import upgrade
    from tfgraphtools.compat import doctor

    if "contrib" in name and legacy.find() is None:
        pytest.skip("contrib is not installed: tfgraphtools legacy install")
    path = tmp_path / "main.py"
    path.write_text(f"import numpy as np\nimport tensorflow as tf\n\ntf.Session()\n{name}\n")
    (entry,) = [e for e in doctor.examine(str(path)).entries if e.status.status == "missing"]
    assert [place.line for place in entry.places] == [5]
    ((_, finding),) = upgrade.examine([str(path)]).unresolved()
    assert finding.line == 5


#: Names of TF 1.15's contrib -> what is left of them: what only its C++ does.
CONTRIB = {
    "tf.contrib.eager.Variable": [],  # which contrib has from a module of another name
    "tf.contrib.eager.nothing": ["tfgraphtools.tf1.contrib.eager.nothing"],
    "tf.contrib.tensor_forest.python.tensor_forest": ["tfgraphtools.tf1.contrib.tensor_forest"],
    "tf.contrib.image.bipartite_match": ["tfgraphtools.tf1.contrib.image.bipartite_match"],
    "tf.contrib.image.rotate": [],
}


@pytest.mark.parametrize("name", CONTRIB)
def test_contrib_that_only_cpp_has_is_left(name, upgraded):
    if legacy.find() is None:
        pytest.skip("contrib is not installed: tfgraphtools legacy install")
    upgraded(f"import tensorflow as tf\n\ntf.Session()\n{name}\n")
    assert [finding.name for _, finding in upgraded.report.unresolved()] == CONTRIB[name]


def test_the_same_is_left_of_code_that_was_upgraded(tmp_path):
    from tfgraphtools import upgrade

    (tmp_path / "main.py").write_text(
        "import tensorflow as tf\nimport ops\n\nx = tf.placeholder(tf.float32)\n"
        "ops.act(x, 'relu')\n"
    )
    (tmp_path / "ops.py").write_text(
        "import tensorflow as tf\n\n\ndef act(x, name):\n"
        "    assert type(x) == tf.Tensor or isinstance(x, tf.Variable)\n"
        "    return getattr(tf.nn, name)(tf.log(x))\n"
    )
    before = upgrade.examine([str(tmp_path)])
    before.write(force=True)
    after = upgrade.examine([str(tmp_path)])
    assert after.changed == []
    rows = [[finding.fix for _, finding in report.unresolved()] for report in (before, after)]
    assert rows[0] == rows[1] == ["tensorflow.type", "tensorflow.import"]


#: Uses of ops and tensors by their class or type -> the rows of what is left of them.
OF_CLASSES = [
    ("isinstance(x, tf.Operation), tf.Operation(x)", []),
    ("tf.Operation(node_def, graph, [], [])", ["tensorflow.Operation"]),
    ("op._add_input(x)", ["tensorflow.Operation._add_input"]),
    ("isinstance(x, tf.Tensor), type(x) == int, type(x), tf.Tensor", []),
    ("type(x) == tf.Tensor", ["tensorflow.type"]),
    ("type(x) not in (tf.Tensor, list)", ["tensorflow.type"]),
    ("op.type == 'Gather'", ["tensorflow.Operation.type"]),
    ("op.type in ['Add', 'AddV2'], op.type == 'Mul'", []),
    ("x == 'Gather'", []),
    ("graph.gradient_override_map({'Add': x}), op.type", []),
]


@pytest.mark.parametrize("line, rows", OF_CLASSES, ids=[line for line, _ in OF_CLASSES])
def test_uses_of_ops_by_class_or_type_are_left(line, rows, upgraded):
    upgraded(f"import tensorflow as tf\n\ntf.Session()\n{line}\n")
    left = [finding for _, finding in upgraded.report.unresolved()]
    assert [finding.fix for finding in left] == rows
    assert all(finding.line == 4 for finding in left)


#: Lines -> the rows of what is left of them: tf_keras fails, or computes something else.
OF_TF_KERAS = [
    ("model.compile('sgd', 'mse'), model.predict(x), keras.losses.cosine_similarity", []),
    ("model.compile('adagrad', 'mse')", ["tensorflow.keras.optimizers.Adagrad.from_config"]),
    ("model.compile('sgd', 'cosine_proximity')", ["tensorflow.keras.losses.cosine_proximity"]),
    ("model.compile('sgd', metrics=['cosine'])", ["tensorflow.keras.losses.cosine_proximity"]),
    ("keras.losses.cosine_proximity(x, x)", ["tensorflow.keras.losses.cosine_proximity"]),
    ("model.predict_classes(x)", ["tensorflow.keras.Sequential.predict_classes"]),
    ("model.get_updates_for(x)", ["tensorflow.keras.layers.Layer.apply"]),
]


@pytest.mark.parametrize("line, rows", OF_TF_KERAS, ids=[line for line, _ in OF_TF_KERAS])
def test_what_tf_keras_does_in_another_way_is_left(line, rows, upgraded):
    upgraded(
        "import tensorflow as tf\nfrom tensorflow import keras\n\ntf.Session()\n"
        f"model = keras.Sequential([keras.layers.Dense(1)])\n{line}\n"
    )
    left = [(finding.line, finding.fix) for _, finding in upgraded.report.unresolved()]
    assert left == [(6, row) for row in rows]


#: A cell -> whether a state of one tensor is left, which today's TensorFlow refuses.
CELLS = {
    "BasicLSTMCell(3)": True,
    "LSTMCell(3, forget_bias=1.0)": True,
    "BasicLSTMCell(3, state_is_tuple=False)": False,
    "GRUCell(6)": False,
}


@pytest.mark.parametrize("cell", CELLS)
def test_states_of_lstm_cells(cell, upgraded):
    new = upgraded(
        "import tensorflow as tf\n\nstate = tf.placeholder(tf.float32, [None, 6])\n"
        f"cell = tf.nn.rnn_cell.{cell}\nx = tf.zeros([2, 4, 3])\n"
        "tf.nn.dynamic_rnn(cell, x, initial_state=state)\n"
    )
    assert [finding.line for _, finding in upgraded.report.unresolved()] == [6] * CELLS[cell]
    code = new + "print('built')\n"
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert done.stdout == ("" if CELLS[cell] else "built\n")


#: Statements before ``tf.image.per_image_standardization(image)`` -> whether the call is left.
IMAGES = {
    "image = tf.image.decode_jpeg(text)": True,
    "image = tf.placeholder(tf.float32, [2, 2, 3])": False,
    "image = tf.image.decode_png(text)\nimage = tf.cast(image, tf.float32)": False,
    "for image in tf.unstack(images): pass": False,
    "image = tf.image.decode_png(text)\nfor image in tf.unstack(images): pass": False,
    "image = tf.image.decode_jpeg(text)\n"
    "image = tf.image.resize_image_with_crop_or_pad(image, 3, 3)": True,
    "image = tf.image.decode_jpeg(text)\n"
    "image = tf.random_crop(tf.to_float(image), [3, 3, 3])": False,
    "image = tf.cast(paths, tf.string)\n"
    "image = tf.random_crop(tf.image.decode_png(image), [3, 3, 3])": True,
}


@pytest.mark.parametrize("before", IMAGES)
def test_images_of_integers(before, upgraded):
    line = "tf.image.per_image_standardization(image)"
    upgraded(f"import tensorflow as tf\n\ntf.Session()\n{before}\n{line}\n")
    assert upgraded.report.left == IMAGES[before]


def test_what_the_source_does_not_show_is_listed(tmp_path, capsys):
    assert cli.main(["upgrade", "--list-unseen", "--json"]) == 0
    listed = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert listed["numpy.compared"]["remedy"].startswith("compare arrays of the same shape")
    assert "tensorflow.image.per_image_standardization" in listed  # of integers
    assert not {"tensorflow.mul", "numpy.float", "numpy.deprecate"}.intersection(listed)
    path = tmp_path / "main.py"
    path.write_text("import tensorflow as tf\n\ntf.Session()\n")
    assert cli.main(["upgrade", str(path)]) == 0
    assert "not counted: fixes of 'run' that depend on values" in capsys.readouterr().err
    assert cli.main(["upgrade", "--list-unseen"]) == 0
    assert "\n  numpy.compared  [NumPy 1.25]  " in capsys.readouterr().out


#: Runs the functions f0, f1... of the upgraded file, and prints which of them fail.
_RUN = """
import json, sys
names = {"__name__": "main"}
with open("main.py") as file:
    exec(compile(file.read(), "main.py", "exec"), names)
failing = []
for number in range(int(sys.argv[1])):
    try:
        names[f"f{number}"]()
    except BaseException:
        failing.append(number)
print("\\n" + json.dumps(failing))
"""


def _dishonest(tmp_path, head, programs):
    """(programs that fail and are not left, programs that run and are left, those that run).

    Args:
      head: lines at the top.
      programs: the body of a function each.
    """
    from tfgraphtools import upgrade

    path = tmp_path / "main.py"
    path.write_text(head + "".join(f"def f{i}():\n    {p}\n" for i, p in enumerate(programs)))
    report = upgrade.examine([str(path)])
    starts, number = {}, None
    for line, text in enumerate(path.read_text().splitlines(), 1):
        match = re.match(r"def f(\d+)", text)
        number = int(match.group(1)) if match else number
        starts[line] = number
    left = {starts[finding.line] for _, finding in report.unresolved()}
    path.write_text(report.files[0].new)
    done = subprocess.run(
        [sys.executable, "-c", _RUN, str(len(programs))],
        cwd=str(tmp_path),
        env=dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3"),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
        text=True,
    )
    failing = set(json.loads(done.stdout.splitlines()[-1]))
    running = set(range(len(programs))) - failing
    return (
        [programs[number] for number in sorted(failing - left)],
        [programs[number] for number in sorted(left & running)],
        running,
    )


def test_every_name_of_tf1_runs_or_is_left(names_of_tf1, tmp_path):
    """``tf.function`` is left out: a file with it is TF 2's.

    Modules are, too: one that is returned is listed, as nobody sees what is done with it.
    """
    shown = ("app.flags", "keras.estimator", "keras.layers", "keras.losses", "keras.metrics")
    modules = {name.rpartition(".")[0] for name in names_of_tf1}
    modules.update("tensorflow." + name for name in shown)  # whose members have other names, too
    programs = [
        "return tf" + name[len("tensorflow") :]
        for name in names_of_tf1
        if name not in modules and not name.startswith("tensorflow.function")
    ]
    head = "import tensorflow as tf\n\ntf.Session()\n"
    silent, needless, running = _dishonest(tmp_path, head, programs)
    assert silent == [] and needless == []
    assert len(running) > 3000


def test_every_name_of_contribs_keras_runs_or_is_left(tmp_path):
    folder = legacy.find()
    if folder is None:
        pytest.skip("contrib is not installed: tfgraphtools legacy install")
    names = sorted(set(_names_of_contribs_keras(str(folder))))
    assert len(names) > 300 and "api.keras.wrappers.scikit_learn.KerasClassifier" in names
    short = [name[len("api.keras.") :] for name in names]
    programs = [f"return tf.contrib.keras.{name}" for name in [*short, *names]]
    silent, needless, running = _dishonest(
        tmp_path, "import tensorflow as tf\n\ntf.Session()\n", programs
    )
    assert silent == [] and needless == []
    assert len(running) > 500


def _names_of_contribs_keras(folder):
    """The public names that the modules of ``contrib.keras.api`` import from Keras."""
    for place, _, _ in os.walk(os.path.join(folder, "tensorflow", "contrib", "keras", "api")):
        module = os.path.relpath(place, os.path.join(folder, "tensorflow", "contrib", "keras"))
        with open(os.path.join(place, "__init__.py"), encoding="utf-8") as file:
            nodes = ast.parse(file.read()).body
        for node in nodes:
            if isinstance(node, ast.ImportFrom) and node.module != "__future__":
                for alias in node.names:
                    yield module.replace(os.sep, ".") + "." + (alias.asname or alias.name)


#: Calls of Keras 2 and 3; Keras 3, which runs them, says which are to be left.
_OF_KERAS_3 = """
keras.optimizers.Adam(lr=0.1)
keras.optimizers.Adam(learning_rate=0.1)
keras.optimizers.SGD(0.1, momentum=0.9)
MODEL.fit_generator(iter([]))
MODEL.evaluate_generator(iter([]))
MODEL.predict_generator(iter([]))
MODEL.predict_classes(X)
MODEL.predict(X, verbose=0)
MODEL.save("a")
MODEL.save("a.keras")
MODEL.save("a.h5")
MODEL.save_weights("a")
MODEL.save_weights("a.h5")
MODEL.save_weights("a.weights.h5")
MODEL.load_weights("a.weights.h5")
MODEL.load_weights("a.ckpt")
open("b", "wb").write(X.tobytes())
"""


def test_calls_of_keras_2_run_or_are_left(tmp_path):
    head = (
        "import numpy as np\nfrom tensorflow import keras\n\nX = np.ones((2, 1))\n"
        "MODEL = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])\n"
    )
    programs = _OF_KERAS_3.split("\n")[1:-1]
    silent, needless, running = _dishonest(tmp_path, head, programs)
    assert silent == [] and needless == []
    assert len(running) == 8


def test_what_keras_3_ignores_is_left(upgraded):
    """Keras 2 divided the rate by 1 + decay * iterations; Keras 3 warns, and trains without."""
    upgraded("import keras\n\nkeras.optimizers.SGD(0.1, decay=1e-3)\n")
    assert [finding.line for _, finding in upgraded.report.unresolved()] == [3]


def test_calls_of_keras_2_stay_with_tf_keras(upgraded):
    upgraded(
        "import os\n\nos.environ['TF_USE_LEGACY_KERAS'] = '1'\nimport tensorflow as tf\n\n"
        "tf.keras.optimizers.Adam(lr=0.1)\nm.fit_generator(g)\nm.save_weights('a')\n"
    )
    assert upgraded.report.left == 0


def test_every_name_of_keras_2_runs_or_is_left(tmp_path):
    folder = legacy.find()
    if folder is None:
        pytest.skip("Keras 2.2.4 is not installed: tfgraphtools legacy install")
    names = sorted(set(_names_of_keras(str(folder))))
    assert len(names) > 1300
    pairs = [name.rpartition(".")[::2] for name in names]
    programs = [f"from {module} import {leaf}\n    return {leaf}" for module, leaf in pairs]
    silent, needless, running = _dishonest(tmp_path, "import keras\n", programs)
    assert silent == [] and len(needless) < 10
    assert len(running) > 1000


def _names_of_keras(folder):
    """The public names that the modules of Keras 2.2.4 define, or import from one another."""
    for place, _, files in os.walk(os.path.join(folder, "keras")):
        for name in files:
            path = os.path.join(place, name)
            module = os.path.relpath(path, folder)[: -len(".py")].replace(os.sep, ".")
            module = module[: -len(".__init__")] if module.endswith(".__init__") else module
            if not name.endswith(".py"):
                continue
            with open(path, encoding="utf-8") as file:
                tree = ast.parse(file.read())
            for node in tree.body:
                for bound in _bound(node):
                    if not bound.startswith("_") and bound != "*":
                        yield f"{module}.{bound}"


def _bound(node):
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, ast.ImportFrom) and node.level:
        return [alias.asname or alias.name for alias in node.names]
    if isinstance(node, ast.Assign):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    return []


KERAS = "from keras.models import Sequential\nfrom keras.layers.core import Dense\n"
PANDAS = "import pandas as pd\nimport tensorflow as tf\n\ntf.Session()\n"

#: Calls that `run` computes as they were meant; whether the upgraded call still is left.
BEHAVIOURS = {
    "LSTM": (KERAS, "from keras.layers import LSTM\nLSTM(3)", True),
    "LSTM-said": (KERAS, "from keras.layers import LSTM\nLSTM(3, 'tanh', 'sigmoid')", False),
    "GRU": (KERAS, "from keras.layers import GRU\nGRU(3, recurrent_activation='relu')", True),
    "Adadelta": (KERAS, "from keras import optimizers\noptimizers.Adadelta()", True),
    "Adadelta-said": (KERAS, "from keras import optimizers\noptimizers.Adadelta(lr=1.0)", False),
    "model-shape": (KERAS, "from keras.models import Model\nModel().get_output_shape_at(0)", True),
    "layer-shape": (KERAS, "Dense(3).get_output_shape_at(0)", False),
    "Adam": (KERAS, "from keras import optimizers\noptimizers.Adam()", False),
    "compile": (KERAS, "Sequential().compile('adadelta', 'mse')", True),
    "compile-adam": (KERAS, "Sequential().compile('adam', 'mse')", False),
    "star": (KERAS, "from keras.layers import *", True),
    "nb_epoch": (KERAS, "m.fit(x, nb_epoch=3)", True),
    "predict_classes": (KERAS, "m.predict_classes(x)", True),
    "output_dim": (KERAS, "Dense(output_dim=3)", True),
    "history": (KERAS, "h = f()\nprint(h.history['val_acc'])", True),
    "str.replace": (PANDAS, "pd.Series(x).str.replace(p, 'b')", True),
    "str.replace-said": (PANDAS, "pd.Series(x).str.replace('a+', 'b', regex=True)", False),
    "replace-of-str": (PANDAS, "'a'.replace('a', 'b')", False),
    "fillna": (PANDAS, "df.fillna(method=m)", True),
    "fillna-value": (PANDAS, "df.fillna(0)", False),
    "asfreq": (PANDAS, "df.asfreq('3H')", True),
    "resample-today": (PANDAS, "df.resample('3h')", False),
    "groups": (PANDAS, "df.groupby('a').mean()", True),
    "groups-of-a-column": (PANDAS, "df.groupby('a')['b'].mean()", False),
    "drop": (PANDAS, "df.drop('a', 1)", False),
    "sort": (PANDAS, "df.sort_values(a, 0)", True),
    "chained": (PANDAS, "df['a'][m] = 1", True),
    "chained-of-a-dictionary": (PANDAS, "numbers['a'][m] = 1", False),
    "chained-of-a-frame-that-was-read": (PANDAS, "x = pd.read_csv(p)\nx.a[m] = 1", True),
    "not-chained": (PANDAS, "df.loc[m, 'a'] = df.iloc[0] = 1", False),
    "in-place": (PANDAS, "df['a'].dropna(inplace=True)", True),
    "mean": (PANDAS, "df.mean()", True),
    "mean-of-a-column": (PANDAS, "df['a'].mean() + x.mean()", False),
    "without-pandas": ("import tensorflow as tf\n\ntf.Session()\n", "df.resample('3H')", False),
    "TF-2": ("import pandas\nimport tensorflow as tf\n\ntf.function\n", "df.resample('H')", False),
}


@pytest.mark.parametrize("case", [case for case, row in BEHAVIOURS.items() if row[0] is KERAS])
def test_nothing_of_keras_is_left_with_keras_2_2_4(case, upgraded):
    upgraded("".join(BEHAVIOURS[case][:2]) + "\n", keras="legacy")
    assert upgraded.report.left == 0


@pytest.mark.parametrize("case", BEHAVIOURS)
def test_what_run_computes_as_it_was_meant_is_left(case, upgraded):
    head, source, is_left = BEHAVIOURS[case]
    upgraded(head + source + "\n", keras="tf_keras")
    left = [finding.line for _, finding in upgraded.report.unresolved()]
    assert left == ([len((head + source).splitlines())] if is_left else [])
