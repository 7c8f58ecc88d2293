/** @jest-environment ./test/support/onnx-environment.mjs */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { lockDownDecoders } from '../../../src/inference/imaging/decoder-lockdown.js';
import { readPhotoRaster } from '../../../src/inference/imaging/photo-raster.js';
import { toPhotoTensor } from '../../../src/inference/imaging/photo-tensor.js';
import { openModels, type LoadedModels } from '../../../src/inference/model/loaded-models.js';
import { runtimeProviders } from '../../../src/inference/model/runtime-providers.js';
import { drawGoldenPicture } from '../../support/golden-picture.js';
import { OUTLINE_MODEL, SHIPPED_MODELS } from '../../support/shipped-models.js';
import { RUNTIME_SETTINGS } from '../../support/test-session.js';

interface Golden {
  readonly model: string;
  readonly sha256: string;
  readonly inEightBits: boolean;
  readonly step: number;
  readonly pictures: readonly GoldenPicture[];
}

interface GoldenPicture {
  readonly width: number;
  readonly height: number;
  readonly content: object;
  readonly tensor: readonly number[];
  readonly probability: readonly number[];
}

const FIXTURES = resolve(__dirname, '../../fixtures');
const MAX_PIXELS = 50_000_000;
/**
 * How far a probability may lie from the training code's. A network in whole numbers of 8 bits rounds what is between its layers, so that
 * one step of one colour can move single pixels further; the picture as a whole stays where it is.
 */
const WORST = { inEightBits: 0.05, in32Bits: 0.01 };
const MEAN = 0.002;
/** What the training code makes of the same drawings; `models/training/wound_segmentation/golden.py` writes them. */
const goldens = readdirSync(FIXTURES)
  .filter((name) => name.startsWith('golden-'))
  .map((name) => JSON.parse(readFileSync(join(FIXTURES, name), 'utf8')) as Golden);

function sampled(values: Float32Array, planes: number, width: number, height: number, step: number): number[] {
  const samples: number[] = [];
  for (let plane = 0; plane < planes; plane += 1) {
    for (let y = 0; y < height; y += step) {
      for (let x = 0; x < width; x += step) samples.push(values[(plane * height + y) * width + x]!);
    }
  }
  return samples;
}

function worstDifference(found: readonly number[], wanted: readonly number[]): number {
  expect(found).toHaveLength(wanted.length);
  return found.reduce((worst, value, index) => Math.max(worst, Math.abs(value - wanted[index]!)), 0);
}

function meanDifference(found: readonly number[], wanted: readonly number[]): number {
  return found.reduce((sum, value, index) => sum + Math.abs(value - wanted[index]!), 0) / found.length;
}

it('golden figures are of the outline model that ships', () => {
  expect(goldens.map(({ model }) => model)).toEqual([OUTLINE_MODEL]);
});

describe.each(goldens)(
  'the service beside the training code, with $model',
  ({ model, sha256, inEightBits, step, pictures }) => {
    let models: LoadedModels;

    beforeAll(async () => {
      lockDownDecoders();
      const selection = { modelsDir: SHIPPED_MODELS, segmentationModel: model, tissueModel: 'none' };
      models = await openModels(selection, runtimeProviders(RUNTIME_SETTINGS));
    });

    it('has the weights that the golden figures were made with', () => {
      expect(models.segmentation.manifest.sha256).toBe(sha256);
    });

    const cases = pictures.flatMap((picture) => [
      { ...picture, turned: false },
      ...(picture.width === picture.height ? [] : [{ ...picture, turned: true }]),
    ]);

    it.each(cases)(
      'makes the same tensor and probabilities of a picture of $width × $height (turned by EXIF: $turned)',
      async (picture) => {
        const { width, height, turned } = picture;
        const drawn = sharp(drawGoldenPicture(width, height), { raw: { width, height, channels: 3 } });
        // Orientation 6 asks to be turned by 90° clockwise, so the pixels are stored turned against it.
        const photo = turned ? sharp(await drawn.rotate(270).png().toBuffer()).withMetadata({ orientation: 6 }) : drawn;
        const { input } = models.segmentation.manifest;
        const tensor = await toPhotoTensor(await readPhotoRaster(await photo.png().toBuffer(), MAX_PIXELS), input);
        expect(tensor.content).toEqual(picture.content);
        // A step of an 8-bit colour, two where the picture is shrunk to less than half; the fixture is rounded to four digits.
        const steps = width >= 2 * tensor.region.width ? 2 : 1;
        const tolerance = steps / 255 / Math.min(...input.std) + 1e-4;
        expect(
          worstDifference(sampled(tensor.values, 3, input.width, input.height, step), picture.tensor),
        ).toBeLessThanOrEqual(tolerance);
        const { probabilities } = await models.segmentation.predict(tensor.values);
        const found = sampled(probabilities, 1, input.width, input.height, step);
        expect(worstDifference(found, picture.probability)).toBeLessThanOrEqual(
          inEightBits ? WORST.inEightBits : WORST.in32Bits,
        );
        expect(meanDifference(found, picture.probability)).toBeLessThanOrEqual(MEAN);
      },
    );
  },
);
