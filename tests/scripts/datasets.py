# %% tensorflow.examples tensorflow.examples.tutorials tensorflow.examples.tutorials.mnist
# %%+ tensorflow.examples.tutorials.mnist.input_data
import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data
data = input_data.read_data_sets("MNIST_data/", fake_data=True, one_hot=True)
images, labels = data.train.next_batch(2, fake_data=True)
print(len(images), len(images[0]), labels, data.test.num_examples)

# %% tensorflow.examples tensorflow.examples.tutorials tensorflow.examples.tutorials.mnist
# %%+ tensorflow.examples.tutorials.mnist.input_data
# %%+ [not-on-1.15: "import ... as" finds no tutorials in its package since it is two]
import tensorflow as tf
import tensorflow.examples.tutorials.mnist.input_data as again
from tensorflow.examples.tutorials.mnist import input_data
print(again is input_data, tf.examples.tutorials.mnist.input_data is input_data)
#> True True

# %% tensorflow.examples.tutorials.mnist.mnist [not-on-1.15: not in its package]
import tensorflow as tf
from tensorflow.examples.tutorials.mnist import mnist
images = tf.placeholder(tf.float32, [None, mnist.IMAGE_PIXELS])
logits = mnist.inference(images, 128, 32)
loss = mnist.loss(logits, [1, 2])
train = mnist.training(loss, 0.01)
print(logits.name, loss.name, train.name, mnist.evaluation(logits, [1, 2]).dtype.name)
print([v.name for v in tf.trainable_variables()][:2])
#> softmax_linear/add:0 sparse_softmax_cross_entropy_loss/value:0 GradientDescent int32
#> ['hidden1/weights:0', 'hidden1/biases:0']

# %% datasets.iterations [fails-not: other orders]
import tensorflow as tf
tf.enable_eager_execution()
numbers = tf.data.Dataset.range(8)
for data in (
    numbers.shuffle(8, seed=1),
    numbers.shuffle(8, seed=1).batch(3),
    numbers.map(lambda x: x + 1).shuffle(4, seed=2).map(lambda x: tf.py_func(lambda v: v * 2, [x], tf.int64)),
    tf.data.Dataset.zip((numbers.shuffle(8, seed=5), numbers)),
    numbers.shuffle(8, seed=1, reshuffle_each_iteration=False),
):
    for _ in range(3):
        orders = [[str(part.numpy()) for part in (item if isinstance(item, tuple) else (item,))] for item in data]
        print(orders)
tf.set_random_seed(3)
data = numbers.shuffle(8)
first = [int(x) for x in data]
part = iter(data)
half = [int(next(part)) for _ in range(4)]
other = [int(x) for x in data.batch(8).make_one_shot_iterator().get_next()]
print(first, half, other, [int(x) for x in part], [int(x) for x in numbers.shuffle(8).batch(8).make_one_shot_iterator().get_next()])

# %% tensorflow.data.prefetches [fails-not: elements are computed before the steps that they depend on]
# %%+ [slow: waits for threads]
import time
import tensorflow as tf
numbers = tf.data.Dataset.range(9)
seen = tf.get_variable("seen", [], tf.int64, tf.zeros_initializer(), use_resource=True)
table = tf.contrib.lookup.MutableHashTable(tf.int64, tf.int64, -1)
steps = []
def count(i):
    return tf.py_func(lambda: len(steps), [], tf.int64)

def generate():
    while True:
        yield len(steps)

def replaced(data):
    iterator = tf.data.Iterator.from_structure(data.output_types, data.output_shapes)
    return iterator.get_next(), iterator.make_initializer(data)

initializers, parts = [], []
for data in (
    numbers.map(lambda i: i * 100 + seen.read_value()),
    numbers.map(lambda i: i * 100 + seen.read_value()).cache(),
    numbers.map(lambda i: table.lookup(tf.constant(5, tf.int64))),
    numbers.flat_map(lambda i: tf.data.Dataset.range(2).map(count)).map(lambda x: x + 1),
    numbers.map_with_legacy_function(count),
    tf.data.Dataset.from_generator(generate, tf.int64),
):
    iterator = data.make_initializable_iterator()
    parts.append(iterator.get_next())
    initializers.append(iterator.initializer)
part, initializer = replaced(numbers.map(count).batch(1))
adds, puts = seen.assign_add(1), table.insert(tf.constant([5], tf.int64), [seen])
with tf.Session() as session:
    session.run(seen.initializer)
    session.run(initializers + [initializer])
    for _ in range(4):
        print([int(x) for x in session.run(parts + [part])])
        time.sleep(0.1)
        steps.append([session.run(adds), session.run(puts)])
#> [0, 0, -1, 1, 0, 0, 0]
#> [101, 101, 1, 2, 1, 1, 1]
#> [202, 202, 2, 3, 2, 2, 2]
#> [303, 303, 3, 4, 3, 3, 3]
