import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Trier } from '../../core/users/login-devices.js';
import { LoginFailures } from '../../core/users/login-failures.js';
import { SystemStatements } from '../../platform/database/statements.js';

/** Tries before the first wait, the first wait, and the longest one: 96 tries a day at most. */
const FREE_TRIES = 5;
const FIRST_WAIT_S = 30;
const LONGEST_WAIT_S = 900;

/** A try is counted in one statement, so that concurrent tries are limited like tries in turn. */
const BEGIN = `with gone as (delete from login_failures where ctid = any (array(
    select ctid from login_failures where last_failed_at < sutura_now() - interval '1 day' and name_sha256 <> $1 limit 20 for update skip locked)))
  insert into login_failures as f (name_sha256, failures, last_failed_at) values ($1, 1, sutura_now())
  on conflict (name_sha256) do update set
    failures = case when f.last_failed_at < sutura_now() - interval '1 day' then 1 else f.failures + 1 end,
    last_failed_at = sutura_now(),
    locked_until = case when f.last_failed_at >= sutura_now() - interval '1 day' and f.failures + 1 >= ${FREE_TRIES}
      then sutura_now() + make_interval(secs => least(${LONGEST_WAIT_S}, ${FIRST_WAIT_S} * power(2, least(f.failures + 1 - ${FREE_TRIES}, 10)))) end
  where f.locked_until is null or f.locked_until <= sutura_now()`;
const WAIT = `select greatest(1, ceil(extract(epoch from locked_until - sutura_now())))::int as seconds from login_failures
  where name_sha256 = $1 and locked_until is not null`;

@Injectable()
export class SqlLoginFailures extends LoginFailures {
  constructor(private readonly statements: SystemStatements) {
    super();
  }

  async begin(trier: Trier): Promise<number> {
    const digest = digestOf(trier);
    if ((await this.statements.run(BEGIN, [digest])).affected === 1) return 0;
    return (await this.statements.run<{ seconds: number }>(WAIT, [digest])).rows[0]?.seconds ?? 1;
  }

  async clear(trier: Trier): Promise<void> {
    await this.statements.run('delete from login_failures where name_sha256 = $1', [digestOf(trier)]);
  }
}

function digestOf(trier: Trier): Buffer {
  return createHash('sha256').update(trier, 'utf8').digest();
}
