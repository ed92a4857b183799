"""TensorArrays of control flow v1 as lists, which converters know.

A TensorArray is a resource, and a "flow" leads from op to op for their order alone. A list is a
value: it takes the place of the flow.
"""

from tfgraphtools.checkpoints.graphs import constant_branches, cuts
from tfgraphtools.errors import GraphExportError

_VARIANT, _INT32 = 21, 3  # numbers of data types
_ARRAY = "TensorArrayV3"
#: Ops that hand a flow on.
_PASSES = "Enter Exit Merge Switch NextIteration Identity".split()


def to_lists(graph_def, fetched, place):
    """Replaces the TensorArrays of a GraphDef by lists; does nothing if it has none.

    Args:
      graph_def: changed in place; one for inference, without gradients.
      fetched: the names of the nodes that are fetched.
      place: the file of the graph, for errors.

    Raises:
      GraphExportError: an op on a TensorArray that has no form on lists, or not with its indices.
    """
    if any(node.op == _ARRAY for node in graph_def.node):
        _Lists(graph_def, place).replace()
        cuts.keep_only(graph_def, cuts.needed(graph_def, fetched))  # not the entries of handles


class _Lists:
    def __init__(self, graph_def, place):
        self._graph, self._place = graph_def, place
        self._nodes = {node.name: node for node in graph_def.node}

    def replace(self):
        arrays = {name: self._array_of(node) for name, node in self._nodes.items() if _uses(node)}
        self._pass_on()
        for name, array in arrays.items():
            replace = getattr(self, "_" + self._nodes[name].op.lower()[:-2], None)
            if replace is None:
                raise self._refused(self._nodes[name], "an op of TensorArrays alone")
            replace(self._nodes[name], array)
        for node in list(self._nodes.values()):
            if node.op == _ARRAY:
                self._reserve(node)

    def _array_of(self, node):
        """Returns (the number of the type, the element's sizes) of the TensorArray of a node."""
        source = self._nodes[cuts.split_tensor(node.input[0])[0]]
        for _ in range(10):  # one Enter for each loop around it
            if source.op != "Enter":
                break
            source = self._nodes[cuts.split_tensor(source.input[0])[0]]
        if source.op != _ARRAY:
            raise self._refused(node, f"a TensorArray that comes from {source.op}")
        return source.attr["dtype"].type, _sizes(source)

    def _pass_on(self):
        """Makes what hands flows on take lists."""
        flows = {(name, 1) for name, node in self._nodes.items() if node.op == _ARRAY}
        writes = ("TensorArrayWriteV3", "TensorArrayScatterV3")
        flows |= {(name, 0) for name, node in self._nodes.items() if node.op in writes}
        passes = [node for node in self._nodes.values() if node.op in _PASSES]
        has_changed = True
        while has_changed:
            has_changed = False
            for node in passes:
                tensors = node.input if node.op == "Merge" else node.input[:1]
                if (node.name, 0) not in flows and any(_is_in(flows, i) for i in tensors):
                    flows |= {(node.name, 0), (node.name, int(node.op == "Switch"))}
                    node.attr["T"].type = _VARIANT
                    has_changed = True
        for node in self._nodes.values():
            if node.op in _PASSES or _uses(node):
                continue
            if any(_is_in(flows, tensor) for tensor in node.input):
                raise self._refused(node, "the flow of a TensorArray as a number")

    def _reserve(self, node):
        """Makes a TensorArray a list; its only output takes the place of the flow."""
        dtype, sizes = node.attr["dtype"].type, _sizes(node)
        shape = self._shape(node.name, sizes, None)
        self._become(node, "TensorListReserve", [shape, node.input[0]], dtype, True)
        for user in self._graph.node:
            for index, tensor in enumerate(user.input):
                if tensor == node.name + ":1":
                    user.input[index] = node.name

    def _tensorarraysize(self, node, _):
        self._become(node, "TensorListLength", [node.input[1]])

    def _tensorarrayread(self, node, array):
        shape = self._shape(node.name, array[1], node.input[1])
        self._become(node, "TensorListGetItem", [node.input[2], node.input[1], shape], array[0])

    def _tensorarraywrite(self, node, array):
        inputs = [node.input[3], node.input[1], node.input[2]]
        self._become(node, "TensorListSetItem", inputs, array[0])

    def _tensorarraygather(self, node, array):
        self._require_all(node)
        shape = self._shape(node.name, array[1], node.input[1])
        self._become(node, "TensorListStack", [node.input[2], shape], array[0])
        node.attr["num_elements"].i = -1

    def _tensorarrayscatter(self, node, array):
        self._require_all(node)
        shape = self._shape(node.name, array[1], node.input[1])
        self._become(node, "TensorListFromTensor", [node.input[2], shape], array[0], True)

    def _become(self, node, op, inputs, dtype=None, has_shape_type=False):
        awaited = [tensor for tensor in node.input if tensor.startswith("^")]
        node.op = op
        del node.input[:]
        node.input.extend(inputs + awaited)
        node.attr.clear()
        if dtype is not None:
            node.attr["element_dtype"].type = dtype
        if has_shape_type:
            node.attr["shape_type"].type = _INT32

    def _shape(self, name, sizes, beside):
        """Returns a constant with the sizes of an element, in the loop of another tensor."""
        node = self._graph.node.add(name=name + "/element_shape", op="Const")
        if beside is not None:
            node.input.append("^" + cuts.split_tensor(beside)[0])
        node.attr["dtype"].type = _INT32
        tensor = node.attr["value"].tensor
        tensor.dtype = _INT32
        if sizes is None:
            tensor.tensor_shape.SetInParent()
            tensor.int_val.append(-1)
        else:
            tensor.tensor_shape.dim.add(size=len(sizes))
            tensor.int_val.extend(sizes)
        return node.name

    def _require_all(self, node):
        """Raises unless the indices of an op are 0, 1, ... up to the last one."""
        indices = self._nodes[cuts.split_tensor(node.input[1])[0]]
        if indices.op == "Range":
            start, _, step = (self._nodes[cuts.split_tensor(i)[0]] for i in indices.input[:3])
            is_all = [constant_branches.numbers(n) for n in (start, step)] == [[0], [1]]
        else:
            numbers = constant_branches.numbers(indices)
            is_all = numbers != [] and numbers == list(range(len(numbers)))
        if not is_all:
            raise self._refused(node, "indices other than all of them in their order")

    def _refused(self, node, problem):
        return GraphExportError(
            self._place,
            "TensorArrays that have a form as lists",
            f"{node.name} ({node.op}): {problem}",
            "Cut it off with --inputs or other --outputs, or try --to onnx.",
        )


def _uses(node):
    return node.op.startswith("TensorArray") and node.op != _ARRAY


def _is_in(flows, tensor):
    return not tensor.startswith("^") and cuts.split_tensor(tensor) in flows


def _sizes(array):
    """Returns the sizes of the elements of a TensorArray, None where it leaves their rank open."""
    shape = array.attr["element_shape"].shape if "element_shape" in array.attr else None
    return None if shape is None or shape.unknown_rank else [size.size for size in shape.dim]
