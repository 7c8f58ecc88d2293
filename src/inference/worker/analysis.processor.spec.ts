import { createHash } from 'node:crypto';
import { register } from 'prom-client';
import type { AnalysisJob, ClaimedJob, JobError } from '../../core/analysis/analysis-job.js';
import type { PictureDigests, WoundResult } from '../../core/measurement/wound-result.js';
import { clientScale } from '../../core/measurement/plane-scale.js';
import { SuturaError } from '../../core/errors/sutura-error.js';
import type { ObjectStore } from '../../core/images/object-store.js';
import { Logger } from '../../platform/logging/logger.js';
import { InferenceMetrics } from './inference-metrics.js';
import type { PhotoAnalysis } from '../model/photo-analyser.js';
import { AnalysisProcessor } from './analysis.processor.js';
import { InferenceCancelled, InferenceFailure } from './inference-failure.js';
import type { TimeoutFigures } from '../../core/analysis/timeout-policy.js';
import type { PoolRequest } from './inference-pool.js';
import type { JobCompletion } from '../../core/report/job-completion.js';
import { JobEnding } from './job-ending.js';
import type { HeldLease } from './lease-keeper.js';

const CREATED = new Date('2026-01-02T03:04:05Z');

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function claimed(changes: Partial<AnalysisJob> = {}): ClaimedJob {
  const job: AnalysisJob = {
    id: 'job',
    reportId: 'report',
    organizationId: 'organization',
    environment: 'test',
    patientId: null,
    imageId: 'image',
    clinicalContext: null,
    subject: null,
    capturedAt: CREATED,
    mmPerPixel: 0.5,
    clinicianObservations: null,
    priority: 'routine',
    metadata: null,
    source: 'rest',
    status: 'processing',
    attempts: 1,
    createdAt: CREATED,
    startedAt: new Date(CREATED.getTime() + 250),
    completedAt: null,
    result: null,
    error: null,
    ...changes,
  };
  return {
    lease: { jobId: job.id, token: 'token' },
    job,
    cardCorrections: {},
    resultPolicy: 'review',
    hasTimedOut: false,
    othersWait: false,
  };
}

const ANALYSIS: PhotoAnalysis = {
  photo: { widthPx: 640, heightPx: 480 },
  wounds: [],
  setAside: [],
  confidence: 0.9,
  figures: { sharpness: 0.5, exposure: 55, highlight: 80, darkShare: 0, clippedShare: 0, glareShare: 0 },
  scale: { scale: clientScale(0.5), marker: null, mismatch: false },
  unfamiliar: false,
  familiarity: null,
  mask: new Uint8Array([1, 2, 3]),
  tissuePicture: null,
  trace: {
    models: [],
    executionProvider: 'cpu',
    preprocessing: { inputWidth: 512, inputHeight: 512, resize: 'letterbox', colorSpace: 'srgb', crop: null },
    thresholds: { probability: 0.5, minAreaShare: 0, novelty: null },
    cardBarMm: null,
    areaRepeatabilityPct: null,
    timingsMs: { decodeMs: 1, inferenceMs: 2, measureMs: 3, maskMs: 4 },
  },
};

interface World {
  photo?: () => Promise<Uint8Array | null>;
  analyse?: (request: PoolRequest) => Promise<PhotoAnalysis>;
  put?: () => Promise<void>;
  /** Whether the lease is still ours when something is written. */
  ours?: boolean;
  /** How often the job has timed out with this time. */
  timeouts?: TimeoutFigures;
  pushScore?: boolean;
}

function setUp({
  photo = () => Promise.resolve(new Uint8Array(1)),
  analyse = () => Promise.resolve(ANALYSIS),
  put,
  ours = true,
  timeouts = { all: 1, own: 0 },
  pushScore = false,
}: World = {}) {
  const did: {
    completed?: WoundResult;
    digests?: PictureDigests;
    failed?: JobError;
    released?: boolean;
    releasedForS?: number;
    postponedS?: number;
    givenBack: number;
    woken: number;
    puts: string[];
    requests: PoolRequest[];
  } = {
    givenBack: 0,
    woken: 0,
    puts: [],
    requests: [],
  };
  const completion = {
    complete: (_: ClaimedJob, result: WoundResult, digests: PictureDigests) => {
      Object.assign(did, { completed: result, digests });
      return Promise.resolve(ours);
    },
  } as unknown as JobCompletion;
  const jobs = {
    fail: (_: unknown, error: JobError) => ((did.failed = error), Promise.resolve(ours)),
    release: (_: unknown, { counted, afterS } = { counted: true, afterS: 0 }) => (
      (did.released = counted),
      (did.releasedForS = afterS),
      Promise.resolve(ours)
    ),
    countTimeout: () => Promise.resolve(ours ? timeouts : null),
    postpone: (_: unknown, delayS: number) => ((did.postponedS = delayS), Promise.resolve(ours)),
    giveBackAttempt: () => ((did.givenBack += 1), Promise.resolve()),
  };
  const queue = { enqueue: () => ((did.woken += 1), Promise.resolve()) };
  const store = {
    get: photo,
    put: (key: string) => (did.puts.push(key), put?.() ?? Promise.resolve()),
  } as unknown as ObjectStore;
  const pool = { analyse: (request: PoolRequest) => (did.requests.push(request), analyse(request)) };
  const logger = Logger.create('silent');
  const ending = new JobEnding({ completion, jobs, queue, metrics: new InferenceMetrics(), logger });
  return {
    processor: new AnalysisProcessor({ store, pool, ending, logger }, { timeoutMs: 60_000, pushScore }),
    did,
  };
}

function hold(lost = false, wasUnreachable = false): HeldLease & { raise: () => void } {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    lost,
    wasUnreachable,
    giveUp: () => controller.abort(),
    stop: () => undefined,
    raise: () => controller.abort(),
  };
}

async function staleFinishes(): Promise<number> {
  return (await register.getSingleMetric('sutura_stale_finish_total')!.get()).values[0]?.value ?? 0;
}

async function jobsEnded(outcome: string): Promise<number> {
  const { values } = await register.getSingleMetric('sutura_worker_jobs_total')!.get();
  return values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
}

describe('AnalysisProcessor', () => {
  it('counts a failure as of the sandbox where it was asked for, and where it came by itself as one', async () => {
    const asked = setUp();
    const before = [await jobsEnded('sandbox'), await jobsEnded('failed')];
    await asked.processor.process(claimed({ sandbox: 'job_failed' }), hold());
    const gone = setUp({ photo: () => Promise.resolve(null) });
    await gone.processor.process(claimed({ sandbox: 'slow:1s' }), hold());
    expect([await jobsEnded('sandbox'), await jobsEnded('failed')]).toEqual(before.map((count) => count + 1));
  });

  it('ends a job whose photo is gone, without another attempt [F37]', async () => {
    const { processor, did } = setUp({ photo: () => Promise.resolve(null) });
    expect(await processor.process(claimed(), hold())).toBe('failed');
    expect(did.failed).toMatchObject({ code: 'image.unavailable', retryable: false });
    expect(did.requests).toEqual([]);
  });

  it('ends a job whose model output is not valid, without another attempt', async () => {
    const { processor, did } = setUp({
      analyse: () => Promise.reject(new InferenceFailure('model.output_invalid', false)),
    });
    expect(await processor.process(claimed(), hold())).toBe('failed');
    expect(did.failed).toMatchObject({ code: 'model.output_invalid', retryable: false });
  });

  it('adds PUSH sub-scores only where the operator turned them on, and from the clinician’s words alone', async () => {
    const job = claimed({ clinicianObservations: { lengthCm: 3, widthCm: 2, exudate: 'light' } });
    const [off, on] = [setUp(), setUp({ pushScore: true })];
    await off.processor.process(job, hold());
    await on.processor.process(job, hold());
    expect(off.did.completed?.scores).toBeNull();
    expect(on.did.completed?.scores).toEqual({
      push: { area: 7, tissue: null, exudate: 1, total: null, missing: ['tissue'] },
    });
  });

  it('hands over what the tenant measured on its printed cards', async () => {
    const { processor, did } = setUp();
    await processor.process({ ...claimed(), cardCorrections: { a4: 98.5 } }, hold());
    expect(did.requests).toMatchObject([{ cardCorrections: { a4: 98.5 } }]);
  });

  it('gives a job back to the queue when its process died, to be tried again after a while', async () => {
    const { processor, did } = setUp({
      analyse: () => Promise.reject(new InferenceFailure('processing.failed', true)),
    });
    expect(await processor.process(claimed({ attempts: 2 }), hold())).toBe('requeued');
    expect(did).toMatchObject({ released: true, releasedForS: 10, woken: 0 });
    expect(did.failed).toBeUndefined();
  });

  it('goes on within the attempt when its process was killed from outside, but not for ever', async () => {
    let kills = 2;
    const killed = () => Promise.reject(new InferenceFailure('processing.failed', true, true));
    const { processor, did } = setUp({ analyse: () => ((kills -= 1) >= 0 ? killed() : Promise.resolve(ANALYSIS)) });
    expect(await processor.process(claimed(), hold())).toBe('completed');
    expect(did.requests).toHaveLength(3);
    const unlucky = setUp({ analyse: killed });
    expect(await unlucky.processor.process(claimed(), hold())).toBe('requeued');
    expect(unlucky.did.requests).toHaveLength(3);
  });

  it('ends a job whose process died in its last attempt', async () => {
    const died = () => Promise.reject(new InferenceFailure('processing.failed', true));
    const { processor, did } = setUp({ analyse: died });
    expect(await processor.process(claimed({ attempts: 3 }), hold())).toBe('failed');
    expect(did.failed).toMatchObject({ code: 'processing.failed', retryable: false });
    expect(did.released).toBeUndefined();
  });

  const tooSlow = () => Promise.reject(new InferenceFailure('processing.timeout', true));

  it('lets a job that timed out wait, however often that was, and counts no attempt', async () => {
    const { processor, did } = setUp({ analyse: tooSlow, timeouts: { all: 40, own: 2 } });
    expect(await processor.process(claimed({ attempts: 3 }), hold())).toBe('requeued');
    expect(did).toMatchObject({ postponedS: 300, woken: 0 });
    expect([did.failed, did.released]).toEqual([undefined, undefined]);
  });

  it('ends a job that timed out often enough while others ended well; a new one may succeed', async () => {
    const { processor, did } = setUp({ analyse: tooSlow, timeouts: { all: 3, own: 3 } });
    expect(await processor.process(claimed(), hold())).toBe('failed');
    expect(did.failed).toMatchObject({ code: 'processing.timeout', retryable: true });
  });

  it('throws a time-out away when the lease passed on', async () => {
    const { processor, did } = setUp({ analyse: tooSlow, ours: false });
    expect(await processor.process(claimed(), hold())).toBe('discarded');
    expect([did.failed, did.postponedS]).toEqual([undefined, undefined]);
  });

  it('gives the attempt back where the lease was lost because the database was away, and only there', async () => {
    const cancelled = () => Promise.reject(new InferenceCancelled());
    const [away, frozen] = [setUp({ analyse: cancelled }), setUp({ analyse: cancelled })];
    await away.processor.process(claimed(), hold(true, true));
    await frozen.processor.process(claimed(), hold(true, false));
    expect([away.did.givenBack, frozen.did.givenBack]).toEqual([1, 0]);
  });

  it('tries an unforeseen fault again and ends the job only after its last attempt', async () => {
    const fault = () => Promise.reject(new TypeError('a bug'));
    expect(await setUp({ photo: fault }).processor.process(claimed(), hold())).toBe('requeued');
    expect(await setUp({ photo: fault }).processor.process(claimed({ attempts: 3 }), hold())).toBe('failed');
  });

  it('waits out a store that is away or full, and blames no photo for it', async () => {
    const faults = [new SuturaError('service.unavailable'), new SuturaError('service.storage_full')];
    const fault = () => {
      const next = faults.shift();
      return next === undefined ? Promise.resolve() : Promise.reject(next);
    };
    const { processor, did } = setUp({ photo: () => fault().then(() => new Uint8Array(1)), put: fault });
    expect(await processor.process(claimed(), hold())).toBe('completed');
    expect(did.failed).toBeUndefined();
  });

  it('gives the job and its attempt back when the worker stops while the store is away', async () => {
    const held = hold();
    const { processor, did } = setUp({
      photo: () => {
        held.raise();
        return Promise.reject(new SuturaError('service.unavailable'));
      },
    });
    expect(await processor.process(claimed(), held)).toBe('requeued');
    expect(did.released).toBe(false);
  });

  it('throws away what it computed when the lease passed on, and counts that once [F5]', async () => {
    const before = await staleFinishes();
    const late = setUp({ ours: false });
    expect(await late.processor.process(claimed(), hold())).toBe('discarded');
    expect(await staleFinishes()).toBe(before + 1);
    const lost = setUp({ analyse: () => Promise.reject(new InferenceCancelled()) });
    expect(await lost.processor.process(claimed(), hold(true))).toBe('discarded');
    expect([lost.did.failed, lost.did.released]).toEqual([undefined, undefined]);
    expect(await staleFinishes()).toBe(before + 2);
  });

  it('runs a second attempt alone in its process, and so one after a time-out', async () => {
    const { processor, did } = setUp();
    await processor.process(claimed({ attempts: 1 }), hold());
    await processor.process(claimed({ attempts: 2 }), hold());
    await processor.process({ ...claimed({ attempts: 1 }), hasTimedOut: true }, hold());
    expect(did.requests.map(({ alone }) => alone)).toEqual([false, true, true]);
  });

  it('stores the tissue map beside the mask, where there is one', async () => {
    const tissuePicture = { bytes: new Uint8Array([7]), width: 320, height: 240 };
    const { processor, did } = setUp({ analyse: () => Promise.resolve({ ...ANALYSIS, tissuePicture }) });
    expect(await processor.process(claimed(), hold())).toBe('completed');
    expect(did.puts).toEqual(['images/image/mask-job', 'images/image/tissue-job']);
    expect(did.completed!.artifacts.tissue).toEqual({ contentType: 'image/png', width: 320, height: 240 });
    expect(did.digests).toEqual({ mask: sha256(ANALYSIS.mask), tissue: sha256(tissuePicture.bytes) });
  });

  it('stores the mask before it completes the job with the result and its timings', async () => {
    const { processor, did } = setUp();
    expect(await processor.process(claimed(), hold())).toBe('completed');
    expect(did.puts).toEqual(['images/image/mask-job']);
    expect(did.completed).toMatchObject({
      woundDetected: false,
      scale: { source: 'client', mmPerPixel: 0.5 },
      artifacts: {
        mask: { contentType: 'image/png', width: 640, height: 480 },
        overlay: { contentType: 'image/jpeg', width: 640, height: 480 },
      },
    });
    const timings = did.completed!.trace.timingsMs;
    expect(Object.keys(timings)).toEqual([
      'queueMs',
      'loadMs',
      'waitMs',
      'decodeMs',
      'inferenceMs',
      'measureMs',
      'maskMs',
      'storeMs',
    ]);
    expect(timings['queueMs']).toBe(250);
  });
});
