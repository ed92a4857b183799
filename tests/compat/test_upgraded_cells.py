"""The cells of the tables after `upgrade`: under plain Python they print what TF 1.15 prints.

A fixed draw runs always; all of them with TFGRAPHTOOLS_ALL_CELLS=1 (some minutes).
"""

import importlib.util
import os
import re

import pytest
from recorded_cells import key, recordings, runs_on_115
from written_out import written_out

from row_scripts import cells, difference
from tfgraphtools import compat
from tfgraphtools.compat import legacy, rewrites
from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.fixes.keras import standalone

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

#: The cells that run always: their files, and their first rows there.
DRAW = """
before_one.py:tensorflow.mul before_one.py:tensorflow.batch_matmul before_one.py:tensorflow.nn.rnn
before_one.py:tensorflow.models behaviour.py:tensorflow.cond
contrib_ops.py:tensorflow.contrib.image.rotate
contrib_dropped.py:tensorflow.contrib.seq2seq.dynamic_rnn_decoder datasets.py:tensorflow.examples
estimators.py:tensorflow.estimator flags.py:flags.undefined flags.py:flags.absl
public_names.py:tensorflow.__version__ numpy.py:numpy.bool numpy.py:numpy.array numpy.py:attributes
stdlib.py:unittest.TestCase science.py:scipy.stats.mode scipy.py:scipy.misc.comb
sklearn.py:sklearn.cross_validation stdlib.py:urllib2 stdlib.py:itertools.izip
stdlib.py:string.letters standalone_keras.py:keras.standalone tables.py:yaml.load
python2.py:python2.syntax
""".split()

#: Words of cells that ask for names which are only known at run time: `upgrade` reports those.
COMPUTED = ("getattr(", "import_module(", "__import__(", "cls(loop=loop)", "for module in (")

#: Cells that show a row in a way that no source can, and why.
ELSEWHERE = {
    "python2.implicit_relative_imports": "writes its modules as it runs: see test_python2.py",
    "python2.by_company": "writes its modules as it runs: see test_python2.py",
    "python2.next": "defines next() itself in Python 3 source: see test_python2.py",
    "python2.classes": "__cmp__, which Python 3 never calls",
    "plistlib.Data": "asks hasattr first, so that upgrade leaves the line alone",
    "numpy.lookfor": "prints where functions are, and their source",
    "numpy.fv": "shows what `run` says where numpy_financial is not installed",
    "skimage.transform.resize": "its image of bool is listed: see upgrade/test_programs.py",
    "builtins.unicode": "asks whether bytes are a basestring: str is what people write",
}

#: Cells that do not print it yet, and what is in the way.
OPEN = {
    "flags.py:flags.default": "a float flag that counts becomes an integer, and prints as one",
    "standalone_keras.py:h5py.strings": "Keras's losses in a list print as np.float64(0.5)",
    "python2.py:python2.lists": "map(None, a, b) of Python 2",
    "seeds.py:seeds.tensordot": "run replaces the function; seeds.reproduce() does not",
    "seeds.py:seeds.gradient.broadcast": "run replaces the function; seeds.reproduce() does not",
}

_KINDS = dict(rewrites.rewrites())
_CALLS = {row.name for table in rows.tables() if table.kind == "calls" for row in table.rows}
_ROOTS = sorted({name.partition(".")[0] for name in _KINDS} - {"seeds"})


def _key(cell):
    return f"{cell.file}:{cell.rows[0]}"


def _text(cell):
    """The cell's source, with its loops over names written out.

    Names of ``tensorflow.python`` alone do not say for which TensorFlow a file was written.
    """
    computed = "hasattr(" in cell.text or any(word in cell.text for word in COMPUTED)
    text = written_out(cell.text) if computed else _with_calls_in_source(cell.text)
    inner = "tensorflow.python" in text and "tf.Session" not in text and "__future__" not in text
    programs = {"numpy.scalar_printing", "pandas.get_dummies"}.intersection(cell.rows)
    is_program = inner or programs  # what only files that use TensorFlow get
    return "import tensorflow as tf\ntf.Session\n" + text if is_program else text


def _with_calls_in_source(text):
    """Returns the text of a cell with source code for the calls that it evaluates from a string."""
    calls = re.findall(r"^(\S.*) \|.*$", text, re.MULTILINE) if "eval(call)" in text else []
    if not calls:
        return text
    functions = "".join(f"    {call!r}: lambda: {call},\n" for call in calls)
    return text.replace("eval(call)", "CALLS[call]()").replace(
        "def show(", f"CALLS = {{\n{functions}}}\ndef show(", 1
    )


def _why_not(cell):
    """Why no change of source makes a cell print what it printed; None where one does."""
    stays = [one.reason for one in map(_KINDS.get, cell.rows) if isinstance(one, rewrites.Stays)]
    if stays:
        return stays[0]
    if any(word in _text(cell) for word in COMPUTED):
        return "names that are computed"
    return next((ELSEWHERE[row] for row in cell.rows if row in ELSEWHERE), None)


def _asked(cell):
    """What is written only where it is asked for: entries, lenient flags, calls of either time."""
    entries = [row for row in cell.rows if isinstance(_KINDS[row], rewrites.Entry)]
    flags = [row for row in cell.rows if row.startswith("flags.")]
    calls = sorted(_CALLS) if _CALLS.intersection(cell.rows) else []
    return ["numpy.scalar_printing", *entries, *flags, *calls]


ALL = "TFGRAPHTOOLS_ALL_CELLS" in os.environ
CELLS = [
    cell for cell in cells() if (ALL and _why_not(cell) is None) or (not ALL and _key(cell) in DRAW)
]


def _is_missing(name):
    if name == "contrib":
        return legacy.find() is None
    if name == "keras-2.2.4":
        return standalone.folder() is None
    return importlib.util.find_spec(name) is None


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.name)
def test_upgraded(cell, interpreters, tmp_path, request):
    from tfgraphtools import upgrade

    if _key(cell) in OPEN:
        request.applymarker(pytest.mark.xfail(reason=OPEN[_key(cell)]))
    for name in cell.remarks.get("needs", "").split():
        if _is_missing(name):
            pytest.skip("needs " + name)
    known = None if ALL else recordings().get(key(cell))
    on_115 = runs_on_115(cell) and known is None
    if on_115 and not interpreters["1.15"]:
        pytest.skip("needs TF 1.15")
    folders = {}
    for kind in ("1.15", "plain"):
        folders[kind] = tmp_path / kind
        folders[kind].mkdir()
        text = _text(cell) if kind == "plain" else cell.text
        (folders[kind] / "cell.py").write_text(text, encoding="utf-8")

    def start(kind):
        return interpreters[kind].start(folders[kind], ["cell.py"], outputs=folders[kind])

    waiting = start("1.15") if on_115 else None
    select = _ROOTS + _asked(cell)
    is_of_tf_keras = "--without keras.standalone" in cell.remarks.get("options", "")
    keras = "tf_keras" if is_of_tf_keras else "legacy"
    upgrade.examine([str(folders["plain"])], select=select, keras=keras).write(force=True)
    done = start("plain")()
    wanted = waiting().out if on_115 else known or cell.expected
    assert done.code == 0, done.err
    tolerance = float(cell.remarks.get("tolerance", 1e-5))
    assert difference(done.out, wanted, tolerance) is None
