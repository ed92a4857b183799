"""The entries that a model has in its library, of templates in a family's data.

``{a,b}`` in a template stands for each of its words; ``#`` counts layers from 0, as many as the
checkpoint has below the name in front of it; a leading ``?`` marks what a model can do without. A
template may be a `settings.If` on the entries that there are.
"""

import itertools
import re

from tfgraphtools.checkpoints.families import settings


def expanded(templates, names):
    """Returns ({names that must be there}, {names that may be there}).

    Args:
      templates: strings, or `settings.If`.
      names: the entries that a checkpoint makes, which say how many layers there are.

    Example:
      >>> needed, optional = expanded(["h.#.{w,b}", "?head"], ["h.1.w"])
      >>> sorted(needed), optional
      (['h.0.b', 'h.0.w', 'h.1.b', 'h.1.w'], {'head'})
    """
    needed, optional, there = set(), set(), dict.fromkeys(names, ())
    for template in templates:
        template = settings.value_of(template, {}, there)
        if template is settings.ABSENT:
            continue
        expected = optional if template.startswith("?") else needed
        for name in _worded(template.lstrip("?")):
            expected.update(_counted(name, names))
    return needed, optional


def of_model(target, model, names):
    """Returns (names that a model has, those that only other models of the target have).

    Both are None for a target without templates: its library checks what it loads.
    """
    if not target.entries:
        return None, None
    own = set().union(*expanded(target.entries[model], names))
    every = (expanded(templates, names) for templates in target.entries.values())
    return own, {name for sets in every for name in set().union(*sets)} - own


def missing(target, model, names):
    """Returns ([names that the model lacks], [names that the library fills at random])."""
    if not target.entries:
        return [], []
    needed, optional = expanded(target.entries[model], names)
    return sorted(needed - set(names)), sorted(optional - set(names))


def _worded(template):
    """Returns a template with every choice of the words in its braces."""
    parts = re.split(r"\{(.*?)\}", template)
    choices = [part.split(",") if i % 2 else [part] for i, part in enumerate(parts)]
    return ["".join(chosen) for chosen in itertools.product(*choices)]


def _counted(template, names):
    """Returns a template with every number of a layer in place of its ``#``."""
    before, sign, after = template.partition("#")
    if not sign:
        return [template]
    pattern = re.compile(re.escape(before) + r"(\d+)(?!\d)")
    numbers = [int(match.group(1)) for match in map(pattern.match, names) if match]
    # More layers than tensors are no model: enough of them to see what is missing.
    layers = min(max(numbers, default=-1), len(names)) + 1
    return [name for layer in range(layers) for name in _counted(f"{before}{layer}{after}", names)]
