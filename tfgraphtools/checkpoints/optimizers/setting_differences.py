"""The settings of a new optimizer beside those that TF 1's had: compared once, for every target."""

import collections

from tfgraphtools.checkpoints.optimizers.hyperparameters import keras_arguments

_EXACT = 1e-6  # of a float32 and the number that was written

#: A setting that differs: ``wanted`` is None where nothing says what TF 1's was; ``source``: the
#: file that says it, None for TF 1's default; ``several``: the numbers, if the file says several.
Difference = collections.namedtuple("Difference", "name own wanted source several")


def differences(own, wanted, hyper):
    """Compares the settings of a new optimizer with those under which TF 1's goes on.

    The learning rate is not compared: it goes to the new optimizer.

    Args:
      own: {name: number} of the new optimizer, under any library's names.
      wanted: {the same name: number, or None where TF 1 has no default}.
      hyper: the `Hyper` that a file says, by the same names.

    Returns:
      A list of `Difference`.
    """
    differing = []
    for name, value in own.items():
        if name not in wanted or name in ("learning_rate", "initial_accumulator_value"):
            continue
        several = hyper.several.get(name, ())
        source = hyper.source if name in hyper.values or several else None
        if several or wanted[name] is None:
            differing.append(Difference(name, value, None, source, tuple(several)))
        elif abs(float(value) - float(wanted[name])) > _EXACT * abs(float(wanted[name])):
            differing.append(Difference(name, value, wanted[name], source, ()))
    return differing


def words(difference, class_name, kind):
    """Returns a `Difference` as a sentence about an optimizer of some class."""
    start = f"{class_name}: {difference.name} is {_number(difference.own)}"
    if difference.several:
        listed = " and ".join(map(_number, difference.several))
        return f"{start}; it is {listed} in {difference.source}, by variable"
    if difference.wanted is None:
        return f"{start}; no file says what TF 1's {kind} had (--meta)"
    if difference.source is not None:
        return f"{start}; it is {_number(difference.wanted)} in {difference.source}"
    return (
        f"{start}; TF1's {kind} goes on the same with {_number(difference.wanted)}, unless its "
        "code set another"
    )


def of_kind(hyper, defaults):
    """Returns a `Hyper` with those names that a kind of optimizer has: TF 1's or Keras's.

    Args:
      hyper: the `Hyper` of a graph, under TF 1's names.
      defaults: {name: default} of the kind.
    """

    def named(numbers):
        by_keras = keras_arguments(numbers)
        return {name: by_keras.get(name, numbers.get(name)) for name in defaults} if numbers else {}

    values = {n: v for n, v in named(hyper.values).items() if v is not None}
    several = {n: v for n, v in named(hyper.several).items() if v is not None}
    source = hyper.source if values or several else None
    return hyper._replace(values=values, source=source, several=several)


def _number(value):
    return f"{value:.7g}" if isinstance(value, (int, float)) else repr(value)
