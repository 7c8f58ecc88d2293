/** $1, $2: the tenant. */
const MINE = 'organization_id = $1 and environment = $2';
const OWN = (alias: string): string => `${alias}.organization_id = $1 and ${alias}.environment = $2`;

/** The system by which numbers are kept that were stated by this one (sql-patient.repository.ts): forms of namespaces are kept in lower case. */
const KEPT_BY = (system: string): string =>
  `coalesce((select form.system from authority_forms form where form.organization_id = $1 and form.environment = $2
    and form.form in (sutura_spelled_system(${system}), lower(sutura_spelled_system(${system}))) limit 1), sutura_spelled_system(${system}))`;

/** An erasure reads much and is rare: it may take longer than what callers wait for. */
export const PATIENCE = `select set_config('statement_timeout', '600s', true), set_config('idle_in_transaction_session_timeout', '300s', true)`;

export const CARRIERS = `select distinct patient_id as id from patient_identifiers where ${MINE} and value = $3 and ($4::text is null or system = ${KEPT_BY('$4::text')})`;
/** $3: systems as they were written. */
export const KEPT_SYSTEMS = `select ${KEPT_BY('said.system')} as system from unnest($3::text[]) with ordinality said (system, place) order by place`;
export const SYSTEMS_OF = `select system from patient_identifiers where ${MINE} and patient_id = $3 and value = $4`;
/** $3: the system that it is kept by, $4: the value. */
export const IS_FILED_UNDER = `select exists (select from patient_identifiers where ${MINE} and system = $3 and value = $4)
    or exists (select from wounds where ${MINE} and patient_value = $4 and ${KEPT_BY("coalesce(patient_system, '')")} = $3)
    or exists (select from analysis_jobs where ${MINE} and subject_patient_id = $4 and ${KEPT_BY("coalesce(subject ->> 'patientSystem', '')")} = $3)
    or exists (select from analysis_requests where ${MINE} and wish #>> '{subject,patientId}' = $4
      and ${KEPT_BY("coalesce(wish #>> '{subject,patientSystem}', '')")} = $3) as "isFiled"`;
export const LOCK_PHOTOS = `select id from images where ${MINE} and id = any($3) order by id for update`;
export const ARE_SOMEBODYS = `select exists (select from images photo where ${OWN('photo')} and photo.id = any($3) and (photo.patient_id is not null
    or exists (select from analysis_jobs job where job.image_id = photo.id)
    or exists (select from analysis_requests request where request.image_id = photo.id))) as "areSomebodys"`;
export const STANDING = `select coalesce(merged_into, id) as id from patients where ${MINE} and id = $3`;
/** Blocks new records of these patients, whose transactions then find no such patient. */
export const LOCK_PATIENTS = `select id from patients where ${MINE} and (id = $3 or merged_into = $3) order by id <> $3, id for update`;

/**
 * What is filed under the patients $3, and photos $4 where they are nobody’s. A photo is the patient's with all its analyses, also those without a patient, unless a report of it stands with
 * another patient: it was reassigned.
 */
export const GATHER = `with
  filed_wounds as (select id from wounds where ${MINE} and patient_id = any($3)),
  filed_jobs as (
    select id, image_id from analysis_jobs where ${MINE} and patient_id = any($3)
    union select job.id, job.image_id from reports report join analysis_jobs job on job.id = report.job_id where report.wound_id in (select id from filed_wounds)),
  shown as (
    select id from images where ${MINE} and (patient_id = any($3) or (patient_id is null and id = any($4)))
    union select image_id from filed_jobs),
  analyses as (select id, image_id, patient_id from analysis_jobs where image_id in (select id from shown) or id in (select id from filed_jobs)),
  elsewhere as (
    select analysis.id from analyses analysis where exists (
        select from reports report join wounds wound on wound.id = report.wound_id
          where report.job_id = analysis.id and report.status <> 'entered-in-error' and wound.patient_id is not null and wound.patient_id <> all($3))
      or (analysis.patient_id <> all($3) and not exists (
        select from reports report where report.job_id = analysis.id and report.status <> 'entered-in-error' and report.wound_id in (select id from filed_wounds)))),
  own_jobs as (select id, image_id from analyses where id not in (select id from elsewhere)),
  own_images as (
    select id from shown where not exists (select from analyses where analyses.image_id = shown.id and analyses.id in (select id from elsewhere))),
  own_reports as (
    select id, wound_id from reports where wound_id in (select id from filed_wounds) or job_id in (select id from own_jobs)),
  own_wounds as (
    select id from filed_wounds
    union select wound.id from wounds wound where wound.patient_id is null and wound.id in (select wound_id from own_reports)
      and not exists (select from reports report where report.wound_id = wound.id and report.id not in (select id from own_reports)))
  select array(select id from own_images) as "imageIds", array(select id from own_jobs) as "jobIds", array(select id from own_reports) as "reportIds",
    array(select id from own_wounds) as "woundIds",
    array(select request.id from analysis_requests request where ${OWN('request')} and (
        request.image_id in (select id from own_images) or request.id in (select id from own_jobs)
        or (request.wish #>> '{subject,patientId}') is not null and (${KEPT_BY("coalesce(request.wish #>> '{subject,patientSystem}', '')")}, request.wish #>> '{subject,patientId}') in (
          select system, value from patient_identifiers where patient_id = any($3)))) as "requestIds"`;
/**
 * Whether an analysis names no patient: neither it, nor its photo, nor another analysis of the photo, nor the wound of its report. `job` is its row.
 */
export const IS_UNNAMED = `job.patient_id is null and job.status in ('completed', 'error')
    and not exists (select from images photo where photo.id = job.image_id and photo.patient_id is not null)
    and not exists (select from analysis_jobs other where other.image_id = job.image_id and other.patient_id is not null)
    and not exists (select from reports report join wounds wound on wound.id = report.wound_id where report.job_id = job.id and wound.patient_id is not null)`;
/** Nobody files its photo under a patient meanwhile. $3: the analysis. */
export const LOCK_UNNAMED = `select job.id from analysis_jobs job join images image on image.id = job.image_id
  where ${OWN('job')} and job.id = $3 and ${IS_UNNAMED} for update of job, image`;
/** What is filed with the analysis $3, which names no patient. */
export const GATHER_UNNAMED = `with
  own_jobs as (select id, image_id from analysis_jobs where ${MINE} and id = $3),
  own_images as (
    select id from images where id in (select image_id from own_jobs) and patient_id is null
      and not exists (select from analysis_jobs other where other.image_id = images.id and other.id <> $3)
      and not exists (select from analysis_requests other where other.image_id = images.id and other.id <> $3)),
  own_reports as (select id, wound_id from reports where job_id = $3),
  own_wounds as (
    select wound.id from wounds wound where wound.patient_id is null and wound.id in (select wound_id from own_reports)
      and not exists (select from reports report where report.wound_id = wound.id and report.job_id <> $3))
  select array(select id from own_images) as "imageIds", array(select id from own_jobs) as "jobIds", array(select id from own_reports) as "reportIds",
    array(select id from own_wounds) as "woundIds",
    array(select id from analysis_requests request where ${OWN('request')} and request.id = $3) as "requestIds"`;
export const NUMBERS = `select system, value from patient_identifiers where ${MINE} and patient_id = any($3)
  union select patient_system, patient_value from wounds where ${MINE} and patient_id = any($3) and patient_value is not null
  union select coalesce(subject ->> 'patientSystem', ''), subject_patient_id from analysis_jobs where id = any($4) and subject_patient_id is not null`;
export const NUMBERS_OF_OTHERS = `select distinct value from patient_identifiers where ${MINE} and value = any($3) and patient_id <> all($4)`;

/** $3: jobs, $4: everything that an event may be about. */
export const IS_IN_USE = `select exists (select from analysis_jobs where id = any($3) and status in ('queued', 'processing'))
    or exists (select from outbox_events where ${MINE} and subject_id = any($4) and created_at > sutura_now() - interval '15 minutes') as "isInUse"`;

export const FOLDERS = `select 'images/' || id || '/' as folder from unnest($1::uuid[]) as image (id)
  union all select 'documents/' || report_id || '-v' || version || '/' from report_versions where report_id = any($2)
  union all select 'attachments/' || id || '/' from unnest($3::uuid[]) as attachment (id)`;

interface Removal {
  readonly what: string;
  /** Its rows have `bytes`, or none. */
  readonly sql: string;
  readonly values:
    | 'patientIds'
    | 'imageIds'
    | 'jobIds'
    | 'reportIds'
    | 'woundIds'
    | 'requestIds'
    | 'attachmentIds'
    | 'all';
}

/** What a removal answers: one row for each removed, with its bytes. */
const NO_BYTES = 'returning 0 as bytes';
/** Ids in a text, compared as wholes. */
const NAMES_ANY = (text: string): string =>
  `exists (select from regexp_matches(${text}, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'g') as found (ids) where ids[1] = any($3::text[]))`;

/** In the order in which rows may go. $1, $2: the tenant; $3: the ids. */
export const REMOVALS: readonly Removal[] = [
  {
    what: 'kept answers',
    values: 'all',
    sql: `delete from idempotency_keys where ${MINE} and ${NAMES_ANY('answer::text')} ${NO_BYTES}`,
  },
  {
    what: 'events',
    values: 'all',
    sql: `delete from outbox_events where ${MINE} and subject_id = any($3::uuid[]) ${NO_BYTES}`,
  },
  {
    what: 'documents of reports',
    values: 'reportIds',
    sql: `delete from report_documents where ${MINE} and report_id = any($3) returning size_bytes as bytes`,
  },
  {
    what: 'photos in documents',
    values: 'all',
    sql: `delete from report_document_photos where ${MINE} and (report_id = any($3::uuid[]) or image_id = any($3::uuid[])) ${NO_BYTES}`,
  },
  {
    what: 'reviews',
    values: 'reportIds',
    sql: `delete from report_reviews where ${MINE} and report_id = any($3) ${NO_BYTES}`,
  },
  {
    what: 'versions of reports',
    values: 'reportIds',
    sql: `delete from report_versions where ${MINE} and report_id = any($3) returning octet_length(figures::text) + octet_length(details::text) as bytes`,
  },
  { what: 'reports', values: 'reportIds', sql: `delete from reports where ${MINE} and id = any($3) ${NO_BYTES}` },
  {
    what: 'decisions about wounds',
    values: 'woundIds',
    sql: `delete from wound_events where ${MINE} and (wound_id = any($3) or other_wound_id = any($3)) ${NO_BYTES}`,
  },
  {
    what: 'clinical events of wounds',
    values: 'woundIds',
    sql: `delete from clinical_events where ${MINE} and wound_id = any($3) ${NO_BYTES}`,
  },
  {
    what: 'relations of wounds',
    values: 'woundIds',
    sql: `delete from wound_relations where ${MINE} and (whole_id = any($3) or part_id = any($3)) ${NO_BYTES}`,
  },
  { what: 'wounds', values: 'woundIds', sql: `delete from wounds where ${MINE} and id = any($3) ${NO_BYTES}` },
  {
    what: 'orders',
    values: 'requestIds',
    sql: `delete from analysis_requests where ${MINE} and id = any($3) ${NO_BYTES}`,
  },
  { what: 'analyses', values: 'jobIds', sql: `delete from analysis_jobs where ${MINE} and id = any($3) ${NO_BYTES}` },
  {
    what: 'addresses of photos',
    values: 'imageIds',
    sql: `delete from remote_images where ${MINE} and image_id = any($3) ${NO_BYTES}`,
  },
  {
    what: 'photos',
    values: 'imageIds',
    sql: `delete from images where ${MINE} and id = any($3) returning coalesce(case when status = 'stored' then size_bytes end, 0) as bytes`,
  },
  {
    what: 'attachments',
    values: 'attachmentIds',
    sql: `delete from attachments where ${MINE} and id = any($3) returning size_bytes as bytes`,
  },
  {
    what: 'numbers of the patient',
    values: 'patientIds',
    sql: `delete from patient_identifiers where ${MINE} and patient_id = any($3) ${NO_BYTES}`,
  },
];

/** What another patient's record keeps says nothing of this one any more. $3: patients, $4: reports, $5: wounds. */
export const LET_GO = [
  `delete from job_metadata where ${MINE} and job_id in (select id from analysis_jobs where ${MINE} and patient_id = any($3))`,
  `update analysis_jobs set patient_id = null, subject = null, metadata = null where ${MINE} and patient_id = any($3)`,
  `update images set patient_id = null where ${MINE} and patient_id = any($3)`,
];
/**
 * A report that took the place of an erased one takes that of the one before, if that stays. The erased ones step aside first: of an analysis one
 * report at a time may replace none.
 */
export const LET_GO_OF_REPORTS = [
  `update reports set replaces = id where ${MINE} and id = any($3) and replaces is null`,
  `with recursive before as (
     select report.id, nullif(erased.replaces, erased.id) as at from reports report join reports erased on erased.id = report.replaces
       where report.organization_id = $1 and report.environment = $2 and report.replaces = any($3) and report.id <> all($3)
     union all
     select before.id, nullif(erased.replaces, erased.id) from before join reports erased on erased.id = before.at where before.at = any($3))
   update reports set replaces = (select at from before where before.id = reports.id and (at is null or at <> all($3)) limit 1)
     where ${MINE} and replaces = any($3) and id <> all($3)`,
  `update reports set replaced_by = null where ${MINE} and replaced_by = any($3) and id <> all($3)`,
];
export const LET_GO_OF_WOUNDS = `update wounds set merged_into = null where ${MINE} and merged_into = any($3) and id <> all($3)`;
/** Rows that were joined go with the one that they were joined into. */
export const FORGET_PATIENTS = [
  `update patients set merged_into = null where ${MINE} and id = any($3)`,
  `delete from patients where ${MINE} and id = any($3)`,
];

/** $3: a pattern that every row fits that could have a word of the patient; $4: the patients; $5: after; $6: limit; $7: the tenant of the service. */
export const TYPED_TEXTS = `select id, query, resources, coalesce(patient_id = any($4), false) and door in ('rest', 'fhir', 'hl7v2') as "isOwn"
  from audit_events where ((${MINE}) or organization_id = $7) and id > $5 and interaction <> '$erase'
    and ((query is not null and patient_id = any($4)) or (coalesce(query, '') || ' ' || array_to_string(resources, ' ')) ~* $3)
  order by id limit $6`;
export const REDACT = `update audit_events event set query = given.query, resources = array(select json_array_elements_text(given.resources)),
    redacted_digest = sutura_audit_digest(event), redacted_by = $1
  from json_to_recordset($2::json) as given (id bigint, query text, resources json) where event.id = given.id`;
export const REDACTED_DIGEST = `select encode(sha256(string_agg(digests, ''::bytea order by id)), 'hex') as digest from (
    select id, sutura_audit_content_digest(event) || sutura_audit_digest(event) as digests from audit_events event where redacted_by = $1
    union all select event_id, content_digest || sealed_digest from audit_archived_redactions archived
      where erasure_id = $1 and not exists (select from audit_events event where event.id = archived.event_id)) redacted`;
