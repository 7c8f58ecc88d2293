import { encoderOf } from './character-encoder.js';
import { standInFor } from './stand-ins.js';

/** The value of MSH-18, judged by what can be done about it. */
export type CharacterSetVerdict =
  | { readonly kind: 'known'; readonly encoding: string }
  | { readonly kind: 'unsupported' | 'unknown' };

const UNSUPPORTED: CharacterSetVerdict = { kind: 'unsupported' };
const C1 = /[\u0080-\u009f]/g;
/** 0x80 to 0x9f; the five unassigned codes stay control codes. */
const WINDOWS_1252_C1 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
/** One byte for ASCII, two for everything else; Node's decoder silently skips some invalid bytes of these. */
const PAIRED: readonly string[] = ['big5', 'euc-kr'];
const ISO_8859_PARTS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '15'];

/**
 * HL7 table 0211, and other names in use for the same. Keys are upper case, without blanks, hyphens and underscores;
 * the most common name is also listed as written, to be found at once.
 */
const VERDICTS = new Map<string, CharacterSetVerdict>([
  ...named('us-ascii', 'ASCII', 'USASCII', 'ISOIR6'),
  ...named('utf-8', 'UNICODEUTF8', 'UTF8', 'UNICODE UTF-8'),
  ...ISO_8859_PARTS.flatMap((part) => named(`iso-8859-${part}`, `8859/${part}`, `ISO8859/${part}`, `ISO8859${part}`)),
  ...named('windows-1252', 'WINDOWS1252', 'CP1252'),
  ...named('iso-2022-jp', 'ISOIR87', 'JISX0202', 'JISX0208'),
  ...named('gb18030', 'GB180302000', 'GB18030'),
  ...named('big5', 'BIG5'),
  ...named('euc-kr', 'KSX1001'),
  ...['UNICODE', 'UNICODEUTF16', 'UNICODEUTF32', 'UTF16', 'UTF32'].map((name) => [name, UNSUPPORTED] as const),
]);

function named(encoding: string, ...names: readonly string[]): (readonly [string, CharacterSetVerdict])[] {
  return names.map((name) => [name, { kind: 'known', encoding }] as const);
}

/**
 * Finds the encoding of MSH-18 (one repetition, not empty). `unsupported` (UTF-16, UTF-32) is AR 207, `unknown` AR 103.
 */
export function findCharacterSet(name: string): CharacterSetVerdict {
  return VERDICTS.get(name) ?? VERDICTS.get(name.toUpperCase().replace(/[\s_-]/g, '')) ?? { kind: 'unknown' };
}

/** null: the encoding has no character for some of the bytes. Encodings are those of findCharacterSet. */
export function decodeText(bytes: Uint8Array, encoding: string): string | null {
  if (encoding === 'us-ascii') return isAscii(bytes) ? latin1Of(bytes) : null;
  // The Encoding Standard reads ISO 8859-1 as windows-1252, and Node 20 reads windows-1252 as ISO 8859-1
  // (nodejs/node#56542), so both are decoded here.
  if (encoding === 'iso-8859-1') return latin1Of(bytes);
  if (encoding === 'windows-1252')
    return latin1Of(bytes).replace(C1, (code) => WINDOWS_1252_C1[code.charCodeAt(0) - 0x80] ?? code);
  if (encoding === 'iso-8859-9') return decodeTurkish(bytes);
  const text = decodeStrictly(bytes, encoding);
  return text !== null && PAIRED.includes(encoding) && lengthInPairs(text) !== bytes.length ? null : text;
}

/**
 * Encodes text in the character set of MSH-18 (empty: ASCII). For characters that it lacks plain ones stand in, or `?`; an
 * unknown set is written as UTF-8.
 */
export function encodeText(text: string, characterSet: string): Buffer {
  const verdict = characterSet === '' ? findCharacterSet('ASCII') : findCharacterSet(characterSet);
  if (verdict.kind !== 'known' || verdict.encoding === 'utf-8') return Buffer.from(text, 'utf8');
  const highest = verdict.encoding === 'us-ascii' ? 0x7f : verdict.encoding === 'iso-8859-1' ? 0xff : null;
  if (highest === null) return encoderOf(verdict.encoding, decodeText)(text);
  const lacking = highest === 0x7f ? /[^\u0000-\u007f]/gu : /[^\u0000-\u00ff]/gu;
  const fitting = text.replace(lacking, standInFor);
  return Buffer.from(fitting, 'latin1');
}

/** TextDecoder reads ISO 8859-9 as windows-1254, which has other characters in place of the control codes. */
function decodeTurkish(bytes: Uint8Array): string | null {
  const text = decodeStrictly(bytes, 'windows-1254');
  if (text === null || !bytes.some(isC1)) return text;
  return Array.from(bytes, (byte, place) => (isC1(byte) ? String.fromCharCode(byte) : text[place])).join('');
}

function lengthInPairs(text: string): number {
  let length = 0;
  for (const character of text) length += character < '\u0080' ? 1 : 2;
  return length;
}

const decoders = new Map<string, InstanceType<typeof TextDecoder>>();

function decodeStrictly(bytes: Uint8Array, encoding: string): string | null {
  const decoder = decoders.get(encoding) ?? new TextDecoder(encoding, { fatal: true });
  try {
    const text = decoder.decode(bytes);
    decoders.set(encoding, decoder);
    return text;
  } catch {
    // Bytes that the decoder kept after a refusal must not get into the next text.
    decoders.delete(encoding);
    return null;
  }
}

function latin1Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80);
}

function isC1(byte: number): boolean {
  return byte >= 0x80 && byte < 0xa0;
}
