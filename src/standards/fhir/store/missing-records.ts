import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { SystemStatements } from '../../../platform/database/statements.js';

/** `offset 0` keeps this a look-up of its own by the primary key, as in sql-resource.store.ts. */
const SHOWN = `select from fhir_resources shown where shown.organization_id = $1 and shown.environment = $2 collate "C"`;
/** A transaction takes less from what it notes to its end. */
const LATE = `interval '1 minute'`;
const PAGE = `with page as materialized (
    select id, image_id, patient_id, created_at, greatest(created_at, started_at, completed_at) as changed_at from analysis_jobs
      where organization_id = $1 and environment = $2 and (created_at, id) > ($3::timestamptz, $4::uuid)
      order by created_at, id limit $5),
  opening as materialized (select opened_at from fhir_openings where organization_id = $1 and environment = $2 and completed_at is null)
  select page.id as "jobId", page.created_at::text as "createdAt",
    page.patient_id is not null and not exists (${SHOWN} and shown.type = 'Task' and shown.id = page.id::text collate "C" offset 0) as "lacksTask",
    page.patient_id is not null and coalesce(page.changed_at > (select opened_at - ${LATE} from opening), false) as "mayBeBehind",
    array(select report.id from reports report join wounds wound on wound.id = report.wound_id
      where report.image_id = page.image_id and report.job_id = page.id
        and (wound.patient_id is not null
          or exists (${SHOWN} and shown.type = 'Task' and shown.id = page.id::text collate "C" offset 0))
        and not exists (${SHOWN} and shown.type = 'DiagnosticReport' and shown.id = report.id::text collate "C"
          and shown.version >= report.version offset 0)
      order by report.id) as "reportIds"
    from page order by created_at, page.id`;
/** What was withdrawn is not shown, and what was deleted is withdrawn. Wounds are looked through, as events have no index by tenant. */
const WOUNDS = `select wound.id from wounds wound
  where wound.organization_id = $1 and wound.environment = $2 and wound.id > $3::uuid and wound.patient_id is not null
    and exists (select from clinical_events event where event.wound_id = wound.id and event.withdrawn_at is null
      and not exists (${SHOWN} and shown.type = 'Procedure' and shown.id = event.id::text collate "C" offset 0))
    and exists (${SHOWN} and shown.type = 'BodyStructure' and shown.id = wound.id::text collate "C" and not shown.is_deleted offset 0)
  order by wound.id limit $4`;
/** Whether their resources show it is packed away in these. A page counts the wounds that are looked at: of most nothing was decided, and the stages are in large columns. */
const DECIDED = `with page as materialized (select id from wounds
    where organization_id = $1 and environment = $2 and id > $3::uuid and patient_id is not null order by id limit $4)
  select wound.id, (exists (select from wound_events decided where decided.wound_id = wound.id)
      or exists (select from wound_relations relation where relation.whole_id = wound.id and relation.withdrawn_at is null)
      or exists (select from reports report join report_versions made on made.report_id = report.id and made.version = report.version
        where report.wound_id = wound.id and made.details -> 'clinicianObservations' -> 'stage' is not null))
    and exists (${SHOWN} and shown.type = 'BodyStructure' and shown.id = wound.id::text collate "C" and not shown.is_deleted offset 0) as "isDecided"
  from page wound order by wound.id`;
const COUNT = `select count(*)::int as jobs from analysis_jobs where organization_id = $1 and environment = $2`;

/** Where the scan of jobs continues. The time is PostgreSQL's text, which has microseconds. */
export interface PlaceOfJob {
  readonly jobId: string;
  readonly createdAt: string;
}

const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';
const BEFORE_ALL: PlaceOfJob = { jobId: BEFORE_ALL_IDS, createdAt: '-infinity' };

/** What the records have of one job, and the resources lack. */
export interface MissingRecord extends PlaceOfJob {
  /** Its patient is known, and there is no Task. */
  readonly lacksTask: boolean;
  /** The job went on as the tenant was opened, which its Task may not show. */
  readonly mayBeBehind: boolean;
  /** Its reports, of known patients or with a Task that leads to them, whose present version no DiagnosticReport shows: both count their versions alike. */
  readonly reportIds: readonly string[];
}

export interface CheckedWound {
  readonly id: string;
  readonly isDecided: boolean;
}

/** Looks through the jobs and wounds of a tenant for what its resources lack. */
@Injectable()
export class MissingRecords {
  constructor(private readonly statements: SystemStatements) {}

  /** The next jobs, oldest first, after `after` where given, whether they lack something or not; fewer than `limit` are the last. */
  async page(
    { organizationId, environment }: Tenant,
    after: PlaceOfJob | null,
    limit: number,
  ): Promise<MissingRecord[]> {
    const { createdAt, jobId } = after ?? BEFORE_ALL;
    const values = [organizationId, environment, createdAt, jobId, limit];
    return (await this.statements.run<MissingRecord>(PAGE, values)).rows;
  }

  /** The next wounds with a BodyStructure that have clinical events without a Procedure, by their ids, after `after` where given; fewer than `limit` are the last. */
  async wounds({ organizationId, environment }: Tenant, after: string | null, limit: number): Promise<string[]> {
    const values = [organizationId, environment, after ?? BEFORE_ALL_IDS, limit];
    return (await this.statements.run<{ id: string }>(WOUNDS, values)).rows.map(({ id }) => id);
  }

  /** The next wounds by their ids, after `after` where given, each with whether it has a BodyStructure and people decided or stated something of it; fewer than `limit` are the last. */
  async decidedWounds(
    { organizationId, environment }: Tenant,
    after: string | null,
    limit: number,
  ): Promise<CheckedWound[]> {
    const values = [organizationId, environment, after ?? BEFORE_ALL_IDS, limit];
    return (await this.statements.run<CheckedWound>(DECIDED, values)).rows;
  }

  /** The number of jobs of a tenant. */
  async count({ organizationId, environment }: Tenant): Promise<number> {
    const { rows } = await this.statements.run<{ jobs: number }>(COUNT, [organizationId, environment]);
    return rows[0]!.jobs;
  }
}
