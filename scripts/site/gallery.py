"""The gallery page: every recipe with its question, its picture and its source."""

import ast
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RECIPES = ROOT / "scripts" / "recipes"
PICTURES = ROOT / "docs" / "pictures"

GROUPS = {
    "f": "Fine-tuning",
    "a": "Frozen elements",
    "b": "Masks and statistics",
    "c": "Gradients",
    "d": "Probing and factors",
    "e": "Learning rates",
    "g": "Averages, norms and accumulation",
    "m": "Migration to Keras 3",
}


def recipes():
    """The recipes' paths, group by group."""
    paths = sorted(RECIPES.glob("[!_]*.py"))
    return [path for letter in GROUPS for path in paths if path.name[0] == letter]


def title_and_text(path):
    """The first line of a recipe's docstring, without its number, and the rest."""
    doc = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    title, _, text = doc.partition("\n\n")
    title = re.sub(r"^[A-Z]\d: ", "", " ".join(title.split()))
    return title[0].upper() + title[1:], re.sub(r"^Usage: .*$", "", text, flags=re.MULTILINE)


def page():
    """The Markdown of the gallery."""
    lines = [
        "# Gallery",
        "",
        "Each recipe is a script that answers a question, prints its figures, and runs on TF 1.15",
        "and TF 2.x: `python scripts/recipes/NAME.py`. A test checks every figure.",
    ]
    group = None
    for path in recipes():
        if path.name[0] != group:
            group = path.name[0]
            lines += ["", f"## {GROUPS[group]}"]
        title, text = title_and_text(path)
        lines += ["", f"### {title.rstrip('.')}", "", text, ""]
        if (PICTURES / (path.stem + ".png")).exists():
            lines += [f"![{title}](pictures/{path.stem}.png){{ loading=lazy }}", ""]
        source = path.read_text(encoding="utf-8").split('"""', 2)[2].strip()
        lines += [f'??? example "`scripts/recipes/{path.name}`"', "", "    ```python"]
        lines += ["    " + line if line else "" for line in source.splitlines()]
        lines += ["    ```"]
    return "\n".join(lines) + "\n"
