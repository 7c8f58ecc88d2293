import { jsonOf } from './json-bytes.js';
import { PIECE } from './turns.js';

const LONG = 'a"\\ä\u{1F600}\n'.repeat(PIECE / 4);

describe('JSON of a value', () => {
  it.each([
    ['nothing long', { a: [1, null, { b: 'c' }], d: undefined, e: new Date(0) }],
    ['a list', [undefined, 1, 'a']],
  ])('is text where there is %s', async (_, value) => {
    expect(await jsonOf(value)).toBe(JSON.stringify(value));
  });

  it.each([
    ['a long text', LONG],
    ['a long text of characters outside the BMP', `x${'\u{1F600}'.repeat(PIECE)}`],
    ['half a character at the end', `${'x'.repeat(PIECE)}\ud83d`],
    ['a long text far within', { a: [{ b: { c: [{ d: LONG }, undefined] } }], e: undefined, f: new Date(0), g: {} }],
    ['many entries', { entry: Array.from({ length: 500 }, (_, at) => ({ at, text: 'ä', nothing: undefined })) }],
    ['a list of which nothing is written', { entry: Array.from({ length: 60 }, () => undefined), text: LONG }],
  ])('is the bytes of the same text where there is %s', async (_, value) => {
    const bytes = await jsonOf(value);
    expect(bytes).toBeInstanceOf(Buffer);
    expect((bytes as Buffer).equals(Buffer.from(JSON.stringify(value)))).toBe(true);
  });
});
