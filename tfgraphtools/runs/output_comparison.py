"""Comparison of the outputs of two runs, and the first number that differs between them."""

import cmath
import re
from fractions import Fraction
from typing import NamedTuple, Optional, Tuple

from tfgraphtools.errors import ArgumentError
from tfgraphtools.runs import line_alignment

_REAL = r"(?:(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|nan|NaN|NAN|inf|Inf|INF|Infinity)"

#: "1,234,567.5" after a blank, ":" or "=": elsewhere it could be a list of numbers.
_THOUSANDS = r"(?<=[\s:=])[-+]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?(?!,)"

#: A number, also a complex one: nothing that is part of a word or of a version such as "1.15.5".
_NUMBER = re.compile(
    rf"(?<![\w.])(?:{_THOUSANDS}|[-+]?(?:{_REAL} *[-+])?{_REAL}j|[-+]?{_REAL})(?!\w|\.\d)"
)

#: The full stop of a sentence that ends with an integer.
_FULL_STOP = re.compile(r"([^\W\d]\W*\d+)\.(?=\s*$|\s+[^\W\d])")

#: What differs between the logs of two equal runs: dates, durations, rates, numbers of lines of
#: code.
_TIMES = re.compile(
    r"^[IWEF]\d{4} \d\d:\S+ +\d+ |\b\d{4}-\d\d-\d\d\b|\b\d\d:\d\d:\d\d[.,]?\d*"
    r"|\b[\d.]+ ?(?:secs?|seconds|ms|us|s|mins?|hours?)\b|(?<=/sec: )[\d.]+"
    r"|(?<=\.py:)\d+\b|(?<=\.py\", line )\d+\b"
)

TOLERANCE = 1e-5

#: How a run under TF 1.15 on rewritten sources is described.
REWRITTEN = ", with its syntax of Python 2 and the names that TF 1.15 lacks rewritten"


class Place(NamedTuple):
    """The place where two outputs diverge.

    Fields:
      line: the number of the line, from 1, in our output.
      number: which number of the line, from 1; None where the words differ.
      ours, theirs: the lines; None where one output has no such line.
    """

    line: int
    number: Optional[int]
    ours: Optional[str]
    theirs: Optional[str]


class Comparison(NamedTuple):
    """A comparison of two outputs.

    Fields:
      first: the first `Place` where they diverge; None where they agree.
      numbers: how many numbers stand at the same place in both.
      agreed: how many of these agree within the tolerance.
      worst: the largest relative difference.
      codes: the exit codes, ours and theirs.
      errors: the last lines on stderr of ours and theirs; empty where a run did not fail.
      rewritten: whether theirs ran on rewritten sources, because it failed on the others.
    """

    first: Optional[Place]
    numbers: int
    agreed: int
    worst: float
    codes: Tuple[int, int] = (0, 0)
    errors: Tuple[str, str] = ("", "")
    rewritten: bool = False

    @property
    def agree(self):
        """Tells whether words, numbers and exit codes are the same, as far as there are any."""
        return self.first is None and self.codes[0] == self.codes[1]

    @property
    def same(self):
        """Tells whether they agree in all, and at least one number was compared."""
        return self.agree and self.numbers > 0

    def __str__(self):
        lines = ["no number was printed by both: nothing was compared"]
        if self.numbers:
            lines = [
                f"{self.agreed} of {self.numbers} numbers agree; worst difference {self.worst:.2g}"
            ]
        if self.rewritten:
            lines.append("there: the script" + REWRITTEN)
        if self.codes[0] != self.codes[1]:
            lines.append(f"exit codes: {self.codes[0]} here, {self.codes[1]} there")
        elif self.codes[0] != 0:
            lines.append(
                f"both stopped with exit code {self.codes[0]}; compared is what they printed before"
            )
        for python, error in zip(("'tfgraphtools run'", "the Python of --compare"), self.errors):
            if error:
                lines.append(f"the script failed under {python}: {error}")
        if self.first is not None:
            position = f", number {self.first.number}" if self.first.number else ""
            lines.append(f"the outputs diverge at line {self.first.line}{position}:")
            lines.append(f"  here:  {_shown(self.first.ours)}")
            lines.append(f"  there: {_shown(self.first.theirs)}")
        return "\n".join(lines)


def _shown(line):
    return "(no such line)" if line is None else line


def outputs(ours, theirs, tolerance=TOLERANCE, ignore=()):
    """Compares two printed outputs, line by line and number by number.

    Lines are aligned by their words, so that a line which only one output has
    does not upset the rest. Blanks do not count.

    Args:
      ours, theirs: str, all that was printed.
      tolerance: float; the relative difference that is allowed between numbers with a decimal
        point or an exponent. Integers have to be equal.
      ignore: regular expressions; what they match, such as a time, is left out.

    Returns:
      a `Comparison`.

    Example:
      >>> str(outputs("loss 0.5 in 3s", "loss 0.5 in 9s", ignore=[r"in \\d+s"]))
      '1 of 1 numbers agree; worst difference 0'

    Raises:
      ArgumentError: a pattern is no regular expression.
    """
    drop = pattern(ignore)
    ours, theirs = (
        drop.sub("", text).splitlines() if drop else text.splitlines() for text in (ours, theirs)
    )
    words = [[_words(line) for line in side] for side in (ours, theirs)]
    blocks = line_alignment.opcodes(*words)
    first, counted, agreed, worst = None, 0, 0, 0.0
    for kind, start, end, other, other_end in blocks:
        if kind != "equal":
            our_line = ours[start] if start < end else None
            their_line = theirs[other] if other < other_end else None
            first = first or Place(start + 1, None, our_line, their_line)
            continue
        for line, partner in zip(range(start, end), range(other, other_end)):
            pairs = zip(_numbers(ours[line]), _numbers(theirs[partner]))
            for position, (a, b) in enumerate(pairs, 1):
                apart = _difference(a, b)
                agree = a == b if _are_whole(a, b) else apart <= tolerance
                counted, worst = counted + 1, max(worst, apart)
                agreed += agree
                if not agree and first is None:
                    first = Place(line + 1, position, ours[line], theirs[partner])
    return Comparison(first, counted, agreed, worst)


def pattern(ignore):
    """Returns the regular expression of what is left out, or None.

    Raises:
      ArgumentError: one of the texts is no regular expression.
    """
    for text in ignore:
        try:
            re.compile(text)
        except re.error as error:
            raise ArgumentError(
                "--ignore " + text,
                "a regular expression",
                str(error),
                r"For example: --ignore 'time: \S+'",
            )
    return re.compile("|".join(f"(?:{text})" for text in ignore)) if ignore else None


def _words(line):
    return "".join(_NUMBER.sub("#", line).split())


def _numbers(line):
    """Returns the numbers of a line: int where it is whole, else float or complex."""
    texts = _NUMBER.findall(_FULL_STOP.sub(r"\1 ", line))
    return [_value("".join(text.replace(",", "").split())) for text in texts]


#: The most digits of an integer that every Python reads. Of a longer one only its text counts.
_MOST_DIGITS = 4300


def _value(text):
    if text.lstrip("+-").isdigit():
        is_long = len(text) > _MOST_DIGITS
        return int.from_bytes(text.lstrip("+").encode(), "big") if is_long else int(text)
    return complex(text) if text.endswith("j") else float(text)


def _are_whole(a, b):
    """Tells whether no number has a fraction, and one is written without a decimal point."""
    values = [a, b]
    has_complex = any(isinstance(value, complex) for value in values)
    is_written_whole = any(isinstance(value, int) for value in values)
    return is_written_whole and not has_complex and all(value % 1 == 0 for value in values)


def _difference(a, b):
    """Returns the difference of two numbers, relative to the larger one."""
    if a == b or (a != a and b != b and not isinstance(a, complex)):
        return 0.0
    try:
        return _difference_of_unequal(a, b)
    except OverflowError:  # an integer beyond every float, and a float
        return float("inf")


def _difference_of_unequal(a, b):
    if not all(isinstance(value, int) or cmath.isfinite(value) for value in (a, b)):
        a, b = complex(a), complex(b)
        parts = (a.real, b.real), (a.imag, b.imag)
        return 0.0 if all(x == y or (x != x and y != y) for x, y in parts) else float("inf")
    if isinstance(a, complex) or isinstance(b, complex):
        return abs(a - b) / max(abs(a), abs(b))
    return float(abs(Fraction(a) - Fraction(b)) / max(abs(Fraction(a)), abs(Fraction(b))))


def runs(ours, theirs, tolerance=TOLERANCE, ignore=()):
    """Compares what two runs printed, and the numbers in the lines that both logged on stderr.

    Args:
      ours, theirs: `copied_runs.CopiedRun`s.
      tolerance, ignore: as for `outputs`.
    """
    printed = outputs(ours.output, theirs.output, tolerance, ignore)
    logged = outputs(*_common_lines(ours.log, theirs.log), tolerance, ignore)
    return Comparison(
        printed.first or logged.first,
        printed.numbers + logged.numbers,
        printed.agreed + logged.agreed,
        max(printed.worst, logged.worst),
        (ours.code, theirs.code),
        (ours.error, theirs.error),
    )


def unstable(run, again):
    """Returns the lines, without their numbers, in which two runs of the same code differ.

    Args:
      run, again: `copied_runs.CopiedRun`s.
    """
    words = set()
    for first, second in ((run.output, again.output), _common_lines(run.log, again.log)):
        first, second = first.splitlines(), second.splitlines()
        sides = [[_words(line) for line in side] for side in (first, second)]
        for a, b, size in line_alignment.equal_blocks(*sides):
            pairs = zip(first[a : a + size], second[b : b + size])
            words.update(
                _words(untimed(a))
                for a, b in pairs
                if any(map(_difference, _numbers(a), _numbers(b)))
            )
    return words


def without(run, words):
    """Returns a `copied_runs.CopiedRun` without the lines of `unstable`."""
    output, log = (
        "".join(line for line in text.splitlines(True) if _words(untimed(line)) not in words)
        for text in (run.output, run.log)
    )
    return run._replace(output=output, log=log)


def _common_lines(ours, theirs):
    """Returns the lines of two logs that are alike but for their numbers: the TFs log more."""
    ours, theirs = ([untimed(line) for line in side.splitlines()] for side in (ours, theirs))
    words = [[_words(line) for line in side] for side in (ours, theirs)]
    blocks = line_alignment.equal_blocks(*words)
    return (
        "\n".join(line for a, _, size in blocks for line in ours[a : a + size]),
        "\n".join(line for _, b, size in blocks for line in theirs[b : b + size]),
    )


def untimed(line):
    """Removes times, and rates per second, from a line of a log."""
    return _TIMES.sub("", line)
