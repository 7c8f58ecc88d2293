import type { AuditArchives } from '../audit/audit-archive.js';
import type { AuditLog } from '../audit/audit-log.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { ErrorCode } from '../errors/catalogue.js';
import { isSuturaError } from '../errors/sutura-error.js';
import type { Clock } from '../ports/clock.js';
import type { IdSource } from '../ports/id-source.js';
import type { UnitOfWork } from '../ports/unit-of-work.js';
import { ENVIRONMENTS, tenantOf, type Tenant } from '../tenancy/tenant.js';
import type { ImageErasure } from './image-erasure.js';
import { RETENTION_OPERATOR, type PatientErasure } from './patient-erasure.js';
import type {
  OverdueKind,
  OverdueRecord,
  RetainedKind,
  RetainedMessages,
  RetentionPolicies,
  RetentionPolicy,
} from './retention-policy.js';
import type { UnnamedResults } from './unnamed-results.js';

export interface RetentionPorts {
  readonly unitOfWork: UnitOfWork;
  readonly policies: RetentionPolicies;
  readonly images: ImageErasure;
  readonly patients: PatientErasure;
  readonly unnamed: UnnamedResults;
  readonly messages: RetainedMessages;
  readonly archives: Pick<AuditArchives, 'sweep'>;
  readonly trail: AuditTrail;
  readonly audit: AuditLog;
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

/** What was removed of one tenant in one sweep. */
interface Swept {
  rows: number;
  bytes: number;
  kept: number;
}

/**
 * Removes what is older than its organization wants to keep. Each thing goes by its own erasure, so that a stop loses nothing: the next sweep goes on
 * with what is left. What was removed is a row of its own and a sealed row of the audit trail.
 */
export class Retention {
  constructor(private readonly ports: RetentionPorts) {}

  /** How many were removed. What fails in one organization, or with one thing, keeps no other: the first fault is thrown when all had their turn. */
  async sweep(): Promise<number> {
    const faults: unknown[] = [];
    let removed = 0;
    for (const policy of await this.ports.policies.list())
      for (const [kind, days] of timesOf(policy)) {
        if (days === null) continue;
        try {
          removed += await this.sweepKind(policy.organizationId, kind, days, faults);
        } catch (error) {
          faults.push(error);
        }
      }
    if (removed > 0) await this.ports.audit.seal();
    if (faults.length > 0) throw faults[0];
    return removed;
  }

  private async sweepKind(
    organizationId: string,
    kind: RetainedKind,
    days: number,
    faults: unknown[],
  ): Promise<number> {
    const beganAt = this.ports.clock.now();
    const before = new Date(beganAt.getTime() - days * DAY_MS);
    const swept = new Map<Tenant['environment'], Swept>();
    let removed = 0;
    try {
      if (kind === 'messages') await this.messages(organizationId, before, swept);
      else if (kind === 'audit') await this.audit(organizationId, before, swept);
      else await this.each(kind, organizationId, before, swept, faults);
    } finally {
      // What went before a fault is written down as well.
      for (const [environment, sum] of swept) {
        if (sum.rows > 0) await this.note({ organizationId, environment }, { what: kind, before, beganAt, ...sum });
        removed += sum.rows;
      }
    }
    return removed;
  }

  /** Rows do not go before the archive that they lie in then. */
  private async audit(organizationId: string, before: Date, swept: Map<Tenant['environment'], Swept>): Promise<void> {
    for (const environment of ENVIRONMENTS) {
      const archived = await this.ports.archives.sweep({ organizationId, environment }, before);
      swept.set(environment, { ...archived, kept: 0 });
    }
  }

  /** The bytes that went; null: it is asked for, and goes once nobody works on it any more. */
  private async erase(kind: OverdueKind, { id, bytes, ...tenant }: OverdueRecord): Promise<number | null> {
    const { images, patients, unnamed, trail } = this.ports;
    const caller = { ...tenantOf(tenant), keyId: RETENTION_OPERATOR.name, scopes: [] };
    if (kind === 'unnamed') {
      const counts = await unnamed.erase(RETENTION_OPERATOR, tenantOf(tenant), id);
      return counts.reduce((sum, one) => sum + one.bytes, 0);
    }
    if (kind === 'records') {
      const wanted = { tenant: tenantOf(tenant), patient: id, isId: true };
      const { state, counts } = await patients.erase(RETENTION_OPERATOR, wanted);
      return state === 'done' ? counts.reduce((sum, one) => sum + one.bytes, 0) : null;
    }
    await images.erase(tenantOf(tenant), id, (transaction) =>
      trail.record(transaction, caller, {
        ...{ door: RETENTION_OPERATOR.door, interaction: 'delete', action: 'D', patients: [] },
        resources: [`Media/${id}`],
      }),
    );
    return bytes;
  }

  private async each(
    kind: OverdueKind,
    organizationId: string,
    before: Date,
    swept: Map<Tenant['environment'], Swept>,
    faults: unknown[],
  ): Promise<void> {
    for (let after: string | null = null; ;) {
      const page: OverdueRecord[] = await this.ports.policies.overdue(kind, organizationId, before, {
        after,
        limit: AT_ONCE,
      });
      for (const one of page) {
        const sum = sumOf(swept, one.environment);
        try {
          const bytes = await this.erase(kind, one);
          sum.rows += bytes === null ? 0 : 1;
          sum.bytes += bytes ?? 0;
          sum.kept += bytes === null ? 1 : 0;
        } catch (error) {
          if (!isSuturaError(error, ...LEFT)) faults.push(error);
          sum.kept += 1;
        }
      }
      if (page.length < AT_ONCE) return;
      after = page.at(-1)!.id;
    }
  }

  private async messages(
    organizationId: string,
    before: Date,
    swept: Map<Tenant['environment'], Swept>,
  ): Promise<void> {
    for (const environment of ENVIRONMENTS) {
      const sum = sumOf(swept, environment);
      for (let last = AT_ONCE; last >= AT_ONCE;) {
        const tenant = { organizationId, environment };
        const { rows, bytes } = await this.ports.messages.removeBefore(tenant, before, AT_ONCE);
        sum.rows += rows;
        sum.bytes += bytes;
        last = rows;
      }
    }
  }

  private note(
    tenant: Tenant,
    run: Swept & { readonly what: RetainedKind; readonly before: Date; readonly beganAt: Date },
  ): Promise<void> {
    const { unitOfWork, policies, trail, clock, ids } = this.ports;
    const { what, before, rows, bytes } = run;
    return unitOfWork.inSystem(async (transaction) => {
      const id = ids.next();
      const about = transaction.about(tenant);
      await policies.insertRun(about, { id, ...run, endedAt: clock.now() });
      const caller = { ...tenant, keyId: RETENTION_OPERATOR.name, scopes: [] };
      await trail.record(about, caller, {
        ...{ door: RETENTION_OPERATOR.door, interaction: '$retention', action: 'D', patients: [], resources: [] },
        query: `run=${id}&what=${what}&before=${before.toISOString()}&rows=${rows}&bytes=${bytes}`,
      });
    });
  }
}

/** Whole records first: what goes with them need not go by itself. */
function timesOf(policy: RetentionPolicy): readonly (readonly [RetainedKind, number | null])[] {
  const { photoDays, messageDays, recordDays, unnamedDays, auditDays } = policy;
  return [
    ['records', recordDays],
    ['unnamed', unnamedDays],
    ['photos', photoDays],
    ['messages', messageDays],
    ['audit', auditDays],
  ];
}

function sumOf(swept: Map<Tenant['environment'], Swept>, environment: Tenant['environment']): Swept {
  const sum = swept.get(environment) ?? { rows: 0, bytes: 0, kept: 0 };
  swept.set(environment, sum);
  return sum;
}
