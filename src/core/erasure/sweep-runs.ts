import type { AuditTrail } from '../audit/audit-trail.js';
import type { IdSource } from '../ports/id-source.js';
import type { TenantTransaction, UnitOfWork } from '../ports/unit-of-work.js';
import { tenantOf, type Tenant } from '../tenancy/tenant.js';
import { RETENTION_OPERATOR } from './patient-erasure.js';
import type { BegunRun, Removed, RetentionPolicies, RetentionRun } from './retention-policy.js';

export interface SweepRunsPorts {
  readonly unitOfWork: UnitOfWork;
  readonly policies: RetentionPolicies;
  readonly trail: AuditTrail;
  readonly ids: IdSource;
}

/** A run to which nothing was added for so long has no process any more. */
const INTERRUPTED_AFTER_S = 600;

interface Course {
  readonly run: BegunRun;
  rows: number;
  kept: number;
}

/** What a sweep removes of one kind of one tenant, added up as things go and written into the trail at the end. */
export class SweepRuns {
  private readonly course: Course;

  constructor(
    private readonly ports: SweepRunsPorts,
    private readonly tenant: Tenant,
    sweep: Omit<BegunRun, 'id'>,
  ) {
    this.course = { run: { id: ports.ids.next(), ...sweep }, rows: 0, kept: 0 };
  }

  /** In the transaction in which it goes. */
  async add(transaction: TenantTransaction, removed: Removed): Promise<void> {
    if (removed.rows === 0) return;
    await this.ports.policies.addToRun(transaction, this.course.run, removed);
    transaction.afterCommit(() => (this.course.rows += removed.rows));
  }

  /** Something stays for the next sweep. */
  keep(): void {
    this.course.kept += 1;
  }

  /** How many things went. */
  async end(): Promise<number> {
    const { policies } = this.ports;
    const { run, rows, kept } = this.course;
    if (rows === 0) return 0;
    await noteEnd(this.ports, { ...run, ...this.tenant }, (transaction) => policies.endRun(transaction, run.id, kept));
    return rows;
  }
}

/** Ends the runs of processes that were killed, with what they removed. How many. */
export async function endInterruptedRuns(ports: SweepRunsPorts): Promise<number> {
  const { policies } = ports;
  const runs = await policies.interrupted(INTERRUPTED_AFTER_S);
  for (const run of runs)
    await noteEnd(ports, run, (transaction) => policies.endInterrupted(transaction, run.id, INTERRUPTED_AFTER_S));
  return runs.length;
}

async function noteEnd(
  { unitOfWork, trail }: SweepRunsPorts,
  run: Pick<RetentionRun, 'id' | 'what' | 'before' | keyof Tenant>,
  end: (transaction: TenantTransaction) => Promise<Removed | null>,
): Promise<void> {
  const tenant = tenantOf(run);
  await unitOfWork.inSystem(async (transaction) => {
    const about = transaction.about(tenant);
    const removed = await end(about);
    if (removed === null) return;
    const { name, door } = RETENTION_OPERATOR;
    await trail.record(
      about,
      { ...tenant, keyId: name, scopes: [] },
      {
        door,
        interaction: '$retention',
        action: 'D',
        patients: [],
        resources: [],
        query: `run=${run.id}&what=${run.what}&before=${run.before.toISOString()}&rows=${removed.rows}&bytes=${removed.bytes}`,
      },
    );
  });
}
