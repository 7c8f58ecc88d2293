import type { Scope } from '../../core/tenancy/scope.js';

/** What a client does with a type (R4 restful-interaction); `analyze`, `attest` and so on are operations and say their scope themselves. */
export type TypeInteraction = 'read' | 'vread' | 'history' | 'search' | 'create' | 'update' | 'patch';

/** Which resources an interaction reaches: all of the tenant's, those that the key itself created, or none. */
export type Reach = 'all' | 'own' | 'none';

const WRITTEN_WITH_IMAGES = [
  'Media',
  'DocumentReference',
  'Patient',
  'Encounter',
  'BodyStructure',
  'Organization',
  'Practitioner',
];
const ONLY_CREATED_WITH_IMAGES = ['Binary'];
const WRITTEN_WITH_ANALYSIS = ['ServiceRequest', 'Task', 'Condition', 'Observation'];
/** Definitions and what the service is: for any key. */
const OPEN = [
  'StructureDefinition',
  'ValueSet',
  'CodeSystem',
  'ConceptMap',
  'SearchParameter',
  'OperationDefinition',
  'CapabilityStatement',
];

/** What a key with these scopes reaches with an interaction on a type (standards 3.2, native scopes and what they grant). */
export function reachOf(scopes: readonly Scope[], type: string, interaction: TypeInteraction): Reach {
  const reads =
    interaction === 'read' || interaction === 'vread' || interaction === 'history' || interaction === 'search';
  if (reads) return reachOfReading(scopes, type);
  const granted =
    interaction === 'create'
      ? [
          ...(scopes.includes('images:write') ? [...WRITTEN_WITH_IMAGES, ...ONLY_CREATED_WITH_IMAGES] : []),
          ...(scopes.includes('analysis:write') ? WRITTEN_WITH_ANALYSIS : []),
        ]
      : [
          ...(scopes.includes('images:write') ? WRITTEN_WITH_IMAGES : []),
          ...(scopes.includes('analysis:write') ? WRITTEN_WITH_ANALYSIS : []),
        ];
  return granted.includes(type) ? 'all' : 'none';
}

function reachOfReading(scopes: readonly Scope[], type: string): Reach {
  if (OPEN.includes(type)) return 'all';
  if (type === 'AuditEvent') return 'none';
  if (scopes.includes('analysis:read')) return 'all';
  const own = [
    ...(scopes.includes('images:write') ? [...WRITTEN_WITH_IMAGES, ...ONLY_CREATED_WITH_IMAGES] : []),
    ...(scopes.includes('analysis:write') ? WRITTEN_WITH_ANALYSIS : []),
  ];
  return own.includes(type) ? 'own' : 'none';
}
