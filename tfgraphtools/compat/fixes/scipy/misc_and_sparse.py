"""Names and modules that left SciPy, and attributes of its sparse matrices."""

import types

from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes import removed
from tfgraphtools.compat.fixes.build import left
from tfgraphtools.compat.fixes.scipy import scipy_images

_IMAGES = "imread imsave imresize imrotate imshow toimage fromimage bytescale".split()


def _image_row(name):
    why = f"scipy.misc.{name} on Pillow, as SciPy 1.1 had it"
    return Fix("scipy.misc." + name, "SciPy 1.2", why, lambda real: getattr(scipy_images, name))


def _arpack():
    """Returns the module of ARPACK's solvers under its old name."""
    import scipy.sparse.linalg as linalg

    module = types.ModuleType("scipy.sparse.linalg.eigen.arpack")
    for name in ("eigs", "eigsh", "svds", "ArpackError", "ArpackNoConvergence"):
        setattr(module, name, getattr(linalg, name))
    return module


NAMES = Table(
    "functions of images that left SciPy",
    "names",
    [
        *map(_image_row, _IMAGES),
    ],
)

_ARPACK = "the solvers eigs, eigsh and svds are in scipy.sparse.linalg now"

MODULES = Table(
    "modules that left SciPy",
    "modules",
    [Fix("scipy.sparse.linalg.eigen.arpack", "SciPy 1.8", _ARPACK, _arpack)],
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

TABLES = (*removed.tables_of("SciPy"), NAMES, MODULES, ATTRIBUTES)
