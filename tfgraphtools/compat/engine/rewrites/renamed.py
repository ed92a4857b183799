"""Names of today for old names, listed by hand.

``renames.tsv`` has the others: a script finds them, because both names are the same object.
"""

from tfgraphtools.compat.engine.rewrites.kinds import Module, Rename

_V1 = "tensorflow.compat.v1."

_PYTHON2 = {
    "builtins.xrange": Rename("builtins.range"),
    "builtins.unicode": Rename("builtins.str"),
    "builtins.basestring": Rename("builtins.str"),
    "builtins.long": Rename("builtins.int"),
    "builtins.unichr": Rename("builtins.chr"),
    "builtins.raw_input": Rename("builtins.input"),
    "builtins.reduce": Rename("functools.reduce"),
    "builtins.file": Rename("builtins.open", uncalled="io.IOBase"),
    "builtins.intern": Rename("sys.intern"),
    "builtins.buffer": Rename("builtins.memoryview"),
    "builtins.reload": Rename("importlib.reload"),
    "__builtin__": Module("builtins"),
    "UserDict.UserDict": Rename("collections.UserDict"),
    "UserDict.IterableUserDict": Rename("collections.UserDict"),
    "UserDict.DictMixin": Rename("collections.abc.MutableMapping"),
    "UserList.UserList": Rename("collections.UserList"),
    "UserString.UserString": Rename("collections.UserString"),
    "commands.getoutput": Rename("subprocess.getoutput"),
    "commands.getstatusoutput": Rename("subprocess.getstatusoutput"),
    "mock": Module("unittest.mock"),
    "thread": Module("_thread"),
    "robotparser": Module("urllib.robotparser"),
    "dummy_threading": Module("threading"),
    "lib2to3": Module("fissix"),
}

_KERAS_LAYERS = (
    "advanced_activations convolutional core embeddings local merge noise normalization pooling "
    "recurrent wrappers"
)

#: Modules of Keras 2 that are internal in tf_keras: what is public in them is elsewhere.
_KERAS = {
    **{f"keras.layers.{name}": Module("tf_keras.layers") for name in _KERAS_LAYERS.split()},
    "keras.engine.topology": Module("tf_keras.layers"),
    "keras.engine.topology.get_source_inputs": Rename("tf_keras.utils.get_source_inputs"),
    "keras.utils.np_utils": Module("tf_keras.utils"),
    "keras.utils.data_utils": Module("tf_keras.utils"),
    "keras.utils.generic_utils": Module("tf_keras.utils"),
    "keras.preprocessing.image": Module("tf_keras.preprocessing.image"),
}

#: Constants, whose value says nothing of their name, and functions of another signature.
_PICTURES = {
    "PIL.Image.ANTIALIAS": Rename("PIL.Image.LANCZOS"),
    "PIL.Image.LINEAR": Rename("PIL.Image.BILINEAR"),
    "PIL.Image.CUBIC": Rename("PIL.Image.BICUBIC"),
    "matplotlib.cm.get_cmap": Rename("matplotlib.pyplot.get_cmap"),
    "matplotlib.pyplot.cm.get_cmap": Rename("matplotlib.pyplot.get_cmap"),
    "matplotlib.pyplot.cm.spectral": Rename("matplotlib.pyplot.cm.nipy_spectral"),
}

#: What NumPy's functions were called in `numpy.lib` as well.
_NUMPY_LIB = (
    "angle append apply_along_axis array_split average column_stack corrcoef cov delete diag diff "
    "digitize dstack expand_dims extract eye flip fliplr flipud gradient histogram hsplit insert "
    "interp intersect1d isin ix_ kron loadtxt median meshgrid nanmax nanmean nanmin nanstd pad "
    "percentile place poly1d polyfit polyval roots rot90 save savetxt savez select setdiff1d split "
    "tile tri tril triu union1d unique unwrap vectorize vsplit load"
)

#: Functions of SciPy that gave complex numbers for negative ones: not those of NumPy's name.
_OF_COMPLEX = "arccos arcsin log log10 log2 sqrt"

#: The functions of money, which have a package of their own: ``numpy_financial``.
_MONEY = "fv ipmt irr mirr nper npv pmt ppmt pv rate"

#: Functions of `contrib.framework` that hand over to those of the same name in ``tf.train``.
_STEPS = {
    f"tensorflow.contrib.framework.{name}": Rename(f"{_V1}train.{name}")
    for name in (
        "assert_global_step create_global_step get_global_step get_or_create_global_step".split()
    )
}

#: Modules that lost some of their names only: the modules themselves are not rewritten.
STILL_THERE = (
    "numpy.lib numpy.lib.npyio numpy.lib.scimath numpy.lib.stride_tricks numpy.matlib "
    "numpy.matrixlib.defmatrix matplotlib.pyplot.cm matplotlib.pyplot.style"
).split()

RENAMED = {
    **_PYTHON2,
    **_KERAS,
    **_PICTURES,
    **_STEPS,
    "tensorflow.models.rnn.rnn": Module("tensorflow.python.ops.rnn"),
    "pandas.tools.plotting": Module("pandas.plotting"),
    "pandas.datetime": Rename("datetime.datetime"),
    "numpy.row_stack": Rename("numpy.vstack"),
    **{f"numpy.lib.{name}": Rename(f"numpy.{name}") for name in _NUMPY_LIB.split()},
    **{f"numpy.{name}": Rename(f"numpy_financial.{name}") for name in _MONEY.split()},
    **{f"scipy.{name}": Rename(f"numpy.emath.{name}") for name in _OF_COMPLEX.split()},
}
