"""The dotted names that expressions of a module mean.

A dotted name is a string: ``tensorflow.train.Saver``, or ``@/path/of/file.py::name`` for
what a file of the codebase itself defines.
"""

from tfgraphtools.analysis.scopes import ALIAS, IMPORT, OTHER, dotted, meaning

_COMPAT = "tensorflow.compat.v1.compat"


def own(path, name=""):
    """Returns the dotted name of a file of the codebase, or of something in it."""
    return f"@{path}::{name}"


def joined(base, more):
    """Returns the dotted name of `more` in what has the dotted name `base`.

    What ``compat.v1`` has as ``compat.v1`` is itself.
    """
    if not more:
        return base
    if base == _COMPAT and more.startswith(("v1", "v2")):
        return _COMPAT.replace("v1.compat", more)
    return base + more if base.endswith("::") else f"{base}.{more}"


class Names:
    """The dotted names that expressions of one module mean.

    Args:
      scopes: its `scopes.Scopes`.
      path: its absolute path.
      codebase: the `Codebase`; None while that is being made.
      files: the `Files` of the codebase.
    """

    def __init__(self, scopes, path, files, codebase=None):
        self.scopes, self.path, self.files, self.codebase = scopes, path, files, codebase
        self._known = {}

    def of_binding(self, binding, depth=0):
        """Returns the dotted name of a binding, or None."""
        if binding.kind == IMPORT:
            return self.imported(*binding.target)
        if binding.kind == ALIAS and depth < 5:
            return self.of(binding.target, binding.scope, depth + 1)
        return None

    def imported(self, level, module, name):
        """Returns the dotted name of what an import binds, or None."""
        path = self.files.find(level, module, self.path)
        if path is not None and path != self.path:
            if name is None:
                return own(path)
            return self._resolved(own(path, name)) or own(path, name)
        if level:
            sub = name and self.files.find(level, f"{module}.{name}" if module else name, self.path)
            return own(sub) if sub else None
        if name is not None:
            sub = self.files.find(0, f"{module}.{name}", self.path)
            if sub and sub != self.path:
                return own(sub)
        return f"{module}.{name}" if name else module

    def _resolved(self, name):
        return self.codebase.resolved(name) if self.codebase and name else name

    def of_name(self, name, scope, depth=0):
        """Returns the dotted name that a variable name means in a scope, or None.

        What several imports bind counts where they agree, with or without ``compat.v1``.
        """
        owner = scope.owner(name)
        if owner is None:
            return self._of_star(name)
        key = id(owner), name
        if key not in self._known:
            self._known[key] = self._of_bindings(owner.names.get(name, []), depth)
        return self._known[key]

    def _of_star(self, name):
        """Returns the dotted name that an own module brings by ``import *``, or None."""
        if self.codebase is None or not self.scopes.stars or name.startswith("_"):
            return None
        if name not in self._known:
            paths = [path for path in self.star_paths() if path not in (None, self.path)]
            brought = [self.codebase.resolved(own(path, name)) for path in paths]
            self._known[name] = next(filter(None, reversed(brought)), None)
        return self._known[name]

    def may_be_of_star(self, name):
        """Tells whether some ``from x import *`` may bring a name."""
        return any(
            path is None or self.codebase is None or self.codebase.may_bind(path, name)
            for path in self.star_paths()
        )

    def star_paths(self):
        """Returns the file of each ``from x import *``, None where it is none of the codebase."""
        return [self.files.find(*star[:2], self.path) for star in self.scopes.stars]

    def _of_bindings(self, bindings, depth):
        bindings = meaning(bindings)
        if not bindings or any(binding.kind == OTHER for binding in bindings):
            return None
        if any(b.kind == ALIAS for b in bindings) and len(bindings) > 1:
            return None
        names = {self.of_binding(binding, depth) for binding in bindings}
        if len(names) > 1:
            names_of_tf = {n.replace("tensorflow.compat.v1", "tensorflow") for n in names if n}
            names = names_of_tf if len(names_of_tf) == 1 and None not in names else {None}
        return names.pop()

    def of(self, node, scope, depth=0):
        """Returns the dotted name of ``a.b.c``, or None."""
        root, parts = dotted(node)
        if root is None:
            return None
        name = self.of_name(root.id, scope, depth)
        for part in parts:
            name = self.step(name, part)
        return name

    def here(self, node):
        """Returns the dotted name of ``a.b.c`` in the scope in which it stands, or None."""
        root, _ = dotted(node)
        return None if root is None else self.of(node, self.scopes.scope_of(root))

    def in_tensorflow(self, node):
        """Returns the name of ``a.b.c`` below ``tensorflow`` or its ``compat.v1``, or None."""
        name = self.here(node) or ""
        for owner in ("tensorflow.compat.v1.", "tensorflow."):
            if name.startswith(owner):
                return name[len(owner) :]
        return None

    def step(self, name, part):
        """Returns the dotted name of an attribute of what has the dotted name `name`, or None."""
        return self._resolved(joined(name, part)) if name else None
