"""Functions of ``importlib`` and ``pkgutil`` that find loaders."""

from tfgraphtools.compat.fixes.build import standing


@standing("importlib.find_loader", "Python 3.12", "the loader of importlib.util.find_spec")
def _find_loader(name, path=None):
    import importlib.machinery
    import importlib.util

    if path is not None:
        spec = importlib.machinery.PathFinder.find_spec(name, path)
    else:
        spec = importlib.util.find_spec(name)
    return None if spec is None else spec.loader


@standing("pkgutil.find_loader", "Python 3.14", "the loader of importlib.util.find_spec")
def _pkgutil_find_loader(fullname):
    return _find_loader.provide(None)(fullname)


@standing("pkgutil.get_loader", "Python 3.14", "the loader of a module or of its name")
def _get_loader(module_or_name):
    import sys

    module = sys.modules.get(module_or_name, module_or_name)
    if module is None:
        return None
    if isinstance(module, str):
        return _find_loader.provide(None)(module)
    return getattr(module, "__loader__", None)


def _same(function):
    return function


_DECORATORS = [
    standing("importlib.util." + name, "Python 3.12", "loaders do this without a decorator")(_same)
    for name in ("module_for_loader", "set_loader", "set_package")
]


ROWS = [
    _find_loader,
    _pkgutil_find_loader,
    _get_loader,
    *_DECORATORS,
]
