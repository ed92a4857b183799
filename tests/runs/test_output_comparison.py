"""The first place where two printed outputs diverge."""

import difflib

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError
from tfgraphtools.runs import copied_runs, line_alignment, output_comparison

SAME = [
    ("loss 0.5\n", "loss 0.5\n"),
    ("loss 0.500001\n", "loss 0.500004\n"),
    ("[1.  2.]\n", "[ 1.0 2.0 ]\n"),
    ("nan inf\n", "nan inf\n"),
    ("1e6\n", "1000000\n"),
    ("1000000.0\n", "1000001.0\n"),
    ("[1000000. 1000001.]\n", "[1000001. 1000001.]\n"),
    ("1.00000e-06\n", "1.000001e-06\n"),
    ("(1+2j)\n", "(1.000001+2j)\n"),
    ("[1. +2.j 3.25-4.5j]\n", "[1.000001 +2.j 3.25-4.5j]\n"),
    ("(1+1e-17j) 2j\n", "(1-0j) 2j\n"),
    ("(nan+infj) -inf\n", "(nan+infj) -inf\n"),
    ("NaN Infinity -Infinity 5\n", "nan inf -inf 5\n"),
    ("loss 1,234,567.8\n", "loss 1,234,567.9\n"),
    ("97.5% 100%\n", "97.500001% 100%\n"),
    ("0.0\n", "-0.0\n"),
    ("3\n", "3.0\n"),
]

#: Outputs that differ in one number, at the end of their line or before a unit.
DIFFERENT = [
    ("1000000", "1000001"),
    ("1e-06", "9e-06"),
    ("1e-12", "9e-12"),
    ("0.0", "1e-08"),
    ("1e6", "1000001"),
    ("1000000", "1000001.0"),
    ("Saved step 1000000.", "Saved step 1000001."),
    ("At 1000000. Go on", "At 1000001. Go on"),
    ("model.ckpt-1000000", "model.ckpt-1000001"),
    ("12345678901234567890", "12345678901234567891"),
    ("1,000,000", "1,000,001"),
    ("seen 1,000,000", "seen 1,000,001"),
    ("[100,200,300.5]", "[100,200,301.5]"),
    ("100,200,300.5", "100,200,301.5"),
    ("100%", "99%"),
    ("1e-06%", "9e-06%"),
    ("1000000x", "1000001x"),
    ("conv_1000000", "conv_1000001"),
    ("1.5GB", "1.6GB"),
    ("version 1.15.5", "version 1.15.6"),
    ("(1+2j)", "(1-2j)"),
    ("(1+2j)", "(1+2.1j)"),
    ("1e-06j", "9e-06j"),
    ("(1+2j)", "3.0"),
    ("(nan+1j)", "(nan+2j)"),
    ("inf", "-inf"),
    ("nan", "1.0"),
    ("5", "inf"),
    ("5", "(5+1e-3j)"),
    ("NaN", "0"),
]


@pytest.mark.parametrize("ours, theirs", SAME)
def test_same(ours, theirs):
    found = output_comparison.outputs(ours, theirs)
    assert found.same and found.agreed == found.numbers, str(found)


@pytest.mark.parametrize("ours, theirs", DIFFERENT)
def test_different(ours, theirs):
    for one, other in ((ours, theirs), (theirs, ours)):
        comparison = output_comparison.outputs(f"a 1\n{one}\n", f"a 1\n{other}\n")
        assert not comparison.same and comparison.first.line == 2


def test_whole_numbers_have_no_tolerance():
    assert not output_comparison.outputs("100", "101", tolerance=0.5).same
    assert output_comparison.outputs("100.0", "101.0", tolerance=0.5).same


def test_a_line_of_nan_is_stable():
    runs = [copied_runs.CopiedRun(0, f"a nan\nb {i}\n", "", {}) for i in (1, 2)]
    assert output_comparison.unstable(*runs) == {"b#"}


def test_no_number_is_no_proof():
    comparison = output_comparison.outputs("done\n", "done\n")
    assert not comparison.same
    assert str(comparison) == "no number was printed by both: nothing was compared"


APART = [
    ("a 1\nb 2 3\n", "a 1\nb 2 4\n", (2, 2), 3, 2),
    ("loss nan\n", "loss 1.0\n", (1, 1), 1, 0),
    ("loss 0.5\n", "cost 0.5\n", (1, None), 0, 0),
    ("a 1\n", "a 1\nb 2\n", (2, None), 1, 1),
    ("a 1\nwarning\nb 2\n", "a 1\nb 2\n", (2, None), 2, 2),
]


@pytest.mark.parametrize("ours, theirs, place, numbers, agreed", APART)
def test_apart(ours, theirs, place, numbers, agreed):
    found = output_comparison.outputs(ours, theirs)
    assert not found.same
    assert (found.first.line, found.first.number) == place
    assert (found.numbers, found.agreed) == (numbers, agreed)


def test_what_is_ignored():
    ours, theirs = "step 1 (0.31 sec)\nat 12:30\n", "step 1 (0.99 sec)\nat 09:15\n"
    assert not output_comparison.outputs(ours, theirs).same
    assert output_comparison.outputs(ours, theirs, ignore=[r"\(\S+ sec\)", r"at .*"]).same
    with pytest.raises(ArgumentError):
        output_comparison.outputs("", "", ignore=["("])


def test_tolerance_and_worst():
    found = output_comparison.outputs("1.0 2.0", "1.001 2.002", tolerance=1e-2)
    assert found.same and found.worst == pytest.approx(0.001, rel=1e-2)
    assert not output_comparison.outputs("1.0", "1.001", tolerance=1e-4).same


def test_words_and_numbers_of_names_are_words():
    assert output_comparison.outputs("conv2d_1 3\n", "conv2d_1 3\n").numbers == 1


def test_it_says_that_both_stopped():
    found = output_comparison.outputs("loss 1\n", "loss 1\n")
    assert "both" not in str(found)
    assert "both stopped with exit code 3" in str(found._replace(codes=(3, 3)))


@pytest.mark.quick
@pytest.mark.parametrize(
    "log, error",
    [
        ("ValueError: bad\n", "ValueError: bad"),
        ("ValueError: bad\ntfgraphtools: see docs/faq.md#bad\n", "ValueError: bad"),
        (
            "ValueError: bad\ntfgraphtools run: 1 notice\ntfgraphtools: a.py:1: x.\n",
            "ValueError: bad",
        ),
        ("tfgraphtools: run a.py: expected\n", "tfgraphtools: run a.py: expected"),
        (
            'Traceback:\n  File "a.py", line 1\n  File "b.py", line 7\n    x y\nSyntaxError: bad\n',
            "SyntaxError: bad (b.py, line 7)",
        ),
        ("", ""),
    ],
    ids=["plain", "advice", "notices", "a mistake", "syntax", "nothing"],
)
def test_the_error_of_a_run_is_the_scripts_own(log, error):
    assert copied_runs.CopiedRun(1, "", log).error == error
    assert copied_runs.CopiedRun(0, "", log).error == ""


@pytest.mark.parametrize("count", [3, 20000])
def test_many_lines_of_the_same_words(count):
    """Counted: `difflib` is asked about what is not the same at the same place only."""
    ours = "".join(f"step {number} loss 0.5\n" for number in range(count))
    found = output_comparison.outputs(ours, ours.replace("0.5\n", "0.6\n", 1))
    assert (found.numbers, found.agreed) == (2 * count, 2 * count - 1)
    assert output_comparison.outputs("start\n" + ours, ours + "end\n").first.line == 1


def test_lines_beyond_the_budget_count_as_replaced(monkeypatch):
    lines, others = ["a", "b", "x"] * 10, ["b", "x", "a"] * 10
    alike = line_alignment.opcodes(["1", *lines, "2"], ["1", *others, "2"])
    assert sum(end - start for kind, start, end, _, _ in alike if kind == "equal") == 31
    monkeypatch.setattr(line_alignment, "MOST_PAIRS", 10)
    assert line_alignment.opcodes(["1", *lines, "2"], ["1", *others, "2"]) == [
        ("equal", 0, 1, 0, 1),
        ("replace", 1, 31, 1, 31),
        ("equal", 31, 32, 31, 32),
    ]


@pytest.mark.parametrize("seed", range(30))
def test_alignment_is_that_of_difflib(seed):
    random = np.random.RandomState(seed)
    ours, theirs = (list(random.choice(list("abcd"), random.randint(12))) for _ in range(2))
    result = line_alignment.opcodes(ours, theirs)
    built = [line for _, _, _, c, d in result for line in theirs[c:d]]
    assert built == theirs
    for kind, a, b, c, d in result:
        assert (ours[a:b] == theirs[c:d]) == (kind == "equal")
    same = sum(b - a for kind, a, b, _, _ in result if kind == "equal")
    matcher = difflib.SequenceMatcher(None, ours, theirs, autojunk=False)
    assert same >= sum(block.size for block in matcher.get_matching_blocks()) - 1


@pytest.mark.parametrize("digits", [309, 400, 4301, 9000])
def test_integers_beyond_every_float(digits):
    number, other = "1" * digits, "1" * (digits - 1) + "2"
    assert output_comparison.outputs(number, number).same
    for differing in (other, "-" + number, "7", "inf", "nan", "1e300", "1j", "0.5"):
        comparison = output_comparison.outputs(number, differing)
        assert (comparison.numbers, comparison.agreed) == (1, 0), differing
