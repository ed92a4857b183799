"""Flags of TF 1 that absl does not take, written as absl takes them: most without the runtime."""

import ast
import re

from tfgraphtools.analysis.scopes import index_of, nodes_of
from tfgraphtools.upgrade.findings import CANNOT, REWRITTEN
from tfgraphtools.upgrade.passes.forms import old_forms
from tfgraphtools.upgrade.text import Edit

_VALUES = "flag_values_dict()"


def edits(work):
    """Returns the edits of the uses of flags that absl has not.

    None where the runtime provides them.
    """
    if not work.role.is_tf1:
        return []
    if work.choice.runtime:
        return [] if work.role.lenient_flags else _counts(work)
    defined = set(re.findall(r"DEFINE_\w+\(\s*[\"'](\w+)[\"']", work.text.text))
    changes = _counts(work)
    for node in nodes_of(work.tree):
        if isinstance(node, ast.Attribute) and node.attr == "__flags":
            changes += _values(work, node, "flags.__flags")
        elif isinstance(node, ast.Subscript) and _is_flags_of_dict(node):
            changes += _values(work, node, "flags.__dict__", node.value)
        elif isinstance(node, ast.Call):
            changes += _call(work, node)
        elif isinstance(node, ast.Assign) and work.role.lenient_flags:
            _note_undefined(work, node, defined)
    return changes


#: Flags that count something, by their names.
_COUNTING = re.compile(
    r"(num|max|n)_\w+s|(batch|vocab\w*|hidden|embed\w*|state)_size|\w+_dim|\w*epochs?"
)


def _counts(work):
    """Writes ``DEFINE_integer`` for a count that is a float with an integer default."""
    fix, changes = "flags.default", []
    for node in nodes_of(work.tree) if work.choice.allows(fix) else ():
        if not isinstance(node, ast.Call) or getattr(node.func, "attr", "") != "DEFINE_float":
            continue
        name, default = (node.args + [None, None])[:2]
        if type(_constant(default)) is int and _COUNTING.fullmatch(str(_constant(name))):
            end = work.text.span(node.func)[1]
            work.note(node.lineno, "DEFINE_float", REWRITTEN, fix, "DEFINE_integer")
            changes.append(Edit(end - len("float"), end, "integer", fix, node.lineno))
    return changes


def _is_flags_of_dict(node):
    owner, key = node.value, _constant(index_of(node))
    return isinstance(owner, ast.Attribute) and owner.attr == "__dict__" and key == "__flags"


def _values(work, node, fix, owner=None):
    """Writes ``flag_values_dict()`` for ``FLAGS.__flags`` and ``__dict__["__flags"]``."""
    if not work.choice.allows(fix):
        return []
    start = work.text.span((owner or node).value)[1]
    work.note(node.lineno, "FLAGS.__flags", REWRITTEN, fix, "FLAGS." + _VALUES)
    return [Edit(start, work.text.span(node)[1], "." + _VALUES, fix, node.lineno)]


def _call(work, node):
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    if name == "_parse_flags" and not (node.args or node.keywords):
        return _parse(work, node)
    if not name.startswith("DEFINE_") or not node.args:
        return []
    default = next((keyword.value for keyword in node.keywords if keyword.arg in _DEFAULTS), None)
    default = node.args[1] if default is None and len(node.args) > 1 else default
    changes = _override(work, node)
    if name == "DEFINE_integer" and default is not None:
        changes += _integer(work, node, default)
    elif name == "DEFINE_string" and not isinstance(_constant(default), (str, type(None))):
        why = "its default is not a string, so absl raises an error: use another DEFINE_"
        work.note(node.lineno, name, CANNOT, "flags.default", why)
    return changes


_DEFAULTS = ("default", "default_value")


def _constant(node):
    return node.value if isinstance(node, ast.Constant) else None


def _parse(work, node):
    """Returns ``FLAGS(sys.argv)`` for ``FLAGS._parse_flags()``."""
    fix = "flags._parse_flags"
    if not work.choice.allows(fix) or not isinstance(node.func, ast.Attribute):
        return []
    start, end = work.text.span(node.func.value)[1], work.text.span(node)[1]
    new = f"({work.speller.add('sys.argv', fix, node.lineno)})"
    work.note(node.lineno, "FLAGS._parse_flags()", REWRITTEN, fix, "FLAGS" + new)
    return [Edit(start, end, new, fix, node.lineno)]


def _override(work, node):
    """Returns ``allow_override=True`` for a flag that absl's own logging defines as well."""
    fix, words = "flags.absl", [keyword.arg for keyword in node.keywords]
    if _constant(node.args[0]) != "log_dir" or not work.choice.allows(fix):
        return []
    if "allow_override" in words:
        return []
    end = work.text.span([*node.args, *[keyword.value for keyword in node.keywords]][-1])[1]
    work.note(node.lineno, "DEFINE_ of log_dir", REWRITTEN, fix, "allow_override=True")
    return [Edit(end, end, ", allow_override=True", fix, node.lineno)]


def _integer(work, node, default):
    """Returns an integer as absl wants it: ``int(np.power(2, 9))``; a default of 1e5 is a float."""
    fix = "flags.default"
    if not work.choice.allows(fix):
        return []
    if old_forms.is_float(default):
        end = work.text.span(node.func)[1]
        work.note(node.lineno, "DEFINE_integer", REWRITTEN, fix, "DEFINE_float")
        return [Edit(end - len("integer"), end, "float", fix, node.lineno)]
    if isinstance(default, ast.Call) and isinstance(default.func, ast.Attribute):
        work.note(node.lineno, "DEFINE_integer", REWRITTEN, fix, "int(...)")
        return work.text.around(default, "int(", ")", fix)
    return []


def _note_undefined(work, node, defined):
    """Notes an assignment to a flag that nothing here defines."""
    for target in node.targets:
        owner = getattr(target, "value", None)
        if isinstance(target, ast.Attribute) and getattr(owner, "id", "") == "FLAGS":
            if target.attr not in defined:
                why = "absl accepts only flags that are defined: define it, or use a variable"
                work.note(node.lineno, f"FLAGS.{target.attr}", CANNOT, "flags.undefined", why)
