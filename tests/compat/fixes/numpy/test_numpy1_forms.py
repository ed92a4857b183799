"""Forms of NumPy 1 give under `run` what NumPy 1.18 gave: type and value, as recorded.

`form_program.py` makes the program. ``TFGRAPHTOOLS_WHOLE=1`` records anew where NumPy 1.18 is.
"""

import pathlib
import subprocess

import form_program
import numpy
import pytest

if not numpy.__version__.startswith("2"):
    pytest.skip("NumPy 1 needs none of it", allow_module_level=True)

HERE = pathlib.Path(__file__).resolve().parent
ROWS = [
    line.split("\t")
    for line in (HERE / "numpy1_forms.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("# ")
]

#: Forms that differ -> why: each is in docs/differences.md, which says what names it.
INTENDED = {
    **dict.fromkeys(
        (
            "not np.array([])",
            "not np.zeros((2, 0))",
            '"yes" if np.array([]) else "no"',
            '"yes" if not np.array([]) else "no"',
            'np.array([]) or "empty"',
            'np.array([]) and "full"',
            "apply(bool, np.array([]))",
            "loops(np.array([]))",
            "asserted(np.array([]))",
            "[x for x in [np.array([]), np.array([3])] if x]",
        ),
        "the truth of an array without elements: NumPy's error names it",
    ),
}


def test_forms(compat_server, tmp_path):
    forms = [form for form, _ in ROWS]
    (tmp_path / "forms.py").write_text(form_program.program_of(forms), encoding="utf-8")
    done = compat_server.run(tmp_path, "-q", "forms.py")
    assert done.code == 0, done.err[-2000:]
    ours = done.out.splitlines()
    assert len(ours) == len(forms) >= 400
    differ = {form: (expected, got) for (form, expected), got in zip(ROWS, ours) if expected != got}
    assert {form: answers for form, answers in differ.items() if form not in INTENDED} == {}
    assert sorted(differ) == sorted(INTENDED)
    empty = [form for form, why in INTENDED.items() if why.startswith("the truth of an array")]
    assert {differ[form][1] for form in empty} == {"! ValueError"}  # loud, and never another value


def test_without_the_fixes_they_differ(compat_server, tmp_path):
    """The comparison can fail: most of what the fixes are about is in the table."""
    (tmp_path / "forms.py").write_text(
        form_program.program_of([form for form, _ in ROWS]), encoding="utf-8"
    )
    done = compat_server.run(tmp_path, "-q", "--libraries=today", "forms.py")
    ours = done.out.splitlines()
    assert sum(expected != got for (_, expected), got in zip(ROWS, ours)) > 150


@pytest.mark.slow(in_ci=1)
def test_they_are_what_numpy_1_gives(tf1_python, tmp_path):
    program = tmp_path / "forms.py"
    program.write_text(form_program.program_of([form for form, _ in ROWS]), encoding="utf-8")
    done = subprocess.run([str(tf1_python), str(program)], stdout=subprocess.PIPE, check=True)
    theirs = done.stdout.decode().splitlines()
    assert [(form, got) for (form, want), got in zip(ROWS, theirs) if got != want] == []
