import { RUNTIME_SETTINGS, storedModel } from '../../../test/support/test-session.js';
import { isSuturaError } from '../../core/errors/sutura-error.js';
import { ModelUnusableError } from './model-folder.js';
import type { SegmentationManifest } from './model-manifest.js';
import { onnxProvider } from './onnx-runtime.js';
import type { ModelRuntime } from './model-runtime.js';
import { openSegmentationSession } from './segmentation-session.js';

const SIDE = 32;
const PLANE = SIDE * SIDE;
const manifest: SegmentationManifest = {
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
const declared = (name: string, shape: (number | string)[], type = 'float32') => ({ name, type, shape });
const FITTING = {
  inputs: [declared('image', ['batch', 3, SIDE, SIDE])],
  outputs: [declared('probability', ['batch', 1, SIDE, SIDE])],
};

function runtimeOf(
  run: (values: Float32Array, count: number) => Float32Array | Promise<Float32Array>,
  changes: Partial<ModelRuntime> = {},
): ModelRuntime {
  return { ...FITTING, run: async ({ values, shape }) => ({ probability: await run(values, shape[0]!) }), ...changes };
}

/** Answers each picture's first value as its probability everywhere; for the warm-up's shades, one half. */
function echoing(values: Float32Array, count: number): Float32Array {
  const output = new Float32Array(count * PLANE);
  for (let index = 0; index < count; index += 1) {
    const first = values[index * 3 * PLANE]!;
    output.fill(first === -0.5 ? 0.5 : first, index * PLANE, (index + 1) * PLANE);
  }
  return output;
}
const echo = runtimeOf(echoing);

const PRESENCE: Partial<SegmentationManifest> = {
  output: { name: 'probability', presence: 'wound' },
  presence: { threshold: 0.3 },
};
/** Answers as `echo` does, and with the presence of a wound by the picture's place in the batch. */
const telling = (presenceOf: (index: number) => number): ModelRuntime => ({
  inputs: FITTING.inputs,
  outputs: [...FITTING.outputs, declared('wound', ['batch', 1])],
  run: ({ values, shape }) =>
    Promise.resolve({
      probability: echoing(values, shape[0]!),
      wound: Float32Array.from({ length: shape[0]! }, (_, index) => presenceOf(index)),
    }),
});

type Provider = 'cuda' | 'webgpu' | 'cpu';
/** Opens the model with providers that batch as ONNX Runtime's do and open as told. */
const open = (
  openRuntime: (provider: Provider) => Promise<ModelRuntime>,
  names: Provider[] = ['cpu'],
  batchSize = 4,
  changes: Partial<SegmentationManifest> = {},
) => {
  const settings = { ...RUNTIME_SETTINGS, batchSize, batchDelayMs: 1000 };
  const providers = names.map((name) => ({ ...onnxProvider(name, settings), open: () => openRuntime(name) }));
  return openSegmentationSession(storedModel({ ...manifest, ...changes }, 'test-1'), providers);
};

describe('openSegmentationSession', () => {
  it('says which providers it tried when none can be used', async () => {
    await expect(open(() => Promise.reject(new Error('no device')), ['cuda', 'cpu'])).rejects.toThrow(
      /^test-1\/model\.onnx runs on none of the execution providers: cuda \(cannot be opened\), cpu \(cannot be opened\)/,
    );
  });

  it('stops where the weights cannot be used, and tries no further provider', async () => {
    const tried: string[] = [];
    await expect(
      open(
        (provider) => {
          tried.push(provider);
          return Promise.reject(new ModelUnusableError('test-1/model.onnx cannot be read (ENOENT).'));
        },
        ['cuda', 'cpu'],
      ),
    ).rejects.toThrow('test-1/model.onnx cannot be read (ENOENT).');
    expect(tried).toEqual(['cuda']);
  });

  it.each([
    [
      'no input of that name',
      { inputs: [declared('picture', ['batch', 3, SIDE, SIDE])] },
      /^test-1\/model\.onnx has no input named "image" but "picture"; correct input\.name in test-1\/manifest\.json/,
    ],
    ['a second input', { inputs: [...FITTING.inputs, declared('more', [1])] }, /has 2 inputs/],
    [
      'another type',
      { inputs: [declared('image', ['batch', 3, SIDE, SIDE], 'uint8')] },
      /input "image" of type uint8; float32 is needed/,
    ],
    [
      'another frame',
      { inputs: [declared('image', ['batch', 3, 64, SIDE])] },
      /input "image" of shape \[batch, 3, 64, 32\]; \[batch, 3, 32, 32\] is needed/,
    ],
    ['pixels first', { inputs: [declared('image', ['batch', SIDE, SIDE, 3])] }, /is needed/],
    [
      'no output of that name',
      { outputs: [declared('mask', ['batch', 1, SIDE, SIDE])] },
      /no output named "probability" but "mask"; correct output\.name/,
    ],
    [
      'two classes',
      { outputs: [declared('probability', ['batch', 2, SIDE, SIDE])] },
      /output "probability" of shape \[batch, 2, 32, 32\]; \[batch, 1, 32, 32\] is needed/,
    ],
  ])('stops at a file with %s and names the file', async (_, changes, message) => {
    await expect(open(() => Promise.resolve(runtimeOf(echoing, changes)), ['cuda', 'cpu'])).rejects.toThrow(message);
  });

  it('stops where the manifest promises a novelty that the file does not give', async () => {
    await expect(
      open(() => Promise.resolve(echo), ['cpu'], 1, { output: { name: 'probability', novelty: 'distance' } }),
    ).rejects.toThrow(/no output named "distance" but "probability"; correct output\.novelty/);
  });

  it('stops where the manifest promises a presence that the file does not give', async () => {
    const output = { name: 'probability', presence: 'wound' };
    await expect(
      open(() => Promise.resolve(echo), ['cpu'], 1, { output, presence: { threshold: 0.3 } }),
    ).rejects.toThrow(/no output named "wound" but "probability"; correct output\.presence/);
  });

  it('stops where the presence is no probability', async () => {
    await expect(open(() => Promise.resolve(telling(() => 1.2)), ['cpu'], 1, PRESENCE)).rejects.toThrow(
      /cpu \(output "wound" is no probability between 0 and 1\)/,
    );
  });

  it.each([
    ['logits', (values: Float32Array, count: number) => echoing(values, count).map(() => -2)],
    ['NaN', (_: Float32Array, count: number) => new Float32Array(count * PLANE).fill(NaN)],
  ])('stops where the model gives %s instead of probabilities', async (_, run) => {
    await expect(open(() => Promise.resolve(runtimeOf(run)))).rejects.toThrow(
      /cpu \(output "probability" is no probability between 0 and 1\)/,
    );
  });

  it('stops where the output has another size than it declares', async () => {
    await expect(open(() => Promise.resolve(runtimeOf(() => new Float32Array(7))))).rejects.toThrow(
      /cpu \(output "probability" has the wrong size\)/,
    );
  });

  it('does not take a provider whose warm-up gives no probabilities', async () => {
    const broken = runtimeOf((_, count) => new Float32Array(count * PLANE).fill(NaN));
    const session = await open((provider) => Promise.resolve(provider === 'webgpu' ? broken : echo), ['webgpu', 'cpu']);
    expect([session.provider, session.refusedProviders]).toEqual(['cpu', ['webgpu']]);
  });

  it('does not take a provider whose first run fails', async () => {
    const failing = runtimeOf(() => Promise.reject(new Error('out of memory')));
    const session = await open((provider) => Promise.resolve(provider === 'cuda' ? failing : echo), ['cuda', 'cpu']);
    expect(session.provider).toBe('cpu');
  });

  it('tries the providers in their order and takes the first that works', async () => {
    const tried: string[] = [];
    const session = await open(
      (provider) => {
        tried.push(provider);
        return provider === 'cuda' ? Promise.reject(new Error('not built in')) : Promise.resolve(echo);
      },
      ['cuda', 'webgpu', 'cpu'],
    );
    expect(tried).toEqual(['cuda', 'webgpu']);
    expect(session.provider).toBe('webgpu');
  });

  it('warms up with the batch sizes it will meet', async () => {
    const counts: number[] = [];
    const counting = runtimeOf((values, count) => (counts.push(count), echoing(values, count)));
    await open(() => Promise.resolve(counting), ['cuda'], 4);
    await open(() => Promise.resolve(counting), ['cpu'], 4);
    expect(counts).toEqual([1, 4, 1]);
  });
});

describe('SegmentationSession', () => {
  it.each([NaN, Infinity, -Infinity, 1.5, -0.25])(
    'refuses an output of %d, and only for its own picture',
    async (value) => {
      const session = await open(() => Promise.resolve(echo), ['cuda'], 2);
      const [good, bad] = await Promise.allSettled([session.predict(picture(0.25)), session.predict(picture(value))]);
      expect(bad!.status === 'rejected' && isSuturaError(bad.reason, 'model.output_invalid')).toBe(true);
      expect(good).toMatchObject({ status: 'fulfilled', value: { novelty: null, presence: null } });
      expect((good as PromiseFulfilledResult<{ probabilities: Float32Array }>).value.probabilities[0]).toBe(0.25);
    },
  );

  it('refuses an output of the wrong size', async () => {
    let runs = 0;
    const session = await open(() =>
      Promise.resolve(runtimeOf((values, count) => ((runs += 1) === 1 ? echoing(values, count) : new Float32Array(7)))),
    );
    await expect(session.predict(picture(0))).rejects.toMatchObject({ code: 'model.output_invalid' });
  });

  it('tells each picture how far it is from those that the model knows', async () => {
    const runtime: ModelRuntime = {
      inputs: FITTING.inputs,
      outputs: [...FITTING.outputs, declared('distance', ['batch', 1])],
      run: ({ values, shape }) =>
        Promise.resolve({
          probability: echoing(values, shape[0]!),
          distance: Float32Array.from({ length: shape[0]! }, (_, index) => index + 10),
        }),
    };
    const session = await open(() => Promise.resolve(runtime), ['cuda'], 2, {
      output: { name: 'probability', novelty: 'distance' },
      noveltyThreshold: 3,
    });
    expect(
      (await Promise.all([session.predict(picture(0)), session.predict(picture(1))])).map(({ novelty }) => novelty),
    ).toEqual([10, 11]);
  });

  it('tells each picture how likely it shows an open wound', async () => {
    const session = await open(() => Promise.resolve(telling((index) => 0.25 + index / 2)), ['cuda'], 2, PRESENCE);
    const both = await Promise.all([session.predict(picture(0)), session.predict(picture(1))]);
    expect(both.map(({ presence }) => presence)).toEqual([0.25, 0.75]);
  });
});
