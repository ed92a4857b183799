"""Contexts of the loops of a part of a graph: without them TensorFlow has no gradient of a loop."""

KEY = "while_context"


def of_kept(meta, kept):
    """Returns the list of the WhileContextDefs of loops that are kept, without what is not.

    Args:
      meta: a MetaGraphDef.
      kept: set of the names of nodes.
    """
    from tensorflow.core.protobuf import control_flow_pb2

    contexts = []
    for data in meta.collection_def[KEY].bytes_list.value:
        context = control_flow_pb2.WhileContextDef()
        context.ParseFromString(data)
        if _is_kept(context.pivot_name, kept):
            _prune_loop(context, kept)
            contexts.append(context)
    return contexts


def _is_kept(name, kept):
    return name.split(":")[0] in kept


def _prune_loop(context, kept):
    for field in (context.loop_exit_names, context.loop_enter_names):
        _keep(field, kept)
    _prune(context, kept)


def _keep(field, kept):
    names = [name for name in field if _is_kept(name, kept)]
    del field[:]
    field.extend(names)


def _prune(context, kept):
    """Removes what is not kept from a context and those in it."""
    values = context.values_def
    _keep(values.values, kept)
    for name, source in list(values.external_values.items()):
        if not (_is_kept(name, kept) and _is_kept(source, kept)):
            del values.external_values[name]
    nested = []
    for inner in context.nested_contexts:
        is_loop = inner.WhichOneof("ctxt") == "while_ctxt"
        own = inner.while_ctxt if is_loop else inner.cond_ctxt
        if not is_loop and not _is_kept(own.pivot_name, kept):
            own.pivot_name = own.pred_name  # nothing but constants would need it
        if _is_kept(own.pivot_name, kept):
            (_prune_loop if is_loop else _prune)(own, kept)
            nested.append(inner)
    copies = [type(inner).FromString(inner.SerializeToString()) for inner in nested]
    del context.nested_contexts[:]
    context.nested_contexts.extend(copies)
