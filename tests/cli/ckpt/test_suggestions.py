"""What a message suggests exists, and works when it is typed."""

import ast
import pathlib
import re
import shlex

import numpy as np
import pytest

import tfgraphtools
from tfgraphtools import checkpoints, cli

PACKAGE = pathlib.Path(tfgraphtools.__file__).parent
PARSERS = dict(cli.subcommands())
OPTIONS = {
    option
    for parser in PARSERS.values()
    for action in parser._actions
    for option in action.option_strings
}
FILES = sorted([*PACKAGE.glob("checkpoints/**/*.py"), *PACKAGE.glob("cli/ckpt/*.py")])


def texts(path):
    """The strings of a file that are no docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = {
        node.body[0].value
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        value = getattr(node, "value", getattr(node, "s", None))
        if type(node).__name__ in ("Constant", "Str") and isinstance(value, str):
            if node not in documented:
                yield value


def suggested():
    for path in FILES:
        for text in texts(path):
            for option in re.findall(r"(?<![\w-])--[a-z][a-z-]+\w", text):
                yield path, option
            for command in re.findall(r"(?<![.\w])ckpt ([a-z]+)\b", text):
                yield path, "ckpt " + command


def test_options_and_commands_exist():
    unknown = {
        f"{path.name}: {words}"
        for path, words in suggested()
        if words not in OPTIONS and "tfgraphtools " + words not in PARSERS
    }
    assert not unknown
    assert len(list(suggested())) > 100


TORCH = """
import torch
class Dense(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = torch.nn.Linear(3, 3), torch.nn.Linear(3, 3)
class Flat(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.fc = torch.nn.Conv2d(3, 4, 3), torch.nn.Linear(16, 2)
def lstm():
    return torch.nn.LSTM(3, 4)
def linear():
    return torch.nn.Linear(3, 3)
"""
LSTM = {"rnn/encoder/kernel": (7, 16), "rnn/encoder/bias": (16,)}
DENSE = {f"{scope}/{role}": shape for scope in "ab" for role, shape in (("w", (3, 3)), ("b", (3,)))}
FLAT = {"conv/w": (3, 3, 3, 4), "conv/b": (4,), "fc/w": (16, 2), "fc/b": (2,)}
EMA = {
    name + end: shape
    for name, shape in {"a/w": (3, 3), "a/b": (3,)}.items()
    for end in ("", "/ExponentialMovingAverage")
}
MOMENTUM = {"a/w": (3, 3), "a/w/Momentum": (3, 3), "a/b": (3,), "a/b/Momentum": (3,)}

#: {case: (tensors, command, what of the message is typed after it, with what stands for names)}
FOLLOWED = {
    "forget-bias": (LSTM, "out.pt --to torch --model own.py:lstm", r"(--forget-bias 1.0) if", {}),
    "rule": (
        DENSE,
        "out.pt --to torch --model own.py:Dense",
        r"which with (--rule)",
        {"--rule": "--rule a one --rule b two"},
    ),
    "flatten": (
        FLAT,
        "out.pt --to torch --model own.py:Flat",
        r"or (--flatten fc H,W,4)",
        {"H,W": "2,2"},
    ),
    "averages": (EMA, "out.pt --to torch --model own.py:linear", r"(--use-ema)", {}),
    "object": (DENSE, "out --to object", r"(--rule '.*' '.*')\.$", {}),
    "hyper": (
        MOMENTUM,
        r"out --to object --rule '(.*)' 'n/\1' --hyper learning_rate=0.1 --steps 1",
        r"Pass (--hyper momentum=)",
        {"momentum=": "momentum=0.9"},
    ),
    "npz-as-tf": (DENSE, "out.npz --to tf1 --rule 'a/(.*)' 'n/\\1'", r"Write (out) first", None),
    "model": (
        DENSE,
        "out.pt --to torch",
        r"Pass (--model model.py:function)",
        {"model.py:function": "own.py:Dense --rule a one --rule b two"},
    ),
    "outputs": (DENSE, "out.pb --to frozen", r"(--outputs)", None),
}


@pytest.mark.parametrize("case", sorted(FOLLOWED))
def test_suggestions_work(tmp_path, monkeypatch, capsys, case):
    shapes, command, pattern, names = FOLLOWED[case]
    if "torch" in command:
        pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(TORCH)
    random = np.random.RandomState(0)
    np.savez("m.npz", **{name: random.randn(*shape).astype("f") for name, shape in shapes.items()})
    checkpoints.from_npz("m.npz", "m")
    assert cli.main(["ckpt", "convert", "m", *shlex.split(command)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    match = re.search(pattern, line)
    assert match, line
    if names is None:  # it names what only the user knows
        return
    typed = match.group(1)
    for placeholder, value in names.items():
        typed = typed.replace(placeholder, value)
    assert cli.main(["ckpt", "convert", "m", *shlex.split(command), *shlex.split(typed)]) == 0, (
        capsys.readouterr().err
    )
