"""The order of channels at the borders of a PyTorch module, by a trace of its forward pass.

A module that flattens a map as it is has the channels first; one that permutes it to the end
before has them last, as TF1. `torch.fx` records the calls without running them.
"""

import collections

from tfgraphtools.checkpoints.facts import flat_maps
from tfgraphtools.checkpoints.torch import torch_models

#: Of a module: the order of the flattened map that it gets (``rows``), and of the one that its
#: output becomes (``columns``): FIRST, LAST, OTHER, or None where there is none; and how many
#: channels the map has that was flattened.
Orders = collections.namedtuple("Orders", "rows columns channels")

FIRST, LAST, OTHER = flat_maps.FIRST, flat_maps.LAST, flat_maps.OTHER

_RESHAPES = {"flatten", "view", "reshape", "unflatten", "squeeze", "unsqueeze"}
_PERMUTES = {"permute", "transpose", "movedim", "moveaxis", "swapaxes", "swapdims"}
_TO_LAST = {("permute", (0, 2, 3, 1)), ("permute", (0, 2, 1)), ("movedim", (1, -1))}
_TO_FIRST = {("permute", (0, 3, 1, 2)), ("permute", (0, 2, 1)), ("movedim", (-1, 1))}
_TO_LAST |= {("transpose", (1, 2)), ("permute", (0, 2, 3, 4, 1))}
_TO_FIRST |= {("transpose", (1, 2)), ("permute", (0, 4, 1, 2, 3))}


def orders(module):
    """Traces a module.

    Args:
      module: a live ``torch.nn.Module``.

    Returns:
      {path of a module: `Orders`}, or None if it cannot be traced.
    """
    torch_models.require_torch("plan_torch")
    import torch.fx

    try:
        traced = torch.fx.symbolic_trace(module)
    except Exception:  # the user's forward may do anything that no trace follows
        return None
    trace = _Trace(traced)
    paths = collections.OrderedDict()
    for node in traced.graph.nodes:
        if node.op != "call_module" or trace.kind(node) not in ("linear", "other"):
            continue
        rows, channels = trace.before(node)
        node_orders = Orders(rows, trace.after(node)[0], channels)
        if node.target in paths and paths[node.target] != node_orders:  # called twice
            node_orders = Orders(OTHER, OTHER, None)
        paths[node.target] = node_orders
    return paths


class _Trace:
    def __init__(self, traced):
        self._modules = dict(traced.named_modules())

    def kind(self, node):
        """Returns "conv", "linear", "reshape", "permute", "input" or "other"."""
        if node.op in ("placeholder", "get_attr", "output"):
            return "input"
        if node.op == "call_module":
            classes = {base.__name__ for base in type(self._modules[node.target]).__mro__}
            for name, kind in (
                ("_ConvNd", "conv"),
                ("Linear", "linear"),
                ("Flatten", "reshape"),
                ("Unflatten", "reshape"),
            ):
                if name in classes:
                    return kind
            return "other"
        name = _name(node)
        if name in _PERMUTES:
            return "permute"
        return "reshape" if name in _RESHAPES else "other"

    def before(self, node):
        """Returns (the order of the map that was flattened in front, or None, its channels)."""
        return self._walk(node, lambda n: n.all_input_nodes, _TO_LAST)

    def after(self, node):
        """Returns (the order of the map that a module's output becomes, or None, its channels)."""
        return self._walk(node, lambda n: list(n.users), _TO_FIRST)

    def _walk(self, start, following, permutations):
        seen, waiting = {start}, [(other, False, None) for other in following(start)]
        while waiting:
            node, is_reshaped, permutation = waiting.pop()
            if node in seen:
                continue
            seen.add(node)
            kind = self.kind(node)
            if kind == "conv" and is_reshaped:
                return permutation or FIRST, self._modules[node.target].out_channels
            if kind in ("conv", "linear", "input"):
                continue
            if kind == "permute":
                is_known = permutation is None and _call(node) in permutations
                permutation = LAST if is_known else OTHER
            is_reshaped = is_reshaped or kind == "reshape"
            waiting += [(other, is_reshaped, permutation) for other in following(node)]
        return None, None


def _name(node):
    return node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "")


def _call(node):
    """Returns (name, axes) of a permutation."""
    axes = list(node.args[1:])
    if len(axes) == 1 and isinstance(axes[0], (list, tuple)):
        axes = list(axes[0])
    return _name(node), tuple(axes)
