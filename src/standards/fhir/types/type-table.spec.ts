import { readFileSync } from 'node:fs';
import { SCOPES, type Scope } from '../../../core/tenancy/api-key.js';
import { OperationDirectory } from '../../../doors/fhir/operations/operation-directory.js';
import { capabilityStatement } from '../../../doors/fhir/http/capability-statement.js';
import { ProfileLibrary } from '../profiles/profile-library.js';
import { parametersOf } from '../search-index/parameters/search-parameters.js';
import { R4Definitions } from '../definitions/r4-definitions.js';
import { CONFORMANCE_TYPES, rowOf, SERVED_TYPES, typesWith } from './served-types.js';
import { reachOf } from './type-access.js';
import { SEARCHED_TYPES, typeParameters } from './type-parameters.js';
import type { TypeInteraction } from './type-row.js';

const definitions = new R4Definitions();
const facts = {
  base: 'https://wounds.example/fhir',
  softwareVersion: '1.2.3',
  requireIfMatch: false,
};
const statement = capabilityStatement(facts, new OperationDirectory([]), new ProfileLibrary(definitions));
const CODES: Readonly<Record<string, TypeInteraction>> = {
  read: 'read',
  vread: 'vread',
  'history-instance': 'history',
  'history-type': 'history',
  'search-type': 'search',
  create: 'create',
  update: 'update',
  patch: 'patch',
  delete: 'delete',
};
const promised = new Map(
  statement.rest![0]!.resource!.map(({ type, interaction }) => [
    type as string,
    new Set(interaction!.map(({ code }) => CODES[code!]!)),
  ]),
);
const reading = (type: string) => SCOPES.map((scope) => reachOf({ scopes: [scope] }, type, 'read'));
const writing = (type: string) => SCOPES.filter((scope) => reachOf({ scopes: [scope] }, type, 'create') === 'all');

describe('the table of types', () => {
  it.each(SERVED_TYPES.filter((type) => rowOf(type)!.readers !== 'apart'))(
    'promises of %s each interaction that some scope grants, and no other',
    (type) => {
      const granted = rowOf(type)!.interactions.filter((interaction) =>
        SCOPES.some((scope) => reachOf({ scopes: [scope] }, type, interaction) !== 'none'),
      );
      expect([...(promised.get(type) ?? [])]).toEqual(granted);
      expect(granted).toEqual(rowOf(type)!.interactions);
    },
  );

  it('grants nothing of a type that is not served', () => {
    for (const interaction of Object.values(CODES))
      expect(reachOf({ scopes: SCOPES }, 'Medication', interaction)).toBe('none');
  });

  it('grants a key without scopes the definitions alone', () => {
    expect(SERVED_TYPES.filter((type) => reachOf({ scopes: [] }, type, 'read') !== 'none')).toEqual(CONFORMANCE_TYPES);
  });

  it.each<[Scope, readonly string[]]>([
    [
      'images:write',
      ['Patient', 'Encounter', 'Organization', 'Practitioner', 'BodyStructure', 'Media', 'DocumentReference', 'Binary'],
    ],
    ['analysis:write', ['Condition', 'ServiceRequest', 'Task', 'Observation']],
    ['analysis:read', []],
    ['analysis:review', ['Procedure']],
  ])('lets %s create its types, and read back its own', (scope, types) => {
    expect(SERVED_TYPES.filter((type) => reachOf({ scopes: [scope] }, type, 'create') === 'all')).toEqual(types);
    if (scope !== 'analysis:read')
      expect(SERVED_TYPES.filter((type) => reachOf({ scopes: [scope] }, type, 'read') === 'own')).toEqual(types);
  });

  it('lets analysis:read read all of every type but the accesses', () => {
    expect(SERVED_TYPES.filter((type) => reachOf({ scopes: ['analysis:read'] }, type, 'search') !== 'all')).toEqual([
      'AuditEvent',
    ]);
    expect(new Set(reading('AuditEvent'))).toEqual(new Set(['none']));
  });

  it('changes nothing of bytes that are kept', () => {
    expect(writing('Binary')).toEqual(['images:write']);
    expect(reachOf({ scopes: SCOPES }, 'Binary', 'update')).toBe('none');
    expect(reachOf({ scopes: SCOPES }, 'Binary', 'patch')).toBe('none');
  });

  it('has types that R4 defines', () => {
    expect(SERVED_TYPES.filter((type) => !definitions.ensureType(type))).toEqual([]);
  });

  it('has each type in the table of docs/conformance/fhir.md', () => {
    const table = /## Types and interactions\n(.*?)\n## /s.exec(readFileSync('docs/conformance/fhir.md', 'utf8'))![1]!;
    const named = new Set(table.match(/\b[A-Z]\w+/g));
    expect([...promised.keys()].filter((type) => !named.has(type))).toEqual([]);
  });

  it('searches every type of the store', () => {
    expect([...SEARCHED_TYPES].sort()).toEqual([...typesWith('origin', 'store')].sort());
    for (const type of SEARCHED_TYPES) expect(parametersOf(type).length).toBeGreaterThan(5);
  });

  it('finds all that moves with a merged patient by its patient', () => {
    const moving = [
      ...typesWith('merge', 'moves'),
      ...typesWith('merge', 'moves-after-reports'),
      ...typesWith('merge', 'projected'),
    ];
    expect(moving.filter((type) => typeParameters(type)?.names.includes('patient') !== true)).toEqual([]);
    expect(moving.filter((type) => rowOf(type)!.subject === null)).toEqual([]);
    expect(
      SERVED_TYPES.filter((type) => rowOf(type)!.subject !== null && !(moving as string[]).includes(type)),
    ).toEqual([]);
  });
});
