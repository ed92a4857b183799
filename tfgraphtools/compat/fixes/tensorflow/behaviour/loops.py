"""Random numbers in loops come in the order of the iterations, as TF 1.15 drew them.

What draws in a loop needs nothing of the iteration before, so that up to 32 iterations draw
at once. On 1.15 the first iteration comes first; on 2.x the last one often does, and a seed
then gives the same numbers to other elements: `dynamic_rnn` with a `DropoutWrapper`, say.
A loop that draws with a seed runs one iteration after another.
"""

import functools

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row, Table

_DRAWING = ("Random", "TruncatedNormal", "ParameterizedTruncatedNormal", "Multinomial")


def _draw_in_order():
    from tensorflow.python.ops import control_flow_ops

    for owner, name in (
        (control_flow_ops.WhileContext, "_AddOpInternal"),
        (control_flow_ops.ControlFlowContext, "AddInnerOp"),
    ):
        state.set_attribute(owner, name, _noting(getattr(owner, name)))
    plain = control_flow_ops.WhileContext.BuildLoop

    @functools.wraps(plain)
    def build_loop(self, *arguments, **options):
        results = plain(self, *arguments, **options)
        if vars(self).get("_draws"):
            _run_in_turn(self)
        return results

    state.set_attribute(control_flow_ops.WhileContext, "BuildLoop", build_loop)


def _noting(plain):
    """A method that adds an op to a context, and notes in loops that it draws with a seed."""

    @functools.wraps(plain)
    def add(self, op):
        if self.IsWhileContext() and _draws(op):
            rows.used(ROW)
            self._draws = True
            self._parallel_iterations = 1  # of what enters the loop from now on
        return plain(self, op)

    return add


def _draws(op):
    if not op.type.startswith(_DRAWING) and not op.type.endswith("CandidateSampler"):
        return False
    try:
        return bool(op.get_attr("seed") or op.get_attr("seed2"))
    except ValueError:  # an op without a seed, such as those of TensorFlow's generators
        return False


def _run_in_turn(context):
    """Makes the ops that entered the loop earlier run one iteration at a time."""
    from tensorflow.core.framework import attr_value_pb2

    name = context.name.encode()
    for op in context._pivot.graph.get_operations():
        if op.type in ("Enter", "RefEnter") and op.get_attr("frame_name") == name:
            op._set_attr("parallel_iterations", attr_value_pb2.AttrValue(i=1))


ROW = Row(
    "loops.random",
    "TF 2.0",
    "a loop that draws random numbers with a seed runs one iteration after another",
    _draw_in_order,
)

TABLE = Table("random numbers in loops", "patches", [ROW])
