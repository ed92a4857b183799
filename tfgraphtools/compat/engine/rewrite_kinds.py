"""The kinds of rewrites: what a row can mean as a change of source, as plain data."""

from typing import Any, Dict, NamedTuple, Optional, Tuple


class Rename(NamedTuple):
    """Another public name of today gives the identical thing, or one that behaves the same.

    Fields:
      to: a dotted name that can be imported ("tensorflow.compat.v1.summary.FileWriter",
        "builtins.float").
      uncalled: what a use that is no call becomes, if that is not `to`: Python 2's ``file`` was
        a function and a class.
    """

    to: str
    uncalled: Optional[str] = None


class Call(NamedTuple):
    """A call whose arguments change; the name used without a call is `to` as well.

    Fields:
      to: the function of today; None keeps the name.
      keywords: old keyword -> new keyword, or None to leave the argument out.
      positions: the new keyword of each positional argument of the old order; None
        leaves an argument out, "" keeps it as it is. Empty when positions do not change.
      added: keyword -> source text of its value, where the call does not have it.
      wrapped: the function that is called with the result, where it is of another type today.
      runtime: what to call instead where arguments are not written out (``*args``,
        ``**options``, or more positions than are listed); None: report the line.
    """

    to: Optional[str] = None
    keywords: Dict[str, Optional[str]] = {}
    positions: Tuple[Optional[str], ...] = ()
    runtime: Optional[str] = None
    added: Dict[str, str] = {}
    wrapped: Optional[str] = None


class Module(NamedTuple):
    """A module that has another name today, and has in it what user code took from it.

    Fields:
      to: the module of today.
    """

    to: str


class Runtime(NamedTuple):
    """Something that no library has today, provided by ``tfgraphtools.tf1``.

    Fields:
      to: the dotted name in the runtime ("tfgraphtools.tf1.contrib.layers.fully_connected").
      instead: the rewrite that does nearly the same without the runtime, for ``--no-runtime``.
      differs: what is not the same then, in one line for people.
      keywords: where the function is still there: the keywords that only old calls have. A
        call with one of them is rewritten, others are calls of today.
      pattern: a regular expression: only code in which it is found needs the runtime. A match
        with a group "flag" counts where that flag is not defined.
    """

    to: str
    instead: Any = None
    differs: str = ""
    keywords: Tuple[str, ...] = ()
    pattern: str = ""


def old_call(name, *keywords):
    """Returns the rewrite of calls with keywords that a function of a library no longer takes.

    Example:
      >>> old_call("sklearn.manifold.TSNE", "n_iter").to
      'tfgraphtools.tf1.libraries.sklearn.manifold.TSNE'
    """
    return Runtime(f"tfgraphtools.tf1.libraries.{name}", keywords=keywords)


class Entry(NamedTuple):
    """A statement that the entry of a program may make: `upgrade` writes it only if asked.

    It changes how a library behaves in the whole process, as ``tf.disable_v2_behavior()`` does,
    so whether a program needs it is its maintainer's to say (``--select ROW``).

    Fields:
      to: the dotted name of the function of the runtime that is called.
      arguments: source text of its arguments.
    """

    to: str
    arguments: str = ""


class Package(NamedTuple):
    """A module that is installed apart today, under the name that it had: source stays.

    Fields:
      name: what pip installs.
    """

    name: str


class Syntax(NamedTuple):
    """A named change of source code, which `upgrade` implements.

    Fields:
      fixer: its name.
    """

    fixer: str


class Stays(NamedTuple):
    """A use that cannot be rewritten.

    Fields:
      reason: why, in one line for people.
    """

    reason: str
