"""The questions of a conversion, asked of the layers of Keras in a live object.

An object graph says no epsilon and no activation; the live object does. Without one, what the
files say of the source is noted for whoever builds the objects.
"""

import collections

from tfgraphtools.checkpoints.facts import questions
from tfgraphtools.checkpoints.names import name_parts
from tfgraphtools.errors import PlanError

#: What a layer computes by default: no note is needed.
_USUAL = {"epsilon": 1e-3, "activation": "tanh", "recurrent_activation": "sigmoid"}
_MOST = 8
#: Roles of tensors whose layers are asked.
_ASKED = {"recurrent_kernel", "gamma", "moving_variance", "kernel", "depthwise_kernel"}
#: {question: attribute} of a layer that convolves.
_OF_CONVOLUTIONS = {
    "strides": "strides",
    "padding": "padding",
    "dilation": "dilation_rate",
    "output_padding": "output_padding",
}


def notes(matches, known, layers):
    """Compares what files say of the layers of a source with the layers that get their values.

    Args:
      matches: the matches of weights: ``name`` of a tensor, ``place`` of its `Place`.
      known: a `known.Known`.
      layers: {path of an object: a layer of Keras}, or None if no object is live.

    Returns:
      Sentences.

    Raises:
      PlanError: a layer computes something else than the source.
    """
    sentences = []
    for path, leaves in _units(matches).items():
        scope = name_parts.split(next(iter(leaves.values())))[0]
        if not _ASKED.intersection(leaves):
            continue
        facts = known.facts(scope, leaves)
        if layers is None:
            sentences += _unasked(path, leaves, facts)
        elif path in layers:
            sentences += _asked(path, leaves, facts, layers[path], scope)
    if len(sentences) > _MOST:
        sentences[_MOST:] = [f"and {len(sentences) - _MOST} more of this kind"]
    return sentences


def _units(matches):
    """Returns {path of an object: {role: tensor}}."""
    units = collections.OrderedDict()
    for match in matches:
        path, _, leaf = match.place.path.rpartition("/")
        role = name_parts.role(leaf.lstrip("_")) or leaf
        units.setdefault(path, {})[role] = match.name
    return units


def _unasked(path, leaves, facts):
    asked = ["epsilon"] if "recurrent_kernel" not in leaves else ["activation"]
    asked += ["recurrent_activation"] if "recurrent_kernel" in leaves else []
    sentences = []
    for question in asked:
        fact = facts.get(question)
        if fact is not None and fact.value != _USUAL[question]:
            sentences.append(
                f"{path}: build it with {question}={fact.value!r}, as in {fact.source}"
            )
        elif fact is None and question == "recurrent_activation":
            sentences.append(
                f"{path}: no file says its {question}: tf.keras of TF 1.15 has hard_sigmoid by "
                "default, Keras 3 has sigmoid (--meta)"
            )
    return sentences


def _asked(path, leaves, facts, layer, scope):
    reasons, more_notes = [], []
    is_keras3 = type(layer).__module__.partition(".")[0] == "keras"
    if "recurrent_kernel" in leaves:
        for question in ("activation", "recurrent_activation"):
            own = getattr(layer, question, None)
            if own is None:
                continue
            own = getattr(own, "__name__", str(own))
            default = "tanh" if question == "activation" else None
            reason, more = questions.activation(facts, question, own, default, path, is_keras3)
            reasons.append(reason)
            more_notes += more
        reasons.append(questions.reset_after(facts, getattr(layer, "reset_after", None)))
    elif getattr(layer, "epsilon", None) is not None:
        kind = name_parts.normalisation(scope) or "batch"
        whose, default = questions.EPSILONS[kind]
        defaults = f"{kind} normalisation of {whose}", default
        reason, more_notes = questions.epsilon(facts, path, layer.epsilon, defaults)
        reasons.append(reason)
        more_notes += questions.momentum([path], facts, getattr(layer, "momentum", None))
    elif getattr(layer, "strides", None) is not None:
        more_notes = questions.convolution(facts, path, _settings(layer))
    elif "transposed" in facts and type(layer).__name__ == "Dense":
        source = facts["transposed"].source
        reasons.append(f"a Dense layer, whose matrix {source} multiplies transposed")
    reasons = [reason for reason in reasons if reason]
    if reasons:
        raise PlanError(
            f"{scope!r} -> {path!r}",
            "a layer that computes as TF 1's",
            reasons[0],
            "Build the live object so.",
        )
    return more_notes


def _settings(layer):
    """Returns what a convolution of Keras does, by question."""
    values = {key: getattr(layer, name, None) for key, name in _OF_CONVOLUTIONS.items()}
    return {
        key: tuple(value) if isinstance(value, list) else value for key, value in values.items()
    }
