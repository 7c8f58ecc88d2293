import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../core/errors/sutura-error.js';
import type { Transaction } from '../../core/ports/unit-of-work.js';
import type { UserRecord } from '../../core/users/user.js';
import type { UserRole } from '../../core/tenancy/roles.js';
import {
  UserRepository,
  type KeptSetup,
  type LoginRecord,
  type ProviderIdentity,
  type UserChange,
} from '../../core/users/user.repository.js';
import { SecretEncryption } from '../../platform/database/secret-encryption.js';
import { isCanonicalUuid, SystemStatements } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

/** Of `users u`. */
export const USER_COLUMNS = `u.id, u.name, u.display_name as "displayName", u.is_installation_admin as "isInstallationAdmin",
    u.created_at as "createdAt", u.disabled_at as "disabledAt", u.last_login_at as "lastLoginAt",
    u.password_hash is not null as "hasPassword", u.code_secret is not null as "hasCodes",
    u.subject is not null as "hasProvider", u.setup_by as "setupBy",
    coalesce((select json_agg(json_build_object('organizationId', r.organization_id, 'role', r.role) order by r.organization_id)
      from user_roles r where r.user_id = u.id), '[]'::json) as roles`;
const SELECT = `select ${USER_COLUMNS} from users u`;
/** $1: the organization. */
const OF_ORGANIZATION = `(exists (select from user_roles held where held.user_id = u.id and held.organization_id = $1)
    or exists (select from former_user_roles former where former.user_id = u.id and former.organization_id = $1))`;
/** A statement of its own before the user is read: the roles are then as they are once the row is held. */
const HOLD = 'select from users where id = $1 for update';
const REMEMBER_ROLES = `insert into former_user_roles (user_id, organization_id) select user_id, organization_id from user_roles where user_id = $1
  on conflict do nothing`;
const SELECT_FOR_LOGIN = `select ${USER_COLUMNS}, u.password_hash as "passwordHash", u.code_secret as "codeSecret" from users u`;
// An unknown organization is refused when its role is given.
const INSERT = `insert into users (id, name, display_name, is_installation_admin, setup_sha256, setup_expires_at, issuer, subject, created_at, setup_by)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, (select id from organizations where id = $10)) on conflict (name) do nothing`;
const INSERT_ROLES = `insert into user_roles (user_id, organization_id, role)
  select $1, o.id, given.role from json_to_recordset($2::json) as given ("organizationId" uuid, role text)
    join organizations o on o.id = given."organizationId"`;
const CHANGE = `update users set display_name = coalesce($2, display_name), is_installation_admin = coalesce($3, is_installation_admin),
    disabled_at = case when $4 then $5 else disabled_at end where id = $1`;
const RESET = `update users set password_hash = null, code_secret = null, offered_code_secret = null, last_code_step = null,
    setup_sha256 = $2, setup_expires_at = $3, setup_by = $4 where id = $1`;
const END_SESSIONS = `with ended as (delete from user_sessions where user_id = $1), desks as (delete from review_links where key_id = $1)
  delete from login_devices where user_id = $1`;
const CAN_LOG_IN =
  'is_installation_admin and disabled_at is null and (password_hash is not null or subject is not null)';
const USE_SETUP = `update users set password_hash = $3, setup_sha256 = null, setup_expires_at = null
  where id = $1 and setup_sha256 = $2 and setup_expires_at > sutura_now() and disabled_at is null and subject is null`;
const USE_STEP = `update users set last_code_step = $2,
    code_secret = coalesce($3, code_secret), offered_code_secret = case when $3::text is null then offered_code_secret end
  where id = $1 and (last_code_step is null or last_code_step < $2) and ($3::text is null or offered_code_secret = $3)`;
const REWRAP_CODES = 'update users set code_secret = $3 where id = $1 and code_secret = $2';

@Injectable()
export class SqlUserRepository extends UserRepository {
  constructor(
    private readonly statements: SystemStatements,
    private readonly encryption: SecretEncryption,
  ) {
    super();
  }

  async insert(
    transaction: Transaction,
    { id, name, displayName, isInstallationAdmin, roles, createdAt, setupBy }: UserRecord,
    known: { readonly setup: KeptSetup } | { readonly identity: ProviderIdentity },
  ): Promise<boolean> {
    const setup = 'setup' in known ? [Buffer.from(known.setup.sha256), known.setup.expiresAt] : [null, null];
    const identity = 'identity' in known ? [known.identity.issuer, known.identity.subject] : [null, null];
    const values = [id, name, displayName, isInstallationAdmin, ...setup, ...identity, createdAt, setupBy];
    if ((await statementsOf(transaction).run(INSERT, values)).affected === 0) return false;
    await this.giveRoles(transaction, id, roles);
    return true;
  }

  async list(transaction: Transaction): Promise<UserRecord[]> {
    return (await statementsOf(transaction).run<UserRecord>(`${SELECT} order by u.name`)).rows;
  }

  async listOfOrganization(transaction: Transaction, organizationId: string): Promise<UserRecord[]> {
    if (!isCanonicalUuid(organizationId)) return [];
    const select = `${SELECT} where ${OF_ORGANIZATION} order by u.name`;
    return (await statementsOf(transaction).run<UserRecord>(select, [organizationId])).rows;
  }

  async lockOfOrganization(
    transaction: Transaction,
    organizationId: string,
    userId: string,
  ): Promise<UserRecord | null> {
    if (![organizationId, userId].every(isCanonicalUuid)) return null;
    const statements = statementsOf(transaction);
    await statements.run(HOLD, [userId]);
    const select = `${SELECT} where ${OF_ORGANIZATION} and u.id = $2`;
    return (await statements.run<UserRecord>(select, [organizationId, userId])).rows[0] ?? null;
  }

  async find(transaction: Transaction, userId: string): Promise<UserRecord | null> {
    if (!isCanonicalUuid(userId)) return null;
    return (await statementsOf(transaction).run<UserRecord>(`${SELECT} where u.id = $1`, [userId])).rows[0] ?? null;
  }

  async lock(transaction: Transaction, userId: string): Promise<UserRecord | null> {
    if (!isCanonicalUuid(userId)) return null;
    await statementsOf(transaction).run(HOLD, [userId]);
    return this.find(transaction, userId);
  }

  async findByIdentity(transaction: Transaction, identity: ProviderIdentity): Promise<UserRecord | null> {
    const select = `${SELECT} where u.issuer = $1 and u.subject = $2`;
    const { rows } = await statementsOf(transaction).run<UserRecord>(select, [identity.issuer, identity.subject]);
    return rows[0] ?? null;
  }

  async change(transaction: Transaction, userId: string, change: UserChange): Promise<void> {
    const { displayName = null, isInstallationAdmin = null, disabledAt, roles } = change;
    const values = [userId, displayName, isInstallationAdmin, disabledAt !== undefined, disabledAt ?? null];
    await statementsOf(transaction).run(CHANGE, values);
    if (roles === undefined) return;
    await statementsOf(transaction).run(REMEMBER_ROLES, [userId]);
    await statementsOf(transaction).run('delete from user_roles where user_id = $1', [userId]);
    await this.giveRoles(transaction, userId, roles);
  }

  async reset(
    transaction: Transaction,
    userId: string,
    { sha256, expiresAt }: KeptSetup,
    by: string | null,
  ): Promise<void> {
    await statementsOf(transaction).run(RESET, [userId, Buffer.from(sha256), expiresAt, by]);
    await statementsOf(transaction).run(END_SESSIONS, [userId]);
  }

  async endCredentials(transaction: Transaction, userId: string): Promise<void> {
    await statementsOf(transaction).run(RESET, [userId, null, null, null]);
    await statementsOf(transaction).run(END_SESSIONS, [userId]);
  }

  async lockActiveAdmins(transaction: Transaction): Promise<readonly string[]> {
    const select = `select id from users where ${CAN_LOG_IN} order by id for update`;
    return (await statementsOf(transaction).run<{ id: string }>(select)).rows.map(({ id }) => id);
  }

  async findForLogin(name: string): Promise<LoginRecord | null> {
    return this.opened(await this.statements.run<LoginRecord>(`${SELECT_FOR_LOGIN} where u.name = $1`, [name]));
  }

  async findBySetup(sha256: Uint8Array): Promise<LoginRecord | null> {
    const select = `${SELECT_FOR_LOGIN} where u.setup_sha256 = $1 and u.setup_expires_at > sutura_now() and u.disabled_at is null
      and u.subject is null`;
    return this.opened(await this.statements.run<LoginRecord>(select, [Buffer.from(sha256)]));
  }

  async useSetup(userId: string, sha256: Uint8Array, passwordHash: string): Promise<boolean> {
    return (await this.statements.run(USE_SETUP, [userId, Buffer.from(sha256), passwordHash])).affected === 1;
  }

  async setPassword(userId: string, present: string | null, passwordHash: string): Promise<boolean> {
    const update = 'update users set password_hash = $3 where id = $1 and password_hash = $2';
    return (await this.statements.run(update, [userId, present, passwordHash])).affected === 1;
  }

  async offerCodes(userId: string, secret: string): Promise<void> {
    const kept = this.encryption.seal(secret, userId);
    await this.statements.run('update users set offered_code_secret = $2 where id = $1', [userId, kept]);
  }

  async findOfferedCodes(userId: string): Promise<string | null> {
    const kept = await this.keptOffer(userId);
    return kept === null ? null : this.encryption.open(kept, userId);
  }

  async useCodeStep(userId: string, step: number, offered: string | null): Promise<boolean> {
    const kept = offered === null ? null : await this.keptOffer(userId);
    // Another one was offered meanwhile.
    if (offered !== null && (kept === null || this.encryption.open(kept, userId) !== offered)) return false;
    return (await this.statements.run(USE_STEP, [userId, step, kept])).affected === 1;
  }

  async noteLogin(userId: string): Promise<void> {
    await this.statements.run('update users set last_login_at = sutura_now() where id = $1', [userId]);
  }

  async hasActiveAdmin(): Promise<boolean> {
    const select = `select exists (select from users where ${CAN_LOG_IN}) as found`;
    return (await this.statements.run<{ found: boolean }>(select)).rows[0]?.found ?? false;
  }

  async hasUsers(): Promise<boolean> {
    const { rows } = await this.statements.run<{ found: boolean }>('select exists (select from users) as found');
    return rows[0]?.found ?? false;
  }

  private async keptOffer(userId: string): Promise<string | null> {
    const select = 'select offered_code_secret as secret from users where id = $1';
    return (await this.statements.run<{ secret: string | null }>(select, [userId])).rows[0]?.secret ?? null;
  }

  /** With the secret in the clear. One that was kept before there was a key is encrypted now. */
  private async opened({ rows: [user] }: { readonly rows: readonly LoginRecord[] }): Promise<LoginRecord | null> {
    if (user === undefined) return null;
    const { id, codeSecret: kept } = user;
    if (kept === null) return user;
    if (this.encryption.isLeftPlain(kept))
      await this.statements.run(REWRAP_CODES, [id, kept, this.encryption.seal(kept, id)]);
    return { ...user, codeSecret: this.encryption.open(kept, id) };
  }

  private async giveRoles(transaction: Transaction, userId: string, roles: readonly UserRole[]): Promise<void> {
    if (roles.length === 0) return;
    const { affected } = await statementsOf(transaction).run(INSERT_ROLES, [userId, JSON.stringify(roles)]);
    if (affected !== roles.length) throw new SuturaError('organization.not_found');
  }
}
