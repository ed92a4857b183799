"""Types of ops that are alike, each set written down once."""

#: Ref variables: their output is the memory itself.
REF_VARIABLES = frozenset(["AutoReloadVariable", "TemporaryVariable", "Variable", "VariableV2"])

#: Ops that stand for a variable: ref variables and the handles of resource variables.
VARIABLES = REF_VARIABLES | {"VarHandleOp"}

#: Ops that read a resource variable by its handle and change nothing.
RESOURCE_READERS = frozenset(
    [
        "ReadVariableOp",
        "ResourceGather",
        "ResourceGatherNd",
        "VarIsInitializedOp",
        "VariableShape",
        "_ReadVariablesOp",
    ]
)

#: Ops of v1 control flow that pass on one of their inputs, for refs and for values.
REF_CONTROL_FLOW = {
    "RefEnter": "Enter",
    "RefExit": "Exit",
    "RefMerge": "Merge",
    "RefNextIteration": "NextIteration",
    "RefSwitch": "Switch",
}
CONTROL_FLOW = frozenset(REF_CONTROL_FLOW) | frozenset(REF_CONTROL_FLOW.values())

#: Ops that take a ref and only pass it on or look at it.
REF_READERS = frozenset(REF_CONTROL_FLOW) | {"IsVariableInitialized", "RefIdentity", "RefSelect"}

#: Ops whose output is one of their inputs.
PASS_OPS = CONTROL_FLOW | {"Identity", "RefIdentity"}

#: Ops that take nothing but the shape of their input: no value goes through them.
SHAPE_OPS = frozenset(
    [
        "Rank",
        "Shape",
        "ShapeN",
        "Size",
        "TensorArraySizeV3",
        "TensorListElementShape",
        "TensorListLength",
        "VariableShape",
    ]
)
