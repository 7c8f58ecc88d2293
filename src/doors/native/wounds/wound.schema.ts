import { z } from 'zod';
import { LATERALITIES } from '../../../core/analysis/analysis-job.js';
import { CLOSURE_REASONS, WOUND_DECISIONS, WOUND_STATUSES } from '../../../core/followup/wound.js';
import { ENVIRONMENTS } from '../../../core/tenancy/tenant.js';
import { plainText } from '../../../platform/http/text.schema.js';
import { codedConceptSchema } from '../analysis/job-request.schema.js';
import { timestampText } from '../analysis/job-request.schema.js';
import { courseSchema } from '../reports/comparison.schema.js';
import { patientSchema, reviewerSchema } from '../subject/subject.schema.js';
import { WOUND_RELATION_SCHEMAS, woundRelationSchema } from './wound-relation.schema.js';
import { CLINICAL_EVENT_SCHEMAS, clinicalEventSchema } from './clinical-event.schema.js';
import { limitText } from '../paging/page.js';
import { withMetadata, withoutPrototype } from '../route/metadata-pairs.js';
import { asStated } from '../subject/as-stated.schema.js';

const moment = z.iso.datetime();

const woundFields = {
  id: z.string().describe('This service’s id of the wound.'),
  patient: patientSchema.nullable(),
  woundId: z.string().nullable().describe('Your own id; null: unlinked, its assessment named no wound.'),
  woundIdSystem: z.string().nullable().describe('null: your own numbering.'),
  linked: z.boolean(),
  bodySite: codedConceptSchema.nullable(),
  laterality: z.enum(LATERALITIES).nullable(),
  woundType: codedConceptSchema.nullable(),
  status: z.enum(WOUND_STATUSES).describe('Only a person closes and reopens a wound.'),
  closedAt: moment.nullable(),
  mergedInto: z.string().nullable().describe('The wound that a person joined this one into.'),
  environment: z.enum(ENVIRONMENTS),
  createdAt: moment,
  links: z.looseObject({ self: z.url(), timeline: z.url(), report: z.url() }),
};

const waitingReportSchema = z
  .looseObject({
    reportId: z.string(),
    capturedAt: moment,
    capturedAsStated: asStated,
    reasons: z
      .array(z.string())
      .describe(
        'site_mismatch, duplicate_photo, which_outline, no_wound_in_region, area_jump, area_implausible, before_birth, sandbox; more may come.',
      ),
    links: z.looseObject({ report: z.url() }),
  })
  .meta({
    id: 'WaitingReport',
    description: 'A report that waits for a person to accept, correct, reject or reassign it.',
  });

/** Absent where a wound is only named: among candidates and in its timeline, whose assessments say it themselves. */
const attentionField = {
  attention: z
    .array(waitingReportSchema)
    .optional()
    .describe('The reports of its series that wait for a person, oldest photo first; empty: none.'),
};

export const woundSchema = z
  .looseObject({ ...woundFields, ...attentionField })
  .meta({ id: 'Wound', description: 'One physical wound over all its assessments.' });

const eventSchema = z
  .looseObject({
    decision: z.enum(WOUND_DECISIONS),
    otherWound: z
      .string()
      .nullable()
      .describe('Into which wound it was merged, or out of which it was taken; with joined and split what it became.'),
    reviewer: reviewerSchema.nullable(),
    note: z.string().nullable(),
    reason: z.enum(CLOSURE_REASONS).nullable().describe('Of closing; null: not said, which counts as other.'),
    decidedAt: moment,
    enteredBy: z.string().nullable().describe('The person behind the request, of X-Sutura-User; null: not named.'),
  })
  .meta({ id: 'WoundEvent', description: 'A person’s decision about a wound.' });

export const woundDetailsSchema = z
  .looseObject({
    ...woundFields,
    ...attentionField,
    course: courseSchema
      .nullable()
      .describe(
        'As it stands now: of the last photo, unless a person has closed or reopened it since; null: not known.',
      ),
    candidates: z
      .array(woundSchema)
      .describe(
        'Of an unlinked wound: those of the same patient, site and side that a person may find to be the same.',
      ),
    events: z.array(eventSchema).describe('What people decided, oldest first.'),
    clinicalEvents: z
      .array(clinicalEventSchema)
      .describe('What was done to it between its photos, without what was withdrawn; oldest first.'),
    relations: z
      .array(woundRelationSchema)
      .describe('With what it has grown together, and into what it has fallen; those taken back, too. Oldest first.'),
  })
  .meta({ id: 'WoundDetails', description: 'A wound with its candidates and what was decided about it.' });

export const woundListSchema = z
  .looseObject({
    items: z.array(woundSchema).describe('Newest first.'),
    nextCursor: z.string().nullable().describe('For the next page; null at the end.'),
  })
  .meta({ id: 'WoundList', description: 'One page of wounds.' });

export const woundQueryFields = withMetadata(
  z.object({
    patientId: plainText(255).optional().describe('Only wounds of this patient, by your identifier.'),
    woundId: plainText(255).optional().describe('Only wounds with this identifier of yours.'),
    status: z.enum(WOUND_STATUSES).optional().describe('Only wounds in this state.'),
    linked: z.enum(['true', 'false']).optional().describe('false: only those whose assessment named no wound.'),
    attention: z
      .enum(['true', 'false'])
      .optional()
      .describe('true: only wounds with a report that waits for a person.'),
    limit: limitText.optional().describe('Most wounds on the page.'),
    cursor: plainText(200).optional().describe('The nextCursor of the page before, with the same filters.'),
  }),
);

export const woundQuerySchema = withoutPrototype.pipe(woundQueryFields);

export type WoundQuery = z.output<typeof woundQuerySchema>;

const decisionFields = { reviewer: reviewerSchema.optional(), note: plainText(2000, 0).optional() };

export const woundDecisionSchema = z
  .strictObject(decisionFields)
  .meta({ id: 'WoundDecisionRequest', description: 'Who decided, and why.' });

const decidedAt = timestampText
  .optional()
  .describe('When the person decided; absent: now. Photos taken before it belong to the course before.');

export const woundClosingSchema = z
  .strictObject({
    ...decisionFields,
    reason: z.enum(CLOSURE_REASONS).optional().describe('healed alone is a cure; absent: other.'),
    closedAt: decidedAt,
    decidedAt: timestampText.optional().describe('Another name of closedAt, which stands before it.'),
  })
  .meta({ id: 'WoundClosingRequest', description: 'Who closed it, when, and why.' });

export const woundReopeningSchema = z
  .strictObject({ ...decisionFields, decidedAt })
  .meta({ id: 'WoundReopeningRequest', description: 'Who reopened it, when, and why.' });

/** The body may be left out. */
export const woundClosingBody = woundClosingSchema.optional().transform((body) => body ?? {});

export type WoundClosingBody = z.output<typeof woundClosingSchema>;

/** The body may be left out. */
export const woundReopeningBody = woundReopeningSchema.optional().transform((body) => body ?? {});

export type WoundReopeningBody = z.output<typeof woundReopeningSchema>;

/** The body may be left out. */
export const woundDecisionBody = woundDecisionSchema.optional().transform((body) => body ?? {});

export type WoundDecisionBody = z.output<typeof woundDecisionSchema>;

export const woundMergeSchema = z
  .strictObject({ into: z.string().describe('The wound that this one turned out to be.'), ...decisionFields })
  .meta({ id: 'WoundMergeRequest', description: 'Joins a wound into another of the same patient.' });

export type WoundMergeBody = z.output<typeof woundMergeSchema>;

export const WOUND_SCHEMAS = [
  waitingReportSchema,
  woundSchema,
  woundDetailsSchema,
  woundListSchema,
  eventSchema,
  ...CLINICAL_EVENT_SCHEMAS,
  ...WOUND_RELATION_SCHEMAS,
  patientSchema,
  reviewerSchema,
  woundDecisionSchema,
  woundClosingSchema,
  woundReopeningSchema,
  woundMergeSchema,
];
