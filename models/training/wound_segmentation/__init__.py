"""Training of Sutura's wound segmentation model: data, network, training loop, evaluation and ONNX export."""
