import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { ExecutionProvider } from '../../platform/config/settings.js';
import type { ModelManifest } from './model-manifest.js';

const RGB = 3;
/** ONNX Runtime's own lines are not ours in form or content: only fatal ones are left. */
const LOG_FATAL_ONLY = 4;

/** A loaded model on one execution provider. Runs are not to overlap. */
export interface ModelRuntime {
  /** `count` pictures one after another in `input`; the answer likewise, one plane each. */
  run(input: Float32Array, count: number): Promise<Float32Array>;
}

export type OpenRuntime = (weights: Uint8Array, manifest: ModelManifest, provider: ExecutionProvider, intraOpThreads: number) => Promise<ModelRuntime>;

/**
 * Opens an ONNX Runtime session. Throws where the provider is not built in or finds no device.
 * Blocks its event loop while it runs (microsoft/onnxruntime #19611), so it belongs in a process of its own.
 */
export const openOnnxRuntime: OpenRuntime = async (weights, manifest, provider, intraOpThreads) => {
  const session = await InferenceSession.create(weights, {
    executionProviders: [provider],
    intraOpNumThreads: intraOpThreads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    logSeverityLevel: LOG_FATAL_ONLY,
  });
  const { input, output } = manifest;
  return {
    async run(values, count) {
      const answer = await session.run({ [input.name]: new Tensor('float32', values, [count, RGB, input.height, input.width]) });
      return (answer[output.name]?.data ?? new Float32Array()) as Float32Array;
    },
  };
};
