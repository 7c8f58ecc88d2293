import type { ClientRecord } from '../../../core/tenancy/client-record.js';
import type { Environment } from '../../../core/tenancy/tenant.js';

/** A client as the admin API and --json show it. Nothing of it is secret: its keys are public. */
export interface ClientView {
  readonly id: string;
  /** As `id`: the `client_id` of its requests. */
  readonly clientId: string;
  readonly organizationId: string;
  readonly environment: Environment;
  readonly name: string;
  readonly scopes: readonly string[];
  /** The kid of each registered key; none where the keys are at an address. */
  readonly keyIds: readonly string[];
  readonly jwksUrl: string | null;
  /** None: from anywhere. */
  readonly allowedNetworks: readonly string[];
  /** It may name the person behind a request (X-Sutura-User). */
  readonly namesPersons: boolean;
  readonly state: 'active' | 'revoked';
  readonly createdAt: string;
  readonly revokedAt: string | null;
}

export function toClientView(client: ClientRecord): ClientView {
  const { id, organizationId, environment, name, scopes, keys, createdAt, revokedAt } = client;
  return {
    id,
    clientId: id,
    organizationId,
    environment,
    name,
    scopes,
    keyIds: keys.kind === 'given' ? keys.keys.map(({ kid }) => String(kid)) : [],
    jwksUrl: keys.kind === 'address' ? keys.url : null,
    allowedNetworks: client.allowedNetworks,
    namesPersons: client.namesPersons,
    state: revokedAt === null ? 'active' : 'revoked',
    createdAt: createdAt.toISOString(),
    revokedAt: revokedAt?.toISOString() ?? null,
  };
}
