"""What doctor says of uses that `run` leaves as the installed library has them."""

import ast

import pytest

from tfgraphtools import compat
from tfgraphtools.compat.constraints import run_notice
from tfgraphtools.compat.doctor import differences, examine
from tfgraphtools.compat.engine import rows

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

_PANDAS = "import pandas as pd\n"
_METRICS = "from sklearn import metrics\n"

#: source -> the names of the changes that it meets
CHANGES = {
    _PANDAS + "df.to_dict('record')": ["to_dict"],
    _PANDAS + "df.set_axis(names, inplace=True)": ["set_axis"],
    _PANDAS + "df.set_axis(names)": [],
    _PANDAS + "pd.date_range('2018-01-01', periods=3, closed='left')": ["pandas.date_range"] * 2,
    _PANDAS + "df['a'].replace({'yes': 1, 'no': 0})": ["replace"],
    _PANDAS + "df['a'].replace(old, new)": ["replace"],
    _PANDAS + "name.replace(' ', '_')": [],
    _PANDAS + "'a.txt'.replace(old, new)": [],
    _PANDAS + "name.replace(old, f'{x}')": [],
    _PANDAS + "df.tshift(1)": ["tshift"],
    "df.tshift(1)": [],
    _METRICS + "metrics.mean_squared_error(a, b, squared=False)": [
        "sklearn.metrics.mean_squared_error"
    ],
    _METRICS + "metrics.mean_squared_error(a, b)": [],
    "from sklearn.cross_validation import StratifiedKFold as F\nF([0, 1], n_folds=2)": [],
    "import sklearn\nmodel.sigma_": ["sigma_"],
    "import librosa\nlibrosa.output.times_csv('a', x)": ["librosa.output.times_csv"],
    "import tensorflow as tf\ntf.erf(x)": ["tensorflow.erf"],
    "import tensorflow as tf\ntf.math.bessel_i1(x)": ["tensorflow.math.bessel_i1"],
    "import tensorflow as tf\ntf.saturate_cast(x, tf.int32)": ["tensorflow.saturate_cast"],
    "import tensorflow as tf\ntf.exp(x)": [],
}


@pytest.mark.quick
@pytest.mark.once
@pytest.mark.parametrize("source, names", CHANGES.items(), ids=[*CHANGES])
def test_a_use_is_named(source, names):
    met = dict.fromkeys(differences.in_tree(ast.parse(source)))
    assert [change.name.lstrip(".") for change, _ in met] == names


#: names that left libraries and that `run` does not give back
GONE = (
    "pandas.Int64Index",
    "pandas.value_counts",
    "scipy.stats.itemfreq",
    "scipy.stats.binom_test",
    "scipy.special.sph_harm",
    "matplotlib.cbook.is_string_like",
)


def test_names_that_are_gone_are_not_supported(tmp_path):
    for name in GONE:
        pytest.importorskip(name.partition(".")[0])
    by_name = {row.name: row for table in rows.tables() for row in table.rows}
    gone = [name for name in GONE if rows.is_needed(by_name[name])]  # an old library has some
    lines = [f"import {name.rpartition('.')[0]}\n{name}\n" for name in gone]
    (tmp_path / "old.py").write_text("".join(lines))
    statuses = [entry.status for entry in examine(str(tmp_path)).entries]
    advice = {each.name: each.why for each in statuses if each.status == "not supported"}
    assert [name for name in gone if "write " not in advice.get(name, "")] == []


def test_a_difference_of_tensorflow_has_no_older_version(tmp_path):
    source = "import tensorflow as tf\ntf.erf(1.0)\n"
    (tmp_path / "net.py").write_text(source)
    report = examine(str(tmp_path))
    differing = [e.status for e in report.entries if e.status.status == "differs"]
    assert [status.name for status in differing] == ["tensorflow.erf"]
    assert "infinite float64" in differing[0].why and "TensorFlow 2.x" in differing[0].why
    assert report.next_steps == []
    assert not any("tensorflow" in line for line in report.constraints)
    assert run_notice.changes_in(ast.parse(source), source.encode()) == ()
