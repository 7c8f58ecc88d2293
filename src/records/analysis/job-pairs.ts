export type MetadataPairs = Readonly<Record<string, string>>;
type Parameter = (value: unknown) => string;

/** A row of job_metadata of the tenant ($1, $2) with this pair. */
export function pairIs(alias: string, [key, value]: readonly [string, string], parameter: Parameter): string {
  return `${alias}.organization_id = $1 and ${alias}.environment = $2 and ${alias}.key = ${parameter(key)} and ${alias}.value = ${parameter(value)}`;
}

/**
 * A common table expression `filed` of the reports of jobs with all these pairs: the first of each job and those that took its place, withdrawn ones
 * too. It costs what the jobs with the first pair are in number, whatever else there is. At least one pair.
 */
export function filedWithPairs(pairs: MetadataPairs, parameter: Parameter): string {
  const [first, ...others] = Object.entries(pairs);
  if (first === undefined) throw new Error('Reports are looked up by at least one pair.');
  const conditions = [
    pairIs('pair', first, parameter),
    ...others.map(
      (pair) =>
        `exists (select from job_metadata other where other.job_id = pair.job_id and ${pairIs('other', pair, parameter)})`,
    ),
  ];
  return `filed as (
    select report.id, report.wound_id, report.status, report.replaced_by
      from job_metadata pair join reports report on report.job_id = pair.job_id and report.replaces is null
      where ${conditions.join(' and ')}
    union all select next.id, next.wound_id, next.status, next.replaced_by
      from filed join reports next on next.id = filed.replaced_by)`;
}
