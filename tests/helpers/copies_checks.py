"""Every tool that copies a graph, on one graph, against runs of that graph itself.

What a tool says must hold in the original graph: values and slopes are those that the original has
when another number is fed or assigned, and verdicts are those of `tf.gradients`.
"""

import numpy as np

from tfgraphtools.errors import TfgraphtoolsError

MOVE, STEP, TOLERANCE = 0.3, 1e-2, 2e-2


def key_of(x):
    """A key of a dict: TF 2 may not hash variables and tensors themselves."""
    return x.ref() if hasattr(x, "ref") else x


class Original:
    """The program in a graph that no tool has seen: tensors are fed, variables are assigned."""

    def __init__(self, v1, build, numeric):
        self.graph, self._numeric, self._known = v1.Graph(), numeric, {}
        with self.graph.as_default():
            self._y, self.sources = build()
            self._assigns = {}
            for x in self.sources:
                if hasattr(x, "initializer"):
                    value = v1.placeholder(x.dtype.base_dtype, x.shape)
                    self._assigns[x.name] = value, v1.assign(x, value).op
            initialize = [v1.global_variables_initializer(), v1.tables_initializer()]
            slopes, error = _slopes(v1, self._y, self.sources)
            self._slopes = slopes or [None] * len(self.sources)
            self.errors = [error and _error_of(v1, build, i) for i in range(len(self.sources))]
        self.session = v1.Session(graph=self.graph)
        self.session.run(initialize)
        self.at = dict(zip([x.name for x in self.sources], self.session.run(list(self.sources))))
        #: Whether all of TensorFlow's own gradients are there and right.
        self.is_right = error is None and all(
            one is None or near(self.gradient(i), self.slope(i))
            for i, one in enumerate(self._slopes)
        )

    def run(self, fetches, moves=()):
        """The fetches with the named sources moved by these amounts."""
        feed = {}
        for x in self.sources:
            value = self.at[x.name] + dict(moves).get(x.name, 0.0)
            if x.name in self._assigns:
                placeholder, assign = self._assigns[x.name]
                self.session.run(assign, {placeholder: value})
            else:
                feed[x] = value
        return self.session.run(fetches, feed)

    def value(self, moves=()):
        return float(self.run(self._y, moves))

    def slope(self, number, moves=()):
        """The derivative with respect to all elements of a source together."""
        if not self._numeric:
            return 0.0 if self.is_none(number) else self.gradient(number, moves)
        name = self.sources[number].name
        ahead, behind = dict(moves), dict(moves)
        ahead[name] = ahead.get(name, 0.0) + STEP
        behind[name] = behind.get(name, 0.0) - STEP
        return (self.value(ahead) - self.value(behind)) / (2 * STEP)

    def is_none(self, number):
        """True if TensorFlow's gradient for a source is None."""
        return self._slopes[number] is None

    def gradient(self, number, moves=()):
        """The value of a gradient; NaN if TensorFlow has none, or fails to run it."""
        if self._slopes[number] is None:
            return float("nan")
        key = tuple(sorted(moves.items())) if moves else ()
        if key not in self._known:
            there = {i: slope for i, slope in enumerate(self._slopes) if slope is not None}
            self._known[key] = values_of(lambda fetches: self.run(fetches, moves), there)
        return float(self._known[key][number])


def values_of(run, fetches):
    """The values of a dict of tensors, in one run: each run of other tensors costs far more.

    Where TensorFlow fails at one of them, each is run alone, and what fails is NaN.
    """
    try:
        return run(fetches)
    except Exception:  # pylint: disable=broad-except  # of an op of TensorFlow's backward pass
        if len(fetches) == 1:
            return dict.fromkeys(fetches, float("nan"))
    return {key: values_of(run, {key: tensor})[key] for key, tensor in fetches.items()}


def _slopes(v1, y, sources):
    """(the gradients summed up, None), or (None, the error of TensorFlow)."""
    try:
        return [total(one) for one in v1.gradients(y, sources)], None
    except Exception as raised:  # pylint: disable=broad-except  # TensorFlow's own answer
        return None, raised


def _error_of(v1, build, number):
    """What `tf.gradients` raises for one source alone, or None."""
    with v1.Graph().as_default():
        y, sources = build()
        return _slopes(v1, y, [sources[number]])[1]


def fails_alike_when_asked_twice(v1, build, error):
    """True if TensorFlow raises this where it differentiates the original a second time.

    The first time gives branches outputs for the backward pass, which a loop of control flow v1
    around them cannot fill with zeros the second time: no copy can do better.
    """
    with v1.Graph().as_default():
        y, sources = build()
        _slopes(v1, y, sources)
        second = _slopes(v1, y, sources)[1]
    return (type(second), str(second)) == (type(error), str(error))


def has_second_derivative(v1, build):
    """False if TensorFlow itself fails to differentiate twice."""
    with v1.Graph().as_default():
        y, sources = build()
        try:
            return bool(v1.gradients(v1.gradients(y, sources[0])[0], sources[0]))
        except Exception:  # pylint: disable=broad-except  # of any kind
            return False


def near(a, b):
    return abs(a - b) <= TOLERANCE * max(1.0, abs(a), abs(b))


def total(gradient):
    """The sum of a gradient's elements, as a tensor; None stays."""
    import tensorflow as tf

    return None if gradient is None else tf.reduce_sum(tf.convert_to_tensor(gradient))


class Asked:
    """y and its sources in the graph that the tools work on."""

    def __init__(self, tf, v1, gradients, build, original):
        #: False where TensorFlow's own gradients fail: then nothing is differentiated.
        self.is_right = original.is_right
        self.tf, self.v1, self.gradients = tf, v1, gradients
        self.build, self.problems = build, []
        self.y, self.sources = build()
        #: Sources with a gradient.
        self.connected = [x for i, x in enumerate(self.sources) if not original.is_none(i)]
        self._initialize = [v1.global_variables_initializer(), v1.tables_initializer()]
        self.session, self._tensors, self._values = None, {}, None

    def check(self, says, holds):
        if not holds:
            self.problems.append(says)

    def fetched(self, tensor):
        """A tensor whose value will be asked for, or None, as it is given."""
        if tensor is not None:
            self._tensors[tensor.name] = tensor
        return tensor

    def start(self):
        self.session = self.v1.Session(graph=self.y.graph)
        self.session.run(self._initialize)

    def value(self, tensor):
        """The value of a tensor that is fetched; NaN where the run fails."""
        if self._values is None:
            self._values = values_of(self.session.run, self._tensors)
        return self._values[tensor.name]


def problems_of(tf, v1, gradients, build, only=None, numeric=True):
    """What the tools say wrongly of a program, as sentences.

    Args:
      build: ``() -> (y, sources)``, the same each time that it is called.
      only: the names of the tools to ask; all if None.
      numeric: compare slopes with finite differences; else with `tf.gradients` of the original.
    """
    original = Original(v1, build, numeric)
    tools = {name: tool for name, tool in TOOLS.items() if only is None or name in only}
    with v1.Graph().as_default():
        asked = Asked(tf, v1, gradients, build, original)
        built = {name: tool[0](asked) for name, tool in tools.items()}
        asked.start()
        for name, (_, compare) in tools.items():
            compare(asked, original, built[name])
        asked.session.close()
    original.session.close()
    return asked.problems


def _explain(asked):
    return asked.gradients.explain_gradient(asked.y, asked.sources)


def _compare_explain(asked, original, explanation):
    for i, x in enumerate(original.sources):
        verdict = explanation.verdict(x)
        says = f"explain: {x.name} is {verdict} ({explanation.error(x)}), tf.gradients"
        if original.errors[i]:
            asked.check(f"{says} raises {original.errors[i]!r:.100}", verdict == "none")
        elif any(original.errors):
            continue
        elif original.is_none(i):
            asked.check(f"{says} gives None", verdict == "none")
        else:
            value = original.gradient(i)
            asked.check(f"{says} gives {value}", verdict == "live" if value else verdict != "none")
            if verdict == "zero":
                asked.check(f"{says}: slope {original.slope(i)}", near(original.slope(i), 0))


def _replace(asked):
    built = []
    for chosen in [[x] for x in asked.sources] + [asked.connected]:
        d = asked.tf.constant(MOVE)
        moved = {key_of(x): x + d for x in chosen}
        name = "replace {}".format("+".join(x.name for x in chosen))
        try:
            result = asked.gradients.graph_replace(asked.y, moved)
        except Exception as raised:  # pylint: disable=broad-except
            apart = "no data path" in str(raised) and not any(
                chosen[0] is one for one in asked.connected
            )
            asked.check(f"{name}: {raised!r:.400}", apart or not chosen)
            continue
        slopes, error = None, None
        if asked.is_right:
            slopes, error = _slopes(asked.v1, result, [d] + list(asked.sources))
        for tensor in [result] + list(slopes or ()):
            asked.fetched(tensor)
        built.append((name, chosen, result, slopes, error))
    return built


def _compare_replace(asked, original, built):
    for name, chosen, result, slopes, error in built:
        moves = {x.name: MOVE for x in chosen}
        value, expected = float(asked.value(result)), original.value(moves)
        asked.check(f"{name}: {value} for {expected}", near(value, expected))
        alike = error is None or fails_alike_when_asked_twice(asked.v1, asked.build, error)
        asked.check(f"{name}: tf.gradients raises {error!r:.300}", alike)
        wanted = [original.slope(i, moves) for i in range(len(asked.sources))]
        wanted.insert(0, sum(one for one, x in zip(wanted, asked.sources) if x.name in moves))
        labels = ["d"] + [x.name for x in asked.sources]
        for label, slope, numeric in zip(labels, slopes or (), wanted):
            got = 0.0 if slope is None else float(asked.value(slope))
            asked.check(f"{name}: slope of {label} {slope} {got} for {numeric}", near(got, numeric))


def _effects(asked):
    effects = asked.gradients.effects(asked.y)
    asked.check(f"effects: {effects}", not effects.assigned and not effects.random)


def _recompute(asked):
    if asked.is_right:
        found = asked.gradients.recompute_gradients(asked.y, list(asked.sources))
        return [asked.fetched(total(one)) for one in found]
    return None


def _compare_recompute(asked, original, found):
    for i, (x, mine) in enumerate(zip(original.sources, found or ())):
        own = 0.0 if original.is_none(i) else original.gradient(i)
        mine = 0.0 if mine is None else asked.value(mine)
        asked.check(f"recompute: {x.name} {mine} for {own}", near(mine, own))


def _curvature(asked):
    x = asked.sources[0]
    if not asked.is_right:
        return None, TfgraphtoolsError("hvp", "", "", "")
    try:
        product = asked.gradients.hvp(asked.y, x, asked.tf.ones_like(x))
        return asked.fetched(total(product)), None
    except Exception as raised:  # pylint: disable=broad-except
        return None, raised


def _compare_curvature(asked, original, built):
    found, error = built
    if error is not None:
        refused = isinstance(error, TfgraphtoolsError)
        asked.check(
            f"hvp: raises {error!r:.300}",
            refused or not has_second_derivative(asked.v1, asked.build),
        )
        return
    x, step = original.sources[0], 0.05
    values = [original.value({x.name: move}) for move in (-step, 0.0, step)]
    numeric = (values[0] - 2 * values[1] + values[2]) / step**2
    value = float(asked.value(found))
    asked.check(f"hvp: {value} for {numeric}", abs(value - numeric) < 0.05 * max(1, abs(numeric)))


def _compare_probe(asked, original, _):
    if not asked.is_right:
        return
    before = asked.session.run(asked.y)
    feed = {x: original.at[x.name] for x in asked.sources if not hasattr(x, "initializer")}
    xs = asked.connected
    try:
        probe = asked.gradients.GradientProbe(asked.session, asked.y, xs)
        values = probe.run(feed)
    except Exception as raised:  # pylint: disable=broad-except
        by_name = "LookupTable" in str(raised) or "HashTable" in str(raised)  # state to be fed
        alike = by_name or fails_alike_when_asked_twice(asked.v1, asked.build, raised)
        asked.check(f"probe: raises {raised!r:.300}", alike)
        return
    numbers = [x.name for x in asked.sources]
    for x, value in zip(xs, values):
        numeric, value = original.slope(numbers.index(x.name)), np.sum(value)
        asked.check(f"probe: {x.name} {value} for {numeric}", near(value, numeric))
    asked.check("probe: y has changed", asked.session.run(asked.y) == before)


def _compare_check(asked, original, _):
    for x in asked.sources if asked.is_right else ():
        try:
            report = asked.gradients.check_gradients(asked.y, x, session=asked.session)
        except Exception as raised:  # pylint: disable=broad-except
            alike = fails_alike_when_asked_twice(asked.v1, asked.build, raised)
            asked.check(f"check: {x.name} {raised!r:.300}", alike)
        else:
            verdict = report.verdict(x)
            asked.check(f"check: {x.name} {report!s:.300}", verdict in ("match", "roundoff"))


def _nothing(asked):
    pass


def _no_comparison(*_):
    pass


#: name: (what is built in the graph, in this order; how it is compared)
TOOLS = {
    "explain": (_explain, _compare_explain),
    "replace": (_replace, _compare_replace),
    "effects": (_effects, _no_comparison),
    "recompute": (_recompute, _compare_recompute),
    "curvature": (_curvature, _compare_curvature),
    "probe": (_nothing, _compare_probe),
    "check": (_nothing, _compare_check),
}
