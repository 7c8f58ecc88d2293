import { isAscii } from 'node:buffer';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { ownTurn } from '../turns/turns.js';
import { JsonScan } from './json-scan.js';
import { JSON_LIMITS, type JsonLimits } from './limits.js';

/** Characters scanned between two turns of the event loop, which takes some milliseconds. */
const SCANNED_AT_ONCE = 1024 * 1024;

/**
 * Parses interoperable JSON (RFC 8259): valid UTF-8, no duplicate keys (section 4), no key that reaches into
 * prototypes, whole characters, and within `limits`. `request.invalid`, `request.too_large`; the text is never
 * quoted.
 */
export function parseStrictJson(bytes: Buffer, limits: JsonLimits = JSON_LIMITS): unknown {
  const text = decodeUtf8(bytes);
  // Before JSON.parse, which the limits protect.
  new JsonScan(text, limits).advance(text.length);
  return parse(text);
}

/**
 * The same for a body of many megabytes. Each pass takes up to a tenth of a second, and others get their turn between
 * passes.
 */
export async function parseLargeStrictJson(bytes: Buffer, limits: JsonLimits = JSON_LIMITS): Promise<unknown> {
  await ownTurn();
  const text = decodeUtf8(bytes);
  const scan = new JsonScan(text, limits);
  do await ownTurn();
  while (scan.advance(SCANNED_AT_ONCE));
  await ownTurn();
  return parse(text);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw notJson('The body is not valid JSON. Correct it and send it again.');
  }
}

function decodeUtf8(bytes: Buffer): string {
  // Most bodies are valid, and then no character needs to be looked for.
  if (isAscii(bytes)) return bytes.toString('latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notJson('The body is not valid UTF-8. Encode it as UTF-8 and send it again.');
  }
}

function notJson(detail: string): SuturaError {
  return new SuturaError('request.invalid', { detail });
}
