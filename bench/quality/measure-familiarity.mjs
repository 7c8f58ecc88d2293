#!/usr/bin/env node
/**
 * How well a model's outlines can be told to be right or wrong, on labelled photos and on photos whose outlines were judged by eye:
 *
 *   npm run build && node bench/quality/measure-familiarity.mjs --images DIR --masks DIR --ids FILE --other DIR [--model fast]
 *
 * The judged ones stand in models/training/medetec-other-outlines.tsv; they are outlines of one model, and hold for no other.
 * Fits the score on half A and prints, as Markdown, what each group of photos has of it and of the manifest's own; then the manifest's table of
 * expected Dice beside what the photos show: half A with every other labelled one as a fit, the rest as a check. Writes nothing.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { familiarityScore, judgeFamiliarity, outlineAgreement } from '../../dist/src/core/measurement/familiarity.js';
import { markInside } from '../../dist/src/core/measurement/outline-mask.js';
import { measureWounds } from '../../dist/src/core/measurement/measure-wounds.js';
import { readPhotoRaster } from '../../dist/src/inference/imaging/photo-raster.js';
import { openModels } from '../../dist/src/inference/model/loaded-models.js';
import { runtimeProviders } from '../../dist/src/inference/model/runtime-providers.js';
import { StepClock } from '../../dist/src/inference/model/step-clock.js';
import { WoundLocator } from '../../dist/src/inference/model/wound-locator.js';

const GOOD_DICE = 0.7;
const MAX_PIXELS = 50e6;
const LEAST_DOUBT = 1e-4;
const SCORE_OF_NO_MATTER = { intercept: 0, agreementLogit: 1, reliableFrom: 0.5 };

const { values: wish } = parseArgs({
  options: {
    images: { type: 'string' },
    masks: { type: 'string' },
    ids: { type: 'string' },
    other: { type: 'string' },
    models: { type: 'string', default: 'models' },
    model: { type: 'string', default: 'fast' },
  },
});

const linesOf = (file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /^\w/.test(line));

/** The model's outlines of one photo, and what it thinks of them; null where it outlines nothing. */
async function look(locator, file) {
  const raster = await readPhotoRaster(readFileSync(file), MAX_PIXELS);
  const { map, rules, unfamiliar } = await locator.locate(raster, new StepClock());
  const wounds = measureWounds(map, raster.photo, rules, null);
  if (wounds.length === 0) return null;
  return { agreement: outlineAgreement(map, rules.threshold), unfamiliar, wounds, photo: raster.photo };
}

async function comparedWith(maskFile, { wounds, photo: { widthPx, heightPx } }) {
  const label = await sharp(maskFile)
    .resize(widthPx, heightPx, { kernel: 'nearest', fit: 'fill' })
    .greyscale()
    .raw()
    .toBuffer();
  const frame = { x: 0, y: 0, width: widthPx, height: heightPx };
  const marks = wounds.map(({ contour }) => markInside(contour, frame, widthPx, heightPx));
  let [both, found, labelled] = [0, 0, 0];
  for (let pixel = 0; pixel < label.length; pixel += 1) {
    const [isFound, isLabelled] = [marks.some((mark) => mark[pixel] === 1), label[pixel] > 127];
    found += isFound;
    labelled += isLabelled;
    both += isFound && isLabelled;
  }
  return { dice: (2 * both) / (found + labelled), areaErrorPct: (100 * Math.abs(labelled - found)) / found };
}

async function labelledCases(locator) {
  const cases = [];
  for (const id of linesOf(wish.ids).map((line) => line.trim())) {
    const name = readdirSync(wish.images).find((one) => one.replace(/\.\w+$/, '') === id);
    const seen = await look(locator, join(wish.images, name));
    const mask = readdirSync(wish.masks).find((one) => one.replace(/\.\w+$/, '') === id);
    if (seen !== null)
      cases.push({ ...seen, group: 'labelled', ...(await comparedWith(join(wish.masks, mask), seen)) });
  }
  return cases;
}

async function judgedCases(locator) {
  const cases = [];
  for (const line of linesOf('models/training/medetec-other-outlines.tsv')) {
    const [id, verdict, dice, half] = line.split('\t');
    const file = join(wish.other, `${id}.webp`);
    if (verdict === 'no-outline' || !existsSync(file)) continue;
    const seen = await look(locator, file);
    if (seen !== null) cases.push({ ...seen, group: `half ${half}`, dice: Number(dice) });
  }
  return cases;
}

function logit(share) {
  const limited = Math.min(1 - LEAST_DOUBT, Math.max(LEAST_DOUBT, share));
  return Math.log(limited / (1 - limited));
}

/** Logistic regression of a good outline on the log-odds of its agreement, by Newton's method. */
function fit(cases) {
  let [intercept, slope] = [0, 1];
  for (let step = 0; step < 50; step += 1) {
    const [gradient, second] = [
      [0, 0],
      [0, 0, 0],
    ];
    for (const { agreement, dice } of cases) {
      const x = logit(agreement);
      const expected = 1 / (1 + Math.exp(-intercept - slope * x));
      const [error, weight] = [(dice >= GOOD_DICE) - expected, expected * (1 - expected)];
      gradient[0] += error;
      gradient[1] += error * x;
      second[0] += weight;
      second[1] += weight * x;
      second[2] += weight * x * x;
    }
    const determinant = second[0] * second[2] - second[1] ** 2;
    intercept += (second[2] * gradient[0] - second[1] * gradient[1]) / determinant;
    slope += (second[0] * gradient[1] - second[1] * gradient[0]) / determinant;
  }
  return { intercept, agreementLogit: slope };
}

function printRow(name, cases, rules) {
  const share = (isCounted) => `${((100 * cases.filter(isCounted).length) / cases.length).toFixed(1)} %`;
  const trusted = share(({ agreement }) => familiarityScore(agreement, rules) >= rules.reliableFrom);
  console.log(`| ${name} | ${cases.length} | ${trusted} | ${share(({ unfamiliar }) => !unfamiliar)} |`);
}

/** By linear interpolation between the two nearest; null of nothing. */
function quantile(values, share) {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low + (place % 1) * (high - low);
}

/** What the photos show that are nearer to this step's agreement than to another's. */
function shownAt(step, steps, cases) {
  const distance = (one, agreement) => Math.abs(one.agreement - agreement);
  const own = cases.filter((one) =>
    steps.every((other) => distance(one, step.agreement) <= distance(one, other.agreement)),
  );
  const dice = own.map((one) => one.dice);
  const errors = own.filter(({ group }) => group === 'labelled').map(({ areaErrorPct }) => areaErrorPct);
  const mean = dice.length === 0 ? null : dice.reduce((sum, value) => sum + value, 0) / dice.length;
  const figures = [mean, quantile(dice, 0.05), quantile(dice, 0.95)].map((value) => value?.toFixed(2) ?? '–');
  return [`${own.length} (${errors.length})`, ...figures, quantile(errors, 0.9)?.toFixed(0) ?? '–'];
}

/** The manifest's steps are smoothed so that none falls; what a few photos show at one step is not. */
function printCalibration(name, cases, { calibration }) {
  console.log(`\n**${name}**: the manifest's figure, and what these photos show\n`);
  console.log('| Agreement | Photos (labelled) | Dice | Lower | Upper | Area, % |\n|---|---|---|---|---|---|');
  for (const step of calibration) {
    const [count, ...shown] = shownAt(step, calibration, cases);
    const stated = [step.dice, step.lower, step.upper, step.areaPct];
    console.log(
      `| ${[step.agreement, count, ...stated.map((figure, place) => `${figure}; ${shown[place]}`)].join(' | ')} |`,
    );
  }
  const inside = cases.filter(({ agreement, dice }) => {
    const { lower, upper } = judgeFamiliarity(agreement, { ...SCORE_OF_NO_MATTER, calibration }).expectedDice;
    return lower <= dice && dice <= upper;
  });
  console.log(`\nWithin the interval: ${((100 * inside.length) / cases.length).toFixed(1)} % of ${cases.length}.`);
}

async function main() {
  if ([wish.images, wish.masks, wish.ids, wish.other].includes(undefined)) {
    console.error(
      'Usage: node bench/quality/measure-familiarity.mjs --images DIR --masks DIR --ids FILE --other DIR [--model NAME]',
    );
    process.exit(2);
  }
  const chosen = { modelsDir: wish.models, segmentationModel: wish.model, tissueModel: 'none' };
  const settings = { executionProviders: ['cpu'], intraOpThreads: 1, batchSize: 1, batchDelayMs: 0 };
  const { segmentation } = await openModels(chosen, runtimeProviders(settings));
  const locator = new WoundLocator(segmentation);
  const cases = [...(await judgedCases(locator)), ...(await labelledCases(locator))];
  console.log('fitted on half A:', fit(cases.filter(({ group }) => group === 'half A')));
  const { familiarity } = segmentation.manifest;
  if (familiarity === undefined) return;
  console.log('\n| Outlines | Count | Trusted | By novelty |\n|---|---|---|---|');
  for (const group of ['half B', 'half A', 'labelled']) {
    const own = cases.filter((one) => one.group === group);
    const good = own.filter(({ dice }) => dice >= GOOD_DICE);
    printRow(`${group}, good`, good, familiarity);
    printRow(
      `${group}, bad`,
      own.filter((one) => !good.includes(one)),
      familiarity,
    );
  }
  const labelled = cases.filter(({ group }) => group === 'labelled');
  const ofGroup = (name) => cases.filter(({ group }) => group === name);
  const everyOther = (rest) => labelled.filter((_, place) => place % 2 === rest);
  printCalibration(
    'Fitted on (half A, and every other labelled photo)',
    [...ofGroup('half A'), ...everyOther(0)],
    familiarity,
  );
  printCalibration('Checked on (half B, and the others)', [...ofGroup('half B'), ...everyOther(1)], familiarity);
}

await main();
