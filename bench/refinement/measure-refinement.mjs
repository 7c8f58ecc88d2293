#!/usr/bin/env node
/**
 * Whether a second look at small wounds pays for a model, on labelled photos pasted small into large scenes:
 *
 *   npm run build && node bench/refinement/measure-refinement.mjs --images DIR --masks DIR --ids FILE [--model fast] [--every 3]
 *
 * Prints, as a Markdown table, Dice with one look and with two, by share of context and by proposals. Reads the photos, writes nothing.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { markInside } from '../../dist/src/core/measurement/outline-mask.js';
import { measureWounds } from '../../dist/src/core/measurement/measure-wounds.js';
import { openModels } from '../../dist/src/inference/model/loaded-models.js';
import { runtimeProviders } from '../../dist/src/inference/model/runtime-providers.js';
import { StepClock } from '../../dist/src/inference/model/step-clock.js';
import { WoundLocator } from '../../dist/src/inference/model/wound-locator.js';
import { pasteSmall, SCENE } from './small-wound-scene.mjs';

/** Sides at which the photos are pasted. */
const SIDES = [1024, 512, 256, 128];
/** null: one look. A proposal is the probability from which the likeliest spot is looked at where nothing is outlined. */
const LOOKS = [
  null,
  { contextShare: 0.2 },
  { contextShare: 0.35 },
  { contextShare: 0.5 },
  ...[0.2, 0.05, 0.02].map((proposalThreshold) => ({ contextShare: 0.35, proposalThreshold })),
];
const BELOW_AREA_SHARE = 0.05;
const FRAME = { x: 0, y: 0, ...SCENE };

const { values: wish } = parseArgs({
  options: {
    images: { type: 'string' },
    masks: { type: 'string' },
    ids: { type: 'string' },
    models: { type: 'string', default: 'models' },
    model: { type: 'string', default: 'fast' },
    every: { type: 'string', default: '1' },
  },
});

function fileOf(folder, id) {
  const name = readdirSync(folder).find((one) => one.replace(/\.\w+$/, '') === id);
  if (name === undefined) throw new Error(`${id} is not in the folder.`);
  return join(folder, name);
}

async function outline(session, look, raster) {
  const refinement = look === null ? undefined : { belowAreaShare: BELOW_AREA_SHARE, ...look };
  const asked = { manifest: { ...session.manifest, refinement }, predict: (picture) => session.predict(picture) };
  const { map, rules } = await new WoundLocator(asked).locate(raster, new StepClock());
  const marks = measureWounds(map, raster.photo, rules, null).map(({ contour }) =>
    markInside(contour, FRAME, SCENE.width, SCENE.height),
  );
  return (pixel) => marks.some((one) => one[pixel] === 1);
}

function compare(isFound, label) {
  const counts = { both: 0, found: 0, labelled: 0 };
  for (let pixel = 0; pixel < label.length; pixel += 1) {
    const found = isFound(pixel);
    if (found) counts.found += 1;
    if (label[pixel] === 1) counts.labelled += 1;
    if (found && label[pixel] === 1) counts.both += 1;
  }
  return counts;
}

const diceOf = ({ both, found, labelled }) => (2 * both) / (found + labelled);

function nameOf(look) {
  if (look === null) return 'one';
  return `two, context ${look.contextShare}${look.proposalThreshold === undefined ? '' : `, proposals from ${look.proposalThreshold}`}`;
}

function toRow(side, look, cases) {
  const pooled = cases.reduce((sum, one) => ({
    both: sum.both + one.both,
    found: sum.found + one.found,
    labelled: sum.labelled + one.labelled,
  }));
  const mean = cases.reduce((sum, one) => sum + diceOf(one), 0) / cases.length;
  const missed = cases.filter(({ both }) => both === 0).length;
  return `| ${side} | ${nameOf(look)} | ${cases.length} | ${diceOf(pooled).toFixed(3)} | ${mean.toFixed(3)} | ${missed} |`;
}

async function main() {
  if (wish.images === undefined || wish.masks === undefined || wish.ids === undefined) {
    console.error(
      'Usage: node bench/refinement/measure-refinement.mjs --images DIR --masks DIR --ids FILE [--model NAME] [--every N]',
    );
    process.exit(2);
  }
  const ids = readFileSync(wish.ids, 'utf8')
    .split('\n')
    .filter((line) => /^\w/.test(line));
  const chosen = ids.filter((_, index) => index % Number(wish.every) === 0);
  const models = { modelsDir: wish.models, segmentationModel: wish.model, tissueModel: 'none' };
  const settings = { executionProviders: ['cpu'], intraOpThreads: 1, batchSize: 1, batchDelayMs: 0 };
  const { segmentation } = await openModels(models, runtimeProviders(settings));
  console.log('| Pasted at, px | Looks | Scenes | Data-set Dice | Mean Dice | Missed |\n|---|---|---|---|---|---|');
  for (const side of SIDES) {
    const cases = LOOKS.map(() => []);
    for (const [seed, id] of chosen.entries()) {
      const { raster, label } = await pasteSmall(fileOf(wish.images, id), fileOf(wish.masks, id), side, seed);
      if (!label.includes(1)) continue;
      for (const [index, look] of LOOKS.entries())
        cases[index].push(compare(await outline(segmentation, look, raster), label));
    }
    LOOKS.forEach((look, index) => console.log(toRow(side, look, cases[index])));
  }
}

await main();
