import { atOnce, type Paced } from './turns.js';

/** Characters decoded at once; a multiple of four, so that each piece but those behind a blank is whole groups. */
const SLICE = 256 * 1024;
/** Texts of this length or less may have any number of blanks. */
const SHORT = 64 * 1024;
/** A long text has at most one blank among so many characters: lines of 64 or 76 characters have half as many. */
const BLANKS_ONE_IN = 20;
const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20];

/**
 * The bytes of standard base64 (RFC 4648 §4), with or without lines, which R4 lets stand in it; null for anything else, and for a long
 * text of which more than one character in twenty is blank. One pass, in pieces.
 */
export function* decodingBase64(text: string): Paced<Buffer | null> {
  const pieces: Buffer[] = [];
  const isBase64 = yield* readingBase64(text, (piece) => pieces.push(piece));
  if (!isBase64) return null;
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}

/** Whether a text is what `decodingBase64` decodes. Keeps no bytes. */
export function checkingBase64(text: string): Paced<boolean> {
  return readingBase64(text, () => undefined);
}

/** The fewest bytes that a text of this length, if it is base64, decodes to. */
export function shortestBase64Bytes(characters: number): number {
  return characters <= SHORT ? 0 : (characters * (1 - 1 / BLANKS_ONE_IN) * 3) / 4 - 3;
}

/** `decodingBase64` at once: for short texts. */
export function decodeBase64(text: string): Buffer | null {
  return atOnce(decodingBase64(text));
}

function* readingBase64(text: string, take: (bytes: Buffer) => void): Paced<boolean> {
  const mostBlanks = text.length <= SHORT ? text.length : text.length / BLANKS_ONE_IN;
  let blanks = 0;
  // Fewer than four characters, which wait for the rest of their group.
  let rest = '';
  let isPadded = false;
  for (let from = 0; from < text.length; from += SLICE) {
    const slice = text.slice(from, from + SLICE);
    const plain: Buffer | null = rest === '' && !isPadded ? decodeGroups(slice) : null;
    const compact: string | null = plain === null ? withoutBlanks(slice) : slice;
    if (compact === null || (isPadded && compact !== '')) return false;
    blanks += slice.length - compact.length;
    if (blanks > mostBlanks) return false;
    const ready: string = rest + compact;
    const end = ready.length - (ready.length % 4);
    rest = ready.slice(end);
    const bytes: Buffer | null = plain ?? decodeGroups(ready.slice(0, end));
    if (bytes === null) return false;
    isPadded ||= bytes.length < (end / 4) * 3;
    if (isPadded && rest !== '') return false;
    take(bytes);
    yield;
  }
  return rest === '';
}

/** The bytes of whole groups without blanks, the last of which may be padded; null for anything else. */
function decodeGroups(text: string): Buffer | null {
  // Node's decoder also takes base64url, and skips characters of neither alphabet, so that too few bytes come out.
  if (text.length % 4 !== 0 || text.includes('-') || text.includes('_')) return null;
  // It reads the low eight bits of a character alone: \u0141 would be an A.
  if (Buffer.byteLength(text, 'utf8') !== text.length) return null;
  const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='));
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === (text.length / 4) * 3 - padding ? bytes : null;
}

/** null where a character is not ASCII. */
function withoutBlanks(text: string): string | null {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length !== text.length) return null;
  let kept = 0;
  for (const byte of bytes) if (byte !== LF && byte !== CR && byte !== SPACE && byte !== TAB) bytes[kept++] = byte;
  return kept === bytes.length ? text : bytes.toString('latin1', 0, kept);
}
