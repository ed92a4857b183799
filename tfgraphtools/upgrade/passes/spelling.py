"""Spellings of a dotted name in a module: through an import that it has, or one that it needs."""

import ast
from typing import NamedTuple

from tfgraphtools.analysis.scopes import IMPORT, dumped, nodes_of
from tfgraphtools.upgrade import copies, targets

_RUNTIME = "tfgraphtools.tf1"

#: Parts of the runtime that are imported by their own name; the others are ``tf1.x``.
_BY_NAME = frozenset(
    "app contrib estimator examples flags gfile layers libraries logging seeds".split()
)

#: Packages whose modules are there as soon as they themselves are imported.
_LOADS_ALL = frozenset("tensorflow tfgraphtools numpy tf_keras keras tf_slim pandas".split())
#: Of these, what is found by import alone.
_BY_IMPORT = "tensorflow.python."
#: Packages whose modules people import by their full name.
_BY_FULL_NAME = frozenset("urllib http html xmlrpc dbm os xml".split())


#: What ``from ... import`` does not bring: a statement is not needed, or finds other classes
#: (the folder of ``rnn_cell`` holds stale ones; the attribute is tf_keras's).
NOT_FROM = ("builtins.", targets.V1 + ".nn.rnn_cell.")


class Import(NamedTuple):
    """An import as source says it.

    Fields:
      module: what ``import`` or ``from`` names.
      name: what is taken from it; None for ``import module``.
      local: the name that it is bound to.
    """

    module: str
    name: str
    local: str

    def clause(self):
        """Returns ``a.b as c``, without the statement's words."""
        dotted = self.name or self.module
        return dotted if dotted == self.local else f"{dotted} as {self.local}"

    def statement(self):
        """Returns the whole statement."""
        if self.name is None:
            return "import " + self.clause()
        return f"from {self.module} import {self.clause()}"

    @property
    def dotted(self):
        """The dotted name of what it binds."""
        return f"{self.module}.{self.name}" if self.name else self.module


class Plan(NamedTuple):
    """How one imported name is rewritten.

    Fields:
      old: the `scopes.Binding`.
      name: the dotted name that it had.
      new: its `Import`, or None where it is left as it is.
      fix: the fix that changes it.
      today: what it means without a change of the statement: the dotted name of today.
    """

    old: object
    name: str
    new: object
    fix: str
    today: str

    @property
    def line(self):
        """The line of the statement."""
        return self.old.statement.lineno

    @property
    def local(self):
        """The name that it has in the new source."""
        return self.new.local if self.new else self.old.name


class Speller:
    """Spells dotted names for one module.

    Args:
      tree: the `ast.Module`.
      file_scopes: its `scopes.Scopes`.
      target_of: function of a dotted name: its `targets.Target`.
      takes: function of a `targets.Target`: whether that rewrite may be used.
      kept: the names that other modules take from it.
    """

    def __init__(self, tree, file_scopes, target_of, takes, kept=frozenset()):
        self._scopes, self._of, self._takes = file_scopes, target_of, takes
        self.plans = {}  # (name, id of the scope) -> [Plan]
        self.first_use = float("inf")  # the first line that needs an import which is added
        self.needed = {}  # id of a statement, or None -> {Import: fix}
        self.reused = set()  # ids of the `ast.alias`es through which other names are spelled now
        self._public = _public_names(tree) | kept
        self._unconditional = set(map(id, tree.body))
        self.taken = {node.id for node in nodes_of(tree) if isinstance(node, ast.Name)}
        self.taken.update(name for scope in _scopes(file_scopes) for name in scope.names)

    def today(self, name):
        """Returns the dotted name of today of what had the name `name`; the same for most."""
        target = self._of(name)
        if target is None or target.to is None or not self._takes(target):
            return name
        return target.to

    def spell(self, use, place, to, fix):
        """Returns (text for the first steps of a use, whether the import of its root still serves).

        Args:
          use: a `uses.Use`.
          place: how many of its steps the text stands for.
          to: the dotted name of today.
          fix: the fix that asks for it.
        """
        end = next(
            (end for end, name in enumerate(use.names[:place], 1) if name and name[0] != "@"), None
        )
        root = self.root(use)
        if end is not None and root is not None and (end < place or end == 1):
            steps = _below(to, self.today(use.names[end - 1]))
            if steps is not None:
                if to != use.names[place - 1]:
                    self._load_submodule(to, self.today(use.names[end - 1]), fix)
                return ".".join([root, *(step.attr for step in use.steps[1:end])]) + steps, True
        owner, _, leaf = to.rpartition(".")
        if owner == "builtins" and use.scope.owner(leaf) is None:
            return leaf, False
        for plan in self._plans_of_module():
            if plan.line > use.line:
                continue  # it is imported later; a function may be called before
            steps = _below(to, plan.today)
            if steps is not None and (plan.new is not None or plan.today == plan.name):
                if use.scope.owner(plan.old.name) is plan.old.scope:
                    self.reused.add(id(plan.old.alias))
                    return plan.local + steps, False
        return self._needing(use, to, fix), False

    def _plans_of_module(self):
        """Returns the `Plan`s of the imports of the module that no condition stands before."""
        every = [plan for plans in self.plans.values() for plan in plans]
        return [plan for plan in every if id(plan.old.statement) in self._unconditional]

    def root(self, use):
        """Returns the name by which the root of a use goes once its import is rewritten."""
        if use.binding is None:  # of ``import *``, or built in
            return None if use.names[0].startswith("builtins.") else use.root.id
        if use.binding.kind != IMPORT:
            return use.root.id
        for plan in self.plans.get((use.root.id, id(use.binding.scope)), ()):
            if plan.new is not None:
                return plan.new.local
            if plan.today != plan.name:  # it becomes a built-in name, and the import goes
                return None
        return use.root.id

    # New imports --------------------------------------------------------------

    def _needing(self, use, to, fix):
        """Returns the spelling of a name for which an import is added."""
        statement = use.binding.statement if use.binding and use.binding.kind == IMPORT else None
        nested = statement is not None and use.binding.scope is not self._scopes.module
        place = id(statement) if nested else None
        known = self.needed.setdefault(place, {})
        if not nested:
            self.first_use = min(self.first_use, use.line)
        for other in known:
            steps = _below(to, other.dotted)
            if steps:
                return other.local + steps
        new_import, steps = self.import_for(to)
        known[new_import] = fix
        self.taken.add(new_import.local)
        return new_import.local + steps

    def add(self, to, fix, line):
        """Returns the spelling of a function for a line; adds an import where none serves."""
        owner, _, leaf = to.rpartition(".")
        for plan in self._plans_of_module():
            if plan.line <= line and plan.today in (owner, to):
                self.reused.add(id(plan.old.alias))
                return plan.local if plan.today == to else f"{plan.local}.{leaf}"
        known = self.needed.setdefault(None, {})
        self.first_use = min(self.first_use, line)
        new_import = next(
            (candidate for candidate in known if candidate.dotted in (owner, to)), None
        )
        if new_import is None:
            new_import = Import(owner, leaf, self.free(leaf, leaf + "_"))
            known[new_import] = fix
            self.taken.add(new_import.local)
        return new_import.local if new_import.dotted == to else f"{new_import.local}.{leaf}"

    def _load_submodule(self, to, base, fix):
        """Imports the module of a name that lies deeper than what `base` imports."""
        owner = to.rpartition(".")[0]
        loads_all = base.partition(".")[0] in _LOADS_ALL and not base.startswith(_BY_IMPORT)
        if loads_all or _below(owner, base) in (None, ""):
            return
        if owner.rpartition(".")[2][:1].islower():
            self.needed.setdefault(None, {})[Import(owner, None, owner)] = fix

    def import_for(self, to):
        """Returns (the `Import` that brings a dotted name, what follows it)."""
        if _below(to, targets.V1) is not None:
            return Import(targets.V1, None, self.free("tf", "tf_v1")), _below(to, targets.V1)
        steps = _below(to, _RUNTIME)
        if steps and steps.startswith(".python."):  # its modules are found by import alone
            module, _, leaf = to.rpartition(".")
            return self._module(module), "." + leaf
        of_tf2 = _below(to, targets.ESTIMATOR_OF_TF2)
        if of_tf2 is not None:
            return self._module(targets.ESTIMATOR_OF_TF2), of_tf2
        if steps:
            first, _, more = steps[1:].partition(".")
            if more and first in _BY_NAME and self._is_free(first):
                return Import(_RUNTIME, first, first), "." + more
            return Import("tfgraphtools", "tf1", self.free("tf1", "tf1_runtime")), steps
        module, _, leaf = to.rpartition(".")
        if not module:
            return Import(to, None, self.free(to, "py_" + to)), ""
        return self._module(module), "." + leaf

    def _module(self, module):
        owner, _, leaf = module.rpartition(".")
        if not owner:
            return Import(module, None, self.free(module, "py_" + module))
        root = module.partition(".")[0]
        if root in _BY_FULL_NAME and (self._is_free(root) or self._imports(root)):
            return Import(module, None, module)
        return Import(owner, leaf, self.free(leaf, f"{owner.rpartition('.')[2]}_{leaf}"))

    def _imports(self, root):
        bound = self._scopes.module.names.get(root, ())
        return bool(bound) and all(
            binding.kind == IMPORT and binding.target[2] is None and binding.alias.asname is None
            for binding in bound
        )

    def _is_free(self, name):
        return name not in self.taken

    def free(self, name, other):
        """Returns a name that the module does not use: `name`, or else `other`."""
        if self._is_free(name):
            return name
        while not self._is_free(other):
            other += "_"
        return other

    # Imports that are there ----------------------------------------------------

    def plan(self, binding, name, is_from):
        """Decides how one imported name is rewritten.

        Args:
          binding: the `scopes.Binding`.
          name: the dotted name that it imports.
          is_from: whether by ``from``.
        """
        to = self.today(name)
        key = binding.name, id(binding.scope)
        target = self._of(name)
        if to == name:
            new_plan = Plan(binding, name, None, "", name)
        else:
            new_plan = Plan(binding, name, self._moved(binding, to, is_from), target.fix, to)
        self.plans.setdefault(key, []).append(new_plan)
        return new_plan

    def is_public(self, binding):
        """Tells whether a name is asked for elsewhere: of a class, by ``import *``, as a global."""
        is_shared = binding.scope is self._scopes.module and binding.name in self._public
        return is_shared or binding.scope.kind == "class"

    def _moved(self, binding, to, is_from):
        renamed = binding.alias.asname is not None
        local = binding.name
        owner, _, leaf = to.rpartition(".")
        if to.startswith(NOT_FROM):
            return None  # each use is written again
        if (
            not renamed
            and not self.is_public(binding)
            and to != targets.V1
            and leaf not in copies.MODULES
            and (is_from or "." not in binding.alias.name)
        ):
            if leaf != local and self._is_free(leaf):
                self.taken.add(leaf)
                local = leaf
        is_whole = to == targets.V1 or not owner
        return Import(to, None, local) if is_whole else Import(owner, leaf, local)


def _public_names(tree):
    """Returns what is in the ``__all__`` of a module, and what its functions declare as global."""
    return {
        getattr(part, "value", None)
        for node in tree.body
        if isinstance(node, (ast.Assign, ast.AugAssign)) and "'__all__'" in dumped(node)
        for part in ast.walk(node.value)
    }.union(*(node.names for node in nodes_of(tree) if isinstance(node, ast.Global)))


def _scopes(file_scopes):
    return {id(scope): scope for _, scope in file_scopes.names}.values()


def _below(name, owner):
    """Returns what follows `owner` in `name`: "" or ".rest"; None where it does not lie there."""
    if name == owner:
        return ""
    return name[len(owner) :] if name.startswith(owner + ".") else None
