import { ADDRESSES, ATTRIBUTES, ELEMENTS, NAMED_CHARACTERS, SCHEMES } from './xhtml-terms.js';

const NAMESPACE = 'http://www.w3.org/1999/xhtml';
const DEPTH_LIMIT = 100;

const BLANK = /[ \t\r\n]*/y;
const OPENING = /<([A-Za-z][\w:.-]*)/y;
const CLOSING = /<\/([A-Za-z][\w:.-]*)[ \t\r\n]*>/y;
const ATTRIBUTE = /[ \t\r\n]+([A-Za-z_][\w:.-]*)[ \t\r\n]*=[ \t\r\n]*(?:"([^"<]*)"|'([^'<]*)')/y;
const TAG_END = /[ \t\r\n]*(\/?)>/y;
const REFERENCE = /&(?:#(\d{1,7})|#x([0-9A-Fa-f]{1,6})|([A-Za-z][A-Za-z0-9]{1,7}));/y;
/** Characters that XML 1.0 (2.2) excludes. */
const NO_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u;
/** Characters that a browser drops from an address, or does not take for part of one. */
const LEFT_OUT = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]/g;
const SCHEME = /^([^/?#]*?):/;
const INLINE_IMAGE = /^data:image\/(png|jpeg|jpg|gif|webp|bmp)[;,]/i;
/** Styles are accepted, except those that load something or hide content. */
const REACHING_STYLE = /url\s*\(|expression|javascript|vbscript|@import|behavior|-moz-binding|[\\<]/i;

/** The reason why a text is no narrative of R4 (txt-1, txt-2); repeats nothing of the text. */
class Fault extends Error {}

/** The fault in the `div` of a Narrative, in words for its sender; null: none. Time is linear in the length of the text. */
export function narrativeFault(div: string): string | null {
  try {
    new NarrativeReader(div).read();
    return null;
  } catch (fault) {
    if (fault instanceof Fault) return fault.message;
    throw fault;
  }
}

/** Reads XHTML in one pass, as the narrow part of it that R4 allows: strict XML, no declarations, known names alone. */
class NarrativeReader {
  private at = 0;
  private readonly open: string[] = [];
  private hasContent = false;

  constructor(private readonly text: string) {}

  read(): void {
    if (NO_CHARACTER.test(this.text)) throw new Fault('A character of the narrative is none of XML.');
    this.match(BLANK);
    if (this.match(OPENING)?.[1] !== 'div') throw new Fault('A narrative is one XHTML div, and begins with it.');
    if (!this.takeTag('div').has('xmlns')) throw new Fault('A narrative has the namespace of XHTML.');
    while (this.open.length > 0) this.claimNext();
    this.match(BLANK);
    if (this.at < this.text.length) throw new Fault('Nothing stands behind the div of a narrative.');
    if (!this.hasContent) throw new Fault('A narrative has some text, or an image (txt-2).');
  }

  private claimNext(): void {
    const markup = this.text.indexOf('<', this.at);
    if (markup === -1) throw notWellFormed();
    this.takeCharacters(this.text.slice(this.at, markup));
    this.at = markup;
    const closing = this.match(CLOSING);
    if (closing !== null) {
      if (this.open.pop() !== closing[1]) throw notWellFormed();
      return;
    }
    if (this.text.startsWith('<!--', this.at)) return this.takeComment();
    const opening = this.match(OPENING);
    if (opening === null) throw new Fault('A narrative has no declarations, instructions or marked sections (txt-1).');
    this.takeTag(opening[1]!);
  }

  private takeCharacters(text: string): void {
    if (text === '') return;
    checkReferences(text);
    this.hasContent ||= /[^ \t\r\n]/.test(text);
  }

  private takeComment(): void {
    const end = this.text.indexOf('--', this.at + 4);
    if (end === -1 || this.text[end + 2] !== '>') throw notWellFormed();
    this.at = end + 3;
  }

  /** Reads from the end of the name to the end of the tag. Its attributes. */
  private takeTag(name: string): ReadonlySet<string> {
    if (!ELEMENTS.has(name)) throw new Fault('The narrative has an element that R4 does not allow there (txt-1).');
    const seen = new Set<string>();
    for (let found = this.match(ATTRIBUTE); found !== null; found = this.match(ATTRIBUTE)) {
      const [, attribute, doubleQuoted, singleQuoted] = found as readonly (string | undefined)[] as readonly [
        string,
        string,
        string | undefined,
        string | undefined,
      ];
      if (seen.has(attribute)) throw notWellFormed();
      seen.add(attribute);
      checkAttribute(name, attribute, doubleQuoted ?? singleQuoted ?? '');
    }
    const end = this.match(TAG_END);
    if (end === null) throw notWellFormed();
    this.hasContent ||= name === 'img';
    if (end[1] !== '/' && this.open.push(name) > DEPTH_LIMIT) throw new Fault('The narrative is nested too deeply.');
    return seen;
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found !== null) this.at = pattern.lastIndex;
    return found;
  }
}

function checkAttribute(element: string, name: string, value: string): void {
  if (!ATTRIBUTES.has(name)) throw new Fault('The narrative has an attribute that R4 does not allow there (txt-1).');
  checkReferences(value);
  if (name === 'xmlns' && value !== NAMESPACE) throw new Fault('A narrative has the namespace of XHTML.');
  if (name === 'style' && REACHING_STYLE.test(plain(value)))
    throw new Fault('A style of the narrative reaches outside of it (txt-1).');
  if (ADDRESSES.has(name) && !isHarmless(plain(value), element, name))
    throw new Fault(
      'An address of the narrative is of no kind that is taken: http, https, mailto, tel, urn, a relative one, or an image as data.',
    );
}

/** Checks that each `&` begins a character by number, or one of the names of HTML 4.0. */
function checkReferences(text: string): void {
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) {
    REFERENCE.lastIndex = at;
    const [, decimal, hexadecimal, named] = REFERENCE.exec(text) ?? [];
    const number = decimal === undefined ? Number.parseInt(hexadecimal ?? '0', 16) : Number(decimal);
    const isKnown = named === undefined ? isCharacter(number) : NAMED_CHARACTERS.has(named);
    if (!isKnown) throw new Fault('The narrative has an & that begins no character of XML or HTML 4.0.');
  }
}

function isCharacter(number: number): boolean {
  return number > 0 && number <= 0x10ffff && !NO_CHARACTER.test(String.fromCodePoint(number));
}

function isHarmless(address: string, element: string, name: string): boolean {
  const bare = address.replace(LEFT_OUT, '');
  const scheme = SCHEME.exec(bare)?.[1];
  if (scheme === undefined || SCHEMES.has(scheme.toLowerCase())) return true;
  return element === 'img' && name === 'src' && INLINE_IMAGE.test(bare);
}

/** With characters by number as they are; a name of HTML 4.0 that matters to an address or a style is that of `&`, `<`, `>` and quotes alone. */
function plain(value: string): string {
  return value
    .replace(/&#(\d+);/g, (_, decimal: string) => String.fromCodePoint(Number(decimal)))
    .replace(/&#x([0-9A-Fa-f]+);/g, (_, hexadecimal: string) => String.fromCodePoint(Number.parseInt(hexadecimal, 16)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&nbsp;', '\u00a0')
    .replaceAll('&shy;', '\u00ad')
    .replaceAll(/&(?:zwnj|zwj|lrm|rlm|ensp|emsp|thinsp);/g, '\u200b')
    .replaceAll('&amp;', '&');
}

function notWellFormed(): Fault {
  return new Fault('The narrative is not well-formed XHTML.');
}
