"""``tf.app.flags`` as it was before TF 1.5: lenient, and read before it is parsed.

    from tfgraphtools.tf1 import flags
    flags.DEFINE_float("rate", 1, "...")   # a default of any type
    FLAGS = flags.FLAGS
    FLAGS.rate                             # parses the command line; unknown flags are left over

The flags are absl's own, in absl's own ``FLAGS``: libraries and ``tf.app.run`` see them. What
differs belongs to this module's `FLAGS` and its ``DEFINE_...``; absl stays as it is.
"""

import functools
import sys
import typing

from absl import app as _app
from absl import flags as _flags

from tfgraphtools.compat.fixes.tensorflow.flags import flag_defaults as _defaults
from tfgraphtools.compat.fixes.tensorflow.flags import listing as _listing
from tfgraphtools.compat.fixes.tensorflow.flags import parsing as _parsing

_Any = typing.Any


class _Flags:
    """absl's ``FLAGS``, read and written as TF's were."""

    def __getattribute__(self, name: str) -> _Any:
        if name == "__dict__":  # FLAGS.__dict__["__flags"]
            return {"__flags": _listing.shown(_flags.FLAGS)}
        return object.__getattribute__(self, name)

    def __getattr__(self, name: str) -> _Any:
        if name == "__flags":
            return _listing.shown(_flags.FLAGS)
        _parse_once()
        return getattr(_flags.FLAGS, name)

    def __setattr__(self, name: str, value: _Any) -> None:
        if name not in _flags.FLAGS:
            flag = _flags.Flag(_flags.ArgumentParser(), None, name, None, "")
            flag.value = value
            _flags.FLAGS[name] = flag
        else:
            setattr(_flags.FLAGS, name, value)

    def __delattr__(self, name: str) -> None:
        delattr(_flags.FLAGS, name)

    def __contains__(self, name: str) -> bool:
        return name in _flags.FLAGS

    def __getitem__(self, name: str) -> _Any:
        return _flags.FLAGS[name]

    def __iter__(self) -> _Any:
        return iter(_flags.FLAGS)

    def __dir__(self) -> typing.List[str]:
        return dir(_flags.FLAGS)

    def __call__(self, argv: typing.Sequence[str], known_only: bool = True) -> typing.List[str]:
        return _flags.FLAGS(_parsing.joined(_flags.FLAGS, list(argv)), known_only=known_only)

    def _parse_flags(self, args: typing.Optional[typing.Sequence[str]] = None) -> typing.List[str]:
        words = sys.argv[1:] if args is None else list(args)
        return self([sys.argv[0], *words])


FLAGS = _Flags()


def _parse_once() -> None:
    if not _flags.FLAGS.is_parsed():
        FLAGS(sys.argv)


class _Flag(_flags.Flag):
    """A flag whose default stays as it is, of whatever type."""

    def _parse_from_default(self, value: _Any) -> _Any:
        return _defaults.default_of(super()._parse_from_default, value)


class _BooleanFlag(_flags.BooleanFlag):
    """The same for truth values, whose ``--no...`` absl reads."""

    def _parse_from_default(self, value: _Any) -> _Any:
        return _defaults.default_of(super()._parse_from_default, value)


def _define(flag: _flags.Flag) -> None:
    held = _flags.FLAGS.find_module_defining_flag(flag.name) or ""
    flag.allow_override = flag.allow_override or held.startswith(("absl.", "tensorflow."))
    _flags.DEFINE_flag(flag, module_name=sys.argv[0])


#: absl's names of arguments, which TF took beside its own.
_NAMES = {"name": "flag_name", "default": "default_value", "help": "docstring"}


def _by_either_name(define: _Any) -> _Any:
    @functools.wraps(define)
    def either(*arguments: _Any, **named: _Any) -> None:
        define(*arguments, **{_NAMES.get(name, name): value for name, value in named.items()})

    return either


@_by_either_name
def DEFINE_string(flag_name: str, default_value: _Any, docstring: str = "") -> None:
    """Defines a flag that is a text."""
    parser = _flags.ArgumentParser()
    _define(_Flag(parser, _flags.ArgumentSerializer(), flag_name, default_value, docstring))


@_by_either_name
def DEFINE_integer(flag_name: str, default_value: _Any, docstring: str = "") -> None:
    """Defines a flag that is an integer."""
    parser = _flags.IntegerParser()
    _define(_Flag(parser, _flags.ArgumentSerializer(), flag_name, default_value, docstring))


@_by_either_name
def DEFINE_float(flag_name: str, default_value: _Any, docstring: str = "") -> None:
    """Defines a flag that is a number."""
    parser = _flags.FloatParser()
    _define(_Flag(parser, _flags.ArgumentSerializer(), flag_name, default_value, docstring))


@_by_either_name
def DEFINE_boolean(flag_name: str, default_value: _Any, docstring: str = "") -> None:
    """Defines a flag that is true or false: ``--x``, ``--nox``, ``--x=False``, ``--x False``."""
    _define(_BooleanFlag(flag_name, default_value, docstring))


DEFINE_bool = DEFINE_boolean


def run(main: typing.Optional[_Any] = None, argv: _Any = None) -> None:
    """Runs ``tf.app.run``: parses flags, leaves unknown ones, calls ``main(argv)``."""
    main = main or sys.modules["__main__"].main
    _app.run(main, argv, flags_parser=lambda args: FLAGS(args))


def __getattr__(name: str) -> _Any:
    return getattr(_flags, name)
