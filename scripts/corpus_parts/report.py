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
    failed = [script for script in scripts if not outcomes[how[-1], script.name].ran]
    if failed:
        others = [way for way in how[:-1]]
        heads = [f"does not run under {ways.WAYS[how[-1]]}", "because"]
        heads += ["runs under"] if others else []
        lines += ["", "| {} |".format(" | ".join(heads)), "|---" * len(heads) + "|"]
        lines += [_failure(script, how[-1], others, outcomes) for script in failed]
    return "\n".join(lines)


def _failure(script, way, others, outcomes):
    reason = outcomes[way, script.name].reason.replace("|", "\\|")[:150]
    cells = [script.name, reason]
    if others:
        ran = [ways.WAYS[other] for other in others if outcomes[other, script.name].ran]
        cells.append(", ".join(ran) or "none of the others")
    return "| {} |".format(" | ".join(cells))
