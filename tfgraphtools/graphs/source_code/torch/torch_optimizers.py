"""Optimizers of TF 1 as those of PyTorch, or as classes of our own where PyTorch has none equal."""

from tfgraphtools.graphs.source_code.statements.operators import number_of

_ADAM = '''
class Adam(torch.optim.Optimizer):
    """Adam of TF 1, which adds epsilon before it corrects the averages, not after."""

    def __init__(self, params, lr, beta1, beta2, eps, nesterov=False):
        powers = {"beta1_power": beta1, "beta2_power": beta2}
        own = {"beta1": beta1, "beta2": beta2, "eps": eps, "nesterov": nesterov}
        super().__init__(params, {"lr": lr, **own, **powers})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            beta1, beta2 = group["beta1"], group["beta2"]
            rate = group["lr"] * (1 - group["beta2_power"]) ** 0.5 / (1 - group["beta1_power"])
            for p in group["params"]:
                m, v = self.state[p]["m"], self.state[p]["v"]
                m.lerp_(p.grad, 1 - beta1)
                v.lerp_(p.grad.square(), 1 - beta2)
                direction = torch.lerp(p.grad, m, beta1) if group["nesterov"] else m
                p.sub_(rate * direction / (v.sqrt() + group["eps"]))
            group["beta1_power"] *= beta1
            group["beta2_power"] *= beta2
'''

_RMSPROP = '''
class RMSProp(torch.optim.Optimizer):
    """RMSProp of TF 1, which adds epsilon under the root, and not to it."""

    def __init__(self, params, lr, rho, momentum, eps):
        super().__init__(params, {"lr": lr, "rho": rho, "momentum": momentum, "eps": eps})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                ms, mom = self.state[p]["ms"], self.state[p]["mom"]
                ms.lerp_(p.grad.square(), 1 - group["rho"])
                scaled = p.grad * torch.rsqrt({variance} + group["eps"])
                mom.mul_(group["momentum"]).add_(group["lr"] * scaled)
                p.sub_(mom)
'''
_CENTERED = (
    _RMSPROP.replace("class RMSProp", "class CenteredRMSProp")
    .replace("RMSProp of TF 1,", "Centered RMSProp of TF 1,")
    .replace(
        'ms, mom = self.state[p]["ms"], self.state[p]["mom"]\n',
        'mg, ms, mom = (self.state[p][name] for name in ("mg", "ms", "mom"))\n'
        '                mg.lerp_(p.grad, 1 - group["rho"])\n',
    )
    .replace("{variance}", "ms - mg.square()")
)

#: {kind: the text of its class}.
CLASSES = {
    "Adam": _ADAM,
    "RMSProp": _RMSPROP.replace("{variance}", "ms"),
    "CenteredRMSProp": _CENTERED,
}


def constructor(optimizer):
    """Returns the text of the call that makes an `optimizer_facts.Optimizer`."""
    numbers = {
        name: value if isinstance(value, bool) else number_of(value)
        for name, value in optimizer.numbers.items()
    }
    if optimizer.kind == "Adagrad":
        return "torch.optim.Adagrad(parameters.values(), lr=0.0, eps=0.0)"
    if optimizer.kind == "SGD" and not numbers["momentum"]:
        return "torch.optim.SGD(parameters.values(), lr=0.0)"
    name = "torch.optim.SGD" if optimizer.kind == "SGD" else optimizer.kind
    keywords = "".join(f", {key}={value!r}" for key, value in numbers.items())
    return f"{name}(parameters.values(), lr=0.0{keywords})"


_CLIPS = {
    "value": """
    for parameter in {parameters}:
        parameter.grad.clamp_({0!r}, {1!r})
""",
    "norm": """
    for parameter in {parameters}:
        norm = parameter.grad.norm()
        parameter.grad.mul_({0!r} / norm.clamp(min={0!r}))
""",
    "global_norm": """
    norm = torch.stack([parameter.grad.norm() for parameter in {parameters}]).norm()
    for parameter in {parameters}:
        parameter.grad.mul_({0!r} / norm.clamp(min={0!r}))
""",
}


def clipping(optimizer):
    """Returns the lines that clip gradients, "" for none."""
    if optimizer.clip is None:
        return ""
    kind, numbers = optimizer.clip
    text = _CLIPS[kind].format(*map(number_of, numbers), parameters="parameters")
    return '\n    parameters = optimizer.param_groups[0]["params"]' + text.rstrip("\n")
