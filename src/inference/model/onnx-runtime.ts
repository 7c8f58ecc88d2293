import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { ExecutionProvider } from '../../platform/config/settings.js';
import type { DeclaredTensor, ModelRuntime, RuntimeProvider, RuntimeSettings } from './model-runtime.js';

/** ONNX Runtime's own lines differ from ours in form and content: only fatal ones are left. */
const LOG_FATAL_ONLY = 4;

/**
 * One execution provider of ONNX Runtime. `open` throws where it is not built in or finds no device.
 * A run blocks the event loop (microsoft/onnxruntime #19611), so it belongs in a process of its own.
 */
export function onnxProvider(name: ExecutionProvider, settings: RuntimeSettings): RuntimeProvider {
  const { intraOpThreads, batchSize, batchDelayMs } = settings;
  const open: RuntimeProvider['open'] = ({ readWeights }) => openSession(readWeights(), name, intraOpThreads);
  // On a processor a batch takes as long as its pictures one by one.
  if (name === 'cpu') return { name, batches: { maxSize: 1, maxDelayMs: 0, runsAtOnce: 1 }, photosAtOnce: 1, open };
  const batches = { maxSize: batchSize, maxDelayMs: batchDelayMs, runsAtOnce: 1 };
  return { name, batches, photosAtOnce: 2 * batchSize, open };
}

async function openSession(
  weights: Uint8Array,
  provider: ExecutionProvider,
  intraOpThreads: number,
): Promise<ModelRuntime> {
  const session = await InferenceSession.create(weights, {
    executionProviders: [provider],
    intraOpNumThreads: intraOpThreads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    logSeverityLevel: LOG_FATAL_ONLY,
  });
  return {
    inputs: session.inputMetadata.map(toDeclared),
    outputs: session.outputMetadata.map(toDeclared),
    async run({ name, values, shape }, outputs) {
      const answer = await session.run({ [name]: new Tensor('float32', values, shape) }, outputs);
      return Object.fromEntries(
        outputs.map((output) => [output, (answer[output]?.data ?? new Float32Array()) as Float32Array]),
      );
    },
  };
}

function toDeclared(value: InferenceSession.ValueMetadata): DeclaredTensor {
  return value.isTensor
    ? { name: value.name, type: value.type, shape: value.shape }
    : { name: value.name, type: 'no tensor', shape: [] };
}
