"""Families of models: data that say what their tensors and settings are called.

To add one, write a module with a ``FAMILY`` in `known`, without a function in it, and add its
model to ``tests/checkpoints/families``. `entries` and `settings` interpret the data.
"""

import collections
import re

from tfgraphtools.checkpoints.families import settings

#: Attributes:
#:   name: as people call it.
#:   marks: patterns, each of which matches a tensor of every model of the family.
#:   targets: the `Target`s that it can become.
#:   files: names of the settings file beside a checkpoint.
#:   without: patterns that no tensor of the family matches: another family has these as well.
Family = collections.namedtuple("Family", "name marks targets files without")
Family.__new__.__defaults__ = ((), ())

#: One way of a family into another library. Attributes:
#:   to: "hf" (Transformers), "timm", "keras" (keras.applications), or "torch" (another package).
#:   heads: [(pattern of a tensor, model of the library)]; the first that matches a tensor is the
#:     model; the last, with the pattern "", is for a model without a head. Without it, a
#:     checkpoint that no pattern matches has no such target.
#:   renames: ordered (pattern, replacement) pairs that make a TF1 name one of the library, still
#:     with ``/``; a replacement of None leaves the tensor out.
#:   leaves: {last part of the name: (the library's last part, layout)}; see `entries.layout_of`.
#:   settings: {setting of the library: constant, or one of the expressions of `settings`}.
#:   entries: {model: templates of its entries}, see `inventory`: a checkpoint must have all of them
#:     and nothing else. Without it, the library says when it loads a model that something is wrong.
#:   likewise: {model: other models that have the same entries and compute something else}.
#:   stacked: patterns of tensors that become one entry for each index of their first axis; in the
#:     new name ``{}`` is the index.
#:   constants: [(pattern of a tensor, replacement, number or `Sines`)]: an entry that TF1 does not
#:     store, such as the gamma of a normalisation without scale, of the tensor's shape and type.
#:   numbered: patterns of scopes, in the order in which the library makes the layers; within one
#:     pattern the order is that of the names. In the new name ``#`` is the number.
#:   requires: [(tensor, axis, expression)]: a size without which the library has no such model.
#:   copies: {pattern of files of the tokenizer: the name that the library expects, or None}.
#:   changes: [(pattern of layers, {argument of the layer: value})] of a Keras model.
#:   inserted: [(pattern of layers, number of the input, class, arguments)]: a layer in front.
#:   notes: sentences for the user.
Target = collections.namedtuple(
    "Target",
    "to heads renames leaves settings entries stacked constants numbered requires copies changes "
    "inserted notes likewise",
)
Target.__new__.__defaults__ = ({}, (), (), (), (), {}, (), (), (), {})

#: A table of positions that TF1 computes: sines, then cosines, of wavelengths from 2 pi to
#: 20,000 pi, for so many tokens; as wide as the tensor of the entry.
Sines = collections.namedtuple("Sines", "tokens")

#: A tensor of the library: ``source`` is TF1's; ``layout`` one of those in `entries.layout_of`;
#: ``index`` that of the first axis, or None; ``value`` what fills it, a number or `Sines`, or None.
Entry = collections.namedtuple("Entry", "name source layout index value")
Entry.__new__.__defaults__ = (None, None)

#: The last parts that Transformers' models have.
LEAVES = {
    "kernel": ("weight", "transposed"),
    "gamma": ("weight", "same"),
    "beta": ("bias", "same"),
    "bias": ("bias", "same"),
    "weight": ("weight", "same"),
}

#: The last parts of slim's layers in PyTorch, and in Keras.
SLIM_TO_TORCH = {
    "weights": ("weight", "conv"),
    "depthwise_weights": ("weight", "depthwise"),
    "biases": ("bias", "same"),
    "linear": ("weight", "linear"),
    "gamma": ("weight", "same"),
    "beta": ("bias", "same"),
    "moving_mean": ("running_mean", "same"),
    "moving_variance": ("running_var", "same"),
}
SLIM_TO_KERAS = {
    "weights": ("kernel", "same"),
    "depthwise_weights": ("kernel", "same"),
    "biases": ("bias", "same"),
    "linear": ("kernel", "rows"),
    "gamma": ("gamma", "same"),
    "beta": ("beta", "same"),
    "moving_mean": ("moving_mean", "same"),
    "moving_variance": ("moving_variance", "same"),
}


def is_of(family, names):
    """Tells whether a family's marks are among the names, and nothing that it never has."""

    def has(pattern):
        return any(re.fullmatch(pattern, name) for name in names)

    return all(map(has, family.marks)) and not any(map(has, family.without))


def target_of(family, shapes, to):
    """Returns (the first `Target` of that kind with such a model, the model), or None."""
    for target in family.targets:
        model = model_of(target, shapes) if target.to == to else None
        if model:
            return target, model
    return None


def model_of(target, shapes):
    """Returns the model of a library that has the head of a checkpoint, or None."""
    for pattern, model in target.heads:
        if not pattern or any(re.fullmatch(pattern, name) for name in shapes):
            try:
                return settings.value_of(model, {}, shapes)
            except KeyError:  # a size that the library does not have
                return None
    return None
