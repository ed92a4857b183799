"""Prints as JSON the rows whose name of today is not there, or is another thing than `run` gives.

A process of its own: TF_USE_LEGACY_KERAS is set before TensorFlow is imported.
"""

import importlib
import importlib.util
import inspect
import json
import os
import types

os.environ.update(TF_USE_LEGACY_KERAS="1", TF_CPP_MIN_LOG_LEVEL="3")

from tfgraphtools.compat import rewrites  # noqa: E402
from tfgraphtools.compat.engine import rows, views  # noqa: E402
from tfgraphtools.compat.rewrites import contrib_today  # noqa: E402
from tfgraphtools.tf1 import _serving  # noqa: E402

#: Names whose rewrite is what a person would write, and takes less than `run` does.
BY_HAND_ALONE = {
    "builtins." + name
    for name in "xrange unicode basestring long file buffer reload raw_input".split()
} | {"numpy.row_stack", "matplotlib.cm.get_cmap"}

#: Libraries whose old names the runtime has where they are installed: no extra installs them.
_APART = {"librosa", "networkx"}


def _resolved(name):
    parts = name.split(".")
    deepest = 3 if name.startswith("tensorflow.compat.v1.") else len(parts)
    for end in range(deepest, 0, -1):
        try:
            value = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            value = getattr(value, part)
        return value
    raise ModuleNotFoundError(name)


def _wanted():
    for table in rows.tables():
        for row in table.rows:
            if table.kind in ("names", "modules", "calls") and row.since and rows.is_needed(row):
                if not row.name.endswith("._*"):
                    yield row.name, rewrites.rewrite_of(row.name)


def wrong():
    """[(old name, name of today, what is wrong)]."""
    for name, rewrite in _wanted():
        if not isinstance(rewrite, (rewrites.Rename, rewrites.Module, rewrites.Runtime)):
            continue
        roots = {rewrite.to.partition(".")[0]} | (_APART & {name.partition(".")[0]})
        if not all(map(importlib.util.find_spec, sorted(roots))):
            continue  # not installed here
        try:
            today = _resolved(rewrite.to)
        except Exception as error:
            yield name, rewrite.to, f"{type(error).__name__}: {error}"[:90]
            continue
        if isinstance(rewrite, rewrites.Rename) and name not in BY_HAND_ALONE:
            once = _serving.value(name)
            once = views.real_of(once) if isinstance(once, types.ModuleType) else once
            if today is not once and not isinstance(once, types.ModuleType):
                yield name, rewrite.to, f"{once!r}"[:90]


def wrong_without_the_runtime():
    """The same of what stands for contrib there: the functions and the names of their arguments."""
    for name, rewrite in contrib_today.INSTEAD.items():
        if not importlib.util.find_spec(rewrite.to.partition(".")[0]):
            continue  # not installed here
        try:
            today = _resolved(rewrite.to)
            words = {*getattr(rewrite, "positions", ()), *getattr(rewrite, "keywords", {}).values()}
            taken = inspect.signature(today).parameters if words else ()
        except Exception as error:
            yield name, rewrite.to, f"{type(error).__name__}: {error}"[:90]
            continue
        if not words <= set(taken):
            yield name, rewrite.to, "it does not take " + " ".join(sorted(words - set(taken)))


if __name__ == "__main__":
    print(json.dumps([*wrong(), *wrong_without_the_runtime()]))
