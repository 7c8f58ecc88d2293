import { Injectable } from '@nestjs/common';
import { EhrTokenLedger } from '../../core/ehrs/ehr-token.ledger.js';
import { SystemStatements } from '../../platform/database/statements.js';

/** Each use takes some that have expired with it, so that the table stays as large as what is in force. */
const USE = `with gone as (delete from ehr_tokens where ctid = any (array(
    select ctid from ehr_tokens where expires_at < sutura_now() limit 20 for update skip locked)))
  insert into ehr_tokens (ehr_id, jti_sha256, expires_at) select id, $2, $3 from ehrs where id = $1 on conflict do nothing`;

@Injectable()
export class SqlEhrTokenLedger extends EhrTokenLedger {
  constructor(private readonly statements: SystemStatements) {
    super();
  }

  async use(ehrId: string, jtiSha256: Uint8Array, expiresAt: Date): Promise<boolean> {
    const { affected } = await this.statements.run(USE, [ehrId, Buffer.from(jtiSha256), expiresAt]);
    return affected === 1;
  }
}
