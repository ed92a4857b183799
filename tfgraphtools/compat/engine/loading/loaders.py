"""Every loader of source files gives user code translated, with the builtins of user code.

`importlib.machinery.SourceFileLoader` itself is changed, so it does not matter who
found the module: ``import``, ``spec_from_file_location``, ``load_module``, ``imp``,
an editable install, pytest.
"""

import importlib.machinery
import zipimport
from importlib import _bootstrap

from tfgraphtools.compat.engine import state
from tfgraphtools.compat.engine.loading import packages, user_builtins, user_code
from tfgraphtools.compat.engine.translate import source

_Loader = importlib.machinery.SourceFileLoader
_plain_get_code = _Loader.get_code
_plain_to_code = _Loader.source_to_code
_plain_compile_of_archive = getattr(zipimport, "_compile_source", None)


def install():
    """Changes the loader until `state.restore`."""
    state.set_attribute(_Loader, "get_code", _hidden(get_code))
    state.set_attribute(_Loader, "exec_module", _hidden(exec_module))
    if hasattr(zipimport.zipimporter, "exec_module"):  # since Python 3.10
        state.set_attribute(zipimport, "_compile_source", compile_of_archive)
        state.set_attribute(zipimport.zipimporter, "exec_module", _hidden(exec_module))


def get_code(self, fullname):
    """Returns the compiled module: translated, where it is user code."""
    path = self.get_filename(fullname)
    if not user_code.is_user(fullname, path):
        code = _plain_get_code(self, fullname)
        if not packages.asks(fullname, path, code):
            return code
    data = self.get_data(path)
    source.look_ahead(data, path)
    if type(self).source_to_code is not _plain_to_code:  # somebody else's import hook
        return self.source_to_code(source.tree_of(data, path), path)
    return source.code_of(data, path)


def compile_of_archive(pathname, data):
    """Returns the code of a file of a zip archive."""
    if user_code.is_user_file(pathname):
        return source.code_of(data, pathname)
    return _plain_compile_of_archive(pathname, data)


def exec_module(self, module):
    """Executes the module, as the loader's own method does."""
    name = module.__name__
    code = self.get_code(name)
    path = self.get_filename(name)
    if user_code.is_user(name, path):
        own_module(module, path)
    _bootstrap._call_with_frames_removed(exec, code, vars(module))


def own_module(module, path):
    """Gives a module of user code the builtins of user code; `state.restore` forgets it."""
    user_builtins.follow_pythons()
    vars(module)["__builtins__"] = user_builtins.users_of(path)
    state.forget_module(module)


def _hidden(function):
    """Moves the function to a file that Python leaves out of tracebacks of ``import``."""
    name = _bootstrap._call_with_frames_removed.__code__.co_filename
    function.__code__ = function.__code__.replace(co_filename=name)
    return function
