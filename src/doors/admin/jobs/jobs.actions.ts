import { z } from 'zod';
import type { FailedJobFilter } from '../../../core/analysis/failed-jobs.js';
import { JobRetries, MOST_RETRIES, type JobRetryReport } from '../../../core/analysis/job-retries.js';
import { ERROR_CATALOGUE, type ErrorCode } from '../../../core/errors/catalogue.js';
import { ENVIRONMENTS } from '../../../core/tenancy/tenant.js';
import { CliMisuse, type CliReport } from '../../../platform/cli/cli-command.js';
import { toTextTable } from '../../../platform/cli/command-report.js';
import { adminGroup } from '../action/admin-group.js';

/** The answer of `retryJobs`. */
const REPORT = z.object({
  retried: z
    .array(z.object({ retryOf: z.string(), id: z.string().nullable() }))
    .describe('The failed jobs, each with the new one; with dryRun none is made.'),
  skipped: z
    .array(z.object({ id: z.string(), code: z.string() }))
    .describe('Failed jobs whose photo cannot be analysed again, and why.'),
  more: z.boolean().describe('More match: the same call goes on with them.'),
});

const WANTED = z
  .strictObject({
    environment: z.enum(ENVIRONMENTS),
    id: z.uuid().optional(),
    code: z
      .string()
      .refine((code): code is ErrorCode => code in ERROR_CATALOGUE, 'must be a code of docs/errors.md')
      .optional(),
    failedSince: z.iso.datetime({ offset: true }).optional(),
    failedBefore: z.iso.datetime({ offset: true }).optional(),
    dryRun: z.boolean().optional(),
  })
  .refine(
    ({ id, code, failedSince, failedBefore }) =>
      (id === undefined) !== (code === undefined && failedSince === undefined && failedBefore === undefined),
    'State the id of one job, or a code, a range of time or both.',
  );
type Wanted = z.output<typeof WANTED>;

const EXAMPLE_ID = '01a20311-c56c-7146-996a-913beb7010a5';
const { action, group } = adminGroup({ retries: JobRetries });

const retryJobs = action({
  name: 'retryJobs',
  route: 'POST /organizations/:organizationId/jobs/retry',
  does: `Do failed analyses again at no charge, one by its id or at most ${MOST_RETRIES} by code and time: each becomes a new job of the same order, whose end is told as any other; the failed one stays as it is`,
  who: 'integrator',
  body: WANTED,
  example: { environment: 'live', code: 'processing.timeout', failedSince: '2026-11-28T07:00:00Z', dryRun: true },
  answers: REPORT,
  shows: { retried: [{ retryOf: EXAMPLE_ID, id: null }], skipped: [], more: false },
  refusals: ['job.not_found', 'job.not_failed', 'job.retried', 'image.not_found', 'model.research_only'],
  async run({ retries }, { organizationId, environment, id, dryRun = false, ...filter }) {
    const tenant = { organizationId, environment };
    if (id === undefined) return copyOf(await retries.retryAll(tenant, filterOf(filter), dryRun));
    const { id: made } = await retries.retry(tenant, id, dryRun);
    return { retried: [{ retryOf: id, id: made }], skipped: [], more: false };
  },
  trail: {
    before: (_, { organizationId, environment, id, dryRun = false, code, failedSince, failedBefore }) => ({
      interaction: '$retry-jobs',
      action: dryRun ? 'R' : 'C',
      of: { organizationId, environment },
      resources: [id === undefined ? `Organization/${organizationId}` : `Task/${id}`],
      query: new URLSearchParams(
        Object.entries({ code, failedSince, failedBefore }).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value]],
        ),
      ).toString(),
    }),
  },
  command: {
    usage:
      'jobs retry --org ID --env test|live [--id ID | [--code CODE] [--since RFC3339] [--before RFC3339]] [--dry-run]',
    says: 'Do failed analyses again at no charge: one, or all that failed with a code or in a range of time. --dry-run shows which.',
    options: { failedSince: 'since', failedBefore: 'before' },
    check({ id, code, since, before }) {
      if ((id === undefined) === (code === undefined && since === undefined && before === undefined))
        throw new CliMisuse('State --id, or --code, --since, --before or several of them.');
    },
    prints: describe,
  },
});

/** What is done with analyses. */
export const JOB_ACTIONS = group('JobsController', [retryJobs]);

function filterOf({ code, failedSince, failedBefore }: Omit<Wanted, 'environment' | 'id' | 'dryRun'>): FailedJobFilter {
  return {
    code,
    failedSince: failedSince === undefined ? undefined : new Date(failedSince),
    failedBefore: failedBefore === undefined ? undefined : new Date(failedBefore),
  };
}

function copyOf({ retried, skipped, more }: JobRetryReport): z.output<typeof REPORT> {
  return { retried: [...retried], skipped: [...skipped], more };
}

function describe(report: z.output<typeof REPORT>): CliReport {
  const { retried, skipped, more } = report;
  const parts = [
    retried.length === 0
      ? 'No failed job can be done again.'
      : toTextTable(
          ['FAILED', 'DONE AGAIN BY'],
          retried.map(({ retryOf, id }) => [retryOf, id ?? '(dry run)']),
        ),
    ...(skipped.length === 0
      ? []
      : [
          toTextTable(
            ['LEFT', 'WHY'],
            skipped.map(({ id, code }) => [id, code]),
          ),
        ]),
    ...(more ? ['More match: give the same command again.'] : []),
  ];
  return { json: report, text: parts.join('\n\n') };
}
