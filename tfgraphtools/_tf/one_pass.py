"""Arithmetic on whole variables in one pass over memory, by XLA, with the bits of single ops.

Single ops write each intermediate result to memory and read it again, which takes most of their
time. XLA keeps them in registers, but makes one instruction of a product and the sum that takes
it in: that rounds once where two ops round twice. What `one_pass` has rounded it cannot merge.
"""

from tfgraphtools._tf.api import init_scope, tf, v1
from tfgraphtools._tf.op_facts import root_graph

_INTEGERS = {tf.float16: tf.int16, tf.float32: tf.int32, tf.float64: tf.int64}

#: The dtypes that are computed so by default.
ONE_PASS_DTYPES = (tf.float32, tf.float64)

#: The attribute of a graph with {(rule, dtype): function, None: the scalar that XLA does not know
#: to be 0}. A dictionary of ours would keep the graph, which tensors and functions refer to.
_PASSES = "_tfgraphtools_one_pass"


def one_pass(variable, rule, variables=(), tensors=()):
    """Returns the op that assigns ``rule(rounded, value, *values, *tensors)`` to a variable.

    Args:
      variable: a resource variable of one of the `ONE_PASS_DTYPES`, or of float16.
      rule: a function of a module: equal variables share what XLA compiles. Each product that
        another op adds or subtracts must go through ``rounded(product)``, and so must each
        intermediate result of float16, which XLA keeps in float32.
      variables: others of the same dtype, which it reads.
      tensors: what else it takes.
    """
    dtype = variable.dtype.base_dtype
    graph = root_graph()
    if not hasattr(graph, _PASSES):
        setattr(graph, _PASSES, {})
    passes = getattr(graph, _PASSES)
    if None not in passes:
        with init_scope(), v1.name_scope(None), v1.device("/cpu:0"):
            passes[None] = v1.placeholder_with_default(0, [], name="one_pass/zero")

    def build(zero, handles, tensors):
        values = [tf.raw_ops.ReadVariableOp(resource=h, dtype=dtype) for h in handles]
        new = rule(lambda product: _rounded(product, zero), *values, *tensors)
        tf.raw_ops.AssignVariableOp(resource=handles[0], value=new)
        return zero

    if (rule, dtype) not in passes:
        passes[rule, dtype] = tf.function(build, jit_compile=True, autograph=False)
    handles = [state.handle for state in (variable, *variables)]
    return passes[rule, dtype](passes[None], handles, list(tensors)).op


def _rounded(product, zero):
    """Returns the product as it is: by an integer operation, through which nothing is merged."""
    integers = _INTEGERS[product.dtype.base_dtype]
    bits = tf.bitwise.bitwise_xor(tf.bitcast(product, integers), tf.cast(zero, integers))
    return tf.bitcast(bits, product.dtype)


def has_accelerator():
    """Tells whether TensorFlow sees a device that is no CPU."""
    kinds = {device.device_type for device in tf.config.list_physical_devices()}
    return bool(kinds - {"CPU", "XLA_CPU"})
