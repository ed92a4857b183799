# %% tensorflow.estimator  [needs: contrib] [slow: trains]
import tempfile

import numpy as np
import tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)
x = np.arange(6, dtype=np.float32).reshape(3, 2)
data = tf.estimator.inputs.numpy_input_fn({"x": x}, x[:, :1], 3, num_epochs=2, shuffle=False)
columns = [tf.feature_column.numeric_column("x", shape=[2])]
regressor = tf.estimator.LinearRegressor(columns, model_dir=tempfile.mkdtemp())
regressor.train(data, steps=2)
print(tf.estimator.ModeKeys.TRAIN, tf.estimator.Estimator.__name__)
print(sorted(regressor.get_variable_names()))
print(round(float(regressor.evaluate(data)["average_loss"]), 4))

# %% tensorflow.as_dtype tensorflow.estimator.inputs.numpy_input_fn [needs: contrib pandas]
import numpy as np
import pandas as pd
import tensorflow as tf
table = pd.DataFrame({"age": [30, 40, 50, 20], "job": ["tech", "law", "tech", "art"]})
labels = pd.Series([0, 1, 1, 0])
jobs = table["job"].values
print(tf.as_dtype(table["job"].dtype), tf.dtypes.as_dtype(table.columns.dtype), tf.as_dtype(table["age"].dtype))
def shown(make):
    with tf.Graph().as_default():
        batch = make()
        with tf.train.MonitoredSession() as session:
            for value in tf.contrib.framework.nest.flatten(session.run(batch)):
                print(value.dtype, value.tolist())
options = {"batch_size": 3, "num_epochs": 1, "shuffle": False}
shown(tf.estimator.inputs.pandas_input_fn(table, labels, **options))
shown(tf.estimator.inputs.pandas_input_fn(table, table["job"], **options))
shown(tf.estimator.inputs.numpy_input_fn({"job": jobs, "u": jobs.astype(str)}, labels.values, **options))
shown(tf.estimator.inputs.numpy_input_fn(jobs, {"a": jobs, "b": labels.values}, **options))
shown(tf.contrib.learn.io.numpy_input_fn({"job": jobs}, labels.values, **options))
shown(lambda: tf.data.Dataset.from_tensor_slices((dict(table), labels)).batch(3).make_one_shot_iterator().get_next())
shown(lambda: [tf.constant(table["job"]), tf.train.batch([tf.train.slice_input_producer([jobs, labels], num_epochs=1, shuffle=False)[0]], 2)])
column = tf.feature_column.categorical_column_with_vocabulary_list("job", table["job"].unique())
shown(lambda: tf.feature_column.input_layer({"job": tf.constant(table["job"])}, [tf.feature_column.indicator_column(column)]))
for dtype in (table["job"].astype("category").dtype, pd.to_datetime(["2020-01-01"]).dtype):
    try:
        print(tf.as_dtype(dtype))
    except TypeError:
        print("TypeError")
