// What the fault tests and the simulation of many machines ask the database afterwards. Plain JavaScript, for the benchmarks.

/** Completed jobs that have no report that stands, or several. */
export const JOBS_WITHOUT_THEIR_ONE_REPORT = `
  select id from analysis_jobs job where status = 'completed'
     and (select count(*) from reports where job_id = job.id and status <> 'entered-in-error') <> 1`;

/** Organizations and days whose charge differs from their jobs, either way. Of a whole database in which nothing was erased. */
export const CHARGES_WITHOUT_THEIR_JOBS = chargesWithoutTheirJobs(`(created_at at time zone 'UTC')::date`, 'day');

/** The same of one organization ($1), over all days. */
export const CHARGES_WITHOUT_JOBS_OF_ONE = `
  select made, used
    from (select count(*)::int as made from analysis_jobs where organization_id = $1) jobs,
         (select coalesce(sum(used), 0)::int as used from quota_usage where organization_id = $1) charges
   where made <> used`;

/** The same over all days, where the database's clock was moved over midnight. */
export const CHARGES_WITHOUT_JOBS_OF_ANY_DAY = chargesWithoutTheirJobs(`date '2000-01-01'`, `date '2000-01-01'`);

function chargesWithoutTheirJobs(day, usedDay) {
  return `
    with jobs as (select organization_id, ${day} as day, count(*)::int as made from analysis_jobs group by 1, 2),
         charges as (select organization_id, ${usedDay} as day, sum(used)::int as used from quota_usage group by 1, 2)
    select organization_id, day::text, coalesce(made, 0) as made, coalesce(used, 0) as used
      from jobs full join charges using (organization_id, day)
     where coalesce(made, 0) <> coalesce(used, 0)`;
}
