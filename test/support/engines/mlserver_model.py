"""Serves an ONNX model through MLServer, which has no runtime of its own for them. The rest (protocol, metadata) is MLServer's."""

import onnxruntime
from mlserver import MLModel, types
from mlserver.codecs import NumpyCodec


class OnnxModel(MLModel):
    async def load(self) -> bool:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        weights = self._settings.parameters.uri
        self._session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
        return True

    async def metadata(self) -> types.MetadataModelResponse:
        described = await super().metadata()
        described.parameters = types.Parameters(sha256=self._settings.parameters.extra["sha256"])
        return described

    async def predict(self, payload: types.InferenceRequest) -> types.InferenceResponse:
        (sent,) = payload.inputs
        wanted = [output.name for output in payload.outputs]
        answers = self._session.run(wanted, {sent.name: NumpyCodec.decode_input(sent)})
        outputs = [NumpyCodec.encode_output(name, answer) for name, answer in zip(wanted, answers)]
        return types.InferenceResponse(model_name=self.name, outputs=outputs)
