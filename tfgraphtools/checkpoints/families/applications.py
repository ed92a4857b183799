"""`to_application`: a TF1 checkpoint of a convolutional network as a model of Keras."""

import os
import re
from typing import Any, Dict

from tfgraphtools.checkpoints.families import family_plans
from tfgraphtools.checkpoints.format.type_hints import Path, Progress
from tfgraphtools.checkpoints.keras import keras_models
from tfgraphtools.checkpoints.read.checkpoint import Checkpoint, Source
from tfgraphtools.checkpoints.read.opening import opened
from tfgraphtools.errors import PlanError


class ApplicationPlan(family_plans.FamilyPlan):
    """The model of ``keras.applications`` that will be written; made by `plan_application`."""

    def build(self) -> Any:
        """Returns the Keras model with the checkpoint's weights.

        Raises:
          MissingExtraError: no Keras 3. PlanError: a weight without a tensor, or the other way.
        """
        keras = keras_models.require_keras(self.architecture)
        model = _built(keras, self.architecture, self.config, self.target)
        variables = variables_of(model)
        readers, shapes = (
            self.readers(as_stored=False),
            {row.name: tuple(row.shape) for row in self.rows()},
        )
        _require_all(self, variables, shapes)
        self.check()
        for name, variable in variables.items():
            variable.assign(readers[name]())
        self.checkpoint.check_unchanged()
        return model

    def apply(
        self, destination: Path, *, overwrite: bool = False, progress: Progress = None
    ) -> None:
        """Writes the model as ``x.keras``, or its weights as ``x.weights.h5``.

        Raises:
          DamagedCheckpointError, DestinationError: nothing was written then.
        """
        path = os.fspath(destination)
        keras_models.require_destination(path, overwrite)
        keras_models.write(self.build(), path, overwrite)


def to_application(checkpoint: Source, path: Path, overwrite: bool = False) -> ApplicationPlan:
    """Writes a model of ``keras.applications`` from a TF1 checkpoint of slim's networks.

    ResNet v1 and v2, VGG 16 and 19, Inception v3, Inception-ResNet v2, MobileNet v1, v2 and v3,
    NASNet-A, and EfficientNet b0 to b7 of tensorflow/tpu, which takes pixels from 0 to 255 in
    Keras. Where Keras pads, strides or normalises in another way than slim, the model that is
    written has slim's: it is a model of plain Keras layers, which ``keras.models.load_model``
    loads. It computes logits.

    Args:
      checkpoint: as in `open_checkpoint`, or an open one.
      path: ``x.keras`` or ``x.weights.h5``.
      overwrite: replace a file that is there.

    Returns:
      The `ApplicationPlan` that was carried out.

    Example:
      >>> to_application("resnet_v2_50.ckpt", "resnet.keras")           # doctest: +SKIP

    Raises:
      PlanError: no known family, or none that Keras has.
      MissingExtraError: no Keras 3.
      DamagedCheckpointError, DestinationError: nothing was written then.
    """
    with opened(checkpoint) as ckpt:
        plan = plan_application(ckpt)
        plan.apply(path, overwrite=overwrite)
        return plan


def plan_application(ckpt: Checkpoint) -> ApplicationPlan:
    """Plans what `to_application` writes.

    Args:
      ckpt: an open checkpoint.

    Returns:
      An `ApplicationPlan`: print it, `apply` it, or `build` the model.

    Example:
      >>> with open_checkpoint("resnet_v2_50.ckpt") as ckpt:           # doctest: +SKIP
      ...     model = plan_application(ckpt).build()

    Raises:
      PlanError: as `to_application`.
    """
    return family_plans.make(ckpt, "keras", None, ApplicationPlan)


def _built(keras, name, config, target):
    """Returns the model with the family's changes, for any size of image if it can."""
    model = getattr(keras.applications, name)(
        weights=None, classifier_activation=None, **dict(config)
    )
    size = config.get("input_shape", (None, None, 3))
    layers = {layer.name: layer for layer in model.layers}

    def with_changes(layer):
        own = layer.get_config()
        for pattern, changes in target.changes:
            if re.fullmatch(pattern, layer.name):
                own.update(changes)
        return layer.__class__.from_config(own)

    def with_insertions(layer, *arguments, **options):
        for pattern, place, kind, settings in target.inserted:
            if layer.name in layers and re.fullmatch(pattern, layer.name):
                arguments = _through(getattr(keras.layers, kind)(**settings), arguments, place)
        return layer(*arguments, **options)

    return keras.models.clone_model(
        model,
        input_tensors=keras.Input(size),
        clone_function=with_changes,
        call_function=with_insertions,
    )


def _through(inserted, arguments, place):
    """Returns the arguments of a layer with one of its inputs passed through another layer."""
    inputs = arguments[0]
    if not isinstance(inputs, (list, tuple)):
        return (inserted(inputs), *arguments[1:])
    inputs = [inserted(value) if i == place else value for i, value in enumerate(inputs)]
    return (inputs, *arguments[1:])


def variables_of(model: Any) -> Dict[str, Any]:
    """Returns the weights of a model under the names that the families' data gives them.

    Args:
      model: of ``keras.applications``, or one that `to_application` wrote.

    Returns:
      {layer/weight: variable}; layers that Keras numbers are counted from 0 in this model.

    Example:
      >>> sorted(variables_of(model))[0]                               # doctest: +SKIP
      'conv1_bn/beta'
    """
    counted = {}
    for layer in model.layers:
        match = re.fullmatch(r"(conv2d|batch_normalization)(?:_(\d+))?", layer.name)
        if match:
            counted.setdefault(match.group(1), {})[int(match.group(2) or 0)] = layer.name
    names = {
        name: f"{kind}_{place}"
        for kind, numbered in counted.items()
        for place, (_, name) in enumerate(sorted(numbered.items()))
    }
    return {
        f"{names.get(layer.name, layer.name)}/{variable.name}": variable
        for layer in model.layers
        for variable in layer.weights
    }


def _require_all(plan, variables, shapes):
    """Raises unless every weight has a tensor of its shape, and every tensor a weight."""
    wrong = [f"no tensor for {name!r}" for name in sorted(set(variables) - set(shapes))]
    wrong += [f"no weight {name!r}" for name in sorted(set(shapes) - set(variables))]
    wrong += [
        f"{name!r} of the shape {list(shapes[name])}, not {list(variable.shape)}"
        for name, variable in sorted(variables.items())
        if name in shapes and shapes[name] != tuple(variable.shape)
    ]
    if wrong:
        raise PlanError(
            f"{plan.checkpoint.prefix}, a {plan.family}",
            f"the weights of keras.applications.{plan.architecture}",
            "; ".join(wrong[:4]) + (f"; and {len(wrong) - 4} more" if len(wrong) > 4 else ""),
            "Convert it by hand: ckpt convert --to keras --model model.py:function.",
        )
