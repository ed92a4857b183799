"""Sizes of axes: integers, or sums of products of sizes that are known at run time.

A size is an `int` or a `Size`. Both are compared by ``==``: equal sizes are equal for any input.
"""

from typing import NamedTuple, Tuple, Union


class Symbol(NamedTuple):
    """The size of one axis of a tensor, known at run time.

    Attributes:
      tensor: the name of the tensor.
      axis: the number of its axis.
    """

    tensor: str
    axis: int


class Quotient(NamedTuple):
    """A quotient that is rounded down."""

    dividend: "AnySize"
    divisor: "AnySize"


class Extreme(NamedTuple):
    """The larger or smaller one of two sizes; ``name`` is "max" or "min"."""

    name: str
    left: "AnySize"
    right: "AnySize"


Atom = Union[Symbol, Quotient, Extreme]


class Size:
    """A sum of products.

    Args:
      terms: {sorted tuple of atoms: coefficient}, none of them 0.
    """

    __slots__ = ("terms", "_key")

    def __init__(self, terms):
        self.terms = tuple(sorted(terms.items(), key=repr))
        self._key = hash(self.terms)

    def __eq__(self, other):
        return isinstance(other, Size) and self.terms == other.terms

    def __hash__(self):
        return self._key

    def __repr__(self):
        return f"Size{self.terms}"

    def atoms(self):
        """Returns the atoms of all products, in a fixed order, without repetitions."""
        return tuple(dict.fromkeys(atom for atoms, _ in self.terms for atom in atoms))


AnySize = Union[int, Size]
Dims = Tuple[AnySize, ...]


def symbol(tensor, axis):
    """Returns the `Size` of an axis of a tensor."""
    return Size({(Symbol(tensor, axis),): 1})


def add(left, right):
    """Returns the sum of two sizes."""
    terms = _terms(left)
    for atoms, coefficient in _terms(right).items():
        terms[atoms] = terms.get(atoms, 0) + coefficient
    return _size(terms)


def subtract(left, right):
    """Returns the difference of two sizes."""
    return add(left, multiply(right, -1))


def multiply(left, right):
    """Returns the product of two sizes."""
    terms = {}
    for atoms, coefficient in _terms(left).items():
        for others, factor in _terms(right).items():
            key = tuple(sorted(atoms + others, key=repr))
            terms[key] = terms.get(key, 0) + coefficient * factor
    return _size(terms)


def product(sizes):
    """Returns the product of sizes."""
    result = 1
    for size in sizes:
        result = multiply(result, size)
    return result


def exact_quotient(dividend, divisor):
    """Returns the quotient, or None unless it is a size for any input."""
    if divisor == 0:
        return None
    if dividend == divisor:
        return 1
    divided = list(_terms(divisor).items())
    if len(divided) != 1:
        return None
    atoms, coefficient = divided[0]
    terms = {}
    for others, factor in _terms(dividend).items():
        remaining = _without(others, atoms)
        if remaining is None or factor % coefficient:
            return None
        terms[remaining] = factor // coefficient
    return _size(terms)


def floor_quotient(dividend, divisor):
    """Returns the quotient, rounded down; None for a divisor of 0."""
    if divisor == 0:
        return None
    exact = exact_quotient(dividend, divisor)
    if exact is not None:
        return exact
    if isinstance(dividend, int) and isinstance(divisor, int):
        return dividend // divisor
    return Size({(Quotient(dividend, divisor),): 1})


def ceiling_quotient(dividend, divisor):
    """Returns the quotient, rounded up, by an integer above 0."""
    exact = exact_quotient(dividend, divisor)
    return floor_quotient(add(dividend, divisor - 1), divisor) if exact is None else exact


def extreme(name, left, right):
    """Returns the "max" or "min" of two sizes."""
    if isinstance(left, int) and isinstance(right, int):
        return max(left, right) if name == "max" else min(left, right)
    if left == right:
        return left
    for size, other in ((left, right), (right, left)):
        if _is_bounded(name, size, other):
            return size
    return Size({(Extreme(name, left, right),): 1})


def _is_bounded(name, size, other):
    """Tells whether the other one is max(size, ...) for a "min", or the reverse."""
    if not isinstance(other, Size) or len(other.terms) != 1:
        return False
    atoms, coefficient = other.terms[0]
    if coefficient != 1 or len(atoms) != 1 or not isinstance(atoms[0], Extreme):
        return False
    return atoms[0].name != name and size in atoms[0][1:]


def substituted(size, replacements):
    """Returns a size with other sizes in the place of symbols: {Symbol: size}."""
    if isinstance(size, int):
        return size
    total = 0
    for atoms, coefficient in size.terms:
        factors = [_substituted_atom(atom, replacements) for atom in atoms]
        total = add(total, multiply(coefficient, product(factors)))
    return total


def _substituted_atom(atom, replacements):
    if isinstance(atom, Symbol):
        return replacements.get(atom, Size({(atom,): 1}))
    if isinstance(atom, Quotient):
        return floor_quotient(*(substituted(part, replacements) for part in atom))
    return extreme(atom.name, *(substituted(part, replacements) for part in atom[1:]))


def _terms(size):
    if isinstance(size, int):
        return {(): size} if size else {}
    return dict(size.terms)


def _size(terms):
    terms = {atoms: coefficient for atoms, coefficient in terms.items() if coefficient}
    if not terms:
        return 0
    if list(terms) == [()]:
        return terms[()]
    return Size(terms)


def _without(atoms, removed):
    """Returns atoms without some of them, or None where one is not there."""
    remaining = list(atoms)
    for atom in removed:
        if atom not in remaining:
            return None
        remaining.remove(atom)
    return tuple(remaining)
