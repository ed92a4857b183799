"""Changes to single modules of the legacy installation, made to their source as it is loaded.

Each replaces a few words that must stand in the source exactly so: the packages are
known by their hashes, so a mismatch is a mistake of ours.
"""

#: module -> ((what stands there, what is compiled instead), ...).
ADAPTATIONS = {
    "tensorflow.contrib.util.loader": (
        ("load_library.load_op_library(path)", "_kernels.Library(path)"),
        (
            "from tensorflow.python.framework import load_library",
            "from tfgraphtools.compat.contrib import kernels as _kernels",
        ),
    ),
    "tensorflow_estimator.python.estimator.estimator_export": (
        # Every use of an estimator would be warned of.
        ("func = deprecation.deprecated(None, 'Use tf.keras instead.')(func)", "pass"),
        ("tf_export.ESTIMATOR_API_NAME", "tf_export.TENSORFLOW_API_NAME"),
    ),
}


def adapted(name, source):
    """The source of a module, changed where it must be.

    Args:
      name: the full name of the module.
      source: the bytes of its file.
    """
    for old, new in ADAPTATIONS.get(name, ()):
        old, new = old.encode(), new.encode()
        assert source.count(old) == 1, (name, old)
        source = source.replace(old, new)
    return source
