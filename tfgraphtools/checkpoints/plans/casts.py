"""Casts that refuse to lose more than rounding does.

float16 ends at 65504 and its smallest number is 6e-8: beyond, NumPy silently
gives infinity and zero. An integer that does not fit wraps around. A `Caster`
counts such values and raises unless they were allowed.
"""

import threading

import numpy as np

from tfgraphtools.checkpoints.format import dtypes
from tfgraphtools.errors import CastError

#: What a cast may do to a value besides rounding it, and how a message says it.
KINDS = {
    "overflow": "finite values that would become infinite",
    "underflow": "values that would become zero",
    "wrap": "values outside the range of the type",
    "fraction": "values that would lose their fraction",
    "imaginary": "values that would lose their imaginary part",
}


class Caster:
    """Converts blocks from one type to another and counts what it lost; safe to share by threads.

    Args:
      source, target: `DType`.
      place: what to name in the error.
      allow: the `KINDS` to let pass.
    """

    def __init__(self, source, target, place, allow=()):
        self._source, self._target = source, target
        self._place, self._allow = place, allow
        self._counts = dict.fromkeys(KINDS, 0)
        self._lock = threading.Lock()
        if source.kind in "sx" or target.kind in "sx":
            raise CastError(
                place,
                "a cast between numbers",
                f"{source.name} to {target.name}",
                "Leave it out of the cast: give a pattern that does not match it.",
            )

    def cast(self, block):
        """Returns the block in the storage form of the target."""
        values = dtypes.widened(block, self._source)
        with np.errstate(all="ignore"):
            if self._target.kind in "iu":
                return self._to_integers(values)
            if values.dtype.kind == "c" and self._target.kind != "c":
                self._count("imaginary", values.imag != 0)
                values = values.real
            if self._target.kind == "b":
                self._count("wrap", (values != 0) & (values != 1))
                return values != 0
            out = dtypes.narrowed(values, self._target)
            if values.dtype.kind in "fciu":
                self._count_lost(values, out)
        return out

    def _count_lost(self, values, out):
        """Counts overflow and underflow. Nearly no block has any: that is asked first, cheaply."""
        if out.dtype == np.float16:  # the bits say it faster than floating-point comparisons do
            bits = out.view(np.uint16) & np.uint16(0x7FFF)
            suspicious = bits.size and (bits.max() >= 0x7C00, bits.min() == 0)
        else:
            back = dtypes.widened(out, self._target)
            suspicious = (not np.isfinite(back).all(), not back.all())
        if not suspicious or not any(suspicious):
            return
        back = dtypes.widened(out, self._target)
        self._count("overflow", np.isfinite(values) & ~np.isfinite(back))
        self._count("underflow", (values != 0) & (back == 0))

    def _to_integers(self, values):
        if values.dtype.kind == "c":
            self._count("imaginary", values.imag != 0)
            values = values.real
        storage = dtypes.storage(self._target)
        limits = np.iinfo(storage)
        if values.dtype.kind == "b":
            return values.astype(storage)
        if values.dtype.kind in "iu":
            out = values.astype(storage)
            # Wrapped, unless it comes back the same and of the same sign.
            self._count("wrap", (out.astype(values.dtype) != values) | ((out < 0) != (values < 0)))
            return out
        # float(limits.max) rounds up to a power of two for the wide types: hence below it plus one.
        inside = (values >= float(limits.min)) & (values < float(limits.max) + 1.0)
        self._count("wrap", ~inside)
        self._count("fraction", inside & (np.trunc(values) != values))
        return np.where(inside, values, 0).astype(storage)

    def _count(self, kind, mask):
        count = int(np.count_nonzero(mask))
        if count:
            with self._lock:
                self._counts[kind] += count

    def finish(self):
        """Raises `CastError`, with the counts, if something was lost that is not allowed."""
        lost = {k: n for k, n in self._counts.items() if n and k not in self._allow}
        if lost:
            raise CastError(
                self._place,
                f"a cast from {self._source.name} to {self._target.name} that only rounds",
                ", ".join(f"{n} {KINDS[kind]}" for kind, n in lost.items()),
                "Leave it out of the cast, or accept it with allow={!r} (--allow {}).".format(
                    sorted(lost), " ".join(sorted(lost))
                ),
            )
