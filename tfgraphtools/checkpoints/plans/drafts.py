"""Targets of a plan, and the drafts that become them."""

import collections

from tfgraphtools.checkpoints.format.extents import lengths

#: A tensor of the result. ``sources`` are the names that it is made of, ``steps`` says how in
#: words; ``parts`` is a list of `Piece`, one unless the tensor is partitioned.
Target = collections.namedtuple("Target", "name dtype shape sources steps partitioned parts")

#: Bytes of a target: ``kept`` is (checkpoint, Part), to be linked, or ``expression`` is to be
#: computed.
Piece = collections.namedtuple("Piece", "extents shape kept expression")


class Draft:
    """A target in the making: a tensor of the checkpoint and the steps taken so far."""

    def __init__(self, ckpt, name):
        self._ckpt, self._name = ckpt, name
        self._tensor = ckpt.tensor(name)
        self.sources = (name,)
        self.steps = ()
        self.dtype, self.shape = self._tensor.dtype, self._tensor.shape
        self.partitioned = self._tensor.partitioned
        self._expression = None  # of the whole tensor, once a step needs it in one piece
        self._pieces = None  # of a partitioned tensor, once a step changed it

    @classmethod
    def of(cls, expression, sources, steps):
        """Returns a draft that is no longer one stored tensor."""
        draft = cls.__new__(cls)
        draft._ckpt = draft._name = draft._tensor = draft._pieces = None
        draft.sources, draft.steps = tuple(sources), tuple(steps)
        draft._set(expression)
        return draft

    def _set(self, expression):
        self._expression, self._pieces = expression, None
        self.dtype, self.shape, self.partitioned = expression.dtype, expression.shape, False

    def copy(self):
        """Returns another draft of the same bytes."""
        twin = Draft.__new__(Draft)
        twin.__dict__.update(self.__dict__)
        return twin

    def expression(self):
        """Returns the whole tensor as an `Expression`."""
        if self._expression is None:
            from tfgraphtools.checkpoints.plans.stored import Stored

            return Stored(self._ckpt, self._name)
        return self._expression

    def then(self, expression, words):
        """Goes on with another expression."""
        self._set(expression)
        self.steps += (words,)

    def cast(self, make, dtype, words):
        """Applies a step that works on each slice alone, and so keeps the partitioning."""
        from tfgraphtools.checkpoints.plans.stored import Stored

        if self._expression is None and self.partitioned:
            self._pieces = [
                Piece(part.extents, part.shape, None, make(Stored(self._ckpt, self._name, part)))
                for part in self._parts()
            ]
            self.dtype = dtype
            self.steps += (words,)
        else:
            self.then(make(self.expression()), words)

    def partition(self, bounds, words):
        """Cuts the tensor into new slices; None makes it one piece."""
        from tfgraphtools.checkpoints.plans.tensor_expressions import Slice

        whole = self.expression()
        self.then(whole, words)
        if bounds is not None:
            self.partitioned = True
            self._pieces = [
                Piece(
                    tuple((start, stop - start) for start, stop in piece_bounds),
                    lengths(piece_bounds),
                    None,
                    Slice(whole, tuple(slice(start, stop) for start, stop in piece_bounds)),
                )
                for piece_bounds in bounds
            ]

    def _parts(self):
        missing = [part for part in self._tensor.parts if part.shard is None]
        if missing:
            self._ckpt.check(self._name)  # raises, naming each slice
        return self._tensor.parts

    def target(self, name):
        """Returns the `Target` under its final name."""
        pieces = self._pieces
        if pieces is None and self._expression is not None:
            pieces = [Piece(None, self.shape, None, self._expression)]
        elif pieces is None:
            pieces = [
                Piece(
                    part.extents if self.partitioned else None, part.shape, (self._ckpt, part), None
                )
                for part in self._parts()
            ]
        return Target(
            name, self.dtype, self.shape, self.sources, self.steps, self.partitioned, pieces
        )
