import { isUnchanged, requireMatch } from '../call/preconditions.js';
import { needsBundle, referencesOf, targetOf, withRelativeReferences } from '../interactions/reference-walk.js';
import { rangeOf } from './byte-range.js';
import { parseAddress } from './fhir-address.js';
import { basePathOf, queryOf } from './fhir-exchange.js';
import { readPreferences, requireAcceptable, requireBodyType } from './negotiation.js';

describe('addresses', () => {
  it.each(
    [
      'patient',
      'Patient/1/_history/',
      'Patient//1',
      'Patient/1/history',
      'Patient/1/_history/1/2',
      'Patient/1/2',
      '$Validate',
      'a/$b',
      'Patient/1/2/$x',
      'Patient/%ZZ',
      'metadata/x',
      'Patient/_id',
    ].filter((path) => path !== 'Patient/1/_history/'),
  )('that R4 has not: %s', (path) => {
    expect(parseAddress(`/${path}`)).toBeNull();
  });

  it.each([
    ['', { kind: 'base' }],
    ['/', { kind: 'base' }],
    ['/metadata', { kind: 'metadata' }],
    ['/Patient', { kind: 'type', type: 'Patient' }],
    ['/Patient/', { kind: 'type', type: 'Patient' }],
    ['/Patient/_search', { kind: 'search', type: 'Patient' }],
    ['/Patient/a%2Db', { kind: 'instance', type: 'Patient', id: 'a-b' }],
    ['/_history', { kind: 'changes', type: null }],
    ['/Patient/_history', { kind: 'changes', type: 'Patient' }],
    ['/Patient/1/_history', { kind: 'history', type: 'Patient', id: '1' }],
    ['/Patient/1/_history/2', { kind: 'version', type: 'Patient', id: '1', version: '2' }],
    ['/$convert', { kind: 'operation', name: 'convert', type: null, id: null }],
    ['/Observation/$lastn', { kind: 'operation', name: 'lastn', type: 'Observation', id: null }],
    [
      '/BodyStructure/1/$history-of-wound',
      { kind: 'operation', name: 'history-of-wound', type: 'BodyStructure', id: '1' },
    ],
  ])('that it has: %s', (path, address) => {
    expect(parseAddress(path)).toEqual(address);
  });

  it('belong to the base that was called', () => {
    expect([
      basePathOf('/fhir/R4/Patient'),
      basePathOf('/fhir/R4'),
      basePathOf('/fhir/R45'),
      basePathOf('/fhir'),
    ]).toEqual(['/fhir/R4', '/fhir/R4', '/fhir', '/fhir']);
    expect(queryOf('/fhir/Patient?a=1&b=%2C#c?d').toString()).toBe('a=1&b=%2C');
  });
});

describe('Prefer', () => {
  it.each([
    [undefined, { return: null, strict: false, lenient: false, respondAsync: false }],
    ['return=everything, handling=loose', { return: null, strict: false, lenient: false, respondAsync: false }],
    ['return=minimal', { return: 'minimal', strict: false, lenient: false, respondAsync: false }],
    [
      'RETURN="operationoutcome"; handling=strict',
      { return: 'OperationOutcome', strict: true, lenient: false, respondAsync: false },
    ],
    [
      'respond-async, return=representation, return=minimal',
      { return: 'representation', strict: false, lenient: false, respondAsync: true },
    ],
  ])('%s', (header, preferences) => {
    expect(readPreferences(header)).toEqual(preferences);
  });
});

describe('what is accepted', () => {
  it.each([
    ['application/turtle', null],
    ['text/html', null],
    ['*/*', 'ttl'],
    ['application/fhir+xml;q=0', null],
    ['application/fhir+xml; fhirVersion=5.0', null],
    ['application/fhir+json', 'ttl'],
    ['application/fhir+json; fhirVersion=3.0', null],
    ['application/json;q=0', null],
  ])('is not Accept %s with _format %s', (accept, format) => {
    expect(() => requireAcceptable(accept, format)).toThrow('request.not_acceptable');
  });

  it.each([
    [undefined, null],
    ['', null],
    ['*/*', null],
    ['application/*', ''],
    ['application/fhir+json; fhirVersion=4.0', null],
    ['application/json', null],
    ['text/html, application/fhir+json;q=0.1', null],
    ['text/html', 'json'],
    ['text/html', 'application/fhir json'],
    ['text/html', 'application/fhir+json; fhirVersion=4.0'],
  ])('is Accept %s with _format %s', (accept, format) => {
    expect(() => requireAcceptable(accept, format)).not.toThrow();
  });

  it.each([
    [undefined, null, 'json'],
    ['*/*', null, 'json'],
    ['application/*', null, 'json'],
    ['application/json', null, 'json'],
    ['application/fhir+xml', null, 'xml'],
    ['application/xml', null, 'xml'],
    ['text/xml', null, 'xml'],
    ['application/fhir+xml, application/fhir+json', null, 'xml'],
    ['application/fhir+xml;q=1.0, application/fhir+json;q=1.0', null, 'xml'],
    ['application/fhir+json, application/fhir+xml', null, 'json'],
    ['application/fhir+xml;q=0.9, application/fhir+json', null, 'json'],
    ['application/fhir+json;q=0.5, text/xml;q=0.6', null, 'xml'],
    ['application/fhir+json;q=0.5, */*;q=0.6', null, 'xml'],
    ['application/fhir+json;q=0, */*', null, 'xml'],
    ['text/*', null, 'json'],
    ['application/fhir+xml; fhirVersion=4.0', null, 'xml'],
    ['application/fhir+xml; fhirVersion=3.0, application/fhir+json', null, 'json'],
    ['application/fhir+json', 'xml', 'xml'],
    ['application/fhir+xml', 'json', 'json'],
    ['text/html', 'application/fhir xml', 'xml'],
    ['text/html', 'text/xml', 'xml'],
  ])('Accept %s with _format %s is answered in %s', (accept, format, answered) => {
    expect(requireAcceptable(accept, format)).toBe(answered);
  });

  it.each([
    [undefined, 'resource'],
    ['application/fhir+xml; charset=utf-16', 'resource'],
    ['application/fhir+xml', 'patch'],
    ['application/json-patch+json', 'resource'],
    ['application/fhir+xml', 'patch'],
    ['application/fhir+json; charset=latin1', 'resource'],
    ['application/fhir+json; fhirVersion=5.0', 'resource'],
    ['multipart/form-data', 'form'],
  ] as const)('is no body of type %s for a %s', (type, kind) => {
    expect(() => requireBodyType(type, kind)).toThrow('request.content_type');
  });

  it.each([
    ['application/fhir+json', 'resource'],
    ['application/fhir+xml', 'resource'],
    ['text/xml; charset=utf-8', 'resource'],
    ['Application/JSON; charset=UTF-8', 'resource'],
    ['application/fhir+json; fhirVersion=4.0', 'resource'],
    ['application/json-patch+json', 'patch'],
    ['application/x-www-form-urlencoded; charset=utf-8', 'form'],
  ] as const)('is a body of type %s for a %s', (type, kind) => {
    expect(() => requireBodyType(type, kind)).not.toThrow();
  });
});

describe('preconditions', () => {
  it.each(['W/"2"', '"2"', '2', 'W/"1", W/"2"', '*'])('hold for If-Match %s', (header) => {
    expect(() => requireMatch(header, 2, true)).not.toThrow();
  });

  it.each(['W/"1"', '"22"', '', 'x'])('do not hold for If-Match %s', (header) => {
    expect(() => requireMatch(header, 2, false)).toThrow('fhir.version_conflict');
  });

  it('are not those of a date within the same second', () => {
    const at = new Date('2026-01-01T00:00:00.900Z');
    expect(isUnchanged({ ifModifiedSince: 'Thu, 01 Jan 2026 00:00:00 GMT' }, 1, at)).toBe(true);
    expect(isUnchanged({ ifModifiedSince: 'Wed, 31 Dec 2025 23:59:59 GMT' }, 1, at)).toBe(false);
    expect(isUnchanged({}, 1, at)).toBe(false);
  });
});

describe('references', () => {
  const observation = {
    resourceType: 'Observation',
    status: 'final',
    code: {},
    subject: { reference: 'https://a.example/fhir/Patient/1' },
    derivedFrom: [{ reference: 'Media/2' }],
    contained: [{ resourceType: 'Device', owner: { reference: 'https://a.example/fhir/R4/Organization/3' } }],
  } as never;

  it('are found with their places', () => {
    expect(referencesOf(observation)).toEqual([
      { reference: 'https://a.example/fhir/Patient/1', expression: 'Observation.subject.reference' },
      { reference: 'Media/2', expression: 'Observation.derivedFrom[0].reference' },
      { reference: 'https://a.example/fhir/R4/Organization/3', expression: 'Observation.contained[0].owner.reference' },
    ]);
  });

  it('into the own base become relative, whichever of its names was called', () => {
    for (const base of ['https://a.example/fhir', 'https://a.example/fhir/R4']) {
      expect(referencesOf(withRelativeReferences(observation, base)).map(({ reference }) => reference)).toEqual([
        'Patient/1',
        'Media/2',
        'Organization/3',
      ]);
    }
    expect(withRelativeReferences(observation, 'https://b.example/fhir')).toBe(observation);
  });

  it.each([
    ['Patient/1', { type: 'Patient', id: '1' }],
    ['Patient/1/_history/2', { type: 'Patient', id: '1' }],
    ['Patient', null],
    ['#p', null],
    ['https://a.example/Patient/1', null],
    ['Patient?identifier=1', null],
  ])('%s points at %p', (reference, target) => {
    expect(targetOf(reference)).toEqual(target);
  });

  it('need a Bundle where they are urns or criteria', () => {
    expect(
      ['urn:uuid:1', 'Patient?identifier=1', 'Patient/1', '#p', 'https://a.example/Patient?x=1'].map(needsBundle),
    ).toEqual([true, true, false, false, false]);
  });
});

describe('ranges', () => {
  it.each([
    [undefined, null],
    ['bytes=-', null],
    ['bytes=5-2', null],
    ['bytes=a-b', null],
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes = 3-', { first: 3, last: 9 }],
    ['bytes=-99', { first: 0, last: 9 }],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=10-11', 'unsatisfiable'],
  ])('%s of 10 bytes', (header, range) => {
    expect(rangeOf(header, 10)).toEqual(range);
  });
});
