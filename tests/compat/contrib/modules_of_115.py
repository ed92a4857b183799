"""What 1.15's own modules, that TF 2.x has dropped or written anew, do for user code."""

import tensorflow as tf
from tensorflow.core.protobuf import struct_pb2
from tensorflow.python.data.experimental.ops import distribute
from tensorflow.python.framework import common_shapes, error_interpolation
from tensorflow.python.layers import utils
from tensorflow.python.ops import spectral_ops_test_util
from tensorflow.python.ops.linalg import cholesky_registrations, linear_operator_util
from tensorflow.python.ops.parallel_for import test_util
from tensorflow.python.saved_model import nested_structure_coder

coder = nested_structure_coder.StructureCoder()
structure = {"a": (tf.TensorSpec([None, 2], tf.float32, "t"), [3, "text", 0.5, None, True])}
proto = coder.encode_structure(structure)
print(isinstance(proto, struct_pb2.StructuredValue), coder.decode_proto(proto) == structure)
print(error_interpolation.parse_message("a {{node b}} c")[0])
print(common_shapes.has_fully_defined_shape(tf.zeros([2])), utils.static_shape(tf.zeros([2, 3])))
print(linear_operator_util.cholesky_solve_with_broadcast(tf.eye(2), tf.ones([3, 2, 1])).shape)
batches = tf.data.Dataset.range(8).batch(4)
halves = tf.data.make_one_shot_iterator(distribute._RebatchDataset(batches, 2)).get_next()
with tf.Session() as session:
    print(session.run(halves).tolist(), session.run(halves).tolist())
print(spectral_ops_test_util.fft_kernel_label_map is not None, test_util.PForTestCase.__name__)
print(cholesky_registrations.__name__)
