"""The types in the annotations of public functions and classes.

TensorFlow has no one class for what it takes as a tensor or a variable, in its two
versions, so these are names for readers.
"""

from typing import Any, Callable, List, Mapping, Sequence, Tuple, Union

Selector = Any  # a variable, a list of them, a predicate or a pattern: see `tfgraphtools.select`
BySelector = Union[Mapping[Selector, Any], Sequence[Tuple[Selector, Any]]]
Scalar = Any  # a number, or a scalar float tensor or variable
Tensor = Any
Variable = Any
Gradient = Any  # a Tensor, IndexedSlices or None
Pairs = List[Tuple[Gradient, Variable]]
Transform = Callable[[Pairs], Pairs]
