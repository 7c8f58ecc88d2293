import { Injectable } from '@nestjs/common';
import type { Access } from '../../../core/audit/access.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { AuditTrail } from '../../../core/ports/audit-trail.js';
import type { Transaction } from '../../../core/ports/unit-of-work.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { failpoint } from '../../failpoints.js';
import { Logger } from '../../logging/logger.js';
import { isCanonicalUuid, TenantStatements, type Statements } from '../statements.js';
import { statementsOf } from '../unit-of-work.js';

const RECORD = 'select sutura_record_access($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)';

@Injectable()
export class SqlAuditTrail extends AuditTrail {
  constructor(
    private readonly statements: TenantStatements,
    private readonly logger: Logger,
  ) {
    super();
  }

  record(transaction: Transaction, caller: Caller, access: Access): Promise<void> {
    return this.write(statementsOf(transaction), caller, access);
  }

  recordNow(caller: Caller, access: Access): Promise<void> {
    return this.write(this.statements, caller, access);
  }

  private write(statements: Statements, caller: Caller, access: Access): Promise<void> {
    return orRefuse(this.logger, async () => {
      await statements.run(RECORD, [
        caller.organizationId,
        caller.environment,
        access.door,
        access.interaction,
        access.action,
        caller.keyId,
        ...originOf(caller),
        access.patients.filter(isCanonicalUuid),
        access.wound !== undefined && isCanonicalUuid(access.wound) ? access.wound : null,
        access.resources,
        access.query ?? null,
      ]);
    });
  }
}

/** Request id and address, as the trail's columns have them. */
export function originOf({ origin }: Caller): readonly [string | null, string | null] {
  return [origin?.requestId ?? null, origin?.address ?? null];
}

/** Runs what writes an access down. Whatever goes wrong, the access is refused: `service.unavailable`. */
export async function orRefuse<T>(logger: Logger, write: () => Promise<T>): Promise<T> {
  try {
    await failpoint('audit_insert');
    return await write();
  } catch (error) {
    if (error instanceof SuturaError) throw error;
    logger.error('audit.not_recorded', {}, error);
    throw new SuturaError('service.unavailable', { retryAfterS: 5 });
  }
}
