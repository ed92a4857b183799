"""Bodies of methods: the items of a scope as statements, for any target.

A target has ``expression(body, node)`` for nodes, ``layer(body, node)`` for layers, which gives a
`body_statements.Layer`, ``new(body, function, arguments, keywords)`` for new tensors, and what
`torch_target` has besides: how layers and modules are called, and what says a size.
"""

from tfgraphtools.graphs.source_code.ir import ir_nodes, python_numbers
from tfgraphtools.graphs.source_code.ir import symbolic_sizes as sizes
from tfgraphtools.graphs.source_code.scopes import loop_statements, name_hints
from tfgraphtools.graphs.source_code.scopes.body_statements import Loop, Statement
from tfgraphtools.graphs.source_code.scopes.scope_trees import (
    LoopScope,
    Scope,
    calls_of,
    count_reads,
)
from tfgraphtools.graphs.source_code.statements import expressions, identifiers
from tfgraphtools.graphs.source_code.statements.expressions import (
    ADD,
    MULTIPLY,
    Code,
    Local,
    Member,
)

#: The longest expression that goes into the one that reads it.
_INLINE = 52
#: The most layers that such an expression calls.
_CALLS = 2


class Body:
    """The method of a scope.

    Args:
      scope: a `Scope`.
      target: the writer's tables.
      program: the `Program`.
      runs: list of `repeated_calls.Run` that become loops.
      names: {`Value`: what it is called}, as in `value_names`.

    Attributes:
      arguments: list of (name, `Local`).
      statements: list of `Statement` and `Loop`.
      returned: list of `Code`.
      depth: of the loops around the statements that are added.
      codes: {`Value`: `Code`} of what is computed.
      sizes: {size: (`Local`, axis)} of what says it.
      ancestors: {`Value`: set of the arguments and layers that it comes from}.
      continued: {next value of a variable of a loop: `Local` of the variable}.
      members: {attribute: `Layer`, `Scope`, `Run`, or `Value` of a parameter or constant}.
    """

    def __init__(self, scope, target, program, runs=(), names=None):
        self.scope, self.target, self.program = scope, target, program
        self.names = names or {}
        self._runs = {call: run for run in runs for call in run.calls}
        self.arguments, self.statements, self.members = [], [], {}
        self.depth, self.continued = 0, {}
        self.codes, self.sizes, self._constants = {}, {}, {}
        self._reads = count_reads(scope)
        self._initials = {
            value
            for item in scope.items
            if isinstance(item, LoopScope)
            for value in item.start.inputs
        }
        self.ancestors = {}
        names = name_hints.arguments_of(scope, program, self.names)
        for value, name in zip(scope.inputs, names):
            self._add_argument(value, name)
        for value, attribute in scope.parameters.items():
            self.members[attribute] = value
            self.codes[value] = Code([Member(attribute)])
        for item in scope.items:
            self.add(item)
        self.returned = [self._returned(value) for value in scope.outputs]

    # What templates use ----------------------------------------------------------------------

    def refused(self, node, reason):
        """Returns the error for a node that cannot be written."""
        return ir_nodes.unwritable(self.program.place, [(node.op, node.name, reason)])

    def is_number(self, value):
        """Tells whether a value is a number of Python, not a tensor."""
        return python_numbers.is_number(value)

    def read(self, node, number):
        """Returns an input of a node: a tensor, or a number of Python."""
        return self.of_value(node.inputs[number])

    def tensor(self, node, number):
        """Returns an input of a node as a tensor."""
        value = node.inputs[number]
        if self.is_number(value):
            return self.new("tensor", self.of_value(value), dtype=value.dtype)
        return self.of_value(value)

    def of_value(self, value):
        """Returns the expression of a value."""
        if value in self.codes:
            return self.codes[value]
        if value.op == ir_nodes.CONSTANT:
            return self._constant(value)
        if value.op == "Known":
            return self._known(value)
        raise AssertionError(f"{value} is not computed in {self.scope}")

    def _returned(self, value):
        """Returns what a method returns; the whole graph gives tensors alone."""
        if self.is_number(value) and not self.scope.path:
            return self.new("tensor", self.of_value(value), dtype=value.dtype)
        return self.of_value(value)

    def new(self, function, *arguments, **keywords):
        """Returns a new tensor, on the device of what the method reads.

        Args:
          function: "zeros", "ones", "full", "arange" or "tensor".
          arguments: expressions.
          keywords: ``dtype``, as TensorFlow calls it.
        """
        return self.target.new(self, function, arguments, keywords)

    def any_tensor(self, dtype=None):
        """Returns a tensor that the method has, for its device; None where it has none.

        Args:
          dtype: of an argument; None: any tensor.
        """
        for value, (_, local) in zip(self.scope.inputs, self.arguments):
            if dtype is None or dtype == value.dtype and not self.is_number(value):
                return Code([local])
        if dtype is not None:
            return None
        for attribute, member in self.members.items():
            if isinstance(member, ir_nodes.Value):
                return Code([Member(attribute)])
        return None

    def has_size(self, size):
        """Tells whether a size is known from what the method has."""
        if isinstance(size, int) or size in self.sizes:
            return True
        return all(self._has_atom(atom) for atom in size.atoms())

    def size(self, size):
        """Returns a size: a number, or what says it at run time."""
        if isinstance(size, int):
            return expressions.literal(size)
        if size in self.sizes:
            local, axis = self.sizes[size]
            return self.target.size_of(Code([local]), axis)
        total = None
        ordered = sorted(size.terms, key=lambda term: (term[1] < 0, -len(term[0])))
        for atoms, coefficient in ordered:
            total = self._plus(total, atoms, coefficient)
        return total

    def _plus(self, total, atoms, coefficient):
        operator = "-" if coefficient < 0 and total is not None else "+"
        factor = abs(coefficient) if total is not None else coefficient
        term = expressions.literal(factor) if factor != 1 or not atoms else None
        for atom in atoms:
            code = self._atom(atom)
            term = code if term is None else expressions.infix(term, "*", code, MULTIPLY)
        return term if total is None else expressions.infix(total, operator, term, ADD)

    def _has_atom(self, atom):
        if isinstance(atom, sizes.Symbol):
            return sizes.Size({(atom,): 1}) in self.sizes
        return all(self.has_size(part) for part in atom if not isinstance(part, str))

    def _atom(self, atom):
        if isinstance(atom, sizes.Quotient):
            parts = self.size(atom.dividend), self.size(atom.divisor)
            return expressions.infix(parts[0], "//", parts[1], MULTIPLY)
        if isinstance(atom, sizes.Extreme):
            return expressions.call(atom.name, self.size(atom.left), self.size(atom.right))
        size = sizes.Size({(atom,): 1})
        if size not in self.sizes:
            raise ir_nodes.unwritable(
                self.program.place,
                [("Shape", atom.tensor, f"the size of axis {atom.axis} is not known")],
            )
        return self.size(size)

    # Items -----------------------------------------------------------------------------------

    def _add_argument(self, value, name):
        local = Local(name)
        self.arguments.append((name, local))
        self.codes[value] = Code([local])
        self.ancestors[value] = {value}
        self.note_sizes(value, local)

    def note_sizes(self, value, local):
        """Notes the sizes that a local says."""
        for axis, size in enumerate(value.dims or ()):
            if not isinstance(size, int):
                self.sizes.setdefault(size, (local, self.target.axis(value, axis)))

    def add(self, item):
        """Adds the statements of an item."""
        if isinstance(item, LoopScope):
            self._reads.update(count_reads(item))
            loop_statements.add(self, item)
        elif loop_statements.is_loop(item):
            return
        elif item in self._runs:
            self._add_loop(item, self._runs[item])
        elif isinstance(item, Scope):
            self._add_call(item)
        elif item.op == ir_nodes.LAYER:
            self._add_layer(item)
        else:
            self._bind(item, item.outputs, self.target.expression(self, item))

    def _add_call(self, scope):
        self.members.setdefault(scope.attribute, scope)
        arguments = [self.target.argument(self, value) for value in scope.inputs]
        arguments += self.target.more_arguments(scope)
        call = expressions.call(Code([Member(scope.attribute)]), *arguments)
        self._bind(scope, scope.outputs, call)

    def _add_loop(self, call, run):
        if call is not run.calls[0]:
            return
        self.members[run.attribute] = run
        last = run.calls[-1].outputs[0]
        initial = self.of_value(call.inputs[run.place])
        self._trace(call, [last])
        local = Local("x", identifiers.variable_name(run.stem + "_output"))
        arguments = [self.target.argument(self, value) for value in call.inputs]
        arguments[run.place] = Code([local])
        arguments += self.target.more_arguments(call)
        member = Code([Member(run.attribute)])
        self.statements.append(Loop(local, initial, member, arguments, run.stem))
        self.codes[last] = Code([local])
        self.note_sizes(last, local)

    def _add_layer(self, node):
        attribute = self.scope.attributes_of_layers[node]
        self.members.setdefault(attribute, self.target.layer(self, node))
        arguments = [self.tensor(node, i) for i in range(len(node.inputs))]
        call = self.target.call_of_layer(self, node, Code([Member(attribute)]), arguments)
        self._bind(node, node.outputs, call)

    def _bind(self, item, outputs, code):
        """Gives the outputs of an item names, or puts its expression into its only reader."""
        self._trace(item, outputs)
        if len(outputs) == 1 and self._is_inline(outputs[0], code):
            self.codes[outputs[0]] = code
            return
        targets = []
        for value in outputs:
            is_read = self._reads.get(value)
            local = (
                Local(*name_hints.of_value(self, item, value))
                if is_read or len(outputs) == 1
                else None
            )
            targets.append(local)
            if local is not None:
                self.codes[value] = Code([local])
                self.note_sizes(value, local)
        self.statements.append(Statement(targets, code, self._form(item, targets)))

    def _form(self, item, targets):
        """Returns the form of the targets of a layer with several outputs."""
        if isinstance(item, Scope) or item.op != ir_nodes.LAYER or len(targets) == 1:
            return ""
        return self.target.form_of_targets(targets)

    def _is_inline(self, value, code):
        if self._reads.get(value) != 1:
            return False
        if any(_is_own(size, value) for size in value.dims or ()):  # its shape may be asked for
            return False
        if value in self._initials:  # an assignment of its own
            return True
        is_long = len(expressions.text(code, lambda leaf: "name")) > _INLINE
        return not is_long and self._count_calls(code) <= _CALLS

    def _count_calls(self, code):
        """Returns how many layers and modules an expression calls."""
        members = [leaf for leaf in expressions.leaves(code) if isinstance(leaf, Member)]
        values = [self.members.get(member.name) for member in members]
        return sum(not isinstance(value, ir_nodes.Value) for value in values)

    def _trace(self, item, outputs):
        """Notes the arguments and layers from which outputs come."""
        own = set()
        is_layer = isinstance(item, Scope) or item.op == ir_nodes.LAYER
        for value in item.inputs:
            own |= self.ancestors.get(value, set())
        for value in outputs:
            self.ancestors[value] = {item} if is_layer else own

    # Constants -------------------------------------------------------------------------------

    def _known(self, value):
        if not isinstance(value.content, tuple):
            return self.size(value.content)
        numbers = expressions.sequence([self.size(size) for size in value.content], "[", "]")
        return self.new("tensor", numbers, dtype=value.dtype)

    def _constant(self, value):
        array = value.array
        if self.is_number(value):
            return expressions.literal(_number(array), "value")
        if array.dtype.kind not in "fiub":
            raise self.refused(value.node, f"a constant of {value.dtype}")
        if value not in self._constants:
            name = identifiers.attribute_name(value.node.name.rpartition("/")[2].lower())
            attribute = identifiers.unused(name, self._taken())
            self._constants[value] = attribute
            self.members[attribute] = value
        return Code([Member(self._constants[value])])

    def _taken(self):
        return {*self.members, *self.scope.attributes_of_layers.values()} | {
            call.attribute for call in calls_of(self.scope)
        }


def _number(array):
    if array.dtype.kind == "f":
        return float(str(array))
    return bool(array) if array.dtype.kind == "b" else int(array)


def _is_own(size, value):
    """Tells whether a size has a symbol of the value itself."""
    if isinstance(size, int):
        return False
    name = f"{value.node.name}:{value.index}"
    return any(isinstance(atom, sizes.Symbol) and atom.tensor == name for atom in size.atoms())
