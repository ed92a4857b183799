"""Functions of NumPy whose arguments or answers changed."""

import functools

from tfgraphtools.compat.engine.rewrite_kinds import Call
from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import provides
from tfgraphtools.compat.fixes.numpy import tensor_lists
from tfgraphtools.compat.fixes.numpy.arithmetic import promotion


def _making_arrays(name, why):
    """Functions like `array`: ragged rows are objects, integers wrap, copy=False may copy."""

    def provide(real, used):
        function = getattr(real, name)
        is_numpy_1 = real.__version__.startswith("1.")  # it copies only where it must, as it did

        @functools.wraps(function)
        def make(*arguments, **options):
            if options.get("copy", True) is False and not is_numpy_1:
                used()
                options["copy"] = None
            try:
                return function(*arguments, **options)
            except ValueError as error:
                if "inhomogeneous" not in str(error) or len(arguments) != 1 or "dtype" in options:
                    raise
                used()
                return function(*arguments, dtype=object, **options)
            except OverflowError:
                dtype = arguments[1] if len(arguments) > 1 else options.pop("dtype", None)
                if dtype is None or real.dtype(dtype).kind not in "iu":
                    raise
                used()
                return function(arguments[0], **options).astype(dtype)
            except NotImplementedError as error:
                array = tensor_lists.objects(arguments[0] if arguments else None, error)
                used()
                return function(array, *arguments[1:], **options)

        return make

    return provides("numpy." + name, "NumPy 1.20", why)(provide)


_WHY_ARRAY = (
    "rows of unequal lengths, and tensors, make an array of objects; integers too big for their "
    "type wrap around"
)


def _looking_at_rows(name):
    """Returns a row of a function of an array that took rows of unequal lengths as objects."""

    def provide(real, used):
        function = getattr(real, name)

        @functools.wraps(function)
        def look(a, *arguments, **options):
            try:
                return function(a, *arguments, **options)
            except ValueError as error:
                if "inhomogeneous" not in str(error):
                    raise
            used()
            return function(real.array(a, dtype=object), *arguments, **options)

        return look

    why = "rows of unequal lengths make an array of objects"
    return provides("numpy." + name, "NumPy 1.24", why)(provide)


def _counting(name):
    """Returns a row of a function whose third argument, a number of points, may be a float."""

    def provide(real, used):
        function = getattr(real, name)

        @functools.wraps(function)
        def points(start, stop, num=50, *arguments, **options):
            if isinstance(num, (float, real.floating)):
                used()
                num = int(num)
            return function(start, stop, num, *arguments, **options)

        return points

    return provides("numpy." + name, "NumPy 1.18", "the number of points may be a float")(provide)


@provides(
    "numpy.linspace",
    "NumPy 1.20",
    "integer results are truncated, not rounded down; the ends are float64",
)
def _linspace(real, used):
    count = _counting("linspace").provide(real, used)

    @functools.wraps(real.linspace)
    def linspace(start, stop, *arguments, **options):
        start, stop = _ends(real, start, stop)
        dtype = options.get("dtype", arguments[3] if len(arguments) > 3 else None)
        if dtype is None or real.dtype(dtype).kind not in "iu":
            return count(start, stop, *arguments, **options)
        used()
        options.pop("dtype", None)
        points = count(start, stop, *arguments[:3], **options)
        if isinstance(points, tuple):  # with the step
            return points[0].astype(dtype), points[1]
        return points.astype(dtype)

    return linspace


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


def _renaming(name, since, old, new):
    """Returns a row of a function whose argument `old` is called `new` now."""

    def provide(real, used):
        function = getattr(real, name)

        @functools.wraps(function)
        def call(*arguments, **options):
            if old in options:
                used()
                options[new] = options.pop(old)
            return function(*arguments, **options)

        return call

    why = f"the argument {old} is called {new} now"
    return provides("numpy." + name, since, why, Call(keywords={old: new}))(provide)


def _taking_iterators(name):
    """Returns a row of a function of a sequence of arrays that took iterators of them as well."""

    def provide(real, used):
        function = getattr(real, name)

        @functools.wraps(function)
        def call(arrays, *arguments, **options):
            if hasattr(arrays, "__next__"):
                used()
                arrays = list(arrays)
            return function(arrays, *arguments, **options)

        return call

    return provides("numpy." + name, "NumPy 1.24", "takes an iterator of arrays, too")(provide)


@provides(
    "numpy.linalg.solve",
    "NumPy 2.0",
    "if b has one dimension less than a, it is a stack of vectors",
)
def _solve(real, used):
    @functools.wraps(real.solve)
    def solve(a, b):
        rank_a, rank_b = (getattr(x, "ndim", None) for x in (a, b))
        if rank_a is None or rank_b is None or rank_b < 2 or rank_b != rank_a - 1:
            return real.solve(a, b)
        used()
        return real.solve(a, b[..., None])[..., 0]

    return solve


@provides("numpy.sum", "NumPy 1.20", "sums the items of a generator, and lists of tensors, too")
def _sum(real, used):
    import builtins
    import types

    sum_of_lists = tensor_lists.taking(real.sum, used)

    @functools.wraps(real.sum)
    def sum(a, *arguments, **options):
        if isinstance(a, types.GeneratorType):
            used()
            return builtins.sum(a)
        return sum_of_lists(a, *arguments, **options)

    return sum


def _histogram(name):
    """Returns a row of a histogram that takes `normed`.

    By position it was where `density` is today, which means the same.
    """

    def provide(real, used):
        function = getattr(real, name)

        @functools.wraps(function)
        def histogram(*arguments, **options):
            if "normed" in options:
                used()
                normed = options.pop("normed")
                if options.get("density") is None:
                    options["density"] = normed
            return function(*arguments, **options)

        return histogram

    why = "the argument normed is called density now"
    return provides("numpy." + name, "NumPy 1.24", why, Call(keywords={"normed": "density"}))(
        provide
    )


@provides("numpy.issubdtype", "NumPy 1.19", "float means all floating types")
def _issubdtype(real, used):
    @functools.wraps(real.issubdtype)
    def issubdtype(arg1, arg2):
        is_subtype = real.issubdtype(arg1, arg2)
        if is_subtype or _is_type_of_numpy(real, arg2):
            return is_subtype
        is_subtype = real.issubdtype(arg1, real.dtype(arg2).type.mro()[1])
        if is_subtype:
            used()
        return is_subtype

    return issubdtype


def _is_type_of_numpy(numpy, value):
    is_class = isinstance(value, type) and issubclass(value, numpy.generic)
    return is_class or isinstance(value, numpy.dtype)


#: The ways that take one of the numbers as it is, and so keep its type.
_NEAREST = ("lower", "higher", "nearest")


def _quantile(name):
    """Functions like ``np.percentile``, which took `interpolation` and computed in float64."""

    def provide(real, used):
        function = getattr(real, name)

        @functools.wraps(function)
        def quantile(a, *arguments, **options):
            if "interpolation" in options:
                used()
                options["method"] = options.pop("interpolation")
            kind = getattr(a, "dtype", None)
            if options.get("method") not in _NEAREST and kind in ("float16", "float32"):
                used()
                a = a.astype("float64")
            return function(a, *arguments, **options)

        return quantile

    why = "the argument interpolation is called method now; small floats give float64"
    return provides("numpy." + name, "NumPy 1.22", why, Call(keywords={"interpolation": "method"}))(
        provide
    )


#: Functions that people call with lists of rows, the first of their arguments.
_OF_ROWS = "array_split copy delete expand_dims ndim repeat shape size squeeze take".split()

TABLE = Table(
    "old calls of NumPy",
    "calls",
    [
        _making_arrays("array", _WHY_ARRAY),
        _making_arrays("asarray", _WHY_ARRAY),
        _making_arrays("asanyarray", _WHY_ARRAY),
        *[_looking_at_rows(name) for name in _OF_ROWS],
        _linspace,
        *[_counting(name) for name in ("logspace", "geomspace")],
        _renaming("reshape", "NumPy 2.4", "newshape", "shape"),
        _renaming("unravel_index", "NumPy 1.21", "dims", "shape"),
        *[_taking_iterators(name) for name in ("stack", "vstack", "hstack", "dstack")],
        *[_taking_iterators(name) for name in ("column_stack",)],
        _solve,
        _sum,
        *tensor_lists.rows(),
        *[_histogram(name) for name in ("histogram", "histogram2d", "histogramdd")],
        _issubdtype,
        *[_quantile(name) for name in ("percentile", "nanpercentile", "quantile", "nanquantile")],
    ],
)
