"""Arguments of scikit-image's functions until 0.19: old names and positions.

``scikit_image.tsv`` lists the functions with the order of their arguments in 0.17.
"""

import functools
import inspect
import pathlib

from tfgraphtools.compat.engine import notices
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.errors import ArgumentError

_FILE = pathlib.Path(__file__).with_name("scikit_image.tsv")

#: Old argument -> its new name, in functions that have only the new one.
_RENAMED = {
    "array": "image",
    "bc": "boundary_condition",
    "filter": "filter_name",
    "height": "ncols",
    "input": "label_image",
    "inplace": "in_place",
    "iterations": "num_iter",
    "max_iter": "max_num_iter",
    "max_iterations": "max_num_iter",
    "n_iter_max": "max_num_iter",
    "neighbourhood": "neighborhood",
    "num_workers": "workers",
    "output": "out",
    "random_seed": "rng",
    "random_state": "rng",
    "sample_seed": "rng",
    "seed": "rng",
    "selem": "footprint",
    "visualise": "visualize",
    "width": "nrows",
}

#: Removed arguments -> values that today's functions still support; others are an error.
_GONE = {
    "alpha": (None,),
    "as_grey": (None,),
    "coordinates": (None, "rc"),
    "flatten": (None, False),
    "in_place": (None, False),
    "neighbors": (None,),
    "shift_x": (False, 0),
    "shift_y": (False, 0),
}


#: Functions whose results differ -> what differs.
_DIFFERS = {
    "active_contour": "the snake has (row, column) coordinates, and its steps differ",
    "convex_hull_object": "pixels on the border of a hull are counted differently",
    "denoise_nl_means": "the last digits differ",
    "threshold_minimum": "the minimum between two bins is chosen differently",
    "warp_polar": "pixels outside of the image are treated differently",
}

#: Arguments that were seeds of `numpy.random.RandomState`; a generator draws other numbers.
_SEEDS = ("random_seed", "random_state", "sample_seed", "seed")


def _say_what_differs(name, given):
    why = _DIFFERS.get(name)
    if why is None and any(given.get(word) is not None for word in _SEEDS):
        why = "it draws other random numbers for this seed"
    if why:
        notices.once(
            "skimage." + name, f"{name} returns other values than in scikit-image 0.17: {why}"
        )


def _row(name, order):
    module, _, attribute = name.rpartition(".")

    def provide(real, used):
        plain = getattr(real, attribute)
        parameters = inspect.signature(plain).parameters
        kinds = [one.kind for one in parameters.values()]
        places = sum(kind == inspect.Parameter.POSITIONAL_OR_KEYWORD for kind in kinds)

        @functools.wraps(plain)
        def function(*arguments, **options):
            given = dict(options)
            first = arguments
            is_as_of_old = list(parameters)[: len(arguments)] == order[: len(arguments)]
            if len(arguments) > places or not is_as_of_old or _is_inclusive(attribute, parameters):
                first, given = arguments[:1], {**dict(zip(order[1:], arguments[1:])), **given}
            words = _in_todays_words(attribute, first, given, parameters)
            mask = words.pop("indices", True) is False
            if mask or words != options or len(first) != len(arguments):
                used()
            _say_what_differs(attribute, given)
            if attribute == "unsharp_mask" and "channel_axis" in words:
                return _by_channels(plain, first[0], first[1:], words)
            found = plain(*first, **words)
            return _mask(first[0], found) if mask else found

        return function

    return Row(
        "skimage." + name, "scikit-image 0.19", "takes the arguments of scikit-image 0.17", provide
    )


def _in_todays_words(name, first, given, parameters):
    """The old arguments, by the names that today's function has."""
    words = {}
    for old, value in given.items():
        if _is_inclusive(name, parameters) and old in ("min_size", "area_threshold"):
            words["max_size"] = value - 1  # an object of this size is removed; it was kept
        elif old in parameters or (name == "peak_local_max" and old == "indices"):
            words[old] = value
        elif _RENAMED.get(old) in parameters:
            words[_RENAMED[old]] = value
        elif old == "multichannel":
            if value is not None:
                words["channel_axis"] = -1 if value else None
        elif old == "neighbors" and value is not None:
            words["connectivity"] = 1 if value == 4 else first[0].ndim
        elif old in ("as_grey", "flatten") and value:
            words["as_gray"] = True
        elif old == "in_place" and value:
            words["out"] = first[0]
        elif old not in _GONE:
            words[old] = value  # skimage raises the error for an unknown argument
        elif value not in _GONE[old]:
            raise ArgumentError(
                f"{name}({old}=...)",
                "a function that accepts it in today's scikit-image",
                f"{old}={value!r}, which no function accepts since 0.19",
                f"Leave {old} out.",
            )
    if _is_inclusive(name, parameters):
        words.setdefault("max_size", 63)
    _set_defaults(name, first, words)
    return words


def _is_inclusive(name, parameters):
    """Whether the function removes objects of exactly the given size, which it used to keep."""
    return name.startswith("remove_small_") and "max_size" in parameters


def _set_defaults(name, first, words):
    """Some defaults of 0.17: the axis of channels, and the range of floats."""
    ndim = getattr(first[0], "ndim", None) if first else None
    if name in ("gaussian", "unsharp_mask") and "channel_axis" not in words:
        if ndim == 3 and first[0].shape[-1] == 3:
            words["channel_axis"] = -1
    elif name == "slic":
        words.setdefault("start_label", 0)
        if ndim == 2:
            words.setdefault("channel_axis", None)
    elif name == "structural_similarity" and words.get("data_range") is None:
        words["data_range"] = range_of(first[0])


def range_of(image):
    """The default data range of an image: from -1 to 1 for all floats."""
    return 2.0 if image.dtype.kind == "f" else None


def _by_channels(unsharp_mask, image, arguments, words):
    """`unsharp_mask` of each channel, because that of 0.26 leaves some channels uninitialized."""
    import numpy

    axis = words.pop("channel_axis")
    if axis is None:
        return unsharp_mask(image, *arguments, **words)
    channels = numpy.moveaxis(numpy.asarray(image), axis, 0)
    done = [unsharp_mask(one, *arguments, **words) for one in channels]
    return numpy.stack(done, axis)


def _mask(image, places):
    """The result of ``indices=False``: an image that is True at these places."""
    import numpy

    found = numpy.zeros(numpy.shape(image), bool)
    found[tuple(places.T)] = True
    return found


def _rows():
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            name, order = line.split("\t")
            yield _row(name, order.split())


TABLE = Table("arguments of scikit-image", "calls", _rows())
