import { Injectable } from '@nestjs/common';
import { SessionRepository, type NewSession, type SessionRecord } from '../../core/users/session.repository.js';
import type { UserRecord } from '../../core/users/user.js';
import { SystemStatements } from '../../platform/database/statements.js';
import { USER_COLUMNS } from './sql-user.repository.js';

const INSERT = `with gone as (delete from user_sessions where ctid = any (array(
    select ctid from user_sessions where expires_at < sutura_now() limit 20 for update skip locked)))
  insert into user_sessions (sha256, user_id, created_at, seen_at, expires_at)
    select $1, $2, sutura_now(), sutura_now(), sutura_now() + make_interval(secs => $3) from (
      -- Waits for a reset that holds the row, which ends what it finds.
      select from users where id = $2 and disabled_at is null and password_hash is not distinct from $4 for share) as unchanged`;
/** The use is noted once a minute, so that reading costs no write. */
const FIND = `with held as (
    select s.sha256, s.expires_at, s.seen_at, s.user_id from user_sessions s
      where s.sha256 = $1 and s.expires_at > sutura_now() and s.seen_at > sutura_now() - make_interval(secs => $2)),
  seen as (update user_sessions set seen_at = sutura_now() where sha256 = (select sha256 from held where seen_at < sutura_now() - interval '1 minute'))
  select ${USER_COLUMNS}, held.expires_at as "expiresAt" from held join users u on u.id = held.user_id where u.disabled_at is null`;

@Injectable()
export class SqlSessionRepository extends SessionRepository {
  constructor(private readonly statements: SystemStatements) {
    super();
  }

  async insert({ sha256, userId, lifeS, passwordHash }: NewSession): Promise<boolean> {
    const values = [Buffer.from(sha256), userId, lifeS, passwordHash];
    return (await this.statements.run(INSERT, values)).affected === 1;
  }

  async find(sha256: Uint8Array, idleS: number): Promise<SessionRecord | null> {
    const values = [Buffer.from(sha256), idleS];
    const [found] = (await this.statements.run<UserRecord & { readonly expiresAt: Date }>(FIND, values)).rows;
    if (found === undefined) return null;
    const { expiresAt, ...user } = found;
    return { user, expiresAt };
  }

  async end(sha256: Uint8Array): Promise<void> {
    await this.statements.run('delete from user_sessions where sha256 = $1', [Buffer.from(sha256)]);
  }

  async endAll(userId: string): Promise<void> {
    await this.statements.run('delete from user_sessions where user_id = $1', [userId]);
  }
}
