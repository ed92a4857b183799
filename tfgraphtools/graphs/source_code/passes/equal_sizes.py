"""Symbols that must be equal for any input: a reshape keeps the number of elements."""

from tfgraphtools.graphs.source_code.ir import loop_values, shape_rules
from tfgraphtools.graphs.source_code.ir import symbolic_sizes as sizes
from tfgraphtools.graphs.source_code.passes import loop_variables


def unify(program, assumes=False):
    """Replaces symbols by equal ones in all dims and contents of a program.

    Args:
      program: a `Program`.
      assumes: whether two sizes of inputs that an op broadcasts are taken for equal: neither is 1.
        The attribute ``assumed`` of the program gets the pairs of their symbols.
    """
    nodes = program.nodes()
    chosen = _assumed(program, nodes) if assumes else _known(program, nodes)
    program.assumed = chosen.assumed
    if chosen.replacements:
        for value in (value for node in nodes for value in node.outputs):
            _substitute(value, chosen)


def _known(program, nodes):
    """Returns the `_Chosen` of what holds in every run."""
    chosen = _Chosen(program)
    for node in nodes:
        for left, right in _equal(node):
            chosen.equate(left, right)
    return chosen


def _assumed(program, nodes):
    """Returns the `_Chosen` of what holds if sizes of inputs that are broadcast are equal.

    Variables of loops keep their sizes until an iteration is seen to change them.
    """
    changing = set()
    while True:
        chosen = _known(program, nodes)
        chosen.notes = True
        rows = [row for row in _sizes_of_variables(nodes) if row[0] not in changing]
        for _, own, first, _, last in rows:
            chosen.equate(own, first)
            chosen.equate(last, first)
        while _broadcast(nodes, chosen):
            pass
        changed = {
            key for key, own, _, new, _ in rows if chosen.current(own) != chosen.current(new)
        }
        if not changed:
            return chosen
        changing |= changed


def _sizes_of_variables(nodes):
    """Yields (key, size in an iteration, initial size, next size, last size) of loops."""
    for node in nodes:
        if node.op != loop_values.END:
            continue
        for number, row in enumerate(loop_variables.variables(node)):
            dims = [value.dims for value in row]
            if None in dims or len(set(map(len, dims))) != 1:
                continue
            for axis, (own, first, new, last) in enumerate(zip(*dims)):
                if own != first:
                    yield (node, number, axis), own, first, new, last


class _Chosen:
    """Symbols, and those that take their place.

    Attributes:
      replacements: the symbols that are replaced.
      notes: whether sizes of inputs are noted that are taken for equal.
      assumed: list of pairs of their symbols.
    """

    def __init__(self, program):
        self._inputs = set(program.inputs)
        self.replacements = _Links()
        self.notes, self.assumed = False, []

    def current(self, size):
        """Returns a size in the symbols that are kept."""
        return sizes.substituted(size, self.replacements)

    def are_of_inputs(self, *others):
        """Tells whether sizes are those of axes of inputs."""
        kept = map(self.current, others)
        atoms = [size.atoms() if len(size.terms) == 1 else () for size in kept]
        return all(
            len(part) == 1 and isinstance(part[0], sizes.Symbol) and part[0].tensor in self._inputs
            for part in atoms
        )

    def equate(self, left, right):
        """Notes that two sizes are equal; returns whether this says it of two symbols."""
        if left is None or right is None:
            return False
        pair = _remaining(self.current(left), self.current(right))
        if pair is None or pair[0] == pair[1]:
            return False
        kept, replaced = sorted(pair, key=lambda atom: (atom.tensor not in self._inputs, atom))
        self.replacements.links[replaced] = kept
        if self.notes and replaced.tensor in self._inputs:
            self.assumed.append((kept, replaced))
        return True


class _Links:
    """A mapping of symbols to the sizes that take their place, followed to the end."""

    def __init__(self):
        self.links = {}

    def __bool__(self):
        return bool(self.links)

    def get(self, symbol, default):
        """Returns the size for a symbol, as `dict.get`."""
        path = []
        while symbol in self.links:
            path.append(symbol)
            symbol = self.links[symbol]
        for passed in path[:-1]:
            self.links[passed] = symbol
        return sizes.Size({(symbol,): 1}) if path else default


def _remaining(left, right):
    """Returns two symbols that are left of two products after cancelling, or None."""
    if not all(isinstance(size, sizes.Size) and len(size.terms) == 1 for size in (left, right)):
        return None
    (atoms, factor), (others, other_factor) = left.terms[0], right.terms[0]
    atoms, others = list(atoms), list(others)
    for atom in list(atoms):
        if atom in others:
            atoms.remove(atom)
            others.remove(atom)
    if factor != other_factor or len(atoms) != 1 or len(others) != 1:
        return None
    pair = atoms[0], others[0]
    return pair if all(isinstance(atom, sizes.Symbol) for atom in pair) else None


def _equal(node):
    """Yields pairs of sizes that are equal in every run of a node."""
    dims = [value.dims for value in node.inputs]
    if None in dims:
        return
    if node.op == "Reshape" and node.output.dims is not None:
        yield sizes.product(dims[0]), sizes.product(node.output.dims)
    elif node.op in ("BatchMatMul", "BatchMatMulV2"):
        if node.op == "BatchMatMul":
            yield from zip(dims[0][:-2], dims[1][:-2])
        left, right = node.attributes.get("adj_x"), node.attributes.get("adj_y")
        yield dims[0][-2 if left else -1], dims[1][-1 if right else -2]
    elif node.op == "MatMul":
        left, right = node.attributes.get("transpose_a"), node.attributes.get("transpose_b")
        yield dims[0][0 if left else 1], dims[1][1 if right else 0]
    elif node.op == "ConcatV2":
        yield from _of_concatenation(node, dims[:-1])


def _broadcast(nodes, chosen):
    """Takes sizes that are broadcast for equal; returns whether this says anything new."""
    is_new = False
    for node in nodes:
        for size, left, right in _broadcast_sizes(node):
            if chosen.are_of_inputs(left, right):
                is_new = chosen.equate(left, right) or is_new
            if chosen.current(left) == chosen.current(right):
                is_new = chosen.equate(size, left) or is_new
    return is_new


def _broadcast_sizes(node):
    """Yields (size, and those that it comes from) of axes that an op broadcasts."""
    dims = [value.dims for value in (*node.outputs[:1], *node.inputs)]
    if None in dims:
        return
    rows = []
    if node.op in shape_rules.BROADCASTING:
        rows = zip(*(part[::-1] for part in dims))
    elif node.op == "BatchMatMulV2":
        rows = zip(*(part[:-2][::-1] for part in dims))
    for row in rows:
        if not any(isinstance(size, int) for size in row):
            yield row


def _of_concatenation(node, dims):
    axis = node.inputs[-1].content
    for other in dims[1:]:
        for i, pair in enumerate(zip(dims[0], other)):
            if axis is not None and i != axis % len(dims[0]):
                yield pair


def _substitute(value, chosen):
    if value.dims is not None:
        value.dims = tuple(map(chosen.current, value.dims))
    if isinstance(value.content, tuple):
        value.content = tuple(map(chosen.current, value.content))
    elif value.content is not None:
        value.content = chosen.current(value.content)
