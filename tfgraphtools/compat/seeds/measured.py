"""Measurements of what makes as many ops as in TF 1.15.

``measured.tsv``, which `scripts/generate/measure_op_counts.py` writes, has in each line "same" or
"other", a module of TensorFlow and the names of its functions; or "gradients" and op types.
"""

import functools
import pathlib

_FILE = pathlib.Path(__file__).with_name("measured.tsv")
_GRADIENTS = "gradients"


@functools.lru_cache(maxsize=None)
def _lines():
    return [line.split("\t") for line in _FILE.read_text(encoding="utf-8").splitlines()]


@functools.lru_cache(maxsize=None)
def functions():
    """Returns {"module:function": whether it makes as many ops as in TF 1.15}."""
    return {
        f"{module}:{name}": verdict == "same"
        for verdict, module, names in _lines()
        if module != _GRADIENTS
        for name in names.split()
    }


@functools.lru_cache(maxsize=None)
def gradients():
    """Returns {op type: whether its gradient makes as many ops as in TF 1.15}."""
    return {
        op_type: verdict == "same"
        for verdict, module, op_types in _lines()
        if module == _GRADIENTS
        for op_type in op_types.split()
    }
