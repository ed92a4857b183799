"""The values of a part of a graph: where a checkpoint has them, and how a Session gets them."""

from tfgraphtools.checkpoints.format.extents import lengths, resolve
from tfgraphtools.checkpoints.format.wire import reading
from tfgraphtools.errors import GraphExportError, nearest


class GraphValues:
    """The value of every variable of a part of a graph.

    Args:
      ckpt: an open checkpoint.
      part: a `graph_parts.GraphPart`.

    Raises:
      GraphExportError: a variable is not in the checkpoint, or of another shape.
    """

    def __init__(self, ckpt, part):
        self._ckpt, self._part = ckpt, part
        self._places = self._matched_places()

    def __len__(self):
        return len(self._places)

    def size(self):
        """Returns the bytes of all."""
        return sum(self._ckpt.store.summary(name)[2] or 0 for name, _ in self._places.values())

    def _matched_places(self):
        """Returns {variable: (name in the checkpoint, index or None)}; checks shapes."""
        places, missing, misfits = {}, [], []
        nodes = {node.name: node for node in self._part.meta.graph_def.node}
        for variable in self._part.variables:
            name, spec = self._part.names.get(variable, (variable, ""))
            if name not in self._ckpt:
                missing.append(name)
                continue
            bounds = _bounds(spec, self._part.place)
            tensor = self._ckpt.tensor(name)
            shape = tensor.shape if bounds is None else lengths(bounds)
            wanted = nodes[variable].attr["shape"].shape
            sizes = tuple(dimension.size for dimension in wanted.dim)
            if not wanted.unknown_rank and not _fits(shape, sizes):
                misfits.append(f"{name} of shape {list(shape)}, not {list(sizes)}")
            places[variable] = name, bounds and tuple(slice(*bound) for bound in bounds)
        if missing or misfits:
            raise self._lacking(missing, misfits)
        return places

    def _lacking(self, missing, misfits):
        near = nearest(missing[0], self._ckpt) if missing else []
        return GraphExportError(
            self._ckpt.prefix,
            "every variable that the outputs need, {}".format(
                ", ".join(missing[:8] or ["in its shape"])
            ),
            "; ".join(misfits[:8]) or "none of these names",
            "Like {}? 'tfgraphtools ckpt doctor --graph {}' proposes renames.".format(
                " or ".join(near), self._part.place
            )
            if near
            else f"'tfgraphtools ckpt doctor --graph {self._part.place}' compares the two.",
        )

    def place(self, variable):
        """Returns (the name of a variable in the checkpoint, its slices there or None)."""
        return self._places[variable]

    def read(self, variable):
        """Returns the value of a variable, an array of the dtype that the checkpoint has."""
        name, index = self._places[variable]
        return self._ckpt.read(name, index, check=True)

    def restore(self, session):
        """Gives the variables of a Session's graph their values, one after the other."""
        graph, part = session.graph, self._part
        for variable in self._places:
            initializer = graph.get_operation_by_name(part.variables[variable].initializer_name)
            fed = graph.get_tensor_by_name(part.value_of(variable))
            value = self.read(variable)
            session.run(initializer, {fed: value.astype(fed.dtype.as_numpy_dtype)})


def _bounds(spec, place):
    """Returns a restored slice's bounds, ``"7 3 0,3:-"``; None for a whole tensor."""
    if not spec:
        return None
    words = spec.split(" ")
    extents = []
    for word in words[-1].split(":"):
        start, _, length = word.partition(",")
        extents.append((0, None) if word == "-" else (int(start), int(length)))
    with reading(place):
        return resolve(tuple(extents), tuple(map(int, words[:-1])))


def _fits(shape, wanted):
    return len(shape) == len(wanted) and all(w in (-1, s) for s, w in zip(shape, wanted))
