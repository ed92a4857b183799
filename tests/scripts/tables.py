# %% pandas.rolling_mean pandas.rolling_sum pandas.rolling_std pandas.rolling_var pandas.rolling_min pandas.rolling_max pandas.rolling_median pandas.ix pandas.sort pandas.as_matrix pandas.get_value pandas.scatter_matrix pandas.tools.plotting [not-on-1.15: pandas 0.23 to 1.0 dropped them] [needs: pandas matplotlib]
import pandas as pd
from pandas.tools.plotting import scatter_matrix
import tensorflow as tf
frame = pd.DataFrame({'a': tf.Session().run(tf.constant([3., 1., 2.])), 'b': [1, 2, 3]})
a = frame['a']
print([round(float(f(a, 2).iloc[2]), 3) for f in (pd.rolling_mean, pd.rolling_sum, pd.rolling_std, pd.rolling_var, pd.rolling_min, pd.rolling_max, pd.rolling_median)])
print(frame.ix[1, 'a'], frame.ix[:, 1].tolist(), frame.ix[0:1, ['a']].shape, frame.ix[frame['a'] > 1, 'b'].tolist())
print(frame.sort('a').index.tolist(), frame.as_matrix().shape, frame.as_matrix(['a']).shape, frame.get_value(0, 'b'))
print(pd.scatter_matrix is scatter_matrix)
#> [1.5, 3.0, 0.707, 0.5, 1.0, 2.0, 1.5]
#> 1.0 [1, 2, 3] (2, 1) [1, 3]
#> [1, 2, 0] (3, 2) (3, 1) 1
#> True

# %% pandas.methods_before_1 [not-on-1.15: pandas 1.0 dropped them] [needs: pandas]
import pandas as pd
df = pd.DataFrame({"a": [3.0, 1.0, 2.0], "b": ["1", "x", "3"]})
a = df["a"]
print(a.order().tolist(), a.order(ascending=False).tolist(), a.valid().tolist(), a.nonzero()[0].tolist())
print(a.clip_lower(2).tolist(), a.clip_upper(2).tolist(), a.reshape(3, 1).shape, a.get_values().tolist())
print(df.convert_objects(convert_numeric=True)["b"].tolist(), df.convert_objects()["b"].tolist())
print(df.reindex_axis(["b"], axis=1).columns.tolist(), df.to_dense().shape, a.compress(a > 1).tolist())
print(df.set_value(0, "a", 9.0)["a"].tolist(), df["a"].copy().set_value(1, 5.0).tolist())
print(pd.DataFrame.from_items([("x", [1]), ("y", [2])]).columns.tolist())
print(df.index.contains(2), df.index.contains(7), df.index.sym_diff(pd.Index([0, 9])).tolist())
print(list(pd.Index([1, 1, 2]).get_duplicates()), pd.Timestamp("2020-01-07").weekday_name)
print(pd.to_datetime(pd.Series(["2020-01-06"])).dt.weekday_name.tolist())
levels = pd.MultiIndex.from_tuples([("b", 1), ("a", 2)])
print(pd.DataFrame({"v": [1, 2]}, index=levels).sortlevel(0)["v"].tolist())
#> [1.0, 2.0, 3.0] [3.0, 2.0, 1.0] [3.0, 1.0, 2.0] [0, 1, 2]
#> [3.0, 2.0, 2.0] [2.0, 1.0, 2.0] (3, 1) [3.0, 1.0, 2.0]
#> [1.0, nan, 3.0] ['1', 'x', '3']
#> ['b'] (3, 2) [3.0, 2.0]
#> [9.0, 1.0, 2.0] [9.0, 5.0, 2.0]
#> ['x', 'y']
#> True False [1, 2, 9]
#> [1] Tuesday
#> ['Monday']
#> [2, 1]

# %% pandas.append pandas.np pandas.read_csv pandas.read_table [needs: pandas]
import pandas as pd
import tensorflow as tf
with open('t.csv', 'w') as f:
    f.write('a b\n1 2\n3 4\n')
frame = pd.read_csv('t.csv', delim_whitespace=True)
more = frame.append(pd.DataFrame({'a': [5], 'b': [6]}), ignore_index=True)
rows = []
rows.append(pd.read_table('t.csv', delim_whitespace=True).shape)
print(more['a'].tolist(), rows, pd.np.sqrt(4.0), pd.read_csv('t.csv', squeeze=True).tolist())
print(tf.Session().run(tf.constant(more.values)))

# %% h5py.value h5py.fid h5py.File [needs: h5py]
import h5py
import numpy as np
import tensorflow as tf
with h5py.File('w.h5') as f:
    f['w'] = tf.Session().run(tf.constant([1., 2.]))
print(h5py.File('w.h5', 'r')['w'].value, len(h5py.File('w.h5', 'r').fid.get_file_image()) > 1000)

# %% yaml.load [not-on-1.15: PyYAML is not there] [needs: yaml]
import yaml
import tensorflow as tf
print(yaml.load('units: [1, 2]')['units'], tf.Session().run(tf.constant(1)))
#> [1, 2] 1
