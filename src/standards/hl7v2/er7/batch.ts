import { atOnce, PIECE, type Paced } from '../../../platform/turns/turns.js';
import { HL7_LIMITS } from './limits.js';
import { isBlank } from './message-header.js';

export interface Hl7Batch {
  /** Each message, byte for byte as received. */
  readonly messages: readonly Uint8Array[];
  /** The batch has more messages than it may have; none of them is given. */
  readonly isTooLong: boolean;
  /** BTS-1, or the sum of several; null: not stated. */
  readonly declaredCount: number | null;
}

const CR = 0x0d;
const LF = 0x0a;
const WRAPPERS: readonly string[] = ['FHS', 'BHS', 'BTS', 'FTS'];

/** The segment names that matter here, packed into numbers. */
const NAMES = new Map(['MSH', ...WRAPPERS].map((name) => [packed(Buffer.from(name), 0), name]));

/** The messages of a batch file (FHS, BHS … BTS, FTS); null: the bytes are no batch. */
export function* splittingBatch(bytes: Uint8Array): Paced<Hl7Batch | null> {
  let start = 0;
  while (isBlank(bytes[start])) start += 1;
  const first = nameAt(bytes, start);
  if (first !== 'FHS' && first !== 'BHS') return null;
  const messages: Uint8Array[] = [];
  const counts: (number | null)[] = [];
  let messageStart: number | null = null;
  const endMessage = (end: number) => {
    if (messageStart !== null) messages.push(bytes.subarray(messageStart, end));
    messageStart = null;
  };
  let pause = PIECE;
  for (let at = start; at < bytes.length; at = nextLine(bytes, at)) {
    if (at >= pause) {
      pause = at + PIECE;
      yield;
    }
    const name = nameAt(bytes, at);
    if (name !== 'MSH' && !WRAPPERS.includes(name)) continue;
    endMessage(at);
    if (messages.length > HL7_LIMITS.messages) return { messages: [], isTooLong: true, declaredCount: null };
    if (name === 'MSH') messageStart = at;
    if (name === 'BTS') counts.push(countAt(bytes, at));
  }
  endMessage(bytes.length);
  const stated = counts.filter((count) => count !== null);
  return {
    messages,
    isTooLong: false,
    declaredCount: stated.length === 0 ? null : stated.reduce((sum, count) => sum + count, 0),
  };
}

/** `splittingBatch` at once. */
export function splitBatch(bytes: Uint8Array): Hl7Batch | null {
  return atOnce(splittingBatch(bytes));
}

function nextLine(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== CR && bytes[at] !== LF) at += 1;
  while (bytes[at] === CR || bytes[at] === LF) at += 1;
  return at;
}

/** "" for a line that begins with none of the names. Makes no object of a line: a sender may send very many. */
function nameAt(bytes: Uint8Array, at: number): string {
  const name = NAMES.get(packed(bytes, at));
  // `BTS` may stand alone; with letters after it the line is text.
  const behind = bytes[at + 3];
  if (name === undefined || behind === undefined || behind === CR || behind === LF) return name ?? '';
  return /[A-Za-z0-9 ]/.test(String.fromCharCode(behind)) ? '' : name;
}

/** Three bytes as one number. */
function packed(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
}

function countAt(bytes: Uint8Array, at: number): number | null {
  const line = Buffer.from(bytes.subarray(at, Math.min(at + 64, nextLine(bytes, at)))).toString('latin1');
  const count = /^\d{1,9}/.exec(line.slice(4));
  return count === null ? null : Number(count[0]);
}
