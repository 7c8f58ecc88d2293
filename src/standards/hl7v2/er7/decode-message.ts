import { atOnce, type Paced } from '../../../platform/turns/turns.js';
import type { Hl7Problem } from '../problems/hl7-problem.js';
import { refused, warned } from '../problems/problem-catalogue.js';
import { decodeText, findCharacterSet, type CharacterSetVerdict } from './character-set.js';
import { encodingCharactersOf, readDelimiters } from './delimiters.js';
import type { Er7Message, MessageHeader } from './er7-message.js';
import { hasKeptSequences } from './escape-sequences.js';
import { findingExcess, tooManyLines } from './limits.js';
import { isAsPeeked, peekHeader, readHeader, type PeekedHeader } from './message-header.js';
import { parseSegments } from './parsed-message.js';
import { splittingSegments } from './segment-lines.js';

export interface DecodeOptions {
  /**
   * The character set of messages with an empty MSH-18, named as in MSH-18 (`8859/1`, also `windows-1252`); null: UTF-8
   * where it is valid, else windows-1252.
   */
  readonly characterSet: string | null;
}

export interface DecodedMessage {
  readonly kind: 'message';
  readonly message: Er7Message;
  readonly header: MessageHeader;
  /** The encoding of the bytes, by its WHATWG name. */
  readonly encoding: string;
  /** Severity `warning` only. */
  readonly warnings: readonly Hl7Problem[];
}

export interface UndecodableMessage {
  readonly kind: 'undecodable';
  /** The header, read as ISO 8859-1; null: there is no usable MSH, so that nothing can be answered. */
  readonly header: MessageHeader | null;
  /** MSA-1 of an acknowledgment in original mode. */
  readonly outcome: 'AE' | 'AR';
  readonly problem: Hl7Problem;
}

const ENCODING_CHARACTERS = 4;
const MISNAMED = /^[A-Z][A-Z0-9]{1,5}/;
/** The only control code of ISO 8859-1 that occurs in text. */
const NEXT_LINE = 0x85;
const CHARACTER_SET_PLACE = { segment: 'MSH', sequence: 1, field: 18 } as const;

/**
 * Decodes bytes into a message that is read by position. Never throws. `peeked`: the header of
 * the same bytes, where it is known already.
 */
export function* decodingMessage(
  bytes: Uint8Array,
  { characterSet }: DecodeOptions,
  peeked: PeekedHeader | null = peekHeader(bytes),
): Paced<DecodedMessage | UndecodableMessage> {
  if (peeked === null)
    return { kind: 'undecodable', header: null, outcome: 'AR', problem: refused('message.unreadable', null) };
  const { header } = peeked;
  const verdict = declaredCharacterSet(peeked.msh, characterSet);
  if (verdict !== null && verdict.kind !== 'known') {
    const code = verdict.kind === 'unknown' ? 'message.character_set' : 'message.character_set_wide';
    return { kind: 'undecodable', header, outcome: 'AR', problem: refused(code, CHARACTER_SET_PLACE) };
  }
  const tooLong = tooManyLines(bytes);
  if (tooLong !== null) return { kind: 'undecodable', header, outcome: 'AR', problem: tooLong };
  yield;
  const encoding = verdict === null ? null : meantBy(verdict.encoding, bytes);
  const decoded = encoding === null ? decodeUndeclared(bytes) : { text: decodeText(bytes, encoding), encoding };
  if (decoded.text === null)
    return { kind: 'undecodable', header, outcome: 'AE', problem: refused('message.characters', CHARACTER_SET_PLACE) };
  yield;
  const parsed = yield* parsingText(withoutEnds(decoded.text), decoded.encoding, peeked);
  if (parsed.kind === 'undecodable' || verdict === null || encoding === verdict.encoding) return parsed;
  return { ...parsed, warnings: [warned('message.character_set_assumed', CHARACTER_SET_PLACE), ...parsed.warnings] };
}

/** `decodingMessage` at once: for messages that are short or our own. */
export function decodeMessage(
  bytes: Uint8Array,
  options: DecodeOptions,
  peeked: PeekedHeader | null = peekHeader(bytes),
): DecodedMessage | UndecodableMessage {
  return atOnce(decodingMessage(bytes, options, peeked));
}

/**
 * Decodes a message as ISO 8859-1 whatever its character set, for readers of codes and numbers alone. null: no usable
 * MSH.
 */
export function decodeRegardless(bytes: Uint8Array): Er7Message | null {
  const peeked = peekHeader(bytes);
  if (peeked === null) return null;
  const text = (decodeText(bytes, 'iso-8859-1') ?? '').replace(/^(?:\u00ef\u00bb\u00bf)?[\r\n \t]*/, '');
  const parsed = atOnce(parsingText(text, 'iso-8859-1', peeked));
  return parsed.kind === 'message' ? parsed.message : null;
}

function* parsingText(
  text: string,
  encoding: string,
  peeked: PeekedHeader,
): Paced<DecodedMessage | UndecodableMessage> {
  const delimiters = readDelimiters(text);
  // The header looks like ASCII, but its own character set reads it as something else.
  if (delimiters === null)
    return {
      kind: 'undecodable',
      header: peeked.header,
      outcome: 'AE',
      problem: refused('message.characters', CHARACTER_SET_PLACE),
    };
  const split = yield* splittingSegments(text, delimiters.field);
  const lines = split.filter((line) => !isMisnamed(line, delimiters.field));
  // Checked before parsing: every segment and every part may become an object.
  const excess = yield* findingExcess(lines, delimiters);
  if (excess !== null) return { kind: 'undecodable', header: peeked.header, outcome: 'AR', problem: excess };
  const second = lines.findIndex((line, place) => place > 0 && /^MSH[^A-Z0-9]/.test(line));
  if (second !== -1)
    return {
      kind: 'undecodable',
      header: peeked.header,
      outcome: 'AR',
      problem: refused('message.several', { segment: 'MSH', sequence: 2 }),
    };
  const isKnown = isAsPeeked(lines[0] ?? '', peeked);
  const message = parseSegments(lines, delimiters, encoding, isKnown ? peeked.msh.segments[0] : undefined);
  yield;
  const warnings = message.segments
    .filter(({ raw }) => hasKeptSequences(raw, delimiters, encoding))
    .map(({ name, sequence }) => warned('escape.kept', { segment: name, sequence }));
  if (encodingCharactersOf(text).length < ENCODING_CHARACTERS)
    warnings.unshift(warned('message.delimiters', { segment: 'MSH', sequence: 1, field: 2 }));
  if (lines.length < split.length) warnings.push(warned('segment.name', null));
  return { kind: 'message', message, header: isKnown ? peeked.header : readHeader(message), encoding, warnings };
}

/** Without what precedes MSH, and without control characters behind the last segment: a NUL of a C string, a framing byte. */
function withoutEnds(text: string): string {
  let end = text.length;
  while (end > 0 && (text.charCodeAt(end - 1) < 0x20 || text.charCodeAt(end - 1) === 0x7f)) end -= 1;
  return text.slice(0, end).replace(/^\ufeff?[\r\n \t]*/, '');
}

/** A segment whose name has not three characters. Base64 and texts that go on in a new line have no field separator behind such a word. */
function isMisnamed(line: string, fieldSeparator: string): boolean {
  const name = MISNAMED.exec(line)?.[0];
  return name !== undefined && name.length !== 3 && line[name.length] === fieldSeparator;
}

/** null: neither the message nor its source states one. */
function declaredCharacterSet(msh: Er7Message, sourceDefault: string | null): CharacterSetVerdict | null {
  const stated =
    msh.segments[0]
      ?.field(18)
      .repetitions.map((repetition) => repetition.text(1).trim())
      .filter((name) => name !== '') ?? [];
  const first = stated[0] ?? sourceDefault ?? '';
  if (first === '') return null;
  const verdict = findCharacterSet(first);
  // `ASCII~ISO IR87`: the sets named after ASCII include it.
  const further = stated[1];
  return verdict.kind === 'known' && verdict.encoding === 'us-ascii' && further !== undefined
    ? findCharacterSet(further)
    : verdict;
}

/** Bytes declared as ISO 8859-1 that use its control codes are windows-1252: quotes, dashes, the euro sign. */
function meantBy(encoding: string, bytes: Uint8Array): string {
  return encoding === 'iso-8859-1' && bytes.some((byte) => byte >= 0x80 && byte < 0xa0 && byte !== NEXT_LINE)
    ? 'windows-1252'
    : encoding;
}

function decodeUndeclared(bytes: Uint8Array): { text: string | null; encoding: string } {
  const text = decodeText(bytes, 'utf-8');
  return text === null
    ? { text: decodeText(bytes, 'windows-1252'), encoding: 'windows-1252' }
    : { text, encoding: 'utf-8' };
}
