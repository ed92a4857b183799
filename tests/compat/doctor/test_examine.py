"""What doctor says of a codebase, and that `run` keeps it."""

import importlib.util
import json
import os

import pytest

from row_scripts import cells
from tfgraphtools import compat
from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.fixes.keras import standalone

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

FILES = {
    "train.py": """\
import os
import no_such_package
import numpy as np
import tensorflow as tf
import tensorflow.contrib.slim as slim
from tensorflow.python.ops import rnn_cell
from utils import helper

flags = tf.app.flags
FLAGS = flags.FLAGS
x = tf.placeholder(tf.float32, [None, 3])
y = slim.fully_connected(x, np.float(3))
cell = rnn_cell.GRUCell(3)
z = tf.pack([x, x])
FLAGS.batch_size
tf.raw_ops.CompareAndBitpack
tf.contrib.tensor_forest
tf.no_such_name
tf.pack
from tensorflow.contrib.boosted_trees.python.utils import losses
losses.per_example_maxent_loss
""",
    "old/reader.py": "import cPickle\nprint 'x', 5 / 2\n",
    "utils/__init__.py": "def helper(): return 1\n",
    "broken.py": "x = 1\ndef f(:\n",
    "env/pyvenv.cfg": "",
    "env/lib.py": "import tensorflow as tf\ntf.no_such_name_either\n",
}

#: name: (status, places)
WANTED = {
    "tensorflow.placeholder": ("works", ["train.py:11"]),
    "tensorflow.app.flags.FLAGS": ("works", ["train.py:10", "train.py:15"]),
    "tensorflow.pack": ("patched", ["train.py:14", "train.py:19"]),
    "tensorflow.python.ops.rnn_cell.GRUCell": ("patched", ["train.py:13"]),
    "numpy.float": ("patched", ["train.py:12"]),
    "cPickle": ("patched", ["old/reader.py:1"]),
    "python2.syntax": ("patched", ["old/reader.py"]),
    "tensorflow.contrib.slim.fully_connected": ("legacy", ["train.py:12"]),
    "tensorflow.contrib.boosted_trees.python.utils.losses": ("legacy", ["train.py:20"]),
    "tensorflow.contrib.boosted_trees.python.utils.losses.per_example_maxent_loss": (
        "legacy",
        ["train.py:21"],
    ),
    "no_such_package": ("not installed", ["train.py:2"]),
    "tensorflow.no_such_name": ("missing", ["train.py:18"]),
    "tensorflow.raw_ops.CompareAndBitpack": ("not supported", ["train.py:16"]),
    "tensorflow.contrib.tensor_forest": ("not supported", ["train.py:17"]),
    "syntax": ("not supported", ["broken.py:2"]),
}


def write(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def examined(tmp_path_factory, doctor):
    """What the command says of FILES: (exit code, JSON, page, stderr)."""
    folder = tmp_path_factory.mktemp("code")
    write(folder, FILES)
    page = folder / "page.html"
    done = doctor(folder, "--html", page)
    return done.code, json.loads(done.out), page.read_text(), done.err


@pytest.fixture(scope="module")
def doctor(compat_server, tmp_path_factory):
    """A function that is ``tfgraphtools doctor --json`` with these words."""

    def run(*words):
        folder = tmp_path_factory.mktemp("elsewhere")
        return compat_server.run_python(folder, "-m", "tfgraphtools", "doctor", "--json", *words)

    return run


@pytest.mark.parametrize("name", WANTED)
def test_status(name, examined):
    found = {one["name"]: (one["status"], one["places"]) for one in examined[1]["names"]}
    assert found.get(name) == WANTED[name]


def test_nothing_else_is_bad(examined):
    bad = [one["name"] for one in examined[1]["names"] if one["status"] != "works"]
    assert set(bad) <= set(WANTED) | {"tensorflow.contrib.slim"}


def test_own_modules_and_environments_are_passed_over(examined):
    names = [one["name"] for one in examined[1]["names"]]
    assert not [name for name in names if "helper" in name or "either" in name]
    assert examined[1]["files"] == 4


def test_totals_and_exit_code(examined):
    code, report, page, _ = examined
    assert code == 1 and not report["ok"]
    assert report["totals"]["not supported"] == {"names": 3, "uses": 3}
    assert sum(total["uses"] for total in report["totals"].values()) == sum(
        len(one["places"]) for one in report["names"]
    )
    assert "tensorflow.raw_ops.CompareAndBitpack" in page and "broken.py:2" in page


def test_nothing_of_the_codebase_is_imported_or_written(tmp_path, doctor):
    write(
        tmp_path, {"a.py": "import tensorflow as tf\nopen('touched', 'w')\nraise SystemExit(3)\n"}
    )
    done = doctor(tmp_path)
    assert done.code == 0, done.out
    assert [path.name for path in tmp_path.iterdir()] == ["a.py"]


@pytest.mark.parametrize("what", ["nothing-there", "no-python"])
def test_mistakes(what, tmp_path, doctor):
    path = tmp_path / "no" if what == "nothing-there" else tmp_path
    done = doctor(path)
    assert done.code == 2
    assert len(done.err.strip().splitlines()) == 1 and "Python file" in done.err


#: Modules that cells write, or find, before they import them.
MADE_BY_CELLS = {"both", "made", "net", "tag_pb2", "three", "utils"}


def _waits_for_keras(name):
    return name.startswith("keras.") and standalone.folder() is None


def _has_what_it_needs(cell):
    if "keras.standalone" in cell.remarks.get(
        "options", ""
    ):  # it needs Keras 2.2.4 not to be there
        return False
    libraries = [name for name in cell.remarks.get("needs", "").split() if name.isidentifier()]
    return all(name == "contrib" or importlib.util.find_spec(name) for name in libraries)


@pytest.mark.slow
def test_what_it_promises_is_kept(tmp_path, doctor):
    """All cells run (test_rows.py): it says of none that it cannot, but for what is gone."""
    gone = {row.name for table in rows.tables() if table.kind == "gone" for row in table.rows}
    found = [cell for cell in cells() if _has_what_it_needs(cell)]
    files = {f"cell{number}.py": cell.text for number, cell in enumerate(found)}
    write(tmp_path, files)
    report = json.loads(doctor(tmp_path).out)
    broken = []
    for one in report["names"]:
        if one["status"] in ("not supported", "missing", "not installed"):
            used_in = [found[int(place.split(".")[0][4:])] for place in one["places"]]
            if one["name"] in MADE_BY_CELLS or _waits_for_keras(one["name"]):
                continue
            broken += [(one["name"], c.name) for c in used_in if not gone.intersection(c.rows)]
    assert broken == []


#: What is needed for a whole file, by the file.
OF_FILES = {
    "wrapper.py": "for name in tf.Tensor.OVERLOADABLE_OPERATORS: setattr(C, name, None)\n",
    "reader.py": "op.type in ['Add', 'Sub']\n",
    "maker.py": "tf.Operation(node_def, graph, [])._add_input(x)\n",
    "modern.py": "op.type in ['Add', 'AddV2'] and isinstance(op, tf.Operation)\n",
}


def test_it_names_what_a_file_of_an_earlier_1_x_needs(tmp_path, doctor):
    write(tmp_path, {name: "import tensorflow as tf\n" + text for name, text in OF_FILES.items()})
    report = json.loads(doctor(tmp_path).out)
    patched = {one["name"]: one["places"] for one in report["names"] if one["status"] == "patched"}
    assert patched == {
        "tensorflow.Tensor.OVERLOADABLE_OPERATORS": ["wrapper.py"],
        "tensorflow.Operation.type": ["reader.py"],
        "tensorflow.Operation": ["maker.py"],
        "tensorflow.Operation._add_input": ["maker.py"],
    }


#: Each module says whether it divides as Python 2 does: in the program main.py, all that Python 3
#: parses and that it does not alone understand, as main.py certainly imports "old".
PROGRAM = {
    "main.py": "import early, old, after, pack.part\nfrom pack import other\nimport new\n",
    "early.py": "",
    "old.py": "import inside\nprint 'old'\n",
    "inside.py": "",
    "after.py": "def f():\n    import late\nf()\n",
    "late.py": "",
    "new.py": "TEXT = f'{1}'\n",
    "pack/__init__.py": "",
    "pack/part.py": "import sibling\nfrom . import near\n",
    "pack/sibling.py": "",
    "pack/near.py": "",
    "pack/other.py": "",
    "apart.py": "import early\nif __name__ == '__main__':\n    early\n",
}


def test_it_says_which_files_are_python2s_by_their_company(tmp_path, tf1_run, doctor):
    says = "open('found.txt', 'a').write(__file__ + '\\t%s\\n' % (5 / 2))\n"
    write(tmp_path, {name: text + says for name, text in PROGRAM.items()})
    for program in ("apart.py", "main.py"):
        assert tf1_run(program).returncode == 0
    lines = (tmp_path / "found.txt").read_text().splitlines()
    floored = {line.split("\t")[0] for line in lines if line.endswith("\t2")}
    floored = {os.path.relpath(path, str(tmp_path)) for path in floored} - {"old.py"}
    assert {"main.py", "early.py", "inside.py", "late.py", "pack/sibling.py"} <= floored
    assert not {"new.py", "apart.py"} & floored
    report = json.loads(doctor(tmp_path).out)
    said = {
        place for one in report["names"] if "by_company" in one["name"] for place in one["places"]
    }
    assert said == floored


def test_a_package_of_a_folder_above(tmp_path):
    from tfgraphtools.compat.doctor import examine

    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "part.py").write_text("")
    script = tmp_path / "scripts" / "main.py"
    script.parent.mkdir()
    script.write_text("import mine.part\nimport nobodys_package")
    statuses = {entry.status.name: entry.status for entry in examine(str(script)).entries}
    assert statuses["mine"].why == f"it is in {tmp_path}: add this folder to PYTHONPATH"
    assert statuses["mine"].status == "not installed" and statuses["mine"].install is None
    assert "not installed" in statuses["nobodys_package"].why


def test_no_warning_of_what_old_code_writes(tmp_path, recwarn):
    from tfgraphtools.compat.doctor import examine

    (tmp_path / "a.py").write_text('import tensorflow as tf\npattern = "\\d"\n')
    assert examine(str(tmp_path)).ok
    assert not [one for one in recwarn if one.category is SyntaxWarning]


@pytest.mark.parametrize(
    "tried, caught, names",
    [
        ("tf.VariableScope", "AttributeError", set()),
        ("tf.VariableScope", "(ImportError, NameError)", set()),
        ("tf.no_such_scope", "AttributeError", {"tensorflow.of_tf_zero"}),
        ("tf.VariableScope", "ValueError", {"tensorflow.of_tf_zero"}),
        ("tf.VariableScope", "(AttributeError, ValueError)", {"tensorflow.of_tf_zero"}),
        ("tf.VariableScope", "Exception", {"tensorflow.of_tf_zero"}),
    ],
)
def test_what_stands_in_for_a_missing_name(tmp_path, tried, caught, names):
    from tfgraphtools.compat.doctor import examine, statuses

    script = tmp_path / "scopes.py"
    script.write_text(
        "import tensorflow as tf\n"
        f"try:\n    make = {tried}\nexcept {caught}:\n    make = tf.of_tf_zero\n"
    )
    entries = examine([str(script)]).entries
    assert {one.status.name for one in entries if one.status.status in statuses.BAD} == names
