import type { ServedTensor } from './engine-client.js';
import type { EngineEvent } from './engine-failure.js';
import type { ModelManifest } from './model-manifest.js';
import type { DeclaredTensor, EngineSettings, ModelRuntime, RuntimeProvider, StoredModel } from './model-runtime.js';
import { askFor, RemoteEngine, type RemoteModel } from './remote-engine.js';

/** While the server computes some, this process decodes and outlines others. */
const PHOTOS_AT_ONCE = 4;
/** Of these photos, each with up to six crops for tissue. */
const RUNS_AT_ONCE = 8;
const MAX_VALUE = 255;
const RGB = 3;

/** ONNX Runtime's words for the types of the protocol, as far as they differ by more than their case. */
const TYPE_WORDS: Readonly<Record<string, string>> = { FP16: 'float16', FP32: 'float32', FP64: 'float64' };

/**
 * Inference servers that speak the Open Inference Protocol: Triton, KServe, OpenVINO Model Server, MLServer. Their model has the name of the
 * model's folder. They batch by themselves, so each picture is a request of its own. The weights stay unread.
 * @param tell hears of servers that fail, and when photos have to wait
 */
export function remoteProvider(settings: EngineSettings, tell: (event: EngineEvent) => void): RuntimeProvider {
  let engine: RemoteEngine | undefined;
  return {
    name: 'remote',
    batches: { maxSize: 1, maxDelayMs: 0, runsAtOnce: RUNS_AT_ONCE },
    photosAtOnce: PHOTOS_AT_ONCE,
    async open(model) {
      engine ??= new RemoteEngine(settings, tell);
      return runtimeOf(engine, await engine.open(model), model);
    },
  };
}

function runtimeOf(engine: RemoteEngine, remote: RemoteModel, { manifest }: StoredModel): ModelRuntime {
  const { inputs, outputs } = remote.served;
  const bytes = inputs[0]?.datatype === 'UINT8';
  return {
    source: `the model ${remote.name} of the inference server`,
    // Bytes are made of the numbers here, so a model that takes them fits.
    inputs: inputs.map((input) => toDeclared(bytes ? { ...input, datatype: 'FP32' } : input)),
    outputs: outputs.map(toDeclared),
    run({ name, values, shape }, wanted) {
      const asked = outputs.filter((output) => wanted.includes(output.name)).map(askFor);
      return engine.run(remote, { name, shape, values: bytes ? toBytes(values, manifest.input) : values }, asked);
    },
  };
}

/** The colours of 0 to 255 from which the numbers were made, each to the bit: (value / 255 - mean) / std reversed. */
function toBytes(values: Float32Array, { mean, std }: ModelManifest['input']): Uint8Array {
  const colours = new Uint8Array(values.length);
  const plane = values.length / RGB;
  for (let channel = 0; channel < RGB; channel += 1) {
    const [scale, black] = [MAX_VALUE * std[channel]!, MAX_VALUE * mean[channel]!];
    for (let at = channel * plane; at < (channel + 1) * plane; at += 1)
      colours[at] = Math.max(0, Math.min(MAX_VALUE, Math.round(values[at]! * scale + black)));
  }
  return colours;
}

function toDeclared({ name, datatype, shape }: ServedTensor): DeclaredTensor {
  return { name, type: TYPE_WORDS[datatype] ?? datatype.toLowerCase(), shape };
}
