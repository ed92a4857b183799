"""A training graph as the inference graph of the same code would be, where that is exact.

Each rewrite gives what TF 1's own functions build with ``training=False``:

    bool placeholders called like is_training   False; the branches that they choose are resolved
    FusedBatchNorm with is_training             the moving averages, which its update ops name
    batch statistics that are averaged          the moving averages
    dropout                                     its input

What trains and is none of these is refused by name.
"""

import re

from tfgraphtools.checkpoints.graphs import (
    average_updates,
    constant_branches,
    cuts,
    two_modes,
)
from tfgraphtools.errors import GraphExportError

_FUSED = ("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3")
_RANDOM = ("RandomUniform", "RandomStandardNormal", "TruncatedNormal", "StatelessRandomUniform")
#: Ops that draw other numbers in each call.
_DRAWS = re.compile(
    r"Random(Uniform(Int)?|StandardNormal|Gamma|Poisson(V2)?|Shuffle)|(Parameterized)?TruncatedNormal"
    r"|Multinomial"
)
#: Scopes of layers that draw random numbers while training alone.
_NOISE = re.compile("dropout|gaussian_noise")
_ROUNDING = 1e-2  # of a scale and a rate in float16
_TRAINING = re.compile(
    r"(.*/)?((bn|batch_?norm|dropout|net|model|do)_)?(is_?train(ing)?|train(ing)?(_?(phase|mode|flag))?"
    r"|phase(_train)?|learning_phase|keras_learning_phase|in_training|training_?now)"
    r"(_(pl|ph|placeholder|tensor|bool))?(_\d+)?",
    re.IGNORECASE,
)


def to_inference(graph_def, outputs, inputs, place):
    """Changes a GraphDef into one that infers.

    Args:
      graph_def: of the whole training graph: its update ops say which averages are whose.
      outputs: the names of the nodes that are asked for.
      inputs: the names of the nodes that the user feeds, which stay as they are.
      place: the path of the graph, for errors.

    Returns:
      What was changed, in words.

    Raises:
      GraphExportError: an op that trains, and whose form for inference is not known.
    """
    try:
        return _Inference(graph_def, outputs, inputs, place).changes
    except LookupError as error:  # an input that the graph does not have
        raise _damaged(place, error) from error


def to_both(graph_def, outputs, inputs, place):
    """Changes a GraphDef into one that infers, by what it is while it trains.

    Args:
      graph_def, outputs, inputs, place: as in `to_inference`.

    Returns:
      The `two_modes.Modes`: what a training step does at its nodes and variables.
    """
    try:
        inferring = _Inference(graph_def, outputs, inputs, place, True)
        return two_modes.modes(graph_def, inferring.dropouts, inferring.moved)
    except LookupError as error:
        raise _damaged(place, error) from error


def without_dropout(graph_def, outputs, inputs, place):
    """Changes a GraphDef into the one that trains, as `to_training`, and takes its dropout out.

    Returns:
      The names of the ops that update moving averages.
    """
    try:
        return _WithoutDropout(graph_def, outputs, inputs, place, True).updates
    except LookupError as error:
        raise _damaged(place, error) from error


def _damaged(place, error):
    return GraphExportError(
        place,
        "a graph in which every input is there",
        f"none for {error}",
        "Export the .meta again: it is damaged.",
    )


def to_training(graph_def, outputs, inputs):
    """Changes a GraphDef whose mode a placeholder chooses into the one that trains.

    Args:
      graph_def, outputs, inputs: as in `to_inference`.

    Returns:
      What was changed, in words.
    """
    changes = _choose_mode(graph_def, outputs, inputs, True)
    constant_branches.resolve(graph_def)
    return changes


def _choose_mode(graph_def, outputs, inputs, is_training):
    """Makes a constant of each placeholder that is called like is_training, and is no input."""
    needed = cuts.needed(graph_def, outputs)
    changes = []
    for node in graph_def.node:
        if node.name not in needed or node.name in inputs or node.op not in cuts.PLACEHOLDERS:
            continue  # to read an attribute that is not there would make it
        if node.attr["dtype"].type == 10 and _TRAINING.fullmatch(node.name):
            constant_branches.set_constant(node, is_training)
            changes.append(f"{node.name}: {is_training}")
    return changes


class _Inference:
    """The rewriting of a graph.

    Attributes:
      changes: what was changed, in words.
      dropouts: {node: `two_modes.Dropped`} of what was taken out.
      moved: the variables of the moving averages that took the place of statistics.
    """

    def __init__(self, graph_def, outputs, inputs, place, is_training=False):
        self._graph, self._wanted, self._place = graph_def, outputs, place
        self._flags = [name for name in inputs if _TRAINING.fullmatch(name)]
        self.dropouts, self.moved = {}, set()
        self.changes = _choose_mode(graph_def, outputs, set(inputs), is_training)
        constant_branches.resolve(graph_def)
        self._nodes = {node.name: node for node in graph_def.node}
        self._rewrite(graph_def)

    def _rewrite(self, graph_def):
        self._averages = average_updates.averaged(self._nodes)
        average_updates.unforced(graph_def, set(self._averages.values()))
        self._normalise()
        self._replace_statistics()
        self._remove_dropout()
        self._require_inference()

    def _needed(self):
        names = cuts.needed(self._graph, self._wanted)
        return [node for node in self._graph.node if node.name in names]

    def _input(self, node, index):
        """Returns (the node that an input comes from, which of its outputs)."""
        name, output = cuts.split_tensor(node.input[index])
        return self._nodes[name], output

    # Moving averages -------------------------------------------------------------

    def _read_of(self, variable):
        """Returns a tensor with the value of a variable."""
        self.moved.add(variable)
        name = variable + "/inference_read"
        if name not in self._nodes:
            source = self._nodes[variable]
            is_resource = source.op == "VarHandleOp"
            node = self._graph.node.add(name=name, op="Identity", input=[variable])
            if is_resource:
                node.op = "ReadVariableOp"
            node.attr["dtype" if is_resource else "T"].type = source.attr["dtype"].type
            self._nodes[name] = node
        return name

    def _normalise(self):
        for node in self._needed():
            if node.op not in _FUSED or not _is_training(node):
                continue
            if constant_branches.is_optional(self._nodes, node):
                continue
            averages = [self._averages.get((node.name, i)) for i in (1, 2)]
            if None in averages:
                averages = self._averages_beside(node)
            if None in averages or constant_branches.is_in_loop(self._nodes, node):
                raise self._refused(node, "a batch normalisation without moving averages")
            for other in self._needed():
                if any(
                    cuts.split_tensor(i) in ((node.name, 1), (node.name, 2)) for i in other.input
                ):
                    raise self._refused(other, "a use of batch statistics")
            node.attr["is_training"].b = False
            node.input[3], node.input[4] = map(self._read_of, averages)
            self.changes.append(f"{node.name}: the moving averages")

    def _averages_beside(self, node):
        """Returns [moving mean, moving variance] in gamma's or beta's scope, or None for each."""
        for index in (1, 2):
            read, _ = self._input(node, index)
            name = read.input[0].split(":")[0] if read.input else read.name
            scope = name.rpartition("/")[0]
            averages = [f"{scope}/{leaf}" for leaf in ("moving_mean", "moving_variance")]
            if all(
                name in self._nodes and self._nodes[name].op in cuts.VARIABLES for name in averages
            ):
                return averages
        return [None, None]

    def _replace_statistics(self):
        needed = self._needed()
        for node in needed:
            for i, tensor in enumerate(node.input):
                statistic = cuts.split_tensor(tensor)
                if tensor.startswith("^") or statistic not in self._averages:
                    continue
                if self._nodes[statistic[0]].op in _FUSED:
                    continue
                if constant_branches.is_in_loop(self._nodes, node):
                    raise self._refused(node, "batch statistics in a loop")
                node.input[i] = self._read_of(self._averages[statistic])
                self.changes.append(f"{tensor}: the moving average")

    # Dropout -----------------------------------------------------------------------

    def _remove_dropout(self):
        for node in self._needed():
            dropped = self._undropped(node)
            if dropped:
                source = dropped.source
                self.dropouts[node.name] = dropped
                del node.input[:]
                node.input.append(source)
                node.op = "Identity"
                self.changes.append(f"{node.name}: no dropout")

    def _undropped(self, node):
        """Returns the `two_modes.Dropped` that ends here (a product or a choice), or None."""
        if node.op == "Mul" and len(node.input) > 1:
            for kept, mask in ((0, 1), (1, 0)):
                rate = self._rate_of_mask(self._input(node, mask)[0])
                source = rate and self._unscaled(self._input(node, kept)[0], rate)
                if source:
                    return self._dropped(source, rate, self._input(node, mask)[0])
        if node.op == "SelectV2":
            mask, scaled, zero = (self._input(node, index)[0] for index in range(3))
            if mask.op == "GreaterEqual" and self._is_uniform(self._input(mask, 0)[0]):
                rate = "rate", self._input(mask, 1)[0]
                source = constant_branches.numbers(zero) == [0] and self._unscaled(scaled, rate)
                if source:
                    return self._dropped(source, rate, mask)
        return None

    def _dropped(self, source, rate, mask):
        needed = cuts.needed(self._graph, [mask.name])
        drawn = [name for name in needed if self._nodes[name].op == "RandomUniform"]
        shapes = {self._nodes[name].input[0] for name in drawn}
        shape = shapes.pop() if len(shapes) == 1 else None
        return two_modes.Dropped(source, rate[0], rate[1].name, shape)

    def _rate_of_mask(self, node):
        """Returns ("rate" or "keep", the node of the number) of a mask of dropout, or None."""
        if node.op == "Cast":
            node, _ = self._input(node, 0)
            if node.op == "GreaterEqual" and self._is_uniform(self._input(node, 0)[0]):
                return "rate", self._input(node, 1)[0]
        elif node.op == "Floor":
            node, _ = self._input(node, 0)
            if node.op in ("Add", "AddV2"):
                for index in (0, 1):
                    if self._is_uniform(self._input(node, 1 - index)[0]):
                        return "keep", self._input(node, index)[0]
        return None

    def _is_uniform(self, node):
        """Tells whether it is tf.random_uniform: RandomUniform * (max - min) + min."""
        if node.op == "Enter":  # drawn once for all turns of a loop
            node, _ = self._input(node, 0)
        for _ in range(2):
            if node.op in ("Add", "AddV2", "Mul"):
                node, _ = self._input(node, 0)
        return node.op == "RandomUniform"

    def _unscaled(self, node, rate):
        """Returns the tensor that is divided by the share that dropout keeps, or None."""
        meaning, number = rate
        if node.op == "RealDiv":
            share, _ = self._input(node, 1)
            if meaning == "keep":
                is_share = share is number or _is_same_constant(share, number)
            else:
                is_share = self._is_kept(share, number)
            return node.input[0] if is_share else None
        if node.op == "Mul" and meaning == "rate":
            for index in (0, 1):
                factor, _ = self._input(node, index)
                if factor.op == "RealDiv" and self._is_kept(self._input(factor, 1)[0], number):
                    return node.input[1 - index]
                if self._is_scale(factor, number):
                    return node.input[1 - index]
        return None

    def _is_scale(self, node, rate):
        """Tells whether two constants are 1 / (1 - rate) and the rate."""
        scale, rate = constant_branches.numbers(node), constant_branches.numbers(rate)
        return len(scale) == len(rate) == 1 and abs(scale[0] * (1 - rate[0]) - 1) < _ROUNDING

    def _is_kept(self, node, number):
        return node.op == "Sub" and self._input(node, 1)[0] is number

    # What is left ------------------------------------------------------------------

    def _require_inference(self):
        for node in self._needed():
            is_suspect = node.op in _FUSED + _RANDOM + ("SquaredDifference",)
            if is_suspect and constant_branches.is_optional(self._nodes, node):
                continue
            if node.op in _FUSED and _is_training(node):
                raise self._refused(node, "a batch normalisation that trains")
            if node.op in _RANDOM and _NOISE.search(node.name):
                raise self._refused(node, "a dropout or noise in a form that is not known")
            is_statistic = node.op == "SquaredDifference" and self._is_of_a_batch(node)
            if is_statistic and not constant_branches.is_chosen_later(self._needed(), node):
                raise self._refused(node, "statistics of the batch, of which no average is kept")
            if _DRAWS.fullmatch(node.op):
                self.changes.append(f"{node.name} stays: random in each call")
        for function in constant_branches.called(self._graph, self._needed()):
            for node in function.node_def:
                is_dropout = node.op in _RANDOM and _NOISE.search(node.name)
                if is_dropout or node.op in _FUSED and _is_training(node):
                    raise self._refused(node, f"an op that trains, in {function.signature.name}")

    def _is_of_a_batch(self, node):
        """Tells whether it is (x - mean)^2 of tf.nn.moments over the first axis."""
        for index in (0, 1):
            mean, _ = self._input(node, index)
            if mean.op == "StopGradient":
                mean, _ = self._input(mean, 0)
            if mean.op == "Mean" and 0 in constant_branches.numbers(self._input(mean, 1)[0]):
                return True
        return False

    def _refused(self, node, problem):
        return GraphExportError(
            self._place,
            "ops that infer, or whose form for inference is known",
            f"{node.name} ({node.op}): {problem}",
            self._fix(),
        )

    def _fix(self):
        if self._flags:
            return "Leave {} out of the inputs: it is False then.".format(" and ".join(self._flags))
        return (
            "Export the .meta of the inference graph (is_training=False), or keep the graph as it "
            "trains: keep_training=True (--keep-training)."
        )


class _WithoutDropout(_Inference):
    """A graph that trains, without its dropout.

    Attributes:
      updates: the names of the ops that update moving averages.
    """

    def _rewrite(self, graph_def):
        self.updates = average_updates.updates(self._nodes)
        for name in self.updates:  # an Identity of a variable cannot be assigned to
            node = self._nodes[name]
            while self._input(node, 0)[0].op == "Identity":
                node.input[0] = self._input(node, 0)[0].input[0]
        self._remove_dropout()
        for dropped in self.dropouts.values():  # the gradients read the mask
            two_modes.switch_off(self._nodes[dropped.number], dropped.meaning)


def _is_same_constant(*nodes):
    """Tells whether two nodes are constants of one number, as a Python float that is used twice."""
    left, right = map(constant_branches.numbers, nodes)
    return len(left) == 1 and left == right


def _is_training(node):
    return node.attr["is_training"].b if "is_training" in node.attr else True
