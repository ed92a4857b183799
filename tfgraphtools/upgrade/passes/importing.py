"""The import statements of a module: replaced in place, added beside others, removed if unused."""

import ast
import re

from tfgraphtools.analysis.scopes import IMPORT, dumped, nodes_of
from tfgraphtools.upgrade.text import Edit


def bindings_of(file_scopes):
    """Returns id of an `ast.alias` -> its `scopes.Binding`, over all scopes of a module."""
    scopes = {id(file_scopes.module): file_scopes.module}
    for _, scope in file_scopes.names:
        while scope is not None:
            scopes[id(scope)] = scope
            scope = scope.parent
    return {
        id(binding.alias): binding
        for scope in scopes.values()
        for bindings in scope.names.values()
        for binding in bindings
        if binding.kind == IMPORT
    }


def statement_edits(node, plans, removed_ids, extra, text):
    """Returns the `Edit`s of one import statement.

    Args:
      node: the `ast.Import` or `ast.ImportFrom`.
      plans: id of an alias -> its `spelling.Plan`.
      gone: ids of the aliases that are removed.
      extra: [(`Import`, fix)]: statements that come behind it.
      text: the `text.Text` of the module.
    """
    changed = [
        alias
        for alias in node.names
        if id(alias) in removed_ids or (id(alias) in plans and plans[id(alias)].new is not None)
    ]
    if not changed:
        return _added_after(node, extra, text) if extra else []
    fix = next((plans[id(a)].fix for a in changed if id(a) in plans and plans[id(a)].fix), "unused")
    fix = fix or "unused"
    kept = [alias for alias in node.names if alias not in changed]
    new_imports = [plans[id(a)].new for a in changed if id(a) not in removed_ids]
    alone = isinstance(node, ast.ImportFrom) and _same_module(node, new_imports, kept)
    if alone and not extra:
        return other_module(node, new_imports[0].module, text, fix)
    if (
        isinstance(node, ast.Import)
        and all(new_import.name is None for new_import in new_imports)
        and not extra
    ):
        clauses = [clause(a, plans) for a in node.names if id(a) not in removed_ids]
        lines = ["import " + ", ".join(clauses)] if clauses else []
    else:
        lines = _kept(node, kept) + merged(new_imports + [new_import for new_import, _ in extra])
    if not lines:
        return [removed(node, text, fix)]
    return [replaced(node, lines, text, fix)]


def replaced(node, lines, text, fix):
    """Returns the `Edit` that puts lines in the place of an import; its comments go before them."""
    start, end = text.span(node)
    between, comments = "; ", []  # behind ``if x:``, or another statement
    if text.starts_line(node):
        between = "\n" + text.indent(node.lineno)
        comments = re.findall("#.*", text.text[start:end])
    return Edit(start, end, between.join(dict.fromkeys(comments + lines)), fix, node.lineno)


def _same_module(node, new_imports, kept):
    """Tells whether a ``from`` only takes the same names from one other module."""
    return (
        not kept
        and len(new_imports) == len(node.names)
        and len({new_import.module for new_import in new_imports}) == 1
        and all(
            new_import.name == alias.name and new_import.local == (alias.asname or alias.name)
            for new_import, alias in zip(new_imports, node.names)
        )
    )


def other_module(node, module, text, fix):
    """Returns the `Edit`s that make a ``from`` statement name another module."""
    name = re.compile(r"from[\s\\]+([\w.\s\\]+?)(?=[\s\\]+import\b)")
    match = name.match(text.text, text.span(node)[0])
    return [Edit(*match.span(1), module, fix, node.lineno)]


def clause(alias, plans=()):
    """Returns ``a.b as c`` of one name of a statement, as it is planned if it is."""
    if id(alias) in plans and plans[id(alias)].new is not None:
        return plans[id(alias)].new.clause()
    return alias.name + (f" as {alias.asname}" if alias.asname else "")


def _kept(node, kept):
    """Returns the statement with the names that stay, if any does."""
    if not kept:
        return []
    clauses = ", ".join(map(clause, kept))
    if isinstance(node, ast.Import):
        return ["import " + clauses]
    return [f"from {'.' * node.level}{node.module or ''} import {clauses}"]


def merged(imports):
    """Returns the statements of imports, one for each module that names are taken from."""
    lines, taken = [], {}
    for new_import in imports:
        if new_import.name is None:
            lines.append(new_import.statement())
        elif new_import.module in taken:
            taken[new_import.module].append(new_import)
        else:
            taken[new_import.module] = [new_import]
            lines.append(new_import.module)
    for module, ones in taken.items():
        clauses = ", ".join(sorted({new_import.clause() for new_import in ones}))
        lines[lines.index(module)] = f"from {module} import {clauses}"
    return lines


def removed(node, text, fix):
    """Returns the `Edit` that removes a statement, with its line where it is alone there."""
    start, end = text.span(node)
    line_start = text.line_start(node.lineno)
    last_line = text.lines[node.end_lineno - 1]
    line_end = text.line_start(node.end_lineno) + len(last_line)
    before, after = text.text[line_start:start], text.text[end:line_end]
    if not before.strip() and not after.strip():
        return Edit(line_start, min(line_end + 1, len(text.text)), "", fix, node.lineno)
    if after.lstrip().startswith(";"):
        skipped = len(after) - len(after.lstrip(" ;"))
        return Edit(start, end + skipped, "", fix, node.lineno)
    return Edit(start, end, "pass", fix, node.lineno)


def in_blocks_of_imports(tree):
    """Returns the ids of the statements of blocks in which nothing else stands, but the module."""
    return {
        id(statement)
        for node in nodes_of(tree)
        for block in (getattr(node, name, ()) for name in ("body", "orelse", "finalbody"))
        if node is not tree and isinstance(block, list) and all(map(_is_import, block))
        for statement in block
    }


def emptied(node, text, fix):
    """Returns the `Edit` that leaves ``pass`` in the place of a statement."""
    return Edit(*text.span(node), "pass", fix, node.lineno)


def _is_import(node):
    return isinstance(node, (ast.Import, ast.ImportFrom))


def is_in_function(tree, plan):
    """Tells whether an import of a `spelling.Plan` stands in a function that says ``global``."""
    statement, functions = plan.old.statement, (ast.FunctionDef, ast.AsyncFunctionDef)
    return statement not in tree.body and isinstance(home(tree, statement), functions)


def _added_after(node, extra, text):
    lines = merged([new_import for new_import, _ in extra])
    end = text.line_start(node.end_lineno) + len(text.lines[node.end_lineno - 1])
    indent = text.indent(node.lineno)
    new = "".join("\n" + indent + line for line in lines)
    return [Edit(end, end, new, extra[0][1], node.lineno)]


def home(tree, anchor):
    """Returns the statement of the module's own level behind which new imports belong.

    Args:
      tree: the `ast.Module`.
      anchor: an import statement of the module, or None for no preference.

    Returns:
      the statement, or None: at the top.
    """
    for node in tree.body:
        if anchor is not None and any(part is anchor for part in ast.walk(node)):
            return node
    last = None
    for place, node in enumerate(tree.body):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, (ast.Import, ast.ImportFrom)) or (place == 0 and is_text):
            last = node
        elif not isinstance(node, (ast.Try, ast.If, ast.Pass)):
            break
    return last


def last_import(tree):
    """Returns the last import of the block at the top of a module; None if it has none."""
    last = None
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            last = node
        elif isinstance(node, (ast.Try, ast.If)) and _imports(node):
            last = node
        elif not _is_preparation(node):
            break
    return last


def _imports(node):
    return any(isinstance(part, (ast.Import, ast.ImportFrom)) for part in node.body) and not any(
        isinstance(part, (ast.FunctionDef, ast.For, ast.With)) for part in node.body
    )


def _is_preparation(node):
    """Returns a docstring, ``__future__``-like assignment or ``sys.path`` edit between imports."""
    if isinstance(node, ast.Pass):  # a line of IPython's
        return True
    if isinstance(node, ast.Expr):
        if isinstance(node.value, ast.Constant):
            return True
        text = dumped(node.value)
        return "'path'" in text or "'filterwarnings'" in text or "attr='use'" in text
    if isinstance(node, ast.Assign):
        target = node.targets[0]
        if isinstance(target, ast.Subscript):
            return "'environ'" in dumped(target)
        return isinstance(target, ast.Name) and target.id.startswith("__")
    return False


def inserted(node, lines, text, fix, blank=False):
    """Returns the `Edit` that puts lines behind a statement of the module (None: at the top).

    Args:
      node: the statement, or None.
      lines: the lines.
      text: the `text.Text`.
      fix: the name of the fix.
      blank: whether a blank line goes before them.
    """
    if node is None:
        place = 0
        for number, line in enumerate(text.lines, 1):
            if not line.startswith("#"):
                place = text.line_start(number)
                break
        return Edit(place, place, "".join(line + "\n" for line in lines), fix, 1)
    indent = text.indent(node.lineno)
    new = ("\n" if blank else "") + "".join(indent + line + "\n" for line in lines)
    if node.end_lineno < len(text.lines):  # before the next line, as this one may be removed
        place = text.line_start(node.end_lineno + 1)
    else:
        place, new = len(text.text), "\n" + new[:-1]
    return Edit(place, place, new, fix, node.end_lineno)
