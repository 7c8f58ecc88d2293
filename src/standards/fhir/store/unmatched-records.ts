import { Injectable } from '@nestjs/common';
import type { DocumentReference, Media, ServiceRequest } from '@medplum/fhirtypes';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import type { SystemTransaction, TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import { contentColumns, contentOf, COPY_OF, type KeptContent } from './packed-content.js';

/** What can lack its other half. */
export const UNMATCHED = ['order_without_photo', 'photo_without_order'] as const;
export type Unmatched = (typeof UNMATCHED)[number];

/** An order whose photo has not come within the time that its organization sets, or a photo whose order has not. */
export interface UnmatchedRecord {
  /** Of the analysis that was ordered; of the photo. */
  readonly id: string;
  /** When it came; of an order for a later day, that day. Milliseconds are the last that counts. */
  readonly since: Date;
  readonly door: 'rest' | 'fhir' | 'hl7v2';
  readonly patientId: string | null;
  readonly resource: ServiceRequest | Media | DocumentReference;
  /** HL7 v2 messages that it came with. */
  readonly messageIds: readonly string[];
}

type UnmatchedRow = Omit<UnmatchedRecord, 'resource'> & KeptContent;

function recordOf({ content, packed, ...row }: UnmatchedRow): UnmatchedRecord {
  return { ...row, resource: contentOf({ content, packed }) as UnmatchedRecord['resource'] };
}

/** Oldest first by (since, id). */
export interface UnmatchedPage {
  /** Only what has waited for so long; null: all. */
  readonly olderThanS: number | null;
  readonly after: { readonly since: Date; readonly id: string } | null;
  readonly limit: number;
}

/** How many wait in one tenant. */
export type UnmatchedTotal = Tenant & { readonly items: number; readonly oldestSince: Date };

const CONTENT = 'join fhir_versions version on version.resource = shown.number and version.version = shown.version';
/** The day that an order is for; with less than a day it says nothing. */
const PLANNED = `(select max(left(said, 10)::date) from unnest(array[version.content ->> 'occurrenceDateTime',
    version.content -> 'occurrencePeriod' ->> 'start']) said where said ~ '^\\d{4}-\\d{2}-\\d{2}')`;

/** What waits for its patient waits for that first, and is listed as such. */
const AWAITS_PATIENT = `exists (select from fhir_awaited_patients awaited where awaited.organization_id = shown.organization_id
  and awaited.environment collate "C" = shown.environment and awaited.type = shown.type and awaited.id = shown.id)`;

/** Orders that still wait for a photo: cancelled ones and those on hold do not. */
const ORDERS = `select request.id, request.organization_id, request.environment, request.wish ->> 'source' as door, ${contentColumns('version')},
    greatest(request.created_at, ${PLANNED}) as since,
    substring(version.content -> 'subject' ->> 'reference' from '^Patient/(.+)$') as patient_id,
    array(select inbound_id from hl7_orders told where told.organization_id = request.organization_id
      and told.environment = request.environment and told.order_key = request.order_key) as message_ids
  from analysis_requests request
    join fhir_resources shown on shown.organization_id = request.organization_id and shown.environment = request.environment collate "C"
      and shown.type = 'ServiceRequest' and shown.id = substring(request.order_key from '^ServiceRequest/(.+)$') collate "C" and not shown.is_deleted
    ${CONTENT}
  where request.state = 'waiting' and request.image_id is null and not ${AWAITS_PATIENT}`;

/** Photos that came from outside and that nobody asked an analysis of, neither of them nor of one of the patient's with the same bytes, nor of the one that they are a copy of. */
const PHOTOS = `select image.id, image.organization_id, image.environment,
    case when exists (select from hl7_listeners listener where listener.id = shown.created_by) then 'hl7v2' else 'fhir' end as door,
    ${contentColumns('version')}, image.stored_at as since, image.patient_id::text, '{}'::uuid[] as message_ids
  from images image
    join fhir_resources shown on shown.organization_id = image.organization_id and shown.environment = image.environment collate "C"
      and shown.type in ('Media', 'DocumentReference') and shown.id = image.id::text collate "C"
      and not shown.is_deleted and shown.created_by is not null
    ${CONTENT}
  where image.status = 'stored' and coalesce(version.status, version.content ->> 'status') <> 'entered-in-error' and not ${AWAITS_PATIENT}
    and not exists (select from analysis_requests request where request.image_id = image.id)
    and not exists (select from analysis_jobs job where job.image_id = image.id)
    and not exists (select from images twin join analysis_jobs job on job.image_id = twin.id
      where twin.sha256 = image.sha256 and twin.status = 'stored' and twin.organization_id = image.organization_id
        and twin.environment = image.environment
        and twin.patient_id is not distinct from image.patient_id)
    and not exists (select from json_array_elements(version.content -> 'extension') said
      join analysis_jobs job on job.image_id = substring(said -> 'valueReference' ->> 'reference' from '^Media/([0-9a-f-]{36})$')::uuid
        and job.organization_id = image.organization_id and job.environment = image.environment
      where said ->> 'url' = '${COPY_OF}')`;

const SOURCES: Readonly<Record<Unmatched, string>> = { order_without_photo: ORDERS, photo_without_order: PHOTOS };

/** Those that wait for longer than their organization says, and that nobody took off the list. */
function overdue(reason: Unmatched, scope: string): string {
  return `with overdue as (
    select one.*, date_trunc('milliseconds', one.since) as since_ms from (${SOURCES[reason]}) one
      join organizations organization on organization.id = one.organization_id
      where ${scope} one.since >= organization.unmatched_from
        and one.since < sutura_now() - make_interval(mins => organization.unmatched_after_minutes)
        and not exists (select from unmatched_dismissals gone where gone.organization_id = one.organization_id
          and gone.environment = one.environment and gone.reason = '${reason}' and gone.subject_id = one.id))`;
}

const OWN = 'one.organization_id = $1 and one.environment = $2 and';
const COLUMNS = `id, since_ms as since, door, patient_id as "patientId", ${contentColumns('overdue')}, message_ids as "messageIds"`;
const PAGE = (reason: Unmatched): string => `${overdue(reason, OWN)} select ${COLUMNS} from overdue
  where ($3::float8 is null or since_ms <= sutura_now() - make_interval(secs => $3)) and ($4::timestamptz is null or (since_ms, id) > ($4, $5::uuid))
  order by since_ms, id limit $6`;
const ONE = (reason: Unmatched): string =>
  `${overdue(reason, `${OWN} one.id = $3 and`)} select ${COLUMNS} from overdue`;
const COUNT = (reason: Unmatched): string => `${overdue(reason, '')}
  select organization_id as "organizationId", environment, count(*)::int as items, min(since_ms) as "oldestSince"
    from overdue group by 1, 2`;
const DISMISS = `insert into unmatched_dismissals (organization_id, environment, reason, subject_id, dismissed_by, person, dismissed_at)
  values ($1, $2, $3, $4, $5, $6, sutura_now()) on conflict do nothing`;

/** Orders and photos that have not met, derived from the records each time: what meets, or has its result, is not there. */
@Injectable()
export class UnmatchedRecords {
  async page(
    transaction: TenantTransaction,
    reason: Unmatched,
    { olderThanS, after, limit }: UnmatchedPage,
  ): Promise<readonly UnmatchedRecord[]> {
    const { organizationId, environment } = transaction.tenant;
    const values = [organizationId, environment, olderThanS, after?.since ?? null, after?.id ?? null, limit];
    return (await statementsOf(transaction).run<UnmatchedRow>(PAGE(reason), values)).rows.map(recordOf);
  }

  /** null: it does not wait, or waits no longer. */
  async find(transaction: TenantTransaction, reason: Unmatched, id: string): Promise<UnmatchedRecord | null> {
    const { organizationId, environment } = transaction.tenant;
    const { rows } = await statementsOf(transaction).run<UnmatchedRow>(ONE(reason), [organizationId, environment, id]);
    return rows[0] === undefined ? null : recordOf(rows[0]);
  }

  /** Over all tenants. */
  async count(transaction: SystemTransaction, reason: Unmatched): Promise<readonly UnmatchedTotal[]> {
    return (await statementsOf(transaction).run<UnmatchedTotal>(COUNT(reason))).rows;
  }

  /** False: somebody did before. */
  async dismiss(
    transaction: TenantTransaction,
    reason: Unmatched,
    id: string,
    { by, person }: { readonly by: string; readonly person: string | null },
  ): Promise<boolean> {
    const { organizationId, environment } = transaction.tenant;
    const { affected } = await statementsOf(transaction).run(DISMISS, [
      organizationId,
      environment,
      reason,
      id,
      by,
      person,
    ]);
    return affected > 0;
  }
}
