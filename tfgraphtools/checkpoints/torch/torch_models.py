"""PyTorch models and state dicts, wherever they are; the one place that imports PyTorch."""

import collections
import contextlib
import importlib
import importlib.util
import os
import sys

from tfgraphtools.checkpoints.format import dtypes, safetensors_files
from tfgraphtools.checkpoints.format.wire import reading
from tfgraphtools.checkpoints.read.local_files import File
from tfgraphtools.checkpoints.torch import torch_units
from tfgraphtools.checkpoints.torch.torch_units import Weight
from tfgraphtools.errors import MissingExtraError, ModelError

#: What a conversion asks of a model. ``targets``: its units; ``entries``: {name: `Weight`} of its
#: state dict, in order; ``tied``: {name: the first name of the same tensor}; ``values(name)``
#: gives an entry's own array, as float32 where NumPy lacks its type (bfloat16); ``module``: a live
#: one, or None.
Model = collections.namedtuple("Model", "targets entries tied values module")


def load(model, place="plan_torch"):
    """Returns the `Model` of a live module, a state dict, a file, or ``pkg.module:function``.

    Args:
      model: a ``torch.nn.Module``; {name: tensor or array}; a ``.safetensors`` file, which needs
        no PyTorch, or a ``.pt``, ``.pth`` or ``.bin`` file of a state dict; or the name of a
        function without arguments that returns a module, ``pkg.module:build`` or
        ``model.py:build``.

    Raises:
      ModelError: it is none of these, or cannot be loaded.
      MissingExtraError: PyTorch is needed and is not installed.
    """
    if isinstance(model, Model):
        return model
    if isinstance(model, (str, os.PathLike)):
        model = os.fspath(model)
        if model.endswith(".safetensors"):
            return _of_safetensors(model)
        model = _from_file(model) if model.endswith((".pt", ".pth", ".bin")) else _built(model)
    if hasattr(model, "named_modules") and hasattr(model, "state_dict"):
        return _of_module(model)
    if isinstance(model, collections.abc.Mapping) and model:
        return _of_dict(model)
    raise ModelError(
        place,
        "a torch.nn.Module, a state dict, a .safetensors or .pt file, or pkg.module:function",
        f"a {type(model).__module__}.{type(model).__name__}",
        "Pass model=net, like='model.safetensors' or model='my_model.py:build'.",
    )


def require_torch(feature):
    """Imports PyTorch, or says what needs it.

    Raises:
      MissingExtraError: it is not installed.
    """
    try:
        return importlib.import_module("torch")
    except ImportError:
        raise MissingExtraError(
            feature,
            "PyTorch",
            "none installed",
            "pip install torch, or use a .safetensors file, which does not need it.",
        )


def _of_module(module):
    state, modules = module.state_dict(keep_vars=True), dict(module.named_modules())
    entries, first, tied = collections.OrderedDict(), {}, {}
    for name, value in state.items():
        key = (value.data_ptr(), tuple(value.shape), value.stride()) if value.numel() else id(value)
        if key in first:
            tied[name] = first[key]
            continue
        first[key] = name
        entries[name] = Weight(name, tuple(value.shape), str(value.dtype).rpartition(".")[2])

    def kind_of(path):
        owner = modules.get(path)
        return torch_units.class_kind(owner), _config(owner)

    return Model(
        torch_units.group(entries, kind_of),
        entries,
        tied,
        lambda name: values_of(state[name]),
        module,
    )


def _config(module):
    asked = {"eps": "epsilon", "nonlinearity": "nonlinearity", "stride": "strides"}
    if hasattr(module, "transposed"):  # a convolution
        asked.update(padding="pads", dilation="dilation", transposed="is_transposed")
        asked.update(padding_mode="padding_mode", output_padding="output_padding")
    settings = {name: getattr(module, theirs, None) for theirs, name in asked.items()}
    if hasattr(module, "running_mean") and module.momentum is not None:
        settings["momentum"] = 1 - module.momentum  # of PyTorch: the part that is new
    return {name: value for name, value in settings.items() if value is not None}


def _of_dict(state):
    entries = collections.OrderedDict(
        (name, Weight(name, tuple(value.shape), str(value.dtype).rpartition(".")[2]))
        for name, value in state.items()
    )

    return Model(torch_units.group(entries), entries, {}, lambda name: values_of(state[name]), None)


def values_of(value):
    """Returns the values of a tensor or array, as float32 where NumPy lacks its type."""
    import numpy as np

    is_foreign = str(value.dtype).rpartition(".")[2] in dtypes.FOREIGN_FLOATS
    if hasattr(value, "detach"):
        value = value.detach().cpu()
        return (value.float() if is_foreign else value).resolve_conj().numpy()
    return np.asarray(value).astype(np.float32) if is_foreign else value


def _of_safetensors(path):
    file = File(path)
    with reading(path):
        tensors, _ = safetensors_files.members(file)
    by_name = {member.key: member for member in tensors}
    entries = collections.OrderedDict(
        (member.key, Weight(member.key, tuple(member.shape), member.dtype.name))
        for member in sorted(tensors, key=lambda member: member.key)
    )

    def value_of(name):
        import numpy as np

        member = by_name[name]
        with reading(path):
            array = np.frombuffer(member.load(), member.layout[0])
            return dtypes.widened(array, member.dtype).reshape(member.shape)

    return Model(torch_units.group(entries), entries, {}, value_of, None)


def _from_file(path):
    torch = require_torch(path)
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except FileNotFoundError:
        raise ModelError(path, "a state dict", "no such file", "Check the path.")
    except Exception as error:  # what a bad file raises is PyTorch's own choice
        raise ModelError(
            path,
            "a state dict",
            str(error).split("\n")[0][:120],
            "Save it by torch.save(net.state_dict(), ...).",
        )
    state = state.get("state_dict", state) if isinstance(state, dict) else state
    if not isinstance(state, dict) or not all(
        hasattr(tensor, "shape") for tensor in state.values()
    ):
        raise ModelError(
            path,
            "a state dict",
            f"a {type(state).__name__}" + (" with other things" * isinstance(state, dict)),
            "Save it by torch.save(net.state_dict(), ...).",
        )
    return state


def _built(text):
    """Returns the module that ``pkg.module:function`` or ``model.py:function`` returns."""
    where, _, function = text.rpartition(":")
    if text.endswith(".py"):
        raise ModelError(
            text,
            "a Python file and the function in it that returns a torch.nn.Module",
            "the file alone",
            f"Write {text}:build, with the function's name.",
        )
    if not where or not function.isidentifier():
        is_checkpoint = os.path.exists(text) or os.path.exists(text + ".index")
        raise ModelError(
            text,
            "model.py:function, pkg.module:function, or a .safetensors or .pt file of PyTorch",
            "another file" if is_checkpoint else "none of them",
            "Write 'my_model.py:build' or 'package.module:Class', or save the net's state dict: "
            "torch.save(net.state_dict(), 'net.pt').",
        )
    require_torch(text)
    try:
        with _importable():
            module = (
                _python_file(where) if where.endswith(".py") else importlib.import_module(where)
            )
        return getattr(module, function)()
    except Exception as error:  # the user's code may raise anything
        raise ModelError(
            text,
            "a function without arguments that returns a torch.nn.Module",
            f"{type(error).__name__}: {error}",
            "Write 'my_model.py:build' or 'package.module:Class'.",
        )


@contextlib.contextmanager
def _importable():
    """Makes modules of the working folder importable while open."""
    sys.path.insert(0, os.getcwd())
    try:
        yield
    finally:
        sys.path.remove(os.getcwd())


def _python_file(path):
    spec = importlib.util.spec_from_file_location("_tfgraphtools_model", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
