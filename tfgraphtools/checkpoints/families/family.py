"""What a family of models is: data that says how its tensors and its settings are called.

To add one, write a module with a ``FAMILY`` beside `bert`, name it in `registry`, and add its
model to ``tests/checkpoints/families``.
"""

import collections
import re

#: Attributes:
#:   name: as people call it.
#:   marks: patterns, each of which matches a tensor of every model of the family.
#:   heads: [(pattern of a tensor, class of the model in Transformers)]; the first that matches
#:     a tensor is the model's architecture, the last is for a model without a head.
#:   unused: {class of the model: pattern of tensors that it does not have}.
#:   renames: ordered (pattern, replacement) pairs that make a TF1 name one in Transformers'
#:     words, still with ``/``; a replacement of None leaves the tensor out.
#:   leaves: {last part of the name: (Transformers' last part, layout)}.
#:   settings: function of ({setting: value} of the model's own file, {tensor: shape}) that gives
#:     Transformers' settings; raises `KeyError` for a setting that is missing.
#:   files: names of the settings file beside a checkpoint.
#:   copies: patterns of files of the tokenizer.
#:   notes: sentences for the user.
Family = collections.namedtuple(
    "Family", "name marks heads unused renames leaves settings files copies notes"
)

#: A tensor in Transformers: ``source`` is TF1's; ``layout`` is "same", "transposed" or "squeezed".
Entry = collections.namedtuple("Entry", "name source layout")

#: The last parts that most families have.
LEAVES = {
    "kernel": ("weight", "transposed"),
    "gamma": ("weight", "same"),
    "beta": ("bias", "same"),
    "bias": ("bias", "same"),
    "weight": ("weight", "same"),
}


def is_of(family, names):
    """Whether all marks of a family are among the names."""
    return all(any(re.fullmatch(mark, name) for name in names) for mark in family.marks)


def architecture(family, names):
    """The class in Transformers that has a model's head."""
    for pattern, found in family.heads:
        if any(re.fullmatch(pattern, name) for name in names):
            return found
    return family.heads[-1][1]


def entries(family, names, head):
    """([`Entry`], names left out, names that no rule knows).

    Args:
      names: the weights of the checkpoint.
      head: the class of the model.
    """
    done, left_out, unknown = [], [], []
    unused = family.unused.get(head, "")
    for source in sorted(names):
        name = _renamed(family, source)
        if name is None or re.fullmatch(unused, source):
            left_out.append(source)
            continue
        scope, _, leaf = name.rpartition("/")
        if leaf not in family.leaves:
            unknown.append(source)
            continue
        leaf, layout = family.leaves[leaf]
        done.append(Entry((scope + "/" + leaf).replace("/", "."), source, layout))
    return done, left_out, unknown


def _renamed(family, name):
    for pattern, replacement in family.renames:
        if not re.fullmatch(pattern, name):
            continue
        if replacement is None:
            return None
        name = re.sub("^(?:" + pattern + ")$", replacement, name)
    return name


def layers(names, pattern):
    """How many layers the names have: one more than the largest number in the pattern's group."""
    found = [re.fullmatch(pattern, name) for name in names]
    return 1 + max(int(match.group(1)) for match in found if match)
