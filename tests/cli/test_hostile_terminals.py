"""Commands on a narrow terminal, in ASCII, a closed pipe, a full disk, Ctrl-C, a read-only folder.

Each prints one sentence or nothing, never a traceback; checkpoints and sources stay whole.
"""

import json
import os
import pathlib
import subprocess
import sys

import interrupts
import numpy as np
import pytest
from places import ROOT

from tfgraphtools import checkpoints

pytestmark = [
    pytest.mark.slow(in_ci=12),
    pytest.mark.once,
    pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here"),
]

JOB = pathlib.Path(__file__).parent.parent / "helpers" / "hostile_terminals_job.py"

#: Commands that read, on a folder that has a checkpoint ``s`` and a script ``a.py``.
READING = [
    "ckpt ls s",
    "ckpt ls s --json",
    "ckpt show s é/w",
    "ckpt verify s",
    "ckpt diff s s",
    "ckpt families s",
    "ckpt recover .",
    "graph show é.pb",
    "upgrade a.py",
    "upgrade --list-unseen",
    "legacy status",
    "help ckpt ls",
    "completion bash",
]

#: Commands that write ``t`` or ``a.py``.
WRITING = [
    "ckpt rename s t --rule é/w v",
    "ckpt strip s t --match é/w",
    "ckpt cast s t --to float16",
    "ckpt convert s t.npz --to npz",
    "ckpt merge t s s",
    "upgrade a.py --write --force",
]
CONDITIONS = ["full disk", "closed pipe", "ASCII", "narrow terminal"]
MOMENTS = [f"interrupted at {percent}%" for percent in (20, 50, 80)]

#: Folders in which nobody may write, root neither.
READ_ONLY = [
    "ckpt rename s /sys/t --rule é/w v",
    "ckpt convert s /sys/t.npz --to npz",
    "upgrade a.py --html /sys/a.html",
]


@pytest.fixture(scope="module")
def seed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("seed")
    np.savez(str(folder / "s.npz"), **{"é/w": np.ones((40, 4), np.float32)})
    checkpoints.from_npz(str(folder / "s.npz"), str(folder / "s"))
    (folder / "a.py").write_text("import tensorflow as tf\ntf.mul(1, 2)\n")
    (folder / "é.pb").write_bytes(b"")
    return folder


@pytest.fixture(scope="module")
def outcomes(seed):
    """{(condition, command): (exit code, stderr)}."""
    rows = [("none", command) for command in READING + WRITING]
    rows += [(where, command) for where in CONDITIONS + MOMENTS for command in READING + WRITING]
    rows += [("none", command) for command in READ_ONLY]
    done = subprocess.run(
        [sys.executable, str(JOB), str(seed)],
        input=json.dumps([[where, command.split()] for where, command in rows]),
        env=dict(os.environ, PYTHONPATH=str(ROOT), PYTHONIOENCODING="utf-8"),
        preexec_fn=interrupts.listen,
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    return {row: tuple(answer) for row, answer in zip(rows, json.loads(done.stdout))}


def _is_quiet(code, errors):
    """Tells whether a failure is one sentence, and nothing else is said of it."""
    sentences = [line for line in errors.splitlines() if line.startswith("tfgraphtools: ")]
    noise = any(word in errors for word in ("Traceback", "Exception ignored", "Error:"))
    return not noise and len(sentences) == (code == 2)


@pytest.mark.parametrize("condition", [*CONDITIONS, *MOMENTS])
def test_one_sentence_or_nothing(condition, outcomes):
    codes = {"full disk": (0, 2), "closed pipe": (0, 2)}.get(condition, (0, 1, 2, 130))
    of_condition = {key: answer for key, answer in outcomes.items() if key[0] == condition}
    wrong = {
        key: answer
        for key, answer in of_condition.items()
        if answer[0] not in codes or not _is_quiet(*answer)
    }
    assert wrong == {} and len(of_condition) == len(READING + WRITING)


def test_an_interrupt_ends_most_commands_with_130(outcomes):
    """The test would show nothing if the signal came after the end."""
    codes = [answer[0] for (where, _), answer in outcomes.items() if where in MOMENTS]
    assert codes.count(130) > len(codes) // 2


@pytest.mark.parametrize("command", READ_ONLY)
def test_a_folder_in_which_nobody_may_write(command, outcomes):
    code, errors = outcomes["none", command]
    assert code == 2 and _is_quiet(code, errors), errors


def test_a_full_disk_is_told(outcomes):
    code, errors = outcomes["full disk", "ckpt ls s"]
    assert code == 2 and "No space left on device" in errors
