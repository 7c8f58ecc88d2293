import { Message } from 'node-hl7-client';
import { STANDARD_DELIMITERS } from './delimiters.js';

/** A coded value with up to two codings; the systems are names of table 0396 (`LN`, `SCT`, `99SUT`). */
export interface CodedValue {
  readonly code: string;
  readonly display?: string;
  readonly system?: string;
  readonly alternate?: { readonly code: string; readonly display?: string; readonly system?: string };
  /** The code by which a receiver's own table is searched, where `code` is empty; never written. */
  readonly lookedUpAs?: string;
  /** CWE.9; CE has no such component. */
  readonly originalText?: string;
}

const {
  field: FIELD,
  component: COMPONENT,
  repetition: REPETITION,
  escape: ESCAPE,
  subcomponent: SUBCOMPONENT,
} = STANDARD_DELIMITERS;
const ENCODING_CHARACTERS = `${COMPONENT}${REPETITION}${ESCAPE}${SUBCOMPONENT}`;
const LINE_BREAK = `${ESCAPE}.br${ESCAPE}`;
const LINE_ENDS = /\r\n|[\r\n\u2028\u2029]/;
/** Control codes that no message may contain, since they frame it on the wire; a tab may stay. */
const CONTROL_CODES = /[\u0000-\u0008\u000a-\u001f\u007f]+/g;
/** Text without a delimiter or a control code. */
const WITHOUT_NEED = /^[\w .:+/-]*$/;
/** Marks a text that was cut. */
const CUT = '...';
/**
 * Escaping of the five delimiters by node-hl7-client. Its builder is not used: it escapes `\.br\` again, writes its own
 * MSH and drops the last CR.
 */
const escaping = new Message({ text: `MSH${FIELD}${ENCODING_CHARACTERS}` });

/**
 * Writes ER7 with the delimiters `|^~\&`. Methods that take plain text return an escaped part; `components`,
 * `repetitions` and `segment` take such parts, or raw parts of a received message.
 */
export class MessageWriter {
  constructor(readonly versionId: string) {}

  /** ST and other one-line types: line ends become spaces. */
  text(plain: string): string {
    if (WITHOUT_NEED.test(plain)) return plain;
    return escaping.escape(plain.split(LINE_ENDS).join(' ').replace(CONTROL_CODES, ' '));
  }

  /** As `text`, at most `most` characters as written; a longer text is cut between words and ends in three dots. */
  shortText(plain: string, most: number): string {
    const whole = this.text(plain);
    if (lengthOf(whole) <= most) return whole;
    const kept: string[] = [];
    let length = CUT.length;
    for (const character of plain) {
      const written = this.text(character);
      length += lengthOf(written);
      if (length > most) break;
      kept.push(written);
    }
    const wordEnd = kept.lastIndexOf(' ');
    return `${kept.slice(0, wordEnd > 0 ? wordEnd : kept.length).join('')}${CUT}`;
  }

  /** FT and TX: line ends become `\.br\`. */
  formattedText(plain: string): string {
    return plain
      .split(LINE_ENDS)
      .map((line) => this.text(line))
      .join(LINE_BREAK);
  }

  /** OBX-2 of coded values: `CE` up to 2.4, `CWE` from 2.5. */
  get codedType(): 'CE' | 'CWE' {
    return isAtLeastVersion(this.versionId, '2.5') ? 'CWE' : 'CE';
  }

  coded({ code, display = '', system = '', alternate, originalText = '' }: CodedValue): string {
    const parts = [code, display, system, alternate?.code ?? '', alternate?.display ?? '', alternate?.system ?? ''];
    return this.components(
      ...[...parts, ...(this.codedType === 'CWE' ? ['', '', originalText] : [])].map((part) => this.text(part)),
    );
  }

  components(...parts: readonly string[]): string {
    return joinWithoutTail(parts, COMPONENT);
  }

  subcomponents(...parts: readonly string[]): string {
    return joinWithoutTail(parts, SUBCOMPONENT);
  }

  repetitions(...parts: readonly string[]): string {
    return joinWithoutTail(parts, REPETITION);
  }

  /** A segment from fields by position, without its end. MSH-1 and MSH-2 are written by themselves. */
  segment(name: string, fields: Readonly<Record<number, string>>): string {
    const isHeader = name === 'MSH';
    const parts = isHeader ? [name, ENCODING_CHARACTERS] : [name];
    // Numeric keys are visited in ascending order.
    for (const key in fields) {
      const place = Number(key) - (isHeader ? 1 : 0);
      if (place < parts.length) continue;
      while (parts.length < place) parts.push('');
      parts.push(fields[key] ?? '');
    }
    return joinWithoutTail(parts, FIELD);
  }

  /** Segments in order, each followed by CR, the last one as well. Control codes of repeated parts become spaces. */
  message(segments: readonly string[]): string {
    return segments.map((segment) => `${segment.replace(CONTROL_CODES, ' ')}\r`).join('');
  }
}

/**
 * Whether `versionId` is at least `wanted`: 2.5.1 is at least 2.5. 2.9 counts as 2.8.2, an invalid version as older
 * than all.
 */
export function isAtLeastVersion(versionId: string, wanted: string): boolean {
  const stated = versionNumbers(versionId);
  const least = versionNumbers(wanted);
  for (let place = 0; place < 3; place += 1) {
    const difference = (stated[place] ?? 0) - (least[place] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

const VERSION = /^\d{1,2}(?:\.\d{1,2}){1,2}$/;
/** The first versions that occurred. */
const versions = new Map<string, readonly number[]>();
const MOST_VERSIONS = 64;

function versionNumbers(versionId: string): readonly number[] {
  const known = versions.get(versionId);
  if (known !== undefined) return known;
  if (!VERSION.test(versionId)) return [];
  const numbers = versionId.split('.').map(Number);
  const meant = numbers[0] === 2 && (numbers[1] ?? 0) >= 9 ? [2, 8, 2] : numbers;
  if (versions.size < MOST_VERSIONS) versions.set(versionId, meant);
  return meant;
}

/** In characters, not in UTF-16 units. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

function joinWithoutTail(parts: readonly string[], separator: string): string {
  let count = parts.length;
  while (count > 0 && parts[count - 1] === '') count -= 1;
  return parts.slice(0, count).join(separator);
}
