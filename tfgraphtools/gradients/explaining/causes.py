"""Causes that stop a gradient, and advice: the words of `explain_gradient`."""

import collections

from tfgraphtools.gradients.explaining.cause_advice import advice_for

#: One reason: its name for programs, what it is, and what to do.
Cause = collections.namedtuple("Cause", "name, says, advice")

STOPPED = Cause(
    "stopped",
    "stop_gradient cuts the gradient on purpose",
    "Remove tf.stop_gradient, or differentiate what comes after it.",
)
DTYPE = Cause(
    "dtype",
    "no gradient goes through a tensor of dtype {detail}",
    "Stay in a float dtype: gradients.to_integer(x) has the values of a cast and a gradient.",
)
INDEX = Cause(
    "dtype",
    "it returns indices ({detail}): no gradient goes through them",
    "Use the values instead (reduce_max, gather), or a soft choice: tf.nn.softmax(x / t).",
)
COMPARISON = Cause(
    "dtype",
    "no gradient goes through a tensor of dtype {detail}: a comparison has none",
    "For a soft comparison use gradients.soft_step(x - y, sharpness).",
)
TEXT = Cause(
    "dtype",
    "no gradient goes through a tensor of dtype {detail}",
    "Keep the numbers: strings have no gradient.",
)
CONDITION = Cause(
    "condition",
    "a condition only chooses, and is no number: it gets no gradient",
    "To learn a choice use a soft one: gradients.soft_step(x, sharpness) as a weight.",
)
RETURNED_NONE = Cause(
    "returned None",
    "its gradient function returned None for this input",
    "Use its straight-through form (gradients.floor, round, sign...) or override_gradient.",
)
RETURNED_ZEROS = Cause(
    "returned zeros",
    "the gradient that it passes back is zero, whatever the gradient of y is",
    "If another gradient is meant: its straight-through form (gradients.sign...), or "
    "override_gradient({{{type!r}: fn}}).",
)
OVERWRITTEN = Cause(
    "overwritten",
    "the loop overwrites this value in its first iteration",
    "Let the body use the loop variable, or differentiate with respect to what the body uses.",
)
NEVER_TAKEN = Cause(
    "never taken",
    "a branch that no run takes: its predicate is a constant",
    "Make the predicate a tensor that changes, or differentiate the other branch.",
)
NO_ITERATION = Cause(
    "no iteration",
    "the loop makes no iteration, so its body has no part in y",
    "Check the condition of the loop at its first iteration.",
)
NO_BACKPROP = Cause(
    "back_prop=False",
    "the loop was built with back_prop=False: no gradient goes back through it",
    "Build the loop (while_loop, map_fn, scan, dynamic_rnn) with back_prop=True.",
)
RAISED = Cause("gradient error", "tf.gradients raises {detail}", "Correct that gradient function.")
COMPLEX = Cause(
    "dtype of y",
    "y is complex, and tf.gradients raises {detail}",
    "Differentiate a real number made of y (tf.abs(y), tf.math.real(y)), or pass grad_ys.",
)
UNKNOWN = Cause(
    "unknown",
    "no copy of the graph can be differentiated, and the graph alone does not tell: {detail}",
    "Call tf.gradients(y, x) itself, in a process that you can throw away.",
)
NOT_FINITE = Cause(
    "not finite",
    "what comes back is NaN, whatever the values are: zero times infinity",
    "Guard the division, log, sqrt or norm: tf.math.divide_no_nan, or an epsilon inside of it. "
    "gradients.first_nonfinite(y, x, feed) names the op.",
)
CANCELS = Cause(
    "returned zeros",
    "all that comes back is zero, whatever the gradient of y is",
    "A constant factor, index, mask or loop may leave x out, or equal terms may cancel.",
)
NOT_DIFFERENTIABLE = Cause(
    "not differentiable",
    "TensorFlow declares it not differentiable",
    "Give it a gradient with gradients.override_gradient({{{type!r}: fn}}).",
)
UNREGISTERED = Cause(
    "unregistered",
    "no gradient is registered for it",
    "Give it one with gradients.override_gradient({{{type!r}: fn}}) around the code that builds "
    "it, or gradients.set_gradient(op, fn) after, or build without it.",
)
LOST = Cause(
    "gradient not registered here",
    "it names the gradient function {detail}, which this process does not know",
    "gradients.require_gradients() says how to register it; gradients.set_gradient gives the op "
    "another.",
)
GRADIENT_ERROR = Cause(
    "gradient error",
    "its gradient function raised {detail}",
    "Correct that function, or give the op another with gradients.set_gradient.",
)
SIBLING = Cause(
    "sibling",
    "built after y: y uses {detail}, not this tensor made from it",
    "Differentiate with respect to {detail}, build y from x, or graph_replace(y, {{{detail}: x}}).",
)
CONTROL = Cause(
    "control edge",
    "y only waits for it (a control dependency): no value goes from x to y",
    "Use the value: y must be computed from x.",
)
ASSIGN = Cause(
    "assign",
    "an assign is no data path: x goes into variable {detail}, y reads it back",
    "Write y as a pure function of x: use the assigned value itself instead of reading the "
    "variable.",
)
STORED = Cause(
    "stored",
    "x goes into {detail}, and y takes it from there in the same or a later run: a queue, data "
    "set, table or accumulator passes values on and no gradient",
    "Differentiate with respect to what comes out of it, or compute y from x itself.",
)
SECOND_ORDER = Cause(
    "second order of a v1 loop",
    "y is (part of) the gradient of a v1 loop, which takes the loop's values from a stack: "
    "TensorFlow has no second derivative of it",
    "Build the loop with control flow v2: tf.compat.v1.enable_control_flow_v2().",
)
START_OF_LOOP = Cause(
    "start of a loop",
    "x is behind the start of a loop that is being built, and tf.gradients raises {detail}",
    "In the body differentiate with respect to its argument; with respect to x, what the loop "
    "returns.",
)
UNUSED = Cause(
    "unused",
    "it takes x, but not for the output that y is computed from",
    "Differentiate the output that is computed from x, or with respect to what this one is of.",
)
SHAPE = Cause(
    "shape",
    "y depends on the shape of x only, not on its values",
    "Nothing to do, unless y was meant to use the values.",
)
REVERSED = Cause("reversed", "x is computed from y, not y from x", "Swap y and x.")
WRONG_GRAPH = Cause(
    "wrong graph", "x is in another graph than y", "Build both in one tf.Graph().as_default()."
)
SOURCE_DTYPE = Cause(
    "dtype of x",
    "x is of dtype {detail}, which has no gradients",
    "Make x a float tensor or variable.",
)
DISCONNECTED = Cause(
    "disconnected",
    "nothing that y is computed from has to do with x",
    "Look for a constant folded at build time, or a part that was never connected.",
)

#: Causes that are a change of dtype.
DTYPES = (DTYPE, INDEX, COMPARISON, TEXT)

#: Causes that are seldom what one looks for: they are listed last.
SELDOM = frozenset([CONDITION.name])

#: Ops that make indices of numbers, or tell which numbers are there.
_INDICES = frozenset(
    [
        "ArgMax", "ArgMin", "Bucketize", "HistogramFixedWidth", "InTopK", "InTopKV2", "LowerBound",
        "MaxPoolWithArgmax", "Multinomial", "NonMaxSuppression", "NonMaxSuppressionV2",
        "NonMaxSuppressionV3", "NonMaxSuppressionV4", "NonMaxSuppressionV5", "TopK", "TopKV2",
        "Unique", "UniqueV2", "UniqueWithCounts", "UniqueWithCountsV2", "UpperBound", "Where",
    ]
)  # fmt: skip


def of_dtype(op):
    """Returns the cause of a hop through a dtype without gradients, by the op that made it."""
    if op.type in _INDICES:
        return INDEX
    dtypes = {tensor.dtype.base_dtype.name for tensor in list(op.outputs) + list(op.inputs)}
    if "string" in dtypes:
        return TEXT
    return COMPARISON if "bool" in dtypes else DTYPE


#: What the inputs of a choice get, by op type and input.
CHOICES = {
    ("Select", 1): "the gradient where the condition is True, zeros elsewhere",
    ("Select", 2): "the gradient where the condition is False, zeros elsewhere",
    ("SelectV2", 1): "the gradient where the condition is True, zeros elsewhere",
    ("SelectV2", 2): "the gradient where the condition is False, zeros elsewhere",
}
BRANCHES = (
    "the gradient when the predicate is False, zeros when it is True",
    "the gradient when the predicate is True, zeros when it is False",
)
BRANCH = "the gradient when this branch runs, zeros when it does not"
LOOP = "once for each iteration"


class Blocker:
    """One place where the gradient stops: the op, where it was built, why, and what to do.

    Attributes: ``cause`` (a word for programs), ``op_name``, ``op_type``,
    ``line`` (file and line of the user's code, or None), ``says``, ``advice``.
    """

    def __init__(self, cause, op=None, path=(), line=None, detail=""):
        self.cause = cause.name
        self.op_name = "" if op is None else "/".join(path + (op.name,))
        self.op_type = "" if op is None else op.type
        self.line = line
        self.says = cause.says.format(detail=detail, type=self.op_type)
        advice = advice_for(cause.name, op) or cause.advice
        self.advice = advice.format(detail=detail, type=self.op_type)

    def __str__(self):
        if not self.op_name:
            return self.says
        at = f" built at {self.line}" if self.line else ""
        return f"{self.op_type} {self.op_name!r}{at}: {self.says}"

    def as_dict(self):
        """Returns everything, for JSON."""
        return dict(vars(self))
