"""Numbered siblings that are called one after the other: a list of modules and a loop."""

import re
from typing import Any, List, NamedTuple

from tfgraphtools.graphs.source_code.scopes.scope_trees import Scope, calls_of, count_reads

_NUMBERED = re.compile(r"(.*?)_*(\d+)")


class Run(NamedTuple):
    """Calls of which each one reads the output of the one before.

    Attributes:
      stem: what their names have in common.
      calls: list of `Scope`.
      place: which of their inputs is the output of the one before.
    """

    stem: str
    calls: List[Any]
    place: int

    @property
    def attribute(self):
        """What the list of modules is called: ``layers`` for layer_0, layer_1, ..."""
        return self.stem + "s" if len(self.stem) > 2 and self.stem[-1] != "s" else self.stem


def runs_of(scope, sources):
    """Returns the list of `Run` in a scope.

    Args:
      scope: a `Scope`.
      sources: {attribute: `ModuleSource`} of the modules that it calls.
    """
    reads = count_reads(scope)
    calls = [call.attribute for call in calls_of(scope)]
    runs, current = [], []
    for item in scope.items:
        is_next = current and _place(current, item, sources, reads) is not None
        if not is_next:
            _close(runs, current)
            current = []
        if isinstance(item, Scope) and _is_single(item, calls):
            current.append(item)
    _close(runs, current)
    names = [run.attribute for run in runs]
    return [run for run in runs if names.count(run.attribute) == 1 and run.attribute not in sources]


def _close(runs, calls):
    if len(calls) > 1:
        stem = _NUMBERED.fullmatch(calls[0].attribute).group(1)
        output = calls[0].outputs[0]
        runs.append(Run(stem, list(calls), calls[1].inputs.index(output)))


def _is_single(call, calls):
    match = _NUMBERED.fullmatch(call.attribute)
    is_named = match is not None and match.group(1)[:1].isalpha()
    return is_named and len(call.outputs) == 1 and calls.count(call.attribute) == 1


def _place(current, call, sources, reads):
    """Returns which input is the output of the last call, where a call goes on with a run."""
    last = current[-1]
    if not isinstance(call, Scope) or _NUMBERED.fullmatch(call.attribute) is None:
        return None
    if len(call.outputs) != 1 or _stem(call) != _stem(last):
        return None
    if sources[call.attribute].key != sources[last.attribute].key:
        return None
    output = last.outputs[0]
    if call.inputs.count(output) != 1 or reads.get(output) != 1:
        return None
    place = call.inputs.index(output)
    others = [value for i, value in enumerate(call.inputs) if i != place]
    if others != [value for i, value in enumerate(last.inputs) if i != place]:
        return None
    if len(current) > 1 and current[1].inputs.index(current[0].outputs[0]) != place:
        return None
    return place


def _stem(call):
    return _NUMBERED.fullmatch(call.attribute).group(1)
