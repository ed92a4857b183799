"""pytest rewrites the assertions of test files by a loader of its own: user code stays user code.

What pytest parses is the translated source, and nothing of it goes into ``__pycache__``,
where a plain pytest would find it.
"""

import ast

from tfgraphtools.compat.engine import after_import, parts, state, switches
from tfgraphtools.compat.engine.loading import loaders, user_code
from tfgraphtools.compat.engine.parts import ValueTexts
from tfgraphtools.compat.engine.translate import source, trees

_REWRITING = "_pytest.assertion.rewrite"

#: What a rewritten assertion calls for the text of a value.
_SHOWS = "_saferepr"


def install():
    """Makes pytest rewrite translated source until `state.restore`."""
    after_import.call(_REWRITING, _patch, "loading.assertions")


def _patch(rewrite):
    originals = {
        name: getattr(rewrite, name) for name in ("_rewrite_test", "_read_pyc", "_write_pyc")
    }
    exec_module = rewrite.AssertionRewritingHook.exec_module

    def _rewrite_test(fn, config):
        if not _is_user(fn):
            return originals["_rewrite_test"](fn, config)
        return b"", _rewritten(rewrite, fn, config)

    def _read_pyc(source, *arguments):
        return None if _is_user(source) else originals["_read_pyc"](source, *arguments)

    def _write_pyc(state, co, source_hash, pyc):
        # Of user code there is no hash: it is not kept.
        return originals["_write_pyc"](state, co, source_hash, pyc) if source_hash else False

    def exec_user_module(self, module):
        path = str(module.__spec__.origin)
        if not user_code.is_user(module.__name__, path):
            exec_module(self, module)
            return
        with open(path, "rb") as file:
            switches.of_file(file.read(), path)
        loaders.own_module(module, path)
        exec_module(self, module)

    for function in (_rewrite_test, _read_pyc, _write_pyc):
        state.set_attribute(rewrite, function.__name__, function)
    state.set_attribute(rewrite.AssertionRewritingHook, "exec_module", exec_user_module)


def _is_user(path):
    return user_code.is_user_file(str(path))


def _rewritten(rewrite, fn, config):
    """Returns the code of a test file: translated first, then with pytest's assertions."""
    path, data = str(fn), fn.read_bytes()
    source.look_ahead(data, path)
    tree = source.tree_of(data, path)
    try:
        rewrite.rewrite_asserts(tree, data, path, config)
    except (SyntaxError, ValueError, LookupError):  # its tokens are Python 2's
        tree = source.tree_of(data, path)
    return compile(_with_texts(tree), path, "exec", dont_inherit=True)


def _with_texts(tree):
    """Makes the assertions of a tree show values as other text of user code does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == _SHOWS:
            trees.wrap_call(parts.offered(ValueTexts).helper, node)
    return tree
