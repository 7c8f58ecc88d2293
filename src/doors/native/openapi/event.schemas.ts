import { z } from 'zod';
import { REPORT_STATUSES, REVIEW_DECISIONS } from '../../../core/report/report-status.js';
import { DIRECTIONS, VERDICTS } from '../../../core/followup/course.js';
import { RESETTING_EVENTS } from '../../../core/followup/clinical-event.js';
import { RELATION_KINDS } from '../../../core/followup/wound-relation.js';
import type { WebhookEventType } from '../../../core/deliveries/webhook-events.js';
import { measuredSchema } from '../analysis/result.schema.js';
import { ATTENTION, unconfirmedNecrosisSchema } from '../reports/comparison.schema.js';
import { asStated } from '../subject/as-stated.schema.js';

const moment = z.iso.datetime();
const id = z.string();
const sequence = z
  .int()
  .min(1)
  .describe('Rises with every event of the webhook: drop what is older than what you have.');
const FULL = 'With the content "full" alone.';
const fullText = {
  patient: z.unknown().optional().describe(FULL),
  callersWoundId: z.string().nullable().optional().describe(FULL),
  callersWoundIdSystem: z.string().nullable().optional().describe(FULL),
  truncated: z
    .literal(true)
    .optional()
    .describe('With "full": a text that would have made the body too long is left out.'),
};

const sandbox = z
  .string()
  .optional()
  .describe('The outcome that metadata.sandbox of the job asked for; absent: none, and in live always.');
const completed = z.object({
  sequence,
  jobId: id,
  imageId: id,
  reportId: id.nullable(),
  woundDetected: z.boolean(),
  sandbox,
});
const failed = z.object({
  sequence,
  jobId: id,
  imageId: id.nullable(),
  error: z.object({ code: z.string(), retryable: z.boolean() }),
  sandbox,
});
const report = z.object({
  sequence,
  reportId: id,
  jobId: id,
  imageId: id,
  woundId: id.nullable(),
  replaces: id.nullable(),
  replacedBy: id.nullable(),
  version: z.int().min(1).describe('Rises with every version of the report: drop what is older than what you have.'),
  status: z.enum(REPORT_STATUSES),
  reason: z.string().describe('created, reviewed, recomputed, moved or photo_erased.'),
  capturedAt: moment.nullable(),
  capturedAsStated: asStated,
  woundDetected: z.boolean(),
  areaCm2: measuredSchema.nullable().describe('Not to be used before `quality` and `outlineReliable` were read.'),
  quality: z
    .looseObject({
      acceptable: z.boolean().describe('false: another photo should be taken; this one was measured all the same.'),
      warnings: z.array(z.string()).describe('As `quality.warnings` of a result.'),
    })
    .describe('Of the photo.'),
  outlineReliable: z
    .boolean()
    .nullable()
    .describe(
      'false: the outline of the model is more likely wrong than right; null: a person drew or confirmed it, nothing is outlined, or the model does not say.',
    ),
  areaChangePct: z.number().nullable().describe('Since the measured photo before; null: there is none.'),
  areaChangeWarnings: z
    .array(z.string())
    .describe('Why the two areas are not safely comparable, as `warnings` of an AreaChange; empty: they are.'),
  noTrendReason: z
    .string()
    .nullable()
    .describe(
      'Why no trend is stated: as `noTrendReason` of a comparison, or not_comparable (see `areaChangeWarnings`); null: one is, or there is nothing to compare with yet.',
    ),
  flags: z.array(z.string()).describe('Codes of docs/follow-up.md.'),
  attention: ATTENTION,
  unconfirmedNecrosis: unconfirmedNecrosisSchema.optional(),
  course: z
    .looseObject({
      verdict: z.enum(VERDICTS),
      since: z.iso.datetime(),
      because: z.array(z.looseObject({ domain: z.string(), what: z.string(), direction: z.enum(DIRECTIONS) })),
      waitsFor: z.array(z.string()),
    })
    .nullable()
    .describe('The verdict with its reasons in codes (docs/follow-up.md); null in reports by rules 1 to 3.'),
  reset: z.enum(RESETTING_EVENTS).optional().describe('The treatment since which the area counts anew; absent: none.'),
  relation: z
    .enum(RELATION_KINDS)
    .optional()
    .describe(
      'The wound grew together of others (joined), or is a part of one that fell apart (split); absent: neither.',
    ),
  decision: z.enum(REVIEW_DECISIONS).nullable(),
  sandbox,
  ...fullText,
  bodySite: z.unknown().optional().describe(FULL),
  laterality: z.string().nullable().optional().describe(FULL),
  woundType: z.unknown().optional().describe(FULL),
  clinicalContext: z.string().nullable().optional().describe(FULL),
  clinicianObservations: z.unknown().optional().describe(FULL),
  review: z.unknown().optional().describe(FULL),
});
const byPerson = {
  reviewer: z.unknown().optional().describe(FULL),
  note: z.string().nullable().optional().describe(FULL),
};
const opened = z.object({
  sequence,
  woundId: id,
  reopened: z.boolean(),
  decidedAt: moment.optional().describe('Where a person reopened it.'),
  ...fullText,
  ...byPerson,
});
const closed = z.object({ sequence, woundId: id, decidedAt: moment, truncated: fullText.truncated, ...byPerson });
const quota = z.object({ sequence, sharePct: z.int(), day: z.iso.date(), limit: z.int(), used: z.int() });
const disabled = z.object({ sequence, webhookId: id, reason: z.enum(['gone', 'failing']), disabledAt: moment });
const recovered = z.object({ sequence, webhookId: id, deliveryId: id, failingSince: moment });

interface DescribedEvent {
  readonly summary: string;
  /** Of `data`. A receiver passes over fields that it does not know. */
  readonly data: z.ZodObject;
}

/** The payload of each type of event; a type always has one schema. */
export const EVENTS: Readonly<Record<WebhookEventType, DescribedEvent>> = {
  'analysis.completed': { summary: 'An analysis ended with a result', data: completed },
  'analysis.failed': { summary: 'An analysis will have no result', data: failed },
  'report.ready': { summary: 'A report has its first version', data: report },
  'report.amended': { summary: 'A report has a further version', data: report },
  'report.reviewed': { summary: 'A person decided about a report', data: report },
  'wound.opened': { summary: 'A wound has its first photo, or was reopened', data: opened },
  'wound.closed': {
    summary: 'A person closed a wound, or said that it ended by growing together or falling apart',
    data: closed,
  },
  'wound.attention': {
    summary:
      'A report raises a flag, waits for a person, has a worse verdict, or much necrosis that nobody has confirmed',
    data: report,
  },
  'quota.threshold': { summary: '80 or 100 % of the quota of the day is used', data: quota },
  'endpoint.disabled': { summary: 'Another webhook was disabled', data: disabled },
  'delivery.recovered': { summary: 'Another webhook takes events again', data: recovered },
};

const BODIES = new Map(
  Object.entries(EVENTS).map(([type, { summary, data }]) => [
    type,
    z.object({ type: z.literal(type), timestamp: moment.describe('Of the event.'), data }).meta({
      id: `${type.replace(/(?:^|[.])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`,
      description: `${summary}.`,
    }),
  ]),
);
export const EVENT_SCHEMAS: readonly z.ZodType[] = [...BODIES.values()];

/** Of the whole body. */
export function eventSchemaOf(type: WebhookEventType): z.ZodType {
  return BODIES.get(type)!;
}
