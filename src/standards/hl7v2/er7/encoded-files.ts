import { digesting } from '../../../platform/turns/digest.js';
import { atOnce, PIECE, type Paced } from '../../../platform/turns/turns.js';
import { readDelimiters } from './delimiters.js';
import type { Delimiters } from './er7-message.js';
import { toPlainBase64 } from './base64-forms.js';
import { compacting } from './encoded-text.js';
import { headerRange } from './message-header.js';
import { segmentRanges } from './segment-lines.js';

/**
 * A piece of a message that holds a file in Base64 or hexadecimal, in any field: senders put photos elsewhere than in
 * ED.5, too.
 */
export interface EncodedFile {
  /** Offset in the bytes of the message. */
  readonly start: number;
  readonly end: number;
  /** Size of the decoded file. */
  readonly sizeBytes: number;
  /** SHA-256 of the file, one for each way to decode the piece. */
  readonly digests: readonly Buffer[];
}

/** Shorter than any photo, and longer than almost every word. */
const SHORTEST_CHARACTERS = 64;
const SHORTEST_BYTES = (SHORTEST_CHARACTERS / 4) * 3 - 2;
/** Lines of wrapped Base64 are longer than words of a text. */
const FIRST_LINE = 32;
/** Characters decoded at once, in whole groups. */
const SLICE = 256 * 1024;
const IS_BASE64 = setOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const IS_HEX = setOf('0123456789ABCDEFabcdef');

/**
 * Finds the files in a message. Bytes are read as ISO 8859-1, one character each, so that positions are those of the
 * bytes: delimiters and encoded data are ASCII in every supported character set.
 */
export function* findingEncodedFiles(bytes: Buffer): Paced<EncodedFile[]> {
  if (bytes.length < SHORTEST_CHARACTERS) return [];
  const { start } = headerRange(bytes);
  const text = bytes.toString('latin1', start);
  yield;
  const delimiters = readDelimiters(text.slice(0, 16));
  if (delimiters === null) return [];
  const files: EncodedFile[] = [];
  for (const piece of longPieces(text, delimiters)) {
    if (piece !== null) {
      const file = yield* readingFile(text.slice(...piece), delimiters);
      if (file !== null) files.push({ ...file, start: start + piece[0], end: start + piece[1] });
    }
    yield;
  }
  return files;
}

/** `findingEncodedFiles` at once. */
export function findEncodedFiles(bytes: Buffer): EncodedFile[] {
  return atOnce(findingEncodedFiles(bytes));
}

/** The message with each piece replaced by the result of `note`. */
export function replacePieces(
  bytes: Buffer,
  files: readonly EncodedFile[],
  note: (file: EncodedFile) => string,
): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (const file of files) {
    parts.push(bytes.subarray(from, file.start), Buffer.from(note(file), 'latin1'));
    from = file.end;
  }
  return Buffer.concat([...parts, bytes.subarray(from)]);
}

/**
 * Parts between two separators, or up to a segment's end, that are long enough. Visits each character once, whatever
 * the text holds; null: a point to yield.
 */
function* longPieces(
  text: string,
  { field, component, repetition, subcomponent }: Delimiters,
): Generator<readonly [from: number, to: number] | null> {
  const separates = new Uint8Array(256);
  for (const one of [field, component, repetition, subcomponent])
    if (one.charCodeAt(0) < 256) separates[one.charCodeAt(0)] = 1;
  let pause = PIECE;
  for (const segment of segmentRanges(text, field)) {
    if (segment === null) yield null;
    else {
      const [start, end] = segment;
      for (let from = start, to = start; end - start >= SHORTEST_CHARACTERS && to <= end; to += 1) {
        if (to >= pause) {
          pause = to + PIECE;
          yield null;
        }
        if (to < end && separates[text.charCodeAt(to)] === 0) continue;
        if (to - from >= SHORTEST_CHARACTERS) yield [from, to];
        from = to + 1;
      }
    }
  }
}

function* readingFile(piece: string, { escape }: Delimiters): Paced<Pick<EncodedFile, 'sizeBytes' | 'digests'> | null> {
  const compact = yield* compacting(piece, escape);
  if (compact === null || compact.firstLine < FIRST_LINE) return null;
  // As senders write it: what is read as a photo is found, too.
  const { text } = toPlainBase64(compact.text);
  const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='));
  if (!(yield* consistingOf(IS_BASE64, text, text.length - padding))) return null;
  const readings = [yield* decoding(text, 'base64')];
  if (yield* consistingOf(IS_HEX, text, text.length)) readings.push(yield* decoding(text, 'hex'));
  if (readings[0]!.length < SHORTEST_BYTES) return null;
  const digests: Buffer[] = [];
  for (const bytes of readings) digests.push(yield* digesting('sha256', bytes));
  return { sizeBytes: readings.at(-1)!.length, digests };
}

function* consistingOf(characters: Uint8Array, text: string, length: number): Paced<boolean> {
  for (let at = 0; at < length; at += 1) {
    if (characters[text.charCodeAt(at)] !== 1) return false;
    if (at % PIECE === 0) yield;
  }
  return true;
}

function* decoding(text: string, encoding: 'base64' | 'hex'): Paced<Buffer> {
  const pieces: Buffer[] = [];
  for (let from = 0; from < text.length; from += SLICE) {
    pieces.push(Buffer.from(text.slice(from, from + SLICE), encoding));
    yield;
  }
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}

function setOf(characters: string): Uint8Array {
  const set = new Uint8Array(256);
  for (const character of characters) set[character.charCodeAt(0)] = 1;
  return set;
}
