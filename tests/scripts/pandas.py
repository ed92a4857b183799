# %% pandas.chained_assignment [needs: pandas] [fails-not: the frame stays as it was]
import numpy as np
import pandas as pd
def frame():
    return pd.DataFrame({"a": [1.0, np.nan, 3.0], "b": [1, 2, 3], "c": ["x", "y", "x"]})
df = frame(); df["a"].fillna(0, inplace=True); print(df.values.tolist())
df = frame(); df.a.fillna(0, inplace=True); print(df.values.tolist())
df = frame(); df["a"].replace(1.0, 5.0, inplace=True); print(df.values.tolist())
df = frame(); df["a"][df["b"] > 1] = 9.0; print(df.values.tolist())
df = frame(); df.a[0] = 7.0; print(df.values.tolist())
df = frame(); df["a"].loc[0] = 7.0; print(df.values.tolist())
df = frame(); df["a"].iloc[1:] = 7.0; print(df.values.tolist())
df = frame(); df["c"][0] = "zz"; print(df.values.tolist())
df = frame(); df["b"][df.b > 1] += 10; print(df.values.tolist())
column = "a"
df = frame(); df[column][1] = 2.0; print(df.values.tolist())
class Holder(object):
    def __init__(self):
        self.x, self.__y, self.df = [0, 0], {}, frame()
    def fill(self):
        self.x[1] = 5
        self.__y["k"] = 6
        self.df["a"][1] = 8.0
        return self.x, self.__y, self.df.a.tolist()
print(Holder().fill())
nested = {"k": {}}
nested["k"]["j"] = 1
array = np.zeros((2, 2))
array[0][1:] = 3
print(nested, array.tolist())

# %% pandas.object_texts [needs: pandas] [fails-not: another dtype]
import pandas as pd
df = pd.DataFrame({"a": [1.0, 2.0], "c": ["x", None]})
print(df["c"].dtype == object, [str(kind) for kind in df.dtypes], df.c.tolist(), df.select_dtypes(include=["object"]).columns.tolist())
print(type(df["c"].values).__name__, type(df["c"].unique()).__name__, df.values.dtype, df.columns.dtype)

# %% pandas.nanoseconds [needs: pandas] [fails-not: a thousandth]
import datetime
import io
import numpy as np
import pandas as pd
times = pd.to_datetime(pd.Series(["2015-01-01", "2015-01-02"]))
print(pd.Series(np.array(["2015-01-01"], "M8[D]")).astype(np.int64).tolist(), pd.Series(np.array([5, 7], "m8[s]")).astype("int64").tolist())
print(pd.to_datetime(["3000-01-01", "2015-01-01"], errors="coerce").isna().tolist())
print((times.astype(np.int64) // 10**9).tolist(), times.values.dtype, (times - times[0]).astype(np.int64).tolist())
print(pd.date_range("2015-01-01", periods=2).values.astype("int64").tolist(), pd.DatetimeIndex(["2015-01-01"]).asi8.tolist())
print(pd.Series([datetime.datetime(2015, 1, 1)]).astype("int64").tolist(), (times - pd.Timestamp("2014-12-31")).dt.days.tolist())
read = pd.read_csv(io.StringIO("d,x\n2015-01-01,1\n2015-01-02,2\n"), parse_dates=["d"], index_col="d")
print(read.index.astype(np.int64).tolist(), read["2015-01-02":].x.tolist(), times.dt.tz_localize("UTC").astype(str).tolist())
print((times.values.astype("datetime64[s]").astype(int)).tolist(), times.max().value, times.dt.year.tolist())

# %% pandas.get_dummies [needs: pandas] [fails-not: truth values]
import numpy as np
import pandas as pd
print(pd.get_dummies(["a", "b", "a"]).values.tolist(), (-pd.get_dummies(pd.Series(["a", "b"])).values).tolist())
df = pd.DataFrame({"a": [1.0, 2.0], "c": ["x", "y"]})
print(pd.get_dummies(df).values.tolist(), pd.get_dummies(df, columns=["c"]).values.dtype, str(pd.get_dummies(df.c, dtype=bool).values.dtype))

# %% pandas.writable_values [needs: pandas]
import numpy as np
import tensorflow as tf
import pandas as pd
df = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})
values = df["b"].values
values[0] = 5
df["a"].values[1] = 7
np.random.RandomState(0).shuffle(values)
print(sorted(values), df.a.tolist(), df.values.sum())

# %% pandas.position_in_series [needs: pandas]
import numpy as np
import tensorflow as tf
import pandas as pd
series = pd.Series([1, 2, 3], index=["x", "y", "z"])
print(series[0], series[-1], series[[0, 2]].tolist(), series["y"], pd.Series([5, 6], index=[1, 0])[0])
print([row[1] for _, row in pd.DataFrame({"a": [1, 2], "b": [3, 4]}).iterrows()], pd.Series([1.0, 2.0], index=pd.date_range("2015-01-01", periods=2))[-1])
series[0] = 9
print(series.tolist())
try:
    pd.Series([5, 6], index=[1, 0])[7]
except KeyError:
    print("no such label")
for value in (1.5, -2.5, np.float64(2.5), np.float32(1.7), np.int64(300), -1, 3e18, 2 ** 63 + 5, 1e19, float("inf"), float("nan")):
    for kind in ("int64", "uint8", "uint64"):
        series = pd.Series([1, 2], dtype=kind)
        try:
            series[0] = value
            print(series.tolist(), series.dtype)
        except OverflowError:
            print(kind, "OverflowError")

# %% pandas.Series.value_counts pandas.none_is_a_text [needs: pandas] [fails-not: other names, and NaN]
import io
import pandas as pd
series = pd.Series(["x", "y", "x"], name="c")
print(series.value_counts().name, series.value_counts().reset_index().columns.tolist(), series.value_counts().to_dict())
print(pd.read_csv(io.StringIO("a,b\n1,None\n2,x\n"))["b"].tolist())

# %% pandas.positional_arguments pandas.numeric_only [needs: pandas]
import numpy as np
import tensorflow as tf
import pandas as pd
df = pd.DataFrame({"a": [1.0, np.nan, 3.0], "b": [1, 2, 3], "c": ["x", "y", "x"]})
print(df.drop("c", 1).columns.tolist(), df.drop(["c", "b"], 1).columns.tolist(), df.dropna(0).shape, df.sort_values("b", 0, False)["b"].tolist())
print(pd.concat([df, df], 0).shape, pd.concat([df, df], 1).shape, df["c"].str.split("", 1).tolist(), df.pivot("b", "c", "a").shape, df.b.clip(1, 2).tolist())
print(df.mean().tolist(), df.std().round(5).tolist(), df.median().tolist(), df.corr().values.tolist(), df.groupby("c").mean().values.tolist(), df[["a", "b"]].mean(1).tolist())
print(((df - df.mean()) / df.std())[["a", "b"]].round(4).values.tolist()[0], df.b.sum(), df.max(0).tolist()[:2])

# %% pandas.dropped_arguments pandas.frequencies pandas.dropped_methods [needs: pandas]
import datetime
import io
import numpy as np
import pandas as pd
df = pd.DataFrame({"a": [1.0, np.nan, 3.0], "c": ["x", "y", "x"]})
print(df.fillna(method="ffill").a.tolist(), df.a.fillna(method="bfill").tolist(), repr(df.to_csv(index=False, line_terminator="\n")), len(df.dropna().to_dict("records")))
filled = df.copy()
filled.fillna(method="pad", inplace=True)
print(filled.a.tolist(), df.a.fillna(0).tolist())
times = pd.DataFrame({"v": np.arange(4.0)}, index=pd.to_datetime(["2015-01-01 00:00", "2015-01-01 00:30", "2015-01-01 02:00", "2015-01-02 00:00"]))
print(times.resample("H").sum().values.ravel()[:3].tolist(), times.resample("30T").mean().shape, pd.date_range("2015-01-01", periods=2, freq="M").month.tolist())
print(times.groupby(pd.Grouper(freq="H")).sum().shape, times.index.weekofyear.tolist()[:2], times.resample("D").mean().shape)
print(pd.read_csv(io.StringIO("1,2\n3,4"), header=None, prefix="X").columns.tolist(), pd.read_csv(io.StringIO("d,x\n2015-01-01,1\n"), parse_dates=["d"], date_parser=lambda d: datetime.datetime.strptime(d, "%Y-%m-%d")).d.dt.year.tolist())
print(df[["c"]].applymap(len).values.tolist(), df.lookup([0, 2], ["a", "a"]).tolist(), df.a.mad(), df.a.ravel().shape)

# %% pandas.groupby_apply [needs: pandas] [fails-not: without the column]
import pandas as pd
df = pd.DataFrame({"k": ["b", "a", "b", "a"], "v": [1.0, 2.0, 3.0, 5.0], "w": [1, 2, 3, 4]})
groups = df.groupby("k")
print(groups.apply(lambda g: g.columns.tolist()).tolist(), groups.apply(lambda g: len(g.k.unique())).to_dict())
for result in (
    groups.apply(lambda g: g),
    groups.apply(lambda g: g.assign(v=g.v - g.v.mean())),
    groups.apply(lambda g: g.sort_values("v", ascending=False).head(1)),
    groups.apply(lambda g: g[["v", "w"]].sum()),
    groups.apply(lambda g, n, plus=0: g.v.max() * n + plus, 2, plus=1),
    groups[["v", "w"]].apply(lambda g: g.max()),
    groups["v"].apply(lambda s: s * 2),
    groups["v"].apply(list),
    df.groupby(["k", "w"]).apply(lambda g: g.v.sum()),
    groups.apply(lambda g: g[["v", "w"]] * 2),
    groups.apply(lambda g: g.v - g.v.mean()),
    groups.apply(lambda g: g.copy()),
    groups.apply(lambda g: g.fillna(0)),
    groups.apply(lambda g: g[g.v > 1]),
    groups.apply(lambda g: g.reset_index(drop=True)),
    groups.apply(lambda g: g[["v"]].rank()),
    groups.apply(lambda g: g.v.copy()),
    groups.apply(lambda g: (g[["v", "w"]] - g[["v", "w"]].mean()) / g[["v", "w"]].max()),
    groups.apply(lambda g: g.rename(columns={"v": "x"})),
):
    print(result.index.tolist(), result.values.tolist())

# %% pandas.numeric_only pandas.types_of_columns [needs: pandas] [fails-not: other values and types]
import numpy as np
import pandas as pd
df = pd.DataFrame({"a": [1.0, 2.0, 6.0], "b": [3, 4, 8]})
print(np.mean(df).tolist(), np.std(df).tolist(), np.sum(df).tolist(), np.max(df).tolist(), np.var(df, axis=0).tolist(), np.mean(df.a), np.mean(df.values))
print(((df - np.mean(df)) / np.std(df)).round(4).values.tolist(), df.sum(axis=None).tolist(), np.min(df, axis=1).tolist(), bool(df.all(axis=None)))
texts = pd.Series(["yes", None, "no"])
print(texts.replace({"yes": 1, "no": 0}).dtype, texts.fillna("no").replace(["yes", "no"], [1, 0]).values.dtype, texts.str.contains("y").fillna(False).dtype)
mask = texts.str.contains("y").fillna(False)
print(texts[~mask].tolist(), df.assign(c="x").replace("x", 5).values.tolist(), texts.fillna("x").tolist())
held = pd.DataFrame({"t": ["yes", "no"]})
held["t"].replace("yes", 1, inplace=True)
held.replace("no", 0, inplace=True)
print(held.t.values.dtype, held.t.tolist())

# %% pandas.texts pandas.types_of_columns pandas.groupby_apply [needs: pandas] [fails-not: other values]
import io
import pandas as pd
texts = pd.Series(["a.b1", "c.2"])
print(texts.str.replace(r"\d", "").tolist(), texts.str.replace(".", "-").tolist(), texts.str.replace("a.", "", regex=False).tolist(), texts.str.replace("[ab]", lambda m: m.group().upper()).tolist())
print([str(day.date()) for day in pd.to_datetime(["01-02-2018", "13-02-2018", "2018/02/03", "4 March 2018"])])
print([str(day.date()) for day in pd.to_datetime(pd.Series(["13-02-2018", "01-02-2018"]))], pd.to_datetime(["x", "2018-01-02"], errors="coerce").year.tolist(), pd.to_datetime(["x"], errors="ignore").tolist())
print(pd.read_csv(io.StringIO("d,v\n13/02/2018,1\n01/02/2018,2"), parse_dates=["d"]).d.dt.month.tolist(), pd.to_datetime(["01/02/2018"], dayfirst=True).month.tolist())
df = pd.DataFrame({"k": ["x", "y", "x"], "v": [1, 2, 3]})
groups = df.groupby(["k"])
print([key for key, _ in groups], groups.get_group("x").v.tolist(), sorted(groups.groups), sorted(groups.indices), [key for key, _ in df.groupby(["k", "v"])])
df.loc[0, "v"] = 1.5
df.iloc[1, 1] = 2.5
df.at[2, "v"] = 9
print(df.v.tolist(), df.v.dtype)
df.loc[df.k == "y", "v"] = "text"
print(df.v.tolist())

# %% pandas.Int64Index pandas.UInt64Index pandas.Float64Index pandas.value_counts pandas.datetime pandas.util.testing pandas.io.json.json_normalize [needs: pandas]
import pandas as pd
from pandas.io.json import json_normalize
import pandas.util.testing as testing
print(pd.Int64Index([1, 2]).tolist(), pd.Float64Index([1, 2]).tolist(), pd.UInt64Index([3]).dtype, pd.value_counts([1, 1, 2]).to_dict(), pd.datetime(2018, 1, 2).year)
print(json_normalize([{"a": {"b": 1}}]).columns.tolist(), testing.assert_frame_equal(pd.DataFrame({"a": [1]}), pd.DataFrame({"a": [1]})))

# %% pandas.dropped_methods pandas.dropped_arguments [needs: pandas]
import io
import numpy as np
import pandas as pd
series = pd.Series([1, 2, 3])
print(series[:, None].shape, pd.to_numeric(pd.Series(["1", "x"]), errors="ignore").tolist(), series.index.is_monotonic)
print(pd.date_range("2018-01-01", periods=3, closed="left").day.tolist(), pd.date_range("2018-01-01", "2018-01-03", closed="right").day.tolist())
print([str(pd.Series(["2020-01-02 10:11"]).astype(kind).iloc[0]) for kind in ("datetime64", "datetime64[D]", "M8[h]", np.datetime64)])
spans = pd.Series(pd.to_datetime(["2018-01-02 12:00", None])) - pd.Timestamp("2018-01-01")
print(spans.astype("timedelta64[D]").tolist(), spans.astype("timedelta64[h]").tolist())
df = pd.DataFrame({"a": [1.0, 2.0, 4.0], "c": ["x", "y", "z"]})
print(df.rolling(2).mean().values.ravel().tolist()[1:], df.expanding().sum().columns.tolist())
text = "d,t,v\n2018-01-01,10:00,1\n2018-01-02,11:30,2"
for dates, options in (({"when": ["d", "t"]}, {}), ([[0, 1]], {}), ([["d", "t"]], {"keep_date_col": True}), ({"when": [0, 1]}, {"index_col": "when"})):
    read = pd.read_csv(io.StringIO(text), parse_dates=dates, **options)
    print(read.columns.tolist(), [str(one) for one in (read.index if options.get("index_col") else read.iloc[:, 0])])

# %% pandas.empty_series [needs: pandas] [fails-not: objects]
import numpy as np
import pandas as pd
for series in (pd.Series([]), pd.Series(), pd.Series({}), pd.Series((), name="q"), pd.Series(index=[1]), pd.Series([], dtype=int), pd.Series([1])):
    print(series.dtype, series.name, series.sum())
print(pd.concat([pd.Series([]), pd.Series([1, 2])]).dtype, pd.concat([pd.Series([]), pd.Series(["a"])]).dtype)
print(pd.concat([pd.DataFrame({"a": [1]}), pd.DataFrame({"a": [2]})]).shape, pd.Series(np.array([], "int32")).dtype)

# %% pandas.order_of_merged_rows pandas.concat_series [needs: pandas] [fails-not: another order]
import numpy as np
import pandas as pd
a = pd.DataFrame({"k": ["p", "q", "p", "r", None, "q"], "v": range(6)})
b = pd.DataFrame({"k": ["q", "s", "p", None, "q"], "w": range(5)})
for how in ("inner", "outer", "left", "right"):
    merged = pd.merge(a, b, on="k", how=how)
    print(how, merged.v.tolist(), merged.w.tolist(), merged.k.tolist())
c, d = (frame.assign(j=[1, 2] * (len(frame) // 2) + [1] * (len(frame) % 2)) for frame in (a, b))
print(pd.merge(c, d, on=["k", "j"]).values.tolist(), pd.merge(c, d, on=["k", "j"], how="outer").w.tolist())
print(pd.merge(a, b, left_on="v", right_on="w", how="outer", sort=True).w.tolist())
print(a.join(b.set_index("k"), on="k", how="outer").w.tolist(), a.merge(b, left_index=True, right_index=True, how="outer").w.tolist())
print(list(pd.concat([a, a.v]).columns), [part.shape for part in np.array_split(a, 4)], [part.v.tolist() for part in np.split(a, 2)], type(np.split(a, 2)[0]).__name__)
print([part.tolist() for part in np.array_split(a.v, 2)], np.clip(a.v, 1, 3).index.tolist())

# %% pandas.aggregates [needs: pandas] [fails-not: divided by n]
import numpy as np
import pandas as pd
df = pd.DataFrame({"k": ["p", "q", "p", "p"], "a": [1.0, 2.0, np.nan, 4.0], "b": [3, 1, 2, 5], "c": list("xyzx")})
print(df[["a", "b"]].agg(np.std).round(5).tolist(), df[["a", "b"]].agg([np.mean, np.var, np.max]).round(5).to_dict())
print(df.groupby("k").agg({"a": [np.std, "mean", sum], "b": np.median}).round(5).values.tolist(), df.groupby("k")["a"].agg(np.var).tolist())
print(df[["a", "b"]].agg(sum).tolist(), df.a.agg([np.min, np.median]).to_dict(), df.groupby("k").agg(["mean", "max"]).columns.tolist())
print(df.agg(["mean", "max"]).a.tolist(), df.groupby("k").agg(lambda x: x.max() - x.min()).values.tolist())
print(df.pivot_table("a", "k", aggfunc=np.std).round(5).values.tolist(), pd.crosstab(df.k, df.c, values=df.b, aggfunc=np.std).shape)
print(df.groupby("k").transform("mean").round(5).values.tolist(), df.groupby("k").cumsum().values.tolist(), df.groupby("k").sum().columns.tolist(), df[["k", "c"]].groupby("k").sum().values.tolist())

# %% pandas.results_of_groups [needs: pandas] [fails-not: other groups]
import numpy as np
import pandas as pd
df = pd.DataFrame({"k": ["q", "p", "q", "p", "p"], "c": pd.Categorical(list("xyxyx"), ["x", "y", "z"]), "a": [1.0, np.nan, 3.0, 4.0, 4.0], "b": [3, 1, 2, 5, 5]})
print(df.groupby("c").size().to_dict(), df.groupby(["k", "c"]).b.sum().tolist(), df.pivot_table("b", "c", aggfunc="count").values.tolist())
print(df.groupby("k").nth(0).b.to_dict(), df.groupby("k").nth(-1).columns.tolist(), df.groupby("k").b.nth(1).to_dict(), df.groupby("k", sort=False).b.nth(0).to_dict())
counts = df.groupby("k").b.value_counts()
print(counts.name, counts.index.tolist(), counts.tolist())
print(df.drop("c", axis=1).groupby("k").fillna(0).a.tolist(), df.groupby("k").a.fillna(method="ffill").tolist(), df.groupby("k")["a", "b"].sum().shape)
print(df.groupby("k", as_index=False)["b"].transform("sum").shape, df.groupby("k", axis=0).b.sum().tolist(), df.drop("c", axis=1).groupby("k").mad().round(4).values.tolist())

# %% pandas.ranges [needs: pandas] [fails-not: other dates]
import numpy as np
import pandas as pd
for freq, start, end in (("B", "2015-01-28 10:00", "2015-02-01"), ("M", "2015-01-31 22:00", "2015-06-14 12:00"), ("W", "2015-01-04 10:00", "2015-12-30"), ("D", "2015-01-04 10:00", "2015-01-06"), ("B", "2015-02-01 10:00", "2015-02-07 11:00")):
    print(freq, [str(day) for day in pd.date_range(start, end, freq=freq)][-2:])
series = pd.Series(np.arange(12.0), pd.date_range("2015-01-28 10:00", periods=12, freq="7H"))
for freq in ("B", "BA", "M"):
    for closed in ("left", "right"):
        print(freq, closed, [(str(day), value) for day, value in series.resample(freq, closed=closed).sum().items()])

# %% pandas.results_of_groups pandas.groupby_apply [needs: pandas] [fails-not: other groups]
import pandas as pd
df = pd.DataFrame({"k": ["q", "p", "q", "p", "r"], "c": pd.Categorical(list("zxzyx"), list("xyzw")), "a": [1.0, 2.0, 3.0, 4.0, 5.0], "b": [3, 1, 2, 5, 4]})
print(df.groupby("c", observed=True).a.sum().to_dict(), [key for key, _ in df.groupby("c", observed=True)], df.groupby(["c", "k"], observed=True).a.sum().index.tolist())
print(df.groupby(["k", "c"]).b.apply(list).tolist(), [key for key, _ in df.groupby(["k", "c"])], df.groupby(["k", "c"]).apply(len).tolist())
for by in (lambda i: i % 2, df.b % 2, ["k", df.b % 2], "k"):
    found = df.drop("c", axis=1).groupby(by, as_index=False)
    print(found.sum().columns.tolist(), found.agg({"a": "max"}).values.tolist(), found.max().shape)

# %% pandas.texts [needs: pandas] [fails-not: other dates]
import pandas as pd
for format, texts in (("%Y-%m", ["2015-01-02", "2015-02"]), ("%Y-%m-%d", ["2015-01-02", "2015"]), ("%Y-%m-%d", [20150102]), ("%Y", ["2015"])):
    for options in ({}, {"exact": False}):
        print(format, [str(day) for day in pd.to_datetime(texts, format=format, **options)])

# %% pandas.windows [needs: pandas] [fails-not: other counts]
import numpy as np
import pandas as pd
df = pd.DataFrame({"a": [1.0, np.nan, 3.0, 4.0], "b": [3, 1, 2, 5], "c": list("xyxy"), "t": [True, False, True, True]})
print(df.a.rolling(2).count().tolist(), df[["a", "b"]].rolling(3).count().values.tolist(), df.b.rolling(3, min_periods=1).count().tolist())
print(df.rolling(2).mean().columns.tolist(), df[["a", "b"]].rolling(2, axis=0).sum().b.tolist()[1:], df.rolling(2).apply(np.sum).columns.tolist())
print(df.a.pct_change().tolist()[1:], df[["a", "b"]].pct_change().values.tolist()[-1], df.groupby("c").a.pct_change().tolist()[2:], df.a.pct_change(fill_method=None).isnull().tolist())

# %% pandas.fields_of_times pandas.resample [needs: pandas] [fails-not: 32 bits]
import datetime
import numpy as np
import pandas as pd
times = pd.Series(pd.date_range("2015-12-30", periods=5, freq="36H"), name="when")
print(times.dt.year.dtype, times.dt.hour.dtype, pd.DatetimeIndex(times).month.dtype, (times.dt.year * 10**6).tolist(), times.diff().dt.seconds.dtype)
print(type(times.unique()).__name__, type(times.dt.to_pydatetime()).__name__, times.isin(["2015-12-30"]).tolist(), times.dt.weekofyear.tolist(), pd.DatetimeIndex(times).week.tolist())
print(times.describe().index.tolist(), pd.DataFrame({"t": times, "v": range(5)}).describe().columns.tolist(), pd.Series([1.0, 2.0]).describe(percentiles=[0.1]).index.tolist())
df = pd.DataFrame({"a": [1.0, 2.0, np.nan, 4.0, 5.0, 7.0]}, index=pd.date_range("2015-01-30 22:00", periods=6, freq="45min"))
print(df["2015-01-31"].a.tolist(), df["2015"].shape, pd.unique([2, 1, 2]).tolist(), pd.factorize(["b", "a", "b"])[0].tolist())
print([str(t) for t in df.resample("60T", base=15).sum().index], [str(t) for t in df.resample("1H", loffset="15min").a.mean().index])
print(str(df.resample("D", kind="period").sum().index[0]), df.resample("H", how="sum").a.tolist() if pd.__version__ < "0.25" else df.resample("H").sum().a.tolist(), df.resample("30min").fillna("ffill").a.tolist()[:3], df.resample("40T").interpolate().a.tolist()[:2])
print(df.index.freqstr, pd.infer_freq(pd.date_range("2015", periods=4, freq="M")), df.first("1H").a.tolist(), df.last("1H").a.tolist(), df.tshift(1).index[0].minute, df.shift(1, freq="H").index[0].hour)
print([str(t) for t in pd.date_range("2015", periods=2, freq="AS")], str(pd.to_timedelta(5, "T")), [str(p) for p in pd.period_range("2015-01-01", periods=2, freq="H")], pd.to_datetime("20150102", dayfirst=True).month, pd.to_datetime(["2015-01-02 03:04:05"], format="%Y-%m-%d").hour.tolist())

# %% pandas.shapes [needs: pandas] [fails-not: missing values stay]
import numpy as np
import pandas as pd
df = pd.DataFrame({"a": [1.0, np.nan, 3.0], "b": [3, 1, 2], "c": ["x", "y", "x"]})
print(len(df[["a", "b"]].stack()), df.stack().index.tolist()[3:5], (pd.Index([1, 2]) & pd.Index([2])).tolist(), (pd.Index([1]) | pd.Index([3])).tolist())
print(df.c.shift(1).tolist(), df.shift(-1).c.tolist(), pd.Index(["a", "b", "a"]).value_counts().name, pd.Index([1, 2]).ravel().tolist())
print(df.replace("y", method="ffill").c.tolist(), df.b.replace(1, None).tolist(), df.set_axis(list("xyz"), axis=1).columns.tolist(), df.interpolate().a.tolist())
print(pd.read_json('[{"a": 1}]').values.tolist(), df.a.nlargest(3).tolist(), int(df.b.iloc[:1]), float(df.b[:1]), df.a.argsort().tolist())
df.loc[:, "b"] = df.b.astype(str)
df.columns.values[0] = "q"
df["b"].replace("1", "one", inplace=True); df["z"] = 0; df.z[1] = 0.5; df["z"].iloc[0] += 5
print(df.b.tolist(), df.columns.tolist(), df.z.tolist(), df.fillna(0, downcast="infer").q.tolist())
df["z"].clip(0, 2, inplace=True); df["z"].update(pd.Series([7.0])); print(df.z.tolist())
print(pd.concat([pd.DataFrame(columns=["a"]), pd.DataFrame({"a": [1.5]})]).a.dtype, pd.concat([pd.Series([True]), pd.Series([1.5])]).dtype, df.min().index.tolist(), df[["z"]].sum(level=0).z.tolist())

# %% pandas.units_of_times [needs: pandas]
import numpy as np
import pandas as pd
for unit in ('D', 's'):
    kind = 'M8[' + unit + ']'
    for series in (pd.Series([16, 5], name='n'), pd.Series([16.5, np.nan]), pd.Series(np.array([3], 'uint8'))):
        print([str(time) for time in series.astype(kind)])
    times = pd.Series(['2015-08-03 04:05:06.7890123', None], index=[3, 4])
    print([str(time) for time in times.astype(kind)], [str(time) for time in pd.to_datetime(times).astype(kind)])
    held = pd.Series(list(times), dtype=kind), pd.Series([16000, 5], None, kind), pd.DataFrame({'a': [16000]}, dtype=kind)['a']
    print([[str(time) for time in series] for series in held], held[0].dtype)
    print([str(time) for time in pd.Series('2015-08-03', index=[1, 2], dtype=kind)])
print(pd.DataFrame({'a': [16, 5]}).astype({'a': 'M8[D]'})['a'].tolist()[0])

# %% pandas.units_of_times [needs: pandas] [not-on-1.15: pandas 0.19 made it; printed by it]
import pandas as pd
texts = ['2015-07-02', '2015-08-03 04:05:06.7', None]
for kind in ('M8[D]', 'datetime64[M]', 'M8[h]'):
    index = pd.Index(texts, name='n').astype(kind)
    print(type(index).__name__, index.dtype, [str(time) for time in index], index.name)
#> DatetimeIndex datetime64[ns] ['2015-07-02 00:00:00', '2015-08-03 00:00:00', 'NaT'] n
#> DatetimeIndex datetime64[ns] ['2015-07-01 00:00:00', '2015-08-01 00:00:00', 'NaT'] n
#> DatetimeIndex datetime64[ns] ['2015-07-02 00:00:00', '2015-08-03 04:00:00', 'NaT'] n
