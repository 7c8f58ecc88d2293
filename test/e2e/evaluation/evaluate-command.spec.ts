import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import sharp from 'sharp';
import type { TissueReport } from '../../../tools/evaluation/tissue/tissue-report.js';
import type { WoundReport } from '../../../tools/evaluation/wounds/wound-report.js';
import { writeBmp } from '../../support/bmp.js';
import { rectangleMask } from '../../support/drawn-mask.js';
import { TEST_MODEL, TEST_TISSUE_MODEL, writeTestModel, writeTestTissueModel } from '../../support/test-model.js';

const ROOT = resolve(__dirname, '../../..');
/** The frame of the models for tests, so that their answer is exact. */
const SIDE = 256;
const SKIN = [222, 178, 152] as const;
const GRANULATION = [158, 38, 42] as const;
const SLOUGH = [200, 190, 60] as const;
let root: string;
let images: string;
let masks: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'evaluate-'));
  [images, masks] = [join(root, 'images'), join(root, 'masks')];
  await Promise.all([writeTestModel(join(root, 'models')), writeTestTissueModel(join(root, 'models'))]);
});
beforeEach(async () => {
  await mkdir(images);
  await mkdir(masks);
});
afterEach(async () => {
  await rm(images, { recursive: true });
  await rm(masks, { recursive: true });
});
afterAll(() => rm(root, { recursive: true }));

/** As a person types it, save for npm. */
async function evaluate(...words: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
  const env = {
    PATH: process.env['PATH'],
    SUTURA_MODELS_DIR: join(root, 'models'),
    SUTURA_SEGMENTATION_MODEL: TEST_MODEL,
    SUTURA_TISSUE_MODEL: TEST_TISSUE_MODEL,
  };
  const child = spawn(process.execPath, ['--enable-source-maps', 'scripts/evaluate.mjs', ...words], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out, err };
}
const folders = () => ['--images', images, '--masks', masks];

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
type Colour = readonly [number, number, number];

async function drawPhoto(name: string, ...patches: readonly (readonly [Colour, Box])[]): Promise<void> {
  const layers = patches.map(([colour, box]) => ({ colour, inside: rectangleMask(SIDE, SIDE, box).pixels }));
  const pixels = Buffer.alloc(SIDE * SIDE * 3);
  for (let pixel = 0; pixel < SIDE * SIDE; pixel += 1) {
    pixels.set(layers.findLast(({ inside }) => inside[pixel] === 1)?.colour ?? SKIN, pixel * 3);
  }
  await writeFile(
    join(images, name),
    await sharp(pixels, { raw: { width: SIDE, height: SIDE, channels: 3 } })
      .png()
      .toBuffer(),
  );
}
const greyOf = (box: Box, value = 255) => [...rectangleMask(SIDE, SIDE, box).pixels].map((pixel) => pixel * value);
const greyPicture = (grey: readonly number[], width = SIDE) =>
  sharp(Buffer.from(grey), { raw: { width, height: grey.length / width, channels: 1 } });

const WOUND: Box = { x: 100, y: 80, width: 40, height: 40 };
const NONE: Box = { x: 0, y: 0, width: 0, height: 0 };

/** Four photos whose figures can be counted by hand: exact, half off, rightly empty, falsely outlined. */
async function drawFourPhotos(): Promise<void> {
  for (const name of ['1.png', '2.png', '4.png']) await drawPhoto(name, [GRANULATION, WOUND]);
  await drawPhoto('3.png');
  await writeFile(join(masks, '1.png'), await greyPicture(greyOf(WOUND)).png().toBuffer());
  await writeFile(join(masks, '2.bmp'), writeBmp(SIDE, SIDE, greyOf({ ...WOUND, x: WOUND.x + 20 }), { bits: 8 }));
  await writeFile(join(masks, '3.webp'), await greyPicture(greyOf(NONE)).webp({ lossless: true }).toBuffer());
  await writeFile(join(masks, '4.jpg'), await greyPicture(greyOf(NONE)).jpeg().toBuffer());
}

describe('npm run evaluate refuses', () => {
  it('misuse, with 2 and the usage', async () => {
    expect(await evaluate('--images', images)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('--images and --masks are needed.') as string,
    });
  });

  it('a photo that is no picture, with 1 and its name', async () => {
    await writeFile(join(images, '1.jpg'), 'no picture');
    await writeFile(join(masks, '1.png'), await greyPicture(greyOf(WOUND)).png().toBuffer());
    expect(await evaluate(...folders())).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/images\/1\.jpg cannot be read as a photo/) as string,
    });
  });

  it('a mask of another size than its photo, with 1 and its name', async () => {
    await drawPhoto('1.png', [GRANULATION, WOUND]);
    await writeFile(
      join(masks, '1.png'),
      await greyPicture(new Array<number>(128 * 128).fill(0), 128)
        .png()
        .toBuffer(),
    );
    expect(await evaluate(...folders())).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/masks\/1\.png has 128 × 128 pixels, its photo 256 × 256/) as string,
    });
  });

  it('a model that is not there, and a sheet without a folder, with 1', async () => {
    await drawFourPhotos();
    expect(await evaluate(...folders(), '--model', 'elsewhere-1')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('elsewhere-1/manifest.json') as string,
    });
    expect(await evaluate(...folders(), '--sheet', join(root, 'none', 'a.jpg'))).toMatchObject({ code: 1, out: '' });
  });
});

describe('npm run evaluate', () => {
  it('prints the figures that are counted by hand', async () => {
    await drawFourPhotos();
    const { code, out, err } = await evaluate(...folders(), '--json');
    expect([code, err]).toEqual([0, '']);
    const report = JSON.parse(out) as WoundReport;
    expect(report.pictures).toEqual({ count: 4, labelled: 2, missed: 0, emptyLabel: 2, emptyLabelStayedEmpty: 1 });
    expect(report.dice.dataSet.value).toBeCloseTo(4800 / 8000, 12);
    expect(report.dice.mean.value).toBeCloseTo(0.75, 12);
    expect([report.precision.value, report.recall.value]).toEqual([0.5, 0.75]);
    expect(report.iou.dataSet.value).toBeCloseTo(2400 / 5600, 12);
    expect(report.hausdorff95).toMatchObject({ pictures: 2, meanPx: { value: 10 } });
    expect(report.areaError.medianAbsolute.value).toBeLessThan(0.01);
    expect(report.models[0]).toMatchObject({ name: 'wound-segmentation', version: '0.0.1' });
    expect(report.cases.map(({ id, dice }) => [id, dice])).toEqual([
      ['1', 1],
      ['2', 0.5],
      ['3', null],
      ['4', 0],
    ]);
    expect(report.speed.stepsMs).toMatchObject({
      decodeMs: expect.any(Number) as number,
      inferenceMs: expect.any(Number) as number,
    });
  });

  it('prints a table, writes the sheet it is asked for and nothing else', async () => {
    await drawFourPhotos();
    await writeFile(join(root, 'ids.txt'), '1\n2\n4\n');
    const before = await readdir(root, { recursive: true });
    const { code, out } = await evaluate(
      ...folders(),
      '--ids',
      join(root, 'ids.txt'),
      '--limit',
      '2',
      '--sheet',
      join(root, 'worst.jpg'),
    );
    expect([code, out]).toEqual([0, expect.stringMatching(/Dice of the data set \(pooled\)\s+0\.750/)]);
    expect(await sharp(join(root, 'worst.jpg')).metadata()).toMatchObject({ format: 'jpeg' });
    expect((await readdir(root, { recursive: true })).filter((name) => !before.includes(name))).toEqual(['worst.jpg']);
  });

  it('tells tissues apart with --tissue', async () => {
    const bed: Box = { x: 60, y: 60, width: 80, height: 40 };
    const left: Box = { ...bed, width: 40 };
    await drawPhoto('1.png', [GRANULATION, bed], [SLOUGH, left]);
    // The expert calls the left half slough and the rest granulation, and ten columns of skin callus.
    const classes = greyOf(bed, 2);
    greyOf(left, 1).forEach((value, pixel) => (classes[pixel] = value === 0 ? classes[pixel]! : value));
    greyOf({ ...bed, x: 140, width: 10 }, 3).forEach(
      (value, pixel) => (classes[pixel] = value === 0 ? classes[pixel]! : value),
    );
    await writeFile(join(masks, '1.png'), await greyPicture(classes).toColourspace('b-w').png().toBuffer());
    const { code, out } = await evaluate(...folders(), '--tissue', '--json', '--sheet', join(root, 'tissue.jpg'));
    expect(code).toBe(0);
    const report = JSON.parse(out) as TissueReport;
    expect([
      report.dice['slough']?.dataSet.value,
      report.dice['granulation']?.dataSet.value,
      report.dice['callus']?.dataSet.value,
    ]).toEqual([1, 1, 0]);
    expect(report.woundBedDice.value).toBe(1);
    expect(report.confusion.rows[3]).toEqual([400, 0, 0, 0]);
    expect((await sharp(join(root, 'tissue.jpg')).metadata()).width).toBe(8 + 3 * 2 * 328);
    expect((await evaluate(...folders(), '--tissue')).out).toMatch(/mean of the tissues, pooled\s+0\.667/);
  });

  it('refuses a tissue mask that holds more than classes', async () => {
    await drawPhoto('1.png', [GRANULATION, WOUND]);
    await writeFile(join(masks, '1.png'), await greyPicture(greyOf(WOUND)).png().toBuffer());
    expect(await evaluate(...folders(), '--tissue')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/masks\/1\.png: a tissue mask is grey and holds the values 0 to 3 only/) as string,
    });
  });
});
