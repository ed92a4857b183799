"""One array in an archive, whichever kind of archive that is."""

import collections

#: ``dtype`` and ``shape`` are the array's own; ``offset`` and ``bytes`` say where its values are
#: in the file, ``offset`` is None if they are compressed. ``layout`` is how NumPy would see them:
#: (descr, fortran order). ``check()`` raises `Malformed` if bytes changed; ``load()`` gives the
#: bytes of the values, a view of the file where they are not compressed.
Member = collections.namedtuple("Member", "key dtype shape offset bytes layout check load")
