"""Rewrites that no computer finds: said by hand, by the name of the row or of what is in it.

Pure renames are not here: ``renames.tsv`` has them, found by the identity of what is named.
"""

from tfgraphtools.compat.engine.rewrites.kinds import (
    Call,
    Entry,
    Module,
    Package,
    Rename,
    Runtime,
    Stays,
    Syntax,
)
from tfgraphtools.compat.engine.rewrites.stays import STAYS

_V1 = "tensorflow.compat.v1."
_TF1 = "tfgraphtools.tf1."

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
    "cPickle.load": Call("pickle.load", added={"encoding": '"latin1"'}),
    "cPickle.loads": Call("pickle.loads", added={"encoding": '"latin1"'}),
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
    # Those of today take lr= and go on with their default.
    **{
        f"keras.optimizers.{name}": Call(
            f"tf_keras.optimizers.legacy.{name}", {"lr": "learning_rate"}
        )
        for name in "SGD RMSprop Adagrad Adadelta Adam Adamax Nadam".split()
    },
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

#: Functions of SciPy that gave complex numbers for negative ones: not those of NumPy's name.
_OF_COMPLEX = "arccos arcsin log log10 log2 sqrt"

#: Keras 2's, whose sign is another today.
_COSINES = "losses.cosine losses.cosine_proximity metrics.cosine metrics.cosine_proximity"

#: The functions of money, which have a package of their own: ``numpy_financial``.
_MONEY = "fv ipmt irr mirr nper npv pmt ppmt pv rate"

#: Modules that left Python, and the packages that have them.
_PACKAGES = {
    **dict.fromkeys(("cgi", "cgitb"), "legacy-cgi"),
    "audioop": "audioop-lts",
    "distutils": "setuptools",
    **{
        name: "standard-" + name
        for name in (
            "aifc asynchat asyncore chunk crypt imghdr mailcap nntplib pipes smtpd sndhdr sunau "
            "telnetlib uu xdrlib"
        ).split()
    },
}

#: What NumPy's functions were called in `numpy.lib` as well.
_NUMPY_LIB = (
    "angle append apply_along_axis array_split average column_stack corrcoef cov delete diag diff "
    "digitize dstack expand_dims extract eye flip fliplr flipud gradient histogram hsplit insert "
    "interp intersect1d isin ix_ kron loadtxt median meshgrid nanmax nanmean nanmin nanstd pad "
    "percentile place poly1d polyfit polyval roots rot90 save savetxt savez select setdiff1d split "
    "tile tri tril triu union1d unique unwrap vectorize vsplit load"
)

#: Modules of which only some names are gone: the modules are not rewritten.
STILL_THERE = (
    "numpy.lib numpy.lib.npyio numpy.lib.scimath numpy.lib.stride_tricks numpy.matlib "
    "numpy.matrixlib.defmatrix matplotlib.pyplot.cm matplotlib.pyplot.style"
).split()

#: What passes of `upgrade` do, most of them to Python 2 source as a whole.
_SYNTAX = (
    "python2.syntax python2.by_names python2.by_company python2.division python2.print "
    "python2.lists python2.classes python2.implicit_relative_imports "
    "python2.dict_iterators python2.has_key python2.next python2.function_attributes "
    "python2.sort_by_cmp python2.print_formatted python2.used_as_list "
    "python2.builtins python2.oct tensorflow.Tensor.OVERLOADABLE_OPERATORS"
).split()


def _left_out(names, *keywords):
    return {name: Call(keywords=dict.fromkeys(keywords)) for name in names.split()}


def _renamed(names, **keywords):
    return {name: Call(keywords=keywords) for name in names.split()}


def _old_calls(names, keywords):
    return {
        name: Runtime(f"{_TF1}libraries.{name}", keywords=tuple(keywords.split()))
        for name in names.split()
    }


_ASYNCIO = (
    "asyncio.sleep asyncio.gather asyncio.wait asyncio.wait_for asyncio.shield "
    "asyncio.as_completed asyncio.Queue asyncio.LifoQueue asyncio.PriorityQueue asyncio.Lock "
    "asyncio.Event asyncio.Condition asyncio.Semaphore asyncio.BoundedSemaphore"
)

#: Functions of networkx whose result was a matrix of SciPy, and is an array of SciPy.
_SPARSE_MATRICES = "adjacency_matrix laplacian_matrix normalized_laplacian_matrix incidence_matrix"

#: Calls that differ in the names of their arguments only.
_CALLS = {
    **_left_out("json.load json.loads json.dump json.dumps", "encoding"),
    **_left_out(_ASYNCIO, "loop"),
    **_left_out("gettext.install gettext.translation", "codeset", "unicode"),
    **_left_out("collections.namedtuple", "verbose"),
    **_left_out("fileinput.input fileinput.FileInput", "bufsize"),
    **_left_out("bz2.BZ2File", "buffering"),
    **_left_out("plistlib.load plistlib.loads", "use_builtin_types"),
    **_old_calls(
        "traceback.print_exception traceback.format_exception traceback.format_exception_only",
        "etype",
    ),
    **_old_calls("urllib.request.urlopen", "cafile capath cadefault"),
    **_old_calls("pandas.read_csv pandas.read_table", "squeeze delim_whitespace error_bad_lines"),
    **_old_calls("sklearn.manifold.TSNE", "n_iter"),
    **_old_calls("scipy.integrate.simps", "even"),
    **_old_calls(
        "seaborn.jointplot seaborn.lmplot seaborn.regplot seaborn.residplot seaborn.pointplot "
        "seaborn.countplot seaborn.boxplot seaborn.violinplot seaborn.stripplot "
        "seaborn.swarmplot seaborn.barplot",
        "size",
    ),
    **_renamed(
        "numpy.histogram numpy.histogram2d numpy.histogramdd matplotlib.pyplot.hist",
        normed="density",
    ),
    **_renamed(
        "numpy.percentile numpy.nanpercentile numpy.quantile numpy.nanquantile",
        interpolation="method",
    ),
    **_renamed("numpy.unravel_index", dims="shape"),
    **_renamed("numpy.reshape", newshape="shape"),
    **_renamed("sklearn.preprocessing.OneHotEncoder", sparse="sparse_output"),
    **{
        f"networkx.{name}": Runtime(
            f"{_TF1}libraries.networkx.{name}",
            Call(wrapped="scipy.sparse.csr_matrix"),
            "the matrix is in the format csr",
        )
        for name in _SPARSE_MATRICES.split()
    },
    **{
        f"cPickle.{name}": Runtime(
            f"{_TF1}libraries.pickle.{name}",
            Rename(f"pickle.{name}"),
            "the file has to be opened in binary mode",
        )
        for name in ("dump", "Pickler", "Unpickler")
    },
    "tensorflow.batch_matmul": Call(
        _V1 + "matmul",
        {"x": "a", "y": "b", "adj_x": "adjoint_a", "adj_y": "adjoint_b"},
        ("", "", "adjoint_a", "adjoint_b", "name"),
        _TF1 + "batch_matmul",
    ),
}

_SUMMARIES = {
    "tensorflow.scalar_summary": Call(_V1 + "summary.scalar", {"tags": "name", "values": "tensor"}),
    "tensorflow.histogram_summary": Call(_V1 + "summary.histogram", {"tag": "name"}),
    "tensorflow.image_summary": Call(
        _V1 + "summary.image",
        {"tag": "name", "max_images": "max_outputs"},
        ("", "", "max_outputs", "collections", "name"),
    ),
    "tensorflow.audio_summary": Call(_V1 + "summary.audio", {"tag": "name"}),
}


def _summary(name, call):
    why = "the tag has the name scopes before it, and no blanks"
    return Runtime(_TF1 + name.partition(".")[2], call, why)


#: Functions of `contrib.framework` that hand over to those of the same name in ``tf.train``.
_STEPS = {
    f"tensorflow.contrib.framework.{name}": Rename(f"{_V1}train.{name}")
    for name in (
        "assert_global_step create_global_step get_global_step get_or_create_global_step".split()
    )
}

_CELLS = "EmbeddingWrapper InputProjectionWrapper OutputProjectionWrapper".split()

_TENSORFLOW = {
    "tensorflow.nn.seq2seq": Runtime(_TF1 + "contrib.legacy_seq2seq"),
    "tensorflow.models.rnn.seq2seq": Runtime(_TF1 + "contrib.legacy_seq2seq"),
    "tensorflow.python.ops.seq2seq": Runtime(_TF1 + "contrib.legacy_seq2seq"),
    "tensorflow.models.rnn.rnn_cell": Runtime(_TF1 + "nn.rnn_cell"),
    "tensorflow.models.rnn.rnn": Module("tensorflow.python.ops.rnn"),
    **{name: _summary(name, call) for name, call in _SUMMARIES.items()},
    **{f"tensorflow.nn.rnn_cell.{name}": Runtime(f"{_TF1}contrib.rnn.{name}") for name in _CELLS},
}

#: Where tf_slim has what contrib had. ``tf_slim.layers`` is a package to ``import``, and another
#: module as an attribute; the names in both are those of tf_slim itself.
_SLIM = {
    "tensorflow.contrib.slim": "tf_slim",
    "tensorflow.contrib.slim.nets": "tf_slim.nets",
    "tensorflow.contrib.layers": "tf_slim",
    "tensorflow.contrib.layers.python.layers": "tf_slim.layers",
    "tensorflow.contrib.framework": "tf_slim",
    "tensorflow.contrib.framework.python.ops": "tf_slim",
    "tensorflow.contrib.framework.python.ops.variables": "tf_slim.ops.variables",
}


def slim(name):
    """The `Rename` of a name of contrib to tf_slim's, or None.

    Example:
      >>> slim("tensorflow.contrib.layers.fully_connected")
      Rename(to='tf_slim.fully_connected')
    """
    owner = name
    while owner:
        if owner in _SLIM:
            inner = name[len(owner) :].replace(".arg_scope.", ".")  # a module, and its function
            return Rename(_SLIM[owner] + inner)
        owner = owner.rpartition(".")[0]
    return None


#: Attributes of objects: what an object is, the source does not say; the runtime asks it.
_ATTRIBUTES = (
    "scipy.sparse.attributes h5py.value h5py.fid array.tostring xml.getchildren threading.isAlive "
    "unittest.TestCase configparser.readfp "
    "html.unescape pathlib.link_to importlib.find_module ast.Constant gzip.filename "
    "asyncio.Task inspect.Signature typing.NamedTuple "
    "numpy.ndarray.tostring numpy.ndarray.ptp numpy.ndarray.itemset "
    "numpy.ndarray.newbyteorder pandas.ix pandas.as_matrix "
    "pandas.append pandas.sort pandas.get_value "
    "PIL.textsize matplotlib.hold matplotlib.set_window_title "
    "sklearn.get_feature_names attributes"
).split()


#: Methods of unittest.TestCase that left Python 3.12, and what they are called today.
TEST_CASE = {
    "assertEquals": "assertEqual",
    "assertNotEquals": "assertNotEqual",
    "assert_": "assertTrue",
    "assertAlmostEquals": "assertAlmostEqual",
    "assertNotAlmostEquals": "assertNotAlmostEqual",
    "assertItemsEqual": "assertCountEqual",
    "assertRegexpMatches": "assertRegex",
    "assertNotRegexpMatches": "assertNotRegex",
    "assertRaisesRegexp": "assertRaisesRegex",
    "failUnless": "assertTrue",
    "failIf": "assertFalse",
    "failUnlessEqual": "assertEqual",
    "failIfEqual": "assertNotEqual",
    "failUnlessAlmostEqual": "assertAlmostEqual",
    "failIfAlmostEqual": "assertNotAlmostEqual",
    "failUnlessRaises": "assertRaises",
}


def _old_attributes():
    """attribute -> (row, roots of the imports beside which it means that, its name today or "")."""
    found = {
        old: ("unittest.TestCase", ("unittest", "tensorflow"), new)
        for old, new in TEST_CASE.items()
    }
    found.update(
        isAlive=("threading.isAlive", ("threading",), "is_alive"),
        readfp=("configparser.readfp", ("configparser", "ConfigParser"), "read_file"),
        tostring=("numpy.ndarray.tostring", ("numpy", "array", "tensorflow"), "tobytes"),
        fromstring=("array.tostring", ("array",), "frombytes"),
        getchildren=("xml.getchildren", ("xml",), ""),
        getiterator=("xml.getchildren", ("xml",), "iter"),
        unescape=("html.unescape", ("html", "HTMLParser"), ""),
    )
    for prefix in ("iter", "view"):
        for name in ("items", "keys", "values"):
            found[prefix + name] = ("python2.dict_iterators", (), name)
    for name in "name code defaults globals doc dict closure".split():
        found["func_" + name] = ("python2.function_attributes", (), f"__{name}__")
    found.update(
        im_func=("python2.function_attributes", (), "__func__"),
        im_self=("python2.function_attributes", (), "__self__"),
        has_key=("python2.has_key", (), ""),
    )
    for row, root, names in (
        ("numpy.ndarray.ptp", "numpy", "ptp"),
        ("numpy.ndarray.itemset", "numpy", "itemset"),
        ("numpy.ndarray.newbyteorder", "numpy", "newbyteorder"),
        ("pandas.ix", "pandas", "ix"),
        ("pandas.as_matrix", "pandas", "as_matrix"),
        ("pandas.get_value", "pandas", "get_value"),
        ("PIL.textsize", "PIL", "textsize getsize"),
        ("matplotlib.hold", "matplotlib", "hold ishold"),
        ("h5py.value", "h5py", "value"),
        ("h5py.fid", "h5py", "fid"),
        ("scipy.sparse.attributes", "scipy", "A H asfptype"),
        ("matplotlib.set_window_title", "matplotlib", "set_window_title"),
        ("sklearn.get_feature_names", "sklearn", "get_feature_names"),
    ):
        for name in names.split():
            found[name] = (row, (root,), "")
    return found


#: Attributes that no object of today has, where their file imports what had them (anywhere, if
#: no root is named). What other objects have as well (``append``, ``value``) is not among them.
OLD_ATTRIBUTES = _old_attributes()

#: Uses of flags that absl has not: old methods, flags that are assigned and never defined (the
#: group "flag"), defaults of other types.
_OLD_FLAGS = (
    r"_parse_flags|\b__flags\b|FLAGS\.(?P<flag>\w+) *=[^=]|\bDEFINE_\w+\( *[\"']log_dir"
    r"|\bDEFINE_integer\([^,]+, *(-?\d*(\.|e\d)|np\.|[\d *+()-]+/(?!/))"
    r"|\bDEFINE_string\([^,]+, *(\d+,|\[|np\.|True|False)"
)

#: The flags of TF 1, lenient as they were.
_FLAGS = (
    "flags.undefined flags.absl flags._parse_flags flags.__flags flags.unknown flags.default "
    "flags.boolean flags.__dict__"
).split()

#: What is said of a row, or of a name that is in something a row is about.
BY_HAND = {
    **_PYTHON2,
    **_KERAS,
    **_PICTURES,
    **{name: Package(package) for name, package in _PACKAGES.items()},
    **{name: Syntax(name) for name in _SYNTAX},
    **_CALLS,
    **_TENSORFLOW,
    **{name: Stays(reason) for name, reason in STAYS.items()},
    **{name: Runtime(_TF1 + "attribute") for name in _ATTRIBUTES},
    **{name: Runtime(_TF1 + "flags") for name in _FLAGS},
    "tensorflow.app.flags": Runtime(_TF1 + "flags", pattern=_OLD_FLAGS),
    "tensorflow.flags": Runtime(_TF1 + "flags", pattern=_OLD_FLAGS),
    "tensorflow.python.platform.flags": Runtime(_TF1 + "flags", pattern=_OLD_FLAGS),
    "tensorflow.app.run": Runtime(_TF1 + "flags.run", pattern=_OLD_FLAGS),
    "pandas.tools.plotting": Module("pandas.plotting"),
    "pandas.datetime": Rename("datetime.datetime"),
    **_STEPS,
    **{f"numpy.lib.{name}": Rename(f"numpy.{name}") for name in _NUMPY_LIB.split()},
    **{f"numpy.{name}": Rename(f"numpy_financial.{name}") for name in _MONEY.split()},
    **{f"scipy.{name}": Rename(f"numpy.emath.{name}") for name in _OF_COMPLEX.split()},
    **{f"keras.{name}": Runtime(f"{_TF1}libraries.keras.{name}") for name in _COSINES.split()},
    "numpy.row_stack": Rename("numpy.vstack"),
    "loops.random": Syntax("loops.random"),
    "pandas.get_dummies": Syntax("pandas.get_dummies"),
    "numpy.scalar_printing": Entry("numpy.set_printoptions", 'legacy="1.25"'),
}

#: How the rows of reproduced random numbers come into force, all at once.
SEEDS = Entry(_TF1 + "seeds.reproduce")
