import { z } from 'zod';
import { RELATION_KINDS, type WoundRelation } from '../../../core/followup/wound-relation.js';
import { LEAST_PARTS, MOST_PARTS } from '../../../core/wounds/wound-relation.service.js';
import { timestampText } from '../analysis/job-request.schema.js';
import { statementFields, STATEMENT_ANSWER, toStatementView } from './wound-statement.schema.js';

const moment = z.iso.datetime();
const said = statementFields('relation', 'Who saw it.');
const at = timestampText.describe(
  'When it was first seen; a photo of the very moment shows it. More than 5 minutes ahead: 422.',
);
const wounds = z.array(z.string()).min(LEAST_PARTS).max(MOST_PARTS);

export const woundJoinSchema = z
  .strictObject({
    from: wounds.describe(
      'The wounds that have grown together into this one; this one among them where it goes on under its number. The others end.',
    ),
    at,
    ...said,
  })
  .meta({ id: 'WoundJoinRequest', description: 'Wounds that were two and have grown together.' });

export type WoundJoinBody = z.output<typeof woundJoinSchema>;

export const woundSplitSchema = z
  .strictObject({
    into: wounds.describe(
      'The wounds that this one has fallen into; this one among them where it goes on under its number, else it ends.',
    ),
    at,
    ...said,
  })
  .meta({ id: 'WoundSplitRequest', description: 'A wound that was one and is several now.' });

export type WoundSplitBody = z.output<typeof woundSplitSchema>;

export const relationWithdrawalSchema = z
  .strictObject(said)
  .meta({ id: 'WoundRelationWithdrawalRequest', description: 'Who takes it back, and why.' });

/** The body may be left out. */
export const relationWithdrawalBody = relationWithdrawalSchema.optional().transform((body) => body ?? {});

export type RelationWithdrawalBody = z.output<typeof relationWithdrawalSchema>;

export const woundRelationSchema = z
  .looseObject({
    id: z.string(),
    kind: z.string().describe(`${RELATION_KINDS.join(' or ')}; more may come.`),
    whole: z.string().describe('joined: what the parts have become; split: what they were.'),
    parts: z.array(z.string()),
    at: moment,
    ...STATEMENT_ANSWER,
  })
  .meta({ id: 'WoundRelation', description: 'Wounds that grew together, or one that fell into several.' });

export function toWoundRelationView(relation: WoundRelation): Record<string, unknown> {
  return {
    id: relation.id,
    kind: relation.kind,
    whole: relation.wholeId,
    parts: relation.partIds,
    at: relation.at.toISOString(),
    ...toStatementView(relation),
  };
}

export const WOUND_RELATION_SCHEMAS = [
  woundJoinSchema,
  woundSplitSchema,
  relationWithdrawalSchema,
  woundRelationSchema,
];
