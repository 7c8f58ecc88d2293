#!/usr/bin/env node
/**
 * How much of the black and brown necrosis that was judged by eye is outlined and called necrosis, and how much else is:
 *
 *   npm run build && node bench/quality/measure-necrosis.mjs --other DIR --tissue DIR [--model fast]
 *
 * `--other` holds the photos of models/training/eschar-review.tsv, `--tissue` crops with labelled tissue (images/, masks/), in which
 * necrosis is not labelled: what the rule takes there it takes from granulation, slough or callus. Prints Markdown, writes nothing.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { measureWounds } from '../../dist/src/core/measurement/measure-wounds.js';
import { necrosisRule } from '../../dist/src/core/measurement/necrosis-rule.js';
import { TISSUE_TABLE } from '../../dist/src/core/tissue/tissues.js';
import { readPhotoRaster } from '../../dist/src/inference/imaging/photo-raster.js';
import { openModels } from '../../dist/src/inference/model/loaded-models.js';
import { runtimeProviders } from '../../dist/src/inference/model/runtime-providers.js';
import { StepClock } from '../../dist/src/inference/model/step-clock.js';
import { TissueReader } from '../../dist/src/inference/model/tissue-reader.js';
import { WoundLocator } from '../../dist/src/inference/model/wound-locator.js';

const MAX_PIXELS = 50e6;
/** Of a region's outlined pixels, from which on it counts as found. */
const FOUND_SHARE = 0.5;
/** Of a region, from which on it counts as outlined. */
const OUTLINED_SHARE = 0.5;
const LABELS = ['background', 'slough', 'granulation', 'callus'];

const { values: wish } = parseArgs({
  options: {
    other: { type: 'string' },
    tissue: { type: 'string' },
    models: { type: 'string', default: 'models' },
    model: { type: 'string', default: 'fast' },
  },
});

function judgedRegions() {
  return readFileSync('models/training/eschar-review.tsv', 'utf8')
    .split('\n')
    .filter((line) => /^\w/.test(line))
    .map((line) => {
      const [, id, x, y, width, height, verdict, what, half] = line.split('\t');
      return { id, x: +x, y: +y, width: +width, height: +height, verdict, what, half };
    });
}

/** The tissue of each pixel of a photo, as the service tells it. */
async function tissueMap(locator, reader, file) {
  const raster = await readPhotoRaster(readFileSync(file), MAX_PIXELS);
  const { map, rules } = await locator.locate(raster, new StepClock());
  return (await reader.describe(measureWounds(map, raster.photo, rules, null), raster)).map;
}

function countIn({ numbers, width }, region) {
  let [outlined, necrosis] = [0, 0];
  for (let row = region.y; row < region.y + region.height; row += 1) {
    for (let column = region.x; column < region.x + region.width; column += 1) {
      const number = numbers[row * width + column];
      outlined += number !== 0;
      necrosis += number === TISSUE_TABLE.necrosis.number;
    }
  }
  return { pixels: region.width * region.height, outlined, necrosis };
}

const sum = (regions, key) => regions.reduce((total, region) => total + region[key], 0);
const percent = (part, whole) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);
const isOutlined = ({ outlined, pixels }) => outlined >= OUTLINED_SHARE * pixels;
const isFound = ({ necrosis, outlined }) => outlined > 0 && necrosis >= FOUND_SHARE * outlined;

function printRegions(counted) {
  console.log(
    '| Regions | Half | Number | Outlined | Of these called necrosis | Of their outlined pixels |\n|---|---|---|---|---|---|',
  );
  for (const verdict of ['eschar', 'other']) {
    for (const half of ['A', 'B']) {
      const regions = counted.filter((region) => region.verdict === verdict && region.half === half);
      const outlined = regions.filter(isOutlined);
      const found = outlined.filter(isFound).length;
      const pixels = percent(sum(regions, 'necrosis'), sum(regions, 'outlined'));
      console.log(`| ${verdict} | ${half} | ${regions.length} | ${outlined.length} | ${found} | ${pixels} |`);
    }
  }
  console.log('\n| Region | What | Half | Outlined | Necrosis of what is outlined |\n|---|---|---|---|---|');
  for (const region of counted) {
    const { id, what, half, outlined, pixels, necrosis } = region;
    console.log(`| ${id} | ${what} | ${half} | ${percent(outlined, pixels)} | ${percent(necrosis, outlined)} |`);
  }
}

/** What the rule takes of each labelled tissue. */
async function printLabelled(folder) {
  const [all, taken] = [LABELS.map(() => 0), LABELS.map(() => 0)];
  for (const name of readdirSync(join(folder, 'masks'))) {
    const label = sharp(join(folder, 'masks', name))
      .extractChannel(0)
      .raw();
    const { data: classes, info } = await label.toBuffer({ resolveWithObject: true });
    const file = join(folder, 'images', name.replace(/\.\w+$/, '.webp'));
    const pixels = await sharp(file).toColourspace('srgb').removeAlpha().raw().toBuffer();
    const found = necrosisRule(
      { pixels, width: info.width, height: info.height },
      classes.map((one) => +(one > 0)),
    );
    classes.forEach((one, index) => {
      all[one] += 1;
      taken[one] += found[index];
    });
  }
  console.log('\n| Labelled tissue | Pixels | Called necrosis |\n|---|---|---|');
  for (let index = 1; index < LABELS.length; index += 1)
    console.log(`| ${LABELS[index]} | ${all[index]} | ${((100 * taken[index]) / all[index]).toFixed(2)} % |`);
}

async function main() {
  if (wish.other === undefined || wish.tissue === undefined) {
    console.error('Usage: node bench/quality/measure-necrosis.mjs --other DIR --tissue DIR [--model NAME]');
    process.exit(2);
  }
  const chosen = { modelsDir: wish.models, segmentationModel: wish.model, tissueModel: 'auto' };
  const settings = { executionProviders: ['cpu'], intraOpThreads: 1, batchSize: 1, batchDelayMs: 0 };
  const { segmentation, tissue } = await openModels(chosen, runtimeProviders(settings));
  const [locator, reader] = [new WoundLocator(segmentation), new TissueReader(tissue)];
  const [counted, maps] = [[], new Map()];
  for (const region of judgedRegions()) {
    const file = join(wish.other, `${region.id}.webp`);
    if (!maps.has(region.id)) maps.set(region.id, await tissueMap(locator, reader, file));
    counted.push({ ...region, ...countIn(maps.get(region.id), region) });
  }
  printRegions(counted);
  await printLabelled(wish.tissue);
}

await main();
