"""The HDF5 library behind a process boundary.

A file that was made to do harm can crash the library, send it round in circles, or make it take all
memory. It then does so to a child process with limits, and the file is reported as damaged.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import weakref

from tfgraphtools.checkpoints.format.wire import Malformed

_CHILD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hdf5_child.py")
_SECONDS = 4  # of the processor, for a small file
_PER_SECOND = 1 << 20  # bytes of the file, or of values, for each further second
_MOST_TEXT = 1 << 30


class Hdf5Process:
    """An HDF5 file, or the one in a ``.keras`` file, open in a child process.

    Attributes:
      arrays: [[place, name of the type, shape, bytes in the file, why it cannot be read]].
      groups: {group: [the name of the layer whose variables it holds or None, their number]}.
      config: the JSON of the model, or None.

    Raises:
      Malformed: the library raises an error, crashes, or takes too long.
    """

    def __init__(self, path, size):
        self._lock, self._size = threading.Lock(), size
        self._child = subprocess.Popen(
            [sys.executable or "python3", "-I", _CHILD],
            env=dict(os.environ, OPENBLAS_NUM_THREADS="1"),  # each thread reserves memory
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._end = weakref.finalize(self, _end, self._child)
        try:
            self._send(sys.path)
            listing = self._ask({"open": os.path.abspath(path)}, size)[0]
            self.arrays, self.groups = listing["arrays"], listing["groups"]
            self.config = listing.get("config")
        except Malformed:
            self.close()
            raise

    def read(self, place, size):
        """Returns the ``size`` bytes of an array: in C order, little-endian."""
        values = self._ask({"read": place}, size)[1]
        if len(values) != size:
            raise Malformed(f"{len(values)} bytes of values, not {size}")
        return values

    def check_unchanged(self):
        """Checks nothing: the file that the child reads is checked by its own `File`."""

    def release(self):
        """Releases nothing: arrays that were read are copies."""

    def close(self):
        """Ends the child."""
        self._end()

    def _ask(self, request, size):
        """Returns (the answer, the bytes that came with it)."""
        size += self._size
        with self._lock:
            try:
                self._send(dict(request, bytes=2 * size, seconds=_SECONDS + size // _PER_SECOND))
                reply = json.loads(self._receive(self._length()).decode("ascii"))
                if "error" in reply:
                    raise Malformed(reply["error"])
                return reply, self._receive(reply.get("size", 0))
            except (EOFError, OSError) as error:
                raise Malformed(self._epitaph()) from error

    def _send(self, request):
        self._child.stdin.write(json.dumps(request).encode("ascii") + b"\n")
        self._child.stdin.flush()

    def _length(self):
        length = int.from_bytes(self._receive(8), "little")
        if length > _MOST_TEXT:
            raise Malformed(f"a listing of {length} bytes")
        return length

    def _receive(self, size):
        data = bytearray(size)
        view, have = memoryview(data), 0
        while have < size:
            count = self._child.stdout.readinto(view[have:])
            if not count:
                raise EOFError
            have += count
        return data

    def _epitaph(self):
        """Tells why the child process ended."""
        code = self._child.wait()
        if code == -getattr(signal, "SIGXCPU", 0):
            return "the HDF5 library takes too long to read it"
        if code < 0:
            return f"the HDF5 library crashes on it ({_signal_name(-code)})"
        return "the process that reads it has ended"


def _signal_name(number):
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _end(child):
    child.kill()
    child.stdin.close()
    child.stdout.close()
    child.wait()
