"""Definitions of v1 control-flow contexts: they know their ops by name."""


def names_in_contexts(contexts):
    """Returns the names of all ops that these definitions of contexts name."""
    names = set()
    for context in contexts:
        for field, value in context.ListFields():
            if field.name in ("loop_exit_names", "loop_enter_names"):
                names.update(value)
            elif field.name == "values_def":
                names.update(value.values)
                names.update(value.external_values.values())
            elif field.name == "nested_contexts":
                names.update(names_in_contexts(_nested(context)))
            elif field.name.endswith("_name") and field.name != "context_name":
                names.add(value)
    return {name.split(":")[0] for name in names if name}


def _nested(context):
    return [_definition(nested) for nested in context.nested_contexts]


def _definition(context):
    """Returns the CondContextDef or WhileContextDef that a nested context wraps."""
    return getattr(context, context.WhichOneof("ctxt"))


def rename_members(context, members):
    """Puts the tensors of inlined bodies for their calls in a context's definition."""
    values = context.values_def.values
    renamed = [new for name in values for new in members.get(name.split(":")[0], [name])]
    del values[:]
    values.extend(renamed)
    for nested in _nested(context):
        rename_members(nested, members)


def leave_out(context, kept, names):
    """Removes nested contexts from the definition of a context, and all ops of these names.

    Args:
      kept: the names of the contexts that stay.
    """
    values = context.values_def
    values_kept = [name for name in values.values if name.split(":")[0] not in names]
    del values.values[:]
    values.values.extend(values_kept)
    for name, value in list(values.external_values.items()):
        if name.split(":")[0] in names or value.split(":")[0] in names:
            del values.external_values[name]
    stays = [inner for inner in context.nested_contexts if _definition(inner).context_name in kept]
    del context.nested_contexts[:]
    context.nested_contexts.extend(stays)
    for nested in _nested(context):
        leave_out(nested, kept, names)
