"""The side of a graph that trains: what is written for two modes, and what it is compared with."""

import contextlib

from tfgraphtools.checkpoints.graphs import graph_parts
from tfgraphtools.errors import GraphExportError
from tfgraphtools.graphs.converting.source_graphs import SourceGraph
from tfgraphtools.graphs.source_code import simplifying, training_comparisons
from tfgraphtools.graphs.source_code.ir import ir_reading


class TrainingSide:
    """A graph as it trains.

    Attributes:
      program: a simplified `Program` that infers, and says what a training step does besides.
      modes: its `two_modes.Modes`.
    """

    def __init__(self, program, modes, export, part, session):
        self.program, self.modes = program, modes
        self._original = export, part, session

    def runs(self, comparisons):
        """Returns the `TrainingRuns` of the inputs of some comparisons."""
        return training_comparisons.TrainingRuns(*self._original, comparisons)

    def words(self, mode):
        """Returns, in words, what the modes differ in.

        Args:
          mode: how a user chooses training mode.
        """
        dropouts, averages = len(self.modes.dropouts), len(self.modes.rates)
        words = f"layers of dropout: {dropouts}; moving averages: {averages}"
        return f"{mode} is written, too: {words}"


@contextlib.contextmanager
def opened(graph, path, outputs, inputs, options):
    """Gives (`TrainingSide` or None, why there is none although the graph has one).

    Args:
      graph: the `SourceGraph` that infers.
      path, outputs, inputs, options: what it was made of.
    """
    with contextlib.ExitStack() as stack:
        try:
            yield _opened(stack, graph, (path, outputs, inputs, options)), ""
        except _Refused as refused:
            yield None, refused.reason


class _Refused(Exception):
    def __init__(self, reason):
        super().__init__(reason)
        self.reason = reason


def _opened(stack, graph, arguments):
    try:
        both = SourceGraph(*arguments, graph_parts.BOTH)
        modes = both.part.modes
        if not modes.dropouts and not modes.rates:
            return None
        program = _program(both)
        trains = SourceGraph(*arguments, graph_parts.WITHOUT_DROPOUT)
        if not graph.part.inputs == both.part.inputs == trains.part.inputs:
            raise _Refused("it has other inputs")
        export = stack.enter_context(trains.export())
        session = stack.enter_context(export.session())
    except GraphExportError as error:
        raise _Refused(reason_of(error)) from error
    return TrainingSide(program, modes, export, trains.part, session)


def _program(graph):
    with graph.export() as export, export.session() as session:
        program = ir_reading.read(session, graph.part, export.values)
    simplifying.simplify(program)
    return program


def reason_of(error):
    """Returns what an error got, in words."""
    return str(getattr(error, "got", error))
