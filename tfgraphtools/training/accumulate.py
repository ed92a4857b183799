"""Gradient accumulation: one step of the optimizer for every k batches."""

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError, OptimizerKindError
from tfgraphtools.training import _arguments, _wrapper
from tfgraphtools.training.steps import distributed as _distributed
from tfgraphtools.training.steps import optimizers as _optimizers
from tfgraphtools.training.steps import slices as _slices


class GradientAccumulationOptimizer(_wrapper.WrapperOptimizer):
    """Adds up the gradients of ``steps`` runs, then takes one step with their mean.

    The step is the wrapped optimizer's own, on the mean gradient; in the runs
    between, nothing of it happens: no variable, slot or ``beta1_power`` moves,
    and ``global_step`` stays. A sparse gradient stays sparse: the step sees the
    rows that any of the runs touched.

    Put it around the other wrappers: one around it sees every run, decays and
    counts ``global_step`` in each, and clips each gradient instead of the mean.

    It does nothing but take an ordinary step in every run if ``steps`` is 1.

    State, all of it in a stock ``Saver``'s checkpoint, so that training goes on
    in the middle of an accumulation: the sum is the slot ``<variable>/gradient_sum``
    (float32 for float16 and bfloat16 variables), the rows touched are
    ``<variable>/gradient_rows``, and the runs counted ``<name>/runs``.

    Args:
      optimizer: any ``tf.compat.v1.train.Optimizer``.
      steps: how many runs make one step, an int of at least 1. A schedule of the
        learning rate over ``global_step`` counts steps, not runs.
      threads: ``"one"`` takes no lock, where one thread at a time runs the step: see
        `FreezeOptimizer`.
      name: of the scope of ops and state. Two of them in one graph need two names.

    Example:
      >>> optimizer = GradientAccumulationOptimizer(
      ...     tf.compat.v1.train.AdamOptimizer(1e-3), steps=8)
      >>> train_op = optimizer.minimize(loss, global_step=global_step)  # run it per batch

    Raises:
      ArgumentError: ``steps`` is no positive int; a second step is built with the
        same name in one graph, which would count every run twice.
    """

    steps_in_replicas = True

    def __init__(
        self,
        optimizer: v1.train.Optimizer,
        steps: int,
        threads: str = "several",
        name: str = "GradientAccumulation",
    ) -> None:
        _optimizers.check_optimizer(optimizer, "GradientAccumulationOptimizer")
        super().__init__([optimizer], name)
        self._steps = _arguments.check_count("GradientAccumulationOptimizer steps", steps)
        place = "GradientAccumulationOptimizer threads"
        self._threads = _arguments.check_choice(place, threads, _arguments.THREADS)
        self._global_step = None  # while a step is built
        self._built = {}  # graph: (sums, the counter of runs, global step)

    def flush(self) -> tf.Operation:
        """The op of a step with the mean of the runs since the last step, and no new batch.

        For the rest of an epoch that is no multiple of ``steps``: see `FlushHook`. Run it
        when no other thread runs the train op, and feed what the wrapped optimizers are fed.

        It does nothing where no run is waiting.

        Raises:
          ArgumentError: no step is built in this graph.
          OptimizerKindError: an accumulation inside, which has a remainder of its own.
        """
        place = "GradientAccumulationOptimizer.flush"
        if _tf.root_graph() not in self._built:
            raise ArgumentError(
                place,
                "a graph in which the step is built",
                "one without it",
                "Call minimize() or apply_gradients() before.",
            )
        if any(type(one) is type(self) for one in _optimizers.chain(self._wrapped[0])):
            raise OptimizerKindError(
                place,
                "no accumulation inside",
                "one, which would wait for more runs",
                "Multiply the steps, and use one GradientAccumulationOptimizer.",
            )
        sums, runs, global_step = self._built[_tf.root_graph()]
        pairs = [(one.mean(self._steps), one.variable) for one in sums]
        with _optimizers.train_op_collection_kept():
            return self._whole_step(pairs, global_step, "flush", again=True)

    def _whole_step(self, pairs, global_step, name, again=False):
        """As every wrapper's, but ``global_step`` counts the steps that are taken."""
        self._global_step = global_step
        try:
            return super()._whole_step(pairs, None, name, again)
        finally:
            self._global_step = None

    def _plan(self, step, pairs):
        """Only one thread or worker at a time adds, or takes the step."""
        for variable in [variable for grad, variable in pairs if grad is not None][:1]:
            step.lock(variable, self._threads)

    def _apply(self, step, pairs, outside):
        if step.again:
            return self._flushed(step, outside)
        sums = [_Sum(self, grad, v) for grad, v in pairs if grad is not None]
        for one in sums:
            self.note(one.variable, step=f"every {self._steps} runs")
        runs = self._own_variable(step, "runs", 0, sums[0].variable, outside)
        self._built[_tf.root_graph()] = (sums, runs, self._global_step)
        # The step waits for all sums, and so for every gradient: none of them sees
        # a variable that the step has changed.
        with v1.control_dependencies([one.add() for one in sums]):
            count = _tf.components(runs)[0].read_value()
            counted = tf.math.floormod(count + 1, self._steps)
            with v1.control_dependencies([_distributed.updated(runs, v1.assign, counted)]):
                is_due = tf.equal(counted, 0, name="is_due")
        return self._step_if(is_due, step, sums, self._steps, outside)

    def _flushed(self, step, outside):
        sums, runs, _ = self._built[_tf.root_graph()]
        count = _tf.components(runs)[0].read_value()
        waiting = tf.greater(count, 0, name="waiting")
        count = tf.maximum(count, 1)
        stepped = self._step_if(waiting, step, sums, tf.cast(count, tf.float64), outside)
        with v1.control_dependencies([stepped]):
            return _distributed.updated(runs, lambda one: v1.assign(one, tf.zeros_like(count)))

    def _step_if(self, predicate, step, sums, count, outside):
        """The op of the wrapped optimizer's step with the means, where the predicate holds."""

        def take_step():
            means = [(one.mean(count), one.variable) for one in sums]
            with v1.name_scope(outside):
                stepped = _distributed.apply_wrapped(self._wrapped[0], means, self._global_step)
            with v1.control_dependencies([_optimizers.as_operation(stepped)]):
                return tf.group(*[one.clear() for one in sums], name="cleared")

        with step.only_if(predicate):
            return _tf.run_if(predicate, take_step)


class _Sum:
    """The sum of one variable's gradients, in slots of the optimizer."""

    def __init__(self, optimizer, grad, variable):
        self.variable = variable
        self._grad = grad
        if not variable.shape.is_fully_defined():
            raise ArgumentError(
                "GradientAccumulationOptimizer",
                f"a shape known when the step is built of {_select.listing([variable])}",
                str(variable.shape),
                "Make the variable with its shape, without validate_shape=False.",
            )
        dtype = variable.dtype.base_dtype
        # Half floats would lose the small gradients, and overflow over the large ones.
        wide = dtype if dtype.size >= 4 else tf.float32
        self._sum = _zeros(optimizer, variable, variable.shape, wide, "gradient_sum")
        self._rows = self._touched = None
        if isinstance(_distributed.together(grad), tf.IndexedSlices):
            self._rows = _zeros(optimizer, variable, variable.shape[:1], tf.bool, "gradient_rows")
            for rows in _tf.components(self._rows):
                rows._set_save_slice_info(None)  # else a Saver takes it to have all dimensions

    def add(self):
        """The op that adds the gradient of this run."""
        grad = _distributed.together(self._grad)
        values = tf.cast(_slices.values_of(grad), self._sum.dtype.base_dtype)
        if self._rows is None:
            return _distributed.updated(self._sum, v1.assign_add, values)
        touched = tf.ones_like(grad.indices, tf.bool)
        return tf.group(
            _distributed.updated(self._sum, v1.scatter_add, grad.indices, values),
            _distributed.updated(self._rows, v1.scatter_update, grad.indices, touched),
        )

    def mean(self, count):
        """The mean gradient; for a sparse one, slices of all rows that were touched."""
        dtype = self.variable.dtype.base_dtype
        share = 1 / count  # a product: the graph optimizer makes one of a division, and rounds so
        if tf.is_tensor(share):
            share = tf.cast(share, self._sum.dtype.base_dtype)
        own = _tf.components(self._sum)[0]
        with _tf.colocate_with(own):
            if self._rows is None:
                mean = tf.cast(own.read_value() * share, dtype)
            else:
                rows = _tf.components(self._rows)[0].read_value()
                self._touched = tf.squeeze(tf.where(rows), [1])
                values = tf.cast(tf.gather(own, self._touched) * share, dtype)
                mean = tf.IndexedSlices(values, self._touched, tf.shape(own))
        return _distributed.apart(mean, self._grad)

    def clear(self):
        """The op that forgets the sum."""
        if self._rows is None:
            return _distributed.updated(self._sum, lambda one: v1.assign(one, tf.zeros_like(one)))
        count = tf.shape(self._touched)
        zeros = tf.zeros(tf.concat([count, self._sum.shape[1:]], 0), self._sum.dtype.base_dtype)
        falses = tf.zeros(count, tf.bool)
        return tf.group(
            _distributed.updated(self._sum, v1.scatter_update, self._touched, zeros),
            _distributed.updated(self._rows, v1.scatter_update, self._touched, falses),
        )


def _zeros(optimizer, variable, shape, dtype, name):
    """A slot of zeros, named ``<variable>/<name>``."""
    with _tf.init_scope():
        return optimizer._get_or_make_slot_with_initializer(
            variable, v1.zeros_initializer(), shape, dtype, name, name
        )
