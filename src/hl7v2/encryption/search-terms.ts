import { createHmac } from 'node:crypto';

/** What a term stands for: a patient's number, a number of an order, a word of an answer. */
export type TermKind = 'patient' | 'order' | 'word';

/** Enough that no two numbers of a database meet by chance, and no more. */
const TERM_BYTES = 12;
const MOST_TERMS = 64;
const PURPOSE = 'sutura hl7v2 search terms';

/**
 * What messages are found by without their content lying open: numbers and words as keyed hashes. Where messages are encrypted the key is made of
 * theirs, so that whoever has the database alone can neither read a term nor try numbers; where they lie open anyway, everybody could.
 */
export class SearchTerms {
  private readonly keys: readonly Buffer[];

  /** `keys`: those of the encryption, the one that encrypts first. */
  constructor(keys: readonly Uint8Array[]) {
    const secrets = keys.length === 0 ? [Buffer.alloc(32)] : keys;
    this.keys = secrets.map((key) => createHmac('sha256', key).update(PURPOSE).digest());
  }

  /** As they are kept: under the key that encrypts. At most 64. */
  of(kind: TermKind, values: readonly string[]): Buffer[] {
    const distinct = [...new Set(values.map(comparable))].filter((value) => value !== '').slice(0, MOST_TERMS);
    return distinct.map((value) => term(this.keys[0]!, kind, value));
  }

  /** As they are looked for: all of the values, under each key that messages may have been kept with. Each list stands for one key. */
  wanted(kind: TermKind, values: readonly string[]): Buffer[][] {
    const clear = new SearchTerms([]).keys[0]!;
    const keys = [...this.keys, ...(this.keys.some((key) => key.equals(clear)) ? [] : [clear])];
    const distinct = [...new Set(values.map(comparable))].filter((value) => value !== '');
    return keys.map((key) => distinct.map((value) => term(key, kind, value)));
  }
}

/** Words of a text as they are compared: `Table value not found` are four. */
export function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

function comparable(value: string): string {
  return value.trim().normalize('NFC').toUpperCase();
}

function term(key: Buffer, kind: TermKind, value: string): Buffer {
  return createHmac('sha256', key).update(`${kind}\0${value}`).digest().subarray(0, TERM_BYTES);
}
