"""Installed packages that were written for TF1, recognised by their source.

A package counts as written for TF1 in one of these cases:

- its distribution asks for tensorflow<2;
- a file imports ``tensorflow.contrib``, or another module of TF 1 that is gone, without expecting
  it to be missing;
- a file takes all names of ``tensorflow.compat.v1``, or cannot be imported without
  ``tf.estimator`` (gone since TF 2.16);
- more of its files use what only 1.x had (``tf.placeholder``) than files that know of TF 2.

TensorFlow Probability is judged by its version. The package is named in one line, and treated like
user code.
"""

import contextlib
import functools
import os
import re

from tfgraphtools.compat.engine import notices, rows
from tfgraphtools.compat.engine.loading import own_code, user_code
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.installed import distributions

ROW = Fix(
    "packages.tf1",
    "TF 2.0",
    "an installed package written for TF1 is recognised by its source and gets the 1.x API",
    cannot="to upgrade an installed package, pass the folder of its source to upgrade",
)

TABLE = Table("installed packages written for TF1", "listed", [ROW])

#: Packages that are TensorFlow's, or know every version of it, and are not looked at.
_OF_TODAY = frozenset(
    "tensorflow keras tf_keras tensorboard tensorflow_estimator tensorflow_probability tf_slim "
    "numpy scipy pandas sklearn matplotlib google absl h5py jax jaxlib torch transformers wandb "
    "mlflow ray horovod onnx tf2onnx IPython pytest _pytest joblib dask tqdm".split()
)

#: The first versions of them that were written for TF 2 alone; older ones count as written for TF1.
_FIRST_OF_TODAY = {"tensorflow_probability": (0, 9)}

_ALIAS = re.compile(r"^[ \t]*import[ \t]+tensorflow(?:\s+as\s+(\w+))?\s*(?:#.*)?$", re.MULTILINE)
_CONTRIB = re.compile(
    r"^(?:from|import)\s+tensorflow\.contrib\b|^[ \t]*from\s+tensorflow\.compat\.v1\s+import\s+\*",
    re.MULTILINE,
)
_ONLY_1X = (
    r"(?:contrib|app|flags|layers|placeholder|placeholder_with_default|Session|logging|gfile|"
    r"InteractiveSession|ConfigProto|GPUOptions|get_variable|variable_scope|get_default_graph|"
    r"get_collection|add_to_collection|GraphKeys|global_variables_initializer|"
    r"global_variables|trainable_variables|initialize_all_variables|assign_add|to_float|to_int32|"
    r"random_uniform|random_normal|truncated_normal|set_random_seed|"
    r"AUTO_REUSE|train\.(?:Saver|\w+Optimizer|get_global_step|get_or_create_global_step)|"
    r"nn\.(?:rnn_cell|dynamic_rnn|static_rnn)|ConditionalAccumulator|log)\b"
)
#: Imports outside of every block, and names that are imported from TensorFlow itself.
_IMPORTED = re.compile(
    r"^from[ \t]+(tensorflow\.[\w.]+)[ \t]+import|^import[ \t]+(tensorflow\.[\w.]+)", re.MULTILINE
)
_FROM = re.compile(r"^from[ \t]+tensorflow[ \t]+import[ \t]+([\w, \t]+)", re.MULTILINE)
#: What rows say of modules that no TF 2 ever had.
_BEFORE_2 = {f"TF {version}" for version in ("0.12", *(f"1.{n}" for n in range(16)), "2.0")}

#: A statement outside of every block, which runs when the module is imported.
_ESTIMATOR = r"^(?:class\b|def\b|@|\w+\s*=).*\b{}\.(?:compat\.v[12]\.)?estimator\."
_KNOWS_2 = re.compile(
    r"tensorflow\.compat\.v[12]|\.compat\.v[12]\b|\.__version__|enable_v2_behavior|"
    r"disable_v2_behavior|GradientTape|\btf2\b|hasattr\(tf\b|\.config\.experimental|"
    r"@tf\.function|random\.set_seed"
)
_COMMENT = re.compile(r"#.*")

_PIN = re.compile(
    r"^(?:tensorflow|tensorflow[-_](?:gpu|cpu)|tf[-_]nightly)\s*\(?.*"
    r"(?:<=?\s*(?:1\.|2(?:\.0)*(?:[a-z]+\d*)?\s*(?:$|[,);]))|[=~]=\s*[01]\.)",
    re.IGNORECASE,
)


def asks(name, path, code):
    """Tells whether an installed module that is loaded now shows that its package is for TF1.

    The package is then treated as user code.

    Args:
      name: the module's dotted name.
      path: its file.
      code: its compiled code; only a module that imports TensorFlow itself is looked at.
    """
    root = name.partition(".")[0]
    if user_code.is_decided(root) or not _imports_tensorflow(code) or rows.is_off(ROW.name):
        return False
    if own_code.is_own(path):
        return False
    if not (_is_old(root) if root in _OF_TODAY else _is_for_tf1(root, top_of(name, path))):
        return False
    user_code.treat_as_v1(root)
    rows.used(ROW)
    notices.later(
        "package " + root,
        f"the installed package {root} was written for TF1 and gets the 1.x API "
        f"(--no-v1-package {root} disables this)",
    )()
    return True


def _imports_tensorflow(code):
    return any(name.partition(".")[0] == "tensorflow" for name in code.co_names)


def is_of_today(root):
    """Tells whether a package is TensorFlow's own, or knows every version of it."""
    return root in _OF_TODAY and not _is_old(root)


def top_of(name, path):
    """Returns the folder of the package, or the file of a module that is no package's."""
    levels = name.count(".") + os.path.basename(path).startswith("__init__.")
    for _ in range(levels):
        path = os.path.dirname(path)
    return path


@functools.lru_cache(maxsize=None)
def _is_old(root):
    """Tells whether the installed version of a package of `_OF_TODAY` was written for TF1."""
    first = _FIRST_OF_TODAY.get(root)
    if first is None:
        return False
    numbers = distributions.numbers(root, len(first))
    return numbers is not None and numbers < first


@functools.lru_cache(maxsize=None)
def _is_for_tf1(root, top):
    return bool(reason_for_tf1(root, top))


def reason_for_tf1(root, top):
    """Returns why a package counts as written for TF1, in words; "" if it does not.

    Args:
      root: its name.
      top: its folder, or the file of a module.
    """
    for requirement in _requirements(root):
        if _PIN.match(requirement):
            return f"it requires {requirement}"
    of_1x = knowing_2 = 0
    for path in _sources(top):
        try:
            with open(path, "rb") as file:
                text = file.read().decode("utf-8", "replace")
        except OSError:  # a link to nothing
            continue
        if "tensorflow" not in text:
            continue
        text = _COMMENT.sub("", text)
        removed = "" if path.endswith("_test.py") else _gone_import(text)
        if removed:
            return f"{os.path.relpath(path, os.path.dirname(top))} needs {removed}"
        if _KNOWS_2.search(text):
            knowing_2 += 1
        elif _uses_1x(text):
            of_1x += 1
    if of_1x <= knowing_2:
        return ""
    return f"files that use names of TF 1 alone: {of_1x}; files that know TF 2: {knowing_2}"


def _gone_import(text):
    """Returns what a source cannot be imported without and today's TensorFlow lacks, or ""."""
    if _CONTRIB.search(text):
        return "tensorflow.contrib or all names of tensorflow.compat.v1"
    if _needs_estimator(text):
        return "tf.estimator"
    imported = map("".join, _IMPORTED.findall(text))
    return next((name for name in imported if name in _gone_modules()), "")


@functools.lru_cache(maxsize=None)
def _gone_modules():
    """Returns the modules that no TF 2 has; `upgrade` asks, too, where no table is in force."""
    listed = [table.rows for table in rows.tables() if table.kind == "modules"]
    return frozenset(row.name for several in listed for row in several if row.since in _BEFORE_2)


def _uses_1x(text):
    imported = ",".join(_FROM.findall(text))
    return any(re.fullmatch(_ONLY_1X, name.strip()) for name in imported.split(",")) or any(
        re.search(rf"\b{name}\.{_ONLY_1X}", text) for name in _names(text)
    )


def _needs_estimator(text):
    return any(re.search(_ESTIMATOR.format(name), text, re.MULTILINE) for name in _names(text))


def _names(text):
    """Returns what the code of a file calls TensorFlow."""
    return {match.group(1) or "tensorflow" for match in _ALIAS.finditer(text)}


def _sources(top):
    if os.path.isfile(top):
        return [top]
    return [
        os.path.join(folder, name)
        for folder, _, names in os.walk(top)
        for name in names
        if name.endswith(".py")
    ]


def _requirements(root):
    """Returns what the distribution of a package requires, extras left out."""
    from importlib import metadata

    if not hasattr(metadata, "packages_distributions"):  # before Python 3.10
        return []
    requirements = []
    for distribution in _distributions_of(root):
        for requirement in metadata.requires(distribution) or ():
            if "extra ==" not in requirement:
                requirements.append(requirement.partition(";")[0].strip())
    return requirements


def _distributions_of(root):
    """Returns the names of the distributions of a package: most often one, of the same name."""
    from importlib import metadata

    with contextlib.suppress(metadata.PackageNotFoundError):
        record = metadata.distribution(root).read_text("RECORD") or ""
        if re.search(rf"^{re.escape(root)}(?:/|\.)", record, re.MULTILINE):
            return [root]
    if root not in _distributions():  # installed since, perhaps
        _distributions.cache_clear()
    return _distributions().get(root, ())


@functools.lru_cache(maxsize=None)
def _distributions():
    """Returns {package: names of its distributions}; reading all of them takes a while."""
    from importlib import metadata

    return metadata.packages_distributions()
