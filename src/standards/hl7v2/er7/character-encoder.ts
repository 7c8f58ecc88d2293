import { standInFor } from './stand-ins.js';

type Encoder = (text: string) => Buffer;
type Decoder = (bytes: Uint8Array, encoding: string) => string | null;
type Table = Map<string, Buffer>;

const ASCII: readonly (Buffer | undefined)[] = sequence(0x80, (code) => Buffer.of(code));
const QUESTION_MARK = Buffer.from('?');
const LINE_END = Buffer.from('\n');
const TO_JIS_X_0208 = Buffer.from('\x1b$B', 'latin1');
const TO_ASCII = Buffer.from('\x1b(B', 'latin1');
/** Four-byte codes of GB 18030, in their order: first the rest of the Basic Multilingual Plane, later all other planes. */
const GB18030_BMP_CODES = 39_420;
const GB18030_FIRST_BEYOND_BMP = 189_000;
const encoders = new Map<string, Encoder>();

/**
 * Encoders for the encodings that Node only decodes. Each inverts the decoder's table on first use, so that text survives a
 * round trip (docs/decisions/0037). Unmappable characters are replaced by plain ones.
 */
export function encoderOf(encoding: string, decode: Decoder): Encoder {
  let encoder = encoders.get(encoding);
  if (encoder === undefined) {
    encoder = encoding === 'iso-2022-jp' ? japaneseEncoder() : encoderBy(tableOf(encoding, decode), encoding);
    encoders.set(encoding, encoder);
  }
  return encoder;
}

function encoderBy(table: Table, encoding: string): Encoder {
  const otherwise = encoding === 'gb18030' ? beyondBmp : plainly;
  return (text) => Buffer.concat(Array.from(text, (one) => asciiOf(one) ?? table.get(one) ?? otherwise(one)));
}

function tableOf(encoding: string, decode: Decoder): Table {
  if (encoding === 'big5' || encoding === 'euc-kr') return turnedRound(encoding, pairs(0x81, 0x40, 0xff));
  // 0x80, which decoders read as the euro sign, is no code of the standard.
  if (encoding === 'gb18030')
    return turnedRound(encoding, [...pairs(0x81, 0x40, 0xff), ...sequence(GB18030_BMP_CODES, gb18030Code)]);
  const table: Table = new Map();
  for (const byte of sequence(0x100, (code) => Buffer.of(code))) {
    const text = decode(byte, encoding);
    if (text !== null && !table.has(text)) table.set(text, byte);
  }
  return table;
}

function plainly(character: string): Buffer {
  return Buffer.from(standInFor(character), 'latin1');
}

function asciiOf(character: string): Buffer | undefined {
  return ASCII[character.charCodeAt(0)];
}

function beyondBmp(character: string): Buffer {
  const codePoint = character.codePointAt(0)!;
  return codePoint < 0x10000 ? QUESTION_MARK : gb18030Code(GB18030_FIRST_BEYOND_BMP + codePoint - 0x10000);
}

function gb18030Code(place: number): Buffer {
  const rest = Math.floor(place / 10);
  return Buffer.of(
    0x81 + Math.floor(rest / 1260),
    0x30 + (Math.floor(rest / 126) % 10),
    0x81 + (rest % 126),
    0x30 + (place % 10),
  );
}

function japaneseEncoder(): Encoder {
  const table = turnedRound('iso-2022-jp', pairs(0x21, 0x21, 0x7f), TO_JIS_X_0208, TO_ASCII);
  return (text) => {
    const parts: Buffer[] = [];
    let isJapanese = false;
    for (const character of text) {
      const pair = table.get(character);
      if ((pair !== undefined) !== isJapanese) parts.push(isJapanese ? TO_ASCII : TO_JIS_X_0208);
      isJapanese = pair !== undefined;
      parts.push(pair ?? asciiOf(character) ?? plainly(character));
    }
    if (isJapanese) parts.push(TO_ASCII);
    return Buffer.concat(parts);
  };
}

/** Codes of several bytes by the character that they mean, the first of several. All are decoded at once, a line each. */
function turnedRound(encoding: string, codes: readonly Buffer[], ...[before, after]: readonly Buffer[]): Table {
  const line = (code: Buffer) => [before, code, after, LINE_END].filter((part) => part !== undefined);
  const lines = new TextDecoder(encoding).decode(Buffer.concat(codes.flatMap(line))).split('\n');
  const table: Table = new Map();
  codes.forEach((code, place) => {
    const text = lines[place]!;
    // A code that means nothing is read as U+FFFD, or as nothing and its second byte as ASCII.
    const isOneCharacter = text > '\x7f' && text !== '\ufffd' && [...text].length === 1;
    if (isOneCharacter && !table.has(text)) table.set(text, code);
  });
  return table;
}

function pairs(firstLead: number, firstTrail: number, end: number): Buffer[] {
  const leads = sequence(end - firstLead, (place) => firstLead + place);
  return leads.flatMap((lead) => sequence(end - firstTrail, (place) => Buffer.of(lead, firstTrail + place)));
}

function sequence<T>(length: number, at: (place: number) => T): T[] {
  return Array.from({ length }, (_, place) => at(place));
}
