import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { PhotoAnalysis } from '../../../src/inference/model/photo-analyser.js';
import { InferenceCancelled } from '../../../src/inference/worker/inference-failure.js';
import { InferenceMetrics } from '../../../src/inference/worker/inference-metrics.js';
import { InferencePool } from '../../../src/inference/worker/inference-pool.js';
import { Logger } from '../../../src/platform/logging/logger.js';
import { eventually } from '../../support/eventually.js';
import { FakeEngine, type FakeEngineOptions } from '../../support/fake-engine.js';
import { TEST_MODEL, writeTestModel } from '../../support/test-model.js';
import { RUNTIME_SETTINGS } from '../../support/test-session.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

/** Processes run the compiled program; `npm test` builds it first. */
const ENTRY = resolve('dist/src/inference/model/inference-child.js');
const MIB = 1024 * 1024;
const never = new AbortController().signal;

let modelsDir: string;
let photo: Buffer;
let lines: string[];
const pools: InferencePool[] = [];
const engines: FakeEngine[] = [];

beforeAll(async () => {
  modelsDir = mkdtempSync(join(tmpdir(), 'sutura-models-'));
  photo = await drawWoundPhoto({ width: 640, height: 480 });
  await writeTestModel(modelsDir);
});
afterEach(async () => {
  await Promise.all([...pools.splice(0).map((pool) => pool.stop()), ...engines.splice(0).map((one) => one.stop())]);
});
afterAll(() => rmSync(modelsDir, { recursive: true, force: true }));

async function serve(options: Partial<FakeEngineOptions> = {}): Promise<FakeEngine> {
  const engine = await new FakeEngine({ model: TEST_MODEL, ...options }).start();
  engines.push(engine);
  return engine;
}

function makePool(provider: 'cpu' | 'remote', urls: readonly string[] = []): InferencePool {
  lines = [];
  const engine = { urls, timeoutMs: 5000, caFile: null };
  const child = {
    modelsDir,
    segmentationModel: TEST_MODEL,
    tissueModel: 'none',
    ...RUNTIME_SETTINGS,
    executionProviders: [provider],
    engine,
    maxPixels: 50_000_000,
  };
  const pool = new InferencePool(
    { entry: ENTRY, processes: 1, maxResidentBytes: 1024 * MIB, child },
    new InferenceMetrics(),
    Logger.create('info', { write: (line: string) => void lines.push(line) }),
  );
  pools.push(pool);
  pool.start();
  return pool;
}

const ready = (pool: InferencePool) => eventually('an inference process is ready', () => pool.isReady());
const analyse = (pool: InferencePool): Promise<PhotoAnalysis> =>
  pool.analyse({ photo, mmPerPixel: null, timeoutMs: 20_000, alone: false }, never);
const logged = (event: string) => lines.some((line) => line.includes(`"${event}"`));

describe('an inference process with an inference server', () => {
  it('takes no photo while the server is away at its start, and says why', async () => {
    const engine = await serve();
    await engine.stop();
    const pool = makePool('remote', [engine.url]);
    await eventually('the fault is logged', () => lines.some((line) => line.includes('cannot be reached')));
    expect(pool.slots).toBe(0);
    await engine.start();
    await ready(pool);
    await expect(analyse(pool)).resolves.toMatchObject({ trace: { executionProvider: 'remote' } });
  });

  it('gives photos back and is not ready while the server is away, and goes on by itself', async () => {
    const engine = await serve();
    const pool = makePool('remote', [engine.url]);
    await ready(pool);
    await engine.stop();
    const photos = Array.from({ length: pool.slots + 2 }, () => analyse(pool).catch((error: unknown) => error));
    const ends = await Promise.all(photos);
    expect(ends.every((end) => end instanceof InferenceCancelled)).toBe(true);
    expect({ slots: pool.slots, isReady: pool.isReady(), said: logged('inference_engine.away') }).toEqual({
      slots: 0,
      isReady: false,
      said: true,
    });
    let woken = false;
    pool.onReady(() => (woken = true));
    await engine.start();
    await ready(pool);
    expect({ woken, said: logged('inference_engine.back'), died: logged('inference_process.ended') }).toEqual({
      woken: true,
      said: true,
      died: false,
    });
    await expect(analyse(pool)).resolves.toMatchObject({ trace: { executionProvider: 'remote' } });
  });

  it.each(['FP32', 'UINT8'] as const)('outlines as one with its own model does, by %s', async (datatype) => {
    const engine = await serve({ datatype });
    const [local, remote] = [makePool('cpu'), makePool('remote', [engine.url])];
    const [own, served] = await Promise.all([analyse(local), analyse(remote)]);
    expect(served.wounds).toHaveLength(1);
    const corners = (analysis: PhotoAnalysis) => analysis.wounds.flatMap(({ contour }) => contour.coordinates.flat(2));
    const apart = corners(own).map((at, index) => Math.abs(at - corners(served)[index]!));
    expect(corners(served)).toHaveLength(corners(own).length);
    expect(Math.max(...apart)).toBeLessThanOrEqual(1e-3);
    expect(engine.objections).toEqual([]);
  });
});
