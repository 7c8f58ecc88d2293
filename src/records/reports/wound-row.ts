import type { LookUpCursor } from '../../core/analysis/look-up-page.js';
import type { WoundFilter } from '../../core/followup/wound.repository.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { filedOf, jobsWithPairs, type Pair } from '../analysis/job-pairs.js';

/** Stands for no patient where a key is compared. */
export const NOBODY = '00000000-0000-0000-0000-000000000000';
/** A Wound each. Named one by one, as the result of a prepared statement must not change when a migration adds a column. */
export const SELECT_WOUNDS = `select id, organization_id as "organizationId", environment, patient_id as "patientId",
  case when patient_system is not null and patient_value is not null then json_build_object('system', patient_system, 'value', patient_value) end as patient,
  wound_id_system as "woundIdSystem", wound_id as "woundId", body_site as "bodySite", laterality, wound_type as "woundType", status,
  closed_at as "closedAt", merged_into as "mergedInto", created_at as "createdAt" from wounds`;

// `offset 0` keeps each of these a look-up of its own by an index, whatever is known of the tables.

/** Wounds with a report that waits, themselves or by a wound that was joined into them: from the few reports that do. */
const WAITING = `with recursive chain as (
    select own.id, own.merged_into from reports report
      cross join lateral (select id, merged_into from wounds where id = report.wound_id offset 0) own
      where report.organization_id = $1 and report.environment = $2 and report.attention is not null
    union select parent.id, parent.merged_into from chain cross join lateral (select id, merged_into from wounds where id = chain.merged_into offset 0) parent)
  select id from chain`;
const WAITING_ROOTS = `${WAITING} where merged_into is null`;

/** This wound (`id`, as a select), and those that were joined into it. */
const treeOf = (wound: string): string =>
  `${wound} union select joined.id from part cross join lateral (select id from wounds where merged_into = part.id offset 0) joined`;
/** That a job of a standing report of the wound is as `has` says; of those that `behind` names, the next first. A report that was withdrawn says nothing of its wound. */
const hasJob = (woundId: string, has: (jobId: string) => string, behind = ''): string => {
  const next = behind === '' ? '' : `${behind} order by job_created_at, job_id`;
  return `exists (
      select from (select job_id from reports where wound_id = ${woundId} and status <> 'entered-in-error'${next} offset 0) report
        where ${has('report.job_id')} offset 0)`;
};
/** The same of this wound, or of one that was joined into it. */
const hasPairedJob = (has: (jobId: string) => string, behind = ''): string => `exists (
    with recursive part as (${treeOf('select wounds.id')}) select from part where ${hasJob('part.id', has, behind)} offset 0)`;

/** The wounds of a job of `pairs`: that of its standing report (`own_id`), and those that it was joined into. */
const WOUNDS_OF_JOB = `${filedOf('pairs.job_id')},
  chain as (
    select own.id, own.merged_into, own.id as own_id from filed cross join lateral (select id, merged_into from wounds where id = filed.wound_id offset 0) own
      where filed.status <> 'entered-in-error'
    union select parent.id, parent.merged_into, chain.own_id
      from chain cross join lateral (select id, merged_into from wounds where id = chain.merged_into offset 0) parent)`;

/** Whether a filter leaves so few wounds that each is asked for its pairs. */
const isOfFewWounds = ({ patientId, woundId, attention }: WoundFilter): boolean =>
  patientId !== undefined || woundId !== undefined || attention === true;

interface WoundListQuery {
  readonly sql: string;
  readonly values: readonly unknown[];
  /** Whether it walks along jobs: its rows are those of `JobsWithPairs.page`. */
  readonly isWalk: boolean;
}

/**
 * A page of a tenant's wounds, newest first, by keyset; by pairs along their jobs, each wound at the newest job of its own that has them. `pairs`: those
 * of the filter, the rarest first.
 */
export function woundListQuery(
  tenant: Tenant,
  filter: WoundFilter,
  limit: number,
  after: LookUpCursor | null,
  pairs: readonly Pair[] = Object.entries(filter.metadata ?? {}),
): WoundListQuery {
  const values: unknown[] = [tenant.organizationId, tenant.environment];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const conditions = conditionsOf(filter, parameter);
  const behind = after === null ? null : { at: parameter(after.listedAt), id: `${parameter(after.id)}::uuid` };
  if (pairs.length > 0) {
    const jobs = jobsWithPairs(pairs, parameter, behind?.at ?? null);
    if (!isOfFewWounds(filter)) {
      // Jobs that came since the first page are passed over, so that a wound keeps its place.
      const known = after === null || after.until === null ? '' : ` and job_created_at <= ${parameter(after.until)}`;
      const newer = ` and (job_created_at, job_id) > (pairs.paired_at, pairs.job_id)${known}`;
      // Mostly the next photo of the wound has the pairs, too. Its own are asked first: all of its jobs but the newest end there, and those of
      // the wounds that it is joined with are read once for each wound, and not for each job.
      const isOlder = [hasJob('chain.own_id', jobs.has, newer), hasPairedJob(jobs.has, newer)];
      conditions.push('id = chain.id', `not case when ${isOlder[0]} then true else ${isOlder[1]} end`);
      const wounds = `with recursive ${WOUNDS_OF_JOB}
        select wound.* from chain cross join lateral (${SELECT_WOUNDS} where ${conditions.join(' and ')} offset 0) wound offset 0`;
      const rest = behind === null ? '' : ` where (pairs.paired_at, wound.id) < (${behind.at}, ${behind.id})`;
      const most = parameter(limit);
      const select = `select wound.*, pairs.paired_at as "listedAt" from (${jobs.newestFirst()}) pairs cross join lateral (${wounds}) wound${rest}
        order by pairs.paired_at desc, wound.id desc limit ${most}`;
      return { sql: jobs.page(select, most), values, isWalk: true };
    }
    conditions.push(hasPairedJob(jobs.has));
  }
  if (behind !== null) conditions.push(`(created_at, id) < (${behind.at}, ${behind.id})`);
  const sql = `${SELECT_WOUNDS} where ${conditions.join(' and ')} order by created_at desc, id desc limit ${parameter(limit)}`;
  return { sql, values, isWalk: false };
}

/** What a wound itself has to be like; whether a report of it waits. */
function conditionsOf(
  { patientId, woundId, status, linked, attention }: WoundFilter,
  parameter: (value: unknown) => string,
): string[] {
  const conditions = ['organization_id = $1', 'environment = $2'];
  if (patientId !== undefined) {
    const value = parameter(patientId);
    // By any number of the patient, now or when the wound was filed.
    conditions.push(
      `(patient_value = ${value} or patient_id = any (array(select patient_id from patient_identifiers where organization_id = $1 and environment = $2 and value = ${value})))`,
    );
  }
  if (woundId !== undefined) conditions.push(`wound_id = ${parameter(woundId)}`);
  if (status !== undefined) conditions.push(`status = ${parameter(status)}`);
  if (linked !== undefined) conditions.push(`wound_id is ${linked ? 'not ' : ''}null`);
  if (attention !== undefined) conditions.push(attention ? `id in (${WAITING_ROOTS})` : `id not in (${WAITING})`);
  return conditions;
}
