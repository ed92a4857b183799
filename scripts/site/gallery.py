"""The gallery: a page for every recipe, with its question, its picture and its source."""

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
    "h": "Methods by name",
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


def pages():
    """Returns {path in the docs: Markdown}: a list of the recipes, and a page for each."""
    pages = {f"gallery/{path.stem}.md": _page_of(path) for path in recipes()}
    return {"gallery.md": _list(), **pages}


def _list():
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
            lines += ["", f"## {GROUPS[group]}", ""]
        lines.append(f"- [{title_and_text(path)[0].rstrip('.')}](gallery/{path.stem}.md)")
    return "\n".join(lines) + "\n"


def _page_of(path):
    title, text = title_and_text(path)
    lines = [f"# {title.rstrip('.')}", "", text, ""]
    if (PICTURES / (path.stem + ".png")).exists():
        lines += [f"![{title}](../pictures/{path.stem}.png)", ""]
    source = path.read_text(encoding="utf-8").split('"""', 2)[2].strip()
    lines += ["## The script", "", f"`scripts/recipes/{path.name}`", "", "```python", source, "```"]
    return "\n".join(lines) + "\n"
