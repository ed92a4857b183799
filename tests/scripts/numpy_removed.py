# %% numpy.ALLOW_THREADS numpy.BUFSIZE numpy.CLIP numpy.WRAP numpy.RAISE numpy.ERR_CALL numpy.ERR_DEFAULT numpy.ERR_IGNORE numpy.ERR_LOG numpy.ERR_PRINT numpy.ERR_RAISE numpy.ERR_WARN numpy.FLOATING_POINT_SUPPORT
# %%+ numpy.FPE_DIVIDEBYZERO numpy.FPE_INVALID numpy.FPE_OVERFLOW numpy.FPE_UNDERFLOW numpy.MAXDIMS numpy.MAY_SHARE_BOUNDS numpy.MAY_SHARE_EXACT
# %%+ numpy.SHIFT_DIVIDEBYZERO numpy.SHIFT_INVALID numpy.SHIFT_OVERFLOW numpy.SHIFT_UNDERFLOW numpy.UFUNC_BUFSIZE_DEFAULT numpy.UFUNC_PYVALS_NAME numpy.tracemalloc_domain
import numpy as np
print([getattr(np, name) for name in (
    "ALLOW_THREADS BUFSIZE CLIP WRAP RAISE ERR_CALL ERR_DEFAULT ERR_IGNORE ERR_LOG ERR_PRINT ERR_RAISE "
    "ERR_WARN FLOATING_POINT_SUPPORT FPE_DIVIDEBYZERO FPE_INVALID FPE_OVERFLOW FPE_UNDERFLOW MAXDIMS "
    "MAY_SHARE_BOUNDS MAY_SHARE_EXACT SHIFT_DIVIDEBYZERO SHIFT_INVALID SHIFT_OVERFLOW SHIFT_UNDERFLOW "
    "UFUNC_BUFSIZE_DEFAULT UFUNC_PYVALS_NAME tracemalloc_domain").split()])
# %% numpy.ma.rank numpy.testing.rand numpy.polynomial.polyutils.RankWarning numpy.ma.dumps [not-on-1.15: NumPy 1.18 dropped them]
import pickle
import numpy as np
import numpy.testing
print(np.ma.rank(np.ones([2, 3])), np.testing.rand(2).shape, np.polynomial.polyutils.RankWarning.__name__)
print(pickle.loads(np.ma.dumps(np.ma.array([1, 2], mask=[0, 1]))))
#> 2 (2,) RankWarning
#> [1 --]
# %% numpy.core numpy.core.arrayprint numpy.core.defchararray numpy.core.einsumfunc numpy.core.fromnumeric numpy.core.function_base numpy.core.getlimits numpy.core.machar numpy.core.memmap numpy.core.multiarray numpy.core.numeric numpy.core.numerictypes
# %%+ numpy.core.records numpy.core.shape_base numpy.core.umath numpy.core.umath_tests numpy.compat numpy.compat.py3k [fails-not: it warns]
# %%+ numpy.compat.basestring numpy.compat.bytes numpy.compat.long numpy.compat.unicode
# %%+ numpy.compat.py3k.basestring numpy.compat.py3k.bytes numpy.compat.py3k.long numpy.compat.py3k.unicode
import warnings
warnings.simplefilter("error")
import numpy as np
from numpy.core.multiarray import array, ndarray
from numpy.core.numeric import Inf, normalize_axis_tuple, asarray
from numpy.core.numerictypes import float_, issubdtype
from numpy.core import fromnumeric, records, shape_base, umath, arrayprint, defchararray, einsumfunc
from numpy.core import function_base, getlimits, machar, memmap
from numpy.compat.py3k import basestring
from numpy.compat import unicode
print(array([1]), Inf, asarray(2), float_ is np.float64, issubdtype(np.float32, np.floating), normalize_axis_tuple(-1, 2))
print(fromnumeric.product([2, 3]), shape_base.vstack([[1], [2]]).shape, umath.sqrt(4.0))
print(isinstance("a", basestring), unicode is str, np.core.umath_tests.inner1d.__name__ if hasattr(np.core, "x") else 1)
print(defchararray.upper("a"), function_base.linspace(0, 1, 2), getlimits.finfo(np.float32).eps, records.array([(1, 2)]).shape)
# %% numpy.dual numpy.fft.helper numpy.lib.arraypad numpy.lib.arraysetops numpy.lib.arrayterator numpy.lib.financial numpy.lib.function_base numpy.lib.histograms numpy.lib.index_tricks numpy.lib.nanfunctions numpy.lib.npyio numpy.lib.polynomial
# %%+ numpy.lib.scimath numpy.lib.shape_base numpy.lib.stride_tricks numpy.lib.twodim_base numpy.lib.type_check numpy.lib.ufunclike numpy.lib.utils numpy.linalg.linalg numpy.matlib numpy.matrixlib.defmatrix numpy.testing.decorators numpy.testing.nosetester numpy.testing.utils
import numpy as np
from numpy.lib.stride_tricks import as_strided, broadcast_to
from numpy.lib import arraypad, arraysetops, arrayterator, function_base, histograms, index_tricks, nanfunctions
from numpy.lib import npyio, polynomial, scimath, shape_base, twodim_base, type_check, ufunclike, utils
from numpy.linalg.linalg import LinAlgError, norm
from numpy.fft.helper import fftshift
from numpy.dual import inv
from numpy.matrixlib.defmatrix import matrix
from numpy.testing.utils import assert_almost_equal
import numpy.matlib
print(arraypad.pad([1], 1, "constant"), arraysetops.unique([2, 1, 1]), function_base.angle(1j), histograms.histogram([1, 2])[0].sum())
print(index_tricks.r_[1, 2], nanfunctions.nansum([1, np.nan]), npyio.load is not None, polynomial.polyval([1, 2], 3), scimath.sqrt(-1))
print(shape_base.tile([1], 2), twodim_base.eye(1), type_check.iscomplexobj(1j), ufunclike.fix(1.5), norm([3, 4]))
print(fftshift([1, 2]), inv([[2.0]]), matrix([1]).shape, as_strided(np.arange(2)).shape, broadcast_to(1, 2), np.matlib.repmat([1], 2, 1).shape)
print(np.lib.function_base.gradient([1.0, 2.0]), np.lib.index_tricks.mgrid[:2], np.matlib.ones(1), utils is not None)
# %% numpy.atleast_1d numpy.atleast_2d numpy.atleast_3d numpy.broadcast_arrays numpy.gradient numpy.meshgrid numpy.count_nonzero numpy.unique numpy.floor numpy.ceil numpy.trunc numpy.fix numpy.nonzero numpy.where
import numpy as np
grid = np.meshgrid([1, 2], [3])
grid[0] = grid[0] * 2
print(grid, type(np.atleast_1d(1, 2)), type(np.atleast_2d(1, 2)), type(np.atleast_3d(1, 2)), type(np.atleast_1d(1)))
print(type(np.broadcast_arrays([1], 2)), type(np.gradient(np.ones([2, 2]))), type(np.gradient([1.0, 2.0])))
print(type(np.count_nonzero([[1, 0], [1, 1]])), np.count_nonzero([[1, 0]], axis=1).dtype)
print([x.shape for x in np.unique([[1, 2], [2, 1]], True, True, True)], np.unique([[1, 2]], return_inverse=True)[1])
print([f(np.array([3, 2])).dtype for f in (np.floor, np.ceil, np.trunc, np.fix)], type(np.floor(3)), np.floor(np.int8(3)).dtype)
print(np.nonzero(5), np.where(0), np.where([True, False]), np.where(True, 1, 2), np.nonzero([0, 1]))
# %% numpy.add numpy.subtract numpy.multiply numpy.divide numpy.true_divide numpy.floor_divide numpy.mod numpy.remainder numpy.fmod numpy.power numpy.maximum numpy.minimum numpy.fmax numpy.fmin numpy.arctan2 numpy.hypot numpy.copysign numpy.nextafter numpy.logaddexp numpy.logaddexp2 numpy.heaviside [fails-not: other types]
import numpy as np
import pickle
names = ("add subtract multiply divide true_divide floor_divide mod remainder fmod power maximum minimum fmax fmin "
         "arctan2 hypot copysign nextafter logaddexp logaddexp2 heaviside").split()
for name in names:
    f = getattr(np, name)
    print(name, f(np.float32(2), 3).dtype, f(np.ones(2, np.float32), np.float64(3)).dtype, f(np.ones(2, np.float32), 2).dtype)
print(np.add(np.uint8(200), 100), np.multiply(np.ones(2, np.float16), np.float64(2)).dtype, np.maximum([1, 5], 3))
print(np.add.reduce([1, 2]), np.maximum.accumulate([1, 3, 2]), np.multiply.outer([1, 2], [3]).shape, np.add(1, 2, dtype=np.float32).dtype)
print(pickle.loads(pickle.dumps(np.add))(1, 2), np.subtract(np.ones(2), 1, out=np.zeros(2)), np.add.nin)
# %% numpy.fft.fftpack [not-on-1.15: NumPy 1.17 dropped it]
from numpy.fft.fftpack import fft
print(fft([1, 2]).real)
#> [ 3. -1.]
# %% numpy.linspace numpy.where numpy.clip numpy.can_cast numpy.unique numpy.left_shift numpy.right_shift numpy.bitwise_and numpy.bitwise_or numpy.bitwise_xor numpy.less numpy.less_equal numpy.greater numpy.greater_equal numpy.equal numpy.not_equal
import numpy as np
def show(found):
    parts = list(found) if isinstance(found, (list, tuple)) else [found]
    print([str(getattr(one, "dtype", type(one).__name__)) for one in parts], [np.asarray(one).astype(str).tolist() for one in parts])
show(np.where([True, False], np.float32(1), 2.5))
show(np.where([True, False], np.array([3, 4], np.uint8), 300))
show(np.where(5))
show(np.clip(np.array([1, 2, 3], np.uint8), 0, 300))
show(np.clip(np.array([1, 2, 3], np.uint8), a_min=None, a_max=2))
show(np.clip(np.float32(5), 0, 1))
show(np.clip(np.ones(2, np.float32), 0, np.float64(0.5)))
bounds = np.array([1, 2], np.uint8), np.array([3, 4], np.float32)
show([np.clip(5.5, *(2 * bounds[1:])), np.clip(np.float64(5), bounds[1], 9), np.clip(300, *bounds[:1] * 2)])
small = [np.int8(1), np.uint8(2), np.int16(3), np.uint16(4), np.float16(5)]
show([one / other for one in small for other in small])
show([np.clip(bounds[0], *bounds[::-1]), np.float64(2).clip(*bounds[1:] * 2)])
show(np.equal(np.float32(0.1), 0.1))
show(np.left_shift(np.uint8(1), 9))
show(np.bitwise_or(np.array([1], np.uint8), 256))
show(np.array([1], np.uint8) | 256)
show(np.array([1], np.uint8) << 9)
show(np.array([1], np.uint8) & 300)
show(np.array([1], np.uint8) ^ -1)
show(np.right_shift(np.array([1], np.uint8), 300))
show(np.fmod(np.array([1], np.uint8), 300))
show(np.array([1], np.int8) | 200)
show(np.unique([3, 1, np.nan, np.nan]))
show(np.unique([[1, 2], [2, 1]], return_inverse=True)[1])
show(np.linspace(-3, 0, 5, dtype=int))
show(np.linspace(-3, 0, 5, True, True, int)[0])
show(np.linspace(np.float32(0), 1, 3))
show(np.linspace(np.zeros(2, np.float32), 1, 3))
show(np.linspace(np.float32(0.1), np.float32(0.7), 4))
show([np.can_cast(3, np.int8), np.can_cast(300, np.uint8), np.can_cast(-3, np.uint8), np.can_cast(200, 'i1'), np.can_cast(2.5, 'f4')])
for name in "bitwise_and bitwise_xor less less_equal greater greater_equal not_equal".split():
    show(getattr(np, name)(np.uint8(20), 300))
# %% numpy.histogram2d numpy.histogramdd
import numpy as np
def show(found):
    parts = list(found) if isinstance(found, (list, tuple)) else [found]
    print([str(getattr(one, "dtype", type(one).__name__)) for one in parts], [np.asarray(one).astype(str).tolist() for one in parts])
show(np.histogram2d([1, 2], [1, 2], bins=2, normed=True)[0])
show(np.histogramdd(np.array([[1, 2], [2, 3]]), bins=2, normed=True)[0])
# %% numpy.fft.fft numpy.fft.ifft numpy.fft.rfft numpy.fft.irfft numpy.fft.hfft numpy.fft.ihfft numpy.fft.fft2 numpy.fft.ifft2 numpy.fft.rfft2 numpy.fft.irfft2 numpy.fft.fftn numpy.fft.ifftn numpy.fft.rfftn numpy.fft.irfftn [fails-not: other types]
import numpy as np
def show(found):
    parts = list(found) if isinstance(found, (list, tuple)) else [found]
    print([str(getattr(one, "dtype", type(one).__name__)) for one in parts], [np.asarray(one).astype(str).tolist() for one in parts])
for name in "fft ifft rfft irfft hfft ihfft fft2 ifft2 rfft2 irfft2 fftn ifftn rfftn irfftn".split():
    for kind in "efF":
        if kind != "F" or name not in ("rfft", "ihfft", "rfft2", "rfftn"):
            show(getattr(np.fft, name)(np.ones((2, 4), kind)).round(6) + 0)
# %% numpy.percentile numpy.nanpercentile numpy.quantile numpy.nanquantile
import numpy as np
def show(found):
    print(found.dtype, np.asarray(found).round(12).tolist())
few = np.array([0.1, 0.7, 0.2, 0.4], np.float32)
for name, part in (("percentile", 30), ("nanpercentile", 30), ("quantile", 0.3), ("nanquantile", 0.3)):
    for how in ("linear", "lower", "midpoint"):
        show(getattr(np, name)(few, part, interpolation=how))
    show(getattr(np, name)(few.reshape(2, 2), [part, part / 2], axis=0))
    show(getattr(np, name)(few.astype(np.float16), part))
    show(getattr(np, name)(np.array([1, 2, 5], np.uint8), part))
# %% numpy.wrapping numpy.methods numpy.full_like
# %%+ numpy.r_ numpy.c_ numpy.result_type numpy.concatenate
# %%+ numpy.divmod numpy.gcd numpy.lcm
import numpy as np
from numpy import int8 as small
def show(found):
    parts = list(found) if isinstance(found, (list, tuple)) else [found]
    print([str(getattr(one, "dtype", type(one).__name__)) for one in parts], [np.asarray(one).astype(str).tolist() for one in parts])
show([np.uint8(300), small(200), np.uint64(-3), np.uint8([1, 300])])
x = np.array([1, 2, 3], np.uint8)
x[0] = 300
x[1:] = -1
x[x > 250] = 257
show(x)
x.fill(258); show(x.copy())
x.fill(304); show([x, np.full_like(x, 306)])
show([x.clip(0, 300), x.clip(max=np.int64(300)), np.float32([1.5]).clip(np.float64(0), 1)])
show([np.r_[np.float16(1), 0.9], np.r_[np.uint8([1]), 300], np.c_[np.float32([1, 2]), np.float64([3, 4])], np.r_[0:2, np.int8(3)], np.r_['r', [1, 2], 3.0]])
show(np.concatenate([300, x], axis=None))
print(np.result_type(x, 300), np.result_type(np.float32([1]), 1e60), np.result_type(np.float32(1), 3), np.can_cast(np.int32(5), np.int8))
show(round(np.int16(3)))
show([*np.divmod(np.float32([1, 2]), 0.0), np.gcd(x, np.int16(12)), np.lcm(np.uint8(3), 4), np.float32(1) // 0.0, *divmod(np.uint8([7]), 300), pow(np.uint8(20), 2)])
m = np.ma.array([1, 2, 3], np.float32, mask=[0, 1, 0])
show([(m * 2.5).filled(0), (m + np.float64(1)).filled(0), (np.ma.array([1], np.uint8) + 300).filled(0)])
