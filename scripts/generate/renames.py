"""Writes `compat/rewrites/renames.tsv`: old names whose very object has a public name today.

    python scripts/generate/renames.py [--check]

For each row that provides a name or a module, the value that `run` gives to user code is
looked for, by identity, among the public names of TensorFlow's compat.v1, of the library that
had the old name, and of the standard library. What is found nowhere is left to the runtime.
A module that became several is named with each of its names.

A line of the file has an old owner, an owner of today, and the names in them, separated by
tabs; ``old=new`` where the name itself changed. A module as a whole has no names.
"""

import importlib
import os
import pathlib
import re
import sys
import types
import warnings

os.environ.setdefault("TF_USE_LEGACY_KERAS", "1")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
warnings.simplefilter("ignore")

from tfgraphtools.compat import rewrites  # noqa: E402
from tfgraphtools.compat.engine import rows  # noqa: E402
from tfgraphtools.compat.rewrites import names_in_modules  # noqa: E402
from tfgraphtools.tf1 import _serving  # noqa: E402

#: Packages of today whose names count, beside the standard library's.
_LIBRARIES = "numpy scipy sklearn pandas PIL matplotlib seaborn joblib six tf_keras".split()

#: Names of today that are not public, and that old code may have instead of an old private name.
_INTERNAL = ("tensorflow.python.", "numpy.matlib.", "unittest.loader.")

#: How rows say where something is now: tried first.
_HINTS = re.compile(r"[A-Za-z_]\w*(?:\.\w+)+|(?<=is )\w+(?= now)|(?<=: )tf_keras\b|(?<=in )\w+")

#: Identity does not tell the new name of a whole module of Python 2: ``renames_by_hand.tsv`` does.
_BY_HAND = {"UserDict", "UserList", "UserString", "__builtin__", "commands", "mock"}


def _resolve(name):
    """The value of a dotted name of today; None where there is none."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            value = importlib.import_module(".".join(parts[:end]))
        except Exception:
            continue
        for part in parts[end:]:
            value = getattr(value, part, None)
        return value
    return None


def _is_nameable(value):
    """Whether the identity of a value says what it is: equal numbers and texts may be unrelated."""
    return not isinstance(value, (int, str, bytes, tuple, list, dict, type(None))) or (
        isinstance(value, type)
    )


class Names:
    """The public names of today, by the identity of what they name."""

    def __init__(self):
        self.known = {}  # id -> [names]
        self.kept = []  # so that no identity is used twice
        self._walk_tensorflow("tensorflow.compat.v1", _resolve("tensorflow.compat.v1"), set())
        for name in sorted(sys.modules):
            root = name.partition(".")[0]
            if root in _LIBRARIES or self._is_standard(name):
                self._add_module(name)

    @staticmethod
    def _is_standard(name):
        root = name.partition(".")[0]
        return root in sys.stdlib_module_names

    def _add(self, name, value):
        if _is_nameable(value):
            self.known.setdefault(id(value), []).append(name)
            self.kept.append(value)

    def _add_module(self, name):
        module = sys.modules[name]
        if not isinstance(module, types.ModuleType) or _is_private(name):
            return
        self._add(name, module)
        for attribute, value in list(vars(module).items()):
            if not attribute.startswith("_") and not isinstance(value, types.ModuleType):
                self._add(f"{name}.{attribute}", value)

    def _walk_tensorflow(self, name, module, seen):
        if id(module) in seen:
            return
        seen.add(id(module))
        for attribute in dir(module):
            value = getattr(module, attribute, None)
            if attribute.startswith("_") or attribute in ("v1", "v2", "compat"):
                continue
            if not isinstance(value, types.ModuleType):
                self._add(f"{name}.{attribute}", value)
            elif _is_of_v1(f"{name}.{attribute}", value):
                self._walk_tensorflow(f"{name}.{attribute}", value, seen)

    def today(self, old, value, why):
        """The public name of today of a value, or None."""
        if not _is_nameable(value):
            return None
        candidates = self.known.get(id(value), [])
        roots = {old.partition(".")[0], "builtins"}
        hinted = [
            hint.replace("tf.", "tensorflow.compat.v1.", 1) if hint.startswith("tf.") else hint
            for hint in _HINTS.findall(why)
        ]
        hinted += ["builtins." + hint for hint in hinted if "." not in hint]
        for hint in hinted:
            if hint != old and not _is_private(hint) and _resolve(hint) is value:
                public = [n for n in candidates if n.startswith("tensorflow.compat.v1.")]
                if not hint.startswith(_INTERNAL) or not public:
                    return hint
        near = [
            name
            for name in candidates
            if name != old and (name.partition(".")[0] in roots or _is_at_home(name, value))
        ]
        leaf = old.rpartition(".")[2]
        near.sort(key=lambda name: (name.rpartition(".")[2] != leaf, name.count("."), len(name)))
        return near[0] if near else None


#: Modules of compat.v1 that it takes from tf_keras.
_LAZY = ("tensorflow.compat.v1.layers", "tensorflow.compat.v1.nn.rnn_cell")


def _is_of_v1(name, module):
    return name in _LAZY or "_api.v2.compat.v1" in getattr(module, "__name__", "")


def _is_private(name):
    return any(part.startswith("_") for part in name.split("."))


def _is_at_home(name, value):
    """Whether a name of the standard library is where a value was defined."""
    return name.rpartition(".")[0] == getattr(value, "__module__", None)


def _value(name):
    try:
        return _serving.value(name)
    except Exception:
        return None


def _real(value):
    from tfgraphtools.compat.engine import views

    return views.real_of(value) if isinstance(value, types.ModuleType) else value


def _public(module):
    names = getattr(module, "__all__", None) or vars(module)
    return [name for name in names if not name.startswith("_")]


def _of_module(old, module, why, names):
    """[(old name, new name)] of a module: one line where it is one module today."""
    from tfgraphtools.compat.engine import views

    real = views.real_of(module)
    hints = _HINTS.findall(why)
    for hint in [hint.replace(".src", "") for hint in hints if ".src" in hint] + hints:
        if hint == old or _is_private(hint) or hint.startswith("tensorflow.contrib"):
            continue
        today = _resolve(hint)
        if isinstance(today, types.ModuleType) and (today is real or _covers(today, real)):
            return [(old, hint)]
    found = []
    for name in _public(real):
        value = getattr(module, name, None)
        if isinstance(value, types.ModuleType) or not _is_documented(old, value):
            continue
        if old in names_in_modules.STILL_THERE and hasattr(importlib.import_module(old), name):
            continue
        today = names.today(f"{old}.{name}", value, why)
        if today is not None and today.rpartition(".")[2] == name:
            found.append((f"{old}.{name}", today))
    return found


def _is_documented(old, value):
    """Whether a value is of the library itself, and not what its module imports."""
    root = old.partition(".")[0]
    of = (getattr(value, "__module__", None) or "").partition(".")[0]
    return root not in _LIBRARIES or (of == root and getattr(value, "__doc__", None) is not None)


def _covers(today, old):
    """Whether a module has everything that is in another, the same."""
    public = [n for n in _public(old) if not isinstance(getattr(old, n, None), types.ModuleType)]
    return bool(public) and all(getattr(today, n, None) is getattr(old, n) for n in public)


def lines():
    """(old name, name of today), sorted."""
    import matplotlib.pyplot  # noqa: F401
    import numpy.lib.array_utils  # noqa: F401
    import pandas.plotting  # noqa: F401
    import PIL.Image  # noqa: F401
    import scipy.datasets  # noqa: F401
    import scipy.integrate  # noqa: F401
    import scipy.linalg  # noqa: F401
    import scipy.optimize  # noqa: F401
    import scipy.signal.windows  # noqa: F401
    import scipy.special  # noqa: F401
    import sklearn.discriminant_analysis  # noqa: F401
    import sklearn.model_selection  # noqa: F401
    import tensorflow.compat.v1  # noqa: F401

    wanted = [
        (table, row)
        for table in rows.tables()
        if table.kind in ("names", "modules")
        for row in table.rows
        if row.since is not None
        and not row.name.startswith(("tensorflow.contrib", "tensorflow.models", "builtins."))
        and row.name not in _BY_HAND
    ]
    values = {row.name: _value(row.name) for _, row in wanted}
    names = Names()
    found = {}
    for _, row in wanted:
        if not rows.is_needed(row) and sys.modules.get(row.name) is not None:
            continue
        value = values[row.name]
        if isinstance(value, types.ModuleType):
            found.update(_of_module(row.name, value, row.why, names))
        elif value is not None:
            today = names.today(row.name, value, row.why)
            if today is not None:
                found[row.name] = today
    found.update(_of_contrib(names))
    return sorted(found.items())


def _of_contrib(names):
    """What TF 1.15's contrib only passed on: {name in contrib: the name in compat.v1}."""
    found = {}
    for part in _serving.names("tensorflow.contrib"):
        module = _value("tensorflow.contrib." + part)
        if not isinstance(module, types.ModuleType) or part == "quantization":
            continue
        for name in _public(module):
            value = getattr(module, name, None)
            if isinstance(value, types.ModuleType):
                continue
            old = f"tensorflow.contrib.{part}.{name}"
            known = names.known.get(id(value), ()) if _is_nameable(value) else ()
            public = [n for n in known if n.startswith("tensorflow.compat.v1.")]
            if public:
                found[old] = min(public, key=lambda n: (n.count("."), len(n), n))
    return found


def _grouped(pairs):
    groups, modules = {}, []
    for old, new in pairs:
        if isinstance(_resolve(new), types.ModuleType):
            modules.append((old, new))
            continue
        (old_owner, _, old_leaf), (new_owner, _, new_leaf) = (
            old.rpartition("."),
            new.rpartition("."),
        )
        leaf = old_leaf if old_leaf == new_leaf else f"{old_leaf}={new_leaf}"
        groups.setdefault((old_owner, new_owner), []).append(leaf)
    return sorted(modules + [(*owners, " ".join(names)) for owners, names in groups.items()])


def main():
    """Writes the file, or says whether it is what would be written."""
    text = "".join("\t".join(line) + "\n" for line in _grouped(lines()))
    path = pathlib.Path(rewrites.__file__).with_name("renames.tsv")
    if "--check" in sys.argv:
        sys.exit(0 if path.read_text(encoding="utf-8") == text else f"{path} is not up to date")
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
