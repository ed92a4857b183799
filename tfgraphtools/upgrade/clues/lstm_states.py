"""Lists states of LSTM cells that are one tensor, as before TF 0.10: a tuple is asked for today.

A state of GRU cells is one tensor; a module that makes only these is left alone.
"""

import ast

from tfgraphtools.analysis.assignments import assigned_names
from tfgraphtools.analysis.scopes import nodes_of

ROW = "tensorflow.models.rnn.rnn_cell"
WHY = "the state of an LSTM cell is a tuple since TF 0.10, and this is one tensor"
REMEDY = "write state_is_tuple=False where the cell is made"

_CELLS = ("BasicLSTMCell", "LSTMCell")
_TENSORS = ("placeholder", "placeholder_with_default", "zeros", "random_uniform")


def lines(tree, names):
    """Returns the lines of calls that begin an LSTM with a state of one tensor.

    Args:
      tree: the `ast.Module`, upgraded.
      names: its `resolving.Names`.
    """
    calls = [node for node in nodes_of(tree) if isinstance(node, ast.Call)]
    cells = [call for call in calls if (names.here(call.func) or "").endswith(_CELLS)]
    if not cells or any(word.arg == "state_is_tuple" for call in cells for word in call.keywords):
        return ()
    if any((names.here(call.func) or "").endswith(("GRUCell", "RNNCell")) for call in calls):
        return ()
    tensors = assigned_names(nodes_of(tree), lambda value: _makes_tensor(value, names))
    tensors -= assigned_names(nodes_of(tree), lambda value: not _makes_tensor(value, names))
    return tuple(
        call.lineno
        for call in calls
        for word in call.keywords
        if word.arg == "initial_state" and getattr(word.value, "id", None) in tensors
    )


def _makes_tensor(node, names):
    return isinstance(node, ast.Call) and names.in_tensorflow(node.func) in _TENSORS
