/** Of a row of analysis_jobs: since when it waits for the service, which one that asked to be slow (`slow:30s`) does only after that time. */
export const WAITS_SINCE = `case when sandbox ~ '^slow:[0-9]+s$' then created_at + substr(sandbox, 6)::interval else created_at end`;
/** Waits for a worker, and not for a time that was asked for. */
export const WAITS = `status = 'queued' and ${WAITS_SINCE} <= sutura_now()`;
/** Failed, and not as was asked for. */
export const FAILED = `status = 'error' and sandbox is distinct from 'job_failed'`;
