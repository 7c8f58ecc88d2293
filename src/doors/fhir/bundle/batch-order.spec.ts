import type { BundleEntry } from './bundle-entry.js';
import { inBatchOrder } from './batch-order.js';
import { readTarget } from './entry-target.js';

const BASE = 'https://gateway.test/fhir';
const put = (index: number, url: string, ...references: string[]): BundleEntry => ({
  index,
  fullUrl: null,
  method: 'PUT',
  target: readTarget(url, BASE)!,
  conditions: {},
  resource: { resourceType: 'Basic', author: references.map((reference) => ({ reference })) },
});
const order = (...entries: BundleEntry[]): number[][] =>
  inBatchOrder(entries, BASE).map((group) => group.map(({ index }) => index));

describe('the order of a batch', () => {
  it('is that of the entries where none refers to what another puts', () => {
    expect(order(put(0, 'Patient/a'), put(1, 'Patient/b', 'Patient/elsewhere', '#a'))).toEqual([[0, 1]]);
    expect(
      order(
        { ...put(0, 'Patient?identifier=a'), method: 'PUT' },
        { ...put(1, 'Patient/b', 'Patient/b'), method: 'GET', resource: undefined },
      ),
    ).toEqual([[0, 1]]);
    expect(order({ ...put(0, 'Patient/a'), resource: 'none' })).toEqual([[0]]);
  });

  it('has what is referred to before what refers to it, by whatever address', () => {
    expect(
      order(
        put(0, 'Observation/o', 'Encounter/e', `${BASE}/Patient/p`),
        put(1, 'Encounter/e', 'Patient/p/_history/1'),
        put(2, 'Patient/p'),
      ),
    ).toEqual([[2], [1], [0]]);
    expect(order({ ...put(0, 'Condition', 'Patient/p'), method: 'POST' }, put(1, 'Patient/p'))).toEqual([[1], [0]]);
  });

  it('ends where entries refer to each other or to themselves', () => {
    expect(
      order(put(0, 'Patient/a', 'Patient/b', 'Patient/a'), put(1, 'Patient/b', 'Patient/a'))
        .flat()
        .sort(),
    ).toEqual([0, 1]);
  });
});
