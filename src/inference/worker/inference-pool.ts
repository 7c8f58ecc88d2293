import type { Logger } from '../../platform/logging/logger.js';
import type { ChildEnd, InferenceMetrics } from './inference-metrics.js';
import type { EngineEvent } from '../model/engine-failure.js';
import type { ChildReady, ChildSettings } from '../model/child-protocol.js';
import type { PhotoAnalysis } from '../model/photo-analyser.js';
import { InferenceCancelled } from './inference-failure.js';
import { InferenceProcess, type PhotoRequest, type ProcessOptions } from './inference-process.js';

/** ONNX Runtime and glibc keep a little of every picture (microsoft/onnxruntime #25325, lovell/sharp #955). */
const RECYCLE_AFTER_IMAGES = 2000;
const FIRST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 10_000;

export interface PoolOptions extends ProcessOptions {
  readonly processes: number;
  readonly recycleAfterImages?: number;
}

export interface PoolRequest extends PhotoRequest {
  /** No other photo shares the process, since this one may crash it. */
  readonly alone: boolean;
}

interface Waiting {
  readonly request: PoolRequest;
  readonly signal: AbortSignal;
  readonly resolve: (analysis: PhotoAnalysis) => void;
  readonly reject: (error: unknown) => void;
  readonly withdraw: () => void;
}

/** Keeps inference processes alive and hands them photos, first come, first served. */
export class InferencePool {
  private readonly members = new Set<InferenceProcess>();
  private readonly waiting: Waiting[] = [];
  private readonly exclusive = new Set<InferenceProcess>();
  private readonly restarts = new Set<NodeJS.Timeout>();
  private readonly listeners: (() => void)[] = [];
  private child: ChildSettings;
  private backoffMs = 0;
  private announced: string | undefined;
  private stopping = false;

  constructor(
    private readonly options: PoolOptions,
    private readonly metrics: InferenceMetrics,
    private readonly logger: Logger,
  ) {
    this.child = options.child;
  }

  /** Starts the processes that are still missing. */
  start(): void {
    while (this.members.size + this.restarts.size < this.options.processes) this.spawn();
  }

  /** Starts one process, while the application itself still starts and needs the processor; `start` adds the others. */
  startFirst(): void {
    this.spawn();
  }

  /** True once a process has loaded the model and warmed it up, and while an inference server can be used where it needs one. */
  isReady(): boolean {
    return this.slots > 0;
  }

  /** Photos that are computed at once at this moment. */
  get slots(): number {
    return [...this.members].reduce((sum, member) => sum + member.slots, 0);
  }

  /** Photos that are being computed. */
  get busy(): number {
    return [...this.members].reduce((sum, member) => sum + member.busy, 0);
  }

  /** Called whenever a process becomes ready, or has its inference servers back. */
  onReady(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Rejects with InferenceFailure, or with InferenceCancelled when the signal was raised. */
  analyse(request: PoolRequest, signal: AbortSignal): Promise<PhotoAnalysis> {
    if (signal.aborted || this.stopping) return Promise.reject(new InferenceCancelled());
    return new Promise<PhotoAnalysis>((resolve, reject) => {
      const entry: Waiting = { request, signal, resolve, reject, withdraw: () => this.withdraw(entry) };
      this.waiting.push(entry);
      signal.addEventListener('abort', entry.withdraw, { once: true });
      this.dispatch();
    });
  }

  /** Ends every process at once; resolves when they are gone. What waits or runs is rejected. */
  async stop(): Promise<void> {
    this.stopping = true;
    for (const timer of this.restarts) clearTimeout(timer);
    for (const entry of this.waiting.splice(0)) entry.reject(new InferenceCancelled());
    for (const member of this.members) member.kill('stopped');
    await Promise.all([...this.members].map((member) => member.exited));
  }

  private withdraw(entry: Waiting): void {
    const place = this.waiting.indexOf(entry);
    if (place < 0) return;
    this.waiting.splice(place, 1);
    entry.reject(new InferenceCancelled());
  }

  private dispatch(): void {
    for (let next = this.waiting[0]; next !== undefined; next = this.waiting[0]) {
      const member = this.freeMember(next.request.alone);
      if (member === undefined) return;
      this.waiting.shift();
      this.hand(next, member);
    }
  }

  private freeMember(alone: boolean): InferenceProcess | undefined {
    const room = (member: InferenceProcess) =>
      alone ? member.slots > 0 && member.busy === 0 : member.busy < member.slots;
    const fits = (member: InferenceProcess) => room(member) && !this.exclusive.has(member) && !this.isWorn(member);
    return [...this.members].filter(fits).sort((a, b) => a.busy - b.busy)[0];
  }

  private hand({ request, signal, resolve, reject, withdraw }: Waiting, member: InferenceProcess): void {
    signal.removeEventListener('abort', withdraw);
    if (request.alone) this.exclusive.add(member);
    member
      .analyse(request, signal)
      .then((analysis) => {
        this.backoffMs = 0;
        resolve(analysis);
      }, reject)
      .finally(() => {
        if (request.alone) this.exclusive.delete(member);
        if (this.isWorn(member) && member.busy === 0) member.kill('recycled');
        this.dispatch();
      });
  }

  private isWorn(member: InferenceProcess): boolean {
    return member.served >= (this.options.recycleAfterImages ?? RECYCLE_AFTER_IMAGES);
  }

  private spawn(): void {
    const member: InferenceProcess = new InferenceProcess(
      { ...this.options, child: this.child },
      {
        ready: (facts) => this.welcome(member, facts),
        engine: (event) => this.hearOfEngine(member, event),
        unusable: (reason) => this.logger.error('model.unusable', { reason }),
        ended: (reason) => this.replace(member, reason),
      },
    );
    this.members.add(member);
  }

  private welcome(member: InferenceProcess, facts: ChildReady): void {
    const { provider, refusedProviders, chosen } = facts;
    if (this.announced !== provider) {
      this.announced = provider;
      this.logger.info('model.provider_chosen', { provider, refusedProviders, ...chosen });
    }
    // A model that is copied in later waits for the next start, so that all processes run the same one.
    this.child = { ...this.child, ...chosen };
    this.logger.info('inference_process.ready', { pid: member.pid ?? 0, provider });
    this.dispatch();
    for (const listener of this.listeners) listener();
  }

  /** While no server can be used, what waits goes back to the database, where a worker with another server may take it. */
  private hearOfEngine(member: InferenceProcess, event: EngineEvent): void {
    const pid = member.pid ?? 0;
    if (event.what === 'failed') {
      const { server, reason, detail } = event;
      this.metrics.engineFailed(reason);
      return this.logger.warn('inference_engine.failed', { pid, server, reason, detail });
    }
    if (event.what === 'away') {
      this.logger.error('inference_engine.away', { pid });
      if (this.slots === 0) for (const entry of [...this.waiting]) this.withdraw(entry);
      return;
    }
    this.logger.info('inference_engine.back', { pid });
    this.dispatch();
    for (const listener of this.listeners) listener();
  }

  private replace(member: InferenceProcess, reason: ChildEnd): void {
    this.members.delete(member);
    this.exclusive.delete(member);
    if (this.stopping) return;
    this.metrics.childEnded(reason);
    this.logger.warn('inference_process.ended', { pid: member.pid ?? 0, reason });
    if (this.backoffMs === 0 || reason === 'recycled' || reason === 'cancelled') this.spawn();
    else this.spawnLater();
    if (reason !== 'recycled' && reason !== 'cancelled')
      this.backoffMs = Math.min(LONGEST_BACKOFF_MS, Math.max(FIRST_BACKOFF_MS, this.backoffMs * 2));
  }

  private spawnLater(): void {
    const timer = setTimeout(() => {
      this.restarts.delete(timer);
      this.spawn();
    }, this.backoffMs);
    this.restarts.add(timer);
  }
}
