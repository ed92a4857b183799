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
