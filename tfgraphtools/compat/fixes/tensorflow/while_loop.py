"""Random numbers in loops come in the order of the iterations, as TF 1.15 drew them.

What draws in a loop needs nothing of the iteration before, so that up to 32 iterations draw
at once. On 1.15 the first iteration comes first; on 2.x the last one often does, and a seed
then gives the same numbers to other elements: `dynamic_rnn` with a `DropoutWrapper`, say.
A loop that draws with a seed runs one iteration after another.
"""

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.engine.rewrite_kinds import Syntax
from tfgraphtools.compat.engine.rows import Fix
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

ROW = Fix(
    "loops.random",
    "TF 2.0",
    "a loop that draws random numbers with a seed runs one iteration after another",
    rewrite=Syntax("loops.random"),
)

_DRAWING = ("Random", "TruncatedNormal", "ParameterizedTruncatedNormal", "Multinomial")


def _add(original, self, op):
    """Adds an op to a context, and notes in loops that it draws with a seed."""
    if self.IsWhileContext() and _draws(op):
        _build_loop.used()
        self._draws = True
        self._parallel_iterations = 1  # of what enters the loop from now on
    return original(self, op)


_CONTEXTS = "tensorflow.python.ops.control_flow_ops:"
_add_op = replaces(_CONTEXTS + "WhileContext._AddOpInternal", row=ROW)(_add)
_add_inner_op = replaces(_CONTEXTS + "ControlFlowContext.AddInnerOp", row=ROW)(_add)


@replaces(_CONTEXTS + "WhileContext.BuildLoop", row=ROW)
def _build_loop(original, self, *arguments, **options):
    results = original(self, *arguments, **options)
    if vars(self).get("_draws"):
        _run_in_turn(self)
    return results


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


TABLES = (
    replacing.table("random numbers in loops", _add_op, _add_inner_op, _build_loop, kind="patches"),
)
