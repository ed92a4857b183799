"""Where bytes beyond ASCII meet unicode: Python 2 raised an error unless an encoding was set."""

from tfgraphtools.compat.engine import notices, state
from tfgraphtools.compat.fixes.python2.library.calling_code import is_python2s

_DECODED = (
    "bytes beyond ASCII met unicode: run decodes them as UTF-8, where Python 2 raised "
    "UnicodeDecodeError: write text.decode('utf-8')"
)
_ENCODED = (
    "unicode beyond ASCII became bytes: run encodes it as UTF-8, where Python 2 raised "
    "UnicodeEncodeError: write text.encode('utf-8')"
)

#: What ``sys.setdefaultencoding`` set; empty before.
_default = []


def set_default(encoding):
    """Makes texts of bytes be decoded by an encoding where they meet unicode; ASCII at first."""
    if not _default and state.is_changed():
        state.at_restore(_default.clear)
    _default[:] = [encoding]


def default():
    """Returns the encoding by which bytes are decoded where no other is named."""
    return _default[0] if _default else "ascii"


def tell_decoded(levels=1):
    """Gives the notice of bytes that are decoded, where Python 2's code has called.

    Args:
      levels: as of `is_python2s`, of the function that calls this one.
    """
    if not _default and is_python2s(levels + 1):
        notices.once("python2.mixed_bytes", _DECODED)


def tell_encoded(levels=1):
    """Gives the notice of unicode that is encoded: see `tell_decoded`."""
    if not _default and is_python2s(levels + 1):
        notices.once("python2.mixed_unicode", _ENCODED)
