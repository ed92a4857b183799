"""Layer normalizations that are written out, for which TensorFlow 2 may take another epsilon.

With oneDNN, its default on CPUs, TF 2.9 and later make one op of ``(x - mean) *
tf.rsqrt(variance + 1e-12) * gamma + beta`` if mean and variance are taken over the last of two
or three axes, counted from the front. The epsilon of that op is always 0.001.
"""

import ast

#: What takes the means, below ``tensorflow``: name -> the position of its axes.
_MEANS = {"nn.moments": 1, "reduce_mean": 1, "math.reduce_mean": 1}

#: What divides by the deviation.
_DIVIDES = frozenset("rsqrt math.rsqrt sqrt math.sqrt nn.batch_normalization".split())

#: Functions that do both.
_WHOLE = ("contrib.layers.layer_norm", "contrib.slim.layer_norm", "contrib.rnn.LayerNormBasic")


def lines(tree, names, found):
    """The lines of the means of layer normalizations whose epsilon TF 2 may replace.

    Args:
      tree: the `ast.Module`.
      names: its `resolving.Names`.
      found: its `scopes.Scopes`.
    """
    means, divided, whole = {}, set(), set()
    for function, call in _calls(tree):
        name = _name(call.func, names, found)
        if name in _MEANS and _may_be_last(_axes(call, _MEANS[name])):
            means.setdefault(function, set()).add(call.lineno)
        elif name in _DIVIDES:
            divided.add(function)
        elif name is not None and name.startswith(_WHOLE):
            whole.add(call.lineno)
    return tuple(sorted(whole.union(*(means[one] for one in divided & set(means)))))


def _calls(tree):
    """(the function around it, the call) of each call."""
    waiting = [(tree, tree)]
    while waiting:
        function, node = waiting.pop()
        if isinstance(node, ast.Call):
            yield function, node
        inner = node if isinstance(node, ast.FunctionDef) else function
        waiting += [(inner, child) for child in ast.iter_child_nodes(node)]


def _name(node, names, found):
    """The name below ``tensorflow`` that a function has; None for any other."""
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name):
        return None
    dotted = names.of(node, found.scope_of(root)) or ""
    for prefix in ("tensorflow.compat.v1.", "tensorflow."):
        if dotted.startswith(prefix):
            return dotted[len(prefix) :]
    return None


def _axes(call, position):
    """The expression of the axes, or None where all are meant."""
    if len(call.args) > position:
        return call.args[position]
    given = {word.arg: word.value for word in call.keywords}
    return given.get("axes", given.get("axis", given.get("reduction_indices")))


def _may_be_last(axes):
    """Whether axes may be the last one of two or three, counted from the front."""
    if axes is None:
        return False
    try:
        value = ast.literal_eval(axes)
    except ValueError:
        return True
    value = list(value) if isinstance(value, (list, tuple)) else [value]
    return value in ([1], [2])
