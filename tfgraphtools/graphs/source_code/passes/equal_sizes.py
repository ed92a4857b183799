"""Symbols that must be equal for any input: a reshape keeps the number of elements."""

from tfgraphtools.graphs.source_code.ir import symbolic_sizes as sizes


def unify(program):
    """Replaces symbols by equal ones in all dims and contents of a program."""
    chosen = _Chosen(program)
    nodes = program.nodes()
    for node in nodes:
        for left, right in _equal(node):
            chosen.equate(left, right)
    if chosen.replacements:
        for value in (value for node in nodes for value in node.outputs):
            _substitute(value, chosen)


class _Chosen:
    """Symbols, and those that take their place."""

    def __init__(self, program):
        self._inputs = set(program.inputs)
        self.replacements = _Links()

    def current(self, size):
        """Returns a size in the symbols that are kept."""
        return sizes.substituted(size, self.replacements)

    def equate(self, left, right):
        """Notes that two sizes are equal, if this says it of two symbols."""
        if left is None or right is None:
            return
        pair = _remaining(self.current(left), self.current(right))
        if pair is None or pair[0] == pair[1]:
            return
        kept, replaced = sorted(pair, key=lambda atom: (atom.tensor not in self._inputs, atom))
        self.replacements.links[replaced] = kept


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
        left, right = node.attributes.get("adj_x"), node.attributes.get("adj_y")
        yield dims[0][-2 if left else -1], dims[1][-1 if right else -2]
    elif node.op == "MatMul":
        left, right = node.attributes.get("transpose_a"), node.attributes.get("transpose_b")
        yield dims[0][0 if left else 1], dims[1][1 if right else 0]
    elif node.op == "ConcatV2":
        yield from _of_concatenation(node, dims[:-1])


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
