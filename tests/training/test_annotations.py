"""Every public function, class and method says the types of what it takes and returns."""

import inspect


def test_everything_public_is_annotated(tf, training):
    missing = []
    for module in (training, training.transforms):
        for name, thing in _public(module):
            for where, function in _functions(thing, name):
                signature = inspect.signature(function)
                bare = [
                    one.name
                    for one in signature.parameters.values()
                    if one.annotation is one.empty and one.name not in ("self", "cls")
                ]
                if signature.return_annotation is signature.empty:
                    bare.append("return")
                missing += [f"{where}: {one}" for one in bare]
    assert not missing, "\n".join(missing)


def _public(module):
    own = [
        name
        for name, value in vars(module).items()
        if name[0] != "_" and getattr(value, "__module__", "") == module.__name__
    ]
    return [(name, getattr(module, name)) for name in getattr(module, "__all__", own)]


def _functions(thing, name):
    """(name, function) of a function, or of the public methods of a class of ours."""
    if inspect.isfunction(thing):
        yield name, thing
    elif inspect.isclass(thing):
        for base in thing.__mro__:
            if not base.__module__.startswith("tfgraphtools.training"):
                continue
            for key, value in vars(base).items():
                function = value.fget if isinstance(value, property) else value
                if inspect.isfunction(function) and (key == "__init__" or key[0] != "_"):
                    yield f"{base.__name__}.{key}", function
