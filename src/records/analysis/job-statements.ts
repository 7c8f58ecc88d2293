import type { DomainEventKind } from '../../core/domain-events/domain-event.js';
import { eventInsertOf, HANDLERS_COLUMN } from '../events/sql-outbox.js';
import { WAITS, WAITS_SINCE } from './asked-waits.js';
import { JOB_COLUMNS } from './job-row.js';
import { JOB_ENDED_CHANNEL } from '../../platform/database/notification-listener.js';

/** $1: the job, $2: the token of the lease under which a worker holds it. */
export const HELD = `id = $1 and lease_token = $2 and status = 'processing'`;

/** A time-out is the photo's own where another job ended well since its last one, or since it began: the service works then. */
export const COUNT_TIMEOUT = `update analysis_jobs set timeouts = timeouts + 1, timed_out_at = sutura_now(),
    own_timeouts = own_timeouts + (select count(*) from (select from analysis_jobs other where other.status = 'completed' and other.id <> $1
      and other.completed_at > (select coalesce(timed_out_at, started_at) from analysis_jobs where id = $1) limit 1) one)::int
  where ${HELD} returning timeouts as "all", own_timeouts as own`;
/** Up to a fifth more of the wait in parameter 3, so that jobs that failed at once do not come back at once. */
const LATER = 'sutura_now() + make_interval(secs => $3::float8 * (1 + random() / 5))';
export const POSTPONE = `update analysis_jobs set status = 'queued', attempts = greatest(attempts - 1, 0), lease_token = null, lease_until = null,
    not_before = ${LATER} where ${HELD}`;
/** $4: attempts that are given back. */
export const RELEASE = `update analysis_jobs set status = 'queued', attempts = greatest(attempts - $4::int, 0), lease_token = null, lease_until = null,
    not_before = case when $3::float8 > 0 then ${LATER} else not_before end where ${HELD}`;
export const GIVE_BACK = `update analysis_jobs set attempts = greatest(attempts - 1, 0) where id = $1 and status in ('queued', 'processing')`;

export const KEEP_DIGESTS = `update analysis_jobs set picture_sha256 = coalesce(picture_sha256, '{}') || $4::jsonb
  where id = $1 and organization_id = $2 and environment = $3`;

export const BACKLOG = `select
    (select count(*)::int from analysis_jobs where ${WAITS}) as queued,
    (select count(*)::int from analysis_jobs where status = 'processing') as processing,
    coalesce(greatest(0, extract(epoch from sutura_now() - least(
      (select min(${WAITS_SINCE}) from analysis_jobs where ${WAITS}),
      (select min(${WAITS_SINCE}) from analysis_jobs where status = 'processing')))), 0)::float8 as "oldestUnfinishedS"`;

/**
 * A worker that takes the job at the same moment wins, or finds it ended: both statements wait for the row and check
 * its status again.
 */
export const CANCEL = `update analysis_jobs set status = 'error', error = $4, completed_at = sutura_now()
  where id = $1 and organization_id = $2 and environment = $3 and status = 'queued' returning pg_notify('${JOB_ENDED_CHANNEL}', id::text)`;

/**
 * One round trip and one plan for a poll: the tenant is set for this statement's own transaction, and the job is read with what that answered, so
 * that the policy is never asked before. `offset 0` keeps the two apart: the second depends on the row of the first.
 */
export const READ = `with tenant as materialized (
    select set_config('app.organization', $1, true) as organization, set_config('app.environment', $2, true) as environment)
  select job.* from tenant cross join lateral (
    select ${JOB_COLUMNS} from analysis_jobs
      where id = $3 and organization_id = tenant.organization::uuid and environment = tenant.environment offset 0) job`;
/** $22: the outcome that was asked for, $23: so many seconds before a worker may take it; $24 to $27 address the event of its waiting; a row for each handler that it was written for. */
export const INSERT = `with assigned as (update images set patient_id = $5 where $5::uuid is not null and id = $4 and organization_id = $2 and environment = $3
    and patient_id is null),
  queued as (insert into analysis_jobs (id, organization_id, environment, image_id, patient_id, source, status, priority, clinical_context,
    subject, captured_at, mm_per_pixel, clinician_observations, metadata, attempts, created_at, report_id, retry_of, captured_as_stated, is_capture_of_photo, is_camera_time_unused, sandbox, not_before)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
    case when $23::float8 > 0 then sutura_now() + make_interval(secs => $23::float8) end) returning id, organization_id, environment)
  ${eventInsertOf('analysis.queued', { source: 'queued', subject: 'id' }, ['$24', '$25', '$26', '$27'])}`;

const ENDED = (changes: string): string => `update analysis_jobs
    set ${changes}, completed_at = sutura_now(), lease_token = null, lease_until = null
    where ${HELD} returning id, organization_id, environment`;
/** $4 to $7 address the event of the end. One statement, so that job and event are all or nothing in one round trip. */
const END = (changes: string, kind: DomainEventKind): string => `with ended as (${ENDED(changes)}),
  told as (${eventInsertOf(kind, { source: 'ended', subject: 'id' }, ['$4', '$5', '$6', '$7'])})
  select organization_id as "organizationId", environment, ${HANDLERS_COLUMN}, pg_notify('${JOB_ENDED_CHANNEL}', id::text) from ended`;
export const ENDS = {
  'analysis.completed': END(`status = 'completed', result = $3, picture_sha256 = $8`, 'analysis.completed'),
  'analysis.failed': END(`status = 'error', error = $3`, 'analysis.failed'),
} as const;
export const END_WITH_REPORT = `with ended as (${ENDED(`status = 'completed', result = $3, picture_sha256 = $4`)})
  select pg_notify('${JOB_ENDED_CHANNEL}', id::text) from ended`;
