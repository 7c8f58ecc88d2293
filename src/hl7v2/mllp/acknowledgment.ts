import { decodeRegardless, type Er7Message } from '../er7/index.js';

const CODES = ['AA', 'AE', 'AR', 'CA', 'CE', 'CR'] as const;

/** What a receiver answered. */
export interface Acknowledgment {
  /** MSA-1. */
  readonly code: (typeof CODES)[number];
  /** MSA-2. */
  readonly controlId: string;
  /** Codes of table 0357 in its ERR segments, those of warnings and notes left out. */
  readonly conditions: readonly string[];
  readonly bytes: Uint8Array;
}

/** null: no acknowledgment, or none that can be read. */
export function readAcknowledgment(bytes: Uint8Array): Acknowledgment | null {
  const message = decodeRegardless(bytes);
  const msa = message?.segment('MSA') ?? null;
  const stated = msa?.field(1).text.trim().toUpperCase() ?? '';
  const code = CODES.find((known) => known === stated);
  if (message === null || msa === null || code === undefined) return null;
  return { code, controlId: msa.field(2).text, conditions: conditionsOf(message), bytes };
}

/** ERR-3 from 2.5 on; before that ERR-1, whose fourth component is the code. */
function conditionsOf(message: Er7Message): string[] {
  return message
    .all('ERR')
    .filter((err) => !['W', 'I'].includes(err.field(4).text))
    .flatMap((err) => (err.field(3).state === 'valued' ? [err.field(3).text] : err.field(1).repetitions.map((repetition) => repetition.text(4, 1))))
    .filter((condition) => condition !== '');
}
