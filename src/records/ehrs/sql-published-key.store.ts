import { Injectable } from '@nestjs/common';
import { PUBLISHED_AFTER_S, PublishedKeyStore, type PublishedKey } from '../../core/ehrs/published-key.store.js';
import { UnitOfWork, type Transaction } from '../../core/ports/unit-of-work.js';
import { SecretEncryption } from '../../platform/database/secret-encryption.js';
import { SystemStatements } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

const IS_PUBLISHED = `(signs_until is null or signs_until > sutura_now() - make_interval(secs => ${PUBLISHED_AFTER_S}))`;
const PUBLISHED = `select kid, algorithm, public_key as "publicJwk", private_key as "privateKey", signs_from as "signsFrom", signs_until as "signsUntil"
  from published_keys where ${IS_PUBLISHED} order by algorithm, signs_from desc, kid`;
const INSERT = `insert into published_keys (kid, algorithm, public_key, private_key, signs_from) values ($1, $2, $3, $4, $5)
  on conflict do nothing`;
const END = 'update published_keys set signs_until = $2 where algorithm = $1 and signs_until is null';
const REMOVE_OLD = `delete from published_keys where not ${IS_PUBLISHED}`;
const REMOVE_ALL = 'delete from published_keys';
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

  async published(): Promise<readonly PublishedKey[]> {
    const { rows } = await this.statements.run<KeyRow>(PUBLISHED);
    return rows.map(({ privateKey, ...key }) => ({
      ...key,
      privateJwk: JSON.parse(this.encryption.open(privateKey, boundTo(key.kid))) as PublishedKey['privateJwk'],
    }));
  }

  addFirst(keys: readonly PublishedKey[]): Promise<void> {
    return this.unitOfWork.inSystem(async (transaction) => {
      for (const key of keys) await this.insert(transaction, key);
    });
  }

  rotate(keys: readonly PublishedKey[], atOnce: boolean): Promise<void> {
    return this.unitOfWork.inSystem(async (transaction) => {
      const statements = statementsOf(transaction);
      await statements.run(ONE_AT_A_TIME);
      await statements.run(atOnce ? REMOVE_ALL : REMOVE_OLD);
      for (const key of keys) {
        await statements.run(END, [key.algorithm, key.signsFrom]);
        await this.insert(transaction, key);
      }
    });
  }

  private async insert(transaction: Transaction, key: PublishedKey): Promise<void> {
    const { kid, algorithm, publicJwk, privateJwk, signsFrom } = key;
    const sealed = this.encryption.seal(JSON.stringify(privateJwk), boundTo(kid));
    await statementsOf(transaction).run(INSERT, [kid, algorithm, JSON.stringify(publicJwk), sealed, signsFrom]);
  }
}

function boundTo(kid: string): string {
  return `published key ${kid}`;
}
