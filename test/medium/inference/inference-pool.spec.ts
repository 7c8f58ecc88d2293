import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { eventually } from '../../support/eventually.js';
import { TEST_MODEL, writeTestModel } from '../../support/test-model.js';
import { RUNTIME_SETTINGS } from '../../support/test-session.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';
import { Logger } from '../../../src/platform/logging/logger.js';
import { InferenceMetrics } from '../../../src/inference/worker/inference-metrics.js';
import { InferencePool, type PoolOptions } from '../../../src/inference/worker/inference-pool.js';

/** Processes run the compiled program; `npm test` builds it first. */
const ENTRY = resolve('dist/src/inference/model/inference-child.js');
const MIB = 1024 * 1024;

let modelsDir: string;
let photo: Buffer;
let pool: InferencePool | undefined;
let lines: string[];
const never = new AbortController().signal;

function vary(model: string, change: Readonly<Record<string, unknown>>): void {
  const file = join(modelsDir, model, 'manifest.json');
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), ...change }));
}

function makePool(
  changes: Partial<PoolOptions> = {},
  selection: { readonly segmentationModel?: string } = {},
): InferencePool {
  lines = [];
  const child = {
    modelsDir,
    segmentationModel: TEST_MODEL,
    tissueModel: 'none',
    ...RUNTIME_SETTINGS,
    maxPixels: 50_000_000,
    ...selection,
  } as const;
  const logger = Logger.create('info', { write: (line: string) => void lines.push(line) });
  pool = new InferencePool(
    { entry: ENTRY, processes: 1, maxResidentBytes: 1024 * MIB, child, ...changes },
    new InferenceMetrics(),
    logger,
  );
  pool.start();
  return pool;
}

const request = (timeoutMs = 20_000, bytes: Uint8Array = photo) => ({
  photo: bytes,
  mmPerPixel: null,
  timeoutMs,
  alone: false,
});
const ready = (of: InferencePool) => eventually('an inference process is ready', () => of.isReady());
const pids = () =>
  lines
    .map((line) => JSON.parse(line) as { event: string; pid: number })
    .filter(({ event }) => event === 'inference_process.ready')
    .map(({ pid }) => pid);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

beforeAll(async () => {
  modelsDir = mkdtempSync(join(tmpdir(), 'sutura-models-'));
  photo = await drawWoundPhoto({ width: 320, height: 240 });
});
beforeEach(() => writeTestModel(modelsDir));
afterEach(async () => {
  await pool?.stop();
  delete process.env['SUTURA_FP'];
});
afterAll(() => rmSync(modelsDir, { recursive: true, force: true }));

describe('InferencePool', () => {
  it('is not ready while the model cannot be used, names the file, and becomes ready once it can [F25]', async () => {
    rmSync(join(modelsDir, TEST_MODEL, 'model.onnx'));
    const broken = makePool();
    await eventually('the fault is logged', () =>
      lines.some((line) => line.includes('model.unusable') && line.includes(`${TEST_MODEL}/model.onnx`)),
    );
    expect(broken.isReady()).toBe(false);
    expect(lines.join('')).not.toContain(modelsDir);
    const waiting = broken.analyse(request(), never);
    await writeTestModel(modelsDir);
    await expect(waiting).resolves.toMatchObject({ photo: { widthPx: 320, heightPx: 240 } });
  });

  it('ends a photo that takes too long with its process, and takes the next one with a new process [F24]', async () => {
    process.env['SUTURA_FP'] = 'child_decode:hang:2';
    const hanging = makePool();
    await hanging.analyse(request(), never);
    await expect(hanging.analyse(request(300), never)).rejects.toMatchObject({
      code: 'processing.timeout',
      retryable: true,
    });
    await hanging.analyse(request(), never);
    expect(new Set(pids()).size).toBe(2);
  });

  it('outlives a photo that kills its process [F22]', async () => {
    process.env['SUTURA_FP'] = 'child_decode:segv:2';
    const dying = makePool();
    await dying.analyse(request(), never);
    await expect(dying.analyse(request(), never)).rejects.toMatchObject({
      code: 'processing.failed',
      retryable: true,
      fromOutside: false,
    });
    await dying.analyse(request(), never);
  });

  it('tells a process killed from outside from one that crashed', async () => {
    process.env['SUTURA_FP'] = 'child_decode:kill:2';
    const struck = makePool();
    await struck.analyse(request(), never);
    await expect(struck.analyse(request(), never)).rejects.toMatchObject({
      code: 'processing.failed',
      retryable: true,
      fromOutside: true,
    });
  });

  it('ends a process that takes too much memory [F23]', async () => {
    process.env['SUTURA_FP'] = 'child_decode:allocate:2';
    const greedy = makePool({ maxResidentBytes: 512 * MIB });
    await greedy.analyse(request(), never);
    await expect(greedy.analyse(request(), never)).rejects.toMatchObject({
      code: 'processing.failed',
      retryable: true,
    });
    await eventually('the reason is logged', () =>
      lines.some((line) => line.includes('inference_process.ended') && line.includes('memory')),
    );
  });

  it('says of a photo that cannot be decoded that another attempt is useless, and keeps its process', async () => {
    const steady = makePool();
    await expect(steady.analyse(request(20_000, photo.subarray(0, -1)), never)).rejects.toMatchObject({
      code: 'processing.failed',
      retryable: false,
    });
    await steady.analyse(request(), never);
    expect(pids()).toHaveLength(1);
  });

  it('lets go of a photo whose work is cancelled, while it waits and while it runs', async () => {
    process.env['SUTURA_FP'] = 'child_decode:hang';
    const hanging = makePool();
    await ready(hanging);
    const [running, waiting] = [new AbortController(), new AbortController()];
    const settled = Promise.allSettled([
      hanging.analyse(request(), running.signal),
      hanging.analyse(request(), waiting.signal),
    ]);
    waiting.abort();
    running.abort();
    expect((await settled).map((one) => one.status === 'rejected' && (one.reason as Error).name)).toEqual([
      'InferenceCancelled',
      'InferenceCancelled',
    ]);
  });

  it('keeps the model that its first process chose, whatever is copied in later', async () => {
    await writeTestModel(modelsDir, 'older');
    vary('older', { version: '1.0.0', variant: 'fast' });
    const worn = makePool({ recycleAfterImages: 1 }, { segmentationModel: 'fast' });
    const first = await worn.analyse(request(), never);
    await writeTestModel(modelsDir, 'newer');
    vary('newer', { version: '2.0.0', variant: 'fast' });
    const second = await worn.analyse(request(), never);
    expect([first, second].map(({ trace }) => trace.models[0]!.version)).toEqual(['1.0.0', '1.0.0']);
    expect(new Set(pids()).size).toBe(2);
  });

  it('replaces a process after its number of images', async () => {
    const worn = makePool({ recycleAfterImages: 2 });
    for (let count = 0; count < 3; count += 1) await worn.analyse(request(), never);
    expect(new Set(pids()).size).toBe(2);
  });

  it('ends its processes when it stops', async () => {
    const stopping = makePool({ processes: 2 });
    await eventually('both are ready', () => stopping.slots === 2);
    await stopping.stop();
    expect(pids().filter((pid) => isAlive(pid))).toEqual([]);
    await expect(stopping.analyse(request(), never)).rejects.toMatchObject({ name: 'InferenceCancelled' });
  });

  it.each([false, true])(
    'leaves no process behind when the gateway is killed (while a run hangs: %s)',
    async (hangs) => {
      const child = {
        modelsDir,
        segmentationModel: TEST_MODEL,
        tissueModel: 'none',
        ...RUNTIME_SETTINGS,
        maxPixels: 1_000_000,
      };
      const program = `const { fork } = await import('node:child_process');
      const child = fork(${JSON.stringify(ENTRY)}, [], { serialization: 'advanced', execArgv: [] });
      const analyse = () => child.send({ kind: 'analyse', requestId: 1, photo: Buffer.alloc(1), mmPerPixel: null }, () => console.log('ready', child.pid));
      child.on('message', ({ kind }) => kind === 'ready' && analyse());
      child.send({ kind: 'start', settings: ${JSON.stringify(child)} });`;
      const env = { ...process.env, ...(hangs ? { SUTURA_FP: 'child_decode:hang' } : {}) };
      const gateway = spawn(process.execPath, ['--input-type=module', '-e', program], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const said = await new Promise<string>((resolve) =>
        gateway.stdout.once('data', (data: Buffer) => resolve(data.toString())),
      );
      const pid = Number(/^ready (\d+)/.exec(said)?.[1]);
      expect(isAlive(pid)).toBe(true);
      gateway.kill('SIGKILL');
      await eventually('the inference process is gone', () => !isAlive(pid));
    },
  );

  it('finds the drawn wound, turned upright, with figures, mask and trace', async () => {
    const turned = await drawWoundPhoto({ width: 320, height: 240, orientation: 6 });
    const analysis = await makePool().analyse({ ...request(20_000, turned), mmPerPixel: 0.5 }, never);
    expect(analysis.photo).toEqual({ widthPx: 320, heightPx: 240 });
    expect(analysis.wounds).toHaveLength(1);
    const [wound] = analysis.wounds;
    const drawnAreaPx = (Math.PI / 4) * 0.4 * 320 * 0.3 * 240;
    expect(Math.abs(wound!.area.pixels - drawnAreaPx) / drawnAreaPx).toBeLessThan(0.15);
    expect(wound!.area.cm2!.value).toBeCloseTo(wound!.area.pixels / 400, 1);
    const mask = await sharp(analysis.mask).extractChannel(0).raw().toBuffer({ resolveWithObject: true });
    expect([mask.info.width, mask.info.height]).toEqual([320, 240]);
    const maskedPx = mask.data.filter((value) => value === 255).length;
    expect(Math.abs(maskedPx - wound!.area.pixels)).toBeLessThan(wound!.perimeter.pixels / 2);
    expect(analysis.trace).toMatchObject({
      executionProvider: 'cpu',
      models: [{ name: 'wound-segmentation', version: '0.0.1' }],
      preprocessing: { inputWidth: 256, crop: null },
    });
    expect(Object.keys(analysis.trace.timingsMs)).toEqual([
      'decodeMs',
      'markerMs',
      'inferenceMs',
      'measureMs',
      'maskMs',
    ]);
  });
});
