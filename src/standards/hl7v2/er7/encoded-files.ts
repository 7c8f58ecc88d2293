import { createHash } from 'node:crypto';
import { readDelimiters } from './delimiters.js';
import type { Delimiters } from './er7-message.js';
import { withoutEscapedLineEnds } from './encapsulated-data.js';
import { headerRange } from './message-header.js';
import { splitSegments } from './segment-lines.js';

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
const LINE_ENDS = /[\r\n\t ]+/g;
/** Lines of wrapped Base64 are longer than words of a text. */
const FIRST_LINE = /^[^\r\n\t ]{32}/;
/** The decoder skips line ends between them. */
const BASE64 = /^[A-Za-z0-9+/\r\n\t ]+={0,2}[\r\n\t ]*$/;
const HEX = /^[0-9A-Fa-f\r\n\t ]+$/;

/**
 * Finds the files in a message. Bytes are read as ISO 8859-1, one character each, so that positions are those of the
 * bytes: delimiters and encoded data are ASCII in every supported character set.
 */
export function findEncodedFiles(bytes: Buffer): EncodedFile[] {
  if (bytes.length < SHORTEST_CHARACTERS) return [];
  const { start } = headerRange(bytes);
  const text = bytes.toString('latin1', start);
  const delimiters = readDelimiters(text.slice(0, 16));
  if (delimiters === null) return [];
  const files: EncodedFile[] = [];
  for (const [from, to] of longPieces(text, delimiters)) {
    const file = fileIn(text.slice(from, to), delimiters);
    if (file !== null) files.push({ ...file, start: start + from, end: start + to });
  }
  return files;
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
 * the text holds.
 */
function* longPieces(
  text: string,
  { field, component, repetition, subcomponent }: Delimiters,
): Generator<readonly [from: number, to: number]> {
  const separates = new Uint8Array(256);
  for (const one of [field, component, repetition, subcomponent])
    if (one.charCodeAt(0) < 256) separates[one.charCodeAt(0)] = 1;
  let at = 0;
  for (const { length } of splitSegments(text, field)) {
    while (text[at] === '\r' || text[at] === '\n') at += 1;
    const end = at + length;
    for (let from = at, to = at; length >= SHORTEST_CHARACTERS && to <= end; to += 1) {
      if (to < end && separates[text.charCodeAt(to)] === 0) continue;
      if (to - from >= SHORTEST_CHARACTERS) yield [from, to];
      from = to + 1;
    }
    at = end;
  }
}

function fileIn(piece: string, { escape }: Delimiters): Pick<EncodedFile, 'sizeBytes' | 'digests'> | null {
  const unescaped = withoutEscapedLineEnds(piece, escape).trimStart();
  if (!FIRST_LINE.test(unescaped)) return null;
  if (!BASE64.test(unescaped)) return null;
  const readings = [
    Buffer.from(unescaped, 'base64'),
    ...(HEX.test(unescaped) ? [Buffer.from(unescaped.replace(LINE_ENDS, ''), 'hex')] : []),
  ];
  if (readings[0]!.length < SHORTEST_BYTES) return null;
  return {
    sizeBytes: readings.at(-1)!.length,
    digests: readings.map((bytes) => createHash('sha256').update(bytes).digest()),
  };
}
