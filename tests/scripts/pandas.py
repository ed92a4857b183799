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

# %% pandas.get_dummies [needs: pandas] [fails-not: truth values]
import numpy as np
import pandas as pd
print(pd.get_dummies(["a", "b", "a"]).values.tolist(), (-pd.get_dummies(pd.Series(["a", "b"])).values).tolist())
df = pd.DataFrame({"a": [1.0, 2.0], "c": ["x", "y"]})
print(pd.get_dummies(df).values.tolist(), pd.get_dummies(df, columns=["c"]).values.dtype, str(pd.get_dummies(df.c, dtype=bool).values.dtype))

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

# %% pandas.Series.value_counts [needs: pandas] [fails-not: other names, and NaN]
import io
import pandas as pd
series = pd.Series(["x", "y", "x"], name="c")
print(series.value_counts().name, series.value_counts().reset_index().columns.tolist(), series.value_counts().to_dict())

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
print(times.index.weekofyear.tolist()[:2], times.resample("D").mean().shape)
print(pd.read_csv(io.StringIO("1,2\n3,4"), header=None, prefix="X").columns.tolist(), pd.read_csv(io.StringIO("d,x\n2015-01-01,1\n"), parse_dates=["d"], date_parser=lambda d: datetime.datetime.strptime(d, "%Y-%m-%d")).d.dt.year.tolist())
print(df[["c"]].applymap(len).values.tolist(), df.lookup([0, 2], ["a", "a"]).tolist(), df.a.mad(), df.a.ravel().shape)

# %% pandas.texts [needs: pandas] [fails-not: other values]
import io
import pandas as pd
texts = pd.Series(["a.b1", "c.2"])
print(texts.str.replace(r"\d", "").tolist(), texts.str.replace(".", "-").tolist(), texts.str.replace("a.", "", regex=False).tolist(), texts.str.replace("[ab]", lambda m: m.group().upper()).tolist())
print([str(day.date()) for day in pd.to_datetime(["01-02-2018", "13-02-2018", "2018/02/03", "4 March 2018"])])
print([str(day.date()) for day in pd.to_datetime(pd.Series(["13-02-2018", "01-02-2018"]))], pd.to_datetime(["x", "2018-01-02"], errors="coerce").year.tolist(), pd.to_datetime(["x"], errors="ignore").tolist())

# %% pandas.datetime pandas.util.testing pandas.io.json.json_normalize [needs: pandas]
import pandas as pd
from pandas.io.json import json_normalize
import pandas.util.testing as testing
print(pd.datetime(2018, 1, 2).year)
print(json_normalize([{"a": {"b": 1}}]).columns.tolist(), testing.assert_frame_equal(pd.DataFrame({"a": [1]}), pd.DataFrame({"a": [1]})))

# %% pandas.dropped_methods pandas.dropped_arguments [needs: pandas]
import io
import numpy as np
import pandas as pd
series = pd.Series([1, 2, 3])
print(series[:, None].shape, pd.to_numeric(pd.Series(["1", "x"]), errors="ignore").tolist(), series.index.is_monotonic)

# %% numpy.mean numpy.std numpy.var numpy.max numpy.min numpy.amax numpy.amin [needs: pandas]
import numpy as np
import pandas as pd
frame = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 5.0]})
for function in (np.sum, np.prod, np.mean, np.std, np.var, np.max, np.min, np.amax, np.amin):
    print(function(frame).tolist(), list(function(frame).index), function(frame, axis=None).tolist())
    print(function(frame, axis=0).tolist(), function(frame, 1).tolist(), float(function(frame.values)), function(frame["a"]))
print(np.std(frame, ddof=1).tolist(), np.mean(frame, None).tolist(), np.mean([[1, 2], [3, 4]]))
