"""What each wrapper and optimizer does, in NumPy: see `compositions`.

``step(values, grads, rates, read)`` changes ``values``; each class also has
``states(name)``: the dicts that hold state of a variable inside it.
"""

import copy

import numpy as np

#: "a" has whole packets of 64; "t" is a table.
SHAPES = {"a": (32, 20), "b": (5,), "t": (6, 4), "s": ()}
RATE = 0.1


class State(dict):
    """State of a variable by names; `start` has the initial values."""

    def __init__(self, start):
        super().__init__(start)
        self.start = dict(start)


class Leaf:
    def begin(self, values, names):
        """Nothing."""

    def __init__(self, kind):
        self.kind, self.slots, self.steps = kind, {}, 0

    def states(self, name):
        return [self.slots.setdefault(name, State(self.initial(name)))]

    def initial(self, name):
        zeros, ones = np.zeros(SHAPES[name]), np.ones(SHAPES[name])
        return {
            "sgd": {},
            "momentum": {"momentum": zeros},
            "adam": {"m": zeros, "v": zeros},
            "adagrad": {"accumulator": zeros + 0.1},
            "rmsprop": {"rms": ones, "momentum": zeros},
            "normed": {"m": zeros},
        }[self.kind]

    def step(self, values, grads, rates, read):
        self.steps += 1
        trust, waiting = rates.get("trust"), {}
        for name, (grad, rows) in grads.items():
            (slots,) = self.states(name)
            rate = RATE * rates.get(name, 1.0)
            if not rate:
                continue
            new = {slot: old.copy() for slot, old in slots.items()}
            start = values[name] if trust is None else np.zeros(SHAPES[name])
            value = getattr(self, "_" + self.kind)(start, new, grad, rate)
            if rows is not None and self.kind not in ("adam", "normed"):  # only its rows
                others = np.setdiff1d(np.arange(len(grad)), rows)
                for slot, old in slots.items():
                    new[slot][others] = old[others]
                value[others] = start[others]
            slots.update(new)
            if trust is None:
                values[name] = value
            else:
                waiting[name] = (value, rate)
        if trust is not None:
            trust.finish(values, waiting, read)

    def _sgd(self, value, slots, grad, rate):
        return value - rate * grad

    def _momentum(self, value, slots, grad, rate):
        slots["momentum"] = 0.9 * slots["momentum"] + grad
        return value - rate * slots["momentum"]

    def _adam(self, value, slots, grad, rate):
        slots["m"] = 0.9 * slots["m"] + 0.1 * grad
        slots["v"] = 0.999 * slots["v"] + 0.001 * grad**2
        rate = rate * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        return value - rate * slots["m"] / (np.sqrt(slots["v"]) + 1e-8)

    def _adagrad(self, value, slots, grad, rate):
        slots["accumulator"] = slots["accumulator"] + grad**2
        return value - rate * grad / np.sqrt(slots["accumulator"])

    def _rmsprop(self, value, slots, grad, rate):
        slots["rms"] = 0.9 * slots["rms"] + 0.1 * grad**2
        slots["momentum"] = rate * grad / np.sqrt(slots["rms"] + 1e-10)
        return value - slots["momentum"]

    def _normed(self, value, slots, grad, rate):
        slots["m"] = 0.5 * slots["m"] + grad / (np.sqrt(np.sum(grad**2)) + 0.01)
        return value - rate * slots["m"]


class Wrapper:
    def __init__(self, reads, inner):
        self.reads, self.inner = reads, inner

    def begin(self, values, names):
        """Before a decay around changes a variable: what averages and slow weights start from."""
        self.inner.begin(values, names)

    def states(self, name):
        return self.inner.states(name)


class Partition:
    def __init__(self, parts):
        self.parts = parts

    def begin(self, values, names):
        for own, twin in self.parts:
            twin.begin(values, [name for name in names if name in own])

    def states(self, name):
        return next(twin.states(name) for names, twin in self.parts if name in names)

    def step(self, values, grads, rates, read):
        for names, twin in self.parts:
            own = {n: grads[n] for n in names if n in grads}
            if own:
                twin.step(values, own, rates, read)


class Rates(Wrapper):
    def step(self, values, grads, rates, read):
        own = {n: read[i] for n, i in self.reads.items()}
        rates = dict(rates, **{n: rates.get(n, 1.0) * own.get(n, 1.0) for n in grads})
        self.inner.step(values, grads, rates, read)


class Freeze(Wrapper):
    def __init__(self, reads, slots, inner):
        super().__init__(reads, inner)
        self.slots = slots

    def step(self, values, grads, rates, read):
        names = [n for n in self.reads if n in grads]
        states = {n: self.states(n) for n in names}
        before = copy.deepcopy({n: (values[n], states[n]) for n in names})
        self.inner.step(values, grads, rates, read)
        for name in names:
            frozen, (value, old) = read[self.reads[name]], before[name]
            values[name] = np.where(frozen, value, values[name])
            for state, kept in zip(states[name], old):
                for slot in state:
                    if self.slots in ("keep", "compact"):
                        state[slot] = np.where(frozen, kept[slot], state[slot])
                    elif self.slots == "reset" and slot != "gradient_sum":
                        state[slot] = np.where(frozen, state.start[slot], state[slot])


class Transform(Wrapper):
    def __init__(self, kind, norm, factor, name, inner):
        super().__init__({}, inner)
        self.kind, self.norm, self.factor, self.name = kind, norm, factor, name

    def step(self, values, grads, rates, read):
        if self.kind == "decay" and self.name in grads:
            grad, _ = grads[self.name]
            grads = dict(grads, **{self.name: (grad + 0.1 * values[self.name], None)})
        elif self.kind != "decay":
            factor = self.factor
            if self.kind == "norm":
                norm = np.sqrt(sum(np.sum(grad**2) for grad, _ in grads.values()))
                factor = min(1.0, self.norm / norm) if norm else 1.0
            grads = {n: (grad * factor, rows) for n, (grad, rows) in grads.items()}
        self.inner.step(values, grads, rates, read)


class Average(Wrapper):
    def __init__(self, kind, ends, inner):
        super().__init__({}, inner)
        self.kind, self.ends, self.averages, self.history = kind, ends, {}, {}

    def begin(self, values, names):
        for name in names:
            self.history.setdefault(name, [values[name].copy()])
        super().begin(values, names)

    def step(self, values, grads, rates, read):
        self.begin(values, grads)
        self.inner.step(values, grads, rates, read)
        self.ends.append(lambda values: self._average(values, list(grads)))

    def _average(self, values, names):
        for name in names:
            history = self.history[name]
            history.append(values[name].copy())
            if self.kind == "swa":
                taken = history[2::2] or [history[1]]
                self.averages[name] = np.mean(taken, axis=0)
            elif self.kind == "debiased":
                after = history[1:]
                weights = 0.75 ** np.arange(len(after))[::-1]
                self.averages[name] = np.average(after, axis=0, weights=weights)
            else:
                old = self.averages.get(name, history[0])
                self.averages[name] = 0.75 * old + 0.25 * values[name]


class Lookahead(Wrapper):
    def __init__(self, count, rate, frozen, inner):
        super().__init__({}, inner)
        self.count, self.rate, self.frozen = count, rate, frozen
        self.steps, self.slow = 0, {}

    def begin(self, values, names):
        for name in names:
            self.slow.setdefault(name, values[name])
        super().begin(values, names)

    def step(self, values, grads, rates, read):
        self.begin(values, grads)
        self.inner.step(values, grads, rates, read)
        self.steps += 1
        if self.steps % self.count == 0:
            for name in grads:
                slow = self.slow[name] + self.rate * (values[name] - self.slow[name])
                frozen = self.frozen(name, read)
                values[name] = np.where(frozen, values[name], slow)
                self.slow[name] = np.where(frozen, self.slow[name], slow)


class Trust(Wrapper):
    def __init__(self, of, reads, exclude, shared, dense, frozen, inner):
        super().__init__(reads, inner)
        self.of, self.exclude, self.shared, self.dense = of, exclude, shared, dense
        self.frozen = frozen

    def step(self, values, grads, rates, read):
        if self.of == "update":
            self.inner.step(values, grads, dict(rates, trust=self), read)
            return
        scaled = {}
        for names in self._groups(grads):
            trains = {n: ~self.frozen(n, read) for n in names}
            decays = {n: read[self.reads[n]] if n in self.reads else 0.0 for n in names}
            value = norm([values[n] * trains[n] for n in names])
            of_grads = norm([grads[n][0] * trains[n] for n in names])
            decay = norm([decays[n] * values[n] * trains[n] for n in names])
            ratio = 0.5 * value / (of_grads + decay) if value and of_grads else 1.0
            for n in names:
                own = 1.0 if n == self.exclude else ratio
                grad = grads[n][0] + decays[n] * values[n]
                scaled[n] = (own * grad, None if n in self.dense else grads[n][1])
        self.inner.step(values, scaled, rates, read)

    def _groups(self, names):
        together = [n for n in self.shared if n in names and n != self.exclude]
        return [g for g in [together] + [[n] for n in names if n not in together] if g]

    def finish(self, values, steps, read):
        for names in self._groups(steps):
            trains = {n: ~self.frozen(n, read) for n in names}
            whole = {}
            for n in names:
                step, rate = steps[n]
                decay = read[self.reads[n]] if n in self.reads else 0.0
                whole[n] = (step - rate * decay * values[n]) * trains[n]
            value = norm([values[n] * trains[n] for n in names])
            step = norm([whole[n] / steps[n][1] for n in names])
            ratio = 0.5 * value / step if value and step else 1.0
            for n in names:
                values[n] = values[n] + (1.0 if n == self.exclude else ratio) * whole[n]


def norm(arrays):
    return np.sqrt(sum(np.sum(array**2) for array in arrays))


class Decay(Wrapper):
    def __init__(self, reads, frozen, inner):
        super().__init__(reads, inner)
        self.frozen = frozen

    def step(self, values, grads, rates, read):
        self.inner.begin(values, grads)
        for name, index in self.reads.items():
            if name in grads:
                rows = ... if grads[name][1] is None else grads[name][1]
                values[name] = np.array(values[name])
                off = np.where(self.frozen(name, read), 0, read[index] * values[name])
                values[name][rows] -= off[rows]
        self.inner.step(values, grads, rates, read)


class Sum(Wrapper):
    """``frozen(name, read, slots)``: elements that a freeze with one of these slots= freezes."""

    def __init__(self, count, frozen, inner):
        super().__init__({}, inner)
        self.frozen = frozen
        self.count, self.runs, self.sums, self.rows, self.waits = count, 0, {}, {}, {}

    def begin(self, values, names):
        """Nothing: the wrappers inside begin with the step that is due."""

    def states(self, name):
        zeros = State({"gradient_sum": np.zeros(SHAPES[name])})
        sums = self.sums.setdefault(name, zeros)
        return self.inner.states(name) + [sums]

    def step(self, values, grads, rates, read):
        self.runs += 1
        for name, (grad, rows) in grads.items():
            (sums,) = self.states(name)[-1:]
            frozen = self.frozen(name, read, ("keep", "compact", "reset"))
            sums["gradient_sum"] = sums["gradient_sum"] + np.where(frozen, 0, grad)
            known = self.rows.get(name) or []
            self.rows[name] = None if rows is None else sorted({*known, *rows})
        if self.runs % self.count:
            return
        runs = {n: self.count + self.waits.get(n, 0) for n in grads}
        means = {n: (self.sums[n]["gradient_sum"] / runs[n], self.rows[n]) for n in grads}
        self.inner.step(values, means, rates, read)
        for name in grads:
            sums = self.sums[name]
            kept = np.where(self.frozen(name, read, ("keep", "compact")), sums["gradient_sum"], 0)
            if self.rows[name] is not None:  # only its rows
                others = np.setdiff1d(np.arange(len(kept)), self.rows[name])
                kept[others] = sums["gradient_sum"][others]
            sums["gradient_sum"] = kept
            self.waits[name] = np.where(kept != 0, runs[name], 0)
            rows = self.rows.pop(name)
            if rows is not None:  # one with a sum that waits is of the next step, touched or not
                self.rows[name] = [row for row in range(len(kept)) if kept[row].any()]
