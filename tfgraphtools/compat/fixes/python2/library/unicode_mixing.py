"""Places where bytes beyond ASCII meet unicode: Python 2 raised an error without an encoding."""

import sys

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

_BESIDE = (
    "bytes beyond ASCII met text of ASCII that may be unicode: run gives bytes, where Python 2 "
    "raised UnicodeDecodeError if it was: write data.decode('utf-8')"
)

#: Not empty once the program has made a text that was ``unicode`` to Python 2.
made_unicode = []

#: What ``sys.setdefaultencoding`` set; empty before.
_default = []


def note_unicode():
    """Notes that the program makes texts that were ``unicode``."""
    if not made_unicode and state.is_changed():
        state.at_restore(made_unicode.clear)
        made_unicode.append(True)


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


def tell_beside(texts, levels=1):
    """Gives the notice of bytes beside text of ASCII that may be unicode: see `tell_decoded`.

    Does nothing for empty texts, and for those that are written in the function that is running:
    of a literal of unicode the source tells.
    """
    if not made_unicode or _default or not is_python2s(levels + 1):
        return
    texts = {text for text in texts if type(text) is str and text}
    if texts and not texts.issubset(_written_by_caller()):
        notices.once("python2.bytes_beside", _BESIDE)


def _written_by_caller():
    """Returns the texts that stand in the function of Python 2's code that is running."""
    frame = sys._getframe(2)
    while frame is not None and frame.f_globals.get("__python2__") is None:
        frame = frame.f_back
    constants = frame.f_code.co_consts if frame is not None else ()
    return {constant for constant in constants if type(constant) is str}
