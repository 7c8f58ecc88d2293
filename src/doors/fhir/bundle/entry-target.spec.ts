import { readTarget } from './entry-target.js';

const BASE = 'https://gateway.test/fhir/R4';

describe('the url of an entry', () => {
  it.each([
    ['', 'empty'],
    ['metadata', 'of the system'],
    ['patient/1', 'not a type'],
    ['Patient/_search', 'a search by POST'],
    ['Patient/1/$everything', 'an operation'],
    ['Patient/1/_history/1/2', 'longer than any'],
    ['Patient/1/_other', 'no history'],
    ['Patient/a b', 'with an id that is none'],
    ['Patient/1?_summary=true', 'a read with parameters'],
    ['Patient/1/_history/2?_summary=true', 'a version with parameters'],
    ['https://elsewhere.test/fhir/Patient/1', 'of another server'],
    ['../admin/v1/organizations', 'out of the base'],
  ])('%s is refused: %s', (url) => {
    expect(readTarget(url, BASE)).toBeNull();
  });

  it.each(['Patient/1', '/Patient/1', `${BASE}/Patient/1`, 'https://gateway.test/fhir/Patient/1'])(
    '%s is a resource of ours',
    (url) => {
      expect(readTarget(url, BASE)).toEqual({ kind: 'instance', type: 'Patient', id: '1' });
    },
  );

  it('is a type, a search, a history or a version', () => {
    expect(readTarget('Patient', BASE)).toEqual({ kind: 'type', type: 'Patient', query: new URLSearchParams() });
    const search = readTarget('Patient?identifier=s|1&name=a/b?c', BASE);
    expect(search).toMatchObject({ kind: 'type', type: 'Patient' });
    expect(search?.kind === 'type' && [...search.query]).toEqual([
      ['identifier', 's|1'],
      ['name', 'a/b?c'],
    ]);
    expect(readTarget('Patient/1/_history?_count=2', BASE)).toMatchObject({ kind: 'history', id: '1' });
    expect(readTarget('Patient/1/_history/2', BASE)).toEqual({
      kind: 'version',
      type: 'Patient',
      id: '1',
      version: '2',
    });
  });
});
