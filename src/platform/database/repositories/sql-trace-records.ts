import { Injectable } from '@nestjs/common';
import { ERROR_CATALOGUE, type ErrorCode } from '../../../core/errors/catalogue.js';
import { TraceRecords } from '../../../core/trace/trace-records.js';
import { tenantOf, type Environment, type Tenant } from '../../../core/tenancy/tenant.js';
import type {
  PhotoRecord,
  DeletionReason,
  TracedAs,
  TracedImage,
  TracedJob,
  TracedOrder,
  TracedVersion,
  TraceEvent,
  TraceFinding,
} from '../../../core/trace/trace.js';
import { isCanonicalUuid, SystemStatements } from '../statements.js';
import { AuditWindow, type AuditedRequest } from './audit-window.js';

const TENANT = 'organization_id as "organizationId", environment';
/** One image is enough if there is one; of a wound the newest, one more than are shown. */
const FIND = `select 'image' as "takenFor", ${TENANT}, id as "imageId" from images where id = $1
  union all select 'analysis', organization_id, environment, image_id from analysis_jobs where id = $1
  union all select 'analysis', organization_id, environment, image_id from analysis_requests where id = $1 and not exists (select from analysis_jobs where id = $1)
  union all select 'report', organization_id, environment, image_id from analysis_jobs where report_id = $1
  union all select 'report', organization_id, environment, image_id from reports where id = $1 and not exists (select from analysis_jobs where report_id = $1)
  union all select 'wound', wound.organization_id, wound.environment, shown.image_id from wounds wound left join lateral (
    select image_id from reports where wound_id = wound.id order by captured_at desc limit 21) shown on true where wound.id = $1`;
/** Numbers are looked for in one tenant after the other: without the tenant there is no index, and there are few tenants. */
const TENANTS = `organizations tenant cross join (values ('test' collate "C"), ('live' collate "C")) as part (environment)`;
const OF_TENANT = 'kept.organization_id = tenant.id and kept.environment = part.environment';
/** $1: a number as callers name a patient; $2: the id of a patient here, or null. The newest photos, one more than are shown. */
const OF_PATIENT = `with known as (
    select tenant.id as organization_id, part.environment, named.patient_id from ${TENANTS} cross join lateral (
      select distinct patient_id from patient_identifiers kept where ${OF_TENANT} and kept.value = $1 limit 20) named
    union select organization_id, environment, id from patients where id = $2)
  select ${TENANT}, known.patient_id as "patientId", shown.id as "imageId" from known left join lateral (
    select id from images where patient_id = known.patient_id order by id desc limit 21) shown on true
  union all select tenant.id, part.environment, null, shown.image_id from ${TENANTS} cross join lateral (
    select image_id from analysis_jobs kept where ${OF_TENANT} and kept.subject_patient_id = $1 order by created_at desc, id desc limit 21) shown`;
/** What the record of a photo says of why it went, where the audit trail has no row for it. */
const ERASED = `select exists (select from patient_erasures where patient_id = $1 and rows_erased_at is not null) as erased`;
const RETENTION = 'retention';
const IMAGE = `select image.id, image.patient_id as "patientId", image.organization_id as "organizationId", image.environment, status, origin, size_bytes::float8 as "sizeBytes", sha256, verdict, upload_expires_at as "uploadExpiresAt",
    created_at as "createdAt", stored_at as "storedAt", deleted_at as "deletedAt", remote.tries as "fetchTries"
  from images image left join remote_images remote on remote.image_id = image.id where image.id = $1 and image.organization_id = $2 and image.environment = $3`;
const ORDER = `select id, ${TENANT}, image_id as "imageId", state, error, retry_at as "retryAt", created_at as "createdAt" from analysis_requests`;
const JOBS = `select id, report_id as "reportId", source, status, attempts, error, coalesce(result -> 'trace' -> 'models', '[]') as models,
    created_at as "createdAt", started_at as "startedAt", completed_at as "completedAt"
  from analysis_jobs where image_id = $1 order by created_at, id`;
/** Reports of the jobs of a photo, and those that replaced them. */
const VERSIONS = `with recursive told as (
    select report.id, report.version, report.replaced_by from reports report join analysis_jobs job on job.id = report.job_id and report.replaces is null where job.image_id = $1
    union select next.id, next.version, next.replaced_by from reports next join told on next.id = told.replaced_by)
  select told.id as "reportId", made.version, made.status, made.reason, made.issued_at as "issuedAt", made.version = told.version as "isPresent", told.replaced_by as "replacedBy"
  from told join report_versions made on made.report_id = told.id order by made.issued_at, made.version`;

/** The references by which the audit trail names a photo, an analysis or a report. */
const TRACEABLE = /^(?:Media|DocumentReference|Task|DiagnosticReport)\/([0-9a-f-]{36})/;
const MOST_RESOURCES = 50;

interface Row extends Tenant {
  readonly takenFor: TracedAs;
  readonly environment: Environment;
  readonly imageId: string | null;
}

interface PatientRow extends Tenant {
  readonly environment: Environment;
  readonly patientId: string | null;
  readonly imageId: string | null;
}

@Injectable()
export class SqlTraceRecords extends TraceRecords {
  private readonly trail: AuditWindow;

  constructor(private readonly statements: SystemStatements) {
    super();
    this.trail = new AuditWindow(statements);
  }

  async find(id: string): Promise<TraceFinding[]> {
    const [own, patients] = await Promise.all([this.byId(id), this.ofPatient(id)]);
    return [...own, ...patients];
  }

  private async ofPatient(number: string): Promise<TraceFinding[]> {
    const values = [number, isCanonicalUuid(number) ? number : null];
    const { rows } = await this.statements.run<PatientRow>(OF_PATIENT, values);
    const owners = new Map(rows.map((row) => [`${row.organizationId} ${row.environment} ${row.patientId}`, row]));
    return [...owners.values()].map(({ organizationId, environment, patientId }) => ({
      takenFor: 'patient',
      tenant: { organizationId, environment },
      ...(patientId === null ? {} : { patientId }),
      imageIds: rows.flatMap((row) =>
        row.organizationId === organizationId && row.environment === environment && row.patientId === patientId
          ? (row.imageId ?? [])
          : [],
      ),
      leadsTo: [],
      events: [],
    }));
  }

  private async byId(id: string): Promise<TraceFinding[]> {
    if (!isCanonicalUuid(id)) return [];
    const { rows } = await this.statements.run<Row>(FIND, [id]);
    return [...new Set(rows.map(({ takenFor }) => takenFor))].map((takenFor) => {
      const alike = rows.filter((row) => row.takenFor === takenFor);
      const imageIds = alike.flatMap(({ imageId }) => imageId ?? []);
      return {
        takenFor,
        tenant: tenantOf(alike[0]!),
        imageIds,
        leadsTo: takenFor === 'analysis' && imageIds.length === 0 ? [id] : [],
        events: [],
      };
    });
  }

  async findRequest(requestId: string): Promise<TraceFinding[]> {
    const rows = await this.trail.ofRequest(requestId);
    const tenants = new Map(rows.map((row) => [`${row.organizationId} ${row.environment}`, tenantOf(row)]));
    return Promise.all([...tenants.values()].map((tenant) => this.requestOf(tenant, rows)));
  }

  async photo({ organizationId, environment }: Tenant, imageId: string): Promise<PhotoRecord | null> {
    const image = (await this.statements.run<TracedImage>(IMAGE, [imageId, organizationId, environment])).rows[0];
    if (image === undefined) return null;
    const of = [imageId];
    const orders = (await this.statements.run<TracedOrder>(`${ORDER} where image_id = $1 order by created_at, id`, of))
      .rows;
    const jobs = (await this.statements.run<TracedJob>(JOBS, of)).rows;
    const versions = (await this.statements.run<TracedVersion>(VERSIONS, of)).rows;
    return {
      image,
      madeBy: await this.trail.firstWriting(image, `Media/${imageId}`, image.createdAt),
      goneFor: await this.goneFor(image),
      orders,
      jobs,
      versions,
    };
  }

  private async goneFor(image: TracedImage): Promise<DeletionReason | null> {
    const { id, deletedAt, storedAt, origin, patientId } = image;
    if (deletedAt === null) return null;
    const row = await this.trail.deleting(image, `Media/${id}`, deletedAt);
    if (row !== null)
      return row.keyId === RETENTION ? { why: 'retention' } : { why: 'asked', by: row.keyId, door: row.door };
    if (storedAt === null) return { why: origin === 'message' ? 'refused' : 'unused' };
    const { rows } = await this.statements.run<{ erased: boolean }>(ERASED, [patientId]);
    return rows[0]?.erased === true ? { why: 'erasure' } : null;
  }

  async order(id: string): Promise<TracedOrder | null> {
    if (!isCanonicalUuid(id)) return null;
    return (
      (await this.statements.run<TracedOrder>(`${ORDER} where id = $1 and image_id is null`, [id])).rows[0] ?? null
    );
  }

  /** Two tenants may have the same request id, as callers choose it. */
  private async requestOf(tenant: Tenant, rows: readonly AuditedRequest[]): Promise<TraceFinding> {
    const requests = rows.filter(
      ({ organizationId, environment }) =>
        organizationId === tenant.organizationId && environment === tenant.environment,
    );
    const ids = [
      ...new Set(
        requests.flatMap(({ resources }) => resources.flatMap((resource) => TRACEABLE.exec(resource)?.[1] ?? [])),
      ),
    ].slice(0, MOST_RESOURCES);
    const found = (await Promise.all(ids.map((id) => this.find(id)))).flat();
    return {
      takenFor: 'request_id',
      tenant,
      imageIds: [...new Set(found.flatMap(({ imageIds }) => imageIds))],
      leadsTo: [],
      events: requests.map(requestEvent),
    };
  }
}

function requestEvent({ at, door, interaction, keyId, resources, refusal }: AuditedRequest): TraceEvent {
  const said = { at, resources: resources.slice(0, MOST_RESOURCES), facts: { door, interaction, key: keyId } };
  if (refusal === null) return { ...said, what: 'request.done' };
  const advice = refusal in ERROR_CATALOGUE ? { next: ERROR_CATALOGUE[refusal as ErrorCode].advice } : {};
  return { ...said, what: 'request.refused', facts: { ...said.facts, code: refusal }, ...advice };
}
