import { refused, tooLarge } from './xml-faults.js';

const BREAK = /[\t\n\r]/;
const BREAKS = /\r\n|[\t\n\r]/g;
const REFERENCE = /&(?:#(\d{1,7})|#x([0-9A-Fa-f]{1,6})|(amp|lt|gt|quot|apos));|&/y;
const PREDEFINED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Reads the text of attributes, and counts the references in all of them: each takes as long as a hundred other characters. */
export class CharacterReferences {
  private count = 0;

  constructor(private readonly most: number) {}

  /** The value of an attribute as it is written, with line ends as blanks (XML 1.0, 3.3.3). `request.invalid`, `request.too_large`. */
  valueOf(written: string): string {
    const inOneLine = BREAK.test(written) ? written.replace(BREAKS, ' ') : written;
    const first = inOneLine.indexOf('&');
    return first === -1 ? inOneLine : this.readFrom(first, inOneLine);
  }

  /** Checks the references of a text that stays as it is written. */
  check(written: string): void {
    const first = written.indexOf('&');
    if (first !== -1) this.readFrom(first, written);
  }

  /** One after another: `replace` would find all of a hostile text before the first is refused. */
  private readFrom(first: number, text: string): string {
    let read = '';
    let behind = 0;
    for (let at = first; at !== -1; at = text.indexOf('&', behind)) {
      REFERENCE.lastIndex = at;
      const [whole, decimal, hexadecimal, name] = REFERENCE.exec(text)!;
      read += text.slice(behind, at) + this.characterOf(decimal, hexadecimal, name);
      behind = at + whole.length;
    }
    return read + text.slice(behind);
  }

  private characterOf(decimal?: string, hexadecimal?: string, name?: string): string {
    this.count += 1;
    if (this.count > this.most)
      throw tooLarge(
        `The body has more than ${this.most} character references. Write characters as they are, in UTF-8.`,
      );
    if (name !== undefined) return PREDEFINED[name]!;
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '0', 16) : Number(decimal);
    if (!isCharacter(code))
      throw refused(
        'The body has an & that begins no character of XML. Entities are not read: write characters as they are, in UTF-8.',
      );
    return String.fromCodePoint(code);
  }
}

/** XML 1.0, 2.2. */
function isCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d;
  return code < 0xd800 || (code > 0xdfff && code < 0xfffe) || (code > 0xffff && code <= 0x10ffff);
}
