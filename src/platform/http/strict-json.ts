import { isAscii, isUtf8 } from 'node:buffer';
import { inTurns, ownTurn, PIECE, type Paced } from '../turns/turns.js';
import { LongParts } from './json-long-parts.js';
import { JsonPieces } from './json-pieces.js';
import { JsonScan, notJson, tooLarge } from './json-scan.js';
import { JSON_LIMITS, type JsonLimits } from './limits.js';
import { decodeUtf8, notUtf8, withoutMark } from './utf8-text.js';

/** Characters scanned between two turns of the event loop, some milliseconds; also the most blanks in one place. */
const SCANNED_AT_ONCE = 1024 * 1024;

/**
 * Parses interoperable JSON (RFC 8259): valid UTF-8, no duplicate keys (section 4), no key that reaches into
 * prototypes, whole characters, and within `limits`. `request.invalid`, `request.too_large`; the text is never
 * quoted.
 */
export function parseStrictJson(bytes: Buffer, limits: JsonLimits = JSON_LIMITS): unknown {
  const text = decodeUtf8(bytes);
  // Before JSON.parse, which the limits protect.
  const scan = new JsonScan(text, limits);
  while (scan.advance(text.length));
  return parse(text);
}

/**
 * The same for a body of many megabytes, in turns. Where there are more blanks in one place than any document has, it is
 * `request.too_large`.
 */
export async function parseLargeStrictJson(body: Buffer, limits: JsonLimits = JSON_LIMITS): Promise<unknown> {
  await ownTurn();
  const isPlain = isAscii(body);
  if (!isPlain) await ownTurn();
  if (!isPlain && !isUtf8(body)) throw notUtf8();
  const bytes = isPlain ? body : withoutMark(body);
  await ownTurn();
  // What JSON is made of is ASCII, so that places in the text are places in the bytes.
  const text = bytes.toString('latin1');
  await ownTurn();
  const long = new LongParts(PIECE);
  await inTurns(scanning(new JsonScan(text, limits, long)));
  const read = isPlain
    ? (from: number, to: number) => text.slice(from, to)
    : (from: number, to: number) => bytes.toString('utf8', from, to);
  try {
    return await inTurns(new JsonPieces(text, long, read).parsing());
  } catch (fault) {
    throw fault instanceof SyntaxError ? notJson() : fault;
  }
}

function* scanning(scan: JsonScan): Paced<void> {
  for (let found = -1; scan.advance(SCANNED_AT_ONCE); found = scan.found) {
    if (scan.found === found)
      throw tooLarge(`The body has more than ${SCANNED_AT_ONCE} blanks in one place. Send it without them.`);
    yield;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw notJson();
  }
}
