import { Injectable } from '@nestjs/common';
import { ClientRepository } from '../../core/organizations/client.repository.js';
import type { Transaction } from '../../core/ports/unit-of-work.js';
import type { CredentialChange } from '../../core/tenancy/api-key.js';
import type { ClientKeys, ClientRecord } from '../../core/tenancy/client-record.js';
import { KEYS_CHANGED_CHANNEL, NotificationListener } from '../../platform/database/notification-listener.js';
import { isCanonicalUuid, readTwice, SystemStatements } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

const SELECT = `select id, organization_id as "organizationId", environment, name, scopes, keys, created_at as "createdAt", revoked_at as "revokedAt",
    allowed_networks as "allowedNetworks", names_persons as "namesPersons"
  from oauth_clients`;
const INSERT = `insert into oauth_clients (id, organization_id, environment, name, scopes, keys, created_at, revoked_at, allowed_networks, names_persons)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;
const CREDENTIAL = 'allowed_networks = coalesce($2, allowed_networks), names_persons = coalesce($3, names_persons)';
const CHANGE = (
  changes: string,
): string => `with changed as (update oauth_clients set ${changes} where id = $1 returning id)
  select pg_notify('${KEYS_CHANGED_CHANNEL}', id::text) from changed`;
/** Each use takes some that have expired with it, so that the table stays as large as what is in force. */
const USE = `with gone as (delete from oauth_assertions where ctid = any (array(
    select ctid from oauth_assertions where expires_at < sutura_now() limit 20 for update skip locked)))
  insert into oauth_assertions (client_id, jti_sha256, expires_at) values ($1, $2, $3) on conflict do nothing`;

@Injectable()
export class SqlClientRepository extends ClientRepository {
  constructor(
    private readonly statements: SystemStatements,
    private readonly notifications: NotificationListener,
  ) {
    super();
  }

  async insert(transaction: Transaction, client: ClientRecord): Promise<void> {
    const { id, organizationId, environment, name, scopes, keys, createdAt, revokedAt } = client;
    await statementsOf(transaction).run(INSERT, [
      id,
      organizationId,
      environment,
      name,
      scopes,
      JSON.stringify(keys),
      createdAt,
      revokedAt,
      client.allowedNetworks,
      client.namesPersons,
    ]);
  }

  async list(transaction: Transaction, organizationId: string): Promise<ClientRecord[]> {
    if (!isCanonicalUuid(organizationId)) return [];
    const select = `${SELECT} where organization_id = $1 order by created_at, id`;
    return (await statementsOf(transaction).run<ClientRecord>(select, [organizationId])).rows;
  }

  async find(transaction: Transaction, clientId: string): Promise<ClientRecord | null> {
    if (!isCanonicalUuid(clientId)) return null;
    return (await statementsOf(transaction).run<ClientRecord>(`${SELECT} where id = $1`, [clientId])).rows[0] ?? null;
  }

  async countActive(transaction: Transaction, organizationId: string): Promise<number> {
    const count = 'select count(*)::int as active from oauth_clients where organization_id = $1 and revoked_at is null';
    return (await statementsOf(transaction).run<{ active: number }>(count, [organizationId])).rows[0]?.active ?? 0;
  }

  async changeKeys(transaction: Transaction, clientId: string, keys: ClientKeys): Promise<void> {
    await this.update(transaction, 'keys = $2', [clientId, JSON.stringify(keys)]);
  }

  async change(transaction: Transaction, clientId: string, change: CredentialChange): Promise<void> {
    const { allowedNetworks = null, namesPersons = null } = change;
    await this.update(transaction, CREDENTIAL, [clientId, allowedNetworks, namesPersons]);
  }

  async revoke(transaction: Transaction, clientId: string): Promise<void> {
    await this.update(transaction, 'revoked_at = coalesce(revoked_at, sutura_now())', [clientId]);
  }

  async findAtOnce(clientId: string): Promise<ClientRecord | null> {
    if (!isCanonicalUuid(clientId)) return null;
    const { rows } = await readTwice(() => this.statements.run<ClientRecord>(`${SELECT} where id = $1`, [clientId]));
    return rows[0] ?? null;
  }

  async useAssertion(clientId: string, jtiSha256: Uint8Array, expiresAt: Date): Promise<boolean> {
    const { affected } = await this.statements.run(USE, [clientId, Buffer.from(jtiSha256), expiresAt]);
    return affected === 1;
  }

  /** Other processes hear of it by notification, this one before the change is answered. */
  private async update(
    transaction: Transaction,
    changes: string,
    values: readonly [string, ...unknown[]],
  ): Promise<void> {
    await statementsOf(transaction).run(CHANGE(changes), [...values]);
    transaction.afterCommit(() => this.notifications.dispatch(KEYS_CHANGED_CHANNEL, values[0]));
  }
}
