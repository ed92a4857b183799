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

    def __init__(self, v1, build):
        self.graph = v1.Graph()
        with self.graph.as_default():
            self._y, self.sources = build()
            self._assigns = {}
            for x in self.sources:
                if hasattr(x, "initializer"):
                    value = v1.placeholder(x.dtype.base_dtype, x.shape)
                    self._assigns[x.name] = value, v1.assign(x, value).op
            self.slopes, self.error = _slopes(v1, self._y, self.sources)
            initialize = [v1.global_variables_initializer(), v1.tables_initializer()]
        self.session = v1.Session(graph=self.graph)
        self.session.run(initialize)
        self.at = dict(zip([x.name for x in self.sources], self.session.run(list(self.sources))))

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

    def slope(self, x, moves=()):
        """The derivative with respect to all elements of x together."""
        ahead, behind = dict(moves), dict(moves)
        ahead[x.name] = ahead.get(x.name, 0.0) + STEP
        behind[x.name] = behind.get(x.name, 0.0) - STEP
        return (self.value(ahead) - self.value(behind)) / (2 * STEP)

    def gradient(self, number):
        """The value of a gradient; None if TensorFlow has none, or fails to run it."""
        if self.error is not None or self.slopes[number] is None:
            return None
        try:
            return float(self.run(self.slopes[number]))
        except Exception:  # pylint: disable=broad-except  # of an op of TensorFlow's backward pass
            return None


def _slopes(v1, y, sources):
    """(the gradients summed up, None), or (None, the error of TensorFlow)."""
    try:
        return [total(one) for one in v1.gradients(y, sources)], None
    except Exception as raised:  # pylint: disable=broad-except  # TensorFlow's own answer
        return None, raised


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

    def __init__(self, tf, v1, gradients, build):
        self.tf, self.v1, self.gradients = tf, v1, gradients
        self.build, self.problems = build, []
        self.y, self.sources = build()
        self.session = None

    def check(self, says, holds):
        if not holds:
            self.problems.append(says)

    def start(self):
        self.session = self.v1.Session(graph=self.y.graph)
        self.session.run([self.v1.global_variables_initializer(), self.v1.tables_initializer()])


def problems_of(tf, v1, gradients, build, only=None):
    """What the tools say wrongly of a program, as sentences.

    Args:
      build: ``() -> (y, sources)``, the same each time that it is called.
      only: the names of the tools to ask; all if None.
    """
    original = Original(v1, build)
    tools = {name: tool for name, tool in TOOLS.items() if only is None or name in only}
    with v1.Graph().as_default():
        asked = Asked(tf, v1, gradients, build)
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
        if original.error is not None:
            asked.check(f"{says} raises {original.error!r:.100}", verdict == "none")
        elif original.slopes[i] is None:
            asked.check(f"{says} gives None", verdict == "none")
        else:
            value = original.gradient(i)
            asked.check(f"{says} gives {value}", verdict == "live" if value else verdict != "none")
            if verdict == "zero":
                asked.check(f"{says}: slope {original.slope(x)}", near(original.slope(x), 0))


def _replace(asked):
    built = []
    for chosen in [[x] for x in asked.sources] + [list(asked.sources)]:
        d = asked.tf.constant(MOVE)
        moved = {key_of(x): x + d for x in chosen}
        name = "replace {}".format("+".join(x.name for x in chosen))
        try:
            result = asked.gradients.graph_replace(asked.y, moved)
        except Exception as raised:  # pylint: disable=broad-except
            asked.problems.append(f"{name}: {raised!r:.400}")
            continue
        try:
            slopes = asked.v1.gradients(result, [d] + list(asked.sources))
            slopes = [total(one) for one in slopes]
        except Exception as raised:  # pylint: disable=broad-except
            slopes = raised
        built.append((name, chosen, result, slopes))
    return built


def _compare_replace(asked, original, built):
    for name, chosen, result, slopes in built:
        moves = {x.name: MOVE for x in chosen}
        value, expected = float(asked.session.run(result)), original.value(moves)
        asked.check(f"{name}: {value} for {expected}", near(value, expected))
        if isinstance(slopes, Exception) or original.error:
            asked.check(f"{name}: tf.gradients raises {slopes!r:.300}", original.error)
            continue
        wanted = [sum(original.slope(x, moves) for x in chosen)]
        wanted += [original.slope(x, moves) for x in asked.sources]
        for label, slope, numeric in zip(["d", *[x.name for x in asked.sources]], slopes, wanted):
            try:
                got = 0.0 if slope is None else float(asked.session.run(slope))
            except Exception as raised:  # pylint: disable=broad-except
                runs = original.gradient(0) is not None
                asked.check(f"{name}: the slope of {label} raises {raised!r:.200}", not runs)
                continue
            asked.check(f"{name}: slope of {label} {slope} {got} for {numeric}", near(got, numeric))


def _effects(asked):
    effects = asked.gradients.effects(asked.y)
    asked.check(f"effects: {effects}", not effects.assigned and not effects.random)


def _recompute(asked):
    try:
        found = asked.gradients.recompute_gradients(asked.y, list(asked.sources))
        return [total(one) for one in found]
    except Exception as raised:  # pylint: disable=broad-except
        return raised


def _compare_recompute(asked, original, found):
    if isinstance(found, Exception) or original.error:
        asked.check(f"recompute: {found!r:.300}, not {original.error!r:.100}", original.error)
        return
    for i, (x, mine) in enumerate(zip(original.sources, found)):
        own = original.gradient(i)
        if own is not None or mine is None:
            mine = 0.0 if mine is None else asked.session.run(mine)
            asked.check(f"recompute: {x.name} {mine} for {own}", near(mine, own or 0.0))


def _curvature(asked):
    x = asked.sources[0]
    try:
        return total(asked.gradients.hvp(asked.y, x, asked.tf.ones_like(x))), None
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
    value = float(asked.session.run(found))
    asked.check(f"hvp: {value} for {numeric}", abs(value - numeric) < 0.05 * max(1, abs(numeric)))


def _compare_probe(asked, original, _):
    before = asked.session.run(asked.y)
    feed = {x: original.at[x.name] for x in asked.sources if not hasattr(x, "initializer")}
    try:
        probe = asked.gradients.GradientProbe(asked.session, asked.y, list(asked.sources))
        values = probe.run(feed)
    except Exception as raised:  # pylint: disable=broad-except
        by_name = "LookupTable" in str(raised) or "HashTable" in str(raised)  # state to be fed
        asked.check(f"probe: raises {raised!r:.300}", original.error or by_name)
        return
    for x, value in zip(asked.sources, values):
        numeric, value = original.slope(x), np.sum(value)
        asked.check(f"probe: {x.name} {value} for {numeric}", near(value, numeric))
    asked.check("probe: y has changed", asked.session.run(asked.y) == before)


def _compare_check(asked, original, _):
    for x in () if original.error else asked.sources:
        try:
            report = asked.gradients.check_gradients(asked.y, x, session=asked.session)
        except Exception as raised:  # pylint: disable=broad-except
            asked.problems.append(f"check: {x.name} {raised!r:.300}")
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
