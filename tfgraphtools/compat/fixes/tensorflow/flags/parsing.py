"""The parsing of the command line: its moment, and arguments that absl does not take."""

import sys

from tfgraphtools.compat.fixes.tensorflow.flags.absl_flags import FLAGS, IN_RUNTIME, adds, replaces

_BOOLEAN_WORDS = ("true", "false", "t", "f", "1", "0")


@adds(
    FLAGS + "_parse_flags",
    name="flags._parse_flags",
    since="TF 1.5",
    why="FLAGS._parse_flags() parses",
    rewrite=IN_RUNTIME,
)
def _parse_flags(self, args=None):
    """Parses the command line, as scripts before 1.5 did by ``FLAGS._parse_flags()``."""
    _parse_flags.used()
    words = sys.argv[1:] if args is None else list(args)
    return self([sys.argv[0], *words], known_only=True)


@replaces(
    FLAGS + "__call__",
    name="flags.boolean",
    since="TF 1.5",
    why="--plot False is False",
    rewrite=IN_RUNTIME,
)
def _call(original, self, argv, known_only=False):
    """Lets ``--plot False`` switch plot off, where absl takes "False" for a word of its own."""
    return original(self, joined(self, list(argv)), known_only=known_only)


def joined(flag_values, argv):
    """Returns the command line with ``--plot False`` as ``--plot=False``, for boolean flags."""
    words = argv[:1]
    for word in argv[1:]:
        before = words[-1] if len(words) > 1 else ""
        flag = flag_values._flags().get(before.lstrip("-")) if before.startswith("-") else None
        if flag is not None and flag.boolean and word.lower() in _BOOLEAN_WORDS:
            _call.used()
            words[-1] = before + "=" + word
        else:
            words.append(word)
    return words


@replaces(
    "tensorflow.python.platform.flags:_FlagValuesWrapper.__getattr__",
    name="flags.unknown",
    since="TF 1.5",
    why="unknown flags are kept",
    rewrite=IN_RUNTIME,
)
def _getattr(original, self, name):
    """Parses what is known when a flag is read before ``tf.app.run``; the rest is left over."""
    wrapped = self.__dict__["__wrapped"]
    if not wrapped.is_parsed():
        left = wrapped(sys.argv, known_only=True)
        if any(word.startswith("-") for word in left[1:]):
            _getattr.used()
    return original(self, name)


REPLACEMENTS = (_parse_flags, _getattr, _call)
