import { z } from 'zod';
import { CLINICAL_EVENT_TYPES, type ClinicalEvent } from '../../../core/followup/clinical-event.js';
import { timestampText } from '../analysis/job-request.schema.js';
import { statementFields, STATEMENT_ANSWER, toStatementView } from './wound-statement.schema.js';
import { listFields } from '../paging/page.js';

const moment = z.iso.datetime();
const said = statementFields('event', 'Who did it or saw it.');

export const clinicalEventRequestSchema = z
  .strictObject({
    type: z
      .enum(CLINICAL_EVENT_TYPES)
      .describe('After debridement, graft and surgery the next photo within a week is a new baseline of the area.'),
    occurredAt: timestampText.describe(
      'A photo of the very moment counts as taken before. More than 5 minutes ahead: 422.',
    ),
    ...said,
  })
  .meta({ id: 'ClinicalEventRequest', description: 'What was done to a wound, or happened to it.' });

export type ClinicalEventBody = z.output<typeof clinicalEventRequestSchema>;

export const eventWithdrawalSchema = z
  .strictObject(said)
  .meta({ id: 'ClinicalEventWithdrawalRequest', description: 'Who takes it back, and why.' });

/** The body may be left out. */
export const eventWithdrawalBody = eventWithdrawalSchema.optional().transform((body) => body ?? {});

export type EventWithdrawalBody = z.output<typeof eventWithdrawalSchema>;

export const clinicalEventSchema = z
  .looseObject({
    id: z.string(),
    wound: z.string().describe('The wound that it was recorded of; it may have been merged into another since.'),
    type: z.string().describe(`${CLINICAL_EVENT_TYPES.join(', ')}; more may come.`),
    occurredAt: moment,
    ...STATEMENT_ANSWER,
  })
  .meta({ id: 'ClinicalEvent', description: 'What was done to a wound, or happened to it, between its photos.' });

export const clinicalEventListSchema = z
  .looseObject(listFields(clinicalEventSchema, 'Oldest first, all of the wound; withdrawn ones too.'))
  .meta({ id: 'ClinicalEventList', description: 'The clinical events of a wound.' });

export function toClinicalEventView(event: ClinicalEvent): Record<string, unknown> {
  return {
    id: event.id,
    wound: event.woundId,
    type: event.type,
    occurredAt: event.occurredAt.toISOString(),
    ...toStatementView(event),
  };
}

export const CLINICAL_EVENT_SCHEMAS = [
  clinicalEventRequestSchema,
  eventWithdrawalSchema,
  clinicalEventSchema,
  clinicalEventListSchema,
];
