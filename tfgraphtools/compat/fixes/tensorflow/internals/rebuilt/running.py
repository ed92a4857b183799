"""How functions and sessions run, and what is saved."""

from tfgraphtools.compat.engine.rows import Row


def _not_trackable(real):
    class NotTrackable:
        """Marks what is not to be saved with the object that holds it."""

    return NotTrackable


def _in_graph_mode(real):
    return lambda: not real.executing_eagerly()


def _partitioned_call(real):
    """Takes a function of `Defun`, of which it knows the types of the results."""

    def partitioned_call(
        args, f, tout=None, executing_eagerly=None, config=None, executor_type=None
    ):
        from tensorflow.python.ops import gen_functional_ops
        from tensorflow.python.util import function_utils

        from tfgraphtools.compat.fixes.tensorflow.behaviour import functions

        if tout is None:
            tout = tuple(result.type for result in f.definition.signature.output_arg)
        if config is None:
            config = function_utils.get_disabled_rewriter_config()
        kind = "stateful_partitioned_call" if f.stateful_ops else "partitioned_call"
        call = getattr(gen_functional_ops, kind)
        types = dict(args=args, Tout=tout, f=f)
        return functions.result_or_op(
            lambda: call(**types, config_proto=config, executor_type=executor_type or "") or None
        )

    return partitioned_call


ROWS = [
    Row("tensorflow.python." + name, *row)
    for name, *row in (
        (
            "training.tracking.tracking.NotTrackable",
            "TF 2.2",
            "marks objects that are not saved",
            _not_trackable,
        ),
        ("eager.context.in_graph_mode", "TF 1.7", "not executing_eagerly()", _in_graph_mode),
        (
            "ops.functional_ops.partitioned_call",
            "TF 2.13",
            "calls a function of Defun, and infers the types of its results",
            _partitioned_call,
        ),
    )
]
