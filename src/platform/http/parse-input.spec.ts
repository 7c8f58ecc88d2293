import { z } from 'zod';
import { isSuturaError, type FieldError } from '../../core/errors/sutura-error.js';
import { parseInput, type InputPlace } from './parse-input.js';
import { plainText, uriText } from './text.schema.js';

const schema = z.strictObject({
  name: plainText(5).optional(),
  note: plainText(5, 0).optional(),
  count: z.int().min(0).max(10).optional(),
  size: z.number().gt(0).optional(),
  kind: z.enum(['a', 'b']).optional(),
  where: uriText().optional(),
  pairs: z.record(plainText(3), plainText(3)).optional(),
  inner: z.strictObject({ list: z.array(z.strictObject({ x: z.number() })) }).optional(),
});

function faults(value: unknown, place: InputPlace = ''): readonly FieldError[] {
  try {
    parseInput(schema, value, place);
  } catch (error) {
    if (isSuturaError(error, 'request.invalid')) return error.facts.errors ?? [];
    throw error;
  }
  return [];
}

describe('input checked against a schema', () => {
  it.each([
    ['a wrong type', { name: 5 }, '/name', 'must be of type string'],
    ['an unknown field', { nmae: 'x' }, '/nmae', 'is not a known field'],
    ['an unknown field below', { inner: { list: [], lost: 1 } }, '/inner/lost', 'is not a known field'],
    ['a missing field', { inner: { list: [{ x: 1 }, {}] } }, '/inner/list/1/x', 'is required'],
    ['too large a number', { count: 11 }, '/count', 'must be at most 10'],
    ['too small a number', { count: -1 }, '/count', 'must be at least 0'],
    ['zero where more is asked', { size: 0 }, '/size', 'must be more than 0'],
    ['a fraction', { count: 1.5 }, '/count', 'must be of type int'],
    ['another choice', { kind: 'c' }, '/kind', 'must be one of a, b'],
    ['too long a text', { name: 'abcdef' }, '/name', 'must be at most 5 characters long'],
    ['an empty text', { name: '' }, '/name', 'must be at least 1 character long'],
    ['a NUL', { name: 'a\0' }, '/name', 'must not contain NUL characters or unpaired surrogates'],
    ['a lone surrogate', { name: 'a\ud800b' }, '/name', 'must not contain NUL characters or unpaired surrogates'],
    [
      'a name that is too long',
      { pairs: { long: 'x' } },
      '/pairs/long',
      'has a name that cannot be used: it must be at most 3 characters long',
    ],
    [
      'a NUL in a name',
      { pairs: { 'a\0': 'x' } },
      '/pairs/a\0',
      'has a name that cannot be used: it must not contain NUL characters or unpaired surrogates',
    ],
    ['no URI', { where: 'here' }, '/where', 'must be an absolute URI of at most 255 characters'],
    ['no object', [], '', 'must be of type object'],
    ['null', null, '', 'must be of type object'],
    ['nothing', undefined, '', 'is required'],
  ])('names the place of %s', (_, value, pointer, detail) => {
    expect(faults(value)).toEqual([{ pointer, detail }]);
  });

  it('escapes pointers and keeps them short', () => {
    expect(faults({ 'a/b~c': 1 })).toEqual([{ pointer: '/a~1b~0c', detail: 'is not a known field' }]);
    expect(faults({ ['x'.repeat(10_000)]: 1 })[0]?.pointer).toHaveLength(65);
  });

  it('names at most 20 faults', () => {
    expect(faults(Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${index}`, 1])))).toHaveLength(20);
  });

  it('never repeats what was sent', () => {
    const secret = 'Erika Mustermann';
    const text = JSON.stringify([
      ...faults({ name: secret, kind: secret, where: secret, pairs: { a: secret }, count: secret }),
    ]);
    expect(text).not.toContain('Erika');
  });

  it('points into the query where the input came from there', () => {
    expect(faults({ kind: 'c' }, '/query')[0]?.pointer).toBe('/query/kind');
  });

  it('counts characters and not code units', () => {
    expect(faults({ name: '🩹🩹🩹🩹🩹' })).toEqual([]);
    expect(faults({ name: '🩹🩹🩹🩹🩹🩹' })).toHaveLength(1);
    expect(faults({ note: '' })).toEqual([]);
  });
});
