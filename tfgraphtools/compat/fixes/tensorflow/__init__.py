"""TensorFlow's own names, calls, internals and flags.

symbols     names of ``tensorflow.*`` that are gone
internals   modules and names of ``tensorflow.python``
behaviour   what is still there and means something else
flags       ``tf.app.flags``
horizon     until which date graphs are to be readable
gone        what nothing can bring back, and why
estimators  ``tf.estimator``
"""
