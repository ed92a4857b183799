"""Every optimizer of a test wrapped, so that nothing may change: masks that freeze nothing..."""

import numpy as np
import tensorflow as tf
from tensorflow.python.training import optimizer as tf_optimizer

from tfgraphtools import training
from tfgraphtools.errors import TfgraphtoolsError


def _all(variable):
    return True


def _scalar(_):
    return {_all: np.array(False)}


def _whole(variables):
    """An array of each variable's own shape; a scalar where that is not known."""
    shapes = [tf.TensorShape(getattr(variable, "shape", None)) for variable in variables]
    return {
        variable: np.zeros(shape.as_list() if shape.is_fully_defined() else [], bool)
        for variable, shape in zip(variables, shapes)
    }


def _tensor(_):
    return {_all: tf.constant(False)}


def _fed(_):
    return {_all: tf.compat.v1.placeholder_with_default(False, [])}


def _variable(_):
    return {_all: tf.compat.v1.Variable(False, trainable=False, name="through_mask")}


def _freeze(masks, **options):
    return lambda optimizer, variables, name: training.FreezeOptimizer(
        optimizer, masks(variables), name=name, **options
    )


def _wrap(kind, *arguments, **options):
    return lambda optimizer, _, name: kind(optimizer, *arguments, name=name, **options)


def _partition(optimizer, _, name):
    return training.PartitionOptimizer([training.Group("all", _all, optimizer)], name=name)


#: {name: (optimizer, variables, name of scope) -> wrapped optimizer}. `through` reads the keys.
WRAPPERS = {
    "freeze-scalar": _freeze(_scalar),
    "freeze-array": _freeze(_whole),
    "freeze-tensor": _freeze(_tensor),
    "freeze-fed": _freeze(_fed),
    "freeze-variable": _freeze(_variable),
    "freeze-reset": _freeze(_fed, slots="reset"),
    "freeze-advance": _freeze(_fed, slots="advance"),
    "freeze-compact": _freeze(_whole, slots="compact"),
    "freeze-element": _freeze(_fed, clock="element"),
    "rates": _wrap(training.LRMultiplierOptimizer, {_all: 1.0}),
    "partition": _partition,
    "transform": _wrap(training.GradientTransformOptimizer, lambda pairs: pairs),
    "accumulate": _wrap(training.GradientAccumulationOptimizer, 1),
    "average": _wrap(training.ExponentialAverageOptimizer, 0.9),
    "mean": _wrap(training.WeightAverageOptimizer),
    "lookahead": _wrap(training.LookaheadOptimizer, 10**6),
    "decay": _wrap(training.DecoupledWeightDecayOptimizer, {_all: 0.0}),
    "trust": _wrap(training.TrustRatioOptimizer, exclude=_all),
    "skip": _wrap(training.SkipNonFiniteOptimizer),
    "scale": _wrap(training.LossScaleOptimizer, 1.0, growth_steps=None),
}


class State:
    """The variables of steps that were built, which not every test initializes."""

    def __init__(self):
        self.busy, self._made = False, {}

    def made(self, graph, variables):
        """Notes new variables of a graph; their checks are built here, before it is finalized."""
        checks = [tf.compat.v1.is_variable_initialized(one) for one in variables]
        self._made.setdefault(graph, []).extend(zip(variables, checks))

    def before_run(self, session, _):
        """Initializes those that are not, but for a session on a server: that has several."""
        known = [] if session._target else self._made.get(session.graph, ())
        self.busy = True
        try:
            for variable, check in known:
                if not session.run(check):
                    session.run(variable.initializer)
        except tf.errors.FailedPreconditionError:
            pass  # an average of a variable that is not initialized yet
        finally:
            self.busy = False


def install(log, kinds):
    """Sends `apply_gradients` of every optimizer through wrappers; returns the `State`.

    Args:
      kinds: names of wrappers with "," between them; each case takes the next. A stack is several
        names with "+" between them, the outermost first.
    """
    construct, sent = tf_optimizer.Optimizer.__init__, _Sent(log, kinds)

    def constructed(self, *arguments, **options):
        for kind in type(self).__mro__:
            if "apply_gradients" in vars(kind) and not kind.__module__.startswith("tfgraphtools."):
                sent.patch(kind)
        construct(self, *arguments, **options)

    tf_optimizer.Optimizer.__init__ = constructed
    tf_optimizer.Optimizer.get_slot = sent.get_slot(tf_optimizer.Optimizer.get_slot)
    return sent.state


class _Sent:
    """Sends steps of optimizers through wrappers."""

    def __init__(self, log, kinds):
        self._log, self._kinds, self.state = log, kinds.split(","), State()
        self._wrapped, self._inside = {}, False
        self._kind_of = {}  # name of the case: what it takes
        self._stepped = {}  # optimizers with a wrapped step, by id

    def patch(self, kind):
        """Patches `apply_gradients` of a class of optimizers, once."""
        original = vars(kind)["apply_gradients"]
        if getattr(original, "through", False):
            return

        def apply_gradients(optimizer, grads_and_vars, *arguments, **options):
            if self._inside or tf.executing_eagerly():
                return original(optimizer, grads_and_vars, *arguments, **options)
            pairs = list(grads_and_vars)
            self._inside = True
            try:
                return self._apply(optimizer, pairs, *arguments, **options)
            except TfgraphtoolsError as error:
                self._log.event("refused", f"{self._kind()}: {error}")
                if id(optimizer) in self._stepped:
                    self._log.event("apart", "one step of an optimizer is wrapped, one refused")
                return original(optimizer, pairs, *arguments, **options)
            finally:
                self._inside = False

        apply_gradients.through = True
        kind.apply_gradients = apply_gradients

    def get_slot(self, original):
        """Notes that a case asks for slots that slots="compact" keeps in another form."""

        def get_slot(optimizer, var, name):
            slot = original(optimizer, var, name)
            asks = not self._inside and id(optimizer) in self._stepped
            if slot is None and asks and "freeze-compact" in self._kind():
                self._log.event("apart", 'get_slot is None with slots="compact", as documented')
            return slot

        return get_slot

    def _apply(self, optimizer, pairs, *arguments, **options):
        before = set(map(id, tf.compat.v1.global_variables()))
        self._log.event("asked", self._kind())
        graph = tf.compat.v1.get_default_graph()
        key = id(optimizer), graph  # masks are of one graph
        if key not in self._wrapped:
            self._wrapped[key] = self._wrap(optimizer, [v for _, v in pairs])
        step = self._wrapped[key].apply_gradients(pairs, *arguments, **options)
        self._stepped[id(optimizer)] = optimizer
        made = [one for one in tf.compat.v1.global_variables() if id(one) not in before]
        self.state.made(graph, made)
        return step

    def _wrap(self, optimizer, variables):
        number = len(self._wrapped)  # a graph may have several optimizers: each needs its names
        for kind in reversed(self._kind().split("+")):
            optimizer = WRAPPERS[kind](optimizer, variables, f"{kind}{number}")
        return optimizer

    def _kind(self):
        """Returns what the case takes that runs now."""
        kind = self._kinds[len(self._kind_of) % len(self._kinds)]
        return self._kind_of.setdefault(self._log.case, kind)
