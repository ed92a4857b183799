"""Which cases of the dearest tests run.

A test marked ``@pytest.mark.pairs`` has several parameters: cases, kinds of variables, versions of
control flow. Half of its product runs on each TensorFlow: the half whose indices add up to an
even number on TF 2, to an odd one on TF 1.15. So any two values of two parameters, the TensorFlow
being one of them, meet in some test, and what one TensorFlow leaves out runs on the other. Where
one TensorFlow cannot run some cases, ``pairs(whole=PATTERN)`` names those that run whole.

A test marked ``@pytest.mark.default_variables`` runs with the kind of variables that the TensorFlow
makes by default: ref on TF 1.15, resource on TF 2.

A test marked ``@pytest.mark.once`` takes long and checks what does not depend on TensorFlow: it
runs on TF 2 alone.

TFGRAPHTOOLS_ALL_CASES=1 runs everything on both; so does naming a test with its parameters.
"""

import collections
import os
import re

#: Whether tests run all their cases, however long it takes.
ALL_CASES = "TFGRAPHTOOLS_ALL_CASES" in os.environ


def drawn(items, is_tf1):
    """(the items that run, those that a mark leaves out)"""
    functions = collections.defaultdict(list)
    for item in items:
        if item.get_closest_marker("pairs"):
            functions[item.nodeid.partition("[")[0]].append(item)
    left_out = {item for item in items if is_tf1 and item.get_closest_marker("once")}
    other = "resource" if is_tf1 else "ref"
    for item in items:
        if item.get_closest_marker("default_variables") and hasattr(item, "callspec"):
            if item.callspec.params.get("variables") == other:
                left_out.add(item)
    for name, cases in functions.items():
        axes = _axes(cases)
        kept = [(sum(at) + is_tf1) % 2 == 0 for at in zip(*axes)]
        for axis in axes:
            assert {at for at, stays in zip(axis, kept) if stays} == set(axis), name
        whole = cases[0].get_closest_marker("pairs").kwargs.get("whole", "$^")
        left_out.update(
            item
            for item, stays in zip(cases, kept)
            if not stays and not re.search(whole, item.nodeid.partition("[")[2])
        )
    return [item for item in items if item not in left_out], list(left_out)


def product(rows, columns):
    """[(row, column)]: all of them, or every other one, for cases that share a process."""
    return [
        (row, column)
        for i, row in enumerate(rows)
        for j, column in enumerate(columns)
        if ALL_CASES or (i + j) % 2 == 0
    ]


def _axes(cases):
    """The numbers of the values of each parameter over the cases, in the order of their use."""
    axes = []
    for name in cases[0].callspec.params:
        numbers = {}
        values = [id(item.callspec.params[name]) for item in cases]
        axis = tuple(numbers.setdefault(value, len(numbers)) for value in values)
        if len(numbers) > 1 and axis not in axes:
            axes.append(axis)
    return axes
