"""The text of ``training.py`` for PyTorch."""

from tfgraphtools.graphs.source_code.scopes import module_classes
from tfgraphtools.graphs.source_code.statements import code_layout, expressions
from tfgraphtools.graphs.source_code.statements.expressions import Literal, Local
from tfgraphtools.graphs.source_code.torch import torch_helpers, torch_optimizers

_TEXT = '''"""Training as the TF1 graph trains: its loss, its optimizer and one step.

    model = load(training=True)
    optimizer = load_optimizer(model)
    train_step(model, optimizer, {example})
"""

{imports}


{classes}{rate}def compute_loss({loss_parameters}):
    """Returns the loss that the graph calls `{loss_name}`."""
{loss}


def load_optimizer(model):
    """Returns the optimizer, which goes on where the checkpoint stopped."""
    state = load_file(pathlib.Path(__file__).with_name("optimizer.safetensors"))
    parameters = {selected}
    optimizer = {constructor}
    group = optimizer.param_groups[0]
    group["global_step"] = state["global_step"]
{loading}    return optimizer


def train_step({step_parameters}):
    """Changes the model as one step of the graph does; returns the loss before it."""
    model.train()
    optimizer.zero_grad()
    outputs = model({model_arguments})
    loss = compute_loss({loss_arguments})
    loss.backward(){clipping}
    group = optimizer.param_groups[0]
    group["lr"] = {lr}
    optimizer.step()
    group["global_step"] += 1
    return loss.detach()
'''


def text(training):
    """Returns the text of a `training_code.Training`."""
    optimizer = training.optimizer
    fed = training.fed_by_loss
    inputs = list(training.model_inputs)
    others = [name for name in fed if name not in inputs]
    rate_name = "" if training.rate_argument is None else training.rate_argument
    names = [*inputs, *others, *([rate_name] if rate_name else [])]
    loss_parameters = [*(["model"] if training.reads_model else []), *training.outputs, *fed]
    values = [
        f'{name}=outputs["{key}"]' if training.has_several else f"{name}=outputs"
        for name, key in training.outputs.items()
    ]
    arguments = [*(["model"] if training.reads_model else []), *values]
    arguments += [f"{name}={name}" for name in fed]
    body = _TEXT.format(
        imports="@imports@",
        classes="@helpers@" + _class_text(optimizer),
        example=", ".join(f"{name}=..." for name in names),
        rate=_rate_text(training),
        loss_parameters=", ".join(loss_parameters),
        loss_name=training.loss_name,
        loss="\n".join(function_lines(training.loss, training.loss_members)),
        selected=_selected(training),
        constructor=torch_optimizers.constructor(optimizer),
        loading=_loading(optimizer),
        step_parameters=", ".join(["model", "optimizer", "*", *names]),
        model_arguments=", ".join(f"{name}={name}" for name in inputs),
        loss_arguments=", ".join(arguments),
        clipping=torch_optimizers.clipping(optimizer),
        lr=rate_name or training.rate_text,
    )
    helpers = torch_helpers.needed(body)
    body = body.replace("@helpers@", helpers)
    return body.replace("@imports@", _imports(body))


def _imports(body):
    lines = ["import math"] if "math." in body else []
    lines += ["import pathlib", ""]
    lines += ["import torch"] if "torch." in body.replace("safetensors.torch.", "") else []
    lines += ["import torch.nn.functional as F"] if "F." in body else []
    return "\n".join([*lines, "from safetensors.torch import load_file"])


def _class_text(optimizer):
    source = torch_optimizers.CLASSES.get(optimizer.kind, "")
    return source.strip("\n") + "\n\n\n" if source else ""


def _rate_text(training):
    if training.rate is None:
        return ""
    lines = "\n".join(function_lines(training.rate, training.rate_members))
    head = 'def learning_rate(step):\n    """Returns the learning rate of a step, a tensor."""\n'
    return head + lines + "\n\n\n"


def _selected(training):
    conditions = ["p.requires_grad"] if training.has_frozen else []
    if training.left_out:
        names = ", ".join(f'"{name}"' for name in training.left_out)
        conditions.append(f"name not in [{names}]")
    if not conditions:
        return "dict(model.named_parameters())"
    words = " and ".join(conditions)
    return f"{{name: p for name, p in model.named_parameters() if {words}}}"


def _loading(optimizer):
    lines = [f'    group["{name}"] = state["{name}"].item()' for name in optimizer.powers]
    slots = list(optimizer.updates[0].slots)
    if slots:
        rows = ", ".join(f'"{name}": state[name + ".{name}"]' for name in slots)
        rows = rows.replace("state[name + ", "state[key + ")
        if optimizer.kind == "Adagrad":
            rows = '"step": torch.tensor(0.0), ' + rows
        lines += ["    for key, parameter in parameters.items():"]
        lines += [f"        optimizer.state[parameter] = {{{rows}}}"]
    return "".join(line + "\n" for line in lines)


def function_lines(module, members):
    """Returns the lines of the body of a function.

    Args:
      module: the `ModuleSource` of a program.
      members: {attribute: the text that takes its place}.
    """

    def show(leaf):
        if isinstance(leaf, Literal):
            return module_classes.literal_text(leaf.value)
        return module.names[leaf] if isinstance(leaf, Local) else members[leaf.name]

    lines = []
    for statement in module.body.statements:
        targets = [module.names.get(target, "_") for target in statement.targets]
        lines += code_layout.laid_out(statement.value, show, "    ", ", ".join(targets) + " = ")
    returned = module.body.returned[0]
    last = module.body.statements[-1] if module.body.statements else None
    if last is not None and returned.parts == [last.targets[0]]:
        count = len(
            code_layout.laid_out(last.value, show, "    ", module.names[last.targets[0]] + " = ")
        )
        return lines[:-count] + code_layout.laid_out(last.value, show, "    ", "return ")
    return lines + code_layout.laid_out(expressions.code(returned), show, "    ", "return ")
