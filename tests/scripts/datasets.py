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
