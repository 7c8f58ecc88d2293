import { z } from 'zod';
import { REPORT_STATUSES } from '../../../core/report/report-status.js';
import { plainText } from '../../../platform/http/text.schema.js';
import { limitText, listFields } from '../paging/page.js';
import { withMetadata, withoutPrototype } from '../route/metadata-pairs.js';

export const reportListFields = withMetadata(
  z.object({
    limit: limitText.optional().describe('Most reports on the page.'),
    cursor: plainText(200).optional().describe('The nextCursor of the page before, with the same filters.'),
  }),
);

export const reportListQuerySchema = withoutPrototype.pipe(reportListFields);

export type ReportListQuery = z.output<typeof reportListQuerySchema>;

const filedReportSchema = z
  .looseObject({
    id: z.string(),
    version: z.int().min(1).describe('The present one.'),
    status: z.enum(REPORT_STATUSES).describe('entered-in-error: withdrawn; replacedBy has what took its place.'),
    jobId: z.string(),
    imageId: z.string(),
    woundRef: z
      .string()
      .describe(
        'The wound that it was filed under. Where a person joined that one into another, it says so (mergedInto).',
      ),
    attention: z.array(z.string()).describe('Why it waits for a person; empty: it does not.'),
    replaces: z.string().nullable(),
    replacedBy: z.string().nullable(),
    capturedAt: z.iso.datetime(),
    createdAt: z.iso.datetime().describe('When its first version was filed.'),
    links: z.looseObject({ self: z.url(), job: z.url(), wound: z.url() }),
  })
  .meta({ id: 'FiledReport', description: 'A report without its content: links.self has that.' });

export type FiledReportView = z.output<typeof filedReportSchema>;

export const reportListSchema = z
  .looseObject(listFields(filedReportSchema, 'Those of the newest job first.'))
  .meta({ id: 'ReportList', description: 'One page of reports.' });

export const REPORT_LIST_SCHEMAS: readonly z.ZodType[] = [filedReportSchema, reportListSchema];
