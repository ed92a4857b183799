"""Variables and ops by name, pattern, scope or predicate.

A selector is

- a variable or op (a `PartitionedVariable` stands for all its slices; ``variable.ref()``
  for its variable, as the key of a dict),
- a string: a pattern that must match the *whole* op name (`re.fullmatch`), so
  that ``"conv1/.*"`` takes the scope ``conv1`` and never ``conv10``,
- a predicate ``item -> bool``, such as `scope("conv1")`,
- or a list of these.

A selector that matches nothing is an error that lists the nearest candidates,
and so is an item that two exclusive selectors both match.
"""

import re
from typing import Any, Callable, Iterable, List, Tuple

from tfgraphtools import _tf
from tfgraphtools._tf import tf
from tfgraphtools.errors import MatchedTwiceError, NothingMatchedError, SelectorError, nearest

_SPECIAL = re.compile(r"[^\w/:-]")  # what makes a pattern of a name
_SHOWN = 8  # candidates listed in an error before "and N more"


def scope(name: str) -> Callable[[Any], bool]:
    """Returns a selector of everything inside the scope ``name``, and of nothing else.

    Unlike ``tf.compat.v1.global_variables(scope="conv1")``, which also returns
    ``conv10/w``, it asks for the whole path component.

    Args:
      name: a scope, with or without the final slash.

    Example:
      >>> selector = scope("conv1")
    """
    prefix = name.rstrip("/") + "/"

    def inside(item):
        return any(known.startswith(prefix) for known in names_of(item))

    inside.__name__ = f"scope({name!r})"
    return inside


def rank_at_least(rank: int) -> Callable[[Any], bool]:
    """Returns a selector of the variables with so many dimensions or more.

    ``rank_at_least(2)`` takes kernels and embeddings, and leaves biases, gains and scalars: the
    variables that weight decay is usually meant for. It does nothing to variables of unknown
    rank, which it does not take.

    Args:
      rank: int, the least number of dimensions.

    Example:
      >>> decays = {rank_at_least(2): 1e-4}
    """

    def has_rank(item):
        shape = getattr(item, "shape", None)
        return shape is not None and shape.rank is not None and shape.rank >= rank

    has_rank.__name__ = f"rank_at_least({rank})"
    return has_rank


def names_of(item: Any) -> List[str]:
    """Returns the op names that a pattern may match: a slice also goes by its variable's name."""
    if isinstance(item, tf.Operation):
        return [item.name]
    # Inside a replica a mirrored variable has the name of its copy there.
    names = [_tf.components(item)[0].op.name]
    slice_info = getattr(item, "_save_slice_info", None)
    if slice_info is not None and slice_info.full_name not in names:
        names.append(slice_info.full_name)
    return names


def expand(items: Iterable[Any]) -> List[Any]:
    """Returns the items as a flat list, each PartitionedVariable replaced by its slices."""
    flat = []
    for item in map(_tf.without_keras, items):
        flat.extend(item if _tf.is_partitioned(item) else [item])
    return flat


def select(selector: Any, candidates: Iterable[Any], place: str) -> List[Any]:
    """Returns the candidates that ``selector`` takes, in the candidates' order.

    Args:
      selector: see the module's docstring.
      candidates: variables, or ops.
      place: the call and argument to name in an error.

    Raises:
      NothingMatchedError: the selector, or one item of a list, took nothing.
      SelectorError: an object that cannot select anything.
    """
    return _select(selector, _indexed(candidates), place)


def _indexed(candidates):
    return candidates if isinstance(candidates, Candidates) else Candidates(candidates)


def _select(selector, candidates, place):
    """Selects as `select` does, among `Candidates`."""
    parts = selector if isinstance(selector, (list, tuple, set, frozenset)) else [selector]
    chosen = set()
    for part in parts:
        matched = _matches(part, candidates, place)
        if not matched:
            raise _nothing_matched(part, candidates.items, place)
        chosen.update(matched)
    if not parts:
        raise _nothing_matched(selector, candidates.items, place)
    return [candidates.items[at] for at in sorted(chosen)]


class Candidates:
    """The items that selectors choose among, indexed: no selector looks at every item.

    They are passed in the place of a list where many calls choose among the same items.

    Attributes:
      items: variables, or ops.
      by_name, by_identity: {name, or identity: positions in ``items``}.
    """

    def __init__(self, items: Iterable[Any]) -> None:
        self.items = expand(items)
        self.by_name, self.by_identity = {}, {}
        for at, item in enumerate(self.items):
            self.by_identity.setdefault(_identity(item), []).append(at)
            for name in names_of(item):
                self.by_name.setdefault(name, []).append(at)


def assign(
    selectors: Iterable[Tuple[Any, Any]], candidates: Iterable[Any], place: str
) -> "Assignment":
    """Gives each candidate the label of the one selector that takes it.

    Args:
      selectors: a list of (label, selector).
      candidates: variables, or ops.
      place: the call and argument to name in an error.

    Returns:
      An `Assignment`. A candidate that no selector takes is absent from it:
      whether that is an error is the caller's to decide.

    Raises:
      MatchedTwiceError: two selectors took the same item.
      NothingMatchedError, SelectorError: as in `select`.
    """
    assignment = Assignment()
    known = _indexed(candidates)
    for label, selector in selectors:
        here = f"{place} {label!r}"
        for item in _select(selector, known, here):
            if item in assignment:
                raise MatchedTwiceError(
                    here,
                    "items that no other selector takes",
                    f"{names_of(item)[0]!r}, which {assignment.get(item)!r} takes too",
                    "Narrow one of the two selectors; a pattern must match the whole name.",
                )
            assignment.put(item, label)
    return assignment


def assign_values(values: Any, candidates: Iterable[Any], place: str) -> "Assignment":
    """Assigns each candidate the value of its selector in a mapping; see `assign`.

    Args:
      values: ``{selector: value}``, or a list of (selector, value) where a
        selector cannot be the key of a dict.
      candidates, place: as in `assign`.
    """
    items = values.items() if hasattr(values, "items") else values
    keys = [_Key(selector, value) for selector, value in items]
    labels = assign([(key, key.selector) for key in keys], candidates, place)
    return labels.mapped(lambda key: key.value)


class _Key:
    """A selector and its value, shown as the selector."""

    def __init__(self, selector, value):
        self.selector = selector
        self.value = value

    def __repr__(self):
        return shown(self.selector)


class Assignment:
    """The label of each variable or op: a mapping by identity."""

    def __init__(self):
        self._labels = {}

    def put(self, item: Any, label: Any) -> None:
        """Gives the item this label."""
        self._labels[_identity(item)] = label

    def get(self, item: Any, default: Any = None) -> Any:
        """Returns the item's label, or the default."""
        return self._labels.get(_identity(item), default)

    def mapped(self, function: Callable[[Any], Any]) -> "Assignment":
        """Returns an assignment of what the function makes of each label, to the same items."""
        assignment = Assignment()
        assignment._labels = {item: function(label) for item, label in self._labels.items()}
        return assignment

    def __contains__(self, item):
        return _identity(item) in self._labels


def shown(selector: Any) -> str:
    """Returns a selector as an error message shows it."""
    if _tf.is_variable(selector):
        return repr(selector.name.split(":")[0])
    if isinstance(selector, tf.Operation):
        return repr(selector.name)
    if callable(selector):
        return getattr(selector, "__name__", repr(selector))
    return repr(selector)


def listing(items: Iterable[Any]) -> str:
    """Returns a short list of names for an error message."""
    names = [item if isinstance(item, str) else names_of(item)[0] for item in items]
    shown = ", ".join(repr(name) for name in names[:_SHOWN])
    unshown = len(names) - _SHOWN
    return shown + (f" and {unshown} more" if unshown > 0 else "") if names else "none"


def _identity(item):
    """Returns what is the same for two references to one item, and for all copies of a variable."""
    return item if isinstance(item, tf.Operation) else _tf.key(_tf.container(item))


def _matches(part, candidates, place):
    """Returns the positions of the candidates that one part of a selector takes."""
    if hasattr(part, "deref"):  # variable.ref(), the hashable stand-in that TF 2 wants as a key
        part = part.deref()
    part = _tf.without_keras(part)
    if isinstance(part, str):
        try:
            pattern = re.compile(part)
        except re.error as error:
            raise SelectorError(
                place,
                "a regular expression",
                f"{part!r} ({error})",
                "Put a backslash before (, [, +, * or . of a plain name (in Python: re.escape).",
            ) from error
        if not _SPECIAL.search(part):  # a name
            return candidates.by_name.get(part, [])
        by_name = candidates.by_name
        return {at for name in by_name if pattern.fullmatch(name) for at in by_name[name]}
    if _tf.is_partitioned(part) or _tf.is_variable(part) or isinstance(part, tf.Operation):
        _check_graph(part, candidates, place)
        identities = {_identity(item) for item in expand([part])}
        return {at for identity in identities for at in candidates.by_identity.get(identity, ())}
    if callable(part):
        return {at for at, item in enumerate(candidates.items) if part(item)}
    raise SelectorError(
        place,
        "a variable, an op, a pattern, a predicate, or a list of them",
        f"{part!r} of type {type(part).__name__}",
        "Pass the variable itself or its whole name, such as 'dense/kernel'.",
    )


def _check_graph(part, candidates, place):
    """Raises for a variable of eager execution, or of another graph than all candidates."""
    if not candidates.items or not _tf.is_variable(part):
        return
    graph, known = _tf.graph_of_variable(part), candidates.items[0]
    if graph is None or graph is not _tf.graph_of_variable(known):
        raise SelectorError(
            place,
            f"a variable of the graph of {listing(candidates.items[:1])}",
            f"{part.name!r} of {'eager execution' if graph is None else 'another graph'}",
            "Make all of it in the same tf.Graph().as_default().",
        )


def _nothing_matched(part, candidates, place):
    names = [name for item in candidates for name in names_of(item)]
    near, advice = [], NothingMatchedError.ADVICE
    if isinstance(part, str):
        bare = re.sub(r":\d+$", "", part)
        near = [name for name in names if name == bare or name.endswith("/" + bare)]
        if bare != part and near:
            advice = "An op's name has no ':0'."
        near = near or nearest(bare, names)
    return NothingMatchedError(
        place,
        "a selector that matches at least one item",
        f"{shown(part)} among {listing(list(dict.fromkeys(names)))}",
        NothingMatchedError.next_step_after(list(dict.fromkeys(near)), advice),
    )
