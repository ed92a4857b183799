"""Gradient accumulation: one step of the optimizer for every k batches."""

from typing import List, Optional

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError
from tfgraphtools.training import _arguments, _types, _wrapper
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
        self._global_step = None  # while a step is built: see apply_gradients

    def apply_gradients(
        self,
        grads_and_vars: _types.Pairs,
        global_step: Optional[_types.Variable] = None,
        name: Optional[str] = None,
    ) -> tf.Operation:
        """As every optimizer's, but ``global_step`` counts the steps that are taken."""
        self._global_step = global_step
        try:
            return super().apply_gradients(grads_and_vars, None, name)
        finally:
            self._global_step = None

    def get_slot(self, var: _types.Variable, name: str) -> Optional[_types.Variable]:
        """The slot of a variable: ours, or the wrapped optimizer's."""
        own = v1.train.Optimizer.get_slot(self, var, name)
        return super().get_slot(var, name) if own is None else own

    def get_slot_names(self) -> List[str]:
        """The names of our slots and of the wrapped optimizer's, sorted."""
        return sorted({*v1.train.Optimizer.get_slot_names(self), *super().get_slot_names()})

    def variables(self) -> List[_types.Variable]:
        """Our state and the wrapped optimizer's."""
        return v1.train.Optimizer.variables(self) + super().variables()

    def _plan(self, step, pairs):
        """Only one thread or worker at a time adds, or takes the step."""
        for variable in [variable for grad, variable in pairs if grad is not None][:1]:
            step.lock(variable, self._threads)

    def _apply(self, step, pairs, outside):
        sums = [_Sum(self, grad, v) for grad, v in pairs if grad is not None]
        for one in sums:
            self.note(one.variable, step=f"every {self._steps} runs")
        runs = self._run_counter(sums[0].variable, outside)
        # The step waits for all sums, and so for every gradient: none of them sees
        # a variable that the step has changed.
        with v1.control_dependencies([one.add() for one in sums]):
            counted = tf.math.floormod(runs.read_value() + 1, self._steps)
            is_due = tf.equal(v1.assign(runs, counted), 0, name="is_due")

        def take_step():
            means = [(one.mean(self._steps), one.variable) for one in sums]
            with v1.name_scope(outside):
                step = self._wrapped[0].apply_gradients(means, global_step=self._global_step)
            with v1.control_dependencies([_optimizers.as_operation(step)]):
                return tf.group(*[one.clear() for one in sums], name="cleared")

        return _tf.run_if(is_due, take_step)

    def _run_counter(self, like, outside):
        """The variable that counts the runs of the step that is being built."""
        graph = _tf.root_graph()
        name = f"{outside or ''}{self.get_name()}/runs"
        with _tf.init_scope(), v1.name_scope(None):
            if graph.unique_name(name, mark_as_used=False) != name:
                raise ArgumentError(
                    "GradientAccumulationOptimizer",
                    "a name of its own in this graph",
                    f"{name!r} in use",
                    "Build one step with each, and give the second a name=.",
                )
            resource = _tf.is_resource_variable(like)
            counter = v1.Variable(0, trainable=False, name=name, use_resource=resource)
        self._non_slot_dict["runs", graph] = counter
        return counter


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
        if isinstance(grad, tf.IndexedSlices):
            self._rows = _zeros(optimizer, variable, variable.shape[:1], tf.bool, "gradient_rows")
            self._rows._set_save_slice_info(None)  # else a Saver takes it to have all dimensions

    def add(self):
        """The op that adds the gradient of this run."""
        values = tf.cast(_slices.values_of(self._grad), self._sum.dtype.base_dtype)
        with _tf.colocate_with(self.variable):
            if self._rows is None:
                return _optimizers.as_operation(v1.assign_add(self._sum, values))
            rows = self._grad.indices
            touched = v1.scatter_update(self._rows, rows, tf.ones_like(rows, tf.bool))
            return tf.group(v1.scatter_add(self._sum, rows, values), touched)

    def mean(self, count):
        """The mean gradient; for a sparse one, slices of all rows that were touched."""
        dtype = self.variable.dtype.base_dtype
        share = 1 / count  # a product: the graph optimizer makes one of a division, and rounds so
        with _tf.colocate_with(self.variable):
            if self._rows is None:
                return tf.cast(self._sum.read_value() * share, dtype)
            self._touched = tf.squeeze(tf.where(self._rows.read_value()), [1])
            values = tf.gather(self._sum, self._touched) * share
            return tf.IndexedSlices(tf.cast(values, dtype), self._touched, tf.shape(self._sum))

    def clear(self):
        """The op that forgets the sum."""
        with _tf.colocate_with(self.variable):
            if self._rows is None:
                return _optimizers.as_operation(v1.assign(self._sum, tf.zeros_like(self._sum)))
            count = tf.shape(self._touched)
            zeros = tf.zeros(tf.concat([count, self._sum.shape[1:]], 0), self._sum.dtype.base_dtype)
            return tf.group(
                v1.scatter_update(self._sum, self._touched, zeros),
                v1.scatter_update(self._rows, self._touched, tf.zeros(count, tf.bool)),
            )


def _zeros(optimizer, variable, shape, dtype, name):
    """A slot of zeros, named ``<variable>/<name>``."""
    with _tf.init_scope():
        return optimizer._get_or_make_slot_with_initializer(
            variable, v1.zeros_initializer(), shape, dtype, name, name
        )
