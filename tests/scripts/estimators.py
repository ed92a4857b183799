# %% tensorflow.estimator [needs: contrib]
import tensorflow as tf
print(tf.estimator.ModeKeys.TRAIN, tf.estimator.Estimator.__name__, tf.estimator.RunConfig().model_dir)
