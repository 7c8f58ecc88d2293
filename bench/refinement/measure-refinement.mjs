#!/usr/bin/env node
/**
 * What a model makes of small wounds, with one look and with two: labelled photos pasted into larger frames, so that the wound
 * covers a given share of them, on parts of other photos that show no wound; each scene a JPEG that the service's code reads.
 *
 *   npm run build && node bench/refinement/measure-refinement.mjs --images DIR --masks DIR --ids FILE [--model fast] [--most 32]
 *
 * Prints a Markdown table. A pasted photo that is larger than it was is blurred, and holds no more detail. Reads the photos, writes
 * nothing, unless --scenes FOLDER asks for the first scene of each row, to look at.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { markInside } from '../../dist/src/core/measurement/outline-mask.js';
import { measureWounds } from '../../dist/src/core/measurement/measure-wounds.js';
import { readPhotoRaster } from '../../dist/src/inference/imaging/photo-raster.js';
import { openModels } from '../../dist/src/inference/model/loaded-models.js';
import { runtimeProviders } from '../../dist/src/inference/model/runtime-providers.js';
import { StepClock } from '../../dist/src/inference/model/step-clock.js';
import { WoundLocator } from '../../dist/src/inference/model/wound-locator.js';
import { outlineApart } from './look-apart.mjs';
import { drawScene, groundOf, pastedSpan, readLabelled } from './small-wound-scene.mjs';

const WOUND_SHARES = [0.03, 0.01, 0.003, 0.001];
/** Longer side of the photo. */
const SIDES = [512, 1024, 2048, 3000];
/** The pasted photo's share of the frame's longer side; photos whose wound would need another are left out. */
const SPANS = [1 / 6, 2 / 3];
const AS_SHIPPED = { belowAreaShare: 0.05, contextShare: 0.35, proposalThreshold: 0.02 };
/** null: one look. */
const LOOKS = [
  null,
  AS_SHIPPED,
  { ...AS_SHIPPED, contextShare: 0.7 },
  { ...AS_SHIPPED, contextShare: 1.2 },
  { ...AS_SHIPPED, proposalThreshold: 0.1 },
  { ...AS_SHIPPED, apart: true },
];
const MAX_PIXELS = 50_000_000;

const { values: wish } = parseArgs({
  options: {
    images: { type: 'string' },
    masks: { type: 'string' },
    ids: { type: 'string' },
    models: { type: 'string', default: 'models' },
    model: { type: 'string', default: 'fast' },
    most: { type: 'string', default: '32' },
    scenes: { type: 'string' },
  },
});

function fileOf(folder, id) {
  const name = readdirSync(folder).find((one) => one.replace(/\.\w+$/, '') === id);
  if (name === undefined) throw new Error(`${id} is not in the folder.`);
  return join(folder, name);
}

/** The model, which runs once on one picture however many settings show it the same. */
function remembering(session) {
  const known = new Map();
  return {
    forget: () => known.clear(),
    withRefinement: (refinement) => ({
      manifest: { ...session.manifest, refinement },
      async predict(picture) {
        const key = createHash('sha1').update(new Uint8Array(picture.buffer)).digest('hex');
        if (!known.has(key)) known.set(key, await session.predict(picture));
        const prediction = known.get(key);
        return { ...prediction, probabilities: prediction.probabilities.slice() };
      },
    }),
  };
}

async function compare(session, raster, { label, width, height }) {
  const { map, rules, crop } = await new WoundLocator(session).locate(raster, new StepClock());
  const frame = { x: 0, y: 0, width, height };
  const apart = session.manifest.refinement?.apart ? await outlineApart(session, raster) : null;
  const wounds = apart ?? measureWounds(map, raster.photo, rules, null);
  const marks = wounds.map(({ contour }) => markInside(contour, frame, width, height));
  const counts = { both: 0, found: 0, labelled: 0, twice: crop === null ? 0 : 1 };
  for (let pixel = 0; pixel < label.length; pixel += 1) {
    const found = marks.some((one) => one[pixel] === 1);
    if (found) counts.found += 1;
    if (label[pixel] === 1) counts.labelled += 1;
    if (found && label[pixel] === 1) counts.both += 1;
  }
  return counts;
}

const diceOf = ({ both, found, labelled }) => (2 * both) / (found + labelled);

function nameOf(look) {
  if (look === null) return 'one';
  const at = look.apart ? 'two at each outline' : 'two';
  return `${at}, context ${look.contextShare}, proposals from ${look.proposalThreshold}`;
}

function toRow(woundShare, side, look, cases) {
  const mean = cases.reduce((sum, one) => sum + diceOf(one), 0) / cases.length;
  const share = (fits) => `${Math.round((100 * cases.filter(fits).length) / cases.length)} %`;
  const [found, twice] = [share(({ both }) => both > 0), share((one) => one.twice === 1)];
  return `| ${woundShare * 100} % | ${side} | ${nameOf(look)} | ${cases.length} | ${mean.toFixed(3)} | ${found} | ${twice} |`;
}

async function measureRow(woundShare, side, chosen, model) {
  const cases = LOOKS.map(() => []);
  for (const [index, { labelled, ground }] of chosen.entries()) {
    const scene = await drawScene(labelled, ground, side, woundShare, index);
    if (index === 0 && wish.scenes !== undefined)
      writeFileSync(join(wish.scenes, `${woundShare}-${side}.jpg`), scene.bytes);
    const raster = await readPhotoRaster(scene.bytes, MAX_PIXELS);
    for (const [look, refinement] of LOOKS.entries())
      cases[look].push(await compare(model.withRefinement(refinement ?? undefined), raster, scene));
    model.forget();
  }
  LOOKS.forEach((look, index) => console.log(toRow(woundShare, side, look, cases[index])));
}

/** The photos that are pasted, as they are. */
async function measureWhole(woundShare, chosen, model) {
  const cases = [];
  for (const { labelled, file } of chosen) {
    const { width, height, wound } = labelled;
    const label = wound.map((value) => (value > 127 ? 1 : 0));
    const raster = await readPhotoRaster(readFileSync(file), MAX_PIXELS);
    cases.push(await compare(model.withRefinement(undefined), raster, { label, width, height }));
    model.forget();
  }
  console.log(toRow(woundShare, 'the pasted photo alone', null, cases));
}

/** Photos whose wound covers that share of the frame where they are pasted, each with the ground of the next photo that has one. */
function choose(photos, woundShare) {
  const fits = ({ labelled }) =>
    pastedSpan(labelled, woundShare) >= SPANS[0] && pastedSpan(labelled, woundShare) <= SPANS[1];
  const fitting = photos.filter(({ labelled }) => labelled.share > 0).filter(fits);
  const most = Math.min(Number(wish.most), fitting.length);
  return Array.from({ length: most }, (_, index) => fitting[Math.floor((index * fitting.length) / most)]).map(
    (photo) => {
      const later = [...photos.slice(photos.indexOf(photo) + 1), ...photos];
      return { ...photo, ground: later.find(({ ground }) => ground !== null).ground };
    },
  );
}

async function main() {
  if (wish.images === undefined || wish.masks === undefined || wish.ids === undefined) {
    console.error(
      'Usage: node bench/refinement/measure-refinement.mjs --images DIR --masks DIR --ids FILE [--model NAME] [--most N]',
    );
    process.exit(2);
  }
  const ids = readFileSync(wish.ids, 'utf8')
    .split('\n')
    .filter((line) => /^\w/.test(line));
  const photos = [];
  for (const id of ids) {
    const labelled = await readLabelled(fileOf(wish.images, id), fileOf(wish.masks, id));
    photos.push({ labelled, file: fileOf(wish.images, id), ground: groundOf(labelled) });
  }
  const models = { modelsDir: wish.models, segmentationModel: wish.model, tissueModel: 'none' };
  const settings = { executionProviders: ['cpu'], intraOpThreads: 1, batchSize: 1, batchDelayMs: 0 };
  const { segmentation } = await openModels(models, runtimeProviders(settings));
  const model = remembering(segmentation);
  console.log('| Wound, share of the photo | Longer side, px | Looks | Scenes | Mean Dice | Found | Looked twice |');
  console.log('|---|---|---|---|---|---|---|');
  for (const woundShare of WOUND_SHARES) {
    const chosen = choose(photos, woundShare);
    await measureWhole(woundShare, chosen, model);
    for (const side of SIDES) await measureRow(woundShare, side, chosen, model);
  }
}

await main();
