"""The table of a corpus: counts by way, and each failure with its reason."""

from corpus_parts import ways


def line(way, script, outcome):
    """One run in one line, for those who wait."""
    mark = "ran   " if outcome.ran else "failed"
    reason = "" if outcome.ran else "  " + outcome.reason
    return f"{mark} {way:7} {outcome.seconds:4.0f} s  {script.name}{reason}"


def table(scripts, how, outcomes):
    """The counts and the failures, as Markdown.

    Args:
      scripts: the scripts that were to run.
      how: the ways, in order; the failures shown are those of the last.
      outcomes: {(way, script name): Outcome}.
    """
    lines = [f"| way | scripts that run, of {len(scripts)} |", "|---|---|"]
    for way in how:
        ran = sum(outcomes[way, script.name].ran for script in scripts)
        lines.append(f"| {ways.WAYS[way]} | {ran} |")
    lines += _beside_the_old(scripts, how, outcomes)
    failed = [script for script in scripts if not outcomes[how[-1], script.name].ran]
    if failed:
        others = [way for way in how[:-1]]
        heads = [f"does not run under {ways.WAYS[how[-1]]}", "because"]
        heads += ["runs under"] if others else []
        lines += ["", "| {} |".format(" | ".join(heads)), "|---" * len(heads) + "|"]
        lines += [_failure(script, how[-1], others, outcomes) for script in failed]
    return "\n".join(lines)


def _beside_the_old(scripts, how, outcomes):
    """How the last way does on what some old TensorFlow runs, and on what none does."""
    old = [way for way in how[:-1] if way in ways.OLD]
    if not old:
        return []

    def count(wanted):
        group = [s for s in scripts if any(outcomes[way, s.name].ran for way in old) == wanted]
        ran = sum(outcomes[how[-1], script.name].ran for script in group)
        return f"{ran} of {len(group)}"

    return [
        f"| {ways.WAYS[how[-1]]}, of those that an old TensorFlow runs | {count(True)} |",
        f"| {ways.WAYS[how[-1]]}, of those that none runs | {count(False)} |",
    ]


def _failure(script, way, others, outcomes):
    reason = outcomes[way, script.name].reason.replace("|", "\\|")[:150]
    cells = [script.name, reason]
    if others:
        ran = [ways.WAYS[other] for other in others if outcomes[other, script.name].ran]
        cells.append(", ".join(ran) or "none of the others")
    return "| {} |".format(" | ".join(cells))
