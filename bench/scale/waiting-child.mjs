// The inference process of the simulation. It analyses each different photo once, as the product does, and answers the same for every later
// copy after `waitMs`, several at once: what it sends, stores and reports is of the true size, and takes next to no processor time.
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const load = (path) => import(pathToFileURL(resolve(import.meta.dirname, '../../dist/src/inference', path)).href);
const analyses = new Map();
let waitMs = 0;
let analyser;

async function start({ waiting, ...settings }) {
  const [{ lockDownDecoders }, { prepareCardSearch }, { openModels }, { PhotoAnalyser }, { runtimeProviders }] =
    await Promise.all([
      load('imaging/decoder-lockdown.js'),
      load('imaging/markers/find-calibration-card.js'),
      load('model/loaded-models.js'),
      load('model/photo-analyser.js'),
      load('model/runtime-providers.js'),
    ]);
  lockDownDecoders();
  const [models] = await Promise.all([
    openModels(
      settings,
      runtimeProviders(settings, () => undefined),
    ),
    prepareCardSearch(),
  ]);
  analyser = new PhotoAnalyser(models, settings);
  ({ waitMs } = waiting);
  process.send({
    kind: 'ready',
    provider: models.segmentation.provider,
    refusedProviders: [],
    slots: waiting.slots,
    chosen: {
      segmentationModel: models.segmentation.model.folder,
      tissueModel: models.tissue?.model.folder ?? 'none',
    },
  });
}

function analysisOf({ photo, mmPerPixel, cardCorrections }) {
  const digest = createHash('sha256').update(photo).digest('hex');
  if (!analyses.has(digest)) analyses.set(digest, analyser.analyse(photo, mmPerPixel, cardCorrections));
  return analyses.get(digest);
}

async function answer(request) {
  const [analysis] = await Promise.all([analysisOf(request), pause(waitMs)]);
  process.send({ kind: 'analysed', requestId: request.requestId, analysis });
}

process.on('message', (message) => {
  const work = message.kind === 'start' ? start(message.settings) : answer(message);
  work.catch((fault) => process.send({ kind: 'unusable', reason: fault.message }, () => process.exit(1)));
});
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => undefined);
