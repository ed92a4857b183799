"""Lines that only run where somebody gives a flag of the program: ``if FLAGS.plot: import x``."""

import ast

from tfgraphtools.analysis.scopes import nodes_of

_DEFINE = "DEFINE_"


def lines_off_by_default(tree):
    """Returns the lines below an ``if`` of a flag whose default, in the same file, is false.

    Example:
      >>> text = "DEFINE_bool('plot', False, '')\\nif FLAGS.plot:\\n    import x"
      >>> lines_off_by_default(ast.parse(text))
      {3}
    """
    off = _flags_off(tree)
    return {
        line
        for node in nodes_of(tree)
        if off and isinstance(node, ast.If) and _flag_of(node.test) in off
        for statement in node.body
        for line in range(statement.lineno, _last_line(statement) + 1)
    }


def _flag_of(test):
    """Returns "plot" of ``FLAGS.plot``, or of ``FLAGS.plot == True``; None of all else."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        is_true = getattr(test.comparators[0], "value", None) is True
        test = test.left if is_true and isinstance(test.ops[0], (ast.Eq, ast.Is)) else test
    is_flag = isinstance(test, ast.Attribute) and isinstance(test.value, ast.Name)
    return test.attr if is_flag else None


def _flags_off(tree):
    """Returns the flags that are false, empty or None unless they are given, and nowhere set."""
    off, on = set(), set()
    for node in nodes_of(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            on.add(node.attr)
        if isinstance(node, ast.Call):
            name, is_on = _definition(node)
            (on if is_on else off).add(name)
    return off - on - {None}


def _definition(call):
    """Returns the flag that a call defines, or None; whether it is on by default, or unknown."""
    function = getattr(call.func, "attr", None) or getattr(call.func, "id", "")
    texts = [getattr(argument, "value", None) for argument in call.args]
    words = {word.arg: word.value for word in call.keywords}
    if function.startswith(_DEFINE) and texts:
        name = texts[0] if isinstance(texts[0], str) else None
        default = (
            call.args[1] if len(call.args) > 1 else words.get("default", words.get("default_value"))
        )
        return name, default is None or getattr(default, "value", True) not in _FALSE
    if function == "add_argument" and texts and isinstance(texts[-1], str):
        name = texts[-1].lstrip("-").replace("-", "_")
        if not texts[-1].startswith("-") or "dest" in words:
            return name, True
        default = words.get("default")
        action = getattr(words.get("action"), "value", None)
        if default is None:
            return name, action == "store_false"
        return name, getattr(default, "value", True) not in _FALSE
    return None, False


_FALSE = (False, None, 0, "")


def _last_line(node):
    return max(getattr(part, "lineno", 0) for part in ast.walk(node))
