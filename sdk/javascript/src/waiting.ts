import { type Connection, drain } from './connection.js';
import { type ErrorFacts, JobFailedError, type SuturaError, WaitTimeoutError } from './errors.js';
import { isJob, jobPath } from './jobs.js';
import type { WaitOptions } from './options.js';
import { factsOf } from './problem.js';
import type { AnalysisJob, EndedJob } from './resources.js';
import { pauseAfterPassing } from './retry.js';
import type { FetchResponse } from './settings.js';
import type { Time } from './time.js';
import type { Watch } from './watch.js';

const DEFAULT_WAIT_MS = 300_000;
const SHORTEST_INTERVAL_MS = 100;
const FIRST_INTERVAL_MS = 1000;
const LONGEST_INTERVAL_MS = 5000;
/** The service holds an answer back for 30 s at most; proxies often cut silence at 30. */
const LONGEST_HOLD_S = 20;
const GRACE_MS = 2000;
const HELD_TOLERANCE_MS = 100;
const NOT_MODIFIED = 304;

/** Asks for one job until it has ended. */
class JobWatch {
  #job: AnalysisJob | null = null;
  #etag: string | null = null;
  #failures = 0;
  /** Of the last look, where it failed. */
  #outage: SuturaError | undefined;
  #growingMs = FIRST_INTERVAL_MS;
  readonly #endMs: number;
  readonly #time: Time;

  constructor(
    private readonly connection: Connection,
    private readonly jobId: string,
    private readonly options: WaitOptions,
  ) {
    this.#time = connection.settings.time;
    this.#endMs = this.#time.now() + (options.timeoutMs ?? DEFAULT_WAIT_MS);
  }

  async untilEnded(): Promise<EndedJob> {
    for (;;) {
      const leftMs = this.#leftMs();
      const pauseMs = await this.#look(leftMs).catch((fault: unknown) => this.#pauseAfter(fault));
      if (this.#job?.status === 'completed' || this.#job?.status === 'error') return this.#job;
      // Only now: the last look is at the very end.
      if (leftMs <= 0) throw this.#overdue();
      if (pauseMs > 0) await this.#time.sleep(Math.max(0, Math.min(pauseMs, this.#leftMs())), this.options.signal);
    }
  }

  #leftMs(): number {
    return this.#endMs - this.#time.now();
  }

  /** Reads the job; how long to pause before the next look. */
  async #look(leftMs: number): Promise<number> {
    const { connection, options } = this;
    const { timeoutMs } = connection.settings;
    // A look that began in time may end a little late, and no later.
    const longestMs = Math.max(0, leftMs) + GRACE_MS;
    const holdS = options.longPoll === false ? 0 : Math.max(0, Math.min(LONGEST_HOLD_S, Math.floor(leftMs / 1000)));
    const headers = {
      ...(holdS > 0 ? { prefer: `wait=${holdS}` } : {}),
      ...(this.#etag === null ? {} : { 'if-none-match': this.#etag }),
    };
    const askedMs = this.#time.now();
    const request = {
      method: 'GET',
      path: jobPath(this.jobId),
      headers,
      accept: [NOT_MODIFIED],
      signal: options.signal,
      timeoutMs: Math.min(timeoutMs + holdS * 1000, longestMs),
    };
    const { retryAfterMs } = await connection.sendOnce(
      request,
      (response, watch) => this.#read(response, watch),
      this.#failures,
    );
    this.#failures = 0;
    this.#outage = undefined;
    if (this.#job !== null) options.onProgress?.({ phase: 'wait', job: this.#job });
    const wasHeld = holdS > 0 && this.#time.now() - askedMs >= holdS * 1000 - HELD_TOLERANCE_MS;
    return wasHeld ? 0 : this.#intervalMs(retryAfterMs);
  }

  async #read(response: FetchResponse, watch: Watch): Promise<ErrorFacts> {
    if (response.status === NOT_MODIFIED) {
      await drain(response);
    } else {
      this.#job = await this.connection.json<AnalysisJob>(isJob)(response, watch);
      this.#etag = response.headers.get('etag');
    }
    return factsOf(response, this.#time.now());
  }

  /** What the caller says, else the service, else about a second and growing. */
  #intervalMs(retryAfterMs: number | undefined): number {
    const given = this.options.intervalMs ?? retryAfterMs;
    // Neither may make this a loop without a pause.
    if (given !== undefined) return Math.max(given, SHORTEST_INTERVAL_MS);
    const intervalMs = this.#growingMs * (0.8 + 0.4 * this.#time.random());
    this.#growingMs = Math.min(LONGEST_INTERVAL_MS, this.#growingMs * 1.5);
    return intervalMs;
  }

  /** An outage does not end the wait, since the job goes on: `maxRetries` is that of one request. A refusal does. */
  #pauseAfter(fault: unknown): number {
    const pauseMs = pauseAfterPassing(fault, this.#failures, this.connection.settings);
    if (pauseMs === null) throw fault;
    const { status, retryAfterMs } = fault as SuturaError;
    // Many waits of one key are told the same moment.
    const spreadMs = status === 429 && retryAfterMs !== undefined ? Math.min(15_000, 500 * 2 ** this.#failures) : 0;
    this.#failures += 1;
    this.#outage = fault as SuturaError;
    return pauseMs + spreadMs * this.#time.random();
  }

  #overdue(): WaitTimeoutError {
    const state = this.#job === null ? 'was not seen' : `is still ${this.#job.status}`;
    return new WaitTimeoutError(
      `The job ${this.jobId} ${state} after ${this.options.timeoutMs ?? DEFAULT_WAIT_MS} ms. It goes on: wait for it again, or with a longer timeoutMs.${this.#outage === undefined ? '' : ` The last look failed: ${this.#outage.message}`}`,
      this.#job,
    );
  }
}

/** WaitTimeoutError after `timeoutMs`, JobFailedError where the job ended in error. */
export async function waitForJob(connection: Connection, jobId: string, options: WaitOptions): Promise<EndedJob> {
  const job = await new JobWatch(connection, jobId, options).untilEnded();
  if (job.status === 'error' && options.throwOnError !== false) throw new JobFailedError(job);
  return job;
}
