"""How the command line is parsed: at which moment, and arguments that absl does not take."""

import sys

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row
from tfgraphtools.compat.fixes.tensorflow.flags.absl_flags import flags_class

_BOOLEAN_WORDS = ("true", "false", "t", "f", "1", "0")


def _parse_method():
    """``FLAGS._parse_flags()``, by which scripts before 1.5 parsed the command line."""

    def _parse_flags(self, args=None):
        rows.used(_PARSE)
        words = sys.argv[1:] if args is None else list(args)
        return self([sys.argv[0], *words], known_only=True)

    state.set_attribute(flags_class(), "_parse_flags", _parse_flags, new=True)


def _boolean_words():
    """``--plot False`` switches plot off, where absl takes "False" for a word of its own."""
    kind = flags_class()
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
            rows.used(_BOOLEAN)
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
                rows.used(_UNKNOWN)
        return plain(self, name)

    state.set_attribute(kind, "__getattr__", __getattr__)


_PARSE = Row("flags._parse_flags", "TF 1.5", "FLAGS._parse_flags() parses", _parse_method)
_UNKNOWN = Row("flags.unknown", "TF 1.5", "unknown flags are kept", _leave_unknown)
_BOOLEAN = Row("flags.boolean", "TF 1.5", "--plot False is False", _boolean_words)

ROWS = (_PARSE, _UNKNOWN, _BOOLEAN)
