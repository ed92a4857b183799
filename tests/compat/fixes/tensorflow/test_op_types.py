"""Which modules are told the earlier types of ops, and which are left alone."""

import ast

import pytest

from tfgraphtools import compat
from tfgraphtools.compat.fixes.tensorflow import op_types, tensor

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

pytestmark = pytest.mark.quick

TF = "import tensorflow as tf\n"

#: module -> the earlier types that its reads of ``.type`` are told
MODULES = {
    "compared": (TF + "op.type == 'Add'", "Add"),
    "the-other-way-round": (TF + "'Gather' == op.type", "Gather"),
    "in-a-list": (TF + "LINEAR = ['Add', 'Sub']\nstr(x.op.type) in LINEAR", "Add"),
    "key-of-a-dict": (
        TF + "RULES = {'Add': 1, 'BatchMatMul': 2}\nRULES[op.type]",
        "Add BatchMatMul",
    ),
    "argument-beside-the-type": (TF + "self.assertEqual(op.type, 'Add')", "Add"),
    "argument-elsewhere": (TF + "print(op.type)\nprint('Add')", None),
    "of-a-node": (TF + "op.node_def.op == 'Add'", "Add"),
    "op-of-a-tensor": (TF + "x.op == 'Add'", None),
    "imported-in-a-function": (
        "def f(op):\n  import tensorflow\n  return op.type in ('Add',)",
        "Add",
    ),
    "knows-the-later": (TF + "op.type in ('Add', 'AddV2')", None),
    "knows-one-later": (TF + "op.type in ('Add', 'AddV2', 'Gather')", "Gather"),
    "overrides-gradients": (TF + "with g.gradient_override_map({'Add': 'Mine'}): op.type", None),
    "name-of-an-op": (TF + "tf.add(1, 2, name='Add').op.type", None),
    "no-tensorflow": ("event.type == 'Add'", None),
    "other-types": (TF + "op.type == 'Conv2D'", None),
    "assigned": (TF + "op.type = 'Add'\nx == 'Add'", None),
}


@pytest.mark.parametrize("case", MODULES)
def test_module(case):
    text, wanted = MODULES[case]
    tree = op_types.ROW.run(ast.parse(text), "module.py")
    told = [
        node.args[1].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) in op_types.HELPERS
    ]
    assert told == ([wanted] if wanted else [])


def test_what_is_no_op_keeps_its_type():
    class Event:
        type = "AddV2"

    assert op_types.op_type_of(Event, "Add") == "AddV2"
    Event.type = 3
    assert op_types.op_type_of(Event, "Add") == 3


#: module -> whether it gets the operators without comparisons
WALKS = {
    "walked": (TF + "for name in tf.Tensor.OVERLOADABLE_OPERATORS: print(name)", True),
    "knows-them": (TF + "set(tf.Tensor.OVERLOADABLE_OPERATORS).remove('__eq__')", False),
    "assigned": (TF + "C.OVERLOADABLE_OPERATORS = set()", False),
}


@pytest.mark.parametrize("case", WALKS)
def test_operators(case):
    text, wanted = WALKS[case]
    tree = tensor.OPERATORS.run(ast.parse(text), "module.py")
    names = {getattr(node, "id", None) for node in ast.walk(tree)}
    assert bool(names & set(tensor.HELPERS)) == wanted


def test_operators_of_others():
    class Mine:
        OVERLOADABLE_OPERATORS = ["__eq__"]

    assert tensor.operators_of(Mine) == ["__eq__"]
