import type { ModelManifest, SegmentationManifest, TissueManifest } from '../../src/inference/model/model-manifest.js';
import type {
  ModelRuntime,
  RuntimeProvider,
  RuntimeSettings,
  StoredModel,
} from '../../src/inference/model/model-runtime.js';
import { openSegmentationSession, type SegmentationSession } from '../../src/inference/model/segmentation-session.js';
import { openTissueSession, type TissueSession } from '../../src/inference/model/tissue-session.js';

/** One picture after another on a processor. */
export const RUNTIME_SETTINGS: RuntimeSettings = {
  executionProviders: ['cpu'],
  intraOpThreads: 1,
  batchSize: 1,
  batchDelayMs: 0,
  engine: { urls: [], timeoutMs: 10_000, caFile: null },
};
/** Side of the frame of models for tests. */
export const FRAME = 64;
const PLANE = FRAME * FRAME;

const common = {
  name: 'test',
  version: '1',
  file: 'model.onnx',
  sha256: '0'.repeat(64),
  input: {
    name: 'image',
    width: FRAME,
    height: FRAME,
    mean: [0, 0, 0] as [number, number, number],
    std: [1, 1, 1] as [number, number, number],
    resize: 'letterbox' as const,
  },
  output: { name: 'probability' },
  researchOnly: true,
  licence: 'none',
};

/** What a model for tests says of one pixel, from its red, green and blue (0 to 1): one probability for each class. */
export type PixelRule = (red: number, green: number, blue: number) => readonly number[];

/** A model that outlines wounds by a rule for each pixel, and says by the picture's mean red whether there is one. Counts its runs. */
export async function segmentationSessionOf(
  rule: PixelRule,
  changes: Partial<SegmentationManifest> = {},
  presenceOf?: (meanRed: number) => number,
): Promise<{ session: SegmentationSession; runs: () => number }> {
  const manifest: SegmentationManifest = {
    ...common,
    task: 'wound-segmentation',
    threshold: 0.5,
    minAreaShare: 0.001,
    ...changes,
  };
  const { runtime, runs } = runtimeOf(rule, 1, manifest, presenceOf);
  const session = await openSegmentationSession(storedModel(manifest), [providerOf(runtime)]);
  return { session, runs: () => runs() - 1 };
}

/** A model that tells tissues apart by a rule for each pixel: background, slough, granulation, callus. */
export function tissueSessionOf(rule: PixelRule): Promise<TissueSession> {
  const classes: TissueManifest['classes'] = ['background', 'slough', 'granulation', 'callus'];
  const manifest: TissueManifest = {
    ...common,
    task: 'tissue-segmentation',
    classes,
    woundBed: ['slough', 'granulation'],
    contextShare: 0.3,
  };
  return openTissueSession(storedModel(manifest), [providerOf(runtimeOf(rule, classes.length, manifest).runtime)]);
}

/** A model whose file is never read. */
export function storedModel<M extends ModelManifest>(manifest: M, folder = 'test'): StoredModel<M> {
  return { folder, manifest, readWeights: () => new Uint8Array() };
}

/** A provider that opens every model as `runtime`, as a processor would run it. */
export function providerOf(runtime: ModelRuntime): RuntimeProvider {
  return {
    name: 'cpu',
    batches: { maxSize: 1, maxDelayMs: 0, runsAtOnce: 1 },
    photosAtOnce: 1,
    open: () => Promise.resolve(runtime),
  };
}

function runtimeOf(
  rule: PixelRule,
  classes: number,
  { output }: ModelManifest,
  presenceOf: (red: number) => number = () => 1,
): { runtime: ModelRuntime; runs: () => number } {
  let count = 0;
  const novelty = 'novelty' in output && output.novelty !== undefined ? [output.novelty] : [];
  const presence = 'presence' in output && output.presence !== undefined ? [output.presence] : [];
  const runtime: ModelRuntime = {
    inputs: [{ name: 'image', type: 'float32', shape: ['batch', 3, FRAME, FRAME] }],
    outputs: [
      { name: 'probability', type: 'float32', shape: ['batch', classes, FRAME, FRAME] },
      ...[...novelty, ...presence].map((name) => ({ name, type: 'float32', shape: ['batch', 1] })),
    ],
    run({ values }) {
      count += 1;
      const planes = new Float32Array(classes * PLANE);
      for (let pixel = 0; pixel < PLANE; pixel += 1) {
        rule(values[pixel]!, values[PLANE + pixel]!, values[2 * PLANE + pixel]!).forEach(
          (share, index) => (planes[index * PLANE + pixel] = share),
        );
      }
      // The mean of the red stands for how far a picture is from those known.
      const red = values.subarray(0, PLANE).reduce((sum, value) => sum + value, 0) / PLANE;
      return Promise.resolve({
        probability: planes,
        ...Object.fromEntries(novelty.map((name) => [name, Float32Array.of(red)])),
        ...Object.fromEntries(presence.map((name) => [name, Float32Array.of(presenceOf(red))])),
      });
    },
  };
  return { runtime, runs: () => count };
}
