import { RefusalGroups, type Refused } from './refusal-groups.js';

const refused = (changes: Partial<Refused> = {}): Refused => ({
  organizationId: 'o',
  environment: 'test',
  keyId: 'unknown',
  address: '192.0.2.1',
  door: 'rest',
  method: 'GET',
  route: '/api/v1/usage',
  code: 'auth.invalid',
  requestId: 'r-1',
  resource: null,
  person: null,
  ...changes,
});
const MINUTE_MS = 60_000;

describe('refusals as rows', () => {
  let groups: RefusalGroups;
  beforeEach(() => {
    groups = new RefusalGroups();
  });

  it('are none without any', () => {
    expect([groups.due(0), groups.due(MINUTE_MS)]).toEqual([[], []]);
  });

  it('are one at once for the first of a kind, and one at the end of the minute for all that followed', () => {
    for (let time = 0; time < 5; time += 1) groups.add(refused(), 0);
    expect(groups.due(1000)).toEqual([{ ...refused(), occurrences: 5 }]);
    for (let time = 0; time < 1000; time += 1) groups.add(refused({ requestId: 'later' }), 2000);
    expect(groups.due(3000)).toEqual([]);
    expect(groups.due(MINUTE_MS)).toMatchObject([{ occurrences: 1000 }]);
    expect(groups.due(2 * MINUTE_MS)).toEqual([]);
  });

  it('tell who, from where, what and why apart', () => {
    const kinds = [
      {},
      { address: '192.0.2.2' },
      { keyId: 'k' },
      { method: 'PUT' },
      { route: '/fhir/Patient' },
      { code: 'auth.missing' },
      { organizationId: 'p' },
      { environment: 'live' as const },
    ];
    for (const kind of kinds) groups.add(refused(kind), 0);
    expect(groups.due(1000)).toHaveLength(kinds.length);
  });

  it('of a flood from ever new addresses are few, with every one counted, and leave other organizations theirs', () => {
    for (let host = 0; host < 50_000; host += 1) groups.add(refused({ address: `2001:db8::${host.toString(16)}` }), 0);
    groups.add(refused({ organizationId: 'p', keyId: 'k', code: 'auth.scope' }), 0);
    const rows = groups.due(1000);
    expect(rows).toHaveLength(22);
    expect(rows.reduce((sum, { occurrences }) => sum + occurrences, 0)).toBe(50_001);
    expect(rows.find(({ keyId }) => keyId === 'several')).toMatchObject({
      address: null,
      requestId: null,
      occurrences: 49_980,
    });
    expect(rows.find(({ organizationId }) => organizationId === 'p')).toMatchObject({ keyId: 'k', occurrences: 1 });
  });

  it('are all written at the end of the process', () => {
    groups.add(refused(), 0);
    groups.due(500);
    groups.add(refused(), 600);
    expect(groups.due(700, true)).toHaveLength(1);
  });
});
