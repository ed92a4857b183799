"""Moving averages in place of the variables that they are averages of."""

from typing import Any, Dict, Tuple

from tfgraphtools.checkpoints.optimizers import state_roles
from tfgraphtools.checkpoints.plans import rules as naming
from tfgraphtools.checkpoints.plans.plan import plan
from tfgraphtools.checkpoints.read.checkpoint import GRAPH_KEY, Checkpoint
from tfgraphtools.errors import NothingMatchedError


def averages_of(ckpt: Checkpoint) -> Dict[str, str]:
    """Returns the moving averages of a checkpoint.

    Args:
      ckpt: an open checkpoint.

    Returns:
      {variable: its moving average}.

    Example:
      >>> averages_of(ckpt)                                            # doctest: +SKIP
      {'dense/kernel': 'dense/kernel/ExponentialMovingAverage'}

    Raises:
      NothingMatchedError: there is none.
    """
    return require(_shapes(ckpt), "averages_of")


def require(shapes, place):
    """Finds {variable: its moving average} by {name: shape}.

    Raises:
      NothingMatchedError: there is none.
    """
    averages = _find(shapes)
    if not averages:
        raise NothingMatchedError(
            place,
            "moving averages, such as .../ExponentialMovingAverage",
            "none",
            "Leave use_ema (--use-ema) out, or rename the averages: ckpt rename.",
        )
    return averages


def chosen(ckpt: Checkpoint, rules: Any, use_ema: bool, place: str) -> Tuple[Checkpoint, Any]:
    """Puts averages in the place of variables where ``use_ema`` or a rule says so.

    Args:
      ckpt: an open checkpoint.
      rules: of names. One that gives averages the names of their variables, such as
        ``('(.*)/ExponentialMovingAverage', r'\\1')``, means the averages.
      use_ema: take every average.

    Returns:
      (the checkpoint, the rules that are left).
    """
    if use_ema:
        return _in_place(ckpt, require(_shapes(ckpt), place)), rules
    if not rules or isinstance(rules, dict) or GRAPH_KEY in ckpt:
        return ckpt, rules
    variables = {average: variable for variable, average in _find(_shapes(ckpt)).items()}
    taken, left = {}, []
    for rule in rules:
        named = _renamed(rule, variables, place)
        if named and all(variables[average] == name for average, name in named.items()):
            taken.update((name, average) for average, name in named.items())
        else:
            left.append(rule)
    return (_in_place(ckpt, taken), left) if taken else (ckpt, rules)


def _renamed(rule, averages, place):
    """Returns {average: new name} of those that one rule matches."""
    try:
        return naming.renamed([rule], list(averages), place)
    except NothingMatchedError:
        return {}


def _in_place(ckpt, averages):
    taken = {average: variable for variable, average in averages.items()}
    return plan(ckpt, alias=taken, drop=[naming.exactly(average) for average in taken]).view()


def _find(shapes):
    return {
        role.owner: name
        for name, role in state_roles.roles(shapes).items()
        if role.role == state_roles.AVERAGE and role.owner is not None
    }


def _shapes(ckpt):
    return {name: ckpt.store.summary(name)[1] for name in ckpt}
