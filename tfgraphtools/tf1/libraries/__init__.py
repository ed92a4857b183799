"""Removed names of NumPy, SciPy, pandas, Python 2 and other libraries, by their old names.

``tfgraphtools.tf1.libraries.numpy.asscalar`` is what ``numpy.asscalar`` was, and
``tfgraphtools.tf1.libraries.builtins.cmp`` what ``cmp`` was in Python 2.
"""

import typing

from tfgraphtools.tf1 import _modules

__path__ = [*__path__, _modules.PATH]


def __getattr__(name: str) -> typing.Any:
    return _modules.library(name)
