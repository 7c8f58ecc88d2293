import { isSuturaError } from '../../core/errors/sutura-error.js';
import type { ModelManifest } from './model-manifest.js';
import type { ModelRuntime, OpenRuntime } from './onnx-runtime.js';
import { SegmentationSession } from './segmentation-session.js';

const SIDE = 32;
const PLANE = SIDE * SIDE;
const manifest: ModelManifest = {
  name: 'test',
  version: '1',
  task: 'wound-segmentation',
  file: 'model.onnx',
  sha256: '0'.repeat(64),
  input: { name: 'image', width: SIDE, height: SIDE, mean: [0, 0, 0], std: [1, 1, 1], resize: 'letterbox' },
  output: { name: 'probability' },
  threshold: 0.5,
  minAreaShare: 0,
  researchOnly: true,
  licence: 'none',
};
const picture = (value: number) => new Float32Array(3 * PLANE).fill(value);

/** Answers each picture's first value as its probability everywhere. */
const echo: ModelRuntime = {
  run: (input, count) => {
    const output = new Float32Array(count * PLANE);
    for (let index = 0; index < count; index += 1) output.fill(input[index * 3 * PLANE]!, index * PLANE, (index + 1) * PLANE);
    return Promise.resolve(output);
  },
};
const open = (openRuntime: OpenRuntime, providers: ('cuda' | 'webgpu' | 'cpu')[] = ['cpu'], batchSize = 4) =>
  SegmentationSession.open(new Uint8Array(), manifest, { providers, intraOpThreads: 1, batchSize }, openRuntime);

describe('SegmentationSession', () => {
  it('says which providers it tried when none can be used', async () => {
    await expect(open(() => Promise.reject(new Error('no device')), ['cuda', 'cpu'])).rejects.toThrow(/none of the execution providers cuda, cpu/);
  });

  it('does not take a provider whose warm-up gives no probabilities', async () => {
    const broken: ModelRuntime = { run: (_, count) => Promise.resolve(new Float32Array(count * PLANE).fill(NaN)) };
    const session = await open((_weights, _manifest, provider) => Promise.resolve(provider === 'webgpu' ? broken : echo), ['cuda', 'webgpu', 'cpu'].slice(1) as ['webgpu', 'cpu']);
    expect([session.provider, session.refusedProviders]).toEqual(['cpu', ['webgpu']]);
  });

  it('tries the providers in their order and takes the first that works', async () => {
    const tried: string[] = [];
    const session = await open((_weights, _manifest, provider) => {
      tried.push(provider);
      return provider === 'cuda' ? Promise.reject(new Error('not built in')) : Promise.resolve(echo);
    }, ['cuda', 'webgpu', 'cpu']);
    expect(tried).toEqual(['cuda', 'webgpu']);
    expect(session.provider).toBe('webgpu');
  });

  it.each([NaN, Infinity, -Infinity, 1.5, -0.5])('refuses an output of %d, and only for its own picture', async (value) => {
    const session = await open(() => Promise.resolve(echo));
    const [good, bad] = await session.predict([picture(0.25), picture(value)]);
    expect(isSuturaError(bad, 'model.output_invalid')).toBe(true);
    expect((good as Float32Array)[0]).toBe(0.25);
  });

  it('refuses an output of the wrong size', async () => {
    let runs = 0;
    const session = await open(() => Promise.resolve({ run: (input, count) => ((runs += 1) === 1 ? echo.run(input, count) : Promise.resolve(new Float32Array(7))) }));
    expect(isSuturaError((await session.predict([picture(0)]))[0], 'model.output_invalid')).toBe(true);
  });

  it('warms up with the batch sizes it will meet', async () => {
    const counts: number[] = [];
    const counting: ModelRuntime = { run: (input, count) => (counts.push(count), echo.run(input, count)) };
    await open(() => Promise.resolve(counting), ['cuda'], 4);
    await open(() => Promise.resolve(counting), ['cpu'], 4);
    expect(counts).toEqual([1, 4, 1]);
  });
});
