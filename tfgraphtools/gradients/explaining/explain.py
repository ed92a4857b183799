"""Why a gradient is None, zero or there: `explain_gradient`."""

import difflib
import linecache
import os

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError
from tfgraphtools.gradients.explaining import causes, render
from tfgraphtools.gradients.explaining.flow import Flow
from tfgraphtools.gradients.explaining.load import load_graph
from tfgraphtools.gradients.explaining.local import has_gradients
from tfgraphtools.gradients.slicing.scratch import scratch_copy, untouched
from tfgraphtools.gradients.slicing.slice import Slice

LIVE, NONE, ZERO = "live", "none", "zero"
_MOST_CODE = 60  # characters of a line of code that are shown
_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def explain_gradient(y, xs):
    """For each x: does a gradient of y come back to it, and if not, what stops it.

    Does nothing to the graph: no op is added to it, and it may be finalized.

    Args:
      y: a tensor.
      xs: a tensor or variable, or a list of them. Another graph than y's is an
        answer ("wrong graph"), not an error.

    Returns:
      An `Explanation`; ``print`` it for a tree.

    Example:
      >>> print(explain_gradient(loss, [w, b]))
      >>> explain_gradient(loss, w).verdict(w)   # "live", "none" or "zero"

    Raises:
      ArgumentError: y is no tensor, or an x neither tensor nor variable.
    """
    if not isinstance(y, tf.Tensor):
        raise ArgumentError("explain_gradient(y, xs)", "a tensor y", repr(y), "Pass one tensor.")
    xs = list(xs) if isinstance(xs, (list, tuple)) else [xs]
    for x in xs:
        if not (isinstance(x, tf.Tensor) or _tf.is_variable(x)) or _tf.is_partitioned(x):
            raise ArgumentError(
                "explain_gradient(y, xs)",
                "tensors and variables in xs",
                repr(x),
                "For a PartitionedVariable pass its slices, list(variable).",
            )
    with untouched(y.graph):
        flow = Flow(y)
        return Explanation(y, [_Answer(flow, y, x) for x in xs])


def explain_file(path, y, xs):
    """`explain_gradient` on a saved graph, by names.

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
    """The tensor of a name, or an error with the nearest names."""
    full = name if ":" in name else name + ":0"
    try:
        return graph.get_tensor_by_name(full)
    except (KeyError, ValueError):
        names = [op.name for op in graph.get_operations() if op.outputs]
        near = difflib.get_close_matches(name.split(":")[0], names, n=3)
        near += [one for one in names if one.endswith("/" + name) and one not in near][:3]
        raise ArgumentError(
            place,
            "the name of a tensor of the graph",
            repr(name),
            "Did you mean {}?".format(" or ".join(map(repr, near)))
            if near
            else f"The graph has {len(names)} ops; names are whole, scopes included.",
        ) from None


class Explanation:
    """What `explain_gradient` found. ``print`` it, or ask it by x.

    An x is asked for by the tensor or variable itself, or by its name.
    """

    def __init__(self, y, answers):
        self.y_name = y.name
        self._answers = answers

    def verdict(self, x):
        """ "live", "none" (tf.gradients returns None) or "zero" (it returns zeros that
        pose as a gradient: the way is cut inside a loop or branch)."""
        return self._answer(x).verdict

    def blockers(self, x):
        """The places where the gradient stops, as a list of `Blocker`.

        For a live x they are the other ways from x to y, those without a gradient.
        """
        return list(self._answer(x).blockers)

    def __str__(self):
        return "\n\n".join(render.text(self.y_name, answer) for answer in self._answers)

    def to_dot(self):
        """The ways from the xs to y in the language of Graphviz, as a string."""
        return render.dot(self.y_name, self._answers)

    def to_html(self):
        """One self-contained HTML page, as a string."""
        return render.html(self.y_name, self._answers)

    def as_dict(self):
        """For JSON: ``{"y": name, "xs": [{"x", "verdict", "blockers"}]}``."""
        return {
            "y": self.y_name,
            "xs": [
                {
                    "x": answer.name,
                    "verdict": answer.verdict,
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


class _Answer:
    """The answer for one x: verdict, blockers, and the rows of its tree."""

    def __init__(self, flow, y, x):
        self.name, self._x = x.name, x
        self._flow, self._y = flow, y
        self.start = _tf.handle_of(x) if _tf.is_variable(x) else x
        self.blockers, self.tree, self.path = [], None, set()
        self.verdict = self._decide()

    def _decide(self):
        cause = self._cause_without_a_path()
        if cause is not None:
            self.blockers = [cause]
            return NONE
        key = ((), self.start.name)
        self.path = self._flow.reached_from(key)
        if not self.path:
            self.blockers = [self._cause_of_disconnection()]
            return NONE
        gradient = self._flow.gradient(self.path)
        self.blockers = self._blocked_edges(gradient, key in gradient)
        self.tree = render.Tree(self._flow, self.path, gradient, key, self.blockers)
        if key in gradient:
            return LIVE
        return ZERO if self._zeros_from_tf() else NONE

    def _cause_without_a_path(self):
        if self.start.graph is not self._y.graph:
            return causes.Blocker(causes.WRONG_GRAPH)
        if not has_gradients(self._x.dtype):
            return causes.Blocker(causes.SOURCE_DTYPE, detail=self._x.dtype.base_dtype.name)
        if not has_gradients(self._y.dtype):
            return causes.Blocker(
                causes.DTYPE,
                self._y.op,
                line=user_line(self._y.op),
                detail=self._y.dtype.base_dtype.name,
            )
        return None

    def _blocked_edges(self, gradient, live):
        """Blockers at the frontier: the gradient is at the op's output, not at this input.

        For a live x, an op with a gradient of its own is none: what it does not
        pass (the hard value of a straight-through) was decided by who wrote it.
        """
        found = {}
        for key in gradient:
            for edge in self._flow.edges[key]:
                if edge.source not in self.path:
                    continue
                blocked = self._flow.blocked(edge)
                by_choice = live and _tf.gradient_override(edge.op) is not None
                if blocked is not None and not by_choice:
                    cause, detail = blocked
                    blocker = causes.Blocker(cause, edge.op, edge.path, user_line(edge.op), detail)
                    found.setdefault((blocker.op_name, cause.name), blocker)
        # A condition is seldom what one looks for: it comes last.
        order = sorted(found, key=lambda one: (one[1] == causes.CONDITION.name, one))
        return [found[one] for one in order]

    def _cause_of_disconnection(self):
        """Why no data goes from x to y."""
        upstream = _tf.upstream_ops([self._y])
        downstream = _tf.downstream_ops([self.start])
        if self._y.op in _tf.upstream_ops([self.start]):
            return self._blocker(causes.REVERSED, self.start.op)
        if self._y.op in downstream:
            return self._blocker(causes.SHAPE, self.start.op)
        for op in sorted(downstream, key=lambda op: op.name):
            target = _assigned(op)
            if target is not None and target in upstream:
                return self._blocker(causes.ASSIGN, op, repr(target.name))
        if self.start.op in _tf.upstream_ops([self._y], controls=True):
            return self._blocker(causes.CONTROL, self.start.op)
        shared = _nearest(self.start, upstream)
        if shared is not None:
            return self._blocker(causes.SIBLING, self.start.op, repr(shared.name))
        return self._blocker(causes.DISCONNECTED, self.start.op)

    def _blocker(self, cause, op, detail=""):
        return causes.Blocker(cause, op, (), user_line(op), detail)

    def _zeros_from_tf(self):
        """Asks TF itself, in a copy, whether it returns zeros where nothing passes."""
        through_bodies = any(path for path, _ in self.path) or any(
            edge.op.type in ("Exit", "Merge") for key in self.path for edge in self._flow.edges[key]
        )
        if not through_bodies:
            return False
        part = Slice(self._y.graph, [self.start], [self._y], share_random=False)
        try:
            scratch, renamed = scratch_copy(self._y.graph, part.ops, part.contexts)
            y = scratch.get_tensor_by_name(renamed.get(self._y.name, self._y.name))
            x = scratch.get_tensor_by_name(self.start.name)
            with scratch.as_default():
                return v1.gradients(y, x)[0] is not None
        except Exception:  # pylint: disable=broad-except  # TF cannot differentiate it: no gradient
            return False


def user_line(op):
    """ "file:line (code)" of the user's line that built the op, or None."""
    frames = _tf.traceback_of(op)
    if any(function == "import_graph_def" for _, _, function, _ in frames):
        return None  # that line imported the op; it did not build it
    for filename, line, _, code in reversed(frames):
        folder = os.path.abspath(filename)
        if folder.startswith(_tf.PACKAGE_FOLDERS) or folder.startswith(_OURS):
            continue
        if filename.startswith("<") or "/importlib/" in filename or "/keras/" in filename:
            continue
        code = (code or linecache.getline(filename, line)).strip()
        where = f"{os.path.basename(filename)}:{line}"
        return f"{where} ({code[:_MOST_CODE]})" if code else where
    return None


def _assigned(op):
    """The op of the variable that this op writes, or None."""
    if "Assign" not in op.type and "Scatter" not in op.type:
        return None
    target = op.inputs[0].op if op.inputs else None
    while target is not None and target.inputs:  # a ref or handle may come by other ops
        target = target.inputs[0].op
    return target if target is not None and target.type in _tf.VARIABLES else None


def _nearest(tensor, upstream):
    """The nearest thing that x is made from and y uses, constants apart."""
    seen, waiting = set(), [tensor.op]
    while waiting:
        op = waiting.pop(0)
        if op in seen:
            continue
        seen.add(op)
        if op in upstream and op.type != "Const":
            read = op.inputs[0].op if op.inputs else op
            return read if read.type in _tf.VARIABLES else op
        waiting.extend(one.op for one in op.inputs)
    return None
