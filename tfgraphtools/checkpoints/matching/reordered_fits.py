"""The fit of two units one of which has the axes of a map in another order along a flat axis."""

import numpy as np

#: How far the order of a side reaches: the rows of a recurrent state follow those of the inputs.
_SIDES = {"rows": -2, "inputs": -2, "columns": -1}


def reordered(fit, axes):
    """Returns a `Fit` that reorders axes of its tensors before it converts them.

    Args:
      fit: a `Fit` of either target.
      axes: {argument: {"rows", "columns" or "inputs": (numbers of the elements in the
        new order, words that say what is done)}}.
    """

    def changed(arrays, is_back):
        return {
            argument: _changed(array, axes.get(argument, {}), is_back)
            for argument, array in arrays.items()
        }

    def convert(arrays):
        return fit.convert(changed(arrays, False))

    def convert_slots(arrays):
        return fit.convert_slots(changed(arrays, False))

    def back(arrays):
        return changed(fit.back(arrays), True)

    steps = dict(fit.steps)
    for argument, sides in axes.items():
        for side, (_, words) in sides.items():
            steps[argument] = "; ".join(filter(None, [steps.get(argument), f"{side} {words}"]))
    return fit._replace(
        convert=convert,
        convert_slots=convert_slots if fit.convert_slots else None,
        back=back if fit.back else None,
        steps=steps,
    )


def _changed(array, sides, is_back):
    array = np.asarray(array)
    for side, (order, _) in sides.items():
        axis = array.ndim + _SIDES[side]
        if side == "inputs":
            order = np.append(order, np.arange(len(order), array.shape[axis]))
        array = np.take(array, np.argsort(order) if is_back else order, axis=axis)
    return array
