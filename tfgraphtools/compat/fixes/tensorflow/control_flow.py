"""``tf.cond``: predicates that are Python's, and the names of branches of before 1.0."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import in_place_of


@in_place_of("tensorflow.cond", "TF 0.12", "takes a Python bool as the predicate, too")
def _cond(
    original, used, pred, true_fn=None, false_fn=None, strict=False, name=None, fn1=None, fn2=None
):
    from tfgraphtools._tf import v1

    if isinstance(pred, (bool, int)):
        used()
        pred = v1.constant(bool(pred))
    return v1.cond(pred, true_fn or fn1, false_fn or fn2, strict=strict, name=name)


TABLES = (Table("branches", "calls", _cond),)
