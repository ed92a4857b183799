"""Calls of librosa 0.7: the oracle is the signature of the installed librosa."""

import ast
import inspect

import pytest

librosa = pytest.importorskip("librosa")

HEAD = "import librosa\nimport librosa.display\nimport tensorflow as tf\ntf.Session()\n"

#: Call -> what it becomes.
CALLS = {
    "librosa.load('a', sr=3, mono=True)": None,
    "librosa.feature.mfcc(y=y, n_mfcc=3)": None,
    "librosa.hz_to_mel(y)": None,
    "librosa.load('a', 16000, True)": "librosa.load('a', sr=16000, mono=True)",
    "librosa.feature.mfcc(y, sr, n_mfcc=3)": "librosa.feature.mfcc(y=y, sr=sr, n_mfcc=3)",
    "librosa.resample(y, 3, 4)": "librosa.resample(y, orig_sr=3, target_sr=4)",
    "librosa.effects.harmonic(y)": "librosa.effects.harmonic(y, pad_mode='reflect')",
    "librosa.stft(y, dtype=d, pad_mode='constant')": None,
    "librosa.core.load('a', 16000, True)": "librosa.core.load('a', sr=16000, mono=True)",
    "librosa.istft(y, 4, length=3)": "librosa.istft(y, hop_length=4, length=3, dtype='float32')",
}


@pytest.mark.parametrize("call", CALLS)
def test_a_call(call, upgraded):
    assert upgraded(HEAD + call + "\n").splitlines()[-1] == (CALLS[call] or call)
    assert upgraded.report.left == 0


@pytest.mark.parametrize("call", ["librosa.load(*x)", "librosa.stft(y, **x)"])
def test_arguments_that_are_not_written_out(call, upgraded):
    assert upgraded(HEAD + call + "\n").splitlines()[-1] == call
    assert upgraded.report.left == ("stft" in call)


def test_code_of_today_stays(upgraded):
    source = "import librosa\nlibrosa.effects.harmonic(y)\n"
    assert upgraded(source) == source


def test_what_0_7_took_by_position_binds_or_is_left(upgraded):
    from tfgraphtools.compat.fixes import build
    from tfgraphtools.compat.fixes.librosa import argument_orders

    calls = []
    for name, parameters, *_ in build.lines_of(argument_orders.__file__, "argument_orders.tsv"):
        words = parameters.split()
        words = words[: words.index("*")] if "*" in words else words
        calls.append(f"librosa.{name}({', '.join('x' for _ in words)})")
    new = upgraded(HEAD + "\n".join(calls) + "\n").splitlines()[-len(calls) :]
    refused = {calls[number] for number, call in enumerate(new) if not _binds(call)}
    lines = (HEAD + "\n".join(calls)).splitlines()
    left = {lines[finding.line - 1] for _, finding in upgraded.report.unresolved()}
    assert len(calls) > 130 and len(refused) < 5
    assert left == refused


def _binds(source):
    call = ast.parse(source, mode="eval").body
    function = eval(ast.unparse(call.func), {"librosa": librosa})
    try:
        inspect.signature(function).bind(*call.args, **{word.arg: 0 for word in call.keywords})
    except TypeError:
        return False
    return True
