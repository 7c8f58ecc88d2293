import { isAscii } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { JSON_DEPTH_LIMIT } from './limits.js';

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor']);

/**
 * Parses JSON as RFC 8259 asks careful senders to write it: valid UTF-8, no key twice in one object (its section 4),
 * no key that reaches into prototypes, at most `depthLimit` levels deep. `request.invalid` otherwise; the text is never quoted.
 */
export function parseStrictJson(bytes: Buffer, depthLimit = JSON_DEPTH_LIMIT): unknown {
  const text = decodeUtf8(bytes);
  // Before JSON.parse, whose recursion the depth limit protects.
  checkKeysAndDepth(text, depthLimit);
  return parse(text);
}

/** The same for a body of many megabytes, of which each pass takes up to a tenth of a second: between them others get their turn. */
export async function parseLargeStrictJson(bytes: Buffer, depthLimit = JSON_DEPTH_LIMIT): Promise<unknown> {
  await nextTurn();
  const text = decodeUtf8(bytes);
  await nextTurn();
  checkKeysAndDepth(text, depthLimit);
  await nextTurn();
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
  // Most bodies are, and then no character needs to be looked for.
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

/** One open array or object; a Set of the keys so far where it is an object. */
type Level = Set<string> | null;

/** Walks the tokens; whether they form JSON is left to the parser. */
function checkKeysAndDepth(text: string, depthLimit: number): void {
  const levels: Level[] = [];
  let position = 0;
  while (position < text.length) {
    const character = text[position];
    if (character === '"') {
      const end = endOfString(text, position);
      const keys = levels.at(-1);
      if (keys && isKey(text, end)) claimKey(keys, text.slice(position, end));
      position = end;
      continue;
    }
    if (character === '{' || character === '[') {
      levels.push(character === '{' ? new Set() : null);
      if (levels.length > depthLimit) throw notJson(`The body is nested deeper than ${depthLimit} levels. Send a flatter one.`);
    } else if (character === '}' || character === ']') {
      levels.pop();
    }
    position += 1;
  }
}

/** The position after the closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return text.length + 1;
    if (!isEscaped(text, quote)) return quote + 1;
    from = quote + 1;
  }
}

/** Whether an odd number of backslashes stands before the position. */
function isEscaped(text: string, position: number): boolean {
  let first = position;
  while (text[first - 1] === '\\') first -= 1;
  return (position - first) % 2 === 1;
}

function isKey(text: string, end: number): boolean {
  let position = end;
  while (' \t\n\r'.includes(text[position] ?? 'x')) position += 1;
  return text[position] === ':';
}

function claimKey(keys: Set<string>, quoted: string): void {
  const key = quoted.includes('\\') ? unquote(quoted) : quoted.slice(1, -1);
  if (FORBIDDEN_KEYS.has(key)) throw notJson('The body uses a reserved name as a key. Rename it.');
  if (keys.has(key)) throw notJson('The body names the same key twice in one object. Send each key once.');
  keys.add(key);
}

function unquote(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw notJson('The body is not valid JSON. Correct it and send it again.');
  }
}
