"""The value of an average that nothing has started: NaN, with bits that no arithmetic makes.

An average is one once a step has set it to its variable, or a ``Saver`` has restored it. The
value itself tells, whatever was restored beside it: a new variable's average is new.
"""

import functools
from typing import Callable, List, Optional, Sequence, Tuple

import numpy as np

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf
from tfgraphtools.errors import ArgumentError
from tfgraphtools.training import _types
from tfgraphtools.training.steps import half_states as _half_states

#: {real dtype: its bits}. A quiet NaN: the first mantissa bit alone is that of arithmetic.
_BITS = {
    "float16": 0x7F46,
    "bfloat16": 0x7FD6,
    "float32": 0x7FD74767,
    "float64": 0x7FF8007467667470,
}
_REAL = {"complex64": "float32", "complex128": "float64"}


def fill(variable: _types.Variable, dtype: tf.DType, constant: Callable = tf.constant) -> tf.Tensor:
    """Returns the initial value of an average of a variable.

    Args:
      variable: of any shape; of a mirrored variable one copy.
      dtype: of the average.
      constant: `tf.constant`, or the same with a cache: a step may have thousands of variables.

    Raises:
      ArgumentError: the graph knows neither the variable's shape nor its initial value; it is
        of integers.
    """
    name = _real_name(dtype)
    if name not in _BITS:
        raise ArgumentError(
            f"the average of {_select.listing([variable])}",
            "a variable of floating-point or complex numbers",
            name,
            "Leave it out by a selector.",
        )
    number = _bits_as_number(name, constant)
    mark = tf.raw_ops.Bitcast(input=number, type=name)
    if dtype.is_complex:
        mark = tf.complex(mark, mark)
    return tf.fill(_shape(variable, constant), mark, name="unstarted")


def are(averages: Sequence[_types.Variable], constant: Callable) -> List[tf.Tensor]:
    """Tells, as scalar tensors, which averages nothing has started, by their first elements.

    Args:
      averages: variables.
      constant: `tf.constant` with a cache.
    """
    by_dtype = {}
    for place, average in enumerate(averages):
        by_dtype.setdefault(average.dtype.base_dtype, []).append(place)
    told = {}
    for dtype, places in by_dtype.items():
        firsts = [_first(averages[place], constant) for place in places]
        firsts = tf.stack(firsts) if len(firsts) > 1 else firsts[0]
        firsts = tf.math.real(firsts) if dtype.is_complex else firsts
        number = _bits_as_number(_real_name(dtype), constant)
        are_new = tf.equal(tf.raw_ops.Bitcast(input=firsts, type=number.dtype), number)
        told.update(zip(places, tf.unstack(are_new) if len(places) > 1 else [are_new]))
    return [told[place] for place in range(len(averages))]


def array_is(array: np.ndarray) -> bool:
    """Tells of an array, fetched from an average, whether nothing has started it."""
    first = np.ravel(array)[:1]
    name = _real_name(tf.as_dtype(first.dtype))
    kind = _int_of(name).as_numpy_dtype
    return bool((first.real.copy().view(kind) == kind(_BITS[name])).any())


def start(
    looks: _half_states.Looks,
    pairs: Sequence[Tuple[_types.Variable, Callable]],
    kind: str,
    counts: Sequence[Tuple[_types.Variable, Optional[Callable]]],
) -> Tuple[List[tf.Tensor], List[tf.Operation]]:
    """Returns which averages nothing had started, and the ops that start them.

    Args:
      looks: of the step.
      pairs: (average, ``set_where(condition)``), whose op sets it where the scalar is true; None
        is always.
      kind: name of the optimizer's class.
      counts: integer variables without which averages that were restored mean nothing, each with
        a function that tells, as a scalar tensor, where it may be 0 beside them, or None.
    """
    averages = [average for average, _ in pairs]
    firsts = [_tf.components(average)[0] for average in averages]
    new = are(firsts, looks.constants())

    def none_has_begun(may_be_zero):
        # One without elements has no mark, and says nothing.
        told = [
            is_new if _has_elements(average) else tf.logical_or(is_new, _is_empty(average))
            for is_new, average in zip(new, averages)
        ]
        is_none = _tf.all_true(told)
        return is_none if may_be_zero is None else tf.logical_or(is_none, may_be_zero())

    checked = [
        looks.noticed(
            _half_states.Look(kind, count, averages, functools.partial(none_has_begun, may_be_zero))
        )
        for count, may_be_zero in counts
    ]

    def set_all():
        if len(pairs) == 1:
            return pairs[0][1](None)
        return tf.group(*[set_where(is_new) for (_, set_where), is_new in zip(pairs, new)])

    any_new = tf.reduce_any(tf.stack(new), name="any_new") if len(new) > 1 else new[0]
    return new, [*checked, _tf.run_if(any_new, set_all, checked)]


def _has_elements(variable):
    return variable.shape.is_fully_defined() and bool(variable.shape.num_elements())


def _is_empty(variable):
    return tf.equal(tf.size(_tf.components(variable)[0].read_value()), 0)


def _real_name(dtype):
    name = dtype.base_dtype.name
    return _REAL.get(name, name)


def _int_of(name):
    return tf.as_dtype(f"int{8 * tf.as_dtype(name).size}")


def _bits_as_number(name, constant):
    return constant(_BITS[name], _int_of(name))


def _shape(variable, constant):
    if variable.shape.is_fully_defined():
        return constant(tuple(variable.shape.as_list()), tf.int32)
    if variable.initial_value is None:
        raise ArgumentError(
            f"the average of {_select.listing([variable])}",
            "a variable whose shape or initial value is in the graph",
            f"the shape {variable.shape} and no initial value, as in .meta files before TF 1.4",
            "Give it its shape: variable.set_shape([...]), or leave it out by a selector.",
        )
    return tf.shape(variable.initial_value)


def _first(average, constant):
    """Returns the first element as a scalar; 0 where there is none."""
    with _tf.colocate_with(average):
        value, rank = average.read_value(), average.shape.rank
        if rank == 0:
            return value
        if average.shape.is_fully_defined() and average.shape.num_elements():
            zeros, ones = constant((0,) * rank, tf.int32), constant((1,) * rank, tf.int32)
            return tf.raw_ops.StridedSlice(
                input=value, begin=zeros, end=ones, strides=ones, shrink_axis_mask=2**rank - 1
            )
        padded = tf.concat([tf.reshape(value, [-1])[:1], tf.zeros([1], value.dtype)], axis=0)
        return padded[0]
