import { SuturaError } from '../../core/errors/sutura-error.js';
import type { CutLevel, LongParts } from './json-long-parts.js';
import type { JsonLimits } from './limits.js';

/** Objects have few members: looking through a short list is quicker than making a Set. */
const FEW_KEYS = 12;
/** Characters of the longest key. */
const LONGEST_KEY = 4096;
/** Escape sequences looked at before the scan of a long text pauses: some milliseconds. */
const ESCAPES_AT_ONCE = 50_000;

/** Code units. */
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const LETTER_D = 0x64;
const LETTER_U = 0x75;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Characters of numbers. */
const NUMERIC = characterSet('0123456789+-.eE');

/** One open list or object. */
interface Level extends CutLevel {
  /** The keys of an object so far; null for a list. */
  keys: string[] | Set<string> | null;
  commas: number;
}

/** A text whose end is still looked for. */
interface OpenText {
  readonly start: number;
  quote: number;
  /** The end of a high surrogate, behind which a low one must stand; -1: none. */
  pairAt: number;
}

/**
 * Scans the tokens of a JSON text before a parser makes values of them. Refuses a text of too many values
 * (`request.too_large`), one that is nested too deeply, and forbidden keys or strings (`request.invalid`). Syntax is
 * left to the parser. Every request passes through here, a character at a time and without a call for most of them.
 * A text of bytes in UTF-8, one character each, is scanned as well: what counts is ASCII.
 */
export class JsonScan {
  private readonly levels: Level[] = [];
  private level: Level | undefined;
  private position = 0;
  private values = 1;
  private escapes = 0;
  private nextBackslash: number;
  /** The last text, which is a key where a colon follows. */
  private textStart = 0;
  private textEnd = 2;
  private isPlain = true;
  private openText: OpenText | null = null;

  constructor(
    private readonly text: string,
    private readonly limits: JsonLimits,
    private readonly long: LongParts | null = null,
  ) {
    this.nextBackslash = this.find('\\', 0);
  }

  /** Scans about so many characters, fewer where they are escaped. False once all are scanned. */
  advance(characters: number): boolean {
    const { text } = this;
    const until = Math.min(text.length, this.position + characters);
    let at = this.position;
    if (this.openText !== null) at = this.goOn(this.openText);
    while (at < until && this.openText === null) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) at = this.takeText(at);
      else if (NUMERIC[code] === 1) at = this.takeNumber(at);
      else {
        if (code === COMMA) this.takeComma(at);
        else if (code === COLON) this.takeKey();
        else if (code === OPEN_OBJECT || code === OPEN_LIST) this.open(code, at);
        else if (code === CLOSE_OBJECT || code === CLOSE_LIST) this.close(at + 1);
        at += 1;
      }
    }
    this.position = at;
    return at < text.length || this.openText !== null;
  }

  /** Grows with what is found: where it does not, nothing but blanks went by. */
  get found(): number {
    return this.values + this.escapes + this.textEnd;
  }

  private open(code: number, at: number): void {
    this.count();
    this.level = { keys: code === OPEN_OBJECT ? [] : null, commas: 0, start: at, comma: at, cut: at };
    if (this.levels.push(this.level) > this.limits.depth)
      throw refused(`The body is nested deeper than ${this.limits.depth} levels. Send a flatter one.`);
  }

  private close(end: number): void {
    const closed = this.levels.pop();
    this.level = this.levels[this.levels.length - 1];
    if (closed !== undefined && this.long?.note(closed.start, end, this.level) === false) throw notJson();
  }

  private takeComma(at: number): void {
    this.count();
    const { level } = this;
    if (level === undefined) return;
    if ((level.commas += 1) >= this.limits.members)
      throw tooLarge(`A list or object of the body has more than ${this.limits.members} members. Send it in parts.`);
    this.long?.passComma(level, at);
  }

  private takeKey(): void {
    const { level } = this;
    if (level === undefined || level.keys === null) return;
    if (this.textEnd - this.textStart > LONGEST_KEY)
      throw refused(`A key of the body is longer than ${LONGEST_KEY} characters. Shorten it.`);
    const { text, textStart, textEnd } = this;
    this.claimKey(
      level,
      level.keys,
      this.isPlain ? text.slice(textStart + 1, textEnd - 1) : this.unescaped(text.slice(textStart, textEnd)),
    );
  }

  private count(): void {
    this.values += 1;
    if (this.values > this.limits.values)
      throw tooLarge(`The body has more than ${this.limits.values} values. Send it in parts.`);
  }

  /** A key as it would stand there without escape sequences. */
  private unescaped(quoted: string): string {
    if (this.long === null) return unquote(quoted);
    return Buffer.from(unquote(Buffer.from(quoted, 'latin1').toString('utf8')), 'utf8').toString('latin1');
  }

  private takeNumber(start: number): number {
    let end = start + 1;
    while (end - start <= this.limits.digits && NUMERIC[this.text.charCodeAt(end)] === 1) end += 1;
    if (end - start > this.limits.digits)
      throw refused(`A number of the body is longer than ${this.limits.digits} characters. Shorten it.`);
    return end;
  }

  private takeText(start: number): number {
    const quote = this.text.indexOf('"', start + 1);
    this.isPlain = quote !== -1 && quote < this.nextBackslash;
    if (this.isPlain) return this.endText(start, quote + 1);
    return this.goOn({ start, quote: quote === -1 ? this.text.length : quote, pairAt: -1 });
  }

  private endText(start: number, end: number): number {
    this.textStart = start;
    this.textEnd = end;
    if (this.long?.note(start, end, this.level) === false) throw notJson();
    return end;
  }

  /** Goes on through a text with escapes, which are checked on the way. The position behind its closing quote, or where it pauses. */
  private goOn(open: OpenText): number {
    const { text } = this;
    const pauseAt = this.escapes + ESCAPES_AT_ONCE;
    while (this.nextBackslash < open.quote) {
      this.escapes += 1;
      if (this.escapes > this.limits.escapes)
        throw tooLarge(
          `The texts of the body have more than ${this.limits.escapes} escape sequences. Write characters as they are, in UTF-8.`,
        );
      if (text.charCodeAt(this.nextBackslash + 1) === LETTER_U) this.pair(open, this.nextBackslash);
      const behind = this.nextBackslash + 2;
      this.nextBackslash = text.charCodeAt(behind) === BACKSLASH ? behind : this.find('\\', behind);
      if (behind > open.quote) open.quote = this.find('"', behind);
      if (this.escapes >= pauseAt) {
        this.openText = open;
        return behind;
      }
    }
    if (open.pairAt !== -1) throw loneSurrogate();
    this.openText = null;
    return this.endText(open.start, open.quote + 1);
  }

  /** Surrogates come in by escapes alone, as UTF-8 has none: each high one has a low one behind it. */
  private pair(open: OpenText, at: number): void {
    const kind = surrogateAt(this.text, at + 2);
    if (open.pairAt === -1 ? kind === 'low' : kind !== 'low' || open.pairAt !== at) throw loneSurrogate();
    open.pairAt = kind === 'high' ? at + 6 : -1;
  }

  /** `text.length` if there is none. */
  private find(wanted: string, from: number): number {
    const found = this.text.indexOf(wanted, from);
    return found === -1 ? this.text.length : found;
  }

  private claimKey(level: Level, keys: string[] | Set<string>, key: string): void {
    if (key === '__proto__' || key === 'constructor')
      throw refused('The body uses a reserved name as a key. Rename it.');
    if (Array.isArray(keys) ? keys.includes(key) : keys.has(key))
      throw refused('The body names the same key twice in one object. Send each key once.');
    if (!Array.isArray(keys)) keys.add(key);
    else if (keys.push(key) > FEW_KEYS) level.keys = new Set(keys);
  }
}

function characterSet(characters: string): Uint8Array {
  const set = new Uint8Array(0x10000);
  for (const character of characters) set[character.charCodeAt(0)] = 1;
  return set;
}

/** Which half of a character the four hexadecimal digits from here on name; null: none. */
function surrogateAt(text: string, digits: number): 'high' | 'low' | null {
  if ((text.charCodeAt(digits) | 0x20) !== LETTER_D) return null;
  const second = text.charCodeAt(digits + 1) | 0x20;
  if (second === 0x38 || second === 0x39 || second === 0x61 || second === 0x62) return 'high';
  return second >= 0x63 && second <= 0x66 ? 'low' : null;
}

function loneSurrogate(): SuturaError {
  return refused('A text of the body has an unpaired surrogate, which is no character. Send whole characters.');
}

function unquote(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw notJson();
  }
}

/** `request.invalid`: the syntax. */
export function notJson(): SuturaError {
  return refused('The body is not valid JSON. Correct it and send it again.');
}

function refused(detail: string): SuturaError {
  return new SuturaError('request.invalid', { detail });
}

/** `request.too_large` */
export function tooLarge(detail: string): SuturaError {
  return new SuturaError('request.too_large', { detail });
}
