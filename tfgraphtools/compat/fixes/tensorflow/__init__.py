"""TensorFlow's own names, calls and flags: a file for each public name, or family of names.

What is known about ``tf.image`` is in `image`: removed and renamed arguments, changed behaviour,
since when. `by_subject` collects the tables of all files. Below:

internals   modules and names of ``tensorflow.python`` that are elsewhere now
symbols     names of ``tensorflow.*`` that are elsewhere now
gone        what nothing can bring back, and why
flags       ``tf.app.flags``
estimator   ``tf.estimator``
ownership   whose a graph is, and who calls
new_ops     callbacks for new ops of a graph
"""
