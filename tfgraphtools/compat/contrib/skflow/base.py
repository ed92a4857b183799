"""``TensorFlowEstimator``: a model function of (x, y), trained and asked like scikit-learn's.

Source: the API documentation of TF 0.8 to 0.10, ``tf.contrib.learn``.
"""

import importlib
import tempfile

import numpy

from tfgraphtools._tf import v1
from tfgraphtools.compat.contrib.skflow import (
    estimator_arguments,
    feeders,
    progress,
    saving,
    scikit,
    skflow_ops,
)
from tfgraphtools.errors import ArgumentError

_LEARN = "tensorflow.contrib.learn.python.learn.estimators."
_estimator = importlib.import_module(_LEARN + "estimator")
_model_fn = importlib.import_module(_LEARN + "model_fn")
_layers = importlib.import_module("tensorflow.contrib.layers")
_training_util = importlib.import_module("tensorflow.python.training.training_util")
_deprecation = importlib.import_module("tensorflow.python.util.deprecation")
_logging = importlib.import_module("tensorflow.python.platform.tf_logging")


class TensorFlowEstimator(scikit.ScikitLearn, _estimator.Estimator):
    """An estimator that trains a model on batches of arrays, and predicts arrays.

    Args:
      model_fn: a function of (x, y), tensors of a batch, that returns (predictions, loss).
      n_classes: of the labels, which it gets as one-hot vectors; 0 or 1 to regress.
      batch_size: samples in a batch.
      steps: of one call of `fit`.
      optimizer: its name ("SGD", "Adam", "Adagrad"...), an optimizer, its class, or a
        function of the learning rate.
      learning_rate: a float, or a function of the global step that returns a tensor.
      clip_gradients: the largest global norm; None or 0 for no clipping.
      class_weight: [n_classes], what logits are multiplied by; None for ones.
      continue_training: whether `fit` continues training, or starts from the beginning.
      config: a ``learn.RunConfig``; its seed is 42 where it names none.
      verbose: 0 prints nothing, 1 the loss of every hundredth step, 2 also where ops
        are placed.

    A variable of the model whose initializer nobody names is initialised as TF 0.x did
    (uniform, by its first dimensions).

    Raises:
      ArgumentError: an optimizer of unknown name.
    """

    #: The users' function: instead of the property of 1.15's Estimator.
    model_fn = None

    #: The `saving.SavedGraph` that predicts, in an estimator that was restored.
    _saved = None

    _was_fit = False
    _data_feeder = None

    def __init__(
        self,
        model_fn,
        n_classes,
        batch_size=32,
        steps=200,
        optimizer="Adagrad",
        learning_rate=0.1,
        clip_gradients=5.0,
        class_weight=None,
        continue_training=False,
        config=None,
        verbose=1,
        *,
        model_dir=None,
    ):
        estimator_arguments.check_optimizer(optimizer)
        with _deprecation.silence():
            super().__init__(
                self._model, model_dir or tempfile.mkdtemp(), estimator_arguments.with_seed(config)
            )
        self._model_dir_is_given = model_dir is not None
        self._given_config = config
        if config is not None and config.session_config is None:
            self._session_config.MergeFrom(config.tf_config)
        self._session_config.log_device_placement |= verbose > 1
        self.model_fn = model_fn
        self.n_classes = n_classes
        self.batch_size = batch_size
        self.steps = steps
        self.optimizer = optimizer
        self.learning_rate = learning_rate
        self.clip_gradients = clip_gradients
        self.class_weight = class_weight
        self.continue_training = continue_training
        self.verbose = verbose

    # What 1.15's Estimator calls: the model in one of its modes.
    def _model(self, features, labels, mode):
        training = mode == _model_fn.ModeKeys.TRAIN
        if self.class_weight is not None:
            v1.constant(self.class_weight, v1.float32, name="class_weight")
        scope = v1.get_variable_scope()
        with skflow_ops.training(training), v1.variable_scope(
            scope, initializer=skflow_ops.default_initializer()
        ):
            predictions, loss = self.model_fn(features, labels)
        hooks = []
        if training and self.verbose:
            hooks.append(progress.ProgressHook(loss, self._data_feeder))
        return _model_fn.ModelFnOps(
            mode=mode,
            predictions=predictions,
            loss=loss,
            train_op=self._train_op(loss) if training else None,
            training_hooks=hooks,
        )

    def _train_op(self, loss):
        step, rate, clip = v1.train.get_global_step(), self.learning_rate, self.clip_gradients
        # Hooks that count read the step before it goes up, and never sometimes after.
        with v1.control_dependencies([_training_util._get_or_create_global_step_read()]):
            return _layers.optimize_loss(
                loss,
                step,
                learning_rate=rate(step) if callable(rate) else rate,
                optimizer=self.optimizer,
                clip_gradients=float(clip) if clip else None,
            )

    def fit(self, x, y, steps=None, monitors=None, logdir=None, *, batch_size=None, monitor=None):
        """Trains; returns the estimator.

        A second call starts from the beginning, except with `continue_training`. If `logdir`, or
        the estimator's ``model_dir``, holds a checkpoint, training continues from it.

        Args:
          x: [samples, ...]: an array, a list, a frame, or an iterator of samples.
          y: [samples] or [samples, outputs]: numbers of classes, or values.
          steps: to train; those of the estimator where this is None or 0.
          monitors: of ``learn.monitors``, or hooks.
          logdir: the folder for checkpoints and summaries.
          batch_size: samples in a batch; that of the estimator where this is None.
          monitor: one more, as TF 0.8 took it.

        Raises:
          ArgumentError: an estimator that was restored lacks code that cannot be saved.
        """
        self._check_whole("fit")
        if isinstance(steps, str):
            raise ArgumentError(
                "fit(x, y, steps)", "how many steps", repr(steps), f"fit(x, y, logdir={steps!r})"
            )
        self._choose_folder(logdir, goes_on=self.continue_training)
        monitors = [*(monitors or []), *filter(None, [monitor])]
        return self._fit(x, y, steps or self.steps, batch_size or self.batch_size, monitors)

    def partial_fit(self, x, y):
        """Works as `fit`, but always continues from what was learnt before."""
        self._check_whole("partial_fit")
        self._choose_folder(None, goes_on=True)
        return self._fit(x, y, self.steps, self.batch_size, [])

    def _choose_folder(self, logdir, goes_on):
        if logdir is not None:
            self._model_dir, self._model_dir_is_given = logdir, True
        if goes_on:
            return
        checkpoint = v1.train.latest_checkpoint(self._model_dir)
        if checkpoint and self._model_dir_is_given:
            _logging.warning("%s.fit continues from %s.", type(self).__name__, checkpoint)
        elif checkpoint:
            _logging.warning(
                "%s.fit starts from the beginning, as in TF 0.8; pass continue_training=True to "
                "continue.",
                type(self).__name__,
            )
            self._model_dir = tempfile.mkdtemp()

    def _fit(self, x, y, steps, batch_size, monitors):
        self._features_info = self._labels_info = None  # other data may have another shape
        self._data_feeder = feeders.feeder(x, y, self.n_classes, batch_size)
        feed = v1.train.FeedFnHook(self._data_feeder.get_feed_dict_fn())
        with _deprecation.silence():
            input_fn = self._data_feeder.input_builder
            super().fit(input_fn=input_fn, steps=steps, monitors=[feed, *monitors])
        self._was_fit, self._saved = True, None
        return self

    def evaluate(
        self,
        x=None,
        y=None,
        input_fn=None,
        feed_fn=None,
        batch_size=None,
        steps=None,
        metrics=None,
        name=None,
        **options,
    ):
        """Returns {"loss": mean over batches, and each metric}, after the last checkpoint.

        Args:
          x, y: as for `fit`; each sample once.
          input_fn, feed_fn: instead of them: as for ``learn.Estimator``.
          batch_size: samples in a batch; that of the estimator where this is None.
          steps: batches at most; None for all.
          metrics: {name: function of (predictions, labels)}.
          name: of the folder for summaries.
          options: further ones of ``learn.Estimator``.
        """
        self._check_whole("evaluate")
        with _deprecation.silence():
            if x is not None:
                feeder = feeders.feeder(
                    x, y, self.n_classes, batch_size or self.batch_size, shuffle=False, epochs=1
                )
                input_fn = feeder.input_builder
                hooks = options.pop("hooks", None) or []
                options["hooks"] = [*hooks, v1.train.FeedFnHook(feeder.get_feed_dict_fn())]
            return super().evaluate(
                input_fn=input_fn,
                feed_fn=feed_fn,
                steps=steps,
                metrics=metrics,
                name=name,
                **options,
            )

    def predict(self, x, axis=1, batch_size=None):
        """Returns an array: the class of each sample, or its value.

        Args:
          x: as for `fit`.
          axis: along which the likeliest class is searched; 2 for sequences of classes.
          batch_size: samples in a batch; that of the estimator where this is None.

        Raises:
          NotFittedError: before `fit`.
        """
        predictions = self.predict_proba(x, batch_size)
        return predictions.argmax(axis) if self.n_classes > 1 else predictions

    def predict_proba(self, x, batch_size=None):
        """Returns what the model predicts: [samples, n_classes] of probabilities, or values."""
        if not self._was_fit:
            self._not_fitted()
        feeder = feeders.feeder(
            x, None, None, batch_size or self.batch_size, shuffle=False, epochs=1
        )
        if self._saved is not None:
            return self._saved.predict(feeder, self._model_dir)
        with _deprecation.silence():
            batches = self._infer_model(
                input_fn=feeder.input_builder,
                feed_fn=feeder.get_feed_dict_fn(),
                iterate_batches=True,
            )
            return numpy.concatenate(list(batches))

    def get_tensor(self, name):
        """Returns the tensor of this name in the graph that was trained (or restored)."""
        if not self._was_fit:
            self._not_fitted()
        graph = self._graph if self._saved is None else self._saved.graph()
        return graph.get_tensor_by_name(name)

    def get_tensor_value(self, name):
        """Returns the value of a variable, as it was trained.

        Raises:
          ArgumentError: no variable has this name: other tensors have no value of their own.
        """
        if not self._was_fit:
            self._not_fitted()
        variable_name = name[:-2] if name.endswith(":0") else name
        known = self.get_variable_names()
        if variable_name not in known:
            raise ArgumentError(
                "get_tensor_value", "the name of a variable", repr(name), f"There are: {known}"
            )
        return self.get_variable_value(variable_name)

    def save(self, path):
        """Saves checkpoint, arguments and the graph that predicts into a folder."""
        if not self._was_fit:
            self._not_fitted()
        with _deprecation.silence():
            saving.save(self, path)

    @classmethod
    def restore(cls, path, config=None):
        """Returns the estimator that `save` put into a folder.

        It predicts at once, also where its model is code of the user's, which is not saved.
        """
        with _deprecation.silence():
            return saving.restore(TensorFlowEstimator, path, config)

    def _not_fitted(self):
        raise importlib.import_module(_LEARN + "_sklearn").NotFittedError(
            f"This {type(self).__name__} is not fitted yet: call fit first."
        )
