import { eachSeed, seedsOf } from '../../../test/support/rounds.js';
import { Dice } from '../../../test/support/mutations.js';
import { atOnce, type Paced } from '../turns/turns.js';
import { LongParts } from './json-long-parts.js';
import { JsonPieces } from './json-pieces.js';
import { JsonScan } from './json-scan.js';
import { RECORD_JSON_LIMITS } from './limits.js';

const TEXTS = [
  '',
  'a',
  'ä',
  '\u{1F600}',
  'b"\\/',
  'line\nend',
  '\\\\\\',
  'x'.repeat(40),
  'ä\\'.repeat(9),
  '{"a":[',
  '\u2028',
];
/** Shorter than any piece. */
const KEYS = ['a', 'ä', '"', '\u{1F600}', '\n'];
const CHARACTERS = ['{', '}', '[', ']', ',', ':', '"', '\\', ' ', 'null', '1', '-', 'ä', '\n', '\\u00e4', '\t'];

function drawn(dice: Dice, depth: number): unknown {
  if (depth === 0 || dice.below(3) === 0) return dice.pick<unknown>([null, true, -1.5e10, 0, ...TEXTS]);
  const items = Array.from({ length: dice.below(6) }, () => drawn(dice, depth - 1));
  return dice.below(2) === 0
    ? items
    : Object.fromEntries(items.map((item, index) => [`${dice.pick(KEYS)}${index}`, item]));
}

/** As a sender may write it: with blanks, and with letters escaped that need not be. */
function written(dice: Dice, value: unknown): string {
  const text = JSON.stringify(value, null, dice.pick([0, 0, 2, 9]));
  return dice.below(2) === 0
    ? text
    : text.replaceAll(/[äx\u{1F600}\u2028]/gu, (letter) =>
        Array.from(
          { length: letter.length },
          (_, at) => `\\u${letter.charCodeAt(at).toString(16).padStart(4, '0')}`,
        ).join(''),
      );
}

/** Reads in pieces of about so many characters. */
function inPieces(json: string, atLeast: number): unknown {
  const bytes = Buffer.from(json);
  const text = bytes.toString('latin1');
  const long = new LongParts(atLeast);
  const scan = new JsonScan(text, RECORD_JSON_LIMITS, long);
  while (scan.advance(3));
  return atOnce(new JsonPieces(text, long, (from, to) => bytes.toString('utf8', from, to)).parsing());
}

function outcomeOf(read: () => unknown): unknown {
  try {
    return { value: read() };
  } catch {
    return 'refused';
  }
}

describe('JSON in pieces', () => {
  it.each([
    '[[1,2,3,4],,[1,2,3,4]]',
    '[[1,2,3,4],]',
    '[1,2,3,4}',
    '{"a":[1,2,3,4],}',
    '{"a":-[1,2,3,4]}',
    '{"a"[1,2,3,4]}',
    '{[1,2,3,4]}',
    '{"a":1"b":[1,2,3,4]}',
    '[1,2,3,4] [1,2,3,4]',
    '"abcdefgh" "abcdefgh"',
    '[1 "abcdefgh"]',
    '["abcdefgh" 1]',
    '"abcdefgh\n"',
    '"abcdefgh',
    '{"a":"abcdefgh","\\u0061":"abcdefgh"}',
    '{"ä":"abcdefgh","\\u00e4":"abcdefgh"}',
  ])('refuses %s', (json) => {
    expect(outcomeOf(() => inPieces(json, 4))).toBe('refused');
  });

  it('are what JSON.parse reads, wherever they are cut', async () => {
    await eachSeed('json-pieces', seedsOf('json-pieces', 5000), (seed) => {
      const dice = new Dice(seed);
      const json = written(dice, drawn(dice, 5));
      expect(inPieces(json, 20 + dice.below(40))).toEqual(JSON.parse(json));
    });
  });

  it('are refused wherever JSON.parse refuses the text', async () => {
    let refused = 0;
    await eachSeed('json-pieces-broken', seedsOf('json-pieces-broken', 10_000), (seed) => {
      const dice = new Dice(seed);
      let json = written(dice, drawn(dice, 4));
      for (let changes = 1 + dice.below(3); changes > 0; changes -= 1) {
        const at = dice.below(json.length + 1);
        json = `${json.slice(0, at)}${dice.below(3) === 0 ? '' : dice.pick(CHARACTERS)}${json.slice(at + dice.below(3))}`;
      }
      if (outcomeOf(() => JSON.parse(Buffer.from(json).toString('utf8'))) !== 'refused') return;
      refused += 1;
      expect(outcomeOf(() => inPieces(json, 1 + dice.below(40)))).toBe('refused');
    });
    expect(refused).toBeGreaterThan(50);
  });

  it('no piece is much longer than was asked for', () => {
    const json = JSON.stringify({
      a: 'x'.repeat(5000),
      b: Array.from({ length: 2000 }, () => ({ c: 'ä' })),
      d: '\\'.repeat(3000),
    });
    const bytes = Buffer.from(json);
    const long = new LongParts(100);
    const scan = new JsonScan(bytes.toString('latin1'), RECORD_JSON_LIMITS, long);
    while (scan.advance(1000));
    const lengths: number[] = [];
    const read = (from: number, to: number): string => {
      lengths.push(to - from);
      return bytes.toString('utf8', from, to);
    };
    const work: Paced<unknown> = new JsonPieces(bytes.toString('latin1'), long, read).parsing();
    expect(atOnce(work)).toEqual(JSON.parse(json));
    expect(lengths.length).toBeGreaterThan(150);
    expect(Math.max(...lengths)).toBeLessThan(130);
  });
});
