"""``numpy.fft``, which calculates float32 in float32 since NumPy 2.0: NumPy 1 did in float64."""

import functools

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import provides

_NAMES = ("fft ifft rfft irfft hfft ihfft fft2 ifft2 rfft2 irfft2 fftn ifftn rfftn irfftn").split()


def _transform(name):
    def provide(real, used):
        import numpy

        function = getattr(real, name)

        @functools.wraps(function)
        def transform(a, *arguments, **options):
            array = numpy.asarray(a)
            if array.dtype.char in "efgFG":
                used()
                a = array.astype("complex128" if array.dtype.kind == "c" else "float64")
            return function(a, *arguments, **options)

        return transform

    why = "transforms are computed in float64 for every type, as in NumPy 1"
    return provides("numpy.fft." + name, "NumPy 2.0", why)(provide)


TABLE = Table("Fourier transforms of NumPy 1", "calls", [_transform(name) for name in _NAMES])
