"""Processes that a script starts through multiprocessing run under compat too."""

from tfgraphtools.compat.engine import activation, importer, source, state
from tfgraphtools.compat.engine.options import Options


class _Activation:
    """Activates compat in the child that unpickles it, before it loads the script."""

    def __init__(self, options):
        self.options = options

    def __reduce__(self):
        return _activate_in_child, (tuple(self.options),)


def follow(options):
    """Has every child that is spawned, or forked by a server, activate compat first."""
    from multiprocessing import spawn

    plain = spawn.get_preparation_data

    def get_preparation_data(name):
        return dict(plain(name), tfgraphtools=_Activation(options))

    state.set_attribute(spawn, "get_preparation_data", get_preparation_data)


def _activate_in_child(choices):
    from multiprocessing import spawn

    options = Options(*choices)
    activation.activate(options, running_code=False)
    follow(options)
    state.set_attribute(spawn, "_fixup_main_from_path", _load_main_from_path)
    return choices


def _load_main_from_path(path):
    """The script as ``__mp_main__``, as multiprocessing loads it, under compat."""
    import sys
    import types

    main = types.ModuleType("__mp_main__")
    main.__file__ = path
    main.__builtins__ = importer.user_builtins()
    with open(path, "rb") as file:
        code = source.code_of(file.read(), path)
    exec(code, vars(main))
    sys.modules["__main__"] = sys.modules["__mp_main__"] = main
