"""A graph of TF 1 as objects of TF 2: a `tf.Module` and a layer of Keras 3."""
