import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { isTerminal, type AnalysisJob } from '../../../core/analysis/analysis-job.js';
import { AnalysisService } from '../../../core/analysis/analysis.service.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { JOB_ENDED_CHANNEL, NotificationListener } from '../../../platform/database/notification-listener.js';

/** A notification may be lost while its connection comes back, so the job is read again after this long in any case. */
const REREAD_MS = 1000;

type WakeUp = () => void;

/** Holds readers back until their job ends. */
@Injectable()
export class JobWaiter implements OnModuleInit, OnModuleDestroy {
  private readonly waiting = new Map<string, Set<WakeUp>>();
  private readonly stopping = new AbortController();
  private unsubscribe: () => void = () => undefined;

  constructor(
    private readonly analysis: AnalysisService,
    private readonly notifications: NotificationListener,
  ) {}

  onModuleInit(): void {
    this.unsubscribe = this.notifications.on(JOB_ENDED_CHANNEL, (jobId) =>
      this.waiting.get(jobId)?.forEach((wakeUp) => wakeUp()),
    );
  }

  /** A graceful stop answers everybody who waits with what is known. */
  onModuleDestroy(): void {
    this.unsubscribe();
    this.stopping.abort();
  }

  /**
   * The job as soon as it has ended, or as it stands after `waitMs`, when `gone` is aborted or when the service stops.
   * `job.not_found` at once.
   */
  async read(tenant: Tenant, jobId: string, waitMs: number, gone: AbortSignal): Promise<AnalysisJob> {
    const end = performance.now() + waitMs;
    for (;;) {
      const woken = this.wakeUpFor(jobId);
      try {
        const job = await this.analysis.get(tenant, jobId);
        const leftMs = end - performance.now();
        if (isTerminal(job.status) || leftMs <= 0 || gone.aborted || this.stopping.signal.aborted) return job;
        await woken.after(Math.min(leftMs, REREAD_MS), AbortSignal.any([gone, this.stopping.signal]));
      } finally {
        woken.forget();
      }
    }
  }

  /** Listens from before the read, so that an end between read and wait is not missed. */
  private wakeUpFor(jobId: string): { after(ms: number, abort: AbortSignal): Promise<void>; forget(): void } {
    let wakeUp: WakeUp = () => undefined;
    const woken = new Promise<void>((resolve) => (wakeUp = resolve));
    const others = this.waiting.get(jobId) ?? new Set();
    this.waiting.set(jobId, others.add(wakeUp));
    const after = async (ms: number, abort: AbortSignal): Promise<void> => {
      const timer = setTimeout(wakeUp, ms);
      abort.addEventListener('abort', wakeUp, { once: true });
      await woken;
      clearTimeout(timer);
      abort.removeEventListener('abort', wakeUp);
    };
    const forget = (): void => {
      others.delete(wakeUp);
      if (others.size === 0) this.waiting.delete(jobId);
    };
    return { after, forget };
  }
}
