"""The text of ``model.py`` for PyTorch."""

from tfgraphtools.graphs.source_code.scopes import method_text, module_classes
from tfgraphtools.graphs.source_code.scopes.repeated_calls import Run
from tfgraphtools.graphs.source_code.statements import code_layout, expressions
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
        bodies[-1] += "\n" + _INFERENCE_ALONE.format(
            words=method_text.refusal_words(f"keep eval(): {refusal}")
        )
    names = expressions.sequence([f'"{name}"' for name in frozen], "[", "]")
    lines = code_layout.laid_out(names, str, "    ", "for name in ", ":") if frozen else []
    lines += ["        model.get_parameter(name).requires_grad_(False)"] if frozen else []
    load = _LOAD.format(frozen="".join(line + "\n" for line in lines))
    source = "\n\n\n".join(bodies) + "\n" + load
    helpers = torch_helpers.needed(source)
    header = method_text.header(title, _imports(helpers + source), helpers + source)
    return header + helpers + source


def _imports(source):
    imports = ["import torch"] if "torch." in source else []
    imports += ["import torch.nn.functional as F"] if "F." in source else []
    return [*imports, "from safetensors.torch import load_file", "from torch import nn"]


def _class_text(made, classes, root):
    """Returns the text of one `ModuleClass`."""
    module = made.first
    names = made.argument_names()
    lines = [f"class {made.name}(nn.Module):"]
    lines += [f'    """{method_text.scope_words(made)}"""', ""]
    lines.append("    def __init__({}):".format(", ".join(["self", *names])))
    lines.append("        super().__init__()")
    lines += [f"        self.{name} = {name}" for name in made.stored()]
    lines += _members(made, classes)
    lines.append("")
    lines += method_text.method(made, module is root)
    return "\n".join(lines)


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
    modules = method_text.list_of_modules(made, attribute, run, classes, "()")
    if modules.parts[0].opening == "[":
        modules = expressions.Code(["(", modules, ")"])
    code = expressions.Code(["nn.ModuleList", modules])
    return code_layout.laid_out(code, str, "        ", f"self.{attribute} = ")
