# %% numpy.ALLOW_THREADS numpy.BUFSIZE numpy.CLIP numpy.WRAP numpy.RAISE numpy.ERR_CALL numpy.ERR_DEFAULT numpy.ERR_IGNORE numpy.ERR_LOG numpy.ERR_PRINT numpy.ERR_RAISE numpy.ERR_WARN numpy.FLOATING_POINT_SUPPORT
# %%+ numpy.FPE_DIVIDEBYZERO numpy.FPE_INVALID numpy.FPE_OVERFLOW numpy.FPE_UNDERFLOW numpy.MAXDIMS numpy.MAY_SHARE_BOUNDS numpy.MAY_SHARE_EXACT
# %%+ numpy.SHIFT_DIVIDEBYZERO numpy.SHIFT_INVALID numpy.SHIFT_OVERFLOW numpy.SHIFT_UNDERFLOW numpy.UFUNC_BUFSIZE_DEFAULT numpy.UFUNC_PYVALS_NAME numpy.tracemalloc_domain
import numpy as np
print([getattr(np, name) for name in (
    "ALLOW_THREADS BUFSIZE CLIP WRAP RAISE ERR_CALL ERR_DEFAULT ERR_IGNORE ERR_LOG ERR_PRINT ERR_RAISE "
    "ERR_WARN FLOATING_POINT_SUPPORT FPE_DIVIDEBYZERO FPE_INVALID FPE_OVERFLOW FPE_UNDERFLOW MAXDIMS "
    "MAY_SHARE_BOUNDS MAY_SHARE_EXACT SHIFT_DIVIDEBYZERO SHIFT_INVALID SHIFT_OVERFLOW SHIFT_UNDERFLOW "
    "UFUNC_BUFSIZE_DEFAULT UFUNC_PYVALS_NAME tracemalloc_domain").split()])
# %% numpy.recfromtxt numpy.recfromcsv numpy.nbytes numpy.MachAr numpy.who numpy.deprecate_with_doc numpy.add_newdoc numpy.add_docstring numpy.add_newdoc_ufunc numpy.get_array_wrap
import io
import numpy as np
found = np.recfromcsv(io.BytesIO(b"A,b\n1,2.5\n3,4.5\n"))
print(found.a, found.b, np.recfromtxt(io.BytesIO(b"1 2\n3 4\n")))
print(np.nbytes[np.float32], np.nbytes[np.int64], float(np.MachAr().eps), np.MachAr().maxexp)
print(np.deprecate_with_doc("x")(abs)(-1), np.get_array_wrap(1) is None, np.get_array_wrap(np.ones(2)) is not None)
print([callable(f) for f in (np.who, np.add_newdoc, np.add_docstring, np.add_newdoc_ufunc)])
# %% numpy.lookfor numpy.source numpy.testing.run_module_suite [not-on-1.15: prints other words]
import numpy as np
import numpy.testing
np.lookfor("sum")
np.source(np.testing.run_module_suite)
#>
# %% numpy.mafromtxt numpy.ndfromtxt
import io
import numpy as np
print(np.ndfromtxt(io.BytesIO(b"1 2\n3 4\n")), np.mafromtxt(io.BytesIO(b"1,\n3,4\n"), delimiter=","))
# %% numpy.ma.rank numpy.testing.rand numpy.polynomial.polyutils.RankWarning [not-on-1.15: NumPy 1.18 dropped them]
import numpy as np
import numpy.testing
print(np.ma.rank(np.ones([2, 3])), np.testing.rand(2).shape, np.polynomial.polyutils.RankWarning.__name__)
#> 2 (2,) RankWarning
# %% numpy.ma.dump numpy.ma.dumps numpy.ma.load numpy.ma.loads numpy.alterdot numpy.restoredot numpy.pkgload [not-on-1.15: NumPy 1.18 dropped them]
import os, tempfile
import numpy as np
path = os.path.join(tempfile.mkdtemp(), "a")
masked = np.ma.array([1, 2], mask=[0, 1])
np.ma.dump(masked, path)
with open(path, "rb") as file:
    print(np.ma.load(path), np.ma.load(file), np.ma.loads(np.ma.dumps(masked)), np.alterdot(), np.restoredot(), np.pkgload())
#> [1 --] [1 --] [1 --] None None None
# %% numpy.core numpy.core.arrayprint numpy.core.defchararray numpy.core.einsumfunc numpy.core.fromnumeric numpy.core.function_base numpy.core.getlimits numpy.core.machar numpy.core.memmap numpy.core.multiarray numpy.core.numeric numpy.core.numerictypes
# %%+ numpy.core.records numpy.core.shape_base numpy.core.umath numpy.core.umath_tests numpy.compat numpy.compat.py3k [fails-not: it warns]
import warnings
warnings.simplefilter("error")
import numpy as np
from numpy.core.multiarray import array, ndarray
from numpy.core.numeric import Inf, normalize_axis_tuple, asarray
from numpy.core.numerictypes import float_, issubdtype
from numpy.core import fromnumeric, records, shape_base, umath, arrayprint, defchararray, einsumfunc
from numpy.core import function_base, getlimits, machar, memmap
from numpy.compat.py3k import asbytes, asstr, basestring
from numpy.compat import unicode
print(array([1]), Inf, asarray(2), float_ is np.float64, issubdtype(np.float32, np.floating), normalize_axis_tuple(-1, 2))
print(fromnumeric.product([2, 3]), shape_base.vstack([[1], [2]]).shape, umath.sqrt(4.0), asbytes("a"), asstr(b"b"))
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
# %% numpy.atleast_1d numpy.atleast_2d numpy.atleast_3d numpy.broadcast_arrays numpy.gradient numpy.meshgrid numpy.ma.atleast_1d numpy.ma.atleast_2d numpy.ma.atleast_3d numpy.count_nonzero numpy.unique numpy.floor numpy.ceil numpy.trunc numpy.fix numpy.nonzero numpy.where
import numpy as np
grid = np.meshgrid([1, 2], [3])
grid[0] = grid[0] * 2
print(grid, type(np.atleast_1d(1, 2)), type(np.atleast_2d(1, 2)), type(np.atleast_3d(1, 2)), type(np.atleast_1d(1)))
print(type(np.broadcast_arrays([1], 2)), type(np.gradient(np.ones([2, 2]))), type(np.gradient([1.0, 2.0])))
print(type(np.ma.atleast_1d(1, 2)), type(np.ma.atleast_2d(1, 2)), type(np.ma.atleast_3d(1, 2)))
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
