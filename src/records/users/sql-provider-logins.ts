import { Injectable } from '@nestjs/common';
import { ProviderLogins, type ProviderLogin } from '../../core/users/provider-logins.js';
import { SystemStatements } from '../../platform/database/statements.js';

const BEGIN = `with gone as (delete from provider_logins where ctid = any (array(
    select ctid from provider_logins where expires_at < sutura_now() limit 20 for update skip locked)))
  insert into provider_logins (state_sha256, verifier, nonce, expires_at) values ($1, $2, $3, sutura_now() + make_interval(secs => $4))`;
const TAKE =
  'with taken as (delete from provider_logins where state_sha256 = $1 returning *) select verifier, nonce from taken where expires_at > sutura_now()';

@Injectable()
export class SqlProviderLogins extends ProviderLogins {
  constructor(private readonly statements: SystemStatements) {
    super();
  }

  async begin(stateSha256: Uint8Array, { verifier, nonce }: ProviderLogin, lifeS: number): Promise<void> {
    await this.statements.run(BEGIN, [Buffer.from(stateSha256), verifier, nonce, lifeS]);
  }

  async take(stateSha256: Uint8Array): Promise<ProviderLogin | null> {
    return (await this.statements.run<ProviderLogin>(TAKE, [Buffer.from(stateSha256)])).rows[0] ?? null;
  }
}
