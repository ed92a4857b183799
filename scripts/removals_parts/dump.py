"""Dumps the public names of installed modules as JSON: runs on every Python since 2.7.

    python dump.py stdlib            every module of the standard library
    python dump.py numpy             NumPy, or another package, and its public submodules

"names" of the answer maps "module" and "module:name" and "module:Class.member" to the names
of the arguments, or to null where there is nothing to call or no way to see them. "own" lists
those that the module made for its users: neither imported from elsewhere, nor inherited, nor
missing from its ``__all__``.
"""

import inspect
import json
import os
import pkgutil
import sys
import sysconfig
import warnings

#: Importing these has an effect, or says nothing of what programs use.
_SKIPPED = "antigravity this idlelib test tests lib2to3 turtledemo ensurepip __phello__ distutils"
_SKIPPED_IN_PACKAGES = "tests distutils f2py conftest setup _pyinstaller"


def main(what):
    warnings.simplefilter("ignore")
    if what != "stdlib" and _import(what) is None:
        sys.exit("removals: " + sys.executable + " cannot import " + what)
    found, own = {}, []
    real, sys.stdout = sys.stdout, open(os.devnull, "w")
    for name in sorted(_stdlib() if what == "stdlib" else _inside(what, _SKIPPED_IN_PACKAGES)):
        module = _import(name)
        if module is not None:
            _dump_module(name, module, found, own)
    sys.stdout = real
    version = "{}.{}".format(*sys.version_info)
    if what != "stdlib":
        version = sys.modules[what].__version__
    json.dump({"version": version, "names": found, "own": own}, sys.stdout, sort_keys=True)


def _stdlib():
    folder = sysconfig.get_paths()["stdlib"] if sysconfig else ""
    places = [folder, os.path.join(folder, "lib-dynload")]
    names = set(sys.builtin_module_names)
    names.update(one[1] for one in pkgutil.iter_modules(places))
    for name in list(names):
        if name.startswith("_") and name != "__future__" or name in _SKIPPED.split():
            names.discard(name)
        elif os.path.isdir(os.path.join(folder, name)):
            names.update(_inside(name, _SKIPPED))
    return names


def _inside(package, skipped):
    names = {package}
    module = _import(package)
    for _, name, is_package in pkgutil.iter_modules(getattr(module, "__path__", [])):
        if not name.startswith("_") and name not in skipped.split():
            full = package + "." + name
            names |= _inside(full, skipped) if is_package else {full}
    return names


def _import(name):
    try:
        __import__(name)
        return sys.modules[name]
    except BaseException:
        return None


def _dump_module(name, module, found, own):
    found[name] = None
    own.append(name)
    for key in dir(module):
        if key.startswith("_") and name != "__builtin__":
            continue
        try:
            value = getattr(module, key)
        except Exception:
            continue
        if inspect.ismodule(value):
            if name.partition(".")[0] == "numpy":
                found[name + ":" + key] = None
            continue
        found[name + ":" + key] = _arguments(value)
        is_own = key in getattr(module, "__all__", [key]) and _is_made_in(value, name)
        if is_own:
            own.append(name + ":" + key)
        if inspect.isclass(value):
            for member in dir(value):
                if not member.startswith("_"):
                    inside = getattr(value, member, None)
                    found[name + ":" + key + "." + member] = _arguments(inside)
                    if is_own and member in vars(value):
                        own.append(name + ":" + key + "." + member)


def _is_made_in(value, module):
    """Whether a value comes from a module, its package, or the C module behind it."""
    made = getattr(value, "__module__", None)
    if not isinstance(made, str):
        return True
    root = module.partition(".")[0]
    return made.lstrip("_").partition(".")[0] in (root.lstrip("_"), "builtins")


def _arguments(value):
    """The names of the arguments of a function; None where they cannot be seen."""
    if inspect.isclass(value):
        value = getattr(value, "__init__", None)
    if not callable(value):
        return None
    try:
        if hasattr(inspect, "signature"):
            return [_shown(one) for one in inspect.signature(value).parameters.values()]
        spec = inspect.getargspec(value)
        stars = ["*"] if spec.varargs else []
        return list(map(str, spec.args)) + stars + (["**"] if spec.keywords else [])
    except Exception:  # _curses
        return None


def _shown(parameter):
    stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}
    return stars.get(parameter.kind, parameter.name)


if __name__ == "__main__":
    main(sys.argv[1])
