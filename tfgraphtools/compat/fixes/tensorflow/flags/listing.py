"""``FLAGS.__flags``, the dictionary of all flags that a script defined."""

import builtins
import functools
import operator

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rows import Fix
from tfgraphtools.compat.engine.translate import trees
from tfgraphtools.compat.engine.translate.tree_walk import Visitor, early_walking
from tfgraphtools.compat.fixes.tensorflow.flags.absl_flags import (
    FLAGS,
    IN_RUNTIME,
    adds,
    is_of_a_library,
)


def _shown(flag):
    """Returns a flag in ``FLAGS.__flags``: its value wherever it is used, and its ``value``.

    A number or a text is one of a subclass, which TF, NumPy and JSON take for what it is.
    """
    value = flag.value
    has_subclasses = isinstance(value, (int, float, str, list)) and not isinstance(value, bool)
    shown = _subclass(type(value))(value) if has_subclasses else _Shown()
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
    """Returns a special method of `_Shown` that is the one of its value."""
    function = vars(operator).get(name) or getattr(builtins, name.strip("_"))

    def method(self, *others):
        return function(self.value, *[getattr(other, "value", other) for other in others])

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


# Under the name itself: outside a class nothing is mangled. absl keeps its own flags in the
# instance's dictionary, which a property of the class hides from "FLAGS.__flags" of user code only.
@adds(
    FLAGS + "__flags",
    name="flags.__flags",
    since="TF 1.5",
    why="FLAGS.__flags: all flags by name",
    rewrite=IN_RUNTIME,
)
@property
def _flags_dictionary(self):
    """``FLAGS.__flags``, over which scripts looped to print all flags."""
    _flags_dictionary.used()
    return shown(self)


def shown(flag_values):
    """Returns what ``FLAGS.__flags`` was: the flags that no library defined, by name."""
    flags = flag_values._flags()
    own = {name for name in flags if not is_of_a_library(flag_values, name)}
    return {name: _shown(flags[name]) for name in sorted(own)}


@early_walking
def _read_dictionary(tree):
    """Reads ``FLAGS.__dict__["__flags"]`` as ``FLAGS.__flags``."""
    return _DictionaryReads() if "__flags" in trees.string_constants(tree) else None


class _DictionaryReads(Visitor):
    def visit_Subscript(self, node):
        key = getattr(node.slice, "value", None)
        if key != "__flags" or getattr(node.value, "attr", None) != "__dict__":
            return node
        rows.used(_DICTIONARY)
        # By a call: inside a class the name would be mangled.
        return trees.call(
            "__once_attribute__", node.value.value, trees.constant(key, node), at=node
        )


_DICTIONARY = Fix(
    "flags.__dict__",
    "TF 1.5",
    "FLAGS.__dict__['__flags'] is FLAGS.__flags: all flags by name",
    _read_dictionary,
    rewrite=IN_RUNTIME,
)

REPLACEMENTS = (_flags_dictionary,)
SYNTAX = (_DICTIONARY,)
