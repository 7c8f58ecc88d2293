import { decodeMessage, decodeRegardless } from '../er7/decode-message.js';
import type { Er7Message, Er7Segment } from '../er7/er7-message.js';

const CODES = ['AA', 'AE', 'AR', 'CA', 'CE', 'CR'] as const;

/** The longest text of a receiver that is kept. */
const LONGEST_TEXT = 500;
const MOST_PROBLEMS = 20;

/** One ERR of a receiver, in its own words, which may repeat content of the message: never for a log. */
export interface AnnouncedProblem {
  /** ERR-2 (up to 2.4 the first components of ERR-1), `OBX^1^5`; "" where absent. */
  readonly place: string;
  /** ERR-3: code of table 0357, and its text. */
  readonly condition: string;
  readonly conditionText: string;
  /** ERR-4: E, W, I, F; "" where absent. */
  readonly severity: string;
  /** ERR-5, its code and its text, ERR-7 and ERR-8. */
  readonly applicationCode: string;
  readonly applicationText: string;
  readonly diagnostic: string;
  readonly message: string;
}

/** The answer of a receiver. */
export interface Acknowledgment {
  /** MSA-1. */
  readonly code: (typeof CODES)[number];
  /** MSA-2. */
  readonly controlId: string;
  /** MSA-3. */
  readonly text: string;
  /** Codes of table 0357 in its ERR segments, without those of warnings and notes. */
  readonly conditions: readonly string[];
  readonly problems: readonly AnnouncedProblem[];
  readonly bytes: Uint8Array;
}

/** null: the bytes are no acknowledgment, or it cannot be read. */
export function readAcknowledgment(bytes: Uint8Array): Acknowledgment | null {
  const message = readRegardless(bytes);
  const msa = message?.segment('MSA') ?? null;
  const stated = msa?.field(1).text.trim().toUpperCase() ?? '';
  const code = CODES.find((known) => known === stated);
  if (message === null || msa === null || code === undefined) return null;
  const problems = message.all('ERR').slice(0, MOST_PROBLEMS).flatMap(problemsOf);
  const conditions = problems
    .filter(({ severity, condition }) => !['W', 'I'].includes(severity) && condition !== '')
    .map(({ condition }) => condition);
  return {
    code,
    controlId: msa.field(2).text,
    text: limited(msa.field(3).text),
    conditions,
    problems: problems.slice(0, MOST_PROBLEMS),
    bytes,
  };
}

/** Decoded by its own character set where possible; its codes matter whatever its texts are written in. */
function readRegardless(bytes: Uint8Array): Er7Message | null {
  const decoded = decodeMessage(bytes, { characterSet: null });
  return decoded.kind === 'message' ? decoded.message : decodeRegardless(bytes);
}

/** ERR-2 to ERR-8 from 2.5 on; before, ERR-1 has one repetition per problem, with the code in its fourth component. */
function problemsOf(err: Er7Segment): AnnouncedProblem[] {
  const rest = {
    severity: limited(err.field(4).text),
    applicationCode: limited(err.field(5).text),
    applicationText: limited(err.field(5).repetitions[0]?.text(2) ?? ''),
    diagnostic: limited(err.field(7).text),
    message: limited(err.field(8).text),
  };
  if (err.field(3).state === 'valued') {
    const [condition] = err.field(3).repetitions;
    return [
      {
        place: limited(err.field(2).raw),
        condition: limited(err.field(3).text),
        conditionText: limited(condition?.text(2) ?? ''),
        ...rest,
      },
    ];
  }
  const former = err.field(1).repetitions.slice(0, MOST_PROBLEMS);
  if (former.length === 0)
    return rest.diagnostic === '' && rest.message === ''
      ? []
      : [{ place: limited(err.field(2).raw), condition: '', conditionText: '', ...rest }];
  return former.map((repetition) => ({
    place: limited(
      [1, 2, 3]
        .map((part) => repetition.text(part))
        .join('^')
        .replace(/\^+$/, ''),
    ),
    condition: limited(repetition.text(4, 1)),
    conditionText: limited(repetition.text(4, 2)),
    ...rest,
  }));
}

function limited(text: string): string {
  const plain = text.trim();
  return plain.length <= LONGEST_TEXT ? plain : `${plain.slice(0, LONGEST_TEXT)}…`;
}
