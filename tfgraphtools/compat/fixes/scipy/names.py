"""Names and modules that left SciPy."""

import types

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.build import made, moved
from tfgraphtools.compat.fixes.scipy import images

_IMAGES = "imread imsave imresize imrotate imshow toimage fromimage bytescale".split()

_WINDOWS = (
    "barthann bartlett blackman blackmanharris bohman boxcar chebwin cosine exponential flattop "
    "gaussian general_gaussian hamming hann kaiser nuttall parzen triang tukey"
).split()

#: NumPy's functions that `scipy` itself showed.
_NUMPYS = (
    "absolute add amax amin arange arctan array asarray concatenate cos cumsum diag "
    "dot exp eye floor hstack inf inner isnan linspace mean median meshgrid nan "
    "ones pi prod rand randn ravel real reshape sign sin sort std sum tan tile transpose var "
    "vstack where zeros polyfit polyval unique histogram ndim convolve int_ float64 c_ r_"
).split()


#: Those that gave complex numbers outside of the real domain: ``scipy.sqrt(-1)`` was ``1j``.
_COMPLEX = "arccos arcsin arctanh log log10 log2 logn power sqrt".split()


def _image_row(name):
    why = f"scipy.misc.{name} on Pillow, as SciPy 1.1 had it"
    return Row("scipy.misc." + name, "SciPy 1.2", why, lambda real: getattr(images, name))


@made("scipy.ndimage.imread", "SciPy 1.2", "scipy.misc.imread on Pillow, as SciPy 1.1 had it")
def _ndimage_imread(real):
    return images.imread


@made("scipy.signal.hanning", "SciPy 1.1", "scipy.signal.hanning is scipy.signal.windows.hann")
def _hanning(real):
    return real.windows.hann


@made("scipy.linalg.tri", "SciPy 1.13", "scipy.linalg.tri is numpy.tri, with bools")
def _tri(real):
    import numpy

    def tri(N, M=None, k=0, dtype=None):
        return numpy.tri(N, M, k, dtype=bool if dtype is None else dtype)

    return tri


@made("scipy.misc.factorialk", "SciPy 1.3", "scipy.misc.factorialk is in scipy.special now")
def _factorialk(real):
    from scipy.special import factorialk

    return factorialk


@made("scipy.special.sph_harm", "SciPy 1.17", "sph_harm_y, with its arguments in another order")
def _spherical_harmonic(real):
    return lambda m, n, theta, phi: real.sph_harm_y(n, m, phi, theta)


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
        *[_image_row(name) for name in _IMAGES],
        _ndimage_imread,
        *moved(
            "scipy.misc",
            "SciPy 1.3",
            {n: "scipy.special:" + n for n in "comb factorial factorial2 logsumexp".split()},
        ),
        _factorialk,
        *moved("scipy.misc", "SciPy 1.12", {n: "scipy.datasets:" + n for n in ("face", "ascent")}),
        *moved("scipy.signal", "SciPy 1.13", {n: "scipy.signal.windows:" + n for n in _WINDOWS}),
        _hanning,
        *moved(
            "scipy.integrate",
            "SciPy 1.14",
            {
                "trapz": "scipy.integrate:trapezoid",
                "cumtrapz": "scipy.integrate:cumulative_trapezoid",
            },
        ),
        *moved(
            "scipy.stats",
            "SciPy 1.6",
            {"frechet_r": "scipy.stats:weibull_min", "frechet_l": "scipy.stats:weibull_max"},
        ),
        *moved("scipy.linalg", "SciPy 1.9", {"pinv2": "scipy.linalg:pinv"}),
        *moved("scipy.linalg", "SciPy 1.13", {n: "numpy:" + n for n in ("kron", "tril", "triu")}),
        _tri,
        *moved(
            "scipy",
            "SciPy 1.12",
            {n: f"numpy.random:{n}" if n.startswith("rand") else f"numpy:{n}" for n in _NUMPYS},
        ),
        *moved("scipy", "SciPy 1.12", {n: "numpy.lib.scimath:" + n for n in _COMPLEX}),
        _spherical_harmonic,
    ],
)

MODULES = Table(
    "modules that left SciPy",
    "modules",
    [
        Row(
            "scipy.sparse.linalg.eigen.arpack",
            "SciPy 1.8",
            "the solvers eigs, eigsh and svds are in scipy.sparse.linalg now",
            _arpack,
        )
    ],
)

_GONE = {
    "scipy.misc.lena": "the picture was withdrawn: use scipy.misc.face()",
    "scipy.signal.cwt": "wavelets are in another package now: pip install PyWavelets",
    "scipy.signal.ricker": "wavelets are in another package now: pip install PyWavelets",
    "scipy.signal.morlet": "wavelets are in another package now: pip install PyWavelets",
}

GONE = Table(
    "names that left SciPy without a replacement",
    "gone",
    [Row(name, "SciPy 1.15", why) for name, why in _GONE.items()],
)

TABLES = (NAMES, MODULES, GONE)
