"""Graphs in Sessions, as functions of arrays."""

import re

from tfgraphtools.checkpoints.graphs import graph_imports
from tfgraphtools.errors import GraphExportError

#: Lines of TensorFlow's errors that say where.
_PLACE = re.compile(r"\s*$|Graph execution error|Detected at node|\s*File |Node: |\s*\[\[|\d+ root")


class SessionRuns:
    """Runs of a graph in a Session.

    Args:
      place: the file of the graph, for errors.
      session: a `Session`.
      inputs, outputs: {name: tensor}.
      initializers: ops to run once, such as those of tables.

    Attributes:
      timeouts: how many runs were stopped.
    """

    def __init__(self, place, session, inputs, outputs, initializers=()):
        self._place, self._session, self.timeouts = place, session, 0
        self._inputs, self._outputs = inputs, outputs
        self._run([session.graph.get_operation_by_name(name) for name in initializers], {})

    def __call__(self, arrays, seconds=None):
        """Returns {name: array} of the outputs; a run that takes longer is stopped, an error."""
        feed = {self._inputs[name]: array for name, array in arrays.items()}
        return self._run(dict(self._outputs), feed, seconds)

    def _run(self, fetches, feed, seconds=None):
        from tensorflow import errors
        from tensorflow.compat import v1

        options = None if seconds is None else v1.RunOptions(timeout_in_ms=int(seconds * 1000))
        try:
            return self._session.run(fetches, feed, options=options)
        except errors.DeadlineExceededError as error:
            self.timeouts += 1
            raise self._refused(f"a run that did not end within {seconds:.0f} s") from error
        except (errors.OpError, ValueError, TypeError) as error:
            raise self._refused(reason_of(error)) from error

    def _refused(self, problem):
        return GraphExportError(
            self._place,
            "inputs that the graph runs on",
            problem,
            "Pass samples: a .npz with an array for every input (--samples data.npz), or give "
            "the sizes of the inputs: --shape x=1,224,224,3.",
        )


def of_part(part, session):
    """Returns the `SessionRuns` of a part with inputs, outputs and initializers, in its Session."""
    return SessionRuns(part.place, session, part.inputs, part.outputs, part.initializers)


def reason_of(error):
    """Returns the line of an error that says what happened, not where."""
    lines = str(getattr(error, "message", error)).strip().split("\n")
    telling = [line.strip() for line in lines if not _PLACE.match(line)]
    return (telling or lines)[0].rstrip(".")


def imported(tf, graph_def, place):
    """Returns a Session of a GraphDef.

    Raises:
      GraphExportError: TensorFlow cannot import it.
    """
    graph = tf.compat.v1.Graph()
    with graph.as_default(), graph_imports.importing(place):
        tf.compat.v1.import_graph_def(graph_def, name="")
    return tf.compat.v1.Session(graph=graph)
