import { z } from 'zod';
import { LONGEST_INFECTION_SIGN, MOST_LISTED } from '../../../core/analysis/clinician-observations.js';
import { DESK_TOOLS } from '../../../core/report/review-draft.js';

const MOST_FOLLOWED = 20;
const MOST_POINTS = 10_000;
const point = z.tuple([z.number(), z.number()]);
const polygon = z.strictObject({
  type: z.literal('Polygon'),
  coordinates: z.array(z.array(point).min(1).max(MOST_POINTS)).min(1).max(1000),
});
/** As it was typed, blanks at the ends included; PostgreSQL keeps neither NUL nor half a character. */
const typed = (longest: number) =>
  z
    .string()
    .max(longest)
    .refine((text) => !text.includes('\0') && !/\p{Cs}/u.test(text), { error: 'has characters that are none' });
const revisions = z.array(z.uuid()).max(MOST_FOLLOWED);

const chosen = z.array(typed(40)).max(20);
const LONGEST_OWN_WORDS = MOST_LISTED * (LONGEST_INFECTION_SIGN + 1);

/** As far as it is typed: whether it can be stated is asked at the decision. */
const statedSchema = z.strictObject({
  depth: typed(20).optional(),
  pain: typed(20).optional(),
  exudate: typed(40).optional(),
  exudateType: typed(40).optional(),
  odour: typed(40).optional(),
  stage: typed(60).optional(),
  undermining: z
    .array(z.strictObject({ from: typed(20), to: typed(20), depth: typed(20) }))
    .max(MOST_LISTED)
    .optional(),
  tunnelling: z
    .array(z.strictObject({ at: typed(20), depth: typed(20) }))
    .max(MOST_LISTED)
    .optional(),
  edges: chosen.optional(),
  periwound: chosen.optional(),
  signs: z
    .array(z.strictObject({ sign: typed(40), status: typed(40) }))
    .max(40)
    .optional(),
  ownWords: typed(LONGEST_OWN_WORDS).optional(),
});

export const draftSchema = z.strictObject({
  revision: z.uuid(),
  follows: revisions,
  isChosen: z.boolean().default(false),
  reportVersion: z.int().min(1).max(1_000_000),
  work: z.strictObject({
    outlines: z.array(polygon).max(1000).nullable(),
    mmPerPixel: z.number().positive().nullable(),
    reviewerName: typed(255),
    note: typed(2000),
    reassignment: z.strictObject({ patientId: typed(255), woundId: typed(255) }).nullable(),
    ruler: z
      .strictObject({ line: z.tuple([point, point]), distance: typed(20), unit: z.enum(['mm', 'cm']) })
      .nullable(),
    stated: statedSchema.optional(),
    woundStep: z
      .strictObject({ kind: typed(40), reason: typed(40), at: typed(40), note: typed(2000), requestId: z.uuid() })
      .optional(),
    screen: z.strictObject({ tool: z.enum(DESK_TOOLS), isTissueShown: z.boolean() }),
  }),
});
export type DraftBody = z.output<typeof draftSchema>;

export const discardedDraftSchema = z.strictObject({ revisions });

/** `?draft=ID,ID`: of which revisions a decision was made. */
export const decidedDraftSchema = z.strictObject({
  draft: z
    .string()
    .transform((text) => text.split(','))
    .pipe(revisions)
    .optional()
    .transform((stated) => stated ?? []),
});
export type DecidedDraft = z.output<typeof decidedDraftSchema>;

export const presenceSchema = z.strictObject({ tabId: z.uuid(), isLeaving: z.boolean().default(false) });
export type PresenceBody = z.output<typeof presenceSchema>;
