"""Names of a graph as names of Python."""

import keyword
import re

#: Names that mean something else in the code that is written.
_TAKEN = frozenset("self torch F nn keras ops training load math super float int max min".split())
#: Attributes that a module of PyTorch or Keras has of its own.
_OF_MODULES = frozenset(
    "training forward call build eval train apply float double half type to cpu cuda parameters "
    "buffers modules children state_dict name weights losses metrics compute_mask get_config dtype "
    "T_destination dump_patches share_memory zero_grad requires_grad_ register_buffer compile "
    "add_module named_parameters named_modules extra_repr call_super_init".split()
)
_WORD = re.compile(r"[^0-9a-zA-Z_]+")


def variable_name(name):
    """Returns a name for a local variable."""
    text = _plain(name)
    return text + "_" if keyword.iskeyword(text) or text in _TAKEN else text


def attribute_name(name):
    """Returns a name for an attribute of a module."""
    text = _plain(name)
    return text + "_" if keyword.iskeyword(text) or text in _OF_MODULES else text


def class_name(name):
    """Returns a name for a class: ``self_attention_1`` is SelfAttention."""
    words = [word for word in re.split(r"_+|(?<=[a-z])(?=[A-Z])", _plain(name)) if word]
    words = [word for word in words if not word.isdigit()] or ["Block"]
    text = "".join(word[:1].upper() + word[1:] for word in words)
    text = re.sub(r"\d+$", "", text) or "Block"
    return text if text[:1].isalpha() and not keyword.iskeyword(text) else "Block" + text


def unused(name, taken):
    """Returns a name that is not taken, with a number where it is."""
    number, result = 1, name
    while result in taken:
        number += 1
        result = f"{name}{number}" if not name[-1:].isdigit() else f"{name}_{number}"
    return result


def _plain(name):
    text = _WORD.sub("_", name).strip("_") or "x"
    return "_" + text if text[:1].isdigit() else text
