"""Every error that this library raises: one base class, one class per user mistake.

A message has four parts, always in this order: where it happened, what was
expected, what it got instead, and the next step. Catch `TfgraphtoolsError` for all of them;
each class also derives from the built-in error that fits it.
"""

from typing import Iterable, List, Sequence


def nearest(name: object, names: Iterable[str], most: int = 3) -> List[str]:
    """Returns the names that look most like a name: first those that end with it.

    Args:
      name: what somebody wrote.
      names: those that there are.
      most: how many to return at most.

    Example:
      >>> nearest("kernle", ["bias", "kernel"])
      ['kernel']
    """
    import difflib  # here: not at the start of every program

    asked, known = str(name), list(names)
    ends = [candidate for candidate in known if candidate.endswith("/" + asked)]
    return ends[:most] or difflib.get_close_matches(asked, known, n=most, cutoff=0.6)


def did_you_mean(near: Sequence[str]) -> str:
    """Returns the question about names that may be meant, or "" if there is none.

    Example:
      >>> did_you_mean(["kernel", "kernels"])
      "Did you mean 'kernel' or 'kernels'?"
    """
    return "Did you mean {}?".format(" or ".join(map(repr, near))) if near else ""


class TfgraphtoolsError(Exception):
    """The base of every error raised by tfgraphtools.

    Args:
      place: where it happened: the call, argument, file or variable.
      expected: what the call can work with.
      got: what it got instead.
      next_step: how to fix it; it shows the corrected call where an argument is the fix.

    The four parts are attributes of the same names.
    """

    def __init__(self, place: object, expected: object, got: object, next_step: object) -> None:
        super().__init__(place, expected, got, next_step)
        self.place = place
        self.expected = expected
        self.got = got
        self.next_step = next_step

    def __str__(self) -> str:  # KeyError would print the repr of its arguments
        return f"{self.place}: expected {self.expected}, got {self.got}. {self.next_step}"


# Selecting variables and ops ------------------------------------------------


class NothingMatchedError(TfgraphtoolsError, LookupError):
    """A selector, key or pattern matched no variable or op."""

    #: The advice below a pattern, whatever it was to match.
    ADVICE = "A pattern must match the whole name."

    @classmethod
    def next_step_after(cls, near: Sequence[str], advice: str = ADVICE) -> str:
        """Returns the next step: what may be meant, and how names are matched."""
        hint = did_you_mean(near)
        return f"{hint} {advice}" if hint else advice


class MatchedTwiceError(TfgraphtoolsError, ValueError):
    """A variable or op was matched by two selectors that exclude each other."""


class NoGroupError(TfgraphtoolsError, ValueError):
    """A variable to be trained belongs to no group."""


class SelectorError(TfgraphtoolsError, TypeError):
    """A selector is of a kind that cannot select anything."""


# Arguments ------------------------------------------------------------------


class ArgumentError(TfgraphtoolsError, ValueError):
    """An argument has a value that the call cannot work with."""


class SwitchError(ArgumentError):
    """A name that no fix has: in a command, a configuration or a comment."""


# The command line -----------------------------------------------------------


class UsageError(TfgraphtoolsError, ValueError):
    """The arguments of a command line do not fit the command."""


class MissingExtraError(TfgraphtoolsError, ImportError):
    """An optional package is needed for this one thing and is not installed."""


class UnsupportedVersionError(TfgraphtoolsError, RuntimeError):
    """The installed TensorFlow or Python is of a version that this does not support."""


# Training -------------------------------------------------------------------


class OptimizerKindError(TfgraphtoolsError, TypeError):
    """An optimizer is of a kind that this cannot be done with."""


class MaskError(TfgraphtoolsError, ValueError):
    """A mask of frozen elements is not boolean, or does not broadcast to its variable."""


class TransformError(TfgraphtoolsError, ValueError):
    """A gradient transform returned other variables, or gradients that do not fit them."""


class FrozenMovedError(TfgraphtoolsError, AssertionError):
    """An element that was frozen changed."""


# Gradients --------------------------------------------------------------------


class UnusedOverrideError(TfgraphtoolsError, LookupError):
    """A gradient override reached no op."""


class UnreachableOverrideError(TfgraphtoolsError, ValueError):
    """An op is where no gradient override can reach it."""


class GradientFunctionError(TfgraphtoolsError, TypeError):
    """The value passed as a gradient function is not one, or its name is taken."""


class UnknownGradientError(TfgraphtoolsError, LookupError):
    """No gradient function is registered by the name that an op or a call uses."""


class WrongGradientError(TfgraphtoolsError, ValueError):
    """A gradient function returned gradients of the wrong number, dtype or shape."""


class ReplaceError(TfgraphtoolsError, ValueError):
    """A graph cannot be built again with another value without reading the old one."""


class GraphFileError(TfgraphtoolsError, ValueError):
    """A file holds no graph that TensorFlow can load."""


class GradientCheckError(TfgraphtoolsError, AssertionError):
    """A gradient that was checked against numbers is wrong."""


class SecondOrderError(TfgraphtoolsError, NotImplementedError):
    """TensorFlow has no second derivative of a part of the graph."""


class ProbeError(TfgraphtoolsError, ValueError):
    """A gradient cannot be probed without disturbing the training, or its data is not fed."""


# Checkpoints ----------------------------------------------------------------


class CheckpointNotFoundError(TfgraphtoolsError, FileNotFoundError):
    """A path leads to no checkpoint, or a shard of one is missing."""


class DamagedCheckpointError(TfgraphtoolsError, ValueError):
    """The bytes of a file contradict its format, its checksums or its index."""


class TensorNotFoundError(TfgraphtoolsError, KeyError):
    """A checkpoint has no tensor of this name."""


class UnreadableTensorError(TfgraphtoolsError, TypeError):
    """A tensor is of a kind that has no array: a variant or a resource."""


class PlanError(TfgraphtoolsError, ValueError):
    """A plan contradicts itself or the checkpoint that it is for."""


class CollisionError(PlanError):
    """Two sources of a plan meet in one target."""


class CastError(PlanError):
    """A cast would change values beyond rounding: overflow, underflow, or wrapping."""


class DestinationError(TfgraphtoolsError, OSError):
    """The destination of a write is taken, is the source, or cannot hold the result."""


class RemoteError(TfgraphtoolsError, OSError):
    """A server does not answer, or not with what was asked for."""


class SourceChangedError(TfgraphtoolsError, RuntimeError):
    """Someone wrote to a checkpoint while it was being read."""


class GraphExportError(TfgraphtoolsError, ValueError):
    """A graph cannot become a SavedModel or a frozen graph: removed ops, missing values, inputs."""


class DifferentOutputsError(TfgraphtoolsError, AssertionError):
    """A converted graph does not compute what the original does.

    ``differences`` lists (name, difference, largest, relative, inputs, limit) of each output.
    """

    differences: Sequence[tuple]


# Keras models -----------------------------------------------------------------


class UnmatchedError(PlanError):
    """Weights of a model and tensors of a checkpoint are not certain to belong together."""


class ModelError(TfgraphtoolsError, ValueError):
    """The value passed as a Keras model is none, or cannot be loaded, built or written."""


# Contrib and the estimator of TF 1.15 -------------------------------------------


class LegacyInstallError(TfgraphtoolsError, OSError):
    """The Python of TF 1.15's contrib cannot be fetched, checked or kept."""


class LegacyMissingError(TfgraphtoolsError, ImportError):
    """A script needs the Python of TF 1.15's contrib, and it is not installed."""


class GoneKernelError(TfgraphtoolsError, RuntimeError):
    """A thing of contrib that needs C++ code which no TensorFlow after 1.15 has."""


# Data of old scripts --------------------------------------------------------


class MissingDataError(TfgraphtoolsError, FileNotFoundError):
    """A data set that an old script downloaded is not among the local files."""
