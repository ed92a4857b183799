"""All passes over a program, in their order."""

from tfgraphtools.graphs.source_code.passes import (
    equal_sizes,
    neutral_factors,
    rewriting,
    shape_ops,
)
from tfgraphtools.graphs.source_code.patterns import all_patterns


def simplify(program):
    """Rewrites a `Program` until no pass and no pattern applies."""
    equal_sizes.unify(program)
    rewriting.apply(program, rewriting.joined(shape_ops.RULES, neutral_factors.RULES))
    for rules in all_patterns.STAGES:
        rewriting.apply(program, rewriting.joined(shape_ops.RULES, rules))
    program.sweep()
