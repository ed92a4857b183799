"""Loops that draw random numbers with a seed: one iteration after another, as TF 1.15 drew them.

Today up to 32 iterations of a loop draw at once, and a seed gives other numbers in each run.
"""

import ast
import re

from tfgraphtools.analysis.scopes import nodes_of
from tfgraphtools.compat import rewrites
from tfgraphtools.upgrade import targets
from tfgraphtools.upgrade.findings import REWRITTEN
from tfgraphtools.upgrade.passes import call_arguments

FIX = "loops.random"

#: How a program says that its random numbers have a seed.
SEEDED = re.compile(r"\bset_random_seed\b|\btf_random_seed\b|\bseed *= *(?!None\b)\w")

#: What in a file shows that something draws in its loops.
_CELLS = re.compile("Dropout|Zoneout|dropout_keep_prob|input_keep_prob")
_OPS = re.compile(
    r"\.(random_\w+|truncated_normal|multinomial|random\.\w+|nn\.dropout|layers\.dropout)\("
)

#: Functions that build a loop -> (what shows that it draws, the place of ``parallel_iterations``).
_LOOPS = {
    "nn.dynamic_rnn": (_CELLS, 5),
    "nn.bidirectional_dynamic_rnn": (_CELLS, 7),
    "nn.raw_rnn": (_CELLS, 2),
    "contrib.seq2seq.dynamic_decode": (_CELLS, 4),
    "contrib.rnn.stack_bidirectional_dynamic_rnn": (_CELLS, 7),
    "while_loop": (_OPS, 4),
    "map_fn": (_OPS, 3),
    "scan": (_OPS, 3),
    "foldl": (_OPS, 3),
    "foldr": (_OPS, 3),
}
_INSTEAD = rewrites.Call(added={"parallel_iterations": "1"})


def edits(work):
    """Returns the edits by which such loops run one iteration at a time."""
    if not (work.role.seeded and work.role.is_tf1 and work.choice.allows(FIX)):
        return []
    changes = []
    for node in nodes_of(work.tree):
        name = _loop(work, node.func) if isinstance(node, ast.Call) else None
        drawing, most = _LOOPS.get(name, (None, 0))
        if drawing is None or not drawing.search(work.text.text) or len(node.args) > most:
            continue
        given_names = {keyword.arg for keyword in node.keywords}
        starred = any(isinstance(argument, ast.Starred) for argument in node.args)
        if starred or given_names & {"parallel_iterations", None}:
            continue
        work.note(node.end_lineno, name, REWRITTEN, FIX, "parallel_iterations=1")
        changes += call_arguments.edits(node, _INSTEAD, work.text, FIX)
    return changes


def _loop(work, function):
    """Returns the name of a function of TensorFlow, of which inner modules have a copy."""
    name = work.names.in_tensorflow(function)
    if name is None or name in _LOOPS:
        return name
    target = work.of(f"tensorflow.{name}")
    return (target and target.to or "").replace(targets.V1 + ".", "", 1)
