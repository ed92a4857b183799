"""Float32 weights that an optimizer updates in the place of a variable of half floats."""

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import OptimizerKindError

#: The dtypes of few bits that have master weights.
HALVES = (tf.float16, tf.bfloat16)


class MasterWeight:
    """A float32 twin of a variable of half floats.

    An element of it counts as long as it rounds to the variable's: not after a restore or an
    assignment of the variable alone. It begins again there, from the variable.

    Args:
      variable: of half floats.
      weights: the float32 variable of its shape.
    """

    def __init__(self, variable, weights):
        self.variable, self.weights = variable, weights

    def updated(self, update, build):
        """Returns the op of ``build(weights)``, and of rounding its result to the variable.

        Frozen elements keep the bits of both.

        Args:
          update: the variable's `Update`.
        """
        with v1.name_scope("master_weight"):
            wide = self.weights.read_value()
            now = update.unless_frozen(self._current(wide), wide)
            started = v1.assign(self.weights, now)
            with _tf.after([getattr(started, "op", started)]):
                with _tf.read_while_open(self.weights):
                    changed = build(self.weights)
            with _tf.after([getattr(changed, "op", changed)]):
                old = self.variable.read_value()
                new = tf.cast(self.weights.read_value(), old.dtype)
                return v1.assign(self.variable, update.unless_frozen(new, old))

    def _current(self, wide):
        """Returns the weights, those of the variable where they do not round to it."""
        value = self.variable.read_value()
        counts = tf.equal(_bits(tf.cast(wide, value.dtype)), _bits(value))
        return _tf.select(counts, wide, tf.cast(value, wide.dtype))


def _bits(halves):
    return tf.bitcast(halves, tf.int16)


def widened(grad):
    """Returns a gradient, dense or of rows, in float32."""
    if isinstance(grad, tf.IndexedSlices):
        return tf.IndexedSlices(tf.cast(grad.values, tf.float32), grad.indices, grad.dense_shape)
    return tf.cast(grad, tf.float32)


def check_none(updates, place):
    """Raises where one of the variables has master weights, which this place knows nothing of."""
    variables = [update.variable for update in updates if update.master is not None]
    if variables:
        raise OptimizerKindError(
            f"{place} for {_select.listing(variables)}",
            "variables without master weights",
            "those of a MasterWeightsOptimizer",
            "Leave these variables out of it, by selector= or with PartitionOptimizer.",
        )
