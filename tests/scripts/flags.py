# %% flags.undefined flags._parse_flags flags.__flags [not-on-1.15: dropped in 1.5]
import tensorflow as tf
tf.app.flags.DEFINE_integer("steps", 3, "how many")
FLAGS = tf.app.flags.FLAGS
FLAGS._parse_flags()
FLAGS.rate = 0.5
for name, value in sorted(FLAGS.__flags.items()):
    print("{}={} {}".format(name, value, value.value))
print(FLAGS.rate, FLAGS.__flags)
#> rate=0.5 0.5
#> steps=3 3
#> 0.5 {'rate': 0.5, 'steps': 3}

# %% flags.absl [not-on-1.15: until 1.4, when flags were TensorFlow's own]
import tensorflow as tf
tf.app.flags.DEFINE_string("log_dir", "mine", "where")
print(tf.app.flags.FLAGS.log_dir)
#> mine

# %% flags.absl
import tensorflow as tf
tf.app.flags.DEFINE_float("delta_threshold", 2.0, "a flag that TF 2.x itself defines")
print(tf.app.flags.FLAGS.delta_threshold)

# %% flags.__flags [not-on-1.15: until 1.4]
import copy, json, pickle
import numpy as np
import tensorflow as tf
flags = tf.app.flags
flags.DEFINE_float("rate", 0.25, "")
flags.DEFINE_integer("units", 3, "")
flags.DEFINE_boolean("deep", True, "")
flags.DEFINE_string("cell", "lstm", "")
config = flags.FLAGS.__flags
w = tf.get_variable("w", [config["units"]], initializer=tf.ones_initializer())
train = tf.train.GradientDescentOptimizer(config["rate"]).minimize(tf.reduce_sum(w))
constants = [tf.constant([config["rate"], config["units"]]), tf.constant(config["units"])]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train)
    print(sess.run(w), sess.run(constants), [value.dtype.name for value in constants])
print(json.dumps([config["cell"], config["rate"]]), np.zeros(config["units"]), config["cell"].upper())
print("deep" if config["deep"] else "flat", config["cell"].value, config["rate"].name)
print([type(one).__name__ for one in (copy.deepcopy(config)["cell"], pickle.loads(pickle.dumps(config["rate"])))])
#> [0.75 0.75 0.75] [array([0.25, 3.  ], dtype=float32), 3] ['float32', 'int32']
#> ["lstm", 0.25] [0. 0. 0.] LSTM
#> deep lstm rate
#> ['str', 'float']

# %% flags.unknown flags.boolean [not-on-1.15: until 1.4]
import sys
import tensorflow as tf
sys.argv += ["--plot", "False", "--nobody", "knows", "--draw", "--steps=4"]
flags = tf.app.flags
flags.DEFINE_boolean("plot", True, "")
flags.DEFINE_boolean("draw", False, "")
flags.DEFINE_integer("steps", 3, "")
FLAGS = flags.FLAGS
print(FLAGS.plot, FLAGS.draw, FLAGS.steps)
def main(words):
    print(words[1:])
tf.app.run()
#> False True 4
#> ['--nobody', 'knows']

# %% flags.default [not-on-1.15: until 1.4]
import numpy as np
import tensorflow as tf
flags = tf.app.flags
flags.DEFINE_integer("batch_size", np.power(2, 9), "")
flags.DEFINE_integer("steps", 1e3, "")
flags.DEFINE_string("layers", 3, "")
print(flags.FLAGS.batch_size, flags.FLAGS.steps, flags.FLAGS.layers)
#> 512 1000.0 3

# %% flags.default [not-on-1.15: until 1.4]
import tensorflow as tf
flags = tf.app.flags
flags.DEFINE_float("batch_size", 2, "")
flags.DEFINE_float("rate", 0.5, "")
size = flags.FLAGS.batch_size
print([5, 6, 7][:size], list(range(size)), tf.zeros([size, 3]).shape, type(size).__mro__[1].__name__)
print([5, 6, 7, 8][1 * size : (1 + size) - 0], range(2 * size % 3), (size * 1.5).__class__.__name__)
print(size, size / 4, "%d" % size, tf.constant(size).dtype.name, flags.FLAGS.rate)
#> [5, 6] [0, 1] (2, 3) float
#> [7] range(0, 1) float
#> 2.0 0.5 2 float32 0.5

# %% flags.__dict__ [not-on-1.15: until 1.4]
import tensorflow as tf
tf.app.flags.DEFINE_integer("steps", 3, "how many")
class Model:
    def show(self, flags):
        for name, value in flags.__dict__["__flags"].items():
            print("{}={}".format(name, value))
Model().show(tf.app.flags.FLAGS)
print({"__flags": 4}["__flags"])
#> steps=3
#> 4
