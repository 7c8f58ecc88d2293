import { randomBase62, toBase62, composeKeyText, digestOfKey, isKeyText } from './key-text.js';
import { crc32 } from 'node:zlib';
import { RandomKeyMint } from './random-key.mint.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY = composeKeyText('live', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fX');

describe('the text of a key', () => {
  test.each([
    '',
    'sut_test_',
    'Bearer x',
    KEY.slice(0, -1),
    `${KEY}0`,
    ` ${KEY}`,
    `${KEY}\n`,
    KEY.replace('live', 'prod'),
    KEY.replace('live', 'test'),
    KEY.toUpperCase(),
  ])('is refused where its form is wrong: case %#', (text) => {
    expect(isKeyText(text)).toBe(false);
  });

  test('is refused for every single mistyped character', () => {
    const accepted: string[] = [];
    for (let at = 0; at < KEY.length; at += 1) {
      for (const character of `${ALPHABET}_- `) {
        if (character === KEY[at]) continue;
        const mistyped = KEY.slice(0, at) + character + KEY.slice(at + 1);
        if (isKeyText(mistyped)) accepted.push(mistyped);
      }
    }
    expect(accepted).toEqual([]);
  });

  test('is refused where two neighbours are swapped', () => {
    for (let at = 0; at < KEY.length - 1; at += 1) {
      const swapped = KEY.slice(0, at) + (KEY[at + 1] ?? '') + (KEY[at] ?? '') + KEY.slice(at + 2);
      if (swapped !== KEY) expect(isKeyText(swapped)).toBe(false);
    }
  });

  test('is accepted as it was composed', () => {
    expect(KEY).toMatch(/^sut_live_[0-9A-Za-z]{38}$/);
    expect(isKeyText(KEY)).toBe(true);
  });

  test('ends in the checksum that zlib computes', () => {
    expect(crc32('123456789')).toBe(0xcbf43926);
    expect(KEY.slice(-6)).toBe(toBase62(crc32(KEY.slice(0, -6)), 6));
  });
});

describe('base 62', () => {
  test('pads to its length and counts in order', () => {
    expect([0, 61, 62, 2 ** 32 - 1].map((value) => toBase62(value, 6))).toEqual([
      '000000',
      '00000z',
      '000010',
      '4gfFC3',
    ]);
  });

  test('draws every character', () => {
    expect(new Set(randomBase62(20_000)).size).toBe(62);
  });
});

describe('the mint', () => {
  test('makes well-formed keys that differ, with what is shown and what is stored', () => {
    const minted = Array.from({ length: 50 }, () => new RandomKeyMint().mint('test'));
    expect(new Set(minted.map(({ text }) => text)).size).toBe(50);
    for (const { text, sha256, prefix, lastFour } of minted) {
      expect(isKeyText(text)).toBe(true);
      expect(Buffer.from(sha256)).toEqual(digestOfKey(text));
      expect([text.startsWith(prefix), prefix.length, text.slice(-4)]).toEqual([true, 12, lastFour]);
    }
  });
});
