import { Injectable } from '@nestjs/common';
import { LaunchStates, type LaunchState } from '../../core/launch/launch-states.js';
import { SystemStatements } from '../../platform/database/statements.js';

const BEGIN = `with gone as (delete from ehr_launches where ctid = any (array(
    select ctid from ehr_launches where expires_at < sutura_now() limit 20 for update skip locked)))
  insert into ehr_launches (state_sha256, organization_id, environment, ehr_id, iss, launch, verifier, nonce, browser_sha256, is_framed, expires_at)
    select $1, $2, $3, id, $5, $6, $7, $8, $9, $10, sutura_now() + make_interval(secs => $11) from ehrs
      where organization_id = $2 and id = $4 and updated_at = $12 for share`;
const TAKE = `with taken as (delete from ehr_launches where state_sha256 = $1 returning *)
  select organization_id as "organizationId", environment, ehr_id as "ehrId", iss, launch, verifier, nonce, browser_sha256 as "browserSha256",
    is_framed as "isFramed" from taken where expires_at > sutura_now()`;

/** Launches as the service itself keeps them: the browser that comes back names no organization. */
@Injectable()
export class SqlLaunchStates extends LaunchStates {
  constructor(private readonly statements: SystemStatements) {
    super();
  }

  async begin(stateSha256: Uint8Array, state: LaunchState, asOf: Date, lifeS: number): Promise<boolean> {
    const { organizationId, environment, ehrId, iss, launch, verifier, nonce, browserSha256, isFramed } = state;
    const { affected } = await this.statements.run(BEGIN, [
      Buffer.from(stateSha256),
      organizationId,
      environment,
      ehrId,
      iss,
      launch,
      verifier,
      nonce,
      Buffer.from(browserSha256),
      isFramed,
      lifeS,
      asOf,
    ]);
    return affected === 1;
  }

  async take(stateSha256: Uint8Array): Promise<LaunchState | null> {
    return (await this.statements.run<LaunchState>(TAKE, [Buffer.from(stateSha256)])).rows[0] ?? null;
  }
}
