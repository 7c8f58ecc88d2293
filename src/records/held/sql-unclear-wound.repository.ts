import { Injectable } from '@nestjs/common';
import {
  UnclearWoundRepository,
  type UnclearWound,
  type UnclearWoundPage,
} from '../../core/held/unclear-wound.repository.js';
import type { SystemTransaction, TenantTransaction } from '../../core/ports/unit-of-work.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { isCanonicalUuid } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

const MOST_OTHERS = 20;
/** Sites contradict each other by two codes of one system alone: words and codes of several systems may say the same. */
const ASKED = `wounds wound join wounds other on other.organization_id = wound.organization_id and other.environment = wound.environment
    and other.patient_id = wound.patient_id and other.id <> wound.id and other.wound_id is not null and other.merged_into is null and other.status = 'open'
    and other.id <> all (wound.set_aside_from)
    and (wound.body_site ->> 'system' = other.body_site ->> 'system' and wound.body_site ->> 'code' <> other.body_site ->> 'code') is not true
    and (wound.laterality is null or other.laterality is null or wound.laterality = other.laterality)
  where wound.wound_id is null and wound.merged_into is null and wound.asks_which and wound.status = 'open'
    and exists (select from reports where wound_id = wound.id and status <> 'entered-in-error')`;
const GROUPED = (more: string): string => `select wound.id, wound.organization_id, wound.environment, wound.patient_id,
    greatest(coalesce(wound.unnumbered_since, wound.created_at), min(other.created_at)) as since,
    (array_agg(other.id::text order by other.created_at, other.id))[1:${MOST_OTHERS}] as others
  from ${ASKED} ${more} group by wound.id`;
const STANDING = `from reports report join analysis_jobs job on job.id = report.job_id where report.wound_id = asked.id and report.status <> 'entered-in-error'`;
const COLUMNS = `asked.id::text as "woundId", asked.patient_id::text as "patientId", asked.since, asked.others,
  array(select job.id::text ${STANDING} order by job.id limit 100) as "jobIds", array(select distinct job.image_id::text ${STANDING} order by 1 limit 100) as "imageIds",
  (select job.source ${STANDING} order by job.id limit 1) as source`;
const OF_TENANT = 'and wound.organization_id = $1 and wound.environment = $2';
const PAGE = `select ${COLUMNS} from (${GROUPED(OF_TENANT)}) asked
  where ($3::float8 is null or asked.since <= sutura_now() - make_interval(secs => $3))
    and ($4::timestamptz is null or (asked.since, asked.id) > ($4, $5::uuid))
  order by asked.since, asked.id limit $6`;
const FIND = `select ${COLUMNS} from (${GROUPED(`${OF_TENANT} and wound.id = $3`)}) asked`;
const COUNT = `select organization_id as "organizationId", environment, count(*)::int as items, min(since) as "oldestSince"
  from (${GROUPED('')}) asked group by 1, 2`;
const SET_ASIDE = `update wounds set set_aside_from = set_aside_from || $4::uuid[], set_aside_at = sutura_now(), set_aside_by = $5, set_aside_note = $6
  where organization_id = $1 and environment = $2 and id = $3 and wound_id is null and merged_into is null and asks_which and not set_aside_from && $4::uuid[]`;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

@Injectable()
export class SqlUnclearWoundRepository extends UnclearWoundRepository {
  async page(
    transaction: TenantTransaction,
    { olderThanS, after, limit }: UnclearWoundPage,
  ): Promise<readonly UnclearWound[]> {
    const values = [...placeOf(transaction), olderThanS, after?.since ?? null, after?.woundId ?? FIRST_ID, limit];
    return (await statementsOf(transaction).run<UnclearWound>(PAGE, values)).rows;
  }

  async find(transaction: TenantTransaction, woundId: string): Promise<UnclearWound | null> {
    if (!isCanonicalUuid(woundId)) return null;
    return (
      (await statementsOf(transaction).run<UnclearWound>(FIND, [...placeOf(transaction), woundId])).rows[0] ?? null
    );
  }

  async count(
    transaction: SystemTransaction,
  ): Promise<readonly (Tenant & { readonly items: number; readonly oldestSince: Date })[]> {
    return (await statementsOf(transaction).run<Tenant & { items: number; oldestSince: Date }>(COUNT, [])).rows;
  }

  async setAside(
    transaction: TenantTransaction,
    woundId: string,
    others: readonly string[],
    { name, note }: { readonly name: string; readonly note: string | null },
  ): Promise<boolean> {
    const values = [...placeOf(transaction), woundId, [...others], name, note];
    return (await statementsOf(transaction).run(SET_ASIDE, values)).affected > 0;
  }
}

function placeOf({ tenant: { organizationId, environment } }: TenantTransaction): [string, string] {
  return [organizationId, environment];
}
