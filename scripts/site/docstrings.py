"""How griffe reads our docstrings: ``Example:`` holds doctests, as its own ``Examples:`` does."""

import re

import griffe


class Examples(griffe.Extension):
    """Renames the section before the docstring is parsed."""

    def on_object(self, *, obj, **kwargs):
        if obj.docstring is not None:
            obj.docstring.value = re.sub(
                r"^( *)Example:$", r"\1Examples:", obj.docstring.value, flags=re.MULTILINE
            )
