"""Cells of IPython and notebooks are user code.

A cell is translated by IPython's own hook for trees, and runs with the builtins of user
code; one that only Python 2 can parse is read as Python 2.
"""

from tfgraphtools.compat.engine import after_import, parts, source, state
from tfgraphtools.compat.engine.loading import builtins

_SHELL = "IPython.core.interactiveshell"


def install():
    """Translates the cells of every shell of this process until `state.restore`."""
    after_import.call(_SHELL, _watch)


def _watch(module):
    shell_class = module.InteractiveShell
    plain = shell_class.__init__

    def __init__(self, *arguments, **options):
        plain(self, *arguments, **options)
        _take(self)

    state.set_attribute(shell_class, "__init__", __init__)
    if shell_class.initialized():
        _take(shell_class.instance())


def _take(shell):
    """Makes the cells of a shell user code."""
    translator = _Translator()
    shell.ast_transformers.append(translator)
    state.at_restore(lambda: _remove(shell.ast_transformers, translator))
    state.set_item(shell.user_global_ns, "__builtins__", builtins.users())
    plain = shell.compile.ast_parse

    def ast_parse(text, filename="<unknown>", symbol="exec"):
        try:
            return plain(text, filename, symbol)
        except SyntaxError:
            return parts.only("to_tree")(text.encode(), filename)

    state.set_attribute(shell.compile, "ast_parse", ast_parse)


def _remove(transformers, one):
    if one in transformers:
        transformers.remove(one)


class _Translator:
    """What IPython calls with the tree of each cell."""

    def visit(self, tree):
        return source.adapted(tree, "<cell>")
