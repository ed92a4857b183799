"""Run by TF 1.15 with the families' own packages: small models, random weights, their outputs.

    python tf1_families.py FOLDER [NAME...]

writes NAME/model.ckpt, the family's settings file and NAME/arrays.npz for every model whose
package is installed (bert-tensorflow, albert-tensorflow, gpt-2-simple, mesh-tensorflow) or whose
code is on the path (google-research/electra, zihangdai/xlnet).
"""

import importlib
import importlib.util
import json
import os
import sys
import types

import numpy as np
import tensorflow as tf

RANDOM = np.random.RandomState(11)
BATCH, LENGTH = 3, 7
SETTINGS = {
    "vocab_size": 31,
    "hidden_size": 16,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 24,
    "hidden_act": "gelu",
    "hidden_dropout_prob": 0.0,
    "attention_probs_dropout_prob": 0.0,
    "max_position_embeddings": 12,
    "type_vocab_size": 2,
    "initializer_range": 0.02,
}
ALBERT = dict(SETTINGS, embedding_size=8, num_hidden_groups=1, inner_group_num=1)
GROUPS = dict(ALBERT, num_hidden_layers=4, num_hidden_groups=2, inner_group_num=2)
IDS = RANDOM.randint(1, 31, [BATCH, LENGTH])
MASK = (np.arange(LENGTH) < np.array([[7], [5], [3]])).astype(np.int32)
TYPES = RANDOM.randint(0, 2, [BATCH, LENGTH])
OTHERS = RANDOM.randint(1, 31, [BATCH, LENGTH])


def encoder(package, config_class, settings, build_head=None):
    modeling = importlib.import_module(package + ".modeling")
    config = getattr(modeling, config_class)(**settings)
    arguments = dict(
        config=config,
        is_training=False,
        input_ids=tf.constant(IDS, tf.int32),
        input_mask=tf.constant(MASK),
        token_type_ids=tf.constant(TYPES, tf.int32),
        use_one_hot_embeddings=False,
    )
    model = getattr(modeling, config_class.replace("Config", "Model"))(**arguments)
    outputs = {"hidden": model.get_sequence_output(), "pooled": model.get_pooled_output()}
    if build_head:
        outputs.update(build_head(modeling, model, config))
    return outputs


def pretraining(modeling, model, config):
    """The heads of run_pretraining.py."""
    width = getattr(config, "embedding_size", config.hidden_size)
    table = model.get_embedding_table()
    with tf.variable_scope("cls/predictions"):
        with tf.variable_scope("transform"):
            h = tf.layers.dense(
                model.get_sequence_output(), width, activation=modeling.get_activation("gelu")
            )
            h = modeling.layer_norm(h)
        bias = tf.get_variable("output_bias", [config.vocab_size])
        words = tf.tensordot(h, table, [[2], [1]]) + bias
    with tf.variable_scope("cls/seq_relationship"):
        weights = tf.get_variable("output_weights", [2, config.hidden_size])
        bias = tf.get_variable("output_bias", [2])
        following = tf.matmul(model.get_pooled_output(), weights, transpose_b=True) + bias
    return {"prediction_logits": words, "following": following}


def classifier(modeling, model, config):
    """The head of run_classifier.py."""
    weights = tf.get_variable("output_weights", [5, config.hidden_size])
    bias = tf.get_variable("output_bias", [5])
    pooled = model.get_pooled_output()
    return {"logits": tf.matmul(pooled, weights, transpose_b=True) + bias}


def token_classifier(modeling, model, config):
    """The head of the scripts that label each token, such as BioBERT's run_ner.py."""
    weights = tf.get_variable("output_weights", [5, config.hidden_size])
    bias = tf.get_variable("output_bias", [5])
    return {"logits": tf.tensordot(model.get_sequence_output(), weights, [[2], [1]]) + bias}


def squad(modeling, model, config):
    """The head of run_squad.py."""
    weights = tf.get_variable("cls/squad/output_weights", [2, config.hidden_size])
    bias = tf.get_variable("cls/squad/output_bias", [2])
    return {"logits": tf.tensordot(model.get_sequence_output(), weights, [[2], [1]]) + bias}


def gpt2():
    package = importlib.util.find_spec("gpt_2_simple")  # importing it asks for much else
    if package is None:
        raise ImportError("no gpt-2-simple")
    path = os.path.join(package.submodule_search_locations[0], "src", "model.py")
    spec = importlib.util.spec_from_file_location("gpt2_model", path)
    model = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(model)
    hparams = model.HParams(n_vocab=31, n_ctx=12, n_embd=16, n_head=4, n_layer=3)
    return {"logits": model.model(hparams, tf.constant(IDS, tf.int32))["logits"]}


def masked(modeling, model, config):
    """A model that was trained on words alone."""
    outputs = pretraining(modeling, model, config)
    for variable in tf.global_variables("cls/seq_relationship"):
        tf.add_to_collection("unused", variable)
    return {"prediction_logits": outputs["prediction_logits"]}


def _electra_model(config, scope):
    return importlib.import_module("model.modeling").BertModel(
        bert_config=config,
        is_training=False,
        input_ids=tf.constant(IDS, tf.int32),
        input_mask=tf.constant(MASK),
        token_type_ids=tf.constant(TYPES, tf.int32),
        use_one_hot_embeddings=False,
        scope=scope,
        embedding_size=8,
    )


def electra():
    """The discriminator of run_pretraining.py."""
    modeling = importlib.import_module("model.modeling")
    config = modeling.BertConfig(**SETTINGS)
    model = _electra_model(config, "electra")
    hidden = model.get_sequence_output()
    with tf.variable_scope("discriminator_predictions"):
        h = tf.layers.dense(hidden, 16, activation=modeling.get_activation("gelu"))
        return {"logits": tf.squeeze(tf.layers.dense(h, 1), -1)}


def electra_generator():
    """Both models of run_pretraining.py; the outputs are the generator's."""
    modeling = importlib.import_module("model.modeling")
    electra()
    config = modeling.BertConfig(**dict(SETTINGS, hidden_size=12, intermediate_size=48))
    config.num_attention_heads = 1
    model = _electra_model(config, "generator")
    with tf.variable_scope("generator_predictions"):
        table = model.get_embedding_table()
        gelu = modeling.get_activation("gelu")
        h = tf.layers.dense(model.get_sequence_output(), 8, activation=gelu)
        bias = tf.get_variable("output_bias", [table.shape[0]])
        logits = tf.tensordot(modeling.layer_norm(h), table, [[2], [1]])
    return {"logits": logits + bias}


def t5(activation, is_shared):
    """As the operative_config.gin of the released models builds it."""
    for name in ("tensorflow_datasets", "tensorflow_datasets.public_api"):
        sys.modules.setdefault(name, types.ModuleType(name))  # of its input pipelines alone
    mtf = importlib.import_module("mesh_tensorflow")
    transformer = importlib.import_module("mesh_tensorflow.transformer.transformer")
    layers = importlib.import_module("mesh_tensorflow.transformer.transformer_layers")
    heads = {"num_heads": 4, "key_value_size": 6}
    own = [layers.SelfAttention, dict(heads, relative_attention_type="bias_shared")]
    dense = [layers.DenseReluDense, {"hidden_size": 24, "activation": activation}]
    stacks = {"encoder": [own, dense], "decoder": [own, [layers.EncDecAttention, heads], dense]}
    sides = {}
    for name, specification in stacks.items():
        stack = transformer.make_layer_stack(
            layers=specification,
            num_layers=3,
            layer_stack_cls=lambda found: transformer.LayerStack(
                found, dropout_rate=0.0, norm_epsilon=1e-6
            ),
        )
        sides[name] = transformer.Unitransformer(
            stack,
            d_model=16,
            input_vocab_size=32,
            output_vocab_size=32 if name == "decoder" else None,
            autoregressive=name == "decoder",
            max_length=12,
            shared_embedding_and_softmax_weights=is_shared and name == "decoder",
            vocab_divisor=1,
            positional_embedding=False,
            name=name,
        )
    graph = mtf.Graph()
    mesh = mtf.Mesh(graph, "mesh")
    shape = mtf.Shape([mtf.Dimension("batch", BATCH), mtf.Dimension("length", LENGTH)])
    ids, targets = (
        mtf.import_tf_tensor(mesh, tf.constant(array, tf.int32), shape) for array in (IDS, OTHERS)
    )
    logits, _ = transformer.Bitransformer(sides["encoder"], sides["decoder"]).call_simple(
        ids, targets, compute_loss=False, mode=tf.estimator.ModeKeys.EVAL
    )
    device = mtf.placement_mesh_impl.PlacementMeshImpl(mtf.Shape([]), mtf.LayoutRules([]), [""])
    lowering = mtf.Lowering(graph, {mesh: device})
    tf.add_to_collection("copy the weights", lowering.copy_masters_to_slices())
    return {"logits": lowering.export_to_tf_tensor(logits)}


XLNET = {
    "n_layer": 3,
    "d_model": 16,
    "n_head": 4,
    "d_head": 4,
    "d_inner": 24,
    "ff_activation": "gelu",
    "untie_r": True,
    "n_token": 31,
}


def xlnet(with_classes):
    """The language model, and the classifier of run_classifier.py."""
    xlnet = importlib.import_module("xlnet")
    modeling = importlib.import_module("modeling")
    with open("xlnet_config.json", "w") as file:
        json.dump(XLNET, file)
    config = xlnet.XLNetConfig(json_path="xlnet_config.json")
    os.remove("xlnet_config.json")
    run_config = xlnet.RunConfig(False, False, False, 0.0, 0.0, init_std=0.1)
    model = xlnet.XLNetModel(
        config,
        run_config,
        input_ids=tf.constant(IDS.T, tf.int32),
        seg_ids=tf.constant(TYPES.T, tf.int32),
        input_mask=tf.constant(1.0 - MASK.T, tf.float32),
    )
    initializer = model.get_initializer()
    if with_classes:
        summary = model.get_pooled_out("last", True)
        with tf.variable_scope("model", reuse=tf.AUTO_REUSE):
            _, logits = modeling.classification_loss(
                summary, tf.zeros([BATCH], tf.int32), 5, initializer, "classification_x", None, True
            )
        return {"logits": logits}
    with tf.variable_scope("model/lm_loss"):
        bias = tf.get_variable("bias", [31])
    table = model.get_embedding_table()
    return {"logits": tf.einsum("lbd,nd->bln", model.get_sequence_output(), table) + bias}


MODELS = {
    "bert": ("bert_config.json", SETTINGS, lambda: encoder("bert", "BertConfig", SETTINGS)),
    "bert_pretraining": (
        "bert_config.json",
        SETTINGS,
        lambda: encoder("bert", "BertConfig", SETTINGS, pretraining),
    ),
    "bert_classifier": (
        "bert_config.json",
        SETTINGS,
        lambda: encoder("bert", "BertConfig", SETTINGS, classifier),
    ),
    "bert_tokens": (
        "bert_config.json",
        SETTINGS,
        lambda: encoder("bert", "BertConfig", SETTINGS, token_classifier),
    ),
    "bert_squad": (
        "bert_config.json",
        SETTINGS,
        lambda: encoder("bert", "BertConfig", SETTINGS, squad),
    ),
    "albert": ("albert_config.json", ALBERT, lambda: encoder("albert", "AlbertConfig", ALBERT)),
    "albert_groups": (
        "albert_config.json",
        GROUPS,
        lambda: encoder("albert", "AlbertConfig", GROUPS),
    ),
    "albert_squad": (
        "albert_config.json",
        ALBERT,
        lambda: encoder("albert", "AlbertConfig", ALBERT, squad),
    ),
    "albert_pretraining": (
        "albert_config.json",
        ALBERT,
        lambda: encoder("albert", "AlbertConfig", ALBERT, pretraining),
    ),
    "albert_classifier": (
        "albert_config.json",
        ALBERT,
        lambda: encoder("albert", "AlbertConfig", ALBERT, classifier),
    ),
    "bert_masked": (
        "bert_config.json",
        SETTINGS,
        lambda: encoder("bert", "BertConfig", SETTINGS, masked),
    ),
    "gpt2": ("hparams.json", {"n_head": 4}, gpt2),
    "electra": ("electra_config.json", SETTINGS, electra),
    "electra_generator": ("electra_config.json", SETTINGS, electra_generator),
    "t5": ("t5.json", {}, lambda: t5("relu", True)),
    "t5_1.1": ("t5.json", {}, lambda: t5(["gelu", "linear"], False)),
    "xlnet": ("xlnet_config.json", XLNET, lambda: xlnet(False)),
    "xlnet_classifier": ("xlnet_config.json", XLNET, lambda: xlnet(True)),
}


def _without_unused(variables):
    """The variables but those of the head that `masked` built and did not return."""
    unused = tf.get_collection("unused")
    return [variable for variable in variables if variable not in unused]


def write(folder, settings_file, settings, build):
    with tf.Graph().as_default(), tf.Session() as session:
        outputs = build()
        tf.train.get_or_create_global_step()
        session.run(tf.global_variables_initializer())
        for variable in tf.trainable_variables():
            shape = variable.shape.as_list()
            scale = 1.0 if len(shape) < 2 else shape[-2] ** -0.5
            variable.load(RANDOM.randn(*shape).astype(np.float32) * 0.5 * scale, session)
        session.run(tf.get_collection("copy the weights"))
        arrays = session.run(outputs)
        os.makedirs(folder)
        saver = tf.train.Saver(_without_unused(tf.global_variables()))
        saver.save(session, os.path.join(folder, "model.ckpt"), write_meta_graph=False)
        np.savez(
            os.path.join(folder, "arrays.npz"),
            ids=IDS,
            mask=MASK,
            types=TYPES,
            others=OTHERS,
            **arrays,
        )
    with open(os.path.join(folder, settings_file), "w") as file:
        json.dump(settings, file)
    with open(os.path.join(folder, "vocab.txt"), "w") as file:
        file.write("[PAD]\n")


def main(folder, names):
    for name in names or MODELS:
        settings_file, settings, build = MODELS[name]
        try:
            write(os.path.join(folder, name), settings_file, settings, build)
        except ImportError as error:
            print(f"{name}: {error}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
