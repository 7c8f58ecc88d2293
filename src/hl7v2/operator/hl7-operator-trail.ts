import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../../core/audit/access.js';
import { AuditTrail } from '../../core/ports/audit-trail.js';
import { tenantOf, type Tenant } from '../../core/tenancy/tenant.js';

/** Who the audit trail says it was: operators have no key. */
const OPERATOR = 'operator';

/** What an operator did to one thing of a tenant. */
export interface OperatorAct {
  /** `read`, `create`, `update`, `delete`, or an operation with its `$`. */
  readonly interaction: string;
  readonly action: AuditAction;
  /** `MessageHeader/id` for a message, `Endpoint/id` for a listener or a destination. */
  readonly resource: string;
}

/** Writes down what operators do with this door. */
@Injectable()
export class Hl7OperatorTrail {
  constructor(private readonly trail: AuditTrail) {}

  /** Before the act, which does not happen where this throws: `service.unavailable`. */
  record(tenant: Tenant, { interaction, action, resource }: OperatorAct): Promise<void> {
    const caller = { ...tenantOf(tenant), keyId: OPERATOR, scopes: [] };
    return this.trail.recordNow(caller, { door: 'hl7v2', interaction, action, patients: [], resources: [resource] });
  }
}
