import { z } from 'zod';
import type { ClinicalEvent } from '../../../core/followup/clinical-event.js';
import type { WoundRelation } from '../../../core/followup/wound-relation.js';
import { plainText } from '../../../platform/http/text.schema.js';
import { reviewerSchema } from '../subject/subject.schema.js';

const moment = z.iso.datetime();

/** What every request says in which a person states something of a wound. `thing`: what the note is kept with; `who`: what `by` means. */
export const statementFields = (thing: string, who: string) => ({
  note: plainText(2000, 0).optional().describe(`Free clinical text; kept with the ${thing}, never logged.`),
  by: reviewerSchema.optional().describe(who),
});

/** What every answer says of such a statement: who made it, when it came in, and whether it was taken back. */
export const STATEMENT_ANSWER = {
  note: z.string().nullable(),
  by: reviewerSchema.nullable(),
  recordedAt: moment,
  enteredBy: z.string().nullable().describe('The person behind the request, of X-Sutura-User; null: not named.'),
  withdrawn: z
    .looseObject({
      withdrawnAt: moment,
      note: z.string().nullable(),
      by: reviewerSchema.nullable(),
      enteredBy: z.string().nullable(),
    })
    .nullable()
    .describe('Taken back, as if it had never been; null: it stands.'),
};

type Statement = Pick<ClinicalEvent | WoundRelation, 'note' | 'by' | 'recordedAt' | 'enteredBy' | 'withdrawal'>;

/** The fields of `STATEMENT_ANSWER`. */
export function toStatementView({ note, by, recordedAt, enteredBy, withdrawal }: Statement): Record<string, unknown> {
  return {
    note,
    by,
    recordedAt: recordedAt.toISOString(),
    enteredBy,
    withdrawn: withdrawal && {
      withdrawnAt: withdrawal.withdrawnAt.toISOString(),
      note: withdrawal.note,
      by: withdrawal.by,
      enteredBy: withdrawal.enteredBy,
    },
  };
}
