"""Functions and classes that a model brings along where its library has none that is equal."""

import re


def needed(source, helpers):
    """Returns the text of the helpers that a source calls.

    Args:
      source: text of a module.
      helpers: {name: text}, each before what it calls it.
    """
    waiting, names = [source], set()
    while waiting:
        text = waiting.pop()
        for name in helpers:
            if re.search(rf"(?<![.])\b{name}\(", text) and name not in names:
                names.add(name)
                waiting.append(helpers[name])
    texts = [helpers[name] for name in helpers if name in names]
    return "".join(text.strip("\n") + "\n\n\n" for text in texts)
