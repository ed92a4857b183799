"""Functions of arrays: arguments of before 1.0."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import in_place_of


@in_place_of("tensorflow.concat", "TF 1.0", "takes (concat_dim, values), too")
def _concat(original, used, values, axis=None, name="concat", concat_dim=None):
    if concat_dim is not None:
        used()
        axis = concat_dim
    elif isinstance(values, int) and not isinstance(axis, int):
        used()
        values, axis = axis, values  # concat(concat_dim, values)
    return original(values, axis, name=name)


@in_place_of("tensorflow.split", "TF 1.0", "takes (split_dim, num_split, value), too")
def _split(original, used, *arguments, **options):
    names = ("value", "num_or_size_splits", "axis", "num", "name")
    old = {"split_dim": "axis", "num_split": "num_or_size_splits"}
    if len(arguments) >= 3 and isinstance(arguments[0], int):
        used()
        names = ("axis", "num_or_size_splits", "value", "name")  # split(dim, number, value)
    if not old.keys().isdisjoint(options):
        used()
    options = {old.get(name, name): value for name, value in options.items()}
    options.update(zip(names, arguments))
    return original(**options)


@in_place_of("tensorflow.reverse", "TF 1.0", "takes one bool per dimension, too")
def _reverse(original, used, tensor, axis=None, name=None, dims=None):
    flags = dims if dims is not None else axis
    if isinstance(flags, (list, tuple)) and flags and all(isinstance(f, bool) for f in flags):
        used()
        axis = [number for number, turned in enumerate(flags) if turned]
    return original(tensor, axis, name=name)


TABLES = (Table("arguments of arrays from before 1.0", "calls", [*_concat, *_split, *_reverse]),)
