import { isSameJson } from './same-content.js';

describe('isSameJson', () => {
  it.each([
    ['another value', { a: 1 }, { a: 2 }],
    ['a missing key', { a: 1, b: 2 }, { a: 1 }],
    ['a null for nothing', { a: null }, {}],
    ['another order in a list', [1, 2], [2, 1]],
    ['a list for an object', [], {}],
    ['a number for its text', 1, '1'],
    ['a deeper difference', { a: { b: [{ c: 1 }] } }, { a: { b: [{ c: 2 }] } }],
  ])('sees %s', (_, one, other) => {
    expect([isSameJson(one, other), isSameJson(other, one)]).toEqual([false, false]);
  });

  it('takes keys in any order, and undefined for absent', () => {
    expect(isSameJson({ a: 1, b: { c: [1, { d: null }] }, e: undefined }, { b: { c: [1, { d: null }] }, a: 1 })).toBe(
      true,
    );
  });
});
