import { z } from 'zod';
import { CLINICAL_EVENT_TYPES } from '../../../core/followup/clinical-event.js';
import { CLOSURE_REASONS, WOUND_STATUSES } from '../../../core/followup/wound.js';
import { plainText } from '../../../platform/http/text.schema.js';
import { timestampText } from '../analysis/job-request.schema.js';
import { reviewerSchema } from '../subject/subject.schema.js';

const said = {
  /** Chosen by the page: a repeat whose answer was lost records nothing twice. */
  requestId: z.uuid(),
  reviewer: reviewerSchema,
  note: plainText(2000, 0).optional(),
};

export const deskEventSchema = z.strictObject({
  type: z.enum(CLINICAL_EVENT_TYPES),
  /** Absent: now, by the clock of the service. */
  occurredAt: timestampText.optional(),
  ...said,
});
export type DeskEventBody = z.output<typeof deskEventSchema>;

export const deskWithdrawalSchema = z.strictObject(said);
export type DeskWithdrawalBody = z.output<typeof deskWithdrawalSchema>;

export const deskStandingSchema = z
  .strictObject({
    /** As it was on the screen. */
    shown: z.enum(WOUND_STATUSES),
    status: z.enum(WOUND_STATUSES),
    reason: z.enum(CLOSURE_REASONS).optional(),
    /** Absent: now, by the clock of the service. */
    decidedAt: timestampText.optional(),
    ...said,
  })
  .refine(({ status, reason }) => (status === 'closed') === (reason !== undefined), {
    path: ['reason'],
    error: 'goes with closing, and only with it',
  })
  .refine(({ shown, status }) => shown !== status, { path: ['status'], error: 'is the one that is shown already' });
export type DeskStandingBody = z.output<typeof deskStandingSchema>;
