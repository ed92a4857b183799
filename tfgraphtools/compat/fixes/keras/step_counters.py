"""Keras 2.2.4's counter of steps, which Adam, Adamax, Nadam and decayed rates read and count up.

Keras does not say which comes first. In TF 1.15 the order depends on the graph; in TF 2.x, with
``inter_op_parallelism_threads=-1``, on the process as well: a seeded program printed other numbers
each time. Here they read first, as the formulas of the optimizers mean it.
"""

import functools

MODULE = "keras.backend.tensorflow_backend"


def read_first_in(module):
    """Makes `cast` of the backend, through which optimizers read the counter, run before the count.

    It adds control inputs and no ops, because seeds of later ops depend on the number of ops.
    """
    module.cast = _before_count(module.cast)


def _before_count(cast):
    @functools.wraps(cast)
    def ordered(x, dtype):
        converted = cast(x, dtype)
        reader = getattr(converted, "op", None)
        # Under control dependencies the caller said what runs first, and inside a loop nothing
        # outside may wait.
        if (
            getattr(x, "op", None) is not None
            and reader is not None
            and not reader.control_inputs
            and reader._get_control_flow_context() is None
        ):
            for user in x.op.outputs[0].consumers():
                if user.type in ("AssignAdd", "AssignAddVariableOp") and user is not reader:
                    user._add_control_input(reader)
        return converted

    return ordered
