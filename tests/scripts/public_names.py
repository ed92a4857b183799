# %% tensorflow.__version__ tensorflow.VERSION tensorflow.version.VERSION
# %%+ [fails-not: only the number differs]
import tensorflow as tf
print(tf.__version__ >= "1.0", tf.__version__[:4], tf.VERSION[:4], tf.version.VERSION[:4])

# %% tensorflow.pywrap_tensorflow
import tensorflow as tf
print(callable(tf.pywrap_tensorflow.NewCheckpointReader))

# %% tensorflow.compat.v2.config.experimental_list_devices
# %%+ tensorflow.compat.v2.train.experimental.DynamicLossScale
# %%+ tensorflow.compat.v2.train.experimental.FixedLossScale
# %%+ tensorflow.compat.v2.train.experimental.LossScale
import tensorflow as tf
import tensorflow.compat.v2 as tf2
print("CPU:0" in tf2.config.experimental_list_devices()[0])
scale = tf2.train.experimental.FixedLossScale(4.0)
print(tf.Session().run(scale()), isinstance(scale, tf2.train.experimental.LossScale))
print(tf2.train.experimental.DynamicLossScale(multiplier=3.0).multiplier)

# %% tensorflow.python.keras.applications.resnet50 google.protobuf.internal.api_implementation._default_implementation_type
# %%+ [not-on-1.15: TF 1.14 and protobuf 4 dropped them]
from google.protobuf.internal import api_implementation
from tensorflow.python.keras.applications import resnet50 as users
from tensorflow.python.keras.applications.resnet50 import ResNet50, decode_predictions, preprocess_input
import numpy as np
print(preprocess_input(np.zeros([1, 1, 1, 3])).ravel().round(3).tolist(), users.ResNet50 is ResNet50)
print(api_implementation._default_implementation_type)
#> [-103.939, -116.779, -123.68] True
#> cpp
