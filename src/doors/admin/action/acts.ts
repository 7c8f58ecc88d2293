import type { OperatorAct } from '../../../core/audit/operator-trail.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';

type Action = OperatorAct['action'];

/** What the trail says of an act on an organization. */
export function onOrganization(
  organizationId: string,
  interaction: string,
  action: Action,
  query?: string,
): OperatorAct {
  return { interaction, action, of: { organizationId }, resources: [`Organization/${organizationId}`], query };
}

/** What the trail says of an act on a thing of an organization. A key and a client are devices. */
export function onThing(
  type: 'Device' | 'Endpoint' | 'MessageHeader',
  { id, organizationId, environment }: Tenant & { readonly id: string },
  interaction: string,
  action: Action,
  query?: string,
): OperatorAct {
  return { interaction, action, of: { organizationId, environment }, resources: [`${type}/${id}`], query };
}
