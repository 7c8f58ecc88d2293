import { capabilityStatement } from '../../src/doors/fhir/http/capability-statement.js';
import { OperationDirectory } from '../../src/doors/fhir/operations/operation-directory.js';
import { R4Definitions } from '../../src/standards/fhir/definitions/r4-definitions.js';
import { ProfileLibrary } from '../../src/standards/fhir/profiles/profile-library.js';
import { SEARCHED_TYPES } from '../../src/standards/fhir/types/type-parameters.js';
import { textOf } from './pages.js';

const FACTS = {
  base: 'https://wounds.example/fhir',
  softwareVersion: '1.2.3',
  requireIfMatch: false,
  tokenAddress: 'https://sutura.example.org/auth/token',
};
const { rest } = capabilityStatement(FACTS, new OperationDirectory([]), new ProfileLibrary(new R4Definitions()));
/** The names of each type, as the service declares them. */
const DECLARED = new Map(
  rest![0]!.resource!.map(({ type, searchParam = [] }) => [type as string, searchParam.map(({ name }) => name!)]),
);

const PAGE = textOf('docs/conformance/fhir.md');
const namesIn = (text: string): string[] => [...text.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!);
const namesBehind = (words: RegExp): string[] => namesIn(words.exec(PAGE)?.[1] ?? '');
/** Those of every type of the store, and each type's own. */
const COMMON = namesBehind(/^Each type of the store is searched by (.+) and:$/m);
const TABLE = /^\| Type \| Search parameters \|\n\|---\|---\|\n((?:\|.*\n)+)/m.exec(PAGE)?.[1] ?? '';
const ROWS = new Map(
  [...TABLE.matchAll(/^\| (\w+) \| (.+) \|$/gm)].map(([, type, names]) => [type!, [...COMMON, ...namesIn(names!)]]),
);
const DEFINITIONS = /StructureDefinition|ValueSet|CodeSystem|ConceptMap|SearchParameter|OperationDefinition/;

describe('docs/conformance/fhir.md', () => {
  it('has a row of search parameters for each type of the store, and no other', () => {
    expect([...ROWS.keys()].sort()).toEqual([...SEARCHED_TYPES].sort());
  });

  it.each(SEARCHED_TYPES)('names each search parameter of %s, and no other', (type) => {
    expect(ROWS.get(type)).toEqual(DECLARED.get(type));
  });

  it('names those of Subscriptions, definitions and AuditEvents, and no other', () => {
    expect(namesBehind(/^Subscriptions are searched by (.+?);/m)).toEqual(DECLARED.get('Subscription'));
    const definitions = namesBehind(/; definitions by (.+?) \(`:exact`/).sort();
    const types = [...DECLARED.keys()].filter((type) => DEFINITIONS.test(type));
    expect(types.length).toBe(6);
    for (const type of types) expect([type, definitions]).toEqual([type, [...DECLARED.get(type)!].sort()]);
    const trail = PAGE.split('## AuditEvent')[1]!.split('\n## ')[0]!;
    const named = [...trail.matchAll(/^\| (.+?) \| .+ \|$/gm)].flatMap(([, names]) => namesIn(names!));
    expect(named.filter((name) => !/^_(?:count|sort|cursor)$/.test(name)).sort()).toEqual(
      [...DECLARED.get('AuditEvent')!].sort(),
    );
  });
});
