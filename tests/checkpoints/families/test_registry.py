"""Which family a checkpoint is of: each is told from all others, and what is none is none's."""

import json

import numpy as np
import pytest
import recorded_models

from tfgraphtools.checkpoints.families import codebases, family, family_registry
from tfgraphtools.cli import main

_BERT = ["bert/embeddings/word_embeddings", "bert/encoder/layer_0/attention/self/query/kernel"]
_STEM = "cell_stem_0/comb_iter_0/left/separable_5x5_1/depthwise_weights"
_RESNET = "{0}/block1/unit_1/bottleneck_{1}/conv1/weights"

#: {family: names of tensors that every model of it has}; the recorded ones have all of theirs.
OWN = {
    "ALBERT": [
        "bert/embeddings/word_embeddings",
        "bert/encoder/embedding_hidden_mapping_in/kernel",
        "bert/encoder/transformer/group_0/inner_group_0/attention_1/self/query/kernel",
    ],
    "BERT": _BERT,
    "BigBird": [*_BERT, "bert/encoder/LayerNorm/gamma"],
    "GPT-1": ["model/we", "model/pe", "model/h0/attn/c_attn/w"],
    "GPT-2": ["model/wte", "model/wpe", "model/h0/attn/c_attn/w"],
    "Inception-ResNet v1 of facenet": [
        "InceptionResnetV1/Repeat/block35_1/Conv2d_1x1/weights",
        "InceptionResnetV1/Bottleneck/weights",
    ],
    "Inception v3": [
        "InceptionV3/Mixed_5b/Branch_0/Conv2d_0a_1x1/weights",
        "InceptionV3/Logits/Conv2d_1c_1x1/weights",
    ],
    "MobileNet v2": [
        "MobilenetV2/expanded_conv/depthwise/depthwise_weights",
        "MobilenetV2/expanded_conv_16/project/weights",
    ],
    "NASNet-A": [_STEM, "reduction_cell_0/beginning_bn/gamma"],
    "PNASNet": [_STEM, "cell_stem_0/comb_iter_4/right/1x1/weights"],
    "PEGASUS": [
        "embeddings/weights",
        "encoder/layer_0/self_attention/q_proj/kernel",
        "decoder/layer_0/memory_attention/q_proj/kernel",
    ],
    "ResNet v1": ["resnet_v1_50/conv1/weights", _RESNET.format("resnet_v1_50", "v1")],
    "ResNet v2": ["resnet_v2_50/conv1/weights", _RESNET.format("resnet_v2_50", "v2")],
    "T5": [
        "shared/embedding",
        "encoder/block_000/layer_000/SelfAttention/relative_attention_bias",
        "encoder/block_000/layer_000/SelfAttention/q",
        "decoder/block_000/layer_001/EncDecAttention/q",
    ],
    "VGG": ["vgg_16/conv1/conv1_1/weights", "vgg_16/fc8/weights"],
    "XLNet": [
        "model/transformer/word_embedding/lookup_table",
        "model/transformer/layer_0/rel_attn/q/kernel",
        "model/transformer/layer_0/rel_attn/r/kernel",
    ],
}
RECORDED = {
    "big_bird": "BigBird",
    "efficientnet_b0": "EfficientNet",
    "facenet": "Inception-ResNet v1 of facenet",
    "gpt1": "GPT-1",
    "mobilenet_v3_small": "MobileNet v3",
    "nasnet_mobile": "NASNet-A",
    "pegasus": "PEGASUS",
    "pnasnet_large": "PNASNet",
    "xception_41": "Xception of DeepLab",
}

#: {what it is: names of some tensors} of no family, as their codes name them.
OTHERS = {
    "nmt": "dynamic_seq2seq/encoder/rnn/basic_lstm_cell/kernel embeddings/encoder/embedding",
    "PTB": "Model/embedding Model/RNN/multi_rnn_cell/cell_0/basic_lstm_cell/kernel",
    "OpenNMT-tf": "transformer/encoder/layer_0/multi_head/conv1d/kernel "
    "transformer/decoder/layer_0/multi_head/conv1d/kernel",
    "tensor2tensor": "transformer/body/encoder/layer_0/self_attention/multihead_attention/q/kernel "
    "transformer/symbol_modality_33708_512/shared/weights_0",
    "Mesh LM": "shared/embedding decoder/block_000/layer_000/SelfAttention/q",
    "GPT-Neo": "gpt2/wte gpt2/wpe gpt2/h0/attn/q",
    "Grover": "newslm/embeddings/word_embed newslm/layer00/query_layer/kernel",
    "CTRL": "w encoder/encoder_layer/multi_head_attention/dense/kernel",
    "Transformer-XL": "transformer/adaptive_embed/lookup_table "
    "transformer/layer_0/rel_attn/qkv/kernel transformer/r_w_bias",
    "BigBird for summaries": "pegasus/embeddings/word_embeddings "
    "pegasus/encoder/layer_0/attention/self/query/kernel "
    "pegasus/decoder/layer_0/attention/encdec/query/kernel",
    "ELMo": "bilm/char_embed bilm/RNN_0/RNN/MultiRNNCell/Cell0/rnn/lstm_cell/kernel",
    "Universal Sentence Encoder": "Embeddings_en/sharded_0 Encoder_en/hidden_layers/tanh_layer_0/w",
    "QANet": "Input_Embedding_Layer/highway_0/conv1d/kernel Output_Layer/start_pointer/weight",
    "DrQA": "rnn/fw/gru_cell/gates/kernel rnn/bw/gru_cell/gates/kernel",
    "TextCNN": "embedding/W conv-maxpool-3/W conv-maxpool-3/b output/W",
    "NER": "words/word_embeddings bi-lstm/bidirectional_rnn/fw/lstm_cell/kernel proj/W "
    "crf_loss/transitions",
    "word2vec": "embeddings nce_weights nce_biases",
    "Wide & Deep": "linear/linear_model/bias_weights dnn/hiddenlayer_0/kernel dnn/logits/kernel",
    "DeepFM": "feature_embeddings feature_bias layer_0 bias_0 concat_projection",
    "DCGAN": "generator/g_h0_lin/Matrix generator/g_h1/w discriminator/d_h0_conv/w",
    "pix2pix": "generator/encoder_1/conv2d/kernel discriminator/layer_1/conv2d/kernel",
    "CycleGAN": "G/c7s1_32/weights G/d64/weights D_X/C64/weights",
    "StyleGAN": "G_mapping/Dense0/weight G_synthesis/4x4/Const/const D/8x8/Conv0/weight",
    "BigGAN": "Generator/G_Z/G_linear/w Generator/GBlock/conv0/w",
    "WaveNet": "wavenet/causal_layer/filter wavenet/dilated_stack/layer0/filter",
    "Tacotron 2": "Tacotron_model/inference/encoder_convolutions/conv_layer_1_/conv1d/kernel",
    "DeepSpeech": "layer_1/weights layer_1/bias "
    "cudnn_lstm/rnn/multi_rnn_cell/cell_0/cudnn_compatible_lstm_cell/kernel layer_6/weights",
    "AlexNet": "alexnet_v2/conv1/weights alexnet_v2/fc6/weights",
    "LeNet": "LeNet/conv1/weights LeNet/fc3/weights",
    "CIFAR-10": "conv1/weights conv2/weights local3/weights softmax_linear/weights",
    "official ResNet": "conv2d/kernel batch_normalization/gamma conv2d_1/kernel dense/kernel",
    "DenseNet": "densenet121/conv1/weights densenet121/dense_block1/conv_block1/x1/Conv/weights",
    "SqueezeNet": "squeezenet/fire2/squeeze/weights squeezenet/fire2/expand/1x1/weights",
    "NASNet of CIFAR-10": "l1_stem_3x3/weights cell_0/comb_iter_0/left/separable_5x5_1/"
    "depthwise_weights reduction_cell_0/beginning_bn/gamma final_layer/FC/weights",
    "MnasNet": "mnasnet-b1/mnas_stem/conv2d/kernel mnasnet-b1/mnas_blocks_0/conv2d/kernel",
    "EfficientNet-lite": "efficientnet-lite0/blocks_0/depthwise_conv2d/depthwise_kernel "
    "efficientnet-lite0/head/conv2d/kernel",
    "EfficientNet-EdgeTPU": "efficientnet-edgetpu-S/blocks_0/conv2d/kernel "
    "efficientnet-edgetpu-S/head/conv2d/kernel",
    "EfficientDet": "efficientnet-b0/blocks_0/depthwise_conv2d/depthwise_kernel "
    "fpn_cells/cell_0/fnode0/op_after_combine5/conv/depthwise_kernel class_net/class-0/bias",
    "MobileNet EdgeTPU": "MobilenetEdgeTPU/Conv/weights MobilenetEdgeTPU/expanded_conv/w",
    "SSD": "FeatureExtractor/MobilenetV2/Conv/weights BoxPredictor_0/BoxEncodingPredictor/weights",
    "Faster R-CNN": "FirstStageFeatureExtractor/resnet_v1_50/conv1/weights "
    "SecondStageBoxPredictor/ClassPredictor/weights",
    "YOLO v3": "detector/darknet-53/Conv/weights detector/yolo-v3/Conv/weights",
    "I3D": "RGB/inception_i3d/Conv3d_1a_7x7/conv_3d/w RGB/inception_i3d/Logits/Conv3d_0c_1x1/w",
    "Inception-ResNet v1 of Keras": "block35_1_conv/kernel block17_10_conv/kernel "
    "Bottleneck/kernel Bottleneck_BatchNorm/beta",
    "Keras VGG": "block1_conv1/kernel block5_conv3/kernel predictions/kernel",
    "DQN": "deepq/q_func/convnet/Conv/weights deepq/target_q_func/convnet/Conv/weights",
    "PPO": "ppo2_model/pi/c1/w ppo2_model/vf/w",
    "U-Net": "down_conv_0/w1 up_conv_1/w1 conv2d_transpose/kernel",
}


def test_there_are_enough_of_them():
    assert len(OTHERS) >= 40


@pytest.mark.parametrize("name", sorted(OTHERS))
def test_what_is_of_no_family(name):
    assert [f.name for f in family_registry.FAMILIES if family.is_of(f, OTHERS[name].split())] == []


@pytest.mark.parametrize("name", sorted(OWN))
def test_one_family_alone_has_it(name):
    assert [f.name for f in family_registry.FAMILIES if family.is_of(f, OWN[name])] == [name]


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_one_family_alone_has_a_recorded_model(name):
    with np.load(str(recorded_models.FOLDER / (name + ".npz"))) as file:
        names = json.loads(str(file["shapes"]))
    assert [f.name for f in family_registry.FAMILIES if family.is_of(f, names)] == [RECORDED[name]]


#: What no library has and a codebase is known for; the others are "no known family".
CODEBASES = {
    "tensor2tensor": "tensor2tensor: transformer",
    "SSD": "SSD with MobilenetV2",
    "Faster R-CNN": "Faster R-CNN with resnet_v1_50",
}


@pytest.mark.parametrize("name", sorted(OTHERS))
def test_a_codebase_is_named_and_nothing_else(name):
    codebase = codebases.find(OTHERS[name].split())
    assert (codebase is not None) == (name in CODEBASES)
    assert codebase is None or codebase.name.endswith(CODEBASES[name])


def test_the_command_names_a_codebase_before_a_family_that_leads_nowhere(tmp_path, capsys):
    """DeepLab's MobileNet v2 lacks its last layers: no library has it, and DeepLab is named."""
    names = ["MobilenetV2/expanded_conv/depthwise/depthwise_weights", "aspp0/weights"]
    names += ["MobilenetV2/expanded_conv_16/project/weights", "logits/semantic/weights"]
    np.savez(str(tmp_path / "m.npz"), **{name: np.ones((1, 1, 2, 2)) for name in names})
    assert main(["ckpt", "families", str(tmp_path / "m.npz")]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("a model of DeepLab with MobilenetV2: no library has")


def test_vgg_gets_the_pixels_that_slim_trained_it_on():
    """Slim's vgg_preprocessing.py: RGB from 0 to 255 less the means, and no deviation."""
    from tfgraphtools.checkpoints.families.known.networks import vgg

    pixels = np.float64([[0, 0, 0], [255, 128, 7]])
    targets = [target for target in vgg.FAMILY.targets if target.to == "timm"]
    assert len(targets) == 3
    for target in targets:
        mean, deviation = np.array(target.settings["mean"]), np.array(target.settings["std"])
        fed = (pixels / 255 - mean) / deviation
        np.testing.assert_allclose(fed, pixels - [123.68, 116.78, 103.94], rtol=0, atol=1e-9)
