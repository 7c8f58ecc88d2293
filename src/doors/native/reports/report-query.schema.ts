import { z } from 'zod';
import { PAPERS } from '../../../core/report/report-document.js';
import { LANGUAGES } from '../../../reports/index.js';
import { timestampText } from '../analysis/job-request.schema.js';

const lang = z.enum(LANGUAGES).optional().describe('Language of the documents, before Accept-Language; JSON has none.');

const paper = z
  .enum(PAPERS)
  .optional()
  .describe('Paper of PDF and of HTML when printed; without it, that of the service’s settings (SUTURA_REPORT_PAPER).');

/** The period of a wound's photos. */
export const periodQuerySchema = z.strictObject({
  from: timestampText.optional().describe('Only photos taken at this moment or later.'),
  to: timestampText.optional().describe('Only photos taken at this moment or earlier.'),
});

export type PeriodQuery = z.output<typeof periodQuerySchema>;

export const reportQuerySchema = z.strictObject({ lang, paper });

export const courseQuerySchema = z.strictObject({ ...periodQuerySchema.shape, lang, paper });

export type CourseQuery = z.output<typeof courseQuerySchema>;

/** Without a period the four weeks up to now. */
export const evidenceQuerySchema = z.strictObject({
  from: timestampText
    .optional()
    .describe(
      'Beginning of the period; without it 29 days before its end, so that the visit four weeks before counts whatever its hour.',
    ),
  to: timestampText
    .optional()
    .describe(
      'End of the period, at most 366 days after its beginning; without it 29 days after the beginning, or now.',
    ),
  lang,
  paper,
});

export type EvidenceQuery = z.output<typeof evidenceQuerySchema>;
