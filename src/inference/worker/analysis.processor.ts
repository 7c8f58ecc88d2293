import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { artifactKey } from '../../core/analysis/artifact.service.js';
import type { AnalysisJob, ClaimedJob } from '../../core/analysis/analysis-job.js';
import { sandboxOutcome } from '../../core/analysis/sandbox-outcome.js';
import type { ArtifactName, PictureDigests, WoundResult } from '../../core/measurement/wound-result.js';
import { isSuturaError, SuturaError } from '../../core/errors/sutura-error.js';
import { originalKey } from '../../core/images/image.js';
import { assembleWoundResult } from '../../core/measurement/assemble-result.js';
import { pushScore } from '../../core/followup/push-score.js';
import type { ObjectStore } from '../../core/images/object-store.js';
import { overlayInfo } from '../../core/analysis/photo-view.js';
import { failpoint } from '../../platform/failpoints.js';
import type { Logger } from '../../platform/logging/logger.js';
import { recordAnalysis } from '../../platform/tracing/analysis-trace.js';
import { inAnalysis, inSpan } from '../../platform/tracing/spans.js';
import { MASK_CONTENT_TYPE } from '../imaging/mask-picture.js';
import { TISSUE_PICTURE_CONTENT_TYPE } from '../imaging/tissue-picture.js';
import type { JobOutcome } from './inference-metrics.js';
import type { PhotoAnalysis } from '../model/photo-analyser.js';
import { InferenceCancelled, InferenceFailure } from './inference-failure.js';
import type { InferencePool } from './inference-pool.js';
import type { JobEnding } from './job-ending.js';
import type { HeldLease } from './lease-keeper.js';
import { retryWhileUnavailable } from './retry-unavailable.js';

/** An attempt goes on where its process was killed from outside. A photo may itself draw the system's memory guard, so there is a limit. */
const KILLS_PER_ATTEMPT = 3;

interface ProcessorPorts {
  readonly store: ObjectStore;
  readonly pool: Pick<InferencePool, 'analyse'>;
  readonly ending: JobEnding;
  readonly logger: Logger;
}

interface ProcessorOptions {
  /** Longest time in an inference process. */
  readonly timeoutMs: number;
  /** Adds PUSH sub-scores to results. */
  readonly pushScore: boolean;
}

/** One claimed job from its photo's bytes to its end. */
export class AnalysisProcessor {
  constructor(
    private readonly ports: ProcessorPorts,
    private readonly options: ProcessorOptions,
  ) {}

  /** Throws only where the job's state could not be written; then its lease runs out and the sweep finds it. */
  process(claimed: ClaimedJob, held: HeldLease): Promise<JobOutcome> {
    const { id, imageId, reportId, attempts, createdAt, source } = claimed.job;
    const facts = { 'sutura.job.id': id, 'sutura.image.id': imageId, 'sutura.report.id': reportId };
    return inAnalysis(reportId, 'analysis.attempt', { ...facts, 'sutura.analysis.attempt': attempts }, async (span) => {
      const outcome = await this.attempt(claimed, held);
      span.note({ 'sutura.analysis.outcome': outcome });
      if (outcome === 'completed' || outcome === 'failed')
        recordAnalysis(reportId, createdAt, {
          ...facts,
          'sutura.analysis.source': source,
          'sutura.analysis.outcome': outcome,
        });
      return outcome;
    });
  }

  private async attempt(claimed: ClaimedJob, held: HeldLease): Promise<JobOutcome> {
    try {
      await failpoint('after_claim');
      const asked = sandboxOutcome(claimed.job.environment, claimed.job.sandbox);
      if (asked?.kind === 'job_failed') return await this.ports.ending.failAsAsked(claimed, asked, held);
      const { result, pictures } = await this.analyse(claimed, held.signal);
      return await inSpan('analysis.end', {}, () => this.ports.ending.complete(claimed, result, pictures, held));
    } catch (error) {
      return this.conclude(claimed, held, error);
    }
  }

  private async analyse(
    claimed: ClaimedJob,
    signal: AbortSignal,
  ): Promise<{ readonly result: WoundResult; readonly pictures: PictureDigests }> {
    const { job } = claimed;
    const loadStart = performance.now();
    const photo = await inSpan('analysis.load', {}, () => this.loadPhoto(job, signal));
    const inferenceStart = performance.now();
    const analysis = await inSpan('analysis.compute', {}, () => this.runModel(claimed, photo, signal));
    const storeStart = performance.now();
    const pictures = await inSpan('analysis.store', {}, () => this.storePictures(job, analysis, signal));
    const result = this.assemble(job, analysis, {
      queueMs: Math.max(0, (job.startedAt ?? job.createdAt).getTime() - job.createdAt.getTime()),
      loadMs: tenths(inferenceStart - loadStart),
      waitMs: tenths(Math.max(0, storeStart - inferenceStart - sum(analysis.trace.timingsMs))),
      ...analysis.trace.timingsMs,
      storeMs: tenths(performance.now() - storeStart),
    });
    return { result, pictures };
  }

  private async loadPhoto(job: AnalysisJob, signal: AbortSignal): Promise<Uint8Array> {
    const photo = await retryWhileUnavailable(() => this.ports.store.get(originalKey(job.imageId)), signal);
    if (photo === null) throw new SuturaError('image.unavailable');
    return photo;
  }

  /** Decoding, tensor, model and measuring, in a process of their own. */
  private async runModel(
    { job, cardCorrections, hasTimedOut }: ClaimedJob,
    photo: Uint8Array,
    signal: AbortSignal,
  ): Promise<PhotoAnalysis> {
    const request = {
      photo,
      mmPerPixel: job.mmPerPixel,
      cardCorrections,
      timeoutMs: this.options.timeoutMs,
      alone: job.attempts >= 2 || hasTimedOut,
    };
    for (let kills = 1; ; kills += 1) {
      try {
        return await this.ports.pool.analyse(request, signal);
      } catch (error) {
        const goesOn = error instanceof InferenceFailure && error.fromOutside && kills < KILLS_PER_ATTEMPT;
        if (!goesOn) throw error;
      }
    }
  }

  private async storePictures(job: AnalysisJob, pictures: PhotoAnalysis, signal: AbortSignal): Promise<PictureDigests> {
    const store = async (name: ArtifactName, bytes: Uint8Array, contentType: string): Promise<PictureDigests> => {
      await retryWhileUnavailable(() => this.ports.store.put(artifactKey(job, name), bytes, contentType), signal);
      return { [name]: createHash('sha256').update(bytes).digest('hex') };
    };
    const { mask, tissuePicture } = pictures;
    const stored = await store('mask', mask, MASK_CONTENT_TYPE);
    if (tissuePicture === null) return stored;
    return { ...stored, ...(await store('tissue', tissuePicture.bytes, TISSUE_PICTURE_CONTENT_TYPE)) };
  }

  private assemble(
    job: AnalysisJob,
    { mask: _stored, tissuePicture, ...findings }: PhotoAnalysis,
    timingsMs: Readonly<Record<string, number>>,
  ): WoundResult {
    const { photo, trace } = findings;
    const mask = { contentType: MASK_CONTENT_TYPE, width: photo.widthPx, height: photo.heightPx };
    const overlay = overlayInfo(photo);
    const tissue =
      tissuePicture === null
        ? {}
        : {
            tissue: {
              contentType: TISSUE_PICTURE_CONTENT_TYPE,
              width: tissuePicture.width,
              height: tissuePicture.height,
            },
          };
    // No tissue is confirmed before a clinician has seen the result.
    const push = this.options.pushScore ? pushScore(job.clinicianObservations, null) : null;
    return assembleWoundResult({
      ...findings,
      artifacts: { mask, overlay, ...tissue },
      push,
      region: job.subject?.region,
      isCaptureOfPhoto: job.isCaptureOfPhoto,
      isCameraTimeUnused: job.isCameraTimeUnused,
      trace: { ...trace, timingsMs },
    });
  }

  private conclude(claimed: ClaimedJob, held: HeldLease, error: unknown): Promise<JobOutcome> {
    const { ending, logger } = this.ports;
    if (held.lost) return ending.discard(claimed, held);
    if (error instanceof InferenceCancelled) return ending.handBack(claimed, held);
    if (isSuturaError(error, 'image.unavailable', 'storage.key_missing', 'storage.altered'))
      return ending.fail(claimed, error.code, held);
    if (error instanceof InferenceFailure) {
      if (error.code === 'processing.timeout') return ending.timedOut(claimed, held);
      return error.retryable ? ending.retryOrFail(claimed, error.code, held) : ending.fail(claimed, error.code, held);
    }
    logger.error('job.step_failed', { jobId: claimed.job.id, attempt: claimed.job.attempts }, error);
    return ending.retryOrFail(claimed, 'processing.failed', held);
  }
}

function sum(timingsMs: Readonly<Record<string, number>>): number {
  return Object.values(timingsMs).reduce((total, value) => total + value, 0);
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
