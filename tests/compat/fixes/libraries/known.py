"""The known differences of drawn calls: (grammar, call, difference, reason), patterns of `re`.

A difference is "!Error message", or "what the old library gives -> what `run` gives" of the first
part that differs. What differs silently belongs to `SAID`, with a word of the notice, or to
`UNSAID`, where no number differs that a script computes with; errors are loud by themselves.
"""
# ruff: noqa: E501 (patterns, each on its line)

SAID = (
    ("scipy", r"ortho_group", r"", "ortho_group draws"),
    ("pandas", r"g = f\.iloc|g = f\['a'\]|\.values\[", r"", "sliced from a frame|shares its data"),
    ("sklearn", r"AdaBoostClassifier", r"", "AdaBoostClassifier boosts"),
    ("sklearn", r"(Lasso|ElasticNet|LassoLars|Lars)CV", r"", "may choose another alpha"),
    ("sklearn", r"MinCovDet|EllipticEnvelope", r"", "MinCovDet draws"),
    ("sklearn", r"DictionaryLearning.*random_state", r"^[^!]", "DictionaryLearning updates"),
    ("sklearn", r"SparsePCA", r"", "SparsePCA updates"),
    ("sklearn", r"MDS\(", r"", "MDS stops"),
    (
        "sklearn",
        r"GradientBoostingClassifier",
        r"^\"-?\\d|^\"-?[0-9]",
        "GradientBoostingClassifier rounds",
    ),
    ("sklearn", r"SGDClassifier\(loss='log'", r"", "SGDClassifier rounds"),
    ("pandas", r"ewm\(.*adjust=False\)\.(mean|agg)", r"", "adjust=False"),
    (
        "pandas",
        r"^f = F6.*groupby\(\[.*sort=False",
        r"'[a-z]'",
        "lists the combinations that occur first",
    ),
    ("pandas", r"read_csv.*dtype='category'|read_table.*dtype='category'", r"", "category"),
)

UNSAID = (
    (
        "scipy",
        r"^stats\..*\.(stats|entropy)\(|factorial2?|factorialk|sph_harm|to_rgba|__class__",
        r"",
        "a number, where it was an array of one, or of another type",
    ),
    (
        "scipy",
        r"freqz|get_extent|check_grad\(.*2 \* x|to_rgba",
        r"",
        "the sign of zero; a tuple or a list",
    ),
    ("sklearn", r"^metrics", r"^\"(int|float)\" -> \"(int|float)\"$", "a count is a float"),
    ("sklearn", r"inverse_transform", r"", "the order of the words of a document"),
    (
        "pandas",
        r"isocalendar\(\)|memory_usage|kurt\(\)|ravel\(\)|F8\(\)\['h'\]|\[v\]\)|Series\(\)|f\[0\] = True|loc\[f\['b'\] == 2, 'n'\]",
        r"",
        "the dtype of the same values",
    ),
    (
        "pandas",
        r"",
        r'^"(object|bool)" -> "(bool|object)"$',
        "an index of truth values holds bool, where it held objects",
    ),
    (
        "pandas",
        r"merge\(|DataFrame\((\)|index=|columns=)|read_table\(text\(3\)",
        r'^"object" -> "int64"$',
        "the index of an empty frame holds whole numbers, where it held objects",
    ),
    (
        "pandas",
        r"\[f?\.?isnull\(\)\] = 0|get_dummies\(F6|extract\(|describe\(\)|value_counts\(|agg\(\[?'sum', 'count'|transform\('sum'\)|mode\(\)",
        r'^"\w+(\[ns\])?" -> "\w+(\[ns\])?"$|^"None" -> "\w+"$',
        "the dtype or the name, of the same values",
    ),
    (
        "pandas",
        r"\['new'\] = |\.loc\[0\] = |loc\[(9|len\(f\)|'new')\] = |append\(|loc\[0, \[|\[f\.b > 2\] = |combine_first|concat|replace\(\[1, 2\]",
        r'^"?(u?int|float|object|bool|datetime64|None|NaN|True|category)',
        "the dtype of a column that another dtype is added to",
    ),
    (
        "pandas",
        r"kind='period'|freqstr|str\(f\)|value_counts\(bins",
        r"period\[|Freq: |00:00:00\]|^\"'?[0-9]*[A-Z]+(-[A-Z]+)?'?\" ->",
        "periods and frequencies are written in today's letters",
    ),
    (
        "pandas",
        r"as_index=False",
        r'^"(object|DataFrame|float64)" -> "(int64|Series)"$|^\["None", "None"\] -> \["None"\]$',
        "the dtype and the name of an index that nobody asked for, and of what transform gives",
    ),
    (
        "pandas",
        r"concat\(",
        r"(int|str|'\w'|[0-9])",
        "the order of columns whose names have two types",
    ),
    (
        "pandas",
        r"concat\(.*axis",
        r"Timestamp|1970|datetime64",
        "1.3 made times of the numbers of an index",
    ),
    ("pandas", r"applymap\(type\)|apply\(type\)", r"", "the name of a class"),
    (
        "pandas",
        r"utcfromtimestamp|Z'",
        r"UTC|\+00:00",
        "times of UTC say so",
    ),
    (
        "pandas",
        r"^f = F6\(\).*(groupby|agg\(|sum\()",
        r'^"(object|int64|float64|category)" -> "(float64|int64|object|category)"$',
        "the dtype of what groups of no rows give",
    ),
    (
        "pandas",
        r"F3\(\); f(\[\[.*\]\])?\.(agg|mode)|groupby\('b'|groupby\(level=0\)",
        r"",
        "columns of mixed types that cannot be aggregated",
    ),
    ("pandas", r"F8\(\)", r"-56|uint8|int16|255", "1.3 cut numbers off at 8 bits"),
    ("pandas", r"read_(table|csv)\(text\(7\)", r"", "1e400 is a number, where it was a text"),
    ("pandas", r"iloc\[1\] = -1|\[1:3\] = -1", r"", "1.3 cut numbers off at 8 bits"),
    ("pandas", r"'n'\] = None|None", r"NoneType|None|nan", "None where it was NaN"),
)

ERRORS = (
    ("scipy", r"pinv\(", r"^!", "cond= and rcond= left SciPy (1.7 took and ignored them)"),
    (
        "scipy",
        r"",
        r"^!.*(AttributeError.*(has no attribute|left)|ConnectionError|Hz|PieContainer)|GoneError",
        "left SciPy; or a download",
    ),
    (
        "sklearn",
        r"",
        r"^!.*(stop_words_|intercept_|coef_|n_iter|n_features_|residues_|behaviour|sigma_)",
        "left scikit-learn",
    ),
    (
        "pandas",
        r"",
        r"!.*(idxm\w+|quantile with bool|Categorical|categor|is_all_dates|\[:, None\]|get_value|to_datetime)",
        "left pandas, or refused by it",
    ),
    (
        "pandas",
        r"value_counts\(\)|F3\(\)|^f = F6|rank|exact=False|F8\(\); f\.(sum|any|all|prod|cumprod)|groupby\(.*(dtypes|mad|sample)|keys=|Int64Index|freq='D'|get_value|format=|strftime",
        r"^!",
        "what cannot be ordered, added up or parsed is refused",
    ),
)
