import { z } from 'zod';
import { ERROR_CATALOGUE } from '../../../core/errors/catalogue.js';
import { FAILURE_KINDS, type FailureGroup, type FailureKind } from '../../../core/failures/failure-group.js';
import type { Names } from '../../../core/organizations/name-directory.js';
import { HOLDS, type Hold } from '../../../core/ehrs/filing-holds.js';
import type { ParkedFor } from '../../../exits/mllp/outbox/outbound-message.js';
import { PROBLEM_CATALOGUE } from '../../../standards/hl7v2/problems/problem-catalogue.js';
import { id, list, moment, named, owner } from '../action/answer-fields.js';

export const FAILURE_GROUP_VIEW = z.object({
  kind: z
    .enum(FAILURE_KINDS)
    .describe('message: HL7 v2 that came in and was refused; job: an analysis; the others: parked for a receiver.'),
  ...owner,
  organizationName: named,
  subjectId: id.nullable().describe('The listener, destination or endpoint; null: of an analysis.'),
  subjectName: named,
  cause: z.string().describe('A code, for a delivery with what its receiver answered.'),
  words: z.string(),
  nextStep: z.string(),
  oneByOne: z
    .boolean()
    .describe('A person looks at each by itself: none of them is done again together, and each is named in skipped.'),
  count: z.int(),
  firstAt: moment,
  lastAt: moment,
  examples: list(id).describe('The newest three.'),
});

/** What failed and is not put right, by cause, the last failure first. */
export const FAILURES_VIEW = z.object({
  from: moment,
  to: moment.describe('Not included.'),
  items: list(FAILURE_GROUP_VIEW),
});

export const RETRIED_VIEW = z.object({
  retried: z.int().describe('Messages are done; of the others the outcome follows within seconds.'),
  skipped: list(
    z.object({
      id,
      code: z
        .string()
        .describe(
          'Of an error; of a message also its state, where it is no longer refused, or of what was left out of it; the cause it has by now, where that is another; of an EHR also why a person has to look at it first.',
        ),
    }),
  ).describe('What was left as it is, and why.'),
  after: id.nullable().describe('There are more: the same call with this goes on. null: these were all.'),
});

export type FailureGroupView = z.output<typeof FAILURE_GROUP_VIEW>;
export type FailuresView = z.output<typeof FAILURES_VIEW>;
export type RetriedView = z.output<typeof RETRIED_VIEW>;

export function toFailureGroupView(group: FailureGroup, names: Names): FailureGroupView {
  const { firstAt, lastAt, organizationId, subjectId, kind, cause } = group;
  return {
    ...group,
    organizationName: names.organization(organizationId),
    subjectName: names.nameOf(subjectId, organizationId),
    ...wordsOf(kind, cause),
    firstAt: firstAt.toISOString(),
    lastAt: lastAt.toISOString(),
  };
}

interface CauseWords {
  readonly words: string;
  readonly nextStep: string;
  readonly oneByOne: boolean;
}
type Words = Omit<CauseWords, 'oneByOne'>;

/** By the first word of the cause, for what is parked. */
const PARKED: Readonly<Record<ParkedFor, Words>> = {
  refused: {
    words: 'Refused by its receiver',
    nextStep: 'Read what the receiver said, and have it mended there or in the settings; then send them again.',
  },
  refused_later: {
    words: 'Accepted, then refused by the receiver’s application',
    nextStep: 'Read what the receiver said, and have it mended there; then send them again.',
  },
  sealed: {
    words: 'No key that is set opens it',
    nextStep: 'Put the key back and restart; then send them again.',
  },
  operator: { words: 'Parked by a person', nextStep: 'Ask who parked them; then send them again, or give them up.' },
  destination_deleted: {
    words: 'Its destination was deleted',
    nextStep: 'Open them: each is sent elsewhere, or given up.',
  },
};
const PARKED_OTHERWISE: Words = {
  words: 'Not taken by its receiver',
  nextStep: 'Open one to see every try; mend what the code says, then send them again.',
};

const isParkedFor = (why: string): why is ParkedFor => Object.hasOwn(PARKED, why);

const isHold = (code: string): code is Hold => Object.hasOwn(HOLDS, code);
/** To send it again says that somebody has looked in the chart. */
const LOOKED_FOR_FIRST: Hold = 'ehr_outcome_unknown';

function wordsOf(kind: FailureKind, cause: string): CauseWords {
  const [, held = ''] = cause.split(' ', 2);
  if (kind === 'ehr' && isHold(held)) return { ...wordsOfHold(held), oneByOne: held === LOOKED_FOR_FIRST };
  return { ...wordsOfCode(kind, cause), oneByOne: false };
}

/** Its own words: why in the first sentence, and then what to do. */
function wordsOfHold(hold: Hold): Words {
  const [, words = hold, nextStep = ''] = /^(.+?)\.\s(.+)$/s.exec(HOLDS[hold]) ?? [];
  return { words, nextStep };
}

function wordsOfCode(kind: FailureKind, cause: string): Words {
  const [why = ''] = cause.split(' ', 1);
  if (kind !== 'message' && kind !== 'job') return isParkedFor(why) ? PARKED[why] : PARKED_OTHERWISE;
  const known: Readonly<Record<string, { readonly title: string; readonly advice: string }>> =
    kind === 'message' ? { ...ERROR_CATALOGUE, ...PROBLEM_CATALOGUE } : ERROR_CATALOGUE;
  const entry = Object.hasOwn(known, cause) ? known[cause] : undefined;
  if (entry !== undefined) return { words: entry.title, nextStep: entry.advice };
  return kind === 'message'
    ? { words: 'Refused', nextStep: 'Open one to see what is wrong with it.' }
    : { words: 'The analysis failed', nextStep: 'Open one to see what happened to its photo.' };
}
