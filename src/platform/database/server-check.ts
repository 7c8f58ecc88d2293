import type { QueryRunner } from 'typeorm';
import { stateOf } from './database-fault.js';

/** The database cannot be used as it is, and waiting will not help. The text says what to change. */
export class DatabaseRefusal extends Error {}

const OLDEST_VERSION = 150_000;
/** Settings without which a commit may be lost (PostgreSQL 19.5 and 29.1). */
const SAFETY_SETTINGS = ['fsync', 'full_page_writes'] as const;

/** A startup option without a meaning: a pooler that drops it would drop the roles of sessions, too. */
export const OPTION_PROBE = '-c sutura.probe=on';

interface Condition {
  readonly version: number;
  readonly standby: boolean;
  readonly readOnly: boolean;
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly optionsArrive: boolean;
}

const CONDITION = `select current_setting('server_version_num')::int as version, pg_is_in_recovery() as standby,
    current_setting('transaction_read_only') = 'on' as "readOnly", coalesce(current_setting('sutura.probe', true) = 'on', false) as "optionsArrive",
    current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes`;

const NO_POOLER =
  'Sutura needs sessions of its own (roles, notifications, locks): let DATABASE_URL name the PostgreSQL server itself.';

/**
 * Refuses a server that cannot be used. The session must have been opened with `OPTION_PROBE`. DatabaseRefusal: too
 * old, a standby, read-only, behind a pooler that drops a session's options, or one that may lose commits.
 */
export async function refuseUnusableServer(query: (sql: string) => Promise<readonly unknown[]>): Promise<void> {
  const [row] = await query(CONDITION);
  const condition = row as Condition;
  if (condition.version < OLDEST_VERSION)
    throw new DatabaseRefusal(
      `PostgreSQL ${Math.floor(condition.version / 10_000)} is too old. Sutura needs PostgreSQL 15 or newer.`,
    );
  if (condition.standby)
    throw new DatabaseRefusal('DATABASE_URL names a standby, which only reads. Let it name the primary server.');
  if (condition.readOnly)
    throw new DatabaseRefusal(
      'Sessions of DATABASE_URL are read-only (default_transaction_read_only). Let its user write.',
    );
  if (!condition.optionsArrive)
    throw new DatabaseRefusal(
      `The options of a session do not arrive: DATABASE_URL carries "options" of its own, or a connection pooler such as PgBouncer stands before the server. ${NO_POOLER}`,
    );
  for (const setting of SAFETY_SETTINGS) {
    if (condition[setting] === 'off')
      throw new DatabaseRefusal(
        `The PostgreSQL server runs with ${setting}=off and may lose committed jobs. Set ${setting}=on and restart it.`,
      );
  }
}

const WRONG_ACCOUNT: Readonly<Record<string, string>> = {
  '28P01': 'refuses its user or password',
  '28000': 'refuses its user: pg_hba.conf lets nobody of this name in from here',
  '3D000': 'has no database of its name',
};

/** DatabaseRefusal where the server does not know the account or the database (PostgreSQL appendix A). */
export function refuseWrongAccount(error: unknown): void {
  const why = WRONG_ACCOUNT[stateOf(error) ?? ''];
  if (why !== undefined) throw new DatabaseRefusal(`The server of DATABASE_URL ${why}. Correct DATABASE_URL.`);
}

const UNTRUSTED =
  /^(?:SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY|GET)_\w+|CERT_\w+|ERR_TLS_CERT_\w+)$/;

/** DatabaseRefusal where TLS fails for what the address asks of the server, or the server has none. */
export function refuseUntrusted(error: unknown): void {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code === 'string' && UNTRUSTED.test(code))
    throw new DatabaseRefusal(
      `The certificate of the server of DATABASE_URL is not trusted, or is for another host (${code}). Name the file of your authority in sslrootcert and the host as the certificate has it: docs/deployment.md#tls-to-postgresql.`,
    );
  if (typeof message === 'string' && message.includes('does not support SSL connections'))
    throw new DatabaseRefusal(
      'The server of DATABASE_URL takes no TLS, which sslmode asks for. Set ssl=on at the server.',
    );
}

/** PgBouncer refuses a connection with options, with an SQLSTATE that otherwise means a lost connection. */
export function refusePooler(error: unknown): void {
  const message = error instanceof Error ? error.message : '';
  if (message.includes('unsupported startup parameter'))
    throw new DatabaseRefusal(`A connection pooler, such as PgBouncer, stands before DATABASE_URL. ${NO_POOLER}`);
}

/** For TypeORM's runner. */
export const queryOf =
  (runner: QueryRunner) =>
  (sql: string): Promise<readonly unknown[]> =>
    runner.query(sql) as Promise<readonly unknown[]>;
