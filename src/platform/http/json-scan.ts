import { SuturaError } from '../../core/errors/sutura-error.js';
import type { JsonLimits } from './limits.js';

/** Objects have few members: looking through a short list is quicker than making a Set. */
const FEW_KEYS = 12;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Code units. */
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const LETTER_U = 0x75;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Characters outside strings: those between tokens, and those of numbers. */
const BLANK = characterSet(' \t\n\r');
const NUMERIC = characterSet('0123456789+-.eE');

/** One open list or object. */
interface Level {
  /** The keys of an object so far; null for a list. */
  keys: string[] | Set<string> | null;
  commas: number;
}

/**
 * Scans the tokens of a JSON text before a parser makes values of them. Refuses a text of too many values
 * (`request.too_large`), one that is nested too deeply, and forbidden keys or strings (`request.invalid`). Syntax is
 * left to the parser. Every request passes through here, a character at a time and without a call for most of them.
 */
export class JsonScan {
  private readonly levels: Level[] = [];
  private level: Level | undefined;
  private position = 0;
  private values = 1;
  private escapes = 0;
  private nextBackslash: number;

  constructor(
    private readonly text: string,
    private readonly limits: JsonLimits,
  ) {
    this.nextBackslash = this.find('\\', 0);
  }

  /** Scans about so many characters. False once all are scanned. */
  advance(characters: number): boolean {
    const { text } = this;
    const until = Math.min(text.length, this.position + characters);
    let at = this.position;
    while (at < until) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) at = this.takeText(at);
      else if (NUMERIC[code] === 1) at = this.takeNumber(at);
      else {
        if (code === COMMA) this.takeComma();
        else if (code === OPEN_OBJECT || code === OPEN_LIST) this.open(code);
        else if (code === CLOSE_OBJECT || code === CLOSE_LIST) this.close();
        at += 1;
      }
    }
    this.position = at;
    return at < text.length;
  }

  private open(code: number): void {
    this.count();
    this.level = { keys: code === OPEN_OBJECT ? [] : null, commas: 0 };
    if (this.levels.push(this.level) > this.limits.depth)
      throw refused(`The body is nested deeper than ${this.limits.depth} levels. Send a flatter one.`);
  }

  private close(): void {
    this.levels.pop();
    this.level = this.levels[this.levels.length - 1];
  }

  private takeComma(): void {
    this.count();
    if (this.level !== undefined && (this.level.commas += 1) >= this.limits.members) {
      throw tooLarge(`A list or object of the body has more than ${this.limits.members} members. Send it in parts.`);
    }
  }

  private count(): void {
    this.values += 1;
    if (this.values > this.limits.values)
      throw tooLarge(`The body has more than ${this.limits.values} values. Send it in parts.`);
  }

  private takeNumber(start: number): number {
    let end = start + 1;
    while (NUMERIC[this.text.charCodeAt(end)] === 1) end += 1;
    if (end - start > this.limits.digits)
      throw refused(`A number of the body is longer than ${this.limits.digits} characters. Shorten it.`);
    return end;
  }

  private takeText(start: number): number {
    const quote = this.text.indexOf('"', start + 1);
    const isPlain = quote !== -1 && quote < this.nextBackslash;
    const end = isPlain ? quote + 1 : this.endOfEscaped(start + 1, quote);
    const { level } = this;
    if (level !== undefined && level.keys !== null && this.isKey(end))
      this.claimKey(
        level,
        level.keys,
        isPlain ? this.text.slice(start + 1, quote) : unquote(this.text.slice(start, end)),
      );
    return end;
  }

  /** The position behind the closing quote of a string with escapes, which are checked on the way. */
  private endOfEscaped(start: number, firstQuote: number): number {
    const { text } = this;
    let quote = firstQuote === -1 ? text.length : firstQuote;
    let hasUnicodeEscape = false;
    while (this.nextBackslash < quote) {
      this.escapes += 1;
      if (this.escapes > this.limits.escapes)
        throw tooLarge(
          `The texts of the body have more than ${this.limits.escapes} escape sequences. Write characters as they are, in UTF-8.`,
        );
      hasUnicodeEscape ||= text.charCodeAt(this.nextBackslash + 1) === LETTER_U;
      const behind = this.nextBackslash + 2;
      this.nextBackslash = text.charCodeAt(behind) === BACKSLASH ? behind : this.find('\\', behind);
      if (behind > quote) quote = this.find('"', behind);
    }
    if (hasUnicodeEscape && hasLoneSurrogate(text.slice(start, quote)))
      throw refused('A text of the body has an unpaired surrogate, which is no character. Send whole characters.');
    return quote + 1;
  }

  /** `text.length` if there is none. */
  private find(wanted: string, from: number): number {
    const found = this.text.indexOf(wanted, from);
    return found === -1 ? this.text.length : found;
  }

  private isKey(end: number): boolean {
    let at = end;
    while (BLANK[this.text.charCodeAt(at)] === 1) at += 1;
    return this.text.charCodeAt(at) === COLON;
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

/** Surrogates come in by escapes alone, as UTF-8 has none. */
function hasLoneSurrogate(inside: string): boolean {
  return /\\u[dD][89a-fA-F]/.test(inside) && LONE_SURROGATE.test(unquote(`"${inside}"`));
}

function unquote(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw refused('The body is not valid JSON. Correct it and send it again.');
  }
}

function refused(detail: string): SuturaError {
  return new SuturaError('request.invalid', { detail });
}

function tooLarge(detail: string): SuturaError {
  return new SuturaError('request.too_large', { detail });
}
