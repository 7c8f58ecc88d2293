import type { Patient } from '@medplum/fhirtypes';
import { DESTINATION_SETTINGS, type Routes, type ResultOrigin } from '../settings/hl7-destination.js';
import { routesInWords, authoritiesOf, takenVersions, takes } from './routes.js';

const LISTENER = '01997f2e-3333-7000-8000-000000000003';
const OTHER = '01997f2e-3333-7000-8000-000000000004';
const routesOf = (routes: object): Routes => DESTINATION_SETTINGS.parse({ host: 'ehr', port: 1, routes }).routes;
const byHl7: ResultOrigin = { door: 'hl7v2', listenerId: LISTENER, facility: 'HOSP' };
const byFhir: ResultOrigin = { door: 'fhir', listenerId: null, facility: null };
const taken = (routes: object, origin = byHl7, authorities: readonly string[] = ['HOSP']) =>
  takes(routesOf(routes), { origin, authorities: new Set(authorities) });

describe('the routes of a destination', () => {
  it.each([
    ['another listener', { sources: [OTHER] }],
    ['another door', { sources: ['fhir', 'rest'] }],
    ['another facility', { facilities: ['CLINIC'] }],
    ['another authority', { authorities: ['CLINIC', 'urn:oid:1.2.3'] }],
    ['one that fits in all but one', { sources: [LISTENER], facilities: ['CLINIC'] }],
  ])('pass over results of %s', (_, routes) => expect(taken(routes)).toBe(false));

  it.each([
    [{}],
    [{ sources: [OTHER, LISTENER] }],
    [{ sources: ['hl7v2'] }],
    [{ facilities: ['HOSP'] }],
    [{ authorities: ['HOSP'] }],
    [{ sources: ['hl7v2'], facilities: ['HOSP'], authorities: ['HOSP'] }],
  ])('take a result with %j', (routes) => expect(taken(routes)).toBe(true));

  it('know no facility of what came by another door', () => {
    expect([
      taken({ facilities: ['HOSP'] }, byFhir),
      taken({ sources: ['fhir'] }, byFhir),
      taken({ sources: [LISTENER] }, byFhir),
    ]).toEqual([false, true, false]);
  });

  it.each([
    [['final'], ['final', 'corrected', 'entered-in-error']],
    [['preliminary'], ['preliminary', 'entered-in-error']],
    [[], ['preliminary', 'final', 'corrected', 'entered-in-error']],
  ])('with the statuses %j take of a report, and take back what was told', (statuses, told) => {
    const versions = (['preliminary', 'final', 'corrected', 'entered-in-error'] as const).map((status) => ({ status }));
    expect(takenVersions(routesOf({ statuses }), versions).map(({ status }) => status)).toEqual(told);
  });

  it('say nothing of a report that is taken back before it was told', () => {
    expect(
      takenVersions(routesOf({ statuses: ['final'] }), [{ status: 'preliminary' }, { status: 'entered-in-error' }]),
    ).toEqual([]);
  });

  it('know an authority by its namespace, its universal id and its URI', () => {
    const record: Patient = {
      resourceType: 'Patient',
      identifier: [
        { system: 'urn:oid:1.2.3', value: 'A' },
        { system: 'https://sutura.dev/fhir/sid/hl7v2-authority/WARD%201', value: 'B' },
        { system: 'urn:old', use: 'old', value: 'C' },
      ],
    };
    const known = authoritiesOf('PID|1||X^^^HOSP&1.9&ISO^MR~Y', record, { system: 'urn:mine' });
    expect([...known].sort()).toEqual([
      '1.2.3',
      '1.9',
      'HOSP',
      'WARD 1',
      'https://sutura.dev/fhir/sid/hl7v2-authority/WARD%201',
      'urn:mine',
      'urn:oid:1.2.3',
    ]);
  });

  it.each([
    [{ sources: ['mail'] }],
    [{ sources: [7] }],
    [{ statuses: ['amended'] }],
    [{ facilities: ['A|B'] }],
    [{ ward: ['7'] }],
  ])('are refused where they say %j', (routes) => {
    expect(DESTINATION_SETTINGS.safeParse({ host: 'ehr', port: 1, routes }).success).toBe(false);
  });

  it('are told in a sentence', () => {
    expect(routesInWords(routesOf({}))).toBe('every result of the organization and environment');
    expect(routesInWords(routesOf({ sources: ['fhir', LISTENER], statuses: ['final'] }))).toBe(
      `results ordered through fhir or ${LISTENER}, that are final`,
    );
  });
});
