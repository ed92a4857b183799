"""Whole training set-ups drawn from a seed: what `compositions` leaves as it is varies here.

Kinds of variables (float16 and float64, partitioned, scalar), selectors, optimizers, the
learning rate (number, function, placeholder, schedule), where gradients come from (fed, a loss
of the variables, conflicting tasks) and where the step stands (a branch, a loop). By hand:
``python tests/helpers/setups.py 1 300``.
"""

import collections
import sys

import compositions
import numpy as np
import setup_twins as more
from composition_twins import RATE, SHAPES

LEAVES = {
    "sgd": lambda t, rate: t.GradientDescentOptimizer(rate),
    "momentum": lambda t, rate: t.MomentumOptimizer(rate, 0.9),
    "nesterov": lambda t, rate: t.MomentumOptimizer(rate, 0.9, use_nesterov=True),
    "adam": lambda t, rate: t.AdamOptimizer(rate),
    "adagrad": lambda t, rate: t.AdagradOptimizer(rate),
    "adadelta": lambda t, rate: t.AdadeltaOptimizer(rate, epsilon=0.01),
    "rmsprop": lambda t, rate: t.RMSPropOptimizer(rate),
    "centered": lambda t, rate: t.RMSPropOptimizer(rate, momentum=0.5, centered=True),
    "ftrl": lambda t, rate: t.FtrlOptimizer(rate, l1_regularization_strength=0.01),
}
OF_HALF = ["sgd", "momentum"]  # what three digits can be compared of
PLACES = ["apply", "minimize", "minimize", "branch", "loop", "tasks"]
ROUNDS = 2  # of a loop


class Setup(compositions.Built):
    """A drawn set-up; `check` runs it beside its NumPy twin.

    Attributes:
      place: where gradients come from, and where the step stands: one of `PLACES`.
      dtypes: {name: dtype}.
    """

    def __init__(self, tf, training, seed, wrappers, resource, functions):
        """``functions``: control flow v2, whose branches take no ref variable."""
        self.choices = np.random.RandomState(seed + 1)
        self.place = self._one_of(PLACES)
        if functions and not resource and self.place in ("branch", "loop"):
            self.place = "minimize"
        width = self._one_of(["float32", "float32", "float64", "float16", "mixed"])
        mixed = dict(zip(SHAPES, ["float64", "float32", "float32", "float64"]))
        self.dtypes = mixed if width == "mixed" else dict.fromkeys(SHAPES, width)
        self.partitioned = self.choices.rand() < 0.4
        self.rate_kind = self._one_of(["number", "number", "function", "fed", "schedule"])
        with tf.compat.v1.variable_scope("", use_resource=resource):
            self.global_step = tf.compat.v1.train.get_or_create_global_step()
        self.count, self.on = 0, True
        self.left_out = "s" if self.choices.rand() < 0.3 else None  # it has no gradient
        kinds = OF_HALF if width == "float16" else sorted(LEAVES)
        self.own_rate = None
        super().__init__(
            tf,
            training,
            seed,
            wrappers,
            leaf=self._one_of(kinds),
            resource=resource,
            sparse=self.choices.rand() < 0.5,
            steady=self.place == "loop",
        )
        self.words += [self.place, width, "partitioned" * self.partitioned, self.rate_kind]

    def _one_of(self, kinds):
        return kinds[self.choices.randint(len(kinds))]

    # variables and gradients ----------------------------------------------------------

    def _variable(self, name, shape, resource):
        dtype = self.dtypes[name]
        value = self.random.normal(size=shape).astype(dtype)
        if name != "a" or not self.partitioned:
            return self.v1.get_variable(name, initializer=value, use_resource=resource)

        def part(shape, dtype=None, partition_info=None):
            begin = partition_info.var_offset[0]
            return self.tf.constant(value[begin : begin + shape[0]])

        with self.v1.variable_scope("", partitioner=self.v1.fixed_size_partitioner(3)):
            return self.v1.get_variable(
                name, shape, self.tf.as_dtype(dtype), initializer=part, use_resource=resource
            )

    def _gradient(self, name):
        """As of the base; a loss of ``grad * variable + variable**2 / 2`` adds the variable."""
        tf, v1, shape, dtype = self.tf, self.v1, SHAPES[name], self.dtypes[name]
        sparse = name == "t" and self.sparse
        fed = v1.placeholder(dtype, (3,) + shape[1:] if sparse else shape)
        rows = v1.placeholder(tf.int32, [3]) if sparse else None

        def draw():
            values = self.random.normal(size=fed.shape.as_list()).astype(dtype)
            chosen = self.random.choice([0, 2, 3, 5], 3) if sparse else None
            return {fed: values, **({rows: chosen} if sparse else {})}, values, chosen

        return (fed, rows), draw

    def _trained(self):
        return [(n, v) for n, v in self.variables.items() if n != self.left_out]

    def _own(self, name, value):
        """The gradient of a variable, in the graph."""
        fed, rows = self.grads[name][0]
        if self.place == "apply":
            return fed if rows is None else self.tf.IndexedSlices(fed, rows, SHAPES[name])
        if rows is None:
            return fed + value
        return self.tf.IndexedSlices(fed + self.tf.gather(value, rows), rows, SHAPES[name])

    def _loss(self, sign=1):
        terms = []
        for name, variable in self._trained():
            fed, rows = self.grads[name][0]
            value = self.tf.convert_to_tensor(variable) if rows is None else variable
            value = value if rows is None else self.tf.gather(value, rows)
            of_task = sign * fed * value + value * value / 2
            terms.append(self.tf.cast(self.tf.reduce_sum(of_task), self.tf.float64))
        return self.tf.add_n(terms)

    def _pairs(self):
        pairs = [(None, self.variables[name]) for name in [self.left_out] if name]
        for name, variable in self._trained():
            parts = list(variable) if type(variable).__name__ == "PartitionedVariable" else None
            # As it is now: TensorFlow takes the read of a conversion out of a loop.
            now = [part.read_value() for part in parts or [variable]]
            grad = self._own(name, self.tf.concat(now, 0) if parts else now[0])
            if parts is None:
                pairs.append((grad, variable))
            else:
                sizes = [part.shape.as_list()[0] for part in parts]
                pairs += zip(self.tf.split(grad, sizes), parts)
        return pairs

    def _step(self):
        v1, tf = self.v1, self.tf
        if self.place == "minimize":
            return self.optimizer.minimize(self._loss(), global_step=self.global_step)
        if self.place == "tasks":
            from tfgraphtools import gradients

            tasks = [self.optimizer.compute_gradients(self._loss(sign)) for sign in (1, -1)]
            pairs = gradients.project_conflicting(tasks, seed=1)
            return self.optimizer.apply_gradients(pairs, self.global_step)
        if self.place == "apply":
            return self.optimizer.apply_gradients(self._pairs(), self.global_step)
        if self.place == "branch":
            pairs, on = self._pairs(), v1.placeholder(tf.bool, [])
            self.feeds_of_run = lambda: {on: self.on}
            return v1.cond(
                on,
                lambda: tf.group(self.optimizer.apply_gradients(pairs, self.global_step)),
                tf.no_op,
            )

        def body(i):
            with v1.control_dependencies(
                [self.optimizer.apply_gradients(self._pairs(), self.global_step)]
            ):
                return i + 1

        return v1.while_loop(lambda i: i < ROUNDS, body, [0], parallel_iterations=1).op

    def feeds_of_run(self):
        return {}

    # wrappers ---------------------------------------------------------------------------

    def _keyed(self, given):
        """The same by other selectors: variables, lists of them, functions, patterns."""
        items = []
        for name, value in given.items():
            kind = self._one_of(["name", "variable", "list", "function", "pattern"])
            selector = {
                "name": name,
                "variable": self.variables[name],
                "list": [self.variables[name]],
                "function": lambda v, name=name: v.op.name.split("/")[0] == name,
                "pattern": f"{name}|{name}(/.*)?",
            }[kind]
            items.append((selector, value))
        return items

    def _others(self):
        return [self._one_of("LFTDAEKR")] if self.choices.rand() < 0.5 else []

    def _T(self, rest, names, leaf):
        t, kind = self.training.transforms, self._one_of(["each", "value", "zero", "base"])
        if kind == "base":
            return super()._T(rest, names, leaf)
        self.words.append(kind)
        chosen = {n: self.mask(n) for n in self._some(names)} if kind == "zero" else {}
        given = {n: value for n, (value, _) in chosen.items()}
        transform = {
            "each": lambda: t.clip_by_norm(0.75),
            "value": lambda: t.clip_by_value(-0.5, 0.25),
            "zero": lambda: t.chain(t.zero_frozen(self._keyed(given)), t.scale(0.5)),
        }[kind]()
        optimizer, twin = self._chain(rest, names, leaf)
        reads = {n: read for n, (_, read) in chosen.items()}
        wrapped = self.training.GradientTransformOptimizer(optimizer, transform)
        return wrapped, more.Shaped(kind, reads, twin)

    def _leaf(self, kind):
        if kind == "sgd" and self.own_rate is not None:  # of a second group
            return super()._leaf(kind)
        self.words.append(kind)
        rate, read = self._rate(kind)
        optimizer = LEAVES[kind](self.v1.train, rate)
        twin = more.Leaf(kind, read)
        self.leaves.append((twin, optimizer))
        return optimizer, twin

    def _rate(self, kind):
        self.own_rate = self.rate_kind
        if (self.place, self.rate_kind) == ("loop", "schedule"):
            self.rate_kind = "number"
        if (kind, self.rate_kind) == ("ftrl", "function"):  # TensorFlow's takes none
            self.rate_kind = "number"
        if kind == "sgd" and self.sparse and self.dtypes["t"] != "float32":
            # TF 1.15's sparse update takes no tensor.
            self.rate_kind = "number"
        if self.rate_kind == "fed":
            fed, now = self.v1.placeholder(self.tf.float32, []), {}

            def draw():
                now["rate"] = RATE * self.random.choice([1, 0.5, 2])
                return {fed: now["rate"]}

            self.draws.append(draw)
            return fed, self._read(lambda values: now["rate"])
        if self.rate_kind == "schedule":
            steps = self.tf.cast(self.global_step, self.tf.float32)
            return RATE * 0.5**steps, self._read(lambda values: RATE * 0.5**self.count)
        read = self._read(lambda values: RATE)
        return (lambda: RATE) if self.rate_kind == "function" else RATE, read

    # running ----------------------------------------------------------------------------

    def _drawn(self):
        feed, grads = super()._drawn()
        self.on = self.place != "branch" or bool(self.choices.rand() < 0.7)
        feed.update(self.feeds_of_run())
        return feed, grads

    def _twin_step(self, values, grads, read):
        if not self.on:
            return
        for _ in range(ROUNDS if self.place == "loop" else 1):
            names = [name for name, _ in self._trained()]
            own = {n: self._dense(n, values, *grads[n]) for n in names}
            if self.place == "tasks":
                other = {n: self._dense(n, values, *grads[n], sign=-1) for n in names}
                own = more.projected(own, other)
            super()._twin_step(values, own, read)
            self.count += more.is_due(self.twin)

    def _dense(self, name, values, drawn, rows, sign=1):
        """(the gradient, the rows that it touches)."""
        grad = sign * drawn.astype(np.float64)
        if rows is None:
            return grad + (values[name] if self.place != "apply" else 0), None
        if self.place != "apply":
            grad = grad + values[name][rows]
        dense = np.zeros(SHAPES[name])
        np.add.at(dense, rows, grad)
        return dense, sorted(set(rows))

    def _compare(self, session, values, run):
        rough = {"float16": (0.03, 0.03)}
        found = session.run({n: self.tf.convert_to_tensor(v) for n, v in self.variables.items()})
        for name in SHAPES:
            tolerance = rough.get(self.dtypes[name], (5e-4, 5e-5))
            np.testing.assert_allclose(
                found[name].astype(float), values[name], *tolerance, err_msg=self._where(run, name)
            )
        assert session.run(self.global_step) == self.count, self._where(run, "global_step")
        if "float16" not in self.dtypes.values() and not self.partitioned:
            self._check_slots(session, run)


def draws(seed, count):
    """(seed, wrappers, resource) of ``count`` set-ups."""
    random = np.random.RandomState(seed)
    every = list(compositions.WRAPPERS + compositions.LATER)
    for index in range(count):
        wrappers = "".join(random.choice(every, random.randint(1, 5)))
        yield seed * 100000 + index, wrappers, bool(random.randint(2))


def outcome(tf, training, seed, wrappers, resource, functions):
    """ "exact", or the name of the refusal; anything else raises."""
    from tfgraphtools.errors import ArgumentError, OptimizerKindError

    v1 = tf.compat.v1
    with v1.Graph().as_default(), v1.Session() as session:
        try:
            built = Setup(tf, training, seed, wrappers, resource, functions)
        except (ArgumentError, OptimizerKindError) as error:
            return str(error).splitlines()[0]
        built.check(session)
        return "exact"


def main(seed, count):
    import tensorflow as tf

    from tfgraphtools import training

    tf.compat.v1.disable_eager_execution()
    counts = collections.Counter()
    for draw in draws(int(seed), int(count)):
        for functions in (False, True):
            switch = "enable" if functions else "disable"
            getattr(tf.compat.v1, switch + "_control_flow_v2")()
            try:
                counts[outcome(tf, training, *draw, functions)] += 1
            except Exception as error:  # told, and the next one is tried
                counts["WRONG"] += 1
                words = f"{type(error).__name__}: {error}".strip()
                print(*draw, functions, words[:1500], flush=True)
    for word, times in counts.most_common():
        print(times, word)


if __name__ == "__main__":
    main(*sys.argv[1:])
