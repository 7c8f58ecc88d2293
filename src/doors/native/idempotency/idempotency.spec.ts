import { isSuturaError } from '../../../core/errors/sutura-error.js';
import { canonicalJson } from './idempotent-request.js';
import { readIdempotencyKey } from '../../../platform/http/idempotency-key.js';
import { fromStoredAnswer, toIdempotencyKey, toStoredAnswer } from './idempotent-request.js';

describe('Idempotency-Key', () => {
  it.each([
    ['empty', ''],
    ['quoted and empty', '""'],
    ['too long', 'x'.repeat(256)],
    ['too long in quotes', `"${'x'.repeat(256)}"`],
    ['not ASCII', 'schlüssel'],
    ['not printable', 'a\tb'],
  ])('refuses one that is %s', (_, header) => {
    let thrown: unknown;
    try {
      readIdempotencyKey(header);
    } catch (error) {
      thrown = error;
    }
    expect(isSuturaError(thrown, 'request.invalid') && thrown.facts.errors).toEqual([
      { pointer: '/header/Idempotency-Key', detail: 'must be 1 to 255 printable ASCII characters' },
    ]);
  });

  it('is the same key quoted or bare', () => {
    expect(readIdempotencyKey('abc-1')).toBe('abc-1');
    expect(readIdempotencyKey('"abc-1"')).toBe('abc-1');
    expect(readIdempotencyKey('"a\\"b\\\\c"')).toBe('a"b\\c');
    expect(readIdempotencyKey('x'.repeat(255))).toHaveLength(255);
    expect(readIdempotencyKey(undefined)).toBeNull();
  });
});

describe('the digest of a body', () => {
  it('does not depend on the order of fields', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: undefined })).toBe('{"b":[1,{"c":"x","d":null}]}');
    expect(toIdempotencyKey('r', 'k', { a: 1, b: 2 })).toEqual(toIdempotencyKey('r', 'k', { b: 2, a: 1 }));
    expect(toIdempotencyKey('r', 'k', { a: 1 })).not.toEqual(toIdempotencyKey('r', 'k', { a: '1' }));
    expect(toIdempotencyKey('r', null, {})).toBeNull();
  });
});

describe('a stored answer', () => {
  it('says that it is a repeat, and is the same to the byte', () => {
    const answer = { status: 201, headers: { location: '/x' }, body: '{"z":1,"a":2}' };
    expect(fromStoredAnswer({ answer: toStoredAnswer(answer), replayed: false })).toEqual(answer);
    expect(fromStoredAnswer({ answer: toStoredAnswer(answer), replayed: true })).toEqual({
      ...answer,
      headers: { location: '/x', 'idempotency-replayed': 'true' },
    });
  });
});
