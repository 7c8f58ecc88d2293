import { readDelimiters } from './delimiters.js';
import type { Delimiters, Er7Message, Er7Segment, MessageHeader } from './er7-message.js';
import { parseSegments } from './parsed-message.js';

const CR = 0x0d;
const LF = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;
const LONGEST_HEADER_BYTES = 64 * 1024;
/** Bytes that mean the same in every character set. */
const NOT_PRINTABLE = /[^ -~]/;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Structures that several events share (HL7 v2.5.1 table 0354); others are `code_event`. */
const STRUCTURES: Readonly<Record<string, string>> = {
  ...shared('ADT', 'ADT_A01', 'A04', 'A08', 'A13'),
  ...shared('ADT', 'ADT_A05', 'A14', 'A28', 'A31'),
  ...shared('ADT', 'ADT_A09', 'A10', 'A11', 'A12'),
  ...shared('ADT', 'ADT_A30', 'A34', 'A35', 'A36', 'A46', 'A47', 'A48', 'A49'),
  ...shared('ADT', 'ADT_A39', 'A40', 'A41', 'A42'),
  ...shared('MDM', 'MDM_T01', 'T03', 'T05', 'T07', 'T09', 'T11'),
  ...shared('MDM', 'MDM_T02', 'T04', 'T06', 'T08', 'T10'),
};

function shared(code: string, structure: string, ...events: readonly string[]): Record<string, string> {
  return Object.fromEntries(events.map((event) => [`${code}^${event}`, structure]));
}

/** Reads MSH of a decoded message. */
export function readHeader(message: Er7Message): MessageHeader {
  const msh = message.segments[0] as Er7Segment;
  const text = (position: number) => msh.field(position).text;
  // Of codes, blanks around them are padding.
  const code = (position: number) => text(position).trim();
  const type = msh.field(9).repetitions[0];
  const messageCode = type?.text(1).trim() ?? '';
  const triggerEvent = type?.text(2).trim() ?? '';
  return {
    sendingApplication: text(3),
    sendingFacility: text(4),
    receivingApplication: text(5),
    receivingFacility: text(6),
    sentAt: text(7),
    messageCode,
    triggerEvent,
    structure: (type?.text(3).trim() ?? '') || structureOf(messageCode, triggerEvent),
    controlId: controlIdOf(message, msh),
    processingId: code(11),
    versionId: code(12),
    acceptAcknowledgment: code(15),
    applicationAcknowledgment: code(16),
    characterSet: code(18),
  };
}

/** MSH-10 has no parts: separators that are not escaped belong to it, or two messages would have one number. */
function controlIdOf(message: Er7Message, msh: Er7Segment): string {
  const { state, raw } = msh.field(10);
  return state === 'valued' ? message.unescape(raw) : '';
}

/** MSH alone, read from the bytes as ISO 8859-1. */
export interface PeekedHeader {
  readonly header: MessageHeader;
  /** The segment as a message of its own. */
  readonly msh: Er7Message;
}

/**
 * Reads MSH without decoding the rest, for decisions before the message is safe. null: the bytes do not begin with a
 * usable MSH.
 */
export function peekHeader(bytes: Uint8Array): PeekedHeader | null {
  const msh = headerSegment(bytes);
  return msh === null ? null : { msh, header: readHeader(msh) };
}

/** Whether the decoded segment equals the peeked one because no character set could read it otherwise. */
export function isAsPeeked(raw: string, { msh }: PeekedHeader): boolean {
  return raw === msh.segments[0]?.raw && isPlain(raw, msh.delimiters);
}

/** ASCII without an escape sequence. */
function isPlain(raw: string, { field, escape }: Delimiters): boolean {
  return raw.indexOf(escape, raw.indexOf(field, 4)) === -1 && !NOT_PRINTABLE.test(raw);
}

function headerSegment(bytes: Uint8Array): Er7Message | null {
  const { start, end } = headerRange(bytes);
  if (end - start > LONGEST_HEADER_BYTES) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
  const delimiters = readDelimiters(text);
  return delimiters === null ? null : parseSegments([text], delimiters, 'iso-8859-1');
}

/** Line ends, spaces and tabs, which some senders put before a message. */
export function isBlank(byte: number | undefined): boolean {
  return byte === CR || byte === LF || byte === SPACE || byte === TAB;
}

/** The range of the first segment, after blanks and a byte order mark. */
export function headerRange(bytes: Uint8Array): { readonly start: number; readonly end: number } {
  let start = BYTE_ORDER_MARK.every((byte, place) => bytes[place] === byte) ? BYTE_ORDER_MARK.length : 0;
  while (isBlank(bytes[start])) start += 1;
  let end = start;
  while (end < bytes.length && bytes[end] !== CR && bytes[end] !== LF && end - start <= LONGEST_HEADER_BYTES) end += 1;
  return { start, end };
}

function structureOf(messageCode: string, triggerEvent: string): string {
  if (triggerEvent === '') return messageCode;
  return STRUCTURES[`${messageCode}^${triggerEvent}`] ?? `${messageCode}_${triggerEvent}`;
}
