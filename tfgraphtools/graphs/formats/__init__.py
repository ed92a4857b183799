"""Frozen parts in other formats, and their runs there.

onnx_models, onnx_ops  ONNX, by tf2onnx, and the ops that it writes inexactly
tflite_models          TFLite, by TensorFlow's converter
lacking_ops            ops that TFLite lacks, by others
"""
