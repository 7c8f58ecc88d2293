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
const HAS_EHR = 'select from ehrs where organization_id = $1 limit 1';
const ONLY = 'select min(id::text) as id from organizations having count(*) = 1';
const INSERT = `insert into published_keys (kid, algorithm, public_key, private_key, signs_from, organization_id)
    values ($1, $2, $3, $4, $5, $6) on conflict do nothing`;
const END =
  'update published_keys set signs_until = $3 where organization_id = $1 and algorithm = $2 and signs_until is null';
const REMOVE_OLD = `delete from published_keys where organization_id = $1 and not ${IS_PUBLISHED}`;
const REMOVE_ALL = 'delete from published_keys where organization_id = $1';
const ONE_AT_A_TIME = `select pg_advisory_xact_lock(hashtextextended('published keys ' || $1, 0))`;

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

  async hasEhr(organizationId: string): Promise<boolean> {
    return isCanonicalUuid(organizationId) && (await this.statements.run(HAS_EHR, [organizationId])).rows.length > 0;
  }

  async only(): Promise<string | null> {
    return (await this.statements.run<{ readonly id: string }>(ONLY)).rows[0]?.id ?? null;
  }

  addFirst(organizationId: string, keys: readonly PublishedKey[]): Promise<void> {
    return this.unitOfWork.inSystem(async (transaction) => {
      await statementsOf(transaction).run(ONE_AT_A_TIME, [organizationId]);
      for (const key of keys) await this.insert(transaction, organizationId, key);
    });
  }

  rotate(organizationId: string, keys: readonly PublishedKey[], atOnce: boolean): Promise<void> {
    return this.unitOfWork.inSystem(async (transaction) => {
      const statements = statementsOf(transaction);
      await statements.run(ONE_AT_A_TIME, [organizationId]);
      await statements.run(atOnce ? REMOVE_ALL : REMOVE_OLD, [organizationId]);
      for (const key of keys) {
        await statements.run(END, [organizationId, key.algorithm, key.signsFrom]);
        await this.insert(transaction, organizationId, key);
      }
    });
  }

  private async insert(
    transaction: Transaction,
    organizationId: string,
    { kid, algorithm, publicJwk, privateJwk, signsFrom }: PublishedKey,
  ): Promise<void> {
    const sealed = this.encryption.seal(JSON.stringify(privateJwk), boundTo(kid));
    const values = [kid, algorithm, JSON.stringify(publicJwk), sealed, signsFrom, organizationId];
    await statementsOf(transaction).run(INSERT, values);
  }
}

function boundTo(kid: string): string {
  return `published key ${kid}`;
}
