"""Internals of ``tf.autograph`` that take the arguments of 1.15: ``EntityInfo``, ``anf``."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import provides

_TRANSFORMER = "tensorflow.python.autograph.pyct.transformer."


@provides(_TRANSFORMER + "EntityInfo", "TF 2.2", "an EntityInfo may lack its name")
def _entity_info(real):
    class EntityInfo(real.EntityInfo):
        """What is known of a function or class."""

        def __new__(cls, *arguments, **options):
            has_name = "name" in options or len(arguments) + len(options) > len(cls._fields) - 1
            return super().__new__(cls, *(() if has_name else (None,)), *arguments, **options)

    return EntityInfo


@provides(_TRANSFORMER + "Context", "TF 2.2", "a Context may lack its namer and user context")
def _context(real):
    class Context(real.Context):
        """What a transformation knows of its source."""

        def __init__(self, info, namer=None, user_context=None):
            super().__init__(info, namer, user_context)

    return Context


@provides(
    "tensorflow.python.autograph.pyct.common_transformers.anf.transform",
    "TF 2.2",
    "takes a source of the names that it makes",
)
def _transform(real):
    def transform(node, ctx, config=None, gensym_source=None):
        anf = real.AnfTransformer(ctx, config)
        if gensym_source is not None:
            anf._gensym = gensym_source(ctx)
        return anf.visit(node)

    return transform


TABLES = (Table("internals of autograph", "names", [_entity_info, _context, _transform]),)
