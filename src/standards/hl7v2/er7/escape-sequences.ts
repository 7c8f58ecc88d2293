import { decodeText } from './character-set.js';
import type { Delimiters } from './er7-message.js';

const LINE_ENDS = /^\.(br|ce|sp\s*\d*)$/i;
const LAYOUT = /^\.(in|ti|sk|fi|nf)\s*[+-]?\d*$/i;
const HEX = /^X(?:[0-9A-F]{2})+$/i;
/** Sequences that switch the character set (C, M) or are agreed between two systems (Z): HL7 v2.5.1 ch. 2.7. */
const FOREIGN = /^(?:C[0-9A-F]{4}|M[0-9A-F]{4}(?:[0-9A-F]{2})?|Z[^\\]{0,64})$/i;
/** The first letter of a foreign sequence. */
const FOREIGN_START = /[CMZ]/i;
const LONGEST_FOREIGN = 70;
/** The first letter of bytes in hexadecimal, and what was meant to be such. */
const BYTES_START = /X/i;
const BROKEN_BYTES = /^X[0-9A-Z]*$/i;
/** Sequences of one letter. */
const MEANINGS = 'FSTREPHN';
const LONGEST_SEQUENCE = 64 * 1024;

/** Plain text of an escaped text. Sequences that the standard does not define stay as they are. */
export function unescapeText(raw: string, delimiters: Delimiters, encoding: string): string {
  const { escape } = delimiters;
  let from = raw.indexOf(escape);
  if (from === -1) return raw;
  const parts: string[] = [];
  let done = 0;
  while (from !== -1) {
    const end = raw.indexOf(escape, from + 1);
    if (end === -1) break;
    const meaning = end - from > LONGEST_SEQUENCE ? null : meaningOf(raw.slice(from + 1, end), delimiters, encoding);
    if (meaning === null) {
      // The second escape character may begin the next sequence.
      from = end;
      continue;
    }
    parts.push(raw.slice(done, from), meaning);
    done = end + 1;
    from = raw.indexOf(escape, done);
  }
  parts.push(raw.slice(done));
  return parts.join('');
}

/**
 * Whether a text has sequences that are kept as they are: those that only two systems have agreed on, and bytes (`X`) that are no hexadecimal, or
 * that the encoding has no character for.
 */
export function hasKeptSequences(raw: string, delimiters: Delimiters, encoding: string): boolean {
  const { escape } = delimiters;
  for (let from = raw.indexOf(escape); from !== -1;) {
    const end = raw.indexOf(escape, from + 1);
    if (end === -1) return false;
    const first = raw[from + 1]!;
    const isLong = end - from >= LONGEST_FOREIGN;
    if (!isLong && FOREIGN_START.test(first) && FOREIGN.test(raw.slice(from + 1, end))) return true;
    if (BYTES_START.test(first)) {
      const sequence = raw.slice(from + 1, Math.min(end, from + LONGEST_SEQUENCE));
      const isRead = meaningOf(sequence, delimiters, encoding) !== null;
      if (!isRead && (isLong || BROKEN_BYTES.test(sequence))) return true;
      from = isRead ? raw.indexOf(escape, end + 1) : end;
    } else from = first === '.' || (end - from === 2 && MEANINGS.includes(first)) ? raw.indexOf(escape, end + 1) : end;
  }
  return false;
}

function meaningOf(sequence: string, delimiters: Delimiters, encoding: string): string | null {
  switch (sequence) {
    case 'F':
      return delimiters.field;
    case 'S':
      return delimiters.component;
    case 'T':
      return delimiters.subcomponent;
    case 'R':
      return delimiters.repetition;
    case 'E':
      return delimiters.escape;
    case 'P':
      return delimiters.truncation ?? '#';
    case 'H':
    case 'N':
      return '';
    default:
      return meaningOfPattern(sequence, encoding);
  }
}

function meaningOfPattern(sequence: string, encoding: string): string | null {
  if (LINE_ENDS.test(sequence)) return '\n';
  if (LAYOUT.test(sequence)) return '';
  if (HEX.test(sequence)) return decodeText(Buffer.from(sequence.slice(1), 'hex'), encoding);
  return null;
}
