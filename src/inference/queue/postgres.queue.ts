import type { JobPriority } from '../../core/analysis/analysis-job.js';
import { InferenceQueue } from '../../core/analysis/inference-queue.js';
import { WORK_CHANNEL } from '../../platform/database/notification-listener.js';
import type { Statements } from '../../platform/database/statements.js';

/**
 * Wakes workers by a PostgreSQL notification. Notifications that arise while one is in flight share the next: workers look for all waiting jobs anyway, so that a burst costs two round trips. A job that a worker of this process takes at once is not announced.
 */
export class PostgresQueue extends InferenceQueue {
  override readonly ordersByPriority = false;
  private sending: Promise<void> | undefined;
  private following: Promise<void> | undefined;

  constructor(private readonly statements: Statements) {
    super();
  }

  /** `service.unavailable` while the database is unavailable. */
  override enqueue({
    jobId,
  }: {
    readonly jobId: string;
    readonly priority: JobPriority;
    readonly attempt: number;
  }): Promise<void> {
    if (this.isTakenHere(jobId)) return Promise.resolve();
    return this.tell(jobId);
  }

  private tell(jobId: string): Promise<void> {
    if (this.sending === undefined) {
      this.sending = this.notify(jobId).finally(() => {
        this.sending = undefined;
      });
      return this.sending;
    }
    const before = this.sending.catch(() => undefined);
    this.following ??= before.then(() => {
      this.following = undefined;
      return this.tell(jobId);
    });
    return this.following;
  }

  private async notify(jobId: string): Promise<void> {
    await this.statements.run('select pg_notify($1, $2)', [WORK_CHANNEL, jobId]);
  }
}
