"""Bijectors of contrib.distributions that know the rank of an event themselves.

Until 1.8 a bijector was made with ``event_ndims``, and its log-determinants were asked
without; since 1.9 each question says of how many dimensions an event is.
"""

import ast

from tfgraphtools.compat.engine.rows import Fix, Table, used
from tfgraphtools.compat.engine.translate import trees
from tfgraphtools.compat.engine.translate.tree_walk import Visitor, walking

_QUESTIONS = ("forward_log_det_jacobian", "inverse_log_det_jacobian")

#: Builtins of user code: what stands for making a bijector, and for asking it.
_MAKE = "__tfgraphtools_bijector__"
_ASK = "__tfgraphtools_log_det__"

#: Where a bijector keeps the rank that it was made with.
_KEPT = "_tfgraphtools_event_ndims"


def make(function, *arguments, **options):
    """Calls ``function(..., event_ndims=n)``, where the function may be a class of bijectors."""
    try:
        return function(*arguments, **options)
    except TypeError as error:
        event_ndims = options.pop("event_ndims", None)
        if "event_ndims" not in str(error) or not isinstance(event_ndims, int):
            raise
        bijector = function(*arguments, **options)
        # An event of fewer dimensions than its class takes today is another bijector.
        if not _is_bijector(bijector) or bijector.forward_min_event_ndims > event_ndims:
            raise
        setattr(bijector, _KEPT, event_ndims)
        return bijector


def ask(question, *arguments, **options):
    """Calls ``bijector.inverse_log_det_jacobian(y)``, or its forward counterpart."""
    bijector = getattr(question, "__self__", None)
    if len(arguments) == 1 and "event_ndims" not in options and _is_bijector(bijector):
        direction = question.__name__.partition("_")[0]
        least = getattr(bijector, direction + "_min_event_ndims")
        options["event_ndims"] = max(least, _kept(bijector))
    return question(*arguments, **options)


def _kept(bijector):
    """Returns the rank that a bijector, or the one that it inverts, was made with."""
    inner = getattr(bijector, "bijector", None)
    return getattr(bijector, _KEPT, 0 if inner is None else _kept(inner))


def _is_bijector(value):
    from tensorflow.python.ops.distributions import bijector

    return isinstance(value, bijector.Bijector)


class _Calls(Visitor):
    def visit_Call(self, node):
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        is_question = name in _QUESTIONS and isinstance(node.func, ast.Attribute)
        if not is_question and not name[:1].isupper():
            return node
        says_rank = any(word.arg == "event_ndims" for word in node.keywords)
        if is_question == says_rank:
            return node
        used(ROW)
        return trees.wrap_call(_ASK if is_question else _MAKE, node)


@walking
def _translate(tree):
    has_question = not trees.read_attributes(tree).isdisjoint(_QUESTIONS)
    says_rank = any(word.arg == "event_ndims" for word in trees.nodes_of(tree, ast.keyword))
    return _Calls() if has_question or says_rank else None


HELPERS = {_MAKE: make, _ASK: ask}

ROW = Fix(
    "tensorflow.contrib.distributions.bijectors.event_ndims",
    "TF 1.9",
    "a bijector takes event_ndims when it is created; its log-determinants do not need it",
    _translate,
    cannot="pass event_ndims to log_det_jacobian, not to the bijector",
)

TABLE = Table("bijectors with the rank of an event", "syntax", [ROW])
