"""The result of `check_gradients`: a verdict on each x, both sides of its worst element."""

from typing import Sequence, Union

from tfgraphtools.errors import ArgumentError, GradientCheckError
from tfgraphtools.gradients._tensor_types import Node
from tfgraphtools.gradients.checking.diagnose import (
    DISCONNECTED,
    JUMP,
    MISMATCH,
    ROUNDOFF,
    STOCHASTIC,
    SURROGATE,
)

_ACCEPTED = ("match", "kink", "roundoff")


class Report:
    """The result of `check_gradients`, one `Result` for each x."""

    def __init__(self, y_name: str, results: Sequence["Result"]) -> None:
        self.y_name = y_name
        self.results = results

    def verdict(self, x: Union[str, Node]) -> str:
        """Returns the verdict on x (a tensor, variable or name), a word of the docstring."""
        return self.result(x).verdict

    def result(self, x: Union[str, Node]) -> "Result":
        """Returns the `Result` for x."""
        name = x if isinstance(x, str) else x.name
        for result in self.results:
            if name in (result.name, result.name.split(":")[0]):
                return result
        raise ArgumentError(
            "report.result(x)",
            "an x that was checked",
            repr(name),
            "Checked were " + ", ".join(r.name for r in self.results) + ".",
        )

    @property
    def ok(self) -> bool:
        """True if no gradient is wrong."""
        return not any(result.wrong for result in self.results)

    def raise_if_wrong(self) -> None:
        """Raises `GradientCheckError`, with both sides, if a gradient is wrong."""
        for result in self.results:
            if result.wrong:
                raise GradientCheckError(
                    f"the gradient of {self.y_name!r} with respect to {result.name!r}",
                    result.wanted(),
                    result.found(),
                    result.advice,
                )

    def __str__(self):
        lines = [f"gradient of {self.y_name}"]
        width = max(len(result.name) for result in self.results)
        for result in self.results:
            lines.append(f"  {result.name.ljust(width)}  {result.verdict:<12} {result.found()}")
            if result.wrong or result.verdict == ROUNDOFF:
                lines.append("  {}  {}".format(" " * width, result.advice))
        return "\n".join(lines)


class Result:
    """The verdict on one x, with its worst element.

    Attributes: ``verdict``, ``wrong``, ``where`` (the index of the worst element,
    or a direction), ``analytic``, ``numeric``, ``jump`` (its size), ``advice``.
    """

    def __init__(
        self,
        name,
        verdict,
        where="",
        analytic=None,
        numeric=None,
        jump=None,
        wrong=None,
        advice="",
        checked=0,
    ):
        self.name, self.verdict, self.where = name, verdict, where
        self.analytic, self.numeric, self.jump = analytic, numeric, jump
        self.wrong = verdict not in _ACCEPTED if wrong is None else wrong
        self.advice = advice or _ADVICE.get(verdict, "")
        self.checked = checked

    def wanted(self):
        """Returns what a right gradient would be, in words."""
        if self.numeric is None:
            return "a gradient"
        return f"{self.numeric:.6g} (numeric) at {self.where}"

    def found(self):
        """Returns what was found, in words, both sides of it."""
        if self.analytic is None:
            return {
                DISCONNECTED: "the gradient is None",
                STOCHASTIC: "y differs from run to run",
            }.get(self.verdict, self.verdict)
        numbers = f"gradient {self.analytic:.6g}, numeric {self.numeric:.6g} at {self.where}"
        if self.verdict == JUMP:
            return f"y has a jump of {self.jump:.6g} at {self.where}; gradient {self.analytic:.6g}"
        if self.verdict == SURROGATE:
            return f"y is flat at {self.where}; surrogate gradient {self.analytic:.6g}"
        return f"worst of {self.checked}: {numbers}"


_ADVICE = {
    ROUNDOFF: "Too few digits are left to tell: build y in float64 and check that.",
    MISMATCH: "The gradient function of an op between x and y is wrong; halve the way to find it.",
    JUMP: "y is not continuous here: move x, or pass expect_surrogate= if the gradient is meant.",
    SURROGATE: "If this gradient is meant (straight-through), pass expect_surrogate=.",
    STOCHASTIC: "Feed the random tensors, or set seeds and a deterministic mode.",
}
