// node bench/budget/measure-steps.mjs [--rounds N] [--processor] [--beside DIST]: how long each step of one photo's analysis takes, in one
// process without a gateway. DIST is another build's folder: both are measured by turns, and have to say the same of every photo.
// --processor: processor time of all threads, which says something while the machine does other work, too.
import { deepStrictEqual } from 'node:assert';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { drawStepPhotos } from './step-photos.mjs';

const MODELS = resolve(import.meta.dirname, '../../models');
/** As inference processes run. */
const COLLECT_LESS_OFTEN = '--heap-growing-percent=400';
const WARM_UP_ROUNDS = 4;
const MAX_PIXELS = 50_000_000;
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    processor: { type: 'boolean', default: false },
    beside: { type: 'string' },
  },
});

setFlagsFromString(COLLECT_LESS_OFTEN);
// The clock that the steps read, too.
if (values.processor) performance.now = processorMs;
const photos = await drawStepPhotos();
const folders = { ours: resolve(import.meta.dirname, '../../dist'), ...(values.beside && { beside: values.beside }) };
const builds = [];
for (const [name, folder] of Object.entries(folders)) builds.push({ name, ...(await openBuild(resolve(folder))) });
const taken = new Map(builds.map(({ name }) => [name, new Map()]));
for (let round = -WARM_UP_ROUNDS; round < Number(values.rounds); round += 1) {
  for (const photo of photos) {
    const results = [];
    for (const { name, analyse } of round % 2 === 0 ? builds : builds.toReversed()) {
      const { stepsMs, result } = await analyse(photo.bytes);
      results.push(result);
      if (round >= 0) keep(taken.get(name), photo.name, stepsMs);
    }
    if (results.length > 1) deepStrictEqual(results[0], results[1], `${photo.name}: the builds disagree`);
  }
}
for (const { name } of builds) print(name, taken.get(name));

function processorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function openBuild(folder) {
  const load = (path) => import(pathToFileURL(join(folder, 'src/inference', path)).href);
  const [{ lockDownDecoders }, { prepareCardSearch }, { openModels }, { PhotoAnalyser }, { runtimeProviders }] =
    await Promise.all([
      load('imaging/decoder-lockdown.js'),
      load('imaging/markers/find-calibration-card.js'),
      load('model/loaded-models.js'),
      load('model/photo-analyser.js'),
      load('model/runtime-providers.js'),
    ]);
  const { SharpImageInspector } = await load('imaging/sharp-image.inspector.js');
  lockDownDecoders();
  const settings = { executionProviders: ['cpu'], intraOpThreads: 1, batchSize: 1, batchDelayMs: 0 };
  const selection = { modelsDir: MODELS, segmentationModel: 'fast', tissueModel: 'auto' };
  const [models] = await Promise.all([openModels(selection, runtimeProviders(settings)), prepareCardSearch()]);
  const inModels = { ms: 0 };
  const analyser = new PhotoAnalyser(withClock(models, inModels), { maxPixels: MAX_PIXELS });
  const inspector = new SharpImageInspector(MAX_PIXELS, { run: (work) => work() });
  return {
    async analyse(bytes) {
      const began = performance.now();
      await inspector.inspect(() => Promise.resolve(bytes), 'jpeg');
      const arrived = performance.now();
      inModels.ms = 0;
      const { trace, ...analysis } = await analyser.analyse(bytes, null);
      const allMs = performance.now() - arrived;
      const stepsMs = {
        'on arrival': arrived - began,
        ...trace.timingsMs,
        'all without models': allMs - inModels.ms,
        'all beside inference and tissue': sum(
          ['decodeMs', 'markerMs', 'measureMs', 'maskMs'].map((step) => trace.timingsMs[step]),
        ),
        all: allMs,
      };
      return { stepsMs, result: { ...analysis, trace: { ...trace, timingsMs: null } } };
    },
  };
}

/** The models, which add the time of their runs to `inModels`. */
function withClock({ segmentation, tissue }, inModels) {
  const timed = (session) =>
    new Proxy(session, {
      get(target, key) {
        if (key !== 'predict') return Reflect.get(target, key, target);
        return async (picture) => {
          const began = performance.now();
          try {
            return await target.predict(picture);
          } finally {
            inModels.ms += performance.now() - began;
          }
        };
      },
    });
  return { segmentation: timed(segmentation), tissue: timed(tissue) };
}

function keep(byStep, photo, stepsMs) {
  for (const [step, ms] of Object.entries(stepsMs)) {
    if (!byStep.has(step)) byStep.set(step, new Map());
    const byPhoto = byStep.get(step);
    byPhoto.set(photo, [...(byPhoto.get(photo) ?? []), ms]);
  }
}

/** The median of each step for each photo, then the median and the least over all photos that have it. */
function print(name, byStep) {
  const rows = [...byStep].map(([step, byPhoto]) => [
    step,
    Object.fromEntries([
      ...photos.map((photo) => [photo.name, byPhoto.has(photo.name) ? median(byPhoto.get(photo.name)) : null]),
      ['all photos', median([...byPhoto.values()].flat())],
      // Other work on the machine only ever adds to a time.
      ['least', Number(Math.min(...[...byPhoto.values()].flat()).toFixed(1))],
    ]),
  ]);
  console.log(`${name}, p50 in ms${values.processor ? ' of processor time' : ''} over ${values.rounds} rounds`);
  console.table(Object.fromEntries(rows));
}

function median(numbers) {
  return Number(numbers.toSorted((a, b) => a - b)[numbers.length >> 1].toFixed(1));
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
