"""The explanation why a gradient is None, zero or there: `explain_gradient`."""

from typing import Any, Dict, List, Optional, Sequence, Union

from tfgraphtools import _tf
from tfgraphtools._tf import tf
from tfgraphtools.errors import ArgumentError, did_you_mean, nearest
from tfgraphtools.gradients import _tensor_arguments
from tfgraphtools.gradients._tensor_types import Node, Nodes
from tfgraphtools.gradients.explaining import render
from tfgraphtools.gradients.explaining.answer import Answer
from tfgraphtools.gradients.explaining.captures import answers
from tfgraphtools.gradients.explaining.causes import Blocker
from tfgraphtools.gradients.explaining.load import load_graph


def explain_gradient(y: tf.Tensor, xs: Nodes) -> "Explanation":
    """Tells for each x whether a gradient of y comes back to it, and if not, what stops it.

    Does nothing to the graph: no op is added to it, and it may be finalized.

    Args:
      y: a tensor.
      xs: a tensor or variable, or a list of them. Another graph than y's is an
        answer ("wrong graph"), not an error.

    Returns:
      An `Explanation`; ``print`` it for a tree.

    Example:
      >>> print(explain_gradient(loss, [w, b]))
      >>> explain_gradient(loss, w).verdict(w)   # "live", "none", "zero" or "unknown"

    Raises:
      ArgumentError: y is no tensor, or an x neither tensor nor variable.
    """
    if not isinstance(y, tf.Tensor):
        raise ArgumentError("explain_gradient(y, xs)", "a tensor y", repr(y), "Pass one tensor.")
    xs = _tensor_arguments.listed(xs)
    for x in xs:
        if not (isinstance(x, tf.Tensor) or _tf.is_variable(x)) or _tf.is_partitioned(x):
            raise ArgumentError(
                "explain_gradient(y, xs)",
                "tensors and variables in xs",
                repr(x),
                "For a PartitionedVariable pass its slices, list(variable).",
            )
    _tensor_arguments.check_one_graph("explain_gradient(y, xs)", [y])
    return Explanation(y, answers(y, xs))


def explain_file(path: str, y: str, xs: Sequence[str]) -> "Explanation":
    """Returns `explain_gradient` on a saved graph, by names.

    Args:
      path: a MetaGraph (``.meta``), a GraphDef (``.pb``, ``.pbtxt``), or a
        SavedModel: its folder or its ``saved_model.pb``.
      y: the name of a tensor; ``:0`` may be left out.
      xs: a list of names of tensors or variables.

    Example:
      >>> print(explain_file("model.meta", "loss", ["dense/kernel"]))

    Raises:
      ArgumentError: no tensor of such a name; it lists the nearest ones.
      GraphFileError: the file is none of these.
    """
    graph = load_graph(path)
    return explain_gradient(_tensor(graph, y, "--y"), [_tensor(graph, x, "--x") for x in xs])


def _tensor(graph, name, place):
    """Returns the tensor of a name, or an error with the nearest names."""
    full = name if ":" in name else name + ":0"
    try:
        return graph.get_tensor_by_name(full)
    except (KeyError, ValueError):
        names = [op.name for op in graph.get_operations() if op.outputs]
        near = _candidates(graph, name.split(":")[0], names, place)
        raise ArgumentError(
            place,
            "the name of a tensor of the graph",
            repr(name),
            did_you_mean(near)
            or f"The graph has {len(names)} ops; names are whole, scopes included.",
        ) from None


def _candidates(graph, name, names, place):
    """Returns names that may be meant: alike, or else what usually is y or x."""
    word = name.lower()
    near = nearest(name, names)
    near += [candidate for candidate in names if candidate.endswith("/" + name)][:3]
    near += [candidate for candidate in names if word.rsplit("/", 1)[-1] in candidate.lower()][-3:]
    if not near and place == "--y":  # numbers that nothing is computed from, the last first
        near = [
            op.name
            for op in reversed(graph.get_operations())
            for tensor in op.outputs[:1]
            if tensor.dtype.is_floating and tensor.shape.rank == 0 and not tensor.consumers()
        ]
    if not near:
        kinds = _tf.VARIABLES | {"Placeholder", "PlaceholderWithDefault"}
        near = [op.name for op in graph.get_operations() if op.type in kinds]
    return list(dict.fromkeys(near))[:5]


class Explanation:
    """The result of `explain_gradient`. ``print`` it, or ask it by x.

    An x is asked for by the tensor or variable itself, or by its name.
    """

    def __init__(self, y: tf.Tensor, answers: Sequence[Answer]) -> None:
        self.y_name = y.name
        self._answers = answers

    def verdict(self, x: Union[str, Node]) -> str:
        """Returns "live", "none", "zero" or "unknown", as TensorFlow itself answers on a copy.

        "none": `tf.gradients` returns None, or raises (see `error`); asked for several xs at
        once, it may return zeros instead, where they go through one loop. "zero": it returns
        zeros, whatever the gradient of y is and wherever all values are finite (zero times
        infinity is NaN). "unknown": no copy could be differentiated; the blocker says why.
        """
        return self._answer(x).verdict

    def error(self, x: Union[str, Node]) -> Optional[str]:
        """Returns what `tf.gradients` raises for this x, as text; None if it raises nothing."""
        return self._answer(x).error

    def blockers(self, x: Union[str, Node]) -> List[Blocker]:
        """Returns the places where the gradient stops, as a list of `Blocker`.

        For a live x they are the other ways from x to y, those without a gradient.
        """
        return list(self._answer(x).blockers)

    def __str__(self):
        return "\n\n".join(render.text(self.y_name, answer) for answer in self._answers)

    def to_dot(self) -> str:
        """Returns the ways from the xs to y in the language of Graphviz, as a string."""
        return render.dot(self.y_name, self._answers)

    def to_html(self) -> str:
        """Returns one self-contained HTML page, as a string."""
        return render.html(self.y_name, self._answers)

    def as_dict(self) -> Dict[str, Any]:
        """Returns, for JSON, ``{"y": name, "xs": [{"x", "verdict", "error", "blockers"}]}``."""
        return {
            "y": self.y_name,
            "xs": [
                {
                    "x": answer.name,
                    "verdict": answer.verdict,
                    "error": answer.error,
                    "blockers": [blocker.as_dict() for blocker in answer.blockers],
                }
                for answer in self._answers
            ],
        }

    def _answer(self, x):
        name = x if isinstance(x, str) else x.name
        for answer in self._answers:
            if name in (answer.name, answer.name.split(":")[0]):
                return answer
        raise ArgumentError(
            "explanation.verdict(x)",
            "one of the xs that were asked about",
            "{!r}; there are {}".format(name, ", ".join(repr(a.name) for a in self._answers)),
            "Pass the tensor or variable, or its name.",
        )
