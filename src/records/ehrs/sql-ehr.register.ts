import { Injectable } from '@nestjs/common';
import { fhirBaseOf } from '../../core/ehrs/ehr-addresses.js';
import { EhrRegister } from '../../core/ehrs/ehr.register.js';
import { isOpenedOtherwise } from '../../core/ehrs/desk-terms.js';
import type { Ehr, EhrChange } from '../../core/ehrs/ehr.js';
import { losesFiled, type FiledForm } from '../../core/ehrs/filed-terms.js';
import { isSuturaError, SuturaError } from '../../core/errors/sutura-error.js';
import { Clock } from '../../core/ports/clock.js';
import { UnitOfWork, type Transaction } from '../../core/ports/unit-of-work.js';
import type { Environment } from '../../core/tenancy/tenant.js';
import { stateOf } from '../../platform/database/database-fault.js';
import { SecretEncryption } from '../../platform/database/secret-encryption.js';
import { isCanonicalUuid, readTwice, SystemStatements } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';
import { Logger } from '../../platform/logging/logger.js';
import { EHR_COLUMNS, toEhr, toEhrValues, unreadSecrets, type EhrRow, type SecretUse } from './ehr-row.js';

/** Of one organization, in both environments. */
const MOST_EHRS = 50;
/** SQLSTATE of a key that another row has. */
const TAKEN = '23505';

const SELECT = `select ${EHR_COLUMNS} from ehrs`;
const FIND = `${SELECT} where organization_id = $1 and id = $2`;
const BY_BASE = `${SELECT} where fhir_base_url = $1`;
const BY_ISSUER = `${SELECT} where cds_issuer = $1`;
const LIST = `${SELECT} where organization_id = $1 and environment = coalesce($2, environment) order by created_at, id`;
const PUSHING = `${SELECT} where (push ->> 'enabled')::boolean order by created_at, id`;
/** One at a time counts the registrations of an organization. */
const ONE_AT_A_TIME = `select pg_advisory_xact_lock(hashtextextended('ehrs ' || $1, 0))`;
const COUNT = 'select count(*)::int as count from ehrs where organization_id = $1';
const INSERT = `insert into ehrs (id, organization_id, environment, created_at, updated_at, name, fhir_base_url, origins, patient_system,
    launch, launch_secret, push, push_token, cds, cds_issuer, frame_ancestors)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`;
/**
 * From when on it is known whether the database came back without what was filed there; removed and registered anew, it came without, and is owed the
 * withdrawals since.
 */
const INSERT_SENDER = `insert into ehr_senders (ehr_id, organization_id, environment, came_back_at, withdrawals_owed_at)
  select $1, $2, $3, back.at, back.at from organizations, lateral (select case when $4 = any (left_ehr_bases) then sutura_now() end as at) back where id = $2`;
const UPDATE = `update ehrs set updated_at = $2, name = $3, fhir_base_url = $4, origins = $5, patient_system = $6,
    launch = $7, launch_secret = $8, push = $9, push_token = $10, cds = $11, cds_issuer = $12, frame_ancestors = $13
  where id = $1`;
/** By which way of filing something stands there, may stand there or is on its way. */
const FILED = `select distinct type = 'bundle' as "isInOne" from ehr_deliveries
  where ehr_id = $1 and (state in ('waiting', 'parked') or unsettled or coalesce(filed, '[]') <> '[]')`;
/** Results stand there, or may, of which the ledger goes with the registration. */
const LEAVE_BASE = `update organizations set left_ehr_bases = array_append(left_ehr_bases, (select fhir_base_url from ehrs where id = $2))
  where id = $1 and exists (select from ehrs where id = $2 and organization_id = $1 and not fhir_base_url = any (left_ehr_bases))
    and exists (select from ehr_deliveries where ehr_id = $2 and (unsettled or coalesce(filed, '[]') <> '[]'))`;
const REMOVE = 'delete from ehrs where organization_id = $1 and id = $2';
/** What it opened: desks, and launches that are on their way. */
const END_DESKS = 'delete from review_links where organization_id = $1 and key_id = $2';
const END_LAUNCHES = 'delete from ehr_launches where organization_id = $1 and ehr_id = $2';

/** Registrations as the service itself reads and writes them: an address that calls in is of whichever organization. */
@Injectable()
export class SqlEhrRegister extends EhrRegister {
  /** Registrations whose secret cannot be read, said once each. */
  private readonly unreadable = new Set<string>();

  constructor(
    private readonly statements: SystemStatements,
    private readonly unitOfWork: UnitOfWork,
    private readonly encryption: SecretEncryption,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    super();
  }

  async find(organizationId: string, ehrId: string): Promise<Ehr | null> {
    if (!isCanonicalUuid(organizationId) || !isCanonicalUuid(ehrId)) return null;
    return this.one(FIND, [organizationId, ehrId], (row) => this.launching(row));
  }

  async registered(organizationId: string, ehrId: string): Promise<Ehr | null> {
    if (!isCanonicalUuid(organizationId) || !isCanonicalUuid(ehrId)) return null;
    const { rows } = await readTwice(() => this.statements.run<EhrRow>(FIND, [organizationId, ehrId]));
    return rows[0] === undefined ? null : this.listed(rows[0]);
  }

  byFhirBaseUrl(url: string): Promise<Ehr | null> {
    return this.one(BY_BASE, [fhirBaseOf(url)], (row) => this.launching(row));
  }

  byCdsIssuer(issuer: string): Promise<Ehr | null> {
    return this.one(BY_ISSUER, [issuer], (row) => this.listed(row));
  }

  async list(organizationId: string, environment?: Environment): Promise<Ehr[]> {
    if (!isCanonicalUuid(organizationId)) return [];
    const { rows } = await this.statements.run<EhrRow>(LIST, [organizationId, environment ?? null]);
    return rows.map((row) => this.listed(row));
  }

  async pushing(): Promise<Ehr[]> {
    return (await this.statements.run<EhrRow>(PUSHING)).rows.map((row) => this.listed(row));
  }

  /** A secret that cannot be read stops what needs it, and no other registration. */
  private listed(row: EhrRow): Ehr {
    return this.readable(row, []);
  }

  /** For a launch: without its own secret it fails, and says by what; the one of the push is none of its matter. */
  private launching(row: EhrRow): Ehr {
    return this.readable(row, ['launch']);
  }

  private readable(row: EhrRow, needed: readonly SecretUse[]): Ehr {
    return toEhr(row, this.encryption, (fault, use) => {
      if (needed.includes(use) || !isSuturaError(fault, 'storage.key_missing', 'storage.altered')) throw fault;
      const said = `${row.id} ${row.updatedAt.toISOString()}`;
      if (!this.unreadable.has(said)) this.logger.error('ehr.secret_unreadable', { ehrId: row.id, code: fault.code });
      this.unreadable.add(said);
      return null;
    });
  }

  add(ehr: Ehr): Promise<void> {
    return orTaken(() =>
      this.unitOfWork.inSystem(async (transaction) => {
        const statements = statementsOf(transaction);
        await statements.run(ONE_AT_A_TIME, [ehr.organizationId]);
        const { rows } = await statements.run<{ count: number }>(COUNT, [ehr.organizationId]);
        if ((rows[0]?.count ?? 0) >= MOST_EHRS) throw new SuturaError('ehr.too_many');
        const { id, organizationId, environment, createdAt } = ehr;
        const values = toEhrValues(ehr, this.encryption);
        await statements.run(INSERT, [id, organizationId, environment, createdAt, ...values]);
        await statements.run(INSERT_SENDER, [id, organizationId, environment, ehr.fhirBaseUrl]);
      }),
    );
  }

  change(organizationId: string, ehrId: string, change: (present: Ehr) => EhrChange): Promise<Ehr> {
    return orTaken(() =>
      this.unitOfWork.inSystem(async (transaction) => {
        const statements = statementsOf(transaction);
        const isId = isCanonicalUuid(organizationId) && isCanonicalUuid(ehrId);
        const { rows } = isId
          ? await statements.run<EhrRow>(`${FIND} for update`, [organizationId, ehrId])
          : { rows: [] };
        const [row] = rows;
        if (row === undefined) throw new SuturaError('ehr.not_found');
        const present = this.listed(row);
        const named = Object.entries(change(present)).filter(([, value]) => value !== undefined);
        const changed: Ehr = {
          ...present,
          ...(Object.fromEntries(named) as EhrChange as Partial<Ehr>),
          updatedAt: this.clock.now(),
        };
        const filed = (await statements.run<FiledForm>(FILED, [ehrId])).rows;
        if (losesFiled(present, changed, filed)) throw new SuturaError('ehr.filed');
        const kept = unreadSecrets(row, present, changed);
        await statements.run(UPDATE, [ehrId, ...toEhrValues(changed, this.encryption, kept)]);
        if (isOpenedOtherwise(present, changed)) await this.endDesks(transaction, organizationId, ehrId);
        return changed;
      }),
    );
  }

  async remove(organizationId: string, ehrId: string): Promise<boolean> {
    if (!isCanonicalUuid(organizationId) || !isCanonicalUuid(ehrId)) return false;
    return this.unitOfWork.inSystem(async (transaction) => {
      await statementsOf(transaction).run(LEAVE_BASE, [organizationId, ehrId]);
      const { affected } = await statementsOf(transaction).run(REMOVE, [organizationId, ehrId]);
      if (affected > 0) await this.endDesks(transaction, organizationId, ehrId);
      return affected > 0;
    });
  }

  private async endDesks(transaction: Transaction, organizationId: string, ehrId: string): Promise<void> {
    const statements = statementsOf(transaction);
    for (const statement of [END_LAUNCHES, END_DESKS]) await statements.run(statement, [organizationId, ehrId]);
  }

  private async one(sql: string, values: readonly string[], made: (row: EhrRow) => Ehr): Promise<Ehr | null> {
    // A text with NUL is no key of a row, and PostgreSQL refuses it.
    if (values.some((value) => value.includes('\0'))) return null;
    const { rows } = await readTwice(() => this.statements.run<EhrRow>(sql, values));
    const [row] = rows;
    return row === undefined ? null : made(row);
  }
}

async function orTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (fault) {
    throw stateOf(fault) === TAKEN ? new SuturaError('ehr.taken') : fault;
  }
}
