"""Options of compat."""

from typing import Any, NamedTuple, Optional, Tuple


class Options(NamedTuple):
    """The choices of one run.

    Fields:
      packages: installed packages that are to be treated as user code.
      without: names of the fixes to disable; a library ("pandas") or a pattern ("pandas.*")
        stands for all of its fixes.
      libraries: "today" to disable every fix outside of TensorFlow, Keras and Python.
      per_file: pairs (pattern of an absolute path, names as in `without`): fixes to disable in
        these files alone. ``"libraries=today"`` may stand among the names.
      seeds: "tf1" for the seeds that TF 1.15 derives, None for those of today.
      show_plots: whether matplotlib may open windows; None to find out.
      modern_packages: packages that get the real TensorFlow, wherever they lie and
        whatever their source looks like.
      v2_behavior: whether TF 2's behaviour stays on for code that imports only
        ``tensorflow.compat.v1``; else it gets graph mode, as on TF 1.15.
      tells_versions: whether one line on stderr says that a library is newer than the code.
      python2: whether user code that Python 3 can parse was written for Python 2, too.
      tf2: whether the ``tensorflow`` of user code is TF 2's, eager, with ``tf.estimator``.
      quiet: whether no notices are printed: what a run cannot do as TF 1.15 did, packages that it
        takes for code of TF 1, fixes that it cannot apply.
    """

    packages: Tuple[str, ...] = ()
    without: Tuple[str, ...] = ()
    libraries: Optional[str] = None
    per_file: Tuple[Tuple[str, Tuple[str, ...]], ...] = ()
    seeds: Optional[str] = None
    show_plots: Optional[bool] = None
    modern_packages: Tuple[str, ...] = ()
    v2_behavior: bool = False
    tells_versions: bool = False
    python2: bool = False
    quiet: bool = False
    tf2: bool = False


def of_json(fields: Any) -> Options:
    """Returns the `Options` of ``options._asdict()`` that went through JSON."""
    return Options(**{name: _as_tuples(value) for name, value in fields.items()})


def _as_tuples(value):
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value
