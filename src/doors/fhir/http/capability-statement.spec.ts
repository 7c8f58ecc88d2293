import type { CapabilityStatementRestResource } from '@medplum/fhirtypes';
import { readFileSync } from 'node:fs';
import { FhirOperation, type OperationLevel } from '../operations/fhir-operation.js';
import { OPERATIONS } from '../operations/operations.js';
import { OperationDirectory } from '../operations/operation-directory.js';
import { factsOf } from '../../../standards/fhir/profiles/published-facts.js';
import { ProfileLibrary } from '../../../standards/fhir/profiles/profile-library.js';
import { parametersOf } from '../../../standards/fhir/search-index/parameters/search-parameters.js';
import { SERVED_TYPES } from '../../../standards/fhir/types/served-types.js';
import { reachableTypes } from '../../../standards/fhir/types/type-access.js';
import { R4Definitions } from '../../../standards/fhir/definitions/r4-definitions.js';
import { ResourceValidator } from '../../../standards/fhir/validation/resource-validator.js';
import { capabilityStatement } from './capability-statement.js';

class CountOperation extends FhirOperation {
  readonly name = 'count';
  readonly levels: readonly OperationLevel[] = ['type'];
  readonly types = ['Patient'] as const;
  readonly scope = 'analysis:read';
  readonly affectsState = false;
  readonly definition = 'https://sutura.dev/fhir/OperationDefinition/count';
  handle() {
    return Promise.resolve({ status: 200, body: null });
  }
}

const definitions = new R4Definitions();
const library = new ProfileLibrary(definitions);
const facts = {
  base: 'https://wounds.example/fhir',
  softwareVersion: '1.2.3',
  requireIfMatch: false,
};
const statement = capabilityStatement(facts, new OperationDirectory([new CountOperation()]), library);
const resources = new Map<string, CapabilityStatementRestResource>(
  statement.rest![0]!.resource!.map((resource) => [resource.type!, resource]),
);

/** The operations that are served, for what they say of themselves. */
const served = OPERATIONS.map((Operation) => new (Operation as unknown as new () => FhirOperation)());

describe('the CapabilityStatement', () => {
  it('is the published one, to the letter', () => {
    const published: unknown = JSON.parse(readFileSync('test/fixtures/fhir/capability-statement.json', 'utf8'));
    expect(capabilityStatement(facts, new OperationDirectory(served), library)).toEqual(published);
  });

  it('is valid FHIR R4', () => {
    expect(new ResourceValidator(definitions, library).validate(statement)).toEqual({ level: null, issues: [] });
  });

  it('leaves to .well-known/smart-configuration where tokens come from, and names the guide of its profiles', () => {
    expect(statement.rest![0]!.security).not.toHaveProperty('extension');
    const [guide] = library.resources('ImplementationGuide');
    expect(statement.implementationGuide).toEqual([`${factsOf(guide!).url}|${factsOf(guide!).version}`]);
  });

  it('names every type of the table that a key can reach, and no other', () => {
    expect([...resources.keys()]).toEqual([...reachableTypes(), 'Subscription', 'AuditEvent']);
    expect(SERVED_TYPES.filter((type) => !resources.has(type))).toEqual([]);
  });

  it('promises deletion of what clients make, and no system search', () => {
    const deletable = [...resources.values()].filter(({ interaction }) =>
      interaction!.some(({ code }) => code === 'delete'),
    );
    expect(deletable.map(({ type }) => type)).toEqual([
      'Patient',
      'Encounter',
      'Organization',
      'Practitioner',
      'BodyStructure',
      'Procedure',
      'Condition',
      'ServiceRequest',
      'Media',
      'DocumentReference',
      'Observation',
      'Subscription',
    ]);
    expect(statement.rest![0]!.interaction).toEqual([
      { code: 'transaction' },
      { code: 'batch' },
      { code: 'history-system' },
    ]);
  });

  it.each([
    ['Patient', 'read vread search-type history-instance history-type create update patch delete', true],
    ['Task', 'read vread search-type history-instance history-type create update patch', false],
    ['Binary', 'read vread create', false],
    ['Observation', 'read vread search-type history-instance history-type create update patch delete', true],
    ['Organization', 'read vread search-type history-instance history-type create update patch delete', true],
    ['Practitioner', 'read vread search-type history-instance history-type create update patch delete', true],
    ['DiagnosticReport', 'read vread search-type history-instance history-type', false],
    ['Device', 'read vread search-type', false],
    ['ValueSet', 'read vread search-type', false],
  ])('says of %s what the standards’ table says', (type, codes, conditionalCreate) => {
    const resource = resources.get(type)!;
    expect(resource.interaction!.map(({ code }) => code).join(' ')).toBe(codes);
    expect(resource.conditionalCreate).toBe(conditionalCreate);
  });

  it('has the parameters of the search itself, each with its definition', () => {
    for (const [type, resource] of resources) {
      const searched = resource.interaction!.some(({ code }) => code === 'search-type');
      if (!searched) expect(resource.searchParam).toBeUndefined();
      else if (parametersOf(type).length > 0)
        expect(resource.searchParam!.map(({ name }) => name)).toEqual(parametersOf(type).map(({ name }) => name));
    }
    expect(resources.get('DiagnosticReport')!.searchParam!.find(({ name }) => name === 'wound')).toMatchObject({
      type: 'reference',
      definition: 'https://sutura.dev/fhir/SearchParameter/diagnosticreport-wound',
    });
    expect(resources.get('DiagnosticReport')!.searchInclude).toContain('DiagnosticReport:result');
  });

  it('names the operations that are registered, where they are', () => {
    expect(resources.get('Patient')!.operation).toEqual([
      {
        name: 'count',
        definition: 'https://sutura.dev/fhir/OperationDefinition/count',
        documentation: 'For keys with the scope analysis:read.',
      },
    ]);
    expect(resources.get('Encounter')!.operation).toBeUndefined();
  });

  it('names the profiles of each type, extensions apart', () => {
    expect(resources.get('Media')!.supportedProfile).toEqual([
      'https://sutura.dev/fhir/StructureDefinition/sutura-wound-image',
    ]);
    expect([...resources.values()].flatMap(({ supportedProfile = [] }) => supportedProfile)).toHaveLength(17);
  });

  it('says whether an update needs the version that it is made from', () => {
    expect(resources.get('Patient')!.versioning).toBe('versioned');
    const strict = capabilityStatement({ ...facts, requireIfMatch: true }, new OperationDirectory([]), library);
    expect(strict.rest![0]!.resource!.find(({ type }) => type === 'Patient')!.versioning).toBe('versioned-update');
    expect(strict.rest![0]!.resource!.find(({ type }) => type === 'Device')!.versioning).toBe('versioned');
  });
});
