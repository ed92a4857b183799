"""``tf.Operation(node_def, graph, inputs, ...)``: an op made by its class, as in 1.x.

Today the class takes what C has made, and `from_node_def` is the old constructor.

Until 1.7, when a graph was Python's own, an op could be made without its inputs, be
told to its graph with ``_add_op``, and be given them one by one with ``_add_input``. C
wants them all at once: an `Unfinished` op stands for it until it has them, and is
another face of the real one then.
"""

from tfgraphtools.compat.engine.rows import Fix, Table, is_off, used
from tfgraphtools.compat.engine.translate import trees
from tfgraphtools.compat.engine.translate.tree_walk import Visitor, walking

#: Builtins of user code: what stands for calls of the class, and of ``graph._add_op``.
_MAKE = "__tfgraphtools_operation__"
_ADD = "__tfgraphtools_add_op__"

_KEYWORDS = {"inputs", "output_types", "control_inputs", "input_types", "original_op", "op_def"}


def make(function, *arguments, **options):
    """Calls ``function(node_def, graph, ...)``, where the function is the class of ops."""
    from tensorflow.core.framework import node_def_pb2
    from tensorflow.python.framework import ops

    node_def = arguments[0] if arguments else options.get("node_def")
    if function is not ops.Operation or not isinstance(node_def, node_def_pb2.NodeDef):
        return function(*arguments, **options)
    return _of_node_def(*arguments, **options)


def _of_node_def(
    node_def,
    g,
    inputs=None,
    output_types=None,
    control_inputs=None,
    input_types=None,
    original_op=None,
    op_def=None,
):
    from tensorflow.python.framework import ops

    if not ops._VALID_OP_NAME_REGEX.match(node_def.name):
        return ops.Operation.from_node_def(node_def, g)  # which refuses it, whatever its type
    unfinished = Unfinished(node_def, g, inputs or [], control_inputs or [], original_op, op_def)
    if unfinished.is_complete() or is_off(LATE.name):
        return unfinished.finish()
    return unfinished


class Unfinished:
    """An op that lacks inputs; once it has them, another face of the op that was made."""

    def __init__(self, node_def, graph, inputs, control_inputs, original_op, op_def):
        op_def = op_def or graph.op_def_for_type(node_def.op)
        self._finished = None
        self._node_def_of_it, self._graph_of_it, self._op_def_of_it = node_def, graph, op_def
        self._inputs_yet = list(inputs)
        self._control_inputs_yet = [_real(op) for op in control_inputs]
        self._original_op_of_it = _real(original_op)
        self._number_of_inputs = _count_inputs(node_def, op_def)

    @property
    def __class__(self):
        """Tells `isinstance` that it is an op."""
        from tensorflow.python.framework import ops

        return ops.Operation

    def __getattr__(self, name):
        if name == "_finished" or self._finished is None:
            node_def = vars(self).get("_node_def_of_it")
            raise AttributeError(
                f"the op {node_def and node_def.name!r} has {len(self._inputs_yet)} of its "
                f"{self._number_of_inputs} inputs: the attribute {name!r} exists once it has all"
            )
        return getattr(self._finished, name)

    def __eq__(self, other):
        return _real(self) is _real(other)

    def __hash__(self):
        return id(self) if self._finished is None else hash(self._finished)

    def __repr__(self):
        if self._finished:
            return repr(self._finished)
        return f"<unfinished op {self._node_def_of_it.name!r}>"

    def is_complete(self):
        """Tells whether it has its inputs; one without any waits for those that only order it."""
        ordered = [name for name in self._node_def_of_it.input if name.startswith("^")]
        if not self._number_of_inputs and ordered and not self._control_inputs_yet:
            return False
        return len(self._inputs_yet) >= self._number_of_inputs

    def finish(self):
        """Makes the op."""
        from tensorflow.python.framework import ops

        self._finished = ops.Operation.from_node_def(
            self._node_def_of_it,
            self._graph_of_it,
            self._inputs_yet,
            control_inputs=self._control_inputs_yet,
            original_op=self._original_op_of_it,
            op_def=self._op_def_of_it,
        )
        return self._finished

    def start_in_context(self):
        """Makes the op at once if it is to be part of a loop or a branch.

        There it may be asked for before it is complete: in a loop it comes before itself.
        Until it has its own inputs, it has those that its NodeDef names.
        """
        from tensorflow.python.framework import ops

        named = _elements(self._graph_of_it, self._node_def_of_it.input)
        if self._finished is None and any(map(_is_in_context, named)):
            inputs = [element for element in named if not isinstance(element, ops.Operation)]
            c_op = ops._create_c_op(
                self._graph_of_it, self._node_def_of_it, inputs, [], self._op_def_of_it
            )
            self._finished = ops.Operation._from_c_op(c_op, self._graph_of_it)
            self._finished._set_control_flow_context(None)

    def _add_input(self, tensor, dtype=None):
        self._inputs_yet.append(tensor)
        if self._finished is not None:
            self._finished._update_input(len(self._inputs_yet) - 1, tensor)
        elif self.is_complete():
            self.finish()

    def _add_control_inputs(self, ops):
        ops = [_real(op) for op in ops]
        if self._finished is not None:
            self._finished._add_control_inputs(ops)
            return
        self._control_inputs_yet += ops
        if not self._number_of_inputs:
            self.finish()

    def _add_control_input(self, op):
        self._add_control_inputs([op])


def _real(op):
    """Returns the op behind its other face, if it has been made."""
    return vars(op)["_finished"] or op if type(op) is Unfinished else op


def _elements(graph, names):
    """Returns the inputs that a NodeDef names: tensors, and ops that only order it."""
    try:
        return [graph.as_graph_element(_element_name(name)) for name in names]
    except (KeyError, ValueError):
        return []


def _element_name(name):
    if name.startswith("^"):
        return name[1:]
    return name if ":" in name else name + ":0"


def _is_in_context(element):
    return getattr(element, "op", element)._get_control_flow_context() is not None


def _count_inputs(node_def, op_def):
    count = 0
    for argument in op_def.input_arg:
        if argument.number_attr:
            count += node_def.attr[argument.number_attr].i
        elif argument.type_list_attr:
            count += len(node_def.attr[argument.type_list_attr].list.type)
        else:
            count += 1
    return count


def add_op(function, op):
    """Calls ``graph._add_op(op)``; does nothing for an op made within its graph, as since 1.8."""
    from tensorflow.python.framework import ops

    graph = getattr(function, "__self__", None)
    if not isinstance(graph, ops.Graph) or not isinstance(op, ops.Operation):
        return function(op)
    if type(op) is Unfinished:
        op.start_in_context()
    return None


class _Calls(Visitor):
    def visit_Call(self, node):
        name = getattr(node.func, "attr", getattr(node.func, "id", None))
        if name == "Operation" and takes_node_def(node):
            used(ROW)
            return trees.wrap_call(_MAKE, node)
        return node


def takes_node_def(call):
    """Tells whether a call of the class of ops has the arguments of TF 1."""
    return len(call.args) > 1 or any(word.arg in _KEYWORDS for word in call.keywords)


@walking
def _translate(tree):
    return _Calls() if trees.mentions(tree, "Operation") else None


class _LateCalls(Visitor):
    def visit_Call(self, node):
        name = getattr(node.func, "attr", None)
        if name == "_add_op" and len(node.args) == 1 and not node.keywords:
            return trees.call(_ADD, node.func, node.args[0], at=node)
        if name == "_add_input":
            used(LATE)
        return node


@walking
def _translate_late(tree):
    return _LateCalls() if trees.mentions(tree, "_add_op", "_add_input") else None


HELPERS = {_MAKE: make, _ADD: add_op}

ROW = Fix(
    "tensorflow.Operation",
    "TF 2.13",
    "Operation(node_def, graph, ...) creates an op, as Operation.from_node_def does",
    _translate,
    cannot="write tf.Operation.from_node_def(...)",
)

LATE = Fix(
    "tensorflow.Operation._add_input",
    "TF 1.8",
    "inputs can be added after the op is created; TensorFlow creates the op when it has all inputs",
    _translate_late,
    cannot="create the op when its inputs exist",
)

TABLES = (Table("ops that are created directly", "syntax", [ROW, LATE]),)
