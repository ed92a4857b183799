"""Modules that an old protoc generated, and labels of fields.

Today's protobuf makes no descriptors piece by piece.

What they describe stands in them as a serialised descriptor, which is all that
today's protobuf needs to build the same classes.
"""

import ast

from tfgraphtools.compat.engine import replacing, rows
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.engine.translate import trees
from tfgraphtools.compat.engine.translate.removed_attributes import fallback_row
from tfgraphtools.compat.fixes import removed

#: The function that the rewritten module calls; user code finds it among its builtins.
_BUILDER = "__protobuf_messages__"

#: Modules that generated code imports for its own use.
_MACHINERY = ("google.protobuf", "google.protobuf.internal")


def rebuilt(tree, path):
    """Returns the module with its descriptors and messages built from the serialised descriptor.

    Its imports stay (other messages are among them), and so do the stubs of gRPC.
    Nothing is done to a module that protoc has not generated, or not so.
    """
    at = _descriptor(tree)
    if at is None:
        return tree
    rows.used(ROW)
    tree.body = [node for node in map(_kept(at), tree.body) if node is not None]
    return ast.fix_missing_locations(tree)


def _descriptor(tree):
    """Returns the statement ``DESCRIPTOR = FileDescriptor(..., serialized_pb=...)``, or None."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and _serialised(node.value) is not None:
            if getattr(node.targets[0], "id", None) == "DESCRIPTOR":
                return node
    return None


def _serialised(call):
    """Returns the bytes of the argument ``serialized_pb`` of a call, or None."""
    for word in getattr(call, "keywords", ()):
        if word.arg == "serialized_pb":
            value = word.value
            if isinstance(value, ast.Call):  # _b("..."): text on Python 3
                value = value.args[0]
            value = ast.literal_eval(value)
            return value if isinstance(value, bytes) else value.encode("latin1")
    return None


def _kept(at):
    """Returns the function that says what a statement becomes; None leaves it out."""

    def kept(node):
        if node is at:
            names = trees.call("globals", at=at)
            call = trees.call(_BUILDER, names, trees.constant(_serialised(at.value), at), at=at)
            return ast.copy_location(ast.Expr(value=call), at)
        if isinstance(node, ast.ImportFrom) and node.module in _MACHINERY:
            node.names = [alias for alias in node.names if alias.name.endswith("_pb2")]
            return node if node.names else None
        if isinstance(node, ast.ClassDef):
            is_message = any(getattr(base, "attr", None) == "Message" for base in node.bases)
            return None if is_message else node
        is_other = isinstance(node, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.Try))
        return node if is_other else None

    return kept


def build(names, serialised):
    """Fills a module with the descriptors, messages and enums of its file.

    Args:
      names: the dictionary of the module.
      serialised: bytes, a ``FileDescriptorProto``.
    """
    from google.protobuf import descriptor_pool
    from google.protobuf.internal import builder

    file = descriptor_pool.Default().AddSerializedFile(serialised)
    builder.BuildMessageAndEnumDescriptors(file, names)
    builder.BuildTopDescriptorsAndMessages(file, names["__name__"], names)
    names["DESCRIPTOR"] = file


def _label(field):
    """Returns ``field.label``: 1 optional, 2 required, 3 repeated."""
    if not hasattr(field, "containing_oneof"):
        raise AttributeError
    return 3 if field.is_repeated else 2 if field.is_required else 1


@replacing.replaces(
    "tensorflow.python.util.protobuf.compare:NormalizeNumberFields",
    name="protobuf.assertProtoEquals",
    since="protobuf 7",
    why="assertProtoEquals works without field.label",
)
def _normalize(original, message):
    """Rounds the numbers of a message, as tests do, without reading the labels of its fields."""
    from google.protobuf import descriptor

    if hasattr(descriptor.FieldDescriptor, "label"):
        return original(message)
    for field, value in message.ListFields():
        if hasattr(value, "items"):  # a map
            of_messages = field.message_type.fields_by_number[2].message_type is not None
            for item in value.values() if of_messages else ():
                _normalize(original, item)
        elif field.message_type is not None:
            for item in value if field.is_repeated else [value]:
                _normalize(original, item)
        elif field.cpp_type in _DIGITS:
            digits = _DIGITS[field.cpp_type]
            if field.is_repeated:
                value[:] = [round(number, digits) for number in value]
            else:
                setattr(message, field.name, round(value, digits))
    return message


#: The digits of a double and of a float that ``assertProtoEquals`` compares, by C++ type.
_DIGITS = {5: 7, 6: 6}

ROW = Fix(
    "protobuf.generated",
    "protobuf 4.21",
    "a module that an older protoc generated: its messages are built from the descriptor in it",
    rebuilt,
    cannot="generate the module again with today's protoc",
)
#: ``--libraries today`` disables it.
OF_OTHER_LIBRARIES = True

TABLES = (
    Table("code that protoc generated", "syntax", [ROW]),
    Table(
        "labels of fields",
        "listed",
        [fallback_row("protobuf.label", "protobuf 7", "field.label", {"label": _label}, "google")],
    ),
    replacing.table("comparison of messages", _normalize, kind="patches"),
    *removed.tables_of("protobuf"),
)
HELPERS = {_BUILDER: build}
