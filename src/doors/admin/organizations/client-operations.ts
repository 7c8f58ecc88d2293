import { Injectable } from '@nestjs/common';
import { OperatorTrail, type OperatorAct } from '../../../core/audit/operator-trail.js';
import type { Operator } from '../../../core/tenancy/operator.js';
import { ClientRegistry } from '../../../core/organizations/client-registry.js';
import { keysOf, type ClientRotation, type NewClient } from './clients.schema.js';
import { changeText, type CredentialChangeInput } from './tenancy.schema.js';
import { toClientView, type ClientView } from './clients.views.js';

/**
 * ClientRegistry for the admin API and the command line. Each act goes into the audit trail under the operator's name. Errors are those of
 * ClientRegistry; `service.unavailable` where the act was done and cannot be recorded.
 */
@Injectable()
export class ClientOperations {
  constructor(
    private readonly registry: ClientRegistry,
    private readonly trail: OperatorTrail,
  ) {}

  async create(operator: Operator, organizationId: string, input: NewClient): Promise<ClientView> {
    const { name, environment, scopes, allowedNetworks = [], namesPersons = false } = input;
    const allowed = { scopes, allowedNetworks, namesPersons };
    const registration = { organizationId, name, environment, ...allowed, keys: keysOf(input) };
    const view = toClientView(await this.registry.register(registration, operator.rights));
    await this.trail.record(operator, {
      interaction: '$create-client',
      action: 'C',
      ...ofClient(view),
      query: `scopes=${scopes.join(',')}${namesPersons ? '&namesPersons=true' : ''}`,
    });
    return view;
  }

  async list(operator: Operator, organizationId: string): Promise<ClientView[]> {
    const views = (await this.registry.list(organizationId)).map(toClientView);
    await this.trail.record(operator, {
      interaction: '$list-clients',
      action: 'R',
      of: { organizationId },
      resources: [`Organization/${organizationId}`],
    });
    return views;
  }

  async rotate(operator: Operator, clientId: string, input: ClientRotation): Promise<ClientView> {
    const view = toClientView(await this.registry.rotate(clientId, keysOf(input), operator.rights));
    await this.trail.record(operator, { interaction: '$rotate-client', action: 'U', ...ofClient(view) });
    return view;
  }

  async change(operator: Operator, clientId: string, change: CredentialChangeInput): Promise<ClientView> {
    const view = toClientView(await this.registry.change(clientId, change, operator.rights));
    await this.trail.record(operator, {
      interaction: '$restrict-client',
      action: 'U',
      ...ofClient(view),
      query: changeText(change),
    });
    return view;
  }

  /** A revoked client stays revoked even if that cannot be recorded. */
  async revoke(operator: Operator, clientId: string): Promise<void> {
    const view = toClientView(await this.registry.revoke(clientId));
    await this.trail.record(operator, { interaction: '$revoke-client', action: 'D', ...ofClient(view) });
  }
}

function ofClient({ id, organizationId, environment }: ClientView): Pick<OperatorAct, 'of' | 'resources'> {
  return { of: { organizationId, environment }, resources: [`Device/${id}`] };
}
