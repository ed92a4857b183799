"""Runs written models where neither TensorFlow nor tfgraphtools can be imported.

python source_runs.py GRAPHS FOLDERS: for each line NAME of the standard input, ``model.py`` in
FOLDERS/NAME runs on the inputs in GRAPHS/NAME.npz; what TF 1.15 computed is compared. The answer is
a line of JSON: the largest differences of "outputs" (of two sizes) and of "gradients", as shares of
the largest values, and how many gradients were compared.
"""

import json
import sys

import source_comparisons

source_comparisons.refuse("tensorflow", "tfgraphtools", "keras")

import torch  # noqa: E402


def outputs(model, arrays, size):
    """Yields (tensor, what TF 1.15 gave)."""
    inputs = source_comparisons.inputs(arrays, size)
    result = model(**{name: torch.tensor(array) for name, array in inputs.items()})
    yield from source_comparisons.outputs(result, arrays, size)


def gradients(model, arrays):
    """Returns {key: gradient or None}, or {} where nothing has one."""
    rows = [t for t, _ in outputs(model, arrays, "0") if t.dtype == torch.float32]
    rows = [t for t in rows if t.requires_grad]
    if not rows:
        return {}
    sum((t.reshape(-1) * torch.cos(torch.arange(t.numel()).float())).sum() for t in rows).backward()
    parameters = model.named_parameters()
    return {key: None if p.grad is None else p.grad.numpy() for key, p in parameters}


def result(folder, arrays):
    source_comparisons.run_own_test(folder)
    model = source_comparisons.module_of(folder).load()
    with torch.no_grad():
        pairs = [pair for size in "01" for pair in outputs(model, arrays, size)]
    worst = max(source_comparisons.difference(t.numpy(), expected) for t, expected in pairs)
    names = json.loads((folder / "names.json").read_text())
    counters = {key for key in model.state_dict() if key.endswith("num_batches_tracked")}
    assert set(names) == set(model.state_dict()) - counters
    share, count = source_comparisons.gradients(gradients(model, arrays), arrays, names)
    return {"outputs": worst, "gradients": share, "compared": count}


if __name__ == "__main__":
    torch.set_num_threads(1)  # with more, oneDNN's gradients of convolutions may crash
    source_comparisons.answer(result, *sys.argv[1:])
