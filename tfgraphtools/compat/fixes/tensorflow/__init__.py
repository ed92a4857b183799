"""TensorFlow's own names, calls and flags: a file for each public name, or family of names.

What is known about ``tf.image`` is in `image`: removed and renamed arguments, changed behaviour,
since when. Names that only moved are lines of ``removed.tsv``. `by_subject` collects the tables of
all files. Below:

flags       ``tf.app.flags``
models      ``tensorflow.models.rnn`` of before 1.0
held        names that internal modules had because they imported them
estimator   ``tf.estimator``
ownership   whose a graph is, and who calls
new_ops     callbacks for new ops of a graph
"""
