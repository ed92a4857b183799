"""The state that the passes over one module share: its tree, names, imports and findings."""

import ast
from typing import Any, List

from tfgraphtools.analysis import guards
from tfgraphtools.analysis.resolving import Names
from tfgraphtools.analysis.scopes import nodes_of, scopes_of
from tfgraphtools.upgrade import copies, targets
from tfgraphtools.upgrade.clues import pairs
from tfgraphtools.upgrade.findings import CANNOT, Finding
from tfgraphtools.upgrade.passes.spelling import Speller

RUNTIME_ROOT = "tfgraphtools.tf1"


class Work:
    """One module while it is being rewritten.

    Args:
      tree: its `ast.Module`.
      text: its `text.Text`.
      role: its `roles.Role`.
      files, codebase: of the codebase.
      choice: the `roles.Choice` of fixes.
    """

    def __init__(self, tree, text, role, files, codebase, choice):
        self.tree, self.text, self.role, self.choice = tree, text, role, choice
        self.codebase = codebase
        self.scopes = scopes_of(tree)
        self.names = Names(self.scopes, role.path, files, codebase)
        self.findings: List[Finding] = []
        self._guarded = guards.guarded(tree)
        self._is_v1 = codebase is not None and codebase.is_v1(role.path)
        self.handled = guards.handled(tree)
        self.speller = Speller(tree, self.scopes, self.of, self.takes, role.kept)
        asked = any(fix.startswith("flags.") for fix in choice.select)
        self._lenient_flags = choice.runtime and (role.lenient_flags or asked)
        self.plans: Any = {}  # id of an alias -> its `spelling.Plan`
        self.reasons = {}  # id of an alias -> the fix that made a use of it go
        self.legacy = ""  # the first name that TensorFlow takes from tf_keras
        self.refusals: Any = {}  # id of an alias -> the arguments of `refused`
        self.dropped = set()  # ids of the `ast.Name`s in statements that go
        self.served = {}  # id of an alias -> [uses that still need it, all uses]

    def of(self, name):
        """Returns the `targets.Target` of a dotted name, or None."""
        role, lenient = self.role, self._lenient_flags
        of_tf2 = targets.estimator_of_tf2(name) if role.is_tf2 else None
        if of_tf2 is not None:
            return of_tf2
        runtime, keras = self.choice.runtime, self.choice.keras_is
        target = targets.of(name, role.is_tf1, runtime, lenient, self._is_v1, keras)
        if self.choice.copies and target is not None and _is_of_old_library(target.to):
            return copies.of(name, target.fix, self.role) or target
        return target

    def takes(self, target):
        """Tells whether a rewrite may be used."""
        if not self.choice.allows(target.fix):
            return False
        return self.choice.runtime or not is_of_runtime(target.to)

    @property
    def is_old(self):
        """Whether the module is TF 1's, or has no TensorFlow and goes with modules of TF 1."""
        return self.role.is_tf1 or self.codebase.goes_with_tf1(self.role.path)

    @property
    def is_ported(self):
        """Whether the module takes ``compat.v1`` alone, and goes with code of TF 1."""
        return self._is_v1 and self.codebase.has_old_code()

    def is_guarded(self, node):
        """Tells whether a node stands where a missing name is expected, or a version is asked."""
        return id(node) in self._guarded

    def functions(self):
        """Yields the nodes of the module's own level, then those of each function of its own."""
        kinds = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef)
        for function in nodes_of(self.tree):
            if isinstance(function, kinds):
                yield list(pairs.own_nodes(function))

    def note(self, line, name, status, fix, detail):
        """Notes a `Finding`."""
        self.findings.append(Finding(line, name, status, fix, detail))

    def refused(self, line, name, target):
        """Notes what only the runtime provides, where it may not be used."""
        why = f"only {target.to} provides it (--no-runtime)"
        self.note(line, name, CANNOT, target.fix, why)

    def see(self, *names):
        """Remembers the first of the names that TensorFlow takes from tf_keras."""
        if not self.legacy:
            self.legacy = next(
                (name for name in names if name and targets.is_of_legacy_keras(name)), ""
            )

    def count(self, alias, serves):
        """Counts a use of an import, and whether it still needs it."""
        if alias is not None:
            counts = self.served.setdefault(alias, [0, 0])
            counts[0] += bool(serves)
            counts[1] += 1


def _is_of_old_library(name):
    return is_of_runtime(name) or (name or "").startswith("tf_slim.")


def is_of_runtime(name):
    """Tells whether a dotted name is one of the runtime's."""
    return name is not None and targets.lies_in(name, RUNTIME_ROOT)
