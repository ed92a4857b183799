"""Views of dictionaries that do for Python 2's lists: no ``list(...)`` is written.

A view shows what changes later, and may not change in size while a loop goes over it. So it
does where its elements are taken at once (``sorted(d.items())``), and where a loop goes over it
and nothing in the loop can change the dictionary.
"""

#: Functions that are done with what they are given when they return.
_AT_ONCE = set("sorted list tuple set frozenset dict len sum min max any all".split())

#: Methods of a dictionary that leave it as it is.
_READING = set(
    "get has_key keys values items iterkeys itervalues iteritems copy viewkeys viewvalues "
    "viewitems".split()
)

_MORE_BEHIND = (",", ")")


def teach(fixer):
    """Makes the fixer of dictionaries, one of ``fissix``'s, ask `does`."""
    asked = fixer.in_special_context

    def in_special_context(node, isiter):
        return does(node) if not isiter else asked(node, isiter)

    fixer.in_special_context = in_special_context


def does(node):
    """Tells whether a view does in the place of a list.

    Args:
      node: the tree of ``x.keys()``, ``x.values()`` or ``x.items()``.
    """
    return _is_taken_at_once(node) or _is_tested(node) or _is_looped_over(node)


def _is_taken_at_once(node):
    """Tells whether it is the first argument of a function that keeps nothing of it.

    A method of the same name is another function: ``numpy.max`` makes no array of a view.
    """
    before, behind = _beside(node)
    if before != "(" or behind not in _MORE_BEHIND:
        return False
    bracket = _leaf_before(node)
    called = bracket.prev_sibling or bracket.parent.prev_sibling
    return called is not None and str(called).strip() in (*_AT_ONCE, ".join")


def _is_tested(node):
    """Tells whether it is what stands behind ``in`` in a comparison."""
    parent = node.parent
    return (
        _kind(parent) == "comparison" and parent.children[-1] is node and _beside(node)[0] == "in"
    )


def _is_looped_over(node):
    """Tells whether a loop goes over it that cannot change the dictionary."""
    loop = node.parent
    kind = _kind(loop)
    if kind not in ("for_stmt", "comp_for", "old_comp_for") or loop.children[3] is not node:
        return False
    owner = [leaf.value for part in node.children[:-2] for leaf in part.leaves()]
    if not owner or not all(word == "." or word.isidentifier() for word in owner):
        return False  # ``f().items()``: what the call gives may be anywhere
    inside = loop.children[5] if kind == "for_stmt" else loop.parent
    if _runs_later(inside) or _may_be_changed_elsewhere(owner, node):
        return False
    return not any(map(_changes, _uses(owner, inside)))


def _runs_later(inside):
    """Tells whether other code runs between the rounds: at a ``yield``, or in a generator."""
    if _kind(inside) in ("argument", "testlist_gexp"):
        return not _is_taken_at_once(inside)
    return any(leaf.value == "yield" for leaf in inside.leaves())


def _uses(owner, inside):
    """Yields (the leaves from there on, owner) of each place that names the dictionary."""
    leaves = list(inside.leaves())
    words = [leaf.value for leaf in leaves]
    for place, word in enumerate(words):
        if word == owner[0] and (place == 0 or words[place - 1] != "."):
            yield leaves[place:], owner


def _changes(use):
    """Tells whether a use may change a dictionary, or gives it away."""
    leaves, owner = use
    words = [leaf.value for leaf in leaves[: len(owner) + 4]]
    if words[: len(owner)] != owner:  # another attribute of what has it
        is_method = len(words) > 3 and words[1] == "." and words[3] == "("
        return words[1:2] != ["."] or is_method
    behind = words[len(owner) : len(owner) + 2]
    if behind[:1] == ["."]:
        return behind[1] not in _READING
    before = _leaf_before(leaves[0])
    if behind[:1] != ["["]:
        return getattr(before, "value", "") != "in"
    return _is_assigned(leaves[0])


def _is_assigned(leaf):
    """Tells whether what begins with a leaf is assigned or deleted."""
    node = leaf
    while node.parent is not None:
        kind = _kind(node.parent)
        if kind == "del_stmt":
            return True
        if kind == "expr_stmt":
            return node is not node.parent.children[-1]
        if kind == "for_stmt" and node is node.parent.children[1]:
            return True
        node = node.parent
    return False


def _may_be_changed_elsewhere(owner, node):
    """Tells whether a function that the loop calls may change the dictionary.

    Only functions inside change a dictionary that is in a local variable of the function.
    """
    function = node
    while function is not None and _kind(function) != "funcdef":
        function = function.parent
    if len(owner) > 1:
        return False  # a method of what has it is looked for in the loop
    root = node
    while root.parent is not None:
        root = root.parent
    shared = function is None or any(
        _kind(node) == "global_stmt" and owner[0] in str(node).split()
        for node in function.pre_order()
    )
    return any(
        _changes(use)
        for node in (root if shared else function).pre_order()
        if _kind(node) in ("funcdef", "lambdef") and node is not function
        for use in _uses(owner, node)
    )


def _beside(node):
    """Returns the texts of the leaves before and behind a node."""
    before, behind = _leaf_before(node), _leaf_behind(node)
    return getattr(before, "value", ""), getattr(behind, "value", "")


def _leaf_before(node):
    return _leaf_beside(node, "prev_sibling", -1)


def _leaf_behind(node):
    return _leaf_beside(node, "next_sibling", 0)


def _leaf_beside(node, side, end):
    """Returns the nearest leaf on one side of a node, or None at that end of the source."""
    while node is not None and getattr(node, side) is None:
        node = node.parent
    if node is None:
        return None
    leaf = getattr(node, side)
    while leaf.children:
        leaf = leaf.children[end]
    return leaf


def _kind(node):
    """Returns the name of a node's kind; "" for none."""
    from fissix.pytree import type_repr

    return "" if node is None else str(type_repr(node.type))
