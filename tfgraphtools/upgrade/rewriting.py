"""One module's source as today's libraries want it."""

from tfgraphtools.analysis import scopes
from tfgraphtools.upgrade.passes import (
    built_in_names,
    entry,
    loops,
    naming,
    old_flags,
    one_number,
    planning,
    removed_attributes,
    runtime_names,
)
from tfgraphtools.upgrade.passes.forms import (
    empty_list_parameter,
    h5py_strings,
    integer_beside_maximum,
    overloadable_operators,
    pickle_files,
    variable_classes,
)
from tfgraphtools.upgrade.passes.libraries import (
    figures,
    frames,
    librosa_calls,
    networkx_graphs,
    sklearn_calls,
    stars,
)
from tfgraphtools.upgrade.passes.work import Work
from tfgraphtools.upgrade.python2 import idioms, implicit
from tfgraphtools.upgrade.text import Text, applied


def rewritten(source, role, files, codebase, choice):
    """Returns the new source of a module, and what was found in it.

    Args:
      source: str; its lines end in ``\\n``.
      role: its `roles.Role`.
      files, codebase: of the codebase.
      choice: the `roles.Choice` of fixes.

    Returns:
      (str, [`Finding`]).

    Raises:
      SyntaxError: it is no Python 3.
    """
    work = Work(scopes.tree_of(source), Text(source), role, files, codebase, choice)
    planning.plan(work)
    edits = idioms.default_encoding(work)  # before the names in it are looked at
    edits += naming.edits(work) + removed_attributes.edits(work) + idioms.edits(work)
    edits += old_flags.edits(work) + one_number.edits(work) + loops.edits(work)
    edits += stars.edits(work) + sklearn_calls.edits(work) + frames.edits(work)
    edits += librosa_calls.edits(work) + figures.edits(work) + networkx_graphs.edits(work)
    edits += (
        pickle_files.edits(work) + overloadable_operators.edits(work) + h5py_strings.edits(work)
    )
    edits += one_number.number_edits(work) + integer_beside_maximum.edits(work)
    edits += variable_classes.edits(work) + empty_list_parameter.edits(work)
    edits = built_in_names.qualified(work, edits)
    runtime_names.note(work)
    edits += entry.edits(work)  # before the imports: it may need one
    variable, again = entry.legacy_keras_edits(work)
    edits += planning.edits(work, again) + implicit.edits(work) + variable
    return applied(source, edits), sorted(work.findings)
