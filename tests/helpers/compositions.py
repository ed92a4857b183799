"""Random chains of wrappers, built twice: as optimizers, and as their definition in NumPy.

A chain is drawn from a seed: wrappers in any order around any optimizer, with
masks and multipliers of every origin. The NumPy side (float64) follows the
docstrings alone: what is read is read at the start of a run, frozen elements
and their slots are put back, and so on. Sources of the optimizers' formulas: as
in `oracles`.
"""

import concurrent.futures

import composition_twins as twins
import numpy as np
from composition_twins import RATE, SHAPES

STEPS = 4
WRAPPERS = "PLFTDA"  # partition, multiplier, freeze, transform, decay, accumulation
LATER = "EKR"  # average, lookahead, trust ratio
LEAVES = ["sgd", "momentum", "adam", "adagrad", "rmsprop", "normed"]
SLOTS = {"momentum": 1, "adam": 2, "adagrad": 1, "rmsprop": 2, "normed": 1, "sgd": 0}


class Built:
    """A chain and all that is needed to run it on both sides.

    Attributes:
      step: the train op. feeds: {placeholder: draw()}. variables: {name: variable}.
      slots: [(leaf of NumPy, leaf optimizer)] whose slots are compared.
    """

    def __init__(
        self, tf, training, seed, wrappers, leaf=None, resource=True, sparse=False, steady=False
    ):
        """``steady``: every run is the same, so that their order does not matter."""
        self.tf, self.v1, self.training = tf, tf.compat.v1, training
        self.random = np.random.RandomState(seed)
        self.sparse, self.steady = sparse, steady
        self.leaves, self.reads, self.feeds, self.draws = [], [], {}, []
        self.masks = {name: [] for name in SHAPES}  # indices of what is read
        self.ends, self.averages = [], []
        self.words = []
        self.variables = {n: self._variable(n, shape, resource) for n, shape in SHAPES.items()}
        self.found = {n: tf.convert_to_tensor(v) for n, v in self.variables.items()}
        self.grads = {name: self._gradient(name) for name in SHAPES}
        leaf = leaf or LEAVES[self.random.randint(len(LEAVES))]
        self.optimizer, self.twin = self._chain(list(wrappers), list(SHAPES), leaf)
        self.step = self._step()

    def _step(self):
        pairs = [(self.grads[name][0], self.variables[name]) for name in SHAPES]
        return self.optimizer.apply_gradients(pairs)

    # variables and gradients ------------------------------------------------------

    def _variable(self, name, shape, resource):
        value = self.random.normal(size=shape).astype(np.float32)
        return self.v1.get_variable(name, initializer=value, use_resource=resource)

    def _gradient(self, name):
        """(tensor, draw()) where draw gives (feed, dense gradient, touched rows or None)."""
        tf, v1, shape = self.tf, self.v1, SHAPES[name]
        if name != "t" or not self.sparse:
            fed = v1.placeholder(tf.float32, shape)

            def draw():
                grad = self.random.normal(size=shape).astype(np.float32)
                return {fed: grad}, grad.astype(np.float64), None

            return fed, draw
        values = v1.placeholder(tf.float32, (3,) + shape[1:])
        rows = v1.placeholder(tf.int32, [3])

        def draw_sparse():
            grads = self.random.normal(size=(3,) + shape[1:]).astype(np.float32)
            chosen = self.random.choice([0, 2, 3, 5], 3)
            dense = np.zeros(shape)
            np.add.at(dense, chosen, grads)
            return {values: grads, rows: chosen}, dense, sorted(set(chosen))

        return tf.IndexedSlices(values, rows, tf.constant(shape)), draw_sparse

    # values of wrappers -----------------------------------------------------------

    def _read(self, of):
        """A number that a run reads at its start: ``of(values)`` in NumPy; an index into it."""
        self.reads.append(of)
        return len(self.reads) - 1

    def mask(self, name):
        """(what a user passes, index of its value)."""
        tf, v1, shape = self.tf, self.v1, SHAPES[name]
        kinds = "array array few rows fed fedscalar variable true".split()
        kind = self.random.choice(kinds if self.steady else kinds + ["own", "computed"])
        self.words.append(f"{name}:{kind}")
        if kind in ("array", "few", "rows", "true"):
            array = np.array(self.random.rand(*shape) < 0.5)
            if kind == "rows" and len(shape) > 1:
                array = self.random.rand(shape[0], 1) < 0.5
            elif kind == "few":
                array = np.arange(array.size).reshape(shape) != self.random.randint(array.size)
            elif kind == "true":
                array = np.array(True)
            return array, self._read(lambda values: np.broadcast_to(array, shape))
        if kind in ("fed", "fedscalar"):
            own = shape if kind == "fed" else ()
            fed, now = v1.placeholder(tf.bool, own), {}

            def draw():
                now["value"] = self.random.rand(*own) < 0.5
                return {fed: now["value"]}

            self.draws.append(draw)
            return fed, self._read(lambda values: np.broadcast_to(now["value"], shape))
        if kind == "own":  # computed from the variable that it freezes
            read = self._read(lambda values: values[name] > 0)
            return self.found[name] > 0, read
        if kind == "computed":  # a scalar, from another variable that the step changes
            read = self._read(lambda values: np.broadcast_to(values["b"][0] > 0, shape))
            return self.variables["b"][0] > 0, read
        array = self.random.rand(*shape) < 0.5
        variable = v1.Variable(array, trainable=False, name="mask")
        return variable, self._read(lambda values: array)

    def number(self, choices):
        """A multiplier or decay: (what a user passes, index of its value)."""
        tf, v1 = self.tf, self.v1
        kind = self.random.choice(["number", "fed"] + ([] if self.steady else ["computed"]))
        value = float(self.random.choice(choices))
        self.words.append(f"{kind}:{value}")
        if kind == "number":
            return value, self._read(lambda values: value)
        if kind == "fed":
            fed, now = v1.placeholder(tf.float32, []), {}

            def draw():
                now["value"] = float(self.random.choice(choices))
                return {fed: now["value"]}

            self.draws.append(draw)
            return fed, self._read(lambda values: now["value"])
        source = self.variables["b"]
        return (
            value * tf.nn.sigmoid(source[1]),
            self._read(lambda values: value / (1 + np.exp(-values["b"][1]))),
        )

    # the chain ----------------------------------------------------------------------

    def _chain(self, wrappers, names, leaf):
        if not wrappers:
            return self._leaf(leaf)
        kind, rest = wrappers[0], wrappers[1:]
        self.words.append(kind)
        return getattr(self, "_" + kind)(rest, names, leaf)

    def _keyed(self, given):
        """{name: value} as a user gives it."""
        return given

    def _some(self, names):
        """Some of the names, at least one."""
        return [n for n in names if self.random.rand() < 0.7] or names[:1]

    def _P(self, rest, names, leaf):
        t, name = self.training, f"Partition{len(self.words)}"
        cut = self.random.randint(1, len(names)) if len(names) > 1 else 1
        parts = [part for part in (names[:cut], names[cut:]) if part]
        groups, known = [], []
        for index, part in enumerate(parts):
            chain = rest if index == 0 else self._others()
            other = leaf if index == 0 else "sgd"
            optimizer, twin = self._chain(chain, part, other)
            groups.append(t.Group(f"group{index}", "|".join(part), optimizer))
            known.append((part, twin))
        return t.PartitionOptimizer(groups, name=name), twins.Partition(known)

    def _others(self):
        """The wrappers of a second group."""
        return []

    def _L(self, rest, names, leaf):
        chosen = {n: self.number([0.0, 0.5, 2.0]) for n in self._some(names)}
        optimizer, twin = self._chain(rest, names, leaf)
        given = {n: value for n, (value, _) in chosen.items()}
        reads = {n: read for n, (_, read) in chosen.items()}
        rates = self.training.LRMultiplierOptimizer(optimizer, self._keyed(given))
        return rates, twins.Rates(reads, twin)

    def _F(self, rest, names, leaf):
        slots = self.random.choice(["keep", "keep", "keep", "reset", "advance", "compact"])
        self.words.append(slots)
        chosen = {n: self.mask(n) for n in self._some(names)}
        for n, (_, index) in chosen.items():
            self.masks[n].append((index, str(slots)))
        optimizer, twin = self._chain(rest, names, leaf)
        given = {n: value for n, (value, _) in chosen.items()}
        reads = {n: read for n, (_, read) in chosen.items()}
        name = f"Freeze{len(self.words)}"
        freezer = self.training.FreezeOptimizer(
            optimizer, self._keyed(given), slots=str(slots), name=name
        )
        return freezer, twins.Freeze(reads, str(slots), twin)

    def _T(self, rest, names, leaf):
        t, kind = self.training.transforms, self.random.choice(["norm", "scale", "decay"])
        norm, factor, name = 0.5, 0.25, names[self.random.randint(len(names))]
        self.words.append(str(kind))
        transform = {
            "norm": lambda: t.clip_by_global_norm(norm),
            "scale": lambda: t.scale(factor),
            "decay": lambda: t.add_weight_decay({name: 0.1}),
        }[kind]()
        optimizer, twin = self._chain(rest, names, leaf)
        wrapped = self.training.GradientTransformOptimizer(optimizer, transform)
        return wrapped, twins.Transform(kind, norm, factor, name, twin)

    def _D(self, rest, names, leaf):
        chosen = {n: self.number([0.0, 0.01, 0.25]) for n in self._some(names)}
        optimizer, twin = self._chain(rest, names, leaf)
        given = {n: value for n, (value, _) in chosen.items()}
        reads = {n: read for n, (_, read) in chosen.items()}
        decays = self.training.DecoupledWeightDecayOptimizer(optimizer, self._keyed(given))
        return decays, twins.Decay(reads, self._frozen, twin)

    def _A(self, rest, names, leaf):
        name = f"Accumulation{len(self.words)}"
        optimizer, twin = self._chain(rest, names, leaf)
        return self.training.GradientAccumulationOptimizer(
            optimizer, 2, slot_name=name, name=name
        ), twins.Sum(2, self._frozen, twin)

    def _E(self, rest, names, leaf):
        kind = str(self.random.choice(["ema", "debiased", "swa"]))
        self.words.append(kind)
        name = f"Average{len(self.words)}"
        optimizer, twin = self._chain(rest, names, leaf)
        if kind == "swa":
            average = self.training.WeightAverageOptimizer(
                optimizer, 2, 2, slot_name=name, name=name
            )
        else:
            average = self.training.ExponentialAverageOptimizer(
                optimizer, 0.75, debias=kind == "debiased", slot_name=name, name=name
            )
        twin = twins.Average(kind, self.ends, twin)
        self.averages.append((twin, average))
        return average, twin

    def _K(self, rest, names, leaf):
        name = f"Lookahead{len(self.words)}"
        optimizer, twin = self._chain(rest, names, leaf)
        ours = self.training.LookaheadOptimizer(optimizer, 2, 0.25, slot_name=name, name=name)
        return ours, twins.Lookahead(2, 0.25, self._frozen, twin)

    def _R(self, rest, names, leaf):
        of = str(self.random.choice(["update", "update", "gradient"]))
        decays = {n: self.number([0.0, 0.1]) for n in self._some(names)}
        exclude = names[self.random.randint(len(names))] if self.random.rand() < 0.5 else None
        together = len(names) > 1 and "P" not in rest and self.random.rand() < 0.4
        groups = ["|".join(names[:2])] if together else []
        self.words += [of, str(exclude), str(groups)]
        optimizer, twin = self._chain(rest, names, leaf)
        ours = self.training.TrustRatioOptimizer(
            optimizer,
            of,
            coefficient=0.5,
            decays=self._keyed({n: value for n, (value, _) in decays.items()}),
            exclude=exclude,
            groups=groups,
        )
        reads = {n: read for n, (_, read) in decays.items()}
        shared = names[:2] if together else []
        zero = [n for n, (value, _) in decays.items() if isinstance(value, float) and not value]
        dense = set(reads) - set(zero)
        return ours, twins.Trust(of, reads, exclude, shared, dense, self._frozen, twin)

    def _frozen(self, name, read, slots=None):
        """The elements that any mask of the chain freezes in a run, with one of these slots=."""
        frozen = np.zeros(SHAPES[name], bool)
        for index, own in self.masks[name]:
            if slots is None or own in slots:
                frozen = frozen | read[index]
        return frozen

    def _leaf(self, kind):
        train = self.v1.train
        self.words.append(kind)
        optimizer = {
            "sgd": lambda: train.GradientDescentOptimizer(RATE),
            "momentum": lambda: train.MomentumOptimizer(RATE, 0.9),
            "adam": lambda: train.AdamOptimizer(RATE),
            "adagrad": lambda: train.AdagradOptimizer(RATE),
            "rmsprop": lambda: train.RMSPropOptimizer(RATE),
            "normed": lambda: normed(self.tf),
        }[kind]()
        twin = twins.Leaf(kind)
        self.leaves.append((twin, optimizer))
        return optimizer, twin

    # running ------------------------------------------------------------------------

    def check(self, session):
        """Runs both sides and compares every variable and slot after every run."""
        values = self._initialized(session)
        for run in range(STEPS):
            feed, grads = self._drawn()
            read = [of(values) for of in self.reads]
            self._twin_step(values, grads, read)
            session.run(self.step, feed)
            self._compare(session, values, run)

    def check_in_threads(self, session, threads):
        """As `check`, of a steady chain whose runs are spread over threads."""
        values = self._initialized(session)
        feed, grads = self._drawn()
        read = [of(values) for of in self.reads]
        for _ in range(threads * STEPS):
            self._twin_step(values, grads, read)
        with concurrent.futures.ThreadPoolExecutor(threads) as pool:
            runs = [
                pool.submit(lambda: [session.run(self.step, feed) for _ in range(STEPS)])
                for _ in range(threads)
            ]
            for one in runs:
                one.result(120)
        self._compare(session, values, threads * STEPS)

    def _initialized(self, session):
        """The values of the variables, of which the initial values of others may be computed."""
        session.run(self.v1.variables_initializer(self.v1.trainable_variables()))
        session.run(self.v1.global_variables_initializer())
        return {n: np.array(v, np.float64) for n, v in session.run(self.found).items()}

    def _twin_step(self, values, grads, read):
        self.twin.step(values, grads, {}, read)
        while self.ends:
            self.ends.pop()(values)

    def _drawn(self):
        """(feed, {name: (dense gradient, rows)}) of one run."""
        feed, grads = {}, {}
        for name, (_, draw) in self.grads.items():
            fed, dense, rows = draw()
            feed.update(fed)
            grads[name] = (dense, rows)
        for draw in self.draws:
            feed.update(draw())
        return feed, grads

    def _compare(self, session, values, run):
        found = session.run(self.found)
        for name in SHAPES:
            np.testing.assert_allclose(
                found[name], values[name], rtol=3e-4, atol=3e-5, err_msg=self._where(run, name)
            )
        self._check_slots(session, run)

    def _check_slots(self, session, run):
        for twin, optimizer in self.averages:
            for name, expected in twin.averages.items():
                found = session.run(optimizer.average(self.variables[name]))
                np.testing.assert_allclose(
                    found, expected, 3e-4, 3e-5, err_msg=self._where(run, name + " averaged")
                )
        for twin, optimizer in self.leaves:
            for name, expected in twin.slots.items():
                names = optimizer.get_slot_names()
                slots = [optimizer.get_slot(self.variables[name], slot) for slot in names]
                if None in slots:  # compact
                    continue
                for slot, found in zip(names, session.run(slots)):
                    np.testing.assert_allclose(
                        found, expected[slot], 3e-4, 3e-5, err_msg=self._where(run, name + slot)
                    )

    def _where(self, run, name):
        return f"{' '.join(self.words)}: {name} after run {run}"


def normed(tf):
    """A user's optimizer whose update of an element depends on all others."""
    v1 = tf.compat.v1

    class Normed(v1.train.Optimizer):
        def __init__(self):
            super().__init__(False, "Normed")

        def _prepare(self):
            self._learning_rate_tensor = tf.constant(RATE)

        def _create_slots(self, variables):
            for variable in variables:
                self._zeros_slot(variable, "m", self._name)

        def _apply_dense(self, grad, variable):
            m = self.get_slot(variable, "m")
            m_t = v1.assign(m, 0.5 * m.read_value() + grad / (tf.norm(grad) + 0.01))
            return v1.assign_sub(variable, self._learning_rate_tensor * m_t).op

        _resource_apply_dense = _apply_dense

        def _resource_apply_sparse(self, grad, variable, indices):
            rows = variable.shape.as_list()[0]
            return self._apply_dense(tf.math.unsorted_segment_sum(grad, indices, rows), variable)

        def _apply_sparse(self, grad, variable):
            return self._resource_apply_sparse(grad.values, variable, grad.indices)

    return Normed()
