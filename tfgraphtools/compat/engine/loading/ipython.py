"""Cells of IPython and notebooks are user code.

A cell is translated by IPython's own hook for trees, and runs with the builtins of user
code; one that only Python 2 can parse is read as Python 2.
"""

from tfgraphtools.compat.engine import after_import, parts, state
from tfgraphtools.compat.engine.loading import launchers, user_builtins
from tfgraphtools.compat.engine.parts import SourceReader
from tfgraphtools.compat.engine.translate import source

_SHELL = "IPython.core.interactiveshell"
_MAGICS = "IPython.core.magics.execution"


def install():
    """Translates the cells of every shell of this process until `state.restore`."""
    after_import.call(_SHELL, _watch, "loading.ipython")
    after_import.call(_MAGICS, _watch_magics, "loading.ipython")


def _watch(module):
    shell_class = module.InteractiveShell
    init_original = shell_class.__init__

    def __init__(self, *arguments, **options):
        init_original(self, *arguments, **options)
        _take(self)

    plain_execfile = shell_class.safe_execfile

    def safe_execfile(self, fname, *where, **options):  # what %run calls
        user_builtins.give_users(where[0])
        return plain_execfile(self, fname, *where, **options)

    state.set_attribute(shell_class, "__init__", __init__)
    state.set_attribute(shell_class, "safe_execfile", safe_execfile)
    launchers.watch_compile(module)
    if shell_class.initialized():
        _take(shell_class.instance())


def _watch_magics(module):
    """Keeps ``%run`` from giving the cells after it Python's builtins."""
    state.set_attribute(module, "builtin_mod", user_builtins.users())


def _take(shell):
    """Makes the cells of a shell user code."""
    translator = _Translator()
    shell.ast_transformers.append(translator)
    state.at_restore(lambda: _remove(shell.ast_transformers, translator))
    state.set_item(shell.user_global_ns, "__builtins__", user_builtins.users())
    state.at_restore(lambda: _finish_cell(shell))
    parse_original = shell.compile.ast_parse

    def ast_parse(text, filename="<unknown>", symbol="exec"):
        try:
            return parse_original(text, filename, symbol)
        except SyntaxError:
            return parts.offered(SourceReader).to_tree(text.encode(), filename)

    state.set_attribute(shell.compile, "ast_parse", ast_parse)


def _finish_cell(shell):
    """Lends the rest of a translated cell, which ends compat, the helpers that it calls."""
    namespace = shell.user_global_ns
    lent = {name: value for name, value in user_builtins.helpers().items() if name not in namespace}

    def take_back(*result):
        shell.events.unregister("post_run_cell", take_back)
        for name in lent:
            namespace.pop(name, None)

    namespace.update(lent)
    shell.events.register("post_run_cell", take_back)


def _remove(transformers, translator):
    if translator in transformers:
        transformers.remove(translator)


class _Translator:
    """A transformer that IPython calls with the tree of each cell."""

    def visit(self, tree):
        return source.adapted(tree, "<cell>")
