# %% tensorflow.__version__ tensorflow.VERSION tensorflow.version.VERSION
# %%+ [fails-not: only the number differs]
import tensorflow as tf
print(tf.__version__ >= "1.0", tf.__version__[:4], tf.VERSION[:4], tf.version.VERSION[:4])

# %% tensorflow.pywrap_tensorflow
import tensorflow as tf
print(callable(tf.pywrap_tensorflow.NewCheckpointReader))
