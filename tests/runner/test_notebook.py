"""Notebooks: run as scripts, and in Jupyter's kernel."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

from tfgraphtools import compat
from tfgraphtools.errors import ArgumentError
from tfgraphtools.runner import notebook

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

ROOT = pathlib.Path(__file__).resolve().parents[2]

CELLS = [
    "%pylab inline\nimport cPickle\nplt, rand(2), figure",
    "!echo shell\nfound = !echo listed\nprint(found)",
    "%%time\nprint(np.uint8(200) + 100)",
    "np.uint8?\n%time total = 5 // 2",
    "print('%d'\n  % total, (7\n  %2))\nprint('''why?\n%''')",
    "!echo {total + 1} $total {nothing} \\\n   '$$total'\nlines = !echo $total",
    "%%writefile -a {lines[0]}.txt\nprint 'written', 5 / 2\n",
    "%tensorflow_version 1.x\n%env LEVEL=$total\n%run 2.txt\n!echo $LEVEL\ndisplay('shown')",
    "%%html\n<b>",
    "from __future__ import (print_function,\n  division)  # late\nassert total == 2\n1 / 0",
]


def written(path, cells):
    """A notebook with these code cells, and one of text."""
    cells_made = [{"cell_type": "code", "source": text.splitlines(True)} for text in cells]
    cells_made.insert(1, {"cell_type": "markdown", "source": "# Not code"})
    cells_made = [dict(cell, metadata={}, outputs=[], execution_count=None) for cell in cells_made]
    for cell in cells_made:
        if cell["cell_type"] == "markdown":
            del cell["outputs"], cell["execution_count"]
    path.write_text(
        json.dumps({"cells": cells_made, "metadata": {}, "nbformat": 4, "nbformat_minor": 2})
    )
    return path


def run(folder, *words, **more):
    return subprocess.run(
        [sys.executable, "-m", "tfgraphtools", *map(str, words)],
        cwd=str(folder),
        env=dict(os.environ, PYTHONPATH=str(ROOT), **more),
        capture_output=True,
        text=True,
    )


def test_as_a_script(tmp_path):
    """Cells in order, shell commands, 1.x meaning; a traceback with the cell's line."""
    written(tmp_path / "train.ipynb", CELLS)
    done = run(tmp_path, "run", "train.ipynb")
    assert done.stdout.split() == (
        "shell ['listed'] 300 2 1 why? % 3 2 {nothing} $total written 2 2 shown".split()
    ), done.stderr
    assert done.returncode == 1
    assert "1 / 0" in done.stderr and "ZeroDivisionError" in done.stderr


@pytest.mark.parametrize("text", ["%%ruby\nputs 1", "%store x"])
def test_unknown_magic(text, tmp_path):
    path = written(tmp_path / "a.ipynb", ["x = 1", text])
    with pytest.raises(ArgumentError, match="%(%ruby|store) in cell 2"):
        notebook.source_of(str(path))


def test_no_notebook(tmp_path):
    (tmp_path / "a.ipynb").write_text("x = null")
    done = run(tmp_path, "run", "a.ipynb")
    assert done.returncode == 2 and "expected a notebook" in done.stderr
    assert len(done.stderr.splitlines()) == 1


#: Cells for the kernel, and what they print.
IN_JUPYTER = {
    "import numpy as np, cPickle\nprint(np.uint8(200) + 100)": "300",
    "print 5 / 2, np.uint8(200) + 100": "2 300",
    "exec('print(np.uint8(200) + 100)')": "300",
    "import tensorflow as tf\nprint(type(tf.placeholder(tf.float32)) is tf.Tensor)": "True",
    "def half(x):\n    return np.uint8(200) + 100\n"
    "ds = tf.data.Dataset.range(1).map(half)\n"
    "print(tf.Session().run(ds.make_one_shot_iterator().get_next()))": "300",
    "open('old.py', 'w').write('import numpy as np\\nprint(np.uint8(200) + 100)')\n"
    "%run old.py": "300",
    "%timeit -n 1 -r 1 print(np.uint8(200) + 100)\nprint(np.uint8(200) + 100)": "300",
    "%unload_ext tfgraphtools\nprint(hasattr(__import__('tensorflow'), 'placeholder'))": "False",
}


@pytest.mark.parametrize("how", [pytest.param("kernel", marks=pytest.mark.slow), "extension"])
def test_in_jupyter(how, tmp_path, monkeypatch):
    """`kernel install` and `%load_ext` give the cells of a notebook 1.x meaning."""
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    cells = list(IN_JUPYTER)
    name = "tfgraphtools"
    if how == "kernel":
        done = run(tmp_path, "kernel", "install")
        assert done.returncode == 0, done.stderr
    else:
        name = "python3"
        cells.insert(0, "%load_ext tfgraphtools")
        if how == "extension":
            cells = cells[:2] + cells[-1:]  # the rest is the same code
    read = nbformat.read(str(written(tmp_path / "a.ipynb", cells)), as_version=4)
    place = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(read, kernel_name=name, timeout=300, resources=place).execute()
    printed = [
        "".join(
            out.get("text", "") for out in cell.outputs if out.get("name") == "stdout"
        ).splitlines()[-1]
        for cell in read.cells
        if cell.cell_type == "code" and cell.source in IN_JUPYTER
    ]
    assert printed == [IN_JUPYTER[text] for text in cells if text in IN_JUPYTER]
    if how == "kernel":
        assert run(tmp_path, "kernel", "remove").returncode == 0
        assert run(tmp_path, "kernel", "remove").returncode == 2
