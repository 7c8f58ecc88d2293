import type { QueryRunner } from 'typeorm';
import type { DatabaseRole } from './data-source.js';
import { DatabaseRefusal } from './server-check.js';

const ROLES: readonly DatabaseRole[] = ['sutura_app', 'sutura_system'];
const INSUFFICIENT_PRIVILEGE = '42501';
const STATEMENTS =
  'create role sutura_app nologin; create role sutura_system nologin; grant sutura_app, sutura_system to';

/**
 * Makes the two roles that sessions run as if they are missing, and grants them to the account of DATABASE_URL if it
 * cannot take them yet. Existing roles need no right. Roles belong to the whole server, so another of its databases
 * may be making them at this moment. DatabaseRefusal with the statements to run if the account may not make what is
 * missing.
 */
export async function ensureRoles(runner: QueryRunner): Promise<void> {
  try {
    for (const role of ROLES) {
      await runner.query(`do $$ begin
          if not exists (select from pg_roles where rolname = '${role}') then create role ${role} nologin; end if;
        exception when duplicate_object or unique_violation then null; end $$`);
      if (!(await mayTake(runner, role)))
        await runner.query(`do $$ begin execute format('grant ${role} to %I', current_user); end $$`);
    }
  } catch (error) {
    if ((error as { code?: unknown }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    const [row] = (await runner.query('select quote_ident(current_user) as account')) as { account: string }[];
    throw new DatabaseRefusal(
      `The account of DATABASE_URL may not make the roles that sessions run as. Run as a superuser: ${STATEMENTS} ${row?.account ?? '<user>'};`,
    );
  }
}

/** An expression: whether the account may take both roles. It fails where one is missing. */
export const MAY_TAKE_ROLES = ROLES.map((role) => mayTakeOf(role)).join(' and ');

/**
 * Since PostgreSQL 16 a member may lack the right to take the role (GRANT … WITH SET), as the maker of a role does. A
 * superuser may take any.
 */
async function mayTake(runner: QueryRunner, role: DatabaseRole): Promise<boolean> {
  const [row] = (await runner.query(`select ${mayTakeOf(role)} as may`)) as { may: boolean }[];
  return row?.may === true;
}

function mayTakeOf(role: DatabaseRole): string {
  return `pg_has_role(current_user, '${role}', case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end)`;
}
