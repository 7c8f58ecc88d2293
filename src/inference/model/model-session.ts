import { SuturaError } from '../../core/errors/sutura-error.js';
import type { ExecutionProvider } from '../../platform/config/settings.js';
import { Batcher } from './batcher.js';
import { EngineFailure } from './engine-failure.js';
import { ModelUnusableError, type ModelFolder } from './model-folder.js';
import type { ModelManifest } from './model-manifest.js';
import type { ModelRuntime, RuntimeProvider, StoredModel } from './model-runtime.js';
import { checkSignature, RGB, type WantedOutput } from './model-signature.js';

/** Steps of the warm-up picture's shades. All shades occur, so that a model without its last activation is noticed. */
const WARM_UP_PERIOD = 251;

/** Tolerance for rounding beyond 0..1. */
const SLACK = 1e-3;

/** Reads the answer of one kind of model for a picture from its outputs. */
export interface OutputReader<Out> {
  readonly wanted: readonly WantedOutput[];
  /** A description of the fault in the planes of one picture; null where they can be used. */
  objection(planes: readonly Float32Array[]): string | null;
  read(planes: readonly Float32Array[]): Out;
}

/** A model that is loaded, warmed up and ready. Pictures that come together share a run where the provider gains by it. */
export class ModelSession<M extends ModelManifest, Out> {
  private readonly batcher: Batcher<Float32Array, Out | SuturaError>;

  private constructor(
    readonly model: ModelFolder<M>,
    private readonly chosen: RuntimeProvider,
    /** Providers that were tried before and could not be used. */
    readonly refusedProviders: readonly ExecutionProvider[],
    private readonly runtime: ModelRuntime,
    private readonly reader: OutputReader<Out>,
  ) {
    this.batcher = new Batcher((pictures) => this.run(pictures), chosen.batches);
  }

  /** Throws ModelUnusableError where the file does not fit its manifest, or no provider can run it. */
  static async open<M extends ModelManifest, Out>(
    model: StoredModel<M>,
    reader: OutputReader<Out>,
    providers: readonly RuntimeProvider[],
  ): Promise<ModelSession<M, Out>> {
    const refused: { provider: ExecutionProvider; reason: string }[] = [];
    for (const provider of providers) {
      const runtime = await provider.open(model).catch(objectionUnlessUnusable);
      if (typeof runtime === 'string') {
        refused.push({ provider: provider.name, reason: runtime });
        continue;
      }
      checkSignature(model, reader.wanted, runtime);
      const before = refused.map((one) => one.provider);
      const session = new ModelSession(model, provider, before, runtime, reader);
      const objection = await session.warmUp(provider.batches.maxSize);
      if (objection === null) return session;
      refused.push({ provider: provider.name, reason: objection });
    }
    const reasons = refused.map(({ provider, reason }) => `${provider} (${reason})`).join(', ');
    throw new ModelUnusableError(
      `${model.folder}/${model.manifest.file} runs on none of the execution providers: ${reasons}. Check SUTURA_EXECUTION_PROVIDERS; "cpu" works everywhere.`,
    );
  }

  get provider(): ExecutionProvider {
    return this.chosen.name;
  }

  /** Photos that an inference process takes at once. */
  get photosAtOnce(): number {
    return this.chosen.photosAtOnce;
  }

  get manifest(): M {
    return this.model.manifest;
  }

  /** The model's answer for one picture of its frame. Throws `model.output_invalid` where it cannot be used. */
  async predict(picture: Float32Array): Promise<Out> {
    const answer = await this.batcher.add(picture);
    if (answer instanceof SuturaError) throw answer;
    return answer;
  }

  /** An invalid output fails only its own picture. */
  private async run(pictures: readonly Float32Array[]): Promise<(Out | SuturaError)[]> {
    const planes = await this.planesOf(pictures);
    return planes.map((own) =>
      this.objection(own) === null ? this.reader.read(own) : new SuturaError('model.output_invalid'),
    );
  }

  /** For each picture one array for each wanted output, in their order; of a wrong length where the model's answer is. */
  private async planesOf(pictures: readonly Float32Array[]): Promise<Float32Array[][]> {
    const { name, width, height } = this.manifest.input;
    const values = pictures.length === 1 ? pictures[0]! : joined(pictures);
    const names = this.reader.wanted.map((output) => output.name);
    const answer = await this.runtime.run({ name, values, shape: [pictures.length, RGB, height, width] }, names);
    return pictures.map((_, index) =>
      names.map((output) => part(answer[output] ?? new Float32Array(), index, pictures.length)),
    );
  }

  private objection(planes: readonly Float32Array[]): string | null {
    const wrong = this.reader.wanted.find(
      ({ shape }, index) => planes[index]!.length !== shape.reduce((size, side) => size * side, 1),
    );
    return wrong === undefined ? this.reader.objection(planes) : `output "${wrong.name}" has the wrong size`;
  }

  /** The first run plans memory and compiles kernels; no photo should wait for that. Returns a description of a fault, or null. */
  private async warmUp(largestBatch: number): Promise<string | null> {
    const { width, height } = this.manifest.input;
    const picture = Float32Array.from(
      { length: RGB * width * height },
      (_, index) => ((index * 7) % WARM_UP_PERIOD) / WARM_UP_PERIOD - 0.5,
    );
    try {
      for (const count of new Set([1, largestBatch])) {
        const planes = await this.planesOf(Array.from({ length: count }, () => picture));
        const objection = planes.map((own) => this.objection(own)).find((words) => words !== null);
        if (objection !== undefined) return objection;
      }
      return null;
    } catch {
      return 'its first run failed';
    }
  }
}

/** True where anything is no probability; NaN and infinities too, since neither comparison holds for them. */
export function outsideUnitInterval(values: Float32Array): boolean {
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index]!;
    if (!(value >= -SLACK && value <= 1 + SLACK)) return true;
  }
  return false;
}

function objectionUnlessUnusable(error: unknown): string {
  if (error instanceof ModelUnusableError) throw error;
  return error instanceof EngineFailure ? error.message : 'cannot be opened';
}

function joined(pictures: readonly Float32Array[]): Float32Array {
  const size = pictures[0]!.length;
  const all = new Float32Array(size * pictures.length);
  pictures.forEach((picture, index) => all.set(picture, index * size));
  return all;
}

function part(values: Float32Array, index: number, count: number): Float32Array {
  const size = Math.ceil(values.length / count);
  return values.subarray(index * size, (index + 1) * size);
}
