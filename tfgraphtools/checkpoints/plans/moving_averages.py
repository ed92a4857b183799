"""Moving averages in place of the variables that they are averages of."""

import collections
from typing import Any, Dict, Tuple, Union

from tfgraphtools.checkpoints.optimizers import slot_groups, state_roles
from tfgraphtools.checkpoints.plans import rules as naming
from tfgraphtools.checkpoints.plans.plan import plan
from tfgraphtools.checkpoints.read.checkpoint import GRAPH_KEY, Checkpoint
from tfgraphtools.errors import NothingMatchedError, PlanError

#: `True`, or which averages: their name, or a pattern of their full names.
UseEma = Union[bool, str]


def averages_of(ckpt: Checkpoint, use_ema: UseEma = True) -> Dict[str, str]:
    """Returns the moving averages of a checkpoint.

    Args:
      ckpt: an open checkpoint.
      use_ema: which of several averages of a variable: the name that they were given, such as
        "ExponentialMovingAverage_1" or "Slow", or a pattern of their full names.

    Returns:
      {variable: its moving average}.

    Example:
      >>> averages_of(ckpt)                                            # doctest: +SKIP
      {'dense/kernel': 'dense/kernel/ExponentialMovingAverage'}

    Raises:
      NothingMatchedError: there is none.
      PlanError: a variable has several.
    """
    return require(_shapes(ckpt), "averages_of", use_ema)


def require(shapes, place, use_ema=True):
    """Finds {variable: its moving average} by {name: shape}.

    Raises:
      NothingMatchedError: there is none.
      PlanError: a variable has several.
    """
    averages = _find(shapes) if use_ema is True else _called(shapes, use_ema, place)
    if not averages:
        raise NothingMatchedError(
            place,
            "moving averages, such as .../ExponentialMovingAverage",
            "none" if use_ema is True else f"none called {use_ema!r}",
            "Leave use_ema (--use-ema) out, or say what they are called: use_ema='Slow' "
            "(--ema-name Slow).",
        )
    for variable, names in averages.items():
        if len(names) > 1:
            choice = naming.exactly(names[-1]) if use_ema is not True else _last(names[-1])
            raise PlanError(
                place,
                "one moving average of each variable",
                "of {!r}: {}".format(variable, ", ".join(map(repr, names))),
                f"Say which: use_ema={choice!r} (--ema-name '{choice}').",
            )
    return {variable: names[0] for variable, names in averages.items()}


def others(shapes, averages):
    """Returns the averages of the same variables that were not chosen."""
    return sorted(
        {
            name
            for variable, names in _find(shapes).items()
            for name in names
            if averages.get(variable, name) != name
        }
    )


def chosen(ckpt: Checkpoint, rules: Any, use_ema: UseEma, place: str) -> Tuple[Checkpoint, Any]:
    """Puts averages in the place of variables where ``use_ema`` or a rule says so.

    Args:
      ckpt: an open checkpoint.
      rules: of names. One that gives averages the names of their variables, such as
        ``('(.*)/ExponentialMovingAverage', r'\\1')``, means the averages.
      use_ema: take every average; or which, as in `averages_of`.
      place: who asks, for errors.

    Returns:
      (the checkpoint, the rules that are left).
    """
    if use_ema:
        shapes = _shapes(ckpt)
        averages = require(shapes, place, use_ema)
        return _in_place(ckpt, averages, others(shapes, averages)), rules
    if not rules or isinstance(rules, dict) or GRAPH_KEY in ckpt:
        return ckpt, rules
    variables = {name: of for of, names in _find(_shapes(ckpt)).items() for name in names}
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


def _in_place(ckpt, averages, unwanted=()):
    taken = {average: variable for variable, average in averages.items()}
    drop = [naming.exactly(name) for name in (*taken, *unwanted)]
    return plan(ckpt, alias=taken, drop=drop).view()


def _find(shapes):
    """Returns {variable: its averages, sorted} by the roles that names and shapes say."""
    averages = collections.defaultdict(list)
    for name, role in sorted(state_roles.roles(shapes).items()):
        if role.role == state_roles.AVERAGE and role.owner is not None:
            averages[role.owner].append(name)
    return averages


def _called(shapes, name, place):
    """Returns {variable: its averages of a name, or whose full names fit a pattern}."""
    named = slot_groups.called(shapes, name)
    if named:
        return named
    variable_of = {average: of for of, averages in _find(shapes).items() for average in averages}
    matching = collections.defaultdict(list)
    for average in naming.matching(name, list(variable_of), place):
        matching[variable_of[average]].append(average)
    return matching


def _last(name):
    return name.rpartition("/")[2]


def _shapes(ckpt):
    return {name: ckpt.store.summary(name)[1] for name in ckpt}
