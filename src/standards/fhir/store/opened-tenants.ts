import { Injectable } from '@nestjs/common';
import type { Environment, Tenant } from '../../../core/tenancy/tenant.js';
import { SystemStatements } from '../../../platform/database/statements.js';

const FIND = `select completed_at is not null as "isComplete" from fhir_openings where organization_id = $1 and environment = $2`;
const OPEN = `insert into fhir_openings (organization_id, environment, opened_at) values ($1, $2, sutura_now()) on conflict do nothing`;
const HOLD = `update fhir_openings set held_by = $3, held_until = sutura_now() + make_interval(secs => $4)
  where organization_id = $1 and environment = $2 and completed_at is null
    and (held_by = $3 or held_until is null or held_until < sutura_now())`;
const RELEASE = `update fhir_openings set held_by = null, held_until = null
  where organization_id = $1 and environment = $2 and held_by = $3`;
const COMPLETE = `update fhir_openings set completed_at = coalesce(completed_at, sutura_now()), held_by = null, held_until = null
  where organization_id = $1 and environment = $2`;
const ALL = `select organization_id as "organizationId", environment from fhir_openings order by organization_id, environment`;
const BEHIND = `select organization_id as "organizationId", environment from fhir_openings where wounds_form < $1 order by organization_id, environment`;
const KEEP_FORM = `update fhir_openings set wounds_form = greatest(wounds_form, $3) where organization_id = $1 and environment = $2`;
/** Transactions that looked whether a tenant is opened, and have not ended: a lock of a table is held to the end. `3/4711` is given once. */
const LOOKING = `select array(select distinct virtualtransaction from pg_locks where locktype = 'relation' and relation = 'fhir_openings'::regclass
    and database = (select oid from pg_database where datname = current_database()) and pid <> pg_backend_pid()) as transactions`;

export interface Activation {
  /** False while records from before the opening may lack their resources. */
  readonly isComplete: boolean;
}

/** The tenants that ever asked for FHIR. None of them is closed again. */
@Injectable()
export class OpenedTenants {
  constructor(private readonly statements: SystemStatements) {}

  /** null: it never asked. */
  async find({ organizationId, environment }: Tenant): Promise<Activation | null> {
    const { rows } = await this.statements.runPrepared<Activation>(FIND, [organizationId, environment]);
    return rows[0] ?? null;
  }

  /** Opens a tenant that never asked; a repeat changes nothing. */
  async open(tenant: Tenant): Promise<Activation> {
    const found = await this.find(tenant);
    if (found !== null) return found;
    await this.statements.run(OPEN, [tenant.organizationId, tenant.environment]);
    return (await this.find(tenant)) ?? { isComplete: false };
  }

  /** Takes or keeps the work on an opening for some seconds; false where another holder has it, or it is complete. */
  async hold({ organizationId, environment }: Tenant, holder: string, seconds: number): Promise<boolean> {
    const { affected } = await this.statements.run(HOLD, [organizationId, environment, holder, seconds]);
    return affected === 1;
  }

  /** Ends a hold before its time. */
  async release({ organizationId, environment }: Tenant, holder: string): Promise<void> {
    await this.statements.run(RELEASE, [organizationId, environment, holder]);
  }

  async complete({ organizationId, environment }: Tenant): Promise<void> {
    await this.statements.run(COMPLETE, [organizationId, environment]);
  }

  /** Transactions in progress that may have checked before a tenant was activated. */
  async looking(): Promise<readonly string[]> {
    return (await this.statements.run<{ transactions: readonly string[] }>(LOOKING)).rows[0]!.transactions;
  }

  /** Tenants whose wounds were not looked through in this form. */
  async woundsBehind(form: number): Promise<Tenant[]> {
    return (await this.statements.run<{ organizationId: string; environment: Environment }>(BEHIND, [form])).rows;
  }

  async keepWoundsForm({ organizationId, environment }: Tenant, form: number): Promise<void> {
    await this.statements.run(KEEP_FORM, [organizationId, environment, form]);
  }

  async all(): Promise<Tenant[]> {
    return (await this.statements.run<{ organizationId: string; environment: Environment }>(ALL)).rows;
  }
}
