"""What the body of a method is made of: layers, assignments, and loops over lists of modules."""

from typing import Any, Dict, List, NamedTuple, Optional

from tfgraphtools.graphs.source_code.statements.expressions import Code, Local


class Layer(NamedTuple):
    """A layer of the target.

    Attributes:
      constructor: the `Code` that makes it.
      parameters: {name in the target: `Value` of a parameter}.
      build: what makes the parameters, where the constructor does not; or None.
    """

    constructor: Code
    parameters: Dict[str, Any]
    build: Optional[Code] = None


class Statement(NamedTuple):
    """An assignment: ``targets`` are locals, or None for what nobody reads.

    Attributes:
      form: of the targets, such as "{}, ({}, {})"; "" for one after the other.
    """

    targets: List[Any]
    value: Code
    form: str = ""

    @property
    def codes(self):
        return [self.value]


class Loop(NamedTuple):
    """A loop over a list of modules.

    Attributes:
      target: the `Local` that each module changes.
      initial: what it is before.
      member: the `Code` of the list.
      arguments: what each module is called with; ``target`` is one of them.
      stem: a name for one module of the list.
    """

    target: Local
    initial: Code
    member: Code
    arguments: List[Code]
    stem: str

    @property
    def targets(self):
        return [self.target]

    @property
    def codes(self):
        return [self.initial, self.member, *self.arguments]
