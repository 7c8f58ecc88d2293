import { isSuturaError } from '../../core/errors/sutura-error.js';
import { parseLargeStrictJson, parseStrictJson } from './strict-json.js';

const parse = (text: string) => parseStrictJson(Buffer.from(text));
const refusal = (bytes: Buffer | string): unknown => {
  try {
    parseStrictJson(Buffer.from(bytes as string));
  } catch (error) {
    return isSuturaError(error, 'request.invalid') ? error.detail : error;
  }
  return 'accepted';
};

describe('strict JSON', () => {
  it.each([
    ['cut off', '{"a":'],
    ['no JSON', 'hello'],
    ['a comma too many', '{"a":1,}'],
    ['a cut-off string', '{"a":"b'],
    ['a bad escape in a key', '{"\\x":1}'],
    ['two values', '1 2'],
  ])('refuses %s as not valid JSON', (_, text) => {
    expect(refusal(text)).toBe('The body is not valid JSON. Correct it and send it again.');
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(refusal(Buffer.from([0x22, 0xff, 0x22]))).toContain('UTF-8');
  });

  it.each(['{"a":1,"a":2}', '{"x":{"a":1,"\\u0061":2}}', '[{"a":[],"b":"a","a":{}}]'])('refuses a key named twice: %s', (text) => {
    expect(refusal(text)).toContain('same key twice');
  });

  it.each(['{"__proto__":1}', '{"a":{"constructor":{}}}', '{"\\u005f_proto__":1}'])('refuses a key that reaches into prototypes: %s', (text) => {
    expect(refusal(text)).toContain('reserved name');
  });

  it('refuses more than 32 levels, before the parser sees them', () => {
    expect(refusal('['.repeat(33) + ']'.repeat(33))).toContain('deeper than 32');
    expect(refusal('['.repeat(200_000))).toContain('deeper than 32');
    expect(parse('['.repeat(32) + ']'.repeat(32))).toBeDefined();
  });

  it('reads what JSON.parse reads', () => {
    const text = '{ "a" : [1, {"b":"{\\"a\\":1,\\"a\\":2}"}, {"b":null}], "c": "\\\\", "d\\"": "a:b", "ä": true }';
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it('allows the same key in different objects', () => {
    expect(parse('{"a":{"a":{"a":1}},"b":{"a":2}}')).toEqual({ a: { a: { a: 1 } }, b: { a: 2 } });
  });

  it('is the same for a large body, and for text that is not ASCII', async () => {
    const value = { name: 'Müller', data: 'A'.repeat(100), list: [1, { deep: null }] };
    expect(parse(JSON.stringify(value))).toEqual(value);
    await expect(parseLargeStrictJson(Buffer.from(JSON.stringify(value)))).resolves.toEqual(value);
    for (const text of ['{"a":', '{"a":1,"a":2}', '{"__proto__":1}', '['.repeat(200)]) {
      const [small, large] = await Promise.allSettled([Promise.resolve().then(() => parse(text)), parseLargeStrictJson(Buffer.from(text))]);
      expect([large.status, (large as PromiseRejectedResult).reason]).toEqual(['rejected', (small as PromiseRejectedResult).reason]);
    }
  });
});
