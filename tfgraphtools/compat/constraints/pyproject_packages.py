"""Packages that a ``pyproject.toml`` names: of the project, of its extras and of poetry."""

import re

_STRING = re.compile(r"""["']([^"']+)["']""")
_TABLE = re.compile(r"\[+\s*([^\[\]]+?)\s*\]+\s*(?:#.*)?$")
_POETRY = re.compile(r"tool\.poetry\.(?:group\.[\w-]+\.)?(?:dev-)?dependencies")
_EXTRAS = ("project.optional-dependencies", "dependency-groups")


def of_pyproject(lines):
    """Yields (number, requirement) of the lines of a ``pyproject.toml``.

    It is read by lines: a library for TOML is not in every Python that this one supports.
    """
    table, is_list = "", False
    for number, line in enumerate(lines, 1):
        text = re.sub(r"\s#[^\"']*$", "", line).strip()
        match = None if is_list else _TABLE.match(text)
        if match:
            table = match.group(1)
            continue
        key, _, value = (part.strip() for part in text.partition("="))
        if is_list:
            yield from ((number, requirement) for requirement in _STRING.findall(text))
            is_list = not text.endswith("]")
        elif table in _EXTRAS or (table == "project" and key == "dependencies"):
            yield from ((number, requirement) for requirement in _STRING.findall(value))
            is_list = value.startswith("[") and not value.endswith("]")
        elif _POETRY.fullmatch(table) and re.match(r"[\w.\"-]+$", key):
            yield number, key.strip('"') + _limit(value)


def _limit(value):
    """Returns the limit of a version of poetry: ``^1.2`` is ``>=1.2,<2``."""
    match = re.search(r"version\s*=\s*[\"']([^\"']*)[\"']", value) if "{" in value else None
    match = match or re.match(r"[\"']([^\"']*)[\"']$", value)
    text = match.group(1).replace(" ", "") if match else ""
    if text[:1] in ("^", "~") and not text.startswith("~="):
        return f">={text[1:]},<{_next(text)}"
    return "==" + text if text[:1].isdigit() else "" if text == "*" else text


def _next(text):
    """Returns the version at which ``^1.2`` or ``~1.2`` ends."""
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    if text[0] == "~":
        position = min(1, len(numbers) - 1)
    else:  # the first number that is not 0
        position = next((i for i, number in enumerate(numbers) if number), len(numbers) - 1)
    return ".".join(map(str, [*numbers[:position], numbers[position] + 1]))
