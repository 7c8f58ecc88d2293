import { readDelimiters } from './delimiters.js';
import type { Delimiters } from './er7-message.js';

/** Numbers that a person searches messages by, as written in the message. */
export interface MessageNumbers {
  /** PID-2, 3 and 4, MRG-1. */
  readonly patients: readonly string[];
  /** Placer and filler numbers: ORC-2 and 3, OBR-2 and 3. */
  readonly orders: readonly string[];
}

const FIELDS: Readonly<Record<string, { readonly of: keyof MessageNumbers; readonly fields: readonly number[] }>> = {
  PID: { of: 'patients', fields: [3, 2, 4] },
  MRG: { of: 'patients', fields: [1] },
  ORC: { of: 'orders', fields: [2, 3] },
  OBR: { of: 'orders', fields: [2, 3] },
};
/** The same names, packed into numbers. */
const NAMES = new Set(Object.keys(FIELDS).map((name) => nameAt(Buffer.from(name), 0)));
const [CR, LF] = [0x0d, 0x0a];
const NAME_BYTES = 3;
/** Numbers stand near the beginning of a segment; no more of it is read. */
const HEAD_BYTES = 4096;
const MOST_NUMBERS = 64;
const LONGEST_NUMBER = 255;

/**
 * Reads the numbers of a message from its bytes, however large or faulty it is; none without a usable MSH. At most 64
 * of a kind.
 */
export function messageNumbers(bytes: Buffer): MessageNumbers {
  const numbers = { patients: new Set<string>(), orders: new Set<string>() };
  const start = Math.max(0, bytes.subarray(0, 64).indexOf('MSH'));
  const delimiters = readDelimiters(bytes.subarray(start, start + 64).toString('latin1'));
  if (delimiters !== null) {
    for (const segment of segmentHeads(bytes.subarray(start))) {
      const wanted = FIELDS[segment.toString('latin1', 0, NAME_BYTES)]!;
      readNumbers(segment.toString('utf8'), wanted.fields, delimiters, numbers[wanted.of]);
    }
  }
  return { patients: [...numbers.patients], orders: [...numbers.orders] };
}

/** An assigning authority (HD) as it is written. */
interface StatedAuthority {
  readonly namespace: string;
  readonly universalId: string;
  readonly type: string;
}

/** Those that stand beside this number in PID-3, and of how many people the message is. */
export function authoritiesBeside(
  bytes: Buffer,
  number: string,
): { readonly people: number; readonly authorities: readonly StatedAuthority[] } {
  const start = Math.max(0, bytes.subarray(0, 64).indexOf('MSH'));
  const delimiters = readDelimiters(bytes.subarray(start, start + 64).toString('latin1'));
  const authorities: StatedAuthority[] = [];
  let people = 0;
  if (delimiters === null) return { people, authorities };
  const { field, repetition, component, subcomponent } = delimiters;
  for (const segment of segmentHeads(bytes.subarray(start))) {
    if (segment.toString('latin1', 0, NAME_BYTES) !== 'PID') continue;
    people += 1;
    for (const one of (segment.toString('utf8').split(field, 4)[3] ?? '').split(repetition)) {
      const [value = '', , , authority = ''] = one.split(component);
      if (value.split(subcomponent, 1)[0]!.trim() !== number) continue;
      const [namespace = '', universalId = '', type = ''] = authority.split(subcomponent).map((text) => text.trim());
      authorities.push({ namespace, universalId, type });
    }
  }
  return { people, authorities };
}

/** Wrapped Base64 has very many lines; none of them becomes an object. */
function* segmentHeads(bytes: Buffer): Generator<Buffer> {
  let [nextCr, nextLf] = [-1, -1];
  const find = (wanted: number, from: number): number => {
    const found = bytes.indexOf(wanted, from);
    return found === -1 ? bytes.length : found;
  };
  for (let at = 0; at < bytes.length;) {
    // By the search of the engine, which passes over a long line quickly.
    if (nextCr < at) nextCr = find(CR, at);
    if (nextLf < at) nextLf = find(LF, at);
    const end = Math.min(nextCr, nextLf);
    if (end - at >= NAME_BYTES && NAMES.has(nameAt(bytes, at)))
      yield bytes.subarray(at, Math.min(end, at + HEAD_BYTES));
    at = end + 1;
  }
}

function nameAt(bytes: Buffer, at: number): number {
  return (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
}

function readNumbers(
  segment: string,
  fields: readonly number[],
  { field, component, repetition, subcomponent }: Delimiters,
  into: Set<string>,
): void {
  const parts = segment.split(field, Math.max(...fields) + 1);
  for (const position of fields) {
    for (const one of (parts[position] ?? '').split(repetition, MOST_NUMBERS)) {
      const number = one.split(component, 1)[0]!.split(subcomponent, 1)[0]!.trim();
      if (number !== '' && number !== '""' && number.length <= LONGEST_NUMBER && into.size < MOST_NUMBERS)
        into.add(number);
    }
  }
}
