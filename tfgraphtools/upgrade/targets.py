"""Today's names for dotted names of old code: rewrites of the tables, as `upgrade` uses them."""

import functools
import re
from typing import Any, NamedTuple, Optional

from tfgraphtools.compat import rewrites
from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.fixes.keras import standalone

V1 = "tensorflow.compat.v1"

#: What moves nowhere when TensorFlow's own API moves to ``compat.v1``: folders of its sources.
_INNER = tuple(
    "tensorflow." + name
    for name in "python core tools compat compiler dtensor include lite.python lite.tools".split()
)

#: The libraries that Keras 2 may become: itself, in the runtime, or the one of TensorFlow.
KERAS = ("legacy", "tf_keras")

#: The fix about Keras as a library of its own.
STANDALONE = standalone.ROW.name

#: The fix that has ``tensorflow`` mean ``tensorflow.compat.v1``.
IMPORT = "tensorflow.import"


def lies_in(name, *owners):
    """Tells whether a dotted name is one of some owners, or lies in one.

    Example:
      >>> lies_in("numpy.random.rand", "numpy"), lies_in("numpydoc", "numpy")
      (True, False)
    """
    return any(name == owner or name.startswith(owner + ".") for owner in owners)


class Target(NamedTuple):
    """What a name is today.

    Fields:
      to: the dotted name of today; None for what cannot be rewritten, or keeps its name.
      fix: the name of the fix, as reports and ``--select`` have it.
      rewrite: the rewrite it comes from; None for what only moves with ``tensorflow``.
    """

    to: Optional[str]
    fix: str
    rewrite: Any = None


def of(name, is_tf1=True, runtime=True, lenient_flags=True, is_v1=False, keras="tf_keras"):
    """Returns the `Target` of a dotted name; None for one that is what it ever was.

    Args:
      name: "tensorflow.mul", "numpy.float".
      is_tf1: whether ``tensorflow`` is TF 1's where the name is used.
      runtime: whether ``tfgraphtools.tf1`` may be used.
      lenient_flags: whether flags are those of the runtime.
      is_v1: whether code that is not TF 1's takes its ``tensorflow`` from ``compat.v1``: the
        names that some TF 2 lost are rewritten there.
      keras: one of `KERAS`.

    Example:
      >>> of("tensorflow.mul").to
      'tensorflow.compat.v1.multiply'
    """
    if name.startswith("@"):
        return None
    old = name
    if lies_in(name, V1):
        old = "tensorflow" + name[len(V1) :]
    if old.partition(".")[0] in ("tensorflow", "keras") and not is_tf1:
        return _lost_by_tf2(old) if is_v1 else None
    if keras == "legacy" and old.partition(".")[0] in standalone.ROOTS and is_tf1:
        to = rewrites.runtime_name(old)
        return Target(to, STANDALONE, rewrites.Runtime(to))
    rewrite = rewrites.rewrite_of(old)
    if getattr(rewrite, "pattern", "") and not lenient_flags:
        rewrite = None
    if rewrite is None or is_conditional(row_of(old)) or _is_plumbing(old):
        return _moved(name) if name == old and is_tf1 else None
    if isinstance(rewrite, rewrites.Runtime) and rewrite.to.startswith(_STANDALONE):
        rewrite = _beside_tf_keras(rewrite)
    if isinstance(rewrite, rewrites.Runtime) and not runtime and getattr(rewrite, "instead", None):
        rewrite = rewrite.instead
    to = getattr(rewrite, "to", None)
    if to == name:
        return None
    if to is None and isinstance(rewrite, rewrites.Call):
        moved = _moved(name) if name == old else None
        to = moved.to if moved else name
    return Target(to, row_of(old), rewrite)


#: The fix about the estimator, which left TensorFlow.
ESTIMATOR = "tensorflow.estimator"

#: Where the runtime has that of TF 2.
ESTIMATOR_OF_TF2 = "tfgraphtools.tf1.compat.v2.estimator"


def estimator_of_tf2(name):
    """Returns the `Target` of a name of ``tf.estimator`` in eager TF 2 code; else None."""
    if not lies_in(name, ESTIMATOR, "tensorflow.compat.v2.estimator"):
        return None
    known = rewrites.rewrite_of(name.replace("tensorflow.compat.v2.", "tensorflow."))
    if isinstance(known, rewrites.Stays):
        return Target(None, ESTIMATOR, known)
    to = ESTIMATOR_OF_TF2 + name.partition(".estimator")[2]
    return Target(to, ESTIMATOR, rewrites.Runtime(to))


#: What the runtime has of Keras 2.2.4.
_STANDALONE = "tfgraphtools.tf1.libraries.keras."


def _beside_tf_keras(rewrite):
    """Returns the `Runtime`, under TensorFlow's name, of what works on models of tf_keras."""
    inner_name = rewrite.to[len(_STANDALONE) :]
    # TF 1.15 has it there.
    inner_name = inner_name.replace("utils.training_utils", "utils.multi_gpu_utils")
    owner = "keras" if is_row(row_of(f"tensorflow.keras.{inner_name}")) else "python.keras"
    return rewrites.Runtime(rewrites.runtime_name(f"tensorflow.{owner}.{inner_name}"))


def _lost_by_tf2(name):
    """Returns the `Target` of a name that TF 2.1 or later lost, where it is a mere renaming."""
    row = _rows().get(name)
    since = getattr(row and row[0], "since", None) or ""
    rewrite = rewrites.rewrite_of(name)
    if not isinstance(rewrite, rewrites.Rename) or not re.match(r"TF 2\.[1-9]", since):
        return None
    return Target(rewrite.to, name, rewrite)


def _moved(name):
    if not lies_in(name, "tensorflow") or is_inner(name):
        return None
    return Target(V1 + name[len("tensorflow") :], IMPORT)


def has_old_flags(text):
    """Tells whether source treats flags as absl does not let it; see `rewrites.Runtime.pattern`."""
    pattern = rewrites.rewrite_of("tensorflow.app.flags").pattern
    for match in re.finditer(pattern, text):
        flag = match.groupdict().get("flag")
        if flag is None or not re.search(rf"DEFINE_\w+\(\s*[\"']{flag}[\"']", text):
            return True
    return False


def is_inner(name):
    """Tells whether a dotted name lies in TensorFlow's own sources, outside of its API."""
    return lies_in(name, *_INNER)


@functools.lru_cache(maxsize=None)
def _rows():
    return {row.name: (row, table) for table in rows.tables() for row in table.rows}


def is_conditional(name):
    """Tells whether a function is there today, and only some ways to call it are old ones."""
    row = _rows().get(name)
    if row is None or row[1].kind != "calls":
        return False
    return isinstance(rewrites.rewrite_of(name), rewrites.Runtime)


def _is_plumbing(name):
    """Tells whether a row only serves `run`: it names no version since which anything fails."""
    row = _rows().get(name)
    return row is not None and row[0].since is None


def row_of(name):
    """Returns the name of the row that is about a dotted name or about what it lies in."""
    owner = name
    while owner:
        if owner in _rows():
            return owner
        owner = owner.rpartition(".")[0]
    return next((package for package in rewrites.PACKAGES if lies_in(name, package)), name)


def is_row(name):
    """Tells whether a row has this name."""
    return name in _rows()


def why(fix):
    """Returns the line that a row says of itself; empty for a fix that is no row."""
    row = _rows().get(fix)
    return row[0].why if row else ""


#: What TensorFlow takes from tf_keras.
_LEGACY_KERAS = tuple(
    f"{root}.{name}"
    for root in ("tensorflow", "tensorflow.compat.v1")
    for name in ("layers", "keras", "nn.rnn_cell")
)


def is_of_legacy_keras(name):
    """Tells whether a dotted name is one that TensorFlow takes from tf_keras."""
    return lies_in(name, *_LEGACY_KERAS)
