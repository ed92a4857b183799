"""The parts of a name: its layer, the role of the weight there, its words and its numbers."""

import re

from tfgraphtools.checkpoints.names.synonyms import OF_CELLS, ROLES, SAME_WORD

_SUFFIXED = re.compile(r"(.+)_(w|weights|b|biases|bias|kernel)", re.IGNORECASE)  # softmax_w

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WORD = re.compile(r"[a-z]+|\d+")
_DIGITS = re.compile(r"(\d+)")


def role(leaf):
    """Returns the role of a weight by the last part of its name, or None."""
    return ROLES.get(leaf.lower())


def last(name):
    """Returns the last part of a name, without the underscore of a private attribute."""
    return name.rpartition("/")[2].lstrip("_")


def meaning(name):
    """Returns the role that the last part of a name says, or that part itself."""
    return role(last(name)) or last(name)


def modern(name):
    """Returns TF 1.15's name of a cell's tensor: before 1.2 kernels were weights or Matrix.

    Example:
      >>> modern("rnn/GRUCell/Gates/Linear/Matrix"), modern("rnn/gru_cell/gates/weights")
      ('rnn/GRUCell/gates/kernel', 'rnn/gru_cell/gates/kernel')
    """
    name = re.sub(r"(?:/Linear)?/(?:Matrix|weights)$", "/kernel", name)
    name = re.sub(r"(?:/Linear)?/(?:Bias|biases)$", "/bias", name)
    return re.sub(r"/(Gates|Candidate)(?=/)", lambda match: match.group(0).lower(), name)


def snake(part):
    """Returns ``BasicLSTMCell``, as scopes were called before TF 1.0, as ``basic_lstm_cell``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", part).lower()


def split(name):
    """Returns (its layer's name, its role), or (the name, None) of a variable by itself.

    Example:
      >>> split("conv1/weights"), split("softmax_b"), split("net/table")
      (('conv1', 'kernel'), ('softmax', 'bias'), ('net/table', None))
    """
    scope, _, leaf = name.rpartition("/")
    if role(leaf):
        return scope, role(leaf)
    suffixed = _SUFFIXED.fullmatch(leaf)
    if suffixed:
        layer = suffixed.group(1)
        return (scope + "/" + layer if scope else layer), role(suffixed.group(2))
    return name, None


def words(name):
    """Returns the words of a name to compare by: synonyms are one word, doubled words one."""
    distinct = []
    for word in _WORD.findall(_CAMEL.sub("_", name).lower()):
        word = SAME_WORD.get(word, word)
        if not distinct or distinct[-1] != word:
            distinct.append(word)
    text = " ".join(distinct).replace("batch norm", "batchnorm").replace("layer norm", "layernorm")
    return tuple(text.split())


def cell_words(name):
    """Returns the words of a recurrent layer's name that say which one it is."""
    return tuple(word for word in words(name) if word not in OF_CELLS)


def skeleton(name):
    """Returns (the name without its numbers, the numbers): ``dense_1`` is of ``dense``."""
    numbers = tuple(map(int, re.findall(r"\d+", _counted(name))))
    return re.sub(r"\d+", "#", _counted(name)), numbers


def _counted(name):
    """Adds the counter that TF leaves out of the first of a family: ``dense_0``."""
    return "/".join(part if re.search(r"_\d+$", part) else part + "_0" for part in name.split("/"))


def direction(name):
    """Returns "forward" or "backward" by the name of a bidirectional half, else None."""
    for part in name.lower().split("/"):
        for word, meaning in (("fw", "forward"), ("bw", "backward")):
            if part == word or part.startswith(meaning + "_"):
                return meaning
    return None


def normalisation(name):
    """Returns the kind of normalisation that the last part of a layer's name says, or None."""
    last = "".join(words(name.rpartition("/")[2]))
    for kind in ("batch", "layer", "instance", "group"):
        if kind + "norm" in last:
            return kind
    return None


def natural(name):
    """Returns a key that sorts dense_2 before dense_10, and dense before dense_1."""
    parts = []
    for part in name.split("/"):
        base, _, counter = part.rpartition("_")
        numbered = counter.isdigit() and base
        parts.append((base, int(counter)) if numbered else (part, -1))
    return [
        ([int(x) if x.isdigit() else x for x in _DIGITS.split(base)], count)
        for base, count in parts
    ]
