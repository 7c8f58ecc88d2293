/** The program of one inference process: it holds the model, and lives and dies apart from the gateway. */
import { getPriority, setPriority } from 'node:os';
import { isSuturaError } from '../../core/errors/sutura-error.js';
import { lockDownDecoders } from '../imaging/decoder-lockdown.js';
import type { ChildSettings, FromChild, ToChild } from './child-protocol.js';
import { readManifest, readVerifiedWeights } from './model-manifest.js';
import { openOnnxRuntime } from './onnx-runtime.js';
import { dieWithParent } from './parent-watch.js';
import { PhotoAnalyser } from './photo-analysis.js';
import { SegmentationSession } from './segmentation-session.js';

/** Below the gateway, so that callers are answered while every core computes. */
const NICENESS = 10;
const EXIT_UNUSABLE = 78;

let analyser: PhotoAnalyser | undefined;

function tell(message: FromChild, then: () => void = () => undefined): void {
  if (process.send === undefined || !process.connected) return then();
  process.send(message, undefined, undefined, () => then());
}

async function start(settings: ChildSettings): Promise<void> {
  if (getPriority() < NICENESS) setPriority(NICENESS);
  lockDownDecoders();
  const manifest = readManifest(settings.modelsDir, settings.model);
  const weights = readVerifiedWeights(settings.modelsDir, settings.model, manifest);
  const session = await SegmentationSession.open(weights, manifest, settings, openOnnxRuntime);
  analyser = new PhotoAnalyser(session, settings);
  tell({
    kind: 'ready',
    provider: session.provider,
    refusedProviders: session.refusedProviders,
    // Twice a batch, so that the next one is decoded while this one runs.
    slots: session.provider === 'cpu' ? 1 : 2 * settings.batchSize,
    model: manifest.name,
    version: manifest.version,
  });
}

async function analyse({ requestId, photo, mmPerPixel }: Extract<ToChild, { kind: 'analyse' }>): Promise<void> {
  try {
    if (analyser === undefined) throw new Error('not started');
    tell({ kind: 'analysed', requestId, analysis: await analyser.analyse(photo, mmPerPixel) });
  } catch (error) {
    // A named refusal is the photo's own and would come again; anything else may be this process's.
    const named = isSuturaError(error);
    tell({ kind: 'refused', requestId, code: named ? error.code : 'processing.failed', retryable: !named });
  }
}

function giveUp(error: unknown): void {
  const reason = error instanceof Error && error.name === 'ModelUnusableError' ? error.message : 'the inference process could not start';
  tell({ kind: 'unusable', reason }, () => process.exit(EXIT_UNUSABLE));
}

dieWithParent();
process.on('message', (message: ToChild) => {
  if (message.kind === 'start') start(message.settings).catch(giveUp);
  else void analyse(message);
});
// The gateway is gone: nobody waits for an answer any more.
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole group of processes; the gateway ends its children itself, after their last photo.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
