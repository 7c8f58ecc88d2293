import { Injectable } from '@nestjs/common';
import { isSuturaError } from '../../core/errors/sutura-error.js';
import { SessionRepository, type NewSession, type SessionRecord } from '../../core/users/session.repository.js';
import type { UserRecord } from '../../core/users/user.js';
import { ProviderSessions, type DueLook, type ProviderTokens } from '../../core/users/provider-sessions.js';
import { stateOf } from '../../platform/database/database-fault.js';
import { SecretEncryption } from '../../platform/database/secret-encryption.js';
import { SystemStatements } from '../../platform/database/statements.js';
import { USER_COLUMNS } from './sql-user.repository.js';

/** Twice within the five minutes in which a withdrawal must take effect, so that one failed check is made up for. Of `user_sessions s`. */
const IS_DUE = "s.looked_at < sutura_now() - interval '2 minutes'";
const CLAIM = `update user_sessions s set looked_at = sutura_now() where s.sha256 = $1 and s.provider_tokens is not null and ${IS_DUE}
  returning s.user_id as "userId", s.provider_tokens as tokens`;
const KEEP = `update user_sessions set provider_tokens = $2, stated_at = case when $3 then sutura_now() else stated_at end where sha256 = $1`;
const INSERT = `with gone as (delete from user_sessions where ctid = any (array(
    select ctid from user_sessions where expires_at < sutura_now() limit 20 for update skip locked)))
  insert into user_sessions (sha256, user_id, created_at, seen_at, expires_at, provider_tokens, stated_at, looked_at, device_sha256)
    select $1, $2, sutura_now(), sutura_now(), sutura_now() + make_interval(secs => $3), $5, case when $6 then sutura_now() end, sutura_now(), $7 from (
      -- Waits for a reset that holds the row, which ends what it finds.
      select from users where id = $2 and disabled_at is null and password_hash is not distinct from $4 for share) as unchanged`;
const HELD = `held as (
    select s.sha256, s.expires_at, s.seen_at, s.user_id, s.provider_tokens is not null and ${IS_DUE} as is_look_due from user_sessions s
      where s.sha256 = $1 and s.expires_at > sutura_now() and s.seen_at > sutura_now() - make_interval(secs => $2)
        and (s.stated_at is null or s.stated_at > sutura_now() - interval '60 minutes'))`;
const SHOWN = `select ${USER_COLUMNS}, held.expires_at as "expiresAt", held.is_look_due as "isLookDue" from held join users u on u.id = held.user_id where u.disabled_at is null`;
/** The use is noted once a minute, so that reading costs no write. */
const FIND = `with ${HELD},
  seen as (update user_sessions set seen_at = sutura_now() where sha256 = (select sha256 from held where seen_at < sutura_now() - interval '1 minute'))
  ${SHOWN}`;
/** Where nothing can be written, who is logged in still reads, until the session ends unused. */
const LOOK = `with ${HELD} ${SHOWN}`;
/** $2: the session whose browser stays known. */
const END_ALL = `with ended as (delete from user_sessions where user_id = $1 returning sha256, device_sha256),
  desks as (delete from review_links where key_id = $1)
  delete from login_devices where user_id = $1 and sha256 is distinct from (select device_sha256 from ended where sha256 = $2)`;

/** SQLSTATE of a write where nothing can be written. */
const READ_ONLY = '25006';

function isReadOnly(fault: unknown): boolean {
  return isSuturaError(fault, 'service.unavailable') && stateOf(fault.cause) === READ_ONLY;
}

interface ClaimedRow {
  readonly userId: string;
  /** Encrypted where the installation has a key. */
  readonly tokens: string;
}
type HeldRow = UserRecord & Omit<SessionRecord, 'user'>;

@Injectable()
export class SqlSessionRepository extends SessionRepository {
  constructor(
    private readonly statements: SystemStatements,
    private readonly encryption: SecretEncryption,
  ) {
    super();
  }

  async insert({ sha256, userId, lifeS, passwordHash, provider, device }: NewSession): Promise<boolean> {
    const tokens = provider?.tokens ?? null;
    const kept = tokens === null ? null : this.encryption.seal(JSON.stringify(tokens), userId);
    const values = [
      Buffer.from(sha256),
      userId,
      lifeS,
      passwordHash,
      kept,
      provider !== undefined,
      device === undefined ? null : Buffer.from(device.sha256),
    ];
    return (await this.statements.run(INSERT, values)).affected === 1;
  }

  async find(sha256: Uint8Array, idleS: number): Promise<SessionRecord | null> {
    const values = [Buffer.from(sha256), idleS];
    const [found] = await this.held(values);
    if (found === undefined) return null;
    const { expiresAt, isLookDue, ...user } = found;
    return { user, expiresAt, isLookDue };
  }

  private async held(values: readonly unknown[]): Promise<readonly HeldRow[]> {
    try {
      return (await this.statements.run<HeldRow>(FIND, values)).rows;
    } catch (fault) {
      // A database that is away would be waited for a second time.
      if (!isReadOnly(fault)) throw fault;
      return (await this.statements.run<HeldRow>(LOOK, values)).rows;
    }
  }

  async end(sha256: Uint8Array): Promise<void> {
    await this.statements.run('delete from user_sessions where sha256 = $1', [Buffer.from(sha256)]);
  }

  async endAll(userId: string, but?: Uint8Array): Promise<void> {
    await this.statements.run(END_ALL, [userId, but === undefined ? null : Buffer.from(but)]);
  }
}

@Injectable()
export class SqlProviderSessions extends ProviderSessions {
  constructor(
    private readonly statements: SystemStatements,
    private readonly encryption: SecretEncryption,
  ) {
    super();
  }

  async claimLook(sha256: Uint8Array): Promise<DueLook | null> {
    const due = await this.claimed(sha256);
    if (due === undefined) return null;
    const { userId, tokens } = due;
    return { userId, tokens: JSON.parse(this.encryption.open(tokens, userId)) as ProviderTokens };
  }

  /** Where nothing can be written, nobody is asked: a refresh token works once, and the next could not be kept. A session ends an hour after its last word, whatever is written. */
  private async claimed(sha256: Uint8Array): Promise<ClaimedRow | undefined> {
    try {
      return (await this.statements.run<ClaimedRow>(CLAIM, [Buffer.from(sha256)])).rows[0];
    } catch (fault) {
      if (!isReadOnly(fault)) throw fault;
      return undefined;
    }
  }

  async keep(sha256: Uint8Array, userId: string, tokens: ProviderTokens, isStated: boolean): Promise<void> {
    const kept = this.encryption.seal(JSON.stringify(tokens), userId);
    await this.statements.run(KEEP, [Buffer.from(sha256), kept, isStated]);
  }
}
