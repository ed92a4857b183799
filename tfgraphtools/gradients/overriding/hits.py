"""The ops that an override reached, and what was meant where it reached none."""

import collections
from typing import Sequence

from tfgraphtools.errors import nearest

#: What a user may have meant by an op type that the block did not create.
_OTHER_TYPES = {
    "Add": "AddV2",
    "AddV2": "Add",
    "BatchMatMul": "BatchMatMulV2",
    "Div": "RealDiv",
    "Floor": "FloorDiv",
    "Gather": "GatherV2",
    "MatMul": "SparseMatMul",
    "BatchMatMulV2": "BatchMatMul",
    "RealDiv": "Div",
    "GatherV2": "Gather",
    "Select": "SelectV2",
    "SelectV2": "Select",
    "FusedBatchNorm": "FusedBatchNormV3",
    "LogicalNot": "Not",
}


class Hits(collections.abc.Mapping):
    """The ops that an override reached: ``{op type: [ops]}``, filled while the block runs.

    ``hits.total`` counts them all; ``print(hits)`` lists their names.
    """

    def __init__(self, op_types: Sequence[str]) -> None:
        self._ops = {op_type: [] for op_type in op_types}

    def __getitem__(self, op_type):
        return self._ops[op_type]

    def __iter__(self):
        return iter(self._ops)

    def __len__(self):
        return len(self._ops)

    @property
    def total(self) -> int:
        """The number of ops reached, of all types."""
        return sum(map(len, self._ops.values()))

    def __repr__(self):
        return "Hits({})".format(
            ", ".join(f"{op_type}: {[op.name for op in ops]}" for op_type, ops in self._ops.items())
        )


def likely_type(op_type, created):
    """Returns the op type that the block did create and that the user may have meant."""
    by_spelling = {t.lower().replace("_", ""): t for t in created}
    wanted = op_type.lower().replace("_", "")
    if wanted in by_spelling:
        return by_spelling[wanted]
    other = _OTHER_TYPES.get(op_type)
    if other in created:
        return other
    for suffix in ("v2", "v3", "v4"):
        if wanted + suffix in by_spelling:
            return by_spelling[wanted + suffix]
    near = nearest(wanted, by_spelling, 1)
    return by_spelling[near[0]] if near else None
