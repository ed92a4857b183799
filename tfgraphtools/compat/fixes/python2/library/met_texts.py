"""Texts that meet others, of which each may be bytes beyond ASCII, or unicode."""

from tfgraphtools.compat.fixes.numpy.arithmetic import methods
from tfgraphtools.compat.fixes.python2.library import unicode_mixing
from tfgraphtools.compat.fixes.python2.library.byte_texts import ByteText, is_unicode
from tfgraphtools.compat.fixes.python2.library.expressions import patterns


def met(method, *arguments):
    """Calls a method of a text, whose arguments may be bytes beyond ASCII."""
    owner = getattr(method, "__self__", None)
    if type(owner) is not str:
        return methods.method(method, *arguments)
    if not any(map(_is_beyond, arguments)):
        return method(*arguments)
    if owner.isascii() and not any(map(is_unicode, arguments)):
        unicode_mixing.tell_beside([owner])
        method = getattr(ByteText(owner.encode()), method.__name__)
    else:
        unicode_mixing.tell_decoded()
    return method(*arguments)


def met_by_unicode(method, *arguments):
    """Calls a method of a literal of unicode, for which bytes beyond ASCII are decoded."""
    if method.__name__ == "join":
        arguments = [list(items) for items in arguments]
    return method(*map(_all_decoded, arguments))


def _all_decoded(value):
    if type(value) in (list, tuple):
        return type(value)(map(beside_unicode, value))
    return beside_unicode(value)


def beside_unicode(value):
    """Returns what is added to a literal of unicode: bytes are decoded first."""
    if type(value) is ByteText:
        return value.data.decode(unicode_mixing.default())
    return value


def _is_beyond(value):
    """Tells whether a value is bytes beyond ASCII, or a tuple that has them."""
    return type(value) is ByteText or (type(value) is tuple and any(map(_is_beyond, value)))


HELPERS = {
    "__python2_met__": met,
    "__python2_met_by_unicode__": met_by_unicode,
    "__python2_decoded__": beside_unicode,
    "__python2_expand__": patterns.expanded,
}
