"""Ops of graphs before TF 1.0 as those that took their place."""


def as_today(kind, inputs):
    """Returns (the op of today that computes the same, its inputs).

    Args:
      kind: the name of an op.
      inputs: its inputs, a list.

    Example:
      >>> as_today("Concat", ["axis", "a", "b"])
      ('ConcatV2', ['a', 'b', 'axis'])
    """
    if kind == "Concat":  # whose axis came first
        return "ConcatV2", [*inputs[1:], inputs[0]]
    return _TODAY.get(kind, kind), inputs


#: Ops with the same inputs; `ResourceGather` lacks the axis.
_TODAY = {"ResourceGather": "GatherV2"}
