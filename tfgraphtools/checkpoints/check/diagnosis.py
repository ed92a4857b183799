"""A checkpoint against a model: the tensors that do not fit, and renames that fix it."""

import collections
import os
from typing import Any, Dict, List, Tuple

from tfgraphtools.checkpoints.check import tensor_roles
from tfgraphtools.checkpoints.format.type_hints import Path
from tfgraphtools.checkpoints.graphs import metagraph as _model
from tfgraphtools.checkpoints.graphs.contrib_ops import MODULE_OF
from tfgraphtools.checkpoints.names import likeness
from tfgraphtools.checkpoints.read.checkpoint import GRAPH_KEY, Checkpoint, Source
from tfgraphtools.checkpoints.read.opening import as_checkpoint

_MOST_PAIRS = 1 << 19


class Diagnosis:
    """The result of `doctor`.

    Attributes:
      fitting: names that would restore.
      missing: names that the model wants and the checkpoint does not have.
      extra: names that only the checkpoint has.
      shapes: [(name, shape in the checkpoint, shape in the model)] where they differ.
      dtypes: [(name, type in the checkpoint, type in the model)] where they differ.
      renames: {name in the checkpoint: name in the model}, for `plan(rename=...)`.
      nearest: {missing name: names of the checkpoint of this shape and role that are like it}.
      state: {missing name: what it is}, of optimizer state, step counts and moving averages that no
        rename gives: they begin as the graph initializes them.
      ops: [(op of the graph that this TensorFlow lacks, the module that had it, or "")].
    """

    def __init__(self):
        self.fitting, self.missing, self.extra = [], [], []
        self.shapes, self.dtypes, self.ops = [], [], []
        self.renames, self.nearest, self.state = {}, {}, {}

    @property
    def ok(self) -> bool:
        """True if every variable of the model would restore."""
        return not (self.missing or self.shapes or self.dtypes)

    def as_dict(self) -> Dict[str, Any]:
        """Returns everything, for JSON."""
        return {key: value for key, value in sorted(vars(self).items())}


def doctor(checkpoint: Source, graph: Path, ops: bool = False) -> Diagnosis:
    """Compares a checkpoint with the variables that a graph restores.

    Renames are proposed for tensors of the same role, shape and type whose names are alike and
    where no other tensor is as much alike: a slot of one optimizer never becomes that of another,
    or a weight. What is not certain is left to you, under ``nearest``.

    Args:
      checkpoint: as in `open_checkpoint`, or an open one.
      graph: a ``.meta``, a ``.pb`` with a GraphDef, or a ``saved_model.pb``.
      ops: ask the TensorFlow that is installed which ops of the graph it lacks (this imports it).
        Otherwise only the ops of tf.contrib are listed, which no TF 2 has.

    Returns:
      A `Diagnosis`.

    Example:
      >>> found = doctor("model.ckpt-1000", "model.ckpt-1000.meta")    # doctest: +SKIP
      >>> plan(ckpt, rename=found.renames).apply("fixed/model.ckpt-1000")

    Raises:
      CheckpointNotFoundError, DamagedCheckpointError: one of the two files cannot be read.
    """
    graph_needs = _model.read(os.fspath(graph))
    ckpt = as_checkpoint(checkpoint)
    try:
        diagnosis = _compare(ckpt, graph_needs.expected)
        diagnosis.ops = _lacking(graph_needs.ops, ops)
        return diagnosis
    finally:
        if not isinstance(checkpoint, Checkpoint):
            ckpt.close()


def _compare(ckpt, expected):
    diagnosis = Diagnosis()
    held = {name: ckpt.store.summary(name)[:2] for name in ckpt if name != GRAPH_KEY}
    for name, want in sorted(expected.items()):
        if name not in held:
            diagnosis.missing.append(name)
            continue
        dtype, shape = held[name]
        if not _same_shape(shape, want.shape):
            diagnosis.shapes.append((name, shape, want.shape))
        elif want.dtype not in (None, dtype):
            diagnosis.dtypes.append((name, dtype, want.dtype))
        else:
            diagnosis.fitting.append(name)
    diagnosis.extra = [name for name in held if name not in expected]
    have = tensor_roles.of(
        {name: shape for name, (_, shape) in held.items()},
    )
    graph_roles = tensor_roles.of({name: _sizes(want.shape) for name, want in expected.items()})
    _propose(
        diagnosis,
        {name: expected[name] for name in diagnosis.missing},
        {name: held[name] for name in diagnosis.extra},
        graph_roles,
        have,
    )
    renamed = set(diagnosis.renames.values())
    for name in diagnosis.missing:
        if name not in renamed and graph_roles[name].words:
            diagnosis.state[name] = graph_roles[name].words
    return diagnosis


def _sizes(shape):
    """Returns a shape that can be compared: -1 for what is not known."""
    return tuple(-1 if size is None else size for size in shape or ())


def _same_shape(shape, expected):
    return (
        expected is None
        or len(shape) == len(expected)
        and all(want in (None, have) for have, want in zip(shape, expected))
    )


# Renames --------------------------------------------------------------------


def _propose(diagnosis, missing, extra, graph_roles=None, have=None):
    """Fills in ``renames`` and ``nearest``, best pairs first, each tensor once.

    ``graph_roles`` and ``have`` are the roles of both sides: only equal ones make a pair.
    """
    pairs = _scored_pairs(missing, extra, graph_roles or {}, have or {})
    best = collections.defaultdict(list)  # either side's name -> its scores, best first
    for score, new, old in pairs:
        best[new].append(score)
        best[old, "old"].append(score)
        if len(diagnosis.nearest.setdefault(new, [])) < 3:
            diagnosis.nearest[new].append(old)
    taken = set()
    for score, new, old in pairs:
        if score < likeness.LEAST or new in taken or old in diagnosis.renames:
            continue
        rivals = best[new].count(score) > 1 or best[old, "old"].count(score) > 1
        if not rivals:
            diagnosis.renames[old] = new
            taken.add(new)


def _scored_pairs(missing, extra, graph_roles, have):
    """Returns [(likeness, missing name, extra name)] of equal role, shape and type, best first."""
    by_kind = collections.defaultdict(list)
    for name, (dtype, shape) in extra.items():
        by_kind[dtype, shape, have.get(name)].append(name)
    candidates = []
    for name, want in missing.items():
        for (dtype, shape, role), names in by_kind.items():
            is_alike = want.dtype in (None, dtype) and _same_shape(shape, want.shape)
            if is_alike and role == graph_roles.get(name):
                candidates.append((name, names))
    words = {name: likeness.words(name) for name in list(missing) + list(extra)}
    if sum(len(names) for _, names in candidates) > _MOST_PAIRS:
        candidates = _that_end_alike(candidates)
    pairs = [
        (likeness.score(words[name], words[other], name, other), name, other)
        for name, names in candidates
        for other in names
    ]
    pairs = [pair for pair in pairs if pair[0] > 0]
    return sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2]))


def _that_end_alike(candidates):
    """Returns fewer candidates, of thousands of names: of equal numbers and last word."""
    buckets = {}  # by the list that several missing names share
    for _, names in candidates:
        if id(names) not in buckets:
            bucket = buckets[id(names)] = collections.defaultdict(list)
            for name in names:
                bucket[likeness.ending(name)].append(name)
    return [(name, buckets[id(names)][likeness.ending(name)]) for name, names in candidates]


# Ops ------------------------------------------------------------------------


def lacking_ops(graph: Path) -> Tuple[List[str], List[Tuple[str, str]]]:
    """Returns the ops of a graph that the installed TensorFlow does not have; imports it.

    Args:
      graph: a ``.meta`` or ``.pb`` file.

    Returns:
      (all op types of the graph, [(op that is lacking, the module that had it, or "")]).

    Example:
      >>> lacking_ops("model.ckpt-1.meta")[1]
      [('Resampler', 'tf.contrib.resampler')]

    Raises:
      DamagedCheckpointError: it is no graph.
    """
    used = _model.read(graph).ops
    return sorted(used), _lacking(used, ask_tensorflow=True)


def _lacking(used, ask_tensorflow):
    """Returns [(op, module that had it)] for the ops that TensorFlow lacks."""
    if not ask_tensorflow:
        return [(op, MODULE_OF[op]) for op in sorted(used) if op in MODULE_OF]
    from tfgraphtools.checkpoints.graphs import unusable

    return unusable.lacking(used)
