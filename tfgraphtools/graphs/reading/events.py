"""The graphs in an event file, as `tf.summary.FileWriter` writes it: records with checksums."""

import os
import struct

from tfgraphtools.checkpoints.format.checksums import crc32c
from tfgraphtools.checkpoints.format.wire import Malformed, expect_bytes, fields

_HEADER, _FOOTER = 12, 4
GRAPH, META_GRAPH = 4, 9  # fields of an Event


def is_event_file(head):
    """Tells whether a file that begins with these bytes has records: their lengths are checked."""
    return len(head) >= _HEADER and _is_intact(head[:8], head[8:_HEADER])


def graphs(file):
    """Yields (field of the Event, the serialized graph) of an open file.

    A last record that is cut short is skipped: a job that is killed leaves one.

    Raises:
      Malformed: a checksum is wrong.
    """
    size = os.fstat(file.fileno()).st_size
    while True:
        header = file.read(_HEADER)
        if len(header) < _HEADER:
            return
        if not _is_intact(header[:8], header[8:]):
            raise Malformed("a record whose length contradicts its checksum")
        (length,) = struct.unpack("<Q", header[:8])
        if length + _FOOTER > size - file.tell():
            return
        record, checksum = file.read(length), file.read(_FOOTER)
        graphs_of_record = [
            (number, value)
            for number, value in fields(memoryview(record))
            if number in (GRAPH, META_GRAPH)
        ]
        if graphs_of_record and not _is_intact(record, checksum):
            raise Malformed("a graph that contradicts its checksum")
        for number, value in graphs_of_record:
            yield number, bytes(expect_bytes(value))


def _is_intact(data, checksum):
    return crc32c.mask(crc32c.crc32c(data)) == struct.unpack("<I", checksum)[0]
