"""The object graph that a new checkpoint gets: like another one's, a live object's, or by rules.

A skeleton is a graph without values: it says which objects there are, and under which key each
value goes. Where it comes from another checkpoint, that one's values can be kept.
"""

import contextlib
import os
import shutil
import tempfile

from tfgraphtools.checkpoints import optimizers
from tfgraphtools.checkpoints.format import object_graph
from tfgraphtools.checkpoints.format.object_graph import Node
from tfgraphtools.checkpoints.objects import object_places
from tfgraphtools.checkpoints.read.checkpoint import GRAPH_KEY
from tfgraphtools.checkpoints.read.opening import as_checkpoint, open_checkpoint
from tfgraphtools.checkpoints.read.tensorflow_package import require_tensorflow
from tfgraphtools.errors import ArgumentError, PlanError

_VALUE = "VARIABLE_VALUE"
_SUFFIX = "/.ATTRIBUTES/" + _VALUE


class Skeleton:
    """An object graph to be filled.

    Attributes:
      data: the serialized graph; ``graph`` is the same as an `ObjectGraph`.
      places: the `Place` of every value.
      describe: what it is, for errors.
      configs: {path of an optimizer: (class name, its get_config())}, of a live object.
      layers: {path: object} of a live object that computes by settings; None without one.
      live: {number of a node: object} of a live object, empty without one.
      has_rules: whether every place is named after its tensor.
    """

    def __init__(self, data, describe, tensors, values, has_rules=False):
        self.configs, self.layers, self.has_rules = {}, None, has_rules
        self.live = {}
        self.data, self.describe = data, describe
        self.graph = object_graph.parse(data)
        self.places = object_places.places(self.graph)
        self._tensors, self._values = tensors, values

    @property
    def is_legacy(self):
        """Whether its optimizers are those of tf_keras, or TF 1's own: there are no others."""
        flavours = {place.optimizer.flavour for place in self.places if place.optimizer}
        return bool(flavours) and optimizers.KERAS not in flavours

    def tensor(self, place):
        """Returns (dtype, shape) of a place's value, or None if the graph was made from rules."""
        return self._tensors.get(place.key)

    def value(self, place):
        """Returns the value that is there already, or None."""
        return self._values(place.key) if place.key in self._tensors else None


@contextlib.contextmanager
def like(path):
    """Opens the skeleton of an object-based checkpoint, a path or one that is open."""
    ckpt = as_checkpoint(path)
    try:
        yield _of_checkpoint(ckpt)
    finally:
        if ckpt is not path:
            ckpt.close()


def _of_checkpoint(ckpt):
    if GRAPH_KEY not in ckpt:
        raise PlanError(
            "like=",
            "an object-based checkpoint of TF 2",
            f"{ckpt.prefix}, which is name-based",
            "Save one with tf.train.Checkpoint(...).write(...), or give rules= alone.",
        )
    tensors = {}
    for name in ckpt:
        tensor = ckpt.tensor(name)
        tensors[name] = (tensor.dtype, tensor.shape)
    data = object_places.graph_bytes(ckpt)
    return Skeleton(_with_counter(data), ckpt.prefix, tensors, ckpt.read)


def _with_counter(data):
    """Adds the save_counter that tf.train.Checkpoint.restore makes and wants a value for."""
    graph = object_graph.parse(data)
    if "save_counter" in graph.nodes[0].children:
        return data
    counter = Node({}, {_VALUE: "save_counter" + _SUFFIX}, [], {_VALUE: "save_counter"})
    return object_graph.with_child(data, "save_counter", counter)


@contextlib.contextmanager
def live(root):
    """Opens the skeleton of a live object, which TensorFlow saves to a temporary folder.

    Args:
      root: a tf.train.Checkpoint, a model or another trackable object, or {name: object}.
    """
    tf = require_tensorflow("live=")
    if not tf.executing_eagerly():
        raise ArgumentError(
            "live=",
            "eager execution",
            "a program in graph mode",
            "Save the object with tf.train.Checkpoint and pass like=PREFIX.",
        )
    if isinstance(root, dict):
        root = tf.train.Checkpoint(**root)
    elif not isinstance(root, tf.train.Checkpoint):
        root = tf.train.Checkpoint(root)
    folder = tempfile.mkdtemp(prefix="tfgraphtools-")
    try:
        with open_checkpoint(root.write(os.path.join(folder, "live"))) as ckpt:
            skeleton = _of_checkpoint(ckpt)
            skeleton.describe = "the live object"
            skeleton.configs = dict(_configs(root, skeleton.places))
            skeleton.live = _live_objects(root, skeleton.graph)
            skeleton.layers = dict(_layers(skeleton.live, skeleton.graph))
            yield skeleton
    finally:
        shutil.rmtree(folder)


def _configs(root, places):
    """Yields (path, (class name, get_config())) of the optimizers that can be reached by name."""
    for path in sorted({place.optimizer.path for place in places if place.optimizer}):
        current = root
        for name in path.split("/"):
            current = getattr(current, name, None)
        if hasattr(current, "get_config"):
            yield path, (type(current).__name__, current.get_config())


def _children(item):
    """Returns {name: object}; a Checkpoint of one object has that one's names."""
    children = item._trackable_children() if hasattr(item, "_trackable_children") else {}
    whole = getattr(item, "root", None) if type(item).__name__ == "Checkpoint" else None
    return dict(_children(whole), **children) if whole is not None else children


def _live_objects(root, graph):
    """Returns {number of a node: object} of what can be reached from a live object."""
    live, paths = {0: root}, graph.node_paths()
    for number in sorted(paths, key=lambda number: paths[number].count("/")):
        item = live.get(number)
        children = _children(item)
        for name, child in graph.nodes[number].children.items():
            if name in children:
                live.setdefault(child, children[name])
    return live


#: What layers compute by: of cells, of normalisations, of convolutions, of dense layers.
_SETTINGS = ("recurrent_activation", "epsilon", "dilation_rate", "units")


def _layers(live, graph):
    """Yields (path, object) of what computes by settings: layers and cells of Keras."""
    paths = graph.node_paths()
    for number, item in live.items():
        if any(hasattr(item, setting) for setting in _SETTINGS):
            yield paths[number], item


class Builder:
    """Makes a graph from paths: each name in a path is a child of the object before it."""

    def __init__(self):
        self.nodes = [Node({}, {}, [], {})]

    def node(self, names):
        """Returns the number of the object at a path, made with those above it if there is none."""
        number = 0
        for name in names:
            if name not in self.nodes[number].children:
                self.nodes.append(Node({}, {}, [], {}))
                self.nodes[number].children[name] = len(self.nodes) - 1
            number = self.nodes[number].children[name]
        return number

    def value(self, names, attribute=_VALUE, full_name=""):
        """Gives the object at a path a value; returns the number of the object."""
        number = self.node(names)
        key = "{}/.ATTRIBUTES/{}".format("/".join(map(_escaped, names)), attribute)
        self.nodes[number].attributes[attribute] = key
        self.nodes[number].full_names[attribute] = full_name
        return number

    def slot(self, variable, optimizer, slot):
        """Gives the optimizer at one path a slot of the variable at another."""
        key = "{}/.OPTIMIZER_SLOT/{}/{}{}".format(
            "/".join(map(_escaped, variable)), "/".join(map(_escaped, optimizer)), slot, _SUFFIX
        )
        full_name = "{}/{}".format("/".join(variable), slot)
        self.nodes.append(Node({}, {_VALUE: key}, [], {_VALUE: full_name}))
        self.nodes[self.node(optimizer)].slots.append(
            (self.node(variable), slot, len(self.nodes) - 1)
        )


def _escaped(name):
    """Tells how TF writes the name of a child in a key."""
    return name.replace(".", "..").replace("/", ".S")


def by_rules(paths, tables, detection, kind, path):
    """Returns the skeleton of rules alone, with an optimizer of tf_keras's legacy ones.

    Args:
      paths: {tensor name: path of its object}.
      tables: the names among them that are tables.
      detection: the `Detection` of the source, or None to leave the optimizer behind.
      kind: the optimizer of a source without slots, or None.
      path: where the optimizer goes.
    """
    builder = Builder()
    for name, words in sorted(paths.items()):
        if not words or not all(words.split("/")):
            raise PlanError(
                f"the map: {name!r}", "a path of names", repr(words), "Write it as 'net/dense/w'."
            )
        builder.value(words.split("/"), "table" if name in tables else _VALUE, name)
    kinds = {state.kind for state in detection.by_variable.values()} if detection else set()
    kinds |= {kind} if kind else set()
    if len(kinds) > 1:
        raise PlanError(
            "the optimizer",
            "one kind, if there is no like= or live=",
            ", ".join(sorted(kinds)),
            "Save the new model with tf.train.Checkpoint(...).write(...) and pass like=PREFIX.",
        )
    if kinds:
        _add_optimizer(builder, paths, detection, kinds.pop(), path.split("/"))
    builder.value(["save_counter"], full_name="save_counter")
    return Skeleton(object_graph.serialize(builder.nodes), "the map", {}, None, has_rules=True)


def _add_optimizer(builder, paths, detection, kind, path):
    config = optimizers.keras_config(kind, flavour=optimizers.LEGACY)[1]
    front = optimizers.KINDS[kind].keras  # which says the class on the way back
    builder.value(path + ["iter"], full_name=f"{front}/iter")
    for name in _hypers(kind, config):
        builder.value(path + [name], full_name=f"{front}/{name}")
    for variable, state in sorted(detection.by_variable.items()):
        if variable not in paths:
            continue
        for row in optimizers.KINDS[state.kind].slots:
            builder.slot(paths[variable].split("/"), path, row.legacy)


def _hypers(kind, config):
    """Returns the numbers that a legacy optimizer keeps as variables."""
    names = {"learning_rate", "decay"} | set(config)
    names |= {"SGD": {"momentum"}, "Ftrl": {"beta"}}.get(optimizers.KINDS[kind].keras, set())
    return sorted(
        names
        - {
            "epsilon",
            "nesterov",
            "centered",
            "initial_accumulator_value",
            "l2_shrinkage_regularization_strength",
        }
    )
