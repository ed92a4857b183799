"""Outputs of an original graph: for ordinary numbers, for other sizes, and at corners."""

import time

from tfgraphtools.errors import GraphExportError
from tfgraphtools.graphs.comparing import corner_inputs, output_differences, random_inputs
from tfgraphtools.graphs.comparing.output_differences import Comparison
from tfgraphtools.graphs.converting import input_shapes

ANOTHER_SIZE = "random numbers of another size"

#: Seconds for a run on ordinary inputs, and at least for one at a corner: a loop may never end.
_MOST_SECONDS, _CORNER_SECONDS = 600, 30

#: Other sizes of axes behind the first one than the ordinary ones.
_OTHER_SIZES = (5, 12, 56, 256)


def comparisons(original, part, samples):
    """Returns a list of `Comparison`: the first attempt that a graph accepts, and corners.

    Args:
      original: its `session_runs.SessionRuns`.
      part: the `graph_parts.GraphPart` that it runs.
      samples: {name: array} of the user, the only inputs then; or None.
    """
    described = input_shapes.described(part.meta.graph_def, part.inputs)
    if samples is not None:
        runs = random_inputs.of_samples(samples, described)
        return [Comparison("the samples", runs, [original(run) for run in runs])]
    start = time.monotonic()
    ordinary = first_accepted(original, random_inputs.attempts(described), "random numbers")
    seconds = max(_CORNER_SECONDS, 20 * (time.monotonic() - start))
    return [ordinary, *_corners(original, part, ordinary.runs[0], seconds)]


def at_two_sizes(original, part, samples):
    """Returns the same, with another size for each axis that has any."""
    ordinary = comparisons(original, part, samples)
    described = input_shapes.described(part.meta.graph_def, part.inputs)
    shapes = [shape for _, shape in described.values()]
    if samples is not None or all(shape is not None and None not in shape[1:] for shape in shapes):
        return ordinary
    attempts = random_inputs.attempts(described, _OTHER_SIZES)
    try:
        other = first_accepted(original, attempts, ANOTHER_SIZE)
    except GraphExportError:  # such as a graph of one size alone, whose placeholder does not say it
        return ordinary
    return [ordinary[0], other, *ordinary[1:]]


def first_accepted(original, attempts, words):
    """Returns the `Comparison`, of these words, of the first runs that a graph accepts, in time."""
    problem = None
    for runs in attempts:
        try:
            return Comparison(words, runs, [original(run, _MOST_SECONDS) for run in runs])
        except GraphExportError as error:
            problem = error
            if original.timeouts:
                break
    raise problem


def _corners(original, part, run, seconds):
    """Yields a `Comparison` for each corner whose inputs the graph accepts, and ends on in time."""
    expected = []

    def accepts(arrays):
        if original.timeouts > 1:
            return False
        try:
            expected.append(original(arrays, seconds))
        except GraphExportError:
            return False
        return True

    any_size = corner_inputs.of_any_size(part.meta.graph_def, part.inputs)
    for words, arrays in corner_inputs.at_corners(run, accepts, any_size):
        yield Comparison(output_differences.CORNER + words, [arrays], [expected[-1]])
