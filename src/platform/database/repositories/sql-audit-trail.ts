import { Injectable } from '@nestjs/common';
import type { Access } from '../../../core/audit/access.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { AuditTrail } from '../../../core/ports/audit-trail.js';
import type { Transaction } from '../../../core/ports/unit-of-work.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { failpoint } from '../../failpoints.js';
import { Logger } from '../../logging/logger.js';
import { isCanonicalUuid, SystemStatements } from '../statements.js';
import { statementsOf } from '../unit-of-work.js';
import { GroupedAuditWriter, type AuditEntry } from './grouped-audit-writer.js';

const RECORD = 'select sutura_record_access($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)';

@Injectable()
export class SqlAuditTrail extends AuditTrail {
  private readonly grouped: GroupedAuditWriter;

  constructor(
    system: SystemStatements,
    private readonly logger: Logger,
  ) {
    super();
    this.grouped = new GroupedAuditWriter(system);
  }

  record(transaction: Transaction, caller: Caller, access: Access): Promise<void> {
    return this.orRefuse(async () => {
      await statementsOf(transaction).runPrepared(RECORD, Object.values(toEntry(caller, access)));
    });
  }

  recordNow(caller: Caller, access: Access): Promise<void> {
    return this.orRefuse(() => this.grouped.write(toEntry(caller, access)));
  }

  /** Whatever goes wrong, the access is refused: `service.unavailable`. */
  private async orRefuse(write: () => Promise<void>): Promise<void> {
    try {
      await failpoint('audit_insert');
      await write();
    } catch (error) {
      if (error instanceof SuturaError) throw error;
      this.logger.error('audit.not_recorded', {}, error);
      throw new SuturaError('service.unavailable', { retryAfterS: 5 });
    }
  }
}

/** In the order of the parameters of sutura_record_access. */
function toEntry({ organizationId, environment, keyId, origin }: Caller, access: Access): AuditEntry {
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
  };
}

/** What callers write into addresses and queries may hold what PostgreSQL cannot keep. */
function storable(text: string): string {
  return text.replace(/\0|\p{Surrogate}/gu, '\uFFFD');
}
