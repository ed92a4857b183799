"""The names that the files of a codebase have from elsewhere: re-exports are followed."""

from tfgraphtools.analysis.resolving import joined, own


class Exports:
    """The imports of a codebase's files at module level, for one another.

    Args:
      files: the `modules.Files` of the codebase, which find the file that an import means.
      known: path -> an object with ``exports`` (name -> dotted name) and ``stars`` (the dotted
        names of the modules of which the file imports all).
    """

    def __init__(self, files, known):
        self.files, self.known = files, known

    def resolved(self, name):
        """Returns the dotted name that a name means once re-exports are followed, or None."""
        for _ in range(20):
            if name is None or not name.startswith("@"):
                return name
            path, _, exported_path = name[1:].partition("::")
            if not exported_path:
                return name
            first, _, more = exported_path.partition(".")
            exported = self._exported(path, first, set())
            if exported is None:
                return None
            name = joined(exported, more)
        return None

    def _exported(self, path, name, seen):
        facts = self.known.get(path)
        if facts is None or path in seen:
            return None
        seen.add(path)
        if name in facts.exports:
            return facts.exports[name]
        sub = self.files.submodule(path, name)
        if sub:
            return own(sub)
        for star in facts.stars:
            if star.startswith("@"):
                exported = self._exported(star[1:].partition("::")[0], name, seen)
                if exported:
                    return exported
        return None


def exports_of(scopes, names, path):
    """Returns ({name: dotted name}, (modules of which all is imported)) of one module.

    Args:
      scopes: its `scopes.Scopes`.
      names: its `resolving.Names`.
      path: its absolute path.
    """
    exports = {}
    for name in scopes.module.names:
        exports[name] = names.of_name(name, scopes.module) or own(path, name + ".")
    exports = {name: value for name, value in exports.items() if not value.startswith(own(path))}
    stars = [names.imported(level, module, None) for level, module, _ in scopes.stars]
    return exports, tuple(star for star in stars if star)
