/** @jest-environment ./test/support/onnx-environment.mjs */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openModels } from '../../../src/inference/model/loaded-models.js';
import { chooseModels } from '../../../src/inference/model/model-registry.js';
import { PhotoAnalyser, type PhotoAnalysis } from '../../../src/inference/model/photo-analyser.js';
import { runtimeProviders } from '../../../src/inference/model/runtime-providers.js';
import { writeTritonRepository } from '../../../tools/model-export/triton-repository.js';
import { hasPackages, startMlserver, startTriton, type RealEngine } from '../../support/real-engine.js';
import { RUNTIME_SETTINGS } from '../../support/test-session.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const MODELS = resolve(__dirname, '../../../models');
const SELECTION = { modelsDir: MODELS, segmentationModel: 'fast', tissueModel: 'auto' };
const SERVING = { batchSize: 4, batchDelayMs: 2, instances: 1 };
const MAX_PIXELS = 50_000_000;
/** How far a corner of an outline, in pixels, or a share may lie from that of the model on this machine. */
const TOLERANCE = 1e-3;
const START_LIMIT_MS = 180_000;

/** Pythons with nvidia-pytriton, and with mlserver, each with onnxruntime and numpy beside it. */
const TRITON = process.env['SUTURA_TRITON_PYTHON'];
const MLSERVER = process.env['SUTURA_MLSERVER_PYTHON'];

const PHOTOS = [
  { width: 640, height: 480 },
  { width: 1600, height: 1200, seed: 2 },
  { width: 480, height: 720, seed: 3 },
  { width: 800, height: 600, withoutWound: true },
];

let workDir: string;
beforeEach(() => {
  workDir = mkdtempSync(join(tmpdir(), 'sutura-engine-'));
});
afterEach(() => rmSync(workDir, { recursive: true, force: true }));

async function analyserOf(url?: string): Promise<PhotoAnalyser> {
  const engine = { urls: url === undefined ? [] : [url], timeoutMs: 60_000, caFile: null };
  const provider = url === undefined ? ('cpu' as const) : ('remote' as const);
  const settings = { ...RUNTIME_SETTINGS, executionProviders: [provider], engine };
  return new PhotoAnalyser(await openModels(SELECTION, runtimeProviders(settings)), { maxPixels: MAX_PIXELS });
}

/** Every number of an analysis by its path, but for those of the trace, which tell of time and place. */
function figuresOf(value: unknown, path = ''): readonly (readonly [path: string, figure: number])[] {
  if (typeof value === 'number') return [[path, value]];
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => (key === 'trace' ? [] : figuresOf(part, `${path}.${key}`)));
}

/** The largest difference between two analyses; their shapes have to be the same. */
function apart(own: PhotoAnalysis, served: PhotoAnalysis): number {
  const [ours, theirs] = [figuresOf(own), figuresOf(served)];
  expect(theirs.map(([path]) => path)).toEqual(ours.map(([path]) => path));
  return Math.max(0, ...ours.map(([, figure], index) => Math.abs(figure - theirs[index]![1])));
}

async function compare(engine: RealEngine, atOnce: boolean): Promise<void> {
  try {
    const [local, remote] = [await analyserOf(), await analyserOf(engine.url)];
    const analyse = (photo: Uint8Array) => remote.analyse(photo, 0.1);
    const photos = await Promise.all(PHOTOS.map((wish) => drawWoundPhoto(wish)));
    // Together, so that a server that batches has something to batch; without raw tensors that would take minutes.
    const served = await (atOnce ? Promise.all(photos.map(analyse)) : oneByOne(photos, analyse));
    let corners = 0;
    for (const [index, photo] of photos.entries()) {
      const own = await local.analyse(photo, 0.1);
      expect(served[index]!.trace.executionProvider).toBe('remote');
      expect(apart(own, served[index]!)).toBeLessThanOrEqual(TOLERANCE);
      corners += own.wounds.flatMap(({ contour }) => contour.coordinates.flat()).length;
    }
    expect(corners).toBeGreaterThan(100);
  } finally {
    await engine.stop();
  }
}

async function oneByOne<In, Out>(items: readonly In[], work: (item: In) => Promise<Out>): Promise<Out[]> {
  const done: Out[] = [];
  for (const item of items) done.push(await work(item));
  return done;
}

/** A test of a server that is not on every machine: says so where it is missing. */
function whereFound(name: string, variable: string, found: boolean): jest.It {
  if (!found) process.stdout.write(`${name} is not tried: ${variable} names no Python that has it\n`);
  return found ? it : it.skip;
}

describe('the models that come with the service, by a server that somebody else wrote', () => {
  whereFound('Triton', 'SUTURA_TRITON_PYTHON', hasPackages(TRITON, ['pytriton', 'onnxruntime', 'numpy']))(
    'Triton finds the same outlines, tissues and figures with the repository that the export writes',
    async () => {
      const repository = join(workDir, 'repository');
      writeTritonRepository(SELECTION, SERVING, repository);
      await compare(await startTriton(TRITON!, repository, workDir), true);
    },
    START_LIMIT_MS,
  );

  whereFound('MLServer', 'SUTURA_MLSERVER_PYTHON', hasPackages(MLSERVER, ['mlserver', 'onnxruntime', 'numpy']))(
    'MLServer finds the same outlines, tissues and figures without binary tensors',
    async () => {
      const { segmentation, tissue } = chooseModels(SELECTION);
      await compare(await startMlserver(MLSERVER!, MODELS, [segmentation.folder, tissue!.folder], workDir), false);
    },
    START_LIMIT_MS,
  );
});
