"""Reference pages made from the code: public names from ``__all__``, options from argparse."""

import argparse
import ast
import importlib.util
import os
import pathlib
import textwrap

from members import MEMBERS
from tasks import TASKS

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def _folder_of_the_package():
    """Where its source is: in this repository, or, beside a copy of the tests, installed."""
    if (ROOT / "tfgraphtools").is_dir():
        return ROOT
    return pathlib.Path(importlib.util.find_spec("tfgraphtools").origin).parent.parent


#: Page: the modules whose public names it documents.
PAGES = {
    "gradients": ["tfgraphtools.gradients"],
    "training": ["tfgraphtools.training"],
    "transforms": ["tfgraphtools.training.transforms"],
    "schedules": ["tfgraphtools.training.schedules"],
    "checkpoints": ["tfgraphtools.checkpoints"],
    "graphs": ["tfgraphtools.graphs"],
    "compat": ["tfgraphtools.compat"],
    "upgrade": ["tfgraphtools.upgrade"],
    "revive": ["tfgraphtools.revive"],
    "errors": ["tfgraphtools.errors"],
}

#: Public names that are modules; they have a page of their own.
MODULES = {"tfgraphtools.training.schedules", "tfgraphtools.training.transforms"}


def _tree_of(module):
    path = _folder_of_the_package().joinpath(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.parse(path.read_text(encoding="utf-8"))


def public_names(module):
    """The public names of a module: ``__all__``, or the classes of a module without one.

    They are read from the source: nothing is imported that needs TensorFlow.
    """
    tree = _tree_of(module)
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return sorted(ast.literal_eval(node.value))
    kinds = (ast.ClassDef, ast.FunctionDef)
    return [n.name for n in tree.body if isinstance(n, kinds) and not n.name.startswith("_")]


def _summary(module, name):
    """The first line of a name's docstring, found through the imports of its module."""
    for node in ast.walk(_tree_of(module)):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name == name:
            return " ".join((ast.get_docstring(node) or "").partition("\n\n")[0].split())
        if isinstance(node, ast.ImportFrom) and name in {alias.name for alias in node.names}:
            return _summary(node.module, name)
    return ""


def api_page(page):
    """The Markdown of a page: tables of names by task, then each name's docstring."""
    lines = []
    for module in PAGES[page]:
        names = [n for n in public_names(module) if f"{module}.{n}" not in MODULES]
        tasks = TASKS.get(page, {"": names})
        purpose = ast.get_docstring(_tree_of(module)).partition("\n\n")[0]
        lines += [f"# `{module}`", "", purpose, ""]
        for task, members in tasks.items():
            lines += [f"**{task}**", ""] if task else []
            lines += ["| name | |", "|---|---|"]
            rows = ((f"[`{name}`][{module}.{name}]", _summary(module, name)) for name in members)
            lines += [f"| {link} | {text.replace('|', chr(92) + '|')} |" for link, text in rows]
            lines.append("")
        for name in (name for members in tasks.values() for name in members):
            lines += [f"::: {module}.{name}", *_shown_members(f"{module}.{name}"), ""]
    return "\n".join(lines)


def _shown_members(name):
    """The options of an entry: a class shows what users call, of its bases too; nothing else."""
    if not name.rpartition(".")[2][:1].isupper():
        return []
    members = ", ".join(MEMBERS.get(name, "").split())
    return ["    options:", f"      members: [{members}]", "      inherited_members: true"]


def options(parser):
    """The documented arguments of one parser, as (how it is written, help) pairs."""
    for action in parser._actions:
        hidden = (argparse._HelpAction, argparse._SubParsersAction)
        if isinstance(action, hidden) or action.help == argparse.SUPPRESS:
            continue
        value = action.metavar or ("" if action.nargs == 0 else action.dest.upper())
        if action.choices and not action.metavar:
            value = "{" + ",".join(map(str, action.choices)) + "}"
        if isinstance(value, tuple):
            value = " ".join(value)
        names = ", ".join(action.option_strings)
        text = (action.help or "") % dict(vars(action), prog=parser.prog)
        yield f"{names} {value}".strip(), text


def _usage(parser):
    formatter = parser._get_formatter()
    groups = parser._mutually_exclusive_groups
    formatter.add_usage(parser.usage, parser._actions, groups, prefix="")
    return formatter.format_help().strip()


def cli_page():
    """The Markdown of the command-line reference."""
    from tfgraphtools import cli

    os.environ["COLUMNS"] = "80"  # argparse wraps the usage lines
    lines = [
        "# Command line",
        "",
        "Exit codes: 0 success, 1 differences or damage found, 2 usage error or bad input. Results",
        "go to stdout, messages and progress to stderr. `--json` prints JSON instead of a table,",
        "`--verbose` shows TensorFlow's log and the traceback of an error, and the environment",
        "variable `NO_COLOR` turns colors off. Every command has `--help`.",
    ]
    for name, parser in list(cli.subcommands())[1:]:
        level = "##" if len(name.split()) == 2 else "###"
        usage = _usage(parser)
        lines += ["", f"{level} {name}", ""]
        lines += [(parser.description or "").replace("<", "&lt;"), "", f"```text\n{usage}\n```", ""]
        rows = list(options(parser))
        if rows:
            lines += ["| argument | meaning |", "|---|---|"]
            cell = "| `{}` | {} |".format
            lines += [cell(a.replace("|", "\\|"), b.replace("|", "\\|")) for a, b in rows]
        text, _, examples = (parser.epilog or "").partition("examples:\n")
        lines += ["", text.strip()] if text.strip() else []
        lines += ["", "```sh", textwrap.dedent(examples), "```"] if examples else []
    return "\n".join(lines) + "\n"


def environment_variables_page():
    """The Markdown of the table of environment variables."""
    from tfgraphtools import environment_variables

    lines = [
        "# Environment variables",
        "",
        "An option of a command, where there is one, comes first.",
        "",
        "| variable | values | meaning |",
        "|---|---|---|",
    ]
    lines += [_row_of(row) for row in environment_variables.OWN if row.values]
    lines += [
        "",
        "## Set for child processes",
        "",
        "tfgraphtools sets them itself; leave them.",
        "",
    ]
    lines += ["| variable | meaning |", "|---|---|"]
    lines += [
        f"| `{row.name}` | {row.meaning} |" for row in environment_variables.OWN if not row.values
    ]
    lines += ["", "## Of other programs", "", "tfgraphtools follows these, too.", ""]
    lines += ["| variable | values | meaning |", "|---|---|---|"]
    lines += [_row_of(row) for row in environment_variables.OTHERS]
    return "\n".join(lines) + "\n"


def _row_of(variable):
    return f"| `{variable.name}` | {variable.values} | {variable.meaning} |"


def rewrites_page():
    """The Markdown of the table of rewrites: what `upgrade` writes for each row."""
    from tfgraphtools.compat import rewrites

    by_kind = {}
    for name, rewrite in rewrites.rewrites():
        by_kind.setdefault(type(rewrite), []).append((name, rewrite))
    total = sum(map(len, by_kind.values()))
    lines = [
        "# What `upgrade` writes",
        "",
        f"{total} expressions of old code, and the replacement of",
    ]
    lines += ["each. [The runtime](../guides/runtime.md) is `tfgraphtools.tf1`.", ""]
    for kind, title in _TITLES.items():
        found = by_kind.get(getattr(rewrites, kind), [])
        lines += [f"## {title}", "", f"{len(found)} ({100 * len(found) / total:.0f} %)", ""]
        lines += ["| old | today |", "|---|---|"]
        lines += [f"| `{name}` | {_told(rewrite)} |" for name, rewrite in found] + [""]
    return "\n".join(lines + _unseen())


def _unseen():
    """The lines about fixes whose uses the source does not always show."""
    from tfgraphtools.upgrade.clues import unseen

    lines = ["## What the source does not always show", ""]
    lines += [
        "These fixes of `run` depend on values. `upgrade` lists a use as left where the source",
        "shows it, and does not see the others. `tfgraphtools run --report` names those that a",
        "program uses.",
        "",
        "| fix | what old code means | write |",
        "|---|---|---|",
    ]
    for _, group in unseen.unseen():
        for row in group:
            cells = [text.replace("|", "\\|") for text in (row.why, row.remedy or "")]
            lines.append(f"| `{row.name}` | {' | '.join(cells)} |")
    return [*lines, ""]


#: The kinds of rewrites, in the order of the page.
_TITLES = {
    "Rename": "Renamed",
    "Module": "Modules that moved",
    "Call": "Calls whose arguments change",
    "Package": "Modules that PyPI has",
    "Syntax": "Changes of syntax",
    "Runtime": "Provided by the runtime",
    "Entry": "Enabled by a call",
    "Stays": "Not rewritten",
}


def _told(rewrite):
    if hasattr(rewrite, "reason"):
        return rewrite.reason.replace("|", "\\|")
    if hasattr(rewrite, "fixer"):
        return "Python 3 syntax"
    if hasattr(rewrite, "name"):
        return f"`pip install {rewrite.name}`"
    text = f"`{rewrite.to}`" if rewrite.to else ""
    words = [f"`{a}` → `{b}`" if b else f"without `{a}`" for a, b in _keywords(rewrite).items()]
    return ", ".join(filter(None, [text, *words]))


def _keywords(rewrite):
    found = getattr(rewrite, "keywords", {})
    return found if isinstance(found, dict) else {}
