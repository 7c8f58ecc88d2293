import { Injectable } from '@nestjs/common';
import { ERROR_CATALOGUE, type ErrorCode } from '../../core/errors/catalogue.js';
import { inGroups } from '../../core/trace/in-groups.js';
import { TraceRecords } from '../../core/trace/trace-records.js';
import { tenantOf, type Environment, type Tenant } from '../../core/tenancy/tenant.js';
import type {
  PhotoPlace,
  PhotoRecord,
  TracedAs,
  TracedOrder,
  TraceEvent,
  TraceFinding,
} from '../../core/trace/trace.js';
import { isCanonicalUuid, SystemStatements } from '../../platform/database/statements.js';
import { ORDER_COLUMNS, TracedPhotos } from './traced-photos.js';
import { TracedRequests, type AuditedRequest } from './traced-requests.js';

const TENANT = 'organization_id as "organizationId", environment';
const ASKED = 'unnest($1::uuid[]) as asked (id)';
/** For a wound the newest images, one more than are shown; for all else at most one. */
const FIND = `select asked.id as asked, 'image' as "takenFor", ${TENANT}, kept.id as "imageId" from ${ASKED} join images kept on kept.id = asked.id
  union all select asked.id, 'analysis', organization_id, environment, image_id from ${ASKED} join analysis_jobs kept on kept.id = asked.id
  union all select asked.id, 'analysis', organization_id, environment, image_id from ${ASKED} join analysis_requests kept on kept.id = asked.id
    where not exists (select from analysis_jobs where id = asked.id)
  union all select asked.id, 'report', organization_id, environment, image_id from ${ASKED} join analysis_jobs kept on kept.report_id = asked.id
  union all select asked.id, 'report', organization_id, environment, image_id from ${ASKED} join reports kept on kept.id = asked.id
    where not exists (select from analysis_jobs where report_id = asked.id)
  union all select asked.id, 'wound', kept.organization_id, kept.environment, shown.image_id from ${ASKED} join wounds kept on kept.id = asked.id left join lateral (
    select image_id from reports where wound_id = kept.id order by captured_at desc limit 21) shown on true`;
/** Numbers are looked for in one tenant after the other: without the tenant there is no index, and there are few tenants. */
const TENANTS = `organizations tenant cross join (values ('test' collate "C"), ('live' collate "C")) as part (environment)`;
const OF_TENANT = 'kept.organization_id = tenant.id and kept.environment = part.environment';
/**
 * $1: a number as callers name a patient; $2: the id of a patient here, or null. The newest photos, one more than are shown; all of the patient's are
 * read first (`offset 0`): for the newest few PostgreSQL would walk through everybody's photos.
 */
const OF_PATIENT = `with known as (
    select tenant.id as organization_id, part.environment, named.patient_id from ${TENANTS} cross join lateral (
      select distinct patient_id from patient_identifiers kept where ${OF_TENANT} and kept.value = $1 limit 20) named
    union select organization_id, environment, id from patients where id = $2)
  select ${TENANT}, known.patient_id as "patientId", shown.id as "imageId" from known left join lateral (
    select id from (select id from images where patient_id = known.patient_id offset 0) own order by id desc limit 21) shown on true
  union all select tenant.id, part.environment, null, shown.image_id from ${TENANTS} cross join lateral (
    select image_id from analysis_jobs kept where ${OF_TENANT} and kept.subject_patient_id = $1 order by created_at desc, id desc limit 21) shown`;
const ORDERS = `select ${ORDER_COLUMNS} from analysis_requests where id = any($1::uuid[]) and image_id is null`;

/** The references by which the audit trail names a photo, an analysis or a report. */
const TRACEABLE = /^(?:Media|DocumentReference|Task|DiagnosticReport)\/([0-9a-f-]{36})/;
const MOST_RESOURCES = 50;

interface Row extends Tenant {
  readonly asked: string;
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
  private readonly requests: TracedRequests;
  private readonly tracedPhotos: TracedPhotos;

  constructor(private readonly statements: SystemStatements) {
    super();
    this.requests = new TracedRequests(statements);
    this.tracedPhotos = new TracedPhotos(statements, this.requests);
  }

  async find(id: string): Promise<TraceFinding[]> {
    const [own, patients] = await Promise.all([this.findAll([id]), this.ofPatient(id)]);
    return [...(own.get(id) ?? []), ...patients];
  }

  async findAll(ids: readonly string[]): Promise<ReadonlyMap<string, readonly TraceFinding[]>> {
    const known = ids.filter(isCanonicalUuid);
    if (known.length === 0) return new Map();
    const { rows } = await this.statements.run<Row>(FIND, [known]);
    return new Map([...inGroups(rows, ({ asked }) => asked)].map(([id, ofId]) => [id, findingsOf(id, ofId)]));
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

  async findRequests(requestIds: readonly string[]): Promise<ReadonlyMap<string, readonly TraceFinding[]>> {
    const requests = await this.requests.ofRequests(requestIds);
    // Two tenants may have the same request id, as callers choose it.
    const byTenant = [...requests].map(
      ([id, rows]) => [id, [...inGroups(rows, (row) => `${row.organizationId} ${row.environment}`).values()]] as const,
    );
    const known = await this.findAll([...new Set(byTenant.flatMap(([, parts]) => parts.flatMap(resourcesOf)))]);
    return new Map(byTenant.map(([id, parts]) => [id, parts.map((rows) => requestFinding(rows, known))]));
  }

  photos(places: readonly PhotoPlace[]): Promise<PhotoRecord[]> {
    return this.tracedPhotos.list(places);
  }

  async orders(ids: readonly string[]): Promise<ReadonlyMap<string, TracedOrder>> {
    const known = ids.filter(isCanonicalUuid);
    if (known.length === 0) return new Map();
    const { rows } = await this.statements.run<TracedOrder>(ORDERS, [known]);
    return new Map(rows.map((order) => [order.id, order]));
  }
}

function findingsOf(id: string, rows: readonly Row[]): TraceFinding[] {
  return [...inGroups(rows, ({ takenFor }) => takenFor)].map(([takenFor, alike]) => {
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

/** `rows`: of one request in one tenant. */
function requestFinding(
  rows: readonly AuditedRequest[],
  known: ReadonlyMap<string, readonly TraceFinding[]>,
): TraceFinding {
  const found = resourcesOf(rows).flatMap((id) => known.get(id) ?? []);
  return {
    takenFor: 'request_id',
    tenant: tenantOf(rows[0]!),
    imageIds: [...new Set(found.flatMap(({ imageIds }) => imageIds))],
    leadsTo: [],
    events: rows.map(requestEvent),
  };
}

/** The photos, analyses and reports that a request was about, at most 50. */
function resourcesOf(requests: readonly AuditedRequest[]): string[] {
  const ids = requests.flatMap(({ resources }) => resources.flatMap((resource) => TRACEABLE.exec(resource)?.[1] ?? []));
  return [...new Set(ids)].slice(0, MOST_RESOURCES);
}

function requestEvent({ at, door, interaction, keyId, resources, refusal }: AuditedRequest): TraceEvent {
  const said = { at, resources: resources.slice(0, MOST_RESOURCES), facts: { door, interaction, key: keyId } };
  if (refusal === null) return { ...said, what: 'request.done' };
  const advice = refusal in ERROR_CATALOGUE ? { next: ERROR_CATALOGUE[refusal as ErrorCode].advice } : {};
  return { ...said, what: 'request.refused', facts: { ...said.facts, code: refusal }, ...advice };
}
