"""Steps that are left out where a gradient is not finite: what is checked, and how."""

import contextlib

from tfgraphtools import _tf
from tfgraphtools._tf import tf
from tfgraphtools.training.steps import distributed as _distributed
from tfgraphtools.training.steps import indexed_slices as _slices
from tfgraphtools.training.steps import optimizer_chain as _optimizers

#: The ``slots=`` of the `FreezeOptimizer`s under which no state sees a frozen element's gradient.
_UNSEEN = ("keep", "reset", "compact")


class Checks:
    """The gradients of one step that must be finite, as `look_ahead` of the wrappers finds them.

    Attributes:
      is_inside: True while the wrappers inside a `SkipNonFiniteOptimizer` look ahead.
      are_scaled_later: True while those look ahead whose gradients the step scales first.
    """

    def __init__(self, is_inside=False):
        self.is_inside = is_inside
        self.are_scaled_later = False
        self._checked = []  # (gradient, `Update` of its variable)

    def __bool__(self):
        return bool(self._checked)

    @contextlib.contextmanager
    def inside(self):
        """Checks the transformed gradients, too, while open."""
        outer, self.is_inside = self.is_inside, True
        yield
        self.is_inside = outer

    @contextlib.contextmanager
    def scaled_later(self):
        """Tells, while open, that what is made of the gradients is not what the step makes."""
        outer, self.are_scaled_later = self.are_scaled_later, True
        yield
        self.are_scaled_later = outer

    def add(self, step, pairs):
        """Adds the gradients of some pairs but those of variables that stay as a whole."""
        for grad, variable in pairs:
            update = step.update_of(variable)
            is_left_alone = bool(_optimizers.wrapped_by(update.chain[-1]))  # no leaf trains it
            is_frozen = any(_is_known_to_freeze_all(mask) for mask in _unseen(update))
            if grad is not None and not is_left_alone and not is_frozen:
                self._checked.append((_distributed.together(grad), update))

    def all_finite(self):
        """Returns a scalar bool tensor: every element is finite but those that are frozen.

        A sum is finite only if all of its terms are, and takes one pass over them. Where it is
        not, it may have overflowed, and frozen elements count: then each element is looked at.
        """
        values = [_as_float(_slices.values_of(grad)) for grad, _ in self._checked]
        sums = []
        for tensor in values:
            with _tf.colocate_with(tensor.op):
                total = tf.reduce_sum(tensor)
                if tensor.dtype.is_complex:
                    total = tf.math.real(total) + tf.math.imag(total)
                sums.append(tf.cast(total, tf.float32))
        is_sum_finite = tf.math.is_finite(tf.add_n(sums), name="is_sum_finite")
        no, yes = tf.raw_ops.Switch(data=is_sum_finite, pred=is_sum_finite)
        with tf.control_dependencies([tf.identity(no, name="look_closer")]):
            each = [_is_finite(x, *pair) for x, pair in zip(values, self._checked)]
            each = tf.reduce_all(tf.stack(each))
        return tf.raw_ops.Merge(inputs=[yes, each]).output


def _is_finite(values, grad, update):
    with _tf.colocate_with(values.op):
        rows = grad.indices if isinstance(grad, tf.IndexedSlices) else None
        finite = _both_finite(values) if values.dtype.is_complex else tf.math.is_finite(values)
        finite = update.unless_frozen(finite, tf.ones_like(finite), rows, _UNSEEN)
        return tf.reduce_all(finite)


def _both_finite(values):
    """Checks as `is_finite` does, for complex numbers, for which TensorFlow has none."""
    return tf.logical_and(*map(tf.math.is_finite, (tf.math.real(values), tf.math.imag(values))))


def _unseen(update):
    masked = zip(update.freezers, update.frozen)
    return [mask for freezer, mask in masked if freezer.slots_of_frozen in _UNSEEN]


def _is_known_to_freeze_all(mask):
    array = mask.array()
    return array is not None and array.all()


def _as_float(values):
    """Returns the values in a dtype that has sums and rarely overflows."""
    dtype = values.dtype.base_dtype
    return values if dtype.size >= 4 else tf.cast(values, tf.float32)
