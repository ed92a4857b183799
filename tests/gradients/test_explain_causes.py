"""The cause that explain_gradient names, where it is known: it was put in at a random place.

``TFGRAPHTOOLS_MUTATIONS=20`` takes so many places for each mutation.
"""

import os

import mutations
import pytest

pytestmark = pytest.mark.quick

PLACES = int(os.environ.get("TFGRAPHTOOLS_MUTATIONS", "1"))


#: What TF 1.15 does with control flow v2: its loops ignore back_prop, so the gradient is live
#: (tf.gradients agrees).
LIVE_IN_TF1_V2 = {"back_prop=False", "map_fn back_prop=False"}


@pytest.mark.parametrize("name", mutations.MUTATIONS)
def test_the_inserted_op_is_named(tf, v1, control_flow, gradients, name):
    if tf.__version__.startswith("1.") and control_flow == "v2" and name in LIVE_IN_TF1_V2:
        pytest.skip("the gradient is live there")
    for seed in range(PLACES):
        with v1.Graph().as_default():
            x, y, inserted = mutations.mutated(tf, v1, name, 100 * seed + len(name))
            explanation = gradients.explain_gradient(y, x)
            assert explanation.verdict(x) != "live", str(explanation)
            first = explanation.blockers(x)[0]
            assert first.cause in mutations.MUTATIONS[name][1], (seed, str(explanation))
            assert first.op_name.split("]/")[-1] in inserted, (seed, str(explanation))
