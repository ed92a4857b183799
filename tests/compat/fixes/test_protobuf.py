"""Modules of old protocs: what stays of them, and what is built."""

import ast

import pytest

from tfgraphtools.compat import is_tf1
from tfgraphtools.compat.fixes import protobuf as generated

if is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

pytestmark = pytest.mark.quick

SERIALISED = (
    b'\n\ttag.proto\x12\x05cells"\x13\n\x03Tag\x12\x0c\n\x04text\x18\x01 \x01(\tb\x06proto3'
)

#: how protocs wrote the serialised descriptor down
SPELLINGS = {
    "protoc 3.12": repr(SERIALISED),
    "protoc 3.6": f"_b({SERIALISED.decode('latin1')!r})",
    "protoc 2.6": repr(SERIALISED.decode("latin1")),
}

MODULE = """
'''Generated.'''
from __future__ import print_function
import sys
from google.protobuf import descriptor as _descriptor, descriptor_pb2
from google.protobuf.internal import enum_type_wrapper
from google.protobuf import message as _message
from cells import other_pb2 as other__pb2
import more_pb2
DESCRIPTOR = _descriptor.FileDescriptor(name='tag.proto', serialized_pb={})
_TAG = _descriptor.Descriptor(name='Tag')
class Tag(_message.Message):
    __metaclass__ = Meta
class TagStub(object):
    pass
def add_to_server(servicer, server):
    pass
try:
    import grpc
except ImportError:
    pass
"""


@pytest.mark.parametrize("spelling", sorted(SPELLINGS))
def test_what_stays(spelling):
    tree = generated.rebuilt(ast.parse(MODULE.format(SPELLINGS[spelling])), "tag_pb2.py")
    heads = [ast.unparse(node).splitlines()[0] for node in tree.body]
    assert heads == [
        "from __future__ import print_function",
        "import sys",
        "from google.protobuf import descriptor_pb2",
        "from cells import other_pb2 as other__pb2",
        "import more_pb2",
        f"__protobuf_messages__(globals(), {SERIALISED!r})",
        "class TagStub(object):",
        "def add_to_server(servicer, server):",
        "try:",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "DESCRIPTOR = 3\nx = f(serialized_pb=b'')",
        "DESCRIPTOR = pool.AddSerializedFile(b'')",
        "def f():\n    DESCRIPTOR = g(serialized_pb=b'')",
        "",
    ],
    ids=["other names", "protoc 3.19", "not of the module", "nothing"],
)
def test_other_modules_stay_as_they_are(text):
    tree = generated.rebuilt(ast.parse(text), "a_pb2.py")
    assert ast.unparse(tree) == ast.unparse(ast.parse(text))


def test_messages_are_those_of_the_descriptor():
    names = {"__name__": "tag_pb2"}
    generated.build(names, SERIALISED)
    assert names["Tag"](text="a").SerializeToString() == b"\n\x01a"
    assert names["Tag"].__module__ == "tag_pb2"
    assert names["DESCRIPTOR"].name == "tag.proto"
    assert names["_TAG"] is names["Tag"].DESCRIPTOR
