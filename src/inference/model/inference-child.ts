/** The program of one inference process: it holds the models, and lives and dies apart from the gateway. */
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { isSuturaError } from '../../core/errors/sutura-error.js';
import { lowerProcessPriority } from '../../platform/background-priority.js';
import { prepareCardSearch } from '../imaging/markers/find-calibration-card.js';
import { lockDownDecoders } from '../imaging/decoder-lockdown.js';
import type { ChildSettings, FromChild, ToChild } from './child-protocol.js';
import { openModels } from './loaded-models.js';
import { NO_MODEL } from './model-registry.js';
import { PhotoAnalyser } from './photo-analyser.js';
import { runtimeProviders } from './runtime-providers.js';

const EXIT_UNUSABLE = 78;
/**
 * A photo is some 30 MB of pixels and tensors beside a heap of 36 MB. V8 counts them, and would collect the whole heap with nearly every
 * photo, a tenth of its time. With this it collects after some five, for about 150 MB more.
 */
const COLLECT_LESS_OFTEN = '--heap-growing-percent=400';
const PARENT_WATCH_MS = 1000;
const PARENT_WATCH = `
const { workerData } = require('node:worker_threads');
setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL');
}, ${PARENT_WATCH_MS});`;

let analyser: PhotoAnalyser | undefined;

function tell(message: FromChild, then: () => void = () => undefined): void {
  if (process.send === undefined || !process.connected) return then();
  process.send(message, undefined, undefined, () => then());
}

async function start(settings: ChildSettings): Promise<void> {
  lowerProcessPriority();
  setFlagsFromString(COLLECT_LESS_OFTEN);
  lockDownDecoders();
  const providers = runtimeProviders(settings, (event) => tell({ kind: 'engine', event }));
  const [models] = await Promise.all([openModels(settings, providers), prepareCardSearch()]);
  analyser = new PhotoAnalyser(models, settings);
  const { provider, refusedProviders, photosAtOnce, model } = models.segmentation;
  tell({
    kind: 'ready',
    provider,
    refusedProviders,
    slots: photosAtOnce,
    chosen: { segmentationModel: model.folder, tissueModel: models.tissue?.model.folder ?? NO_MODEL },
  });
}

async function analyse({
  requestId,
  photo,
  mmPerPixel,
  cardCorrections,
}: Extract<ToChild, { kind: 'analyse' }>): Promise<void> {
  try {
    if (analyser === undefined) throw new Error('not started');
    tell({ kind: 'analysed', requestId, analysis: await analyser.analyse(photo, mmPerPixel, cardCorrections) });
  } catch (error) {
    // A named refusal is about the photo and would come again; any other error may be due to this process.
    const named = isSuturaError(error);
    tell({ kind: 'refused', requestId, code: named ? error.code : 'processing.failed', retryable: !named });
  }
}

function giveUp(error: unknown): void {
  const reason =
    error instanceof Error && error.name === 'ModelUnusableError'
      ? error.message
      : 'the inference process could not start';
  tell({ kind: 'unusable', reason }, () => process.exit(EXIT_UNUSABLE));
}

/**
 * Ends this process within seconds of its parent's end, even while a run blocks the event loop, when no message of the
 * parent's end arrives: a hung run would otherwise hold its core and memory for ever.
 */
function dieWithParent(): void {
  new Worker(PARENT_WATCH, { eval: true, workerData: process.ppid }).unref();
}

dieWithParent();
process.on('message', (message: ToChild) => {
  if (message.kind === 'start') start(message.settings).catch(giveUp);
  else void analyse(message);
});
// The parent has exited: no answer is needed.
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole group of processes; the gateway ends its children itself, after their last photo.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
