import type { PhotoFiling } from '../../core/followup/same-photo.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

/** More than these say nothing that the first do not say: whoever files a photo a thousand times costs no more by it. */
const MOST_FILINGS = 50;

/** Until the transaction ends, whoever else files the photo waits. */
const KEEP_DIGEST = `update images set pixel_sha256 = $4::text
  from (select pg_advisory_xact_lock(hashtextextended('pixels ' || $1::uuid || ' ' || $2::text || ' ' || $4::text, 0))) locked
  where id = $3 and organization_id = $1::uuid and environment = $2`;
/** By the bytes, or by the pixels; each by its own index. */
const FILINGS = `with mine as (select sha256, pixel_sha256 from images where id = $3 and organization_id = $1 and environment = $2),
  same as (
    select image.id from images image join mine on image.sha256 = mine.sha256
      where image.organization_id = $1 and image.environment = $2 and image.status = 'stored'
    union select image.id from images image join mine on image.pixel_sha256 = mine.pixel_sha256
      where image.organization_id = $1 and image.environment = $2)
  select report.id as "reportId", report.image_id as "imageId", report.captured_at as "capturedAt",
    root.patient_id as "patientId", root.id as "rootId", wound.wound_id is not null as "isNumbered",
    coalesce(made.figures #>> '{stated,bodySite,code}', made.figures #>> '{stated,bodySite,display}') as site,
    made.figures #>> '{stated,laterality}' as laterality,
    coalesce(made.figures #>> '{findings,outlineChoice}' = 'region', false) as "isPlaced",
    made.details #>> '{findings,outlines,0}' as outline
  from same join reports report on report.image_id = same.id
  join report_versions made on made.report_id = report.id and made.version = report.version
  join wounds wound on wound.id = report.wound_id
  cross join lateral (
    with recursive line as (
      select id, merged_into, patient_id from wounds where id = report.wound_id
      union all select parent.id, parent.merged_into, parent.patient_id from wounds parent join line on parent.id = line.merged_into)
    select id, patient_id from line where merged_into is null) root
  where report.organization_id = $1 and report.environment = $2 and report.status <> 'entered-in-error'
  order by report.id limit ${MOST_FILINGS}`;

/** As ReportRepository.filingsOfPhoto. */
export async function filingsOfPhoto(
  transaction: TenantTransaction,
  imageId: string,
  pixelSha256: string | null,
): Promise<PhotoFiling[]> {
  const { organizationId, environment } = transaction.tenant;
  const statements = statementsOf(transaction);
  const mine = [organizationId, environment, imageId];
  // Both leave together, and are carried out one after the other: the second sees what was committed while the first waited.
  const kept = pixelSha256 === null ? null : statements.runPrepared(KEEP_DIGEST, [...mine, pixelSha256]);
  const [, { rows }] = await Promise.all([kept, statements.runPrepared<PhotoFiling>(FILINGS, mine)]);
  return rows;
}
