"""The cause of an error, where it is known: one line below the user's traceback.

Anybody may add a row to `ADVICE`; the first whose words fit the error is printed.
"""

import os
import re
from typing import Optional

from tfgraphtools.compat import legacy
from tfgraphtools.compat.fixes.keras import keras1
from tfgraphtools.runner import removed_names, tracebacks

#: (regular expression over "Class: message", one line of advice). "{package}" stands for the
#: installed package in which the error was raised; without such a package the row does not fit.
ADVICE = [
    (
        r"No module named 'tensorflow\.contrib'|has no attribute 'contrib'",
        "tf.contrib comes from TF 1.15's own package: run 'tfgraphtools legacy install' once.",
    ),
    (
        r"module 'tensorflow' has no attribute|module 'tensorflow\._api\.v2\.\S+' has no attribute"
        r"|Descriptors cannot be created directly",
        "the installed package {package} was written for TF1. Run: tfgraphtools run "
        "--v1-package {package} ...",
    ),
    (
        r"No module named 'tensorflow\.examples",
        "this module is part of TF 1.x: run 'tfgraphtools legacy install' once.",
    ),
    (
        r"No module named 'tensorflow\.models",
        "this module was part of TF 0.x. Its successor is the repository tensorflow/models, which"
        " is not installed.",
    ),
    (
        r"NotFoundError: .*Key .* not found in checkpoint",
        "'tfgraphtools ckpt ls CHECKPOINT' lists the names that the checkpoint holds.",
    ),
    (
        r"(DuplicateFlagError|IllegalFlagValueError)",
        "a flag is defined twice, by two of your modules or by a library that you import.",
    ),
    (
        r"TypeError: .*('float' object cannot be interpreted as an integer"
        r"|slice indices must be integers|by non-int of type 'float'"
        r"|DataType float\d+ not in list of allowed values: int"
        r"|Dimension value must be integer.*float|Expected int\d+.* of type 'float'"
        r"|'(map|filter|zip|dict_\w+)' object is not subscriptable"
        r"|object of type '(map|filter|zip)' has no len)",
        "if the script was written for Python 2 (1 / 2 is 0, map() gives a list): "
        "tfgraphtools run --python2 ...",
    ),
]


def line_for(error: BaseException) -> Optional[str]:
    """Returns the line of advice for this error, or None."""
    text = f"{type(error).__name__}: {tracebacks.message(error)}"
    if isinstance(error, ModuleNotFoundError) and error.name:
        folder = _folder_above(error)
        if folder is not None:
            root = error.name.partition(".")[0]
            return (
                f"the module '{root}' is in {folder}. Run: PYTHONPATH={folder} tfgraphtools run ..."
            )
        command = _command_for(error)
        if command is not None:
            return command
    of_keras1 = keras1.advice_on(text)
    if of_keras1 is not None:
        return of_keras1
    remedy = removed_names.remedy_for(error)
    if remedy is not None:
        return remedy
    package = removed_names.package_of(error.__traceback__)
    for pattern, line in ADVICE:
        if "legacy install" in line and legacy.find() is not None:
            continue  # it is installed: that is not why
        if re.search(pattern, text, re.DOTALL) and (package or "{package}" not in line):
            return line.format(package=package)
    return None


def _command_for(error):
    """Returns the line that installs a missing package, as `doctor` names it, or None."""
    from tfgraphtools.compat.doctor import install

    root = error.name.partition(".")[0]
    command = install.command_for(root) if str(error) == f"No module named {root!r}" else None
    if command is None:
        return None
    return f"the package of '{root}' is not installed. Run: {command}"


def _folder_above(error):
    """Returns the folder above the importing file with the module not found, or None."""
    from tfgraphtools.compat.doctor import search

    path, trace = None, error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        path = name if os.path.isfile(name) and "importlib" not in name else path
        trace = trace.tb_next
    if path is None or "-packages" in path:
        return None
    return search.folder_above(error.name.partition(".")[0], path)
