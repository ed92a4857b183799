"""Types that NumPy lacks, as float32 that gives every bit back."""

from tfgraphtools.checkpoints.format import dtypes
from tfgraphtools.errors import UnreadableTensorError


def widened(raw, dtype):
    """Returns values as float32 from which `narrowed` gets every bit back, those of NaNs too."""
    import numpy as np

    if dtype.name == "bfloat16":
        return dtypes.widened(raw, dtype)
    values = _wide_values(dtype)[raw]
    if not np.array_equal(_narrowed(values, dtype)[0], raw):
        raise UnreadableTensorError(
            f"a tensor of type {dtype.name}",
            "one number in each byte",
            "bytes with more in them",
            "Cast it first: 'tfgraphtools ckpt cast'.",
        )
    return values


def narrowed(values, dtype):
    """Returns the storage form of what `widened` gave; None if these are no values of the type."""
    import numpy as np

    raw, exact = _narrowed(np.ascontiguousarray(values, "<f4"), dtype)
    return raw.reshape(values.shape) if exact else None


def _narrowed(values, dtype):
    import numpy as np

    bits = values.reshape(-1).view(np.uint32)
    if dtype.name == "bfloat16":
        return (bits >> np.uint32(16)).astype(np.uint16), not (bits & np.uint32(0xFFFF)).any()
    table = _wide_values(dtype).view(np.uint32)
    order = np.argsort(table, kind="stable")
    raw = order[np.minimum(np.searchsorted(table[order], bits), 255)].astype(np.uint8)
    return raw.reshape(values.shape), np.array_equal(table[raw], bits)


def _wide_values(dtype):
    """Returns the 256 values of a type of one byte as float32, each NaN with its byte in it."""
    import numpy as np

    byte = np.arange(256, dtype=np.uint8)
    values = dtypes.widened(byte, dtype).astype(np.float32)
    bits = values.view(np.uint32)
    nan = np.isnan(values)
    bits[nan] = np.uint32(0x7FC00000) | byte[nan]
    return values
