"""The types of arguments that many functions of this package share, for annotations."""

import os
from typing import Any, Callable, Iterable, List, Mapping, Optional, Tuple, Union

#: The path of a file, a folder or a checkpoint's prefix.
Path = Union[str, "os.PathLike[str]"]
#: Patterns of names: one or several; a function of a name, too, where rules take one.
Patterns = Union[str, Iterable[str]]
#: {old name: new name}, or ordered (pattern, replacement).
Rules = Union[Mapping[str, str], Iterable[Tuple[str, str]]]
#: Called with the bytes that are done, and those of all.
Progress = Optional[Callable[[int, int], Any]]
#: An array of NumPy, which is imported only where values are read.
Array = Any
#: A row of a table that a plan shows.
Rows = List[Tuple[Any, ...]]
