"""The questions of a conversion, asked the same way for every target.

Each is answered by a file (`known`) or by an option. Where neither answers, what the target's own
layer says (activation, epsilon) is kept, and a note names the option. What no layer says is refused
with the option that answers: the forget bias of an LSTM, whatever the name of its cell, and a
recurrent activation whose default TF 1 and the target do not share.
"""

import collections
import re

from tfgraphtools.checkpoints.facts.known import Fact
from tfgraphtools.checkpoints.read.checkpoint import GRAPH_KEY
from tfgraphtools.errors import ArgumentError, PlanError

#: How an answer that the caller gives is called.
OPTION = "as you say"
#: What says that a cell adds no forget bias.
COMPATIBLE = "TF 1's CudnnCompatibleLSTMCell, which adds none"
#: What says how cuDNN computes.
CUDNN = "cuDNN, which has no other"

#: An activation that a user may write under a name of its own is none of these.
ACTIVATIONS = set(
    "elu exponential gelu hard_sigmoid linear relu relu6 selu sigmoid softmax softplus softsign "
    "swish silu tanh".split()
)
_ROUNDING = 1e-5
_MOMENTUM_ROUNDING = 1e-6

#: {kind of normalisation: (whose, the epsilon that TF 1's functions have by default)}
EPSILONS = {
    "batch": ("tf.layers and slim", 1e-3),
    "layer": ("tf.contrib.layers", 1e-12),
    "instance": ("tf.contrib.layers", 1e-6),
    "group": ("tf.contrib.layers", 1e-6),
}

#: The kinds of a target that are cells, and an LSTM, in Keras and in PyTorch.
_CELLS = ("LSTMCell", "GRUCell", "SimpleRNNCell", "lstm", "gru", "rnn")
_LSTMS = ("LSTMCell", "lstm")
_GATED = (*_LSTMS, "GRUCell", "gru")
_NORMS = ("batch norm", "norm")

#: What `Answers.tell` takes.
QUESTIONS = ("activation", "recurrent_activation", "epsilon", "reset_after")


#: {kind of a unit of cuDNN: its facts}: it has no others.
_OF_CUDNN = {
    "CuDNNLSTM": {"forget_bias": Fact(0.0, CUDNN)},
    "CuDNNGRU": {"reset_after": Fact(True, CUDNN)},
}
for _facts in _OF_CUDNN.values():
    _facts.update(activation=Fact("tanh", CUDNN), recurrent_activation=Fact("sigmoid", CUDNN))


#: What is known of a layer of the target, and what says it: a file, a cell's name or "as you say".
UsedFact = collections.namedtuple("UsedFact", "layer question value source")


class Answers:
    """The answers to the questions about the units of one checkpoint.

    Args:
      known: a `known.Known`.
      forget_biases: {name of a unit: forget bias that the caller gave for it}.
    """

    def __init__(self, known, forget_biases):
        self._known, self._forget_biases, self._facts = known, forget_biases, {}
        self._told, self._is_of_tf1 = {}, False

    def tell(self, told, ckpt, place):
        """Adds what the caller says of units, and what kind of checkpoint they are of.

        Args:
          told: {name of a unit: {question: value}}.
          ckpt: the checkpoint, before it is read as one of names.
          place: what takes the facts, for errors.
        """
        self._facts, self._told = {}, told
        self._is_of_tf1 = ckpt.format in ("V1", "V2") and GRAPH_KEY not in ckpt
        unknown = sorted(
            {question for answers in told.values() for question in answers} - set(QUESTIONS)
        )
        if unknown:
            raise ArgumentError(
                place,
                "a question: {}".format(", ".join(QUESTIONS)),
                unknown[0],
                "Write facts={'encoder/.*': {'recurrent_activation': 'sigmoid'}} (--fact "
                "'encoder/.*' recurrent_activation=sigmoid).",
            )

    def facts(self, source):
        """Returns {question: `Fact`} of a unit, the forget bias among them where it is known.

        Raises:
          PlanError: an option contradicts a file.
        """
        if source.name not in self._facts:
            self._facts[source.name] = self._asked(source)
        return self._facts[source.name]

    def _asked(self, source):
        facts = dict(
            self._known.facts(source.name, source.leaves), **_OF_CUDNN.get(source.kind, {})
        )
        if source.forget_bias is not None:
            facts.setdefault("forget_bias", Fact(source.forget_bias, COMPATIBLE))
        stored, option = facts.get("forget_bias"), self._forget_biases.get(source.name)
        differs = stored is not None and option is not None and abs(stored.value - option) > 1e-6
        if differs:
            raise PlanError(
                f"the forget bias of {source.name!r}",
                f"{stored.value:g}, as in {stored.source}",
                f"{option:g}",
                "Leave forget_bias (--forget-bias) out for this cell.",
            )
        if option is not None:
            facts["forget_bias"] = stored or Fact(option, OPTION)
        for question, value in self._told.get(source.name, {}).items():
            if question in facts and facts[question].value != value:
                raise PlanError(
                    f"{question} of {source.name!r}",
                    f"{facts[question].value}, as in {facts[question].source}",
                    str(value),
                    "Leave facts (--fact) out for this layer: the file says it.",
                )
            facts.setdefault(question, Fact(value, OPTION))
        return facts

    def require(self, source, target):
        """Raises `PlanError` if what the conversion of a pair needs is not known."""
        is_lstm = target.kind in _LSTMS and "recurrent_kernel" not in source.leaves
        if is_lstm and "forget_bias" not in self.facts(source):
            raise PlanError(
                f"the LSTM {source.name!r}",
                "the forget bias with which its cell was built",
                "no graph that says it, and none given",
                "Pass the .meta of the training (graph=, --meta), or forget_bias=1.0 "
                "(--forget-bias 1.0) if the code did not set it: that is TF1's default.",
            )

        self._require_gates(source, target)

    def _require_gates(self, source, target):
        """Raises for a cell of tf.keras in TF 1, whose default the target does not have."""
        own = target.config.get("recurrent_activation", "sigmoid")
        is_of_keras = "recurrent_kernel" in source.leaves and target.kind in _GATED
        if not (self._is_of_tf1 and is_of_keras) or own == "hard_sigmoid":
            return
        if "recurrent_activation" not in self.facts(source):
            raise PlanError(
                f"the cell {source.name!r} of tf.keras",
                "the recurrent activation with which it was built",
                f"no file that says it: TF 1 has hard_sigmoid by default, the target has {own}",
                "Pass the .meta of the training (graph=, --meta), or say that it is the target's: "
                f"--fact '{re.escape(source.name)}' recurrent_activation={own} (facts=).",
            )

    def used_facts(self, matches):
        """Returns the `UsedFact` of every fact that the conversion of [match] used or compared."""
        return [
            UsedFact(match.target.name or "the module", question, fact.value, fact.source)
            for match in matches
            for question, fact in sorted(self.facts(match.source).items())
            if fact.source != CUDNN
        ]

    def notes(self, matches):
        """Returns what is assumed of the cells of [match] because no file says it."""
        unsaid = [
            match.source.name
            for match in matches
            if match.target.kind in _CELLS and "activation" not in self.facts(match.source)
        ]
        norms = [
            match.source.name
            for match in matches
            if (match.target.kind in _NORMS or match.target.kind.endswith("Normalization"))
            and "epsilon" not in self.facts(match.source)
            and not any("epsilon" in note for note in match.fit.notes)
        ]
        notes = []
        if unsaid:
            notes.append(
                "{}: no file says how {} (--meta); TF 1's default activations are assumed".format(
                    _listed(unsaid), "it computes" if len(unsaid) == 1 else "they compute"
                )
            )
        if norms:
            notes.append(
                f"{_listed(norms)}: no file says the epsilon (--meta); TF 1's default, which the "
                "target has, is assumed"
            )
        return notes + self._momentum_notes(matches)

    def _momentum_notes(self, matches):
        """Returns a note for the layers of each momentum that is not the file's."""
        by_numbers = collections.OrderedDict()
        for pair_match in matches:
            facts, own = self.facts(pair_match.source), pair_match.target.config.get("momentum")
            if "momentum" in facts:
                row = by_numbers.setdefault((own, facts["momentum"]), (facts, []))
                row[1].append(pair_match.target.name or "the module")
        return [
            note
            for (own, _), (facts, names) in by_numbers.items()
            for note in momentum(names, facts, own)
        ]


def _listed(names):
    """Returns the first names of many, as words."""
    more = f" and {len(names) - 4} more" if len(names) > 4 else ""
    return ", ".join(names[:4]) + more


def forget_bias(facts):
    """Returns (the forget bias to add, a note of where it comes from or "")."""
    fact = facts.get("forget_bias")
    if fact is None:
        return 0.0, ""  # `Answers.require` refuses it once it is certain who is whose
    return fact.value, f"forget bias {fact.value:g} ({fact.source})"


def gates(facts):
    """Returns why an LSTM's gates or its state cannot be converted, or ""."""
    clip = facts.get("clip")
    if clip is not None:
        return f"a state that is cut at {clip.value:g} (cell_clip or proj_clip), by {clip.source}"
    fact = facts.get("gates")
    if fact is None or fact.value == "i,c,f,o":
        return ""
    return f"gates in {fact.value} than i,c,f,o, by {fact.source}"


def epsilon(facts, name, own, defaults):
    """Compares the epsilon of a normalisation with that of the file.

    Args:
      facts: {question: `Fact`}.
      name: of the target's layer.
      own: the layer's epsilon, None if the target does not say it.
      defaults: (whose, epsilon) that TF 1 has by default.

    Returns:
      (why it does not fit or "", notes).
    """
    fact = facts.get("epsilon")
    if fact is None:
        whose, default = defaults
        if own is None or float(own) == default:
            return "", []
        return "", [
            f"{name}: epsilon is {own:g}; {whose} has {default:g} by default, and no file says "
            "it (--meta)"
        ]
    if own is None:
        return "", [f"{name}: build it with epsilon {fact.value:g} ({fact.source})"]
    if abs(float(own) - fact.value) <= _ROUNDING * max(fact.value, 1e-12):
        return "", []
    return (
        f"epsilon is {fact.value:g} in {fact.source}, {own:g} in the layer (build it with "
        f"{fact.value:g})",
        [],
    )


def activation(facts, question, own, default, target_name, is_keras3=False, build=None):
    """Compares an activation of a cell with that of the file.

    Args:
      question: "activation" or "recurrent_activation".
      own: what the target has.
      default: what TF 1's cell has by default; None if it is not known.
      build: function of the activation of the file that says how to build the target so.

    Returns:
      (why it does not fit or "", notes).
    """
    fact = facts.get(question)
    if fact is None:
        if own == default:
            return "", []
        expected = f"TF1's is {default} by default" if default else "no file says it"
        return "", [f"{target_name}: {question} is {own}; {expected} (--meta)"]
    other_curve = fact.value == "hard_sigmoid" and is_keras3
    if own == fact.value and not other_curve:
        return "", []
    if own not in ACTIVATIONS:
        return "", [f"{target_name}: {question} is {own}; it is {fact.value} in {fact.source}"]
    more = "clip(0.2 * x + 0.5, 0, 1), which Keras 3's is not: pass such a function"
    if build is None:
        hint = more if other_curve else f"build the layer with {question}={fact.value!r}"
    else:
        hint = build(fact.value)
    return f"{question} is {fact.value} in {fact.source}, {own} in the layer ({hint})", []


def momentum(names, facts, own):
    """Returns a note if moving averages of normalisations move at another rate than the file's.

    Args:
      names: of the target's layers, which have the same facts and the same momentum.
      facts: {question: `Fact`}.
      own: their momentum, the part that an average keeps, None if nothing says it.
    """
    fact = facts.get("momentum")
    if fact is None or own is None or abs(own - fact.value) <= _MOMENTUM_ROUNDING:
        return []
    return [
        f"{_listed(names)}: momentum is {own:g}; moving averages keep {fact.value:g} a step in "
        f"{fact.source}: set it before training goes on"
    ]


def reset_after(facts, own):
    """Returns why a GRU's reset gate does not fit, or ""."""
    fact = facts.get("reset_after")
    if fact is None or own is None or bool(own) == bool(fact.value):
        return ""
    return f"reset_after is {fact.value} in {fact.source}, {own} in the layer"


def convolution(facts, name, config):
    """Returns notes on strides and padding that differ: padding may be in another layer."""
    notes = []
    for question in ("strides", "padding", "dilation"):
        fact, own = facts.get(question), config.get(question)
        if fact is None or own is None:
            continue
        value = fact.value if isinstance(own, str) else fact.value[-len(own) :]
        if value == own:  # a convolution of one axis is one of two in a graph
            continue
        notes.append(f"{name}: {question} is {own}; it is {value} in {fact.source}")
    return notes + _edges(facts, name, config)


def _edges(facts, name, config):
    """Returns notes on what a layer does at the edges of a map and TF 1 does not."""
    notes, fact = [], facts.get("padding")
    mode, more = config.get("padding_mode", "zeros"), config.get("output_padding")
    pads = config.get("pads")
    has_pads = pads == "same" or pads != "valid" and any(pads or ())
    if fact is not None and mode != "zeros" and has_pads:
        notes.append(
            f"{name}: padding_mode is {mode}; the convolution of {fact.source} pads zeros or none"
        )
    is_size = more is not None and (any(more) if "pads" in config else True)
    if fact is not None and is_size:
        notes.append(
            f"{name}: output_padding is {more}; {fact.source} states the size of the output "
            "itself: pass --check"
        )
    return notes


def pads(facts, name, config, kernel, is_transposed):
    """Returns notes on a padding in numbers, as PyTorch has it, that TF 1's does not equal.

    SAME of TF 1 pads more at the end where the sizes are uneven, and with a stride by the size of
    its input: the model has to pad by itself then.

    Args:
      facts, name: as in `convolution`.
      config: of the target, with ``pads``, ``strides`` and ``dilation``.
      kernel: the sizes of the kernel.
      is_transposed: whether it is a transposed convolution.
    """
    fact, own = facts.get("padding"), config.get("pads")
    if fact is None or own is None or own == fact.value:
        return []
    count = len(kernel)
    strides = config.get("strides") or (1,) * count
    dilation = config.get("dilation") or (1,) * count
    if is_transposed:
        total = [max(k - s, 0) for k, s in zip(kernel, strides)]
    else:
        total = [(k - 1) * d for k, d in zip(kernel, dilation)]
    is_fixed = is_transposed or all(stride == 1 for stride in strides) or not any(total)
    same = tuple(size // 2 for size in total)
    expected = (0,) * count if fact.value == "valid" else same
    is_even = fact.value == "valid" or is_fixed and not any(size % 2 for size in total)
    if is_even and tuple(own) == expected:
        return []
    said = f"{name}: padding is {own}; it is {fact.value} in {fact.source}"
    if is_even:
        return [f"{said}, which is {expected} here, unless the model pads by itself"]
    return [
        f"{said}, which pads more at the end, by the size of the input: let the model pad "
        "(F.pad), and pass --check"
    ]
