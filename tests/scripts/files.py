# %% tensorflow.gfile.Glob
import os
import tensorflow as tf
os.makedirs("some")
open("some/a.txt", "w").close()


def show(function, *arguments):
    try:
        print(function(*arguments))
    except (tf.errors.OpError, ValueError) as error:
        print(type(error).__name__, error)


for pattern in ("some/*", "some/b*", "none/x", "none/*", "none/*/a", "some/a.txt/*"):
    show(tf.gfile.Glob, pattern)
show(tf.io.gfile.glob, ["some/*", "none/*"])
show(tf.train.checkpoint_exists, "none/model")
show(tf.train.checkpoint_exists, "some/model")
v = tf.Variable(1.0)
with tf.Session() as session:
    show(tf.train.Saver().restore, session, "none/model")
    show(tf.train.Saver().restore, session, "some/model")
#> ['some/a.txt']
#> []
#> NotFoundError none; No such file or directory
#> NotFoundError none; No such file or directory
#> NotFoundError none; No such file or directory
#> FailedPreconditionError some/a.txt; Not a directory
#> NotFoundError none; No such file or directory
#> NotFoundError none; No such file or directory
#> False
#> NotFoundError none; No such file or directory
#> ValueError The passed save_path is not a valid checkpoint: some/model
