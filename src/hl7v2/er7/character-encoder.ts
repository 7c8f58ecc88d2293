type Encoder = (text: string) => Buffer;
type Decoder = (bytes: Uint8Array, encoding: string) => string | null;

const QUESTION_MARK = Buffer.from('?');
const TO_JIS_X_0208 = Buffer.from('\x1b$B', 'latin1');
const TO_ASCII = Buffer.from('\x1b(B', 'latin1');
const encoders = new Map<string, Encoder>();

/**
 * Node decodes these encodings and has no encoder: the table is the decoder's, turned round, once for each encoding that is used.
 * Four-byte characters of GB 18030 are not in it.
 */
export function encoderOf(encoding: string, decode: Decoder): Encoder {
  let encoder = encoders.get(encoding);
  if (encoder === undefined) {
    encoder = encoding === 'iso-2022-jp' ? japaneseEncoder(decode) : plainEncoder(encoding, decode);
    encoders.set(encoding, encoder);
  }
  return encoder;
}

function plainEncoder(encoding: string, decode: Decoder): Encoder {
  const table = new Map<string, Buffer>();
  const remember = (bytes: Buffer) => {
    const text = decode(bytes, encoding);
    if (text !== null && [...text].length === 1 && !table.has(text)) table.set(text, bytes);
  };
  for (let byte = 0; byte < 0x100; byte += 1) remember(Buffer.of(byte));
  if (!encoding.startsWith('iso-8859-') && encoding !== 'windows-1252')
    forEachPair(0x81, 0x40, 0xff, (pair) => remember(pair));
  return (text) => Buffer.concat(Array.from(text, (character) => table.get(character) ?? QUESTION_MARK));
}

function japaneseEncoder(decode: Decoder): Encoder {
  const table = new Map<string, Buffer>();
  forEachPair(0x21, 0x21, 0x7f, (pair) => {
    const text = decode(Buffer.concat([TO_JIS_X_0208, pair, TO_ASCII]), 'iso-2022-jp');
    if (text !== null && text !== '' && !table.has(text)) table.set(text, pair);
  });
  return (text) => {
    const parts: Buffer[] = [];
    let isJapanese = false;
    for (const character of text) {
      const pair = character < '\x80' ? undefined : table.get(character);
      if ((pair !== undefined) !== isJapanese) parts.push(isJapanese ? TO_ASCII : TO_JIS_X_0208);
      isJapanese = pair !== undefined;
      parts.push(pair ?? (character < '\x80' ? Buffer.from(character) : QUESTION_MARK));
    }
    if (isJapanese) parts.push(TO_ASCII);
    return Buffer.concat(parts);
  };
}

function forEachPair(firstLead: number, firstTrail: number, end: number, visit: (pair: Buffer) => void): void {
  for (let lead = firstLead; lead < end; lead += 1)
    for (let trail = firstTrail; trail < end; trail += 1) visit(Buffer.of(lead, trail));
}
