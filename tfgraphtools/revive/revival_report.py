"""The report: one text for REVIVED.md and the HTML page, and a workflow for CI."""

import html
import re

from tfgraphtools import html_page

_STYLE = "th, .place { white-space: nowrap; }\n"

_WORKFLOW = """\
name: revived
on: [push]
jobs:
  run:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with: {{python-version: "{python}"}}
{runs}
"""

#: What a person has to put in place of the path: this library is installed from a clone.
_INSTALL = 'pip install -r requirements-revived.txt "path/to/tfgraphtools[run]"'


def markdown(plan, commands, results, passed):
    """Returns the text of ``REVIVED.md``.

    Args:
      plan: a `repository_plan.Plan`.
      commands: all commands, as `entry_points.Command`s.
      results: {stage: its result}.
      passed: whether every command runs.
    """
    environment = results["environment"]
    name = re.split(r"[/\\]", plan.folder)[-1]
    verdict = "Every command runs." if passed else "Not every command runs."
    parts = [f"# {name}, revived", "", f"{verdict} {original(results['changed'])}", ""]
    parts += ["## Commands", ""]
    parts += _commands(results)
    parts.append("")
    parts += [f"- not run: `{c.line}` ({c.place}): {c.obstacle}" for c in commands if c.obstacle]
    parts += _failures(results)
    parts += _written_files(results["compare"]["files"])
    parts += ["", "## Environment", ""]
    parts.append(f"Python {environment['python']}, TensorFlow {environment['tensorflow']}.")
    parts += ["", *_packages(environment), ""]
    parts += [
        f"- `run` translates the installed package {package}, too: {why}"
        for package, why in sorted(environment["translated"].items())
    ]
    if plan.urls:
        parts += ["", "Not installed, because they are URLs:", ""]
        parts += [f"- `{url}` ({place})" for url, place in plan.urls]
    parts += ["", "## Upgrade", "", *_upgrade(results["upgrade"])]
    parts += ["", "## What is not supported", "", *_unsupported(environment)]
    parts += ["", "## Checkpoints", "", *_checkpoints(results["checkpoints"])]
    parts += ["", "## Data", "", *_data(plan, results)]
    parts += ["", "## Repeat it", "", *_repeat(results)]
    parts += ["", "## What the repository says", "", "```text", *plan.lines(), "```", ""]
    return "\n".join(parts)


def original(changed):
    """Returns a sentence about the repository, from the names that are not as they were copied."""
    if not changed:
        return "The repository is as it was, file by file."
    shown = ", ".join(changed[:5]) + ", ..." * (len(changed) > 5)
    return f"In the repository, {len(changed)} files changed since it was copied: {shown}."


def _commands(results):
    """Yields the table of the commands."""
    yield "| command | from | under `run` | TF 1.15 | upgraded, plain Python |"
    yield "|---|---|---|---|---|"
    commands = results["run"]["commands"]
    why = {"text": results["compare"].get("why", "")}
    compared = results["compare"]["commands"] or [why] * len(commands)
    for before, there, after in zip(commands, compared, results["upgrade"]["commands"]):
        cells = [
            f"`{before['line']}`",
            before["place"],
            _status(before),
            there["text"],
            _status(after),
        ]
        yield "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _cell(text):
    return text.replace("\n", "; ").replace("|", "\\|")


def _status(command):
    status = command["status"]
    if command["checkpoints"]:
        status += f", {command['checkpoints']} checkpoints written"
    if "needs" in command:
        status += f", with {command['needs']}"
    return status if command["runs"] else "**" + status + "**"


def _failures(results):
    """Yields the cause and the remedy of each failure."""
    for stage, title in (("run", "under `run`"), ("upgrade", "upgraded")):
        for command in results[stage]["commands"]:
            cause = command["cause"]
            if cause:
                place = f" at {cause['place']}" if cause["place"] else ""
                line = _cell(command["line"].strip())
                yield f"- `{line}`, {title}: {cause['kind']}: {cause['what']}{place}. "
                yield f"  Next: {cause['remedy']}"


def _written_files(files):
    """Returns the section about the files that the commands wrote here and under TF 1.15."""
    if not any(files.values()):
        return []
    lines = ["", "## Files that they wrote, beside TF 1.15", "", files_line(files), ""]
    lines += [f"- `{name}`: {_cell(difference)}" for name, difference in files["other"]]
    lines += [
        f"- `{name}`: not compared: it varies between two runs of TF 1.15"
        for name in files["varying"]
    ]
    not_compared = files["not_compared"]
    return lines + [f"- `{name}`: not compared: {_cell(why)}" for name, why in not_compared]


def files_line(files):
    """Returns how many of the files that `file_comparison.compared` compared are the same."""
    same, compared = len(files["same"]), len(files["same"]) + len(files["other"])
    line = f"{same} of {compared} written files are as on TF 1.15"
    line += f"; {len(files['varying'])} vary there" * bool(files["varying"])
    return line + f"; {len(files['not_compared'])} not compared" * bool(files["not_compared"])


def _packages(environment):
    if not environment["packages"]:
        return ["The code imports no other package."]
    lines = ["| package | version | why | asked for by |", "|---|---|---|---|"]
    for choice in environment["packages"]:
        version = choice["version"] or "**not installed**"
        cells = [choice["package"], version, choice["reason"], choice["place"]]
        lines.append("| " + " | ".join(_cell(cell) for cell in cells) + " |")
    return lines


def _upgrade(result):
    where = "on the branch `revived` of `upgraded/`" if result["branch"] else "in `upgraded/`"
    left = result["left"]
    lines = [f"{result['changed']} files were changed, {where}; {len(left)} uses are left."]
    if result["branch"]:
        lines += ["`git log -p original..revived` shows them, a commit for each kind of change."]
    lines += [""] * bool(left)
    for finding in left:
        why = ": ".join(filter(None, [finding["detail"], finding["remedy"]]))
        lines.append(f"- {finding['path']}:{finding['line']}: {finding['name']}: {why}")
    return lines


def _unsupported(environment):
    names = environment["unsupported"]
    lines = [f"- {e['name']}: {e['why']} ({', '.join(e['places'])})" for e in names]
    return lines or ["`tfgraphtools doctor` names nothing."]


def _checkpoints(result):
    entries = result["checkpoints"]
    lines = [f"- {e['state']}" + _becomes(e) for e in entries]
    if entries:
        path = entries[0]["path"]
        lines += [
            "",
            f"`tfgraphtools ckpt ls {path}` lists one; `ckpt convert {path} OUT --to safetensors`",
            "(or `npz`) needs nothing else, `--to keras` and `--to torch` need the model, but for",
            "known families.",
        ]
    return lines or ["No checkpoint of TensorFlow was written or is in the repository."]


def _becomes(entry):
    """Returns the family of a checkpoint and the models that it can become, in words."""
    models = [f"{model} of {library}" for library, model in entry["models"].items()]
    can = " can become " + ", ".join(models) if models else ""
    return f" ({entry['family']}{can})" if entry["family"] else ""


def _data(plan, results):
    missing = [file for file in plan.files if not file.is_here]
    lines = [
        f"- `{file.path}` is not in the repository ({file.place})"
        + "; the commands write it" * (file.path in results["written"])
        for file in missing
    ]
    lines += [f"- `{name}` is a link that leads outside" for name in results["copy"]["outside"]]
    return lines or ["No source names, as a constant, a file of data that is not there."]


def _repeat(results):
    yield "```sh"
    yield from _setup(results)
    yield "cd original  # the code as it was"
    yield from _lines(results["run"])
    yield "cd ../upgraded  # the upgraded code"
    yield from _lines(results["upgrade"])
    yield "```"


def _setup(results):
    """Yields the commands that make the environment, beside ``requirements-revived.txt``."""
    yield _INSTALL
    if results["environment"]["legacy"]:
        yield "tfgraphtools legacy install"


def _lines(result):
    """Yields the lines of a shell that repeat the commands of a stage."""
    path = "".join(f"$PWD/{folder}:" for folder in result["path"])
    for command in result["commands"]:
        for line in command["repeat"]:
            yield f'PYTHONPATH="{path}$PYTHONPATH" {line}' if path else line


def workflow(results):
    """Returns a workflow of GitHub Actions that runs the commands."""
    lines = [*_setup(results), *_lines(results["run"])]
    indent = "\n" + " " * 10
    runs = "\n".join("      - run: |" + indent + line.replace("\n", indent) for line in lines)
    return _WORKFLOW.format(python=results["environment"]["python"], runs=runs)


def page(plan, text):
    """Returns the report as one HTML page, from the text of ``REVIVED.md``."""
    body, table, code = [], [], None
    for line in [*text.splitlines(), ""]:  # an empty line ends a table
        if line.startswith("```"):
            if code is not None:
                body.append("<pre>" + html.escape("\n".join(code)) + "</pre>")
            code = [] if code is None else None
        elif code is not None:
            code.append(line)
        elif line.startswith("|"):
            table.append(line)
        else:
            body += _table(table) if table else []
            table = []
            body += _paragraph(line)
    title = re.split(r"[/\\]", plan.folder)[-1] + ", revived"
    return html_page.page(title, "\n".join(body), _STYLE)


def _paragraph(line):
    heading = re.match(r"(#+) (.*)", line)
    if heading:
        level = len(heading.group(1))
        return [f"<h{level}>{_inline(heading.group(2))}</h{level}>"]
    return [f"<p>{_inline(line)}</p>"] if line.strip() else []


def _table(lines):
    rows = [re.split(r"(?<!\\)\|", line.strip())[1:-1] for line in lines]
    result = ["<table>"]
    for number, cells in enumerate(rows):
        if number != 1:  # the line of dashes
            shown = (_table_cell(cell.strip(), is_head=number == 0) for cell in cells)
            result.append("<tr>" + "".join(shown) + "</tr>")
    return [*result, "</table>"]


def _table_cell(text, is_head):
    tag = "th" if is_head else "td"
    style = " class='place'" if re.fullmatch(r"\S{1,30}:\d+|--run", text) else ""
    return f"<{tag}{style}>{_inline(text)}</{tag}>"


def _inline(text):
    text = html.escape(text.replace("\\|", "|"))
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    return re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", text)
