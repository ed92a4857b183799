"""The messages of graphs: field numbers by name, to read the text format.

A kind is a message of this table, or: int, bool, type (of values), string, float, double, fixed.
Fields that are not here are skipped.
"""

from tfgraphtools.checkpoints.format import dtypes


def _message(text):
    """Returns {field: (number, kind)} of ``"name 1 kind"`` lines."""
    rows = (line.split() for line in text.strip().split(","))
    return {name: (int(number), kind) for name, number, kind in rows}


MESSAGES = {
    "SavedModel": _message("saved_model_schema_version 1 int, meta_graphs 2 MetaGraph"),
    "MetaGraph": _message(
        "meta_info_def 1 MetaInfo, graph_def 2 Graph, saver_def 3 Saver,"
        "collection_def 4 CollectionEntry, signature_def 5 SignatureEntry"
    ),
    "MetaInfo": _message(
        "meta_graph_version 1 string, stripped_op_list 2 Ops, tags 4 string,"
        "tensorflow_version 5 string, tensorflow_git_version 6 string"
    ),
    "Ops": _message("op 1 Op"),
    "Op": _message("name 1 string, input_arg 2 Arg, output_arg 3 Arg, attr 4 OpAttr"),
    "Arg": _message(
        "name 1 string, type 3 type, type_attr 4 string, number_attr 5 string,"
        "type_list_attr 6 string"
    ),
    "OpAttr": _message("name 1 string, type 2 string, default_value 3 Value"),
    "Saver": _message(
        "filename_tensor_name 1 string, save_tensor_name 2 string, restore_op_name 3 string"
    ),
    "CollectionEntry": _message("key 1 string, value 2 Collection"),
    "Collection": _message(
        "node_list 1 Strings, bytes_list 2 Strings, int64_list 3 Ints, float_list 4 Floats,"
        "any_list 5 Anys"
    ),
    "Strings": _message("value 1 string"),
    "Ints": _message("value 1 int"),
    "Floats": _message("value 1 float"),
    "Anys": _message("value 1 Any"),
    "Any": _message("type_url 1 string, value 2 string"),
    "SignatureEntry": _message("key 1 string, value 2 Signature"),
    "Signature": _message("inputs 1 TensorEntry, outputs 2 TensorEntry, method_name 3 string"),
    "TensorEntry": _message("key 1 string, value 2 TensorInfo"),
    "TensorInfo": _message(
        "name 1 string, dtype 2 type, tensor_shape 3 Shape, coo_sparse 4 CooSparse"
    ),
    "CooSparse": _message(
        "values_tensor_name 1 string, indices_tensor_name 2 string,dense_shape_tensor_name 3 string"
    ),
    "Graph": _message("node 1 Node, library 2 Library, version 3 int, versions 4 Versions"),
    "Versions": _message("producer 1 int, min_consumer 2 int, bad_consumers 3 int"),
    "Library": _message("function 1 Function, gradient 2 FunctionGradient"),
    "Function": _message("signature 1 Op, node_def 3 Node, ret 4 TextEntry"),
    "FunctionGradient": _message("function_name 1 string, gradient_func 2 string"),
    "TextEntry": _message("key 1 string, value 2 string"),
    "Node": _message("name 1 string, op 2 string, input 3 string, device 4 string, attr 5 Attr"),
    "Attr": _message("key 1 string, value 2 Value"),
    "Value": _message(
        "list 1 List, s 2 string, i 3 int, f 4 float, b 5 bool, type 6 type, shape 7 Shape,"
        "tensor 8 Tensor, placeholder 9 string, func 10 Call"
    ),
    "List": _message(
        "s 2 string, i 3 int, f 4 float, b 5 bool, type 6 type, shape 7 Shape, tensor 8 Tensor,"
        "func 9 Call"
    ),
    "Call": _message("name 1 string, attr 2 Attr"),
    "Shape": _message("dim 2 Size, unknown_rank 3 bool"),
    "Size": _message("size 1 int, name 2 string"),
    "Tensor": _message(
        "dtype 1 type, tensor_shape 2 Shape, version_number 3 int, tensor_content 4 string,"
        "float_val 5 float, double_val 6 double, int_val 7 int, string_val 8 string,"
        "scomplex_val 9 float, int64_val 10 int, bool_val 11 bool, dcomplex_val 12 double,"
        "half_val 13 int, uint32_val 16 int, uint64_val 17 int"
    ),
}

_NAMES = {"float32": "FLOAT", "float64": "DOUBLE", "float16": "HALF", "complex64": "COMPLEX64"}


def type_number(name):
    """Returns the number of ``DT_FLOAT`` or ``DT_FLOAT_REF``; 0 of a type that is not known."""
    bare = name[3:] if name.startswith("DT_") else name
    reference = 100 if bare.endswith("_REF") else 0
    bare = bare[:-4] if reference else bare
    for number in range(1, 64):
        dtype = dtypes.by_number(number)
        if bare == _NAMES.get(dtype.name, dtype.name.upper()):
            return number + reference
    return 0
