import { SuturaError } from '../errors/sutura-error.js';
import type { Clock } from '../ports/clock.js';
import type { IdSource } from '../ports/id-source.js';
import type { Transaction, UnitOfWork } from '../ports/unit-of-work.js';
import type { CredentialChange } from '../tenancy/api-key.js';
import { requireMayChange, requireMayGive } from './given-rights.js';
import type { HeldRights } from '../tenancy/roles.js';
import type { ClientKeys, ClientRecord } from '../tenancy/client-record.js';
import type { ClientRepository } from './client.repository.js';
import type { OrganizationRepository } from './organization.repository.js';
import { PLAN_TERMS } from './organization.js';

export interface ClientRegistryPorts {
  readonly unitOfWork: UnitOfWork;
  readonly organizations: OrganizationRepository;
  readonly clients: ClientRepository;
  readonly clock: Clock;
  readonly ids: IdSource;
}

export type ClientRegistration = Pick<
  ClientRecord,
  'organizationId' | 'environment' | 'name' | 'scopes' | 'keys' | 'allowedNetworks' | 'namesPersons'
>;

/** The clients of SMART Backend Services: what the command line and the admin API offer. A plan's number of keys is also that of its clients. */
export class ClientRegistry {
  constructor(private readonly ports: ClientRegistryPorts) {}

  /** `giver`: as requireMayGive has it. `auth.role`, `organization.not_found`, `key.limit`, `key.live_not_allowed`. */
  register(registration: ClientRegistration, giver?: HeldRights): Promise<ClientRecord> {
    return this.ports.unitOfWork.inSystem(async (transaction) => {
      requireMayGive(giver, registration);
      const { organizationId, environment } = registration;
      const organization = await this.ports.organizations.findForUpdate(transaction, organizationId);
      if (organization === null) throw new SuturaError('organization.not_found');
      const terms = PLAN_TERMS[organization.plan];
      if (environment === 'live' && !terms.live) throw new SuturaError('key.live_not_allowed');
      if ((await this.ports.clients.countActive(transaction, organizationId)) >= terms.apiKeys)
        throw new SuturaError('key.limit', {
          detail: `The plan allows ${terms.apiKeys} clients. Revoke one that is not used, or choose another plan.`,
        });
      const client = {
        id: this.ports.ids.next(),
        ...registration,
        createdAt: this.ports.clock.now(),
        revokedAt: null,
      };
      await this.ports.clients.insert(transaction, client);
      return client;
    });
  }

  /** `organization.not_found`. */
  list(organizationId: string): Promise<ClientRecord[]> {
    return this.ports.unitOfWork.inSystem(async (transaction) => {
      if ((await this.ports.organizations.find(transaction, organizationId)) === null)
        throw new SuturaError('organization.not_found');
      return this.ports.clients.list(transaction, organizationId);
    });
  }

  /** New public keys; those that are left out stop working at once. `auth.role` where the giver lacks what the client may do; `client.not_found`, also for a revoked one. */
  rotate(clientId: string, keys: ClientKeys, giver?: HeldRights): Promise<ClientRecord> {
    return this.ports.unitOfWork.inSystem(async (transaction) => {
      const client = await this.require(transaction, clientId);
      if (client.revokedAt !== null) throw new SuturaError('client.not_found');
      requireMayGive(giver, client);
      await this.ports.clients.changeKeys(transaction, clientId, keys);
      return { ...client, keys };
    });
  }

  /** Takes effect within 5 seconds, also for tokens that it has. `auth.role`, `client.not_found`. */
  change(clientId: string, change: CredentialChange, giver?: HeldRights): Promise<ClientRecord> {
    return this.ports.unitOfWork.inSystem(async (transaction) => {
      requireMayChange(giver, await this.require(transaction, clientId), change);
      await this.ports.clients.change(transaction, clientId, change);
      return this.require(transaction, clientId);
    });
  }

  /** Its tokens stop working within 5 seconds. Revoking twice is no error. `client.not_found`. */
  revoke(clientId: string): Promise<ClientRecord> {
    return this.ports.unitOfWork.inSystem(async (transaction) => {
      await this.require(transaction, clientId);
      await this.ports.clients.revoke(transaction, clientId);
      return this.require(transaction, clientId);
    });
  }

  private async require(transaction: Transaction, clientId: string): Promise<ClientRecord> {
    const client = await this.ports.clients.find(transaction, clientId);
    if (client === null) throw new SuturaError('client.not_found');
    return client;
  }
}
