import { SCOPES } from '../../core/tenancy/scope.js';
import { reachOf, type TypeInteraction } from '../access/interaction-access.js';
import { CONFORMANCE_TYPES } from '../profiles/profile-library.js';

/** Where the resources of a type lie: in the store of resources, among the bytes of attachments, or in the files of our definitions. */
export type Origin = 'store' | 'bytes' | 'definitions';

export interface TypeEntry {
  readonly type: string;
  readonly origin: Origin;
  readonly interactions: readonly TypeInteraction[];
  /** If-None-Exist on a create. */
  readonly conditionalCreate: boolean;
  /** A PUT to criteria, such as `Patient?identifier=…`. */
  readonly conditionalUpdate: boolean;
  /** A PUT to an id of the client's own, where there is nothing yet. */
  readonly updateCreate: boolean;
}

const READ: readonly TypeInteraction[] = ['read', 'vread', 'search'];
const KEPT: readonly TypeInteraction[] = [...READ, 'history', 'create', 'update', 'patch'];

type Further = Partial<Pick<TypeEntry, 'origin' | 'conditionalCreate'>>;
const entry = (
  type: string,
  interactions: readonly TypeInteraction[],
  { origin = 'store', conditionalCreate = false }: Further = {},
): TypeEntry => {
  const updates = interactions.includes('update');
  return {
    type,
    origin,
    interactions,
    conditionalCreate,
    conditionalUpdate: conditionalCreate && updates,
    updateCreate: updates && interactions.includes('create'),
  };
};

/** Standards 3.1: what a client may do with which type. Routes, checks, the Allow header and the CapabilityStatement all read this. */
export const INTERACTION_TABLE: readonly TypeEntry[] = [
  ...[
    'Patient',
    'Encounter',
    'Organization',
    'Practitioner',
    'BodyStructure',
    'Condition',
    'ServiceRequest',
    'Media',
    'DocumentReference',
  ].map((type) => entry(type, KEPT, { conditionalCreate: true })),
  entry('Task', KEPT),
  entry('Binary', ['read', 'vread', 'create'], { origin: 'bytes' }),
  // Those of clinicians; of the codes that the service makes itself, and of those that it made, its intake refuses them.
  entry('Observation', KEPT, { conditionalCreate: true }),
  entry('DiagnosticReport', [...READ, 'history']),
  entry('Device', READ),
  entry('Provenance', READ),
  entry('AuditEvent', ['read', 'search']),
  ...CONFORMANCE_TYPES.map((type) => entry(type, READ, { origin: 'definitions' })),
];

const BY_TYPE = new Map(INTERACTION_TABLE.map((each) => [each.type, each]));

export function entryOf(type: string): TypeEntry | undefined {
  return BY_TYPE.get(type);
}

/** The types that some key can reach; what only the operator reaches is not part of this API. */
export function servedTypes(): TypeEntry[] {
  return INTERACTION_TABLE.filter(({ type, interactions }) =>
    interactions.some((interaction) => reachOf(SCOPES, type, interaction) !== 'none'),
  );
}
