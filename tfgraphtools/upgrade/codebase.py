"""Facts of the files of a codebase about one another: imports, re-exports, who is a program."""

import os
from typing import Dict, FrozenSet, NamedTuple, Optional, Tuple, Union

from tfgraphtools.analysis.exports import Exports
from tfgraphtools.upgrade import evidence
from tfgraphtools.upgrade.modules import Files

#: A codebase with more files of TF 2 than this for each of TF 1 is TF 2's.
_MOST_NEW = 2


class Facts(NamedTuple):
    """What is known of a file before any is rewritten.

    Fields:
      path: its absolute path.
      exports: name at module level -> dotted name.
      stars: dotted names of the modules of which it imports all.
      imports: the files of the codebase that it imports.
      era: `evidence.TF1`, `evidence.TF2`, `evidence.NEUTRAL`; None: it does not import TensorFlow.
      is_entry: whether it says what it does as a program.
      is_script: whether its module level does more than define.
      builds: whether its module level uses TensorFlow.
      says_behavior: whether it says itself which behaviour TensorFlow is to have.
      needs_keras: whether it uses what TensorFlow takes from tf_keras.
      takes: (path, name) of what it takes from other files of the codebase.
      keras: `evidence.keras` of a file that imports Keras, and nothing that tells of TensorFlow
        which one it is; None of any other.
      shows_numbers: whether it prints lists of numbers that a run gave.
      pairs: see `pairs.passed`.
      reads_data_alone: whether it uses TensorFlow's reader of MNIST, and nothing else of it.
      is_v1: whether it takes ``compat.v1`` alone: see `evidence.V1`.
      normalizes: the lines of `normalizations.lines`.
      uses_keras: whether it imports Keras as a library of its own.
      bound: the names that its module level binds.
      makes_matrices: whether it makes matrices of NumPy, with two dimensions in each column.
    """

    path: str
    exports: Dict[str, str]
    stars: Tuple[str, ...]
    imports: FrozenSet[str]
    era: Optional[str]
    is_entry: bool
    is_script: bool
    builds: bool
    says_behavior: bool = False
    takes: FrozenSet[Tuple[str, str]] = frozenset()
    needs_keras: bool = False
    keras: Optional[str] = None
    shows_numbers: bool = False
    pairs: FrozenSet[Tuple[str, Union[int, str]]] = frozenset()
    is_v1: bool = False
    reads_data_alone: bool = False
    normalizes: Tuple[int, ...] = ()
    uses_keras: bool = False
    makes_matrices: bool = False
    bound: FrozenSet[str] = frozenset()


class Codebase:
    """All facts of all files.

    Args:
      facts: path -> `Facts`.
    """

    def __init__(self, facts, known=None):
        self.facts = facts
        self.files = Files(list(facts)) if known is None else known
        self._beside_tf1 = self._pairs = None
        self._exports = Exports(self.files, facts)

    @property
    def says_behavior(self):
        """Whether some file itself says which behaviour TensorFlow is to have."""
        return any(facts.says_behavior for facts in self.facts.values())

    def taken_names(self):
        """Returns path -> the names that other files take from it."""
        taken, waiting = {}, [pair for facts in self.facts.values() for pair in facts.takes]
        while waiting:
            path, name = waiting.pop()
            if name not in taken.setdefault(path, set()):
                taken[path].add(name)
                stars = self.facts[path].stars if path in self.facts else ()
                waiting += [(star_path, name) for star_path in map(_own_path, stars) if star_path]
        return taken

    def resolved(self, name):
        """Returns the dotted name that a name means once re-exports are followed, or None."""
        return self._exports.resolved(name)

    def may_bind(self, path, name, seen=()):
        """Tells whether a file binds a name, as far as all that it imports with a star is known."""
        facts = self.facts.get(path)
        if path in seen:
            return False
        if facts is None or name in facts.bound:
            return True
        stars = map(_own_path, facts.stars)
        return any(self.may_bind(star_path, name, (*seen, path)) for star_path in stars)

    def has_old_code(self):
        """Tells whether there is something to upgrade: no file knows of TF 2, or few do.

        A large package of TF 2 holds a file or two that look like TF 1's: it is TF 2's. One that
        turns TF 2's behaviour off and takes ``compat.v1`` alone is TF 1's, ported by hand. Beside
        code of TF 2, what takes ``compat.v1`` says nothing: libraries of TF 2 have much of it.
        """
        new = [facts for facts in self.facts.values() if facts.era == evidence.TF2]
        if all(facts.is_v1 for facts in new):
            return not new or self.says_behavior or self._count(evidence.TF1) > 0
        by_hand = sum(facts.is_v1 and facts.era == evidence.TF1 for facts in self.facts.values())
        return len(new) <= _MOST_NEW * (self._count(evidence.TF1) - by_hand)

    def left_alone(self):
        """Returns the paths of the files that look like TF 1's in a codebase that is TF 2's."""
        old = [path for path, facts in self.facts.items() if facts.era == evidence.TF1]
        return [] if self.has_old_code() else sorted(old)

    def _count(self, era):
        return sum(facts.era == era for facts in self.facts.values())

    def tf1_files(self):
        """Returns the paths of the files whose ``tensorflow`` is TF 1's.

        A file that uses only what both have goes with those that it imports and that import it,
        unless TF 2's do, too; where the whole codebase holds no TF 2 code, with the codebase.
        """
        eras = {path: facts.era for path, facts in self.facts.items()}
        old_files = {path for path, era in eras.items() if era == evidence.TF1}
        if not old_files:
            return old_files
        neutral = {path for path, era in eras.items() if era == evidence.NEUTRAL}
        if evidence.TF2 not in eras.values():
            return old_files | neutral
        new = {path for path, era in eras.items() if era == evidence.TF2}
        shared = {imported for path in new for imported in self.facts[path].imports}
        shared |= {path for path, facts in self.facts.items() if facts.imports & new}
        neutral -= shared
        linked = set(old_files)
        while True:
            reached = {p for p, f in self.facts.items() if f.imports & linked}
            reached |= {
                imported for p in linked for imported in self.facts[p].imports if imported in eras
            }
            reached = {p for p in reached if eras[p] != evidence.TF2} - linked - shared
            if not reached:
                return old_files | (neutral & linked)
            linked |= reached

    def goes_with_tf1(self, path):
        """Tells whether a file of neither is imported by one of TF 1 or Keras 2, or imports it."""
        facts = self.facts.get(path)
        if facts is None or facts.era is not None:
            return False
        if self._beside_tf1 is None:
            old = {old_path for old_path, facts in self.facts.items() if facts.era == evidence.TF1}
            old |= self.keras_files(old)
            self._beside_tf1 = {imported for path in old for imported in self.facts[path].imports}
            self._beside_tf1 |= {p for p, f in self.facts.items() if f.imports & old}
        return path in self._beside_tf1

    def is_v1(self, path):
        """Tells whether a file takes its TensorFlow from ``compat.v1``, and nothing from TF 2."""
        return path in self.facts and self.facts[path].is_v1

    def is_tf2(self, path):
        """Tells whether the ``tensorflow`` of a file is TF 2's.

        Its own names say so, or all files'.
        """
        era = self.facts[path].era if path in self.facts else None
        is_new = self._count(evidence.TF2) > 0 and not self._count(evidence.TF1)
        return era == evidence.TF2 or (era == evidence.NEUTRAL and is_new)

    def makes_matrices(self):
        """Tells whether any file makes matrices of NumPy."""
        return any(facts.makes_matrices for facts in self.facts.values())

    def pairs(self):
        """Returns (dotted name of a function, place or name of an argument) of lists of pairs."""
        if self._pairs is None:
            self._pairs = {pair for facts in self.facts.values() for pair in facts.pairs}
        return self._pairs

    def keras_files(self, tf1_files, is_said=False):
        """Returns the paths of files that import Keras 1 or 2 without TensorFlow.

        One that could as well mean Keras 3 goes with the codebase.

        Args:
          tf1_files: the paths of the files whose ``tensorflow`` is TF 1's.
          is_said: whether the user says that the codebase's ``keras`` is Keras 1 or 2.
        """
        eras = {path: facts.keras for path, facts in self.facts.items() if facts.keras}
        old = {path for path, era in eras.items() if era == evidence.TF1}
        is_old = bool(old or tf1_files) and not self._count(evidence.TF2)
        return set(eras) if is_said or is_old else old

    def entries(self, tf1_files):
        """Returns the paths of programs that lead to TF 1 code, other than its reader of MNIST."""
        graphs = {path for path in tf1_files if not self.facts[path].reads_data_alone}
        imported = {
            imported_path for facts in self.facts.values() for imported_path in facts.imports
        }
        return {
            path
            for path, facts in self.facts.items()
            if (facts.is_entry or (facts.is_script and path not in imported))
            and facts.era != evidence.TF2
            and self._reached(path) & graphs
        }

    def _reached(self, path):
        """Returns a file and all that it imports, directly or not."""
        reached, waiting = set(), [path]
        while waiting:
            current = waiting.pop()
            if current not in reached and current in self.facts:
                reached.add(current)
                waiting += self.facts[current].imports
        return reached

    def groups(self):
        """Yields the sets of files that imports join, directly or not."""
        linked = {path: set(facts.imports) & set(self.facts) for path, facts in self.facts.items()}
        for path, others in list(linked.items()):
            for other in list(others):
                linked[other].add(path)
        left = set(linked)
        while left:
            group, waiting = set(), [next(iter(left))]
            while waiting:
                current = waiting.pop()
                if current not in group:
                    group.add(current)
                    waiting += linked[current]
            left -= group
            yield group

    def keras(self, tf1_files, entries):
        """Returns path -> whether it sets the variable for tf_keras.

        Not for files that nothing starts.
        """
        needing = {path for path in tf1_files if self.facts[path].needs_keras}
        chosen = {}
        for path in entries:
            reached = self._reached(path)
            chosen.update(dict.fromkeys(reached - entries, False))
            chosen[path] = bool(reached & needing)
        return chosen

    def is_member(self, path):
        """Tells whether a file is imported as a module of a package, and is no program itself."""
        folder = os.path.dirname(path)
        return (
            self.files.is_in_package(path)
            and not self.facts[path].is_entry
            and any(
                path in facts.imports
                and (os.path.dirname(other) != folder or other.endswith("__init__.py"))
                for other, facts in self.facts.items()
            )
        )

    def shows_numbers(self, path):
        """Tells whether a program, or what it imports, prints lists of numbers that a run gave."""
        return any(self.facts[reached_path].shows_numbers for reached_path in self._reached(path))

    def builds_on_import(self, path, tf1_files):
        """Tells whether what a program imports uses TensorFlow while it is being imported."""
        reached = self._reached(path) - {path}
        return any(self.facts[reached_path].builds for reached_path in reached & tf1_files)


def _own_path(dotted_name):
    """Returns the path in ``@/path/of/file.py::name``, "" for the name of a library."""
    return dotted_name[1:].partition("::")[0] if dotted_name.startswith("@") else ""
