"""The tensors of a checkpoint as rows and as a tree with totals, without NumPy, to be quick."""

import collections
from typing import List

from tfgraphtools.checkpoints.optimizers import optimizer_slots
from tfgraphtools.checkpoints.read.checkpoint import Checkpoint

#: A tensor in a listing. ``bytes`` is None if unknown; ``owner`` and ``slot`` are None unless the
#: tensor is an optimizer's slot of another one; ``slices`` is 0 unless it is partitioned;
#: ``uncertain`` says that the tensor is only like a slot: no command treats it as one.
Row = collections.namedtuple("Row", "name dtype shape bytes slices owner slot uncertain")


class Scope:
    """A node of the tree: a scope, a tensor, or both (a variable and the scope of its slots).

    Attributes:
      row: the `Row` of the tensor of this name, or None.
      children: {last part of the name: Scope}.
      tensors, bytes: totals of everything at and below it.
    """

    __slots__ = ("row", "children", "tensors", "bytes")

    def __init__(self):
        self.row, self.children, self.tensors, self.bytes = None, {}, 0, 0


def listing(ckpt: Checkpoint) -> List[Row]:
    """Returns the `Row` of every tensor, in the order of the index."""
    summaries = {name: ckpt.store.summary(name) for name in ckpt}
    shapes = {name: summary[1] for name, summary in summaries.items()}
    owners, uncertain = optimizer_slots.listed(shapes, ckpt.object_graph)
    uncertain = set(uncertain)
    nobody = (None, None)
    return [
        Row(name, dtype, shape, size, slices, *owners.get(name, nobody), name in uncertain)
        for name, (dtype, shape, size, slices) in summaries.items()
    ]


def tree(listed):
    """Returns the root `Scope` of rows, with totals."""
    root = Scope()
    for row in listed:
        scope = root
        _count(scope, row)
        for part in row.name.split("/"):
            if part not in scope.children:
                scope.children[part] = Scope()
            scope = scope.children[part]
            _count(scope, row)
        scope.row = row
    return root


def _count(scope, row):
    scope.tensors += 1
    scope.bytes += row.bytes or 0
