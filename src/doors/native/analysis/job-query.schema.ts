import { z } from 'zod';
import { JOB_STATUSES } from '../../../core/analysis/analysis-job.js';
import type { JobFilter } from '../../../core/analysis/job.repository.js';
import { plainText } from '../../../platform/http/text.schema.js';
import { limitText } from '../paging/page.js';
import { metadataOf, withMetadata, withoutPrototype } from '../route/metadata-pairs.js';
import { timestampText } from './job-request.schema.js';

export const jobQueryFields = withMetadata(
  z.object({
    status: z.enum(JOB_STATUSES).optional().describe('Only jobs in this state.'),
    patientId: plainText(255).optional().describe('Only jobs of this patient, by your identifier.'),
    woundId: plainText(255).optional().describe('Only jobs of this wound, by your identifier.'),
    createdAfter: timestampText.optional().describe('Only jobs created after this moment.'),
    limit: limitText.optional().describe('Most jobs on the page.'),
    cursor: plainText(200).optional().describe('The nextCursor of the page before, with the same filters.'),
  }),
);

export const jobQuerySchema = withoutPrototype.pipe(jobQueryFields);

export type JobQuery = z.output<typeof jobQuerySchema>;

export function toJobFilter(query: JobQuery): JobFilter {
  return {
    status: query.status,
    patientId: query.patientId,
    woundId: query.woundId,
    createdAfter: query.createdAfter === undefined ? undefined : new Date(query.createdAfter),
    metadata: metadataOf(query),
  };
}
