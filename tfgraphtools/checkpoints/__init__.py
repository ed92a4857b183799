"""Read, check, compare and rewrite checkpoints, without TensorFlow.

    open_checkpoint   a lazy mapping from names to arrays: V1, V2, object-based
    verify, salvage   every checksum; what is left of a damaged checkpoint
    diff              two checkpoints, by checksum or by value
    verify_against    the proof of a conversion: tensor by tensor, through a map
    statistics        of one tensor
    plan              rename, drop, cast, alias, transpose, ... without copying what stays
    strip, average, merge, split    ready-made plans
    doctor            does a checkpoint fit a graph; which renames would mend it
    to_object_based   a TF 1 checkpoint for the objects of TF 2, slots included
    to_name_based     and the way back
    to_npz, to_safetensors          a checkpoint as one file of arrays
    from_npz, from_safetensors      and back; open_archive reads such a file where it lies
    to_saved_model, to_frozen       a .meta and a checkpoint, to serve
    to_keras                        for a Keras model: recurrent cells and slots included
    recover           clean up after a write that was killed

The names are loaded when first used, so that listing a checkpoint does not wait
for NumPy, and nothing ever waits for TensorFlow.
"""

import importlib

#: The public names, by the module that has them. No package in here has the name of a function
#: (hence `plans`): the import system would put the package in the function's place.
_HOMES = {
    "read.checkpoint": ["Checkpoint", "SliceInfo", "TensorInfo"],
    "read.opening": ["open_checkpoint"],
    "read.archives": ["open_archive"],
    "check.verification": ["Damage", "Verification", "salvage", "verify"],
    "check.difference": ["Change", "Difference", "diff"],
    "check.comparisons": ["Comparison", "Mismatch", "map_of", "verify_against"],
    "check.statistics": ["Statistics", "statistics"],
    "check.listings": ["listing"],
    "check.diagnosis": ["Diagnosis", "doctor", "lacking_ops"],
    "plans.plan": ["Plan", "plan"],
    "plans.combine": ["average", "merge", "split", "strip"],
    "plans.transaction": ["recover"],
    "archives.exports": ["to_npz", "to_safetensors"],
    "archives.imports": ["from_npz", "from_safetensors"],
    "graphs.exports": ["to_frozen", "to_saved_model"],
    "objects.name_based": ["plan_name_based", "to_name_based"],
    "objects.object_based": ["plan_object_based", "to_object_based"],
    "keras.migration": ["plan_keras", "to_keras"],
    "keras.plans": ["KerasPlan"],
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
