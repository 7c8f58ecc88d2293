import { joined } from '../turns/joined-text.js';
import type { Paced } from '../turns/turns.js';
import { ROOT, type LongParts } from './json-long-parts.js';

const [QUOTE, BACKSLASH, LETTER_U] = [0x22, 0x5c, 0x75];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
/** The length of `\\u00e4`, the longest escape sequence, and of all others. */
const [LONG_ESCAPE, ESCAPE] = [6, 2];
const BLANKS = /^[ \t\n\r]*$/;

/** The characters that the bytes between two positions mean. */
type PartReader = (from: number, to: number) => string;

/**
 * Makes the values of a JSON text that was scanned, piece by piece: what `JSON.parse` answers, but each step takes milliseconds. Throws
 * SyntaxError for a text that is no JSON.
 */
export class JsonPieces {
  constructor(
    /** One character for each byte of the body. */
    private readonly text: string,
    private readonly long: LongParts,
    private readonly read: PartReader,
  ) {}

  /** The value of the text. */
  *parsing(): Paced<unknown> {
    const child = this.long.children.get(ROOT);
    if (child === undefined) return JSON.parse(this.read(0, this.text.length)) as unknown;
    if (!BLANKS.test(this.text.slice(0, child))) throw unexpected(0);
    return yield* this.longValue(child, this.text.length);
  }

  /** The long value that begins here. Nothing but blanks follows it. */
  private *longValue(start: number, to: number): Paced<unknown> {
    const end = this.long.ends.get(start)!;
    if (!BLANKS.test(this.text.slice(end, to))) throw unexpected(end);
    const [first, last] = [this.text.charCodeAt(start), this.text.charCodeAt(end - 1)];
    if (first === QUOTE && last === QUOTE) return yield* this.textValue(start + 1, end - 1);
    if (first === OPEN_LIST && last === CLOSE_LIST) return yield* this.listValue(start, end - 1);
    if (first === OPEN_OBJECT && last === CLOSE_OBJECT) return yield* this.objectValue(start, end - 1);
    throw unexpected(end);
  }

  private *listValue(start: number, end: number): Paced<unknown[]> {
    const list: unknown[] = [];
    const runs = this.runsOf(start, end);
    for (const { from, to, child } of runs) {
      if (child !== undefined) {
        if (!BLANKS.test(this.text.slice(from, child))) throw unexpected(from);
        list.push(yield* this.longValue(child, to));
      } else {
        const items = JSON.parse(`[${this.read(from, to)}]`) as unknown[];
        if (items.length === 0 && runs.length > 1) throw unexpected(from);
        for (const item of items) list.push(item);
      }
      yield;
    }
    return list;
  }

  private *objectValue(start: number, end: number): Paced<Record<string, unknown>> {
    const object: Record<string, unknown> = {};
    const runs = this.runsOf(start, end);
    for (const { from, to, child } of runs) {
      // The key of a long value is read with null in its place.
      const members = JSON.parse(`{${this.read(from, child ?? to)}${child === undefined ? '' : 'null'}}`) as object;
      const names = Object.keys(members);
      if (child === undefined ? names.length === 0 && runs.length > 1 : names.length !== 1) throw unexpected(from);
      if (child === undefined) Object.assign(object, members);
      else object[names[0]!] = yield* this.longValue(child, to);
      yield;
    }
    return object;
  }

  private runsOf(start: number, end: number): readonly { from: number; to: number; child: number | undefined }[] {
    const places = [start, ...(this.long.cuts.get(start) ?? [])];
    return places.map((place, at) => ({
      from: place + 1,
      to: places[at + 1] ?? end,
      child: this.long.children.get(place),
    }));
  }

  /** The text between these positions, which are those of its quotes. */
  private *textValue(start: number, end: number): Paced<string> {
    const pieces: string[] = [];
    for (let from = start; from < end;) {
      const to = this.endOfPiece(from, Math.min(end, from + this.long.atLeast), end);
      pieces.push(JSON.parse(`"${this.read(from, to)}"`) as string);
      from = to;
      yield;
    }
    return yield* joined(pieces);
  }

  /** The first position from `wanted` on at which no character and no escape sequence is cut. */
  private endOfPiece(from: number, wanted: number, end: number): number {
    let to = wanted;
    let mark = to - 1;
    while (mark > to - LONG_ESCAPE && mark >= from && this.text.charCodeAt(mark) !== BACKSLASH) mark -= 1;
    if (mark > to - LONG_ESCAPE && mark >= from) {
      let first = mark;
      while (first > from && this.text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
      // Of an even number each second one is itself escaped.
      const isEscape = (mark - first) % 2 === 0;
      const length = this.text.charCodeAt(mark + 1) === LETTER_U ? LONG_ESCAPE : ESCAPE;
      to = Math.max(to, isEscape ? mark + length : to);
    }
    while (to < end && isWithinCharacter(this.text.charCodeAt(to))) to += 1;
    return Math.min(to, end);
  }
}

/** A byte of UTF-8 behind the first of a character. */
function isWithinCharacter(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0;
}

function unexpected(position: number): SyntaxError {
  return new SyntaxError(`Something unexpected stands near position ${position}.`);
}
