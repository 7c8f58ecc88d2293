import { z } from 'zod';
import { JOB_STATUSES } from '../../../core/analysis/analysis-job.js';
import type { JobFilter } from '../../../core/analysis/job.repository.js';
import { plainText } from '../../../platform/http/text.schema.js';
import { limitText } from '../paging/page.js';
import { timestampText } from './job-request.schema.js';

const PREFIX = 'metadata.';
/** Each is a look-up of its own. */
const MOST_PAIRS = 4;
const LONGEST_KEY = 64;

/** `metadata.KEY=VALUE` as it stands in the query; any other name that is not listed is refused as unknown. */
const pairsOf = (query: Readonly<Record<string, unknown>>): [key: string, value: string][] =>
  Object.entries(query).flatMap(([name, value]) =>
    name.startsWith(PREFIX) ? [[name.slice(PREFIX.length), value as string]] : [],
  );

const knownFields = z.object({
  status: z.enum(JOB_STATUSES).optional().describe('Only jobs in this state.'),
  patientId: plainText(255).optional().describe('Only jobs of this patient, by your identifier.'),
  woundId: plainText(255).optional().describe('Only jobs of this wound, by your identifier.'),
  createdAfter: timestampText.optional().describe('Only jobs created after this moment.'),
  limit: limitText.optional().describe('Most jobs on the page.'),
  cursor: plainText(200).optional().describe('The nextCursor of the page before, with the same filters.'),
});

/** Without a name that no object takes as its own, which is left out before anything could refuse it. */
const withoutPrototype = z.unknown().superRefine((query, context) => {
  if (typeof query === 'object' && query !== null && Object.hasOwn(query, '__proto__'))
    context.addIssue({ code: 'custom', path: ['__proto__'], message: 'is not a known field' });
});

export const jobQueryFields = knownFields.catchall(plainText(255, 0)).superRefine((query, context) => {
  const refuse = (name: string, message: string): void => context.addIssue({ code: 'custom', path: [name], message });
  for (const name of Object.keys(query))
    if (!Object.hasOwn(knownFields.shape, name) && !name.startsWith(PREFIX)) refuse(name, 'is not a known field');
  const pairs = pairsOf(query);
  for (const [key] of pairs)
    if (key.length === 0 || key.length > LONGEST_KEY)
      refuse(`${PREFIX}${key}`, `names a key of metadata with 1 to ${LONGEST_KEY} characters`);
  if (pairs.length > MOST_PAIRS) refuse('metadata', `has at most ${MOST_PAIRS} pairs`);
});

export const jobQuerySchema = withoutPrototype.pipe(jobQueryFields);

export type JobQuery = z.output<typeof jobQuerySchema>;

export function toJobFilter(query: JobQuery): JobFilter {
  return {
    status: query.status,
    patientId: query.patientId,
    woundId: query.woundId,
    createdAfter: query.createdAfter === undefined ? undefined : new Date(query.createdAfter),
    metadata: Object.fromEntries(pairsOf(query)),
  };
}
