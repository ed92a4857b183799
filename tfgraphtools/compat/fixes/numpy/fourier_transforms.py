"""``numpy.fft``, which calculates float32 in float32 since NumPy 2.0: NumPy 1 did in float64."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import in_place_of

_NAMES = "fft ifft rfft irfft hfft ihfft fft2 ifft2 rfft2 irfft2 fftn ifftn rfftn irfftn".split()


@in_place_of(
    " ".join("numpy.fft." + name for name in _NAMES),
    "NumPy 2.0",
    "transforms are computed in float64 for every type, as in NumPy 1",
)
def _transform(original, used, a, *arguments, **options):
    import numpy

    array = numpy.asarray(a)
    if array.dtype.char in "efgFG":
        used()
        a = array.astype("complex128" if array.dtype.kind == "c" else "float64")
    return original(a, *arguments, **options)


TABLE = Table("Fourier transforms of NumPy 1", "calls", _transform)
