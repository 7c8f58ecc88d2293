import { Injectable } from '@nestjs/common';
import {
  TimedOutPhotoRepository,
  type TimedOutFigures,
  type TimedOutPage,
  type TimedOutPhoto,
} from '../../core/analysis/timed-out-photo.repository.js';
import type { SystemTransaction, TenantTransaction } from '../../core/ports/unit-of-work.js';
import { isCanonicalUuid, toJsonb } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

const COLUMNS = `job.id as "jobId", job.organization_id as "organizationId", job.environment, job.image_id as "imageId", job.patient_id as "patientId",
  job.source, date_trunc('milliseconds', job.completed_at) as "failedAt"`;
/** The last job of a photo that is still there: a later one, whatever became of it, speaks for the photo. */
const WAITS = `job.status = 'error' and job.error ->> 'code' = 'processing.timeout' and job.set_aside is null
  and exists (select from images image where image.id = job.image_id and image.status = 'stored')
  and not exists (select from analysis_jobs other where other.image_id = job.image_id and other.organization_id = job.organization_id
    and other.environment = job.environment and (other.created_at, other.id) > (job.created_at, job.id))`;
const OWN = 'job.organization_id = $1 and job.environment = $2';
const LIST = `select ${COLUMNS} from analysis_jobs job where ${OWN} and ${WAITS} and ($3::float8 is null or job.completed_at <= sutura_now() - make_interval(secs => $3))
  and ($4::timestamptz is null or (date_trunc('milliseconds', job.completed_at), job.id) > ($4, $5::uuid)) order by date_trunc('milliseconds', job.completed_at), job.id limit $6`;
const FIND = `select ${COLUMNS} from analysis_jobs job where ${OWN} and ${WAITS} and job.id = $3`;
const COUNT = `select job.organization_id as "organizationId", job.environment, count(*)::int as photos, min(job.completed_at) as "oldestAt"
  from analysis_jobs job where ${WAITS} group by 1, 2`;
const SET_ASIDE = `update analysis_jobs job set set_aside = jsonb_build_object('at', sutura_now()) || $4::jsonb where ${OWN} and ${WAITS} and job.id = $3`;

@Injectable()
export class SqlTimedOutPhotoRepository extends TimedOutPhotoRepository {
  async list(transaction: TenantTransaction, { olderThanS, after, limit }: TimedOutPage): Promise<TimedOutPhoto[]> {
    const values = [...own(transaction), olderThanS, after?.failedAt ?? null, after?.jobId ?? null, limit];
    return (await statementsOf(transaction).run<TimedOutPhoto>(LIST, values)).rows;
  }

  async find(transaction: TenantTransaction, jobId: string): Promise<TimedOutPhoto | null> {
    if (!isCanonicalUuid(jobId)) return null;
    const { rows } = await statementsOf(transaction).run<TimedOutPhoto>(FIND, [...own(transaction), jobId]);
    return rows[0] ?? null;
  }

  async count(transaction: SystemTransaction): Promise<TimedOutFigures[]> {
    return (await statementsOf(transaction).run<TimedOutFigures>(COUNT)).rows;
  }

  async setAside(
    transaction: TenantTransaction,
    jobId: string,
    by: { readonly by: string; readonly note?: string | undefined },
  ): Promise<boolean> {
    if (!isCanonicalUuid(jobId)) return false;
    const { affected } = await statementsOf(transaction).run(SET_ASIDE, [...own(transaction), jobId, toJsonb(by)]);
    return affected === 1;
  }
}

function own({ tenant: { organizationId, environment } }: TenantTransaction): readonly string[] {
  return [organizationId, environment];
}
