"""Every plan is carried out by ``apply(destination, *, overwrite, progress)``."""

import inspect

import pytest

from tfgraphtools.checkpoints.families import applications, hugging_face, state_dicts, timm
from tfgraphtools.checkpoints.keras import keras_plans
from tfgraphtools.checkpoints.plans import plan
from tfgraphtools.checkpoints.torch import torch_plans

pytestmark = [pytest.mark.quick, pytest.mark.once]

MODULES = [applications, hugging_face, state_dicts, timm, keras_plans, plan, torch_plans]
PLANS = {
    value.__name__: value
    for module in MODULES
    for value in vars(module).values()
    if isinstance(value, type) and callable(getattr(value, "apply", None))
}


@pytest.mark.parametrize("name", sorted(PLANS))
def test_apply(name):
    receiver, destination, *others = inspect.signature(PLANS[name].apply).parameters.values()
    assert (
        destination.name == "destination" and destination.kind == destination.POSITIONAL_OR_KEYWORD
    )
    assert [other.name for other in others][:2] == ["overwrite", "progress"]
    assert {other.kind for other in others} == {inspect.Parameter.KEYWORD_ONLY}
    assert others[0].default is False and others[1].default is None


def test_every_plan_is_looked_at():
    assert len(PLANS) >= 6
