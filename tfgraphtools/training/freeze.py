"""Frozen elements: chosen elements of variables, and of their slots, stay bit for bit."""

import collections
import weakref
from typing import Dict, Optional

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.training import _arguments, _step, _types, _wrapper
from tfgraphtools.training.freezing import choice_of_way as _choice
from tfgraphtools.training.freezing import masks as _masks
from tfgraphtools.training.freezing import ways as _ways
from tfgraphtools.training.freezing.clock import Clock
from tfgraphtools.training.freezing.compact import CompactSlots
from tfgraphtools.training.freezing.coupled import check_coupled, takes_norms, zeroed
from tfgraphtools.training.freezing.optimizer_variables import StateFinder, initial_value
from tfgraphtools.training.steps import distributed as _distributed
from tfgraphtools.training.steps import one_pass as _one_pass
from tfgraphtools.training.steps import optimizer_chain as _optimizers
from tfgraphtools.training.steps import synchronous as _synchronous
from tfgraphtools.training.steps import variable_locks as _locks

_SLOTS = ("keep", "reset", "advance", "compact")

#: The plan of a step: by variable, the `VariableMask`, and the `Case` that chooses the way.
_Frozen = collections.namedtuple("_Frozen", "masks cases")


class FreezeOptimizer(_wrapper.WrapperOptimizer):
    """Trains with any optimizer while the elements under a mask stay as they are.

    After each step the frozen elements of a variable are bit for bit what they
    were before it, under every optimizer and whatever their gradient is, NaN
    included. (A gradient of zero is not a freeze: Adam, Momentum and others move
    on by their old moments.) The others are bit for bit what the optimizer makes
    of them. State keeps the plain optimizer's names, so its checkpoints restore
    with a stock ``Saver``.

    It does nothing to a variable that no key matches, and nothing to state that
    an optimizer keeps once for all variables, such as Adam's ``beta1_power``:
    that goes on with every step.

    Several threads may run the step on one session (Hogwild, A3C): a step that puts
    elements back holds a lock from its first read to its last write, once its
    gradients are there. The steps of one process exclude one another.

    On servers (``/job:ps/...``) the steps of all workers exclude one another by a
    lock on each server, synchronous or not: no update is lost, and no
    frozen element moves. A worker that stops or ends holds no lock. Most ways to
    freeze update a copy there, so that nobody sees one moved during a step either;
    a warning names the variables of the other ways. Inside a
    ``SyncReplicasOptimizer``, which belongs around this one, a mask cannot be a
    placeholder. Under a ``MirroredStrategy`` all copies of a variable take the
    same mask.

    In one process some ways write frozen elements during a step and put them back before it
    ends. Another thread that reads then, such as the saver of a ``tf.train.Supervisor``, an
    evaluation or an actor, sees them moved, and a checkpoint keeps them so. Save with a
    `ConsistentSaver`, which waits for the step; for all other readers use ``readers="any"``.

    Args:
      optimizer: any ``tf.compat.v1.train.Optimizer``, wrappers included.
      frozen: ``{selector: mask}``, each mask bool and True where frozen: an
        array, a tensor, a placeholder or a variable. A mask broadcasts to the
        variable's shape by NumPy's rules: shapes align at the last dimension, a
        scalar freezes the whole variable, ``(n, 1)`` freezes rows, and a
        partitioned variable takes one mask for the whole. The selectors
        exclude one another. A mask is read once, at the start of the step.
      slots: what happens to the frozen elements of slots: ``"keep"`` keeps them
        as they are, so that training goes on from them when an element is
        released; ``"reset"`` sets them to their initial values; ``"advance"``
        leaves them to the optimizer; ``"compact"`` has none: for masks that are
        arrays, slots are kept for the trainable elements alone, as
        ``w/Trainable_of_mask_1a2b3c4d/Adam`` of the shape ``[trainable]``, filled up to
        whole packets of 64. That takes their share of the memory and is the fastest
        way for few elements, but a plain optimizer's checkpoint has other slots, and so has one
        of another mask: the number is the mask's, and a ``Saver`` does not find the key.
        (On TF 1.15 the last bits of a variable whose size is no multiple of 64
        may differ from the plain optimizer's, where they depend on the threads.)
      clock: ``"global"``: Adam's bias correction counts all steps. ``"element"``:
        it counts the steps that the element took, as if it had an Adam of its own
        that waits while it is frozen; one more slot, ``<name>OwnSteps``, of integers.
      fused: None: XLA updates large variables (a million elements or more) in one pass over each
        state, bit for bit as the optimizer does: resource variables of float32 or float64 on
        TF 2, dense gradients, Adam, Momentum and SGD, in a process without a GPU, where no
        faster way fits. True: variables of any size, and of float16, too. It takes the other
        elementwise optimizers as well: their trainable elements then differ from the plain
        optimizer's in their last bits. False: single ops.
      threads: ``"one"`` takes no lock, where one thread at a time runs the step, of all
        workers together. It saves some 0.02 ms a step. On servers it gives up that no
        update is lost where two workers step at a time: a warning says so.
      readers: ``"between"``: variables are read between two steps, or by the step. ``"any"``:
        other threads read them at any time: only ways that never write a frozen
        element are used. Most copy the variable and its slots: beside the default that costs
        little where masks are of elements, 2 to 3 times as much where few rows or elements
        are frozen, and far more where a mask that is read in a run freezes most rows.
      name: of the scope of ops.

    Example:
      >>> frozen = tf.compat.v1.placeholder(tf.bool, [4])
      >>> optimizer = FreezeOptimizer(tf.compat.v1.train.AdamOptimizer(), {"w": frozen})
      >>> train_op = optimizer.minimize(loss)
      >>> session.run(train_op, {frozen: [True, False, False, True]})

    Raises:
      MaskError: a mask that is not bool, or does not broadcast.
      NothingMatchedError, MatchedTwiceError: when the step is built: a key that
        matches no variable, or two that match the same one.
      OptimizerKindError: when the step is built: an optimizer whose state of a
        frozen variable has another shape; a strategy that is not a
        ``MirroredStrategy``; ``readers="any"`` with an optimizer that is not known to be
        elementwise, a strategy, ``clock="element"``, or slots that are reset or advance.
      ArgumentError: when the step is built: a fed mask in a synchronous step.
    """

    is_flushed_through = True
    steps_in_replicas = True

    def __init__(
        self,
        optimizer: v1.train.Optimizer,
        frozen: _types.BySelector,
        slots: str = "keep",
        clock: str = "global",
        fused: Optional[bool] = None,
        threads: str = "several",
        readers: str = "between",
        name: str = "Freeze",
    ) -> None:
        _optimizers.check_optimizer(optimizer, "FreezeOptimizer")
        super().__init__([optimizer], name)
        clocks = ("global",) if slots == "compact" else ("global", "element")
        alone = clock == "element" or slots == "compact"
        for argument, value, choices in (
            ("slots", slots, _SLOTS),
            ("clock", clock, clocks),
            ("fused", fused, (None, False) if alone else _one_pass.CHOICES),
            ("threads", threads, _arguments.THREADS),
            ("readers", readers, ("between", "any")),
        ):
            _arguments.check_choice(f"FreezeOptimizer {argument}", value, choices)
        self._threads = threads
        self._read_any = readers == "any"
        self._frozen = _masks.by_selector(frozen, "FreezeOptimizer frozen")
        check_coupled(optimizer)
        #: "keep", "reset", "advance" or "compact".
        self.slots_of_frozen = slots
        self._fused = fused
        self._clock = clock
        self._small = weakref.WeakKeyDictionary()  # graph: {variable: its CompactSlots.small}
        self._finder = StateFinder(optimizer)

    @property
    def keeps_frozen_elements(self) -> bool:
        """True where it only keeps: another one around it may then work inside the update."""
        return self.slots_of_frozen != "reset" and self._clock == "global"

    def ways(self) -> Dict[str, str]:
        """Tells how each frozen variable is frozen: ``{name: way}`` of the steps built so far.

        Of those in the default graph; where none is built in it, in that of the last one.
        """
        return {name: row["way"] for name, row in self.notes().items() if "way" in row}

    def plan_step(self, step: _step.Step, pairs: _types.Pairs) -> None:
        """Plans as every wrapper does; locks variables that are not frozen as a whole."""
        super().plan_step(step, pairs)
        plan = step.plan_of(self, pairs)
        for grad, variable in pairs:
            if variable in plan.masks and grad is not None:
                below = step.update_of(variable).below(self)
                mask = plan.masks.get(variable)
                case = _choice.Case(below, grad, variable, mask, self._read_any, self._fused)
                plan.cases.put(variable, case)
                if self._way_of(case) is not _choice.SKIP:
                    step.whole = True
                    step.lock(variable, self._threads)

    def _plan(self, step, pairs):
        """Returns the masks of the variables, as they are at the start of the step."""
        place = "FreezeOptimizer frozen"
        mask_by_selector = _select.assign_values(
            [(selector, mask.read(step)) for selector, mask in self._frozen],
            step.candidates(),
            place,
        )
        mask_of = _select.Assignment()
        for grad, variable in pairs:
            if (
                grad is None
                or variable not in mask_by_selector
                or variable.shape.num_elements() == 0
            ):
                continue
            mask = mask_by_selector.get(variable).of(variable)
            here = f"{place} mask of {_select.listing([variable])}"
            _synchronous.check_not_fed(mask.unread, grad, here)
            mask.check_at_start(step)
            mask_of.put(variable, mask)
            update = step.update_of(variable)
            update.freezers.append(self)
            update.frozen.append(mask)
            if self.slots_of_frozen == "compact":
                _choice.check_alone(variable, "slots='compact'", update.compact_by is not None)
                update.compact_by = self
        return _Frozen(mask_of, _select.Assignment())

    def _way_of(self, case):
        """Returns the row of the table of ways, or what the arguments ask for."""
        way = self._asked_way(case)
        if self._read_any:
            _choice.check_read_any(case, way, self.slots_of_frozen, self._clock)
        return way

    def _asked_way(self, case):
        if self.slots_of_frozen == "compact":
            return _choice.COMPACT_SLOTS
        if self._clock == "element":
            return _choice.ELEMENT_CLOCK
        if self._fused:
            _choice.check_fused(case, self.slots_of_frozen)
            return _choice.asked_fused(case)
        return _choice.choose(case, inside=self.slots_of_frozen == "keep")

    def _apply(self, step, pairs, outside):
        plan = step.plan_of(self, pairs)
        masked = [(g, v) for g, v in pairs if g is not None and v in plan.masks]
        pairs = self._zeroed(step, pairs, plan.masks)
        around = []
        for grad, variable in masked:
            case = plan.cases.get(variable).at(grad, variable)
            way = self._way_of(case)
            update = step.update_of(variable)
            if update.compact_by not in (None, self) and way.where == "around":
                self._check_beside_compact(case, variable)
                way = _choice.BESIDE
            if update.master is not None:
                _choice.check_with_master(case, self.slots_of_frozen, self._clock)
                way = _choice.BESIDE if way.where == "around" else way
            self.note(variable, frozen=case.mask.describe(), way=way.label)
            if way.where == "inside":
                self._freeze_inside(update, case, way)
            else:
                self._check_around(update, case)
                around.append((case, way))
        # Every op of the optimizer's step waits for this one, which waits for what
        # is saved. That is built after it: only a step that is built has its state.
        saved = tf.no_op(name="saved")
        with _tf.after([saved]):
            stepped = self._finder.watch(lambda: self._apply_wrapped(step, pairs, outside))
        restored, shared = [], {}
        trained = [v for g, v in pairs if g is not None]
        all_states = self._finder.states_of([case.variable for case, _ in around], trained)
        for (case, way), states in zip(around, all_states):
            for grad, variable, own in _distributed.copies(case.grad, case.variable, states):
                own_case = case.at(grad, variable)
                restored += self._restored(step, own_case, own, way, saved, stepped, shared)
        return tf.group(stepped, *restored, name="restored")

    def look_ahead(self, step: _step.Step, pairs: _types.Pairs) -> None:
        """Looks ahead as every wrapper does, at the gradients that the step passes on."""
        super().look_ahead(step, self._zeroed(step, pairs, step.plan_of(self, pairs).masks))

    def _zeroed(self, step, pairs, mask_of):
        """Returns the pairs, zeros where frozen if the optimizer takes norms of a variable."""

        def zeroed_of(grad, variable):
            is_frozen = grad is not None and variable in mask_of
            if is_frozen and takes_norms(step.update_of(variable).below(self)):
                return zeroed(grad, mask_of.get(variable))
            return grad

        return [(zeroed_of(grad, variable), variable) for grad, variable in pairs]

    def _freeze_inside(self, update, case, way):
        """Leaves it to the optimizer's update of the variable."""
        if way is _choice.COMPACT_SLOTS:
            small_slots = self._small.setdefault(_tf.root_graph(), {})
            key = _tf.key(update.variable)
            _choice.check_compact(case)
            update.compact = CompactSlots(case.array, update.variable, small_slots.get(key))
            small_slots[key] = update.compact.small
            return
        update.read_any = update.read_any or self._read_any
        update.fused = update.fused or way is _choice.FUSED
        update.in_one_pass = update.in_one_pass or way is _choice.ONE_PASS
        update.masks.append(case.mask)

    def _check_beside_compact(self, case, variable):
        keeps = self.slots_of_frozen == "keep" and self._clock == "global"
        _choice.check_alone(variable, "beside one with slots='compact'", not keeps, case.unknown)

    def _check_around(self, update, case):
        if self._clock == "element":
            moved = any(
                getattr(optimizer, "moves_variables", False) for optimizer in update.below(self)
            )
            others = len(update.freezers) > 1 or moved
            _choice.check_alone(update.variable, "clock='element'", others, case.unknown)
            _choice.check_no_ratio(update)

    def _restored(self, step, case, states, way, saved, stepped, shared):
        """Returns the ops that, after the step, put the frozen elements of one variable back."""
        variable, mask = case.variable, case.mask
        with v1.name_scope("frozen_" + variable.op.name), _tf.colocate_with(variable):
            if way is _choice.ELEMENT_CLOCK:
                clock = Clock(self._wrapped[0], self._own_steps_of)
                multipliers = step.update_of(variable).multipliers
                restorer = clock.way(mask, variable, self.slots_of_frozen, multipliers, shared)
            else:
                restorer = way.make(case)
            if _locks.is_on_server(variable) and not _synchronous.is_of_all_workers(case.grad):
                _warn_of_readers(variable, way)
            return self._put_back(restorer, variable, states, mask, saved, stepped)

    def _own_steps_of(self, variable):
        """Returns the slot of the clocks of a variable's elements, listed by `variables`."""
        name = self.get_name() + "OwnSteps"
        with _tf.init_scope():  # int64: an int32 variable has no place on a GPU
            return self._get_or_make_slot_with_initializer(
                variable, v1.zeros_initializer(), variable.shape, tf.int64, name, name
            )

    def _put_back(self, way, variable, states, mask, saved, stepped):
        """Returns the ops of `_restored`, in the way chosen."""
        kept = [variable] + (states if self.slots_of_frozen == "keep" else [])
        before = [way.save(state) for state in kept]
        resets = states if self.slots_of_frozen == "reset" else []
        initial = [initial_value(state) for state in resets]
        waits = way.waits + before + [tensor for tensor in initial if tensor.op.type == "DeepCopy"]
        _tf.add_control_inputs(saved, [tensor.op for tensor in waits])
        with _tf.after([stepped]):
            restored = [way.restore(state, old) for state, old in zip(kept, before)]
        if resets:
            reset = _ways.everything(mask)
            _tf.add_control_inputs(saved, [tensor.op for tensor in reset.waits])
            with _tf.after([stepped]):
                restored += [reset.restore(*pair) for pair in zip(resets, initial)]
        return restored


def _warn_of_readers(variable, way):
    v1.logging.warning(
        "FreezeOptimizer: %s is on %s, and its way is %r: other workers, and a Saver, may read "
        "its frozen elements moved while a step is under way. After it they are back.",
        _select.listing([variable]),
        variable.device,
        way.label,
    )
