"""Names and modules that left SciPy, and attributes of its sparse matrices."""

import types

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes import removed
from tfgraphtools.compat.fixes.build import left, made
from tfgraphtools.compat.fixes.scipy import images

_IMAGES = "imread imsave imresize imrotate imshow toimage fromimage bytescale".split()


def _image_row(name):
    why = f"scipy.misc.{name} on Pillow, as SciPy 1.1 had it"
    return Row("scipy.misc." + name, "SciPy 1.2", why, lambda real: getattr(images, name))


@made("scipy.special.sph_harm", "SciPy 1.17", "sph_harm_y, with its arguments in another order")
def _spherical_harmonic(real):
    return lambda m, n, theta, phi: real.sph_harm_y(n, m, phi, theta)


@made("scipy.integrate.simps", "SciPy 1.14", "simpson, with x= by position")
def _simps(real):
    return lambda y, x=None, dx=1.0, axis=-1: real.simpson(y, x=x, dx=dx, axis=axis)


@made("scipy.stats.itemfreq", "SciPy 1.9", "the values and their counts")
def _itemfreq(real):
    import numpy

    return lambda a: numpy.array(numpy.unique(a, return_counts=True)).T


@made("scipy.stats.binom_test", "SciPy 1.12", "the p-value of binomtest")
def _binom_test(real):
    def binom_test(x, n=None, p=0.5, alternative="two-sided"):
        import numpy

        if numpy.size(x) == 2:
            n = x[0] + x[1]
            x = x[0]
        return real.binomtest(int(x), int(n), p, alternative).pvalue

    return binom_test


def _arpack():
    """The module of ARPACK's solvers under its old name."""
    import scipy.sparse.linalg as linalg

    module = types.ModuleType("scipy.sparse.linalg.eigen.arpack")
    for name in ("eigs", "eigsh", "svds", "ArpackError", "ArpackNoConvergence"):
        setattr(module, name, getattr(linalg, name))
    return module


NAMES = Table(
    "names that left SciPy",
    "names",
    [
        *map(_image_row, _IMAGES),
        _spherical_harmonic,
        _simps,
        _itemfreq,
        _binom_test,
        *removed.rows_of("scipy"),
    ],
)

_ARPACK = "the solvers eigs, eigsh and svds are in scipy.sparse.linalg now"

MODULES = Table(
    "modules that left SciPy",
    "modules",
    [Row("scipy.sparse.linalg.eigen.arpack", "SciPy 1.8", _ARPACK, _arpack)],
)

ATTRIBUTES = Table(
    "attributes of SciPy's sparse matrices",
    "listed",
    [
        left(
            "scipy.sparse.attributes",
            "SciPy 1.14",
            "matrix.A is matrix.toarray(), matrix.H its conjugate transpose",
            lambda value: value.tocsr,
            {
                "A": lambda matrix: matrix.toarray(),
                "H": lambda matrix: matrix.conjugate().transpose(),
                "asfptype": lambda matrix: (
                    lambda: matrix if matrix.dtype.kind in "fc" else (matrix.astype("float64"))
                ),
            },
            "scipy",
        )
    ],
)

TABLES = (NAMES, MODULES, removed.gone_of("scipy"), ATTRIBUTES)
