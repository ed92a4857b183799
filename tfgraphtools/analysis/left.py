"""Names of libraries in a source that fail under plain Python, or were not looked at."""

import ast
import builtins
import re
from typing import NamedTuple

from tfgraphtools.analysis import branches, guards, inherited_names, keywords, method_arguments
from tfgraphtools.analysis.installed import NOT_LOOKED_AT
from tfgraphtools.analysis.resolving import Names
from tfgraphtools.analysis.scopes import (
    ALIAS,
    BUILT_IN_OF_PYTHON2,
    IMPORT,
    index_of,
    meaning,
    nodes_of,
    parents_of,
    scopes_of,
)

#: Names that a module has without binding them.
_OF_MODULES = {"__file__", "__name__", "__doc__", "__package__", "__spec__", "__path__"}
#: Functions that import the module, or the owner of the name, that a text says.
_IMPORTING = ("importlib.import_module", "unittest.mock.patch", "mock.patch", "mock.mock.patch")
#: Libraries that lost names: whoever is given one of these may ask for any of them.
_WHOLE_LIBRARIES = frozenset(
    "tensorflow tensorflow.compat.v1 tensorflow.compat.v2 keras tf_keras numpy pandas scipy "
    "sklearn".split()
)
#: Functions that ask nothing of a module but what stands beside it.
_INSPECTING = frozenset(
    "getattr hasattr setattr delattr dir vars id type isinstance print repr str reload object "
    "getmembers getfile getsource getsourcefile ismodule multiple".split()
)
#: Modules of TensorFlow that lost names.
_PARTS = frozenset(
    "nn train contrib layers losses metrics image math data estimator summary app flags gfile "
    "logging saved_model keras python".split()
)
#: Built-in functions that run a text.
_RUNNING = ("eval", "exec", "compile")
_OF_TENSORFLOW = re.compile(r"\b(?:tf|tensorflow)\.\w")
_OF_NOTEBOOKS = {"get_ipython", "display", "In", "Out", "exit", "quit"}


class Left(NamedTuple):
    """One use of a name that is not there, or that was not looked at.

    Fields:
      line: from 1.
      name: up to what is not there.
      why: one line.
      remedy: one line, or "".
    """

    line: int
    name: str
    why: str
    remedy: str


def left_in(tree, path, files, exports, libraries, version=None):
    """Returns the `Left`s of a module, in the order of its lines.

    Names under a guard, and in branches that do not run today, are left out. Of a package that
    cannot be looked at one use is listed.

    Args:
      tree: its `ast.Module`.
      path: its absolute path.
      files: the `modules.Files` of the codebase.
      exports: its `exports.Exports`.
      libraries: the `installed.Libraries`.
      version: the version of TensorFlow, or None.
    """
    tree = branches.live(tree, branches.under_plain_python(tree, version))
    uses = _Uses(tree, path, files, exports, libraries)
    imports = list(uses.of_imports())
    failing = {left.name for _, left in imports}  # what they bind need not be listed again
    others = [*uses.of_chains(), *uses.of_stars(), *uses.of_arguments(), *uses.of_bases()]
    others += [*uses.of_values(), *uses.of_texts(), *uses.of_python2()]
    candidates = imports + [pair for pair in others if pair[1].name not in failing]
    bad = {left.line for _, left in candidates}
    fallback = guards.unused_fallbacks(guards.fallbacks(tree), bad)
    skipped = {id(inner) for node in guards.harmless(tree) for inner in ast.walk(node)}
    kept = {}
    for node, left in sorted(candidates, key=lambda pair: pair[1]):
        if id(node) not in skipped and left.line not in fallback:
            is_looked_at = not left.why.startswith(NOT_LOOKED_AT)
            kept.setdefault((left.name, left.line if is_looked_at else 0), left)
    return sorted(kept.values())


class _Uses:
    """The uses of names in one module; each method yields (node, `Left`) pairs."""

    def __init__(self, tree, path, files, exports, libraries):
        self._tree, self._path, self._files = tree, path, files
        self._scopes = scopes_of(tree)
        self._names = Names(self._scopes, path, files, exports)
        self._exports, self._libraries = exports, libraries
        self._assigned = set()
        self._chains = self._every_chain()

    def of_imports(self):
        for node in nodes_of(self._tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    if self._files.find(0, alias.name, self._path) is None:
                        yield from self._asked(node, [alias.name], is_module=True)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                if self._files.find(0, node.module, self._path) in (None, self._path):
                    yield from self._asked(node, [node.module], is_module=True)
                    for alias in node.names:
                        name = self._names.imported(0, node.module, alias.name)
                        if alias.name != "*" and not name.startswith("@"):
                            yield from self._asked(node, [name], is_module=True)
            elif isinstance(node, ast.Call) and node.args:
                module = getattr(node.args[0], "value", None)
                is_import = self._names.here(node.func) in _IMPORTING
                if is_import and isinstance(module, str) and module.partition(".")[0]:
                    if self._files.find(0, module, self._path) is None:
                        yield from self._asked(node, [module], is_module=True)

    def of_chains(self):
        """Yields the chains ``a.b.c`` whose root is an import or an assignment of one."""
        for _, _, node, names in self._chains:
            if not isinstance(getattr(node, "ctx", None), ast.Load):
                self._assigned.update(names)
        for _, _, node, names in self._chains:
            if isinstance(getattr(node, "ctx", None), ast.Load):
                yield from self._asked(node, names)

    def _every_chain(self):
        """Returns [(root, its scope, outermost node, [dotted names])] of all chains ``a.b.c``."""
        parents = {
            node.value: node for node in nodes_of(self._tree) if isinstance(node, ast.Attribute)
        }
        return [
            (root, scope, *self._chain(root, scope, parents)) for root, scope in self._scopes.names
        ]

    def _chain(self, root, scope, parents):
        """Returns (the outermost node of a chain, [the dotted names that it may mean])."""
        bindings = meaning(scope.bindings(root.id))
        if not bindings:
            names = [self._names.of_name(root.id, scope)]
        else:
            is_library = all(binding.kind in (IMPORT, ALIAS) for binding in bindings)
            names = [self._names.of_binding(binding) for binding in bindings if is_library]
        node, parent = root, parents.get(root)
        while parent is not None:
            names = [self._names.step(name, parent.attr) for name in names]
            node, parent = parent, parents.get(parent)
        return node, [name for name in dict.fromkeys(names) if name]

    def of_stars(self):
        """Yields names that nothing binds, of sources that import all of some libraries."""
        modules = [
            self._names.imported(level, module, None) for level, module, _ in self._scopes.stars
        ]
        if not modules or not all(module and not module.startswith("@") for module in modules):
            return
        for root, scope in self._scopes.names:
            is_known = hasattr(builtins, root.id) or root.id in _OF_MODULES | _OF_NOTEBOOKS
            if scope.owner(root.id) is None and not is_known:
                yield from self._asked(root, [f"{module}.{root.id}" for module in modules])

    def of_arguments(self):
        """Yields arguments that what is called has not today, by keyword or by position."""
        for node in nodes_of(self._tree):
            if not isinstance(node, ast.Call) or not (node.keywords or node.args):
                continue
            for name, why in method_arguments.refused(node, self._names, self._libraries):
                library = name.partition(".")[0]
                yield node, Left(node.lineno, name, f"the installed {library} {why}", "")
            name = self._names.here(node.func)
            if name is None or name.startswith("@") or self._is_assigned(name):
                continue
            library = name.partition(".")[0]
            for word in keywords.refused(node, name, self._libraries):
                why = f"the installed {library} has no such argument there"
                remedy = keywords.remedy(word, name, self._libraries)
                yield node, Left(node.lineno, f"{name}({word}=)", why, remedy)
            places = keywords.places_taken(node, name, self._libraries)
            if places is not None:
                why = f"the installed {library} takes {places} by position, not {len(node.args)}"
                yield node, Left(node.lineno, f"{name}(...)", why, "pass the others by keyword")

    def of_bases(self):
        """Yields private names of a library's class that it no longer has, in subclasses of it."""
        for node, base, name in inherited_names.missing(self._tree, self._names, self._libraries):
            why = f"the installed {base} has no such name"
            yield node, Left(node.lineno, f"self.{name}", why, "copy it from TF 1.15's source")

    def of_values(self):
        """Yields libraries that are handed on as values: nobody sees what they are asked there."""
        parents = parents_of(self._tree)
        for root, scope, node, names in self._chains:
            if node is root:  # whatever else binds it
                bindings = meaning(scope.bindings(root.id))
                names = set(filter(None, map(self._names.of_binding, bindings)))
            is_of_class = scope.kind == "class" and isinstance(parents.get(node), ast.Assign)
            if isinstance(node.ctx, ast.Load) and (is_of_class or _is_handed_on(node, parents)):
                for name in sorted(filter(self._is_library, names)):
                    yield node, _handed_on(node, name)
        for node in nodes_of(self._tree):
            module = self._imported_value(node)
            if module in _WHOLE_LIBRARIES and not isinstance(parents.get(node), ast.Expr):
                yield node, _handed_on(node, module)

    def _is_library(self, name):
        """Tells whether a name is a library, or a module of TensorFlow that lost names."""
        if name in _WHOLE_LIBRARIES:
            return True
        front, _, last = name.rpartition(".")
        is_of_tensorflow = name.startswith("tensorflow.") and not front.endswith(".summary")
        return is_of_tensorflow and last in _PARTS  # `tf.summary.image` is a function

    def _imported_value(self, node):
        """Returns the module that ``import_module("m")`` or ``sys.modules["m"]`` gives, or None."""
        asked = None
        if isinstance(node, ast.Call) and node.args:
            is_built_in = getattr(node.func, "id", None) == "__import__"
            if is_built_in or self._names.here(node.func) == "importlib.import_module":
                asked = node.args[0]
        elif isinstance(node, ast.Subscript) and self._names.here(node.value) == "sys.modules":
            asked = index_of(node)
        return getattr(asked, "value", None)

    def of_texts(self):
        """Yields texts with names of TensorFlow that are run as code."""
        for node in nodes_of(self._tree):
            is_run = isinstance(node, ast.Call) and getattr(node.func, "id", None) in _RUNNING
            text = getattr(node.args[0], "value", None) if is_run and node.args else None
            if isinstance(text, str) and _OF_TENSORFLOW.search(text):
                why = f"{NOT_LOOKED_AT}: a text that {node.func.id} runs"
                yield node, Left(node.lineno, f"{node.func.id}(...)", why, "see what it names")

    def of_python2(self):
        """Yields built-in names of Python 2 that nothing binds."""
        for root, scope in self._scopes.names:
            if (
                root.id in BUILT_IN_OF_PYTHON2
                and scope.owner(root.id) is None
                and not self._scopes.stars
            ):
                yield root, Left(root.lineno, root.id, "Python 3 has no such name", "")

    def _asked(self, node, names, is_module=False):
        """Yields (node, `Left`) where none of the names that a node may mean is there."""
        answers = []
        for name in names:
            if name.startswith("@") or self._is_assigned(name):
                return
            answers.append(self._libraries.lacks(name, is_module))
        if answers and None not in answers:
            name, _, why, remedy = answers[-1]
            yield node, Left(node.lineno, name, why, remedy)

    def _is_assigned(self, name):
        return any(
            name == assigned or name.startswith(assigned + ".")
            for assigned in self._assigned
            if "." in assigned
        )


def _handed_on(node, name):
    why = f"{NOT_LOOKED_AT}: it is handed on as a value"
    return Left(node.lineno, name, why, "see what is asked of it there")


def _is_handed_on(name, parents):
    """Tells whether a name is given, returned or stored where no alias of it is followed."""
    parent = parents.get(name)
    if isinstance(parent, ast.keyword):
        parent = parents[parent]
    if isinstance(parent, ast.Assign):
        return not all(isinstance(target, ast.Name) for target in parent.targets)
    if isinstance(parent, ast.Call):
        leaf = getattr(parent.func, "attr", getattr(parent.func, "id", ""))
        return parent.func is not name and leaf not in _INSPECTING
    if isinstance(parent, (ast.If, ast.While, ast.Assert)):
        return parent.test is not name
    if isinstance(parent, ast.BoolOp) or (
        isinstance(parent, ast.IfExp) and parent.test is not name
    ):
        is_stored = isinstance(parents.get(parent), ast.Assign)
        return is_stored or _is_handed_on(parent, parents)
    read_only = (ast.Attribute, ast.Compare, ast.IfExp, ast.UnaryOp, ast.Expr, ast.FormattedValue)
    return not isinstance(parent, read_only)
