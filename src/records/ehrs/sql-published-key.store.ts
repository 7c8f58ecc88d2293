import { Injectable } from '@nestjs/common';
import { PUBLISHED_AFTER_S, PublishedKeyStore, type PublishedKey } from '../../core/ehrs/published-key.store.js';
import { UnitOfWork, type Transaction } from '../../core/ports/unit-of-work.js';
import { SecretEncryption } from '../../platform/database/secret-encryption.js';
import { isCanonicalUuid, SystemStatements } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

const IS_PUBLISHED = `(signs_until is null or signs_until > sutura_now() - make_interval(secs => ${PUBLISHED_AFTER_S}))`;
const PUBLISHED = `select kid, algorithm, public_key as "publicJwk", private_key as "privateKey", signs_from as "signsFrom", signs_until as "signsUntil"
  from published_keys where organization_id = $1 and ${IS_PUBLISHED} order by algorithm, signs_from desc, kid`;
const IS_ORGANIZATION = 'select from organizations where id = $1';
const FIRST = `select coalesce((select organization_id from published_keys where is_first limit 1),
    (select min(organization_id::text) from ehrs where not exists (select from published_keys)
      having count(distinct organization_id) = 1)::uuid) as id`;
/** Asked before anything of the organization is removed. Beside another that has an EHR, nobody becomes it: that one’s EHR may read the same address. */
const IS_FIRST = `select exists (select from published_keys where organization_id = $1 and is_first)
    or (not exists (select from published_keys) and not exists (select from ehrs where organization_id <> $1)) as "isFirst"`;
const INSERT = `insert into published_keys (kid, algorithm, public_key, private_key, signs_from, organization_id, is_first)
    values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`;
const END =
  'update published_keys set signs_until = $3 where organization_id = $1 and algorithm = $2 and signs_until is null';
const REMOVE_OLD = `delete from published_keys where organization_id = $1 and not ${IS_PUBLISHED}`;
const REMOVE_ALL = 'delete from published_keys where organization_id = $1';
const ONE_AT_A_TIME = `select pg_advisory_xact_lock(hashtextextended('published keys', 0))`;

type KeyRow = Omit<PublishedKey, 'privateJwk'> & { readonly privateKey: string };

@Injectable()
export class SqlPublishedKeyStore extends PublishedKeyStore {
  constructor(
    private readonly statements: SystemStatements,
    private readonly unitOfWork: UnitOfWork,
    private readonly encryption: SecretEncryption,
  ) {
    super();
  }

  async published(organizationId: string): Promise<readonly PublishedKey[]> {
    if (!isCanonicalUuid(organizationId)) return [];
    const { rows } = await this.statements.run<KeyRow>(PUBLISHED, [organizationId]);
    return rows.map(({ privateKey, ...key }) => ({
      ...key,
      privateJwk: JSON.parse(this.encryption.open(privateKey, boundTo(key.kid))) as PublishedKey['privateJwk'],
    }));
  }

  async isOrganization(organizationId: string): Promise<boolean> {
    if (!isCanonicalUuid(organizationId)) return false;
    return (await this.statements.run(IS_ORGANIZATION, [organizationId])).rows.length > 0;
  }

  async first(): Promise<string | null> {
    return (await this.statements.run<{ readonly id: string | null }>(FIRST)).rows[0]?.id ?? null;
  }

  addFirst(organizationId: string, keys: readonly PublishedKey[]): Promise<void> {
    return this.unitOfWork.inSystem(async (transaction) => {
      const isFirst = await this.isFirst(transaction, organizationId);
      for (const key of keys) await this.insert(transaction, organizationId, isFirst, key);
    });
  }

  rotate(organizationId: string, keys: readonly PublishedKey[], atOnce: boolean): Promise<void> {
    return this.unitOfWork.inSystem(async (transaction) => {
      const isFirst = await this.isFirst(transaction, organizationId);
      const statements = statementsOf(transaction);
      await statements.run(atOnce ? REMOVE_ALL : REMOVE_OLD, [organizationId]);
      for (const key of keys) {
        await statements.run(END, [organizationId, key.algorithm, key.signsFrom]);
        await this.insert(transaction, organizationId, isFirst, key);
      }
    });
  }

  /** Whoever asks is alone with the keys until the transaction ends. */
  private async isFirst(transaction: Transaction, organizationId: string): Promise<boolean> {
    const statements = statementsOf(transaction);
    await statements.run(ONE_AT_A_TIME);
    return (await statements.run<{ readonly isFirst: boolean }>(IS_FIRST, [organizationId])).rows[0]!.isFirst;
  }

  private async insert(
    transaction: Transaction,
    organizationId: string,
    isFirst: boolean,
    { kid, algorithm, publicJwk, privateJwk, signsFrom }: PublishedKey,
  ): Promise<void> {
    const sealed = this.encryption.seal(JSON.stringify(privateJwk), boundTo(kid));
    const values = [kid, algorithm, JSON.stringify(publicJwk), sealed, signsFrom, organizationId, isFirst];
    await statementsOf(transaction).run(INSERT, values);
  }
}

function boundTo(kid: string): string {
  return `published key ${kid}`;
}
