export type MetadataPairs = Readonly<Record<string, string>>;
export type Pair = readonly [key: string, value: string];
type Parameter = (value: unknown) => string;

/** Jobs with the first pair that one page looks at, at most: what it costs, however many there are. */
export const MOST_LOOKED_AT = 2000;
/** Beyond it a pair counts as common. */
const MOST_COUNTED = 1000;

/** A row of job_metadata of the tenant ($1, $2) with this pair. */
export function pairIs(alias: string, [key, value]: Pair, parameter: Parameter): string {
  return `${alias}.organization_id = $1 and ${alias}.environment = $2 and ${alias}.key = ${parameter(key)} and ${alias}.value = ${parameter(value)}`;
}

/** The pairs of a job, of which there are few. `offset 0` keeps it a look-up by the job: along a pair there may be many others. */
const pairsOf = (jobId: string): string => `(select * from job_metadata where job_id = ${jobId} offset 0)`;

/** That a job has these pairs. */
const hasAll = (jobId: string, pairs: readonly Pair[], parameter: Parameter): string =>
  pairs
    .map(
      (pair) => ` and exists (select from ${pairsOf(jobId)} other where ${pairIs('other', pair, parameter)} offset 0)`,
    )
    .join('');

interface Query {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** How many jobs of a tenant have each pair, in their order: one row with an array, which counts no further than a thousand. */
export function pairCountsQuery(tenant: { organizationId: string; environment: string }, pairs: MetadataPairs): Query {
  const values: unknown[] = [tenant.organizationId, tenant.environment];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const counts = Object.entries(pairs).map(
    (pair) =>
      `(select count(*) from (select from job_metadata pair where ${pairIs('pair', pair, parameter)} limit ${MOST_COUNTED}) counted)`,
  );
  return { sql: `select array[${counts.join(', ')}]::int[] as counts`, values };
}

/** The same pairs, the rarest first: a look-up walks along the jobs of the first. A list, since an object puts keys such as `2024` before all others. */
export function rarestFirst(pairs: MetadataPairs, counts: readonly number[]): readonly Pair[] {
  const counted = Object.entries(pairs).map((pair, at) => ({ pair, count: counts[at] ?? 0 }));
  return counted.toSorted((a, b) => a.count - b.count).map(({ pair }) => pair);
}

/** How jobs with some pairs are walked and asked for. */
export interface JobsWithPairs {
  /** A subquery of the next jobs with all the pairs (`job_id`, `paired_at`: when it was made), newest first along the index of the first pair. */
  readonly newestFirst: () => string;
  /**
   * A page of `newestFirst` (a select with `listedAt` and `id`, of up to `limit` rows), each row with `lookedTo`: when the last job was made that was
   * looked at; null: the page is full, or came to their end. One row with nulls stands for a page of none. Of one statement, since between two of
   * them jobs may go.
   */
  readonly page: (select: string, limit: string) => string;
  /** That the job of this expression has all the pairs. */
  readonly has: (jobId: string) => string;
}

/**
 * Jobs with all these pairs, at least one, for a statement whose $1 and $2 are the tenant. `upTo`: those that were made then or before, as a parameter.
 */
export function jobsWithPairs(pairs: readonly Pair[], parameter: Parameter, upTo: string | null): JobsWithPairs {
  const [first, ...others] = pairs;
  if (first === undefined) throw new Error('Jobs are looked up by at least one pair.');
  const looked = (): string => {
    const bound = upTo === null ? '' : ` and pair.created_at <= ${upTo}`;
    return `select pair.job_id, pair.created_at as paired_at from job_metadata pair
      where ${pairIs('pair', first, parameter)}${bound} order by pair.created_at desc, pair.job_id desc`;
  };
  return {
    newestFirst: () =>
      `select looked.* from (${looked()} limit ${MOST_LOOKED_AT}) looked where true${hasAll('looked.job_id', others, parameter)}
        order by looked.paired_at desc, looked.job_id desc`,
    page: (select, limit) =>
      `with page as materialized (${select})
        select page.*, case when (select count(*) from page) < ${limit}
            then (select paired_at from (${looked()} offset ${MOST_LOOKED_AT - 1} limit 1) looked) end as "lookedTo"
          from (select) one left join page on true order by page."listedAt" desc, page.id desc`,
    has: (jobId) =>
      `exists (select from ${pairsOf(jobId)} own where ${pairIs('own', first, parameter)}${hasAll('own.job_id', others, parameter)} offset 0)`,
  };
}

/** A recursive common table expression `filed` of the reports of a job: the first, and those that took its place, withdrawn ones too. */
export const filedOf = (jobId: string): string => `filed as (
    select report.id, report.wound_id, report.status, report.replaced_by
      from reports report where report.job_id = ${jobId} and report.replaces is null
    union all select next.id, next.wound_id, next.status, next.replaced_by
      from filed join reports next on next.id = filed.replaced_by)`;
