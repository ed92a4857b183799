"""On the way to TF 1, Keras's optimizers are told apart by their names, not by their slots."""

import numpy as np
import pytest

from tfgraphtools import checkpoints
from tfgraphtools.errors import PlanError

K3, LEGACY = "keras.optimizers", "tf_keras.optimizers.legacy"

#: (module, class, arguments, the slots of the kernel in TF 1 or what the refusal says)
ROWS = [
    (K3, "Adam", {}, ["Adam", "Adam_1"]),
    (K3, "Adam", {"name": "mine"}, "'mine'.*Adam, AdamW, Lamb"),
    (K3, "AdamW", {}, "'adam_w'.*got AdamW"),
    (K3, "AdamW", {"name": "adam"}, ["Adam", "Adam_1"]),  # its user calls it so
    (K3, "Lion", {}, "'lion'.*got Lion"),
    (K3, "Lamb", {}, "'lamb'.*got Lamb"),
    (K3, "Nadam", {}, "_u_product"),
    (K3, "SGD", {"momentum": 0.9}, ["Momentum"]),
    (K3, "SGD", {"momentum": 0.9, "name": "mine"}, "'mine'.*SGD or Lion"),
    (K3, "RMSprop", {"name": "mine"}, ["RMSProp", "RMSProp_1"]),
    (K3, "Adagrad", {}, ["Adagrad"]),
    (LEGACY, "Adam", {}, ["Adam", "Adam_1"]),
    (LEGACY, "Adam", {"name": "mine"}, "'mine'.*Adam, AdamW, Lamb"),
    (LEGACY, "Adamax", {}, "'Adamax'.*got Adamax"),
    (LEGACY, "Nadam", {}, "'Nadam'.*got Nadam"),
    (LEGACY, "Nadam", {"name": "Adam"}, "'Adam'.*got Nadam"),
    (LEGACY, "SGD", {"momentum": 0.9}, ["Momentum"]),
    (LEGACY, "Ftrl", {}, ["Ftrl", "Ftrl_1"]),
    (LEGACY, "Ftrl", {"beta": 0.1}, "beta=0.1"),
]


@pytest.fixture
def saved(tmp_path):
    """A function of [(module, class, arguments)] that gives the prefix of a checkpoint."""
    tf = pytest.importorskip("tensorflow")
    pytest.importorskip("keras", "3", reason="Keras 3 needs TF 2.16 or newer")
    from tensorflow.python.eager import context

    def of(*optimizers):
        objects = {}
        for number, (module, class_name, arguments) in enumerate(optimizers):
            classes = pytest.importorskip(module)
            keras = pytest.importorskip(module.partition(".")[0])
            layer = keras.layers.Dense(2, name=f"dense{number}")
            layer.build((None, 3))
            optimizer = getattr(classes, class_name)(0.5, **arguments)
            variables = layer.trainable_variables
            optimizer.apply_gradients([(tf.zeros(v.shape), v) for v in variables])
            optimizer.iterations.assign(30)
            objects.update({f"net{number}": layer, f"optimizer{number}": optimizer})
        return tf.train.Checkpoint(**objects).write(str(tmp_path / "objects"))

    with context.eager_mode():
        yield of


@pytest.mark.parametrize(
    "module, name, arguments, expected",
    [pytest.param(*row, id="-".join([row[0].split(".")[0], row[1], *row[2]])) for row in ROWS],
)
def test_classes(saved, module, name, arguments, expected):
    with checkpoints.open_checkpoint(saved((module, name, arguments))) as ckpt:
        if isinstance(expected, str):
            with pytest.raises(PlanError, match=expected):
                checkpoints.plan_name_based(ckpt)
            checkpoints.plan_name_based(ckpt, drop_optimizer=True)
            return
        targets = [target.name for target in checkpoints.plan_name_based(ckpt).targets]
    assert [n.rpartition("/")[2] for n in targets if n.count("kernel/")] == expected


def test_the_user_says_which_it_is(saved):
    prefix = saved((K3, "Adam", {"name": "mine"}))
    with checkpoints.open_checkpoint(prefix) as ckpt:
        for names in ("Adam", {"mine": "Adam"}):
            plan = checkpoints.plan_name_based(ckpt, names=names)
            assert "dense0/kernel/Adam_1" in {target.name for target in plan.targets}
        assert any("weight_decay" in note for note in plan.notes)
        with pytest.raises(PlanError, match="a kind: .*Momentum"):
            checkpoints.plan_name_based(ckpt, names="Lion")


def test_a_decay_of_the_rate_is_noted(saved):
    with checkpoints.open_checkpoint(saved((LEGACY, "Adam", {"decay": 0.25}))) as ckpt:
        notes = checkpoints.plan_name_based(ckpt).notes
    assert any("1 + 0.25 * steps" in note for note in notes)


def test_two_optimizers(saved, tmp_path):
    prefix = saved((K3, "Adam", {"beta_1": 0.5}), (K3, "Adam", {"beta_1": 0.5}))
    checkpoints.to_name_based(prefix, str(tmp_path / "tf1"), hyper={"beta1": 0.5})
    with checkpoints.open_checkpoint(str(tmp_path / "tf1")) as ckpt:
        assert int(ckpt["global_step"]) == 30
        np.testing.assert_allclose(ckpt["beta1_power"], 0.5**31, rtol=1e-6)
        np.testing.assert_allclose(ckpt["beta1_power_1"], 0.5**31, rtol=1e-6)
        assert "dense0/kernel/Adam" in ckpt and "dense1/kernel/Adam_1" in ckpt


def test_variables_without_names_get_their_paths(tmp_path):
    tf = pytest.importorskip("tensorflow", "2")
    from tensorflow.python.eager import context

    with context.eager_mode():
        module = tf.Module()
        module.a, module.b = tf.Variable([1.0]), tf.Variable([2.0])
        module.c = tf.Variable([3.0], name="own")
        prefix = tf.train.Checkpoint(net=module).write(str(tmp_path / "module"))
    checkpoints.to_name_based(prefix, str(tmp_path / "tf1"))
    with checkpoints.open_checkpoint(str(tmp_path / "tf1")) as ckpt:
        assert {name: float(ckpt[name][0]) for name in ckpt} == {
            "net/a": 1.0,
            "net/b": 2.0,
            "own": 3.0,
        }
