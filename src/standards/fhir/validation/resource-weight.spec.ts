import { isSuturaError } from '../../../core/errors/sutura-error.js';
import { refuseHeavy, RESOURCE_LIMITS, weigh } from './resource-weight.js';

const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
const verdictOf = (resource: unknown): string => {
  try {
    refuseHeavy(resource);
    return 'taken';
  } catch (error) {
    return isSuturaError(error, 'request.too_large') ? (error.detail ?? '') : String(error);
  }
};

describe('the weight of a resource', () => {
  it.each<[string, unknown, RegExp]>([
    [
      'too many values',
      {
        resourceType: 'Patient',
        extension: times(900, { url: 'urn:x', extension: times(4, { url: 'a', valueString: 'b' }) }),
      },
      /10000 values/,
    ],
    ['too long a list', { resourceType: 'Patient', name: times(1001, { family: 'A' }) }, /1000 members/],
    ['too much text', { resourceType: 'Patient', name: times(3, { text: 'x'.repeat(100_000) }) }, /262144 characters/],
    [
      'too many values for a Bundle',
      { resourceType: 'Bundle', entry: times(20_000, { fullUrl: 'urn:x' }) },
      /40000 values/,
    ],
  ])('refuses %s', (_, resource, detail) => {
    expect(verdictOf(resource)).toMatch(detail);
  });

  it('takes a photo of many megabytes, and a Bundle of many resources', () => {
    expect(verdictOf({ resourceType: 'Media', content: { data: 'A'.repeat(20_000_000) } })).toBe('taken');
    expect(
      verdictOf({
        resourceType: 'Bundle',
        entry: times(2000, { resource: { resourceType: 'Patient', name: [{ family: 'A' }] } }),
      }),
    ).toBe('taken');
  });

  it('counts what is deep, and stops at the limit', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(weigh(deep)).toMatchObject({ values: 100_001, depth: 100_000, members: 1 });
    expect(weigh(deep, 50).values).toBe(51);
    expect(weigh({ ab: ['cde', null, { data: 'AAAA' }] })).toEqual({
      values: 6,
      members: 3,
      depth: 3,
      characters: 13,
      attached: 4,
    });
    expect(RESOURCE_LIMITS.values).toBeLessThan(RESOURCE_LIMITS.valuesOfContainer);
  });
});
