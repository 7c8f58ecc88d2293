import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TEST_MODEL, writeTestModel } from '../../../test/support/test-model.js';
import { isSuturaError } from '../../core/errors/sutura-error.js';
import { Logger } from '../../platform/logging/logger.js';
import { ManifestModelCatalogue } from './manifest-model.catalogue.js';
import { readManifest, readVerifiedWeights } from './model-manifest.js';

let folder: string;
const inModel = (name: string) => join(folder, TEST_MODEL, name);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sutura-models-'));
  await writeTestModel(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function changeManifest(change: Record<string, unknown>): void {
  const manifest = JSON.parse(readFileSync(inModel('manifest.json'), 'utf8')) as Record<string, unknown>;
  writeFileSync(inModel('manifest.json'), JSON.stringify({ ...manifest, ...change }));
}

describe('readManifest', () => {
  it('names the file that is missing, and not where it lies', () => {
    expect(() => readManifest(folder, 'no-such-model')).toThrow(/^no-such-model\/manifest\.json cannot be read \(ENOENT\)/);
  });

  it('names the file that is not JSON', () => {
    writeFileSync(inModel('manifest.json'), '{');
    expect(() => readManifest(folder, TEST_MODEL)).toThrow(`${TEST_MODEL}/manifest.json is not JSON`);
  });

  it.each([
    ['sha256', 'abc'],
    ['file', '../elsewhere.onnx'],
    ['threshold', 1.5],
    ['task', 'something-else'],
    ['researchOnly', undefined],
  ])('names the field %s when it cannot be used', (name, value) => {
    changeManifest({ [name]: value });
    expect(() => readManifest(folder, TEST_MODEL)).toThrow(new RegExp(`manifest\\.json cannot be used: ${name}`));
  });
});

describe('readVerifiedWeights', () => {
  it('refuses weights with one changed bit', () => {
    const weights = readFileSync(inModel('model.onnx'));
    weights[weights.length - 1]! ^= 1;
    writeFileSync(inModel('model.onnx'), weights);
    expect(() => readVerifiedWeights(folder, TEST_MODEL, readManifest(folder, TEST_MODEL))).toThrow(`${TEST_MODEL}/model.onnx does not match the sha256`);
  });

  it('names missing weights', () => {
    rmSync(inModel('model.onnx'));
    expect(() => readVerifiedWeights(folder, TEST_MODEL, readManifest(folder, TEST_MODEL))).toThrow(`${TEST_MODEL}/model.onnx cannot be read`);
  });

  it('gives the weights that the manifest names', () => {
    expect(readVerifiedWeights(folder, TEST_MODEL, readManifest(folder, TEST_MODEL))).toEqual(readFileSync(inModel('model.onnx')));
  });
});

describe('ManifestModelCatalogue', () => {
  it('is unavailable while the manifest cannot be read, and recovers by itself', async () => {
    const catalogue = new ManifestModelCatalogue(folder, TEST_MODEL, Logger.create('silent'));
    rmSync(inModel('manifest.json'));
    let thrown: unknown;
    try {
      catalogue.activeSegmentationModel();
    } catch (error) {
      thrown = error;
    }
    expect(isSuturaError(thrown, 'service.unavailable')).toBe(true);
    await writeTestModel(folder);
    expect(catalogue.activeSegmentationModel()).toMatchObject({ name: 'wound-segmentation', version: '0.0.1', researchOnly: true });
  });
});
