"""Serves 1/model.onnx of a model repository through Triton's Python backend, where its own backend for ONNX is not built in.

The rest (configuration, batching, protocol) is Triton's.
"""

import os

import numpy
import onnxruntime
import triton_python_backend_utils as triton


class TritonPythonModel:
    def initialize(self, args):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        weights = os.path.join(args["model_repository"], args["model_version"], "model.onnx")
        self.session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])

    def execute(self, requests):
        name = self.session.get_inputs()[0].name
        pictures = [triton.get_input_tensor_by_name(request, name).as_numpy() for request in requests]
        ends = numpy.cumsum([len(own) for own in pictures])[:-1]
        wanted = sorted({output for request in requests for output in request.requested_output_names()})
        answers = self.session.run(wanted, {name: numpy.concatenate(pictures)})
        parts = dict(zip(wanted, (numpy.split(answer, ends) for answer in answers)))
        return [
            triton.InferenceResponse(
                [triton.Tensor(output, parts[output][index]) for output in request.requested_output_names()]
            )
            for index, request in enumerate(requests)
        ]
