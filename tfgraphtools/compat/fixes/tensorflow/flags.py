"""``tf.app.flags`` as it was: lenient, and read before it is parsed.

TF's flags are absl's since 1.5. What old scripts do besides is added to absl's
class of flag values itself, because every module shares its one object.
"""

import builtins
import functools
import operator
import sys

from tfgraphtools.compat.engine import nodes, rows, state
from tfgraphtools.compat.engine.rewrite.walk import Visitor, early_walking
from tfgraphtools.compat.engine.rows import Row, Table

_BOOLEAN_WORDS = ("true", "false", "t", "f", "1", "0")


def _flag_values():
    from absl import flags

    return flags.FlagValues


def _define_undefined():
    """``FLAGS.x = 3`` defines x, where absl refuses."""
    from absl import flags

    kind = _flag_values()
    plain = kind.__setattr__

    def __setattr__(self, name, value):
        if name.startswith("_") or name in self._flags():
            return plain(self, name, value)
        rows.used(TABLE.row("flags.undefined"))
        flag = flags.Flag(flags.ArgumentParser(), None, name, None, "")
        flag.value = value
        self._flags()[name] = flag

    state.set_attribute(kind, "__setattr__", __setattr__)


def _override_absl():
    """A script's own ``log_dir`` takes the place of absl's, and ``delta_threshold`` of TF's."""
    kind = _flag_values()
    plain = kind.__setitem__

    def __setitem__(self, name, flag):
        held = self._flags().get(name)
        if held is not None and _is_of_a_library(self, name) and held is not flag:
            rows.used(TABLE.row("flags.absl"))
            flag.allow_override = True
        plain(self, name, flag)

    state.set_attribute(kind, "__setitem__", __setitem__)


def _parse_method():
    """``FLAGS._parse_flags()``, by which scripts before 1.5 parsed the command line."""

    def _parse_flags(self, args=None):
        rows.used(TABLE.row("flags._parse_flags"))
        words = sys.argv[1:] if args is None else list(args)
        return self([sys.argv[0], *words], known_only=True)

    state.set_attribute(_flag_values(), "_parse_flags", _parse_flags)


def _shown(flag):
    """A flag in ``FLAGS.__flags``: its value wherever it is used, and its ``value``.

    A number or a text is one of a subclass, which TF, NumPy and JSON take for what it is.
    """
    value = flag.value
    plain = isinstance(value, (int, float, str, list)) and not isinstance(value, bool)
    shown = _subclass(type(value))(value) if plain else _Shown()
    shown.name, shown.value, shown.default = flag.name, value, flag.default
    return shown


@functools.lru_cache(maxsize=None)
def _subclass(kind):
    return type(kind.__name__, (kind,), {"__reduce__": lambda self: (_itself, (self.value,))})


class _Shown:
    """A flag whose value can have no subclass, such as True or None."""

    def __format__(self, how):
        return format(self.value, how)

    def __getattr__(self, name):
        if name == "value":
            raise AttributeError(name)
        return getattr(self.value, name)

    def __reduce__(self):
        return _itself, (self.value,)


def _itself(value):
    return value


def _as_value(name):
    """A special method of `_Shown` that is the one of its value."""
    function = vars(operator).get(name) or getattr(builtins, name.strip("_"))

    def method(self, *others):
        return function(self.value, *[getattr(one, "value", one) for one in others])

    return method


def _reflected(name):
    function = getattr(operator, name)
    return lambda self, other: function(other, self.value)


for _name in (
    "add sub mul truediv floordiv mod pow and or xor lshift rshift lt le gt ge eq ne neg abs "
    "getitem contains index str repr int float bool len iter hash"
).split():
    setattr(_Shown, f"__{_name}__", _as_value(f"__{_name}__"))
for _name in "add sub mul truediv floordiv mod pow".split():
    setattr(_Shown, f"__r{_name}__", _reflected(f"__{_name}__"))


def _flags_dictionary():
    """``FLAGS.__flags``, over which scripts looped to print all flags."""

    def get(self):
        rows.used(TABLE.row("flags.__flags"))
        return shown(self)

    # Under the name itself: outside a class nothing is mangled. absl keeps its own flags in
    # the instance's dictionary, which a property of the class hides from "FLAGS.__flags" only.
    state.set_attribute(_flag_values(), "__flags", property(get))


def shown(flag_values):
    """What ``FLAGS.__flags`` was: the flags that no library defined, by name."""
    flags = flag_values._flags()
    own = {name for name in flags if not _is_of_a_library(flag_values, name)}
    return {name: _shown(flags[name]) for name in sorted(own)}


@early_walking
def _read_dictionary(tree):
    """``FLAGS.__dict__["__flags"]`` is ``FLAGS.__flags``."""
    return _DictionaryReads() if "__flags" in nodes.words(tree) else None


class _DictionaryReads(Visitor):
    def visit_Subscript(self, node):
        self.generic_visit(node)
        key = getattr(node.slice, "value", None)
        if key != "__flags" or getattr(node.value, "attr", None) != "__dict__":
            return node
        rows.used(SOURCE.row("flags.__dict__"))
        # By a call: inside a class the name would be mangled.
        return nodes.call("__once_attribute__", node.value.value, nodes.text(key, node), at=node)


def _is_of_a_library(flag_values, name):
    owner = flag_values.find_module_defining_flag(name) or ""
    libraries = ("absl", "tensorflow", "tf_keras", "keras")
    return owner.partition(".")[0] in libraries


def _boolean_words():
    """``--plot False`` switches plot off, where absl takes "False" for a word of its own."""
    kind = _flag_values()
    plain = kind.__call__

    def __call__(self, argv, known_only=False):
        return plain(self, joined(self, list(argv)), known_only=known_only)

    state.set_attribute(kind, "__call__", __call__)


def joined(flag_values, argv):
    """The command line with ``--plot False`` as ``--plot=False``, for flags that are boolean."""
    words = argv[:1]
    for word in argv[1:]:
        before = words[-1] if len(words) > 1 else ""
        flag = flag_values._flags().get(before.lstrip("-")) if before.startswith("-") else None
        if flag is not None and flag.boolean and word.lower() in _BOOLEAN_WORDS:
            rows.used(TABLE.row("flags.boolean"))
            words[-1] = before + "=" + word
        else:
            words.append(word)
    return words


def _leave_unknown():
    """Reading a flag before ``tf.app.run`` parses what is known; the rest is left over."""
    from tensorflow.python.platform import flags

    kind = type(flags.FLAGS)
    plain = kind.__getattr__

    def __getattr__(self, name):
        wrapped = self.__dict__["__wrapped"]
        if not wrapped.is_parsed():
            left = wrapped(sys.argv, known_only=True)
            if any(word.startswith("-") for word in left[1:]):
                rows.used(TABLE.row("flags.unknown"))
        return plain(self, name)

    state.set_attribute(kind, "__getattr__", __getattr__)


class _Whole(float):
    """A float that also counts: in a slice, a shape, a range; so does 3 times it."""

    def __reduce__(self):
        return float, (float(self),)

    def __index__(self):
        rows.used(TABLE.row("flags.default"))
        return int(self)


def _stay_whole(name):
    plain = getattr(float, name)

    def operator(self, other):
        result = plain(self, other)
        return _Whole(result) if type(other) in (int, _Whole) else result

    return operator


for _name in ("add", "sub", "mul", "floordiv", "mod"):
    for _side in ("__", "__r"):
        setattr(_Whole, _side + _name + "__", _stay_whole(_side + _name + "__"))


def _keep_default():
    """A default of another type than its flag's stays as it is, where absl refuses it.

    The default 20 of a float flag becomes 20.0 there: it is a float, and still counts.
    """
    from absl import flags

    plain = flags.Flag._parse_from_default

    def _parse_from_default(self, value):
        return default_of(functools.partial(plain, self), value)

    state.set_attribute(flags.Flag, "_parse_from_default", _parse_from_default)


def default_of(parse, value):
    """A default as absl's `parse` has it; one of another type as it is."""
    from absl import flags

    try:
        parsed = parse(value)
        return _Whole(parsed) if type(parsed) is float and type(value) is int else parsed
    except (flags.IllegalFlagValueError, TypeError):
        if isinstance(value, str):
            raise
        rows.used(TABLE.row("flags.default"))
        return value


TABLE = Table(
    "flags of the command line",
    "patches",
    [
        Row("flags.undefined", "TF 1.5", "FLAGS.x = 3 defines x", _define_undefined),
        Row(
            "flags.absl",
            "absl",
            "a script may define absl's or TF's own flags itself",
            _override_absl,
        ),
        Row("flags._parse_flags", "TF 1.5", "FLAGS._parse_flags() parses", _parse_method),
        Row("flags.__flags", "TF 1.5", "FLAGS.__flags: all flags by name", _flags_dictionary),
        Row("flags.unknown", "TF 1.5", "unknown flags are kept", _leave_unknown),
        Row(
            "flags.default", "TF 1.5", "a default value of any type is not converted", _keep_default
        ),
        Row("flags.boolean", "TF 1.5", "--plot False is False", _boolean_words),
    ],
)

SOURCE = Table(
    "the flags' own dictionary",
    "syntax",
    [
        Row(
            "flags.__dict__",
            "TF 1.5",
            "FLAGS.__dict__['__flags'] is FLAGS.__flags: all flags by name",
            _read_dictionary,
        )
    ],
)

TABLES = (TABLE, SOURCE)
