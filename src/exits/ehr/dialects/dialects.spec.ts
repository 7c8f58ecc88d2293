import { EHR_DIALECTS, type EhrDialect, type EhrPush } from '../../../core/ehrs/ehr.js';
import { filesInOne } from '../../../core/ehrs/filed-terms.js';
import { readCapabilities } from '../../../ehrs/index.js';
import { lacksOf } from '../calls/capability.js';
import { DIALECTS, faultsOfPush, needsOfPush } from './dialects.js';

const PUSH: EhrPush = {
  enabled: true,
  dialect: 'transaction',
  auth: 'none',
  token: null,
  clientId: null,
  scopes: null,
  send: ['pdf'],
  when: 'reviewed',
  encounterRule: 'period',
  codes: null,
};

describe('a registration is refused, with the setting to change,', () => {
  it.each<[EhrDialect, Partial<EhrPush>, string]>([
    ['transaction', { send: ['pdf', 'photo'] }, '"photo"'],
    ['us-core-note', { send: ['diagnostic-report'] }, '"diagnostic-report"'],
    ['epic', { send: ['diagnostic-report'] }, '"diagnostic-report"'],
    ['epic', { send: ['pdf', 'observations'] }, '"codes"'],
    ['epic', { encounterRule: 'none' }, '"encounterRule"'],
    ['oracle', { when: 'final' }, '"when"'],
    ['oracle', { encounterRule: 'none' }, '"encounterRule"'],
    ['isik', { send: ['pdf', 'observations'] }, '"observations"'],
    ['transaction', { codes: { area: { system: 'urn:x', code: '1', unit: '[in_i]2' } } }, 'cm2 or mm2'],
    ['transaction', { codes: { depth: { system: 'urn:x', code: '1' } } }, 'area, length, width, perimeter'],
  ])('of %s by %p', (dialect, change, word) => {
    const faults = faultsOfPush({ ...PUSH, ...change, dialect });
    expect(faults.join(' ')).toContain(word);
  });

  it.each<EhrDialect>(['transaction', 'us-core-note', 'epic', 'oracle', 'isik'])(
    'and %s takes a document',
    (dialect) => {
      expect(faultsOfPush({ ...PUSH, dialect })).toEqual([]);
    },
  );
});

it('core knows which dialects file a version as one', () => {
  expect(EHR_DIALECTS.filter(filesInOne)).toEqual(EHR_DIALECTS.filter((dialect) => DIALECTS[dialect].isBundled));
});

describe('a server', () => {
  const statement = (...resource: object[]) =>
    readCapabilities({
      resourceType: 'CapabilityStatement',
      fhirVersion: '4.0.1',
      rest: [{ mode: 'server', resource }],
    })!;
  const can = (type: string, ...codes: string[]) => ({ type, interaction: codes.map((code) => ({ code })) });

  it('that creates no document says so before the first patient', () => {
    const reader = statement(
      can('Patient', 'search-type'),
      can('Encounter', 'search-type'),
      can('DocumentReference', 'search-type'),
    );
    expect(lacksOf(reader, needsOfPush({ ...PUSH, dialect: 'epic' }))).toEqual([
      'It does not say that it can create DocumentReference.',
    ]);
    expect(lacksOf(reader, needsOfPush(PUSH))).toContain('It does not say that it can run transactions.');
  });

  it('that does all that is needed lacks nothing', () => {
    const server = statement(
      can('Patient', 'search-type'),
      can('Encounter', 'search-type'),
      can('DocumentReference', 'create', 'search-type'),
    );
    expect(lacksOf(server, needsOfPush({ ...PUSH, dialect: 'epic' }))).toEqual([]);
  });
});
