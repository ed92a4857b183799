"""Protobuf modules of 1.15: their generated code is refused by today's protobuf.

What they describe stands in them as a serialised descriptor, which is all that
today's protobuf needs to build the same classes.
"""

import ast
import importlib


def build(module, source):
    """Fills a ``*_pb2`` module with the messages that its source describes.

    Args:
      module: the new module.
      source: the bytes of the generated file.
    """
    from google.protobuf import descriptor_pool
    from google.protobuf.internal import builder

    tree = ast.parse(source)
    for name in _imported(tree):
        importlib.import_module(name)
    file = descriptor_pool.Default().AddSerializedFile(_descriptor(tree))
    builder.BuildMessageAndEnumDescriptors(file, vars(module))
    builder.BuildTopDescriptorsAndMessages(file, module.__name__, vars(module))
    module.DESCRIPTOR = file


def _imported(tree):
    """The ``*_pb2`` modules on whose messages this one builds."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if alias.name.endswith("_pb2"):
                    yield node.module + "." + alias.name


def _descriptor(tree):
    """The serialised descriptor in ``DESCRIPTOR = FileDescriptor(..., serialized_pb=...)``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "serialized_pb":
            value = node.value
            if isinstance(value, ast.Call):  # _b("..."): text on Python 3
                return ast.literal_eval(value.args[0]).encode("latin1")
            return ast.literal_eval(value)
    raise ImportError("a protobuf module without a serialised descriptor")
