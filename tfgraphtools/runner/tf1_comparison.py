"""A script's runs here and under TF 1.15, and what they printed and wrote, compared."""

import os
import sys
import tempfile
from typing import Any, Callable, Dict, NamedTuple, Optional, Sequence

from tfgraphtools.errors import ArgumentError
from tfgraphtools.runs import copied_runs, file_comparison, output_comparison, tf1_python


class ScriptComparison(NamedTuple):
    """A comparison of two runs of a script.

    Fields:
      printed: the `output_comparison.Comparison` of what was printed on stdout, and of the numbers
        on stderr that stand in lines that both printed.
      files: the `file_comparison.Verdict` on what they wrote.
    """

    printed: output_comparison.Comparison
    files: file_comparison.Verdict

    @property
    def same(self) -> bool:
        """Tells whether they agree in all, and anything was there to be compared."""
        is_compared = bool(self.printed.numbers or self.files.same)
        return self.printed.agree and is_compared and not self.files.other

    def as_dict(self) -> Dict[str, Any]:
        """Returns the comparison as plain data, for JSON."""
        return dict(self.printed._asdict(), files=self.files._asdict(), same=self.same)

    def __str__(self):
        return "\n".join([str(self.printed), *file_comparison.lines(self.files)])


def run(
    python: str,
    words: Sequence[str],
    options: Sequence[str] = (),
    tolerance: float = output_comparison.TOLERANCE,
    ignore: Sequence[str] = (),
    rewriter: Optional[Callable[[str], Optional[Callable[[str], None]]]] = None,
) -> ScriptComparison:
    """Runs a script under ``tfgraphtools run`` and under a Python with TF 1.15, and compares.

    The two run one after the other, each in a copy of this folder at the same path: neither
    finds what the other wrote, and nothing here changes. A script outside of this folder runs
    where it is.

    Args:
      python: str, the path of a Python that has TF 1.15.
      words: the script, or "-m" and a module, and the words it gets.
      options: words for ``tfgraphtools run``, such as "--seeds=tf1".
      tolerance, ignore: as for `output_comparison.outputs`.
      rewriter: a function of this folder, called where the run under TF 1.15 fails: it returns a
        function that rewrites in a copy what TF 1.15 cannot run, or None. The run is repeated.

    Returns:
      a `ScriptComparison`. What the scripts print on stderr is passed on.

    Raises:
      ArgumentError: `python` is no Python that has TF 1.x, there is no such script, or this
        folder is too large to be copied.
    """
    tf1_python.require_tf1(python, "--compare")
    output_comparison.pattern(ignore)
    if not tolerance >= 0:
        raise ArgumentError("--tolerance", "0 or more", str(tolerance), "For example: 1e-4")
    words, here = list(words), os.getcwd()
    if words[0] != "-m":
        if not os.path.exists(words[0]):
            raise ArgumentError(
                "run --compare",
                "the file of a script",
                f"{words[0]}: no such file",
                "Give the path of the script, or -m and the name of a module.",
            )
        inside = os.path.relpath(words[0])
        words[0] = os.path.abspath(words[0]) if inside.startswith(os.pardir) else inside
    python = os.path.abspath(python) if os.sep in python else python
    commands = [sys.executable, "-m", "tfgraphtools", "run", *options, *words], [python, *words]
    rule = file_comparison.Rule(tolerance, ignore, ("here", "under TF 1.15"))
    with tempfile.TemporaryDirectory(prefix="run-compare-") as folder:

        def result_of(side, prepare=None):
            kept = os.path.join(folder, side)
            command = commands[side != "ours"]
            return copied_runs.run(command, folder, here, prepare, kept, passes_log_on=True)

        ours, theirs = result_of("ours"), result_of("theirs")
        rewrite = rewriter(here) if rewriter is not None and theirs.code else None
        if rewrite is not None:
            theirs = result_of("rewritten", rewrite)
        files = file_comparison.compared(ours.written, theirs.written, None, rule)
        if files.other and theirs.code == 0:
            again = result_of("again", rewrite)
            files = file_comparison.compared(ours.written, theirs.written, again.written, rule)
    printed = output_comparison.runs(ours, theirs, tolerance, ignore)
    return ScriptComparison(printed._replace(rewritten=rewrite is not None), files)
