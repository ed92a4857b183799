"""Functions of NumPy whose arguments or answers changed."""

import builtins
import types

from tfgraphtools.compat.engine.rewrite_kinds import Call
from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import in_place_of, renaming
from tfgraphtools.compat.fixes.numpy import tensor_lists, text_lengths
from tfgraphtools.compat.fixes.numpy.arithmetic import promotion
from tfgraphtools.compat.fixes.pandas import frame_reductions


@in_place_of(
    "numpy.array numpy.asarray numpy.asanyarray",
    "NumPy 1.20",
    "rows of unequal lengths, and tensors, make an array of objects; integers too big for their "
    "type wrap around; text made of numbers is as long as they are",
)
def _array(original, used, *arguments, **options):
    if options.get("copy", True) is False and not _copies_if_needed():
        used()
        options["copy"] = None  # it copies only where it must, as it did
    try:
        array = original(*arguments, **options)
        if len(arguments) != 1 or "dtype" in options:
            return array
        return text_lengths.shortened(array, arguments[0], used)
    except ValueError as error:
        if "inhomogeneous" not in str(error) or len(arguments) != 1 or "dtype" in options:
            raise
        used()
        return original(*arguments, dtype=object, **options)
    except OverflowError:
        import numpy

        dtype = arguments[1] if len(arguments) > 1 else options.pop("dtype", None)
        if dtype is None or numpy.dtype(dtype).kind not in "iu":
            raise
        used()
        return original(arguments[0], **options).astype(dtype)
    except NotImplementedError as error:
        array = tensor_lists.objects(arguments[0] if arguments else None, error)
        used()
        return original(array, *arguments[1:], **options)


def _copies_if_needed():
    """Tells whether NumPy itself takes ``copy=False`` for "only where it must"."""
    import numpy

    return numpy.__version__.startswith("1.")


@in_place_of(
    "numpy.array_split numpy.copy numpy.delete numpy.expand_dims numpy.ndim numpy.repeat "
    "numpy.shape numpy.size numpy.squeeze numpy.take",
    "NumPy 1.24",
    "rows of unequal lengths make an array of objects",
)
def _of_rows(original, used, a, *arguments, **options):
    try:
        return original(a, *arguments, **options)
    except ValueError as error:
        if "inhomogeneous" not in str(error):
            raise
    import numpy

    used()
    return original(numpy.array(a, dtype=object), *arguments, **options)


@in_place_of("numpy.logspace numpy.geomspace", "NumPy 1.18", "the number of points may be a float")
def _logspace(original, used, start, stop, num=50, *arguments, **options):
    return original(start, stop, _whole(num, used), *arguments, **options)


def _whole(num, used):
    import numpy

    if not isinstance(num, (float, numpy.floating)):
        return num
    used()
    return int(num)


@in_place_of(
    "numpy.linspace",
    "NumPy 1.20",
    "integer results are truncated, not rounded down; the ends are float64",
)
def _linspace(original, used, start, stop, num=50, *arguments, **options):
    import numpy

    start, stop = _ends(numpy, start, stop)
    num = _whole(num, used)
    dtype = options.get("dtype", arguments[2] if len(arguments) > 2 else None)
    if dtype is None or numpy.dtype(dtype).kind not in "iu":
        return original(start, stop, num, *arguments, **options)
    used()
    options.pop("dtype", None)
    points = original(start, stop, num, *arguments[:2], **options)
    if isinstance(points, tuple):  # with the step
        return points[0].astype(dtype), points[1]
    return points.astype(dtype)


def _ends(numpy, *ends):
    """Returns both ends of linspace: NumPy 1 counted between numbers, and from ints, in float64."""
    are_single = not any(getattr(end, "ndim", 0) for end in ends)
    return [
        end.astype(numpy.float64)
        if isinstance(end, (numpy.generic, numpy.ndarray))
        and end.dtype.kind in ("buif" if are_single else "bui")
        and (are_single or end.ndim)
        and end.dtype.itemsize <= 8
        else end
        for end in promotion.mixed_operands(*ends)
    ]


@in_place_of(
    "numpy.stack numpy.vstack numpy.hstack numpy.dstack numpy.column_stack",
    "NumPy 1.24",
    "takes an iterator of arrays, too",
)
def _stack(original, used, arrays, *arguments, **options):
    if hasattr(arrays, "__next__"):
        used()
        arrays = list(arrays)
    return original(arrays, *arguments, **options)


@in_place_of(
    "numpy.linalg.solve",
    "NumPy 2.0",
    "if b has one dimension less than a, it is a stack of vectors",
)
def _solve(original, used, a, b):
    rank_a, rank_b = (getattr(x, "ndim", None) for x in (a, b))
    if rank_a is None or rank_b is None or rank_b < 2 or rank_b != rank_a - 1:
        return original(a, b)
    used()
    return original(a, b[..., None])[..., 0]


@in_place_of(
    "numpy.sum",
    "NumPy 1.20",
    "sums the items of a generator, lists of tensors, and each column of a frame",
)
def _sum(original, used, a, *arguments, **options):
    if isinstance(a, types.GeneratorType):
        used()
        return builtins.sum(a)
    return _of_frame_or_tensors(original, used, a, *arguments, **options)


def _of_frame_or_tensors(original, used, a, *arguments, **options):
    if frame_reductions.is_of_columns(a, arguments, options):
        used()
        return frame_reductions.of_columns(original, a, arguments, options)
    return tensor_lists.call(original, used, a, *arguments, **options)


_prod = in_place_of(
    "numpy.prod", "NumPy 1.20", "takes a list of tensors, and each column of a frame"
)(_of_frame_or_tensors)


@in_place_of("numpy.issubdtype", "NumPy 1.19", "float means all floating types")
def _issubdtype(original, used, arg1, arg2):
    import numpy

    is_subtype = original(arg1, arg2)
    is_class = isinstance(arg2, type) and issubclass(arg2, numpy.generic)
    if is_subtype or is_class or isinstance(arg2, numpy.dtype):
        return is_subtype
    is_subtype = original(arg1, numpy.dtype(arg2).type.mro()[1])
    if is_subtype:
        used()
    return is_subtype


#: The methods that take one of the numbers as it is, and so keep its type.
_NEAREST = ("lower", "higher", "nearest")


@in_place_of(
    "numpy.percentile numpy.nanpercentile numpy.quantile numpy.nanquantile",
    "NumPy 1.22",
    "the argument interpolation is called method now; small floats give float64",
    rewrite=Call(keywords={"interpolation": "method"}),
)
def _quantile(original, used, a, *arguments, **options):
    if "interpolation" in options:
        used()
        options["method"] = options.pop("interpolation")
    kind = getattr(a, "dtype", None)
    if options.get("method") not in _NEAREST and kind in ("float16", "float32"):
        used()
        a = a.astype("float64")
    return original(a, *arguments, **options)


TABLE = Table(
    "old calls of NumPy",
    "calls",
    [
        *_array,
        *_of_rows,
        *_linspace,
        *_logspace,
        renaming("numpy.reshape", "NumPy 2.4", newshape="shape"),
        renaming("numpy.unravel_index", "NumPy 1.21", dims="shape"),
        *_stack,
        *_solve,
        *_sum,
        *_prod,
        *tensor_lists.ROWS,
        *[
            renaming("numpy." + name, "NumPy 1.24", normed="density")
            for name in ("histogram", "histogram2d", "histogramdd")
        ],
        *_issubdtype,
        *_quantile,
    ],
)
