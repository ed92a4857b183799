"""The choice of a way to freeze a variable: a table of rules, the first that holds.

The ways "inside" leave frozen elements out of the optimizer's own update: they
need an optimizer of which it is known that nothing but its update changes a
variable (`known_optimizers.ELEMENTWISE`). The ways "around" save the frozen
elements before the whole step and put them back after it, whatever it does.
"""

import collections
import copy

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf
from tfgraphtools.errors import OptimizerKindError
from tfgraphtools.training.freezing import compact as _compact
from tfgraphtools.training.freezing import frozen_updates as _updates
from tfgraphtools.training.freezing import kernel_rules, known_optimizers
from tfgraphtools.training.freezing import moving_rows as _moving
from tfgraphtools.training.freezing import ways as _ways
from tfgraphtools.training.steps import one_pass as _one_pass
from tfgraphtools.training.steps import optimizer_chain as _optimizers
from tfgraphtools.training.steps import variable_locks as _locks

#: label: in words, for `describe` and docs/frozen_elements.md; where: "inside" or "around";
#: holds: ``holds(case)``: the rule; make: ``make(case)`` of a way around (see `ways`).
Way = collections.namedtuple("Way", "label where holds make")

MOST_ROWS = 0.5  # the share of frozen rows, where it is known, up to which copying these is faster
MOST_ELEMENTS = 0.002  # the same for single elements
_MOST_IN_PLACE = 2**31  # elements of a variable: `overwrite_rows` has int32 indices
ROW_SIZE = 16  # elements from which on a row is worth an index

SKIP = Way("whole variable", "inside", lambda c: c.known and c.mask.is_scalar, None)
BESIDE = Way(
    "updated beside",
    "inside",
    lambda c: c.known and c.one_copy and c.on_server and c.size is not None,
    None,
)

ONE_PASS = Way("in one pass", "inside", lambda c: c.is_in_one_pass, None)

#: The table; docs/frozen_elements.md has the same rows.
WAYS = [
    SKIP,
    Way("few trainable rows", "inside", lambda c: c.few == "rows", None),
    Way("few trainable elements", "inside", lambda c: c.few == "elements", None),
    Way(
        "touched rows",
        "around",
        lambda c: c.known and c.sparse and c.row_local and not c.read_any,
        lambda c: _ways.touched_rows(c.mask, c.grad),
    ),
    BESIDE,
    Way("rows that train", "inside", lambda c: c.rows_in_run, None),
    Way(
        "rows",
        "around",
        lambda c: c.few_frozen_rows and not c.read_any,
        lambda c: _ways.rows(c.mask, c.in_place),
    ),
    ONE_PASS,
    Way(
        BESIDE.label,
        "inside",
        lambda c: c.known and c.one_copy and c.read_any and c.size is not None,
        None,
    ),
    Way(
        "few frozen elements",
        "around",
        lambda c: not c.mask.is_scalar and c.array is not None and c.frozen_share <= MOST_ELEMENTS,
        lambda c: _ways.elements(c.array, c.in_place),
    ),
    Way("copy and restore", "around", lambda c: True, lambda c: _ways.everything(c.mask)),
]

#: Those that an argument of `FreezeOptimizer` asks for.
FUSED = Way("fused by XLA", "inside", None, None)
COMPACT_SLOTS = Way("compact slots", "inside", None, None)
ELEMENT_CLOCK = Way("copy and restore, a clock for each element", "around", None, None)


class Case:
    """The facts about one variable of a step that the rules ask for.

    Args:
      below: the optimizers between the `FreezeOptimizer` and the variable.
      grad, variable: one pair of the step.
      mask: the variable's `VariableMask`.
      read_any: True if what reads the variable during a step may see no frozen element moved.
      fused: the user's choice: see `FreezeOptimizer`.
    """

    def __init__(self, below, grad, variable, mask, read_any=False, fused=None):
        self._units = []  # what `_unit` has found, which takes a pass over the mask
        self.read_any, self._fused = read_any, fused
        self.grad, self.variable = grad, variable
        self.mask, self.array = mask, mask.array()
        leaves = [optimizer for optimizer in below if not _optimizers.wrapped_by(optimizer)]
        #: what keeps us from knowing that only an elementwise optimizer's update changes the
        #: variable, in words; empty where it is known
        self.unknown = _unknown(below, leaves, _tf.components(variable)[0].constraint)
        self.known = not self.unknown
        self.row_local = all(known_optimizers.ELEMENTWISE.get(type(leaf), False) for leaf in leaves)
        self.one_copy = not _tf.is_mirrored(variable)
        self.is_resource = _tf.is_resource_variable(variable)
        self.on_server = self.one_copy and _locks.is_on_server(variable)
        sizes = variable.shape.as_list() if variable.shape.is_fully_defined() else []
        self.size = variable.shape.num_elements()
        self.row_size = self.size // max(1, sizes[0]) if sizes else 0
        self.frozen_share = 0 if self.array is None else self.array.mean()
        self._is_moved = any(getattr(optimizer, "moves_variables", False) for optimizer in below)
        self._leaves = leaves

    def at(self, grad, variable):
        """Returns the same facts of another gradient, perhaps sparse, for the variable or a copy.

        A transform around the optimizer may make a sparse one dense.
        """
        case = copy.copy(self)
        case.grad, case.variable = grad, variable
        return case

    @property
    def sparse(self):
        """True for a gradient of rows."""
        return isinstance(self.grad, tf.IndexedSlices)

    @property
    def in_place(self):
        """True if the variable and its slots are memory that nothing shares after the step.

        The kernels copy what is shared before they write.
        """
        return (
            self.known
            and not self._is_moved
            and not self.sparse
            and all(_can_be_overwritten(self.variable, leaf) for leaf in self._leaves)
        )

    @property
    def rows_in_run(self):
        """True if the rows that train are found in each run."""
        return (
            self.known
            and self.one_copy
            and not self.sparse
            and not self.read_any  # it writes the frozen rows where many train
            and self.mask.is_of_rows
            and not self.mask.is_known
            and self.row_size >= ROW_SIZE
            and _moving.fits(self.variable)
        )

    @property
    def few_frozen_rows(self):
        """True for a mask of rows, not known to freeze more than half of them."""
        is_of_rows = self.mask.is_of_rows and self.row_size >= ROW_SIZE
        return is_of_rows and self.frozen_share <= MOST_ROWS

    @property
    def is_in_one_pass(self):
        """True where XLA updates the variable in one pass by default, with the kernel's bits."""
        exact = self.known and all(map(kernel_rules.has_rules, self._leaves))
        return exact and _one_pass.is_used(self._fused, self.variable, "", self.sparse)

    @property
    def can_be_in_one_pass(self):
        """True where ``fused=True`` gives the kernel's bits, where it is not refused."""
        dtype = self.variable.dtype.base_dtype
        exact = dtype in kernel_rules.DTYPES and self.size is not None
        return exact and all(map(has_exact_pass, self._leaves))

    @property
    def few(self):
        """What few of train, "rows" or "elements"; else None."""
        if self.known and self.one_copy and not self.sparse and self.array is not None:
            return self._unit
        return None

    @property
    def _unit(self):
        if not self._units:
            self._units.append(_compact.unit_that_fits(self.array))
        return self._units[0]


def _can_be_overwritten(variable, leaf):
    """Tells whether `overwrite_rows` takes a variable that an optimizer has just updated."""
    return (
        known_optimizers.writes_in_place(leaf)
        and _tf.is_resource_variable(variable)
        and variable.dtype.base_dtype in (tf.float16, tf.float32, tf.float64)
        and (variable.shape.num_elements() or 0) < _MOST_IN_PLACE
    )


def _unknown(below, leaves, constraint):
    if constraint is not None:
        return "a variable with a constraint"
    for leaf in leaves:
        if type(leaf) not in known_optimizers.ELEMENTWISE:
            return f"{type(leaf).__name__}, which is not one of TensorFlow's elementwise optimizers"
    for optimizer in below:
        if optimizer not in leaves and not getattr(optimizer, "keeps_frozen_elements", False):
            kind = type(optimizer).__name__
            return f"{kind} in between, which changes more than that optimizer does"
    return ""


def choose(case, inside):
    """Returns the first row of the table that holds; only ways around unless ``inside``."""
    ways = (way for way in WAYS if inside or way.where == "around")
    return next(way for way in ways if way.holds(case))


def asked_fused(case):
    """Returns the way that ``fused=True`` asks for, where it is not refused."""
    if case.mask.is_scalar:
        return SKIP
    return ONE_PASS if case.can_be_in_one_pass else FUSED


def has_exact_pass(leaf):
    """Tells whether XLA computes an optimizer's update with its kernel's bits, on a CPU."""
    return kernel_rules.has_rules(leaf) and not _tf.has_accelerator()


def at_leaf(mask, leaf, grad, variable, update):
    """Returns the way in the optimizer's update of a variable, by all masks of it."""
    if update.in_one_pass and not isinstance(grad, tf.IndexedSlices):
        return _updates.InOnePass(mask, update.multipliers)
    if update.fused:
        return _updates.Fused(mask)
    if isinstance(grad, tf.IndexedSlices):
        return _updates.Beside(mask)
    array = mask.array()
    if array is not None and _compact.unit_that_fits(array) is not None:
        return _compact.Compact(array)
    restores = not update.read_any and not _locks.is_on_server(variable)
    if mask.is_of_rows and restores and _moving.fits(variable):
        return _moving.MovingRows(mask, _can_be_overwritten(variable, leaf))
    return _updates.Beside(mask)


def check_compact(case):
    """Raises where slots cannot be kept for the trainable elements alone."""
    array = case.array
    reasons = [
        (array is None, "a mask known only when a step runs"),
        (array is not None and array.all(), "a variable without a trainable element"),
        (case.variable.shape.rank == 0, "a scalar"),
        (case.sparse, "a sparse gradient"),
        (not case.one_copy, "a variable with a copy in every replica"),
        (not case.known, case.unknown),
    ]
    _check(
        f"FreezeOptimizer slots='compact' for {_select.listing([case.variable])}",
        "an array with trainable elements, a dense gradient and an elementwise optimizer",
        reasons,
        "Use slots='keep', which freezes under any mask.",
    )


def check_fused(case, slots):
    """Raises where XLA cannot do the optimizer's update."""
    reasons = [
        (_tf.IS_TF1, "TF 1.15"),
        (not case.is_resource, "a ref variable"),
        (case.sparse, "a sparse gradient"),
        (not case.one_copy, "a variable with a copy in every replica"),
        (slots != "keep", f"slots={slots!r}"),
        (_tf.is_in_v1_loop(), "a step inside a loop of control flow v1"),
        (not case.known, case.unknown),
    ]
    _check(
        f"FreezeOptimizer fused=True for {_select.listing([case.variable])}",
        "a dense gradient of a resource variable on TF 2, and an elementwise optimizer",
        reasons,
        "Leave fused out: the result is the same, and bit for bit the optimizer's own.",
    )


def check_read_any(case, way, slots, clock):
    """Raises where a way writes frozen elements, which others may read before they are back."""
    if way.where == "inside":
        return
    reasons = [
        (slots != "keep", f"slots={slots!r}"),
        (clock != "global", f"clock={clock!r}"),
        (not case.known, case.unknown),
        (not case.one_copy, "a variable with a copy in every replica"),
        (case.size is None, "a variable of unknown shape"),
    ]
    _check(
        f"FreezeOptimizer readers='any' for {_select.listing([case.variable])}",
        "an elementwise optimizer that can leave the frozen elements out of its update",
        reasons,
        "Leave readers out, save with a ConsistentSaver, and read between two steps.",
    )


def check_with_master(case, slots, clock):
    """Raises where a freeze may not leave the elements of master weights to their update."""
    reasons = [
        (slots != "keep", f"slots={slots!r}"),
        (clock != "global", f"clock={clock!r}"),
        (not case.known and not case.mask.is_scalar, case.unknown),
    ]
    _check(
        f"FreezeOptimizer with a MasterWeightsOptimizer for {_select.listing([case.variable])}",
        "slots='keep', and an elementwise optimizer",
        reasons,
        "Leave the variable out of the master weights by selector=.",
    )


def check_alone(variable, argument, others, unknown=""):
    """Raises where another optimizer freezes a variable in a way that does not go with this one.

    Args:
      unknown: why it is not known what changes the variable, in words: see `Case`.
    """
    _check(
        f"FreezeOptimizer {argument} for {_select.listing([variable])}",
        "no other optimizer that freezes, decays or accumulates the variable in between",
        [(others, "one that does"), (unknown, unknown)],
        "Put all masks of the variable into one FreezeOptimizer."
        if others
        else "Leave the argument out.",
    )


def check_no_ratio(update):
    """Raises where the clocks of the elements would correct more than Adam's own step."""
    _check(
        f"FreezeOptimizer clock='element' for {_select.listing([update.variable])}",
        "Adam's own step, which the clock of each element corrects",
        [(update.trust is not None, "one that a trust ratio scales, its decay included")],
        "Use of='gradient' in the TrustRatioOptimizer, or leave clock out.",
    )


def _check(place, expected, reasons, next_step):
    """Raises with all the reasons that hold."""
    reasons_that_hold = [reason for holds, reason in reasons if holds]
    if reasons_that_hold:
        raise OptimizerKindError(place, expected, " and ".join(reasons_that_hold), next_step)
