import { isSuturaError } from '../../core/errors/sutura-error.js';
import type { JsonLimits } from './limits.js';
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

  it.each(['{"a":1,"a":2}', '{"x":{"a":1,"\\u0061":2}}', '[{"a":[],"b":"a","a":{}}]'])(
    'refuses a key named twice: %s',
    (text) => {
      expect(refusal(text)).toContain('same key twice');
    },
  );

  it.each(['{"__proto__":1}', '{"a":{"constructor":{}}}', '{"\\u005f_proto__":1}'])(
    'refuses a key that reaches into prototypes: %s',
    (text) => {
      expect(refusal(text)).toContain('reserved name');
    },
  );

  it('refuses more than 32 levels, before the parser sees them', () => {
    expect(refusal('['.repeat(33) + ']'.repeat(33))).toContain('deeper than 32');
    expect(refusal('['.repeat(200_000))).toContain('deeper than 32');
    expect(parse('['.repeat(32) + ']'.repeat(32))).toBeDefined();
  });

  it.each(['["\\ud800"]', '{"a\\udfff":1}', '"x\\uDC00\\uD800"', '"\\\\\\ud83d"'])(
    'refuses a character that is only half there: %s',
    (text) => {
      expect(refusal(text)).toContain('unpaired surrogate');
    },
  );

  it.each(['"\\ud83d\\ude00"', '"\\\\ud800"', '"\\u00e4\\"\\\\"', '{"\\ud83d\\ude00":"\\\\"}'])(
    'takes whole characters, escaped or not: %s',
    (text) => {
      expect(parse(text)).toEqual(JSON.parse(text));
    },
  );

  describe('within limits', () => {
    const limits: JsonLimits = { depth: 8, values: 50, members: 10, escapes: 4, digits: 12 };
    const refusalOf = (text: string): unknown => {
      try {
        parseStrictJson(Buffer.from(text), limits);
      } catch (error) {
        return isSuturaError(error, 'request.too_large')
          ? 'too large'
          : isSuturaError(error, 'request.invalid')
            ? error.detail
            : error;
      }
      return 'accepted';
    };
    const list = (count: number, item: string): string => `[${Array.from({ length: count }, () => item).join(',')}]`;

    it.each([
      ['a list of too many', list(11, '{}')],
      ['an object of too many', `{${Array.from({ length: 11 }, (_, index) => `"k${index}":0`).join(',')}}`],
      ['too many values in all', list(6, list(9, '1'))],
      ['too many escapes', String.raw`["\n\n","\n\n\n"]`],
      ['too many before it is seen that it is no JSON', `${list(11, '1')}]]]`],
    ])('refuses %s as too large', (_, text) => {
      expect(refusalOf(text)).toBe('too large');
    });

    it('refuses a number of more digits than any has', () => {
      expect(refusalOf('[1234567890123]')).toContain('longer than 12');
    });

    it.each([
      list(10, '1'),
      list(5, list(8, '1')),
      String.raw`["\n\n","\\\\"]`,
      '[-1.5e+10]',
      '["1234567890123,,,,,,,,,,,,,,,,,,,,,,,,"]',
    ])('takes what is just within them: %s', (text) => {
      expect(refusalOf(text)).toBe('accepted');
    });
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
      const [small, large] = await Promise.allSettled([
        Promise.resolve().then(() => parse(text)),
        parseLargeStrictJson(Buffer.from(text)),
      ]);
      expect([large.status, (large as PromiseRejectedResult).reason]).toEqual([
        'rejected',
        (small as PromiseRejectedResult).reason,
      ]);
    }
  });
});
