import { Injectable } from '@nestjs/common';
import type { JobError } from '../../core/analysis/analysis-job.js';
import type { JobSweep } from '../../core/analysis/job.repository.js';
import { Outbox } from '../../core/domain-events/outbox.js';
import { UnitOfWork, type Transaction, type SystemTransaction } from '../../core/ports/unit-of-work.js';
import type { Environment } from '../../core/tenancy/tenant.js';
import { JOB_ENDED_CHANNEL } from '../../platform/database/notification-listener.js';
import { toJsonb } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';
import { purgeExpiredIdempotencyKeys } from '../events/sql-idempotency.ledger.js';

/** The advisory lock of a sweep; any number, but the same in every release. */
const SWEEP_LOCK = 7_305_002;
/** Most jobs of one sweep, which keeps it short; the next continues. */
const LIMIT = 500;

interface SweptRow {
  readonly id: string;
  readonly organization_id: string;
  readonly environment: Environment;
  readonly ended: boolean;
}

/** $1: attempts allowed, $2: the error of a job that has used them. */
const SWEEP = (found: string): string => `with lost as (${found} limit ${LIMIT} for update skip locked)
  update analysis_jobs job set
      status = case when attempts >= $1 then 'error' else 'queued' end,
      error = case when attempts >= $1 then $2::jsonb end,
      completed_at = case when attempts >= $1 then sutura_now() end,
      lease_token = null, lease_until = null
    from lost where job.id = lost.id
    returning job.id, organization_id, environment, status = 'error' as ended`;
const SWEEP_LOST = SWEEP(
  `select id from analysis_jobs where status = 'processing' and lease_until < (select sutura_now()) order by lease_until`,
);
// A worker may have given a job back at its last attempt, so that no other can take it.
const SWEEP_EXHAUSTED = SWEEP(`select id from analysis_jobs where status = 'queued' and attempts >= $1`);

/** created_at comes from the clock of the creating process, which may run ahead and must not hide its jobs. */
const WAITING = `select id from analysis_jobs
  where status = 'queued' and (not_before is null or not_before <= (select sutura_now())) and abs(extract(epoch from sutura_now() - created_at)) > $1
  order by priority desc, created_at, id limit ${LIMIT}`;

/** Finds jobs that lost their worker or their wake-up. */
@Injectable()
export class SqlJobSweep {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
  ) {}

  /** As JobRepository.sweep; also removes expired idempotency keys. */
  sweep(olderThanS: number, maxAttempts: number, abandoned: JobError): Promise<JobSweep> {
    return this.unitOfWork.inSystem(async (transaction) => {
      if (!(await this.holdsTheBroom(transaction))) return { waitingJobIds: [], abandonedJobIds: [] };
      const statements = statementsOf(transaction);
      const lost = await statements.run<SweptRow>(SWEEP_LOST, [maxAttempts, toJsonb(abandoned)]);
      const exhausted = await statements.run<SweptRow>(SWEEP_EXHAUSTED, [maxAttempts, toJsonb(abandoned)]);
      const ended = [...lost.rows, ...exhausted.rows].filter((row) => row.ended);
      for (const row of ended) await this.publishEnd(transaction, row);
      const waiting = await statements.run<{ id: string }>(WAITING, [olderThanS]);
      await purgeExpiredIdempotencyKeys(transaction);
      const returned = lost.rows.filter((row) => !row.ended);
      const waitingJobIds = [...new Set([...returned, ...waiting.rows].map(({ id }) => id))];
      return { waitingJobIds, abandonedJobIds: ended.map(({ id }) => id) };
    });
  }

  private async holdsTheBroom(transaction: Transaction): Promise<boolean> {
    const { rows } = await statementsOf(transaction).run<{ held: boolean }>(
      'select pg_try_advisory_xact_lock($1) as held',
      [SWEEP_LOCK],
    );
    return rows[0]?.held === true;
  }

  private async publishEnd(transaction: SystemTransaction, row: SweptRow): Promise<void> {
    const tenant = { organizationId: row.organization_id, environment: row.environment };
    await this.outbox.append(transaction.about(tenant), { kind: 'analysis.failed', subjectId: row.id });
    await statementsOf(transaction).run('select pg_notify($1, $2)', [JOB_ENDED_CHANNEL, row.id]);
  }
}
