"""What an installed package gets of pandas, scikit-learn and others is what plain Python gives.

Each public name that is replaced for user code is called from an installed package, in ways of
then and now. Results, types, texts and exceptions must be the same under `run` and `activate()`.
"""

import importlib
import inspect
import json

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

for _name in ("pandas", "sklearn", "scipy", "matplotlib", "h5py"):
    pytest.importorskip(_name)

#: The installed package: it calls what it is told, and describes what it gets.
PACKAGE = '''
import importlib
import re
import warnings

import numpy as np


def described(value):
    """A text with the value, its type and the types of its columns."""
    kinds = str(getattr(value, "dtypes", getattr(value, "dtype", "")))
    text = re.sub("0x[0-9a-f]+", "0x", repr(value))
    return " ".join([type(value).__module__, type(value).__name__, text, kinds])


def called(function, *arguments, **options):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return described(function(*arguments, **options))
    except Exception as error:
        words = sorted(re.findall(r"\\w+", str(error)))  # pandas lists sets in any order
        return type(error).__name__ + ": " + " ".join(words)


def owner_of(target):
    module, _, path = target.partition(":")
    owner = importlib.import_module(module)
    *parents, name = path.split(".")
    for parent in parents:
        owner = getattr(owner, parent)
    return owner, name


def frame():
    import numpy as np
    import pandas as pd

    times = pd.to_datetime(["2015-01-01", "2015-01-02", "2015-01-04"])
    return pd.DataFrame({"a": [1.0, np.nan, 3.0], "b": [3, 1, 2], "c": ["x", "y", "x"]}, times)


OF_PANDAS = [
    ((), {}), ((1,), {}), (("c", 1), {}), (("a",), {}), ((["a"],), {}), ((0, 1, 2), {}),
    ((0,), {"inplace": True}), ((), {"method": "ffill"}), ((), {"freq": "H"}), (("H",), {}),
    (("x", 1), {}), ((["13-02-2018"],), {}), ((["1", "z"],), {"errors": "ignore"}),
    (("2015-01-01", "2015-03-01", None, "M"), {}), ((5, "T"), {}), (("record",), {}),
    ((), {"line_terminator": ";"}), (([["x", "y"]], ), {}), (((slice(None), None),), {}),
    ((0, 9.5), {}), (("[xy]", "z"), {}),
]


def values_of(owner):
    if owner == "Series":
        yield from (frame()["a"], frame()["c"], frame().reset_index()["b"])
        import pandas as pd
        yield pd.Series([0, 0, 0], index=list("abc"), name="n")
    elif owner == "DataFrameGroupBy":
        yield frame().groupby("c")
    elif owner == "Series.str":
        yield frame()["c"].str
    else:
        yield frame()


def of_pandas(target):
    owner, name = target.partition(":")[2].rpartition(".")[::2]
    if not owner:
        import pandas
        yield called(getattr(pandas, name), ["01-02-2018", "13-02-2018"])
    for arguments, options in OF_PANDAS:
        if not owner:
            import pandas
            yield called(getattr(pandas, name), *arguments, **options)
            continue
        for value in values_of(owner):
            yield called(getattr(value, name), *arguments, **options)
            yield described(value if hasattr(value, "dtypes") else 0)


OF_SKLEARN = (
    "base_estimator affinity Xred Y dim W n_iter n_alphas store_cv_values y_prob probas_pred Xt "
    "force_all_finite fit_params copy n_jobs cov_init alpha algorithm behaviour verbose normalize "
    "multi_class copy_X sparse sum_over_features iid X_idx_sorted squared precompute_distances "
    "regularization"
).split()
VALUES = [("criterion", "mse"), ("loss", "log"), ("max_features", "auto"), ("penalty", "none")]


def of_sklearn(target):
    owner, name = owner_of(target)
    if isinstance(owner, type) and name == "__init__":
        yield called(lambda: owner().get_params())
        for word, value in [*[(word, None) for word in OF_SKLEARN], *VALUES]:
            yield called(lambda: owner(**{word: value}))
    elif isinstance(owner, type):
        for word in OF_SKLEARN:
            yield called(lambda: getattr(owner(), name)(**{word: None}))
    else:
        function = getattr(owner, name)
        for word in OF_SKLEARN:
            yield called(function, [0.0, 1.0, 1.0], [0.0, 1.0, 0.0], **{word: False})
        yield called(function, [0.0, 1.0, 1.0], [0.0, 1.0, 0.0])


def of_others(target):
    import h5py, io, matplotlib.figure, numpy as np
    from scipy import stats

    for options in ({"alpha": 0.9}, {"confidence": 0.9}):
        yield called(stats.norm.interval, **options)
        yield called(stats.poisson(3).interval, **options)
    figure = matplotlib.figure.Figure()
    yield called(figure.gca, projection="3d")
    yield called(lambda: figure.gca().name)
    from mpl_toolkits.mplot3d import Axes3D
    yield called(lambda: [Axes3D(figure) in figure.axes])
    with h5py.File(io.BytesIO(), "w") as file:
        file.attrs["bytes"], file.attrs["text"], file.attrs["list"] = b"one", "two", [b"a", b"bc"]
        yield called(lambda: [file.attrs[name] for name in ("bytes", "text", "list")])
        file.create_dataset("texts", data=["a", "b"], dtype=h5py.string_dtype())
        yield called(lambda: [file["texts"][()], np.array(file["texts"]), file["texts"].dtype])
        yield called(lambda: file.create_dataset("bytes", data=[b"a", b"bc"]).dtype)


def probes(targets):
    for target in targets:
        root = target.partition(":")[0].partition(".")[0]
        of = {"pandas": of_pandas, "sklearn": of_sklearn}.get(root, of_others)
        for number, text in enumerate(of(target)):
            yield f"{target} {number}", text


def example():
    """The one of the issue: a value that does not fit is refused, and converted by its caller."""
    import pandas as pd

    c = pd.Series([0, 0, 0], index=list("abc"))
    try:
        c["a"] = 2.75
    except TypeError:
        c = c.astype(float)
        c["a"] = 2.75
    return c.tolist()
'''

SCRIPT = """
import json, sys
{first}
sys.path.insert(0, sys.argv[1])
import other_package
targets = json.load(open("targets.json"))
json.dump(dict(other_package.probes(targets)), open(sys.argv[2], "w"))
print(other_package.example())
"""

ACTIVATE = """
from tfgraphtools import compat
handle = compat.activate()
"""


def _targets(monkeypatch_):
    """What is replaced for user code in these libraries, as "module:attribute"."""
    from tfgraphtools.compat.fixes.others import h5py
    from tfgraphtools.compat.fixes.pandas import columns, dates, dropped_arguments, positional
    from tfgraphtools.compat.fixes.pictures import matplotlib_figures
    from tfgraphtools.compat.fixes.sklearn import renamed_arguments as of_sklearn

    collected = [*matplotlib_figures.replacements()]
    for part in (dropped_arguments, columns, dates, positional):
        collected += part.replacements()
    for module in (of_sklearn, h5py):
        monkeypatch_.setattr(module, "install_after_import", lambda *more: collected.extend(more))
        module.install()
    return sorted({target for replacement in collected for target in replacement.targets})


@pytest.fixture(scope="module")
def targets():
    with pytest.MonkeyPatch.context() as patch:
        return _targets(patch)


@pytest.fixture(scope="module")
def answers(interpreters, targets, tmp_path_factory):
    """{way: {probe: what the installed package got}}"""
    folder = tmp_path_factory.mktemp("probes")
    site = folder / "site-packages"
    site.mkdir()
    (site / "other_package.py").write_text(PACKAGE)
    (folder / "targets.json").write_text(json.dumps(targets))
    waiting, result = {}, {}
    for way, kind, first in (
        ("plain", "plain", ""), ("run", "compat", ""), ("activate", "plain", ACTIVATE)
    ):  # fmt: skip
        (folder / f"{way}.py").write_text(SCRIPT.format(first=first))
        words = [f"{way}.py", str(site), f"{way}.json"]
        waiting[way] = interpreters[kind].start(folder, words, outputs=folder)
    for way, wait in waiting.items():
        done = wait()
        assert done.code == 0, done.err
        assert done.out == "[2.75, 0.0, 0.0]\n"
        result[way] = json.loads((folder / f"{way}.json").read_text())
    return result


def test_there_are_many(answers, targets):
    assert len(targets) > 130 and len(answers["plain"]) > 1500
    assert len(set(answers["plain"].values())) > 400


def test_each_is_a_function(targets):
    """A descriptor of another kind could not be called as the original."""
    for target in targets:
        module, _, path = target.partition(":")
        owner = importlib.import_module(module)
        *parents, name = path.split(".")
        for parent in parents:
            owner = getattr(owner, parent)
        assert callable(inspect.getattr_static(owner, name)), target


@pytest.mark.parametrize("way", ["run", "activate"])
def test_an_installed_package_gets_what_plain_python_gives(way, answers):
    plain, ours = answers["plain"], answers[way]
    differences = {name: (plain[name], ours[name]) for name in plain if plain[name] != ours[name]}
    shown = "\n".join(f"{name}\n  {a[:200]}\n  {b[:200]}" for name, (a, b) in differences.items())
    assert not differences, shown[:4000]
