"""The facts that lie with a checkpoint: whatever file says them, read when they are asked for."""

import collections
import os
import re

from tfgraphtools.checkpoints.facts import (
    of_borders,
    of_cudnn,
    of_graph,
    of_layers,
    of_optimizer,
    shaped_graphs,
)
from tfgraphtools.checkpoints.facts.graph_ops import Graph
from tfgraphtools.checkpoints.facts.of_config import Config

#: Ops that read a variable to keep it, where it was made and not where it computes.
_STORES = re.compile("(Resource)?(Assign|Save|Restore|Is|VarIs|L2Loss|Apply)")

#: A value and the file that says it.
Fact = collections.namedtuple("Fact", "value source")


class Known:
    """The facts that files beside a checkpoint say of its layers.

    Args:
      graph: the path of a graph, or None.
      config: (the path of a file of Keras, the JSON in it), or None.
    """

    def __init__(self, graph=None, config=None):
        self._path, self._graph = graph, None
        self._shaped = None  # the graph with shapes; False if nothing says them
        self._config = config and (config[0], Config(config[1]))

    def facts(self, scope, leaves):
        """Reads the facts of a layer.

        Args:
          scope: the name of the layer in the checkpoint.
          leaves: {role: tensor} of it.

        Returns:
          {question: `Fact`}.
        """
        facts = {}
        if self._config:
            path, config = self._config
            facts = {name: Fact(value, path) for name, value in config.facts(scope).items()}
        if self._path:
            values = of_graph.facts(self._read_graph(), leaves)
            facts.update((name, Fact(value, self._path)) for name, value in values.items())
        return facts

    @property
    def path(self):
        """The graph's path, or None."""
        return self._path

    def place(self, leaves):
        """Returns where in its graph a layer computes, as a number; None if that is not known."""
        if not self._path:
            return None
        graph = self._read_graph()
        places = [
            graph.place(use.node)
            for name in leaves.values()
            for use in graph.readers(name)
            if not _STORES.match(use.node.op)
        ]
        return min(places) if places else None

    def borders(self):
        """Returns ({tensor: `Borders`} of what a map orders, {size: `FlatMap`} of sequences).

        See `of_borders`.
        """
        if not self.says_shapes:
            return of_borders.Found({}, {})
        graph = self._read_graph()
        by_variable, sequences = of_borders.borders(self._shaped)
        by_tensor = {graph.tensor(node): row for node, row in by_variable.items()}
        return of_borders.Found(by_tensor, sequences)

    @property
    def says_shapes(self):
        """Whether a graph says the shapes of its tensors, or TensorFlow infers them."""
        if self._path and self._shaped is None:
            graph = self._read_graph()
            is_shaped = shaped_graphs.says_shapes(graph)
            self._shaped = graph if is_shaped else shaped_graphs.of_file(self._path) or False
        return bool(self._shaped)

    def layers(self, tensors):
        """Groups tensors by the layer that computes with them: see `of_layers.layers`."""
        return of_layers.layers(self._read_graph(), tensors) if self._path else []

    def hyperparameters(self, kind=None, variables=None):
        """Returns the `Hyper` of the optimizer that the graph trains with: see `of_optimizer`."""
        if not self._path:
            return of_optimizer.UNKNOWN
        return of_optimizer.hyperparameters(self._read_graph(), kind, variables)

    def cudnn_network(self, tensor):
        """Returns the `of_cudnn.Network` whose parameters a tensor holds, or None."""
        return of_cudnn.network(self._read_graph(), tensor) if self._path else None

    def _read_graph(self):
        self._graph = self._graph or Graph(self._path)
        return self._graph


def beside(ckpt, graph=None):
    """Finds the facts that lie with a checkpoint.

    Args:
      ckpt: an open checkpoint: its ``.meta`` beside it, its own graph or its own configuration.
      graph: a ``.meta``, frozen graph or SavedModel that says them instead.

    Returns:
      A `Known`.
    """
    if graph is not None:
        return Known(graph=os.fspath(graph))
    path = ckpt.prefix
    for candidate in (path + ".meta", path if path.endswith(".pb") else None, _saved_model(path)):
        if candidate and os.path.isfile(candidate):
            return Known(graph=candidate)
    config = ckpt.store.model_config() if hasattr(ckpt.store, "model_config") else None
    return Known(config=(path, config)) if config else Known()


def _saved_model(prefix):
    """Returns the graph of a SavedModel whose variables a checkpoint is."""
    folder, name = os.path.split(prefix)
    if (os.path.basename(folder), name) != ("variables", "variables"):
        return None
    return os.path.join(os.path.dirname(folder), "saved_model.pb")
