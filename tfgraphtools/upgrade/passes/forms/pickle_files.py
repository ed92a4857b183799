"""Files of pickles that are opened as text: Python 2 made no difference, Python 3 refuses them.

    pickle.load(open("p.pkl"))                       pickle.load(open("p.pkl", "rb"))
    with open("p.pkl", "w") as f: pickle.dump(x, f)  with open("p.pkl", "wb") as f: ...

A file that is a variable counts where its function uses it for pickles alone.
"""

import ast
import re

from tfgraphtools.upgrade.findings import REWRITTEN
from tfgraphtools.upgrade.text import Edit

#: dotted name -> the place of the file among the arguments
_FILES = {
    f"{module}.{name}": place
    for module in ("pickle", "cPickle", "six.moves.cPickle", "_pickle")
    for name, place in (("load", 0), ("Unpickler", 0), ("dump", 1), ("Pickler", 0))
}
#: What may be done to the variable of such a file beside.
_HARMLESS = ("close", "flush")


def edits(work):
    """Returns the `Edit`s of the modes in which files of pickles are opened."""
    edits_of = {}
    for own in work.functions():
        used = {id(file): (file, name) for file, name in _files_of_pickles(work, own)}
        opened = _opened(own)
        for file, name in used.values():
            call = file if isinstance(file, ast.Call) else _only_for(opened, own, file, used)
            if call is not None and _opens(call) and work.choice.allows(_fix(name)):
                edits_of[id(call)] = _binary(work, call, _fix(name))
    return [edit for changes in edits_of.values() for edit in changes]


def _fix(name):
    return "pickle.dump" if name in ("dump", "Pickler") else "pickle.load"


def _files_of_pickles(work, own):
    """Yields (the expression of the file, "load" or another) of each call of pickle's."""
    for node in own:
        if not isinstance(node, ast.Call) or not isinstance(node.func, (ast.Name, ast.Attribute)):
            continue
        name = work.names.here(node.func)
        place = _FILES.get(name)
        if place is not None and len(node.args) > place:
            yield node.args[place], name.rpartition(".")[2]


def _opened(own):
    """Returns variable -> the calls that are assigned to it, or entered as it."""
    calls_of = {}
    for node in own:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            pair = node.targets[0], node.value
        elif isinstance(node, ast.withitem):
            pair = node.optional_vars, node.context_expr
        else:
            continue
        if isinstance(pair[0], ast.Name):
            calls_of.setdefault(pair[0].id, []).append(pair[1])
    return calls_of


def _only_for(opened, own, file, used):
    """Returns the call that opens the file that is in a variable.

    None where more is done with it.
    """
    if not isinstance(file, ast.Name) or len(opened.get(file.id, ())) != 1:
        return None
    harmless = {
        id(node.value) for node in own if isinstance(node, ast.Attribute) and node.attr in _HARMLESS
    }
    reads = [n for n in own if isinstance(n, ast.Name) and n.id == file.id]
    reads = [n for n in reads if isinstance(n.ctx, ast.Load)]
    if any(id(n) not in used and id(n) not in harmless for n in reads):
        return None
    return opened[file.id][0]


def _opens(call):
    return (
        isinstance(call, ast.Call)
        and getattr(call.func, "id", None) in ("open", "file")
        and 1 <= len(call.args) <= 2
        and not any(isinstance(argument, ast.Starred) for argument in call.args)
        and not call.keywords
    )


def _binary(work, call, fix):
    """Returns the `Edit` that opens a file in binary mode.

    None where it is, or where it is not said.
    """
    if len(call.args) == 1:
        end = work.text.span(call.args[0])[1]
        while work.text.text[end:].lstrip().startswith(")") and end + 1 < work.text.span(call)[1]:
            end = work.text.text.index(")", end) + 1
        change = Edit(end, end, ', "rb"', fix, call.lineno)
    else:
        mode = call.args[1]
        if not isinstance(mode, ast.Constant) or not re.fullmatch(r"[rwa]\+?U?", str(mode.value)):
            return []
        start, end = work.text.span(mode)
        literal = work.text.of(mode)
        quote = re.search("[\"']+$", literal).group()
        new = literal[: -len(quote)].replace("U", "") + "b" + quote
        change = Edit(start, end, new, fix, call.lineno)
    work.note(call.lineno, "open", REWRITTEN, fix, "binary mode")
    return [change]
