"""Names for the types in signatures."""

from typing import Any, Callable, Dict, List, Sequence, Union

from tfgraphtools._tf import tf, v1

#: A tensor of a graph, or a variable.
Node = Union[tf.Tensor, v1.Variable]

#: One of them, or several.
Nodes = Union[Node, Sequence[Node]]

#: What converts to a tensor: a number, an array, a tensor, a variable.
TensorLike = Any

#: One tensor for one that was given, a list for a list.
TensorOrList = Union[tf.Tensor, List[tf.Tensor]]

#: A gradient function, or the name of a registered one.
GradientFunction = Union[str, Callable[..., Any]]

#: As for ``Session.run``.
FeedDict = Dict[Any, Any]
