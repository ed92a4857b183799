"""Random stacks of wrappers as data, built as optimizers and in NumPy (`composition_twins`).

A stack is drawn from a seed as a `Spec`, and built for some of its variables, wrappers and groups:
so a checkpoint of one can be restored in a graph that has one more or less. What each run feeds
is drawn from the seed and the number of the run alone.
"""

import copy
from typing import NamedTuple

import composition_twins as twins
import numpy as np
from composition_twins import RATE, SHAPES

#: Letters of wrappers: accumulation, skip, loss scale, freeze, multipliers, averages (two kinds),
#: lookahead, trust ratio of updates and of gradients, decay, clipping, centralization, partition.
KINDS = "ASNFLEWKRQDTZP"
LEAVES = ("sgd", "momentum", "adam")
CHANGES = ("same", "variable-more", "variable-less", "wrapper-more", "wrapper-less", "group")
RUNS = (3, 4)  # before the restore, and after it
#: Wrappers that give elements what others' gradients make.
SPREADING = set("TZRQ")


class Wrapper(NamedTuple):
    """A wrapper of a stack: its kind, a name of its own, and its options."""

    kind: str
    name: str
    options: dict


class Spec(NamedTuple):
    """What a seed gives."""

    seed: int
    leaf: str
    wrappers: tuple
    sparse: bool
    resource: bool


class Skipped(Exception):
    """A run whose gradients are not finite."""


def draw(seed):
    """Returns the `Spec` of a seed."""
    random = np.random.RandomState(seed)
    kinds = list(random.choice(list(KINDS), random.randint(2, 5), replace=False))
    if CHANGES[seed % len(CHANGES)] == "group" and "P" not in kinds:
        kinds[random.randint(len(kinds))] = "P"
    wrappers = tuple(
        Wrapper(str(kind), f"{kind}{index}", _options(str(kind), random))
        for index, kind in enumerate(kinds)
    )
    leaf = str(random.choice(LEAVES))
    return Spec(seed, leaf, wrappers, bool(random.rand() < 0.5), bool(random.rand() < 0.5))


def _options(kind, random):
    kinds = {n: str(random.choice(["array", "fed", "none"])) for n in SHAPES}
    numbers = {n: random.rand() for n in SHAPES}
    arrays = {n: np.array(random.rand(*SHAPES[n]) < 0.5) for n in SHAPES}
    if all(value == "none" for value in kinds.values()):
        kinds["a"] = "fed"
    return {
        "by": kinds,
        "numbers": numbers,
        "arrays": arrays,
        "steps": int(random.randint(2, 4)),
        "slots": str(random.choice(["keep", "keep", "reset", "advance"])),
        "debias": bool(random.rand() < 0.5),
    }


# The NumPy side of what `composition_twins` does not have -----------------------------------


class Skip(twins.Wrapper):
    """Raises where a gradient that anybody applies is not finite."""

    def __init__(self, stack, inner):
        super().__init__({}, inner)
        self.stack = stack

    def step(self, values, grads, rates, read):
        self.stack.check_finite(grads, read)
        self.inner.step(values, grads, rates, read)


class Sum(twins.Sum):
    """Skips as the optimizer inside of it does, before it adds."""

    def __init__(self, stack, skips, *others):
        super().__init__(*others)
        self.stack, self.skips = stack, skips

    def step(self, values, grads, rates, read):
        if self.skips:
            self.stack.check_finite(grads, read)
        super().step(values, grads, rates, read)


class Average(twins.Wrapper):
    """Averages by their recursion, as a restored one has no history."""

    def __init__(self, kind, ends, inner):
        super().__init__({}, inner)
        self.kind, self.ends, self.averages, self.count, self.begun = kind, ends, {}, 0, False

    def begin(self, values, names):
        if not self.begun:
            self.begun = True
            if self.kind == "debiased" and self.count == 0 and set(names) & set(self.averages):
                self.count = 1.0  # averages that were restored without their weight
            for name in names:
                self.averages.setdefault(name, values[name].copy())
        super().begin(values, names)

    def step(self, values, grads, rates, read):
        self.begin(values, grads)
        self.inner.step(values, grads, rates, read)
        self.ends.append(lambda values: self._average(values, list(grads)))

    def _average(self, values, names):
        self.begun = False
        if self.kind == "swa":
            self.count += 1
            since = self.count - 2
            if since >= 0 and since % 2:
                return
            rate = 1 / (1 + max(since // 2, 0))
        elif self.kind == "debiased":
            self.count = 0.75 * self.count + 0.25
            rate = 0.25 / self.count
        else:
            rate = 0.25
        for name in names:
            old = self.averages[name]
            self.averages[name] = old + rate * (values[name] - old)


class Centralize(twins.Wrapper):
    def step(self, values, grads, rates, read):
        central = dict(grads)
        for name, (grad, _) in grads.items():
            if grad.ndim == 2:
                central[name] = (grad - grad.mean(axis=0, keepdims=True), None)
        self.inner.step(values, central, rates, read)


#: What a NumPy side keeps of each variable, and once.
OF_VARIABLES = ("slots", "averages", "slow", "sums", "rows", "waits")
ONCE = ("steps", "count", "runs")


class Stack:
    """A stack in the default graph, with its NumPy side.

    Args:
      names: the variables that it trains; the others are not in the graph.
      without: names of wrappers to leave out.
      groups: into which a partition divides the variables.
    """

    def __init__(self, tf, training, spec, names=tuple(SHAPES), without=(), groups=2):
        self.tf, self.v1, self.training, self.spec = tf, tf.compat.v1, training, spec
        self.names, self.groups = list(names), groups
        self.wrappers = [w for w in spec.wrappers if w.name not in without]
        self.twins, self.leaves, self.averages, self.slow, self.sums = {}, {}, {}, {}, {}
        self.masks = {name: [] for name in SHAPES}
        self.feeds, self.ends, self.skips, self.skipped = {}, [], {}, {}
        random = np.random.RandomState(spec.seed)
        starts = {n: random.normal(size=shape).astype(np.float32) for n, shape in SHAPES.items()}
        self.variables = {
            n: self.v1.get_variable(n, initializer=starts[n], use_resource=spec.resource)
            for n in self.names
        }
        self.values = {n: starts[n].astype(np.float64) for n in self.names}
        self.grads = {name: self._gradient(name) for name in self.names}
        self.optimizer, self.twin = self._chain(self.wrappers, self.names, spec.leaf, "")
        pairs = [(self.grads[n], self.variables[n]) for n in self.names]
        self.global_step = self.v1.train.get_or_create_global_step()
        self.step = self.optimizer.apply_gradients(pairs, global_step=self.global_step)

    def _gradient(self, name):
        tf, placeholder = self.tf, self.v1.placeholder
        if name != "t" or not self.spec.sparse:
            return placeholder(tf.float32, SHAPES[name])
        values = placeholder(tf.float32, (3,) + SHAPES[name][1:])
        return tf.IndexedSlices(values, placeholder(tf.int32, [3]), tf.constant(SHAPES[name]))

    # the chain ------------------------------------------------------------------------------

    def _chain(self, wrappers, names, leaf, scope):
        if not wrappers:
            return self._leaf(leaf, scope)
        wrapper = wrappers[0]
        if wrapper.kind == "P":
            return self._partition(wrapper, wrappers[1:], names, leaf)
        build = getattr(self, "_" + wrapper.kind)
        optimizer, twin = build(
            wrapper, lambda: self._chain(wrappers[1:], names, leaf, scope), names
        )
        twin.scope = scope
        self.twins[wrapper.name] = twin
        return optimizer, twin

    def _leaf(self, kind, scope):
        train = self.v1.train
        optimizer = {
            "sgd": lambda: train.GradientDescentOptimizer(RATE),
            "momentum": lambda: train.MomentumOptimizer(RATE, 0.9),
            "adam": lambda: train.AdamOptimizer(RATE),
        }[kind]()
        twin = twins.Leaf(kind)
        twin.scope = scope
        self.leaves[scope] = (twin, optimizer)
        return optimizer, twin

    def _partition(self, wrapper, rest, names, leaf):
        parts = [names[:-2], names[-2:]]
        if self.groups == 3:
            parts = [names[:-2], names[-2:-1], names[-1:]]
        groups, known = [], []
        for index, part in enumerate(parts):
            name = f"g{index}"
            own = (rest, leaf) if index == 0 else ([], "momentum")
            optimizer, twin = self._chain(*[own[0], part, own[1]], f"{wrapper.name}/{name}/")
            groups.append(self.training.Group(name, "|".join(part), optimizer))
            known.append((part, twin))
        return self.training.PartitionOptimizer(groups, name=wrapper.name), twins.Partition(known)

    def _numbers(self, wrapper, names, scale):
        """Returns ({variable: what the user passes}, {variable: its key in `read`})."""
        given, reads = {}, {}
        for name in names:
            by = wrapper.options["by"][name]
            if by != "none":
                key = (wrapper.name, name)
                number = scale * wrapper.options["numbers"][name]
                given[name] = self.v1.placeholder(self.tf.float32, []) if by == "fed" else number
                self.feeds[key] = (given[name] if by == "fed" else None, number)
                reads[name] = key
        return given, reads

    def _L(self, wrapper, inner, names):
        given, reads = self._numbers(wrapper, names, 2.0)
        optimizer, twin = inner()
        if not given:
            return optimizer, twins.Rates({}, twin)
        return self.training.LRMultiplierOptimizer(optimizer, given), twins.Rates(reads, twin)

    def _D(self, wrapper, inner, names):
        given, reads = self._numbers(wrapper, names, 0.2)
        optimizer, twin = inner()
        twin = twins.Decay(reads, self._frozen, twin)
        if not given:
            return optimizer, twin
        return self.training.DecoupledWeightDecayOptimizer(optimizer, given), twin

    def _F(self, wrapper, inner, names):
        given, reads, slots = {}, {}, wrapper.options["slots"]
        for name in names:
            by, key = wrapper.options["by"][name], (wrapper.name, name)
            if by != "none":
                array = wrapper.options["arrays"][name]
                is_fed = by == "fed"
                given[name] = self.v1.placeholder(self.tf.bool, SHAPES[name]) if is_fed else array
                self.feeds[key] = (given[name] if is_fed else None, array)
                reads[name] = key
                self.masks[name].append((key, slots))
        optimizer, twin = inner()
        twin = twins.Freeze(reads, slots, twin)
        if not given:
            return optimizer, twin
        return self.training.FreezeOptimizer(optimizer, given, slots=slots), twin

    def _T(self, wrapper, inner, names):
        optimizer, twin = inner()
        clip = self.training.transforms.clip_by_global_norm(0.5)
        ours = self.training.GradientTransformOptimizer(optimizer, clip)
        return ours, twins.Transform("norm", 0.5, None, None, twin)

    def _Z(self, wrapper, inner, names):
        optimizer, twin = inner()
        central = self.training.transforms.centralize()
        ours = self.training.GradientTransformOptimizer(optimizer, central)
        return ours, Centralize({}, twin)

    def _A(self, wrapper, inner, names):
        optimizer, twin = inner()
        steps, name = wrapper.options["steps"], wrapper.name
        skips = any(own.kind in "SN" for own in self._inside(wrapper))
        ours = self.training.GradientAccumulationOptimizer(optimizer, steps, name=name)
        return ours, Sum(self, skips, steps, self._frozen, twin)

    def _inside(self, wrapper):
        return self.wrappers[self.wrappers.index(wrapper) + 1 :]

    def _S(self, wrapper, inner, names):
        optimizer, twin = inner()
        ours = self.training.SkipNonFiniteOptimizer(optimizer, name=wrapper.name)
        self.skips[wrapper.name] = ours
        return ours, Skip(self, twin)

    def _N(self, wrapper, inner, names):
        optimizer, twin = inner()
        ours = self.training.LossScaleOptimizer(optimizer, 8.0, 3, name=wrapper.name)
        self.skips[wrapper.name] = ours
        return ours, Skip(self, twin)

    def _E(self, wrapper, inner, names):
        optimizer, twin = inner()
        debias = wrapper.options["debias"]
        ours = self.training.ExponentialAverageOptimizer(
            optimizer, 0.75, debias=debias, name=wrapper.name
        )
        return self._averaging(wrapper, ours, "debiased" if debias else "ema", twin)

    def _W(self, wrapper, inner, names):
        optimizer, twin = inner()
        ours = self.training.WeightAverageOptimizer(optimizer, 2, 2, name=wrapper.name)
        return self._averaging(wrapper, ours, "swa", twin)

    def _averaging(self, wrapper, ours, kind, inner):
        twin = Average(kind, self.ends, inner)
        self.averages[wrapper.name] = (twin, ours)
        return ours, twin

    def _K(self, wrapper, inner, names):
        optimizer, twin = inner()
        steps = wrapper.options["steps"]
        ours = self.training.LookaheadOptimizer(optimizer, steps, 0.25, name=wrapper.name)
        return ours, twins.Lookahead(steps, 0.25, self._frozen, twin)

    def _R(self, wrapper, inner, names):
        return self._trust(wrapper, inner, names, "update")

    def _Q(self, wrapper, inner, names):
        return self._trust(wrapper, inner, names, "gradient")

    def _trust(self, wrapper, inner, names, of):
        given, reads = self._numbers(wrapper, names, 0.1)
        optimizer, twin = inner()
        ours = self.training.TrustRatioOptimizer(
            optimizer, of, coefficient=0.5, decays=given or None
        )
        return ours, twins.Trust(of, reads, None, [], set(reads), self._frozen, twin)

    def _frozen(self, name, read, slots=None):
        """The elements that any mask freezes in a run, with one of these slots=."""
        frozen = np.zeros(SHAPES[name], bool)
        for key, own in self.masks[name]:
            if slots is None or own in slots:
                frozen = frozen | read[key]
        return frozen

    def check_finite(self, grads, read):
        """Raises `Skipped` where a gradient that anybody applies is not finite."""
        for name, (grad, _) in grads.items():
            frozen = self._frozen(name, read, ("keep", "compact", "reset"))
            if not np.isfinite(np.where(frozen, 0, grad)).all():
                raise Skipped()

    # running --------------------------------------------------------------------------------

    def take_runs(self, session, first, count):
        """Takes runs on both sides, and compares everything after each."""
        for run in range(first, first + count):
            feed, grads, read = self._drawn(run)
            self._twin_step(grads, read)
            session.run(self.step, feed)
            self.compare(session, run)

    def _drawn(self, run):
        random = np.random.RandomState(1000 * self.spec.seed + run)
        feed, grads, read = {}, {}, {}
        bad = self._bad_gradient(run, random)
        for name, shape in SHAPES.items():
            grad = random.normal(size=shape).astype(np.float32)
            rows = random.choice([0, 2, 3, 5], 3)
            if name not in self.grads:
                continue
            if name == "a" and bad is not None:
                grad = bad(grad)
            if name == "t" and self.spec.sparse:
                values = grad[:3]
                feed.update({self.grads[name].values: values, self.grads[name].indices: rows})
                grad = np.zeros(shape)
                np.add.at(grad, rows, values)
                grads[name] = (grad, sorted(set(rows)))
            else:
                feed[self.grads[name]] = grad
                grads[name] = (grad.astype(np.float64), None)
        for wrapper in self.spec.wrappers:
            for name, shape in SHAPES.items():
                mask, number = np.array(random.rand(*shape) < 0.5), random.choice([0.0, 0.5, 1.0])
                key = (wrapper.name, name)
                if key in self.feeds:
                    fed, value = self.feeds[key]
                    if fed is not None:
                        value = mask if wrapper.kind == "F" else number * value
                        feed[fed] = value
                    read[key] = value
        return feed, grads, read

    def _bad_gradient(self, run, random):
        """The second run of each part has a gradient that is not finite, where a wrapper skips."""
        number, place = random.choice([np.nan, np.inf, -np.inf]), random.randint(640)
        if run not in (1, RUNS[0] + 1) or not self.skips:
            return None
        spreads = SPREADING & {wrapper.kind for wrapper in self.wrappers}

        def bad(grad):
            if spreads:
                return np.full_like(grad, number)
            grad.flat[place] = number
            return grad

        return bad

    def _twin_step(self, grads, read):
        everyone = [*self.twins.values(), *[twin for twin, _ in self.leaves.values()]]
        kept = OF_VARIABLES + ONCE + ("begun",)
        before = [
            (twin, {k: copy.deepcopy(v) for k, v in vars(twin).items() if k in kept})
            for twin in everyone
        ]
        values = {n: v.copy() for n, v in self.values.items()}
        try:
            with np.errstate(all="ignore"):
                self.twin.step(self.values, grads, {}, read)
        except Skipped:
            self.skipped = {name: self.skipped.get(name, 0) + 1 for name in self.skips}
            del self.ends[:]
            self.values.update(values)
            for twin, state in before:
                vars(twin).update(state)
        while self.ends:
            self.ends.pop()(self.values)

    def compare(self, session, run):
        """Compares variables, slots, averages and skips; slow weights and sums through them."""
        for name, found in session.run(self.variables).items():
            self._close(found, self.values[name], name, run)
        for twin, optimizer in self.leaves.values():
            for name, expected in twin.slots.items():
                for slot in optimizer.get_slot_names():
                    own = optimizer.get_slot(self.variables[name], slot)
                    if own is not None:
                        self._close(session.run(own), expected[slot], f"{name} {slot}", run)
        for twin, optimizer in self.averages.values():
            for name, expected in twin.averages.items():
                average = optimizer.average(self.variables[name])
                if average is None and self.groups_differ(twin):
                    continue
                found = session.run(average)
                self._close(found, expected, f"{name} averaged", run)
        for name, optimizer in self.skips.items():
            found = session.run(optimizer.skipped())
            assert found == self.skipped.get(name, 0), f"{name} {found}, {self.words(run)}"

    def groups_differ(self, twin):
        """Tells whether an optimizer trains only some variables: it keeps nothing of others."""
        return bool(twin.scope)

    def _close(self, found, expected, what, run):
        message = f"{what}, {self.words(run)}"
        np.testing.assert_allclose(found, expected, 1e-3, 1e-4, err_msg=message)

    def words(self, run):
        """Returns what failed, in words."""
        spec = self.spec
        chain = " ".join(w.name for w in self.wrappers)
        return f"seed {spec.seed}: {chain} {spec.leaf}, {self.names}, run {run}"

    def carry(self, earlier):
        """Gives the NumPy side what a checkpoint of an earlier stack has for it."""
        self.values.update({n: v for n, v in earlier.values.items() if n in self.values})
        for name, twin in self.twins.items():
            if name in earlier.twins:
                _carry(earlier.twins[name], twin, self.names)
        for scope, (twin, _) in self.leaves.items():
            for other_scope, (other, _) in earlier.leaves.items():
                if other.kind == twin.kind:
                    own = {n: s for n, s in other.slots.items() if n in self.names}
                    twin.slots.update(copy.deepcopy(own))
                if other_scope == scope and other.kind == twin.kind:
                    twin.steps = other.steps
        for name, count in earlier.skipped.items():
            if name in self.skips and earlier.twins[name].scope == self.twins[name].scope:
                self.skipped[name] = count


def _carry(earlier, twin, names):
    if isinstance(twin, Sum) and earlier.scope != twin.scope:
        return  # sums whose count is of another scope are half a state: they start again
    for attribute in OF_VARIABLES:
        if isinstance(vars(earlier).get(attribute), dict):
            own = {n: v for n, v in vars(earlier)[attribute].items() if n in names}
            setattr(twin, attribute, copy.deepcopy(own))
    for attribute in ONCE:
        if attribute in vars(earlier) and earlier.scope == twin.scope:
            setattr(twin, attribute, vars(earlier)[attribute])
