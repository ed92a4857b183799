"""Calls that the installed function refuses, and that the old one took: the runtime has it."""

import functools

from tfgraphtools.analysis import installed, keywords
from tfgraphtools.compat.fixes import build
from tfgraphtools.compat.fixes.pictures import scikit_image

#: The calls of these libraries are written as today's.
_WRITTEN_OUT = ("tensorflow.", "librosa.")


def is_one(work, call, name):
    """Tells whether the installed function refuses the arguments of a call in old code.

    Args:
      work: the `Work`.
      call: the `ast.Call`, or None.
      name: the dotted name of what is called; a row has it.
    """
    if call is None or not work.is_old or name.startswith(_WRITTEN_OUT):
        return False
    order = _orders().get(name)
    if order is not None:
        return _has_other_arguments(call, name, order)
    if keywords.refused(call, name, _libraries()):
        return True
    return keywords.places_taken(call, name, _libraries()) is not None


def _has_other_arguments(call, name, order):
    """Tells whether a call of scikit-image has arguments that it no longer has there."""
    today = keywords.written(name, _libraries())
    if today is None:
        return False
    by_position, names = today
    words = {keyword.arg for keyword in call.keywords} - {None}
    count = len(call.args)
    return bool(words - names) or by_position[:count] != order[:count]


@functools.lru_cache(None)
def _orders():
    """Returns dotted name -> the arguments by position in scikit-image 0.17."""
    lines = build.lines_of(scikit_image.__file__, "scikit_image.tsv")
    return {f"skimage.{name}": order.split() for name, order in lines}


@functools.lru_cache(None)
def _libraries():
    return installed.Libraries(True)
