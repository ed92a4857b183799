"""Texts of modules that targets have in common: headings, lists of modules, bodies of methods."""

import json
import textwrap

from tfgraphtools.graphs.source_code.scopes import loop_statements
from tfgraphtools.graphs.source_code.scopes.body_statements import Loop, Statement
from tfgraphtools.graphs.source_code.scopes.loop_statements import LoopBreak, LoopHead, LoopTail
from tfgraphtools.graphs.source_code.statements import code_layout, expressions, identifiers


def refusal_words(words):
    """Returns a text that says why a mode is refused, of lines that are short enough."""
    if len(words) < 46:
        return json.dumps(words)
    lines = textwrap.wrap(words, 66)
    texts = [json.dumps(line + " ") for line in lines[:-1]] + [json.dumps(lines[-1])]
    inner = "".join(f"\n                {text}" for text in texts)
    return inner + "\n            "


def header(title, imports, source):
    """Returns the docstring of a module, and its imports.

    Args:
      title: what it is, one sentence.
      imports: lines of what is not of Python itself.
      source: what follows.
    """
    docstring = "\n".join(textwrap.wrap(title, 84))
    docstring = f'"""{docstring}"""' if "\n" not in docstring else f'"""{docstring}\n"""'
    standard = [f"import {name}" for name in ("math", "pathlib") if name + "." in source]
    return "\n".join([docstring, "", *standard, "", *imports, "", "", ""])


def scope_words(made):
    """Returns the scopes that a class is of, for its docstring."""
    paths = ["/".join(module.body.scope.module) for module in made.modules]
    if not paths[0]:
        return "The whole graph."
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"Scope `{paths[0]}`{more}."


def list_of_modules(made, attribute, run, classes, brackets="[]"):
    """Returns the `Code` of the modules of a `Run`: a comprehension, or a list.

    Args:
      brackets: around a comprehension.
    """
    count = len(run.calls)
    texts = [made.construction(f"{attribute}.{i}", classes) for i in range(count)]
    if len(set(texts)) > 1:
        return expressions.sequence(texts, "[", "]")
    items = [expressions.code(f"{texts[0]} for _ in range({count})")]
    return expressions.Code([expressions.Group(brackets[:1], items, brackets[1:], False)])


def _loop(made, loop, show):
    """Returns the lines of a `body_statements.Loop`."""
    target = made.first.names[loop.target]
    initial = expressions.text(loop.initial, show)
    lines = []
    if initial != target:
        lines = code_layout.laid_out(loop.initial, show, "        ", f"{target} = ")
    taken = {*made.first.names.values()}
    name = identifiers.unused(identifiers.variable_name(loop.stem), taken)
    lines.append(f"        for {name} in {expressions.text(loop.member, show)}:")
    call = expressions.call(name, *loop.arguments)
    return lines + code_layout.laid_out(call, show, " " * 12, f"{target} = ")


def method(made, is_root, first_lines=()):
    """Returns the lines of the method of a `ModuleClass`.

    Args:
      first_lines: those at its beginning.
    """
    body, show = made.first.body, made.show(in_method=True)
    names = [name for name, _ in body.arguments]
    parameters = body.target.parameters(body, names, is_root)
    lines = _definition(body.target.METHOD, ["self", *parameters])
    indent = "        "
    lines += [*first_lines, *(_checks(made) if is_root else [])]
    for statement in body.statements:
        if isinstance(statement, Loop):
            lines += _loop(made, statement, show)
            continue
        if isinstance(statement, (LoopHead, LoopBreak, LoopTail)):
            names, layout = made.first.names, code_layout.laid_out
            lines += loop_statements.lines(statement, names, show, indent, layout)
            if isinstance(statement, LoopTail) and lines[-1].endswith(":"):
                lines.append(indent + "pass")
            steps = isinstance(statement, LoopHead) - isinstance(statement, LoopTail)
            indent = " " * (len(indent) + 4 * steps)
            continue
        lines += _assignment(made, statement, show, indent)
    return _with_return(lines, made, is_root, show)


def _checks(made):
    """Returns the lines that refuse inputs whose sizes differ where one is taken for both."""
    body, lines = made.first.body, []
    locals_ = {v.node.name: made.first.names[local] for v, (_, local) in _inputs(body)}
    for left, right in body.program.assumed:
        names = locals_[left.tensor], locals_[right.tensor]
        shapes = [f"{name}.shape[{place.axis}]" for name, place in zip(names, (left, right))]
        lines += [
            "        if {} != {}:".format(*shapes),
            f'            raise ValueError("{shapes[0]} and {shapes[1]} differ")',
        ]
    return lines


def _inputs(body):
    return zip(body.scope.inputs, body.arguments)


def _definition(name, parameters):
    line = "    def {}({}):".format(name, ", ".join(parameters))
    if len(line) <= code_layout.WIDTH:
        return [line]
    start, line = f"    def {name}(", "        " + ", ".join(parameters)
    if len(line) <= code_layout.WIDTH:
        return [start, line, "    ):"]
    return [start, *[f"        {each}," for each in parameters], "    ):"]


def _with_return(lines, made, is_root, show):
    body = made.first.body
    code = _returned(body, is_root)
    last = body.statements[-1] if body.statements else None
    if isinstance(last, Statement) and _is_returned(last, body, code):
        start = len(lines) - len(_assignment(made, last, show, "        "))
        returned = code_layout.laid_out(last.value, show, "        ", "return ")
        return lines[:start] + returned
    of_return = code_layout.laid_out(code, show, "        ", "return ")
    if len(of_return) > 1 and len(body.returned) > 1 and not is_root:
        in_brackets = expressions.sequence(body.returned)
        of_return = code_layout.laid_out(in_brackets, show, "        ", "return ")
    return lines + of_return


def _is_returned(statement, body, code):
    """Tells whether a method returns exactly what a statement computes."""
    targets = statement.targets
    if len(targets) == 1:
        return code.parts == targets
    parts = [returned.parts for returned in body.returned]
    return bool(body.scope.path) and not statement.form and parts == [[t] for t in targets]


def _assignment(made, statement, show, indent):
    """Returns the lines of a `body_statements.Statement`."""
    targets = [made.first.names.get(target, "_") for target in statement.targets]
    before = statement.form.format(*targets) or ", ".join(targets)
    before += "," if len(targets) == 1 != len(statement.targets) else ""
    lines = []
    if len(indent + before) > code_layout.WIDTH - 20 and not statement.form:
        lines = [indent + "(", *(f"{indent}    {target}," for target in targets)]
        before = ")"
    return lines + code_layout.laid_out(statement.value, show, indent, before + " = ")


def _returned(body, is_root):
    """Returns the `Code` of what a method returns: a dictionary of several outputs of the graph."""
    if len(body.returned) == 1:
        return body.returned[0]
    if not is_root:
        return expressions.Code(_joined(body.returned))
    names = list(body.program.outputs)
    items = [expressions.Code([f'"{name}": ', value]) for name, value in zip(names, body.returned)]
    return expressions.sequence(items, "{", "}")


def _joined(codes):
    parts = []
    for code in codes:
        parts += [", ", code] if parts else [code]
    return parts
