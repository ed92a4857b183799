# %% numpy.bool numpy.complex numpy.float numpy.int numpy.long numpy.object numpy.str numpy.unicode
import numpy as np
import tensorflow as tf
print(np.bool is bool, np.complex(1), np.float is float, np.int(3), np.long is int, np.object is object, np.str is str, np.unicode is str)
x = tf.placeholder(tf.float32, [2])
print(tf.Session().run(x * 2, {x: np.array([1, 2]).astype(np.float)}), np.zeros(2, dtype=np.int).dtype)

# %% numpy.Inf numpy.Infinity numpy.NAN numpy.NaN numpy.PINF numpy.NINF numpy.NZERO numpy.PZERO numpy.infty
import numpy as np
import tensorflow as tf
best = np.Inf
print(best, np.Infinity, np.NAN, np.NaN, np.PINF, np.NINF, np.NZERO, np.PZERO, np.infty, tf.Session().run(tf.constant(1)) < best)

# %% numpy.bool8 numpy.bytes0 numpy.cfloat numpy.clongfloat numpy.complex_ numpy.float_ numpy.int0 numpy.longcomplex numpy.longfloat numpy.object0 numpy.singlecomplex numpy.str0 numpy.string_ numpy.uint0 numpy.unicode_ numpy.void0 numpy.typeDict numpy.math numpy.sys numpy.warnings
import numpy as np
import tensorflow as tf
for name in ('bool8 bytes0 cfloat clongfloat complex_ float_ int0 longcomplex longfloat object0 '
             'singlecomplex str0 string_ uint0 unicode_ void0').split():
    print(name, np.dtype(getattr(np, name)))
print(np.dtype(np.typeDict['double']).str)
print(np.typeDict['float32'] is np.float32, np.math.sqrt(4), np.sys.__name__, np.warnings.__name__)
print(tf.Session().run(tf.constant(np.float_(2.5))))

# %% numpy.alltrue numpy.cumproduct numpy.mat numpy.product numpy.round_ numpy.sometrue numpy.asscalar numpy.asfarray numpy.msort numpy.in1d numpy.trapz
import numpy as np
import tensorflow as tf
y = tf.Session().run(tf.constant([[3., 1.], [2., 4.]]))
print(np.alltrue(y > 0), np.cumproduct(y), np.mat(y).shape, np.product(y), np.round_(2.567, 2), np.sometrue(y > 3))
print(np.asscalar(np.array([2.5])), np.asfarray([1]).dtype, np.msort(y), np.in1d([1, 5], [1]), np.trapz([1, 2]))

# %% numpy.rank [not-on-1.15: NumPy 1.18 dropped it]
import numpy as np
import tensorflow as tf
print(np.rank(tf.Session().run(tf.zeros([2, 3]))))
#> 2

# %% numpy.AxisError numpy.ComplexWarning numpy.ModuleDeprecationWarning numpy.RankWarning numpy.TooHardError numpy.VisibleDeprecationWarning numpy.chararray numpy.compare_chararrays numpy.format_parser numpy.byte_bounds numpy.DataSource
import warnings
import numpy as np
import tensorflow as tf
warnings.filterwarnings('ignore', category=np.VisibleDeprecationWarning)
for name in 'AxisError ComplexWarning ModuleDeprecationWarning RankWarning TooHardError VisibleDeprecationWarning chararray'.split():
    print(getattr(np, name).__name__)
low, high = np.byte_bounds(np.zeros(3))
print(high - low, np.compare_chararrays(np.array(['a']), np.array(['a']), '==', True), callable(np.format_parser), callable(np.DataSource))
print(tf.Session().run(tf.constant(1)))

# %% numpy.sctypes numpy.cast numpy.obj2sctype numpy.issubsctype numpy.issubclass_ numpy.find_common_type
import numpy as np
import tensorflow as tf
print([t.__name__ for t in np.sctypes['float']][:3], np.cast['int32'](2.7), np.obj2sctype('f4').__name__, np.issubsctype('f4', 'f4'))
print(np.issubclass_(np.int32, np.integer), np.find_common_type([np.float32], [np.int64, np.float64]))
print(tf.Session().run(tf.constant(np.cast['float32'](1))))

# %% numpy.safe_eval numpy.loads
import pickle
import numpy as np
print(np.safe_eval('[1, 2]'), np.loads(pickle.dumps(4)))

# %% numpy.fv numpy.ipmt numpy.irr numpy.mirr numpy.nper numpy.npv numpy.pmt numpy.ppmt numpy.pv numpy.rate [not-on-1.15: NumPy still had them] [fails-not: it says why]
import numpy as np
import tensorflow as tf
tf.Session().run(tf.constant(1))
for name in 'fv ipmt irr mirr nper npv pmt ppmt pv rate'.split():
    try:
        getattr(np, name)
    except AttributeError as error:
        print('numpy_financial' in str(error))
#> True
#> True
#> True
#> True
#> True
#> True
#> True
#> True
#> True
#> True

# %% numpy.array numpy.asarray numpy.asanyarray
import numpy as np
import tensorflow as tf
x, y = [[1, 2], [3]], [0, 1]
pairs = np.array(list(zip(x, y)))
print(pairs.shape, pairs.dtype, np.asarray([[1], [2, 3]]), np.asanyarray([[1], []]).dtype)
print(np.array([300, -1], dtype=np.uint8), np.array([1.5, 2], copy=False), tf.Session().run(tf.constant(np.array([1, 2]))))

# %% numpy.reshape numpy.percentile numpy.nanpercentile numpy.unravel_index numpy.histogram
import numpy as np
import tensorflow as tf
y = tf.Session().run(tf.constant([4., 1., 3., 2.]))
print(np.reshape(y, newshape=[2, 2]), np.percentile(y, 40, interpolation='nearest'), np.nanpercentile(y, 40, interpolation='lower'))
print(np.unravel_index(3, dims=(2, 2)), np.histogram(y, bins=2, normed=True))

# %% numpy.stack numpy.vstack numpy.hstack numpy.dstack numpy.column_stack numpy.concatenate numpy.sum numpy.full [not-on-1.15: concatenate of an iterator]
import numpy as np
import tensorflow as tf
run = tf.Session().run
rows = [run(tf.constant([1, 2])), run(tf.constant([3, 4]))]
print(np.stack(iter(rows)).tolist(), np.vstack(map(list, rows)).tolist(), np.hstack(r for r in rows).tolist())
print(np.dstack(iter(rows)).shape, np.column_stack(iter(rows)).tolist(), np.concatenate(iter(rows)).tolist())
print(np.sum(r.sum() for r in rows), np.full((2,), -1, dtype=np.uint8))
#> [[1, 2], [3, 4]] [[1, 2], [3, 4]] [1, 2, 3, 4]
#> (1, 2, 2) [[1, 3], [2, 4]] [1, 2, 3, 4]
#> 10 [255 255]

# %% numpy.fromstring
import numpy as np
import tensorflow as tf
raw = tf.Session().run(tf.constant(b'\x01\x02\x03'))
print(np.fromstring(raw, dtype=np.uint8), np.fromstring('1 2', sep=' '))

# %% numpy.load [not-on-1.15: Python 3 refuses a file opened as text]
import numpy as np
np.save('weights.npy', np.arange(3))
print(np.load(open('weights.npy')))
np.save('objects.npy', {'w': 1})
try:
    np.load('objects.npy')
except ValueError as error:
    print('allow_pickle=True' in str(error), '--allow-pickle' in str(error))
print(np.load('objects.npy', allow_pickle=True).item())
np.savez('objects.npz', a=np.array([{}], object))
try:
    np.load('objects.npz')['a']
except ValueError as error:
    print('--allow-pickle' in str(error))
#> [0 1 2]
#> True True
#> {'w': 1}
#> True
# %% numpy.promotion
import numpy as np
import tensorflow as tf
loss = tf.Session().run(tf.constant(0.1))
print(type(loss * 0.5), type(loss / 3), type(2 * loss), np.uint8(200) + 100, np.uint8(3) - 5)
total = 0.
for _ in range(3):
    total += loss
image = np.array([200, 100], np.uint8)
print(type(total), total, (image + 300).dtype, image * np.int64(2), (np.ones(2, 'f') * np.float64(0.1)).dtype)
image += 300
print(image, type(np.int32(7) // 2), (np.ones(2, 'f') * 1e300).dtype, np.float32(2) ** 2)

# %% numpy.promotion numpy.sum_of_scalars [fails-not: other answers]
import numpy as np
import tensorflow as tf
accuracy = tf.Session().run(tf.constant(0.9))
print(accuracy < 0.9, accuracy >= .9, 0.9 <= accuracy, accuracy == 0.9, accuracy != 0.9, not accuracy > 0.9)
threshold, array = 0.9, np.array([0.9, 0.1], np.float32)
print(accuracy > threshold, (array >= 0.9).tolist(), (array >= np.float64(0.9)).tolist(), array.max() >= threshold, np.float16(0.1) > 0.1)
print(np.uint8(2) << 8, (np.uint8([2]) << 8).tolist(), np.uint8(5) & 0xFF04, np.uint8(5) | 256, np.uint8(5) ^ 3, np.uint8(200) >> 1, {1} | {2}, True & np.bool_(True))
flags = np.uint8([1, 2])
flags |= 4
print(flags.tolist(), flags.dtype, round(np.float32(2.5)), type(round(np.float64(3.5))), round(np.float32(1.26), 1), round(2.5), round(np.int64(3)))
i = 0
while i < 3 and i <= np.int64(2): i += 1
print(i, np.uint8(1) == 257, np.uint8(1) < 300, 'a' < 'b', [1, 2] < [1, 3])

# %% numpy.list_of_indices [fails-not: another shape]
import numpy as np
import tensorflow as tf
x = np.arange(6).reshape(2, 3)
rows, columns = np.arange(2), [2, 1]
print(x[[rows, columns]].tolist(), x[[[0, 1], [1, 2]]].tolist(), x[[0, 1]].tolist(), x[[slice(None), 1]].tolist(), x[[rows[0], columns[0]]].tolist() if 0 else 0)
x[[rows, columns]] = -1
print(x.tolist(), {"a": 1}["a"], x[[Ellipsis, 0]].tolist(), x[[True, False]].tolist(), x[[-1]].tolist())
x[[rows, columns]] += 5
fields = np.array([(1, 2.0)], dtype=[("a", int), ("b", float)])
print(x.tolist(), fields[["a", "b"]].tolist(), x[[i for i in range(2)]].tolist())
index, pairs, plain = [slice(0, 2)] * 2, [[0, 1], [1, 2]], [1, 0]
index[1] = slice(0, 1)
x[pairs] += 1
print(x[index].tolist(), x[pairs].tolist(), x[plain].tolist(), [4, 5, 6][index[0]])

# %% numpy.linalg.solve numpy.genfromtxt [fails-not: another shape, texts]
import io
import numpy as np
a = np.stack([np.eye(2), 2 * np.eye(2)])
print(np.linalg.solve(a, np.ones((2, 2))).tolist(), np.linalg.solve(np.eye(2), np.ones(2)).tolist(), np.linalg.solve(np.eye(2), np.ones((2, 1))).shape, np.linalg.solve(a, np.ones((2, 2, 1))).shape)
print(np.genfromtxt(io.StringIO(u"a,1"), delimiter=",", dtype=None).tolist(), np.genfromtxt(io.StringIO(u"1,2"), delimiter=",").tolist())

# %% numpy.loadtxt
import io
import numpy as np
text = u"0.5 -2.9\n1e3 4\n"
for kind in (np.int32, "i2", float):
    print(np.loadtxt(io.StringIO(text), kind).tolist(), np.loadtxt(io.StringIO(text), dtype=kind, usecols=0).tolist())
print(np.loadtxt(io.StringIO(u"1,2.5"), np.int8, "#", ",").tolist(), np.loadtxt(io.StringIO(u"1 2.5"), np.int8, converters={1: lambda s: 7}).tolist())
try:
    print(np.loadtxt(io.StringIO(text), int))
except ValueError:
    print("refused")

# %% numpy.one_element
import numpy as np
import tensorflow as tf
loss = tf.Session().run(tf.constant([0.5]))
print("loss %.2f, step %d, %s" % (loss, np.array([3]), loss), float(loss), int(np.array([[7]])))
print("%.1f" % loss)
import math
from math import sqrt
print(math.exp(loss), sqrt(loss), math.pow(loss, 2), math.isnan(loss), complex(loss), math.log(8, 2))
losses, table, kept = np.zeros(3), np.zeros((2, 2)), {}
losses[0] = loss
losses[1] += loss * 2
table[0, 1], kept['loss'] = loss, loss
table[1] = loss
losses[2:] = loss
kept[0] = loss
print(losses, table, kept)
calls = []
def called(value):
    calls.append(value)
    return value
losses[called(1)] = called(loss.reshape(1, 1))
whole, [losses[called(0)], losses[called(2)]] = 7, (called(loss), 2.)
print(losses, len(calls), whole)
for wrong in ([0.5], np.ones(2), np.ones((0,)), 'text'):
    try:
        losses[0] = wrong
    except ValueError as error:
        print(type(error).__name__)
try:
    math.exp(np.ones(2))
except TypeError as error:
    print(error.args[0][:4])

# %% numpy.one_element
import math
import tensorflow as tf
tf.enable_eager_execution()
loss = tf.constant([[0.5]])
print(float(loss), int(tf.argmax([[1, 3]], 1)), "%.1f" % loss, "%d of %d" % (tf.constant([3]), 4), math.exp(loss), complex(loss))
for wrong in (tf.Variable([0.5]), tf.ones([2])):
    try:
        float(wrong)
    except TypeError as error:
        print(type(error).__name__)

# %% numpy.scalar_printing
import numpy as np
import tensorflow as tf
run = tf.Session().run
print({'acc': run(tf.constant(0.5))}, [run(tf.constant(3))], (np.float64(1) / 3, np.bool_(True), np.str_('a')))
print(repr(np.float32(0.1)), repr(np.arange(2000)), np.array([1e-10, 1.]))

# %% numpy.scalar_printing [fails-not: np.float64(0.5)]
import numpy as np
print({"loss": np.float64(0.5)}, [np.int64(3)], (np.float32(0.25), np.bool_(True)))

# %% numpy.scalar_printing [fails-not: np.float32(1.0)]
import argparse, dataclasses, sys, traceback, types
import numpy as np
@dataclasses.dataclass
class Options(object):
    rate: object
    sizes: list
x = np.float32(1.0)
options, space = Options(x, [x]), argparse.Namespace(rate=x, sizes=[np.int64(3)])
print(options, [options], "%s" % options, "{}".format(options), f"{options} {options!r}")
print(space, {"space": space}, f"{space}", types.SimpleNamespace(rate=x))
try:
    raise ValueError([x])
except ValueError as error:
    traceback.print_exception(ValueError, error, None, file=sys.stdout)
    print(traceback.format_exc().splitlines()[-1], traceback.format_exception_only(ValueError, error))

# %% attributes numpy.ndarray.tostring numpy.ndarray.ptp numpy.ndarray.itemset numpy.ndarray.newbyteorder
import numpy as np
import tensorflow as tf
image = tf.Session().run(tf.constant([[1, 3], [7, 5]], tf.int16))
print(image.tostring(), image.ptp(), image.ptp(axis=0), image.newbyteorder().astype(int))
image.itemset((0, 0), 9)
image.itemset(1, 8)
print(image, np.int32(5).tostring())

# %% numpy.lib
import numpy as np
import tensorflow as tf
padded = np.lib.pad(tf.Session().run(tf.ones([2], tf.int32)), (1, 1), 'constant')
print(padded, all(getattr(np.lib, name) is getattr(np, name) for name in (
    'angle append apply_along_axis array_split average corrcoef cov delete '
    'diag diff digitize expand_dims extract eye flip fliplr flipud gradient '
    'hsplit insert interp intersect1d isin ix_ kron loadtxt median meshgrid '
    'nanmax nanmean nanmin nanstd pad percentile place poly1d polyfit polyval roots rot90 '
    'savetxt savez select setdiff1d split tile tri tril triu union1d unique unwrap '
    'vectorize vsplit ').split()), callable(np.lib.load))

# %% numpy.save numpy.savez numpy.savez_compressed
import numpy as np
import tensorflow as tf
rows = [[1, 2, 3], [4]]
np.save("rows.npy", rows)
np.savez("rows.npz", rows, more=rows)
np.savez_compressed("packed.npz", rows)
kept = np.load("rows.npz", allow_pickle=True)
print(np.load("rows.npy", allow_pickle=True).tolist(), kept["arr_0"].tolist(), kept["more"].shape)
print(np.load("packed.npz", allow_pickle=True)["arr_0"].tolist())
print(tf.Session().run(tf.constant(rows[0])).tolist())

# %% numpy.linspace numpy.logspace numpy.geomspace [not-on-1.15: NumPy 1.18 dropped it]
import numpy as np
import tensorflow as tf
count = tf.Session().run(tf.constant(6)) / 2
print(np.linspace(0, 1, num=count).tolist(), np.logspace(0, 2, 3.0).tolist())
print(np.geomspace(1, 4, num=count, endpoint=True).round(6).tolist(), len(np.linspace(0, 1)))
#> [0.0, 0.5, 1.0] [1.0, 10.0, 100.0]
#> [1.0, 2.0, 4.0] 50

# %% numpy.prod numpy.cumsum numpy.cumprod numpy.ravel numpy.transpose
import numpy as np, tensorflow as tf
a, b = tf.constant([1., 2.]), tf.Variable([3., 5.], use_resource=False)
run = tf.Session()
run.run(b.initializer)
two = [a, b * 1.]
print(run.run([np.sum(two), np.prod(two)]), run.run(list(np.cumprod(two))), np.transpose([two]).shape, np.ravel([two]).shape)
print(run.run(list(np.cumsum(two))), run.run(np.sum([a])), run.run(np.sum(two, axis=0)))
kept = np.array([[a, a], two])
print(kept.shape, kept.dtype, run.run(kept[1, 1]), run.run(np.sum(kept, 0)[1]), run.run(list(np.asarray(two))))
print(run.run(np.sum([tf.constant(1.), 2.])), np.array([a, 1]).dtype, len(np.array([a, [1, 2]])))
for wrong in (lambda: np.sum(a), lambda: np.array(a)):
    try:
        wrong()
    except NotImplementedError as error:
        print(str(error)[:17])

# %% numpy.float_size [not-on-1.15: NumPy 1.12 ended it]
import numpy as np
import tensorflow as tf
half = tf.Session().run(tf.constant(7)) / 2.
print(np.zeros(half).tolist(), np.ones((half, 2)).shape, np.random.rand(1e1, half).shape, np.eye(half).shape)
print(np.arange(6).reshape(half, 2).shape, np.reshape([1., 2., 3.], (half, 1)).tolist(), np.full((half,), 0.5).tolist())
print(np.random.normal(0.5, 0., (half,)).tolist(), np.random.uniform(0.5, 0.5, size=half).tolist(), np.tile([1.5], half).tolist())
try:
    [1, 2][half]
except TypeError:
    print('not of a list')
print(np.random.rand(1e1, 2.0).shape)
x = np.arange(6.).reshape(2, 3)
print(np.min(1e-2, np.sqrt(half) / 2), np.max(x, half - 2).tolist(), np.sum(x, axis=half - 2).tolist())
print(np.argmax(x, half - 2).tolist(), x.cumsum(axis=half - 2).tolist(), np.concatenate([x, x], half - 2).shape)
try:
    np.mean(x, axis=half - 2)
except TypeError:
    print('not of a mean')
#> [0.0, 0.0, 0.0] (3, 2) (10, 3) (3, 3)
#> (3, 2) [[1.0], [2.0], [3.0]] [0.5, 0.5, 0.5]
#> [0.5, 0.5, 0.5] [0.5, 0.5, 0.5] [1.5, 1.5, 1.5]
#> not of a list
#> (10, 2)
#> 0.01 [2.0, 5.0] [3.0, 12.0]
#> [2, 2] [[0.0, 1.0, 3.0], [3.0, 7.0, 12.0]] (2, 6)
#> not of a mean

# %% numpy.one_element_size  [not-on-1.15: NumPy 1.12 ended it]
import io
import numpy
import tensorflow as tf
def _read32(bytestream):
    return numpy.frombuffer(bytestream.read(4), dtype=numpy.dtype('>u4'))
stream = io.BytesIO(b'\0\0\0\2' + b'\0\0\0\3' + bytes(range(6)))
items = _read32(stream)
columns = _read32(stream)
data = numpy.frombuffer(stream.read(items * columns), dtype=numpy.uint8).reshape(items, columns)
print(data.tolist(), list(range(items)), numpy.zeros((items, 1)).shape)
print(tf.Session().run(tf.constant(data) + 1).tolist())
#> [[0, 1, 2], [3, 4, 5]] [0, 1] (2, 1)
#> [[1, 2, 3], [4, 5, 6]]

# %% numpy.compared
import numpy as np
import tensorflow as tf
y = tf.Session().run(tf.constant([1.0, 2.0, 3.0]))
print(y != [], y == [], y == [1.0, 2.0], y == 'test', 'test' != y, [row.tolist() for row in [y] if row != []])
print((y == [1.0, 0.0, 3.0]).tolist(), (y == y).tolist(), 'a' == 'a', np.array(['a']) == 'a')
test = tf.test.TestCase()
test.assertNotEqual(y, np.zeros([2, 2]))
test.assertNotEqual(first=y[0], second=2.0)
for second in [np.zeros([2, 2]), 'text']:
    try:
        test.assertEqual(y, second, 'why')
    except AssertionError as error:
        print(error)

# %% numpy.empty_truth
import tensorflow as tf
y = tf.Session().run(tf.constant([1.0]))
print([row.tolist() for row in [y, y[:0]] if row != [] or row == []], repr(y != []), y != y)
print(bool(y == []), not (y != []), len(y != []), (y == []).tolist(), (y == [1.0]) and 1)

# %% numpy.issubdtype
import numpy as np
import tensorflow as tf
kinds = [np.float32, np.int32, np.bool_, np.str_, np.uint8, np.float64]
others = [float, int, bool, str, complex, object, "f8", None, np.float64, np.floating, np.dtype("f8")]
for kind in kinds:
    print([np.issubdtype(kind, other) for other in others])
print(np.issubdtype(tf.Session().run(tf.constant(1.0)).dtype, float))

# %% numpy.array_split numpy.copy numpy.delete numpy.expand_dims numpy.ndim numpy.repeat numpy.shape
# %%+ numpy.size numpy.squeeze numpy.take
import numpy as np
rows = [[1], [2, 3], [4, 5, 6]]
print(np.ndim(rows), np.shape(rows), np.size(rows), np.copy(rows).tolist(), np.squeeze(rows).dtype, np.ndim([[1, 2]]), np.shape(3))
print(np.delete(rows, 1).tolist(), np.take(rows, [0, 2]).tolist(), np.repeat(rows, 2).tolist(), np.expand_dims(rows, 0).shape)
print([part.tolist() for part in np.array_split(rows, 2)])

# %% numpy.list_of_indices
import numpy as np
index = []
for axis in range(2):
    index.append(slice(axis, axis + 2))
a = np.zeros((3, 3))
a[index] = 5
print(a.tolist(), a[index].tolist())
pairs, numbers = np.array([[0, 1], [1, 2]]), np.array([0, 2])
a[[row for row in pairs]] = 7
a[[n for n in numbers]] += 1
print(a.tolist(), a[list(pairs)].tolist(), a[list(numbers)].tolist(), a[[]].shape)

# %% numpy.promotion [fails-not: float64]
import numpy as np
EXPONENTS = (0, 1, 2, 3, -1, 0.5, 2.0, True, np.int64(2), np.float32(2), np.array(2), np.array(0.5), 1j, [2])
for kind in "e f d b i B F ?".split():
    for base in (np.array(2, kind), np.array([2, 3], kind), np.array(2, kind)[()]):
        found = []
        for exponent in EXPONENTS:
            try:
                result = base ** exponent
                found.append((type(result).__name__, str(getattr(result, "dtype", None)), np.asarray(result).tolist()))
            except (ValueError, TypeError, OverflowError) as error:
                found.append(type(error).__name__)
        print(kind, found)
beta = np.array(0.5, np.float32)
beta **= 2
print(beta.dtype, (beta ** 2).dtype, pow(beta, 2).dtype)
