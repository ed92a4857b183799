"""Why a gradient stops, and what to do about it: the words of `explain_gradient`."""

import collections

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
NOT_DIFFERENTIABLE = Cause(
    "not differentiable",
    "TensorFlow declares it not differentiable",
    "Give it a gradient with gradients.override_gradient({{{type!r}: fn}}).",
)
UNREGISTERED = Cause(
    "unregistered",
    "no gradient is registered for it",
    "Give it one with gradients.override_gradient({{{type!r}: fn}}), or build without it.",
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
        self.advice = cause.advice.format(detail=detail, type=self.op_type)

    def __str__(self):
        if not self.op_name:
            return self.says
        at = f" built at {self.line}" if self.line else ""
        return f"{self.op_type} {self.op_name!r}{at}: {self.says}"

    def as_dict(self):
        """For JSON."""
        return dict(vars(self))
