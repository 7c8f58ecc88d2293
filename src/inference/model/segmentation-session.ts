import { SuturaError } from '../../core/errors/sutura-error.js';
import type { ExecutionProvider } from '../../platform/config/settings.js';
import { ModelUnusableError, type ModelManifest } from './model-manifest.js';
import type { ModelRuntime, OpenRuntime } from './onnx-runtime.js';

const RGB = 3;
/** What rounding may add beyond 0..1. */
const PROBABILITY_SLACK = 1e-3;

export interface SessionOptions {
  /** Tried in this order; the first that opens and warms up is used. */
  readonly providers: readonly ExecutionProvider[];
  readonly intraOpThreads: number;
  /** Pictures of the largest run on a GPU, for the warm-up. */
  readonly batchSize: number;
}

/** A segmentation model that is loaded, warmed up and ready. */
export class SegmentationSession {
  private constructor(
    readonly manifest: ModelManifest,
    readonly provider: ExecutionProvider,
    /** Providers that were tried before and could not be used. */
    readonly refusedProviders: readonly ExecutionProvider[],
    private readonly runtime: ModelRuntime,
  ) {}

  /** Throws ModelUnusableError where no configured provider can run the model. */
  static async open(weights: Uint8Array, manifest: ModelManifest, options: SessionOptions, openRuntime: OpenRuntime): Promise<SegmentationSession> {
    const refused: ExecutionProvider[] = [];
    for (const provider of options.providers) {
      try {
        const runtime = await openRuntime(weights, manifest, provider, options.intraOpThreads);
        const session = new SegmentationSession(manifest, provider, [...refused], runtime);
        await session.warmUp(provider === 'cpu' ? 1 : options.batchSize);
        return session;
      } catch {
        refused.push(provider);
      }
    }
    throw new ModelUnusableError(
      `${manifest.name}-${manifest.version}/${manifest.file} runs on none of the execution providers ${refused.join(', ')}. Check SUTURA_EXECUTION_PROVIDERS; "cpu" works everywhere.`,
    );
  }

  /**
   * Probability maps of the model's frame, one for each picture. `model.output_invalid` where a picture's output has
   * the wrong size or anything but probabilities; only that picture's own promise is concerned.
   */
  async predict(pictures: readonly Float32Array[]): Promise<(Float32Array | SuturaError)[]> {
    const { width, height } = this.manifest.input;
    const input = pictures.length === 1 ? pictures[0]! : joined(pictures);
    const output = await this.runtime.run(input, pictures.length);
    const plane = width * height;
    if (output.length !== plane * pictures.length) return pictures.map(() => new SuturaError('model.output_invalid'));
    return pictures.map((_, index) => {
      const map = output.subarray(index * plane, (index + 1) * plane);
      return holdsProbabilities(map) ? map : new SuturaError('model.output_invalid');
    });
  }

  /** The first run plans memory and compiles kernels; no photo should wait for that. */
  private async warmUp(largestBatch: number): Promise<void> {
    const { width, height } = this.manifest.input;
    for (const count of new Set([1, largestBatch])) {
      const maps = await this.predict(Array.from({ length: count }, () => new Float32Array(RGB * width * height)));
      const invalid = maps.find((map) => map instanceof SuturaError);
      if (invalid !== undefined) throw invalid;
    }
  }
}

function joined(pictures: readonly Float32Array[]): Float32Array {
  const size = pictures[0]!.length;
  const all = new Float32Array(size * pictures.length);
  pictures.forEach((picture, index) => all.set(picture, index * size));
  return all;
}

/** False for NaN and infinities too: neither comparison holds for them. */
function holdsProbabilities(map: Float32Array): boolean {
  for (let index = 0; index < map.length; index += 1) {
    const value = map[index]!;
    if (!(value >= -PROBABILITY_SLACK && value <= 1 + PROBABILITY_SLACK)) return false;
  }
  return true;
}
