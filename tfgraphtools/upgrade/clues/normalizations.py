"""Layer normalizations that are written out, for which TensorFlow 2 may take another epsilon.

With oneDNN, its default on CPUs, TF 2.9 and later make one op of ``(x - mean) *
tf.rsqrt(variance + 1e-12) * gamma + beta`` if mean and variance are taken over the last of two
or three axes, counted from the front, and the variance is the mean of `tf.squared_difference`,
as that of `tf.nn.moments` is. The epsilon of that op is always 0.001. With
`tf.nn.batch_normalization`, which contrib's `layer_norm` calls, it does so in frozen graphs.
"""

import ast
import collections

from tfgraphtools.analysis.scopes import nodes_of

#: What takes the variance, below ``tensorflow``; its axes are the second argument.
_MOMENTS = "nn.moments"
_MEANS = ("reduce_mean", "math.reduce_mean")
_SQUARES = ("squared_difference", "math.squared_difference")

#: What divides by the deviation.
_DIVIDES = frozenset("rsqrt math.rsqrt sqrt math.sqrt nn.batch_normalization".split())

_RSQRT = ("rsqrt", "math.rsqrt")  # the roots of others may be those of a loss

#: The row, and what a person can write instead.
ROW = "sessions.fusions"
WHY = "with oneDNN the epsilon of this layer normalization is 0.001, whatever the code says"
REMEDY = "count the axis from the end: -1"

#: Functions that do both.
_WHOLE = ("contrib.layers.layer_norm", "contrib.slim.layer_norm", "contrib.rnn.LayerNormBasic")


def replaced(tree, names):
    """Returns those of `lines` whose epsilon TF 2 replaces in any graph, frozen or not."""
    if any(getattr(node, "value", None) == "TF_ENABLE_ONEDNN_OPTS" for node in nodes_of(tree)):
        return ()
    return lines(tree, names, only_certain=True)


def lines(tree, names, only_certain=False):
    """Returns the lines of the means of layer normalizations whose epsilon TF 2 may replace.

    Args:
      tree: the `ast.Module`.
      names: its `resolving.Names`.
      only_certain: whether those are left out whose axes or whose division the source does not say.
    """
    calls = [node for node in nodes_of(tree) if isinstance(node, ast.Call)]
    called = {names.in_tensorflow(call.func) for call in calls}
    if called.isdisjoint(_DIVIDES) and not any((name or "").startswith(_WHOLE) for name in called):
        return ()
    variances, means = collections.defaultdict(set), collections.defaultdict(set)
    squares, divided, whole = set(), set(), set()
    for function, call in _calls(tree):
        name = names.in_tensorflow(call.func)
        if name == _MOMENTS or name in _MEANS:
            if _may_be_last(_axes(call), function, not only_certain):
                kind = variances if name == _MOMENTS else means
                kind[function].add(call.lineno)
        elif name in _SQUARES:
            squares.add(function)
        elif name in (_RSQRT if only_certain else _DIVIDES):
            divided.add(function)
        elif name is not None and name.startswith(_WHOLE) and not only_certain:
            whole.add(call.lineno)
    for function in squares:
        variances[function] |= means[function]
    return tuple(sorted(whole.union(*(variances[function] for function in divided))))


def _calls(tree):
    """Yields (the function around it, the call) of each call."""
    waiting = [(tree, tree)]
    while waiting:
        function, node = waiting.pop()
        if isinstance(node, ast.Call):
            yield function, node
        inner = node if isinstance(node, ast.FunctionDef) else function
        waiting += [(inner, child) for child in ast.iter_child_nodes(node)]


def _axes(call):
    """Returns the expression of the axes, or None where all are meant."""
    if len(call.args) > 1:
        return call.args[1]
    keywords = {word.arg: word.value for word in call.keywords}
    return keywords.get("axes", keywords.get("axis", keywords.get("reduction_indices")))


def _may_be_last(axes, function, otherwise):
    """Tells whether axes may be the last one of two or three, counted from the front.

    Returns `otherwise` for axes that the source does not say.
    """
    if isinstance(axes, ast.Name) and isinstance(function, ast.FunctionDef):
        axes = _defaults(function.args).get(axes.id, axes)
    if axes is None:
        return False
    try:
        value = ast.literal_eval(axes)
    except ValueError:
        return otherwise
    value = list(value) if isinstance(value, (list, tuple)) else [value]
    return value in ([1], [2])


def _defaults(arguments):
    """Returns name -> the expression of its default."""
    last = arguments.args[len(arguments.args) - len(arguments.defaults) :]
    defaults = {arg.arg: value for arg, value in zip(last, arguments.defaults)}
    defaults.update(zip((arg.arg for arg in arguments.kwonlyargs), arguments.kw_defaults))
    return defaults
