"""The text of ``model.py`` for PyTorch."""

import json
import textwrap

from tfgraphtools.graphs.source_code.scopes import loop_statements, module_classes
from tfgraphtools.graphs.source_code.scopes.body_statements import Loop, Statement
from tfgraphtools.graphs.source_code.scopes.loop_statements import LoopBreak, LoopHead, LoopTail
from tfgraphtools.graphs.source_code.scopes.repeated_calls import Run
from tfgraphtools.graphs.source_code.statements import code_layout, expressions, identifiers
from tfgraphtools.graphs.source_code.torch import torch_helpers

_LOAD = '''

def load(training=False):
    """Returns the model with the weights of the checkpoint."""
    model = Model()
    path = pathlib.Path(__file__).with_name("weights.safetensors")
    model.load_state_dict(load_file(path))
{frozen}    return model.train(training)
'''

#: In the class of the whole graph, where TensorFlow's training mode computes something else.
_INFERENCE_ALONE = '''
    def train(self, mode=True):
        """Refuses training mode, whose dropout and statistics are not written."""
        if mode:
            raise NotImplementedError({words})
        return super().train(mode)'''


def text(root, title, refusal, frozen=()):
    """Returns the text of a module.

    Args:
      root: the `ModuleSource` of the whole graph.
      title: what it is, one sentence.
      refusal: why training mode, which computes something else, is not written; "" where it is.
      frozen: keys of parameters of layers that the graph does not train.
    """
    classes = module_classes.classes(root)
    bodies = [_class_text(each, classes, root) for each in classes.values()]
    if refusal:
        bodies[-1] += "\n" + _INFERENCE_ALONE.format(words=_refusal_words(refusal))
    names = expressions.sequence([f'"{name}"' for name in frozen], "[", "]")
    lines = code_layout.laid_out(names, str, "    ", "for name in ", ":") if frozen else []
    lines += ["        model.get_parameter(name).requires_grad_(False)"] if frozen else []
    load = _LOAD.format(frozen="".join(line + "\n" for line in lines))
    source = "\n\n\n".join(bodies) + "\n" + load
    helpers = torch_helpers.needed(source)
    return _header(title, helpers + source) + helpers + source


def _refusal_words(refusal):
    """Returns a text, of lines that are short enough."""
    words = f"keep eval(): {refusal}"
    if len(words) < 46:
        return json.dumps(words)
    lines = textwrap.wrap(words, 66)
    texts = [json.dumps(line + " ") for line in lines[:-1]] + [json.dumps(lines[-1])]
    inner = "".join(f"\n                {text}" for text in texts)
    return inner + "\n            "


def _header(title, source):
    docstring = "\n".join(textwrap.wrap(title, 84))
    docstring = f'"""{docstring}"""' if "\n" not in docstring else f'"""{docstring}\n"""'
    standard = [f"import {name}" for name in ("math", "pathlib") if name + "." in source]
    imports = ["import torch"] if "torch." in source else []
    imports += ["import torch.nn.functional as F"] if "F." in source else []
    imports += ["from safetensors.torch import load_file", "from torch import nn"]
    return "\n".join([docstring, "", *standard, "", *imports, "", "", ""])


def _class_text(made, classes, root):
    """Returns the text of one `ModuleClass`."""
    module = made.first
    names = made.argument_names()
    lines = [f"class {made.name}(nn.Module):"]
    lines += [f'    """{_scope_words(made)}"""', ""]
    lines.append("    def __init__({}):".format(", ".join(["self", *names])))
    lines.append("        super().__init__()")
    lines += [f"        self.{name} = {name}" for name in made.stored()]
    lines += _members(made, classes)
    lines.append("")
    lines += _method(made, module is root)
    return "\n".join(lines)


def _scope_words(made):
    paths = ["/".join(module.body.scope.module) for module in made.modules]
    if not paths[0]:
        return "The whole graph."
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"Scope `{paths[0]}`{more}."


def _members(made, classes):
    lines, show = [], made.show(in_method=False)
    for attribute, member in made.first.body.members.items():
        if attribute in made.first.children:
            lines.append(f"        self.{attribute} = {made.construction(attribute, classes)}")
            continue
        if isinstance(member, Run):
            lines += _list_of_modules(made, attribute, member, classes)
            continue
        code = made.first.constructors[attribute]
        before, after = f"self.{attribute} = ", ""
        if torch_helpers.is_buffer(code):
            before, after = f'self.register_buffer("{attribute}", ', ")"
        lines += code_layout.laid_out(code, show, "        ", before, after)
    return lines


def _list_of_modules(made, attribute, run, classes):
    count = len(run.calls)
    texts = [made.construction(f"{attribute}.{i}", classes) for i in range(count)]
    if len(set(texts)) == 1:
        items = [expressions.code(f"{texts[0]} for _ in range({count})")]
        brackets = expressions.Code([expressions.Group("(", items, ")", has_comma=False)])
    else:
        brackets = expressions.Code(["(", expressions.sequence(texts, "[", "]"), ")"])
    code = expressions.Code(["nn.ModuleList", brackets])
    return code_layout.laid_out(code, str, "        ", f"self.{attribute} = ")


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


def _method(made, is_root):
    body, show = made.first.body, made.show(in_method=True)
    names = [name for name, _ in body.arguments]
    parameters = ["self", "*", *names] if is_root and names else ["self", *names]
    lines = _definition(parameters)
    indent = "        "
    lines += _checks(made) if is_root else []
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


def _definition(parameters):
    line = "    def forward({}):".format(", ".join(parameters))
    if len(line) <= code_layout.WIDTH:
        return [line]
    body = "        " + ", ".join(parameters)
    if len(body) <= code_layout.WIDTH:
        return ["    def forward(", body, "    ):"]
    return ["    def forward(", *[f"        {name}," for name in parameters], "    ):"]


def _with_return(lines, made, is_root, show):
    body = made.first.body
    code = torch_helpers.returned(body, is_root)
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
