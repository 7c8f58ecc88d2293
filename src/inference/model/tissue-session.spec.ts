import { providerOf, storedModel } from '../../../test/support/test-session.js';
import type { TissueManifest } from './model-manifest.js';
import type { ModelRuntime } from './model-runtime.js';
import { openTissueSession } from './tissue-session.js';

const SIDE = 32;
const PLANE = SIDE * SIDE;
const CLASSES = ['background', 'slough', 'granulation', 'callus'] as const;
const manifest: TissueManifest = {
  name: 'tissue',
  version: '1',
  task: 'tissue-segmentation',
  file: 'model.onnx',
  sha256: '0'.repeat(64),
  input: { name: 'image', width: SIDE, height: SIDE, mean: [0, 0, 0], std: [1, 1, 1], resize: 'letterbox' },
  output: { name: 'probability' },
  classes: [...CLASSES],
  woundBed: ['slough', 'granulation'],
  contextShare: 0.3,
  researchOnly: true,
  licence: 'none',
};

function runtimeOf(shares: readonly number[], declaredClasses: number = shares.length): ModelRuntime {
  const planes = Float32Array.from({ length: shares.length * PLANE }, (_, index) => shares[Math.floor(index / PLANE)]!);
  return {
    inputs: [{ name: 'image', type: 'float32', shape: ['batch', 3, SIDE, SIDE] }],
    outputs: [{ name: 'probability', type: 'float32', shape: ['batch', declaredClasses, SIDE, SIDE] }],
    run: () => Promise.resolve({ probability: planes }),
  };
}
const open = (runtime: ModelRuntime) => openTissueSession(storedModel(manifest, 'tissue-1'), [providerOf(runtime)]);

describe('openTissueSession', () => {
  it('stops at a file with another number of classes than the manifest lists', async () => {
    await expect(open(runtimeOf([0.5, 0.2, 0.3]))).rejects.toThrow(
      /^tissue-1\/model\.onnx has the output "probability" of shape \[batch, 3, 32, 32\]; \[batch, 4, 32, 32\] is needed/,
    );
  });

  it('stops where the classes do not sum to 1', async () => {
    await expect(open(runtimeOf([0.5, 0.2, 0.3, 0.2]))).rejects.toThrow(/is no probability of 4 classes that sum to 1/);
  });

  it('stops where an open size turns out another', async () => {
    await expect(
      open({ ...runtimeOf([0.5, 0.5]), outputs: [{ name: 'probability', type: 'float32', shape: [] }] }),
    ).rejects.toThrow(/has the wrong size/);
  });

  it('gives one plane for each class', async () => {
    const session = await open(runtimeOf([0.125, 0.25, 0.5, 0.125]));
    const planes = await session.predict(new Float32Array(3 * PLANE));
    expect([0, 1, 2, 3].map((index) => planes[index * PLANE])).toEqual([0.125, 0.25, 0.5, 0.125]);
  });
});
