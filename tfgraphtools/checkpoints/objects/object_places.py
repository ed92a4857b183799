"""The roles of values in an object-based checkpoint: a weight, a slot of it, a step count, ...

The keys do not say it: Keras 3 saves the slots of all variables in one list, and a kernel
under its optimizer. The object graph does: here its structure becomes a list of `Place`.
"""

import collections

from tfgraphtools.checkpoints.optimizers.tf1_optimizers import KERAS, KINDS, LEGACY
from tfgraphtools.checkpoints.read.checkpoint import GRAPH_KEY

#: The roles of a place. HYPER is a number of an optimizer (its ``slot`` says which), OTHER what
#: we have no name for.
VARIABLE, TABLE, SLOT, STEPS, HYPER, COUNTER, OTHER = (
    "variable",
    "table",
    "slot",
    "steps",
    "hyper-parameter",
    "save counter",
    "other",
)

#: Optimizers of TF 1 in a tf.train.Checkpoint: their slots are TF 1's, under TF 1's names.
TF1 = "tf1"

#: ``key``: in the checkpoint (of a table without -keys and -values); ``path``: of the object;
#: ``full_name``: of the tensor in a graph; ``node``: the object's number. Of a slot or a number of
#: an optimizer, ``optimizer`` is its `OptimizerNode` and ``slot`` the name there; ``of`` is the
#: number of the node of the slot's variable.
Place = collections.namedtuple("Place", "key path full_name node role optimizer slot of")
Place.__new__.__defaults__ = (None, None, None)

#: An optimizer in an object graph; ``flavour`` is KERAS, LEGACY or TF1.
OptimizerNode = collections.namedtuple("OptimizerNode", "path flavour")

_VALUE = "VARIABLE_VALUE"
_LISTED = {slot.listed: slot.keras for kind in KINDS.values() for slot in kind.slots}
_TF1_SHARED = ("beta1_power", "beta2_power")


def places(graph):
    """Returns the `Place` of every value in an `ObjectGraph` that can be reached from its root."""
    paths = graph.node_paths()
    roles = _optimizer_roles(graph, paths)
    save_counter = graph.nodes[0].children.get("save_counter")
    places_in_graph = []
    for number in sorted(paths):
        node = graph.nodes[number]
        for name, key in node.attributes.items():
            place = Place(key, paths[number], node.full_names.get(name, ""), number, OTHER)
            if name == "table":
                place = place._replace(role=TABLE)
            elif number == save_counter:
                place = place._replace(role=COUNTER)
            elif number in roles:
                place = place._replace(**roles[number])
            elif name == _VALUE:
                place = place._replace(role=VARIABLE)
            places_in_graph.append(place)
    return places_in_graph


def variable_name(place):
    """Returns the name of a place's variable as a graph has it."""
    return place.full_name.partition(":")[0] or place.path


def _optimizer_roles(graph, paths):
    """Returns {node number: the fields of its place} for what belongs to optimizers."""
    roles = {}
    for number in sorted(paths):
        node = graph.nodes[number]
        if "_iterations" in node.children and "_variables" in node.children:
            optimizer = OptimizerNode(paths[number], KERAS)
            roles.update(_keras_roles(graph, node, optimizer))
        elif "iter" in node.children:
            optimizer = OptimizerNode(paths[number], LEGACY)
            roles.update(_legacy_roles(graph, node, optimizer, "iter"))
        elif node.slots:
            optimizer = OptimizerNode(paths[number], TF1)
            roles.update(_legacy_roles(graph, node, optimizer, None))
    return roles


def _keras_roles(graph, node, optimizer):
    """Finds Keras 3's lists of slots, each in the order of the list of variables."""
    roles = {}
    variables = _listed(graph, node, "_trainable_variables")
    for number in _listed(graph, node, "_variables").values():
        roles[number] = {"role": OTHER, "optimizer": optimizer}
    for attribute, slot in _LISTED.items():
        for index, number in _listed(graph, node, attribute).items():
            if index in variables:
                of = variables[index]
                roles[number] = {"role": SLOT, "optimizer": optimizer, "slot": slot, "of": of}
    roles[node.children["_iterations"]] = {"role": STEPS, "optimizer": optimizer}
    if "_learning_rate" in node.children:
        number = node.children["_learning_rate"]
        roles[number] = {"role": HYPER, "optimizer": optimizer, "slot": "learning_rate"}
    return roles


def _listed(graph, node, name):
    """Returns {index: number} of the elements of a list that is an attribute of an object."""
    if name not in node.children:
        return {}
    return graph.nodes[node.children[name]].children


def _legacy_roles(graph, node, optimizer, steps):
    """Finds the slots of optimizers that say which variable each belongs to."""
    roles = {}
    for name, number in node.children.items():
        if graph.nodes[number].attributes and (steps or name in _TF1_SHARED):
            roles[number] = {"role": HYPER, "optimizer": optimizer, "slot": name}
    if steps:
        roles[node.children[steps]] = {"role": STEPS, "optimizer": optimizer}
    for variable, slot, number in node.slots:
        roles[number] = {"role": SLOT, "optimizer": optimizer, "slot": slot, "of": variable}
    return roles


class Finder:
    """Finds the places that a user's words mean: a key, a path of names from the root, a full name.

    A path may lead through any of the names that an object has, not only the shortest.
    """

    def __init__(self, graph, listed):
        self._graph = graph
        self._exact, self._by_node = collections.defaultdict(list), collections.defaultdict(list)
        self._by_full_name = collections.defaultdict(list)
        for place in listed:
            for words in {place.key, place.path}:
                self._exact[words].append(place)
            self._by_node[place.node].append(place)
            self._by_full_name[place.full_name].append(place)

    def find(self, words):
        """Returns a list of places; empty if there is none."""
        exact = self._exact.get(words) or self._by_node.get(self._graph.walk(words))
        return exact or self._by_full_name.get(words, [])


def graph_bytes(ckpt):
    """Returns the serialized object graph of an object-based checkpoint, checked."""
    return bytes(ckpt[GRAPH_KEY].item())
