"""Frozen elements: chosen elements of variables, and of their slots, stay bit for bit."""

import contextlib
import weakref

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError
from tfgraphtools.training.freezing import choice as _choice
from tfgraphtools.training.freezing import locks as _locks
from tfgraphtools.training.freezing import masks as _masks
from tfgraphtools.training.freezing import updates as _updates
from tfgraphtools.training.freezing import ways as _ways
from tfgraphtools.training.freezing.clock import Clock
from tfgraphtools.training.freezing.coupled import check_coupled, zeroed
from tfgraphtools.training.freezing.state import StateFinder
from tfgraphtools.training.steps import distributed as _distributed
from tfgraphtools.training.steps import optimizers as _optimizers
from tfgraphtools.training.steps import synchronous as _synchronous
from tfgraphtools.training.steps import wrapper as _wrapper

_SLOTS = ("keep", "reset", "advance", "compact")


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

    On servers (``/job:ps/...``) the steps of all workers exclude one another by a
    lock for each frozen variable, synchronous or not: no update is lost, and no
    frozen element moves. Most ways to freeze update a copy there, so that nobody
    sees one moved during a step either; a warning names the variables of the
    other ways. Inside a ``SyncReplicasOptimizer``, which belongs around this one,
    a mask cannot be a placeholder. Under a ``MirroredStrategy`` all copies of a
    variable take the same mask.

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
        ``w/Trainable/Adam`` of the shape ``[trainable]``, filled up to whole
        packets of 64. That takes their share of the memory and is the fastest
        way for few elements, but a plain optimizer's checkpoint has other slots.
        (On TF 1.15 the last bits of a variable whose size is no multiple of 64
        may differ from the plain optimizer's, where they depend on the threads.)
      clock: ``"global"``: Adam's bias correction counts all steps. ``"element"``:
        it counts the steps that the element took, as if it had an Adam of its own
        that waits while it is frozen; one more slot, ``<name>MissedSteps``.
      fused: True has XLA do the optimizer's update and the restoring in one pass
        over memory: TF 2, resource variables and dense gradients. Trainable
        elements then differ from the plain optimizer's in their last bits.
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
        ``MirroredStrategy``.
      ArgumentError: when the step is built: a fed mask in a synchronous step.
    """

    changes_nothing_itself = True
    steps_in_replicas = True

    def __init__(self, optimizer, frozen, slots="keep", clock="global", fused=False, name="Freeze"):
        _optimizers.check_optimizer(optimizer, "FreezeOptimizer")
        super().__init__([optimizer], name)
        _check_choice("slots", slots, _SLOTS)
        _check_choice("clock", clock, ("global",) if slots == "compact" else ("global", "element"))
        alone = clock == "element" or slots == "compact"
        _check_choice("fused", fused, (False,) if alone else (False, True))
        self._frozen = _masks.by_selector(frozen, "FreezeOptimizer frozen")
        self._zero_gradients = check_coupled(optimizer)
        self._slots = slots
        self._fused = fused
        self._clock = clock
        self._clocks = weakref.WeakKeyDictionary()  # graph: its Clock
        self._small = weakref.WeakKeyDictionary()  # graph: {variable: its CompactSlots.small}
        self._finder = StateFinder(optimizer)

    def ways(self):
        """How each frozen variable is frozen: ``{name: way}`` of the steps built so far."""
        return {name: row["way"] for name, row in self.notes().items() if "way" in row}

    def _note_way(self, variable, mask, way):
        self.note(variable, frozen=mask.describe(), way=way.label)

    def _apply(self, pairs, outside):
        trained = [(grad, variable) for grad, variable in pairs if grad is not None]
        mask_of = _select.assign_values(
            self._frozen,
            _wrapper.candidates([variable for _, variable in pairs]),
            "FreezeOptimizer frozen",
        )
        masked = [(g, v, mask_of.get(v).of(v)) for g, v in trained if v in mask_of]
        for grad, variable, mask in masked:
            place = f"FreezeOptimizer frozen mask of {_select.listing([variable])}"
            _synchronous.check_not_fed(mask.given, grad, place)
        if self._zero_gradients:
            own = {_tf.key(v): zeroed(g, mask) for g, v, mask in masked}
            pairs = [(own.get(_tf.key(v), g), v) for g, v in pairs]
        inside = self._ways_inside(masked)
        locks = self._locks(masked, inside, after=[grad for grad, _ in trained])
        # Every op of the optimizer's step waits for this one, which waits for what
        # is saved. That is built after it: only a step that is built has its state.
        with v1.control_dependencies(locks):
            saved = tf.no_op(name="saved")
        with v1.control_dependencies([saved]), v1.name_scope(outside):
            stepped = self._finder.watch(lambda: self._step(pairs, inside))
        restored = []
        with v1.control_dependencies(locks):
            for grad, variable, mask in masked:
                if variable not in inside:
                    states = self._finder.state_of(variable, [v for _, v in trained])
                    for one in _distributed.copies(grad, variable, states):
                        restored += self._restored(*one, mask, saved, stepped)
        return _locks.release(locks, after=tf.group(stepped, *restored, name="restored"))

    def _way_around(self, grad, variable, mask):
        if self._clock == "global":
            return _choice.around(self._wrapped[0], grad, variable, mask)
        graph = v1.get_default_graph()
        clock = self._clocks.setdefault(graph, Clock(self._wrapped[0], self.get_name()))
        return clock.way(mask, variable, self._slots)

    def _step(self, pairs, inside):
        """The optimizer's own step, with its update of some variables done another way."""

        def around_of(leaf):
            def around(hook, grad, variable):
                way = inside.get(variable)
                if way is None:
                    return hook(grad, variable)
                return way.update(leaf, hook, grad, variable)

            return around

        def stand_in(variable):
            return getattr(inside.get(variable), "small", variable)

        with contextlib.ExitStack() as stack:
            for leaf in _optimizers.leaves(self):
                stack.enter_context(_optimizers.intercepted(leaf, around_of(leaf)))
                stack.enter_context(_optimizers.slots_made_for(leaf, stand_in))
            return _optimizers.as_operation(_distributed.apply_wrapped(self._wrapped[0], pairs))

    def _ways_inside(self, masked):
        """The ways inside the optimizer's update, of the variables that have one."""
        inside = _select.Assignment()
        for grad, variable, mask in masked:
            way = None
            if self._slots == "compact":
                way = self._compact_slots(grad, variable, mask)
            elif self._clock == "global":
                way = _choice.inside(
                    self._wrapped[0], grad, variable, mask, self._slots, self._fused
                )
            if way is not None:
                inside.put(variable, way)
                self._note_way(variable, mask, way)
        return inside

    def _compact_slots(self, grad, variable, mask):
        made = self._small.setdefault(v1.get_default_graph(), {})
        key = _tf.key(variable)
        way = _choice.compact_slots(self._wrapped[0], grad, variable, mask, made.get(key))
        made[key] = way.small
        return way

    def _locks(self, masked, inside, after):
        """The locks of the variables that are on a server, but for those left alone."""
        locked = [v for _, v, _ in masked if not isinstance(inside.get(v), _updates.Skip)]
        depth = sum(isinstance(one, FreezeOptimizer) for one in _optimizers.chain(self))
        return _locks.acquire(locked, after, depth)

    def _restored(self, grad, variable, states, mask, saved, stepped):
        """The ops that, after the step, put the frozen elements of one variable back."""
        with v1.name_scope("frozen_" + variable.op.name), _tf.colocate_with(variable):
            way = self._way_around(grad, variable, mask)
            self._note_way(variable, mask, way)
            if _locks.is_on_server(variable) and not _synchronous.is_of_all_workers(grad):
                _warn_of_readers(variable, way)
            return self._put_back(way, variable, states, mask, saved, stepped)

    def _put_back(self, way, variable, states, mask, saved, stepped):
        """As `_restored`, in the way chosen."""
        kept = [variable] + (states if self._slots == "keep" else [])
        before = [way.save(state) for state in kept]
        _tf.add_control_inputs(saved, [tensor.op for tensor in way.waits + before])
        with v1.control_dependencies([stepped]):
            restored = [way.restore(state, old) for state, old in zip(kept, before)]
        if self._slots == "reset" and states:
            reset = _ways.Copy(mask)
            _tf.add_control_inputs(saved, [tensor.op for tensor in reset.waits])
            with v1.control_dependencies([stepped]):
                restored += [reset.restore(state, state.initial_value) for state in states]
        return restored


def _warn_of_readers(variable, way):
    v1.logging.warning(
        "FreezeOptimizer: %s is on %s, and its way is %r: other workers, and a Saver, may read "
        "its frozen elements moved while a step is under way. After it they are back.",
        _select.listing([variable]),
        variable.device,
        way.label,
    )


def _check_choice(argument, value, choices):
    if value not in choices:
        raise ArgumentError(
            f"FreezeOptimizer {argument}",
            "one of {}".format(", ".join(map(repr, choices))),
            repr(value),
            "See the docstring for what each does.",
        )
