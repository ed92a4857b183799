"""Run by TF 1.15 with the families' own packages: small models, random weights, their outputs.

    python tf1_families.py FOLDER

writes NAME/model.ckpt, the family's settings file and NAME/arrays.npz for every model whose
package is installed (bert-tensorflow, albert-tensorflow, gpt-2-simple).
"""

import importlib
import importlib.util
import json
import os
import sys

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
IDS = RANDOM.randint(1, 31, [BATCH, LENGTH])
MASK = (np.arange(LENGTH) < np.array([[7], [5], [3]])).astype(np.int32)
TYPES = RANDOM.randint(0, 2, [BATCH, LENGTH])


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
    "bert_squad": (
        "bert_config.json",
        SETTINGS,
        lambda: encoder("bert", "BertConfig", SETTINGS, squad),
    ),
    "albert": ("albert_config.json", ALBERT, lambda: encoder("albert", "AlbertConfig", ALBERT)),
    "albert_pretraining": (
        "albert_config.json",
        ALBERT,
        lambda: encoder("albert", "AlbertConfig", ALBERT, pretraining),
    ),
    "gpt2": ("hparams.json", {"n_head": 4}, gpt2),
}


def write(folder, settings_file, settings, build):
    with tf.Graph().as_default(), tf.Session() as session:
        outputs = build()
        tf.train.get_or_create_global_step()
        session.run(tf.global_variables_initializer())
        for variable in tf.trainable_variables():
            shape = variable.shape.as_list()
            scale = 1.0 if len(shape) < 2 else shape[-2] ** -0.5
            variable.load(RANDOM.randn(*shape).astype(np.float32) * 0.5 * scale, session)
        arrays = session.run(outputs)
        os.makedirs(folder)
        saver = tf.train.Saver()
        saver.save(session, os.path.join(folder, "model.ckpt"), write_meta_graph=False)
        np.savez(os.path.join(folder, "arrays.npz"), ids=IDS, mask=MASK, types=TYPES, **arrays)
    with open(os.path.join(folder, settings_file), "w") as file:
        json.dump(settings, file)
    with open(os.path.join(folder, "vocab.txt"), "w") as file:
        file.write("[PAD]\n")


def main(folder):
    for name, (settings_file, settings, build) in MODELS.items():
        try:
            write(os.path.join(folder, name), settings_file, settings, build)
        except ImportError as error:
            print(f"{name}: {error}")


if __name__ == "__main__":
    main(sys.argv[1])
