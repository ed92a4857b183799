"""Places of layers and of computed nodes, from the names of variables and ops.

A layer lives in the scope of its *variables*; it is called in the scope of its *op*. Both are equal
but for numbers ("dense_1" is a second call of "dense") and for parts that only one of them has.
"""

import collections
import os
import re

from tfgraphtools.graphs.source_code.ir import ir_nodes

_NUMBER = re.compile(r"_\d+$")
#: Names of layers whose scope has several.
_NAMES = {
    "linear": "linear",
    "conv": "conv",
    "depthwise_conv": "depthwise",
    "conv_transpose": "conv_transpose",
    "batch_norm": "norm",
    "layer_norm": "norm",
    "dropout": "dropout",
    "embedding": "embedding",
    "embedding_columns": "embedding",
    "lstm": "lstm",
    "rnn": "rnn",
}
#: Names that say nothing without the scope around them.
GENERIC = frozenset(
    "dense linear conv conv2d depthwise separable weights kernel norm batch_normalization "
    "BatchNorm LayerNorm layer_norm embedding dropout rnn lstm fully_connected".split()
)
#: Layers that are a loop over a cell: they live in the scope of the loop.
_OF_CELLS = ("lstm", "rnn")


class Paths:
    """The places of all nodes of a program.

    Args:
      nodes: list of the nodes that are computed.

    Attributes:
      layers: {key of a layer: the path of the layer, whose last part is its own}.
      calls: {node: the path of the scope in which it is computed}.
      modules: {path of a scope: path of the module that it calls}.
    """

    def __init__(self, nodes):
        layers = [node for node in nodes if node.op == ir_nodes.LAYER]
        layers = [node for node in layers if node.attributes["parameters"]]
        self.layers = _layer_paths(layers)
        self.calls, self.modules, self._aligned = {}, {(): ()}, {}
        self.inconsistent = set()
        for node in layers:
            self._place_layer(node)
        for node in nodes:
            if node not in self.calls:
                self.calls[node] = self._nearest(scope_parts(node.name))
                if node.op == ir_nodes.LAYER:
                    own = _NAMES[node.attributes["kind"]]
                    self.layers[layer_key(node)] = (*self.calls[node], own)

    def _place_layer(self, node):
        """Finds the call of a layer: the scope of its op in the parts of its path."""
        path, parts = self.layers[layer_key(node)], scope_parts(node.name)
        scope = variable_scope(node)
        places = _aligned(parts, scope)
        if places is None:
            places, parts = list(range(len(scope))), list(scope)
        names = [parts[place] for place in places] + list(scope[len(places) :])
        first = _from_left(parts, scope[: len(places)])  # rnn/while/rnn is in the first one, too
        for count, pair in enumerate(zip(places, first), 1):
            for place in pair:
                self._aligned.setdefault(tuple(parts[: place + 1]), tuple(names[:count]))
        call = tuple((names + list(path[len(scope) :]))[: len(path) - 1])
        self.calls[node] = call
        for count in range(len(call) + 1):
            module = self.modules.setdefault(call[:count], path[:count])
            if module != path[:count]:
                self.inconsistent.add(call[:count])

    def _nearest(self, parts):
        """Returns the innermost known call around a scope."""
        for count in range(len(parts), 0, -1):
            call = self._aligned.get(tuple(parts[:count]))
            while call:
                if call in self.modules:
                    return call
                call = call[:-1]
        return ()


def scope_parts(name):
    """Returns the scopes of a node, as a tuple."""
    return tuple(name.split("/")[:-1])


def stem(part):
    """Returns a part of a name without its number."""
    return _NUMBER.sub("", part)


def layer_key(node):
    """Returns what is equal for two calls of one layer; one without parameters is each its own."""
    parameters = node.attributes["parameters"]
    if not parameters:
        return node.attributes["kind"], node.name
    tensors = tuple(
        (role, value.node.name, repr(value.node.attributes["steps"]))
        for role, value in sorted(parameters.items())
    )
    return node.attributes["kind"], tensors, repr(sorted(node.attributes["settings"].items()))


def variable_scope(node):
    """Returns the scope that all variables of a layer have, as a tuple."""
    names = [value.node.name.split("/")[:-1] for value in node.attributes["parameters"].values()]
    scope = tuple(os.path.commonprefix(names))
    is_cell = node.attributes["kind"] in _OF_CELLS and len(scope) > 1 and "cell" in scope[-1]
    return scope[:-1] if is_cell else scope


def _layer_paths(nodes):
    """Returns {key of a layer: its path}: the scope of its variables if this has nothing else."""
    scopes, kinds, variables = collections.OrderedDict(), {}, {}
    for node in nodes:
        key = layer_key(node)
        scopes[key] = variable_scope(node)
        kinds[key] = node.attributes["kind"]
        variables[key] = [row[1].rpartition("/")[2] for row in key[1]]
    counts = collections.Counter(scopes.values())
    around = {scope[:count] for scope in scopes.values() for count in range(len(scope))}
    paths = {}
    for key, scope in scopes.items():
        if (
            scope
            and counts[scope] == 1
            and scope not in around
            and not kinds[key].startswith("embedding")
        ):
            paths[key] = scope
        else:
            own = _NAMES[kinds[key]]
            is_table = kinds[key].startswith("embedding") or counts[scope] > 1
            paths[key] = (*scope, variables[key][-1] if is_table else own)
    return _distinct(paths)


def _distinct(paths):
    taken = set()
    for key, path in paths.items():
        number, name = 1, path
        while name in taken:
            number += 1
            name = (*path[:-1], f"{path[-1]}_{number}")
        taken.add(name)
        paths[key] = name
    return paths


def _aligned(parts, scope):
    """Returns the places of the parts of a scope among others, from the right; None where not.

    Inner parts that only the variables have are left out.
    """
    for cut in range(min(3, len(scope) + 1)):
        places, place = [], len(parts)
        for part in reversed(scope[: len(scope) - cut]):
            place -= 1
            while place >= 0 and stem(parts[place]) != stem(part):
                place -= 1
            if place < 0:
                break
            places.append(place)
        if len(places) == len(scope) - cut:
            return places[::-1]
    return None


def _from_left(parts, scope):
    """Returns the first places of the parts of a scope, which are there in this order."""
    places, place = [], -1
    for part in scope:
        place += 1
        while stem(parts[place]) != stem(part):
            place += 1
        places.append(place)
    return places
