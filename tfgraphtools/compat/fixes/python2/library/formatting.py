"""Values as text: ``str``, ``repr``, ``%`` and ``format`` of Python 2."""

import builtins
import functools
import re
import string

from tfgraphtools.compat.engine import notices, rows
from tfgraphtools.compat.fixes.python2.containers import old_dicts, old_sets
from tfgraphtools.compat.fixes.python2.library import text_codecs, unicode_mixing
from tfgraphtools.compat.fixes.python2.library.byte_texts import (
    ByteText,
    is_unicode,
    latin,
    of_bytes,
    of_latin,
    plain,
)
from tfgraphtools.compat.fixes.python2.library.expressions import old_matches
from tfgraphtools.compat.fixes.python2.old_objects import old_classes
from tfgraphtools.compat.fixes.python2.table import BYTES, TEXT

_CONTAINERS = {list: "[{}]", tuple: "({})", set: "set([{}])", frozenset: "frozenset([{}])"}

#: The greatest `int` of Python 2; what is greater was a `long`.
MOST = 2**63 - 1

_LONG = (
    "Python 2 shows long integers with an L; run does not know which integers of less than 64 bits "
    "were long, and shows none"
)

_ERRORS = "the texts of Python's own errors are those of today's Python, which are not Python 2's"

_LATER = (
    "Python 2 shows unicode strings as u'...' inside of lists and other containers; run does not "
    "know which strings of ASCII were unicode, and shows them as '...'"
)


def text_of(value):
    """Returns ``str(value)`` of Python 2: floats have 12 digits."""
    kind = type(value)
    if kind is str or kind is ByteText:
        return value
    if kind is float:
        rows.used(TEXT)
        return _float(value)
    if kind is complex:
        rows.used(TEXT)
        return _complex(value, _digits)
    if isinstance(value, bytes):
        rows.used(BYTES)
        return of_bytes(bytes(value))
    if kind in _CONTAINERS or isinstance(value, _SHOWN):
        return shown(value)
    if kind in _OWN_ERRORS and str(value) != old_matches.UNMATCHED:
        notices.once("python2.error_text", _ERRORS)
    elif kind is ValueError:
        return _FLOAT.sub(r"\1\2", builtins.str(value))
    return builtins.str(value)


_OWN_ERRORS = (
    AttributeError,
    ImportError,
    ModuleNotFoundError,
    NameError,
    SyntaxError,
    TypeError,
    re.error,
)
_FLOAT = re.compile(r"^(could not convert string to float: )'([^']*)'$")


def shown(value):
    """Returns ``repr(value)`` of Python 2."""
    return _shown(value, ())


_SHOWN = (dict, set, frozenset, type, range)


def _shown(value, around):
    kind = type(value)
    if kind is str:
        if around and unicode_mixing.made_unicode:
            notices.once("python2.unicode_shown", _LATER)
        return builtins.repr(value) if value.isascii() else "u" + builtins.ascii(value)
    if kind is int:
        if text_codecs.made_long and -MOST - 2 < value <= MOST:
            notices.once("python2.long_shown", _LONG)
        return builtins.repr(value) + ("" if -MOST - 2 < value <= MOST else "L")
    if isinstance(value, bytes):
        return bytes.__repr__(value)[1:]
    if kind is range:
        places = [value.start, value.stop, value.step]
        places = places[: 3 if value.step != 1 else 2][0 if value.step != 1 or value.start else 1 :]
        return f"xrange({', '.join(map(builtins.str, places))})"
    if kind is type and value.__module__ == "builtins":
        return f"<type '{value.__name__}'>"
    if isinstance(value, type) and old_classes.is_old(value) and not around:
        return f"{value.__module__}.{value.__qualname__}"
    if isinstance(value, BaseException) and type(value).__repr__ is BaseException.__repr__:
        arguments = ", ".join(_shown(argument, (value,)) for argument in value.args)
        return f"{kind.__name__}({arguments}{',' if len(value.args) == 1 else ''})"
    if kind.__module__ == "numpy" and not rows.is_off("numpy.scalar_printing"):
        text = builtins.repr(value)
        return text[text.index("(") + 1 : -1] if text.startswith("np.") else text
    frame = _CONTAINERS.get(getattr(kind, "stands_for", kind))
    is_dict = kind is dict or getattr(kind, "stands_for", None) is dict
    if frame is None and not is_dict:
        return builtins.repr(value)
    if any(value is outer for outer in around):
        return {list: "[...]", tuple: "(...)"}.get(kind, "{...}")
    around = (*around, value)
    if is_dict:
        value = old_dicts.Dict.of(value) if kind is dict else value
        pairs = (f"{_shown(k, around)}: {_shown(v, around)}" for k, v in value.items())
        return "{" + ", ".join(pairs) + "}"
    items = ", ".join(_shown(item, around) for item in old_dicts.iterated(value))
    return frame.format(items + "," if kind is tuple and len(value) == 1 else items)


def _digits(number, sign=""):
    return ("%" + sign + ".12g") % number


def _float(number):
    text = _digits(number)
    if any(mark in text for mark in ".en"):
        return text
    if len(text.lstrip("-")) < 12:
        return text + ".0"
    mantissa, power = f"{number:.11e}".split("e")
    return mantissa.rstrip("0").rstrip(".") + "e" + power


def _complex(number, digits):
    if not number.real and str(number.real) == "0.0":
        return digits(number.imag) + "j"
    return f"({digits(number.real)}{digits(number.imag, '+')}j)"


# % and format -----------------------------------------------------------------

_CONVERSION = re.compile(
    r"%(?P<key>\((?:[^()]|\([^()]*\))*\))?[#0\- +]*(?P<width>\*|\d+)?"
    r"(?:\.(?P<digits>\*|\d*))?[hlL]?(?P<kind>.)",
    re.DOTALL,
)


class Template(str):
    """A text that is about to be formatted as Python 2 did."""

    __slots__ = ()

    #: Whether it was unicode to Python 2; None where that is not known.
    is_text = None

    def __mod__(self, values):
        items = values if type(values) is tuple else (values,)
        for item in items:
            kind = type(item)
            if kind is not int and not (kind is str and item.isascii()):
                return _percent(_untyped(self), values)
        if _is_simple(self):
            return str.__mod__(self, values)
        return _percent(_untyped(self), values)

    def format(self, *arguments, **options):
        """Returns the text with these values in it."""
        every = (*arguments, *options.values())
        if self.isascii() and all(type(value) in (int, str) for value in every):
            if all(value.isascii() for value in every if type(value) is str):
                return str.format(self, *arguments, **options)
        return _formatted(_untyped(self), arguments, options, self.is_text)


class _UnicodeTemplate(Template):
    __slots__ = ()
    is_text = True

    def __mod__(self, values):
        return _percent(_untyped(self), values, is_text=True)


class _LiteralTemplate(Template):
    __slots__ = ()
    is_text = False


class _ByteTemplate(Template):
    __slots__ = ("text",)
    is_text = False


def template(value):
    """Returns a text as a `Template`; anything else is itself."""
    if isinstance(value, bytes):
        value = of_bytes(bytes(value))
    if type(value) is str:
        return Template(value)
    if type(value) is ByteText:
        new = _ByteTemplate(plain(value))
        new.text = value
        return new
    return value


def literal_template(value):
    """Returns a literal of ``str`` as a `Template`."""
    return _LiteralTemplate(value)


def unicode_template(value):
    """Returns a literal of unicode as a `Template`."""
    return _UnicodeTemplate(value)


def _untyped(value):
    return value.text if type(value) is _ByteTemplate else str.__str__(value)


@functools.lru_cache(maxsize=512)
def _is_simple(text):
    """Tells whether integers and texts of ASCII become in a template what they do today."""
    kinds = {conversion["kind"] for conversion in _conversions(plain(text))}
    return text.isascii() and kinds <= set("sdif")


@functools.lru_cache(maxsize=512)
def _conversions(text):
    return tuple(match.groupdict() for match in _CONVERSION.finditer(text) if match["kind"] != "%")


def _percent(text, values, is_text=False):
    """Returns ``text % values``."""
    kinds = _conversions(plain(text))
    is_mapping = bool(kinds) and kinds[0]["key"] is not None
    items = values if type(values) is tuple else (values,)
    if is_mapping:
        new, texts = _values_by_key(kinds, values, is_text)
    else:
        new, texts = _values_in_order(kinds, items, is_text)
        new = tuple(new)
    if is_text or is_unicode(text) or any(map(is_unicode, texts)):
        _tell_bytes([text, *texts])
        return plain(text) % (_plain_of(new))
    if type(text) is ByteText or any(type(part) is ByteText for part in texts):
        parts = [part for part in (text, *texts) if not isinstance(part, ByteText)]
        unicode_mixing.tell_beside(map(str.__str__, parts))
        return of_latin(latin(text) % _latin_of(new))
    return text % new


def _values_in_order(kinds, items, is_text):
    new, texts, place = list(items), [], 0
    for kind in kinds:
        place += (kind["width"] == "*") + (kind["digits"] == "*")
        if place < len(new):
            new[place] = _converted(new[place], kind["kind"], texts, is_text)
        place += 1
    return new, texts


def _values_by_key(kinds, values, is_text):
    new, texts = {}, []
    for kind in kinds:
        key = kind["key"][1:-1]
        new[key] = _converted(values[key], kind["kind"], texts, is_text)
    return new, texts


class _Shown:
    """A value with its text."""

    def __init__(self, text):
        self.text = text

    def __str__(self):
        return self.text

    __repr__ = __str__


def _converted(value, kind, texts, is_text):
    if kind == "s" and is_text:
        value = _decoded(value)
    elif kind == "s":
        value = text_of(value) if not _is_plainly_str(value) else value
    elif kind == "r":
        value = _Shown(shown(value))
    elif kind == "c" and isinstance(value, (bytes, int)) and type(value) is not bool:
        value = of_bytes(bytes(value) if isinstance(value, bytes) else bytes([value]))
    elif kind in "xXo" and type(value) is float:
        value = int(value)
    if isinstance(value, str):
        texts.append(value)
    return value


def _decoded(value):
    """Returns ``unicode(value)``."""
    own = getattr(type(value), "__unicode__", None)
    text = own(value) if own is not None else text_of(value)
    if type(text) is ByteText:
        return text.data.decode(unicode_mixing.default())
    return text


def _is_plainly_str(value):
    return type(value) is str


def _plain_of(values):
    if isinstance(values, dict):
        return {key: plain(value) for key, value in values.items()}
    return tuple(map(plain, values))


def _latin_of(values):
    if isinstance(values, dict):
        return {latin(key): _latin(value) for key, value in values.items()}
    return tuple(map(_latin, values))


def _latin(value):
    return latin(value) if isinstance(value, str) else value


class _Formatter(string.Formatter):
    def __init__(self):
        self.texts = []

    def format_field(self, value, format_spec):
        kind = type(value)
        if not format_spec and kind is not str:
            value = text_of(value)
        elif isinstance(value, bytes):
            value = of_bytes(bytes(value))
        if isinstance(value, str):
            self.texts.append(value)
            value = latin(value) if not is_unicode(value) else plain(value)
        return format(value, format_spec)

    def convert_field(self, value, conversion):
        if conversion == "r":
            return shown(value)
        return text_of(value) if conversion == "s" else value


def _formatted(text, arguments, options, is_text):
    formatter = _Formatter()
    if is_text or is_unicode(text):
        _tell_bytes([*arguments, *options.values()])
        return plain(text).format(*arguments, **options)
    result = formatter.vformat(latin(text), arguments, options)
    if any(map(is_unicode, formatter.texts)):
        if is_text is not None:
            unicode_mixing.tell_encoded()
        return plain(text).format(*arguments, **options)
    return of_latin(result)


def _tell_bytes(texts):
    if any(type(text) is ByteText for text in texts):
        unicode_mixing.tell_decoded()


def format_(value, spec=""):
    """Returns ``format(value, spec)``."""
    return text_of(value) if not spec and type(value) in (float, complex) else format(value, spec)


def _shown_default_dict(value):
    items = shown(old_dicts.Dict.of(dict.items(value)))
    return f"defaultdict({shown(value.default_factory)}, {items})"


old_dicts.Ordered.__repr__ = old_sets.Ordered.__repr__ = shown
old_dicts.DefaultDict.__repr__ = _shown_default_dict
