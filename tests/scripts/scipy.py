# %% scipy.misc.imread scipy.misc.imsave scipy.misc.imresize scipy.misc.imrotate scipy.misc.imshow scipy.misc.toimage scipy.misc.fromimage scipy.misc.bytescale [not-on-1.15: SciPy 1.2 dropped them] [needs: PIL]
import numpy as np
import scipy.misc
import tensorflow as tf
image = tf.Session().run(tf.reshape(tf.range(12.), [2, 2, 3]))
scipy.misc.imsave('out.png', image)
print(scipy.misc.imread('out.png').tolist(), scipy.misc.imread('out.png', flatten=True).dtype, scipy.misc.imread('out.png', mode='L').shape)
print(scipy.misc.bytescale(np.array([0., 1., 2.])).tolist(), scipy.misc.imresize(image, (4, 2)).shape, scipy.misc.imresize(image, 50).shape)
print(scipy.misc.imresize(image, 2.0, interp='nearest').shape, scipy.misc.imrotate(image, 90)[0, 0].tolist(), callable(scipy.misc.imshow))
print(scipy.misc.toimage(image, cmin=0, cmax=22).size, scipy.misc.fromimage(scipy.misc.toimage(image)).max())
#> [[[0, 23, 46], [70, 93, 116]], [[139, 162, 185], [209, 232, 255]]] float32 (2, 2)
#> [0, 128, 255] (4, 2, 3) (1, 1, 3)
#> (4, 4, 3) [70, 93, 116] True
#> (2, 2) 255

# %% scipy.misc.comb scipy.misc.factorial scipy.misc.factorial2 scipy.misc.factorialk scipy.misc.logsumexp [not-on-1.15: SciPy 1.3 dropped them]
from scipy.misc import comb, factorial, factorial2, factorialk, logsumexp
import numpy as np
import tensorflow as tf
print(comb(4, 2), factorial(4), factorial2(5), factorialk(5, 3), round(float(logsumexp(np.zeros(2))), 4), tf.Session().run(tf.constant(1)))
#> 6.0 24.0 15 10 0.6931 1

# %% scipy.misc.face scipy.misc.ascent [not-on-1.15: the pictures are downloaded] [needs: pooch]
import scipy.misc
import tensorflow as tf
print(callable(scipy.misc.face), callable(scipy.misc.ascent), tf.Session().run(tf.constant(1)))
#> True True 1

# %% scipy.misc.lena scipy.signal.cwt scipy.signal.ricker scipy.signal.morlet [not-on-1.15: they are gone]  [fails-not: it says why]
import scipy.misc, scipy.signal
import tensorflow as tf
for module, name in ((scipy.misc, 'lena'), (scipy.signal, 'cwt'), (scipy.signal, 'ricker'), (scipy.signal, 'morlet')):
    try:
        getattr(module, name)
    except AttributeError as error:
        print(str(error).split(':')[0], len(str(error)) > 50)
print(tf.Session().run(tf.constant(1)))
#> scipy.misc.lena True
#> scipy.signal.cwt True
#> scipy.signal.ricker True
#> scipy.signal.morlet True
#> 1

# %% scipy.signal.barthann scipy.signal.bartlett scipy.signal.blackman scipy.signal.blackmanharris scipy.signal.bohman scipy.signal.boxcar scipy.signal.chebwin scipy.signal.cosine scipy.signal.exponential scipy.signal.flattop scipy.signal.gaussian scipy.signal.general_gaussian scipy.signal.hamming scipy.signal.hann scipy.signal.kaiser scipy.signal.nuttall scipy.signal.parzen scipy.signal.triang scipy.signal.tukey scipy.signal.hanning [not-on-1.15: scipy.signal.hanning is gone]
import scipy.signal
import tensorflow as tf
window = scipy.signal.gaussian(3, std=1.0)
print(tf.Session().run(tf.constant(window)).round(3), scipy.signal.hanning(3))
print(all(callable(getattr(scipy.signal, name)) for name in (
    'barthann bartlett blackman blackmanharris bohman boxcar chebwin cosine exponential '
    'flattop gaussian general_gaussian hamming hann kaiser nuttall parzen triang tukey '
    'hanning ').split()))
#> [0.607 1.    0.607] [0. 1. 0.]
#> True

# %% scipy.integrate.trapz scipy.integrate.cumtrapz scipy.linalg.pinv2 scipy.linalg.kron scipy.linalg.tril scipy.linalg.triu
import scipy.integrate, scipy.linalg
import numpy as np
import tensorflow as tf
y = tf.Session().run(tf.constant([1., 2., 4.]))
print(scipy.integrate.trapz(y), scipy.integrate.cumtrapz(y))
m = np.array([[1., 2.], [3., 4.]])
print(scipy.linalg.pinv2(m).round(4), scipy.linalg.kron(m, m), scipy.linalg.tril(m), scipy.linalg.triu(m))

# %% scipy.sparse.linalg.eigen.arpack
import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg.eigen.arpack import eigsh
import tensorflow as tf
laplacian = sp.diags(np.arange(1., 7.)).tocsr()
print(eigsh(laplacian, 1, which='LM', return_eigenvectors=False).round(4), tf.Session().run(tf.constant(1)))

# %% scipy.absolute scipy.add scipy.amax scipy.amin scipy.arange scipy.arccos scipy.arcsin scipy.arctan scipy.array scipy.asarray scipy.concatenate scipy.cos scipy.cumsum scipy.diag scipy.dot scipy.exp scipy.eye scipy.floor scipy.hstack scipy.inf scipy.inner scipy.isnan scipy.linspace scipy.log scipy.log10 scipy.log2 scipy.mean scipy.median scipy.meshgrid scipy.nan scipy.ones scipy.pi scipy.prod scipy.rand scipy.randn scipy.ravel scipy.real scipy.reshape scipy.sign scipy.sin scipy.sort scipy.sqrt scipy.std scipy.sum scipy.tan scipy.tile scipy.transpose scipy.var scipy.vstack scipy.where scipy.zeros [not-on-1.15: only warned about there]
import scipy as sp
import tensorflow as tf
y = tf.Session().run(tf.constant([4., 9.]))
print(sp.mean(y), sp.sqrt(y), sp.rand(2).shape, sp.randn(3).shape, sp.pi)
print(all(hasattr(sp, name) for name in (
    'absolute add amax amin arange arccos arcsin arctan array asarray concatenate cos '
    'cumsum diag dot exp eye floor hstack inf inner isnan linspace log log10 log2 mean '
    'median meshgrid nan ones pi prod rand randn ravel real reshape sign sin sort sqrt std '
    'sum tan tile transpose var vstack where zeros ').split()))
#> 6.5 [2. 3.] (2,) (3,) 3.141592653589793
#> True

# %% scipy.ndimage.imread [not-on-1.15: SciPy 1.2 dropped it] [needs: PIL]
from scipy import ndimage
import scipy.misc
import numpy as np
import tensorflow as tf
scipy.misc.imsave('in.png', np.eye(2))
print(tf.Session().run(tf.constant(ndimage.imread('in.png'))).tolist())
#> [[255, 0], [0, 255]]

# %% scipy.arctanh scipy.logn scipy.power [not-on-1.15: only warned about there]
import scipy
print(scipy.sqrt(-1), scipy.sqrt([4.0, -4.0]), scipy.log(-1).round(4), scipy.log10(10), scipy.power(-8, 1 / 3.0).round(4))
print(scipy.arccos(2).round(4), scipy.arctanh(2).round(4), scipy.logn(2, -8).round(4))
#> 1j [2.+0.j 0.+2.j] 3.1416j 1.0 (1+1.7321j)
#> -1.317j (0.5493+1.5708j) (3+4.5324j)

# %% scipy.stats.linregress
import numpy as np
from scipy import stats
print(np.round(stats.linregress([[1, 2], [2, 3.5], [4, 5]])[:4], 6), np.round(stats.linregress([[1, 2, 4], [2, 3, 4]])[:4], 6))

# %% scipy.optimize.basinhopping scipy.optimize.fmin scipy.optimize.fmin_bfgs scipy.optimize.fmin_cg scipy.optimize.fmin_cobyla scipy.optimize.fmin_l_bfgs_b scipy.optimize.fmin_ncg scipy.optimize.fmin_powell scipy.optimize.fmin_slsqp scipy.optimize.fmin_tnc scipy.optimize.minimize
import numpy as np
from scipy import optimize
scale = np.array([1.0, 2.0, 3.0])
def value(x):
    return float(((x.astype("d") - 1) ** 2 * scale).sum())
def slope(x):
    return 2 * (x.astype("d") - 1) * scale
def both(x):
    return value(x), slope(x)
for dtype in ("float32", "float16", "int64"):
    start = np.zeros(3, dtype)
    for method in (None, "Nelder-Mead", "Powell", "CG", "BFGS", "L-BFGS-B", "TNC", "SLSQP"):
        print(dtype, method, optimize.minimize(value, start, method=method).x.round(2))
    found = [
        optimize.fmin(value, start, disp=0), optimize.fmin_powell(value, start, disp=0),
        optimize.fmin_cg(value, start, disp=0), optimize.fmin_bfgs(value, start, disp=0),
        optimize.fmin_ncg(value, start, slope, disp=0), optimize.fmin_l_bfgs_b(func=both, x0=start)[0],
        optimize.fmin_tnc(both, start, disp=0)[0], optimize.fmin_slsqp(value, start, disp=0),
        optimize.fmin_cobyla(value, start, [], disp=0), optimize.minimize(fun=value, x0=start).x,
    ]
    print([(one.dtype.name, one.round(2).tolist()) for one in found])
print(optimize.basinhopping(value, np.zeros(3, "float16"), niter=1).x.round(2))

# %% scipy.c_ scipy.convolve scipy.float64 scipy.histogram scipy.int_ scipy.ndim scipy.polyfit scipy.polyval scipy.r_ scipy.unique [not-on-1.15: only warned about there]
import scipy
print(scipy.c_[[1, 2]].shape, scipy.r_[1, 2].tolist(), scipy.convolve([1, 2], [1, 1]).tolist(), scipy.histogram([1, 2], 2)[0].tolist(), float(scipy.float64(3)), int(scipy.int_(3)))
print(scipy.ndim([1]), scipy.polyfit([0, 1], [1, 2], 1).round(4).tolist(), int(scipy.polyval([1, 2], 3)), scipy.unique([1, 1]).tolist())
#> (2, 1) [1, 2] [1, 3, 2] [1, 1] 3.0 3
#> 1 [1.0, 1.0] 5 [1]

# %% scipy.linalg.circulant scipy.linalg.hankel scipy.linalg.toeplitz [fails-not: other shapes]
import numpy as np
from scipy import linalg
A = np.arange(4.0).reshape(2, 2)
print(linalg.toeplitz(A).shape, linalg.hankel(A).tolist()[0], linalg.circulant(A).tolist()[1], linalg.toeplitz([1, 2], [1, 3]).tolist())

# %% scipy.integrate.simps [needs: scipy]
import numpy as np
from scipy import integrate
from scipy.integrate import simps
rng = np.random.RandomState(0)
for count in range(2, 9):
    y, x = rng.rand(3, count), np.sort(rng.rand(count))
    for even in ("avg", "first", "last"):
        print(count, even, np.round(simps(y, x, even=even), 6).tolist(), np.round(integrate.simps(y, dx=0.5, even=even), 6).tolist())
    print(np.round(simps(y.T, axis=0), 6).tolist(), round(float(simps(list(y[0]), list(x))), 6), np.round(simps(y, np.tile(x, (3, 1))), 6).tolist())
try:
    simps([1.0, 2.0], even="no")
except ValueError as error:
    print(error)

# %% scipy.sparse.linalg.cg scipy.sparse.linalg.gmres scipy.sparse.linalg.bicg scipy.sparse.linalg.bicgstab [needs: scipy]
# %%+ scipy.sparse.linalg.cgs scipy.sparse.linalg.qmr scipy.sparse.linalg.lgmres scipy.sparse.linalg.minres
import numpy as np
from scipy.sparse import diags
from scipy.sparse import linalg
from scipy.sparse.linalg import cg
n = 20
A = diags([-1.0, 4.0, -1.0], [-1, 0, 1], shape=(n, n)).tocsr()
b = np.linspace(1, 2, n)
for name in "cg gmres bicg bicgstab cgs qmr lgmres minres".split():
    solve = getattr(linalg, name)
    x, info = solve(A, b, tol=1e-12)
    print(name, info, np.round(x[:3], 6).tolist(), np.linalg.norm(A.dot(x) - b) < 1e-9)
    x, info = solve(A, b, np.ones(n), maxiter=50, tol=1e-12)
    print(name, info, np.round(x[-1], 6))
    coarse = solve(A, b, tol=0.5)[0]
    print(np.linalg.norm(A.dot(coarse) - b) > 1e-3)
print(np.round(cg(A, b, None, 1e-12, 100)[0][0], 6), np.round(linalg.gmres(A, b, None, 1e-12, 10, 100)[0][0], 6), np.round(linalg.gmres(A, b, tol=1e-12, restrt=10)[0][0], 6), np.round(linalg.minres(A, b, None, 0.5, 1e-12)[0][0], 6))
print(cg(A, b, atol=1e-3, tol=1e-12)[1], cg(A, b, atol="legacy")[1])
