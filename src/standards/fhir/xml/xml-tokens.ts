import { PIECE, type Paced } from '../../../platform/turns/turns.js';
import { joined } from '../../../platform/turns/joined-text.js';
import type { CharacterReferences } from './character-references.js';
import { endOfDeclaration, endOfPiece } from './text-parts.js';
import { notWellFormed, refused, tooLarge } from './xml-faults.js';

const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20];
const [BANG, QUOTE, AMPERSAND, APOSTROPHE, SLASH] = [0x21, 0x22, 0x26, 0x27, 0x2f];
const [COLON, LESS, EQUALS, GREATER, QUESTION, LAST_ASCII] = [0x3a, 0x3c, 0x3d, 0x3e, 0x3f, 0x7e];
/** How most attributes begin. */
const VALUE = 'value="';
const NAME = characterSet('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789.-:');
const NAME_START = characterSet('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_');
/** Values of this length or less are looked at character by character. */
const SHORT = 256;
/** Blanks in one place. */
const MOST_BLANKS = 1024 * 1024;
/** Attributes of one element; no element of FHIR has more than three. */
const MOST_ATTRIBUTES = 100;
/** Characters of a name. */
const LONGEST_NAME = 256;

/** The next piece of the document. `long`: the value of an attribute is long, or the end of a comment far, and has to be supplied before. */
export type Token = 'opening' | 'closing' | 'comment' | 'marked' | 'end' | 'long';

/**
 * The tags of an XML 1.0 document one by one, without DTDs and instructions (`request.invalid`). Names are ASCII, as all of FHIR are. A
 * text of bytes in UTF-8, one character each, is read as well: `read` answers what stands between two positions.
 */
export class XmlTokens {
  /** Behind the last token. */
  position = 0;
  /** Where the last token begins; what stands before it is text from `textFrom` on. */
  from = 0;
  textFrom = 0;
  /** Of the last tag: the name as it is written, where its prefix ends (-1: it has none), and whether it is closed at once. */
  name = '';
  colon = -1;
  isEmpty = false;
  /** Its attributes; the first so many of the lists. */
  attributes = 0;
  readonly names: string[] = [];
  readonly values: string[] = [];
  /** Whether one of them declares a namespace. */
  declares = false;
  private lastColon = -1;
  private nextReference = -1;
  private nextMarkup = -1;
  private wanted: { readonly from: number; readonly to: number } | null = null;
  /** The end of a comment or marked section, which is far: looked for, and found. */
  private sought: { readonly pattern: string; readonly from: number } | null = null;
  private found: { readonly from: number; readonly at: number } | null = null;
  /** Long values of the present tag, by where they begin. */
  private readonly supplied = new Map<number, string>();

  constructor(
    readonly text: string,
    readonly read: (from: number, to: number) => string,
    readonly references: CharacterReferences,
    /** No line ends and tabs, and one character for each: as programs write. */
    private readonly isDense = false,
  ) {
    this.position = endOfDeclaration(text);
  }

  /** `open`: the name of the element that is open; `guess`: that of the element that opens next, perhaps. */
  next(open: string, guess: string): Token {
    const { text } = this;
    this.textFrom = this.position;
    const from = this.nextMarkup >= this.position ? this.nextMarkup : this.find('<', this.position);
    if (from === text.length) {
      this.from = text.length;
      this.position = text.length;
      return 'end';
    }
    this.from = from;
    const code = text.charCodeAt(from + 1);
    if (code === SLASH) return this.closing(from + 2, open);
    if (code === BANG) return this.special(from);
    if (code === QUESTION)
      throw refused('The body has processing instructions, which FHIR does not use. Leave them out.');
    return this.opening(from + 1, guess);
  }

  /** Whether only blanks stand before the last token. `request.too_large`. */
  isBlankBefore(): boolean {
    return this.skipBlanks(this.textFrom) === this.from;
  }

  /** What `next` asked for: a long value, or an end that is far. */
  *supplyLong(): Paced<void> {
    if (this.sought !== null) return yield* this.seek(this.sought);
    const { from, to } = this.wanted!;
    const pieces: string[] = [];
    let isAsWritten = true;
    for (let start = from; start < to;) {
      const end = endOfPiece(this.text, Math.min(to, start + PIECE), to);
      const written = this.read(start, end);
      if (written.includes('<')) throw this.notWellFormed(start);
      const value = this.references.valueOf(written);
      isAsWritten &&= value === written && written.length === end - start;
      pieces.push(value);
      start = end;
      yield;
    }
    this.supplied.set(from, isAsWritten ? this.text.slice(from, to) : yield* joined(pieces));
    this.wanted = null;
    this.position = this.textFrom;
  }

  notWellFormed(position = this.from): Error {
    return notWellFormed(this.text, position);
  }

  private closing(start: number, open: string): Token {
    const { text } = this;
    if (open === '' || !text.startsWith(open, start)) throw this.notWellFormed();
    const end = start + open.length;
    const behind = text.charCodeAt(end) === GREATER ? end : this.skipBlanks(end);
    if (text.charCodeAt(behind) !== GREATER) throw this.notWellFormed();
    this.position = behind + 1;
    return 'closing';
  }

  private opening(start: number, guess: string): Token {
    const { text } = this;
    let at = start + guess.length;
    if (guess !== '' && text.startsWith(guess, start) && NAME[text.charCodeAt(at)] !== 1) {
      this.name = guess;
      this.colon = -1;
    } else at = this.takeName(start);
    this.attributes = 0;
    this.declares = false;
    for (;;) {
      const before = at;
      let code = text.charCodeAt(at);
      if (code <= SPACE) {
        at = this.skipBlanks(at);
        code = text.charCodeAt(at);
      }
      if (code === GREATER || code === SLASH) {
        this.isEmpty = code === SLASH;
        if (this.isEmpty && text.charCodeAt(at + 1) !== GREATER) throw this.notWellFormed();
        this.position = at + (this.isEmpty ? 2 : 1);
        if (this.supplied.size > 0) this.supplied.clear();
        return 'opening';
      }
      if (at === before) throw this.notWellFormed(at);
      at = this.attribute(at);
      if (this.wanted !== null) return 'long';
    }
  }

  /** The position behind the attribute that begins here. */
  private attribute(start: number): number {
    const { text, names } = this;
    if (this.attributes === 0 && text.startsWith(VALUE, start)) {
      names[0] = 'value';
      return this.value(start + VALUE.length, QUOTE) + 1;
    }
    const end = this.nameEnd(start);
    const name = text.slice(start, end);
    if (this.attributes >= MOST_ATTRIBUTES)
      throw tooLarge(`An element of the body has more than ${MOST_ATTRIBUTES} attributes. Send it without them.`);
    for (let index = 0; index < this.attributes; index += 1) if (names[index] === name) throw this.notWellFormed(start);
    this.declares ||= name.startsWith('xmlns');
    let at = this.skipBlanks(end);
    if (text.charCodeAt(at) !== EQUALS) throw this.notWellFormed(at);
    at = this.skipBlanks(at + 1);
    const quote = text.charCodeAt(at);
    if (quote !== QUOTE && quote !== APOSTROPHE) throw this.notWellFormed(at);
    names[this.attributes] = name;
    return this.value(at + 1, quote) + 1;
  }

  /** Takes the value; the position of its closing quote. */
  private value(start: number, quote: number): number {
    const { text } = this;
    if (this.isDense) {
      // Nothing in it is read in another way than it is written, but for references.
      const end = text.indexOf(quote === QUOTE ? '"' : "'", start);
      if (this.nextReference < start) this.nextReference = this.find('&', start);
      if (this.nextMarkup < start) this.nextMarkup = this.find('<', start);
      if (end !== -1 && end < this.nextReference && end < this.nextMarkup && end - start <= PIECE) {
        this.values[this.attributes++] = text.slice(start, end);
        return end;
      }
    }
    const until = start + SHORT;
    let isPlain = true;
    let at = start;
    for (; at < until; at += 1) {
      const code = text.charCodeAt(at);
      if (code === quote) break;
      if (code < SPACE || code === AMPERSAND || code > LAST_ASCII) isPlain = false;
      // Also at the end of the text.
      if (code === LESS || code !== code) throw this.notWellFormed(at);
    }
    if (at < until) {
      const written = isPlain ? text.slice(start, at) : this.read(start, at);
      this.values[this.attributes++] = isPlain ? written : this.references.valueOf(written);
      return at;
    }
    const end = text.indexOf(quote === QUOTE ? '"' : "'", at);
    if (end === -1) throw this.notWellFormed(start);
    this.values[this.attributes++] = this.longValue(start, end);
    return end;
  }

  private longValue(from: number, to: number): string {
    const supplied = this.supplied.get(from);
    if (supplied !== undefined) return supplied;
    if (to - from > PIECE) {
      this.wanted = { from, to };
      return '';
    }
    const written = this.read(from, to);
    if (written.includes('<')) throw this.notWellFormed(from);
    return this.references.valueOf(written);
  }

  private special(from: number): Token {
    const { text } = this;
    if (text.startsWith('<!--', from)) {
      const end = this.endOf('--', from + 4);
      if (end === null) return 'long';
      if (text.charCodeAt(end + 2) !== GREATER) throw this.notWellFormed();
      this.position = end + 3;
      return 'comment';
    }
    if (!text.startsWith('<![CDATA[', from))
      throw refused(
        'The body has a document type or another declaration (DTD), which FHIR does not use. Leave it out.',
      );
    const end = this.endOf(']]>', from + 9);
    if (end === null) return 'long';
    this.position = end + 3;
    return 'marked';
  }

  /** `text.length` if there is none. */
  private find(wanted: string, from: number): number {
    const found = this.text.indexOf(wanted, from);
    return found === -1 ? this.text.length : found;
  }

  /** Where the pattern begins, from here on; null: it has to be sought. */
  private endOf(pattern: string, from: number): number | null {
    if (this.found?.from === from) return this.found.at;
    const near = this.text.slice(from, from + PIECE).indexOf(pattern);
    if (near !== -1) return from + near;
    this.sought = { pattern, from };
    return null;
  }

  private *seek({ pattern, from }: { readonly pattern: string; readonly from: number }): Paced<void> {
    for (let start = from; start < this.text.length; start += PIECE) {
      const found = this.text.slice(start, start + PIECE + pattern.length - 1).indexOf(pattern);
      if (found !== -1) {
        this.found = { from, at: start + found };
        this.sought = null;
        this.position = this.textFrom;
        return;
      }
      yield;
    }
    throw this.notWellFormed();
  }

  private takeName(start: number): number {
    const end = this.nameEnd(start);
    this.name = this.text.slice(start, end);
    this.colon = this.lastColon;
    return end;
  }

  private nameEnd(start: number): number {
    const { text } = this;
    let at = start;
    let colon = -1;
    let code = text.charCodeAt(at);
    if (NAME_START[code] !== 1) throw this.notWellFormed();
    for (; NAME[code] === 1; code = text.charCodeAt((at += 1))) {
      if (code !== COLON) continue;
      if (colon !== -1 || NAME_START[text.charCodeAt(at + 1)] !== 1) throw this.notWellFormed();
      colon = at - start;
    }
    if (at - start > LONGEST_NAME) throw refused(`A name of the body is longer than ${LONGEST_NAME} characters.`);
    this.lastColon = colon;
    return at;
  }

  private skipBlanks(start: number): number {
    const { text } = this;
    let at = start;
    for (let code = text.charCodeAt(at); ; code = text.charCodeAt((at += 1)))
      if (code !== SPACE && code !== LF && code !== CR && code !== TAB) break;
    if (at - start > MOST_BLANKS)
      throw tooLarge(`The body has more than ${MOST_BLANKS} blanks in one place. Send it without them.`);
    return at;
  }
}

function characterSet(characters: string): Uint8Array {
  const set = new Uint8Array(0x10000);
  for (const character of characters) set[character.charCodeAt(0)] = 1;
  return set;
}
