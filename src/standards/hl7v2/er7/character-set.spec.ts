import { createHash } from 'node:crypto';
import { decodeText, encodeText, findCharacterSet } from './character-set.js';
import { standInFor } from './stand-ins.js';

describe('character sets of MSH-18', () => {
  it.each(['UNICODE', 'UNICODE UTF-16', 'UTF-32'])('does not support %s', (name) =>
    expect(findCharacterSet(name)).toEqual({ kind: 'unsupported' }),
  );

  it.each(['8859/10', 'KOI8-R', 'ISO IR159', 'x', 'constructor'])('does not know %s', (name) =>
    expect(findCharacterSet(name)).toEqual({ kind: 'unknown' }),
  );

  it.each([
    ['ASCII', Buffer.from('grün', 'utf8')],
    ['UNICODE UTF-8', Buffer.from('gr\xfcn', 'latin1')],
    ['8859/6', Buffer.of(0x41, 0xa1)],
    ['GB 18030-2000', Buffer.of(0x81)],
    ['BIG-5', Buffer.of(0x41, 0xff)],
    ['BIG-5', Buffer.of(0x41, 0xff, 0x41)],
    ['KS X 1001', Buffer.of(0xff, 0x41)],
    ['KS X 1001', Buffer.of(0x41, 0x81, 0x30)],
  ])('reads no bytes that %s has no character for', (name, bytes) =>
    expect(decodeText(bytes, encodingOf(name))).toBeNull(),
  );

  it.each([
    ['ASCII', 'wound', 'wound'],
    ['8859/1', 'Dekubitus, Würzburg', 'Dekubitus, W\xfcrzburg'],
    ['8859/1', 'control \u0085 and \u0092', 'control \x85 and \x92'],
    ['windows-1252', '5 € – „Wunde“ \u0081', '5 \x80 \x96 \x84Wunde\x93 \x81'],
    ['8859/2', 'Łódź', '\xa3\xf3d\xbc'],
    ['8859/5', 'Рана', '\xc0\xd0\xdd\xd0'],
    ['8859/7', 'Έλκος', '\xb8\xeb\xea\xef\xf2'],
    ['8859/9', 'Iğdır \u0085', 'I\xf0d\xfdr \x85'],
    ['8859/15', '5 €', '5 \xa4'],
    ['UNICODE UTF-8', 'Ελκος 褥瘡', '\xce\x95\xce\xbb\xce\xba\xce\xbf\xcf\x82 \xe8\xa4\xa5\xe7\x98\xa1'],
    ['ISO IR87', '褥瘡 A', '\x1b$B\x3f\x65\x41\x64\x1b(B A'.replace('\x3f\x65\x41\x64', japanese('褥瘡'))],
    ['GB 18030-2000', '伤口', '\xc9\xcb\xbf\xda'],
    ['GB 18030-2000', '5 € 𠮷 é ؀', '5 \xa2\xe3 \x954\xb25 \xa8\xa6 \x810\xfe0'],
    ['BIG-5', '傷口', '\xb6\xcb\xa4f'],
    ['KS X 1001', '상처', '\xbb\xf3\xc3\xb3'],
  ])('reads and writes %s', (name, text, bytes) => {
    const encoded = Buffer.from(bytes, 'latin1');
    expect(decodeText(encoded, encodingOf(name))).toBe(text);
    expect(encodeText(text, name)).toEqual(encoded);
  });

  it.each([
    ['', "5 EUR 1 '?"],
    ['ASCII', "5 EUR 1 '?"],
    ['8859/1', "5 EUR 1 '?"],
    ['8859/2', "5 EUR 1 '?"],
  ])('writes plain characters for what %p lacks', (name, written) =>
    expect(encodeText('5 € 1 ’日', name).toString('latin1')).toBe(written),
  );

  // The digest is of all that is written, so that no version of Node writes anything else unseen.
  it.each([
    ['8859/1', 253, '50e87fc6a3ccec26'],
    ['8859/2', 253, 'b0845b296882a04b'],
    ['8859/3', 246, 'f7374a9725b84510'],
    ['8859/4', 253, '02c200d3ad9e3a96'],
    ['8859/5', 253, 'f1705c9ba1fe85f4'],
    ['8859/6', 208, '9835e2c27496b89f'],
    ['8859/7', 250, 'ba1d97dc30ae0126'],
    ['8859/8', 217, 'c29275c3464e0ac9'],
    ['8859/9', 253, '27a7e7ba67cc0685'],
    ['8859/15', 253, 'fdac28fa2dfb09f8'],
    ['windows-1252', 253, 'b1a5a8a56df626f1'],
    ['BIG-5', 19835, 'b40779e5e5b7194f'],
    ['KS X 1001', 8537, 'f38b710218a43651'],
    ['GB 18030-2000', 63977, '2c74f0402ad26e62'],
    ['ISO IR87', 7451, 'eca2a3f5724cc4c5'],
  ])('reads back all that %s has: %i characters, and writes what stands in for all others', (name, count, digest) => {
    const encoding = encodingOf(name);
    const others: (readonly [string, string | undefined])[] = [];
    let own = 0;
    for (const some of SOME_AT_ONCE) {
      const lines = decodeText(encodeText(some.join('\n\n'), name), encoding)?.split('\n\n') ?? [];
      some.forEach((character, index) => {
        if (lines[index] === character) own += 1;
        else others.push([character, lines[index]]);
      });
    }
    expect(others.filter(([character, read]) => read !== standInOnce(character))).toEqual([]);
    expect(own).toBe(count);
    const written = encodeText(EVERY_CHARACTER, name);
    expect(createHash('sha256').update(written).digest('hex').slice(0, 16)).toBe(digest);
  });

  it('writes a set that it does not know as UTF-8', () =>
    expect(encodeText('€', 'KOI8-R')).toEqual(Buffer.from('€', 'utf8')));
});

const standIns = new Map<string, string>();

/** As `standInFor`, asked once for all sets. */
function standInOnce(character: string): string {
  const known = standIns.get(character) ?? standInFor(character);
  standIns.set(character, known);
  return known;
}

const PLANES = Array.from({ length: 17 }, (_, plane) => plane * 0x10000);
/** The Basic Multilingual Plane without surrogates and the codes that shift ISO-2022-JP, and both ends of each plane beyond. */
const EVERY_CHARACTER = PLANES.map((first) => {
  const codePoints = Array.from({ length: 0x10000 }, (_, place) => first + place);
  const wanted =
    first === 0
      ? codePoints.filter((code) => (code < 0xd800 || code > 0xdfff) && ![0x0e, 0x0f, 0x1b].includes(code))
      : [...codePoints.slice(0, 16), ...codePoints.slice(-16)];
  return wanted.map((code) => String.fromCodePoint(code)).join('');
}).join('');

/** Read together, a line each, since one by one they are a million readings; what shifts or ends lines is read by itself. */
const SOME_AT_ONCE = [
  ...Array.from(EVERY_CHARACTER.slice(0, 0x20), (character) => [character]),
  ...partsOf(Array.from(EVERY_CHARACTER.slice(0x20)), 500),
];

function partsOf(all: readonly string[], length: number): string[][] {
  return Array.from({ length: Math.ceil(all.length / length) }, (_, part) =>
    all.slice(part * length, (part + 1) * length),
  );
}

function encodingOf(name: string): string {
  const verdict = findCharacterSet(name);
  if (verdict.kind !== 'known') throw new Error(`${name} is ${verdict.kind}`);
  return verdict.encoding;
}

/** The pairs of JIS X 0208 that Node's decoder reads as these characters. */
function japanese(text: string): string {
  const decoder = new TextDecoder('iso-2022-jp');
  return Array.from(text, (wanted) => {
    for (let lead = 0x21; lead < 0x7f; lead += 1) {
      for (let trail = 0x21; trail < 0x7f; trail += 1) {
        const pair = String.fromCharCode(lead, trail);
        if (decoder.decode(Buffer.from(`\x1b$B${pair}\x1b(B`, 'latin1')) === wanted) return pair;
      }
    }
    throw new Error('no such pair');
  }).join('');
}
