"""More optimizers and wrappers in NumPy, for `setups`."""

import composition_twins as twins
import numpy as np
from composition_twins import RATE, SHAPES


class Leaf(twins.Leaf):
    """More optimizers, at a rate that a run reads."""

    def __init__(self, kind, rate):
        super().__init__(kind)
        self.rate = rate

    def initial(self, name):
        zeros = np.zeros(SHAPES[name])
        more = {
            "nesterov": {"momentum": zeros},
            "adadelta": {"accum": zeros, "accum_update": zeros},
            "centered": {"rms": zeros + 1, "mg": zeros, "momentum": zeros},
            "ftrl": {"accum": zeros + 0.1, "linear": zeros},
        }
        return more[self.kind] if self.kind in more else super().initial(name)

    def step(self, values, grads, rates, read):
        own = {n: rates.get(n, 1.0) * read[self.rate] / RATE for n in grads}
        super().step(values, grads, dict(rates, **own), read)

    def _nesterov(self, value, slots, grad, rate):
        slots["momentum"] = 0.9 * slots["momentum"] + grad
        return value - rate * (grad + 0.9 * slots["momentum"])

    def _adadelta(self, value, slots, grad, rate):
        slots["accum"] = 0.95 * slots["accum"] + 0.05 * grad**2
        update = np.sqrt((slots["accum_update"] + 0.01) / (slots["accum"] + 0.01)) * grad
        slots["accum_update"] = 0.95 * slots["accum_update"] + 0.05 * update**2
        return value - rate * update

    def _centered(self, value, slots, grad, rate):
        slots["rms"] = 0.9 * slots["rms"] + 0.1 * grad**2
        slots["mg"] = 0.9 * slots["mg"] + 0.1 * grad
        scale = np.sqrt(slots["rms"] - slots["mg"] ** 2 + 1e-10)
        slots["momentum"] = 0.5 * slots["momentum"] + rate * grad / scale
        return value - slots["momentum"]

    def _ftrl(self, value, slots, grad, rate):
        new = slots["accum"] + grad**2
        slots["linear"] = (
            slots["linear"] + grad - (np.sqrt(new) - np.sqrt(slots["accum"])) / rate * value
        )
        slots["accum"] = new
        shrunk = np.sign(slots["linear"]) * 0.01 - slots["linear"]
        return np.where(np.abs(slots["linear"]) > 0.01, shrunk / (np.sqrt(new) / rate), 0.0)


class Shaped(twins.Wrapper):
    """Transforms of each gradient alone."""

    def __init__(self, kind, reads, inner):
        super().__init__(reads, inner)
        self.kind = kind

    def step(self, values, grads, rates, read):
        own = {n: (self._shaped(n, grad, read), rows) for n, (grad, rows) in grads.items()}
        self.inner.step(values, own, rates, read)

    def _shaped(self, name, grad, read):
        if self.kind == "value":
            return np.clip(grad, -0.5, 0.25)
        if self.kind == "each":
            return grad * min(1.0, 0.75 / max(twins.norm([grad]), 1e-30))
        frozen = read[self.reads[name]] if name in self.reads else False
        return 0.5 * np.where(frozen, 0.0, grad)


def is_due(twin):
    """False while the outermost accumulations wait."""
    waits = isinstance(twin, twins.Sum) and twin.runs % twin.count
    return not waits and (not isinstance(twin, twins.Sum) or is_due(twin.inner))


def projected(one, other):
    """PCGrad of two tasks, dense."""
    product = sum(np.sum(one[n][0] * other[n][0]) for n in one)
    against = min(product, 0.0)
    share = [against / sum(np.sum(g**2) for g, _ in task.values()) for task in (one, other)]
    return {n: (one[n][0] * (1 - share[0]) + other[n][0] * (1 - share[1]), None) for n in one}
