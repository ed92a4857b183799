"""`restore`: what fits of a checkpoint into the variables of a live session, with a report."""

import collections
from typing import Any, Sequence, Union

from tfgraphtools.checkpoints.plans import moving_averages
from tfgraphtools.checkpoints.plans import rules as naming
from tfgraphtools.checkpoints.plans.plan import replaced_by_averages
from tfgraphtools.checkpoints.read.opening import opened
from tfgraphtools.errors import CollisionError, NothingMatchedError, UnmatchedError, nearest

#: A variable, or a part of a partitioned one: ``bounds`` of the part, ``shape`` of the whole.
_Part = collections.namedtuple("_Part", "variable bounds shape")

_GLOBAL = "variables"  # the name of TF's collection of global variables


class Restoration:
    """The result of `restore`.

    Attributes:
      loaded: {variable: tensor}.
      left: {variable: why it keeps the value that it had}.
      unused: the tensors that went nowhere.
    """

    def __init__(self, loaded: dict, left: dict, unused: list) -> None:
        self.loaded, self.left, self.unused = loaded, left, unused

    def __str__(self) -> str:
        lines = [
            name if name == tensor else f"{name} <- {tensor}"
            for name, tensor in sorted(self.loaded.items())
        ]
        lines += [f"- {name}: {reason}" for name, reason in sorted(self.left.items())]
        return "\n".join(lines + [f"unused: {name}" for name in self.unused])


def restore(
    session: Any,
    checkpoint: Any,
    rules: Any = None,
    strict: bool = False,
    variables: Any = None,
    drop: Union[str, Sequence[str]] = (),
    use_ema: Union[bool, str] = False,
    into: Sequence[str] = (),
) -> Restoration:
    """Loads what fits of a checkpoint into a session's variables, by name or by rule.

    It adds nothing to the graph, which may be finalized. It does nothing to a variable without a
    tensor, or whose tensor has another type or shape: the report says why. Everything is read and
    checked against its checksum before the first variable changes.

    Args:
      session: a live session of TF1 or ``tf.compat.v1``; its graph has the variables. The hooks of
        a ``MonitoredSession`` are not run. In a ``Scaffold``'s ``init_fn`` it is the argument.
      checkpoint: as in `open_checkpoint`, or an open one; archives such as .npz, too.
      rules: {tensor: variable}, or ordered (pattern, replacement) pairs that make a tensor's name
        a variable's. A partitioned variable goes by the name of the whole.
      strict: raise unless every variable gets a tensor.
      variables: the variables to load; by default all global ones, partitions included.
      drop: patterns of tensors not to load.
      use_ema: take the moving averages in place of the variables that have one; with several of a
        variable, their name or a pattern of it, as in `averages_of`.

      into: scopes with a copy of the model each, such as ``["online", "target"]``: every copy gets
        the tensors. The names of the checkpoint, after the rules, are those below the scope; ""
        is a copy without a scope.

    Returns:
      A `Restoration`; print it.

    Example:
      >>> with tf.Session() as session:                                # doctest: +SKIP
      ...     session.run(tf.global_variables_initializer())
      ...     print(restore(session, "bert_model.ckpt", rules=[("bert/(.*)", r"encoder/\\1")]))

    Raises:
      UnmatchedError: ``strict``, and some variables would be left.
      NothingMatchedError: a pattern matches nothing, no variable of a scope has a tensor, or there
        are no averages.
      CollisionError: two tensors for one variable.
      DamagedCheckpointError: nothing was loaded then.
    """
    with opened(checkpoint) as ckpt:
        dropped = _dropped(ckpt, drop)
        names = [name for name in ckpt if name not in dropped]
        wholes = _wholes(session, variables)
        tensors = _copied(_targets(ckpt, names, rules, use_ema), into, wholes)
        loaded, left = {}, {}
        for name, parts in wholes.items():
            tensor = tensors.get(name)
            reason = _misfit(ckpt, tensor, parts) if tensor else _no_tensor(name, names)
            if reason:
                left[name] = reason
            else:
                loaded[name] = tensor
        if strict and left:
            raise _not_strict(ckpt, left)
        for tensor in loaded.values():
            ckpt.check(tensor)

        def load_all(raw):
            for name, tensor in loaded.items():
                _load(raw, wholes[name], ckpt.read(tensor, check=False))

        _without_hooks(session, load_all)
        used = set(loaded.values())
        return Restoration(loaded, left, [name for name in names if name not in used])


def _dropped(ckpt, drop):
    return set(naming.matching(drop, list(ckpt), "restore(drop=...)")) if drop else set()


def _targets(ckpt, names, rules, use_ema):
    """Returns {variable: tensor}."""
    new = naming.renamed(rules, names, "restore(rules=...)") if rules else {}
    shapes = {name: ckpt.store.summary(name)[1] for name in names}
    of_average = {}
    if use_ema:
        of_average = moving_averages.require(shapes, "restore(use_ema=...)", use_ema)
    replaced = replaced_by_averages(shapes, {name: new.get(name, name) for name in names})
    source_of = {}
    for name in names:
        if name in replaced:
            continue
        target = new.get(name, name)
        if target in source_of:
            raise CollisionError(
                f"restore(rules=...): the variable {target!r}",
                "one tensor for each variable",
                f"{source_of[target]!r} and {name!r}",
                "Narrow a rule, or drop one of them.",
            )
        source_of[target] = name
    return {target: of_average.get(name, name) for target, name in source_of.items()}


def _copied(tensors, scopes, wholes):
    """Returns {variable: tensor} of the copies of a model in several scopes."""
    if not scopes:
        return tensors
    if isinstance(scopes, str):
        scopes = [scopes]
    copied = {}
    for scope in scopes:
        front = scope.rstrip("/") + "/" if scope else ""
        copy = {front + name: tensor for name, tensor in tensors.items()}
        if not copy.keys() & wholes.keys():
            below = [name for name in wholes if name.startswith(front)]
            raise NothingMatchedError(
                f"restore(into=[{scope!r}])",
                "a variable of the scope that has a tensor",
                "none: it has {}".format(", ".join(map(repr, below[:3])) or "no variable"),
                "The checkpoint has {}: say with rules=[...] which part of the names is below "
                "the scope.".format(", ".join(map(repr, list(tensors)[:3])) or "no tensor"),
            )
        copied.update(copy)
    return copied


def _wholes(session, variables):
    """Returns {name of a whole variable: its `_Part`s}."""
    if variables is None:
        variables = session.graph.get_collection(_GLOBAL)
    parts_of = collections.OrderedDict()
    for variable in variables:
        is_partitioned = hasattr(variable, "as_tensor") and not hasattr(variable, "op")
        for piece in variable if is_partitioned else [variable]:
            shape = None if piece.shape.rank is None else tuple(piece.shape.as_list())
            info = getattr(piece, "_save_slice_info", None)
            if info is None:
                bounds = tuple((0, size) for size in shape or ())
                parts_of.setdefault(piece.op.name, []).append(_Part(piece, bounds, shape))
                continue
            bounds = tuple(
                (start, start + size) for start, size in zip(info.var_offset, info.var_shape)
            )
            part = _Part(piece, bounds, tuple(info.full_shape))
            parts_of.setdefault(info.full_name, []).append(part)
    return parts_of


def _no_tensor(name, names):
    near = nearest(name, list(names))
    hint = ", the nearest is {}".format(" or ".join(map(repr, near))) if near else ""
    return "no tensor of this name" + hint


def _misfit(ckpt, tensor, parts):
    """Tells why a tensor does not fit a variable, or ""."""
    dtype, shape = ckpt.store.summary(tensor)[:2]
    own, whole = parts[0].variable.dtype.base_dtype.name, parts[0].shape
    if dtype != own:
        return f"{tensor!r} is {dtype}, the variable {own}: cast it first (tfgraphtools ckpt cast)"
    if whole is None:
        return "the variable's shape is not known"
    if tuple(shape) != whole:
        return f"{tensor!r} has the shape {list(shape)}, the variable {list(whole)}"
    return ""


def _without_hooks(session, function):
    """Calls a function of the session, of a MonitoredSession the one behind its hooks.

    The hooks would take every variable that is loaded for a step.
    """
    if hasattr(session, "run_step_fn"):
        session.run_step_fn(lambda step_context: function(step_context.session))
    else:
        function(session)


def _load(session, parts, array):
    """Sets a variable by its own initializer: a finalized graph takes it."""
    for part in parts:
        values = array[tuple(slice(*bound) for bound in part.bounds)] if part.bounds else array
        wanted = part.variable.dtype.base_dtype.as_numpy_dtype
        if part.variable.dtype.base_dtype.name != "string":
            values = values.astype(wanted, copy=False)  # bfloat16 is read as float32
        part.variable.load(values, session)


def _not_strict(ckpt, left):
    shown = [f"{name} ({reason})" for name, reason in sorted(left.items())]
    return UnmatchedError(
        f"restore({ckpt.prefix!r}, strict=True)",
        "a tensor for every variable",
        "none for {}{}".format("; ".join(shown[:4]), "; ..." if len(shown) > 4 else ""),
        "Pass rules=..., or strict=False to keep the values that they have.",
    )
