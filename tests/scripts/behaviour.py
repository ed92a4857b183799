# %% tensorflow.nn.softmax_cross_entropy_with_logits
# %%+ tensorflow.nn.sparse_softmax_cross_entropy_with_logits
# %%+ tensorflow.nn.sigmoid_cross_entropy_with_logits [not-on-1.15: there it is an error]
import tensorflow as tf
logits, labels = [[2.0, 1.0, 0.0]], [[0.0, 0.0, 1.0]]
with tf.Session() as session:
    print(session.run(tf.nn.softmax_cross_entropy_with_logits(logits, labels)))
    print(session.run(tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)))
    print(session.run(tf.nn.sparse_softmax_cross_entropy_with_logits(logits, [2])))
    print(session.run(tf.nn.sigmoid_cross_entropy_with_logits([2.0], [0.0])))
    print(session.run(tf.nn.sigmoid_cross_entropy_with_logits(None, [0.0], [2.0])))
#> [2.407606]
#> [2.407606]
#> [2.407606]
#> [2.126928]
#> [2.126928]

# %% tensorflow.add tensorflow.math.add
import tensorflow as tf

@tf.RegisterGradient("Nothing")
def _nothing(op, grad):
    return grad * 0, grad * 0

x = tf.constant([1.0, 2.0])
for add in (tf.add, tf.math.add):
    with tf.get_default_graph().gradient_override_map({"Add": "Nothing"}):
        y = add(x, x)
    print(y.op.type, tf.Session().run(tf.gradients(y, x)[0]).tolist())
print(tf.add(1, 2, name="sum").op.type, (x + x).op.type)

# %% tensorflow.cond [not-on-1.15: a Python bool was taken until 1.8]
import tensorflow as tf
with tf.Session() as session:
    print(session.run(tf.cond(True, lambda: 1, lambda: 2)))
    print(session.run(tf.cond(tf.constant(False), fn1=lambda: 1, fn2=lambda: 2)))
#> 1
#> 2

# %% tensorflow.type [fails-not: it says False]
import tensorflow as tf
x = tf.constant(1.0)
print(type(x) is tf.Tensor, type(x) == tf.Tensor, type(x).__name__, type(x) in (tf.Tensor, int))
print(type(3) is int, isinstance(x, tf.Tensor), type("C", (), {}).__name__)
def shadowed(type):
    return type(4)
print(shadowed(float))
