import { Injectable } from '@nestjs/common';
import { ApiKeyRepository } from '../../core/organizations/api-key.repository.js';
import type { Transaction } from '../../core/ports/unit-of-work.js';
import type { ApiKeyRecord, CredentialChange } from '../../core/tenancy/api-key.js';
import { Logger } from '../../platform/logging/logger.js';
import { KEYS_CHANGED_CHANNEL, NotificationListener } from '../../platform/database/notification-listener.js';
import { isCanonicalUuid, readTwice, SystemStatements } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

const SELECT = `select id, organization_id as "organizationId", environment, prefix, last_four as "lastFour", scopes, created_at as "createdAt",
    expires_at as "expiresAt", revoked_at as "revokedAt", replaced_by as "replacedBy", last_used_at as "lastUsedAt",
    allowed_networks as "allowedNetworks", names_persons as "namesPersons"
  from api_keys`;
const INSERT = `insert into api_keys (id, organization_id, environment, sha256, prefix, last_four, scopes, created_at, expires_at, revoked_at,
    replaced_by, last_used_at, allowed_networks, names_persons)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`;
const CREDENTIAL = 'allowed_networks = coalesce($2, allowed_networks), names_persons = coalesce($3, names_persons)';
const CHANGE = (changes: string): string => `with changed as (update api_keys set ${changes} where id = $1 returning id)
  select pg_notify('${KEYS_CHANGED_CHANNEL}', id::text) from changed`;

@Injectable()
export class SqlApiKeyRepository extends ApiKeyRepository {
  constructor(
    private readonly statements: SystemStatements,
    private readonly notifications: NotificationListener,
    private readonly logger: Logger,
  ) {
    super();
  }

  async insert(transaction: Transaction, key: ApiKeyRecord, sha256: Uint8Array): Promise<void> {
    await statementsOf(transaction).run(INSERT, [
      key.id,
      key.organizationId,
      key.environment,
      Buffer.from(sha256),
      key.prefix,
      key.lastFour,
      key.scopes,
      key.createdAt,
      key.expiresAt,
      key.revokedAt,
      key.replacedBy,
      key.lastUsedAt,
      key.allowedNetworks,
      key.namesPersons,
    ]);
  }

  async list(transaction: Transaction, organizationId: string): Promise<ApiKeyRecord[]> {
    if (!isCanonicalUuid(organizationId)) return [];
    const select = `${SELECT} where organization_id = $1 order by created_at, id`;
    return (await statementsOf(transaction).run<ApiKeyRecord>(select, [organizationId])).rows;
  }

  async find(transaction: Transaction, keyId: string): Promise<ApiKeyRecord | null> {
    if (!isCanonicalUuid(keyId)) return null;
    return (await statementsOf(transaction).run<ApiKeyRecord>(`${SELECT} where id = $1`, [keyId])).rows[0] ?? null;
  }

  async findByDigest(sha256: Uint8Array): Promise<ApiKeyRecord | null> {
    const { rows } = await readTwice(() =>
      this.statements.run<ApiKeyRecord>(`${SELECT} where sha256 = $1`, [Buffer.from(sha256)]),
    );
    return rows[0] ?? null;
  }

  async countActive(transaction: Transaction, organizationId: string): Promise<number> {
    const count = `select count(*)::int as active from api_keys where organization_id = $1 and revoked_at is null and replaced_by is null
      and (expires_at is null or expires_at > sutura_now())`;
    return (await statementsOf(transaction).run<{ active: number }>(count, [organizationId])).rows[0]?.active ?? 0;
  }

  async replace(transaction: Transaction, keyId: string, replacedBy: string, expiresAt: Date): Promise<void> {
    await this.update(transaction, 'replaced_by = $2, expires_at = $3', [keyId, replacedBy, expiresAt]);
  }

  async change(transaction: Transaction, keyId: string, change: CredentialChange): Promise<void> {
    const { allowedNetworks = null, namesPersons = null } = change;
    await this.update(transaction, CREDENTIAL, [keyId, allowedNetworks, namesPersons]);
  }

  async revoke(transaction: Transaction, keyId: string): Promise<void> {
    await this.update(transaction, 'revoked_at = coalesce(revoked_at, sutura_now())', [keyId]);
  }

  async touch(keyId: string): Promise<void> {
    const update = `update api_keys set last_used_at = sutura_now()
      where id = $1 and (last_used_at is null or last_used_at < sutura_now() - interval '1 minute')`;
    await this.statements
      .run(update, [keyId])
      .catch((error: unknown) => this.logger.error('key.touch_failed', { keyId }, error));
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
