"""The effect of an optimizer on a gradient of zero: why a "frozen" weight moves."""

import copy
from typing import Dict, Optional

import numpy as np

from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import OptimizerKindError
from tfgraphtools.training import _arguments, _wrapper
from tfgraphtools.training.steps import optimizer_chain as _optimizers

_START = [[1.0], [-2.0], [3.0], [-4.0]]
_GRADIENT = 0.5  # of every element, in the real steps


def zero_gradient_effects(optimizer: v1.train.Optimizer, steps: int = 3) -> "ZeroGradientEffects":
    """Measures what an optimizer does to a variable and its state on a gradient of zero.

    In a graph of its own it takes some real steps and then one on zeros; one on
    zeros as the very first; and one on a sparse gradient that leaves out rows.

    It does nothing to the optimizer: an instance is copied with its
    hyperparameters and without its state, and only the copy is used.

    Args:
      optimizer: an instance, or a function (or class) without arguments that
        makes one, called within the scratch graph. A function is needed where a
        hyperparameter is a tensor or variable, and for the optimizers of this
        library.
      steps: how many real steps go before, an int; each has the gradient 0.5
        throughout.

    Returns:
      A `ZeroGradientEffects`; print it.

    Example:
      >>> print(zero_gradient_effects(tf.compat.v1.train.MomentumOptimizer(0.1, 0.9)))
      MomentumOptimizer, on a gradient of 0 after 3 steps of gradient 0.5:
        variable             moves by 0.122
        slot momentum        changes by 0.136
      On a gradient of 0 in the very first step:
        variable             stays
      Rows that a sparse gradient leaves out, after 3 steps:
        variable             stays
        slot momentum        stays
      A gradient of 0 does not freeze: use FreezeOptimizer(optimizer, {selector: True}).

    Raises:
      OptimizerKindError: not an optimizer for Sessions; an instance that cannot
        be taken into another graph.
    """
    steps = _arguments.check_count("zero_gradient_effects steps", steps)
    make = _maker(optimizer)
    with v1.Graph().as_default():
        sample = make()
        _optimizers.check_optimizer(sample, "zero_gradient_effects")
    try:
        measured = {
            "after_steps": _measure(make, steps, sparse=False),
            "first_step": _measure(make, 0, sparse=False),
            "left_out_rows": _measure(make, steps, sparse=True),
        }
    except ValueError as error:  # TensorFlow's, of an op with inputs of two graphs
        if "same graph" in str(error):
            raise _cannot_copy(sample) from error
        raise
    return ZeroGradientEffects(type(sample).__name__, steps, **measured)


class ZeroGradientEffects:
    """The result of `zero_gradient_effects`; ``print`` shows it as a table.

    Attributes:
      name: the optimizer's class.
      steps: how many real steps went before.
      after_steps, first_step, left_out_rows: ``{what: largest absolute change}``
        on zeros after real steps, on zeros as the first step, and of rows that a
        sparse gradient leaves out (None where the optimizer takes no sparse
        gradient). The keys are ``"variable"``, ``"slot m"`` and so on, and
        ``"state beta1_power"`` for what is kept once for all variables.
    """

    def __init__(
        self,
        name: str,
        steps: int,
        after_steps: Dict[str, float],
        first_step: Dict[str, float],
        left_out_rows: Optional[Dict[str, float]],
    ) -> None:
        self.name = name
        self.steps = steps
        self.after_steps = after_steps
        self.first_step = first_step
        self.left_out_rows = left_out_rows

    @property
    def freezes(self) -> bool:
        """True where a gradient of zero leaves the variable and its slots as they are."""
        own = [self.after_steps, self.first_step]
        return not any(
            change for effects in own for name, change in effects.items() if _is_own(name)
        )

    def __str__(self) -> str:
        lines = [
            f"{self.name}, on a gradient of 0 after {self.steps} steps of gradient {_GRADIENT}:"
        ]
        lines += _table(self.after_steps)
        lines += ["On a gradient of 0 in the very first step:"]
        lines += _table({"variable": self.first_step["variable"]})
        if self.left_out_rows is not None:
            lines += [f"Rows that a sparse gradient leaves out, after {self.steps} steps:"]
            lines += _table({k: v for k, v in self.left_out_rows.items() if _is_own(k)})
        if self.freezes:
            lines += ["A gradient of 0 freezes here, as far as this run shows."]
        else:
            lines += [
                "A gradient of 0 does not freeze: use FreezeOptimizer(optimizer, {selector: True})."
            ]
        return "\n".join(lines)


def _is_own(name):
    return not name.startswith("state ")


def _table(effects):
    return [f"  {name:<20} {_words(name, change)}" for name, change in effects.items()]


def _words(name, change):
    if not change:
        return "stays"
    return "{} by {:.3g}".format("moves" if name == "variable" else "changes", change)


def _measure(make, steps, sparse):
    """Returns {what: largest absolute change} in a step without gradient after real ones.

    With ``sparse`` that step has a gradient of row 0 alone, and the other rows are
    measured; None if the optimizer takes no such gradient.
    """
    with v1.Graph().as_default() as graph, v1.Session(graph=graph) as session:
        optimizer = make()
        variable = v1.get_variable("audited", initializer=np.array(_START, np.float32))
        grad = v1.placeholder(tf.float32, [None, 1])
        rows = v1.placeholder(tf.int32, [None])
        gradient = tf.IndexedSlices(grad, rows, [len(_START), 1]) if sparse else grad
        try:
            step = optimizer.apply_gradients([(gradient, variable)])
        except (NotImplementedError, TypeError):  # contrib's GGT takes other arguments
            if not sparse:
                raise
            return None
        watched = _state(optimizer, variable)
        session.run(variable.initializer)  # the initial value of some state reads it
        session.run(v1.global_variables_initializer())
        everywhere = np.full([len(_START), 1], _GRADIENT)
        for _ in range(steps):
            session.run(step, {grad: everywhere, rows: range(len(_START))})
        before = session.run(watched)
        if sparse:
            session.run(step, {grad: everywhere[:1], rows: [0]})
        else:
            session.run(step, {grad: 0 * everywhere, rows: []})
        after = session.run(watched)
        return {name: _change(before[name], after[name], sparse) for name in watched}


def _change(before, after, sparse):
    """Returns the largest absolute change; of sparse steps, in the rows without a gradient."""
    if sparse and np.shape(before) == np.shape(_START):
        before, after = before[1:], after[1:]
    return float(np.max(np.abs(np.subtract(after, before, dtype=np.float64))))


def _state(optimizer, variable):
    """Returns {what: variable}: the variable, its slots, and what the optimizer keeps besides."""
    variables = {"variable": variable}
    for leaf in _optimizers.leaves(optimizer):
        for name in leaf.get_slot_names():
            if leaf.get_slot(variable, name) is not None:
                variables[f"slot {name}"] = leaf.get_slot(variable, name)
    known = {v.op.name for v in variables.values()}
    prefix = variable.op.name + "/"
    for other in v1.global_variables():
        name = other.op.name
        if name not in known and other.dtype.base_dtype.is_floating:
            own = name.startswith(prefix)
            variables[f"slot {name[len(prefix) :]}" if own else f"state {name}"] = other
    return variables


def _maker(optimizer):
    """Returns a function that makes the optimizer, or a copy of it, in the current graph."""
    if isinstance(optimizer, v1.train.Optimizer):
        if any(
            isinstance(inner, _wrapper.WrapperOptimizer) for inner in _optimizers.chain(optimizer)
        ):
            raise _cannot_copy(optimizer)
        return lambda: _copied(optimizer)
    if not callable(optimizer):
        _optimizers.check_optimizer(optimizer, "zero_gradient_effects")
    return optimizer


def _copied(optimizer):
    """Copies the optimizer with its hyperparameters, without its state."""
    fresh = copy.copy(optimizer)
    for name, value in vars(optimizer).items():
        if name in ("_slots", "_non_slot_dict"):
            setattr(fresh, name, {})
        elif isinstance(value, v1.train.Optimizer):
            setattr(fresh, name, _copied(value))
        elif isinstance(value, (dict, list, set)):
            setattr(fresh, name, copy.copy(value))
        elif isinstance(value, v1.train.ExponentialMovingAverage):
            setattr(fresh, name, copy.copy(value))
            getattr(fresh, name)._averages = {}
    return fresh


def _cannot_copy(optimizer):
    kind = type(optimizer).__name__
    return OptimizerKindError(
        "zero_gradient_effects",
        "an optimizer that can be taken into another graph",
        f"{kind} with tensors, variables or selectors of this graph",
        f"Pass a function that makes it: zero_gradient_effects(lambda: {kind}(...)).",
    )
