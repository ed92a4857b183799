"""Functions that left SciPy, by what it has still: interpolation on a plane, derivatives.

Sources: ``scipy.interpolate.interp2d``, ``scipy.misc.derivative`` and
``scipy.stats.median_absolute_deviation`` of SciPy 1.7.
"""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import made

_DEGREES = {"linear": 1, "cubic": 3, "quintic": 5}


@made("scipy.interpolate.interp2d", "SciPy 1.14", "two-dimensional splines, on or off a grid")
def _interp2d(real):
    return Interp2d


class Interp2d:
    """Splines through ``z`` at ``x`` and ``y``: the axes of a grid, or points.

    Args:
      x, y: the coordinates; of a grid, of its columns and rows.
      z: the values, [len(y), len(x)] of a grid, or flat by columns.
      kind: "linear", "cubic" or "quintic".
      copy: ignored; the values are copied.
      bounds_error: whether a point beyond the range is a ValueError.
      fill_value: what a point beyond the range gives; the nearest value if None.
    """

    def __init__(self, x, y, z, kind="linear", copy=True, bounds_error=False, fill_value=None):
        import numpy
        from scipy import interpolate

        if kind not in _DEGREES:
            raise ValueError(f"interp2d: kind: expected one of {sorted(_DEGREES)}, got {kind!r}")
        x, y, z = numpy.ravel(x), numpy.ravel(y), numpy.asarray(z)
        degree = _DEGREES[kind]
        if z.size == x.size * y.size:
            columns, rows = numpy.argsort(x), numpy.argsort(y)
            z = z if z.ndim == 2 else z.reshape(x.size, y.size).T  # flat, it is by columns
            z = z[rows][:, columns]
            x, y = x[columns], y[rows]
            spline = interpolate.RectBivariateSpline(x, y, z.T, kx=degree, ky=degree, s=0)
            self.tck = [*spline.tck, degree, degree]
        else:
            self.tck = interpolate.bisplrep(x, y, z.ravel(), kx=degree, ky=degree, s=0.0)
        self.bounds_error, self.fill_value = bounds_error, fill_value
        self.x_min, self.x_max, self.y_min, self.y_max = x.min(), x.max(), y.min(), y.max()

    def __call__(self, x, y, dx=0, dy=0, assume_sorted=False):
        """The values, [len(y), len(x)]; of one y, [len(x)]. Both axes are sorted first."""
        import numpy
        from scipy import interpolate

        x, y = numpy.atleast_1d(x), numpy.atleast_1d(y)
        if not assume_sorted:
            x, y = numpy.sort(x), numpy.sort(y)
        beyond_x = (x < self.x_min) | (x > self.x_max)
        beyond_y = (y < self.y_min) | (y > self.y_max)
        if self.bounds_error and (beyond_x.any() or beyond_y.any()):
            raise ValueError(
                f"interp2d: expected x in [{self.x_min}, {self.x_max}] and y in "
                f"[{self.y_min}, {self.y_max}], got {x[beyond_x]} and {y[beyond_y]}. "
                "Leave bounds_error out to extrapolate"
            )
        z = numpy.atleast_2d(interpolate.bisplev(x, y, self.tck, dx, dy)).reshape(x.size, y.size).T
        if self.fill_value is not None:
            z = numpy.where(beyond_x | beyond_y[:, None], self.fill_value, z)
        return numpy.array(z[0] if len(z) == 1 else z)


@made("scipy.misc.derivative", "SciPy 1.12", "computes a derivative by central differences")
def _derivative(real):
    return derivative


def derivative(func, x0, dx=1.0, n=1, args=(), order=3):
    """The n-th derivative of a function at ``x0``, from `order` points that are `dx` apart."""
    import numpy

    if order < n + 1 or order % 2 == 0:
        raise ValueError(
            f"derivative: order: expected an odd number of points above n = {n}, got {order}. "
            f"Give order={n + 1 + n % 2}"
        )
    half = order // 2
    powers = numpy.arange(-half, half + 1.0)[:, None] ** numpy.arange(order)
    weights = numpy.prod(numpy.arange(1.0, n + 1)) * numpy.linalg.inv(powers)[n]
    total = sum(w * func(x0 + (k - half) * dx, *args) for k, w in enumerate(weights))
    return total / dx**n


@made(
    "scipy.stats.median_absolute_deviation",
    "SciPy 1.9",
    "median_abs_deviation, with scale as a factor",
)
def _median_absolute_deviation(real):
    import numpy

    def median_absolute_deviation(
        x, axis=0, center=numpy.median, scale=1.4826, nan_policy="propagate"
    ):
        scale = 1.0 if scale == "raw" else 1.4826022185056018 if scale == "normal" else scale
        options = {"axis": axis, "center": center, "nan_policy": nan_policy}
        return real.median_abs_deviation(x, scale=1.0 / scale, **options)

    return median_absolute_deviation


TABLE = Table(
    "functions that left SciPy", "names", [_interp2d, _derivative, _median_absolute_deviation]
)
