import type { AuditArchives } from '../audit/audit-archive.js';
import type { AuditLog } from '../audit/audit-log.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import { isSuturaError } from '../errors/sutura-error.js';
import type { Clock } from '../ports/clock.js';
import type { IdSource } from '../ports/id-source.js';
import type { UnitOfWork } from '../ports/unit-of-work.js';
import { ENVIRONMENTS, tenantOf, type Tenant } from '../tenancy/tenant.js';
import type { ImageErasure } from './image-erasure.js';
import { RETENTION_OPERATOR, type PatientErasure } from './patient-erasure.js';
import type {
  OverdueRecord,
  RetainedKind,
  RetainedMessages,
  RetentionPolicies,
  RetentionPolicy,
} from './retention-policy.js';

export interface RetentionPorts {
  readonly unitOfWork: UnitOfWork;
  readonly policies: RetentionPolicies;
  readonly images: ImageErasure;
  readonly patients: PatientErasure;
  readonly messages: RetainedMessages;
  readonly archives: Pick<AuditArchives, 'sweep'>;
  readonly trail: AuditTrail;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly ids: IdSource;
}

const DAY_MS = 86_400_000;
const AT_ONCE = 50;

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

  /** How many were removed. */
  async sweep(): Promise<number> {
    let removed = 0;
    for (const policy of await this.ports.policies.list()) removed += await this.sweepOrganization(policy);
    if (removed > 0) await this.ports.audit.seal();
    return removed;
  }

  private async sweepOrganization(policy: RetentionPolicy): Promise<number> {
    const { organizationId, photoDays, messageDays, recordDays, auditDays } = policy;
    const kinds: readonly [RetainedKind, number | null][] = [
      ['records', recordDays],
      ['photos', photoDays],
      ['messages', messageDays],
      ['audit', auditDays],
    ];
    let removed = 0;
    for (const [kind, days] of kinds) {
      if (days === null) continue;
      const beganAt = this.ports.clock.now();
      const before = new Date(beganAt.getTime() - days * DAY_MS);
      const swept = await this.sweepKind(kind, organizationId, before);
      for (const [environment, sum] of swept) {
        if (sum.rows > 0) await this.note({ organizationId, environment }, { what: kind, before, beganAt, ...sum });
        removed += sum.rows;
      }
    }
    return removed;
  }

  private sweepKind(
    kind: RetainedKind,
    organizationId: string,
    before: Date,
  ): Promise<Map<Tenant['environment'], Swept>> {
    if (kind === 'messages') return this.messages(organizationId, before);
    if (kind === 'audit') return this.audit(organizationId, before);
    return this.each(kind, organizationId, before, (one) => this.erase(kind, one));
  }

  /** Rows do not go before the archive that they lie in then. */
  private async audit(organizationId: string, before: Date): Promise<Map<Tenant['environment'], Swept>> {
    const swept = new Map<Tenant['environment'], Swept>();
    for (const environment of ENVIRONMENTS)
      swept.set(environment, {
        ...(await this.ports.archives.sweep({ organizationId, environment }, before)),
        kept: 0,
      });
    return swept;
  }

  /** False: it is asked for, and goes once nobody works on it any more. */
  private async erase(kind: 'photos' | 'records', { id, ...tenant }: OverdueRecord): Promise<boolean> {
    const { images, patients, trail } = this.ports;
    const caller = { ...tenantOf(tenant), keyId: RETENTION_OPERATOR.name, scopes: [] };
    if (kind === 'records')
      return (await patients.erase(RETENTION_OPERATOR, { tenant: tenantOf(tenant), patient: id })).state === 'done';
    await images.erase(tenantOf(tenant), id, (transaction) =>
      trail.record(transaction, caller, {
        ...{ door: RETENTION_OPERATOR.door, interaction: 'delete', action: 'D', patients: [] },
        resources: [`Media/${id}`],
      }),
    );
    return true;
  }

  private async each(
    kind: 'photos' | 'records',
    organizationId: string,
    before: Date,
    erase: (one: OverdueRecord) => Promise<boolean>,
  ): Promise<Map<Tenant['environment'], Swept>> {
    const swept = new Map<Tenant['environment'], Swept>();
    for (let after: string | null = null; ;) {
      const page: OverdueRecord[] = await this.ports.policies.overdue(kind, organizationId, before, {
        after,
        limit: AT_ONCE,
      });
      for (const one of page) {
        const sum = swept.get(one.environment) ?? { rows: 0, bytes: 0, kept: 0 };
        swept.set(one.environment, sum);
        try {
          const isGone = await erase(one);
          sum.rows += isGone ? 1 : 0;
          sum.bytes += isGone ? one.bytes : 0;
          sum.kept += isGone ? 0 : 1;
        } catch (error) {
          // The next sweep finds it again.
          if (
            !isSuturaError(error, 'image.in_use', 'image.not_found', 'patient.in_use', 'patient.on_hold', 'hl7.sealed')
          )
            throw error;
          sum.kept += 1;
        }
      }
      if (page.length < AT_ONCE) return swept;
      after = page.at(-1)!.id;
    }
  }

  private async messages(organizationId: string, before: Date): Promise<Map<Tenant['environment'], Swept>> {
    const swept = new Map<Tenant['environment'], Swept>();
    for (const environment of ENVIRONMENTS) {
      const sum = { rows: 0, bytes: 0, kept: 0 };
      swept.set(environment, sum);
      for (let last = AT_ONCE; last >= AT_ONCE;) {
        const { rows, bytes } = await this.ports.messages.removeBefore(
          { organizationId, environment },
          before,
          AT_ONCE,
        );
        sum.rows += rows;
        sum.bytes += bytes;
        last = rows;
      }
    }
    return swept;
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
