"""Arguments of scikit-image's functions until 0.19: old names and positions, images of bool.

``scikit_image.tsv`` lists the functions with the order of their arguments in 0.17.
"""

import functools
import inspect

from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes import build, removed

#: Old argument -> its new name, in functions that have only the new one.
_RENAMED = dict(
    pair.split("=")
    for pair in (
        "array=image as_grey=as_gray bc=boundary_condition filter=filter_name height=ncols "
        "input=label_image inplace=in_place iterations=num_iter max_iter=max_num_iter "
        "max_iterations=max_num_iter n_iter_max=max_num_iter neighbourhood=neighborhood "
        "num_workers=workers output=out random_seed=rng random_state=rng sample_seed=rng seed=rng "
        "selem=footprint visualise=visualize width=nrows"
    ).split()
)

#: Old argument, its new name, and its values today; None for others.
_VALUES = (
    ("multichannel", "channel_axis", {True: -1}),
    ("neighbors", "connectivity", {4: 1, 8: 2}),
)

#: Removed arguments, with the values at which they had no effect.
_WITHOUT_EFFECT = (
    *(("alpha", None), ("coordinates", "rc"), ("in_place", False), ("inplace", False)),
    *(("flatten", False), ("shift_x", False), ("shift_y", False)),
)


def _row(name, order):
    module, _, attribute = name.rpartition(".")

    def provide(real, used):
        original = getattr(real, attribute)
        if name in _OF_BOOL:
            original = _of_floats(original, used)
        parameters = list(inspect.signature(original).parameters)

        @functools.wraps(original)
        def function(*arguments, **options):
            by_place, by_name = arguments, options
            if parameters[: len(arguments)] != order[: len(arguments)]:
                by_place = arguments[:1]
                by_name = {**dict(zip(order[1:], arguments[1:])), **options}
            by_name = _translated(by_name, parameters)
            if by_name != options or by_place != arguments:
                used()
            return original(*by_place, **by_name)

        return function

    return Fix(
        "skimage." + name, "scikit-image 0.19", "takes the arguments of scikit-image 0.17", provide
    )


def _translated(arguments, parameters):
    """Returns the arguments by the names that today's function has."""
    arguments = {
        name if name in parameters else _RENAMED.get(name, name): value
        for name, value in arguments.items()
        if name in parameters or (name, value) not in _WITHOUT_EFFECT
    }
    for old, new, values in _VALUES:
        if old in arguments and new in parameters and old not in parameters:
            arguments[new] = values.get(arguments.pop(old))
    return arguments


#: Functions that interpolated an image of bool as one of floats, and today return one of bool, or
#: refuse to interpolate.
_OF_BOOL = ("transform.resize", "transform.rescale", "transform.rotate", "transform.warp")


def _of_floats(original, used):
    """Returns a function that takes an image of bool as 0.17 did: as floats, by default order 0."""
    signature = inspect.signature(original)

    @functools.wraps(original)
    def function(*arguments, **options):
        is_bool = any(map(_is_bool, (*arguments[:1], options.get("image"))))
        if not is_bool or options.get("anti_aliasing"):  # 0.17 rounded that down; it is refused
            return original(*arguments, **options)
        used()
        bound = signature.bind(*arguments, **options)
        passed = bound.arguments
        passed["image"] = passed["image"].astype(float)
        for word, default in (("order", 0), ("anti_aliasing", False)):
            if word in signature.parameters and passed.get(word) is None:
                passed[word] = default
        return original(*bound.args, **bound.kwargs)

    return function


def _is_bool(image):
    return getattr(getattr(image, "dtype", None), "kind", "") == "b"


def _row_of_bool(name):
    module, _, attribute = name.rpartition(".")
    return Fix(
        "skimage." + name,
        "scikit-image 0.19",
        "an image of bool becomes one of floats, as in scikit-image 0.17",
        lambda real, used: _of_floats(getattr(real, attribute), used),
    )


TABLES = (
    Table(
        "arguments of scikit-image",
        "calls",
        [_row(name, order.split()) for name, order in build.lines_of(__file__, "scikit_image.tsv")],
    ),
    Table(
        "images of bool in scikit-image",
        "calls",
        [_row_of_bool(name) for name in _OF_BOOL if name != "transform.rescale"],
    ),
    *removed.tables_of("scikit-image"),
)
