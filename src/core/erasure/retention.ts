import type { AuditArchives } from '../audit/audit-archive.js';
import type { AuditLog } from '../audit/audit-log.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { ErrorCode } from '../errors/catalogue.js';
import { isSuturaError } from '../errors/sutura-error.js';
import type { ClinicalClock } from '../ports/clinical-clock.js';
import type { Clock } from '../ports/clock.js';
import type { IdSource } from '../ports/id-source.js';
import type { UnitOfWork } from '../ports/unit-of-work.js';
import { ENVIRONMENTS, tenantOf, type Tenant } from '../tenancy/tenant.js';
import type { ImageErasure } from './image-erasure.js';
import { RETENTION_OPERATOR, type PatientErasure } from './patient-erasure.js';
import type { ErasedRows } from './patient-record.js';
import { REAL_TIME } from '../times/clinical-timeline.js';
import type {
  OverdueAge,
  OverdueKind,
  OverdueRecord,
  Removed,
  RetainedKind,
  RetainedMessages,
  RetainedVersions,
  RetentionPolicies,
  RetentionPolicy,
} from './retention-policy.js';
import { endInterruptedRuns, SweepRuns } from './sweep-runs.js';
import type { UnnamedResults } from './unnamed-results.js';

export interface RetentionPorts {
  readonly unitOfWork: UnitOfWork;
  readonly policies: RetentionPolicies;
  readonly images: ImageErasure;
  readonly patients: PatientErasure;
  readonly unnamed: UnnamedResults;
  readonly messages: RetainedMessages;
  readonly versions: RetainedVersions;
  readonly archives: Pick<AuditArchives, 'sweep'>;
  readonly trail: AuditTrail;
  readonly audit: AuditLog;
  readonly clinicalClock: ClinicalClock;
  readonly clock: Clock;
  readonly ids: IdSource;
}

const DAY_MS = 86_400_000;
const AT_ONCE = 50;
/** Refusals after which the next sweep finds it again. */
const LEFT: readonly ErrorCode[] = [
  'image.in_use',
  'image.not_found',
  'job.not_found',
  'patient.in_use',
  'patient.not_found',
  'patient.on_hold',
  'hl7.sealed',
];

/**
 * Deletes what exceeds the retention of its organization, each item by its own erasure, so that the next sweep continues after an interruption. What was removed is counted as it goes (SweepRuns), and a sealed row of the audit trail.
 */
export class Retention {
  constructor(private readonly ports: RetentionPorts) {}

  /** How many were removed. What fails in one organization, or with one thing, keeps no other: the first fault is thrown when all had their turn. */
  async sweep(): Promise<number> {
    const faults: unknown[] = [];
    let removed = 0;
    const ended = await endInterruptedRuns(this.ports).catch((error: unknown) => {
      faults.push(error);
      return 0;
    });
    for (const policy of await this.ports.policies.list())
      for (const [kind, days] of timesOf(policy)) {
        if (days === null) continue;
        for (const environment of ENVIRONMENTS)
          try {
            removed += await this.sweepKind({ organizationId: policy.organizationId, environment }, kind, days, faults);
          } catch (error) {
            faults.push(error);
          }
      }
    if (removed + ended > 0) await this.ports.audit.seal();
    if (faults.length > 0) throw faults[0];
    return removed;
  }

  private async sweepKind(tenant: Tenant, kind: RetainedKind, days: number, faults: unknown[]): Promise<number> {
    const beganAt = this.ports.clock.now();
    const age = await this.ageOf(tenant, kind, beganAt, days);
    const { before } = age;
    const runs = new SweepRuns(this.ports, tenant, { what: kind, before, beganAt });
    try {
      if (kind === 'messages' || kind === 'versions') await this.atOnce(this.ports[kind], tenant, before, runs);
      else if (kind === 'audit') await this.audit(tenant, before, runs);
      else await this.each(kind, tenant, age, runs, faults);
    } catch (error) {
      // Also records what was deleted before a fault.
      faults.push(error);
    }
    return runs.end();
  }

  /** By the clock of the environment, that of its test environment where it was moved; the trail is as old as it is. */
  private async ageOf(tenant: Tenant, kind: RetainedKind, now: Date, days: number): Promise<OverdueAge> {
    const timeline = kind === 'audit' ? REAL_TIME : await this.ports.clinicalClock.timelineOf(tenant);
    const issuedBefore = new Date(now.getTime() + timeline.aheadMs - days * DAY_MS);
    return { before: timeline.realOf(issuedBefore), issuedBefore };
  }

  /** Rows do not go before the archive that they lie in then. */
  private async audit(tenant: Tenant, before: Date, runs: SweepRuns): Promise<void> {
    const archived = await this.ports.archives.sweep(tenant, before);
    await this.ports.unitOfWork.inSystem((transaction) => runs.add(transaction.about(tenant), archived));
  }

  private async erase(kind: OverdueKind, { id, bytes, ...owned }: OverdueRecord, runs: SweepRuns): Promise<void> {
    const { images, patients, unnamed, trail, unitOfWork } = this.ports;
    const tenant = tenantOf(owned);
    if (kind === 'unnamed') {
      await unnamed.erase(RETENTION_OPERATOR, tenant, id, (about, counts) => runs.add(about, oneOf(counts)));
    } else if (kind === 'records') {
      const { state, counts } = await patients.erase(RETENTION_OPERATOR, { tenant, patient: id, isId: true });
      // Removed once it is no longer in use.
      if (state !== 'done') return runs.keep();
      await unitOfWork.inSystem((transaction) => runs.add(transaction.about(tenant), oneOf(counts)));
    } else {
      await images.erase(tenant, id, async (transaction) => {
        const { name, door } = RETENTION_OPERATOR;
        await trail.record(
          transaction,
          { ...tenant, keyId: name, scopes: [] },
          { door, interaction: 'delete', action: 'D', patients: [], resources: [`Media/${id}`] },
        );
        await runs.add(transaction, { rows: 1, bytes });
      });
    }
  }

  private async each(
    kind: OverdueKind,
    tenant: Tenant,
    age: OverdueAge,
    runs: SweepRuns,
    faults: unknown[],
  ): Promise<void> {
    for (let after: string | null = null; ;) {
      const page: OverdueRecord[] = await this.ports.policies.overdue(kind, tenant, age, {
        after,
        limit: AT_ONCE,
      });
      for (const one of page)
        try {
          await this.erase(kind, one, runs);
        } catch (error) {
          if (!isSuturaError(error, ...LEFT)) faults.push(error);
          runs.keep();
        }
      if (page.length < AT_ONCE) return;
      after = page.at(-1)!.id;
    }
  }

  /** Many in one transaction. */
  private async atOnce(
    retained: RetainedMessages | RetainedVersions,
    tenant: Tenant,
    before: Date,
    runs: SweepRuns,
  ): Promise<void> {
    const { unitOfWork } = this.ports;
    for (let last = AT_ONCE; last >= AT_ONCE;)
      last = await unitOfWork.inSystem(async (transaction) => {
        const about = transaction.about(tenant);
        const removed = await retained.removeBefore(about, before, AT_ONCE);
        await runs.add(about, removed);
        return removed.rows;
      });
  }
}

/** One thing, with the bytes of everything that went with it. */
function oneOf(counts: readonly ErasedRows[]): Removed {
  return { rows: 1, bytes: counts.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** Whole records first: what goes with them need not go by itself. */
function timesOf(policy: RetentionPolicy): readonly (readonly [RetainedKind, number | null])[] {
  const { photoDays, messageDays, versionDays, recordDays, unnamedDays, auditDays } = policy;
  return [
    ['records', recordDays],
    ['unnamed', unnamedDays],
    ['photos', photoDays],
    ['messages', messageDays],
    ['versions', versionDays],
    ['audit', auditDays],
  ];
}
