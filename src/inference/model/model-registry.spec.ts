import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  TEST_MODEL,
  TEST_TISSUE_MODEL,
  writeTestModel,
  writeTestTissueModel,
} from '../../../test/support/test-model.js';
import { isSuturaError } from '../../core/errors/sutura-error.js';
import { Logger } from '../../platform/logging/logger.js';
import { ManifestModelCatalogue } from './manifest-model.catalogue.js';
import { readManifest, readVerifiedWeights } from './model-folder.js';
import { chooseModels, compareVersions, modelFolders } from './model-registry.js';

let folder: string;
const inModel = (name: string, model = TEST_MODEL) => join(folder, model, name);
const wish = (segmentationModel = TEST_MODEL, tissueModel = 'auto') => ({
  modelsDir: folder,
  segmentationModel,
  tissueModel,
});
const choose = (...wished: Parameters<typeof wish>) => chooseModels(wish(...wished));

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sutura-models-'));
  await writeTestModel(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function changeManifest(change: Record<string, unknown>, model = TEST_MODEL): void {
  const manifest = JSON.parse(readFileSync(inModel('manifest.json', model), 'utf8')) as Record<string, unknown>;
  writeFileSync(inModel('manifest.json', model), JSON.stringify({ ...manifest, ...change }));
}

async function addModel(model: string, change: Record<string, unknown>): Promise<void> {
  await writeTestModel(folder, model);
  changeManifest(change, model);
}

describe('readManifest', () => {
  it('names the file that is missing, and not where it lies', () => {
    expect(() => readManifest(folder, 'no-such-model')).toThrow(
      /^no-such-model\/manifest\.json cannot be read \(ENOENT\)/,
    );
  });

  it('names the file that is not JSON', () => {
    writeFileSync(inModel('manifest.json'), '{');
    expect(() => readManifest(folder, TEST_MODEL)).toThrow(`${TEST_MODEL}/manifest.json is not JSON`);
  });

  it('names the field that cannot be used', () => {
    changeManifest({ threshold: 1.5 });
    expect(() => readManifest(folder, TEST_MODEL)).toThrow(/manifest\.json cannot be used: threshold: /);
  });
});

describe('readVerifiedWeights', () => {
  const read = () => readVerifiedWeights(folder, { folder: TEST_MODEL, manifest: readManifest(folder, TEST_MODEL) });

  it('refuses weights with one changed bit', () => {
    const weights = readFileSync(inModel('model.onnx'));
    weights[weights.length - 1]! ^= 1;
    writeFileSync(inModel('model.onnx'), weights);
    expect(read).toThrow(`${TEST_MODEL}/model.onnx does not match the sha256`);
  });

  it('names missing weights', () => {
    rmSync(inModel('model.onnx'));
    expect(read).toThrow(`${TEST_MODEL}/model.onnx cannot be read`);
  });

  it('gives the weights that the manifest names', () => {
    expect(read()).toEqual(readFileSync(inModel('model.onnx')));
  });
});

describe('the models folder of this repository', () => {
  const MODELS = resolve(__dirname, '../../../models');

  it.each(modelFolders(MODELS))('has the weights of %s as its manifest names them', (model) => {
    expect(() => readVerifiedWeights(MODELS, { folder: model, manifest: readManifest(MODELS, model) })).not.toThrow();
  });

  it('has weights in 32 bits apart, as a model that can be copied beside the others', () => {
    const weights = join(MODELS, 'training/weights');
    const [model] = modelFolders(weights);
    const manifest = readManifest(weights, model!);
    expect(() => readVerifiedWeights(weights, { folder: model!, manifest })).not.toThrow();
    expect(chooseModels({ modelsDir: weights, segmentationModel: model!, tissueModel: 'none' })).toMatchObject({
      segmentation: { folder: model },
    });
  });

  it('has one model that outlines', () => {
    const outlining = modelFolders(MODELS).filter((model) => readManifest(MODELS, model).task === 'wound-segmentation');
    expect(outlining).toEqual([
      chooseModels({ modelsDir: MODELS, segmentationModel: 'fast', tissueModel: 'none' }).segmentation.folder,
    ]);
  });
});

describe('chooseModels', () => {
  it('stops where the models folder is missing', () => {
    rmSync(folder, { recursive: true });
    expect(() => choose('fast')).toThrow(/^the models folder cannot be read \(ENOENT\)\. Check SUTURA_MODELS_DIR/);
  });

  it('stops where no model has the wanted variant', () => {
    expect(() => choose('accurate')).toThrow(/no model below the models folder has the variant "accurate"/);
  });

  it('stops at a manifest that cannot be read when it has to choose: that one might be the newest', async () => {
    await addModel('newer', { version: '9.0.0', variant: 'fast' });
    writeFileSync(inModel('manifest.json', 'newer'), '{');
    changeManifest({ variant: 'fast' });
    expect(() => choose('fast')).toThrow('newer/manifest.json is not JSON');
    expect(choose(TEST_MODEL, 'none').segmentation.folder).toBe(TEST_MODEL);
  });

  it('stops where a folder holds a model for another task', async () => {
    await writeTestTissueModel(folder);
    expect(() => choose(TEST_TISSUE_MODEL)).toThrow(
      `${TEST_TISSUE_MODEL}/manifest.json has the task tissue-segmentation; SUTURA_SEGMENTATION_MODEL needs`,
    );
    expect(() => choose(TEST_MODEL, TEST_MODEL)).toThrow(
      `${TEST_MODEL}/manifest.json has the task wound-segmentation; SUTURA_TISSUE_MODEL needs`,
    );
  });

  it('stops where the named tissue model is missing', () => {
    expect(() => choose(TEST_MODEL, 'tissue-9.9.9')).toThrow(/^tissue-9\.9\.9\/manifest\.json cannot be read/);
  });

  it('takes the highest version of the wanted variant', async () => {
    await addModel('a', { version: '0.10.0', variant: 'fast' });
    await addModel('b', { version: '0.9.0', variant: 'fast' });
    await addModel('c', { version: '2.0.0', variant: 'accurate' });
    await addModel('d', { version: '3.0.0' });
    expect(choose('fast').segmentation.folder).toBe('a');
    expect(choose('accurate').segmentation.folder).toBe('c');
  });

  it('has no tissue model where none is there, or none is wanted', async () => {
    expect(choose().tissue).toBeNull();
    await writeTestTissueModel(folder);
    expect(choose(TEST_MODEL, 'none').tissue).toBeNull();
  });

  it('takes the tissue model that is there, or the one that is named', async () => {
    await writeTestTissueModel(folder);
    expect(choose().tissue?.folder).toBe(TEST_TISSUE_MODEL);
    expect(choose(TEST_MODEL, TEST_TISSUE_MODEL).tissue?.manifest.task).toBe('tissue-segmentation');
  });

  it('leaves folders without a manifest alone', () => {
    rmSync(inModel('manifest.json'));
    expect(() => choose('fast')).toThrow(/no model below the models folder/);
  });
});

describe('compareVersions', () => {
  it('orders as releases come', () => {
    const versions = ['1.0.0', '0.9.0', '1.0.0-rc.2', '0.10.0', '1.0.0-rc.10', '1.0.1'];
    expect(versions.sort(compareVersions)).toEqual(['0.9.0', '0.10.0', '1.0.0-rc.2', '1.0.0-rc.10', '1.0.0', '1.0.1']);
  });
});

describe('ManifestModelCatalogue', () => {
  const catalogueOf = (...wished: Parameters<typeof wish>) =>
    new ManifestModelCatalogue(wish(...wished), Logger.create('silent'));

  it('is unavailable while the manifest cannot be read, and recovers by itself', async () => {
    const catalogue = catalogueOf();
    rmSync(inModel('manifest.json'));
    for (const ask of [() => catalogue.activeModels(), () => catalogue.installedModels()]) {
      let thrown: unknown;
      try {
        ask();
      } catch (error) {
        thrown = error;
      }
      expect(isSuturaError(thrown, 'service.unavailable')).toBe(true);
    }
    await writeTestModel(folder);
    expect(catalogue.activeModels()).toMatchObject([
      { name: 'wound-segmentation', version: '0.0.1', researchOnly: true },
    ]);
  });

  it('counts the tissue model among the active ones', async () => {
    await writeTestTissueModel(folder);
    changeManifest({ researchOnly: false });
    expect(
      catalogueOf()
        .activeModels()
        .map(({ researchOnly }) => researchOnly),
    ).toEqual([false, true]);
    expect(
      catalogueOf(TEST_MODEL, 'none')
        .activeModels()
        .map(({ researchOnly }) => researchOnly),
    ).toEqual([false]);
  });

  it('shows the beginning of a card that is too long, and none where it is no file', async () => {
    writeFileSync(inModel('MODEL_CARD.md'), `${'#'.repeat(65_536)}!`);
    expect(catalogueOf().installedModels()).toMatchObject([{ card: '#'.repeat(65_536), cardIsWhole: false }]);
    writeFileSync(inModel('MODEL_CARD.md'), Buffer.from([0x23, 0xff]));
    expect(catalogueOf().installedModels()).toMatchObject([{ card: '#\ufffd', cardIsWhole: true }]);
    rmSync(inModel('MODEL_CARD.md'));
    mkdirSync(inModel('MODEL_CARD.md'));
    expect(catalogueOf().installedModels()).toMatchObject([{ card: null, cardIsWhole: true }]);
  });

  it('lists what is there with card and figures, and leaves out what cannot be read', async () => {
    await addModel('other', { version: '0.0.2', variant: 'accurate', metrics: { dice: 0.9 } });
    writeFileSync(inModel('MODEL_CARD.md', 'other'), '# Other');
    await writeTestModel(folder, 'broken');
    writeFileSync(inModel('manifest.json', 'broken'), '{');
    expect(catalogueOf(TEST_MODEL, 'none').installedModels()).toMatchObject([
      { name: 'wound-segmentation', version: '0.0.1', active: true, variant: null, metrics: null, card: null },
      {
        version: '0.0.2',
        active: false,
        variant: 'accurate',
        metrics: { dice: 0.9 },
        card: '# Other',
        licence: 'Test drawing, no use',
      },
    ]);
  });
});
