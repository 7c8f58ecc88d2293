import { z } from 'zod';
import { isHttpsOrigin } from '../../../core/tenancy/https-origin.js';
import { LONGEST_LIST, REVIEW_MODES, REVIEW_SUBJECTS } from '../../../core/report/review-link.js';
import { PERSON_RULE, readPerson } from '../../../core/tenancy/person.js';
import { uriText } from '../../../platform/http/text.schema.js';
import { LANGUAGES } from '../../../reports/index.js';

const LONGEST_MIN = 60;
const USUAL_MIN = 10;

function refusal(context: z.RefinementCtx): never {
  context.addIssue({ code: 'custom', message: `must be ${PERSON_RULE}` });
  return z.NEVER;
}

export const reviewLinkRequestSchema = z
  .strictObject({
    mode: z.enum(REVIEW_MODES).describe('read: the desk shows; review: it takes decisions, too (analysis:review).'),
    of: z
      .enum([...REVIEW_SUBJECTS, 'list'])
      .describe(
        'report: this one; wound: all reports of its wound; list: this one and those of reports, one after the other.',
      ),
    reports: z
      .array(z.uuid())
      .min(1)
      .max(LONGEST_LIST - 1)
      .optional()
      .describe(
        'With list: the reports behind this one, in the order in which they are gone through; of any patients.',
      ),
    minutes: z.int().min(1).max(LONGEST_MIN).default(USUAL_MIN).describe('Until link and desk end.'),
    frameOrigin: z
      .string()
      .refine(isHttpsOrigin, { error: 'must be an https origin, such as https://ehr.example.org' })
      .optional()
      .describe('Of your page that shows the desk in a frame; one that the organization allowed. Absent: no frame.'),
    person: z
      .strictObject({
        id: z.string().transform((text, context) => readPerson(text) ?? refusal(context)),
        name: z.string().trim().min(1).max(255),
        system: uriText()
          .optional()
          .describe('URI of the numbering that id belongs to; it tells people of two record systems apart.'),
      })
      .optional()
      .describe(
        'Who decides there, and signs as that; the key must be allowed to name persons. Absent: the person of X-Sutura-User, whose name is typed at the desk.',
      ),
    language: z.enum(LANGUAGES).optional().describe('Of the desk; absent: as the browser asks.'),
  })
  .refine(({ of, reports }) => (of === 'list') === (reports !== undefined), {
    path: ['reports'],
    error: 'goes with list, and list with it',
  })
  .meta({ id: 'ReviewLinkRequest', description: 'A link to the review desk.' });

export type ReviewLinkRequest = z.output<typeof reviewLinkRequestSchema>;

export const reviewLinkSchema = z
  .looseObject({
    id: z.string(),
    url: z.url().describe('Opens once. A secret until then: show it to the person, and keep it nowhere.'),
    expiresAt: z.iso.datetime().describe('The desk ends then, too.'),
  })
  .meta({ id: 'ReviewLink', description: 'Opens the review desk for what it was made for.' });

export const reviewOpeningSchema = z.strictObject({ link: z.string().min(1).max(200) });

export const REVIEW_LINK_SCHEMAS = [reviewLinkRequestSchema, reviewLinkSchema];
