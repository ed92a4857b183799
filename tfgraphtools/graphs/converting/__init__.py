"""Parts of graphs as files of their own: a GraphDef, ONNX, TFLite, each compared with the original.

source_graphs  a part of a graph in any kind of file, with its values
extraction     `graphs.extract`
conversion     `graphs.convert`
"""
