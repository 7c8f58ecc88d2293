import type { AuditTrail } from './audit-trail.js';
import type { Operator } from '../tenancy/operator.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { AuditAction } from './access.js';

/** The tenant of accesses that belong to no organization: lists of all organizations, unknown keys. */
export const SERVICE_TENANT: Tenant = { organizationId: '00000000-0000-0000-0000-000000000000', environment: 'live' };

/** One thing that an operator did, or looked at. */
export interface OperatorAct {
  /** R4 restful-interaction, or an operation with its `$` (`$rotate-key`). */
  readonly interaction: string;
  readonly action: AuditAction;
  /** Of both environments where none is named; of no organization: the trail of the service itself. */
  readonly of?: Partial<Tenant> | undefined;
  /** Ids of the patients whose data was looked at; absent: of none, or not known. */
  readonly patients?: readonly string[] | undefined;
  /** `Type/id` in FHIR's words: `Organization/…`, `Device/…` for a key, `Endpoint/…` for a listener or a destination. */
  readonly resources: readonly string[];
  /** The query or the change: names of fields and their values, never a secret. */
  readonly query?: string | undefined;
}

/** Writes down what operators do, by whichever way. */
export class OperatorTrail {
  constructor(private readonly trail: AuditTrail) {}

  /** Await it before answering: `service.unavailable` if it cannot be recorded. */
  record(
    { door, name, origin }: Operator,
    { interaction, action, of = {}, patients = [], resources, query }: OperatorAct,
  ): Promise<void> {
    const { organizationId = SERVICE_TENANT.organizationId, environment = SERVICE_TENANT.environment } = of;
    const caller = {
      organizationId,
      environment,
      keyId: name,
      scopes: [],
      ...(origin === undefined ? {} : { origin }),
    };
    return this.trail.recordNow(caller, { door, interaction, action, patients, resources, query });
  }
}
