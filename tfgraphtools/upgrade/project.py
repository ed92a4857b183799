"""A whole codebase: read, understood together, rewritten file by file, on several processes."""

import functools
import os
import sys
import warnings
from typing import Callable, Optional, Sequence

from tfgraphtools import deep_recursion, garbage_collector, worker_processes
from tfgraphtools.analysis import scopes
from tfgraphtools.errors import ArgumentError
from tfgraphtools.upgrade import (
    code_files,
    codebase,
    copies,
    evidence,
    facts,
    modules,
    notebook_source,
    remaining,
    reports,
    rewriting,
    roles,
    sources,
    targets,
)
from tfgraphtools.upgrade.clues import standalone_keras
from tfgraphtools.upgrade.findings import CANNOT, REWRITTEN, Finding
from tfgraphtools.upgrade.passes import entry, layout
from tfgraphtools.upgrade.trees import all_or_none, links

#: Fewer files than this are not worth a second process.
_WORTH_IT = 24


def examine(
    paths: Sequence[str],
    select: Sequence[str] = (),
    skip: Sequence[str] = (),
    runtime: bool = True,
    copies: bool = True,
    keras: Optional[str] = None,
    progress: Optional[Callable[[int, int], None]] = None,
    jobs: int = 2,
) -> reports.Report:
    """Returns what it takes to run code of TF 1 on today's TensorFlow, as changes of its source.

    Nothing is written, and nothing of the code is run. A codebase for TF 2 stays as it is: one
    in which more than two files know of TF 2 for each that was written for TF 1.

    Args:
      paths: files, notebooks, and folders of them; they are one codebase.
      select: names of the fixes to use, or beginnings of them ("numpy"); all by default.
      skip: the same, for fixes not to use.
      runtime: whether ``tfgraphtools.tf1`` may be imported where today's libraries have nothing.
      copies: whether, without the runtime, small modules of plain source may be written beside the
        files that need them.
      keras: what ``import keras`` of Keras 1 or 2 becomes: "legacy", Keras 2.2.4 itself in the
        runtime, or "tf_keras", which computes other numbers in places; these are listed. By
        default the first, if the runtime may be imported. If it is given, files that could mean
        Keras 3 as well count as Keras 2's.
      progress: called with (files done, files).
      jobs: int, processes.

    Returns:
      a `Report`: ``diff()`` shows the changes, ``write()`` writes them.

    Example:
      >>> report = examine(["old_project"])
      >>> print("\\n".join(report.diff()))
      >>> report.write()

    Raises:
      ArgumentError: a path is missing, or no Python file is below it; or this is Python 3.7; or an
        upgrade of these files was interrupted, and has to be undone first: `recover`.
      MissingExtraError: a file is Python 2 and ``fissix`` is not installed.
    """
    if sys.version_info < (3, 8):
        raise ArgumentError(
            "upgrade",
            "Python 3.8 or newer, whose syntax trees have source positions",
            "Python {}.{}".format(*sys.version_info),
            "Run it in the environment of today's TensorFlow.",
        )
    from tfgraphtools.upgrade.python2 import rebound_names

    choice = roles.Choice(tuple(select), tuple(skip), runtime, copies and not runtime, keras)
    choice.require_known()
    file_paths = code_files.find(paths)
    all_or_none.require_none_interrupted(file_paths)
    total = 2 * len(file_paths)

    def report_from(done):
        if progress is not None:
            return lambda count: progress((done + count) // 2, total // 2)
        return lambda count: None

    rebound_names.of_files.cache_clear()  # the files may have changed
    known = modules.Files(file_paths)
    jobs = jobs if len(file_paths) >= _WORTH_IT else 1
    collects_rarely = garbage_collector.rare()
    with collects_rarely, warnings.catch_warnings(), worker_processes.Workers(jobs) as mapped:
        warnings.simplefilter("ignore", SyntaxWarning)  # "\d" in old code, since Python 3.12
        first = functools.partial(_read, choice=choice, known=known)
        read = list(mapped(first, file_paths, report_from(0)))
        read = _in_company(read, choice, paths, known)
        whole = _codebase(read, known, mapped)
        read = [source for source, _ in read]
        pairs = list(zip(read, roles.assigned(read, whole, choice)))
        if not whole.has_old_code():  # Python 2 alone is none of TF 2's, and the estimator is gone
            pairs = [pair for pair in pairs if _is_changed_in_tf2(*pair)]
            pairs = [(source, _in_tf2(role, whole)) for source, role in pairs]
        work = functools.partial(_rewritten, known=whole, choice=choice)
        done = mapped(work, pairs, report_from(len(file_paths)))
        results = {source.path: result for (source, _), result in zip(pairs, done)}
        old = {source.path for source in read if _is_old(source, whole, choice)}
        results = _with_remaining(read, results, old, known, mapped)
    scopes.tree_of.cache_clear()  # trees are large
    rewritten_files = [
        _file(source, *results.get(source.path, (source.before, ()))) for source in read
    ]
    rewritten_files = links.settled(rewritten_files, paths)
    notes = (
        _notes(whole)
        + _of_keras(whole, choice)
        + _of_python2(rewritten_files)
        + layout.note([file.path for file in rewritten_files if file.changes])
    )
    return reports.Report(
        rewritten_files + _copied(rewritten_files) if choice.copies else rewritten_files, notes
    )


def _read(path, choice, known, in_company=False):
    """Returns (`Source`, `codebase.Facts` or None) of a file."""
    source = sources.Source(path, b"", error=sources.TOO_DEEP)
    try:
        source = deep_recursion.call(sources.read, path, choice, in_company, known.paths)
        if source.error is not None:
            return source, None
        return source, deep_recursion.call(_facts, source, known)
    except RecursionError:
        return source._replace(error=sources.TOO_DEEP), None


def _facts(source, known, whole=None):
    tree = scopes.tree_of(source.code)
    uses = "tensorflow" in source.code
    return facts.facts_of(tree, source.path, known, source.is_notebook, whole, uses)


def _in_company(read, choice, paths, known):
    """Returns the sources, translated where their company shows Python 2."""
    from tfgraphtools.compat.doctor import programs
    from tfgraphtools.compat.fixes.python2 import table

    if not any(source.only_python2 for source, _ in read):
        return read
    modules = {}
    for source, _ in read:
        if source.error is None and not source.is_notebook:
            row = None
            if source.is_python2:
                row = table.SYNTAX if source.only_python2 else table.BY_NAMES
            modules[source.path] = programs.module_of_code(source.code, row)
    if not modules:
        return read
    root = paths[0]
    if len(paths) > 1 or not os.path.isdir(root):
        root = os.path.commonpath([os.path.dirname(path) for path in modules])
    chosen = programs.in_company(modules, root)
    return [
        _read(source.path, choice, known, True)
        if source.path in chosen and not source.is_python2
        else (source, facts)
        for source, facts in read
    ]


def _codebase(read, known, mapped):
    """Returns the `codebase.Codebase`: files that take names from others are looked at again."""
    facts = {source.path: file_facts for source, file_facts in read if file_facts is not None}
    whole = codebase.Codebase(facts, known)
    again = [source for source, file_facts in read if file_facts is not None and file_facts.imports]
    work = functools.partial(_facts, known=known, whole=whole)
    for source, file_facts in zip(again, mapped(work, again, lambda count: None)):
        facts[source.path] = file_facts
    return codebase.Codebase(facts, known)


def _is_changed_in_tf2(source, role):
    """Tells whether a file of a codebase of TF 2 is looked at for something to rewrite."""
    return source.only_python2 or role.is_entry or "estimator" in source.code


def _in_tf2(role, whole):
    """Returns the role of a file in a codebase of TF 2: there ``compat.v1`` says nothing."""
    return role._replace(is_tf1=False, is_tf2=True) if whole.is_v1(role.path) else role


#: The fixes for a file that was written for TF 2.
_OF_TF2 = (targets.ESTIMATOR, entry.LEGACY_KERAS)


def _rewritten(pair, known, choice):
    """Returns (new code, findings) of one source."""
    source, role = pair
    if source.error is not None:
        return source.code, ()
    try:
        return deep_recursion.call(_rewritten_code, source, role, known, choice)
    except RecursionError:
        return source.before, (Finding(1, "syntax", CANNOT, "syntax", sources.TOO_DEEP),)


def _rewritten_code(source, role, known, choice):
    if role.is_tf2 and not (known.has_old_code() or source.only_python2 or role.is_entry):
        choice = choice._replace(select=tuple(filter(choice.allows, _OF_TF2)) or ("nothing",))
    code, findings = rewriting.rewritten(source.code, role, known.files, known, choice)
    problems = list(_not_compiled(code, source.is_notebook))
    if problems and not list(_not_compiled(source.code, source.is_notebook)):
        why = f"what would be written does not compile: {problems[0].detail}"
        return source.before, (problems[0]._replace(line=1, detail=why),)
    findings = [*findings, *problems]
    if source.lines:
        findings = [finding._replace(line=source.lines[finding.line - 1]) for finding in findings]
    if source.is_notebook and role.is_tf1 and choice.allows(notebook_source.FIX):
        notebook = notebook_source.Notebook(source.content.text)
        code, changes = notebook.without_old_installs(code)
        fix = notebook_source.FIX
        findings += [Finding(line, old, REWRITTEN, fix, new) for line, old, new in changes]
    if not source.is_notebook and choice.allows_layout():
        code, more = layout.formatted(source.before, code, source.path)
        findings = [*findings, *more]
    return code, (*source.findings, *findings)


def _is_old(source, whole, choice):
    """Tells whether a file was written for the libraries of TF 1's time."""
    facts = whole.facts.get(source.path)
    if facts is None or not whole.has_old_code():
        return False
    keras = (evidence.TF1, evidence.NEUTRAL) if choice.keras else (evidence.TF1,)
    is_tf1 = facts.era in (evidence.TF1, evidence.NEUTRAL) or facts.keras in keras
    is_tf1 = is_tf1 or facts.is_v1  # of a program that was upgraded before
    return is_tf1 or source.is_python2 or whole.goes_with_tf1(source.path)


def _with_remaining(read, results, old, files, mapped):
    """Returns path -> (new code, findings) with the remaining uses of each file."""
    read = [source for source in read if source.error is None]
    codes = {source.path: results.get(source.path, (source.before, ())) for source in read}
    new = [(source.path, codes[source.path][0]) for source in read]
    surveys = mapped(functools.partial(remaining.survey, files=files), new, _silent)
    whole = remaining.Codebase(files, dict(zip(codes, surveys)))
    work = functools.partial(remaining.findings, codebase=whole)
    file_pairs = [
        remaining.Pair(source.path, source.before, codes[source.path][0], source.path in old)
        for source in read
    ]
    results_left = {}
    for source, left in zip(read, mapped(work, file_pairs, _silent)):
        code, known = codes[source.path]
        results_left[source.path] = code, (*known, *remaining.without_noted(left, known))
    return {**results, **results_left}


def _silent(count):
    """Reports no progress."""


def _not_compiled(code, is_notebook):
    """Yields a `Finding` for what Python 3 parses and does not compile.

    A name used before ``global``. IPython takes ``from __future__`` in any cell.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(code, "<module>", "exec", dont_inherit=True)
    except SyntaxError as error:
        if not (is_notebook and "from __future__" in error.msg):
            why = f"Python 3 says: {error.msg}"
            yield Finding(error.lineno or 1, "syntax", CANNOT, "syntax", why)


def _shown(path):
    shown = os.path.relpath(path)
    return path if shown.startswith(os.pardir) else shown


def _file(source, code, findings):
    shown, error, name = _shown(source.path), source.error, "syntax"
    if error is None:
        try:
            text, data = source.restored(code)
        except code_files.Unreadable as unreadable:
            error, name = str(unreadable), "encoding"
    old = source.data
    if error is not None:
        finding = Finding(1, name, CANNOT, "syntax", error)
        return reports.File(source.path, shown, old, old, "", "", (finding,), error)
    findings = tuple(sorted(set(findings)))
    return reports.File(source.path, shown, old, data, source.content.text, text, findings)


def _copied(rewritten_files):
    """Returns the `reports.File`s of the modules that files import now and that are absent."""
    new_files = {}
    for file in rewritten_files:
        for module in sorted(copies.imported(file.new)) if file.changes else ():
            path = os.path.join(os.path.dirname(file.path), module + ".py")
            if not os.path.lexists(path):
                new_files[path] = reports.new_file(path, _shown(path), copies.source(module))
    return [new_files[path] for path in sorted(new_files)]


def _notes(known):
    left = [os.path.relpath(path) for path in known.left_alone()]
    if left:
        return (
            "this is code for TF 2, so it is not changed; to upgrade the files "
            "that look like TF 1's, pass their paths: " + " ".join(left),
        )
    tf1 = known.tf1_files()
    notes = ()
    if tf1 and not known.entries(tf1) and not known.says_behavior:
        notes += (
            "no file here is a program: call tf.disable_v2_behavior() (of tensorflow.compat.v1) "
            "where yours starts, before it uses TensorFlow",
        )
    facts = [known.facts[path] for path in sorted(tf1)]
    return notes + _of_normalizations(facts)


def _of_keras(known, choice):
    tf1 = known.tf1_files()
    files = tf1 | known.keras_files(tf1, choice.keras is not None)
    return standalone_keras.note(choice, known.facts.values(), files)


def _of_python2(rewritten_files):
    """Returns the remark on findings that a second run cannot repeat."""
    count = sum(
        finding.status == CANNOT and finding.fix.startswith("python2.")
        for file in rewritten_files
        if file.changes
        for finding in file.findings
    )
    text = (
        f"{count} of what is left is about Python 2: what is written is Python 3, so that a second "
        "run does not list it again"
    )
    return (text,) if count else ()


def _of_normalizations(tf1):
    shown = _places(tf1, "normalizes")
    return shown and (
        "TF 2.9 and later on a CPU may compute layer normalizations with epsilon 0.001, whatever "
        "the code says (those of tf.nn.batch_normalization in frozen graphs): set "
        f"TF_ENABLE_ONEDNN_OPTS=0, or count the axis from the end (-1): {shown}",
    )


def _places(tf1, lines):
    """Returns the first places of a field of facts that holds lines; () if there are none."""
    places = [
        f"{os.path.relpath(file_facts.path)}:{line}"
        for file_facts in tf1
        for line in getattr(file_facts, lines)
    ]
    more = ", ..." if len(places) > 3 else ""
    return ", ".join(places[:3]) + more if places else ()
