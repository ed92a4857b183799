"""Read, check, compare and rewrite checkpoints, without TensorFlow.

    open_checkpoint   a lazy mapping from names to arrays: V1, V2, object-based
    verify, salvage   every checksum; what is left of a damaged checkpoint
    diff              two checkpoints, by checksum or by value
    statistics        of one tensor
    plan              rename, drop, cast, alias, transpose, ... without copying what stays
    strip, average, merge, split    ready-made plans
    doctor            does a checkpoint fit a graph; which renames would mend it
    recover           clean up after a write that was killed

The names are loaded when first used, so that listing a checkpoint does not wait
for NumPy, and nothing ever waits for TensorFlow.
"""

import importlib

#: The public names, by the module that has them. No module has the name of a function: the import
#: system would put the module in the function's place.
_HOMES = {
    "reader": ["Checkpoint", "SliceInfo", "TensorInfo", "open_checkpoint"],
    "verification": ["Damage", "Verification", "salvage", "verify"],
    "difference": ["Change", "Difference", "diff"],
    "value_statistics": ["Statistics", "statistics"],
    "listings": ["listing"],
    "plans": ["Plan", "plan"],
    "diagnosis": ["Diagnosis", "doctor", "lacking_ops"],
    "combine": ["average", "merge", "split", "strip"],
    "transaction": ["recover"],
}
_MODULE_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_MODULE_OF)


def __getattr__(name):
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(__name__ + "." + _MODULE_OF[name]), name)
    globals()[name] = value
    return value


def __dir__():
    return __all__
