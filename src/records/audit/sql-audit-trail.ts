import { Injectable } from '@nestjs/common';
import type { Access } from '../../core/audit/access.js';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { AuditTrail, type CallerAccess } from '../../core/audit/audit-trail.js';
import type { Transaction } from '../../core/ports/unit-of-work.js';
import type { Caller } from '../../core/tenancy/api-key.js';
import { failpoint } from '../../platform/failpoints.js';
import { BatchedCommits } from '../../platform/database/batched-commits.js';
import { sharedCounter } from '../../platform/health/shared-metrics.js';
import { Logger } from '../../platform/logging/logger.js';
import { isCanonicalUuid, SystemStatements } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';
import { auditInsert, type AuditEntry, type WrittenRow } from './audit-insert.js';
import { SqlAuditWitness } from './sql-audit-witness.js';

/** Rows of concurrent requests go into one statement and share the wait for the disk. */
const LIMITS = { largest: 500, atOnce: 2, patienceMs: 1000 };

@Injectable()
export class SqlAuditTrail extends AuditTrail {
  private readonly notRecorded = sharedCounter(
    'sutura_audit_not_recorded_total',
    'Accesses that were refused because they could not be written into the audit trail; alarm on any',
  );
  private readonly alone: BatchedCommits<AuditEntry, undefined>;

  constructor(
    system: SystemStatements,
    private readonly logger: Logger,
    private readonly witness: SqlAuditWitness,
  ) {
    super();
    this.alone = new BatchedCommits(async (entries) => {
      witness.note((await system.runPrepared<WrittenRow>(...auditInsert(entries))).rows);
      return entries.map(() => undefined);
    }, LIMITS);
  }

  /** The rows are sent with the commit, which fails if they cannot be stored. */
  async recordAll(transaction: Transaction, accesses: readonly CallerAccess[]): Promise<void> {
    await this.orRefuse(() => failpoint('audit_insert'));
    const entries = accesses.map(({ caller, access }) => toEntry(caller, access));
    const [sql, values] = auditInsert(entries);
    statementsOf(transaction).sendPrepared<WrittenRow>(
      sql,
      values,
      (error) => this.refusalOf(error),
      (rows) => this.witness.note(rows),
    );
  }

  recordNow(caller: Caller, access: Access): Promise<void> {
    return this.orRefuse(async () => {
      await failpoint('audit_insert');
      await this.alone.run('', toEntry(caller, access));
    });
  }

  private async orRefuse(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      throw this.refusalOf(error);
    }
  }

  /** Any fault refuses the access: `service.unavailable`. */
  private refusalOf(error: unknown): SuturaError {
    if (error instanceof SuturaError) return error;
    this.notRecorded.inc();
    this.logger.error('audit.not_recorded', {}, error);
    return new SuturaError('service.unavailable', { retryAfterS: 5 });
  }
}

function toEntry({ organizationId, environment, keyId, origin, person }: Caller, access: Access): AuditEntry {
  return {
    organization_id: organizationId,
    environment,
    door: access.door,
    interaction: storable(access.interaction),
    action: access.action,
    key_id: keyId,
    request_id: origin?.requestId ?? null,
    address: origin?.address ?? null,
    patients: access.patients.filter(isCanonicalUuid),
    wound: access.wound !== undefined && isCanonicalUuid(access.wound) ? access.wound : null,
    resources: access.resources.map(storable),
    query: access.query === undefined ? null : storable(access.query),
    refusal: access.refusal?.code ?? null,
    occurrences: access.refusal?.occurrences ?? 1,
    person: person ?? null,
  };
}

/** Addresses and queries of callers may contain characters that PostgreSQL cannot store. */
function storable(text: string): string {
  return text.replace(/\0|\p{Surrogate}/gu, '\uFFFD');
}
