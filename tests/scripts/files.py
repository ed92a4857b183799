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


for pattern in ("some/*", "some/b*", "some", "none", "none/*", "none/*/a", "some/a.txt/*", "some/"):
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
#> ['./some']
#> []
#> NotFoundError none; No such file or directory
#> NotFoundError none; No such file or directory
#> FailedPreconditionError some/a.txt; Not a directory
#> []
#> NotFoundError none; No such file or directory
#> NotFoundError none; No such file or directory
#> False
#> NotFoundError none; No such file or directory
#> ValueError The passed save_path is not a valid checkpoint: some/model

# %% tensorflow.data.Dataset.list_files tensorflow.matching_files tensorflow.io.matching_files
import tensorflow as tf
open("a.txt", "w").close()
with tf.Session() as session:
    for names in ("a.txt", ["a.txt", "*.txt"], "a.t*", "./a.txt"):
        print(session.run([tf.matching_files(names), tf.io.matching_files(names)]))
    dataset = tf.data.Dataset.list_files("a.txt")
    print(session.run(dataset.make_one_shot_iterator().get_next()))
    once = tf.train.match_filenames_once("a.txt")
    session.run(tf.local_variables_initializer())
    print(session.run(once))
#> [array([b'./a.txt'], dtype=object), array([b'./a.txt'], dtype=object)]
#> [array([b'./a.txt', b'./a.txt'], dtype=object), array([b'./a.txt', b'./a.txt'], dtype=object)]
#> [array([b'./a.txt'], dtype=object), array([b'./a.txt'], dtype=object)]
#> [array([b'./a.txt'], dtype=object), array([b'./a.txt'], dtype=object)]
#> b'./a.txt'
#> [b'./a.txt']
