import { Injectable } from '@nestjs/common';
import type { Resource } from '@medplum/fhirtypes';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { HeadingSubject } from '../../../core/report/report-heading.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import { contentOf, type KeptContent } from './packed-content.js';

/** `offset 0` keeps each of these a look-up of its own by the primary key, as in sql-resource.store.ts. */
const PRESENT = `cross join lateral (select v.content, v.packed from fhir_resources r join fhir_versions v on v.resource = r.number and v.version = r.version
    where r.organization_id = $1 and r.environment = $2 and r.type = t.type and r.id = t.id and not r.is_deleted offset 0) found`;
/** The type and id of a literal reference. */
const TARGET = `split_part(l.reference, '/', 1) as type, split_part(l.reference, '/', 2) as id`;
const AROUND = `with near as (
    select found.* from (values ('Patient', $3), ('Task', $4), ('Media', $5)) t (type, id) ${PRESENT}),
  orders as (
    select found.* from (select ${TARGET} from near, lateral (values (near.content #>> '{basedOn,0,reference}')) l (reference)
      where near.content ->> 'resourceType' = 'Task') t ${PRESENT} where t.type = 'ServiceRequest'),
  visits as (
    select found.* from (select distinct ${TARGET} from (select content from near union all select content from orders) a,
      lateral (values (a.content #>> '{encounter,reference}'), (a.content #>> '{requester,reference}')) l (reference)
      where a.content ->> 'resourceType' <> 'Task') t ${PRESENT}),
  providers as (
    select found.* from (select ${TARGET} from visits, lateral (values (visits.content #>> '{serviceProvider,reference}')) l (reference)) t ${PRESENT})
  select * from near union all select * from orders union all select * from visits union all select * from providers`;

/** Finds what the store has around a report, in one statement. */
@Injectable()
export class HeadingResources {
  /** The patient, the photo, its task and order, their visits, the requester, and the visits' service providers, as far as they are resources. */
  async of(
    transaction: TenantTransaction,
    { patientId, jobId, imageId }: Pick<HeadingSubject, 'patientId' | 'jobId' | 'imageId'>,
  ): Promise<readonly Resource[]> {
    const { organizationId, environment } = transaction.tenant;
    const { rows } = await statementsOf(transaction).runPrepared<KeptContent>(AROUND, [
      organizationId,
      environment,
      patientId,
      jobId,
      imageId,
    ]);
    return rows.map((row) => contentOf(row));
  }
}
