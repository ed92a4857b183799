"""The arguments of `plan_torch` about names: rules, and what to drop, keep and flatten."""

import collections

from tfgraphtools.checkpoints.matching import tensor_units
from tfgraphtools.checkpoints.matching.unit_rules import unknown
from tfgraphtools.checkpoints.optimizers import optimizer_slots
from tfgraphtools.checkpoints.plans import moving_averages
from tfgraphtools.checkpoints.plans import rules as naming
from tfgraphtools.checkpoints.torch import traced_orders
from tfgraphtools.checkpoints.torch.torch_units import Target
from tfgraphtools.errors import ArgumentError, MatchedTwiceError, PlanError


def kept(model, keep):
    """Returns the names of the entries that keep the model's own values."""
    return (
        set(naming.matching(keep, list(model.entries), "plan_torch(keep=...)")) if keep else set()
    )


def apply_rules(rules, weights, targets, find):
    """Returns what a map says: ([(source, target)], the other sources, the other targets).

    Args:
      find: function of names of tensors that gives their units.
    """
    sources = find(weights)
    if not rules:
        return [], sources, targets
    place = "plan_torch(rules=...)"
    by_unit = {source.name: source for source in sources}
    new = naming.renamed(rules, sorted({*by_unit, *weights}), place)
    modules = {target.name: target for target in targets}
    entries = {
        weight.path: (target, role)
        for target in targets
        for role, weight in target.weights.items()
        if weight.parts == 1
    }
    paired, taken = [], set()
    for name in sorted(new):
        if name in by_unit and new[name] in modules:
            paired.append((by_unit[name], modules[new[name]]))
            taken.update(by_unit[name].leaves.values())
    for name in sorted(set(new) & set(weights) - taken):
        if new[name] not in entries:
            raise unknown(name, new[name], [*modules, *entries], place, "module or parameter")
        paired.append(_single(name, *entries[new[name]]))
        taken.add(name)
    for name in sorted(set(new) & set(by_unit)):
        if not taken.issuperset(by_unit[name].leaves.values()):
            raise unknown(name, new[name], [*modules, *entries], place, "module or parameter")
    used = [(w.path, w.part) for _, target in paired for w in target.weights.values()]
    twice = [path for (path, _), count in collections.Counter(used).items() if count > 1]
    if twice:
        raise MatchedTwiceError(
            place,
            "one source for each parameter",
            f"several for {twice[0]!r}",
            "Correct the rules.",
        )
    return paired, _others(sources, taken, find), _untouched(targets, set(used))


def _others(sources, taken, find):
    left = []
    for source in sources:
        untaken = [name for name in source.leaves.values() if name not in taken]
        if len(untaken) == len(source.leaves):
            left.append(source)
        elif untaken:
            left += find(untaken)
    return left


def _untouched(targets, used):
    remaining = []
    for target in targets:
        weights = {r: w for r, w in target.weights.items() if (w.path, w.part) not in used}
        if weights:
            remaining.append(target._replace(weights=weights))
    return remaining


def _single(name, target, role):
    """Returns the units of one tensor and one parameter, which a rule pairs."""
    weight = target.weights[role]
    source = tensor_units.Source(name, "plain", {role: name})
    kind = (
        "parameter" if target.kind in ("batch norm", "norm", "lstm", "gru", "rnn") else target.kind
    )
    return source, Target(weight.path, kind, {role: weight}, {})


def casts(ckpt, cast, use_ema):
    """Returns {tensor: type} of a cast; a variable and its moving average have one type.

    An optimizer's state is not cast: it gets the type of its parameter, and counts of steps stay.
    """
    if not cast:
        return {}
    state = optimizer_slots.optimizer_state({name: ckpt.store.summary(name)[1] for name in ckpt})
    names = [name for name in ckpt if name not in state]
    pattern_of = naming.matching(list(cast), names, "plan_torch(cast=...)")
    done = {name: cast[pattern] for name, pattern in pattern_of.items()}
    averages = moving_averages.averages_of(ckpt, use_ema) if use_ema else {}
    for variable, average in averages.items():
        if variable in done or average in done:
            done[variable] = done[average] = done.get(variable, done.get(average))
    return {naming.exactly(name): dtype for name, dtype in done.items()}


def types(matches, held, cast):
    """Returns {entry: type} of the entries whose tensors a cast names.

    Raises:
      ArgumentError: tensors of different types in one entry.
    """
    cast = set(naming.matching(list(cast), list(held), "plan_torch(cast=...)")) if cast else set()
    types_of = {}
    for match in matches:
        for role, weight in match.target.weights.items():
            names = match.fit.leaves.get(role)
            of = [names] if names else list(match.fit.leaves.values())
            kinds = {held[name][0] for name in of}
            if cast.intersection(of) or weight.path in types_of:
                types_of.setdefault(weight.path, set()).update(kinds)
    for path, kinds in types_of.items():
        if len(kinds) > 1:
            raise ArgumentError(
                "plan_torch(cast=...)",
                f"one type for all tensors of {path!r}",
                " and ".join(sorted(kinds)),
                "Widen the pattern.",
            )
    return {path: next(iter(kinds)) for path, kinds in types_of.items()}


def require_rows(matches, trace, told, held):
    """Raises where a dense kernel may follow a flatten and nobody said so.

    A trace of the module says which kernels do. Without one, each may whose rows are a multiple of
    a convolution's channels: that they are a layer's width, too, may be chance.

    Args:
      trace: what `traced_orders.orders` gives, or None.
      told: {name of a source: the map that was flattened, or False}.
      held: {tensor: (type, shape)}.
    """
    channels = {
        weight.shape[axis]
        for pair in matches
        for role, weight in pair.target.weights.items()
        if role == "kernel" and pair.target.kind == "conv"
        for axis in (0, 1)
    }
    for pair in matches:
        kernel = pair.target.weights.get("kernel")
        if kernel is None or pair.target.kind not in ("linear", "matrix"):
            continue
        if pair.source.name in told or len(kernel.shape) != 2:
            continue
        shape = held[pair.fit.leaves["kernel"]][1]
        if len(shape) != 2:
            continue  # a convolution of 1 x 1, which reads a map
        inputs = shape[0]
        of = sorted(c for c in channels if c > 1 and inputs % c == 0 and inputs > c)
        if trace is not None and pair.target.name in trace:
            of_module = trace[pair.target.name]
            is_cell = of_module.channels in (1, inputs)  # of one cell or channel: any order
            of = [of_module.channels or of[-1:]] if of_module.rows and not is_cell else []
            if of_module.rows == traced_orders.LAST:
                of = []
        if of:
            raise PlanError(
                f"the kernel of {pair.source.name!r}",
                f"to know if its {inputs} inputs are a flattened feature map: TF1 flattens "
                "channels last, PyTorch channels first",
                f"convolutions of {of[-1]} channels, {inputs} = {inputs // of[-1]} * {of[-1]}",
                "Pass the .meta of the graph (graph=, --meta), or "
                f"flatten={{{pair.source.name!r}: (height, width, {of[-1]})}} "
                f"(--flatten {pair.source.name} H,W,{of[-1]}), or False ('no') if there is none.",
            )
