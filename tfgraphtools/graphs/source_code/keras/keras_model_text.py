"""The text of ``model.py`` for Keras."""

from tfgraphtools.graphs.source_code.ir import ir_nodes
from tfgraphtools.graphs.source_code.keras import eager_words, keras_helpers, keras_names
from tfgraphtools.graphs.source_code.scopes import method_text, module_classes
from tfgraphtools.graphs.source_code.scopes.repeated_calls import Run
from tfgraphtools.graphs.source_code.statements import code_layout, expressions, identifiers

_LOAD = '''

def variable_of(layer, key):
    """Returns the variable of a key such as ``encoder.0.kernel``."""
    for name in key.split("."):
        layer = layer[int(name)] if name.isdigit() else getattr(layer, name)
    return layer


def load():
    """Returns the model with the weights of the checkpoint."""
    model = Model()
    model.build()
    arrays = load_file(pathlib.Path(__file__).with_name("weights.safetensors"))
    if len(arrays) != len(model.weights):
        raise ValueError(f"{len(arrays)} arrays for {len(model.weights)} weights")
    for key, array in arrays.items():
        variable_of(model, key).assign(array)
'''
_FROZEN = "        variable_of(model, key).trainable = False"

#: A model without weights.
_LOAD_NOTHING = '''

def load():
    """Returns the model, which has no weights."""
'''


def text(root, title, tensors, frozen=()):
    """Returns the text of a module.

    Args:
      root: the `ModuleSource` of the whole graph.
      title: what it is, one sentence.
      tensors: {key: `Value`} of all weights.
      frozen: keys of parameters of layers that the graph does not train.
    """
    classes = module_classes.classes(root)
    texts = _Texts(classes, root)
    bodies = [texts.of_class(made) for made in classes.values()]
    names = expressions.sequence([f'"{name}"' for name in frozen], "[", "]")
    lines = code_layout.laid_out(names, str, "    ", "for key in ", ":") if frozen else []
    lines += [_FROZEN] if frozen else []
    lines.append("    return model" if tensors else "    return Model()")
    load = (_LOAD if tensors else _LOAD_NOTHING) + "\n".join(lines) + "\n"
    source = "\n\n\n".join(bodies) + "\n" + load
    source = keras_helpers.needed(source) + source
    return method_text.header(title, _imports(source), source) + source


def _imports(source):
    imports = ["import keras"]
    imports += ["from keras import ops"] if "ops." in source else []
    is_loaded = "load_file(" in source
    return imports + (["from safetensors.numpy import load_file"] if is_loaded else [])


class _Texts:
    """The texts of classes.

    Args:
      classes: {key: `ModuleClass`}, each after those that it has.
      root: the `ModuleSource` of the whole graph.
    """

    def __init__(self, classes, root):
        self._classes, self._root = classes, root
        self._built = set()
        nodes = root.body.program.nodes()
        dtypes = {value.dtype for node in nodes for value in node.outputs}
        self._casts = any(
            dtype.startswith(("float", "bfloat")) and dtype != "float32" for dtype in dtypes
        )

    def of_class(self, made):
        """Returns the text of one `ModuleClass`."""
        is_root = made.first is self._root
        base = "keras.Model" if is_root else "keras.layers.Layer"
        lines = [f"class {made.name}({base}):"]
        lines += [*_docstring(made), ""]
        lines += self._constructor(made)
        build = self._build(made)
        if build:
            self._built.add(made.first.key)
            lines += ["    def build(self):", *build, ""]
        elif is_root:
            lines += ["    def build(self):", "        pass", ""]
        refusal = made.first.body.program.refusal if is_root else ""
        lines += method_text.method(made, is_root, _refusing(refusal) if refusal else ())
        return "\n".join(lines)

    def _constructor(self, made):
        names = made.argument_names()
        stored = [f"        self.{keras_names.attribute(n)} = {n}" for n in made.stored()]
        lines = stored + self._layers(made)
        if not lines and not self._casts:
            return []
        autocast = "autocast=False" if self._casts else ""
        head = "    def __init__({}):".format(", ".join(["self", *names]))
        return [head, f"        super().__init__({autocast})", *lines, ""]

    def _layers(self, made):
        """Returns the lines that make layers."""
        lines, show = [], made.show(in_method=False)
        for attribute, member in made.first.body.members.items():
            before = f"self.{keras_names.attribute(attribute)} = "
            if isinstance(member, ir_nodes.Value):
                continue
            if attribute in made.first.children:
                lines.append(f"        {before}{made.construction(attribute, self._classes)}")
                continue
            if isinstance(member, Run):
                code = method_text.list_of_modules(made, attribute, member, self._classes)
            else:
                code = made.first.constructors[attribute]
            lines += code_layout.laid_out(code, show, "        ", before)
        return lines

    def _build(self, made):
        """Returns the lines that make weights."""
        lines, show, children = [], made.show(in_method=True), made.first.children
        for attribute, member in made.first.body.members.items():
            name = "self." + keras_names.attribute(attribute)
            if isinstance(member, ir_nodes.Value):
                code = _named(made.first.constructors[attribute], attribute)
                lines += code_layout.laid_out(code, show, "        ", f"{name} = ")
            elif isinstance(member, Run):
                if children[attribute + ".0"].key in self._built:
                    each = identifiers.variable_name(member.stem)
                    lines.append(f"        for {each} in {name}:")
                    lines.append(f"            {each}.build()")
            elif attribute in children:
                if children[attribute].key in self._built:
                    lines.append(f"        {name}.build()")
            elif attribute in made.first.builds:
                code = made.first.builds[attribute]
                lines += code_layout.laid_out(code, show, "        ", f"{name}.build(", ")")
        return lines


def _docstring(made):
    words, eager = method_text.scope_words(made), eager_words.words_of(made.first.body.scope)
    if not eager:
        return [f'    """{words}"""']
    return [f'    """{words}', "", f"    {eager}", '    """']


def _named(code, attribute):
    """Returns a call of ``add_weight`` with a name."""
    *head, group = code.parts
    items = [*group.items, expressions.Code([f'name="{attribute}"'])]
    return expressions.Code([*head, expressions.Group("(", items, ")")])


def _refusing(refusal):
    words = method_text.refusal_words(f"keep training=False: {refusal}")
    return ["        if training:", f"            raise NotImplementedError({words})"]
