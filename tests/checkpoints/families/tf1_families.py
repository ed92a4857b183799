"""Run by TF 1.15 with the families' own packages: small models, random weights, their outputs.

    python tf1_families.py FOLDER [--record] [NAME...]

writes NAME/model.ckpt, the family's settings file and NAME/arrays.npz for every model whose
package is installed (bert-tensorflow, albert-tensorflow, gpt-2-simple, mesh-tensorflow) or whose
code is on the path (google-research/electra, zihangdai/xlnet, google-research/pegasus,
google-research/bigbird, openai/finetune-transformer-lm); --record writes ``recorded/NAME.npz`` as
well.
"""

import importlib
import importlib.util
import json
import os
import sys
import types
from unittest import mock

import numpy as np
import tensorflow as tf

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "helpers"))

import recorded_models  # noqa: E402

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
            layer_stack_cls=lambda layers: transformer.LayerStack(
                layers, dropout_rate=0.0, norm_epsilon=1e-6
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


def gpt1():
    """The language model of train.py, whose imports of other packages are not needed."""
    for name in ("joblib", "tqdm", "sklearn", "sklearn.utils", "sklearn.metrics"):
        sys.modules.setdefault(name, mock.MagicMock())
    for name in ("datasets", "analysis", "text_utils"):
        sys.modules[name] = mock.MagicMock()
    train = importlib.import_module("train")
    settings = dict(n_vocab=31, n_special=0, n_ctx=LENGTH, n_embd=16, n_head=4, n_layer=3)
    settings.update(
        {name: 0.0 for name in ("embd_pdrop", "attn_pdrop", "resid_pdrop", "clf_pdrop")}
    )
    vars(train).update(settings, afn="gelu", clf_token=1)
    with tf.variable_scope("model"):
        words = tf.get_variable("we", [31, 16])
        positions = tf.get_variable("pe", [12, 16])
        table = tf.concat([words, positions[:LENGTH]], 0)
        places = np.broadcast_to(np.arange(31, 31 + LENGTH), IDS.shape)
        h = train.embed(tf.constant(np.stack([IDS, places], -1), tf.int32), table)
        for layer in range(3):
            h = train.block(h, f"h{layer}", train=False, scale=True)
        return {"logits": tf.tensordot(h, words, [[2], [1]])}


def pegasus():
    transformer = importlib.import_module("pegasus.models.transformer")
    model = transformer.TransformerEncoderDecoderModel(
        vocab_size=31,
        hidden_size=16,
        filter_size=24,
        num_heads=4,
        num_encoder_layers=3,
        num_decoder_layers=2,
        label_smoothing=0.0,
        dropout=0.0,
    )
    ids = {"inputs": tf.constant(IDS * MASK, tf.int32), "targets": tf.constant(OTHERS, tf.int32)}
    return {"logits": model(ids, False)[1]["logits"]}


#: `BIG_BIRD` attends to all tokens, as every model of at most 512.
BIG_BIRD = dict(SETTINGS, attention_type="original_full", max_encoder_length=LENGTH)


def big_bird(build_head=None):
    # Its code was run by later versions, whose initializers of TF 2 serve TF 1's variables.
    tf.compat.v2.zeros_initializer = tf.zeros_initializer
    tf.compat.v2.ones_initializer = tf.ones_initializer
    modeling = importlib.import_module("bigbird.core.modeling")
    utils = importlib.import_module("bigbird.core.utils")
    params = dict(utils.get_default_config(), **BIG_BIRD, use_gradient_checkpointing=False)
    model = modeling.BertModel(params)
    hidden, pooled = model(tf.constant(IDS * MASK, tf.int32), tf.constant(TYPES * MASK, tf.int32))
    outputs = {"hidden": hidden, "pooled": pooled}
    if build_head:
        for name in (
            "sentencepiece",
            "importlib_resources",
            "tensorflow_datasets",
            "tensorflow_text",
        ):
            sys.modules[name] = mock.MagicMock()  # of its input pipelines alone
        run = importlib.import_module("bigbird.pretrain.run_pretraining")
        words = run.MaskedLMLayer(16, 31, model.embeder, None, utils.get_activation("gelu"))
        following = run.NSPLayer(16)
        transformed = words.norm_layer(words.extra_layer(hidden))
        logits = tf.nn.bias_add(model.embeder.linear(transformed), words.output_bias)
        outputs = {"prediction_logits": logits}
        product = tf.matmul(pooled, following.output_weights, transpose_b=True)
        outputs["following"] = product + following.output_bias
    return outputs


MODELS = {
    "gpt1": ("hparams.json", {"n_head": 4}, gpt1),
    "pegasus": ("config.json", {"num_heads": 4}, pegasus),
    "big_bird": ("bert_config.json", BIG_BIRD, big_bird),
    "big_bird_pretraining": ("bert_config.json", BIG_BIRD, lambda: big_bird(True)),
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


def write(folder, settings_file, settings, build, is_recorded=False):
    with tf.Graph().as_default(), tf.Session() as session:
        outputs = build()
        tf.train.get_or_create_global_step()
        session.run(tf.global_variables_initializer())
        shapes = {v.op.name: v.shape.as_list() for v in tf.trainable_variables()}
        for variable in tf.trainable_variables():
            shape = variable.shape.as_list()
            scale = 1.0 if len(shape) < 2 else shape[-2] ** -0.5
            drawn = RANDOM.randn(*shape).astype(np.float32) * 0.5 * scale
            if is_recorded:
                drawn = recorded_models.value(variable.op.name, shape)
            variable.load(drawn, session)
        session.run(tf.get_collection("copy the weights"))
        arrays = session.run(outputs)
        os.makedirs(folder)
        saver = tf.train.Saver(_without_unused(tf.global_variables()))
        saver.save(session, os.path.join(folder, "model.ckpt"), write_meta_graph=False)
        arrays.update(ids=IDS, mask=MASK, types=TYPES, others=OTHERS)
        np.savez(os.path.join(folder, "arrays.npz"), **arrays)
        if is_recorded:
            name = os.path.basename(folder)
            recorded_models.record(name, shapes, arrays, dict(settings, file=settings_file))
    with open(os.path.join(folder, settings_file), "w") as file:
        json.dump(settings, file)
    with open(os.path.join(folder, "vocab.txt"), "w") as file:
        file.write("[PAD]\n")


def main(folder, names):
    is_recorded = "--record" in names
    for name in [name for name in names if name != "--record"] or MODELS:
        settings_file, settings, build = MODELS[name]
        try:
            write(os.path.join(folder, name), settings_file, settings, build, is_recorded)
        except ImportError as error:
            print(f"{name}: {error}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
