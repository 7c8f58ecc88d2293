import { createHmac } from 'node:crypto';
import { messageNumbers } from '../er7/message-numbers.js';

/** The meaning of a term: a patient's number, an order's number, a word of an answer. */
export type TermKind = 'patient' | 'order' | 'word';

/** Enough that no two numbers of a database collide by chance, and no more. */
const TERM_BYTES = 12;
const MOST_TERMS = 64;
const PURPOSE = 'sutura hl7v2 search terms';

/**
 * Keyed hashes of numbers and words, by which messages are found while their content stays unreadable. Where messages
 * are encrypted the key is derived from theirs, so that the database alone reveals neither terms nor numbers. Where messages are stored in the clear the hashes protect nothing.
 */
export class SearchTerms {
  private readonly keys: readonly Buffer[];

  /** `keys`: the keys of the encryption, the one that encrypts first. */
  constructor(keys: readonly Uint8Array[]) {
    const secrets = keys.length === 0 ? [Buffer.alloc(32)] : keys;
    this.keys = secrets.map((key) => createHmac('sha256', key).update(PURPOSE).digest());
  }

  /** The terms to store, under the key that encrypts. At most 64. */
  of(kind: TermKind, values: readonly string[]): Buffer[] {
    const distinct = [...new Set(values.map(comparable))].filter((value) => value !== '').slice(0, MOST_TERMS);
    return distinct.map((value) => term(this.keys[0]!, kind, value));
  }

  /** The terms to search for: one list for each key that messages may have been stored under, with all the values. */
  wanted(kind: TermKind, values: readonly string[]): Buffer[][] {
    const clear = new SearchTerms([]).keys[0]!;
    const keys = [...this.keys, ...(this.keys.some((key) => key.equals(clear)) ? [] : [clear])];
    const distinct = [...new Set(values.map(comparable))].filter((value) => value !== '');
    return keys.map((key) => distinct.map((value) => term(key, kind, value)));
  }
}

/** Words of a text in the form that is compared: `Table value not found` has four. */
export function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

function comparable(value: string): string {
  return value.trim().normalize('NFC').toUpperCase();
}

function term(key: Buffer, kind: TermKind, value: string): Buffer {
  return createHmac('sha256', key).update(`${kind}\0${value}`).digest().subarray(0, TERM_BYTES);
}

/** The terms of a message: its numbers of patients and orders. */
export function messageTerms(terms: SearchTerms, bytes: Buffer): Buffer[] {
  const { patients, orders } = messageNumbers(bytes);
  return [...terms.of('patient', patients), ...terms.of('order', orders)];
}
