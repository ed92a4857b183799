"""The text format of graphs: its memory is a small multiple of the text. Oracle: protobuf."""

import random
import tracemalloc

import pytest

from tfgraphtools.checkpoints.format.wire import Malformed
from tfgraphtools.graphs.reading import text_format

pytestmark = [pytest.mark.quick, pytest.mark.once]

_SIZE = 300000

#: Texts of some hundred thousand pieces of one kind. Spaces took 140 bytes a character.
LONG = {
    "spaces": " " * _SIZE,
    "line ends": "\n" * _SIZE,
    "comments": "# a\n" * (_SIZE // 4),
    "a comment": "#" + " " * _SIZE,
    "escapes": 'node { name: "' + "\\001" * (_SIZE // 4) + '" }',
    "a name": 'node { name: "' + "a" * _SIZE + '" }',
    "texts": 'node { name: "a" ' + '"b" ' * (_SIZE // 4) + "}",
    "nodes": 'node { name: "a" op: "b" }\n' * (_SIZE // 26),
    "numbers": "node { attr { value { list { f: [" + "1.5, " * (_SIZE // 5) + "2] } } } }",
    "semicolons": "node { };\n" * (_SIZE // 10),
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_memory(text):
    tracemalloc.start()
    try:
        text_format.to_bytes(text, "Graph")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 8 * len(text)


BROKEN = ['"', "'", '"a\n"', '"a', '"a\\', '"a\\"', "node { name: 'a\" }", 'node { name: "a\n" }']


@pytest.mark.parametrize("text", BROKEN)
def test_texts_without_an_end(text):
    with pytest.raises(Malformed, match="near line 1|no field"):
        text_format.to_bytes(text, "Graph")


def _literal(draw):
    quote = draw.choice("\"'")
    pieces = ("a", " ", "\\n", "\\" + quote, "\\\\", "\\101", "\\x41", "#", "\u00e9", "\\t", "\\0")
    return quote + "".join(draw.choice(pieces) for _ in range(draw.randrange(3000))) + quote


@pytest.mark.parametrize("seed", range(8))
def test_same_as_protobuf(seed, tf, v1):
    """Texts of more escapes than are passed at a time, comments and spaces between them."""
    protobuf = pytest.importorskip("google.protobuf.text_format")
    draw = random.Random(seed)
    space = draw.choice([" ", "\n", " # c \"'\n  ", "\t\r\n#\n"])
    text = f"node{space}{{{space}name:{space}{_literal(draw)}{space}{_literal(draw)}{space}}}"
    expected = v1.GraphDef()
    try:
        protobuf.Parse(text, expected)
    except protobuf.ParseError:  # bytes that are no UTF-8 are no name for it
        return
    read = v1.GraphDef.FromString(text_format.to_bytes(text, "Graph"))
    assert read.node[0].name == expected.node[0].name
