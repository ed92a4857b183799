"""Notebooks: the code of their cells changes, and nothing else of the file."""

import json

import pytest

from tfgraphtools import upgrade
from tfgraphtools.upgrade import notebook_source

pytestmark = pytest.mark.quick


def notebook(*cells, **options):
    data = {
        "cells": [
            {
                "cell_type": kind,
                "metadata": {"a": [1, {"source": "x"}]},
                "source": source if isinstance(source, str) else list(source),
                **(
                    {"outputs": [{"text": ["tf.mul"]}], "execution_count": 3}
                    if kind == "code"
                    else {}
                ),
            }
            for kind, source in cells
        ],
        "metadata": {"kernelspec": {"name": "python3"}},
        "nbformat": 4,
        "nbformat_minor": 2,
    }
    return json.dumps(data, **options)


LINES = ["%matplotlib inline\n", "import tensorflow as tf\n", "x = tf.mul(1, 2)"]


@pytest.mark.parametrize(
    "options",
    [{"indent": 1}, {"indent": 2, "ensure_ascii": False}, {}, {"indent": 1, "sort_keys": True}],
    ids=["jupyter", "wide", "one-line", "sorted"],
)
@pytest.mark.parametrize("lines", [LINES, "".join(LINES)], ids=["lines", "text"])
def test_cells(lines, options, tmp_path):
    cells = [
        ("markdown", ["import tensorflow as tf, \u4f60\n"]),
        ("code", lines),
        ("code", ["%%bash\n", "import tensorflow as tf\n"]),
        (
            "code",
            ["!pip install tensorflow\n", "with tf.Session() as s:\n", "    print(s.run(x))\n"],
        ),
    ]
    path = tmp_path / "a.ipynb"
    before = notebook(*cells, **options) + "\n"
    path.write_text(before, encoding="utf-8")
    upgrade.examine([str(path)]).write(force=True)
    after = path.read_text(encoding="utf-8")
    code = "".join(json.loads(after)["cells"][1]["source"])
    assert code == (
        "%matplotlib inline\nimport tensorflow.compat.v1 as tf\n\ntf.disable_v2_behavior()\n\n"
        "x = tf.multiply(1, 2)"
    )
    restored = json.loads(after)
    restored["cells"][1]["source"] = json.loads(before)["cells"][1]["source"]
    assert restored == json.loads(before)
    if "indent" in options:  # laid out as before
        changed = [line for line in after.split("\n") if line not in before.split("\n")]
        assert all("tf" in line or "tensorflow" in line or "\\n" in line for line in changed)
    assert not upgrade.examine([str(path)]).changed


@pytest.mark.parametrize("text", ["{}", "[]", "nothing", '{"cells": 3}'])
def test_no_notebook(text, tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_text(text)
    report = upgrade.examine([str(path)])
    (file,) = report.errors
    assert "not a notebook: it is not JSON" in file.error or "got other JSON. Open it" in file.error
    report.write(force=True)
    assert path.read_text() == text


@pytest.mark.parametrize("command", ["%%time", "%%timeit -n 3", "%%capture out", "\n%%prun"])
def test_cells_that_are_timed(command, tmp_path):
    """The rest of such a cell is Python."""
    path = tmp_path / "a.ipynb"
    text = notebook(("code", LINES), ("code", f"{command}\nx = tf.mul(1, 2)"))
    path.write_text(text)
    upgrade.examine([str(path)]).write(force=True)
    cell = json.loads(path.read_text())["cells"][1]
    assert cell["source"] == f"{command}\nx = tf.multiply(1, 2)"


@pytest.mark.parametrize(
    "changed, said",
    [
        ({"nbformat": 3, "cells": None}, "expected a notebook of format 4"),
        ({"metadata": {"kernelspec": {"language": "R"}}}, "a notebook of R, not of Python"),
    ],
)
def test_other_notebooks(changed, said, tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps(dict(json.loads(notebook(("code", LINES))), **changed)))
    (file,) = upgrade.examine([str(path)]).errors
    assert said in file.error


def test_python2_cells(tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_text(notebook(("code", ["print 'a'\n", "print 3 / 2"]), ("code", ["print 'b'"])))
    upgrade.examine([str(path)]).write(force=True)
    cells = json.loads(path.read_text())["cells"]
    assert ["".join(c["source"]) for c in cells] == ["print('a')\nprint(3 // 2)", "print('b')"]


def test_a_comment_that_asks_is_no_help_of_ipython(tmp_path):
    path = tmp_path / "a.ipynb"
    lines = ["import tensorflow as tf\n", "np.sum?\n", "x = tf.mul(1, 2)  # why?"]
    path.write_text(notebook(("code", lines)), encoding="utf-8")
    upgrade.examine([str(path)]).write(force=True)
    code = "".join(json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"])
    assert code.endswith("np.sum?\nx = tf.multiply(1, 2)  # why?")


def test_commands_of_several_lines_and_operators_that_look_like_one(tmp_path):
    path = tmp_path / "a.ipynb"
    lines = [
        "import tensorflow as tf\n",
        "!pip install a \\\n",
        "   b\n",
        "files = !ls\n",
        "print('%s'\n",
        "      % tf.mul(1, 2))",
    ]
    path.write_text(notebook(("code", lines)), encoding="utf-8")
    upgrade.examine([str(path)]).write(force=True)
    code = "".join(json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"])
    assert code.endswith(
        "!pip install a \\\n   b\nfiles = !ls\nprint('%s'\n      % tf.multiply(1, 2))"
    )


#: a line of a notebook -> what it becomes
INSTALLS = {
    "%tensorflow_version 1.x": "# %tensorflow_version 1.x",
    "%tensorflow_version 2.x": "%tensorflow_version 2.x",
    "!pip install tensorflow-gpu==1.15": "# !pip install tensorflow-gpu==1.15",
    "!pip3 install -q keras==2.2.4 'h5py<3'": "# !pip3 install -q keras==2.2.4 'h5py<3'",
    "%pip install -q tensorflow==1.15.2 tqdm": "%pip install -q tqdm",
    "!pip install tensorflow": "!pip install tensorflow",
    "!python3 -m pip install numpy==1.16 && ls": "!python3 -m pip install numpy==1.16 && ls",
    "try:\n    %tensorflow_version 1.x\nexcept Exception:\n    pass": "try:\n"
    "    pass  # %tensorflow_version 1.x\nexcept Exception:\n    pass",
    "!pip install tensorflow==1.15 \\\n  tqdm": "!pip install tensorflow==1.15 \\\n  tqdm",
}


def test_installations_of_tf1_go(tmp_path):
    """The lines stop a notebook today: no pip and no Colab has TensorFlow 1."""
    path = tmp_path / "a.ipynb"
    cells = [("code", text) for text in [*INSTALLS, "import tensorflow as tf\ntf.Session()"]]
    path.write_text(notebook(*cells), encoding="utf-8")
    report = upgrade.examine([str(path)])
    report.write(force=True)
    assert report.left == 0
    after = json.loads(path.read_text(encoding="utf-8"))["cells"]
    assert ["".join(cell["source"]) for cell in after][:-1] == list(INSTALLS.values())
    assert not upgrade.examine([str(path)]).changed


def test_a_future_below_a_magic_is_no_error(tmp_path):
    """IPython compiles the statements of a cell one by one."""
    path = tmp_path / "a.ipynb"
    magic = ["%matplotlib inline\n", "from __future__ import print_function\n"]
    path.write_text(notebook(("code", [*magic, "import tensorflow as tf\n", "tf.mul(1, 2)"])))
    assert upgrade.examine([str(path)]).left == 0
    other = ["def f():\n", "    x = tf.mul\n", "    global x"]
    path.write_text(notebook(("code", ["import tensorflow as tf\n", *other])))
    assert upgrade.examine([str(path)]).left == 1


#: Lines that look like what stands between cells, and for commands of IPython.
MARKS = ["# ipython cell 0", "# ipython cell 1", "pass  # ipython: x", "# more ipython: y"]


@pytest.mark.parametrize("mark", [*MARKS, "# ipython1 cell 0", "get_ipython()"])
def test_text_that_looks_like_a_mark(mark, tmp_path):
    """Nothing of a cell is lost, whatever it says."""
    path = tmp_path / "a.ipynb"
    first = f"import tensorflow as tf\n%matplotlib inline\nz = 1\n{mark}\nx = tf.mul(1, 2)"
    second = f"{mark}\n!ls \\\n  -l\ny = tf.mul(3, 4)\n# ipython cell 7"
    path.write_text(notebook(("code", first), ("code", second)))
    upgrade.examine([str(path)]).write(force=True)
    cells = [cell["source"] for cell in json.loads(path.read_text())["cells"]]
    assert cells[1] == second.replace("tf.mul(", "tf.multiply(")
    assert cells[0].endswith(f"%matplotlib inline\nz = 1\n{mark}\nx = tf.multiply(1, 2)") or cells[
        0
    ].replace("\n\ntf.disable_v2_behavior()\n", "").startswith("import tensorflow")
    for line in first.replace("tf.mul(", "tf.multiply(").split("\n")[1:]:
        assert line in cells[0].split("\n")
    assert not upgrade.examine([str(path)]).changed


def test_code_of_no_cell_is_refused():
    """Not lost: text that an upgrade would put into a cell of another language, or cells mixed."""
    text = notebook(("code", "%%bash\nls"), ("code", "x = 1"))
    read = notebook_source.Notebook(text)
    for source in (
        read.source.replace("cell 0\n", "cell 0\nimport os"),
        "import os\n" + read.source,
        read.source.replace("# ipython cell 1\n", ""),
        read.source + "# ipython cell 1\n",
    ):
        with pytest.raises(notebook_source.NotANotebook, match="which cell"):
            read.with_source(source)
    assert read.with_source(read.source) == text
