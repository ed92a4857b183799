"""Calls of pandas and scikit-learn: written in today's words, with the results of their time."""

import pytest

pytestmark = pytest.mark.quick

HEAD = "import pandas as pd\nimport tensorflow as tf\nfrom sklearn import cluster, ensemble, svm\n"
HEAD += "tf.Session()\n"

#: Lines that stay: they say what they mean, or mean the same in both times.
SAME = [
    "s.str.replace('a', 'b')",
    "s.str.replace('.', 'b')",
    "s.str.replace('ab c', 'b')",
    "s.str.replace('a+', 'b', regex=False)",
    "'a+b'.replace('a+', 'b')",
    "df.fillna(0)",
    "x.fillna(0, inplace=True)",
    "get()['a'].fillna(0, inplace=True)",
    "y = df['a'].fillna(0, inplace=True)",
    "df[['a', 'b']].fillna(0, inplace=True)",
    "data[data.a > 0].fillna(0, inplace=True)",
    "data[(data.a > 0) & (data.b > 0)].fillna(0, inplace=True)",
    "data.loc[m].fillna(0, inplace=True)",
    "m = ['a', 'b']; data[m].fillna(0, inplace=True)",
    "frames = (x, y); frames[0].fillna(0, inplace=True)",
    "df.resample('3h')",
    "period.asfreq('M')",
    "pd.period_range('2020', periods=2, freq='M')",
    "pd.concat([a, b])",
    "pd.concat(*frames)",
    "df.drop('a')",
    "df.set_index('a')",
    "series.sort_values(0)",
    "pd.to_datetime(x, format='%Y')",
    "pd.to_datetime('2020-01-01')",
    "table.lookup(ids)",
    "numbers['a'].mean()",
    "cluster.KMeans(3, n_init=5)",
    "svm.LinearSVC(dual=False)",
    "ensemble.RandomForestClassifier(max_features='sqrt')",
]

#: Old line -> new line.
NEW = {
    "s.str.replace('a+', 'b')": "s.str.replace('a+', 'b', regex=True)",
    r"s.str.replace('ab', r'\g<0>')": r"s.str.replace('ab', r'\g<0>', regex=True)",
    "s.str.replace('ab', f)": "s.str.replace('ab', f, regex=True)",
    "df.fillna(method='pad', limit=2)": "df.ffill(limit=2)",
    "df.fillna(method='bfill', inplace=True)": "df.bfill(inplace=True)",
    "df['a'].fillna(0, inplace=True)": "df['a'] = df['a'].fillna(0)",
    "df['a'].fillna(inplace=True, method='ffill')": "df['a'] = df['a'].ffill()",
    "self.df['a'].replace(1, 2, inplace=True)": "self.df['a'] = self.df['a'].replace(1, 2)",
    "df.to_csv(f, line_terminator='x')": "df.to_csv(f, lineterminator='x')",
    "df.resample('3H').mean()": "df.resample('3h').mean()",
    'pd.date_range(a, periods=2, freq="M")': 'pd.date_range(a, periods=2, freq="ME")',
    "pd.concat([a, b], 1)": "pd.concat([a, b], axis=1)",
    "pd.concat([a, b], 0, 'inner')": "pd.concat([a, b], axis=0, join='inner')",
    "df.drop(cols, 1)": "df.drop(cols, axis=1)",
    "df.set_index('a', False)": "df.set_index('a', drop=False)",
    "df.sort_values(['a'], 0, False)": "df.sort_values(['a'], axis=0, ascending=False)",
    "df.sort_index(1)": "df.sort_index(axis=1)",
    "df.applymap(str)": "df.map(str)",
    "index.is_monotonic": "index.is_monotonic_increasing",
    "pd.to_datetime(x)": 'pd.to_datetime(x, format="mixed")',
    "pd.to_datetime(x, infer_datetime_format=True)": 'pd.to_datetime(x, format="mixed")',
    "df['a'].ravel()": "attribute(df['a'], \"ravel\")()",
    "df.mad()": 'attribute(df, "mad")()',
    "cluster.KMeans(n_jobs=2, precompute_distances=True)": "cluster.KMeans(n_init=10)",
    "cluster.KMeans(2, n_jobs=2, n_init=3, precompute_distances=1)": "cluster.KMeans(2, n_init=3)",
    "svm.LinearSVC(C=2)": "svm.LinearSVC(C=2, dual=True)",
    "ensemble.RandomForestRegressor(max_features='auto')": (
        "ensemble.RandomForestRegressor(max_features=1.0)"
    ),
    "ensemble.RandomForestClassifier(max_features='auto')": (
        "ensemble.RandomForestClassifier(max_features='sqrt')"
    ),
    "ensemble.AdaBoostClassifier(base_estimator=x, algorithm='SAMME')": (
        "ensemble.AdaBoostClassifier(estimator=x)"
    ),
}


def _after(upgraded, line):
    lines = upgraded(HEAD + line + "\n").splitlines()
    assert upgraded("\n".join(lines) + "\n").splitlines() == lines
    return lines[-1]


@pytest.mark.parametrize("line", SAME)
def test_stays(line, upgraded):
    assert _after(upgraded, line) == line


@pytest.mark.parametrize("line", NEW)
def test_written_in_the_words_of_today(line, upgraded):
    pytest.importorskip("sklearn")
    assert _after(upgraded, line) == NEW[line]
    assert not upgraded.report.left


def test_a_method_of_the_codebase_is_not_pandas_s(upgraded):
    source = (
        "class Deck:\n    def drop(self, card, count):\n        pass\n\n\nDeck().drop('a', 1)\n"
    )
    assert upgraded(HEAD + source).endswith(source)


def test_today_s_code_stays(upgraded):
    source = "import pandas as pd\nimport tensorflow as tf\n\ntf.function\n"
    source += "\n".join(NEW) + "\n"
    assert upgraded(source) == source


def test_arguments_that_are_not_written_out_are_left(upgraded):
    assert _after(upgraded, "cluster.KMeans(**options)") == "cluster.KMeans(**options)"
    (finding,) = [finding for _, finding in upgraded.report.unresolved()]
    assert finding.name == "sklearn.cluster.KMeans" and "n_init=10" in finding.reason


#: (line, expression, its value with pandas 1: written by hand).
RESULTS = [
    ("y = s.str.replace('b+', 'x')", "list(y)", ["ax", "c"]),
    ("y = df.fillna(method='ffill')", "list(y['a'])", [1.0, 1.0]),
    ("df['a'].fillna(5, inplace=True)", "list(df['a'])", [1.0, 5.0]),
    ("df[['a', 'b']].fillna(5, inplace=True)", "df['a'].isnull().sum()", 1),
    ("df[df.b > 3].fillna(5, inplace=True)", "df['a'].isnull().sum()", 1),
    ("m = df.b > 3; df[m].fillna(5, inplace=True)", "df['a'].isnull().sum()", 1),
    ("c = 'a'; df[c].fillna(5, inplace=True)", "list(df['a'])", [1.0, 5.0]),
    ("d = {'t': df}; d['t'].fillna(5, inplace=True)", "list(df['a'])", [1.0, 5.0]),
    ("df['a'].replace(1, 7, inplace=True)", "df['a'][0]", 7.0),
    ("y = pd.concat([df, df], 1)", "y.shape", (2, 4)),
    ("y = df.sort_values('b', 0, False)", "list(y['b'])", [4, 3]),
    ("y = df.set_index('b', False)", "list(y.columns)", ["a", "b"]),
    ("y = df.drop('a', 1)", "list(y.columns)", ["b"]),
    ("y = df.applymap(str)", "y['b'][0]", "3"),
    ("y = pd.to_datetime(['13/01/2020', '01/02/2020'])", "[d.day for d in y]", [13, 2]),
    ("y = pd.date_range('2020-01-01', periods=2, freq='M')", "[d.day for d in y]", [31, 29]),
    ("y = pd.get_dummies(s)", "y.values.tolist()", [[1, 0], [0, 1]]),
]


@pytest.mark.parametrize("line, expression, expected", RESULTS, ids=[one[0] for one in RESULTS])
def test_results_of_pandas_1(line, expression, expected, upgraded):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [1.0, None], "b": [3, 4]})
    names = {"pd": pandas, "df": frame, "s": pandas.Series(["abb", "c"])}
    exec(_after(upgraded, line), names)
    assert eval(expression, names) == expected
