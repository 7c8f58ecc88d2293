import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { ExecutionProvider } from '../../platform/config/settings.js';

/** ONNX Runtime's own lines are not ours in form or content: only fatal ones are left. */
const LOG_FATAL_ONLY = 4;

/** An input or output as the ONNX file declares it. */
export interface DeclaredTensor {
  readonly name: string;
  /** ONNX Runtime's word for the element type. */
  readonly type: string;
  /** A text is a size that may vary; empty: the file does not tell. */
  readonly shape: readonly (number | string)[];
}

/** The batch of one run, one picture after another. */
export interface RunInput {
  readonly name: string;
  readonly values: Float32Array;
  readonly shape: readonly number[];
}

/** A loaded model on one execution provider. Runs are not to overlap. */
export interface ModelRuntime {
  readonly inputs: readonly DeclaredTensor[];
  readonly outputs: readonly DeclaredTensor[];
  /** The named outputs; one that the model did not give is absent. */
  run(input: RunInput, outputs: readonly string[]): Promise<Readonly<Record<string, Float32Array>>>;
}

export type OpenRuntime = (
  weights: Uint8Array,
  provider: ExecutionProvider,
  intraOpThreads: number,
) => Promise<ModelRuntime>;

/**
 * Opens an ONNX Runtime session. Throws where the provider is not built in or finds no device.
 * Blocks its event loop while it runs (microsoft/onnxruntime #19611), so it belongs in a process of its own.
 */
export const openOnnxRuntime: OpenRuntime = async (weights, provider, intraOpThreads) => {
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
};

function toDeclared(value: InferenceSession.ValueMetadata): DeclaredTensor {
  return value.isTensor
    ? { name: value.name, type: value.type, shape: value.shape }
    : { name: value.name, type: 'no tensor', shape: [] };
}
