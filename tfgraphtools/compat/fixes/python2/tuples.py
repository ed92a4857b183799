"""Tuples where Python 3 wants a name: parameters of a lambda, and what ``except`` assigns to.

``fissix`` renames attributes with a lambda's parameters (``lambda (k, v): v.k``), leaves alone a
lambda that has others beside the tuple, and breaks an ``except`` that stands on one line.
"""


def unpack(tree):
    """Gives each such tuple a name, in place.

    Args:
      tree: a tree of fissix, before its fixers.

    Returns:
      [(line, its text before, its text now)] of what changed.
    """
    from fissix.pgen2 import token
    from fissix.pygram import python_symbols as symbols

    taken = {leaf.value for leaf in tree.leaves() if leaf.type == token.NAME}
    changes = []
    for node in list(tree.post_order()):  # the inner ones first
        line, before = node.get_lineno(), str(node)
        if node.type in (symbols.lambdef, symbols.old_lambdef):
            _unpack_lambda(node, taken)
        elif node.type == symbols.except_clause and len(node.children) == 4:
            _unpack_except(node, taken)
        if str(node) != before:
            changes.append((line, before.strip(), str(node).strip()))
    return changes


# lambda ---------------------------------------------------------------------


def _unpack_lambda(node, taken):
    from fissix.fixer_util import Name

    if len(node.children) != 4:
        return
    places = {}  # name -> how it is read from the new parameter: "k_v[1]"
    for parameter in _tuple_parameters(node.children[1]):
        names = _names(parameter)
        if isinstance(names, str):  # lambda (x): x
            parameter.replace(Name(names, prefix=parameter.prefix))
            continue
        whole = _unused("_".join(_flat(names)), taken)
        taken.add(whole)
        _place(names, whole, places)
        parameter.replace(Name(whole, prefix=parameter.prefix))
    if places:
        _read_from(places, node.children[3])


def _tuple_parameters(parameters):
    from fissix.pygram import python_symbols as symbols

    several = parameters.type == symbols.varargslist
    candidates = list(parameters.children) if several else [parameters]
    return [parameter for parameter in candidates if parameter.type == symbols.vfpdef]


def _names(parameter):
    """Returns the name of a parameter, or a list of names and lists for a tuple."""
    from fissix.pygram import python_symbols as symbols

    if parameter.type == symbols.vfpdef:  # in parentheses
        return _names(parameter.children[1])
    if parameter.type == symbols.vfplist:
        return [_names(child) for child in parameter.children if str(child).strip() != ","]
    return parameter.value


def _flat(names):
    return (
        [names] if isinstance(names, str) else [name for nested in names for name in _flat(nested)]
    )


def _place(names, whole, places):
    for number, name in enumerate(names):
        place = f"{whole}[{number}]"
        if isinstance(name, str):
            places[name] = place
        else:
            _place(name, place, places)


def _read_from(places, body):
    """Makes the body of a lambda read its names from the new parameters."""
    from fissix.fixer_util import Name
    from fissix.pgen2 import token

    if _binds(body, places):  # [k for k in v]: the names stay, as parameters of a lambda within
        inner = body.clone()
        inner.prefix = " "
        names, values = ", ".join(places), ", ".join(places.values())
        body.replace(_call(body.prefix, names, inner, values))
        return
    for leaf in list(body.leaves()):
        if leaf.type == token.NAME and leaf.value in places and _is_variable(leaf):
            leaf.replace(Name(places[leaf.value], prefix=leaf.prefix))


def _call(prefix, names, body, values):
    from fissix.fixer_util import Name
    from fissix.pygram import python_symbols as symbols
    from fissix.pytree import Node

    return Node(
        symbols.power,
        [Name(f"(lambda {names}:", prefix=prefix), body, Name(f")({values})")],
    )


def _is_variable(leaf):
    """Tells whether a name is neither an attribute (``x.k``) nor a keyword (``f(k=1)``)."""
    before, after = leaf.prev_sibling, leaf.next_sibling
    if before is not None and str(before).strip() == ".":
        return False
    return not (after is not None and str(after).strip() == "=" and before is None)


def _binds(body, names):
    """Tells whether a lambda or a comprehension within a body binds one of these names."""
    from fissix.pgen2 import token
    from fissix.pygram import python_symbols as symbols

    bound = []
    for node in body.pre_order():
        if node.type in (symbols.lambdef, symbols.old_lambdef):
            bound += node.children[1:-2]
        elif node.type == symbols.comp_for:
            bound.append(node.children[1])
    leaves = [leaf for node in bound for leaf in node.leaves()]
    return any(leaf.type == token.NAME and leaf.value in names for leaf in leaves)


# except ---------------------------------------------------------------------


def _unpack_except(clause, taken):
    from fissix.fixer_util import Name
    from fissix.pgen2 import token
    from fissix.pygram import python_symbols as symbols
    from fissix.pytree import Leaf

    target = clause.children[3]
    if target.type == token.NAME:
        return
    error = _unused("error", taken)
    spelled = str(target).strip()
    is_tuple = spelled[0] == "(" and "," in spelled
    value = f"{error}.args" if is_tuple or spelled[0] == "[" else error
    line = f"{spelled[1:-1] if is_tuple else spelled} = {value}"
    clause.children[2].replace(Name("as", prefix=" "))
    target.replace(Name(error, prefix=" "))
    body = clause.next_sibling.next_sibling
    if body.type == symbols.suite:
        indent = next(leaf.value for leaf in body.children if leaf.type == token.INDENT)
        body.insert_child(2, Name(f"{line}\n{indent}"))
    else:
        first = next(body.leaves())
        new = Name(line, prefix=first.prefix)
        first.prefix = " "
        body.insert_child(0, Leaf(token.SEMI, ";"))
        body.insert_child(0, new)


def _unused(name, taken):
    while name in taken:
        name += "_"
    return name
