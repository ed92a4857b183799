"""All passes over a program, in their order."""

from tfgraphtools.graphs.source_code.ir import python_numbers
from tfgraphtools.graphs.source_code.passes import (
    equal_nodes,
    equal_sizes,
    loop_variables,
    neutral_factors,
    readable_choices,
    rewriting,
    shape_ops,
)
from tfgraphtools.graphs.source_code.patterns import all_patterns


def simplify(program, assumes=False):
    """Rewrites a `Program` until no pass and no pattern applies.

    Args:
      program: a `Program`.
      assumes: as in `equal_sizes.unify`.
    """
    equal_sizes.unify(program, assumes)
    loop_variables.tidy(program)
    moves = rewriting.joined(shape_ops.RULES, loop_variables.RULES, neutral_factors.RULES)
    rewriting.apply(program, moves)
    for rules in all_patterns.STAGES:
        rewriting.apply(program, rewriting.joined(moves, rules))
    program.sweep()
    for end in loop_variables.ends(program):
        python_numbers.mark(end)
    rewriting.apply(program, readable_choices.RULES)
    equal_nodes.join(program)
