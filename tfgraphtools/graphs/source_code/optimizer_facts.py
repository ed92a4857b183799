"""The optimizer of a graph: its update ops, its slots and numbers, and what clips its gradients."""

import re
from typing import Any, Dict, List, NamedTuple

from tfgraphtools.checkpoints.graphs import constant_branches, cuts
from tfgraphtools.errors import GraphExportError

#: {op: (kind, slots, numbers)}, the names of inputs behind the variable, in order; "grad" is last
#: unless it is named.
_OPS = {
    "ApplyGradientDescent": ("SGD", "", "lr grad"),
    "ApplyMomentum": ("SGD", "momentum_buffer", "lr grad momentum"),
    "ApplyAdam": ("Adam", "m v", "beta1_power beta2_power lr beta1 beta2 eps grad"),
    "ApplyRMSProp": ("RMSProp", "ms mom", "lr rho momentum eps grad"),
    "ApplyCenteredRMSProp": ("CenteredRMSProp", "mg ms mom", "lr rho momentum eps grad"),
    "ApplyAdagrad": ("Adagrad", "sum", "lr grad"),
}
_APPLIES = re.compile(r"(Resource)?(Sparse)?Apply\w+")
#: What optimizers make of gradients of rows, as those of embeddings are.
_SCATTERS = re.compile(r"(Resource)?Scatter(Add|Sub|Update)")
_COPIES = ("Identity", "Cast")


class Update(NamedTuple):
    """The update of one variable.

    Attributes:
      op: the name of its op.
      variable: what it changes.
      slots: {name in PyTorch: variable}.
      gradient: the tensor of the gradient before it is clipped.
    """

    op: str
    variable: str
    slots: Dict[str, str]
    gradient: str


class Optimizer(NamedTuple):
    """The optimizer of a graph.

    Attributes:
      kind: such as "Adam".
      updates: list of `Update`.
      numbers: {name: number} that do not change, such as ``beta1``.
      rate: the tensor of the learning rate.
      powers: {"beta1_power": variable} of Adam.
      clip: (kind, numbers) of what clips gradients, or None.
      counter, step: the op and the variable that count steps, or None.
    """

    kind: str
    updates: List[Update]
    numbers: Dict[str, Any]
    rate: str
    powers: Dict[str, str]
    clip: Any
    counter: Any
    step: Any


def of_graph(graph_def, place):
    """Returns the `Optimizer` of a graph.

    Raises:
      GraphExportError: it has none, several, or one that is not written.
    """
    return _Reading(graph_def, place).optimizer


class _Reading:
    def __init__(self, graph_def, place):
        self._graph_def, self._place = graph_def, place
        self._nodes = {node.name: node for node in graph_def.node}
        applies = [node for node in graph_def.node if _APPLIES.fullmatch(node.op)]
        if not applies:
            raise self._refused("no update of an optimizer", "Choose a .meta of training.")
        scopes = tuple(node.name.partition("/")[0] + "/update" for node in applies)
        applies += [
            node
            for node in graph_def.node
            if _SCATTERS.fullmatch(node.op) and node.name.startswith(scopes)
        ]
        for node in applies:
            if node.op.replace("Resource", "") not in _OPS:
                raise self._refused(f"{node.name} ({node.op})", "Only dense updates are written.")
        self._scopes(applies)
        rows = [self._update(node) for node in applies]
        first = rows[0][1]
        for update, row in rows:
            if row != first:
                reason = f"{update.op} and {rows[0][0].op}, which differ in kind or numbers"
                raise self._refused(reason, "Groups of variables are not written yet.")
        kind, numbers, rate, powers, clip = first
        self.optimizer = Optimizer(
            kind, [update for update, _ in rows], dict(numbers), rate, dict(powers), clip,
            *self._counter([node.name for node in applies]),
        )  # fmt: skip

    def _scopes(self, applies):
        written = [self._variable(node, 0) for node in applies]
        twice = sorted({name for name in written if written.count(name) > 1})
        if twice:
            reason = f"several optimizers, of {', '.join(twice[:3])}"
            raise self._refused(reason, "Which one trains is not known.")

    def _refused(self, problem, fix):
        return GraphExportError(self._place, "an optimizer that is written", problem, fix)

    def _update(self, node):
        """Returns (`Update`, what it has in common with the others)."""
        kind, slots, names = _OPS[node.op.replace("Resource", "")]
        slots, names = slots.split(), names.split()
        inputs = dict(zip([*slots, *names], range(1, len(node.input))))
        numbers, powers = {}, {}
        for name in names:
            if name in ("lr", "grad"):
                continue
            if name.endswith("_power"):
                powers[name] = self._variable(node, inputs[name])
                continue
            numbers[name] = self._number(cuts.split_tensor(node.input[inputs[name]])[0])
            if numbers[name] is None:
                raise self._refused(
                    f"{node.name}: a {name} that is computed", "It must be a number."
                )
        if node.attr["use_nesterov"].b:
            numbers["nesterov"] = True
        gradient, clip = self._unclipped(node.input[inputs["grad"]])
        if kind == "SGD" and not slots:
            numbers["momentum"] = 0.0
        slots = {name: self._variable(node, inputs[name]) for name in slots}
        rate = self._original(node.input[inputs["lr"]])
        common = kind, tuple(numbers.items()), rate, tuple(powers.items()), clip
        return Update(node.name, self._variable(node, 0), slots, gradient), common

    # Tensors ---------------------------------------------------------------------------------

    def _node(self, tensor):
        return self._nodes[cuts.split_tensor(tensor)[0]]

    def _original(self, tensor):
        while self._node(tensor).op == "Identity":
            source = self._node(tensor).input[0]
            if self._node(source).op in cuts.VARIABLES:
                break
            tensor = source
        return tensor

    def _variable(self, node, index):
        source = self._node(node.input[index])
        while source.op in (*_COPIES, "ReadVariableOp"):
            source = self._node(source.input[0])
        if source.op not in cuts.VARIABLES:
            raise self._refused(f"{node.name}: {source.name} is no variable", "See the graph.")
        return source.name

    def _number(self, name):
        node = self._nodes[name]
        if node.op in _COPIES:
            return self._number(cuts.split_tensor(node.input[0])[0])
        numbers = constant_branches.numbers(node)
        return numbers[0] if len(numbers) == 1 else None

    def _counter(self, updates):
        """Returns (op, int variable) that count up behind the updates, or None for each."""
        for node in self._nodes.values():
            if node.op in ("AssignAdd", "AssignAddVariableOp") and self._is_one(node):
                needed = cuts.needed(self._graph_def, [node.name])
                if set(updates) <= needed:
                    return node.name, self._variable(node, 0)
        return None, None

    def _is_one(self, node):
        return self._number(cuts.split_tensor(node.input[1])[0]) == 1

    # Clipping --------------------------------------------------------------------------------

    def _unclipped(self, tensor):
        """Returns (the gradient before it is clipped, (kind, numbers) or None)."""
        tensor = self._original(tensor)
        node = self._node(tensor)
        if not re.search(r"(^|/)clip_by_\w+", node.name):
            return tensor, None
        for form in (self._by_value, self._by_global_norm, self._by_norm):
            result = form(node)
            if result is not None:
                return self._original(result[0]), result[1]
        raise self._refused(f"{node.name} ({node.op})", "This clipping is not written.")

    def _by_value(self, node):
        if node.op != "Maximum" or self._node(node.input[0]).op != "Minimum":
            return None
        inner = self._node(node.input[0])
        low = self._number(cuts.split_tensor(node.input[1])[0])
        high = self._number(cuts.split_tensor(inner.input[1])[0])
        return None if None in (low, high) else (inner.input[0], ("value", (low, high)))

    def _by_global_norm(self, node):
        """Returns the form of grad * (clip * min(1 / norm, 1 / clip))."""
        if node.op != "Mul" or "clip_by_global_norm" not in node.name:
            return None
        scale = self._node(node.input[1])
        if scale.op in ("Select", "SelectV2"):  # where the norm is finite, else NaN
            scale = self._node(scale.input[1])
        if scale.op != "Mul":
            return None
        for index in (0, 1):
            limit = self._number(cuts.split_tensor(scale.input[index])[0])
            if limit is not None and self._node(scale.input[1 - index]).op == "Minimum":
                norms = [n for n in self._ancestors(scale) if n.op == "L2Loss"]
                return node.input[0], ("global_norm", (limit, len(norms)))
        return None

    def _by_norm(self, node):
        """Returns the form of grad * clip / max(norm, clip)."""
        if node.op not in ("RealDiv", "Div") or self._node(node.input[1]).op != "Maximum":
            return None
        product = self._node(node.input[0])
        limit = self._number(cuts.split_tensor(self._node(node.input[1]).input[1])[0])
        if product.op != "Mul" or limit is None:
            return None
        if self._number(cuts.split_tensor(product.input[1])[0]) != limit:
            return None
        return product.input[0], ("norm", (limit,))

    def _ancestors(self, node):
        """Returns the nodes of clip_by_global_norm and global_norm before a node."""
        waiting, seen = [node], {}
        while waiting:
            current = waiting.pop()
            if current.name not in seen and re.search("global_norm", current.name):
                seen[current.name] = current
                waiting += [self._node(tensor) for tensor in current.input]
        return list(seen.values())
