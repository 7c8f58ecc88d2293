import { inTurns, PIECE, type Paced } from './turns.js';

/** Members of a list from which on each is written by itself. */
const MANY = 50;
/** Levels that are walked for long lists; long texts are looked for in all of them. */
const FOREMOST_LEVELS = 2;

/**
 * A value as JSON: text where it is short, else its bytes, which are written in turns: a text of 24 MB takes a tenth of a second to write and to encode.
 */
export async function jsonOf(value: unknown): Promise<string | Buffer> {
  return isLong(value, 0) ? inTurns(writingJson(value)) : JSON.stringify(value);
}

/** The bytes of what `JSON.stringify` answers, in pieces. */
function* writingJson(value: unknown): Paced<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for (const text of textsOf(value, 0)) {
    const piece = Buffer.from(text, 'utf8');
    pieces.push(piece);
    size += piece.length;
    yield;
  }
  const whole = Buffer.allocUnsafeSlow(size);
  let filled = 0;
  for (const piece of pieces) {
    filled += piece.copy(whole, filled);
    yield;
  }
  return whole;
}

function isLong(value: unknown, level: number): boolean {
  if (typeof value === 'string') return value.length > PIECE;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value))
    return (level <= FOREMOST_LEVELS && value.length > MANY) || value.some((item) => isLong(item, level + 1));
  for (const name in value) if (isLong((value as Record<string, unknown>)[name], level + 1)) return true;
  return false;
}

function* textsOf(value: unknown, level: number): Generator<string> {
  if (typeof value === 'string') yield* piecesOf(value);
  else if (typeof value !== 'object' || value === null || 'toJSON' in value || !isLong(value, level))
    yield JSON.stringify(value);
  else if (Array.isArray(value)) yield* listTexts(value, level);
  else yield* objectTexts(value, level);
}

function* listTexts(list: readonly unknown[], level: number): Generator<string> {
  for (const [at, item] of list.entries()) {
    yield at === 0 ? '[' : ',';
    yield* textsOf(isWritten(item) ? item : null, level + 1);
  }
  yield ']';
}

function* objectTexts(object: object, level: number): Generator<string> {
  let mark = '{';
  for (const [name, member] of Object.entries(object)) {
    if (!isWritten(member)) continue;
    yield `${mark}${JSON.stringify(name)}:`;
    yield* textsOf(member, level + 1);
    mark = ',';
  }
  yield mark === '{' ? '{}' : '}';
}

function isWritten(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

function* piecesOf(text: string): Generator<string> {
  if (text.length <= PIECE) return yield JSON.stringify(text);
  yield '"';
  for (let from = 0; from < text.length;) {
    const wanted = Math.min(text.length, from + PIECE);
    // Half a character would be written as an escape sequence.
    const to = wanted < text.length && isHigh(text.charCodeAt(wanted - 1)) ? wanted + 1 : wanted;
    yield JSON.stringify(text.slice(from, to)).slice(1, -1);
    from = to;
  }
  yield '"';
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}
